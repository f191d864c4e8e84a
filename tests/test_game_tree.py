"""Every game of legal play, and every sequence of a few plies whether legal or not, against the independent oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

import oracle
from conftest import Judge
from pipeline.batch import PLACE, Batch
from pipeline.layout import Layout
from pipeline.rules.outcomes import OUTCOME_BIT
from pipeline.verdict.records import judge
from schemas.reasons import BIT
from schemas.vocabulary import FirstPlayer

OUTCOMES = {str(outcome): bit for outcome, bit in OUTCOME_BIT.items()}
OUT = 9
SQUARES = range(10)
"""The nine squares and one outside the board."""
MOST_PLIES = 6
SEQUENCES = 1_111_111


@cache
def tree() -> pl.DataFrame:
    """Every node of legal play: its ``moves``, and its ``outcome`` by the oracle."""
    nodes = [("".join(map(str, moves)), outcome) for moves, outcome in oracle.game_tree()]
    frame = pl.DataFrame(nodes, schema={"moves": pl.String, "outcome": pl.String}, orient="row")
    return frame.with_columns(pl.col("moves").str.extract_all(".").cast(pl.List(pl.Int64)))


def verdicts(moves: pl.Series, first: FirstPlayer = "X") -> pl.DataFrame:
    """The product's verdict on each game."""
    place = pl.select(
        row=pl.int_range(moves.len(), dtype=pl.UInt64),
        line=pl.lit(None, PLACE["line"]),
        raw=pl.lit(None, PLACE["raw"]),
        reasons=pl.lit(0, PLACE["reasons"]),
    )
    return judge(Batch(moves.alias("moves").to_frame(), place), Layout(moves=("moves",), first=first))


# Legal play


def test_the_tree_is_the_known_one() -> None:
    assert dict(tree()["outcome"].value_counts().iter_rows()) == {
        "X": 131_184,
        "O": 77_904,
        "draw": 46_080,
        "unfinished": 294_778,
    }


def test_every_node_of_the_tree_is_valid_with_its_outcome(tmp_path: Path, judge_file: Judge) -> None:
    """The label of each node is its outcome by the oracle, so each node is compared, not only their number."""
    path = tmp_path / "tree.parquet"
    tree().write_parquet(path)
    found = judge_file(path, outcome="outcome")
    assert found.reasons == {}
    assert found.summary["unit"] == "game"
    assert found.summary["records"] == {"read": 549_946, "valid": 549_946, "invalid": 0}
    assert found.summary["rows"] == {"read": 549_946}
    assert found.summary["outcomes"] == {"X": 131_184, "O": 77_904, "draw": 46_080, "unfinished": 294_778}
    assert found.exit_code == 0


@pytest.mark.parametrize(("first", "swapped"), [("X", {}), ("O", {"X": "O", "O": "X"}), ("any", {})])
def test_the_outcome_of_every_node_for_each_first_player(first: FirstPlayer, swapped: dict[str, str]) -> None:
    judged = verdicts(tree()["moves"], first)
    outcomes = tree()["outcome"].replace(swapped).replace_strict(OUTCOMES, return_dtype=pl.UInt8)
    assert (judged["reasons"] == 0).all()
    assert judged["ply"].null_count() == judged.height
    assert (judged["outcome"] == outcomes).all()


def test_every_node_with_the_label_of_the_player_to_move_next(tmp_path: Path, judge_file: Judge) -> None:
    """A writer that sets the label after passing the turn names the loser of every game that is won."""
    to_move = pl.when(pl.col("moves").list.len() % 2 == 0).then(pl.lit("X")).otherwise(pl.lit("O"))
    path = tmp_path / "tree.parquet"
    tree().select("moves", winner=to_move).write_parquet(path)
    found = judge_file(path)
    assert found.summary["records"]["invalid"] == 549_946
    assert {code: count["records"] for code, count in found.summary["reasons"].items()} == {
        "OUTCOME_MISMATCH": 131_184 + 77_904 + 46_080,
        "OUTCOME_UNFINISHED": 294_778,
    }


def test_every_finished_game_goes_through_a_log_in_any_order(tmp_path: Path, judge_file: Judge) -> None:
    """More rows than are kept in memory, and no two of a game beside each other."""
    games = tree().filter(pl.col("outcome") != "unfinished").with_row_index("game")
    rows = games.with_columns(ply=pl.int_ranges(1, pl.col("moves").list.len() + 1)).explode("moves", "ply")
    rows = rows.rename({"moves": "square"}).sample(fraction=1, shuffle=True, seed=1)
    path = tmp_path / "log.parquet"
    rows.write_parquet(path)
    found = judge_file(path, outcome="outcome")
    assert found.reasons == {}
    assert found.summary["records"] == {"read": 255_168, "valid": 255_168, "invalid": 0}
    assert found.summary["rows"] == {"read": 5 * 1_440 + 6 * 5_328 + 7 * 47_952 + 8 * 72_576 + 9 * 127_872}
    assert found.summary["outcomes"] == {"X": 131_184, "O": 77_904, "draw": 46_080, "unfinished": 0}


# One ply too many


def test_every_finished_game_with_any_ply_more() -> None:
    finished = tree().filter(pl.col("outcome") != "unfinished")
    games = finished.join(pl.DataFrame({"square": SQUARES}), how="cross")
    judged = verdicts(games.select(pl.concat_list("moves", "square")).to_series())
    is_out, is_taken = pl.col("square") == OUT, pl.col("moves").list.contains(pl.col("square"))
    expected = games.select(
        ply=pl.col("moves").list.len() + 1,
        reasons=is_out * BIT["MOVE_OUT_OF_BOUNDS"]
        + is_taken * BIT["CELL_OCCUPIED"]
        + (pl.col("outcome") != "draw") * BIT["MOVE_AFTER_END"]
        + (pl.col("moves").list.len() == 9) * BIT["MOVES_TOO_MANY"],
        outcome=pl.col("outcome").replace_strict(OUTCOMES),
    )
    assert judged.height == 2_551_680
    assert (judged["reasons"] == expected["reasons"]).all()
    assert (judged["ply"] == expected["ply"]).all()
    won = games["outcome"] != "draw"
    assert (judged.filter(won)["outcome"] == expected.filter(won)["outcome"]).all()


# Everything that can be written


class Played(NamedTuple):
    """How things stand after some plies, as far as what comes later can depend on it."""

    board: str
    mark: str
    codes: frozenset[str]
    first_bad: int | None
    won: str | None

    @property
    def outcome(self) -> str:
        return self.won or oracle.board_outcome(self.board)


def after(played: Played, ply: int, square: int) -> Played:
    """One ply more, by the oracle."""
    faults = oracle.ply_faults(played.board, square, played.mark, None)
    placed = square in oracle.free_squares(played.board)
    board = oracle.put(played.board, square, played.mark) if placed else played.board
    outcome = oracle.board_outcome(board)
    return Played(
        board,
        oracle.OTHER[played.mark],
        played.codes | frozenset(faults),
        played.first_bad or (ply if faults else None),
        played.won or (outcome if outcome in oracle.OTHER else None),
    )


class Sequences(NamedTuple):
    """Every sequence of so many plies: its ``moves``, all that is ``different`` after them, and ``which`` each has."""

    moves: pl.Series
    different: list[Played]
    which: pl.Series

    def each(self, dtype: type[pl.DataType], value: Callable[[Played], object]) -> pl.Series:
        """A value of what each sequence leaves behind."""
        return pl.Series([value(played) for played in self.different], dtype=dtype).gather(self.which)


def sequences(first: str) -> Iterator[Sequences]:
    """All sequences of no ply, of one, of two and so on, in the order of counting.

    Those that leave the same behind go on in the same way, so the oracle is asked once for all of them.
    """
    different = [Played(oracle.EMPTY_BOARD, first, frozenset(), None, None)]
    which = pl.Series([0], dtype=pl.UInt32)
    yield Sequences(pl.Series([[]], dtype=pl.List(pl.Int64)), different, which)
    for ply in range(1, MOST_PLIES + 1):
        following = [after(played, ply, square) for played in different for square in SQUARES]
        different = list(dict.fromkeys(following))
        place = {played: place for place, played in enumerate(different)}
        table = pl.Series([place[played] for played in following], dtype=pl.UInt32)
        number = pl.int_range(10**ply)
        which = table.gather(pl.select(pl.lit(which).gather(number // 10) * 10 + number % 10).to_series())
        digits = [number // 10**place % 10 for place in reversed(range(ply))]
        yield Sequences(pl.select(pl.concat_list(digits)).to_series(), different, which)


@pytest.mark.parametrize("first", ["X", "O"])
def test_every_sequence_of_six_plies_legal_or_not(first: oracle.First) -> None:
    compared = 0
    for some in sequences(first):
        judged = verdicts(some.moves, first)
        reasons = some.each(pl.UInt32, lambda played: sum(BIT[code] for code in played.codes))
        assert (judged["reasons"] == reasons).all()
        assert judged["ply"].eq_missing(some.each(pl.UInt8, lambda played: played.first_bad)).all()
        assert (judged["outcome"] == some.each(pl.UInt8, lambda played: OUTCOMES[played.outcome])).all()
        compared += judged.height
        for number in range(0, some.moves.len(), 997):
            played = some.different[some.which[number]]
            alone = oracle.judge_game(some.moves[number].to_list(), first=first)
            assert alone == (sorted(played.codes), played.first_bad, played.outcome)
    assert compared == SEQUENCES
    faults = ("CELL_OCCUPIED", "MOVE_AFTER_END", "MOVE_OUT_OF_BOUNDS")
    every_set = {frozenset(held) for number in range(4) for held in combinations(faults, number)}
    assert {played.codes for played in some.different} == every_set

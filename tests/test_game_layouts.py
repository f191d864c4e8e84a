"""The same games in every layout: the same verdicts, those of the independent oracle; and known traps by name."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import polars as pl
import pytest

import oracle
from conftest import Judge, Verdicts

Games = list[list[int]]
Flags = dict[str, Any]

INT_PAIRS = pl.List(pl.List(pl.Int64))
PLIES = tuple(f"p{ply}" for ply in range(1, 10))
PLY_COLUMNS: Flags = {"moves": ",".join(PLIES)}


def random_games() -> Games:
    """Legal games, cut off, spoiled and too long ones; no plies and nine plies outside the board among them."""
    random = Random(5)
    games: Games = [[], [0], [9], [-1], [9] * 9, [0, 1, 2, 4, 3, 5, 7, 6, 8], [0, 3, 1, 4, 2], [0, 3, 1, 4, 2, 5]]
    for _ in range(400):
        game = random.sample(range(9), random.randint(1, 9))
        for _ in range(random.choice([0, 0, 1, 2])):
            game[random.randrange(len(game))] = random.choice([*range(9), 9, 11, -1, -9])
        games.append(game + random.choices(range(9), k=random.choice([0, 0, 0, 0, 1, 4])))
    return games


GAMES = random_games()


class Numbering(NamedTuple):
    """What the numbers in a file count from, and in which order."""

    base: int
    order: oracle.Order

    def number(self, square: int) -> int:
        """How a file writes a square; one outside the board stays outside."""
        if not 0 <= square <= 8:
            return square + self.base
        return self.base + (square if self.order == "row" else 3 * (square % 3) + square // 3)

    def numbers(self, game: Iterable[int]) -> list[int]:
        return [self.number(square) for square in game]

    def pair(self, square: int) -> tuple[int, int]:
        """The row and the column of a square, one of them outside for one that is."""
        return square // 3 + self.base, square % 3 + self.base

    def pairs(self, game: Iterable[int]) -> list[tuple[int, int]]:
        return [self.pair(square) for square in game]


Writer = Callable[[Path, Games, Numbering], tuple[Path, Flags]]


def csv_file(folder: Path, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    path = folder / "games.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    return path


def parquet_file(folder: Path, columns: dict[str, pl.Series]) -> Path:
    path = folder / "games.parquet"
    pl.DataFrame(columns).write_parquet(path)
    return path


# A game in one column


def list_of(dtype: pl.DataType) -> Writer:
    def list_of_squares(folder: Path, games: Games, by: Numbering) -> tuple[Path, Flags]:
        moves = pl.Series([by.numbers(game) for game in games], dtype=pl.List(pl.Int64))
        return parquet_file(folder, {"moves": moves.cast(pl.List(dtype))}), {}

    return list_of_squares


def list_of_pairs(dtype: pl.DataType) -> Writer:
    def native_pairs(folder: Path, games: Games, by: Numbering) -> tuple[Path, Flags]:
        moves = pl.Series([[list(pair) for pair in by.pairs(game)] for game in games], dtype=INT_PAIRS)
        return parquet_file(folder, {"moves": moves.cast(pl.List(dtype))}), {}

    return native_pairs


def list_of_structs(folder: Path, games: Games, by: Numbering) -> tuple[Path, Flags]:
    pair = pl.Struct({"row": pl.Int64, "col": pl.Int64})
    moves = [[{"row": row, "col": column} for row, column in by.pairs(game)] for game in games]
    return parquet_file(folder, {"moves": pl.Series(moves, dtype=pl.List(pair))}), {}


def list_of_texts(folder: Path, games: Games, by: Numbering) -> tuple[Path, Flags]:
    moves = [[f"({row}, {column})" for row, column in by.pairs(game)] for game in games]
    return parquet_file(folder, {"moves": pl.Series(moves, dtype=pl.List(pl.String))}), {}


def text_of(written: Callable[[list[int], Numbering], str], *, parquet: bool = False) -> Writer:
    def text(folder: Path, games: Games, by: Numbering) -> tuple[Path, Flags]:
        texts = [written(game, by) for game in games]
        if parquet:
            return parquet_file(folder, {"moves": pl.Series(texts, dtype=pl.String)}), {}
        return csv_file(folder, ["n", "moves"], enumerate(texts)), {}

    return text


def semicolons(game: list[int], by: Numbering) -> str:
    return ";".join(f"{row},{column}" for row, column in by.pairs(game))


def spaced_semicolons(game: list[int], by: Numbering) -> str:
    return ";".join(f" {row} ,\t0{column}.0" if column >= 0 else f"{row},{column}" for row, column in by.pairs(game))


def json_squares(game: list[int], by: Numbering) -> str:
    return json.dumps(by.numbers(game))


def json_pairs(game: list[int], by: Numbering) -> str:
    return json.dumps(by.pairs(game), separators=(",", ":"))


def indented_json(game: list[int], by: Numbering) -> str:
    return json.dumps(by.pairs(game), indent=2).replace("\n", " ")


def python_tuples(game: list[int], by: Numbering) -> str:
    return str(by.pairs(game))


def python_tuple_of_squares(game: list[int], by: Numbering) -> str:
    return str(tuple(by.numbers(game)))


# Nine columns, one a ply


def short(game: list[int]) -> bool:
    return len(game) <= 9


def ply_columns_parquet(folder: Path, games: Games, by: Numbering) -> tuple[Path, Flags]:
    rows = [[*by.numbers(game), *[None] * (9 - len(game))] for game in games]
    columns = {name: pl.Series([row[place] for row in rows], dtype=pl.Int64) for place, name in enumerate(PLIES)}
    return parquet_file(folder, columns), PLY_COLUMNS


def ply_columns_csv(folder: Path, games: Games, by: Numbering) -> tuple[Path, Flags]:
    rows = ([*by.numbers(game), *[""] * (9 - len(game))] for game in games)
    return csv_file(folder, PLIES, rows), PLY_COLUMNS


def ply_columns_of_pairs(folder: Path, games: Games, by: Numbering) -> tuple[Path, Flags]:
    rows = ([*map(str, by.pairs(game)), *[""] * (9 - len(game))] for game in games)
    return csv_file(folder, PLIES, rows), PLY_COLUMNS


@pytest.mark.parametrize(
    "by", [Numbering(0, "row"), Numbering(1, "row"), Numbering(0, "column"), Numbering(1, "column")]
)
@pytest.mark.parametrize(
    "write",
    [
        pytest.param(list_of(pl.Int64()), id="list of squares"),
        pytest.param(list_of(pl.Int8()), id="list of small squares"),
        pytest.param(list_of(pl.Float64()), id="list of squares as fractions"),
        pytest.param(list_of(pl.String()), id="list of squares as text"),
        pytest.param(list_of_pairs(pl.List(pl.Int64)), id="list of pairs"),
        pytest.param(list_of_pairs(pl.List(pl.String)), id="list of pairs of text"),
        pytest.param(list_of_pairs(pl.Array(pl.Int16, 2)), id="list of fixed-size pairs"),
        pytest.param(list_of_structs, id="list of structs"),
        pytest.param(list_of_texts, id="list of pairs as text"),
        pytest.param(text_of(semicolons), id="semicolons"),
        pytest.param(text_of(semicolons, parquet=True), id="semicolons in Parquet"),
        pytest.param(text_of(spaced_semicolons), id="semicolons with blanks"),
        pytest.param(text_of(json_squares), id="JSON squares"),
        pytest.param(text_of(json_pairs), id="JSON pairs"),
        pytest.param(text_of(json_pairs, parquet=True), id="JSON pairs in Parquet"),
        pytest.param(text_of(indented_json), id="JSON with blanks"),
        pytest.param(text_of(python_tuples), id="Python list of tuples"),
        pytest.param(text_of(python_tuple_of_squares), id="Python tuple of squares"),
        pytest.param(ply_columns_parquet, id="ply columns in Parquet"),
        pytest.param(ply_columns_csv, id="ply columns in CSV"),
        pytest.param(ply_columns_of_pairs, id="ply columns of pairs"),
    ],
)
def test_a_game_in_a_row(write: Writer, by: Numbering, tmp_path: Path, judge_file: Judge) -> None:
    games = [game for game in GAMES if short(game)] if write.__name__.startswith("ply_columns") else GAMES
    path, flags = write(tmp_path, games, by)
    found = judge_file(path, base=by.base, order=by.order, **flags)
    expected = [oracle.judge_game(game) for game in games]
    assert found.invalid.select("_row", "_reasons", "_ply").rows() == [
        (row, verdict.codes, verdict.ply) for row, verdict in enumerate(expected) if verdict.codes
    ]
    outcomes = [verdict.outcome for verdict in expected if not verdict.codes]
    assert found.summary["outcomes"] == {name: outcomes.count(name) for name in ("X", "O", "draw", "unfinished")}


def test_fixed_size_arrays_of_squares_and_of_pairs(tmp_path: Path, judge_file: Judge) -> None:
    games = [game for game in GAMES if len(game) == 9]
    expected = {row: codes for row, game in enumerate(games) if (codes := oracle.judge_game(game).codes)}
    by = Numbering(0, "row")
    squares = pl.Series([by.numbers(game) for game in games], dtype=pl.Array(pl.Int64, 9))
    assert judge_file(parquet_file(tmp_path, {"moves": squares})).reasons == expected
    pairs = pl.Series([[list(pair) for pair in by.pairs(game)] for game in games], dtype=pl.Array(pl.Int64, (9, 2)))
    assert judge_file(parquet_file(tmp_path, {"moves": pairs})).reasons == expected


# Logs


def log_rows(games: Games, by: Numbering, start: int, shuffled: bool) -> list[tuple[int, int, int, int, int, str]]:
    """Game, ply, square, row, column and the pair as text of every ply."""
    rows = [
        (number, start + ply, by.number(square), *by.pair(square), str(by.pair(square)))
        for number, game in enumerate(games)
        for ply, square in enumerate(game)
    ]
    if shuffled:
        Random(2).shuffle(rows)
    return rows


LOG_NAMES = ("game", "ply", "square", "r", "c", "pair")


@pytest.mark.parametrize("by", [Numbering(0, "row"), Numbering(1, "column")])
@pytest.mark.parametrize("at", ["square", "r,c", "pair"])
@pytest.mark.parametrize(("start", "shuffled"), [(1, False), (1, True), (0, True)])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_log(
    at: str, by: Numbering, start: int, shuffled: bool, suffix: str, tmp_path: Path, judge_file: Judge
) -> None:
    rows = log_rows(GAMES, by, start, shuffled)
    found = judged_log(rows, suffix, tmp_path, judge_file, game="game", ply="ply", at=at, base=by.base, order=by.order)
    assert_same_verdicts(found)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_log_in_the_order_of_its_rows(suffix: str, tmp_path: Path, judge_file: Judge) -> None:
    """Without a column of plies; games take turns, as in a file that many of them write to."""
    rows = sorted(log_rows(GAMES, Numbering(0, "row"), 0, shuffled=False), key=lambda row: row[1])
    without = [(game, 0, *others) for game, _, *others in rows]
    assert_same_verdicts(judged_log(without, suffix, tmp_path, judge_file, game="game", at="square", renamed="time"))


def judged_log(
    rows: Sequence[Sequence[Any]], suffix: str, folder: Path, judge_file: Judge, *, renamed: str = "ply", **flags: Any
) -> Verdicts:
    names = [renamed if name == "ply" else name for name in LOG_NAMES]
    if suffix == ".csv":
        return judge_file(csv_file(folder, names, rows), **flags)
    frame = pl.DataFrame(rows, names, orient="row")
    return judge_file(parquet_file(folder, dict(frame.to_dict())), **flags)


def assert_same_verdicts(found: Verdicts) -> None:
    """Those of the oracle on the games of at least one ply, whatever the rows that they are found in."""
    expected = {number: oracle.judge_game(game) for number, game in enumerate(GAMES) if game}
    assert {int(game): (codes, ply) for game, codes, ply in found.invalid["game", "_reasons", "_ply"].iter_rows()} == {
        number: (verdict.codes, verdict.ply) for number, verdict in expected.items() if verdict.codes
    }
    assert found.summary["records"]["read"] == len(expected)
    assert found.summary["rows"]["read"] == sum(map(len, GAMES))


# Known traps


def reasons_of(text: str, folder: Path, judge_file: Judge, **flags: Any) -> dict[int, tuple[list[str], int | None]]:
    """The reasons and the first bad ply of each invalid game of a CSV file, by its row."""
    path = folder / "trap.csv"
    path.write_text(text)
    rows = judge_file(path, **flags).invalid.select("_row", "_reasons", "_ply").iter_rows()
    return {row: (reasons, ply) for row, reasons, ply in rows}


def labelled(game: Sequence[int], *labels: str) -> str:
    """A CSV file of one game with each of the labels."""
    return "\n".join(["moves,winner", *(f'"{list(game)}",{label}' for label in labels), ""])


def test_a_win_on_the_ninth_ply_is_no_draw(tmp_path: Path, judge_file: Judge) -> None:
    game = [0, 1, 2, 3, 4, 5, 7, 6, 8]
    assert oracle.judge_game(game) == ([], None, "X")
    found = reasons_of(labelled(game, "draw", "X", "O", "unfinished"), tmp_path, judge_file)
    assert found == dict.fromkeys([0, 2, 3], (["OUTCOME_MISMATCH"], None))


@pytest.mark.parametrize(("winner", "game"), [("X", [2, 0, 4, 1, 6]), ("O", [0, 2, 1, 4, 3, 6])])
def test_the_anti_diagonal(winner: str, game: list[int], tmp_path: Path, judge_file: Judge) -> None:
    found = reasons_of(labelled(game, winner, oracle.OTHER[winner], "draw", "unfinished"), tmp_path, judge_file)
    assert found == dict.fromkeys([1, 2, 3], (["OUTCOME_MISMATCH"], None))
    after = reasons_of(labelled([*game, 8], winner), tmp_path, judge_file)
    assert after == {0: (["MOVE_AFTER_END"], len(game) + 1)}


def test_play_after_the_end(tmp_path: Path, judge_file: Judge) -> None:
    """O completed 2, 4, 6 with the sixth ply."""
    found = reasons_of(labelled([0, 2, 5, 4, 3, 6, 7, 8, 1], "O"), tmp_path, judge_file, outcome="winner")
    assert found == {0: (["MOVE_AFTER_END"], 7)}


def test_the_label_that_names_the_player_to_move_next(tmp_path: Path, judge_file: Judge) -> None:
    found = reasons_of('moves,winner\n"[0, 3, 1, 4, 2]",O\n"[0, 3, 1, 4, 8, 5]",X\n', tmp_path, judge_file)
    assert found == dict.fromkeys([0, 1], (["OUTCOME_MISMATCH"], None))


def test_a_draw_on_an_unfinished_board(tmp_path: Path, judge_file: Judge) -> None:
    found = reasons_of(labelled([0, 1, 2, 4, 3, 5, 7, 6], "draw", "X", "unfinished", ""), tmp_path, judge_file)
    assert found == dict.fromkeys([0, 1], (["OUTCOME_UNFINISHED"], None))
    assert reasons_of(labelled([], "draw", "ongoing"), tmp_path, judge_file) == {0: (["OUTCOME_UNFINISHED"], None)}


def test_a_tenth_ply(tmp_path: Path, judge_file: Judge) -> None:
    draw = [0, 1, 2, 4, 3, 5, 7, 6, 8]
    games = [[*draw, 4], [*draw, 9], [*draw, 0, 0, 0], [0, 1, 2, 3, 4, 5, 7, 6, 8, 8], draw]
    text = "\n".join(["moves", *(f'"{game}"' for game in games), ""])
    assert reasons_of(text, tmp_path, judge_file) == {
        0: (["CELL_OCCUPIED", "MOVES_TOO_MANY"], 10),
        1: (["MOVES_TOO_MANY", "MOVE_OUT_OF_BOUNDS"], 10),
        2: (["CELL_OCCUPIED", "MOVES_TOO_MANY"], 10),
        3: (["CELL_OCCUPIED", "MOVES_TOO_MANY", "MOVE_AFTER_END"], 10),
    }


NUMBERS: dict[str, list[str]] = {
    **{text: [] for text in ("0", "-0", "00", "1.0", "007", " 7 ", "\t8", "-0.0", "0" * 50)},
    **{text: ["MOVE_OUT_OF_BOUNDS"] for text in ("9", "-1", "9.0", "-1.0", "9" * 30, "-" + "9" * 5_000)},
    **{text: ["MOVES_UNREADABLE"] for text in ("+3", "1e0", "1.5", "1.00", "1.", ".0", "٣", "0x1", "1_0", "a", "- 1")},
    **{text: ["MOVES_UNREADABLE"] for text in ("null", "None", "true", "nan", "--1", "1 2", "\u00a01", "'1'")},
}


@pytest.mark.parametrize(("number", "reasons"), NUMBERS.items(), ids=range(len(NUMBERS)))
@pytest.mark.parametrize("layout", ["square list", "pair", "pair list", "ply columns", "log", "log of pairs"])
def test_numbers_are_ascii_digits_in_every_layout(
    number: str, reasons: list[str], layout: str, tmp_path: Path, judge_file: Judge
) -> None:
    outside = layout in ("pair", "pair list", "log of pairs") and number.strip() in ("007", "7", "8")
    flags: Flags = {"log": {}, "log of pairs": {}, "ply columns": {"moves": "a,b"}}.get(layout, {"moves": "moves"})
    text = {
        "square list": f'moves\n"[{number}]"\n',
        "pair": f'moves\n"{number},1"\n',
        "pair list": f'moves\n"[[{number}, 1]]"\n',
        "ply columns": f"a,b\n{number},\n",
        "log": f"game,ply,square\ng,1,{number}\n",
        "log of pairs": f"game,ply,row,col\ng,1,{number},1\n",
    }[layout]
    expected = ["MOVE_OUT_OF_BOUNDS"] if outside else reasons
    ply = 1 if expected == ["MOVE_OUT_OF_BOUNDS"] else None
    assert reasons_of(text, tmp_path, judge_file, **flags) == ({0: (expected, ply)} if expected else {})


@pytest.mark.parametrize("text", ["[]", '""', "()", "[ ]", " [] ", "( )"])
def test_a_game_of_no_plies_is_valid(text: str, tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "trap.csv"
    path.write_text(f"n,moves\n1,{text}\n")
    found = judge_file(path)
    assert found.reasons == {}
    assert found.summary["outcomes"]["unfinished"] == 1


def test_null_is_missing_and_an_empty_list_is_not(tmp_path: Path, judge_file: Judge) -> None:
    lists = pl.Series([None, [], [None], [0, None], [0]], dtype=pl.List(pl.Int64))
    expected = {0: ["MOVES_MISSING"], 2: ["MOVES_UNREADABLE"], 3: ["MOVES_UNREADABLE"]}
    assert judge_file(parquet_file(tmp_path, {"moves": lists})).reasons == expected
    texts = pl.Series([None, "", "[]", "[null]", "[0, null]"], dtype=pl.String)
    expected = {0: ["MOVES_MISSING"], 3: ["MOVES_UNREADABLE"], 4: ["MOVES_UNREADABLE"]}
    assert judge_file(parquet_file(tmp_path, {"moves": texts})).reasons == expected
    nothing = pl.Series([None, None], dtype=pl.Null)
    expected = {0: ["MOVES_MISSING"], 1: ["MOVES_MISSING"]}
    assert judge_file(parquet_file(tmp_path, {"moves": nothing}), moves="moves").reasons == expected


@pytest.mark.parametrize("missing", [None, [], [0], [0, None], [None, 0], [0, 1, 2]])
def test_a_pair_that_is_no_pair(missing: list[int | None] | None, tmp_path: Path, judge_file: Judge) -> None:
    moves = pl.Series([[[0, 0], missing]], dtype=INT_PAIRS)
    path = parquet_file(tmp_path, {"moves": moves})
    assert judge_file(path, moves="moves").reasons == {0: ["MOVES_UNREADABLE"]}


OTHER_PAIRS = [
    "0,0;",
    ";0,0",
    "0,0;;1,1",
    "0,0;1",
    "0",
    "4",
    "0;1",
    "0,0,0",
    ",",
    ";",
    "0,0 1,1",
    "0,0|1,1",
    "0,0;1,1;2",
]
OTHER_SQUARES = [
    "[0",
    "0]",
    "[0,]x",
    "[0;1]",
    "[,]",
    "[0,,1]",
    "[0 1]",
    "{0,1}",
    "[0,1)",
    "(0,1]",
    "[)",
    "[0]]",
    "[[0]",
]
OTHER_LISTS = ["[[0,0]", "[0,0]]", "[[0,0],1]", "[1,[0,0]]", "[[0]]", "[[]]", "[[0,0,0]]", "[[[0,0]]]", "[[0,0] [1,1]]"]
OTHER_BRACKETS = ["[(0,0];", "[[0,0)]", "[(0,0],[1,1)]", "[[0,0],[1,1])", "([0,0],[1,1]]"]


@pytest.mark.parametrize(
    "text", [*OTHER_PAIRS, *OTHER_SQUARES, *OTHER_LISTS, *OTHER_BRACKETS, "x", " ", "None", "null", "true", '""']
)
def test_text_in_another_notation(text: str, tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "trap.csv"
    doubled = text.replace('"', '""')
    path.write_text(f'n,moves\n1,"{doubled}"\n')
    assert judge_file(path, moves="moves").reasons == {0: ["MOVES_UNREADABLE"]}


@pytest.mark.parametrize("indent", [None, 0, 2, "\t"])
def test_json_over_several_lines_in_parquet(indent: int | str | None, tmp_path: Path, judge_file: Judge) -> None:
    by = Numbering(0, "row")
    texts = [
        json.dumps(written, indent=indent) for game in ([], [0, 4, 8], [0, 0]) for written in (game, by.pairs(game))
    ]
    found = judge_file(parquet_file(tmp_path, {"moves": pl.Series(texts)}))
    assert found.reasons == {4: ["CELL_OCCUPIED"], 5: ["CELL_OCCUPIED"]}


@pytest.mark.parametrize(
    "text", ["[0,1,]", "(0,1,)", "(0,)", "[[0,0],]", "((0,0),(0,1))", "([0,0],(0,1))", "(( 0,0 ) ,)"]
)
def test_what_python_reads_as_moves(text: str, tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "trap.csv"
    path.write_text(f'n,moves\n1,"{text}"\n')
    assert judge_file(path).reasons == {}


def test_a_gap_among_ply_columns(tmp_path: Path, judge_file: Judge) -> None:
    text = "p1,p2,p3\n0,1,2\n0,,2\n,1,\n,,2\n0,1,\n,,\n0,x,\n0,,x\n"
    unreadable = (["MOVES_UNREADABLE"], None)
    assert reasons_of(text, tmp_path, judge_file, moves="p1,p2,p3") == dict.fromkeys([1, 2, 3, 6, 7], unreadable)
    columns = {"p1": [0, 0, None], "p2": [1, None, None], "p3": [2, 2, None]}
    path = parquet_file(tmp_path, {name: pl.Series(column, dtype=pl.Int8) for name, column in columns.items()})
    assert judge_file(path, moves="p1,p2,p3").reasons == {1: ["MOVES_UNREADABLE"]}


def test_ply_columns_in_the_order_in_which_they_are_named(tmp_path: Path, judge_file: Judge) -> None:
    text = "second,first\n0,9\n9,0\n"
    assert reasons_of(text, tmp_path, judge_file, moves="first,second") == {
        0: (["MOVE_OUT_OF_BOUNDS"], 1),
        1: (["MOVE_OUT_OF_BOUNDS"], 2),
    }


def test_a_board_beside_the_moves_is_the_final_position(tmp_path: Path, judge_file: Judge) -> None:
    boards = ["XXX/OO./...", "xxxoo....", "", "XX.OO....", "OOOXX....", "XXX", "XXX?O....", "........."]
    text = "\n".join(["moves,board", *(f'"[0, 3, 1, 4, 2]",{board}' for board in boards), ""])
    found = reasons_of(text, tmp_path, judge_file)
    assert found == dict.fromkeys(range(3, 8), (["BOARD_MISMATCH"], None))
    assert reasons_of('moves,board\n"[0, 0]",XX.......\n', tmp_path, judge_file) == {0: (["CELL_OCCUPIED"], 2)}


def test_with_o_first_the_board_beside_the_moves_has_o_first(tmp_path: Path, judge_file: Judge) -> None:
    text = 'moves,board\n"[0, 3, 1, 4, 2]",OOOXX....\n"[0, 3, 1, 4, 2]",XXXOO....\n'
    assert reasons_of(text, tmp_path, judge_file, first="O") == {1: (["BOARD_MISMATCH"], None)}

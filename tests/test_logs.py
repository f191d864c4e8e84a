"""Logs, one row a ply: any rows in any order against the independent oracle, and what a run says of them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import oracle
from conftest import Command
from pipeline import logs
from pipeline.config import LayoutOptions
from pipeline.ingest.text import TextSource
from pipeline.partitions import Partitions
from pipeline.run import RunOptions, run

Cell = str | int | None
Table = list[dict[str, Cell]]
"""Rows of a log by the names of their columns."""

NUMBERS = dict.fromkeys(("ply", "square", "r", "c"), pl.Int64())
NOT_NUMBERS = ("", " ", "two", "+1", "1.5", "1e0", "(1)", "0,1,2")


# Any log


class Log(NamedTuple):
    """The rows of a log in the order of the files, how many are in each file, and how they are to be read."""

    rows: Table
    heights: list[int]
    layout: oracle.Layout


def number_of(square: int, base: int, order: str) -> int:
    """How a file writes a square; one outside the board stays outside."""
    if not 0 <= square <= 8:
        return square if square < 0 else square + base
    return base + (square if order == "row" else 3 * (square % 3) + square // 3)


def written_number(random: Random, number: int, *, native: bool) -> Cell:
    """A number as a file may write it."""
    if native:
        return number
    return random.choice([str(number), str(number), f" {number}", f"{number}.0", f"{number}\t"])


def written_square(random: Random, square: int, layout: oracle.Layout, *, native: bool) -> Cell:
    """A move as a file may write it: a number, or a pair."""
    if not native and random.randrange(4) == 0:
        row, column = (place + layout.base for place in divmod(square, 3))
        return random.choice([f"({row}, {column})", f"[{row},{column}]", f"{row},{column}"])
    return written_number(random, number_of(square, layout.base, layout.order), native=native)


def written_move(
    random: Random, square: int, layout: oracle.Layout, *, in_pairs: bool, native: bool
) -> dict[str, Cell]:
    """A move in its columns: that of squares, or those of rows and columns."""
    if not in_pairs:
        return {"square": written_square(random, square, layout, native=native)}
    places = zip("rc", divmod(square, 3), strict=True)
    return {name: written_number(random, place + layout.base, native=native) for name, place in places}


def random_game(random: Random, name: str, start: int, layout: oracle.Layout, *, in_pairs: bool, native: bool) -> Table:
    """The rows of a game: legal for the most part, each of its columns with a fault here and there."""
    squares = random.sample(range(9), random.randint(1, 9))
    squares += random.choice([[]] * 6 + [[0], [-1, 4, 9]])
    if random.randrange(2):
        squares[random.randrange(len(squares))] = random.choice([-1, 9, *range(9)])
    positions = oracle.replay(squares, None, "O" if layout.first == "O" else "X").positions
    outcome = oracle.judge_game(squares, first=layout.first).outcome
    turns = "OX" if layout.first == "O" else "XO"
    rows: Table = [
        {
            "game": name,
            "ply": written_number(random, start + ply, native=native),
            **written_move(random, square, layout, in_pairs=in_pairs, native=native),
            "player": turns[ply % 2],
            "winner": random.choice([outcome, ""]),
            "board": random.choice([positions[ply], positions[ply], ""]),
        }
        for ply, square in enumerate(squares)
    ]
    for column in random.choices(["gap", *rows[0]], k=random.choice([0, 0, 1, 2, 3])):
        at = random.randrange(len(rows))
        if column == "gap":
            del rows[at : at + (len(rows) > 1)]
        else:
            rows[at][column] = random.choice(faults(column, start, native=native))
    return rows


def faults(column: str, start: int, *, native: bool) -> Sequence[Cell]:
    """What may be wrong in a column, or may be right in that place by chance."""
    near = [-1, *range(start, start + 4)]
    values: dict[str, Sequence[Cell]] = {
        "game": ["", None, "g0", "g1"],
        "ply": [None, *near] if native else [*NOT_NUMBERS, *map(str, near)],
        "square": [None, start] if native else NOT_NUMBERS,
        "r": [None, -1, 4] if native else [*NOT_NUMBERS, "-1", "4"],
        "c": [None, -1, 4] if native else [*NOT_NUMBERS, "-1", "4"],
        "player": ["X", "o", "", None, "Z"],
        "winner": ["X", "O", "draw", "unfinished", "abandoned", None],
        "board": [".........", "X........", "XX", "?", None],
    }
    return values[column]


def random_log(random: Random, most_games: int, *, native: bool) -> Log:
    """Some games with the rows as they were played, game after game or shuffled, in one file or several."""
    firsts: list[oracle.First] = ["X", "O", "any"]
    orders: list[oracle.Order] = ["row", "column"]
    layout = oracle.Layout(first=random.choice(firsts), base=random.randrange(2), order=random.choice(orders))
    starts = random.choice([(0, 0, 0), (1, 1, 1), (1, 1, 1), (1, 0, 1), (2, 1, 1)])
    in_pairs = random.randrange(2) == 1
    rows: Table = []
    for number in range(random.randint(1, most_games)):
        start = starts[number % len(starts)]
        rows += random_game(random, f"g{number}", start, layout, in_pairs=in_pairs, native=native)
    if random.randrange(2):
        random.shuffle(rows)
    absent = random.sample(["ply", "player", "winner", "board"], random.choice([0, 0, 1, 2, 4]))
    rows = [{name: cell for name, cell in row.items() if name not in absent} for row in rows]
    cuts = sorted(random.randint(0, len(rows)) for _ in range(random.randrange(3)))
    heights = [end - start for start, end in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
    return Log(rows, heights, layout)


def write_csv(path: Path, rows: Table, names: Sequence[str]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_parquet(path: Path, rows: Table, names: Sequence[str]) -> None:
    schema = pl.Schema({name: NUMBERS.get(name, pl.String()) for name in names})
    pl.DataFrame(rows, schema=schema).write_parquet(path)


def as_oracle_rows(rows: Table) -> list[oracle.Row]:
    """The rows in the words of the oracle, numbered through all files."""
    words = {"winner": "label"}
    renamed = [{words.get(name, name): cell for name, cell in row.items()} for row in rows]
    return [cast("oracle.Row", {**row, "row": number}) for number, row in enumerate(renamed)]


def assert_judged_as_by_the_oracle(log: Log, suffix: str, folder: Path) -> None:
    """Every record, its place and its source columns, and all that the summary counts."""
    names = list(log.rows[0])
    places: list[tuple[str, int]] = []
    paths = []
    for number, height in enumerate(log.heights):
        path = folder / f"{number}{suffix}"
        rows = log.rows[len(places) : len(places) + height]
        (write_csv if suffix == ".csv" else write_parquet)(path, rows, names)
        places += [(str(path), row) for row in range(height)]
        paths.append(str(path))
    columns: dict[str, Any] = {name: name for name in ("ply", "player") if name in names}
    options = LayoutOptions.from_flags(
        game="game",
        at="square" if "square" in names else "r,c",
        outcome="winner" if "winner" in names else None,
        cells=["empty=."],
        first=log.layout.first,
        base=log.layout.base,
        order=log.layout.order,
        **columns,
    )
    result = run(paths, RunOptions(out=folder / "report", layout=options))
    numbered = as_oracle_rows(log.rows)
    expected = oracle.judge_log(numbered, log.layout)
    bad = [record for record in expected if record.codes]

    invalid = pl.read_parquet(result.invalid_rows)
    found = list(invalid.select("_file", "_row", "_reasons", "_ply").iter_rows())
    assert found == [(*places[record.row], record.codes, record.ply) for record in bad]
    assert invalid.select(names).rows() == [
        tuple("" if cell is None and suffix == ".csv" else cell for cell in log.rows[record.row].values())
        for record in bad
    ]
    line = [places[record.row][1] + 2 if suffix == ".csv" else None for record in bad]
    assert invalid["_line"].to_list() == line

    summary = result.summary.as_dict()
    assert summary["records"] == {"read": len(expected), "valid": len(expected) - len(bad), "invalid": len(bad)}
    assert summary["rows"] == {"read": len(numbered)}
    outcomes = [record.outcome for record in expected if not record.codes]
    assert summary["outcomes"] == {name: outcomes.count(name) for name in ("X", "O", "draw", "unfinished")}
    for code, count in summary["reasons"].items():
        having = [record for record in bad if code in record.codes]
        assert count["records"] == len(having)
        assert (count["first"]["file"], count["first"]["row"]) == places[having[0].row]
    assert summary["reasons"].keys() == {code for record in bad for code in record.codes}
    first_rows: dict[str, int] = {}
    for row in numbered:
        first_rows.setdefault(row.get("game") or "", row["row"])
    starts = [places[record.row if record.game is None else first_rows[record.game]][0] for record in expected]
    assert [counted["records"]["read"] for counted in summary["inputs"]] == [starts.count(path) for path in paths]
    assert result.exit_code == (1 if bad else 0)


FORMATS = pytest.mark.parametrize(("suffix", "native"), [(".csv", False), (".parquet", True)])


@FORMATS
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_any_log_is_judged_as_by_the_oracle(suffix: str, native: bool, random: Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert_judged_as_by_the_oracle(random_log(random, 3, native=native), suffix, Path(folder))


@FORMATS
@pytest.mark.parametrize("seed", range(8))
def test_logs_of_many_games_are_judged_as_by_the_oracle(suffix: str, native: bool, seed: int, tmp_path: Path) -> None:
    assert_judged_as_by_the_oracle(random_log(Random(seed), 1_500, native=native), suffix, tmp_path)


# Where plies are counted from, and in what order they come


def verdict_of(tmp_path: Path, content: str, **flags: Any) -> list[tuple[int, list[str], int | None]]:
    """The row, the reasons and the first bad ply of each invalid record of a log in CSV."""
    path = tmp_path / "log.csv"
    path.write_text(content)
    result = run([str(path)], RunOptions(out=tmp_path / "report", layout=LayoutOptions.from_flags(**flags)))
    return list(pl.read_parquet(result.invalid_rows).select("_row", "_reasons", "_ply").iter_rows())


def test_a_zero_in_any_game_makes_all_plies_count_from_zero(tmp_path: Path) -> None:
    assert verdict_of(tmp_path, "game,ply,square\na,1,0\na,2,1\n") == []
    assert verdict_of(tmp_path, "game,ply,square\na,0,0\na,1,1\n") == []
    assert verdict_of(tmp_path, "game,ply,square\na,1,0\na,2,1\nb,0,0\n") == [(1, ["PLY_GAP"], None)]


def test_a_zero_in_a_row_without_a_game_counts_for_nothing(tmp_path: Path) -> None:
    assert verdict_of(tmp_path, "game,ply,square\na,1,0\n,0,0\n") == [(1, ["GAME_MISSING"], None)]


def test_the_number_of_a_bad_ply_is_counted_from_one(tmp_path: Path) -> None:
    content = "game,ply,square\na,2,0\na,0,0\na,1,4\n"
    assert verdict_of(tmp_path, content) == [(0, ["CELL_OCCUPIED"], 3)]


def test_the_row_of_a_game_without_a_bad_ply_is_its_highest(tmp_path: Path) -> None:
    content = "game,ply,square\na,3,0\nb,1,0\na,1,4\nb,2,4\n"
    assert verdict_of(tmp_path, content) == [(2, ["PLY_GAP"], None)]


def test_the_row_of_a_tenth_ply(tmp_path: Path) -> None:
    squares = [0, 1, 2, 4, 3, 5, 7, 6, 8, 8, 8]
    rows = "".join(f"a,{ply},{square}\n" for ply, square in reversed([*enumerate(squares, start=1)]))
    assert verdict_of(tmp_path, f"game,ply,square\n{rows}") == [(1, ["CELL_OCCUPIED", "MOVES_TOO_MANY"], 10)]


@pytest.mark.parametrize(
    ("plies", "reasons"),
    [
        (["1", "2", "2"], ["PLY_REPEATED"]),
        (["1", "3"], ["PLY_GAP"]),
        (["2", "3"], ["PLY_GAP"]),
        (["1", "1", "3"], ["PLY_GAP", "PLY_REPEATED"]),
        (["1", "9" * 30], ["PLY_GAP"]),
        (["1700000000001", "1700000000002"], ["PLY_GAP"]),
        (["-1", "1"], ["PLY_GAP"]),
        (["", "1"], ["PLY_UNREADABLE"]),
        (["1", "1.5"], ["PLY_UNREADABLE"]),
        (["1", "+2"], ["PLY_UNREADABLE"]),
        (["1", "2e0"], ["PLY_UNREADABLE"]),
        (["-0", "001", " 2.0 "], []),
    ],
)
def test_numbers_of_plies(plies: list[str], reasons: list[str], tmp_path: Path) -> None:
    rows = "".join(f"a,{ply},{square}\n" for square, ply in enumerate(plies))
    expected = [(len(plies) - 1, reasons, None)] if reasons else []
    assert verdict_of(tmp_path, f"game,ply,square\n{rows}") == expected


def test_numbers_of_plies_as_numbers_of_parquet(tmp_path: Path) -> None:
    second = {"whole": 2.0, "half": 1.5, "null": None, "nan": float("nan"), "far": 1e300}
    rows = [(name, ply, square) for name in second for square, ply in enumerate([1.0, second[name]])]
    schema = pl.Schema({"game": pl.String(), "ply": pl.Float64(), "square": pl.UInt8()})
    pl.DataFrame(rows, schema, orient="row").write_parquet(tmp_path / "log.parquet")
    result = run([str(tmp_path / "log.parquet")], RunOptions(out=tmp_path / "report"))
    invalid = pl.read_parquet(result.invalid_rows)
    assert dict(invalid.select("game", pl.col("_reasons").list.join(";")).iter_rows()) == {
        "half": "PLY_UNREADABLE",
        "null": "PLY_UNREADABLE",
        "nan": "PLY_UNREADABLE",
        "far": "PLY_GAP",
    }


def test_a_game_of_very_many_plies_in_order_of_its_rows(tmp_path: Path) -> None:
    rows = "".join(f"a,{square % 9}\n" for square in range(70_000))
    expected = [(7, ["CELL_OCCUPIED", "MOVES_TOO_MANY", "MOVE_AFTER_END"], 8)]
    assert oracle.judge_game([square % 9 for square in range(20)])[:2] == (expected[0][1], expected[0][2])
    assert verdict_of(tmp_path, f"game,square\n{rows}", game="game", at="square") == expected


# Players, labels and boards beside the plies


def test_play_after_the_end_with_its_players(tmp_path: Path) -> None:
    """O's third move closes a diagonal; X makes the eighth ply too, and O the ninth."""
    plies = ["X0", "O2", "X5", "O4", "X3", "O6", "X7", "X8", "O1"]
    squares, players = [int(ply[1]) for ply in plies], [ply[0] for ply in plies]
    expected = oracle.judge_game(squares, players)
    assert expected[:2] == (["MOVE_AFTER_END", "WRONG_TURN"], 7)
    rows = "".join(f"a,{ply},{squares[ply]},{players[ply]}\n" for ply in range(9))
    assert verdict_of(tmp_path, f"game,ply,square,player\n{rows}") == [(6, expected.codes, 7)]
    rows = "".join(f"a,{ply},{square}\n" for ply, square in enumerate(squares))
    assert verdict_of(tmp_path, f"game,ply,square\n{rows}") == [(6, ["MOVE_AFTER_END"], 7)]


def test_first_any_takes_the_player_of_the_first_ply(tmp_path: Path) -> None:
    content = "game,ply,square,player\na,2,1,X\na,1,0,O\nb,1,0,X\nb,2,1,O\n"
    assert verdict_of(tmp_path, content, first="any") == []
    assert verdict_of(tmp_path, content, first="O") == [(2, ["WRONG_TURN"], 1)]
    assert verdict_of(tmp_path, content) == [(1, ["WRONG_TURN"], 1)]


def test_an_unknown_player_is_no_wrong_turn(tmp_path: Path) -> None:
    content = "game,ply,square,player\na,1,0,X\na,2,1,Z\na,3,2,X\nb,1,0,\n"
    assert verdict_of(tmp_path, content) == [(2, ["PLAYER_UNKNOWN"], None), (3, ["PLAYER_UNKNOWN"], None)]


WON = [("X", 0), ("O", 3), ("X", 1), ("O", 4), ("X", 2)]


@pytest.mark.parametrize(
    ("labels", "reasons"),
    [
        (["", "", "", "", "X"], []),
        (["X"] * 5, []),
        (["x", "", "positive", "", " A "], []),
        (["O", "", "", "", "X"], ["OUTCOME_MISMATCH"]),
        (["unfinished", "", "", "", "X"], ["OUTCOME_MISMATCH"]),
        (["", "", "", "", "O"], ["OUTCOME_MISMATCH"]),
        (["", "", "who?", "", "O"], ["OUTCOME_UNKNOWN"]),
        (["negative", "", "", "", "positive"], ["OUTCOME_MISMATCH"]),
    ],
)
def test_every_label_that_is_there_must_hold(labels: list[str], reasons: list[str], tmp_path: Path) -> None:
    rows = "".join(f"a,{ply},{square},{labels[ply]}\n" for ply, (_, square) in enumerate(WON))
    expected = [(4, reasons, None)] if reasons else []
    assert verdict_of(tmp_path, f"game,ply,square,winner\n{rows}", outcome="winner") == expected


def test_boards_are_the_positions_after_each_ply(tmp_path: Path) -> None:
    boards = ["X........", "X..O.....", "", "xx.oo....", "XXX/OO./..."]
    rows = "".join(f"a,{ply},{square},{boards[ply]}\n" for ply, (_, square) in enumerate(WON))
    assert verdict_of(tmp_path, f"game,ply,square,board\n{rows}") == []
    late = rows.replace("X........", ".........")
    assert verdict_of(tmp_path, f"game,ply,square,board\n{late}") == [(4, ["BOARD_MISMATCH"], None)]
    unreadable = rows.replace("X..O.....", "X..Q.....")
    assert verdict_of(tmp_path, f"game,ply,square,board\n{unreadable}") == [(4, ["BOARD_MISMATCH"], None)]


# The report of a log


def give_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


ODD = (
    b"note,game,ply,square\r\n"
    b"one,a,1,0\r\n"
    b"\r\n"
    b'"two ""2""",b,1,4' + b"\r\n"
    b"three,a,2,0\r\n"
    b"four,b,2,8\r\n"
    b"five,c,1,9\r\n"
    b",,1,2\r\n"
    b"seven,b,3,1\n"
)
"""A log of CRLF and of LF, with a blank line and with quotes: only game b is valid."""


def test_what_is_said_of_a_log(tmp_path: Path, command: Command) -> None:
    (tmp_path / "log.csv").write_bytes(ODD)
    done = command("run", "log.csv", "--out", "report", "--json")
    assert done.exit_code == 1
    assert done.json["unit"] == "game"
    assert done.json["records"] == {"read": 4, "valid": 1, "invalid": 3}
    assert done.json["rows"] == {"read": 7}
    assert done.json["outcomes"] == {"X": 0, "O": 0, "draw": 0, "unfinished": 1}
    assert done.json["inputs"][0]["lines"] == {"read": 9, "header": 1, "blank": 1, "records": 7}
    assert done.json["reasons"] == {
        "CELL_OCCUPIED": {"records": 1, "first": {"file": "log.csv", "row": 2, "line": 5}},
        "GAME_MISSING": {"records": 1, "first": {"file": "log.csv", "row": 5, "line": 8}},
        "MOVE_OUT_OF_BOUNDS": {"records": 1, "first": {"file": "log.csv", "row": 4, "line": 7}},
    }
    assert json.loads((tmp_path / "report" / "summary.json").read_text()) == done.json
    assert pl.read_parquet(tmp_path / "report" / "invalid.parquet").to_dicts() == [
        reported(2, 5, ["CELL_OCCUPIED"], 2, note="three", game="a", ply="2", square="0"),
        reported(4, 7, ["MOVE_OUT_OF_BOUNDS"], 1, note="five", game="c", ply="1", square="9"),
        reported(5, 8, ["GAME_MISSING"], None, note="", game="", ply="1", square="2"),
    ]


def reported(row: int, line: int | None, reasons: list[str], ply: int | None, /, **source: Any) -> dict[str, Any]:
    """A row of the report on ``log.csv``."""
    raw = source.pop("raw", None)
    return {"_file": "log.csv", "_row": row, "_line": line, "_reasons": reasons, "_ply": ply, "_raw": raw, **source}


def test_valid_rows_of_a_log_byte_for_byte(tmp_path: Path, command: Command) -> None:
    (tmp_path / "log.csv").write_bytes(ODD)
    assert command("run", "log.csv", "--valid", "valid.csv").exit_code == 1
    expected = b'note,game,ply,square\r\n"two ""2""",b,1,4\r\nfour,b,2,8\r\nseven,b,3,1\n'
    assert (tmp_path / "valid.csv").read_bytes() == expected


def test_a_log_from_standard_input(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "log.csv").write_bytes(ODD)
    command("run", "log.csv", "--out", "file", "--valid", "file.csv")
    give_stdin(monkeypatch, ODD)
    done = command("run", "-", "--out", "stdin", "--valid", "stdin.csv", "--json")
    assert done.exit_code == 1
    assert done.json["inputs"][0]["bytes"] == len(ODD)
    assert (tmp_path / "stdin.csv").read_bytes() == (tmp_path / "file.csv").read_bytes()
    file, stdin = (pl.read_parquet(tmp_path / name / "invalid.parquet") for name in ("file", "stdin"))
    assert_frame_equal(stdin.drop("_file"), file.drop("_file"))
    assert stdin["_file"].unique().to_list() == ["-"]
    assert sorted(path.name for path in (tmp_path / "stdin").iterdir()) == ["invalid.parquet", "summary.json"]


def test_valid_rows_of_a_log_in_parquet_keep_types_and_order(tmp_path: Path, command: Command) -> None:
    schema = pl.Schema({"game": pl.UInt64(), "ply": pl.UInt8(), "square": pl.Int8(), "at": pl.Datetime("us")})
    rows = [(2**63, 2, 1, None), (7, 1, 9, None), (2**63, 1, 0, None), (8, 1, 4, None), (7, 2, 1, None)]
    log = pl.DataFrame(rows, schema, orient="row")
    log.write_parquet(tmp_path / "log.parquet")
    assert command("run", "log.parquet", "--valid", "valid.parquet", "--out", "report").exit_code == 1
    assert_frame_equal(pl.read_parquet(tmp_path / "valid.parquet"), log[[0, 2, 3]])
    invalid = pl.read_parquet(tmp_path / "report" / "invalid.parquet")
    assert invalid.select("_row", "_line", "_ply").rows() == [(1, None, 1)]
    assert_frame_equal(invalid.select(log.columns), log[[1]])


def test_valid_rows_of_several_logs_come_in_the_order_of_the_files(tmp_path: Path, command: Command) -> None:
    (tmp_path / "one.csv").write_text("game,ply,square,n\na,2,1,0\nb,1,0,1\nc,1,9,2\n")
    (tmp_path / "two.csv").write_text("n,game,ply,square\n3,b,2,0\n4,a,1,0\n5,d,1,8\n")
    assert command("run", "one.csv", "two.csv", "--valid", "valid.parquet", "--out", "report").exit_code == 1
    assert pl.read_parquet(tmp_path / "valid.parquet")["n"].to_list() == ["0", "4", "5"]
    invalid = pl.read_parquet(tmp_path / "report" / "invalid.parquet")
    assert invalid.select("_file", "_row", "_reasons", "_ply", "n").rows() == [
        ("one.csv", 2, ["MOVE_OUT_OF_BOUNDS"], 1, "2"),
        ("two.csv", 0, ["CELL_OCCUPIED"], 2, "3"),
    ]
    summary = json.loads((tmp_path / "report" / "summary.json").read_text())
    assert [counted["records"] for counted in summary["inputs"]] == [
        {"read": 3, "valid": 1, "invalid": 2},
        {"read": 1, "valid": 1, "invalid": 0},
    ]


def test_lines_that_could_not_be_read_are_records_of_their_own(tmp_path: Path, command: Command) -> None:
    content = (
        b"game,ply,square\n"
        b"a,1,0\na,2,1,extra\na,3,2\n"  # leaves a gap
        b"b,1\n"
        b'b,1,0\nb,"2,4\n'  # the last ply is lost, which cannot show
        b"c\xff,1,0\nc,1,0\n"
        b'"d\nd",1,0\n'
    )
    (tmp_path / "log.csv").write_bytes(content)
    done = command("run", "log.csv", "--out", "report", "--valid", "valid.csv", "--json")
    assert done.exit_code == 1
    assert pl.read_parquet(tmp_path / "report" / "invalid.parquet").to_dicts() == [
        reported(1, 3, ["FIELDS_EXTRA"], None, raw="a,2,1,extra", game=None, ply=None, square=None),
        reported(2, 4, ["PLY_GAP"], None, game="a", ply="3", square="2"),
        reported(3, 5, ["FIELDS_MISSING"], None, raw="b,1", game=None, ply=None, square=None),
        reported(5, 7, ["QUOTE_BROKEN"], None, raw='b,"2,4', game=None, ply=None, square=None),
        reported(6, 8, ["NOT_UTF8"], None, raw="c\\xff,1,0", game=None, ply=None, square=None),
        reported(8, 10, ["LINE_BREAK_IN_FIELD"], None, game="d\nd", ply="1", square="0"),
    ]
    assert done.json["records"] == {"read": 8, "valid": 2, "invalid": 6}
    assert done.json["rows"] == {"read": 9}
    assert (tmp_path / "valid.csv").read_bytes() == b"game,ply,square\nb,1,0\nc,1,0\n"


def test_rows_without_a_game_say_what_else_is_wrong_with_them(tmp_path: Path) -> None:
    content = "game,ply,square,player,winner\n,1,0,X,X\n,x,x,Z,\n,1,0,X,who\n"
    assert verdict_of(tmp_path, content, outcome="winner") == [
        (0, ["GAME_MISSING"], None),
        (1, ["GAME_MISSING", "PLAYER_UNKNOWN"], None),
        (2, ["GAME_MISSING", "OUTCOME_UNKNOWN"], None),
    ]


def test_one_damaged_file_among_logs(tmp_path: Path, command: Command) -> None:
    """What was read of it counts, the others are judged whole, and the run fails as one that is not complete."""
    random = Random(3)
    rows = "".join(f"long{game},1,{random.randrange(9)},{random.random()}\n" for game in range(100_000))
    whole = gzip.compress(f"game,ply,square,noise\n{rows}".encode())
    (tmp_path / "damaged.csv.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "good.csv").write_text("game,ply,square,noise\ng,1,0,\ng,2,0,\n")
    done = command("run", "damaged.csv.gz", "good.csv", "--out", "report", "--json")
    assert done.exit_code == 3
    assert "damaged.csv.gz" in done.err
    assert done.json["complete"] is False
    damaged, good = done.json["inputs"]
    assert "error" in damaged
    assert "error" not in good
    assert 1_000 < damaged["records"]["read"] < 100_000
    assert damaged["records"]["invalid"] == 0
    assert damaged["lines"]["records"] == damaged["records"]["read"]
    assert good["records"] == {"read": 1, "valid": 0, "invalid": 1}
    assert done.json["rows"]["read"] == damaged["records"]["read"] + 2
    invalid = pl.read_parquet(tmp_path / "report" / "invalid.parquet")
    assert invalid.select("_file", "_row").rows() == [("good.csv", 1)]


@pytest.mark.parametrize("other", ["board\nX........\n", 'moves\n"0,0"\n'], ids=["boards", "games"])
def test_a_file_of_another_kind_among_logs(other: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / "a.csv").write_text("game,ply,square\ng,1,0\n")
    (tmp_path / "b.csv").write_text(other)
    (tmp_path / "c.csv").write_text("game,ply,square\ng,2,1\n")
    done = command("run", "a.csv", "b.csv", "c.csv", "--json")
    assert done.exit_code == 3
    assert "b.csv" in done.err
    assert done.json["records"] == {"read": 1, "valid": 1, "invalid": 0}
    assert [counted["file"] for counted in done.json["inputs"] if "error" in counted] == ["b.csv"]


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
def test_a_log_of_no_rows(name: str, tmp_path: Path, command: Command) -> None:
    if name == "log.csv":
        (tmp_path / name).write_text("game,ply,square,player\n")
    else:
        schema = pl.Schema({"game": pl.Int64(), "ply": pl.Int64(), "square": pl.Int64(), "player": pl.String()})
        pl.DataFrame(schema=schema).write_parquet(tmp_path / name)
    done = command("run", name, "--json", "--valid", "valid.parquet")
    assert done.exit_code == 0
    assert done.json["records"] == {"read": 0, "valid": 0, "invalid": 0}
    assert pl.read_parquet(tmp_path / "valid.parquet").height == 0


def test_games_of_different_types_and_names_alike(tmp_path: Path) -> None:
    """A game is the text of its name, as it stands: blanks and zeros make another game."""
    content = "game,ply,square\n1,1,0\n01,1,0\n 1,1,0\n1 ,1,0\n1.0,1,0\nA,1,0\na,1,0\n"
    assert verdict_of(tmp_path, content) == []


@pytest.mark.parametrize(("row", "column"), [("", "9"), ("9", ""), ("", ""), ("1", ""), ("x", "-1"), ("1.5", "9")])
def test_half_a_pair_is_no_move_whatever_the_other_half(row: str, column: str, tmp_path: Path) -> None:
    content = f"game,ply,row,col\na,1,{row},{column}\n"
    assert verdict_of(tmp_path, content) == [(0, ["MOVES_UNREADABLE"], None)]


NAMES = ("^game$", "^ply$", "^.*$", "*", "^board$", "winner")


def test_names_of_columns_are_no_patterns(tmp_path: Path, command: Command) -> None:
    columns = {name: [number] for number, name in enumerate(NAMES)}
    named = {**columns, "^board$": ["X........"], "winner": ["unfinished"], "^.*$": [0], "^ply$": [1], "*": ["X"]}
    pl.DataFrame({**named, "game": [None], "ply": [None]}).write_parquet(tmp_path / "log.parquet")
    flags = zip(("--game", "--ply", "--at", "--player", "--board", "--outcome"), NAMES, strict=True)
    done = command("run", "log.parquet", *(argument for flag in flags for argument in flag), "--json")
    assert (done.exit_code, done.err) == (0, "")
    assert done.json["records"] == {"read": 1, "valid": 1, "invalid": 0}


# Rows in memory or on disk


@pytest.mark.parametrize("rows_in_memory", [0, 1, 100, 1_000_000])
def test_verdicts_do_not_depend_on_how_many_rows_are_held(
    rows_in_memory: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Small(Partitions):
        def __init__(self, folder: Path, key: str, schema: pl.Schema) -> None:
            super().__init__(folder, key, schema, rows_in_memory=rows_in_memory)

    monkeypatch.setattr(logs, "Partitions", Small)
    for seed in range(2):
        (tmp_path / str(seed)).mkdir()
        assert_judged_as_by_the_oracle(random_log(Random(seed), 300, native=False), ".csv", tmp_path / str(seed))


# Games whose rows follow each other


class Judged(NamedTuple):
    """What a run on a log says, but for its time."""

    exit_code: int
    summary: dict[str, Any]
    invalid: pl.DataFrame
    valid: str


def judged(path: Path, folder: Path, batch_rows: int) -> Judged:
    options = RunOptions(out=folder / "report", valid=folder / "valid.csv", batch_rows=batch_rows)
    result = run([str(path)], options)
    summary = {name: value for name, value in result.summary.as_dict().items() if name not in UNSTABLE}
    return Judged(result.exit_code, summary, pl.read_parquet(result.invalid_rows), (folder / "valid.csv").read_text())


UNSTABLE = ("seconds", "peak_memory_bytes")

SCATTERED_LATE = "".join(f"g{game},{ply},{ply - 1}\n" for game in range(8) for ply in (1, 2)) + "g0,3,5\ng1,3,1\n"
ZERO_LATE = "".join(f"g{game},1,4\n" for game in range(9)) + "h,0,0\nh,1,1\n"
STRAYS_BETWEEN = "a,1,0\n,1,1\na,2,3\nx\na,3,1\nb,1,0\nb,2,0\n,2,2\n"
BACKWARDS = "".join(f"g{game},{ply},{ply}\n" for game in range(5) for ply in (3, 2, 1))
ONE_GAME = "".join(f"g,{ply},{ply - 1}\n" for ply in range(1, 8))


@pytest.mark.parametrize("content", [SCATTERED_LATE, ZERO_LATE, STRAYS_BETWEEN, BACKWARDS, ONE_GAME])
def test_verdicts_do_not_depend_on_where_batches_end(content: str, tmp_path: Path) -> None:
    table = pl.read_csv(f"game,ply,square\n{content}".encode(), truncate_ragged_lines=True)
    table.write_parquet(tmp_path / "log.parquet", row_group_size=2)
    whole = judged(tmp_path / "log.parquet", tmp_path, 1_000)
    for batch_rows in (1, 2, 3, 5):
        found = judged(tmp_path / "log.parquet", tmp_path, batch_rows)
        assert (found.exit_code, found.summary, found.valid) == (whole.exit_code, whole.summary, whole.valid)
        assert_frame_equal(found.invalid, whole.invalid)


@pytest.mark.parametrize("rows_each", [1, 2, 3])
def test_games_in_order_are_judged_as_by_the_oracle(rows_each: int, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("pipeline.ingest.inputs.TextSource", partial(TextSource, block_bytes=32 * rows_each))
    for seed in range(20):
        log = random_log(Random(seed), 12, native=False)
        in_order = log._replace(rows=sorted(log.rows, key=lambda row: str(row.get("game"))))
        (tmp_path / str(seed)).mkdir()
        assert_judged_as_by_the_oracle(in_order, ".csv", tmp_path / str(seed))


def test_a_stream_that_turns_out_scattered_is_judged_whole(process: Command, tmp_path: Path) -> None:
    content = f"game,ply,square\n{SCATTERED_LATE}".encode()
    (tmp_path / "log.csv").write_bytes(content)
    from_file = process("run", "log.csv", "--json", "--batch-rows", "3")
    from_stream = process("run", "-", "--json", "--batch-rows", "3", stdin=content)
    assert from_file.exit_code == from_stream.exit_code == 1
    assert from_file.json["records"] == from_stream.json["records"]
    assert from_file.json["reasons"].keys() == from_stream.json["reasons"].keys()
    assert from_stream.json["inputs"][0]["lines"] == from_file.json["inputs"][0]["lines"]

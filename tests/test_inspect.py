"""``inspect``: what is recognised, as TOML with all else in comments."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import Command, Finished
from pipeline.config import LayoutOptions
from pipeline.inspection import inspect

ODD_NAMES = [
    *('say "board"', "it's", "two\nlines", "CRLF\r\nthere", "back\\slash", "a=b", "[table]", "# comment", "${x}"),
    *("bell\x07", "escape\x1b[31m", "delete\x7f", "next\x85line", "separator\u2028", "\u202eright to left"),
    *("", " ", "\t", "🎲", "größe", "盤面", '"""', "'''", "\ufeffmark", "long" * 1_000),
]


def comments(done: Finished) -> list[str]:
    """What is said in comments, without the mark of one."""
    return [line.removeprefix("#").removeprefix(" ") for line in done.out.splitlines() if line.startswith("#")]


def drawn(done: Finished, title: str, lines: int = 3) -> list[str]:
    """The lines below a title."""
    said = comments(done)
    start = said.index(title) + 1
    return [line.removeprefix("  ") for line in said[start : start + lines]]


def inspected(command: Command, folder: Path, text: str, *options: str) -> tuple[Finished, dict[str, Any]]:
    path = folder / "data.csv"
    path.write_text(text, newline="")
    done = command("inspect", "data.csv", *options)
    assert (done.exit_code, done.err) == (0, "")
    return done, tomllib.loads(done.out)


# What is printed


def test_boards(tmp_path: Path, command: Command) -> None:
    text = "board,winner\nXO.......,draw\nxxxoo....,X\nX?.......,\nOO.......,X\nX........,\n"
    done, layout = inspected(command, tmp_path, text)
    assert layout == {
        "board": ["board"],
        "first": "X",
        "outcome": "winner",
        "header": True,
        "delimiter": ",",
        "cells": {"X": ["X", "x"], "O": ["O", "o"], "empty": ["."]},
    }
    assert comments(done)[0] == "data.csv: csv, 5 rows in 2 columns"
    assert "'winner'  String  'X' '' 'draw'" in comments(done)
    assert "cells     44 of 45 cells are known symbols" in comments(done)
    assert "label     'winner': 3 of 3 labels are known" in comments(done)
    assert "unknown   cells '?'" in comments(done)
    assert drawn(done, "record 0") == ["X O .", ". . .", ". . ."]
    assert drawn(done, "record 1") == ["X X X", "O O .", ". . ."]
    assert drawn(done, "record 2") == ["X ? .", ". . .", ". . ."]
    assert "record 3" not in comments(done)


def test_board_of_another_size(tmp_path: Path, command: Command) -> None:
    done, _ = inspected(command, tmp_path, "board\nXO\nXO.......\n")
    assert drawn(done, "record 0", 1) == ["not nine cells"]
    assert drawn(done, "record 1") == ["X O .", ". . .", ". . ."]


def test_games(tmp_path: Path, command: Command) -> None:
    done, layout = inspected(command, tmp_path, 'moves\n"0,0;1,1;0,1;2,2;0,2"\n"0,0;0,0;3,3"\n""\n')
    assert layout == {
        "moves": ["moves"],
        "base": 0,
        "order": "row",
        "first": "X",
        "outcome": "none",
        "header": True,
        "delimiter": ",",
    }
    assert drawn(done, "record 0") == ["X1 X3 X5", ".  O2 .", ".  .  O4"]
    assert drawn(done, "record 1", 5)[::4] == ["X1 .  .", "X3 at ?,?: not on the board"]
    assert drawn(done, "record 1", 5)[3] == "O2 at 0,0: taken"
    assert drawn(done, "record 2") == [". . ."] * 3


def test_first_player_and_numbering_are_drawn(tmp_path: Path, command: Command) -> None:
    options = ("--first", "O", "--base", "1", "--order", "column")
    done, layout = inspected(command, tmp_path, 'moves\n"[1, 2, 9]"\n"[1, 4, 7, 2, 3]"\n', *options)
    assert (layout["first"], layout["base"], layout["order"]) == ("O", 1, "column")
    assert drawn(done, "record 0") == ["O1 .  .", "X2 .  .", ".  .  O3"]


def test_log(tmp_path: Path, command: Command) -> None:
    rows = ["a,2,4,O", "a,1,0,X", "b,1,9,X", ",1,1,X", "b,2,z,O", "c,1,8,X", "d,1,2,X", "c,2,1,O"]
    done, layout = inspected(command, tmp_path, "\n".join(["game,ply,square,player", *rows, ""]))
    assert layout == {
        "game": "game",
        "ply": "ply",
        "at": ["square"],
        "player": "player",
        "base": 0,
        "order": "row",
        "first": "X",
        "outcome": "none",
        "header": True,
        "delimiter": ",",
        "cells": {"X": ["X", "x"], "O": ["O", "o"]},
    }
    assert drawn(done, "game a") == ["X1 .  .", ".  O2 .", ".  .  ."]
    assert drawn(done, "game b", 5)[3:] == ["X1 at ?,?: not on the board", "O2 at ?: no move"]
    assert drawn(done, "game c") == [".  O2 .", ".  .  .", ".  .  X1"]
    assert "game d" not in comments(done)


def test_what_is_not_taken_is_said(tmp_path: Path, command: Command) -> None:
    text = "board,claim,winner\nXO.......,ongoing,who\nXOXOXOX..,X,what\n"
    done, layout = inspected(command, tmp_path, text)
    assert layout["outcome"] == "none"
    said = "\n".join(comments(done))
    assert "'winner' is none: its values 'who', 'what' are not known" in said
    assert "'claim' holds labels, but is not called so: with --outcome claim they are compared" in said
    _, named = inspected(command, tmp_path, text, "--outcome", "claim")
    assert named["outcome"] == "claim"


def test_squares_that_count_from_one(tmp_path: Path, command: Command) -> None:
    text = 'moves\n"[1, 2, 5, 3, 9]"\n"[1, 9, 3, 4, 2]"\n'
    done, _ = inspected(command, tmp_path, text)
    assert any("squares seem to count from 1: --base 1" in line for line in comments(done))
    again, layout = inspected(command, tmp_path, text, "--base", "1")
    assert layout["base"] == 1
    assert not any("--base 1" in line for line in comments(again))


def test_text_without_header(tmp_path: Path, command: Command) -> None:
    done, layout = inspected(command, tmp_path, "XO.......;ongoing\nX........;pending\n")
    assert (layout["header"], layout["delimiter"]) == (False, ";")
    assert (layout["board"], layout["outcome"]) == (["column_1"], "column_2")
    assert "header    the first record is a record: the columns have no names" in comments(done)


def test_parquet_has_neither_header_nor_delimiter(tmp_path: Path, command: Command) -> None:
    pl.DataFrame({"board": ["XO......."], "id": [7]}).write_parquet(tmp_path / "data.parquet")
    done = command("inspect", "data.parquet")
    assert tomllib.loads(done.out).keys() == {"board", "first", "outcome", "cells"}
    assert comments(done)[0] == "data.parquet: parquet, 1 rows in 2 columns"
    assert comments(done)[2:4] == ["'board'  String  'XO.......'", "'id'     Int64  '7'"]


def test_many_columns_and_long_values_are_cut(tmp_path: Path, command: Command) -> None:
    names = ["board", *(f"feature {number}" for number in range(60))]
    values = ["XO.......", *["long" * 100] * 60]
    done, _ = inspected(command, tmp_path, f"{','.join(names)}\n{','.join(values)}\n")
    assert "and 31 more columns" in comments(done)
    assert max(map(len, comments(done))) < 120


def test_options_and_what_there_is_not_are_printed_too(tmp_path: Path, command: Command) -> None:
    text = "game,ply,board,move,end\na,1,1........,4,done\n"
    options = ("--game", "none", "--cells", "X=1", "--outcome", "end", "--outcomes", "done=X,unfinished")
    _, layout = inspected(command, tmp_path, text, *options)
    assert layout["game"] == "none"
    assert layout["cells"]["X"] == ["1"]
    assert layout["outcomes"] == {"done": ["X", "unfinished"]}


def test_folder_stands_for_its_first_file(tmp_path: Path, command: Command) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "b.csv").write_text("moves\n0\n")
    (tmp_path / "data" / "a.csv").write_text("board\nXO.......\n")
    done = command("inspect", "data")
    assert comments(done)[:2] == ["data/a.csv: csv, 1 rows in 1 columns", "the first of 2 files"]
    assert tomllib.loads(done.out)["board"] == ["board"]


# What is refused


def test_refused_file_shows_its_columns(tmp_path: Path, command: Command) -> None:
    (tmp_path / "data.csv").write_text("name,age,note\nada,36,\nbob,7,\n")
    done = command("inspect", "data.csv")
    assert done.exit_code == 3
    assert tomllib.loads(done.out) == {}
    assert comments(done)[0] == "data.csv: csv, 2 rows in 3 columns"
    assert [line for line in comments(done) if line.startswith("'")] == [
        "'name'  String  'ada' 'bob'",
        "'age'   String  '36' '7'",
        "'note'  String  ''",
    ]
    assert done.err.startswith("error: data.csv: no board or moves among its columns ('name', 'age', 'note')")


def test_numbers_are_shown_though_not_guessed(tmp_path: Path, command: Command) -> None:
    (tmp_path / "data.csv").write_text("state\n120000000\n000000000\n")
    done = command("inspect", "data.csv")
    assert (done.exit_code, tomllib.loads(done.out)) == (3, {})
    assert "'state'  String  '120000000' '000000000'" in comments(done)
    assert "--cells X=… --cells O=… --cells empty=…" in done.err


@pytest.mark.parametrize(
    ("content", "exit_code", "message"),
    [
        (None, 3, "no such file or folder"),
        (b"", 3, "is empty"),
        (b"PK\x03\x04", 3, "is a ZIP archive"),
        (b"PAR1 cut off", 3, "Parquet"),
        (b"version https://git-lfs.github.com/spec/v1\n", 3, "is a Git LFS pointer"),
    ],
)
def test_file_that_cannot_be_read(
    content: bytes | None, exit_code: int, message: str, tmp_path: Path, command: Command
) -> None:
    if content is not None:
        (tmp_path / "data.csv").write_bytes(content)
    done = command("inspect", "data.csv")
    assert (done.exit_code, done.out) == (exit_code, "")
    assert done.err.startswith("error: data.csv: ")
    assert message in done.err


def test_column_that_is_not_there_is_wrong_usage(tmp_path: Path, command: Command) -> None:
    (tmp_path / "data.csv").write_text("board\nXO.......\n")
    done = command("inspect", "data.csv", "--board", "bord")
    assert (done.exit_code, tomllib.loads(done.out)) == (2, {})
    assert "'board'  String  'XO.......'" in comments(done)
    assert done.err == "error: data.csv: there is no column 'bord'; the nearest is 'board'\n"


def test_impossible_options_are_wrong_usage(tmp_path: Path, command: Command) -> None:
    (tmp_path / "data.csv").write_text("board\nXO.......\n")
    for options in (["--base", "2"], ["--board", "a,b"], ["--cells", "1"], ["--delimiter", ";;"], ["--nothing"]):
        done = command("inspect", "data.csv", *options)
        assert (done.exit_code, done.out) == (2, "")
        assert done.err.startswith("error: ")


# Odd names


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_of_columns(name: str, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "data.parquet"
    pl.DataFrame({name: ["XO......."], "other": ["draw"]}).write_parquet(path)
    done = command("inspect", "data.parquet")
    assert (done.exit_code, tomllib.loads(done.out)["board"]) == (0, [name])
    assert_printable(done)
    (tmp_path / "layout.toml").write_text(done.out, encoding="utf-8", newline="")
    assert command("run", "data.parquet", "--config", "layout.toml").exit_code == 0


@pytest.mark.parametrize("name", [name for name in ODD_NAMES if name])
def test_odd_labels_and_symbols(name: str, tmp_path: Path) -> None:
    has_line_break = "\n" in name or "\r" in name  # which no symbol may have
    cells = {} if has_line_break else {"X": [f"X{name}"], "O": [f"O{name}"], "empty": [name]}
    options = LayoutOptions(
        outcome=name, outcomes={name: ["draw"]}, cells={mark: [*some] for mark, some in cells.items()}
    )
    pl.DataFrame({"board": ["XO......."], name: [name]}).write_parquet(tmp_path / "data.parquet")
    found = inspect(str(tmp_path / "data.parquet"), options)
    assert found.refusal is None
    layout = tomllib.loads(found.text)
    assert (layout["outcome"], layout["outcomes"]) == (name, {name: ["draw"]})
    assert not cells or layout["cells"] == cells


@pytest.mark.parametrize(
    "name", ['say "hi".csv', "two\nlines.csv", "bell\x07.csv", "\x1b[31mred.csv", "🎲.csv", "#.csv"]
)
def test_odd_names_of_files(name: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / name).write_text("board\nXO.......\n")
    done = command("inspect", tmp_path / name)
    assert (done.exit_code, tomllib.loads(done.out)["board"]) == (0, ["board"])
    assert_printable(done)


def test_odd_values(tmp_path: Path, command: Command) -> None:
    pl.DataFrame({"board": ["XO......."] * len(ODD_NAMES), "note": ODD_NAMES}).write_parquet(tmp_path / "data.parquet")
    done = command("inspect", "data.parquet")
    assert (done.exit_code, tomllib.loads(done.out)["board"]) == (0, ["board"])
    assert_printable(done)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.text(st.characters(exclude_characters="\0"), max_size=6), st.text(max_size=8), min_size=1, max_size=4
    )
)
def test_whatever_is_in_a_file_the_text_is_toml(tmp_path: Path, row: dict[str, str]) -> None:
    path = tmp_path / "data.parquet"
    pl.DataFrame({name: [value] for name, value in row.items()}).write_parquet(path)
    assert tomllib.loads(inspect(str(path), LayoutOptions()).text).keys() <= LayoutOptions.model_fields.keys()


def assert_printable(done: Finished) -> None:
    """Nothing that a terminal would obey is in what is said, and no control character in the TOML."""
    assert done.err == ""
    lines = done.out.split("\n")
    assert all(line.isprintable() for line in lines if line.startswith("#"))
    assert not any(character < " " or character == "\x7f" for line in lines for character in line.replace("\t", ""))

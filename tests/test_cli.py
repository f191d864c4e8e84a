"""The command line: exit codes, what is printed where, and what a run leaves behind."""

from __future__ import annotations

import errno
import fcntl
import gc
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import termios
import time
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import polars as pl
import pytest

from conftest import Command, Finished
from pipeline.ingest.mixed import BlockSplitter, Split
from pipeline.report.invalid import InvalidRows
from pipeline.report.summary import Records, version
from pipeline.report.tables import TableWriter

GOOD = "board\nXO.......\n"
ONE_IN_TWO = "board\nXO.......\nO........\n"


@pytest.fixture(autouse=True)
def some_inputs(tmp_path: Path) -> None:
    (tmp_path / "good.csv").write_text(GOOD)
    (tmp_path / "bad.csv").write_text(ONE_IN_TWO)
    (tmp_path / "other.csv").write_text("name,score\na,1\n")
    (tmp_path / "nothing.csv").write_bytes(b"")
    (tmp_path / "no.parquet").write_text(GOOD)
    (tmp_path / "folder").mkdir()


def give_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def content(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


def message(done: Finished) -> str:
    """The first line of the one message on standard error, which has a few at most."""
    line, *more = done.err.splitlines()
    assert len(more) < 3
    assert not any(other.startswith("error: ") for other in more)
    start, text = line.split(": ", maxsplit=1)
    assert start == "error"
    return text


def words_after(name: str, done: Finished) -> list[str]:
    """What the summary says in the line that begins with ``name``."""
    (line,) = [line for line in done.out.splitlines() if line.split()[:1] == [name]]
    return line.split()[1:]


# Exit codes


def test_0_when_nothing_is_invalid(command: Command) -> None:
    assert command("run", "good.csv").exit_code == 0


@pytest.mark.parametrize("header", ["board\n", "board", "\n\nboard\n\n", "c0,c1,c2,c3,c4,c5,c6,c7,c8\n"])
def test_0_for_a_header_alone(header: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / "header.csv").write_text(header)
    done = command("run", "header.csv", "--json")
    assert (done.exit_code, done.err) == (0, "")
    assert done.json["records"] == {"read": 0, "valid": 0, "invalid": 0}
    assert (done.json["verdict"], done.json["complete"]) == ("valid", True)


def test_1_when_a_record_is_invalid(command: Command) -> None:
    assert command("run", "bad.csv").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run"], "Missing argument 'INPUT...'. (see --help)"),
        (["rnu"], "No such command 'rnu'. Did you mean 'run'? (see --help)"),
        (["run", "good.csv", "--zzz", "x"], "No such option: --zzz (see --help)"),
        (
            ["run", "good.csv", "--first", "Z"],
            "Invalid value for '--first': 'Z' is not one of 'X', 'O', 'any'. (see --help)",
        ),
        (
            ["run", "good.csv", "--max-invalid", "few"],
            "--max-invalid 'few' is neither a whole number nor a percentage such as 0.5%",
        ),
        (
            ["run", "good.csv", "--cells", "Y=1"],
            "--cells 'Y=1' is not of the form X=SYMBOL, O=SYMBOL or empty=SYMBOL",
        ),
        (
            ["run", "good.csv", "--batch-rows", "0"],
            "Invalid value for '--batch-rows': Input should be greater than or equal to 1 (see --help)",
        ),
        (
            ["run", "good.csv", "--threads", "many"],
            "Invalid value for '--threads': Input should be a valid integer, unable to parse string as an integer "
            "(see --help)",
        ),
        (["run", "good.csv", "--board", "bord"], "good.csv: there is no column 'bord'; the nearest is 'board'"),
        (["run", "good.csv", "--outcome", "zzz"], "good.csv: there is no column 'zzz' among 'board'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_2_for_wrong_usage(arguments: list[str], said: str, tmp_path: Path, command: Command) -> None:
    before = content(tmp_path)
    done = command(*arguments)
    assert (done.exit_code, done.out, message(done)) == (2, "", said)
    assert content(tmp_path) == before


def test_2_and_help_without_a_subcommand(command: Command) -> None:
    done = command()
    assert (done.exit_code, done.err) == (2, "")
    assert done.out.split()[:4] == ["Usage:", "python", "-m", "pipeline"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("missing.csv", "missing.csv: no such file or folder"),
        ("nothing.csv", "nothing.csv: is empty (zero bytes)"),
        ("folder", "folder: no data in this folder"),
        ("*.nope", "*.nope: no file matches this pattern"),
        ("no.parquet", "no.parquet: is named .parquet but is not a Parquet file"),
        ("other.csv", "other.csv: "),
    ],
)
def test_3_for_an_input_that_cannot_be_read(given: str, said: str, tmp_path: Path, command: Command) -> None:
    before = content(tmp_path)
    done = command("run", given)
    assert (done.exit_code, done.out) == (3, "")
    assert message(done)[: len(said)] == said
    assert content(tmp_path) == before


def test_4_for_output_that_cannot_be_written(tmp_path: Path, command: Command) -> None:
    before = content(tmp_path)
    done = command("run", "good.csv", "--out", "good.csv/report")
    assert (done.exit_code, done.out) == (4, "")
    assert message(done).split(": ")[0].endswith("good.csv/report")
    assert content(tmp_path) == before


def test_inputs_are_closed_when_the_report_cannot_be_written(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    left_open: list[object] = []
    gc.collect()
    monkeypatch.setattr(sys, "unraisablehook", left_open.append)
    assert command("run", "good.csv", "--out", "good.csv/report").exit_code == 4
    gc.collect()
    assert left_open == []


def test_4_for_a_full_disk(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = content(tmp_path)
    monkeypatch.setattr(TableWriter, "write", fail)
    done = command("run", "bad.csv", "--out", "report")
    assert (done.exit_code, done.out) == (4, "")
    assert message(done).endswith("cannot be written: No space left on device")
    assert content(tmp_path) == before


def test_5_for_records_that_do_not_add_up(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(self: Records, valid: int, invalid: int) -> None:
        self.read += valid + invalid
        self.valid += valid

    before = content(tmp_path)
    monkeypatch.setattr(Records, "add", forgetful)
    done = command("run", "bad.csv")
    assert (done.exit_code, done.out) == (5, "")
    assert message(done).split(": ")[-1] == "Records(read=2, valid=1, invalid=0)"
    assert content(tmp_path) == before | {str(tmp_path / "reports"): None}


def test_5_for_lines_that_do_not_add_up(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    original = BlockSplitter.split

    def one_line_too_few(*arguments: Any, **named: Any) -> Split:
        split = original(*arguments, **named)
        return replace(split, lines=split.lines - 1)

    monkeypatch.setattr(BlockSplitter, "split", one_line_too_few)
    done = command("run", "bad.csv", "--out", "report")
    assert (done.exit_code, done.out) == (5, "")
    assert message(done).split(": ")[-1] == "LineAccount(read=3, header=1, blank=0, records=1)"
    assert not (tmp_path / "report").exists()


def test_5_for_an_invalid_record_that_is_not_in_the_report(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(InvalidRows, "write", lambda *_: None)
    done = command("run", "bad.csv")
    assert (done.exit_code, done.out) == (5, "")
    assert message(done) == "0 rows are written of 1 invalid records"


def test_the_highest_code_wins(command: Command) -> None:
    assert command("run", "bad.csv", "missing.csv", "--out", "report").exit_code == 3
    assert command("run", "bad.csv", "missing.csv", "--out", "folder/../good.csv").exit_code == 4
    assert command("run", "missing.csv", "good.csv", "--board", "nope").exit_code == 3


# Several inputs, some of them bad


def test_one_bad_input_does_not_stop_the_others(tmp_path: Path, command: Command) -> None:
    done = command("run", "nothing.csv", "good.csv", "other.csv", "missing.csv", "bad.csv", "--out", "report")
    assert done.exit_code == 3
    errors = [line.split(": ")[1] for line in done.err.splitlines() if line.startswith("error: ")]
    assert sorted(errors) == ["missing.csv", "nothing.csv", "other.csv"]
    summary = json.loads((tmp_path / "report" / "summary.json").read_text())
    assert (summary["complete"], summary["verdict"]) == (False, "invalid")
    assert summary["records"] == {"read": 3, "valid": 2, "invalid": 1}
    assert {one["file"]: one.get("error") is None for one in summary["inputs"]} == {
        "good.csv": True,
        "bad.csv": True,
        "nothing.csv": False,
        "other.csv": False,
        "missing.csv": False,
    }
    assert pl.read_parquet(tmp_path / "report" / "invalid.parquet")["_file"].to_list() == ["bad.csv"]


def test_every_bad_input_is_named_when_nothing_can_be_read(command: Command) -> None:
    done = command("run", "missing.csv", "nothing.csv")
    assert (done.exit_code, done.out) == (3, "")
    assert sorted(line.removeprefix("error: ") for line in done.err.splitlines()) == [
        "missing.csv: no such file or folder",
        "nothing.csv: is empty (zero bytes)",
    ]


def test_a_column_that_only_some_inputs_have_is_a_fault_of_the_others(tmp_path: Path, command: Command) -> None:
    (tmp_path / "named.csv").write_text("position\nXO.......\n")
    done = command("run", "good.csv", "named.csv", "--board", "position", "--json")
    assert done.exit_code == 3
    assert done.err == "error: good.csv: there is no column 'position' among 'board'\n"
    assert done.json["records"]["read"] == 1


def test_two_labels_are_a_fault_that_names_its_file(tmp_path: Path, command: Command) -> None:
    (tmp_path / "two.csv").write_text("board,winner,outcome\nXO.......,ongoing,ongoing\n")
    done = command("run", "two.csv", "good.csv", "--json")
    assert done.exit_code == 3
    assert done.err == (
        "error: two.csv: columns 'winner' and 'outcome' could both be the label; choose one with --outcome, "
        "or --outcome none\n"
    )


# Where the report goes


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("data.csv", "data"),
        ("data.csv.gz", "data"),
        ("boards", "boards"),
        ("boards/*.csv", "boards"),
        ("-", "stdin"),
    ],
)
def test_default_folder_is_named_after_the_input(
    given: str, name: str, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "boards").mkdir()
    for path in ("data.csv", "boards/one.csv"):
        (tmp_path / path).write_text(GOOD)
    (tmp_path / "data.csv.gz").write_bytes(gzip.compress(GOOD.encode()))
    give_stdin(monkeypatch, GOOD.encode())
    assert command("run", given).exit_code == 0
    assert [path.name for path in (tmp_path / "reports").iterdir()] == [name]
    assert sorted(path.name for path in (tmp_path / "reports" / name).iterdir()) == ["invalid.parquet", "summary.json"]


def test_default_folder_is_named_after_the_first_of_several(tmp_path: Path, command: Command) -> None:
    command("run", "good.csv", "bad.csv")
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["good"]


def test_earlier_report_is_replaced_whole(tmp_path: Path, command: Command) -> None:
    command("run", "bad.csv", "--out", "report", "--invalid-format", "csv")
    command("run", "good.csv", "--out", "report")
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == ["invalid.parquet", "summary.json"]
    assert json.loads((tmp_path / "report" / "summary.json").read_text())["inputs"][0]["file"] == "good.csv"


@pytest.mark.parametrize("failing", [["missing.csv"], ["good.csv", "--board", "nope"], ["good.csv", "--first", "Z"]])
def test_earlier_report_stays_when_a_run_fails(failing: list[str], tmp_path: Path, command: Command) -> None:
    command("run", "bad.csv", "--out", "report")
    before = content(tmp_path)
    assert command("run", *failing, "--out", "report").exit_code in {2, 3}
    assert content(tmp_path) == before


def test_folder_of_something_else_is_left_alone(tmp_path: Path, command: Command) -> None:
    (tmp_path / "folder" / "thesis.txt").write_text("years of work")
    before = content(tmp_path)
    done = command("run", "good.csv", "--out", "folder")
    assert (done.exit_code, done.out) == (4, "")
    assert message(done).endswith("folder: is a folder that holds no report; choose another with --out, or remove it")
    assert content(tmp_path) == before


@pytest.mark.parametrize("out", [".", "/", ".."])
def test_folder_without_a_name_of_its_own_is_left_alone(out: str, tmp_path: Path, command: Command) -> None:
    before = content(tmp_path)
    done = command("run", "good.csv", "--out", out)
    assert done.exit_code in {2, 4}
    assert (done.out, len(done.err.splitlines())) == ("", 1)
    assert content(tmp_path) == before


def test_empty_folder_is_taken(tmp_path: Path, command: Command) -> None:
    assert command("run", "good.csv", "--out", "folder").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["invalid.parquet", "summary.json"]


# What is printed


def test_version(command: Command) -> None:
    done = command("--version")
    assert (done.exit_code, done.out, done.err) == (0, version() + "\n", "")


def test_summary_for_people_of_valid_data(command: Command) -> None:
    done = command("run", "good.csv", "--out", "report")
    assert done.err == ""
    assert words_after("records", done) == ["1", "read,", "1", "valid,", "0", "invalid"]
    assert words_after("outcomes", done)[:8] == ["0", "X,", "0", "O,", "0", "draw,", "1", "unfinished"]


def test_summary_for_people_of_invalid_data(command: Command) -> None:
    done = command("run", "bad.csv", "--out", "report")
    assert done.err == ""
    assert words_after("records", done) == ["2", "read,", "1", "valid,", "1", "invalid", "(50.00%)"]
    assert words_after("O_COUNT_AHEAD", done) == ["1", "line", "3", "more", "O", "than", "X"]


def test_ignored_label_is_said(tmp_path: Path, command: Command) -> None:
    (tmp_path / "moods.csv").write_text("board,outcome\nXO.......,happy\n")
    done = command("run", "moods.csv")
    assert words_after("label", done)[0] == "none"
    assert " ".join(words_after("'outcome'", done)[:10]) == "is not taken for the label: its values 'happy' are"


@pytest.mark.parametrize("name", ["boards[red].csv", "a[/b].csv", "a:smile:.csv"])
def test_file_names_are_printed_as_they_are(name: str, tmp_path: Path, command: Command) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(ONE_IN_TWO)
    done = command("run", name, "good.csv", "--out", "report")
    assert (done.exit_code, done.err) == (1, "")
    assert words_after("O_COUNT_AHEAD", done) == ["1", f"{name}:3", "more", "O", "than", "X"]


def test_quiet_prints_nothing(command: Command) -> None:
    done = command("run", "bad.csv", "--quiet")
    assert (done.exit_code, done.out, done.err) == (1, "", "")


def test_quiet_still_prints_errors(command: Command) -> None:
    done = command("run", "bad.csv", "missing.csv", "--quiet")
    assert (done.exit_code, done.out, done.err) == (3, "", "error: missing.csv: no such file or folder\n")


@pytest.mark.parametrize("flags", [["--json"], ["--json", "--quiet"]])
def test_json_is_the_summary_on_disk(flags: list[str], tmp_path: Path, command: Command) -> None:
    done = command("run", "bad.csv", "--out", "report", *flags)
    assert (done.exit_code, done.err) == (1, "")
    assert done.json == json.loads((tmp_path / "report" / "summary.json").read_text())


def test_json_is_nothing_when_nothing_can_be_read(command: Command) -> None:
    done = command("run", "missing.csv", "--json")
    assert (done.exit_code, done.out) == (3, "")


@pytest.mark.parametrize(
    ("allowed", "exit_code"), [("0", 1), ("1", 0), ("2", 0), ("49.9%", 1), ("50%", 0), ("100%", 0), ("0%", 1)]
)
def test_max_invalid_decides_the_exit_code_only(allowed: str, exit_code: int, command: Command) -> None:
    done = command("run", "bad.csv", "--max-invalid", allowed, "--json")
    assert done.exit_code == exit_code
    assert (done.json["verdict"], done.json["policy"]) == ("invalid", {"max_invalid": allowed})


def test_max_invalid_counts_all_inputs_together(command: Command) -> None:
    assert command("run", "good.csv", "bad.csv", "--max-invalid", "34%").exit_code == 0
    assert command("run", "good.csv", "bad.csv", "--max-invalid", "33%").exit_code == 1


def test_max_invalid_excuses_no_fault(command: Command) -> None:
    assert command("run", "bad.csv", "missing.csv", "--max-invalid", "100%").exit_code == 3


# The summary, exactly


def without_measures(summary: dict[str, Any]) -> dict[str, Any]:
    assert summary["seconds"] >= 0
    assert isinstance(summary["peak_memory_bytes"], int)
    return {key: value for key, value in summary.items() if key not in {"seconds", "peak_memory_bytes"}}


def test_summary_of_a_text_file(tmp_path: Path, command: Command) -> None:
    text = (
        "board,winner,note\n"
        "XO.......,ongoing,a\n"
        "\n"
        'XXXOO....,X,"b"\n'
        "O........,ongoing,c\n"
        '"XO.\n...\n...",ongoing,d\n'
        '"XO.......",X,"two\nlines"\n'
        "\r\n"
        "XX.......,X,e"
    )
    (tmp_path / "boards.csv").write_bytes(text.encode())
    summary = command("run", "boards.csv", "--json").json
    assert list(summary) == [
        *("format", "complete", "version", "verdict", "unit", "records", "rows", "reasons", "outcomes", "inputs"),
        *("layout", "policy", "seconds", "peak_memory_bytes"),
    ]
    assert without_measures(summary) == {
        "format": 1,
        "complete": True,
        "version": version(),
        "verdict": "invalid",
        "unit": "board",
        "records": {"read": 6, "valid": 3, "invalid": 3},
        "rows": {"read": 6},
        "reasons": {
            "LINE_BREAK_IN_FIELD": {"records": 1, "first": {"file": "boards.csv", "row": 4, "line": 9}},
            "O_COUNT_AHEAD": {"records": 1, "first": {"file": "boards.csv", "row": 2, "line": 5}},
            "X_COUNT_AHEAD": {"records": 1, "first": {"file": "boards.csv", "row": 5, "line": 12}},
        },
        "outcomes": {"X": 1, "O": 0, "draw": 0, "unfinished": 2},
        "inputs": [
            {
                "file": "boards.csv",
                "format": "csv",
                "bytes": len(text),
                "records": {"read": 6, "valid": 3, "invalid": 3},
                "lines": {"read": 12, "header": 1, "blank": 2, "records": 9},
            }
        ],
        "layout": {
            "board": ["board"],
            "cells": {"X": ["X", "x"], "O": ["O", "o"], "empty": ["."]},
            "first": "X",
            "outcome": "winner",
            "header": True,
            "delimiter": ",",
        },
        "policy": {"max_invalid": "0"},
    }


def test_summary_of_a_parquet_file(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "boards.parquet"
    pl.DataFrame({"board": ["XO.......", None, "O........", "O........"]}).write_parquet(path)
    summary = command("run", "boards.parquet", "--first", "X", "--max-invalid", "75%", "--json").json
    assert without_measures(summary) == {
        "format": 1,
        "complete": True,
        "version": version(),
        "verdict": "invalid",
        "unit": "board",
        "records": {"read": 4, "valid": 1, "invalid": 3},
        "rows": {"read": 4},
        "reasons": {
            "BOARD_MISSING": {"records": 1, "first": {"file": "boards.parquet", "row": 1, "line": None}},
            "O_COUNT_AHEAD": {"records": 2, "first": {"file": "boards.parquet", "row": 2, "line": None}},
        },
        "outcomes": {"X": 0, "O": 0, "draw": 0, "unfinished": 1},
        "inputs": [
            {
                "file": "boards.parquet",
                "format": "parquet",
                "bytes": path.stat().st_size,
                "records": {"read": 4, "valid": 1, "invalid": 3},
            }
        ],
        "layout": {
            "board": ["board"],
            "cells": {"X": ["X", "x"], "O": ["O", "o"], "empty": ["."]},
            "first": "X",
            "outcome": "none",
        },
        "policy": {"max_invalid": "75%"},
    }


@pytest.mark.parametrize(
    ("text", "account"),
    [
        ("board", {"read": 1, "header": 1, "blank": 0, "records": 0}),
        ("board\n\n\n", {"read": 3, "header": 1, "blank": 2, "records": 0}),
        ("\n\r\nboard\nX........", {"read": 4, "header": 1, "blank": 2, "records": 1}),
        ('"bo\nard"\nX........\n', {"read": 3, "header": 2, "blank": 0, "records": 1}),
        ("board\n         \n", {"read": 2, "header": 1, "blank": 0, "records": 1}),
        ("board\nboard\n", {"read": 2, "header": 1, "blank": 0, "records": 1}),
        ('board\n"X..\n\n...\n"\n', {"read": 5, "header": 1, "blank": 0, "records": 4}),
        ('board\n"X........\n\nXO.......\n', {"read": 4, "header": 1, "blank": 1, "records": 2}),
        ("board\n\rX.......\n", {"read": 2, "header": 1, "blank": 0, "records": 1}),
    ],
)
def test_every_line_is_in_the_account(text: str, account: dict[str, int], tmp_path: Path, command: Command) -> None:
    (tmp_path / "lines.csv").write_bytes(text.encode())
    board = "bo\nard" if text.startswith('"bo') else "board"
    (one,) = command("run", "lines.csv", "--board", f'"{board}"', "--json").json["inputs"]
    assert one["lines"] == account


def test_first_record_of_a_reason_is_that_of_the_first_input(tmp_path: Path, command: Command) -> None:
    (tmp_path / "later.csv").write_text("board\nO........\n")
    reasons = command("run", "bad.csv", "later.csv", "--json").json["reasons"]
    assert reasons == {"O_COUNT_AHEAD": {"records": 2, "first": {"file": "bad.csv", "row": 1, "line": 3}}}


def test_inputs_say_their_own_layout_where_it_differs(tmp_path: Path, command: Command) -> None:
    (tmp_path / "scores.csv").write_text("board,winner\nXO_______,ongoing\n")
    inputs = command("run", "good.csv", "bad.csv", "scores.csv", "--json").json["inputs"]
    assert [one.get("layout") for one in inputs] == [
        None,
        None,
        {
            "board": ["board"],
            "cells": {"X": ["X", "x"], "O": ["O", "o"], "empty": ["_"]},
            "first": "X",
            "outcome": "winner",
            "header": True,
            "delimiter": ",",
        },
    ]


# Standard input


def test_standard_input(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, ONE_IN_TWO.encode())
    done = command("run", "-", "--json")
    assert (done.exit_code, done.err) == (1, "")
    assert done.json["inputs"] == [
        {
            "file": "-",
            "format": "csv",
            "bytes": len(ONE_IN_TWO),
            "records": {"read": 2, "valid": 1, "invalid": 1},
            "lines": {"read": 3, "header": 1, "blank": 0, "records": 2},
        }
    ]


def test_standard_input_of_zero_bytes(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, b"")
    done = command("run", "-")
    assert (done.exit_code, done.out) == (3, "")
    assert message(done).split(": ")[1].startswith("is empty")
    assert not (tmp_path / "reports").exists()


# Processes


def test_as_a_process(tmp_path: Path, process: Command) -> None:
    done = process("run", "-", "--json", stdin=ONE_IN_TWO.encode())
    assert (done.exit_code, done.err) == (1, "")
    assert done.json == json.loads((tmp_path / "reports" / "stdin" / "summary.json").read_text())


def test_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    end, start = os.pipe()
    os.close(end)
    arguments = [sys.executable, "-m", "pipeline", "run", "bad.csv"]
    done = subprocess.run(arguments, stdout=start, stderr=subprocess.PIPE, cwd=tmp_path, timeout=60, check=False)
    os.close(start)
    assert (done.returncode, done.stderr) == (1, b"")


def started(arguments: list[str], folder: Path) -> subprocess.Popen[bytes]:
    # What runs the tests may ignore an interrupt, and what is ignored is inherited.
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
    finally:
        signal.signal(signal.SIGINT, ours)


def wait_until_read(pipe: IO[bytes]) -> None:
    """Wait until all that is in the pipe has been read, and its reader has had the time to ask for more."""
    count = bytearray(4)
    while fcntl.ioctl(pipe, termios.FIONREAD, count) or any(count):
        time.sleep(0.01)
    time.sleep(0.2)


@pytest.mark.parametrize(
    ("sent", "exit_code", "said"),
    [
        (signal.SIGINT, 130, b"error: interrupted: nothing was written\n"),
        (signal.SIGTERM, 143, b"error: terminated: nothing was written\n"),
    ],
)
@pytest.mark.parametrize("size", [200_000, 17 << 20], ids=["while it looks", "while it judges"])
def test_interrupted_while_reading(
    sent: signal.Signals, exit_code: int, said: bytes, size: int, tmp_path: Path
) -> None:
    before = content(tmp_path)
    arguments = [sys.executable, "-m", "pipeline", "run", "-", "--out", "report"]
    with started(arguments, tmp_path) as child:
        assert child.stdin is not None
        assert child.stderr is not None
        child.stdin.write(b"board\n" + b"XO.......\n" * (size // 10))
        child.stdin.flush()
        wait_until_read(child.stdin)
        child.send_signal(sent)
        assert child.wait(timeout=15) == exit_code
        assert child.stderr.read() == said
    assert content(tmp_path) == before


def test_help_names_every_exit_code(command: Command) -> None:
    done = command("run", "--help")
    assert (done.exit_code, done.err) == (0, "")
    assert [int(code) for code in re.findall(r"\d+", done.out.split("Exit codes:")[1].split("╭")[0])] == [
        *(0, 1, 2, 3, 4, 5),
        *(130, 143),
    ]


# Threads, batches, and what is imported


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_verdicts_do_not_depend_on_batches_and_threads(suffix: str, tmp_path: Path, process: Command) -> None:
    boards = pl.DataFrame({"board": ["X........", "O........", "XXX......", "?"] * 5})
    boards.write_csv(tmp_path / "boards.csv")
    boards.write_parquet(tmp_path / "boards.parquet")
    whole = process("run", f"boards.{suffix}", "--json").json
    done = process("run", f"boards.{suffix}", "--json", "--batch-rows", "3", "--threads", "1")
    assert (done.exit_code, done.err) == (1, "")
    assert {name: done.json[name] for name in ("records", "reasons")} == {
        name: whole[name] for name in ("records", "reasons")
    }


def in_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_threads_are_bounded_in_all_libraries() -> None:
    code = """
from pipeline.cli import main
main(["run", "-", "--threads", "1", "--quiet"])
import polars, pyarrow
from pipeline.parallel import WORKERS
print(polars.thread_pool_size(), pyarrow.cpu_count(), pyarrow.io_thread_count(), WORKERS)
"""
    assert in_python(code).split()[-4:] == ["1", "1", "1", "1"]


def test_help_imports_no_library_that_takes_long() -> None:
    code = """
import sys
from pipeline.cli import main
main(["--help"])
print([name for name in ("polars", "pyarrow", "pandera") if name in sys.modules])
"""
    assert in_python(code).splitlines()[-1] == "[]"

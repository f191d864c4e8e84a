"""The Python API: every kind of source, options as Python values, and the report of the command line."""

from __future__ import annotations

import doctest
import gc
import json
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

from conftest import Command
from pipeline import Result, validate
from pipeline.errors import InputError, OutputError, UsageError

BOARDS = ["XO.......", "OO.......", None, "XXXOO...."]
REASONS = {1: ["O_COUNT_AHEAD"], 2: ["BOARD_MISSING"]}


def reasons(result: Result) -> dict[int, list[str]]:
    return dict(result.invalid.select("_row", "_reasons").collect().iter_rows())


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    path = tmp_path / "boards.parquet"
    pl.DataFrame({"board": BOARDS}).write_parquet(path)
    return path


def test_a_frame_a_lazy_frame_a_table_and_a_path_give_the_same(parquet: Path) -> None:
    frame = pl.DataFrame({"board": BOARDS})
    for source in (frame, frame.lazy(), frame.to_arrow(), pa.table({"board": BOARDS}), parquet, str(parquet)):
        result = validate(source)
        assert reasons(result) == REASONS
        assert (result.summary.records.read, result.summary.records.invalid) == (4, 2)
        assert not result.is_valid


def test_several_paths_are_one_run(parquet: Path, tmp_path: Path) -> None:
    text = tmp_path / "more.csv"
    text.write_text("board\nX........\nXX.......\n")
    result = validate([parquet, str(text)])
    files = result.invalid.select("_file", "_row").collect().rows()
    assert files == [(str(parquet), 1), (str(parquet), 2), (str(text), 1)]


def test_every_value_of_a_lazy_frame_is_checked() -> None:
    rows = pl.LazyFrame({"number": range(2_500_000)}).select(
        board=pl.when(pl.col("number") == 2_400_000).then(pl.lit("OO.......")).otherwise(pl.lit("XO......."))
    )
    assert reasons(validate(rows)) == {2_400_000: ["O_COUNT_AHEAD"]}


def test_a_log_may_be_lazy() -> None:
    rows = pl.LazyFrame({"who": ["b", "a", "b"], "number": [2, 1, 1], "cell": [0, 9, 0]})
    result = validate(rows, game="who", ply="number", at="cell")
    assert reasons(result) == {0: ["CELL_OCCUPIED"], 1: ["MOVE_OUT_OF_BOUNDS"]}
    assert (result.summary.unit, result.summary.rows_read, result.summary.records.read) == ("game", 3, 2)


@pytest.mark.parametrize(
    ("columns", "options", "expected"),
    [
        ({"a": ["12......."]}, {"board": "a", "cells": {"X": "1", "O": ["2", "3"]}}, {}),
        ({"a,b": ["XX......."]}, {"board": "a,b"}, {0: ["X_COUNT_AHEAD"]}),
        ({"board": ["OX......."]}, {"first": "O"}, {}),
        ({"m": [[1, 5], [0]]}, {"moves": "m", "base": 1}, {1: ["MOVE_OUT_OF_BOUNDS"]}),
        ({"a": [0, 0], "b": [4, 0]}, {"moves": ["a", "b"]}, {1: ["CELL_OCCUPIED"]}),
        (
            {"board": ["XO.......", "XO......."], "r": ["open", "X"]},
            {"outcome": "r", "outcomes": {"open": "unfinished"}},
            {1: ["OUTCOME_UNFINISHED"]},
        ),
        ({"board": ["XO......."], "r": ["?"]}, {"outcome": "r", "outcomes": {"?": ["X", "unfinished"]}}, {}),
        ({"board": ["XO......."], "winner": ["X"]}, {"outcome": "none"}, {}),
    ],
)
def test_options_are_python_values(
    columns: dict[str, Any], options: dict[str, Any], expected: dict[int, list[str]]
) -> None:
    assert reasons(validate(pl.DataFrame(columns), **options)) == expected


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"board": "bord"}, UsageError, "the nearest is 'board'"),
        ({"board": ["board", "board", "board"]}, UsageError, "twice"),
        ({"moves": "board", "game": "other"}, UsageError, "exclude each other"),
        ({"first": "Z"}, UsageError, "not one of 'X', 'O' or 'any'"),
        ({"base": 2}, UsageError, "not one of 0 or 1"),
        ({"order": "spiral"}, UsageError, "not one of 'row' or 'column'"),
        ({"cells": {"Y": "y"}}, UsageError, "'Y'"),
        ({"cells": {"X": "a", "O": "a"}}, UsageError, "both"),
        ({"outcomes": {"won": "victory"}}, UsageError, "'victory'"),
        ({"at": "board"}, InputError, "--game"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        validate(pl.DataFrame({"board": BOARDS}), **options)


def test_nothing_to_read_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        validate(tmp_path / "nope.csv")
    with pytest.raises(InputError, match="no board or moves"):
        validate(pl.DataFrame({"a": [1]}))
    with pytest.raises(InputError, match="cannot be computed"):
        validate(pl.LazyFrame({"board": BOARDS}).select("nope"))


def test_one_bad_input_is_among_the_faults(parquet: Path, tmp_path: Path) -> None:
    result = validate([tmp_path / "nope.csv", parquet])
    assert [fault.file for fault in result.faults] == [str(tmp_path / "nope.csv")]
    assert reasons(result) == REASONS
    assert not result.is_valid
    assert not result.summary.complete


@pytest.mark.parametrize("table_format", ["parquet", "csv", "jsonl"])
def test_writes_the_report_of_the_command_line(
    table_format: Any, parquet: Path, tmp_path: Path, command: Command
) -> None:
    validate(parquet).write(tmp_path / "ours", table_format)
    command("run", parquet, "--out", "theirs", "--invalid-format", table_format, "--quiet")
    ours, theirs = (tmp_path / name for name in ("ours", "theirs"))
    assert sorted(path.name for path in ours.iterdir()) == sorted(path.name for path in theirs.iterdir())
    invalid = f"invalid.{table_format}"
    if table_format == "parquet":
        assert_frame_equal(pl.read_parquet(ours / invalid), pl.read_parquet(theirs / invalid))
    else:
        assert (ours / invalid).read_bytes() == (theirs / invalid).read_bytes()
    summaries = [json.loads((folder / "summary.json").read_text()) for folder in (ours, theirs)]
    for summary in summaries:
        del summary["seconds"], summary["peak_memory_bytes"]
    assert summaries[0] == summaries[1]


def test_a_folder_of_something_else_is_not_written_to(parquet: Path, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="holds no report"):
        validate(parquet).write(tmp_path)


def test_the_invalid_rows_go_with_the_result() -> None:
    result = validate(pl.DataFrame({"board": BOARDS}))
    kept = result._invalid
    assert kept.exists()
    del result
    gc.collect()
    assert not kept.exists()


def test_the_example_of_the_package_is_true() -> None:
    import pipeline  # noqa: PLC0415

    assert doctest.testmod(pipeline) == (0, 4)


def test_result_says_what_it_is() -> None:
    assert repr(validate(pl.DataFrame({"board": BOARDS}))) == "<Result: 4 boards read, 2 invalid>"


def test_unknown_names_of_the_package_are_no_attributes() -> None:
    import pipeline  # noqa: PLC0415

    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = pipeline.nothing

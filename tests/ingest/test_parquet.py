"""Parquet: boards in every type that Polars and pyarrow write, rows numbered through, damage on the way."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]
import pytest

from conftest import Command, Judge
from pipeline.batch import PLACE
from pipeline.errors import InputError
from pipeline.ingest.parquet import ParquetSource

TEXT = ["XO.......", "O........", None]
BYTES = [None if board is None else board.encode() for board in TEXT]
LISTS = [None if board is None else list(board) for board in TEXT]
NUMBERS = [None if board is None else ["OX".find(cell) * 3 - 1 for cell in board] for board in LISTS]
ROWS = [None if board is None else [board[:3], board[3:6], board[6:]] for board in TEXT]
SQUARES = [None if rows is None else [list(row) for row in rows] for rows in ROWS]
EXPECTED = {1: ["O_COUNT_AHEAD"], 2: ["BOARD_MISSING"]}

PYARROW = {
    "string": pa.array(TEXT, pa.string()),
    "large_string": pa.array(TEXT, pa.large_string()),
    "string_view": pa.array(TEXT, pa.string_view()),
    "dictionary": pa.array(TEXT).dictionary_encode(),
    "dictionary of int8": pa.array(TEXT).cast(pa.dictionary(pa.int8(), pa.string())),
    "binary": pa.array(BYTES, pa.binary()),
    "large_binary": pa.array(BYTES, pa.large_binary()),
    "binary_view": pa.array(BYTES, pa.binary_view()),
    "fixed-size binary": pa.array(BYTES, pa.binary(9)),
    "list": pa.array(LISTS, pa.list_(pa.string())),
    "large_list": pa.array(LISTS, pa.large_list(pa.large_string())),
    "fixed-size list": pa.array(LISTS, pa.list_(pa.string(), 9)),
    "list of string_view": pa.array(LISTS, pa.list_(pa.string_view())),
    "list of dictionary": pa.array(LISTS, pa.list_(pa.dictionary(pa.int32(), pa.string()))),
    "list of fixed-size binary": pa.array(
        [None if board is None else [cell.encode() for cell in board] for board in LISTS], pa.list_(pa.binary(1))
    ),
    "list of rows": pa.array(ROWS, pa.list_(pa.string())),
    "list of lists": pa.array(SQUARES, pa.list_(pa.list_(pa.string()))),
    "fixed-size list of fixed-size lists": pa.array(SQUARES, pa.list_(pa.list_(pa.string(), 3), 3)),
}
POLARS = {
    "String": pl.Series(TEXT),
    "Categorical": pl.Series(TEXT, dtype=pl.Categorical),
    "Enum": pl.Series(TEXT, dtype=pl.Enum(["XO.......", "O........"])),
    "Binary": pl.Series(BYTES, dtype=pl.Binary),
    "List": pl.Series(LISTS),
    "List(Categorical)": pl.Series(LISTS, dtype=pl.List(pl.Categorical)),
    "List(Enum)": pl.Series(LISTS, dtype=pl.List(pl.Enum(["X", "O", "."]))),
    "Array": pl.Series(LISTS, dtype=pl.Array(pl.String, 9)),
    "Array(Enum)": pl.Series(LISTS, dtype=pl.Array(pl.Enum(["X", "O", "."]), 9)),
    "List(List)": pl.Series(SQUARES),
    "List(Array)": pl.Series(SQUARES, dtype=pl.List(pl.Array(pl.String, 3))),
    "Array(List)": pl.Series(SQUARES, dtype=pl.Array(pl.List(pl.String), 3)),
    "Array(Array)": pl.Series(SQUARES, dtype=pl.Array(pl.String, (3, 3))),
}


@pytest.mark.parametrize("boards", PYARROW.values(), ids=PYARROW)
def test_boards_that_pyarrow_writes(boards: Any, tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    pq.write_table(pa.table({"board": boards}), path)
    found = judge_file(path)
    assert found.reasons == EXPECTED
    assert found.summary["layout"]["cells"]["empty"] == ["."]


@pytest.mark.parametrize("boards", POLARS.values(), ids=POLARS)
def test_boards_that_polars_writes(boards: pl.Series, tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    pl.DataFrame({"board": boards}).write_parquet(path)
    found = judge_file(path)
    assert found.reasons == EXPECTED
    assert found.invalid.schema["board"] == boards.dtype


SIGNED = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float16(), pa.float32(), pa.float64(), pa.decimal128(5, 2)]
UNSIGNED = [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]


@pytest.mark.parametrize("dtype", SIGNED, ids=str)
def test_lists_of_signed_numbers(dtype: Any, tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    boards = [[1, -1, *[0] * 7], [-1, *[0] * 8], None]
    pq.write_table(pa.table({"board": pa.array(boards, pa.list_(dtype))}), path)
    assert judge_file(path, cells=["X=1", "O=-1", "empty=0"]).reasons == EXPECTED


@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED], ids=str)
def test_cell_columns_of_numbers(dtype: Any, tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    boards: list[list[int | None]] = [[1, 2, *[0] * 7], [2, *[0] * 8], [1, 3, *[0] * 7], [1, None, *[0] * 7]]
    pq.write_table(pa.table({f"c{cell}": pa.array([row[cell] for row in boards], dtype) for cell in range(9)}), path)
    found = judge_file(path, cells=["X=1", "O=2", "empty=0"])
    assert found.reasons == {1: ["O_COUNT_AHEAD"], 2: ["CELL_UNKNOWN"], 3: ["CELL_UNKNOWN"]}


@pytest.mark.parametrize("dtype", [pl.Int128, pl.UInt128, pl.Float16], ids=str)
def test_cell_columns_of_rare_numbers(dtype: Any, tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    cells = {f"c{cell}": pl.Series([int(cell == 0), int(cell < 2)], dtype=dtype) for cell in range(9)}
    pl.DataFrame(cells).write_parquet(path)
    assert judge_file(path, cells=["X=1", "O=2", "empty=0"]).reasons == {1: ["X_COUNT_AHEAD"]}


def test_numbers_in_cells_are_never_guessed(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    pl.DataFrame({f"c{cell}": [0] for cell in range(9)}).write_parquet(path)
    with pytest.raises(InputError, match=r"the numbers in columns 'c0' to 'c8'"):
        judge_file(path)


def test_booleans(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    boards = [[True, False, *[None] * 7], [False, *[None] * 8]]
    pl.DataFrame(boards, schema={f"c{cell}": pl.Boolean for cell in range(9)}, orient="row").write_parquet(path)
    found = judge_file(path, cells=["X=true", "O=false"])
    assert (found.reasons, found.summary["layout"]["cells"]["empty"]) == ({1: ["O_COUNT_AHEAD"]}, [""])


def test_column_of_nulls_is_missing_boards(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    pq.write_table(pa.table({"board": pa.nulls(2)}), path)
    assert judge_file(path).reasons == {0: ["BOARD_MISSING"], 1: ["BOARD_MISSING"]}


def test_cell_columns_of_nulls_are_empty_boards(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    pq.write_table(pa.table({f"c{cell}": pa.nulls(2) for cell in range(9)}), path)
    found = judge_file(path)
    assert (found.reasons, found.summary["outcomes"]["unfinished"]) == ({}, 2)


@pytest.mark.parametrize(
    ("boards", "reasons"),
    [
        ([["X"] * 8], {0: ["BOARD_SIZE"]}),
        ([[]], {0: ["BOARD_SIZE"]}),
        ([["X", "O", *[None] * 7]], {}),
        ([["X", "?", *[None] * 7]], {0: ["CELL_UNKNOWN"]}),
        ([["X", "O", *["."] * 6, None]], {0: ["CELL_UNKNOWN"]}),
        ([["XO.", "...", ".."]], {0: ["BOARD_SIZE"]}),
        ([["XO.", "...", None]], {0: ["BOARD_SIZE"]}),
    ],
)
def test_lists_that_are_no_boards(
    boards: list[list[str | None]], reasons: dict[int, list[str]], tmp_path: Path, judge_file: Judge
) -> None:
    path = tmp_path / "boards.parquet"
    pl.DataFrame({"board": pl.Series(boards, dtype=pl.List(pl.String))}).write_parquet(path)
    assert judge_file(path).reasons == reasons


@pytest.mark.parametrize(
    "board",
    [[["X", "O"], ["."] * 3, ["."] * 3], [["X", "O", "."], ["."] * 3], [["X", "O", "."], ["."] * 3, None], []],
    ids=str,
)
def test_squares_that_are_no_boards(board: list[Any], tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    boards = pl.Series([board, SQUARES[0], None], dtype=pl.List(pl.List(pl.String)))
    pl.DataFrame({"board": boards}).write_parquet(path)
    assert judge_file(path).reasons == {0: ["BOARD_SIZE"], 2: ["BOARD_MISSING"]}


def test_bytes_that_are_not_utf8_are_unknown_cells(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    pl.DataFrame({"board": [b"XO.......", b"XO......\xff"]}).write_parquet(path)
    assert judge_file(path).reasons == {1: ["CELL_UNKNOWN"]}


@pytest.mark.parametrize(
    "values",
    [pl.Series([{"a": 1}]), pl.Series([1], dtype=pl.Date), pl.Series([1], dtype=pl.Duration)],
    ids=["Struct", "Date", "Duration"],
)
def test_type_that_can_hold_no_board(values: pl.Series, tmp_path: Path, command: Command) -> None:
    pl.DataFrame({"board": values}).write_parquet(tmp_path / "boards.parquet")
    done = command("run", "boards.parquet")
    assert (done.exit_code, done.out) == (3, "")
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith("error: boards.parquet: ")


def test_number_too_wide_for_polars_is_an_unreadable_input(tmp_path: Path, command: Command) -> None:
    table = pa.table({"board": ["XO......."], "value": pa.array([1], pa.decimal256(50, 0))})
    pq.write_table(table, tmp_path / "boards.parquet")
    done = command("run", "boards.parquet")
    assert (done.exit_code, done.out, len(done.err.splitlines())) == (3, "", 1)


# Rows


@pytest.mark.parametrize("batch_rows", [1, 3, 7, 10, 1_000])
@pytest.mark.parametrize("group_rows", [1, 4, 100])
def test_rows_are_numbered_through(batch_rows: int, group_rows: int, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pl.DataFrame({"n": range(20)}).write_parquet(path, row_group_size=group_rows)
    source = ParquetSource(str(path), 7, batch_rows=batch_rows)
    assert (source.file, source.format, source.bytes, source.lines) == (str(path), "parquet", 7, None)
    assert source.schema == pl.Schema({"n": pl.Int64()})
    numbers, rows = [], []
    for batch in source.batches():
        assert batch.place.schema == PLACE
        assert batch.place.drop("row").unique().rows() == [(None, None, 0)]
        assert 0 < batch.columns.height <= batch_rows
        numbers += batch.columns["n"].to_list()
        rows += batch.place["row"].to_list()
    assert numbers == rows == list(range(20))


def test_file_without_rows_has_no_batches(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pl.DataFrame(schema={"n": pl.Int8}).write_parquet(path)
    assert list(ParquetSource(str(path)).batches()) == []


def test_file_without_rows_is_valid(tmp_path: Path, command: Command) -> None:
    pl.DataFrame(schema={"board": pl.String}).write_parquet(tmp_path / "none.parquet")
    done = command("run", "none.parquet", "--json")
    assert (done.exit_code, done.json["records"]) == (0, {"read": 0, "valid": 0, "invalid": 0})


def test_verdicts_do_not_depend_on_batches(tmp_path: Path, judge_file: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "boards.parquet"
    pl.DataFrame({"board": [board for board in TEXT for _ in range(5)]}).write_parquet(path, row_group_size=4)
    whole = judge_file(path)
    monkeypatch.setattr("pipeline.ingest.inputs.ParquetSource", partial(ParquetSource, batch_rows=2))
    assert judge_file(path).reasons == whole.reasons
    assert sorted(whole.reasons) == list(range(5, 15))


# Names


@pytest.mark.parametrize("name", ["[a].parquet", "*.parquet", "?.parquet", "a b.parquet", "é✗.parquet", "%20#.parquet"])
def test_name_is_a_name(name: str, tmp_path: Path, command: Command) -> None:
    pl.DataFrame({"board": ["O........"]}).write_parquet(tmp_path / name)
    pl.DataFrame({"board": ["XO......."]}).write_parquet(tmp_path / "a.parquet")
    done = command("run", name, "--json")
    assert (done.exit_code, done.err) == (1, "")
    assert [(one["file"], one["records"]["read"]) for one in done.json["inputs"]] == [(name, 1)]


def test_folders_add_no_columns(tmp_path: Path, command: Command) -> None:
    (tmp_path / "year=2020").mkdir()
    pl.DataFrame({"board": ["O........"]}).write_parquet(tmp_path / "year=2020" / "a.parquet")
    assert command("run", "year=2020", "--out", "report").exit_code == 1
    assert pl.read_parquet(tmp_path / "report" / "invalid.parquet").columns[6:] == ["board"]


# Damage


def damaged(path: Path, group: int) -> Path:
    """Twenty rows in five groups, the given one overwritten."""
    table = pl.DataFrame({"board": [f"{'XO' if row % 2 else 'O.'}......." for row in range(20)]})
    table.write_parquet(path, row_group_size=4, statistics=False)
    start = pq.ParquetFile(path).metadata.row_group(group).column(0).data_page_offset
    content = bytearray(path.read_bytes())
    content[start : start + 20] = b"\xff" * 20
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("group", [1, 4])
def test_rows_before_the_damage_are_delivered(group: int, tmp_path: Path) -> None:
    source = ParquetSource(str(damaged(tmp_path / "rows.parquet", group)), batch_rows=2)
    rows: list[int] = []
    with pytest.raises(InputError, match=rf"rows\.parquet: damaged after row {4 * group}: "):
        rows.extend(row for batch in source.batches() for row in batch.place["row"])
    assert rows == list(range(4 * group))


def test_rows_before_the_damage_are_judged(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged(tmp_path / "rows.parquet", 3)
    monkeypatch.setattr("pipeline.ingest.inputs.ParquetSource", partial(ParquetSource, batch_rows=2))
    done = command("run", "rows.parquet", "--json")
    assert done.exit_code == 3
    assert done.err.startswith("error: rows.parquet: damaged after row 12: ")
    assert (done.json["complete"], done.json["verdict"]) == (False, "invalid")
    assert done.json["records"] == {"read": 12, "valid": 6, "invalid": 6}
    assert done.json["inputs"][0]["records"] == {"read": 12, "valid": 6, "invalid": 6}
    assert f"error: {done.json['inputs'][0]['error']}\n" == done.err


def test_damage_from_the_first_row_on_leaves_no_report(tmp_path: Path, command: Command) -> None:
    damaged(tmp_path / "rows.parquet", 0)
    done = command("run", "rows.parquet", "--out", "report")
    assert (done.exit_code, done.out, len(done.err.splitlines())) == (3, "", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"]


@pytest.mark.parametrize("kept", [4, 100, -1, -8])
def test_file_that_was_cut_off(kept: int, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "cut.parquet"
    pl.DataFrame({"board": TEXT}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:kept])
    done = command("run", "cut.parquet")
    assert (done.exit_code, done.out, len(done.err.splitlines())) == (3, "", 1)
    assert done.err.startswith("error: cut.parquet: not readable as Parquet")

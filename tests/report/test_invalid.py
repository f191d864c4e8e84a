"""The invalid rows: their columns, their order and their text in every format."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from conftest import Command, Judge
from pipeline.report.invalid import report_names, union_schema
from schemas.report import REPORT_SCHEMA

BAD = "O........"


def invalid(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "report" / "invalid.parquet")


def test_rows_of_a_text_file(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.csv"
    path.write_bytes(b'id,board,note\n1,XO.......,\n\n2,O........, a \n3,XXXOOO...\n4,"XX?......","two\nlines"\n')
    found = judge_file(path).invalid
    assert found.schema == pl.Schema({**REPORT_SCHEMA, "id": pl.String(), "board": pl.String(), "note": pl.String()})
    own = (str(path),)
    assert found.rows() == [
        (*own, 1, 4, ["O_COUNT_AHEAD"], None, None, "2", BAD, " a "),
        (*own, 2, 5, ["FIELDS_MISSING"], None, "3,XXXOOO...", None, None, None),
        (*own, 3, 6, ["LINE_BREAK_IN_FIELD"], None, None, "4", "XX?......", "two\nlines"),
    ]


def test_own_columns_are_as_promised() -> None:
    assert list(REPORT_SCHEMA.items()) == [
        ("_file", pl.String()),
        ("_row", pl.UInt64()),
        ("_line", pl.UInt64()),
        ("_reasons", pl.List(pl.String())),
        ("_ply", pl.UInt8()),
        ("_raw", pl.String()),
    ]


def test_every_reason_is_listed_sorted(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.csv"
    path.write_text("board,winner\nXXXOOO...,abandoned\nXXXOOO...,X\n")
    found = judge_file(path, outcome="winner")
    assert found.reasons == {
        0: ["BOTH_WIN", "OUTCOME_UNKNOWN", "X_WIN_COUNT"],
        1: ["BOTH_WIN", "X_WIN_COUNT"],
    }


def test_bytes_that_are_not_utf8_are_escaped(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.csv"
    path.write_bytes(b"board,note\r\nXO.......,caf\xe9 \xc3\xa9\\\r\n")
    assert judge_file(path).invalid.select("_raw", "_reasons", "board", "note").rows() == [
        ("XO.......,caf\\xe9 é\\", ["NOT_UTF8"], None, None)
    ]


def test_rows_of_a_parquet_file_keep_their_types(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.parquet"
    table = pl.DataFrame(
        {"id": [1, 2], "board": ["XO.......", BAD], "tags": [["a"], ["b"]], "score": [0.5, None]},
        schema={"id": pl.UInt16, "board": pl.String, "tags": pl.List(pl.Categorical), "score": pl.Float32},
    )
    table.write_parquet(path)
    found = judge_file(path).invalid
    assert found.schema == pl.Schema({**REPORT_SCHEMA, **table.schema})
    assert found.rows() == [(str(path), 1, None, ["O_COUNT_AHEAD"], None, None, 2, BAD, ["b"], None)]


def test_nothing_invalid_leaves_the_columns(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "boards.csv"
    path.write_text("id,board\n1,XO.......\n")
    found = judge_file(path).invalid
    assert (found.height, found.columns) == (0, [*REPORT_SCHEMA, "id", "board"])


# Formats


def write_both_kinds(folder: Path) -> None:
    (folder / "boards.csv").write_text('board,note\nXXXOOO...,""\nO........,"a;b"\nO\n')


def test_csv(tmp_path: Path, command: Command) -> None:
    write_both_kinds(tmp_path)
    assert command("run", "boards.csv", "--out", "report", "--invalid-format", "csv").exit_code == 1
    assert (tmp_path / "report" / "invalid.csv").read_text() == (
        "_file,_row,_line,_reasons,_ply,_raw,board,note\n"
        'boards.csv,0,2,BOTH_WIN;X_WIN_COUNT,,,XXXOOO...,""\n'
        "boards.csv,1,3,O_COUNT_AHEAD,,,O........,a;b\n"
        "boards.csv,2,4,FIELDS_MISSING,,O,,\n"
    )
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == ["invalid.csv", "summary.json"]


def test_jsonl(tmp_path: Path, command: Command) -> None:
    write_both_kinds(tmp_path)
    assert command("run", "boards.csv", "--out", "report", "--invalid-format", "jsonl").exit_code == 1
    lines = (tmp_path / "report" / "invalid.jsonl").read_text().splitlines()
    own = {"_file": "boards.csv", "_ply": None, "_raw": None}
    assert [json.loads(line) for line in lines] == [
        own | {"_row": 0, "_line": 2, "_reasons": ["BOTH_WIN", "X_WIN_COUNT"], "board": "XXXOOO...", "note": ""},
        own | {"_row": 1, "_line": 3, "_reasons": ["O_COUNT_AHEAD"], "board": BAD, "note": "a;b"},
        own | {"_row": 2, "_line": 4, "_reasons": ["FIELDS_MISSING"], "_raw": "O", "board": None, "note": None},
    ]
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == ["invalid.jsonl", "summary.json"]


def test_header_alone_in_each_format(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text("board\nXO.......\n")
    command("run", "boards.csv", "--out", "report", "--invalid-format", "csv")
    assert (tmp_path / "report" / "invalid.csv").read_text() == "_file,_row,_line,_reasons,_ply,_raw,board\n"
    command("run", "boards.csv", "--out", "report", "--invalid-format", "jsonl")
    assert (tmp_path / "report" / "invalid.jsonl").read_text() == ""


# Several inputs


def test_several_inputs_have_the_union_of_their_columns(tmp_path: Path, command: Command) -> None:
    (tmp_path / "one.csv").write_text(f"board,a\n{BAD},1\nXO.......,2\n{BAD},3\n")
    (tmp_path / "two.csv").write_text(f"b,board\n4,{BAD}\n")
    assert command("run", "two.csv", "one.csv", "--out", "report").exit_code == 1
    found = invalid(tmp_path)
    assert found.columns == [*REPORT_SCHEMA, "b", "board", "a"]
    assert found.select("_file", "_row", "b", "board", "a").rows() == [
        ("two.csv", 0, "4", BAD, None),
        ("one.csv", 0, None, BAD, "1"),
        ("one.csv", 2, None, BAD, "3"),
    ]


def test_types_that_differ_are_text(tmp_path: Path, command: Command) -> None:
    (tmp_path / "text.csv").write_text(f"board,id,note,tags\n{BAD},01,x,y\n")
    pl.DataFrame(
        {"board": [BAD], "id": [7], "note": [b"caf\xc3\xa9 \xff"], "tags": [["a"]], "own": [0.5]}
    ).write_parquet(tmp_path / "one.parquet")
    pl.DataFrame({"board": [BAD], "id": [True], "own": [1.5]}).write_parquet(tmp_path / "two.parquet")
    assert command("run", "text.csv", "one.parquet", "two.parquet", "--out", "report").exit_code == 1
    found = invalid(tmp_path).drop("_file", "_row", "_line", "_reasons", "_ply", "_raw")
    assert found.schema == pl.Schema(
        {"board": pl.String(), "id": pl.String(), "note": pl.String(), "tags": pl.String(), "own": pl.Float64()}
    )
    assert found.rows() == [
        (BAD, "01", "x", "y", None),
        (BAD, "7", "café \\xff", '["a"]', 0.5),
        (BAD, "true", None, None, 1.5),
    ]


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([1], dtype=pl.Duration),
        pl.Series([[b"x"]], dtype=pl.List(pl.Binary)),
        pl.Series([1], dtype=pl.Int128),
        pl.Series([1], dtype=pl.Time),
        pl.Series(["a"], dtype=pl.Categorical),
        pl.Series(["a"], dtype=pl.Enum(["a"])),
        pl.Series([{"a": 1}]),
    ],
    ids=lambda values: str(values.dtype),
)
def test_every_type_can_become_text(values: pl.Series, tmp_path: Path, command: Command) -> None:
    (tmp_path / "text.csv").write_text(f"board,value\n{BAD},x\n")
    pl.DataFrame({"board": [BAD], "value": values}).write_parquet(tmp_path / "typed.parquet")
    done = command("run", "text.csv", "typed.parquet", "--out", "report")
    assert (done.exit_code, done.err) == (1, "")
    assert invalid(tmp_path).schema["value"] == pl.String()
    assert invalid(tmp_path)["value"].null_count() == 0


# Names


@pytest.mark.parametrize(
    ("names", "reported"),
    [
        (["board", "_other"], ["board", "_other"]),
        (["_file"], ["__file"]),
        (["_raw", "_row", "_line", "_ply", "_reasons"], ["__raw", "__row", "__line", "__ply", "__reasons"]),
        (["_file", "__file"], ["___file", "__file"]),
        (["__file", "_file", "___file"], ["__file", "____file", "___file"]),
    ],
)
def test_names_like_ours_get_one_more_underscore(names: list[str], reported: list[str]) -> None:
    schema = pl.Schema(dict.fromkeys(names, pl.String()))
    assert report_names(schema) == dict(zip(names, reported, strict=True))


def test_source_columns_named_like_ours(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"_file,board,_raw,_reasons\nmine,{BAD},mine too,mine as well\n")
    assert command("run", "boards.csv", "--out", "report").exit_code == 1
    found = invalid(tmp_path)
    assert found.columns == [*REPORT_SCHEMA, "__file", "board", "__raw", "__reasons"]
    assert found.select("_file", "_raw", "__file", "__raw", "__reasons").rows() == [
        ("boards.csv", None, "mine", "mine too", "mine as well")
    ]


def test_report_can_be_checked_again(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\nXO.......\n{BAD}\n")
    command("run", "boards.csv", "--out", "report")
    assert command("run", "report/invalid.parquet", "--out", "again").exit_code == 1
    again = pl.read_parquet(tmp_path / "again" / "invalid.parquet")
    assert again.select("_file", "_row", "__file", "__row", "__reasons").rows() == [
        ("report/invalid.parquet", 0, "boards.csv", 1, ["O_COUNT_AHEAD"])
    ]


@pytest.mark.parametrize("name", ["", " ", "a.b", "*", "^.*$", "literal", "raw", "row", "x", "symbols", "recognised"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_no_source_column_name_is_special(name: str, kind: str, tmp_path: Path, command: Command) -> None:
    table = pl.DataFrame({"board": [BAD, "XO......."], name: ["kept", "too"]})
    path = tmp_path / f"boards.{kind}"
    if kind == "csv":
        table.write_csv(path)
    else:
        table.write_parquet(path)
    done = command("run", path.name, "--out", "report", "--valid", "valid.csv")
    assert (done.exit_code, done.err) == (1, "")
    assert invalid(tmp_path).rows()[0][6:] == (BAD, "kept")
    assert (tmp_path / "valid.csv").read_text().splitlines()[1:] == ["XO.......,too"]


@pytest.mark.parametrize("name", ["", " ", "*", "^.*$", "x", "symbols", "recognised", "reasons", "is_list", "row"])
def test_no_board_column_name_is_special(name: str, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "boards.parquet"
    pl.DataFrame({"other": ["a", "b"], name: [BAD, "XO......."]}).write_parquet(path)
    done = command("run", path, "--board", f'"{name}"', "--out", "report")
    assert (done.exit_code, done.err) == (1, "")
    assert invalid(tmp_path).rows()[0][6:] == ("a", BAD)


# The union of schemas


def test_union_is_in_the_order_of_first_occurrence() -> None:
    one = pl.Schema({"a": pl.Int64(), "b": pl.String()})
    two = pl.Schema({"c": pl.Int8(), "a": pl.Int64()})
    assert list(union_schema([one, two]).items()) == [("a", pl.Int64()), ("b", pl.String()), ("c", pl.Int8())]


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ([pl.Int64(), pl.Int64()], pl.Int64()),
        ([pl.Int64(), pl.Int32()], pl.String()),
        ([pl.Int64(), pl.String(), pl.Int64()], pl.String()),
        ([pl.Enum(["a"]), pl.Enum(["b"])], pl.String()),
        ([pl.Enum(["a"]), pl.Enum(["a"])], pl.Enum(["a"])),
        ([pl.List(pl.Int8()), pl.List(pl.Int16())], pl.String()),
        ([pl.Datetime("us"), pl.Datetime("ns")], pl.String()),
    ],
)
def test_union_of_types(types: list[pl.DataType], expected: pl.DataType) -> None:
    assert union_schema(pl.Schema({"a": dtype}) for dtype in types) == pl.Schema({"a": expected})

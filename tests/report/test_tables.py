"""Tables on disk: what each format makes of each type."""

from __future__ import annotations

import csv
import datetime as dt
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.report.tables import TABLE_FORMATS, TableWriter
from schemas.vocabulary import TableFormat


def written(folder: Path, table_format: TableFormat, *tables: pl.DataFrame, joined: str | None = None) -> Path:
    path = folder / f"table.{table_format}"
    with TableWriter(path, table_format, tables[0].schema, joined=joined) as writer:
        for table in tables:
            writer.write(table)
    return path


VALUES: dict[str, tuple[pl.Series, str]] = {
    "string": (pl.Series(["a,b"]), '"a,b"'),
    "empty": (pl.Series([""]), '""'),
    "quote": (pl.Series(['say "hi"']), '"say ""hi"""'),
    "lines": (pl.Series(["one\ntwo"]), '"one\ntwo"'),
    "categorical": (pl.Series(["a"], dtype=pl.Categorical), "a"),
    "enum": (pl.Series(["a"], dtype=pl.Enum(["b", "a"])), "a"),
    "int8": (pl.Series([-1], dtype=pl.Int8), "-1"),
    "uint64": (pl.Series([2**64 - 1], dtype=pl.UInt64), str(2**64 - 1)),
    "float16": (pl.Series([0.5], dtype=pl.Float16), "0.5"),
    "float32": (pl.Series([0.5], dtype=pl.Float32), "0.5"),
    "float64": (pl.Series([0.1]), "0.1"),
    "decimal": (pl.Series([Decimal("1.50")]), "1.50"),
    "boolean": (pl.Series([True]), "true"),
    "date": (pl.Series([dt.date(2020, 1, 2)]), "2020-01-02"),
    "time": (pl.Series([dt.time(1, 2, 3)]), "01:02:03.000000000"),
    "datetime": (pl.Series([dt.datetime(2020, 1, 2, 3, 4, 5)]), "2020-01-02T03:04:05.000000"),
    "bytes": (pl.Series([b"caf\xc3\xa9 \xff"]), "café \\xff"),
    "null": (pl.Series([None], dtype=pl.Null), ""),
    "null text": (pl.Series([None], dtype=pl.String), ""),
    "null list": (pl.Series([None], dtype=pl.List(pl.String)), ""),
    "null bytes": (pl.Series([None], dtype=pl.Binary), ""),
}


@pytest.mark.parametrize(("values", "text"), VALUES.values(), ids=VALUES)
def test_csv_field(values: pl.Series, text: str, tmp_path: Path) -> None:
    table = pl.DataFrame({"id": [1], "value": values})
    assert written(tmp_path, "csv", table).read_text() == f"id,value\n1,{text}\n"


NESTED: list[tuple[pl.Series, Any]] = [
    (pl.Series([[1, None]]), [1, None]),
    (pl.Series([[1, 2]], dtype=pl.Array(pl.Int64, 2)), [1, 2]),
    (pl.Series([["a", 'b"', "}", "é]"]]), ["a", 'b"', "}", "é]"]),
    (pl.Series([[]], dtype=pl.List(pl.Int8)), []),
    (pl.Series([{"a": 1, "b": ["x"]}]), {"a": 1, "b": ["x"]}),
]


@pytest.mark.parametrize(("values", "value"), NESTED, ids=[str(values.dtype) for values, _ in NESTED])
def test_nested_value_is_json_text_in_csv(values: pl.Series, value: object, tmp_path: Path) -> None:
    path = written(tmp_path, "csv", pl.DataFrame({"id": [1], "value": values}))
    with path.open(newline="") as file:
        (_, (number, text)) = csv.reader(file)
    assert (number, json.loads(text)) == ("1", value)


@pytest.mark.parametrize(
    "values",
    [*(values for values, _ in VALUES.values()), *(values for values, _ in NESTED)],
    ids=lambda values: str(values.dtype),
)
def test_parquet_keeps_types_and_values(values: pl.Series, tmp_path: Path) -> None:
    table = pl.DataFrame({"id": [1], "value": values})
    assert_frame_equal(pl.read_parquet(written(tmp_path, "parquet", table)), table, check_exact=True)


JSON: list[tuple[pl.Series, Any]] = [
    (pl.Series(['a"b']), 'a"b'),
    (pl.Series([None], dtype=pl.String), None),
    (pl.Series([""]), ""),
    (pl.Series([7]), 7),
    (pl.Series([0.5]), 0.5),
    (pl.Series([True]), True),
    (pl.Series(["a"], dtype=pl.Categorical), "a"),
    (pl.Series([["a", None]]), ["a", None]),
    (pl.Series([{"a": [1]}]), {"a": [1]}),
    (pl.Series([b"caf\xc3\xa9 \xff"]), "café \\xff"),
    (pl.Series([dt.date(2020, 1, 2)]), "2020-01-02"),
]


@pytest.mark.parametrize(("values", "value"), JSON, ids=[str(values.dtype) for values, _ in JSON])
def test_json_value(values: pl.Series, value: object, tmp_path: Path) -> None:
    table = pl.DataFrame({"id": [1], "value": values})
    lines = written(tmp_path, "jsonl", table).read_text().splitlines()
    assert [json.loads(line) for line in lines] == [{"id": 1, "value": value}]


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
@pytest.mark.parametrize(
    "values",
    [
        pl.Series([dt.timedelta(days=1), None]),
        pl.Series([[dt.timedelta(days=1)], None]),
        pl.Series([[b"a"], None]),
        pl.Series([{"a": b"\xff"}, None]),
        pl.Series([[None], []], dtype=pl.List(pl.Null)),
    ],
    ids=lambda values: str(values.dtype),
)
def test_rare_types_can_be_written(values: pl.Series, table_format: TableFormat, tmp_path: Path) -> None:
    table = pl.DataFrame({"id": [1, 2], "value": values})
    path = written(tmp_path, table_format, table)
    lines = path.read_text(errors="replace").splitlines()
    rows = {"csv": len(lines) - 1, "jsonl": len(lines)}
    assert (pl.read_parquet(path).height if table_format == "parquet" else rows[table_format]) == 2


def test_lists_of_codes_are_joined_in_csv_only(tmp_path: Path) -> None:
    table = pl.DataFrame({"_reasons": [["A", "B"], ["C"]], "other": [["x"], []]})
    text = written(tmp_path, "csv", table, joined="_reasons")
    assert text.read_text() == '_reasons,other\nA;B,"[""x""]"\nC,[]\n'
    assert_frame_equal(pl.read_parquet(written(tmp_path, "parquet", table, joined="_reasons")), table)
    jsonl = written(tmp_path, "jsonl", table, joined="_reasons")
    assert jsonl.read_text() == '{"_reasons":["A","B"],"other":["x"]}\n{"_reasons":["C"],"other":[]}\n'


def test_null_and_empty_text_stay_apart_in_csv(tmp_path: Path) -> None:
    table = pl.DataFrame({"a": ["", None], "b": [None, ""]})
    assert written(tmp_path, "csv", table).read_text() == 'a,b\n"",\n,""\n'


@pytest.mark.parametrize("table_format", TABLE_FORMATS)
def test_tables_follow_each_other(table_format: TableFormat, tmp_path: Path) -> None:
    table = pl.DataFrame({"a": [1, 2], "b": ["x", None]})
    path = written(tmp_path, table_format, table[:1], table.clear(), table[1:], table)
    read: dict[str, Callable[[Path], pl.DataFrame]]
    read = {"parquet": pl.read_parquet, "csv": pl.read_csv, "jsonl": pl.read_ndjson}
    assert_frame_equal(read[table_format](path), pl.concat([table, table]))


def test_tables_without_rows(tmp_path: Path) -> None:
    table = pl.DataFrame(schema={"a": pl.String, "b": pl.List(pl.Int8)})
    assert written(tmp_path, "csv", table).read_text() == "a,b\n"
    assert written(tmp_path, "jsonl", table).read_text() == ""
    assert_frame_equal(pl.read_parquet(written(tmp_path, "parquet", table)), table)


@pytest.mark.parametrize("name", ["", "v", "literal", "*", "^.*$", "a,b", 'c"d', "é"])
def test_no_column_name_is_special(name: str, tmp_path: Path) -> None:
    table = pl.DataFrame({"id": [1], name: [[1]], "bytes": [b"x"]})
    assert_frame_equal(pl.read_parquet(written(tmp_path, "parquet", table)), table)
    assert written(tmp_path, "csv", table).read_text().splitlines()[1] == "1,[1],x"
    assert json.loads(written(tmp_path, "jsonl", table).read_text()) == {"id": 1, name: [1], "bytes": "x"}

"""Values of every column type as the text that alphabets and labels are written in."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from pipeline.encode.symbols import symbol_text
from pipeline.errors import InputError

INTEGERS = [
    *(pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Int128),
    *(pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.UInt128),
]


def text(values: list[Any], dtype: Any) -> list[str | None]:
    frame = pl.DataFrame({"a": pl.Series(values, dtype=dtype)})
    result = frame.select(symbol_text(pl.col("a"), frame.schema["a"], "a")).to_series()
    assert result.dtype == pl.String()
    return result.to_list()


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["X", "", " o "])], ids=str)
def test_text_is_kept_as_it_is(dtype: Any) -> None:
    assert text(["X", "", " o ", None], dtype) == ["X", "", " o ", None]


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers_are_whole_number_text(dtype: Any) -> None:
    assert text([0, 1, 127, None], dtype) == ["0", "1", "127", None]


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Int128], ids=str)
def test_negative_numbers(dtype: Any) -> None:
    assert text([-1, -128], dtype) == ["-1", "-128"]


@pytest.mark.parametrize("dtype", [pl.Float16, pl.Float32, pl.Float64, pl.Decimal(10, 2)], ids=str)
def test_whole_floats_and_decimals_are_whole_number_text(dtype: Any) -> None:
    assert text([0, 1, -1, 100, None], dtype) == ["0", "1", "-1", "100", None]


def test_negative_zero_is_zero() -> None:
    assert text([-0.0], pl.Float64) == ["0"]


def test_other_floats_are_no_whole_numbers() -> None:
    assert text([0.5, -1.25], pl.Float64) == ["0.5", "-1.25"]
    assert text([Decimal("0.50")], pl.Decimal(10, 2)) == ["0.50"]
    found = text([float("nan"), float("inf"), -float("inf"), 1e300], pl.Float64)
    assert not {"0", "1", "-1", None} & set(found)


def test_booleans_are_lower_case() -> None:
    assert text([True, False, None], pl.Boolean) == ["true", "false", None]


def test_bytes_are_text() -> None:
    assert text([b"X", b"", "é".encode(), b"\xff", None], pl.Binary) == ["X", "", "é", "\ufffd", None]


def test_null_column_is_null() -> None:
    assert text([None, None], pl.Null) == [None, None]


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([dt.date(2020, 1, 1)]),
        pl.Series([dt.datetime(2020, 1, 1)]),
        pl.Series([dt.time(1)]),
        pl.Series([dt.timedelta(1)]),
        pl.Series([{"a": 1}]),
        pl.Series([["X"]]),
    ],
    ids=lambda values: str(values.dtype),
)
def test_other_types_hold_no_symbols(values: pl.Series) -> None:
    with pytest.raises(InputError, match=r"column 'when' is of type .*, which holds neither symbols nor text"):
        symbol_text(pl.col("when"), values.dtype, "when")

"""Values of any column type as the text that alphabets and labels are written in."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.errors import InputError

_TEXT_TYPES: Final = (pl.String, pl.Categorical, pl.Enum, pl.Boolean, pl.Null)


def unnamed(values: pl.Series) -> pl.Series:
    """The values under a name that means nothing: Polars looks even a series' own up, and `^a$` as a pattern."""
    return values.alias("values")


def texts_of(values: pl.Series) -> pl.Series:
    """The values as ``String``: see ``symbol_text``.

    Raises:
        InputError: the type cannot hold symbols or labels.
    """
    if values.dtype == pl.String:
        return unnamed(values)
    return pl.select(symbol_text(pl.lit(unnamed(values)), values.dtype, values.name)).to_series()


def coded_or_text(values: pl.Series) -> pl.Series:
    """The values as they are if they are ``Categorical``, else as ``String``."""
    return values if values.dtype == pl.Categorical else texts_of(values)


def keys_of(values: pl.Series) -> pl.Series:
    """The values as ``String``, different ones as different texts; null and empty text as null.

    Raises:
        InputError: a type that is no key, such as a list.
    """
    values = unnamed(values) if values.dtype == pl.Binary else values
    if values.dtype.is_temporal():
        texts = values.cast(pl.Int64).cast(pl.String)
    else:
        texts = values.bin.encode("hex") if values.dtype == pl.Binary else texts_of(values)
    empty = texts == ""
    return texts.set(empty, None) if empty.any() else texts


def symbol_text(value: pl.Expr, dtype: pl.DataType, column: str) -> pl.Expr:
    """``value`` as ``String``: numbers as whole-number text, Booleans as ``true`` and ``false``; null stays null.

    Bytes that are not UTF-8 become U+FFFD, which no alphabet holds. ``column`` is named in errors.

    Raises:
        InputError: the type cannot hold symbols or labels.
    """
    if dtype == pl.Binary:
        return value.map_batches(_decoded, return_dtype=pl.String)
    if dtype.is_decimal():
        return value.cast(pl.String).str.replace(r"\.0+$", "")
    if dtype.is_float():
        number = value.cast(pl.Float64)
        is_whole = number.is_finite() & (number == number.floor()) & (number.abs() < 2**63)
        whole = pl.when(is_whole).then(number).cast(pl.Int64).cast(pl.String)
        return pl.when(is_whole).then(whole).otherwise(value.cast(pl.String))
    if dtype.is_integer() or dtype in _TEXT_TYPES:
        return value.cast(pl.String)
    raise InputError(f"column {column!r} is of type {dtype}, which holds neither symbols nor text")


def is_missing(values: pl.Series) -> pl.Series:
    """Whether each value is null, empty text or not a number at all."""
    values = unnamed(values)
    if values.dtype in (pl.String, pl.Categorical, pl.Enum):
        return (values.cast(pl.String) == "").fill_null(value=True)
    if values.dtype == pl.Binary:
        return (values.bin.size() == 0).fill_null(value=True)
    if values.dtype.is_float():
        return values.is_nan().fill_null(value=True)
    return values.is_null()


def _decoded(values: pl.Series) -> pl.Series:
    # Polars' own cast of Binary raises on the first value that is not UTF-8, strict or not.
    texts = [None if value is None else value.decode(errors="replace") for value in values]
    return pl.Series(values.name, texts, dtype=pl.String)

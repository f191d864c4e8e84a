"""Whole numbers as files write them, and the squares that they name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import polars as pl

from pipeline.encode.symbols import texts_of, unnamed
from schemas.vocabulary import CELLS, Base, Order

OUT_OF_BOUNDS: Final = 0
"""The mask of a ply outside the board: it places nothing."""

_SIDE: Final = 3
_NUMBER: Final = r"[ \t]*(-?[0-9]+)(?:\.0)?[ \t]*"
_WHOLE_NUMBER: Final = re.compile(_NUMBER)
_PAIR: Final = re.compile(rf"[ \t]*(?:{_NUMBER},{_NUMBER}|\[{_NUMBER},{_NUMBER}\]|\({_NUMBER},{_NUMBER}\))[ \t]*")
_LARGE: Final = 1 << 61
"""Stands for every number that is larger: far outside of any board and of any game, and far from overflowing."""

_SMALL_INTEGERS: Final = (pl.Int8, pl.Int16, pl.Int32, pl.UInt8, pl.UInt16, pl.UInt32)

_DIGITS: Final = 19
"""As many digits as the largest number of 64 bits has."""


def whole_numbers(values: pl.Series) -> pl.Series:
    """The values as ``Int64``: ASCII digits with an optional ``-`` and ``.0``; null for all others and for null.

    Raises:
        InputError: a type that holds no numbers, such as a list.
    """
    if not values.dtype.is_numeric() or values.dtype.is_decimal():
        texts = texts_of(values)
        distinct = texts.unique()
        numbers = pl.Series([None if text is None else _whole_number(text) for text in distinct], dtype=pl.Int64)
        return _replaced(texts, distinct, numbers)
    values = unnamed(values)
    if values.dtype in _SMALL_INTEGERS:
        return values.cast(pl.Int64)
    if values.dtype.is_integer():
        numbers = values.cast(pl.Int64, strict=False).fill_null(_LARGE).clip(-_LARGE, _LARGE)
        return numbers.set(values.is_null(), None)
    whole = values.is_finite() & (values == values.floor())
    limited = values.clip(-_LARGE, _LARGE)
    return limited.set(~whole.fill_null(value=False), None).cast(pl.Int64)


def masks_of_squares(numbers: pl.Series, base: Base, order: Order) -> pl.Series:
    """Square numbers (any integers) as masks (``UInt16``): ``OUT_OF_BOUNDS`` outside the board, null for null."""
    squares = range(CELLS) if order == "row" else ((cell % _SIDE) * _SIDE + cell // _SIDE for cell in range(CELLS))
    lowest = base - 1 if numbers.dtype.is_signed_integer() else 0
    masks = [*[OUT_OF_BOUNDS] * (base - lowest), *(1 << square for square in squares), OUT_OF_BOUNDS]
    place = pl.col("number").clip(lowest, base + CELLS) - lowest
    places = numbers.alias("number").to_frame().select(place.cast(pl.UInt8)).to_series()
    return pl.Series(masks, dtype=pl.UInt16).gather(places)


def masks_of_pairs(rows: pl.Series, columns: pl.Series, base: Base) -> pl.Series:
    """Rows and columns (``Int64``) as masks (``UInt16``): null where either is null."""
    row, column = pl.col("row") - base, pl.col("column") - base
    inside = (row >= 0) & (row < _SIDE) & (column >= 0) & (column < _SIDE)
    # Half a pair is no move, even where the other half is outside the board.
    inside = pl.when(row.is_not_null() & column.is_not_null()).then(inside)
    frame = pl.DataFrame({"row": rows, "column": columns})
    cell = pl.when(inside).then(row * _SIDE + column).when(inside.is_not_null()).then(CELLS)
    return masks_of_squares(frame.select(cell).to_series(), 0, "row")


def masks_of_texts(texts: pl.Series, base: Base, order: Order, *, pairs_only: bool = False) -> pl.Series:
    """Moves written as text (a square, or a pair such as ``0,2`` or ``(0, 2)``) as masks; null if unreadable."""
    distinct = texts.unique()
    masks = [None if text is None else _mask_of_text(text, base, order, pairs_only) for text in distinct]
    return _replaced(texts, distinct, pl.Series(masks, dtype=pl.UInt16))


def _replaced(texts: pl.Series, old: pl.Series, new: pl.Series) -> pl.Series:
    # Of nothing at all Polars makes nothing of the old type.
    return texts.replace_strict(old, new, return_dtype=new.dtype) if texts.len() else new


def _whole_number(text: str) -> int | None:
    match = _WHOLE_NUMBER.fullmatch(text)
    return None if match is None else _limited(match[1])


def _limited(digits: str) -> int:
    """The number, if need be the largest or the smallest: Python itself refuses to read thousands of digits."""
    sign, digits = (-1, digits[1:]) if digits.startswith("-") else (1, digits)
    significant = digits.lstrip("0") or "0"
    return sign * (_LARGE if len(significant) > _DIGITS else min(_LARGE, int(significant)))


# Few different moves are written in a file, however many plies there are.
@lru_cache(maxsize=1 << 12)
def _mask_of_text(text: str, base: Base, order: Order, pairs_only: bool) -> int | None:  # noqa: FBT001
    pair = _PAIR.fullmatch(text)
    if pair is not None:
        row, column = (_limited(number) - base for number in pair.groups() if number is not None)
        inside = 0 <= row < _SIDE and 0 <= column < _SIDE
        return 1 << (row * _SIDE + column) if inside else OUT_OF_BOUNDS
    number = None if pairs_only else _whole_number(text)
    if number is None:
        return None
    square = number - base
    if not 0 <= square < CELLS:
        return OUT_OF_BOUNDS
    return 1 << (square if order == "row" else (square % _SIDE) * _SIDE + square // _SIDE)

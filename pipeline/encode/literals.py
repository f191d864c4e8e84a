"""Boards written in text as a JSON or Python list: nine symbols, three row texts, or three by three."""

from __future__ import annotations

import ast
import json
import re
from functools import lru_cache
from typing import Any, Final

import polars as pl

_LIST_START: Final = r"^\s*[\[(]"
_ROWS: Final = 3
_LONGEST: Final = 1_000
_IN_QUOTES: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_ODD_NUMBER: Final = re.compile(r"\.(?=[0-9]{15})[0-9]*[1-9]|[0-9][eE]-[0-9]{2}|0[xXoObB][0-9]|[0-9]_[0-9]")
"""Numbers that would be read as whole ones that they are not, or not written as: 1.00000000000000000001, 0x1."""


def symbols_in_lists(texts: pl.Series) -> pl.Series:
    """The symbols of boards that are written as lists, as ``List(String)``; null where the text is no list.

    A ``None`` or ``null`` within the list stays null. A list of another shape keeps a length other than nine.
    """
    may_be_list = texts.str.contains(_LIST_START).fill_null(False)
    if not may_be_list.any():
        return pl.repeat(None, texts.len(), dtype=pl.List(pl.String), eager=True)
    symbols = [_symbols(text) if possible else None for text, possible in zip(texts, may_be_list, strict=True)]
    return pl.Series(symbols, dtype=pl.List(pl.String))


# A data set has few distinct boards, however many rows: the cache makes a slow, exact parser cheap.
@lru_cache(maxsize=1 << 16)
def _symbols(text: str) -> tuple[str | None, ...] | None:
    is_read = len(text) <= _LONGEST and not _ODD_NUMBER.search(_IN_QUOTES.sub("", text))
    value = _parsed(text) if is_read else None
    if not isinstance(value, list | tuple):
        return None
    return tuple(_symbol(cell) for cell in _cells(value))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if "\\" in text:
        # Python warns of escapes that it does not know, and writes none for the symbols of a board.
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _cells(value: list[Any] | tuple[Any, ...]) -> list[Any]:
    if any(isinstance(row, list | tuple) for row in value):
        square = len(value) == _ROWS and all(isinstance(row, list | tuple) and len(row) == _ROWS for row in value)
        return [cell for row in value for cell in row] if square else []
    if len(value) == _ROWS and all(isinstance(row, str) and len(row) == _ROWS for row in value):
        return list("".join(value))
    return list(value)


def _symbol(cell: Any) -> str | None:
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    # JSON may hold half of a surrogate pair, which is no text.
    return None if cell is None else str(cell).encode(errors="backslashreplace").decode()

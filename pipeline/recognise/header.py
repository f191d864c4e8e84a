"""Tells whether the first record of a text file names its columns, or is a record itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pipeline.recognise.sample import is_number
from pipeline.recognise.series import series_of
from schemas.vocabulary import BUILT_IN_LABELS, CELLS, EMPTY_SYMBOLS

_MARKS: Final = frozenset("xXoO")
_CELLS: Final = _MARKS | {*EMPTY_SYMBOLS}
_SEPARATED: Final = re.compile(r"(?s)(.{3})(?:/|\r?\n)(.{3})(?:/|\r?\n)(.{3})")
_DIGITS: Final = re.compile(rf"[0-9]{{{CELLS}}}")
_PAIRS: Final = re.compile(r"\s*-?[0-9]+\s*,\s*-?[0-9]+\s*(?:;\s*-?[0-9]+\s*,\s*-?[0-9]+\s*)*")
_LISTED: Final = re.compile(r"\s*[\[(].*[\])]\s*", re.DOTALL)
_LETTERS: Final = 2
"""A name has so many letters; fewer are symbols, unless they form a series."""


def is_header(fields: Sequence[str], wanted: Sequence[str] = ()) -> bool:
    """Whether the first record of a file names its columns: its fields, as text.

    ``wanted`` are names that the user knows of: where all of them are there, no field is looked at.
    """
    if wanted and {*wanted} <= {*fields}:
        return True
    if any(map(_is_value, fields)) or _has_board(fields):
        return False
    if any(map(_is_name, fields)):
        return True
    return _is_whole_series(fields)


def _is_value(field: str) -> bool:
    """Whether a field is something that no column is called: a whole board, or moves."""
    board = _SEPARATED.sub(r"\1\2\3", field)
    is_board = len(board) == CELLS and {*board} <= _CELLS and len({*board} - _MARKS) <= 1
    return is_board or any(form.fullmatch(field) for form in (_DIGITS, _PAIRS, _LISTED))


def _has_board(fields: Sequence[str]) -> bool:
    """Whether nine fields in a row are the cells of a board: some marks, and one symbol for all others."""
    symbols = [field.strip(" \t") or field for field in fields]
    for start in range(len(symbols) - CELLS + 1):
        board = {*symbols[start : start + CELLS]}
        if board <= _CELLS and len(board - _MARKS) <= 1 and board != {""}:
            return True
    return False


def _is_name(field: str) -> bool:
    """Whether a field is a word: neither a number, nor a symbol, nor a label."""
    letters = sum(character.isalpha() for character in field)
    return letters >= _LETTERS and field.strip().lower() not in BUILT_IN_LABELS


def _is_whole_series(fields: Sequence[str]) -> bool:
    """Whether short fields are names after all: ``1`` to ``9``, ``a`` to ``i``, ``A1`` to ``C3``; not ``1``, ``1``."""
    filled = [field.strip() for field in fields if field.strip()]
    if not filled or len(set(filled)) < len(filled):
        return False
    if all(map(is_number, filled)):
        numbers = [int(float(field)) for field in filled]
        return numbers in ([*range(len(filled))], [*range(1, len(filled) + 1)])
    return any(len(series.columns) >= CELLS for series in series_of(filled))

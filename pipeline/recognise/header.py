"""Tells whether the first record of a text file names its columns, or is a record itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pipeline.recognise.sample import KNOWN_NEEDED, is_number
from pipeline.recognise.series import series_of
from schemas.vocabulary import BUILT_IN_LABELS, CELLS, EMPTY_SYMBOLS

_MARKS: Final = frozenset("xXoO")
_CELLS: Final = _MARKS | {*EMPTY_SYMBOLS}
_SEPARATED: Final = re.compile(r"(?s)(.{3})(?:/|\r?\n)(.{3})(?:/|\r?\n)(.{3})")
_DIGITS: Final = re.compile(rf"[0-9]{{{CELLS}}}")
_MOVES: Final = re.compile(r"\s*[\[(]*\s*-?[0-9]+\s*,")
_LISTED: Final = re.compile(r"\s*[\[(].*[\])]\s*", re.DOTALL)
_LETTERS: Final = 2
"""A name has so many letters other than those of cells; fewer are symbols, unless they form a series."""


def is_header(
    fields: Sequence[str],
    following: Sequence[Sequence[str]] = (),
    *,
    wanted: Sequence[str] = (),
    symbols: frozenset[str] = frozenset(),
) -> bool:
    """Whether the first record of a file names its columns: its ``fields`` as text, and those of the next records.

    ``wanted`` are names that the user knows of: where all of them are there, nothing else is looked at. ``symbols``
    are those of cells beside the usual ones.
    """
    if wanted and {*wanted} <= {*fields}:
        return True
    cells = _CELLS | symbols
    over_cells = [field for place, field in enumerate(fields) if _holds_cells(place, following, cells)]
    if len(over_cells) >= CELLS - 1 and any(_bare(field) in cells - {""} for record in following for field in record):
        # Over columns of cells names are names because they are no cells.
        names = {field for field in over_cells if _bare(field) not in cells}
        if len(names) >= CELLS - 1 or len(names) < len(over_cells) / 2:
            return len(names) >= CELLS - 1
    if any(map(_is_value, fields)) or _has_board(fields, cells):
        return False
    return any(map(is_name, fields)) or _is_whole_series(fields)


def _holds_cells(place: int, records: Sequence[Sequence[str]], cells: frozenset[str]) -> bool:
    values = [_bare(record[place]) for record in records if len(record) > place]
    return bool(values) and sum(value in cells for value in values) >= KNOWN_NEEDED * len(values)


def _bare(field: str) -> str:
    return field.strip(" \t") or field


def _is_value(field: str) -> bool:
    """Whether a field is something that no column is called: a whole board, or moves."""
    board = _SEPARATED.sub(r"\1\2\3", field)
    is_board = len(board) == CELLS and {*board} <= _CELLS and len({*board} - _MARKS) <= 1
    return is_board or _MOVES.match(field) is not None or any(form.fullmatch(field) for form in (_DIGITS, _LISTED))


def _has_board(fields: Sequence[str], cells: frozenset[str]) -> bool:
    """Whether nine fields in a row are the cells of a board: some marks, and one symbol for all others."""
    symbols = [_bare(field) for field in fields]
    for start in range(len(symbols) - CELLS + 1):
        board = {*symbols[start : start + CELLS]}
        if board <= cells and (cells != _CELLS or len(board - _MARKS) <= 1) and board != {""}:
            return True
    return False


def is_name(field: str) -> bool:
    """Whether a field is a word: neither a number, nor symbols of cells, nor a label."""
    letters = sum(character.isalpha() for character in field)
    of_cells = {character for character in field.lower() if character.isalpha()} <= {"x", "o", "b", "e"}
    return letters >= _LETTERS and not of_cells and field.strip().lower() not in BUILT_IN_LABELS


def _is_whole_series(fields: Sequence[str]) -> bool:
    """Whether short fields are names after all: ``1`` to ``9``, ``a`` to ``i``, ``A1`` to ``C3``; not ``1``, ``1``."""
    filled = [field.strip() for field in fields if field.strip()]
    if not filled or len(set(filled)) < len(filled):
        return False
    if all(map(is_number, filled)):
        numbers = [int(float(field)) for field in filled]
        return numbers in ([*range(len(filled))], [*range(1, len(filled) + 1)])
    return any(len(series.columns) >= CELLS for series in series_of(filled))

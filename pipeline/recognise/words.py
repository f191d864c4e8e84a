"""Columns and symbols as messages name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in quotes, the first few of them."""
    shown = [repr(name) for name in names]
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")


def named(columns: Sequence[str]) -> str:
    """One column or several in a row: ``column 'board'``, ``columns 'c0' to 'c8'``."""
    return f"column {columns[0]!r}" if len(columns) == 1 else f"columns {columns[0]!r} to {columns[-1]!r}"


def ignored_label(values: Sequence[str]) -> str:
    """Why a column is no label, though its name says so: these of its values."""
    shown = ", ".join(map(repr, values))
    return f"its values {shown} are not known; say with --outcomes LABEL=OUTCOME what they mean, if it is"

"""Draws boards and moves in three rows of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from schemas.vocabulary import CELLS

_SIDE: Final = 3


def moves_drawn(squares: Sequence[str], names: Sequence[str]) -> list[str]:
    """Each ply with its player and number where it was made, and below those that have no place on the board."""
    cells = dict.fromkeys((f"{row},{column}" for row in range(_SIDE) for column in range(_SIDE)), "")
    unplaced = []
    for square, name in zip(squares, names, strict=True):
        if cells.get(square) == "":
            cells[square] = name
        else:
            why = "taken" if square in cells else "not on the board" if "," in square else "no move"
            unplaced.append(f"{name} at {square}: {why}")
    return [*in_rows(list(cells.values())), *unplaced]


def in_rows(cells: Sequence[str]) -> list[str]:
    """Nine cells, row by row; empty text is drawn as a dot."""
    width = max(len(cell) for cell in cells)
    shown = [(cell or ".").ljust(width) for cell in cells]
    return [" ".join(shown[start : start + _SIDE]).rstrip() for start in range(0, CELLS, _SIDE)]

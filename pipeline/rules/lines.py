"""The eight lines as bit masks, and whether a bitboard holds one."""

from __future__ import annotations

from typing import Final

import polars as pl

from schemas.vocabulary import CELLS, LINES

LINE_MASKS: Final = tuple(sum(1 << cell for cell in line) for line in LINES)
FULL_MASK: Final = (1 << CELLS) - 1


def has_line(bitboard: pl.Expr) -> pl.Expr:
    """Whether the bitboard (unsigned, bit *i* = cell *i*) holds three in a line; null for null."""
    return pl.any_horizontal((bitboard & mask) == mask for mask in LINE_MASKS)

"""A whole position as one number, so that two of them are compared at once."""

from __future__ import annotations

from typing import Final

import polars as pl

from schemas.vocabulary import CELLS

UNREADABLE: Final = 1 << 31
"""Equal to no position."""


def position(x: pl.Expr, o: pl.Expr) -> pl.Expr:
    """Both bitboards in one ``UInt32``, those of O above those of X; null for null."""
    return x.cast(pl.UInt32) | (o.cast(pl.UInt32) * (1 << CELLS))

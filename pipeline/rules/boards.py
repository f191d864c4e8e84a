"""Which board rules a board breaks.

A board is reachable exactly when the first player has as many marks as the other or one more, not both have a
line, the first player's line comes with one more mark and the other's with equal counts.
"""

from __future__ import annotations

import polars as pl

from pipeline.rules.lines import has_line
from schemas.reasons import BIT
from schemas.vocabulary import FirstPlayer, Mark


def board_reasons(x: pl.Expr, o: pl.Expr, first: FirstPlayer) -> pl.Expr:
    """The reason bits (``UInt32``) of the board rules, 0 for a reachable board; null for null bitboards.

    For ``any`` a board is reachable when it is for either first player; else the shorter set of reasons holds,
    that with X first on a tie.
    """
    if first == "X":
        return _reasons(x, o, "X", "O")
    if first == "O":
        return _reasons(o, x, "O", "X")
    x_first, o_first = board_reasons(x, o, "X"), board_reasons(x, o, "O")
    return pl.when(o_first.bitwise_count_ones() < x_first.bitwise_count_ones()).then(o_first).otherwise(x_first)


def _reasons(first: pl.Expr, second: pl.Expr, first_mark: Mark, second_mark: Mark) -> pl.Expr:
    ahead = first.bitwise_count_ones().cast(pl.Int8) - second.bitwise_count_ones().cast(pl.Int8)
    first_wins, second_wins = has_line(first), has_line(second)
    broken = {
        f"{second_mark}_COUNT_AHEAD": ahead < 0,
        f"{first_mark}_COUNT_AHEAD": ahead > 1,
        "BOTH_WIN": first_wins & second_wins,
        f"{first_mark}_WIN_COUNT": first_wins & (ahead != 1),
        f"{second_mark}_WIN_COUNT": second_wins & (ahead != 0),
    }
    return pl.sum_horizontal(holds.cast(pl.UInt32) * BIT[code] for code, holds in broken.items())

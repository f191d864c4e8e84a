"""Recognises games of legal play all at once, without playing them; only the others need to be replayed.

The marks of a player are the sum of the masks of the player's plies. The sum of all masks has as many bits as
the game has plies only if each is a cell of its own. And as marks are never taken away, play went on after the
end only if there is a line on the board without the last ply.
"""

from __future__ import annotations

from typing import Final, Literal

import polars as pl
import pyarrow as pa

from pipeline.rules.lines import has_line
from pipeline.rules.outcomes import outcome_of
from pipeline.rules.positions import position
from schemas.vocabulary import CELLS

LEGAL: Final = pl.Schema({"outcome": pl.UInt8, "position": pl.UInt32})
"""The outcome and the final position of a game of legal play; both null for another one."""

_HALF: Final = 1 << 16
"""The marks of one player above it, those of the other below, are one number."""


def legal_games(masks: pl.Series, lengths: pl.Series, first: Literal["X", "O"]) -> pl.DataFrame:
    """The columns ``LEGAL`` of games whose plies (``UInt16``) follow each other in ``masks``, so many each.

    ``lengths`` must add up to the number of masks. A null among the masks makes no legal game.
    """
    ends = lengths.cast(pl.Int64).cum_sum()
    starts = pl.concat([pl.Series([0], dtype=pl.Int64), ends])
    # Which plies are whose is told by whether they are at even places of all: half of the games start at odd ones.
    weight = (pl.int_range(pl.len(), dtype=pl.UInt32) & 1) * (_HALF - 1) + 1
    halves = masks.alias("mask").to_frame().select(pl.col("mask").cast(pl.UInt32) * weight).to_series()
    if halves.null_count():
        halves = halves.fill_null(0)
    lists = pa.LargeListArray.from_arrays(starts.to_arrow(), halves.rechunk().to_arrow())
    games = pl.DataFrame({"start": starts.head(-1), "end": ends, "length": lengths}).with_columns(
        sums=pl.Series(lists).list.sum().cast(pl.UInt32),
        last=_last(masks, ends, lengths),
    )
    return _judged(games, first)


def _last(masks: pl.Series, ends: pl.Series, lengths: pl.Series) -> pl.Series:
    """The last ply of each game; 0 for a game of no plies."""
    places = ends - 1
    if (lengths == 0).any():
        places = places.set(lengths == 0, None)
    return masks.gather(places).fill_null(0)


def _judged(games: pl.DataFrame, first: Literal["X", "O"]) -> pl.DataFrame:
    even, odd = pl.col("sums") % _HALF, pl.col("sums") // _HALF
    starts_even = (pl.col("start") & 1) == 0
    mine, others, last = pl.col("mine"), pl.col("others"), pl.col("last")
    # In steps: Polars would work out again what several expressions share.
    marks = games.select(
        "length",
        "last",
        mine=pl.when(starts_even).then(even).otherwise(odd).cast(pl.UInt16),
        others=pl.when(starts_even).then(odd).otherwise(even).cast(pl.UInt16),
    ).with_columns(mine_before=mine - (mine & last), others_before=others - (others & last))
    each_its_own_cell = (mine + others).bitwise_count_ones() == pl.col("length")
    went_on = has_line(pl.col("mine_before")) | has_line(pl.col("others_before"))
    x, o = (mine, others) if first == "X" else (others, mine)
    return marks.select(
        legal=(pl.col("length") <= CELLS) & each_its_own_cell & ~went_on,
        outcome=outcome_of(x, o),
        position=position(x, o),
    ).select(pl.when("legal").then(pl.col(LEGAL.names())))

"""Works on each different text once, however often it comes: boards, cells and labels differ little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import polars as pl

MOST: Final = 1 << 16
"""So many texts are remembered, no more: what differs from row to row would fill the memory for nothing."""

FEW: Final = 6


class EachOnce:
    """What ``work`` gives for texts, row for row, remembered for those that come again.

    ``work`` takes a series of different texts (``String``, one of them may be null) and gives a frame with one row
    for each, that depends on nothing but the text. Threads may call at the same time.
    """

    def __init__(self, work: Callable[[pl.Series], pl.DataFrame], *, most: int = MOST) -> None:
        self._work = work
        self._most = most
        # The known texts as categories, and the results for them; the last one is that for null.
        self._known: tuple[pl.Enum, pl.DataFrame] = (pl.Enum([]), work(pl.Series([None], dtype=pl.String)))

    def __call__(self, texts: pl.Series) -> pl.DataFrame:
        """The results for ``texts``, row for row."""
        known, results = self._known
        rows = _places(texts, known)
        if rows.null_count() > texts.null_count():
            new = texts.filter(rows.is_null() & texts.is_not_null()).unique()
            known = pl.Enum(pl.concat([known.categories, new.alias("category")]))
            results = pl.concat([results.head(-1), self._work(new), results.tail(1)], rechunk=True)
            if results.height <= self._most:
                # What another thread has learnt meanwhile is lost, and learnt again when it comes again.
                self._known = (known, results)
            rows = _places(texts, known)
        if rows.null_count():
            rows = rows.cast(pl.UInt32).fill_null(results.height - 1)
        return results.select(pl.all().gather(rows))


def _places(texts: pl.Series, known: pl.Enum) -> pl.Series:
    """The place of each text among the known ones; null for null and for what is not known."""
    if not 0 < known.categories.len() <= FEW:
        return texts.cast(known, strict=False).to_physical()
    # A few comparisons are faster than a hash.
    place = pl.lit(None, pl.UInt8)
    for number, text in enumerate(known.categories):
        place = pl.when(pl.col("text") == text).then(pl.lit(number, pl.UInt8)).otherwise(place)
    return texts.alias("text").to_frame().select(place).to_series()

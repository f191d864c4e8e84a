"""Works on each different text once, however often it comes: boards, cells and labels differ little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import polars as pl

MOST: Final = 1 << 16
"""So many texts are remembered, no more: what differs from row to row would fill the memory for nothing."""

_AT_FIRST: Final = 50_000
"""So many texts are looked at before all others, where there are more."""

_FORESEEN_AT: Final = 2
"""What is learnt for the second time is of data that is not small: it is worth while to look ahead."""

_MOST_CODES: Final = 1 << 18
"""Codes are those of all Categoricals of the process; beyond so many the texts themselves are looked up."""

FEW: Final = 6


class EachOnce:
    """What ``work`` gives for texts, row for row, remembered for those that come again.

    ``work`` takes a series of different texts (``String``, one of them may be null) and gives a frame with one row
    for each, that depends on nothing but the text. Threads may call at the same time.
    """

    def __init__(
        self,
        work: Callable[[pl.Series], pl.DataFrame],
        *,
        foresee: Callable[[pl.Series], pl.Series] | None = None,
        most: int = MOST,
    ) -> None:
        """``foresee`` gives texts that may well come too, from some that came: they are worked on all at once."""
        self._work = work
        self._foresee = foresee
        self._most = most
        self._times_learnt = 0
        # The known texts as categories, and the results for them; the last one is that for null.
        self._known: tuple[pl.Enum, pl.DataFrame] = (pl.Enum([]), work(pl.Series([None], dtype=pl.String)))
        # The same by the codes of Categoricals, and for each whether it is known.
        self._coded: tuple[pl.DataFrame, pl.Series] = (self._known[1], pl.Series([], dtype=pl.Boolean))
        self._anchor: pl.Series | None = None

    def __call__(self, texts: pl.Series) -> pl.DataFrame:
        """The results for ``texts`` (``String``, or ``Categorical`` for the same), row for row."""
        if self._times_learnt == 0 and texts.len() > _AT_FIRST:
            # The first few have most of what is to come, and are looked through sooner.
            self(texts.head(_AT_FIRST))
        if texts.dtype == pl.Categorical:
            found = self._by_code(texts)
            if found is not None:
                return found
            texts = texts.cast(pl.String)
        known, results = self._known
        rows = _places(texts, known)
        if rows.null_count() > texts.null_count():
            new = texts.filter(rows.is_null() & texts.is_not_null()).unique()
            new = self._foreseen(new, texts, known.categories)
            known = pl.Enum(pl.concat([known.categories, new.alias("category")]))
            results = pl.concat([results.head(-1), self._work(new), results.tail(1)], rechunk=True)
            if results.height <= self._most:
                # What another thread has learnt meanwhile is lost, and learnt again when it comes again.
                self._known = (known, results)
            rows = _places(texts, known)
        if rows.null_count():
            rows = rows.cast(pl.UInt32).fill_null(results.height - 1)
        return results.select(pl.all().gather(rows))

    def _by_code(self, texts: pl.Series) -> pl.DataFrame | None:
        """The results for texts that are coded: what is known stands at its code. None for codes that are too many."""
        codes = texts.to_physical()
        highest = codes.max()
        if not isinstance(highest, int) or highest > _MOST_CODES:
            return None
        # Another thread may put its own in place at any moment: what is looked at here is one state of it.
        results, is_known = self._coded
        if highest >= is_known.len() or not (is_known.all() or is_known.gather(codes).all()):
            results = self._with_codes(texts, codes, highest)
        return results[codes.fill_null(results.height - 1)]

    def _with_codes(self, texts: pl.Series, codes: pl.Series, highest: int) -> pl.DataFrame:
        """The results by code with those of all ``texts`` among them, remembered; the last one is that for null."""
        results, is_known = self._coded
        of_these = is_known.extend_constant(False, max(highest + 1 - is_known.len(), 0)).gather(codes)
        new = self._foreseen(texts.filter(~of_these).unique().cast(pl.String), texts)
        coded = new.cast(pl.Categorical)
        places = coded.to_physical()
        height = max(is_known.len(), highest + 1, int(places.max() or 0) + 1)  # type: ignore[arg-type]
        more = height - is_known.len()
        order = pl.int_range(height + 1, eager=True).scatter(
            places, pl.int_range(height + 1, height + 1 + new.len(), eager=True)
        )
        at_null = results.tail(1)
        results = pl.concat([results.head(-1), results.clear(more), at_null, self._work(new)], rechunk=True)[order]
        # Codes hold as long as any text that is coded lives.
        self._anchor = coded.head(1)
        # What another thread has learnt meanwhile is lost, and learnt again when it comes again.
        self._coded = (results, is_known.extend_constant(False, more).scatter(places, values=True))
        return results

    def _foreseen(self, new: pl.Series, like: pl.Series, known: pl.Series | None = None) -> pl.Series:
        """New texts, and when it comes to them for the second time those too that may well follow."""
        self._times_learnt += 1
        if self._foresee is None or self._times_learnt != _FORESEEN_AT:
            return new
        more = self._foresee(like.unique().cast(pl.String).drop_nulls())
        more = more if known is None else more.filter(~more.is_in(known.implode()))
        return pl.concat([new.rename("text"), more.rename("text")]).unique()


def _places(texts: pl.Series, known: pl.Enum) -> pl.Series:
    """The place of each text among the known ones; null for null and for what is not known."""
    if not 0 < known.categories.len() <= FEW:
        return texts.cast(known, strict=False).to_physical()
    # A few comparisons are faster than a hash.
    place = pl.lit(None, pl.UInt8)
    for number, text in enumerate(known.categories):
        place = pl.when(pl.col("text") == text).then(pl.lit(number, pl.UInt8)).otherwise(place)
    return texts.alias("text").to_frame().select(place).to_series()

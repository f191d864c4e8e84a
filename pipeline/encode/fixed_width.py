"""Takes games apart that are written as `r,c;r,c` with one digit each: four bytes a ply, read as one number."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final, NamedTuple

import polars as pl
import pyarrow as pa

from schemas.vocabulary import CELLS, Base

_PLY_BYTES: Final = 4
_SIDE: Final = 3
_DIGITS: Final = 10
_ZEROS: Final = int.from_bytes(b"0,0;", "little")
_NOT_A_DIGIT: Final = 0xFFF0_FFF0
"""Bits that are not set in the difference of a ply and ``_ZEROS``, where the ply is two digits."""

_OUTSIDE: Final = 0
_OTHER: Final = 1 << CELLS
"""Stands for four bytes that are no ply."""


class Plies(NamedTuple):
    """Which of the texts are of this form, and the masks of the plies of these: so many each, one after the other."""

    fits: pl.Series
    lengths: pl.Series
    masks: pl.Series


def fixed_width_plies(texts: pl.Series, base: Base) -> Plies:
    """The plies of the texts that are of this form; the others, null among them, are for another reader."""
    length = texts.str.len_bytes()
    fits = (length % _PLY_BYTES == _PLY_BYTES - 1).fill_null(value=False)
    masks = _masks(texts.filter(fits), base)
    lengths = (length.filter(fits) + 1) // _PLY_BYTES
    strange = (masks == _OTHER).arg_true()
    if strange.len():
        # Some that were of the right length are of another form.
        games = pl.select(pl.lit(lengths.cum_sum()).search_sorted(pl.lit(strange), side="right")).to_series().unique()
        good = pl.repeat(value=True, n=lengths.len(), dtype=pl.Boolean, eager=True).scatter(games, values=False)
        of_good = pl.DataFrame({"good": good, "length": lengths}).select(pl.col("good").repeat_by("length").explode())
        masks = masks.filter(of_good.to_series())
        fits = fits.scatter(fits.arg_true().filter(~good), values=False)
        lengths = lengths.filter(good)
    return Plies(fits, lengths, masks)


def _masks(texts: pl.Series, base: Base) -> pl.Series:
    """The mask of every four bytes of all texts, a separator put after each of these."""
    if texts.is_empty():
        return pl.Series(dtype=pl.UInt16)
    joined = texts.alias("text").to_frame().select(pl.col("text").str.join(";") + ";").to_series()
    content = joined.to_arrow().buffers()[2]
    count = joined.str.len_bytes().item() // _PLY_BYTES
    plies = pl.Series("ply", pa.UInt32Array.from_buffers(pa.uint32(), count, [None, content]))
    digits = pl.col("ply") - _ZEROS
    # The first digit in the lowest four bits, the second one in those above.
    place = (digits + digits // (1 << 12)) & 0xFF
    places = plies.to_frame().select(pl.when(digits & _NOT_A_DIGIT == 0).then(place).otherwise(0xFF).cast(pl.UInt8))
    return _table(base).gather(places.to_series())


@cache
def _table(base: Base) -> pl.Series:
    masks = [_OTHER] * 256
    for row, column in product(range(_DIGITS), repeat=2):
        inside = base <= row < base + _SIDE and base <= column < base + _SIDE
        masks[row | column << 4] = 1 << ((row - base) * _SIDE + column - base) if inside else _OUTSIDE
    return pl.Series(masks, dtype=pl.UInt16)

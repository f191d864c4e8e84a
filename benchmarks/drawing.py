"""Random numbers that are the same every time, and rows drawn with them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

import polars as pl
import pyarrow as pa

ROWS_IN_GROUP: Final = 250_000
SEED: Final = 5478
RANDOM_RANGE: Final = 1 << 32


def drawn(rows: int, valid: int, invalid: int, invalid_share: float) -> Iterator[pl.Series]:
    """Draw a position for each row, group by group, from ``valid`` ones that ``invalid`` ones follow.

    Each is drawn evenly from the valid ones or, with probability ``invalid_share``, from the others.
    """
    number = pl.col("number")
    position = (
        pl.when(number < round(invalid_share * RANDOM_RANGE)).then(valid + number % invalid).otherwise(number % valid)
    )
    generator = random.Random(SEED)
    for start in range(0, rows, ROWS_IN_GROUP):
        numbers = random_numbers(generator, min(ROWS_IN_GROUP, rows - start))
        yield numbers.to_frame().select(position.alias("position")).to_series()


def random_numbers(generator: random.Random, count: int) -> pl.Series:
    """Draw so many numbers below ``RANDOM_RANGE``."""
    content = pa.py_buffer(generator.randbytes(4 * count))
    return pl.Series("number", pa.Array.from_buffers(pa.uint32(), count, [None, content]))

"""Reads Parquet files in batches of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import polars as pl

from pipeline.batch import PLACE, Batch, LineAccount
from pipeline.errors import InputError

BATCH_ROWS: Final = 1_000_000

_FAULTS: Final = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)


class ParquetSource:
    """One Parquet file, or a URL of one that Polars reads.

    Raises:
        InputError: it cannot be opened, or holds a type that Polars cannot read.
    """

    format: Literal["parquet"] = "parquet"
    lines: LineAccount | None = None

    def __init__(self, file: str, size: int = 0, *, path: str | None = None, batch_rows: int = BATCH_ROWS) -> None:
        """``file`` is its name in messages and the report, and its path too unless ``path`` is another."""
        self.file = file
        self.bytes = size
        self._batch_rows = batch_rows
        try:
            # A name is a name here: globs were resolved before, and folders named like `a=1` add no columns.
            self._rows = pl.scan_parquet(path or file, glob=False, hive_partitioning=False)
            self.schema = self._rows.collect_schema()
            pl.DataFrame(schema=self.schema)  # a type that Polars knows but cannot hold fails here
        except _FAULTS as error:
            raise InputError(f"{file}: not readable as Parquet (cut off, or damaged?): {first_line(error)}") from error

    def close(self) -> None:
        """Nothing is held open between batches."""

    def batches(self) -> Iterator[Batch]:
        """All rows in order; see ``Source``."""
        row = 0
        try:
            for columns in self._rows.collect_batches(chunk_size=self._batch_rows, maintain_order=True):
                if columns.height:
                    yield Batch(columns, _place(row, columns.height))
                row += columns.height
        except _FAULTS as error:
            raise InputError(f"{self.file}: damaged after row {row}: {first_line(error)}") from error


def _place(first_row: int, height: int) -> pl.DataFrame:
    return pl.select(
        row=pl.int_range(first_row, first_row + height, dtype=pl.UInt64),
        line=pl.lit(None, PLACE["line"]),
        raw=pl.lit(None, PLACE["raw"]),
        reasons=pl.lit(0, PLACE["reasons"]),
    )


def first_line(error: BaseException) -> str:
    """The first line of an error's text: what Polars adds below is of no use to the reader of a message."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)

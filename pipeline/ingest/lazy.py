"""Takes what Polars computes batch by batch: tables in memory, lazy frames, and files that it scans itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final

import polars as pl

from pipeline.batch import PLACE, Batch, LineAccount, SourceFormat
from pipeline.errors import InputError

BATCH_ROWS: Final = 1_000_000

# Polars reports what its Rust code did not foresee as a panic, and some of what it gets as an argument otherwise.
_FAULTS: Final = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)


class LazySource:
    """Rows that can be computed as often as they are wanted.

    Raises:
        InputError: their columns cannot be told, or are of a type that Polars cannot hold.
    """

    unreadable: ClassVar[str] = "cannot be computed"
    damaged: ClassVar[str] = "cannot be computed"

    lines: LineAccount | None = None

    def __init__(
        self,
        file: str,
        rows: Callable[[], pl.LazyFrame],
        *,
        source_format: SourceFormat = "frame",
        size: int = 0,
        batch_rows: int = BATCH_ROWS,
    ) -> None:
        """``file`` is the name in messages and the report."""
        self.file = file
        self.format: SourceFormat = source_format
        self.bytes = size
        self._batch_rows = batch_rows
        try:
            self._rows = rows()
            self.schema = self._rows.collect_schema()
            pl.DataFrame(schema=self.schema)
        except _FAULTS as error:
            raise InputError(f"{file}: {self.unreadable}: {_first_line(error)}") from error

    def close(self) -> None:
        """Nothing is held open between batches."""

    def batches(self) -> Iterator[Batch]:
        """All rows in order, each in exactly one batch.

        Raises:
            InputError: they cannot be computed to the end; the batches before hold good.
        """
        row = 0
        try:
            for columns in self._rows.collect_batches(chunk_size=self._batch_rows, maintain_order=True):
                if columns.height:
                    yield Batch(columns, _place(row, columns.height))
                row += columns.height
        except _FAULTS as error:
            raise InputError(f"{self.file}: {self.damaged} after row {row}: {_first_line(error)}") from error


def _place(first_row: int, height: int) -> pl.DataFrame:
    return pl.select(
        row=pl.int_range(first_row, first_row + height, dtype=pl.UInt64),
        line=pl.lit(None, PLACE["line"]),
        raw=pl.lit(None, PLACE["raw"]),
        reasons=pl.lit(0, PLACE["reasons"]),
    )


def _first_line(error: BaseException) -> str:
    """What Polars adds below its first line is of no use to the reader of a message."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)

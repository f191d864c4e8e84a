"""Takes what Polars computes batch by batch: tables in memory, lazy frames, and files that it scans itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import ClassVar, Final

import polars as pl

from pipeline.batch import PLACE, Batch, LineAccount, SourceFormat
from pipeline.errors import InputError, InternalError
from pipeline.printable import visible

BATCH_ROWS: Final = 250_000


class LazySource:
    """Rows that can be computed as often as they are wanted.

    Raises:
        InputError: their columns cannot be told, or are of a type that Polars cannot hold.
    """

    # A lazy frame may run its owner's functions, which raise what they like.
    faults: ClassVar[tuple[type[BaseException], ...]] = (Exception, pl.exceptions.PanicException)
    can_be_sliced: ClassVar[bool] = False
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
            self._index = _unused_name(self.schema)
        except self.faults as error:
            raise InputError(f"{file}: {self.unreadable}: {first_line(error)}") from error
        if any("\0" in name for name in self.schema):
            raise InputError(f"{file}: a column's name holds a NUL, which Polars cannot hand on: rename the column")

    def sample(self, records: int) -> pl.DataFrame:
        """The first rows; of damaged ones as many as can be computed."""
        try:
            return self._rows.head(records).collect(engine="in-memory")
        except self.faults:
            frames = [pl.DataFrame(schema=self.schema)]
            with suppress(InputError):
                # What is wrong with them is said when they are read.
                for batch in self.batches():
                    frames.append(batch.columns)
                    if sum(frame.height for frame in frames) >= records:
                        break
            return pl.concat(frames).head(records)

    def close(self) -> None:
        """Nothing is held open between batches."""

    def batches(self) -> Iterator[Batch]:
        """All rows in order, each in exactly one batch.

        Raises:
            InputError: they cannot be computed to the end; the batches before hold good.
        """
        # Asked for nothing that depends on it, Polars 2.1 now and then hands on rows in another order after all.
        numbered = self._rows.with_row_index(self._index)
        batches = iter(numbered.collect_batches(chunk_size=self._batch_rows, maintain_order=True))
        row = 0
        while True:
            try:
                columns = next(batches, None)
            except self.faults as error:
                for batch in self._from(row):
                    yield batch
                    row += batch.place.height
                raise InputError(f"{self.file}: {self.damaged} after row {row}: {first_line(error)}") from error
            if columns is None:
                return
            if columns.height:
                yield self._batch(columns, row)
            row += columns.height

    def _from(self, row: int) -> Iterator[Batch]:
        """What can be read from ``row`` on: Polars reads ahead, and meets damage before it hands on all rows."""
        count = self._batch_rows if self.can_be_sliced else 0
        while count:
            try:
                columns = (
                    self._rows.slice(row, count).with_row_index(self._index, offset=row).collect(engine="in-memory")
                )
            except self.faults:
                count //= 2
                continue
            if columns.is_empty():
                return
            yield self._batch(columns, row)
            row += columns.height

    def _batch(self, columns: pl.DataFrame, row: int) -> Batch:
        index = columns.drop_in_place(self._index)
        # So many different numbers in order between these two are all of them.
        if (index[0], index[-1]) != (row, row + columns.height - 1) or not index.is_sorted():
            raise InternalError(f"{self.file}: the rows from {row} on came in another order")
        return Batch(columns, place_of(row, columns.height))


def _unused_name(schema: pl.Schema) -> str:
    name = "row"
    while name in schema:
        name += "_"
    return name


def place_of(first_row: int, height: int) -> pl.DataFrame:
    """``Batch.place`` of rows that have no lines and could all be read."""
    return pl.select(
        row=pl.int_range(first_row, first_row + height, dtype=pl.UInt64),
        line=pl.lit(None, PLACE["line"]),
        raw=pl.lit(None, PLACE["raw"]),
        reasons=pl.lit(0, PLACE["reasons"]),
    )


def first_line(error: BaseException) -> str:
    """What Polars and pyarrow add below their first line is of no use to the reader of a message."""
    return visible(next(iter(str(error).strip().splitlines()), type(error).__name__))

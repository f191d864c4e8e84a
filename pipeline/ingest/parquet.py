"""Reads Parquet files in batches of bounded size."""

from __future__ import annotations

from typing import ClassVar

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import InputError
from pipeline.ingest.content import is_url, refuse_too_wide
from pipeline.ingest.lazy import BATCH_ROWS, LazySource


class ParquetSource(LazySource):
    """One Parquet file, or a URL of one that Polars reads.

    Raises:
        InputError: it cannot be opened, or holds a type that Polars cannot read.
    """

    # Polars reports what its Rust code did not foresee as a panic.
    faults: ClassVar[tuple[type[BaseException], ...]] = (
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
        OSError,
        ValueError,
    )
    can_be_sliced: ClassVar[bool] = True
    unreadable: ClassVar[str] = "not readable as Parquet (cut off, or damaged?)"
    damaged: ClassVar[str] = "damaged"

    def __init__(self, file: str, size: int = 0, *, path: str | None = None, batch_rows: int = BATCH_ROWS) -> None:
        """``path`` is where the file is, if not at ``file``."""
        where = path or file
        super().__init__(file, lambda: _scanned(where), source_format="parquet", size=size, batch_rows=batch_rows)
        refuse_too_wide(file, len(self.schema))
        self._refuse_wide_decimals(where)

    def _refuse_wide_decimals(self, path: str) -> None:
        """Polars 2.1 reads decimals of 256 bits within lists, but panics on whatever is then done with them."""
        if is_url(path) or not any(dtype.is_nested() and "Decimal" in str(dtype) for dtype in self.schema.values()):
            return
        for column in pq.read_schema(path):
            if pa.types.is_nested(column.type) and "decimal256" in str(column.type):
                raise InputError(
                    f"{self.file}: column {column.name!r} is of type {column.type}, which cannot be read: "
                    "write it with decimals of 128 bits"
                )


def _scanned(path: str) -> pl.LazyFrame:
    # A name is a name here: globs were resolved before, and folders named like `a=1` add no columns.
    return pl.scan_parquet(path, glob=False, hive_partitioning=False)

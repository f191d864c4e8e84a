"""Reads Parquet files in batches of bounded size."""

from __future__ import annotations

from typing import ClassVar

import polars as pl

from pipeline.ingest.content import refuse_too_wide
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


def _scanned(path: str) -> pl.LazyFrame:
    # A name is a name here: globs were resolved before, and folders named like `a=1` add no columns.
    return pl.scan_parquet(path, glob=False, hive_partitioning=False)

"""Reads Parquet files in batches of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.batch import Batch
from pipeline.errors import InputError
from pipeline.ingest.content import is_url, refuse_too_wide
from pipeline.ingest.lazy import BATCH_ROWS, LazySource, first_line

_CHECKED_ROWS: Final = 1 << 16
_PROBED_ROWS: Final = 1 << 10
"""How many rows are looked at together where damage is known to be."""


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
        self._path = path or file
        super().__init__(file, self._scanned, source_format="parquet", size=size, batch_rows=batch_rows)
        refuse_too_wide(file, len(self.schema))
        self._refuse_wide_decimals()

    def sample(self, records: int) -> pl.DataFrame:
        """The first rows; of damaged ones as many as can be read."""
        damage = None if is_url(self._path) else _first_damage(self._path, records)
        return super().sample(records if damage is None else min(records, damage[0]))

    def batches(self) -> Iterator[Batch]:
        """All rows in order, each in exactly one batch.

        Raises:
            InputError: they cannot be read to the end; the batches before hold good.
        """
        damage = None if is_url(self._path) else _first_damage(self._path)
        if damage is None:
            yield from super().batches()
            return
        sound, why = damage
        self._rows = self._scanned().head(sound)
        if sound:
            yield from super().batches()
        raise InputError(f"{self.file}: {self.damaged} after row {sound}: {why}")

    def _scanned(self) -> pl.LazyFrame:
        # A name is a name here: globs were resolved before, and folders named like `a=1` add no columns.
        return pl.scan_parquet(self._path, glob=False, hive_partitioning=False)

    def _refuse_wide_decimals(self) -> None:
        """Polars 2.1 reads decimals of 256 bits within lists, but panics on whatever is then done with them."""
        nested = any(dtype.is_nested() and "Decimal" in str(dtype) for dtype in self.schema.values())
        if is_url(self._path) or not nested:
            return
        for column in pq.read_schema(self._path):
            if pa.types.is_nested(column.type) and "decimal256" in str(column.type):
                raise InputError(
                    f"{self.file}: column {column.name!r} is of type {column.type}, which cannot be read: "
                    "write it with decimals of 128 bits"
                )


def _first_damage(path: str, most: int | None = None) -> tuple[int, str] | None:
    """How many rows come before what pyarrow cannot read, and why it cannot; None where it reads all.

    Of ``most`` rows, if that is given: no more are looked at than surely hold so many.

    On some damaged pages Polars 2.1 asks for more memory than there is, which ends the process there and then.
    As dictionaries, texts are read in a fraction of the time that judging them takes.
    """
    rows = 0
    try:
        with pq.ParquetFile(path) as plain:
            texts = [field.name for field in plain.schema_arrow if pa.types.is_string(field.type)]
        with pq.ParquetFile(path, read_dictionary=texts) as file:
            for group in range(file.num_row_groups):
                before = rows
                try:
                    for batch in file.iter_batches(_CHECKED_ROWS, row_groups=[group]):
                        rows += batch.num_rows
                        if most is not None and rows >= most:
                            return None
                except (OSError, pa.ArrowException):
                    rows = before
                    for batch in file.iter_batches(_PROBED_ROWS, row_groups=[group]):
                        rows += batch.num_rows
                    raise
    except NotImplementedError:
        # Some types of Polars' own pyarrow does not read; this is no damage.
        return None
    except (OSError, pa.ArrowException) as error:
        return rows, first_line(error)
    return None

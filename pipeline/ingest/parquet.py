"""Reads Parquet files in batches of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import ClassVar, Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.batch import Batch
from pipeline.errors import InputError
from pipeline.ingest.content import is_url, refuse_too_wide
from pipeline.ingest.lazy import BATCH_ROWS, LazySource, first_line, place_of

_PLAIN: Final = frozenset(
    dtype()
    for dtype in (
        *(pl.Int8, pl.Int16, pl.Int32, pl.Int64),
        *(pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64),
        *(pl.Float32, pl.Float64, pl.Boolean, pl.String),
    )
)
"""Types that pyarrow and Polars hold alike, also in lists."""

MOST_CODES: Final = 1 << 15
"""Texts of so many different values are read as text."""

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

    recurring: frozenset[str] = frozenset()
    """Columns of texts few of which differ, such as boards and labels; these come as ``Categorical``."""
    unreadable: ClassVar[str] = "not readable as Parquet (cut off, or damaged?)"
    damaged: ClassVar[str] = "damaged"

    def __init__(self, file: str, size: int = 0, *, path: str | None = None, batch_rows: int = BATCH_ROWS) -> None:
        """``path`` is where the file is, if not at ``file``."""
        self._path = path or file
        self._height = 0
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
        row = 0
        if self._is_read_by_arrow():
            for batch in self._arrow_batches():
                yield batch
                row += batch.place.height
            if row == self._height:
                return
        damage = None if is_url(self._path) else _first_damage(self._path)
        if damage is None:
            yield from self._from(row) if row else super().batches()
            return
        sound, why = damage
        self._rows = self._scanned().head(sound)
        yield from self._from(row)
        raise InputError(f"{self.file}: {self.damaged} after row {sound}: {why}")

    def _is_read_by_arrow(self) -> bool:
        """Whether the file is here, and pyarrow reads all of its types as Polars does."""
        # A column without a name would get one on its way from pyarrow to Polars.
        return not is_url(self._path) and "" not in self.schema and all(map(_is_plain, self.schema.values()))

    def _arrow_batches(self) -> Iterator[Batch]:
        """The rows, those texts that recur as ``Categorical``, up to where pyarrow meets damage.

        As dictionaries, which Parquet mostly holds them as, texts are read in a fraction of the time.
        """
        row = 0
        coded = [name for name in self.recurring if self.schema[name] == pl.String]
        with suppress(OSError, pa.ArrowException), pq.ParquetFile(self._path, read_dictionary=coded) as file:
            self._height = file.metadata.num_rows
            for table in _tables(file, self._batch_rows):
                # Polars takes it on trust that texts are UTF-8, and codes those of texts.
                table.validate(full=True)
                if table.num_rows:
                    yield Batch(_coded(table, self.schema), place_of(row, table.num_rows))
                    row += table.num_rows

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


def _is_plain(dtype: pl.DataType) -> bool:
    return dtype in _PLAIN or (isinstance(dtype, pl.List) and dtype.inner in _PLAIN)


def _tables(file: pq.ParquetFile, rows: int) -> Iterator[pa.Table]:
    """The rows of a file, some ``rows`` at a time: several of its groups together, or parts of a large one."""
    together: list[int] = []
    held = 0
    for group in range(file.num_row_groups):
        height = file.metadata.row_group(group).num_rows
        if together and held + height > rows:
            yield file.read_row_groups(together, use_threads=False)
            together, held = [], 0
        if height > rows:
            for batch in file.iter_batches(rows, row_groups=[group]):
                yield pa.Table.from_batches([batch])
        else:
            together.append(group)
            held += height
    if together:
        yield file.read_row_groups(together, use_threads=False)


def _coded(table: pa.Table, schema: pl.Schema) -> pl.DataFrame:
    """The rows as a frame, with those texts as text that differ too much to be remembered."""
    for place, column in enumerate(table.columns):
        if pa.types.is_dictionary(column.type) and any(len(part.dictionary) > MOST_CODES for part in column.chunks):
            table = table.set_column(place, table.schema.names[place], column.cast(column.type.value_type))
    columns = pl.DataFrame(pl.from_arrow(table))
    texts = {name for name, dtype in columns.schema.items() if dtype == pl.Categorical}
    return columns.cast(pl.Schema({name: dtype for name, dtype in schema.items() if name not in texts}))


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

"""The rows of all valid records: as a table, or as the lines of the text file that they came from."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import polars as pl

from pipeline.batch import Batch
from pipeline.errors import InternalError
from pipeline.report.invalid import in_schema
from pipeline.report.tables import TableFormat, TableWriter


class ValidRows(Protocol):
    """Takes the valid ones of each batch's records, in order."""

    def write(self, batch: Batch, verdict: pl.DataFrame) -> None:
        """Append the valid records of a batch."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


class ValidTable:
    """Valid rows in the source's own columns, as Parquet, CSV or JSON Lines."""

    def __init__(self, path: Path, table_format: TableFormat, schema: pl.Schema) -> None:
        self._schema = schema
        self._table = TableWriter(path, table_format, schema)

    def write(self, batch: Batch, verdict: pl.DataFrame) -> None:
        """Append the valid records of a batch."""
        self._table.write(in_schema(batch.columns.filter(verdict["reasons"] == 0), self._schema))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._table.close()


class ValidLines:
    """Valid records of one text file byte for byte, under its header if it has one."""

    def __init__(self, path: Path, header: bytes) -> None:
        self._file = path.open("wb")
        self._file.write(header)

    def write(self, batch: Batch, verdict: pl.DataFrame) -> None:
        """Append the valid records of a batch, which has kept its lines."""
        if batch.lines is None:
            raise InternalError("a text file was read without keeping its lines")
        self._file.write(b"".join(batch.lines.filter(verdict["reasons"] == 0)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

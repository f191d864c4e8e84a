"""The rows of all valid records: as a table, or as the lines of the text file that they came from."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import polars as pl

from pipeline.batch import Batch
from pipeline.errors import InternalError
from pipeline.report.folder import output_errors
from pipeline.report.invalid import in_schema
from pipeline.report.tables import TableWriter
from schemas.vocabulary import TableFormat


class ValidRows(Protocol):
    """Takes the valid ones of each batch's records, in order."""

    def write(self, batch: Batch, is_valid: pl.Series) -> None:
        """Append those rows of a batch that ``is_valid`` says."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...


class ValidTable:
    """Valid rows in the source's own columns, as Parquet, CSV or JSON Lines."""

    def __init__(self, path: Path, target: Path, table_format: TableFormat, schema: pl.Schema) -> None:
        """Writes to ``path``; ``target`` is where that will be put, for messages."""
        self._target = target
        self._schema = schema
        with output_errors(target):
            self._table = TableWriter(path, table_format, schema)

    def write(self, batch: Batch, is_valid: pl.Series) -> None:
        """Append those rows of a batch that ``is_valid`` says."""
        with output_errors(self._target):
            self._table.write(in_schema(batch.columns.filter(is_valid), self._schema))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with output_errors(self._target):
            self._table.close()


class ValidLines:
    """Valid records of one text file byte for byte, under its header if it has one."""

    def __init__(self, path: Path, target: Path, header: bytes) -> None:
        """Writes to ``path``; ``target`` is where that will be put, for messages."""
        self._target = target
        with output_errors(target):
            self._file = path.open("wb")
            self._file.write(header)

    def write(self, batch: Batch, is_valid: pl.Series) -> None:
        """Append those rows of a batch that ``is_valid`` says; it has kept its lines."""
        if batch.lines is None:
            raise InternalError("a text file was read without keeping its lines")
        with output_errors(self._target):
            self._file.write(b"".join(batch.lines.filter(is_valid)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with output_errors(self._target):
            self._file.close()

"""Writes a table piece by piece as Parquet, CSV or JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import polars as pl
import pyarrow.parquet as pq

from schemas.vocabulary import TableFormat

TABLE_FORMATS: Final[tuple[TableFormat, ...]] = ("parquet", "csv", "jsonl")

CODES_JOINED_BY: Final = ";"


class TableWriter:
    r"""One table on disk with the columns of ``schema``, written in the order of the calls.

    In CSV a list of text named by ``joined`` is joined by ``;``; other nested values are JSON text. Bytes are text
    in CSV and JSON Lines, with ``\xNN`` for what is not UTF-8. A CSV null is an empty field, empty text ``""``.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path, table_format: TableFormat, schema: pl.Schema, *, joined: str | None = None) -> None:
        self._format = table_format
        self._joined = joined
        self._parquet: pq.ParquetWriter | None = None
        empty = pl.DataFrame(schema=schema)
        if table_format == "parquet":
            self._arrow_schema = empty.to_arrow().schema
        self._file = path.open("wb")
        if table_format == "parquet":
            self._parquet = pq.ParquetWriter(self._file, self._arrow_schema, compression="zstd")
        elif table_format == "csv":
            self._file.write(self._flat(empty).write_csv().encode())

    def write(self, rows: pl.DataFrame) -> None:
        """Append rows that have the columns of the schema."""
        if rows.is_empty():
            return
        if self._parquet is not None:
            table = rows.to_arrow()
            # A cast that changes nothing fails on lists of nothing but nulls.
            same = table.schema.equals(self._arrow_schema)
            self._parquet.write_table(table if same else table.cast(self._arrow_schema))
        elif self._format == "csv":
            self._file.write(self._flat(rows).write_csv(include_header=False).encode())
        else:
            columns = {values.name: values for values in rows.get_columns()}
            texts = {name: as_text(values) if _has_bytes(values.dtype) else values for name, values in columns.items()}
            self._file.write(pl.DataFrame(texts).write_ndjson().encode())

    def close(self) -> None:
        """Finish the file."""
        with self._file:
            if self._parquet is not None:
                self._parquet.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _flat(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows as CSV can hold them."""
        return pl.DataFrame({values.name: self._flat_column(values) for values in rows.get_columns()})

    def _flat_column(self, values: pl.Series) -> pl.Series:
        if values.name == self._joined:
            return values.alias("codes").list.join(CODES_JOINED_BY)
        is_flat = not values.dtype.is_nested() and values.dtype not in (pl.Binary, pl.Duration)
        return values if is_flat else as_text(values)


def as_text(values: pl.Series) -> pl.Series:
    r"""The values as ``String``: nested ones as JSON text, bytes that are not UTF-8 as ``\xNN``; null stays null."""
    # Polars looks even a series' own name up, and one such as `^a$` as a pattern.
    values = values.alias("values")
    if values.dtype == pl.Duration:
        return values.dt.to_string("iso")
    if values.dtype != pl.Binary and not values.dtype.is_nested():
        return values.cast(pl.String)
    to_text = _plain if values.dtype == pl.Binary else _json
    texts = [None if value is None else to_text(value) for value in values.to_list()]
    return pl.Series(values.name, texts, dtype=pl.String)


def _json(value: Any) -> str:
    return json.dumps(value, default=_plain, ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> str:
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else str(value)


def _has_bytes(dtype: pl.DataType) -> bool:
    return "Binary" in str(dtype)

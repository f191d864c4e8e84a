"""Writes a table piece by piece as Parquet, CSV or JSON Lines."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

TableFormat = Literal["parquet", "csv", "jsonl"]
TABLE_FORMATS: Final[tuple[TableFormat, ...]] = ("parquet", "csv", "jsonl")

CODES_JOINED_BY: Final = ";"


class TableWriter:
    r"""One table on disk with the columns of ``schema``, written in the order of the calls.

    In CSV a list of text is joined by ``;``; other nested values are JSON text. Bytes are text in CSV and
    JSON Lines, with ``\xNN`` for what is not UTF-8. A CSV null is an empty field, empty text is ``""``.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path, table_format: TableFormat, schema: pl.Schema, *, joined: str | None = None) -> None:
        self._format = table_format
        self._schema = schema
        self._joined = joined
        self._file = path.open("wb")
        self._parquet: pq.ParquetWriter | None = None
        empty = pl.DataFrame(schema=schema)
        if table_format == "parquet":
            self._arrow_schema = empty.to_arrow().schema
            self._parquet = pq.ParquetWriter(self._file, self._arrow_schema, compression="zstd")
        elif table_format == "csv":
            self._as_text(empty).write_csv(self._file)

    def write(self, rows: pl.DataFrame) -> None:
        """Append rows that have the columns of the schema."""
        if rows.is_empty():
            return
        if self._parquet is not None:
            table: pa.Table = rows.to_arrow().cast(self._arrow_schema)
            self._parquet.write_table(table)
        elif self._format == "csv":
            self._as_text(rows).write_csv(self._file, include_header=False)
        else:
            rows.with_columns(self._bytes_as_text()).write_ndjson(self._file)

    def close(self) -> None:
        """Finish the file."""
        if self._parquet is not None:
            self._parquet.close()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _as_text(self, rows: pl.DataFrame) -> pl.DataFrame:
        texts = {name: as_text(name, dtype) for name, dtype in self._schema.items() if _needs_text(dtype)}
        if self._joined is not None:
            texts[self._joined] = pl.col(self._joined).list.join(CODES_JOINED_BY)
        return rows.with_columns(**texts)

    def _bytes_as_text(self) -> list[pl.Expr]:
        return [as_text(name, dtype) for name, dtype in self._schema.items() if dtype == pl.Binary]


def as_text(name: str, dtype: pl.DataType) -> pl.Expr:
    r"""The column as ``String``: nested values as JSON text, bytes that are not UTF-8 as ``\xNN``; null stays null."""
    column = pl.col(name)
    if dtype == pl.Binary:
        return column.map_batches(_escaped, return_dtype=pl.String)
    if not dtype.is_nested():
        return column.cast(pl.String)
    # JSON text is made of structs only: the value is wrapped in one, and the wrapping cut off again.
    json = pl.struct(column.alias("v")).struct.json_encode()
    return pl.when(column.is_not_null()).then(json.str.slice(5, json.str.len_chars() - 6)).alias(name)


def _needs_text(dtype: pl.DataType) -> bool:
    return dtype == pl.Binary or dtype.is_nested()


def _escaped(values: pl.Series) -> pl.Series:
    texts = [None if value is None else value.decode(errors="backslashreplace") for value in values]
    return pl.Series(values.name, texts, dtype=pl.String)

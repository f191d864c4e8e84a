"""The invalid rows: each with its place, its reasons and the source's own columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

import polars as pl

from pipeline import gate
from pipeline.batch import Batch
from pipeline.report.tables import TableWriter, as_text
from schemas.reasons import codes
from schemas.report import REPORT_SCHEMA, invalid_rows
from schemas.vocabulary import TableFormat

CODES_COLUMN: Final = "_reasons"

ROWS_HELD: Final = 100_000
"""So many rows are written at once: few invalid rows a batch would make many small pieces."""


def union_schema(schemas: Iterable[pl.Schema]) -> pl.Schema:
    """All columns of all inputs, in the order in which they first occur; text where their types differ."""
    union: dict[str, pl.DataType] = {}
    for schema in schemas:
        for name, dtype in schema.items():
            # Arrow has no integers of 128 bits, and so neither has a report.
            own = pl.String() if "Int128" in str(dtype) else dtype
            union[name] = own if union.get(name, own) == own else pl.String()
    return pl.Schema(union)


def in_schema(columns: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """``columns`` with all columns of ``schema``: what is not there is null, what differs in type is text."""
    # By series, not by expression: Polars takes a name such as `^a$` in an expression for a pattern.
    present = {values.name: values for values in columns.get_columns()}
    return pl.DataFrame(
        {name: _in_type(present.get(name), name, dtype, columns.height) for name, dtype in schema.items()}
    )


class _Rows(NamedTuple):
    """Invalid records of one file: where they came from, why, and their own columns."""

    file: str
    place: pl.DataFrame
    verdict: pl.DataFrame
    columns: pl.DataFrame


class InvalidRows:
    """Writes ``invalid.parquet`` (or ``.csv``, ``.jsonl``) into a folder, batch by batch; ``written`` counts rows."""

    def __init__(self, folder: Path, table_format: TableFormat, source_schema: pl.Schema) -> None:
        self.written = 0
        self._source_schema = source_schema
        self._names = report_names(source_schema)
        self._schema = invalid_rows()
        self._held: list[_Rows] = []
        self._thread = ThreadPoolExecutor(1)
        self._writing: Future[None] | None = None
        schema = pl.Schema({**REPORT_SCHEMA, **dict(zip(self._names.values(), source_schema.dtypes(), strict=True))})
        self._table = TableWriter(folder / f"invalid.{table_format}", table_format, schema, joined=CODES_COLUMN)

    def write(self, file: str, batch: Batch, verdict: pl.DataFrame) -> None:
        """Append the invalid ones of a batch's records, with their source columns."""
        invalid = (verdict["reasons"] != 0).arg_true()
        if invalid.is_empty():
            return
        self._held.append(_Rows(file, batch.place[invalid], verdict[invalid], batch.columns[invalid]))
        self.written += invalid.len()
        if sum(rows.place.height for rows in self._held) >= ROWS_HELD:
            self._write_held()

    def _write_held(self) -> None:
        """Have what is held written, while more is found; what went wrong with what was written before is raised."""
        held, self._held = self._held, []
        self._wait()
        self._writing = self._thread.submit(self._append, held)

    def _wait(self) -> None:
        if self._writing is not None:
            self._writing.result()

    def _append(self, held: Sequence[_Rows]) -> None:
        rows = pl.concat([self._reported(some) for some in held])
        gate.require(rows.select(REPORT_SCHEMA.names()), self._schema)
        self._table.write(rows)

    def _reported(self, rows: _Rows) -> pl.DataFrame:
        own = _own_columns(rows.file, rows.place, rows.verdict)
        source = in_schema(rows.columns, self._source_schema)
        return pl.DataFrame({**own.to_dict(), **{self._names[values.name]: values for values in source.get_columns()}})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if error is None:
                if self._held:
                    self._write_held()
                self._wait()
        finally:
            self._thread.shutdown(cancel_futures=True)
            self._table.close()


def report_names(schema: pl.Schema) -> dict[str, str]:
    """The name in the report of each source column: one named like a column of ours gets one more ``_``."""
    taken = set(REPORT_SCHEMA) | {name for name in schema if name not in REPORT_SCHEMA}
    names: dict[str, str] = {}
    for name in schema:
        reported = name
        if name in REPORT_SCHEMA:
            while reported in taken:
                reported = f"_{reported}"
            taken.add(reported)
        names[name] = reported
    return names


def _own_columns(file: str, place: pl.DataFrame, verdict: pl.DataFrame) -> pl.DataFrame:
    sets = verdict.select("reasons").unique()
    names = sets.with_columns(_reasons=pl.Series([codes(one) for one in sets["reasons"]], dtype=pl.List(pl.String)))
    reasons = verdict.select("reasons").join(names, on="reasons", how="left", maintain_order="left")
    return place.select(
        _file=pl.lit(file),
        _row="row",
        _line="line",
        _reasons=reasons["_reasons"],
        _ply=verdict["ply"],
        _raw="raw",
    )


def _in_type(values: pl.Series | None, name: str, dtype: pl.DataType, height: int) -> pl.Series:
    if values is None:
        return pl.Series(name, [None], dtype).new_from_index(0, height)
    return values if values.dtype == dtype else as_text(values)

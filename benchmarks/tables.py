"""Writes tables group by group, as Parquet or CSV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.drawing import ROWS_IN_GROUP


def write_table(path: Path, schema: pa.Schema, groups: Iterator[pl.DataFrame]) -> None:
    """Write all rows to a file of this schema: a CSV file if it is named so, else Parquet."""
    if path.suffix == ".csv":
        with path.open("wb") as file:
            file.write(",".join(schema.names).encode() + b"\n")
            for rows in groups:
                rows.write_csv(file, include_header=False)
        return
    with pq.ParquetWriter(path, schema) as writer:
        for rows in groups:
            writer.write_table(rows.to_arrow().cast(schema), row_group_size=ROWS_IN_GROUP)

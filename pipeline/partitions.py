"""Brings all rows of one key together, in memory while they are few, on disk when they are many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa

PARTS: Final = 64
ROWS_IN_MEMORY: Final = 2_000_000


class Partitions:
    """Rows split by a hash of their key, so that each part holds all rows of its keys, in the order of adding.

    Once there are more than ``rows_in_memory`` they are kept in ``folder``, one file a part; a part is then about
    a 64th of all rows, whatever their order. Rows without a key are in any one part.

    Raises:
        OSError: the files cannot be written.
    """

    def __init__(self, folder: Path, key: str, schema: pl.Schema, *, rows_in_memory: int = ROWS_IN_MEMORY) -> None:
        self._folder = folder
        self._key = key
        self._schema = schema
        self._rows_in_memory = rows_in_memory
        self._held: list[pl.DataFrame] = []
        self._rows_held = 0
        self._writers: dict[int, pa.RecordBatchFileWriter] = {}

    def add(self, rows: pl.DataFrame) -> None:
        """Take more rows, of the schema."""
        self._held.append(rows)
        self._rows_held += rows.height
        if self._writers or self._rows_held > self._rows_in_memory:
            self._spill()

    def parts(self) -> Iterator[pl.DataFrame]:
        """Every part that holds any rows; nothing can be added any more."""
        if not self._writers:
            if self._rows_held:
                yield pl.concat(self._held)
            return
        for writer in self._writers.values():
            writer.close()
        for part in self._writers:
            path = self._path(part)
            yield pl.read_ipc(path)
            path.unlink()

    def _spill(self) -> None:
        part = (pl.col(self._key).hash() % PARTS).cast(pl.UInt8).fill_null(0).alias("part")
        for held in self._held:
            parts = held.with_columns(part).partition_by("part", as_dict=True, include_key=False)
            for (number,), rows in parts.items():
                self._writer(int(number)).write_table(rows.to_arrow())
        self._held.clear()
        self._rows_held = 0

    def _writer(self, part: int) -> pa.RecordBatchFileWriter:
        if part not in self._writers:
            self._folder.mkdir(exist_ok=True)
            options = pa.ipc.IpcWriteOptions(compression="lz4")
            arrow_schema = pl.DataFrame(schema=self._schema).to_arrow().schema
            self._writers[part] = pa.ipc.new_file(self._path(part), arrow_schema, options=options)
        return self._writers[part]

    def _path(self, part: int) -> Path:
        return self._folder / f"{part:02}.arrow"

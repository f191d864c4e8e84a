"""Keeps what can be read only once, such as standard input, so that it can be read again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from pipeline.batch import Batch, LineAccount, Source, SourceFormat
from pipeline.errors import InputError


class SpooledSource:
    """A source whose batches are kept in a folder as they are read, and come from there the next time."""

    def __init__(self, source: Source, folder: Path) -> None:
        self._source = source
        self._folder = folder
        self._kept = 0
        self._rest: Iterator[Batch] | None = None
        self._damage: InputError | None = None

    @property
    def file(self) -> str:
        """The input as given or as found."""
        return self._source.file

    @property
    def format(self) -> SourceFormat:
        """The kind of file."""
        return self._source.format

    @property
    def bytes(self) -> int:
        """Size of the input in bytes."""
        return self._source.bytes

    @property
    def schema(self) -> pl.Schema:
        """Names and types of the source's own columns, in order."""
        return self._source.schema

    @property
    def lines(self) -> LineAccount | None:
        """Lines read so far."""
        return self._source.lines

    def sample(self, records: int) -> pl.DataFrame:
        """The first records."""
        return self._source.sample(records)

    def close(self) -> None:
        """Let go of the input; what is kept stays until its folder goes."""
        self._source.close()

    def batches(self) -> Iterator[Batch]:
        """All records in order: what was kept comes from the folder, the rest from the source."""
        yield from map(self._load, range(self._kept))
        self._folder.mkdir(exist_ok=True)
        if self._rest is None:
            self._rest = self._source.batches()
        try:
            for batch in self._rest:
                self._keep(batch)
                yield batch
        except InputError as error:
            self._damage = error
        self.close()
        if self._damage is not None:
            raise self._damage

    def _keep(self, batch: Batch) -> None:
        for name, frame in (("columns", batch.columns), ("place", batch.place)):
            frame.write_ipc(self._path(name, self._kept), compression="lz4")
        if batch.lines is not None:
            batch.lines.to_frame("line").write_ipc(self._path("lines", self._kept), compression="lz4")
        self._kept += 1

    def _load(self, number: int) -> Batch:
        columns, place = (pl.read_ipc(self._path(name, number)) for name in ("columns", "place"))
        lines = self._path("lines", number)
        kept = pl.read_ipc(lines)["line"] if lines.exists() else None
        return Batch(columns, place, kept)

    def _path(self, name: str, number: int) -> Path:
        return self._folder / f"{name}-{number}.arrow"

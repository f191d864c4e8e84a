"""What every ingestor yields: batches of records in the source's own columns, and where each came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import polars as pl

SourceFormat = Literal["csv", "parquet", "frame"]
"""What a source is: a text file, a Parquet file, or a table that was given as such."""

PLACE: Final = pl.Schema({"row": pl.UInt64, "line": pl.UInt64, "raw": pl.String, "reasons": pl.UInt32})
"""Columns of ``Batch.place``.

``row``: data row in the file, from 0. ``line``: physical line on which the record starts, from 1, null where
the format has no lines. ``raw``: original text of a record that could not be split into the file's columns,
else null. ``reasons``: bits of the record-stage reasons found while reading, 0 where there are none.
"""


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive records of one file.

    ``columns`` holds the source's own columns under their own names (all null where ``place["raw"]`` is not),
    ``place`` one row for each of the same records with the columns of ``PLACE``. ``lines`` is the original
    text of each record with its line end, as ``Binary``, where the ingestor was asked to keep it.
    """

    columns: pl.DataFrame
    place: pl.DataFrame
    lines: pl.Series | None = None

    @property
    def split_columns(self) -> pl.DataFrame:
        """``columns`` of those records that could be split into them."""
        raw = self.place["raw"]
        return self.columns if raw.null_count() == raw.len() else self.columns.filter(raw.is_null())


@dataclass(slots=True)
class LineAccount:
    """Physical lines of a text file: ``read = header + blank + records`` once it is read to its end."""

    read: int = 0
    header: int = 0
    blank: int = 0
    records: int = 0


class Source(Protocol):
    """One opened input file."""

    @property
    def file(self) -> str:
        """The input as given or as found."""

    @property
    def format(self) -> SourceFormat:
        """The kind of file."""

    @property
    def bytes(self) -> int:
        """Size of the input in bytes, as stored; as far as read where it has no size of its own."""

    @property
    def schema(self) -> pl.Schema:
        """Names and types of the source's own columns, in order."""

    @property
    def lines(self) -> LineAccount | None:
        """Lines read so far; None for a format without lines."""

    def sample(self, records: int) -> pl.DataFrame:
        """The first ``records``, without those that could not be split; ``batches()`` yields them all the same."""

    def close(self) -> None:
        """Let go of the file; may be called more than once."""

    def batches(self) -> Iterator[Batch]:
        """All records in order, each in exactly one batch; a text file may be asked once.

        Raises:
            InputError: the file turns out damaged on the way.
        """

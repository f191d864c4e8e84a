"""Reads delimited text: every record in order, each with its place, and an account of every physical line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import BinaryIO, Final, Literal

import polars as pl

from pipeline.batch import Batch, LineAccount
from pipeline.errors import InputError
from pipeline.ingest.bulk import line_starts
from pipeline.ingest.content import refuse_too_wide
from pipeline.ingest.mixed import BlockSplitter, Split
from pipeline.ingest.opening import Dialect, read_opening
from pipeline.ingest.stream import BlockReader, count_line_ends

__all__ = ["Dialect", "TextSource"]

_SAMPLE_BYTES: Final = 1 << 20
_ROWS: Final = 1 << 21
"""Bounds the rows of a batch: lines of a character each would make ten times as many as others do."""

_CELLS: Final = 1 << 24
"""Bounds the cells of a batch: many short lines under a very wide header would outgrow memory as nulls."""


class TextSource:
    """One text file, all of its columns text exactly as written; an empty field is ``""``, never null.

    ``multiline_column`` names the column whose text may hold a board on three lines; set it before
    ``batches()``. ``header_bytes`` is the header record as it stands, with its line end, and the byte order
    mark before it; what the file does not have is left out. ``delimiter`` is the one in use.
    """

    multiline_column: str | None = None
    header_bytes: bytes
    delimiter: str

    def __init__(
        self,
        file: str,
        open_stream: Callable[[], BinaryIO],
        dialect: Dialect,
        *,
        size: int | None = None,
        keep_lines: bool = False,
        block_bytes: int = 16 << 20,
        batch_rows: int | None = None,
    ) -> None:
        """Opens the stream of decompressed bytes and reads up to the first record.

        ``size`` is the size as stored; ``keep_lines`` asks for ``Batch.lines``. Blocks of ``block_bytes`` are
        read, after the first one smaller ones where these hold more than ``batch_rows``.

        Raises:
            InputError: empty, without a record to name the columns, in another encoding, or damaged.
        """
        self._file = file
        self._size = size
        self._keep_lines = keep_lines
        self._batch_rows = batch_rows
        self._account = LineAccount()
        self._rows = 0
        try:
            stream = open_stream()
        except OSError as error:
            raise InputError(f"{file}: cannot be opened ({error})") from error
        self._reader = BlockReader(file, stream, block_bytes)
        try:
            opening = read_opening(file, self._reader, dialect, self._account)
            refuse_too_wide(file, len(opening.names))
        except InputError:
            self.close()
            raise
        self.header_bytes = opening.header
        self.has_header = opening.has_header
        self.delimiter = opening.delimiter
        self._account.read = self._reader.lines_taken
        self._schema = pl.Schema(dict.fromkeys(opening.names, pl.String()))

    @property
    def file(self) -> str:
        """The input as given or as found."""
        return self._file

    @property
    def format(self) -> Literal["csv"]:
        """The kind of file."""
        return "csv"

    @property
    def schema(self) -> pl.Schema:
        """The columns in order, all ``String``."""
        return self._schema

    @property
    def lines(self) -> LineAccount:
        """Lines read so far, those of the batches yielded and of the header."""
        return self._account

    def close(self) -> None:
        """Closes the stream; may be called more than once."""
        self._reader.close()

    def sample(self, records: int) -> pl.DataFrame:
        """Those of the first records that can be split, as many as fit into a block; ``batches()`` has them too.

        To be asked before ``batches()``.
        """
        size, bound = _SAMPLE_BYTES, self._reader.block_bytes
        while True:
            block = self._first_lines(min(size, bound))
            complete = self._reader.exhausted
            self._reader.give_back(len(block))
            splitter = BlockSplitter(self._schema, self.delimiter, None, keep_lines=False)
            split = splitter.split(block, complete=complete, base=0)
            if split.raw.len() >= records or complete or size >= bound:
                return split.columns.head(records).filter(split.raw.head(records).is_null())
            size *= 4

    def _first_lines(self, size: int) -> bytes:
        """Lines of at least ``size`` bytes, where there are as many; what is wrong is said when records are read."""
        with suppress(InputError):
            return self._reader.take(size)
        return b""

    def batches(self) -> Iterator[Batch]:
        """All records in order, each in exactly one batch; may be called once.

        Raises:
            InputError: the stream turns out damaged on the way; the batches before it hold good.
            ValueError: there is no column ``multiline_column``.
        """
        splitter = BlockSplitter(self._schema, self.delimiter, self.multiline_column, keep_lines=self._keep_lines)
        least = 1
        while block := self._bounded(self._reader.take(least), least):
            base = self._reader.position - len(block)
            split = splitter.split(block, complete=self._reader.exhausted, base=base)
            # A record that is open at the block's end is read again, joined with more of what it may run over.
            left = len(block) - split.size
            self._reader.give_back(left)
            least = min(splitter.enough(block, split.size), 2 * left) if left else 1
            batch = self._batch(split)
            if self._batch_rows is not None and batch.place.height > self._batch_rows:
                self._reader.block_bytes = max(1, split.size * self._batch_rows // batch.place.height)
            if batch.place.height:
                yield batch

    def _bounded(self, block: bytes, least: int) -> bytes:
        """The block without the lines that would make too many rows or cells; at least ``least`` bytes of it."""
        most = max(1, min(_ROWS, _CELLS // len(self._schema)))
        if count_line_ends(block) <= most:
            return block
        end = max(line_starts(block)[most], block.find(b"\n", least - 1) + 1)
        self._reader.give_back(len(block) - end)
        return block[:end]

    def _batch(self, split: Split) -> Batch:
        first_line = self._account.header + self._account.blank + self._account.records + 1
        height = split.columns.height
        # Counted over the bytes of the stream, not by what was made of them: the account can be checked.
        self._account.read = self._reader.lines_taken
        self._account.blank += split.blank
        self._account.records += split.lines - split.blank
        row = pl.int_range(self._rows, self._rows + height, dtype=pl.UInt64, eager=True)
        self._rows += height
        place = pl.DataFrame(
            {
                "row": row,
                "line": (split.starts + first_line).cast(pl.UInt64),
                "raw": split.raw,
                "reasons": split.reasons,
            }
        )
        return Batch(split.columns, place, split.kept)

    @property
    def bytes(self) -> int:
        """Size of the input in bytes, as stored; as far as read where it has no size of its own."""
        return self._reader.bytes_read if self._size is None else self._size

"""Takes a byte stream apart into blocks that end with a line end, however the stream delivers its bytes."""

from __future__ import annotations

import zlib
from typing import BinaryIO, Final

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

from pipeline.errors import InputError

LONGEST_LINE: Final = 16 << 20
"""The longest line that is still read, in bytes; beyond, a file is no table, and would outgrow memory."""

_PIECE: Final = 1 << 18
_DAMAGE: Final = (OSError, EOFError, zlib.error, pa.ArrowException)


def count_line_ends(block: bytes) -> int:
    """How many lines end in a block: as ``block.count`` says, in an eighth of the time."""
    octets = pa.UInt8Array.from_buffers(pa.uint8(), len(block), [None, pa.py_buffer(block)])
    return int((pl.Series(octets) == ord("\n")).sum())


class BlockReader:
    """Reads whole lines from a stream that can be read only once, with room to give some back.

    ``block_bytes`` is the size aimed at; a block is longer where a line is. ``bytes_read`` counts what the
    stream has delivered. A stream that breaks off, or holds a line of more than ``longest_line`` bytes, ends with
    its last whole line.
    """

    def __init__(self, file: str, stream: BinaryIO, block_bytes: int, longest_line: int = LONGEST_LINE) -> None:
        """Reads nothing yet; ``file`` is only for messages."""
        self.block_bytes = max(1, block_bytes)
        self.bytes_read = 0
        self._file = file
        self._stream = stream
        # One read of what lies below at a time: a failing one then takes nothing with it that came before.
        self._read_once = getattr(stream, "read1", stream.read)
        self._longest_line = longest_line
        self._buffer = b""
        self._begin = 0
        self._at = 0
        self._line_ends = 0
        self._ended = False
        self._fault: InputError | None = None

    @property
    def exhausted(self) -> bool:
        """Whether everything up to the stream's end has been taken."""
        return self._ended and self._at == len(self._buffer)

    @property
    def position(self) -> int:
        """How many bytes have been taken and not given back."""
        return self._begin + self._at

    @property
    def lines_taken(self) -> int:
        """How many lines have been taken and not given back, counted over the bytes that the stream delivered."""
        ends = self._line_ends - count_line_ends(self._buffer[self._at :])
        return ends + (self.exhausted and self._at > 0 and not self._buffer.endswith(b"\n"))

    def close(self) -> None:
        """Closes the stream."""
        self._stream.close()

    def take(self, least: int = 1) -> bytes:
        """The next lines, at least ``least`` bytes where the stream has as many; empty at its end.

        Raises:
            InputError: the stream broke off, and all whole lines before that have been taken.
        """
        wanted = max(least, self.block_bytes)
        self._fill(wanted)
        end = self._buffer.rfind(b"\n", self._at + least - 1, self._at + wanted) + 1
        if not end:
            end = self._line_end_from(self._at + wanted)
        block = self._buffer[self._at : end]
        self._at = end
        if not block and self._fault is not None:
            raise self._fault
        return block

    def give_back(self, count: int) -> None:
        """Returns the last ``count`` bytes of the block just taken."""
        self._at -= count

    def _fill(self, wanted: int) -> None:
        missing = wanted - (len(self._buffer) - self._at)
        if missing > 0 and not self._ended:
            # The bytes already taken go only here, so that give_back is a step back and no copy.
            pieces = [self._buffer[self._at :]]
            while missing > 0 and (piece := self._read(missing)):
                pieces.append(piece)
                missing -= len(piece)
            self._begin += self._at
            self._at = 0
            self._join(pieces)

    def _line_end_from(self, start: int) -> int:
        """Where the first line that ends at or after ``start`` ends, read on as far as needed."""
        end = self._buffer.find(b"\n", start) + 1
        if end or self._ended:
            return end or len(self._buffer)
        pieces = [self._buffer]
        length = len(self._buffer)
        line_start = self._buffer.rfind(b"\n") + 1
        while not end and (piece := self._read(self.block_bytes)):
            pieces.append(piece)
            found = piece.find(b"\n") + 1
            end = length + found if found else 0
            length += len(piece)
            if (end or length) - line_start > self._longest_line:
                return self._refuse_line(line_start, piece)
        self._join(pieces)
        return end or len(self._buffer)

    def _refuse_line(self, line_start: int, last_piece: bytes) -> int:
        """Let what has been read end before the line that is too long, and say where."""
        self._line_ends -= last_piece.count(b"\n")
        self._buffer = self._buffer[:line_start]
        self._break_off(
            f"line {self._line_ends + 1:,} is longer than {self._longest_line:,} bytes, and nothing from it on "
            "is read: no table has such lines; has it lost its line ends?"
        )
        return line_start

    def _read(self, count: int) -> bytes:
        if self._ended:
            return b""
        try:
            # In small pieces: what comes before damage is then not lost with it.
            piece = self._read_once(min(count, _PIECE)) or b""
        except MemoryError:
            # pyarrow's own one is an ArrowException too, and says nothing about the file.
            raise
        except _DAMAGE as error:
            self._break_off(
                f"is damaged after {self.bytes_read:,} bytes of text ({error}): get it again from its source", error
            )
            return b""
        self._ended = not piece
        self.bytes_read += len(piece)
        self._line_ends += count_line_ends(piece)
        return piece

    def _break_off(self, why: str, cause: Exception | None = None) -> None:
        self._ended = True
        self._fault = InputError(f"{self._file}: {why}")
        self._fault.__cause__ = cause

    def _join(self, pieces: list[bytes]) -> None:
        self._buffer = b"".join(pieces)
        if self._fault is not None:
            # What is left of a line is no line.
            self._buffer = self._buffer[: self._buffer.rfind(b"\n") + 1]

"""Takes a byte stream apart into blocks that end with a line end, however the stream delivers its bytes."""

from __future__ import annotations

import zlib
from typing import BinaryIO, Final

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

from pipeline.errors import InputError

_PIECE: Final = 1 << 18
_DAMAGE: Final = (OSError, EOFError, zlib.error, pa.ArrowException)


class BlockReader:
    """Reads whole lines from a stream that can be read only once, with room to give some back.

    ``block_bytes`` is the size aimed at; a block is longer where a line is. ``bytes_read`` counts what the
    stream has delivered.
    """

    def __init__(self, file: str, stream: BinaryIO, block_bytes: int) -> None:
        """Reads nothing yet; ``file`` is only for messages."""
        self.block_bytes = max(1, block_bytes)
        self.bytes_read = 0
        self._file = file
        self._stream = stream
        # One read of what lies below at a time: a failing one then takes nothing with it that came before.
        self._read_once = getattr(stream, "read1", stream.read)
        self._buffer = b""
        self._at = 0
        self._ended = False
        self._damage: Exception | None = None

    @property
    def exhausted(self) -> bool:
        """Whether everything up to the stream's end has been taken."""
        return self._ended and self._at == len(self._buffer)

    @property
    def position(self) -> int:
        """How many bytes have been taken and not given back."""
        return self.bytes_read - len(self._buffer) + self._at

    def close(self) -> None:
        """Closes the stream."""
        self._stream.close()

    def take(self, least: int = 1) -> bytes:
        """The next lines, at least ``least`` bytes where the stream has as many; empty at its end.

        Raises:
            InputError: the stream broke off before ``least`` bytes of whole lines.
        """
        wanted = max(least, self.block_bytes)
        self._fill(wanted)
        end = self._buffer.rfind(b"\n", self._at + least - 1, self._at + wanted) + 1
        if not end:
            end = self._line_end_from(self._at + wanted)
        block = self._buffer[self._at : end]
        self._at = end
        return block

    def give_back(self, count: int) -> None:
        """Returns the last ``count`` bytes of the block just taken."""
        self._at -= count

    def _fill(self, wanted: int) -> None:
        missing = wanted - (len(self._buffer) - self._at)
        if missing > 0:
            # The bytes already taken go only here, so that give_back is a step back and no copy.
            pieces = [self._buffer[self._at :]]
            while missing > 0 and (piece := self._read(missing)):
                pieces.append(piece)
                missing -= len(piece)
            self._buffer = b"".join(pieces)
            self._at = 0

    def _line_end_from(self, start: int) -> int:
        """Where the first line that ends at or after ``start`` ends, read on as far as needed."""
        end = self._buffer.find(b"\n", start) + 1
        if end or self._ended:
            return end or len(self._buffer)
        pieces = [self._buffer]
        length = len(self._buffer)
        while not end and (piece := self._read(self.block_bytes)):
            pieces.append(piece)
            found = piece.find(b"\n") + 1
            end = length + found if found else 0
            length += len(piece)
        self._buffer = b"".join(pieces)
        if self._damage is not None and not end:
            raise InputError(
                f"{self._file}: is damaged after {self.bytes_read:,} bytes of text ({self._damage}): "
                "get it again from its source"
            ) from self._damage
        return end or length

    def _read(self, count: int) -> bytes:
        if self._ended or self._damage is not None:
            return b""
        try:
            # In small pieces: what comes before damage is then not lost with it.
            piece = self._read_once(min(count, _PIECE)) or b""
        except MemoryError:
            # pyarrow's own one is an ArrowException too, and says nothing about the file.
            raise
        except _DAMAGE as error:
            self._damage = error
            return b""
        self._ended = not piece
        self.bytes_read += len(piece)
        return piece

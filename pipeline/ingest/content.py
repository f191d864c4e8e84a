"""Tells by its first bytes what a stream holds, unpacks it, and refuses what is no text table."""

from __future__ import annotations

import io
import re
from typing import BinaryIO, Final, Literal, cast

import pyarrow as pa

from pipeline.errors import InputError

PARQUET_MAGIC: Final = b"PAR1"
MOST_COLUMNS: Final = 4_096
"""How many columns a file may have; each costs memory in every batch, and nine are a board."""

_COMPRESSED: Final[tuple[tuple[bytes, Literal["gzip", "zstd"]], ...]] = (
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
_PACKED_SUFFIXES: Final = (".gz", ".zst")
_REFUSED: Final = (
    (b"version https://git-lfs", "is a Git LFS pointer, not the data: fetch it with `git lfs pull`"),
    (b"PK\x03\x04", "is a ZIP archive or a spreadsheet: unpack it, or save it as CSV"),
    (b"BZh", "is packed with bzip2: unpack it, or pack it as .gz or .zst"),
    (b"\xfd7zXZ", "is packed with xz: unpack it, or pack it as .gz or .zst"),
    (b"ARROW1", "is an Arrow IPC file: write it as Parquet"),
    (b"SQLite format 3", "is an SQLite database: export the table as CSV or Parquet"),
    (b"\x89HDF", "is an HDF5 file: write it as Parquet"),
    (b"\x80\x04", "is a Python pickle, which is never loaded: write it as Parquet"),
    (b"\x80\x05", "is a Python pickle, which is never loaded: write it as Parquet"),
    (b"%PDF", "is a PDF document, not a table"),
    (PARQUET_MAGIC, "is Parquet, which cannot be read from a stream: name the file"),
)
_REFUSED_TEXT: Final = (
    (
        rb"(?i)<!doctype|<html|<\?xml|<head|<body",
        "is HTML or XML, not a table: a page that was saved instead of the data?",
    ),
    (rb"\{", "looks like JSON, which is not read: write it as CSV or Parquet"),
    (rb"\[\s*(?:\{|\n|\r)", "looks like JSON, which is not read: write it as CSV or Parquet"),
    (rb"(?i)(?:(?:%[^\n]*)?\n|\s)*@relation\s", "is ARFF, which is not read: leave out all up to @data, and it is CSV"),
    (rb"(?i)sep=.\r?\n", "begins with a line that is for spreadsheets only (sep=…): leave that line out"),
    (rb"(?:%[^\n]*\n)+", "begins with % comments, as ARFF does: leave out all before the first record or header"),
)
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_START: Final = 4_096


def is_url(given: str) -> bool:
    """Whether an INPUT is a URL, such as ``s3://bucket/data.parquet``."""
    return "://" in given


def text_stream(name: str, stream: BinaryIO) -> BinaryIO:
    """The stream of text bytes in ``stream``, unpacked where it is packed with gzip or zstd.

    Raises:
        InputError: it is not text, or not packed though its name says so.
    """
    start, stream = _peek(stream)
    packed = next((how for magic, how in _COMPRESSED if start.startswith(magic)), None)
    if packed is not None:
        start, stream = _peek(cast("BinaryIO", pa.CompressedInputStream(stream, packed)))
    elif name.lower().endswith(_PACKED_SUFFIXES):
        stream.close()
        raise InputError(f"{name}: is named as if it were packed, but is not: mend the name, or get the file again")
    text = start.removeprefix(_BYTE_ORDER_MARK).lstrip()
    why = next((why for magic, why in _REFUSED if start.startswith(magic)), None) or next(
        (why for pattern, why in _REFUSED_TEXT if re.match(pattern, text)), None
    )
    if why is not None:
        stream.close()
        raise InputError(f"{name}: {why}")
    return stream


def refuse_too_wide(name: str, columns: int) -> None:
    """Make sure that a file does not have more columns than can be held.

    Raises:
        InputError: it does.
    """
    if columns > MOST_COLUMNS:
        raise InputError(
            f"{name}: has {columns:,} columns, more than {MOST_COLUMNS:,}: no table of boards or moves does; "
            "is the delimiter right, and are there line ends?"
        )


def _peek(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    raw = cast("io.RawIOBase", stream)
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(raw, _START)
    return buffered.peek(_START)[:_START], buffered

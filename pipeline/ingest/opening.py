"""Reads what precedes the records of a text file: byte order mark, blank lines, delimiter, header."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pipeline.batch import LineAccount
from pipeline.errors import InputError
from pipeline.ingest.delimiter import find_delimiter, first_fields, first_record
from pipeline.ingest.records import Record
from pipeline.ingest.stream import BlockReader
from pipeline.recognise.header import is_header

_OTHER_ENCODINGS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_BLANK_LINES: Final = re.compile(rb"(?:\r?\n)*+")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text file is split; what is None is told from the file.

    ``header``: whether the first record names the columns. ``delimiter`` is one ASCII character, no quote and no
    line end. ``names`` are those of columns that the header must have if there is one, ``symbols`` those of cells
    that are not the usual ones.
    """

    header: bool | None = None
    delimiter: str | None = None
    names: tuple[str, ...] = ()
    symbols: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Opening:
    """What precedes the records: column names, all different, and the bytes of byte order mark and header."""

    names: list[str]
    delimiter: str
    header: bytes
    has_header: bool


def read_opening(file: str, reader: BlockReader, dialect: Dialect, account: LineAccount) -> Opening:
    """Takes all that precedes the records from ``reader`` and enters it in ``account``.

    Without a header the first record stays in ``reader``; where its quotes are broken, every delimiter on its
    line counts.

    Raises:
        InputError: empty, only blank lines, not UTF-8, a header with broken quotes, or damaged.
    """
    mark = _skip_to_first_record(file, reader, account)
    delimiter = dialect.delimiter or find_delimiter(reader)
    block, record = first_record(reader, delimiter.encode())
    has_header = _has_header(block, record, delimiter.encode(), dialect) if dialect.header is None else dialect.header
    if not has_header:
        reader.give_back(len(block))
        width = len(record.fields) or block.count(delimiter.encode(), 0, record.after) + 1
        names = [f"column_{number}" for number in range(1, width + 1)]
        return Opening(names, delimiter, mark, has_header=False)
    if record.broken:
        raise InputError(
            f"{file}: the header (line {account.read + 1}) has a quote that is never closed, or text after a "
            "closing quote: mend it, or say that there is no header"
        )
    reader.give_back(len(block) - record.after)
    account.read += record.lines
    account.header += record.lines
    names = _column_names(file, record)
    return Opening(names, delimiter, mark + block[: record.after], has_header=True)


def _has_header(block: bytes, record: Record, delimiter: bytes, dialect: Dialect) -> bool:
    """Whether the first record names the columns, by itself and those that follow it in ``block``."""
    if record.broken:
        # It is then reported as a header whose quotes are broken.
        return True
    fields, *following = ([field.decode(errors="replace") for field in one] for one in first_fields(block, delimiter))
    return is_header(fields, following, wanted=dialect.names, symbols=dialect.symbols)


def _skip_to_first_record(file: str, reader: BlockReader, account: LineAccount) -> bytes:
    """Goes on to the first record and returns the byte order mark that precedes it, if there is one."""
    block = reader.take()
    for mark, name in _OTHER_ENCODINGS:
        if block.startswith(mark):
            raise InputError(f"{file}: is {name} text, as its first bytes show: convert it to UTF-8")
    start = len(codecs.BOM_UTF8) if block.startswith(codecs.BOM_UTF8) else 0
    byte_order_mark = block[:start]
    if start == len(block):
        raise InputError(f"{file}: is empty, expected a header or a record")
    while True:
        end = _BLANK_LINES.match(block, start).end()  # type: ignore[union-attr]
        blank = block.count(b"\n", start, end)
        account.read += blank
        account.blank += blank
        if end < len(block):
            reader.give_back(len(block) - end)
            return byte_order_mark
        block, start = reader.take(), 0
        if not block:
            raise InputError(f"{file}: has only blank lines, expected a header or a record")


def _column_names(file: str, record: Record) -> list[str]:
    for character, meaning in ((b"\0", "NUL bytes, as UTF-16 has"), (b"\r", "line ends of CR alone")):
        if any(character in field.replace(b"\r\n", b"") for field in record.fields):
            raise InputError(f"{file}: the header holds {meaning}: convert the file to UTF-8 with line ends of LF")
    try:
        return _all_different([field.decode() for field in record.fields])
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file}: the header is not UTF-8 (a name reads {error.object!r:.80}): convert the file to UTF-8"
        ) from error


def _all_different(names: Iterable[str]) -> list[str]:
    """Repeated names with ``_duplicated_0`` and so on, as Polars names them, past names that are taken."""
    originals = list(names)
    taken = set(originals)
    seen: set[str] = set()
    following: dict[str, int] = {}
    result = []
    for original in originals:
        name = original
        while name in seen or (name != original and name in taken):
            number = following.get(original, 0)
            following[original] = number + 1
            name = f"{original}_duplicated_{number}"
        seen.add(name)
        result.append(name)
    return result

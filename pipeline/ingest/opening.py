"""Reads what precedes the records of a text file: byte order mark, blank lines, delimiter, header."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pipeline.batch import LineAccount
from pipeline.errors import InputError, UsageError
from pipeline.ingest.records import Record, RecordSplitter
from pipeline.ingest.stream import BlockReader

_DELIMITERS: Final = b",;\t|"
_OTHER_ENCODINGS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_BLANK_LINES: Final = re.compile(rb"(?:\r?\n)*+")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text file is split.

    ``delimiter`` is one ASCII character; None: told from the first record, whichever of ``,``, ``;``, tab
    and ``|`` occurs most outside quotes, comma where none does.

    Raises:
        UsageError: a delimiter that cannot be one.
    """

    header: bool = True
    delimiter: str | None = None

    def __post_init__(self) -> None:
        """Checks the delimiter."""
        mark = self.delimiter
        if mark is not None and (len(mark) != 1 or not mark.isascii() or mark in '"\r\n'):
            raise UsageError(
                f"The delimiter {mark!r} cannot be used: expected one ASCII character, no quote or line end"
            )


@dataclass(frozen=True, slots=True)
class Opening:
    """What precedes the records: column names, all different, and the bytes of byte order mark and header."""

    names: list[str]
    delimiter: str
    header: bytes


def read_opening(file: str, reader: BlockReader, dialect: Dialect, account: LineAccount) -> Opening:
    """Takes all that precedes the records from ``reader`` and enters it in ``account``.

    Without a header the first record stays in ``reader``; where its quotes are broken, every delimiter on its
    line counts.

    Raises:
        InputError: empty, only blank lines, not UTF-8, a header with broken quotes, or damaged.
    """
    mark = _skip_to_first_record(file, reader, account)
    delimiter = dialect.delimiter or _most_frequent_delimiter(reader)
    block, record = _first_record(reader, delimiter.encode())
    if not dialect.header:
        reader.give_back(len(block))
        width = len(record.fields) or block.count(delimiter.encode(), 0, record.after) + 1
        return Opening([f"column_{number}" for number in range(1, width + 1)], delimiter, mark)
    if record.broken:
        raise InputError(
            f"{file}: the header (line {account.read + 1}) has a quote that is never closed, or text after a "
            "closing quote: mend it, or say that there is no header"
        )
    reader.give_back(len(block) - record.after)
    account.read += record.lines
    account.header += record.lines
    return Opening(_column_names(file, record), delimiter, mark + block[: record.after])


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


def _first_record(reader: BlockReader, delimiters: bytes) -> tuple[bytes, Record]:
    """The first record, and a block just taken that starts with it."""
    splitter = RecordSplitter(delimiters)
    least = 1
    while True:
        block = reader.take(least)
        record = splitter.split(block, 0, complete=reader.exhausted, base=0)
        if record is not None:
            return block, record
        reader.give_back(len(block))
        least = splitter.enough(block, 0)


def _most_frequent_delimiter(reader: BlockReader) -> str:
    # Which quotes open a field depends on the delimiter: each candidate counts as one until it is known.
    block, record = _first_record(reader, _DELIMITERS)
    reader.give_back(len(block))
    counts = {
        mark: block.count(mark, 0, record.after) - sum(field.count(mark) for field in record.fields)
        for mark in _DELIMITERS
    }
    return chr(max(counts, key=lambda mark: counts[mark]))


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

"""Tells what separates the fields of a text file, by its first records."""

from __future__ import annotations

from collections import Counter
from typing import Final

from pipeline.ingest.records import Record, RecordSplitter
from pipeline.ingest.stream import BlockReader

_DELIMITERS: Final = b",;\t|"
_SPACE: Final = b" "
_RECORDS: Final = 100
"""So many records are split to see whether all have as many fields."""

_EVEN: Final = 0.9
"""The share of them that must have the same number."""


def find_delimiter(reader: BlockReader) -> str:
    """The delimiter of the records that ``reader`` stands at: of ``,``, ``;``, tab and ``|`` the most frequent.

    Only those count that the first record has outside quotes; of several, those that split nearly all of the first
    records into as many fields. Where it has none of them, blanks separate if they split all records evenly, and
    else there is one column.
    """
    # Which quotes open a field depends on the delimiter: each candidate counts as one until it is known.
    block, record = first_record(reader, _DELIMITERS)
    reader.give_back(len(block))
    line = block[: record.after]
    inside = sum((Counter(field) for field in record.fields), Counter[int]())
    counts = {mark: line.count(mark) - inside[mark] for mark in _DELIMITERS if line.count(mark) > inside[mark]}
    if not counts:
        return " " if _splits_evenly(block, _SPACE) else ","
    if len(counts) > 1:
        even = {mark: count for mark, count in counts.items() if _splits_evenly(block, bytes([mark]))}
        counts = even or counts
    return chr(max(counts, key=lambda mark: counts[mark]))


def first_record(reader: BlockReader, delimiters: bytes) -> tuple[bytes, Record]:
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


def first_fields(block: bytes, delimiter: bytes) -> list[list[bytes]]:
    """The fields of the first records of a block, without blank lines and records whose quotes are broken."""
    splitter = RecordSplitter(delimiter)
    found: list[list[bytes]] = []
    start = 0
    while start < len(block) and len(found) < _RECORDS:
        record = splitter.split(block, start, complete=True, base=0)
        if record is None:
            break
        start = record.after
        if record.fields not in ([], [b""]):
            found.append(record.fields)
    return found


def _splits_evenly(block: bytes, delimiter: bytes) -> bool:
    """Whether the first record and nearly all after it have the same number of fields, more than one.

    Blanks separate only if no field is empty, and none begins a list.
    """
    records = first_fields(block, delimiter)
    if delimiter == _SPACE and not all(all(record) and not record[0].startswith((b"[", b"(")) for record in records):
        return False
    widths = [len(record) for record in records] or [0]
    return widths[0] > 1 and widths.count(widths[0]) >= _EVEN * len(widths)

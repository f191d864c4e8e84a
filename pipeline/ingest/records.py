"""Splits one text record at a time, exactly: short, long, broken and many-line ones are told apart here."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

LONGEST_BYTES: Final = 1 << 20
"""How far beyond its first line a record may close its quoted fields, in bytes."""

LONGEST_LINES: Final = 10_000
"""How far beyond its first line a record may close its quoted fields, in lines."""

_LINE_FEED: Final = 10
_QUOTED: Final = re.compile(rb'"[^"]*+(?:""[^"]*+)*+"')


class Record(NamedTuple):
    """One record as it was split.

    ``end`` is where its last line's content ends, ``after`` where the next line starts. ``fields`` are the
    values, empty where the record's quotes are broken.
    """

    end: int
    after: int
    lines: int
    fields: list[bytes]

    @property
    def broken(self) -> bool:
        """Whether a quote is never closed, or followed by text."""
        return not self.fields


class RecordSplitter:
    """Splits records at any one of some delimiters.

    A record whose quotes are broken is its first line alone, and the lines it would have swallowed are split
    again on their own. To keep that linear, the places where its later fields started are remembered: a
    record that comes to such a place is broken as well, for it would run into the same end.
    """

    def __init__(self, delimiters: bytes, longest_bytes: int | None = None, longest_lines: int | None = None) -> None:
        """Without limits given, those of the module hold."""
        self.longest_bytes = LONGEST_BYTES if longest_bytes is None else longest_bytes
        self.longest_lines = LONGEST_LINES if longest_lines is None else longest_lines
        self._delimiters = delimiters
        self._unquoted = re.compile(b"[^\n" + re.escape(delimiters) + b"]*+")
        self._dead: set[int] = set()
        self._dead_until = -1

    def split(self, data: bytes, start: int, *, complete: bool, base: int) -> Record | None:
        """The record that starts at ``start``; None where it is still open at the end of ``data``.

        ``complete`` says that the file ends with ``data``; else ``data`` ends with a line end. ``base`` is
        the place of ``data`` in the file.
        """
        after = data.find(b"\n", start) + 1 or len(data)
        if data.find(b'"', start, after) < 0 and len(self._delimiters) == 1:
            end = _content_end(data, start, after)
            return Record(end, after, 1, data[start:end].split(self._delimiters))
        if self._dead and base + start > self._dead_until:
            self._dead.clear()
        return self._split_quoted(data, start, after, complete=complete, base=base)

    def enough(self, data: bytes, start: int) -> int:
        """How many bytes from ``start`` on surely tell what a record is that ``data`` leaves open."""
        return (data.find(b"\n", start) + 1 or len(data)) - start + self.longest_bytes

    def _split_quoted(self, data: bytes, start: int, after: int, *, complete: bool, base: int) -> Record | None:
        bound = after + self.longest_bytes
        fields: list[bytes] = []
        later: list[int] = []
        lines = 1
        position = start
        while True:
            if position >= after:
                if base + position in self._dead:
                    return self._broken(data, start, after, base, later)
                later.append(position)
            if data.startswith(b'"', position):
                match = _QUOTED.match(data, position, bound)
                if match is None and not complete and self._may_close_later(data, after, bound):
                    return None
                lines += data.count(b"\n", position, match.end()) if match else 0
                if match is None or lines > self.longest_lines + 1:
                    return self._broken(data, start, after, base, later)
                end = match.end()
                fields.append(data[position + 1 : end - 1].replace(b'""', b'"'))
                position = end + 1 if data.startswith(b"\r\n", end) else end
            else:
                begin, position = position, self._unquoted_end(data, position)
                at_line_end = data.startswith(b"\n", position)
                end = _content_end(data, begin, position + 1) if at_line_end else position
                fields.append(data[begin:end])
            if position == len(data) or data[position] == _LINE_FEED:
                return Record(end, min(position + 1, len(data)), lines, fields)
            if data[position] not in self._delimiters:
                return self._broken(data, start, after, base, later)
            position += 1

    def _may_close_later(self, data: bytes, after: int, bound: int) -> bool:
        return len(data) < bound and data.count(b"\n", after) <= self.longest_lines

    def _unquoted_end(self, data: bytes, start: int) -> int:
        match = self._unquoted.match(data, start)
        return match.end() if match else start

    def _broken(self, data: bytes, start: int, after: int, base: int, later: list[int]) -> Record:
        self._dead.update(base + position for position in later)
        self._dead_until = max([self._dead_until, *(base + position for position in later[-1:])])
        return Record(_content_end(data, start, after), after, 1, [])


def _content_end(data: bytes, start: int, after: int) -> int:
    """Where the text from ``start`` ends: before the LF or CRLF that may end at ``after``."""
    if data.endswith(b"\r\n", start, after):
        return after - 2
    return after - 1 if data.endswith(b"\n", start, after) else after

"""An independent splitter of text tables, in plain Python, that walks a whole file byte by byte."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.batch import LineAccount
from pipeline.ingest.text import Dialect
from schemas.reasons import bits

QUOTE, FEED, RETURN = b'"\n\r'


@dataclass
class Expected:
    """What a file should read as; ``records`` are (line, raw, reasons, values, original bytes)."""

    names: list[str]
    header: bytes
    delimiter: str
    account: LineAccount = field(default_factory=LineAccount)
    records: list[tuple[int, str | None, int, list[str] | None, bytes]] = field(default_factory=list)


def split_one(  # noqa: C901, PLR0912 -- one state machine, to be read in one piece
    data: bytes, start: int, delimiters: bytes, dead: set[int], limits: tuple[int, int]
) -> tuple[int, list[bytes] | None]:
    """The record's end and fields, None for broken quotes."""
    first_end = data.find(b"\n", start) + 1 or len(data)
    bound = first_end + limits[0]
    fields: list[bytes] = []
    path: list[int] = []
    value = bytearray()
    breaks = 0
    state = "start"
    at = start
    while True:
        byte = data[at] if at < len(data) else None
        broken = False
        if state == "start":
            if at >= first_end:
                broken = at in dead
                path.append(at)
            state = "quoted" if byte == QUOTE else "unquoted"
            at += byte == QUOTE
        elif state == "quoted":
            if byte is None or at >= bound:
                broken = True
            elif byte != QUOTE:
                breaks += byte == FEED
                value.append(byte)
                at += 1
            elif data[at + 1 : at + 2] == b'"':
                value.append(QUOTE)
                at += 2
            else:
                broken = breaks > limits[1]
                state = "closed"
                at += 1
        elif byte is None or byte == FEED:
            if byte == FEED and state == "unquoted" and value.endswith(b"\r"):
                del value[-1]
            return min(at + 1, len(data)), [*fields, bytes(value)]
        elif byte in delimiters:
            fields.append(bytes(value))
            value.clear()
            state = "start"
            at += 1
        elif state == "unquoted":
            value.append(byte)
            at += 1
        elif data[at : at + 2] == b"\r\n":
            at += 1
        else:
            broken = True
        if broken:
            dead.update(path)
            return first_end, None


def without_end(original: bytes) -> bytes:
    return original[: -1 - original.endswith(b"\r\n")] if original.endswith(b"\n") else original


def is_board(value: bytes) -> bool:
    try:
        rows = value.decode().replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError:
        return False
    return [len(row) for row in rows] == [3, 3, 3] and not any("\r" in row for row in rows)


def told_delimiter(data: bytes, start: int, limits: tuple[int, int]) -> str:
    end, fields = split_one(data, start, b",;\t|", set(), limits)
    inside = b"".join(fields or [])
    counts = [data[start:end].count(mark) - inside.count(mark) for mark in (b",", b";", b"\t", b"|")]
    return ",;\t|"[counts.index(max(counts))]


def deduplicated(names: list[str]) -> list[str]:
    result: list[str] = []
    for position, name in enumerate(names):
        candidates = [name] if name not in names[:position] else []
        candidates += [new for i in range(len(names) + 1) if (new := f"{name}_duplicated_{i}") not in names]
        result.append(next(new for new in candidates if new not in result))
    return result


def expected(data: bytes, dialect: Dialect, multiline: int | None, limits: tuple[int, int]) -> Expected | None:
    """None where the file must be refused."""
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    at = len(mark)
    blank = 0
    while data.startswith((b"\n", b"\r\n"), at):
        at += 1 + data.startswith(b"\r", at)
        blank += 1
    if at == len(data) or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    delimiter = dialect.delimiter or told_delimiter(data, at, limits)
    end, fields = split_one(data, at, delimiter.encode(), set(), limits)
    if not dialect.header:
        width = len(fields) if fields else data[at:end].count(delimiter.encode()) + 1
        found = Expected([f"column_{i + 1}" for i in range(width)], mark, delimiter)
    else:
        try:
            names = [name.decode() for name in fields or []]
        except UnicodeDecodeError:
            return None
        bare = b"".join(fields or []).replace(b"\r\n", b"")
        if not names or b"\0" in bare or b"\r" in bare:
            return None
        found = Expected(deduplicated(names), mark + data[at:end], delimiter)
        at = end
    account = found.account
    account.header, account.blank = found.header.count(b"\n") + (not found.header.endswith(b"\n")), blank
    account.header = account.header if dialect.header else 0
    dead: set[int] = set()
    line = account.header + blank + 1
    while at < len(data):
        if data.startswith((b"\n", b"\r\n"), at):
            at += 1 + data.startswith(b"\r", at)
            account.blank += 1
            line += 1
            continue
        end, fields = split_one(data, at, delimiter.encode(), dead, limits)
        original = data[at:end]
        found.records.append((line, *judged(original, fields, len(found.names), multiline), original))
        lines = original.count(b"\n") + (not original.endswith(b"\n"))
        account.records += lines
        line += lines
        at = end
    account.read = account.header + account.blank + account.records
    return found


def judged(
    original: bytes, fields: list[bytes] | None, width: int, multiline: int | None
) -> tuple[str | None, int, list[str] | None]:
    reasons = set()
    if fields is None:
        reasons.add("QUOTE_BROKEN")
    else:
        reasons |= {"FIELDS_MISSING"} if len(fields) < width else set()
        reasons |= {"FIELDS_EXTRA"} if len(fields) > width else set()
        for i, value in enumerate(fields):
            if b"\n" in value and not (i == multiline and is_board(value)):
                reasons.add("LINE_BREAK_IN_FIELD")
        try:
            original.decode()
        except UnicodeDecodeError:
            reasons.add("NOT_UTF8")
    if reasons - {"LINE_BREAK_IN_FIELD"} or fields is None:
        return without_end(original).decode(errors="backslashreplace"), bits(reasons), None
    return None, bits(reasons), [value.decode() for value in fields]

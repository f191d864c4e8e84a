"""Splits whole blocks of text at Polars' speed where that is proven to be exact, and says where it is not."""

from __future__ import annotations

from typing import Final

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

_LINE_FEED: Final = 10
_ONE_REGEX_COLUMNS: Final = 200
"""Up to this many columns one regular expression counts the fields too; beyond, it would grow too large."""

_TAKEN_FOR_ANOTHER_FORMAT: Final = (b"\xef\xbb\xbf", b"x\x01", b"x^", b"x\x9c", b"x\xda")
"""First bytes that Polars drops (a byte order mark) or decompresses (zlib)."""


def split_plain(block: bytes, schema: pl.Schema, delimiter: str) -> pl.DataFrame | None:
    """The block's records where every line is proven to be one without quotes, else None.

    Polars pads short rows and takes a blank line for a row, but refuses long ones: with none of them the
    number of delimiters shows that no row is short, and in one column only a blank line is empty.
    """
    if b'"' in block or block.startswith(_TAKEN_FOR_ANOTHER_FORMAT) or not is_utf8(block):
        return None
    # Polars drops a lone CR before a delimiter or the end of the file.
    if b"\r" in block and block.count(b"\r") != block.count(b"\r\n"):
        return None
    if not block.endswith(b"\n"):
        # A long last row without a line end would go unnoticed.
        block += b"\n"
    octets = _octets(block)
    height = _count(octets, _LINE_FEED)
    if _count(octets, ord(delimiter)) != height * (len(schema) - 1):
        return None
    frame = _read(block, schema, delimiter, quote=None)
    if frame is None or frame.height != height:
        return None
    if len(schema) == 1 and (frame.to_series() == "").any():
        return None
    return frame


def line_starts(block: bytes) -> pl.Series:
    """Where each line starts, and at last the block's end, as ``Int64``."""
    ends = (_octets(block) == _LINE_FEED).arg_true().cast(pl.Int64) + 1
    last = [] if block.endswith(b"\n") else [len(block)]
    return pl.concat([pl.Series([0], dtype=pl.Int64), ends, pl.Series(last, dtype=pl.Int64)])


def cut(block: bytes, starts: pl.Series) -> pl.Series:
    """The lines with their ends, as ``Binary``, without copying the text."""
    offsets = starts.rechunk().to_arrow().buffers()[1]
    buffers = [None, offsets, pa.py_buffer(block)]
    return pl.Series(pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(starts) - 1, buffers))


def text_lines(block: bytes, lines: pl.Series) -> tuple[pl.Series, pl.Series]:
    """The lines as ``String``, and for each whether it is surely UTF-8 (others hold replacements)."""
    if is_utf8(block):
        return lines.cast(pl.String), pl.repeat(value=True, n=len(lines), dtype=pl.Boolean, eager=True)
    # Polars casts all lines or none. No line end is lost: a replacement ends before any ASCII character.
    repaired = block.decode("utf-8", "replace").encode()
    text = cut(repaired, line_starts(repaired)).cast(pl.String)
    return text, ~text.str.contains("\ufffd", literal=True)


def stands_alone(text: pl.Series, delimiter: str, width: int) -> pl.Series:
    """Whether a line by itself is a record of ``width`` fields that Polars reads as it is written.

    Lone CR and quotes within unquoted fields are well-formed, but Polars does not take them as they stand.
    """
    separator = f"\\x{ord(delimiter):02x}"
    field = f'(?:[^"{separator}\\r\\n]*|"(?:[^"\\r\\n]|"")*")'
    end = r"(?:\r?\n)?\z"
    if width <= _ONE_REGEX_COLUMNS:
        return text.str.contains(rf"\A{field}(?:{separator}{field}){{{width - 1}}}{end}")
    outside_quotes = text.str.replace_all('"[^"]*"', "")
    fitting = outside_quotes.str.count_matches(delimiter, literal=True) == width - 1
    return fitting & text.str.contains(rf"\A{field}(?:{separator}{field})*{end}")


def read_lines(
    block: bytes, starts: pl.Series, chosen: pl.Series, schema: pl.Schema, delimiter: str
) -> pl.DataFrame | None:
    """The records of those lines that are ``chosen``, which all stand alone.

    ``starts`` is where the block's lines start, ``chosen`` a ``Boolean`` for each. None where Polars finds
    more or fewer records.
    """
    if not chosen.any():
        return pl.DataFrame(schema=schema)
    # A first row of our own: nothing in the file's can then be taken for the start of another format.
    filler = b"b" if delimiter == "a" else b"a"
    first = filler + delimiter.encode() * (len(schema) - 1) + b"\n"
    text = b"".join([first, *_runs(block, starts, chosen)])
    frame = _read(text, schema, delimiter, quote='"' if b'"' in text else None)
    return frame[1:] if frame is not None and frame.height == int(chosen.sum()) + 1 else None


def is_utf8(block: bytes) -> bool:
    """Whether all bytes are UTF-8."""
    if block.isascii():
        return True
    try:
        pl.Series([block], dtype=pl.Binary).cast(pl.String)
    except pl.exceptions.PolarsError:
        return False
    return True


def _read(text: bytes, schema: pl.Schema, delimiter: str, quote: str | None) -> pl.DataFrame | None:
    try:
        return pl.read_csv(
            text,
            has_header=False,
            separator=delimiter,
            quote_char=quote,
            infer_schema=False,
            schema=schema,
            empty_string_is_null=False,
        )
    except pl.exceptions.PolarsError:
        return None


def _runs(block: bytes, starts: pl.Series, chosen: pl.Series) -> list[memoryview]:
    """The text of the chosen lines, those that follow each other in one piece."""
    edge = pl.Series([False])
    changes = (pl.concat([edge, chosen]) != pl.concat([chosen, edge])).arg_true()
    bounds = starts.gather(changes).to_list()
    view = memoryview(block)
    return [view[begin:end] for begin, end in zip(bounds[::2], bounds[1::2], strict=True)]


def _octets(block: bytes) -> pl.Series:
    return pl.Series(pa.UInt8Array.from_buffers(pa.uint8(), len(block), [None, pa.py_buffer(block)]))


def _count(octets: pl.Series, octet: int) -> int:
    return int((octets == octet).sum())

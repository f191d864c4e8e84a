"""Splits blocks of text into records in file order: in bulk what is proven plain, one by one what is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import polars as pl

from pipeline.batch import PLACE
from pipeline.ingest import bulk
from pipeline.ingest.records import Record, RecordSplitter
from schemas.reasons import BIT

_BOARD_ON_THREE_LINES: Final = re.compile(r"[^\r\n]{3}\r?\n[^\r\n]{3}\r?\n[^\r\n]{3}")


@dataclass(frozen=True, slots=True)
class Split:
    """The records of a block, in order.

    ``starts`` counts lines from the block's first one, from 0. ``lines`` are the physical lines used,
    ``blank`` of them blank, ``size`` their bytes: what follows belongs to a record that is still open.
    """

    columns: pl.DataFrame
    starts: pl.Series
    raw: pl.Series
    reasons: pl.Series
    kept: pl.Series | None
    lines: int
    blank: int
    size: int


class _Single(NamedTuple):
    """A record that was split on its own; ``values`` and ``raw`` as in a batch, one of the two None."""

    at: int
    reasons: int
    values: list[str] | None
    raw: str | None
    original: bytes


@dataclass(slots=True)
class _Singles:
    """Records that were split on their own, the lines they swallowed, and where an open one starts."""

    records: list[_Single] = field(default_factory=list)
    swallowed: list[int] = field(default_factory=list)
    open_at: int | None = None


class BlockSplitter:
    """Splits the blocks of one file, one after the other.

    ``multiline_column`` may hold a board on three lines, which is no finding.
    """

    def __init__(self, schema: pl.Schema, delimiter: str, multiline_column: str | None, *, keep_lines: bool) -> None:
        """``schema`` has every column of the file as ``String``."""
        self._schema = schema
        self._delimiter = delimiter
        self._multiline = None if multiline_column is None else schema.names().index(multiline_column)
        self._keep_lines = keep_lines
        self._splitter = RecordSplitter(delimiter.encode())

    def split(self, block: bytes, *, complete: bool, base: int) -> Split:
        """The records of whole lines; ``complete`` where the file ends with them.

        ``base`` is the block's place in the file. A record that is still open at the block's end is left out,
        with all that follows its start.
        """
        frame = bulk.split_plain(block, self._schema, self._delimiter)
        if frame is not None:
            return self._plain(block, frame)
        return self._mixed(block, complete=complete, base=base, trusted=True)

    def enough(self, block: bytes, start: int) -> int:
        """How many bytes from ``start`` on surely tell what the record is that was left open there."""
        return self._splitter.enough(block, start)

    def _plain(self, block: bytes, frame: pl.DataFrame) -> Split:
        rows = frame.height
        return Split(
            columns=frame,
            starts=pl.int_range(rows, dtype=pl.UInt64, eager=True),
            raw=pl.repeat(None, rows, dtype=PLACE["raw"], eager=True),
            reasons=pl.repeat(0, rows, dtype=PLACE["reasons"], eager=True),
            kept=bulk.cut(block, bulk.line_starts(block)) if self._keep_lines else None,
            lines=rows,
            blank=0,
            size=len(block),
        )

    def _mixed(self, block: bytes, *, complete: bool, base: int, trusted: bool) -> Split:
        starts = bulk.line_starts(block)
        lines = bulk.cut(block, starts)
        alone, blank = self._told_apart(block, lines)
        alone &= trusted
        rest = (~(alone | blank)).arg_true()
        firsts = starts.gather(rest).to_list()
        singles = self._singles(block, rest.to_list(), firsts, complete=complete, base=base)
        if singles.swallowed:
            alone = alone.scatter(singles.swallowed, values=False)
            blank = blank.scatter(singles.swallowed, values=False)
        used = len(lines) if singles.open_at is None else singles.open_at
        alone, blank = alone.head(used), blank.head(used)
        frame = bulk.read_lines(block, starts, alone, self._schema, self._delimiter)
        if frame is None:
            # Not seen so far; but what Polars does not confirm is not proven.
            return self._mixed(block, complete=complete, base=base, trusted=False)
        split = Split(
            columns=frame,
            starts=alone.arg_true().cast(PLACE["line"]),
            raw=pl.repeat(None, frame.height, dtype=PLACE["raw"], eager=True),
            reasons=pl.repeat(0, frame.height, dtype=PLACE["reasons"], eager=True),
            kept=lines.head(used).filter(alone) if self._keep_lines else None,
            lines=used,
            blank=int(blank.sum()),
            size=starts[used],
        )
        return _merged(split, singles.records) if singles.records else split

    def _told_apart(self, block: bytes, lines: pl.Series) -> tuple[pl.Series, pl.Series]:
        """Which lines are records by themselves, and which are blank, if no earlier record runs over them."""
        text, certain = bulk.text_lines(block, lines)
        blank = (text == "\n") | (text == "\r\n")
        return bulk.stands_alone(text, self._delimiter, len(self._schema)) & certain & ~blank, blank

    def _singles(self, block: bytes, indexes: list[int], starts: list[int], *, complete: bool, base: int) -> _Singles:
        singles = _Singles()
        following = 0
        for index, start in zip(indexes, starts, strict=True):
            if index < following:
                continue
            record = self._splitter.split(block, start, complete=complete, base=base)
            if record is None:
                singles.open_at = index
                break
            following = index + record.lines
            singles.swallowed.extend(range(index + 1, following))
            singles.records.append(self._judged(index, block, start, record))
        return singles

    def _judged(self, index: int, block: bytes, start: int, record: Record) -> _Single:
        original = block[start : record.after]
        reasons = self._reasons(record)
        if not record.broken and not bulk.is_utf8(original):
            reasons |= BIT["NOT_UTF8"]
        if reasons & ~BIT["LINE_BREAK_IN_FIELD"]:
            raw = block[start : record.end].decode(errors="backslashreplace")
            return _Single(index, reasons, None, raw, original)
        return _Single(index, reasons, [value.decode() for value in record.fields], None, original)

    def _reasons(self, record: Record) -> int:
        """The reasons that show without decoding the whole record."""
        if record.broken:
            return BIT["QUOTE_BROKEN"]
        reasons = 0
        if len(record.fields) != len(self._schema):
            missing = len(record.fields) < len(self._schema)
            reasons = BIT["FIELDS_MISSING" if missing else "FIELDS_EXTRA"]
        if record.lines > 1 and any(
            b"\n" in value and not (position == self._multiline and _is_board(value))
            for position, value in enumerate(record.fields)
        ):
            reasons |= BIT["LINE_BREAK_IN_FIELD"]
        return reasons


def _is_board(value: bytes) -> bool:
    try:
        return _BOARD_ON_THREE_LINES.fullmatch(value.decode()) is not None
    except UnicodeDecodeError:
        return False


def _merged(split: Split, singles: list[_Single]) -> Split:
    """``split`` with the records put in that were split on their own, in file order."""
    kept = [single for single in singles if single.values is not None]
    rejected = [single for single in singles if single.values is None]
    singles = kept + rejected
    schema = split.columns.schema
    columns = list(zip(*(single.values or () for single in kept), strict=True)) or [()] * len(schema)
    kept_columns = pl.DataFrame(dict(zip(schema, columns, strict=True)), schema=schema)
    rejected_columns = pl.DataFrame(schema=schema).clear(len(rejected))
    starts = _appended(split.starts, [single.at for single in singles])
    order = starts.arg_sort()
    # In one chunk: gathering from several takes four times as long.
    frame = pl.concat([split.columns, kept_columns, rejected_columns], rechunk=True)
    return replace(
        split,
        columns=frame[order],
        starts=starts.gather(order),
        raw=_appended(split.raw, [single.raw for single in singles]).gather(order),
        reasons=_appended(split.reasons, [single.reasons for single in singles]).gather(order),
        kept=None
        if split.kept is None
        else _appended(split.kept, [single.original for single in singles]).gather(order),
    )


def _appended(series: pl.Series, values: Sequence[object]) -> pl.Series:
    return pl.concat([series, pl.Series(series.name, values, series.dtype)], rechunk=True)

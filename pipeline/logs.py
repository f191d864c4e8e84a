"""Drives the rows of logs through judgement into the report: as they come, or gathered by game, then once more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, Final, TypeAlias

import polars as pl

from pipeline.batch import Batch, Source
from pipeline.config import LayoutOptions
from pipeline.errors import InputError
from pipeline.ingest.spool import SpooledSource
from pipeline.parallel import in_order
from pipeline.partitions import Partitions
from pipeline.stages import Outputs, batches_of, counted_in, enter_damage, opened
from pipeline.survey import Found
from pipeline.verdict.log import GAMES, judge_log
from pipeline.verdict.log_rows import ROWS, log_rows
from pipeline.verdict.log_runs import are_repeated, in_pieces, recognise_runs, whole_games

_Rules: TypeAlias = Callable[..., dict[str, Any]]
"""Gives the arguments that say how games are judged, when it is told ``first_ply``."""

_ROWS_AT_ONCE: Final = 200_000
"""So many rows of games that are not plainly valid are judged at once: fewer are not worth the while."""


def check_logs(inputs: Sequence[Found], options: LayoutOptions, outputs: Outputs) -> None:
    """Check logs, which are one table over all inputs, and read them again for the rows to be reported.

    Where the rows of each game follow each other they are judged as they come. If it turns out that they do not,
    all is read once more and gathered by game.
    """
    present = ((found, opened(found, outputs)) for found in inputs)
    logs = [_Log(found, source, outputs) for found, source in present if source is not None]
    by_ply = any(found.layout.log is not None and found.layout.log.ply is not None for found in inputs)
    rules: _Rules = partial(dict, first=options.first, by_ply=by_ply)
    try:
        invalid = _as_they_come(logs, options, outputs, rules)
    except _InPiecesError:
        invalid = None
    # Not sooner: the error holds on to all that was read.
    if invalid is None:
        outputs.summary.forget()
        invalid = _gathered(logs, options, outputs, rules)
    for log in logs:
        log.enter_damage(outputs)
    for log in logs:
        log.report(invalid, outputs)


@dataclass(slots=True)
class _Invalid:
    """The invalid games of logs (columns ``GAMES``), and where valid rows are asked for, all rows of these."""

    games: list[pl.DataFrame] = field(default_factory=lambda: [pl.DataFrame(schema=GAMES)])
    rows: list[pl.DataFrame] = field(default_factory=lambda: [pl.DataFrame(schema=ROWS)])


class _InPiecesError(Exception):
    """The rows of a game do not follow each other, or plies count from 0 after all."""


def _as_they_come(logs: Sequence[_Log], options: LayoutOptions, outputs: Outputs, rules: _Rules) -> _Invalid:
    """Judge every game where its rows follow each other.

    Raises:
        _InPiecesError: they do not.
    """
    batches = (rows for log in logs for rows in log.rows(options, outputs))
    first = next(batches, None)
    if first is None:
        return _Invalid()
    # If plies count from 0 the first games show it.
    rules = partial(rules, first_ply=0 if _has_ply_zero(first) else 1)
    return _judged(_not_recognised(whole_games(chain([first], batches)), outputs, rules()), outputs, rules())


def _not_recognised(
    parts: Iterator[pl.DataFrame], outputs: Outputs, rules: Mapping[str, Any]
) -> Iterator[pl.DataFrame]:
    """Count the games that are plainly valid; the rows of the others, many at a time."""
    keys: list[pl.Series] = [pl.Series(dtype=pl.UInt64)]
    others: list[pl.DataFrame] = []
    for rows, recognised in in_order(parts, lambda rows: recognise_runs(rows, **rules)):
        if in_pieces(rows, recognised) or (rules["first_ply"] and _has_ply_zero(rows)):
            raise _InPiecesError
        keys.append(recognised.keys)
        outputs.summary.add_games(recognised.games)
        others.append(recognised.others)
        if sum(rows.height for rows in others) >= _ROWS_AT_ONCE:
            yield pl.concat(others)
            others.clear()
    if are_repeated(pl.concat(keys)):
        raise _InPiecesError
    if others:
        yield pl.concat(others)


def _gathered(logs: Sequence[_Log], options: LayoutOptions, outputs: Outputs, rules: _Rules) -> _Invalid:
    """Bring the rows of each game together first, on disk where they are many."""
    parts = Partitions(outputs.scratch / "games", "game", ROWS)
    from_zero = False
    for log in logs:
        for rows in log.rows(options, outputs):
            from_zero |= _has_ply_zero(rows)
            parts.add(rows)
    return _judged(parts.parts(), outputs, rules(first_ply=0 if from_zero else 1))


def _judged(parts: Iterator[pl.DataFrame], outputs: Outputs, rules: Mapping[str, Any]) -> _Invalid:
    """Judge rows that hold all those of each of their games, and count these."""
    invalid = _Invalid()
    for rows, (games, is_invalid) in in_order(parts, lambda rows: judge_log(rows, **rules)):
        outputs.summary.add_games(games)
        invalid.games.append(games.filter(pl.col("reasons") != 0))
        if outputs.valid is not None:
            invalid.rows.append(rows.filter(is_invalid))
    return invalid


def _has_ply_zero(rows: pl.DataFrame) -> bool:
    in_games = pl.col("game").is_not_null() & (pl.col("reasons") == 0)
    return bool(rows.select((in_games & (pl.col("ply") == 0)).any()).item())


class _Log:
    """One input of a log, read for its games, twice if need be, and once more for the rows to report."""

    def __init__(self, found: Found, source: Source, outputs: Outputs) -> None:
        # The place of the input in the summary.
        self.number = len(outputs.summary.inputs)
        self.counted = counted_in(source, outputs)
        self._found = found
        self._height = 0
        self._damage: InputError | None = None
        # What can be read only once is kept on the way.
        self._kept = SpooledSource(source, outputs.scratch / f"input-{self.number}") if found.is_stream else None
        self._source: Source | None = self._kept or source

    def rows(self, options: LayoutOptions, outputs: Outputs) -> Iterator[pl.DataFrame]:
        """The rows as numbers, batch by batch; damage ends them."""
        source = self._opened()
        self._height, self._damage = 0, None
        # What is kept closes its source itself: not before all is there.
        with nullcontext() if source is self._kept else closing(source):
            self.counted.lines = source.lines
            batches = batches_of(source, self._found.layout, options)
            try:
                for (layout, _), rows in in_order(batches, lambda item: log_rows(item[1], self.number, item[0])):
                    self.counted.layout = layout.as_dict()
                    self._height += rows.height
                    outputs.summary.rows_read += rows.height
                    outputs.progress(rows.height)
                    yield rows
            except InputError as error:
                self._damage = error
            self.counted.bytes = source.bytes

    def enter_damage(self, outputs: Outputs) -> None:
        """Enter the damage that ended the rows, if any did."""
        if self._damage is not None:
            enter_damage(self.counted, self._damage, outputs)

    def report(self, invalid: _Invalid, outputs: Outputs) -> None:
        """Write the rows that stand for invalid games, and those of valid games where they are asked for."""
        shown = _of_file(invalid.games, self.number, "row", "reasons", "ply").sort("row")
        dropped = _of_file(invalid.rows, self.number, "row")
        if outputs.valid is None and shown.is_empty():
            return
        source = self._opened()
        height = 0
        with closing(source):
            try:
                for batch in source.batches():
                    height += batch.place.height
                    self._report_batch(batch, shown, dropped, outputs)
            except InputError:
                # Damage that is known already; more than that shows in the number of rows.
                pass
        if height != self._height or self._found.has_changed:
            raise InputError(f"{self._found.file}: changed while it was read; nothing is reported of it")

    def _report_batch(self, batch: Batch, shown: pl.DataFrame, dropped: pl.DataFrame, outputs: Outputs) -> None:
        rows = batch.place["row"]
        here = pl.col("row").is_between(rows[0], rows[-1])
        shown = shown.filter(here)
        if shown.height:
            at = shown["row"] - rows[0]  # the rows of a batch follow each other
            outputs.invalid.write(self._found.file, Batch(batch.columns[at], batch.place[at]), shown)
        if outputs.valid is not None:
            outputs.valid.write(batch, ~rows.is_in(dropped.filter(here)["row"].implode()))

    def _opened(self) -> Source:
        """The source to be read from its start: at first the one that is open."""
        source = self._source or self._kept or self._found.open()
        self._source = None
        return source


def _of_file(frames: Sequence[pl.DataFrame], number: int, *columns: str) -> pl.DataFrame:
    return pl.concat(frame.filter(pl.col("file") == number).select(columns) for frame in frames)

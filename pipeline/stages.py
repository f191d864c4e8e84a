"""Drives batches through judgement into the report: records of one row in one pass, logs in two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

import polars as pl

from pipeline.batch import Batch, Source
from pipeline.config import LayoutOptions
from pipeline.errors import InputError
from pipeline.ingest.spool import SpooledSource
from pipeline.layout import SAMPLE_RECORDS, Layout, complete, with_first_empty
from pipeline.parallel import in_order
from pipeline.partitions import Partitions
from pipeline.report.invalid import InvalidRows
from pipeline.report.summary import InputSummary, Summary
from pipeline.report.valid import ValidRows
from pipeline.survey import Fault, Found
from pipeline.verdict.log import GAMES, judge_log
from pipeline.verdict.log_rows import ROWS, log_rows
from pipeline.verdict.log_runs import Judged, are_repeated, judge_runs, whole_games
from pipeline.verdict.records import judge


@dataclass(slots=True)
class Outputs:
    """Where everything that is found goes; ``scratch`` is a folder that may be made for what is needed on the way."""

    summary: Summary
    invalid: InvalidRows
    valid: ValidRows | None
    scratch: Path
    on_progress: Callable[[int], None] | None = None
    faults: list[Fault] = field(default_factory=list)

    def progress(self, rows: int) -> None:
        """So many more rows have been judged."""
        if self.on_progress is not None:
            self.on_progress(rows)


def check_records(found: Found, options: LayoutOptions, outputs: Outputs) -> None:
    """Check an input whose records are one row each."""
    source = _opened(found, outputs)
    if source is None:
        return
    with closing(source):
        counted = _counted(source, outputs)
        batches = _batches(source, found.layout, options)
        try:
            for (layout, batch), verdict in in_order(batches, lambda item: judge(item[1], item[0])):
                counted.layout = layout.as_dict()
                outputs.summary.add(counted, batch.place, verdict)
                outputs.invalid.write(found.file, batch, verdict)
                if outputs.valid is not None:
                    outputs.valid.write(batch, verdict["reasons"] == 0)
                outputs.progress(verdict.height)
        except InputError as error:
            _damaged(counted, error, outputs)
        counted.bytes = source.bytes


def check_logs(inputs: Sequence[Found], options: LayoutOptions, outputs: Outputs) -> None:
    """Check logs, which are one table over all inputs, and read them again for the rows to be reported.

    Where the rows of each game follow each other they are judged as they come. If it turns out that they do not,
    all is read once more and gathered by game.
    """
    present = ((found, _opened(found, outputs)) for found in inputs)
    opened = [_Log(found, source, outputs) for found, source in present if source is not None]
    by_ply = any(found.layout.log is not None and found.layout.log.ply is not None for found in inputs)
    judged = partial(judge_log, first=options.first, by_ply=by_ply)
    in_runs = partial(judge_runs, first=options.first, by_ply=by_ply)
    invalid = _as_they_come(opened, options, outputs, in_runs)
    if invalid is None:
        outputs.summary.forget()
        invalid = _gathered(opened, options, outputs, judged)
    for log in opened:
        log.enter_damage(outputs)
    for log in opened:
        log.report(invalid, outputs)


@dataclass(slots=True)
class _Invalid:
    """The invalid games of logs (columns ``GAMES``), and where valid rows are asked for, all rows of these."""

    games: list[pl.DataFrame] = field(default_factory=lambda: [pl.DataFrame(schema=GAMES)])
    rows: list[pl.DataFrame] = field(default_factory=lambda: [pl.DataFrame(schema=ROWS)])

    def add(self, rows: pl.DataFrame, games: pl.DataFrame, is_invalid: pl.Series, outputs: Outputs) -> None:
        """Take what was judged, and count it."""
        outputs.summary.add_games(games)
        self.games.append(games.filter(pl.col("reasons") != 0))
        if outputs.valid is not None:
            self.rows.append(rows.filter(is_invalid))


def _as_they_come(
    logs: Sequence[_Log], options: LayoutOptions, outputs: Outputs, judge_games: Callable[..., Judged]
) -> _Invalid | None:
    """Judge every game where its rows follow each other; None if any game is in two pieces."""
    batches = (rows for log in logs for rows in log.rows(options, outputs))
    first = next(batches, None)
    if first is None:
        return _Invalid()
    # Plies count from 0 if any game has a 0: if so, the first ones show it, or all must be judged anew.
    from_zero = _has_ply_zero(first)
    invalid, keys = _Invalid(), []
    parts = whole_games(chain([first], batches))
    for rows, judged in in_order(parts, partial(judge_games, first_ply=0 if from_zero else 1)):
        if judged.in_pieces or (not from_zero and _has_ply_zero(rows)):
            return None
        keys.append(judged.keys)
        invalid.add(rows, judged.games, judged.is_invalid, outputs)
    return None if are_repeated(pl.concat(keys)) else invalid


def _gathered(
    logs: Sequence[_Log],
    options: LayoutOptions,
    outputs: Outputs,
    judge_games: Callable[..., tuple[pl.DataFrame, pl.Series]],
) -> _Invalid:
    """Bring the rows of each game together first, on disk where they are many."""
    parts = Partitions(outputs.scratch / "games", "game", ROWS)
    from_zero = False
    for log in logs:
        for rows in log.rows(options, outputs):
            from_zero |= _has_ply_zero(rows)
            parts.add(rows)
    invalid = _Invalid()
    for rows, (games, is_invalid) in in_order(parts.parts(), partial(judge_games, first_ply=0 if from_zero else 1)):
        invalid.add(rows, games, is_invalid, outputs)
    return invalid


def _has_ply_zero(rows: pl.DataFrame) -> bool:
    in_games = pl.col("game").is_not_null() & (pl.col("reasons") == 0)
    return bool(rows.select((in_games & (pl.col("ply") == 0)).any()).item())


class _Log:
    """One input of a log, read for its games, twice if need be, and once more for the rows to report."""

    def __init__(self, found: Found, source: Source, outputs: Outputs) -> None:
        # The place of the input in the summary.
        self.number = len(outputs.summary.inputs)
        self.counted = _counted(source, outputs)
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
            batches = _batches(source, self._found.layout, options)
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
            _damaged(self.counted, self._damage, outputs)

    def report(self, invalid: _Invalid, outputs: Outputs) -> None:
        """Write the rows that stand for invalid games, and those of valid games where they are asked for."""
        shown = _of_file(invalid.games, self.number, "row", "reasons", "ply")
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

    def _opened(self) -> Source:
        """The source to be read from its start: at first the one that is open."""
        source = self._source or self._kept or self._found.open()
        self._source = None
        return source

    def _report_batch(self, batch: Batch, shown: pl.DataFrame, dropped: pl.DataFrame, outputs: Outputs) -> None:
        rows = batch.place["row"]
        here = pl.col("row").is_between(rows[0], rows[-1])
        shown = shown.filter(here)
        if shown.height:
            verdict = batch.place.select("row").join(shown, on="row", how="left", maintain_order="left")
            outputs.invalid.write(self._found.file, batch, verdict.with_columns(pl.col("reasons").fill_null(0)))
        if outputs.valid is not None:
            outputs.valid.write(batch, ~rows.is_in(dropped.filter(here)["row"].implode()))


def _of_file(frames: Sequence[pl.DataFrame], number: int, *columns: str) -> pl.DataFrame:
    return pl.concat(frame.filter(pl.col("file") == number).select(columns) for frame in frames)


def _opened(found: Found, outputs: Outputs) -> Source | None:
    """The source of a file; None for one that has gone since the survey, which is entered."""
    try:
        return found.open()
    except InputError as error:
        gone = InputSummary(found.file)
        outputs.summary.inputs.append(gone)
        _damaged(gone, error, outputs)
        return None


def _counted(source: Source, outputs: Outputs) -> InputSummary:
    counted = InputSummary(source.file, source.format, source.bytes, lines=source.lines)
    outputs.summary.inputs.append(counted)
    return counted


def _damaged(counted: InputSummary, error: InputError, outputs: Outputs) -> None:
    message = str(error)
    counted.error = message if message.startswith(counted.file) else f"{counted.file}: {message}"
    outputs.faults.append(Fault(counted.file, InputError(counted.error)))


def _batches(source: Source, layout: Layout, options: LayoutOptions) -> Iterator[tuple[Layout, Batch]]:
    """Every batch of a source, each with the layout as far as it is known by then."""
    batches = source.batches()
    first: list[Batch] = []
    sampled = 0
    damage: InputError | None = None
    try:
        while sampled < SAMPLE_RECORDS and (batch := next(batches, None)) is not None:
            first.append(batch)
            sampled += batch.place.height
    except InputError as error:
        # What was read before it still counts.
        damage = error
    columns = (batch.split_columns for batch in first)
    sample = pl.concat([pl.DataFrame(schema=source.schema), *columns]).head(SAMPLE_RECORDS)
    layout = complete(layout, sample, options)
    for batch in chain(first, batches):
        layout = with_first_empty(layout, batch.split_columns, options)
        yield layout, batch
    if damage is not None:
        raise damage

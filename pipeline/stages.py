"""Drives batches through judgement into the report: records of one row in one pass, logs in two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import polars as pl

from pipeline.batch import Batch, Source
from pipeline.config import LayoutOptions
from pipeline.errors import InputError
from pipeline.ingest.spool import SpooledSource
from pipeline.layout import Layout
from pipeline.parallel import in_order
from pipeline.partitions import Partitions
from pipeline.recognise.alphabet import with_first_empty
from pipeline.report.invalid import InvalidRows
from pipeline.report.summary import InputSummary, Summary
from pipeline.report.valid import ValidRows
from pipeline.survey import Fault, Found
from pipeline.verdict.log import GAMES, judge_log
from pipeline.verdict.log_rows import ROWS, log_rows
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
    """Check logs, which are one table over all inputs: rows are gathered by game, then read again to be reported."""
    present = ((found, _opened(found, outputs)) for found in inputs)
    opened = [_Log(found, source, outputs) for found, source in present if source is not None]
    parts = Partitions(outputs.scratch / "games", "game", ROWS)
    counts_from_zero = False
    for log in opened:
        for rows in log.rows(options, outputs):
            in_games = pl.col("game").is_not_null() & (pl.col("reasons") == 0)
            counts_from_zero |= rows.select((in_games & (pl.col("ply") == 0)).any()).item()
            parts.add(rows)
    by_ply = any(found.layout.log is not None and found.layout.log.ply is not None for found in inputs)
    judged = partial(judge_log, first_ply=0 if counts_from_zero else 1, first=options.first, by_ply=by_ply)
    shown, dropped = [pl.DataFrame(schema=GAMES)], [pl.DataFrame(schema=ROWS)]
    for rows, (games, is_invalid) in in_order(parts.parts(), judged):
        outputs.summary.add_games(games)
        shown.append(games.filter(pl.col("reasons") != 0))
        if outputs.valid is not None:
            dropped.append(rows.filter(is_invalid))
    for log in opened:
        log.report(_of_file(shown, log.number, "row", "reasons", "ply"), _of_file(dropped, log.number, "row"), outputs)


class _Log:
    """One input of a log, read once for its games and once more for the rows to report."""

    def __init__(self, found: Found, source: Source, outputs: Outputs) -> None:
        # The place of the input in the summary.
        self.number = len(outputs.summary.inputs)
        self.counted = _counted(source, outputs)
        self._found = found
        self._height = 0
        # What can be read only once is kept on the way.
        self._source: Source = (
            SpooledSource(source, outputs.scratch / f"input-{self.number}") if found.is_stream else source
        )

    def rows(self, options: LayoutOptions, outputs: Outputs) -> Iterator[pl.DataFrame]:
        """The rows as numbers, batch by batch; damage ends them and is entered."""
        batches = _batches(self._source, self._found.layout, options)
        try:
            for (layout, _), rows in in_order(batches, lambda item: log_rows(item[1], self.number, item[0])):
                self.counted.layout = layout.as_dict()
                self._height += rows.height
                outputs.summary.rows_read += rows.height
                outputs.progress(rows.height)
                yield rows
        except InputError as error:
            _damaged(self.counted, error, outputs)
        self.counted.bytes = self._source.bytes
        self._source.close()

    def report(self, shown: pl.DataFrame, dropped: pl.DataFrame, outputs: Outputs) -> None:
        """Write the rows that stand for invalid games (``row``, ``reasons``, ``ply``), and those of valid games.

        ``dropped`` holds the rows of invalid games (``row``), where valid ones are asked for.
        """
        if outputs.valid is None and shown.is_empty():
            return
        source = self._source if isinstance(self._source, SpooledSource) else self._found.open()
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
    for batch in source.batches():
        split = batch.columns.filter(batch.place["raw"].is_null()) if not layout.alphabet.empty else batch.columns
        layout = with_first_empty(layout, split, options)
        yield layout, batch

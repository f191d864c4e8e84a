"""The order of the stages over all batches of all inputs: find, open, judge, report."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

import polars as pl

from pipeline.batch import Batch, Source
from pipeline.config import Allowance, LayoutOptions
from pipeline.errors import InputError, InternalError, UsageError
from pipeline.ingest.inputs import TEXT_SUFFIXES, Readable, open_source
from pipeline.ingest.text import Dialect, TextSource
from pipeline.layout import SAMPLE_RECORDS, Layout, complete, with_first_empty
from pipeline.report.folder import report_folder, whole_file
from pipeline.report.invalid import InvalidRows, union_schema
from pipeline.report.summary import InputSummary, Summary, peak_memory_bytes
from pipeline.report.tables import TABLE_FORMATS, TableFormat
from pipeline.report.valid import ValidLines, ValidRows, ValidTable
from pipeline.survey import Fault, Survey, survey
from pipeline.verdict import judge

_TABLE_SUFFIXES: Final[dict[str, TableFormat]] = {f".{name}": name for name in TABLE_FORMATS}
_JUDGES: Final = 2
"""How many batches are judged at a time; more would hold more memory and find no more cores idle."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What to do: where the report and the valid rows go, in which format, and what counts as success.

    Raises:
        UsageError: a ``valid`` file of a suffix that names no format.
    """

    out: Path
    layout: LayoutOptions = field(default_factory=LayoutOptions)
    invalid_format: TableFormat = "parquet"
    valid: Path | None = None
    max_invalid: Allowance = field(default_factory=Allowance)

    def __post_init__(self) -> None:
        if self.valid is not None and self.valid.suffix.lower() not in (*_TABLE_SUFFIXES, *TEXT_SUFFIXES):
            raise UsageError(f"--valid {self.valid}: the suffix names no format; use .parquet, .csv or .jsonl")


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run: its summary, where the report is, every fault of an input, and the exit code."""

    summary: Summary
    report: Path
    faults: tuple[Fault, ...]
    exit_code: int


def run(inputs: Sequence[str], options: RunOptions, on_progress: Callable[[int], None] | None = None) -> RunResult:
    """Check all inputs and write the report; ``on_progress`` hears how many records each batch had.

    A bad input does not stop the others: it is among the result's faults.

    Raises:
        UsageError: a named column that no input has, or an output that would overwrite an input.
        InputError: nothing at all can be read; there is then no report.
        OutputError: the report cannot be written.
        InternalError: the account of what was read does not add up.
    """
    started = time.monotonic()
    how = Readable(Dialect(options.layout.header, options.layout.delimiter), keep_lines=_is_text(options.valid))
    surveyed = survey(inputs, options.layout, how)
    _refuse_to_overwrite(options.valid, surveyed)
    summary = Summary(max_invalid=options.max_invalid.text)
    faults = [*surveyed.faults]
    with ExitStack() as outputs:
        folder = outputs.enter_context(report_folder(options.out))
        union = union_schema(found.schema for found in surveyed.found)
        invalid = outputs.enter_context(InvalidRows(folder, options.invalid_format, union))
        valid = _valid_rows(options.valid, surveyed, union, outputs)
        for found in surveyed.found:
            source = outputs.enter_context(closing(found.source or open_source(found.file, how)))
            counted = InputSummary(found.file, source.format, source.bytes, lines=source.lines)
            summary.inputs.append(counted)
            try:
                for layout, batch, verdict in _judged(_batches(source, found.layout, options.layout)):
                    summary.add(counted, layout, batch.place, verdict)
                    invalid.write(found.file, batch, verdict)
                    if valid is not None:
                        valid.write(batch, verdict)
                    if on_progress is not None:
                        on_progress(verdict.height)
            except InputError as error:
                counted.error = str(error)
                faults.append(Fault(found.file, error))
            source.close()
            _check_account(counted)
        if summary.records.read == 0 and len(faults) == len(surveyed.found) + len(surveyed.faults):
            raise faults[0].error
        summary.inputs += [InputSummary(fault.file, error=str(fault.error)) for fault in surveyed.faults]
        summary.seconds = time.monotonic() - started
        summary.peak_memory_bytes = peak_memory_bytes()
        text = json.dumps(summary.as_dict(), indent=2, ensure_ascii=False)
        (folder / "summary.json").write_text(text + "\n", encoding="utf-8")
    return RunResult(summary, options.out, tuple(faults), _exit_code(summary, faults, options.max_invalid))


def _batches(source: Source, layout: Layout, options: LayoutOptions) -> Iterator[tuple[Layout, Batch]]:
    """Every batch of a source, each with the layout as far as it is known by then."""
    batches = source.batches()
    first: list[Batch] = []
    sampled = 0
    while sampled < SAMPLE_RECORDS and (batch := next(batches, None)) is not None:
        first.append(batch)
        sampled += batch.place.height
    records = (batch.columns.filter(batch.place["raw"].is_null()) for batch in first)
    sample = pl.concat([pl.DataFrame(schema=source.schema), *records]).head(SAMPLE_RECORDS)
    layout = complete(layout, sample, options)
    for batch in chain(first, batches):
        layout = with_first_empty(layout, batch.columns, options)
        yield layout, batch


def _judged(batches: Iterator[tuple[Layout, Batch]]) -> Iterator[tuple[Layout, Batch, pl.DataFrame]]:
    """Every batch with its layout and its verdicts, in order; a few are judged at a time.

    A batch is mostly judged on one core, and nothing of it depends on another.
    """
    pending: deque[tuple[Layout, Batch, Future[pl.DataFrame]]] = deque()
    damage: InputError | None = None
    with ThreadPoolExecutor(_JUDGES) as pool:
        while True:
            try:
                layout, batch = next(batches)
            except StopIteration:
                break
            except InputError as error:
                # What was read before the damage still counts.
                damage = error
                break
            pending.append((layout, batch, pool.submit(judge, batch, layout)))
            if len(pending) > _JUDGES:
                layout, batch, verdict = pending.popleft()
                yield layout, batch, verdict.result()
        for layout, batch, verdict in pending:
            yield layout, batch, verdict.result()
    if damage is not None:
        raise damage


def _check_account(counted: InputSummary) -> None:
    """Every line and every record that was read must be in the account."""
    lines, records = counted.lines, counted.records
    if records.read != records.valid + records.invalid:
        raise InternalError(f"{counted.file}: the records do not add up: {records}")
    if lines is not None and counted.error is None and lines.read != lines.header + lines.blank + lines.records:
        raise InternalError(f"{counted.file}: the lines do not add up: {lines}")


def _exit_code(summary: Summary, faults: Sequence[Fault], max_invalid: Allowance) -> int:
    records = summary.records
    invalid = 0 if max_invalid.allows(records.invalid, records.read) else 1
    return max([invalid, *(fault.error.exit_code for fault in faults)])


def _valid_rows(path: Path | None, surveyed: Survey, union: pl.Schema, outputs: ExitStack) -> ValidRows | None:
    if path is None:
        return None
    target = outputs.enter_context(whole_file(path))
    source = surveyed.found[0].source
    if _is_text(path) and isinstance(source, TextSource):
        return outputs.enter_context(ValidLines(target, source.header_bytes))
    table_format = _TABLE_SUFFIXES.get(path.suffix.lower())
    if table_format is None:
        raise UsageError(f"--valid {path}: only the lines of a single text input can be written to such a file")
    return outputs.enter_context(ValidTable(target, table_format, union))


def _is_text(path: Path | None) -> bool:
    return path is not None and path.suffix.lower() in TEXT_SUFFIXES


def _refuse_to_overwrite(valid: Path | None, surveyed: Survey) -> None:
    if valid is None or not valid.exists():
        return
    if any(Path(found.file).exists() and Path(found.file).samefile(valid) for found in surveyed.found):
        raise UsageError(f"--valid {valid} would overwrite an input")

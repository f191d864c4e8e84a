"""The order of the stages over all batches of all inputs: find, open, judge, report."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import polars as pl

from pipeline.batch import Source
from pipeline.config import NONE, Allowance, LayoutOptions
from pipeline.errors import InternalError, OutputError, UsageError
from pipeline.ingest.inputs import SUFFIXES, TEXT_SUFFIXES, Readable, printable
from pipeline.logs import check_logs
from pipeline.report.folder import SCRATCH, report_folder, whole_file
from pipeline.report.invalid import InvalidRows, union_schema
from pipeline.report.summary import InputSummary, Summary, peak_memory_bytes, write_summary
from pipeline.report.tables import TABLE_FORMATS
from pipeline.report.valid import ValidLines, ValidRows, ValidTable
from pipeline.stages import Outputs, check_records
from pipeline.survey import Fault, Survey, all_of, dialect, survey
from schemas.vocabulary import TableFormat

_TABLE_SUFFIXES: Final[dict[str, TableFormat]] = {f".{name}": name for name in TABLE_FORMATS}


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What to do: where the report and the valid rows go, in which format, and what counts as success.

    ``batch_rows`` bounds how many rows are worked on at a time, and with them the memory.

    Raises:
        UsageError: a ``valid`` file of a suffix that names no format.
    """

    out: Path
    layout: LayoutOptions = field(default_factory=LayoutOptions)
    invalid_format: TableFormat = "parquet"
    valid: Path | None = None
    max_invalid: Allowance = field(default_factory=Allowance)
    batch_rows: int | None = None

    def __post_init__(self) -> None:
        if self.valid is not None and _is_within(self.valid, self.out):
            raise UsageError(f"--valid {self.valid} is within the report, which is replaced whole; put it elsewhere")
        if self.valid is not None and self.valid.suffix.lower() not in (*_TABLE_SUFFIXES, *TEXT_SUFFIXES):
            raise UsageError(f"--valid {self.valid}: the suffix names no format; use .parquet, .csv or .jsonl")


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run: its summary, what was written, every fault of an input, and the exit code."""

    summary: Summary
    report: Path
    invalid_rows: Path
    valid_rows: Path | None
    faults: tuple[Fault, ...]
    exit_code: int


def run(
    inputs: Sequence[str | Source], options: RunOptions, on_progress: Callable[[int], None] | None = None
) -> RunResult:
    """Check all inputs and write the report; ``on_progress`` hears how many records each batch had.

    A bad input does not stop the others: it is among the result's faults.

    Raises:
        UsageError: a named column that no input has.
        InputError: nothing at all can be read; there is then no report.
        OutputError: the report cannot be written, or would overwrite an input.
        InternalError: the account of what was read does not add up.
    """
    started = time.monotonic()
    how = Readable(dialect(options.layout), _is_text(options.valid), options.batch_rows)
    surveyed = survey(inputs, options.layout, how)
    unread = [InputSummary(printable(fault.file), error=str(fault.error)) for fault in surveyed.faults]
    summary = Summary(unit=surveyed.found[0].layout.unit, max_invalid=options.max_invalid)
    with ExitStack() as stack:
        for found in surveyed.found:
            stack.callback(found.close)
        _refuse_to_overwrite(inputs, options, surveyed)
        folder = stack.enter_context(report_folder(options.out))
        union = union_schema(found.schema for found in surveyed.found)
        invalid = stack.enter_context(InvalidRows(folder, options.invalid_format, union))
        valid = _valid_rows(options.valid, surveyed, union, stack)
        outputs = Outputs(summary, invalid, valid, folder / SCRATCH, on_progress, [*surveyed.faults])
        outputs.scratch.mkdir()
        if surveyed.found[0].layout.kind == "log":
            check_logs(surveyed.found, options.layout, outputs)
        else:
            for found in surveyed.found:
                check_records(found, options.layout, outputs)
        shutil.rmtree(outputs.scratch)
        if summary.rows_read == 0 and len(outputs.faults) == len(summary.inputs) + len(unread):
            raise all_of([fault.error for fault in outputs.faults])
        _check_that_labels_are_compared(summary, options.layout)
        summary.inputs += unread
        _check_account(summary, invalid.written)
        summary.seconds = time.monotonic() - started
        summary.peak_memory_bytes = peak_memory_bytes()
        write_summary(folder, summary)
    return RunResult(
        summary,
        options.out,
        options.out / f"invalid.{options.invalid_format}",
        options.valid,
        tuple(outputs.faults),
        _exit_code(summary, outputs.faults, options.max_invalid),
    )


def _check_that_labels_are_compared(summary: Summary, options: LayoutOptions) -> None:
    labels = [one.layout["outcome"] for one in summary.inputs if one.layout]
    if options.outcomes and options.outcome != NONE and labels and all(label == NONE for label in labels):
        raise UsageError("outcomes are named, but no column is taken for the label: name it with --outcome")


def _check_account(summary: Summary, invalid_written: int) -> None:
    """Every line and every record that was read must be in the account, every invalid record in the report."""
    everything: list[Summary | InputSummary] = [summary, *summary.inputs]
    for one in everything:
        if one.records.read != one.records.valid + one.records.invalid:
            raise InternalError(f"the records do not add up: {one.records}")
    if summary.records.read != sum(one.records.read for one in summary.inputs):
        raise InternalError(f"the records of the inputs do not add up to {summary.records.read}")
    for counted in summary.inputs:
        lines = counted.lines
        if lines is not None and lines.read != lines.header + lines.blank + lines.records:
            raise InternalError(f"{counted.file}: the lines do not add up: {lines}")
    if invalid_written != summary.records.invalid:
        raise InternalError(f"{invalid_written} rows are written of {summary.records.invalid} invalid records")


def _exit_code(summary: Summary, faults: Sequence[Fault], max_invalid: Allowance) -> int:
    records = summary.records
    invalid = 0 if max_invalid.allows(records.invalid, records.read) else 1
    return max([invalid, *(fault.error.exit_code for fault in faults)])


def _valid_rows(path: Path | None, surveyed: Survey, union: pl.Schema, stack: ExitStack) -> ValidRows | None:
    if path is None:
        return None
    target = stack.enter_context(whole_file(path))
    header = surveyed.found[0].header
    if _is_text(path) and len(surveyed.found) == 1 and header is not None:
        return stack.enter_context(ValidLines(target, path, header))
    table_format = _TABLE_SUFFIXES.get(path.suffix.lower())
    if table_format is None:
        raise UsageError(f"--valid {path}: only the lines of a single text input can be written to such a file")
    return stack.enter_context(ValidTable(target, path, table_format, union))


def _is_text(path: Path | None) -> bool:
    return path is not None and path.suffix.lower() in TEXT_SUFFIXES


def _refuse_to_overwrite(inputs: Sequence[str | Source], options: RunOptions, surveyed: Survey) -> None:
    """Inputs must survive the run, those too that cannot be read, and its output must not become input of the next."""
    valid = options.valid
    for given in (*(found.path for found in surveyed.found), *(fault.file for fault in surveyed.faults)):
        path = Path(given or "")
        if given is None or not path.exists():
            continue
        if valid is not None and valid.exists() and path.samefile(valid):
            raise OutputError(f"--valid {valid} would overwrite an input; put it elsewhere")
        if _is_within(path, options.out):
            raise OutputError(f"{printable(given)} is within --out {options.out}, which is replaced whole")
    # Reports are left out where a folder is searched, so that only valid rows can come back.
    for folder in inputs:
        if valid is None or not valid.name.lower().endswith(SUFFIXES) or not isinstance(folder, str):
            continue
        if Path(folder).is_dir() and _is_within(valid, Path(folder)):
            raise OutputError(f"--valid {valid} is within the input {printable(folder)}; put it elsewhere")


def _is_within(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())

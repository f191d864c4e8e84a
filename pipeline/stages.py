"""Drives batches of records of one row each through judgement into the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.batch import Batch, Source
from pipeline.config import LayoutOptions
from pipeline.errors import InputError
from pipeline.layout import Layout
from pipeline.parallel import in_order
from pipeline.recognise.alphabet import with_first_empty
from pipeline.report.invalid import InvalidRows
from pipeline.report.summary import InputSummary, Summary
from pipeline.report.valid import ValidRows
from pipeline.survey import Fault, Found
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
    source = opened(found, outputs)
    if source is None:
        return
    with closing(source):
        counted = counted_in(source, outputs)
        batches = batches_of(source, found.layout, options)
        try:
            for (layout, batch), verdict in in_order(batches, lambda item: judge(item[1], item[0])):
                counted.layout = layout.as_dict()
                outputs.summary.add(counted, batch.place, verdict)
                outputs.invalid.write(found.file, batch, verdict)
                if outputs.valid is not None:
                    outputs.valid.write(batch, verdict["reasons"] == 0)
                outputs.progress(verdict.height)
        except InputError as error:
            enter_damage(counted, error, outputs)
        counted.bytes = source.bytes


def opened(found: Found, outputs: Outputs) -> Source | None:
    """The source of a file; None for one that has gone since the survey, which is entered."""
    try:
        return found.open()
    except InputError as error:
        gone = InputSummary(found.file)
        outputs.summary.inputs.append(gone)
        enter_damage(gone, error, outputs)
        return None


def counted_in(source: Source, outputs: Outputs) -> InputSummary:
    """The place of a source in the summary, entered."""
    counted = InputSummary(source.file, source.format, source.bytes, lines=source.lines)
    outputs.summary.inputs.append(counted)
    return counted


def enter_damage(counted: InputSummary, error: InputError, outputs: Outputs) -> None:
    """Enter that an input was not read to its end."""
    message = str(error)
    counted.error = message if message.startswith(counted.file) else f"{counted.file}: {message}"
    outputs.faults.append(Fault(counted.file, InputError(counted.error)))


def batches_of(source: Source, layout: Layout, options: LayoutOptions) -> Iterator[tuple[Layout, Batch]]:
    """Every batch of a source, each with the layout as far as it is known by then."""
    for batch in source.batches():
        if not layout.alphabet.empty:
            layout = with_first_empty(layout, batch.split_columns, options)
        yield layout, batch

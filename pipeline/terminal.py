"""The summary as a person reads it in a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pipeline.report.summary import First, InputSummary, Summary
from pipeline.run import RunResult
from schemas.reasons import REASONS

_MOST_INPUTS = 10


def summary_view(result: RunResult) -> RenderableType:
    """What was found: inputs, layout, counts, reason codes with their first record, and where the report is."""
    summary = result.summary
    parts: list[RenderableType] = [_inputs(summary.inputs), *_layout(summary), Text(), _counts(summary)]
    if summary.reasons:
        parts += [Text(), _reasons(summary), Text()]
    else:
        parts.append(_outcomes(summary))
    return Group(*parts, Text.assemble(("report   ", "dim"), str(result.report)))


def _inputs(inputs: list[InputSummary]) -> RenderableType:
    shown = inputs if len(inputs) <= _MOST_INPUTS else inputs[: _MOST_INPUTS - 1]
    lines = [_input(one) for one in shown]
    if len(shown) < len(inputs):
        lines.append(Text(f"         and {len(inputs) - len(shown)} more inputs"))
    return Group(*lines)


def _input(one: InputSummary) -> Text:
    line = Text.assemble(("input    ", "dim"), one.file)
    if one.error is not None:
        return line.append("  not read to its end", "bold red")
    return line.append(f"  {one.format}, {one.records.read:,} records", "dim")


def _layout(summary: Summary) -> Iterable[Text]:
    layout = summary.layout
    if not layout:
        return
    board = Text.assemble(("board    ", "dim"), _names(layout["board"]), "  ")
    yield board.append(" · ".join(_cells(layout["cells"])) + _first(layout["first"]), "dim")
    labels = layout["outcome"]
    yield Text.assemble(("label    ", "dim"), "none compared" if labels == "none" else repr(labels))
    for name in layout.get("ignored_labels", ()):
        yield Text(f"         {name!r} is not taken for a label: fewer than nine in ten of its values are known")


def _names(columns: list[str]) -> str:
    if len(columns) == 1:
        return f"column {columns[0]!r}"
    return f"{len(columns)} columns, {columns[0]!r} to {columns[-1]!r}"


def _cells(cells: dict[str, list[str]]) -> Iterable[str]:
    for mark, symbols in cells.items():
        yield f"{mark} = {' '.join(repr(symbol) for symbol in symbols) or 'none seen'}"


def _first(first: str) -> str:
    return {"X": "", "O": " · O moves first", "any": " · either moves first"}[first]


def _counts(summary: Summary) -> Text:
    records = summary.records
    line = Text.assemble(("records  ", "dim"), f"{records.read:,} read, {records.valid:,} valid, ")
    line.append(f"{records.invalid:,} invalid", "bold red" if records.invalid else "bold green")
    if records.invalid:
        line.append(f" ({_share(records.invalid, records.read)})")
    return line


def _share(part: int, whole: int) -> str:
    percent = 100 * part / whole
    return "under 0.01%" if percent < 0.01 else f"{percent:.2f}%"


def _reasons(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("reason", no_wrap=True)
    table.add_column("records", justify="right", no_wrap=True)
    table.add_column("first", no_wrap=True)
    table.add_column("meaning", style="dim", overflow="fold")
    several = len(summary.inputs) > 1
    for code, count in sorted(summary.reasons.items(), key=lambda item: (-item[1].records, item[0])):
        table.add_row(code, f"{count.records:,}", _place(count.first, several=several), REASONS[code].meaning)
    return table


def _place(first: First, *, several: bool) -> str:
    if first.line is None:
        return f"{first.file} row {first.row}" if several else f"row {first.row}"
    return f"{first.file}:{first.line}" if several else f"line {first.line}"


def _outcomes(summary: Summary) -> Text:
    shown = ", ".join(f"{number:,} {outcome}" for outcome, number in summary.outcomes.items())
    return Text.assemble(("outcomes ", "dim"), shown)

"""The summary as a person reads it in a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pipeline.ingest.inputs import printable
from pipeline.recognise.words import ignored_label
from pipeline.report.summary import First, InputSummary, Summary
from pipeline.run import RunResult
from schemas.reasons import REASONS

_MOST_INPUTS = 10
_NAME_WIDTH = 10


def summary_view(result: RunResult) -> RenderableType:
    """What was found: inputs, layout, counts, reason codes with their first record, and where the report is."""
    summary = result.summary
    parts: list[RenderableType] = [_inputs(summary.inputs), *_layout(summary), Text(), *_counts(summary), Text()]
    if summary.reasons:
        parts += [_reasons(summary), *_unknown(summary.layout), *_another_board(summary), Text()]
    parts += [
        _outcomes(summary),
        _named("report", f"{printable(str(result.report))}: summary.json, {result.invalid_rows.name}"),
    ]
    if result.valid_rows is not None:
        parts.append(_named("valid", f"{printable(str(result.valid_rows))}: {summary.records.valid:,} records"))
    return Group(*parts)


def _named(name: str, value: str) -> Text:
    return Text.assemble((f"{name:<{_NAME_WIDTH}}", "dim"), value)


def _inputs(inputs: list[InputSummary]) -> RenderableType:
    """Those that were not read come first: they must not be overlooked."""
    ordered = sorted(inputs, key=lambda one: one.error is None)
    shown = ordered if len(ordered) <= _MOST_INPUTS else ordered[: _MOST_INPUTS - 1]
    lines = [_input(one) for one in shown]
    if len(shown) < len(inputs):
        lines.append(_named("", f"and {len(inputs) - len(shown)} more inputs"))
    return Group(*lines)


def _input(one: InputSummary) -> Text:
    line = _named("input", f"{one.file}  ")
    if one.format is None:
        return line.append("NOT READ", "bold red")
    line.append(f"{one.format}, {one.records.read:,} records, {one.records.invalid:,} invalid", "dim")
    return line if one.error is None else line.append("  NOT READ TO ITS END", "bold red")


def _layout(summary: Summary) -> Iterable[Text]:
    layout = summary.layout
    if not layout:
        return
    if "moves" in layout:
        yield _named("moves", f"{_names(layout['moves'])}  ").append(_counted_from(layout), "dim")
    if "game" in layout:
        parts = {name: layout[name] for name in ("game", "ply", "at", "player") if name in layout}
        columns = ", ".join(f"{name} {_names(value)}" for name, value in parts.items())
        columns += "" if "ply" in parts else ", plies in the order of the rows"
        yield _named("log", f"{columns}  ").append(_counted_from(layout), "dim")
    if "board" in layout:
        cells = " · ".join(_cells(layout["cells"])) + _first(layout["first"])
        yield _named("board", f"{_names(layout['board'])}  ").append(cells, "dim")
    if "header" in layout:
        header = "with a header" if layout["header"] else "without a header"
        yield _named("text", f"{header}, delimiter {layout['delimiter']!r}")
    labels = layout["outcome"]
    yield _named("label", "none compared; name its column with --outcome" if labels == "none" else repr(labels))
    for name, values in layout.get("ignored_labels", {}).items():
        yield _named("", f"{name!r} is not taken for the label: {ignored_label(values)}")
    for name in layout.get("unnamed_labels", ()):
        yield _named("", f"{name!r} holds labels, but is not called so: with --outcome {name} they are compared")
    if "counts_from_one" in layout:
        yield _named("", "squares seem to count from 1: then say --base 1")


def _names(columns: str | list[str]) -> str:
    names = [columns] if isinstance(columns, str) else columns
    if len(names) <= 3:
        return ", ".join(repr(name) for name in names)
    return f"{len(names)} columns, {names[0]!r} to {names[-1]!r}"


def _counted_from(layout: dict[str, Any]) -> str:
    order = "" if layout["order"] == "row" else ", squares column by column"
    return f"from {layout['base']}{order}" + _first(layout["first"])


def _cells(cells: dict[str, list[str]]) -> Iterable[str]:
    for mark, symbols in cells.items():
        yield f"{mark} = {' '.join(repr(symbol) for symbol in symbols) or 'none seen'}"


def _first(first: str) -> str:
    return {"X": "", "O": " · O moves first", "any": " · either moves first"}[first]


def _counts(summary: Summary) -> Iterable[Text]:
    records = summary.records
    rows = f" in {summary.rows_read:,} rows" if summary.rows_read != records.read else ""
    line = _named("records", f"{records.read:,} read{rows}, {records.valid:,} valid, ")
    line.append(f"{records.invalid:,} invalid", "bold red" if records.invalid else "bold green")
    if records.invalid:
        line.append(f" ({_share(records.invalid, records.read)})")
    yield line
    if summary.max_invalid.text != "0":
        allowed = summary.max_invalid.allows(records.invalid, records.read)
        yield _named("", f"{'no more' if allowed else 'MORE'} than --max-invalid {summary.max_invalid.text} allows")
    if not summary.complete:
        unread = sum(one.error is not None for one in summary.inputs)
        yield _named("", "").append(f"INCOMPLETE: {unread} of {len(summary.inputs)} inputs not read", "bold red")


def _share(part: int, whole: int) -> str:
    percent = 100 * part / whole
    return "under 0.01%" if percent < 0.01 else f"{percent:.2f}%"


def _reasons(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("reason", no_wrap=True, min_width=max(map(len, REASONS)))
    table.add_column("records", justify="right", no_wrap=True, min_width=7)
    table.add_column("first", overflow="fold")
    table.add_column("meaning", style="dim", overflow="fold")
    several = len(summary.inputs) > 1
    for code, count in sorted(summary.reasons.items(), key=lambda item: (-item[1].records, item[0])):
        first = Text(_place(count.first, several=several))  # a name is no markup
        table.add_row(code, f"{count.records:,}", first, REASONS[code].meaning)
    return table


def _unknown(layout: dict[str, Any]) -> Iterable[Text]:
    """What to do where the data speaks another language than the layout."""
    for name, option in (("cells", "--cells X=…, O=… or empty=…"), ("labels", "--outcomes LABEL=OUTCOME")):
        if unknown := layout.get(f"unknown_{name}"):
            shown = ", ".join(repr(value) for value in unknown)
            yield Text(f"\nunknown {name} among the first records: {shown}; say with {option} what they mean")


def _another_board(summary: Summary) -> Iterable[Text]:
    """What to do where a board beside the moves hardly ever is the position after them."""
    mismatches = summary.reasons.get("BOARD_MISMATCH")
    if mismatches is not None and mismatches.records > summary.records.read / 2:
        yield Text("\nif the boards beside the moves are other positions, such as those before each move: --board none")


def _place(first: First, *, several: bool) -> str:
    if first.line is None:
        return f"{first.file} row {first.row}" if several else f"row {first.row}"
    return f"{first.file}:{first.line}" if several else f"line {first.line}"


def _outcomes(summary: Summary) -> Text:
    shown = ", ".join(f"{number:,} {outcome}" for outcome, number in summary.outcomes.items())
    return _named("outcomes", f"{shown} (of the valid records)")

"""Prints what was measured as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from benchmarks.contenders import Outcome

MEBIBYTE: Final = 1 << 20


def seconds(times: Sequence[float]) -> list[str]:
    """Write two cells: the median and the range."""
    return [f"{median(times):.2f}", f"{min(times):.2f} to {max(times):.2f}"]


def peak_memory(outcomes: Sequence[Outcome]) -> str:
    """Write the most memory of all runs."""
    return f"{max(one.peak_bytes for one in outcomes) / MEBIBYTE:,.0f}"


def peak_disk(outcomes: Sequence[Outcome]) -> str:
    """Write the most room on disk of all runs."""
    return f"{max(one.disk_bytes or 0 for one in outcomes) / MEBIBYTE:,.0f}"


def print_table(lines: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table; the first line is the head, and all columns but the first are numbers."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for first, *others in [lines[0], rule, *lines[1:]]:
        cells = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)),
        ]
        print(f"| {' | '.join(cells)} |")

"""Compares this tool with a bare scan and with a plain loop: ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.contenders import Outcome, bare_scan, plain_loop, this_tool
from benchmarks.measure import PROJECT, BenchmarkError, run_python

DATA: Final = PROJECT / "benchmarks" / "data"
MEBIBYTE: Final = 1 << 20

SCAN: Final = "bare scan"
TOOL: Final = "this tool"
LOOP: Final = "plain loop"


@dataclass(frozen=True, slots=True)
class Contender:
    """What runs, and on which file."""

    run: Callable[[Path], Outcome]
    file: Path
    rows: int

    def __call__(self) -> Outcome:
        """Run once; ``BenchmarkError`` when it counts another number of rows than the file has."""
        outcome = self.run(self.file)
        if outcome.rows != self.rows:
            raise BenchmarkError(f"{self.file}: {outcome.rows} rows were read, not {self.rows}")
        return outcome


def boards_file(rows: int) -> Path:
    """Find the file of so many boards, or write it when it is missing."""
    path = DATA / f"boards-{rows}.parquet"
    if not path.exists():
        _say(f"writing {path.relative_to(PROJECT)}")
        run_python(["-m", "benchmarks.generate", "boards", "--rows", str(rows), "--out", str(path)])
    return path


def rounds(contenders: Mapping[str, Contender], repeats: int) -> dict[str, list[Outcome]]:
    """Let all contenders take turns, round by round, after a warm-up that does not count."""
    outcomes: dict[str, list[Outcome]] = {name: [] for name in contenders}
    for number in range(repeats + 1):
        _say(f"round {number} of {repeats}" if number else "warm-up")
        for name, contender in contenders.items():
            outcome = contender()
            if number:
                outcomes[name].append(outcome)
    return outcomes


def check_agreement(file: Path) -> int:
    """Count the invalid rows by this tool and by the plain loop; ``BenchmarkError`` when they differ."""
    tool, loop = this_tool(file), plain_loop(file)
    if (tool.rows, tool.invalid) != (loop.rows, loop.invalid) or tool.invalid is None:
        raise BenchmarkError(
            f"{file}: this tool finds {tool.invalid} of {tool.rows} rows invalid, "
            f"the plain loop {loop.invalid} of {loop.rows}"
        )
    return tool.invalid


def compare(rows: int, repeats: int, loop_rows: int) -> None:
    """Measure all contenders and print what they took."""
    file, loop_file = boards_file(rows), boards_file(loop_rows)
    invalid = check_agreement(loop_file)
    contenders = {
        SCAN: Contender(bare_scan, file, rows),
        TOOL: Contender(this_tool, file, rows),
        LOOP: Contender(plain_loop, loop_file, loop_rows),
    }
    outcomes = rounds(contenders, repeats)
    print(f"{rows:,} boards, rounds after a warm-up: {repeats}; times include the start of the process.")
    print(f"This tool and the plain loop agree: {invalid:,} of the first {loop_rows:,} rows are invalid.\n")
    _print_table(comparison_table(outcomes, rows))
    if loop_rows != rows:
        print(f"\n* Ran on the first {loop_rows:,} rows: the time of its loop is scaled to {rows:,} rows,")
        print("  that of its start-up is not, and the peak memory is as measured.")


def comparison_table(outcomes: Mapping[str, Sequence[Outcome]], rows: int) -> list[list[str]]:
    """Make one line for each contender; a ratio is the median of those within each round."""
    seconds = {name: [one.scaled(rows) for one in each] for name, each in outcomes.items()}
    lines = [["contender", "median s", "range s", "rows/s", "ratio to scan", "peak MiB"]]
    for name, times in seconds.items():
        is_scaled = any(one.rows != rows for one in outcomes[name])
        speed = rows / median(times)
        ratio = median(time / scan for time, scan in zip(times, seconds[SCAN], strict=True))
        label = f"{name} *" if is_scaled else name
        lines.append([label, *_seconds(times), f"{speed:,.0f}", f"{ratio:.2f}", _peak(outcomes[name])])
    return lines


def compare_memory(rows: int, repeats: int) -> None:
    """Print the peak memory of this tool on one, two and four times so many rows."""
    sizes = [rows, 2 * rows, 4 * rows]
    contenders = {f"{size:,}": Contender(this_tool, boards_file(size), size) for size in sizes}
    lines = [["rows", "median s", "range s", "peak MiB"]]
    for name, outcomes in rounds(contenders, repeats).items():
        lines.append([name, *_seconds([one.seconds for one in outcomes]), _peak(outcomes)])
    print(f"This tool, rounds after a warm-up: {repeats}; times include the start of the process.\n")
    _print_table(lines)


def _seconds(times: Sequence[float]) -> list[str]:
    return [f"{median(times):.2f}", f"{min(times):.2f} to {max(times):.2f}"]


def _peak(outcomes: Sequence[Outcome]) -> str:
    return f"{max(one.peak_bytes for one in outcomes) / MEBIBYTE:,.0f}"


def _print_table(lines: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table; the first line is the head, and all columns but the first are numbers."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for first, *others in [lines[0], rule, *lines[1:]]:
        cells = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)),
        ]
        print(f"| {' | '.join(cells)} |")


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, metavar="N")
    parser.add_argument("--repeats", type=int, default=5, metavar="K", help="rounds that count")
    parser.add_argument("--loop-rows", type=int, default=500_000, metavar="N", help="rows for the plain loop")
    parser.add_argument("--memory", action="store_true", help="peak memory of this tool on N, 2N and 4N rows")
    given = parser.parse_args()
    if min(given.rows, given.repeats, given.loop_rows) < 1:
        parser.error("--rows, --repeats and --loop-rows must be 1 or more")
    try:
        if given.memory:
            compare_memory(given.rows, given.repeats)
        else:
            compare(given.rows, given.repeats, min(given.loop_rows, given.rows))
    except BenchmarkError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()

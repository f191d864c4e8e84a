"""Compares this tool with a bare scan and with plain loops: ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.contenders import Outcome, bare_scan, cached_loop, plain_loop, this_tool
from benchmarks.measure import PROJECT, BenchmarkError, run_python
from benchmarks.tables import peak_disk, peak_memory, print_table, seconds

DATA: Final = PROJECT / "benchmarks" / "data"

SCAN: Final = "bare scan"
TOOL: Final = "this tool"
CACHED: Final = "plain loop, cached"
LOOP: Final = "plain loop"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of data: what one row is, and what to measure where the command line does not say.

    Memory is measured on data of the kind ``memory_data``, on so many times the rows.
    """

    row: str
    rows: int
    memory_data: str
    memory_times: tuple[int, ...] = (1, 2, 4)


KINDS: Final[Mapping[str, Kind]] = {
    "boards": Kind("boards", 10_000_000, "boards"),
    "games": Kind("games", 2_000_000, "games"),
    "games-text": Kind("games", 2_000_000, "games-text"),
    "log": Kind("rows of a log", 5_000_000, "log-scattered", (1, 3)),
}


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


def data_file(data: str, rows: int) -> Path:
    """Find the file of so many rows of data, or write it when it is missing."""
    path = DATA / f"{data}-{rows}.parquet"
    if not path.exists():
        _say(f"writing {path.relative_to(PROJECT)}")
        run_python(["-m", "benchmarks.generate", data, "--rows", str(rows), "--out", str(path)])
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


def check_agreement(file: Path) -> str:
    """Tell how many records are invalid; ``BenchmarkError`` unless this tool and both loops find as many."""
    found = {name: run(file) for name, run in [(TOOL, this_tool), (LOOP, plain_loop), (CACHED, cached_loop)]}
    counts = {name: (one.rows, one.records, one.invalid) for name, one in found.items()}
    if len(set(counts.values())) > 1:
        raise BenchmarkError(f"{file}: rows, records and invalid records differ: {counts}")
    return f"{found[TOOL].invalid:,} of {found[TOOL].records:,} records"


def compare(kind: str, rows: int, repeats: int, loop_rows: int) -> None:
    """Measure all contenders and print what they took."""
    file, loop_file = data_file(kind, rows), data_file(kind, loop_rows)
    invalid = check_agreement(loop_file)
    contenders = {
        SCAN: Contender(bare_scan, file, rows),
        TOOL: Contender(this_tool, file, rows),
        CACHED: Contender(cached_loop, file, rows),
        LOOP: Contender(plain_loop, loop_file, loop_rows),
    }
    outcomes = rounds(contenders, repeats)
    print(f"{rows:,} {KINDS[kind].row}, rounds after a warm-up: {repeats}; times include the start of the process.")
    print(f"This tool and the plain loops agree: {invalid} in the first {loop_rows:,} rows are invalid.\n")
    print_table(comparison_table(outcomes, rows))
    if loop_rows != rows:
        print(f"\n* Ran on the first {loop_rows:,} rows: the time of its loop is scaled to {rows:,} rows,")
        print("  that of its start-up is not, and the peak memory is as measured.")


def comparison_table(outcomes: Mapping[str, Sequence[Outcome]], rows: int) -> list[list[str]]:
    """Make one line for each contender; a ratio is the median of those within each round."""
    times = {name: [one.scaled(rows) for one in each] for name, each in outcomes.items()}
    lines = [["contender", "median s", "range s", "rows/s", "ratio to scan", "peak MiB"]]
    for name, own in times.items():
        is_scaled = any(one.rows != rows for one in outcomes[name])
        speed = rows / median(own)
        ratio = median(time / scan for time, scan in zip(own, times[SCAN], strict=True))
        label = f"{name} *" if is_scaled else name
        lines.append([label, *seconds(own), f"{speed:,.0f}", f"{ratio:.2f}", peak_memory(outcomes[name])])
    return lines


def compare_memory(kind: str, rows: int, repeats: int) -> None:
    """Print the peak memory of this tool on so many rows and on several times as many."""
    data = KINDS[kind].memory_data
    sizes = [rows * times for times in KINDS[kind].memory_times]
    contenders = {f"{size:,}": Contender(this_tool, data_file(data, size), size) for size in sizes}
    lines = [["rows", "median s", "range s", "peak MiB", "disk MiB"]]
    for name, outcomes in rounds(contenders, repeats).items():
        times = seconds([one.seconds for one in outcomes])
        lines.append([name, *times, peak_memory(outcomes), peak_disk(outcomes)])
    print(f"This tool on {data}, rounds after a warm-up: {repeats}; times include the start of the process.\n")
    print_table(lines)


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--kind", choices=KINDS, default="boards", help="kind of data")
    parser.add_argument("--rows", type=int, metavar="N", help="10 million boards, fewer of others, by default")
    parser.add_argument("--repeats", type=int, default=5, metavar="K", help="rounds that count")
    parser.add_argument("--loop-rows", type=int, default=500_000, metavar="N", help="rows for the plain loop")
    parser.add_argument("--memory", action="store_true", help="peak memory of this tool on N rows and on more")
    given = parser.parse_args()
    rows = KINDS[given.kind].rows if given.rows is None else given.rows
    if min(rows, given.repeats, given.loop_rows) < 1:
        parser.error("--rows, --repeats and --loop-rows must be 1 or more")
    try:
        if given.memory:
            compare_memory(given.kind, rows, given.repeats)
        else:
            compare(given.kind, rows, given.repeats, min(given.loop_rows, rows))
    except BenchmarkError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()

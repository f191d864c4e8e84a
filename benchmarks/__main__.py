"""Measures what this tool costs beside a bare scan and beside what one would use instead: ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.cases import COMMANDS, MEMORY, SCAN, SPEED, START_UP, TOOL, Data, Memory, Speed
from benchmarks.measure import PROJECT, BenchmarkError, Measured, Process, run_python, run_tool, summed_up

DATA: Final = PROJECT / "benchmarks" / "data"
TINY: Final = 1_000
IMPORTS: Final = "import polars, pandera.polars, pyarrow"
HEAD: Final = ("input", "contender", "records", "s", "ns a record", "ratio", "at most", "aim", "peak MiB")
MEBIBYTE: Final = 1 << 20

Line = tuple[str, ...]


def data_file(data: Data) -> Path:
    """Find a file of data, or write it when it is missing."""
    path = DATA / data.name
    if not path.exists():
        _say(f"writing {path.relative_to(PROJECT)}")
        size = ["--records", str(data.records), "--invalid-share", str(data.invalid_share)]
        run_python(["-m", "benchmarks.generate", data.kind, *size, "--out", str(path)])
    return path


def run_once(contender: str, file: Path) -> Process:
    """Let a contender check a file."""
    return run_tool(file) if contender == TOOL else run_python([*COMMANDS[contender], str(file)])


def marginal(contenders: Sequence[str], data: Data, repeats: int) -> dict[str, tuple[Measured, float]]:
    """Measure each contender, taking turns, and tell its marginal seconds a record."""
    large, tiny = data_file(data), data_file(dataclasses.replace(data, records=TINY))
    runs: dict[tuple[str, Path], list[Process]] = {}
    for number in range(repeats + 1):
        for contender in contenders:
            for file in (large, tiny):
                process = run_once(contender, file)
                if number:  # the first round warms up the file cache
                    runs.setdefault((contender, file), []).append(process)
    result = {}
    for contender in contenders:
        whole, start = (summed_up(runs[contender, file]) for file in (large, tiny))
        result[contender] = (whole, (whole.seconds - start.seconds) / (data.records - TINY))
    return result


def speed_lines(case: Speed, repeats: int, *, with_peers: bool) -> list[Line]:
    """Measure this tool beside the bare scan, and the peers beside both on fewer records."""
    _say(f"{case.title}: this tool and the bare scan")
    measured = marginal([SCAN, TOOL], case.data, repeats)
    scan = measured[SCAN][1]
    lines = [
        speed_line(case, SCAN, case.data.records, *measured[SCAN], scan, ("", "")),
        speed_line(case, TOOL, case.data.records, *measured[TOOL], scan, (f"{case.at_most:g}", f"{case.aim:g}")),
    ]
    for peer, most in case.peers.items() if with_peers else ():
        _say(f"{case.title}: {peer}")
        data = dataclasses.replace(case.data, records=min(case.data.records, most))
        measured = marginal([peer], data, 1)
        theirs, ours = measured[peer][0].found, summed_up([run_tool(data_file(data))]).found
        if theirs != ours:
            raise BenchmarkError(f"{data.name}: {peer} finds {theirs}, this tool {ours}")
        lines.append(speed_line(case, peer, data.records, *measured[peer], scan, ("", "")))
    return lines


def speed_line(
    case: Speed, contender: str, records: int, whole: Measured, each: float, scan: float, bars: tuple[str, str]
) -> Line:
    """Write one line of the table."""
    title = case.title if contender == SCAN else ""
    return (
        title,
        contender,
        f"{records:,}",
        f"{whole.seconds:.2f}",
        f"{each * 1e9:,.1f}",
        f"{each / scan:,.2f}",
        *bars,
        f"{whole.peak_bytes / MEBIBYTE:,.0f}",
    )


def memory_line(case: Memory) -> Line:
    """Measure the peak memory of this tool, once."""
    _say(f"{case.title}, {case.data.records:,}: memory")
    file = data_file(case.data)
    whole = summed_up([run_tool(file)])
    each = whole.seconds / case.data.records
    peak = f"{whole.peak_bytes / MEBIBYTE:,.0f}"
    bar = f"{case.at_most} MiB"
    return (case.title, TOOL, f"{case.data.records:,}", f"{whole.seconds:.2f}", f"{each * 1e9:,.1f}", "", bar, "", peak)


def start_up_lines(repeats: int) -> list[Line]:
    """Measure how long this tool takes when there is next to nothing to do, beside the imports that it needs."""
    _say("start-up")
    file = data_file(Data("boards", TINY))
    runs: dict[str, list[Process]] = {"imports": [], "run": [], "--help": []}
    for _ in range(2 * repeats + 1):
        runs["imports"].append(run_python(["-c", IMPORTS]))
        runs["run"].append(run_tool(file))
        runs["--help"].append(run_python(["-m", "pipeline", "--help"]))
    imports = median(run.seconds for run in runs["imports"])
    lines: list[Line] = []
    for name, contender, records, bars in (
        ("imports", "Polars, Pandera, pyarrow", "", ("", "")),
        ("run", TOOL, f"{TINY:,}", ("1.7", "1.3")),
        ("--help", f"{TOOL}, --help", "", ("0.6", "0.3")),
    ):
        seconds = median(run.seconds for run in runs[name])
        peak = max(run.peak_bytes for run in runs[name]) / MEBIBYTE
        title = START_UP if name == "imports" else ""
        lines.append(
            (title, contender, records, f"{seconds:.2f}", "", f"{seconds / imports:.2f}", *bars, f"{peak:,.0f}")
        )
    return lines


def print_table(lines: Sequence[Line]) -> None:
    """Print a Markdown table; all columns but the first two are numbers."""
    widths = [max(map(len, column)) for column in zip(HEAD, *lines, strict=True)]
    rule = tuple("-" * (width - 1) + ("-" if place < 2 else ":") for place, width in enumerate(widths))
    for line in (HEAD, rule, *lines):
        cells = (
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print(f"| {' | '.join(cells)} |", flush=True)


def scaled(data: Data, scale: float) -> Data:
    """The same data with fewer records."""
    return dataclasses.replace(data, records=max(10 * TINY, round(data.records * scale)))


def measure(rows: Sequence[str], scale: float, repeats: int, *, with_peers: bool) -> list[Line]:
    """Measure these rows of the table."""
    lines: list[Line] = []
    for row in rows:
        if row in SPEED:
            case = dataclasses.replace(SPEED[row], data=scaled(SPEED[row].data, scale))
            lines += speed_lines(case, repeats, with_peers=with_peers)
        elif row in MEMORY:
            lines.append(memory_line(dataclasses.replace(MEMORY[row], data=scaled(MEMORY[row].data, scale))))
        else:
            lines += start_up_lines(repeats)
    return lines


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def main() -> None:
    """Measure what the command line asks for."""
    every = [*SPEED, START_UP, *MEMORY]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"all by default: {', '.join(every).replace('%', '%%')}")
    parser.add_argument("--scale", type=float, default=1, help="share of the full sizes, such as 0.1 for a quick look")
    parser.add_argument("--repeats", type=int, default=3, help="rounds that count")
    parser.add_argument("--no-peers", action="store_true", help="this tool and the bare scan only")
    given = parser.parse_args()
    if unknown := [row for row in given.rows if row not in every]:
        parser.error(f"there is no row {unknown[0]!r}")
    if given.repeats < 1 or not 0 < given.scale <= 1:
        parser.error("--repeats must be 1 or more, and --scale above 0 and at most 1")
    try:
        print_table(measure(given.rows or every, given.scale, given.repeats, with_peers=not given.no_peers))
    except BenchmarkError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()

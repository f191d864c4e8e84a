"""The contenders: each runs once on a file of any kind, as a fresh process, and says what it found."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import BenchmarkError, DiskWatch, run_python


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run: time with start-up, peak memory, and the rows counted.

    ``records`` and ``invalid`` count boards or games, None where nothing was judged. ``loop_seconds`` is the part
    of the time that grows with the rows, where the contender tells it, ``disk_bytes`` the most that it held on disk.
    """

    seconds: float
    peak_bytes: int
    rows: int
    records: int | None = None
    invalid: int | None = None
    loop_seconds: float | None = None
    disk_bytes: int | None = None

    def scaled(self, rows: int) -> float:
        """Tell the seconds that so many rows would take: the loop scaled, start-up counted once."""
        if rows == self.rows or self.loop_seconds is None:
            return self.seconds
        return self.seconds + self.loop_seconds * (rows / self.rows - 1)


def bare_scan(file: Path) -> Outcome:
    """Let Polars read all columns and look at every value."""
    process = run_python(["-m", "benchmarks.scan", str(file)])
    return Outcome(process.seconds, process.peak_bytes, json.loads(process.output)["rows"])


def this_tool(file: Path) -> Outcome:
    """Run the complete command line, which writes its report to a temporary folder."""
    with tempfile.TemporaryDirectory() as folder, DiskWatch(Path(folder)) as disk:
        report = Path(folder, "report")
        command = ["-m", "pipeline", "run", str(file), "--quiet", "--out", str(report)]
        process = run_python(command, accepted=(0, 1))
        summary = json.loads((report / "summary.json").read_text(encoding="utf-8"))
    if not summary["complete"]:
        raise BenchmarkError(f"{file} was not read to its end")
    records = summary["records"]
    return Outcome(
        process.seconds,
        process.peak_bytes,
        summary["rows"]["read"],
        records["read"],
        records["invalid"],
        disk_bytes=disk.peak_bytes,
    )


def plain_loop(file: Path) -> Outcome:
    """Let a Python function check one record after the other."""
    return _loop(["-m", "benchmarks.loop", str(file)])


def cached_loop(file: Path) -> Outcome:
    """Let the same function check only what it has not seen before."""
    return _loop(["-m", "benchmarks.loop", "--cached", str(file)])


def _loop(command: list[str]) -> Outcome:
    process = run_python(command)
    found = json.loads(process.output)
    return Outcome(seconds=process.seconds, peak_bytes=process.peak_bytes, **found)

"""Runs one command as a fresh process and measures its time and its peak memory.

This module and whatever runs it must import no large library: Linux counts the memory of the process that
starts a command as a lower bound of the command's own peak.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

PROJECT: Final = Path(__file__).resolve().parent.parent


class BenchmarkError(Exception):
    """The measurement means nothing: a command failed, or the contenders disagree."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process that has ended: wall-clock time with start-up, peak memory and what it printed."""

    seconds: float
    peak_bytes: int
    output: str


@dataclass(frozen=True, slots=True)
class Measured:
    """Several runs of one command: the median time, the highest peak, and what was found."""

    seconds: float
    peak_bytes: int
    found: Any


def run_python(arguments: Sequence[str], accepted: Collection[int] = (0,)) -> Process:
    """Run this interpreter to its end; ``BenchmarkError`` for an exit code that is not among ``accepted``."""
    command = [sys.executable, *arguments]
    started = time.perf_counter()
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in accepted:
        raise BenchmarkError(f"exit code {process.returncode}: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Process(seconds, usage.ru_maxrss * unit, output)


def run_tool(file: Path) -> Process:
    """Run the complete command line, which writes its report to a temporary folder; ``output`` is the summary."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report")
        process = run_python(["-m", "pipeline", "run", str(file), "--quiet", "--out", str(report)], accepted=(0, 1))
        return Process(process.seconds, process.peak_bytes, (report / "summary.json").read_text(encoding="utf-8"))


def summed_up(runs: Sequence[Process]) -> Measured:
    """The median time and the highest peak of runs that found the same."""
    return Measured(
        median(run.seconds for run in runs), max(run.peak_bytes for run in runs), _verdicts(json.loads(runs[0].output))
    )


def _verdicts(found: dict[str, Any]) -> dict[str, Any]:
    """How many records are invalid, and have each reason, in the words of the peers."""
    if "complete" not in found:
        return found
    if not found["complete"]:
        raise BenchmarkError("a file was not read to its end")
    reasons = {code: count["records"] for code, count in found["reasons"].items()}
    return {"records": found["records"]["read"], "invalid": found["records"]["invalid"], "reasons": reasons}

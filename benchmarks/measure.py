"""Runs one command as a fresh process and measures its time and its peak memory.

This module and whatever runs it must import no large library: Linux counts the memory of the process that
starts a command as a lower bound of the command's own peak.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parent.parent
POLL_SECONDS: Final = 0.05


class BenchmarkError(Exception):
    """The measurement means nothing: a command failed, or the contenders disagree."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process that has ended: wall-clock time with start-up, peak memory and what it printed."""

    seconds: float
    peak_bytes: int
    output: str


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


class DiskWatch:
    """Looks at a folder again and again while the block runs; ``peak_bytes`` is the most that its files had."""

    def __init__(self, folder: Path) -> None:
        self.peak_bytes = 0
        self._folder = folder
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> DiskWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(POLL_SECONDS):
            self.peak_bytes = max(self.peak_bytes, _bytes_in(self._folder))


def _bytes_in(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            # A file may go, or move, between being listed and being looked at.
            with contextlib.suppress(OSError):
                total += Path(parent, name).stat().st_size
    return total

"""Kills runs at random moments over an earlier report, and looks at what is left: ``python -m damage.kill``.

Run it in the root of a clone with ``PYTHONPATH=tests``.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import polars as pl

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
LEAST_SECONDS = 0.15
"""Before that it is Python itself that starts, and no run that is killed."""


@dataclass(frozen=True)
class Killed:
    """What one run left: how it ended, how long after the signal, and whose report is in place."""

    sent: signal.Signals
    exit_code: int
    seconds: float
    report: str
    left_over: int


class Arena:
    """A folder with two inputs, ``odd.csv`` and ``even.csv``, and the report of one of them."""

    def __init__(self, folder: Path, records: int) -> None:
        self.folder = folder
        for name, board in (("odd", "O........"), ("even", "OX.......")):
            (folder / f"{name}.csv").write_text("board\n" + f"XO.......\n{board}\nXXX......\n" * (records // 3))
            began = time.monotonic()
            self.start(name).wait()
            self.whole = time.monotonic() - began

    def start(self, name: str) -> subprocess.Popen[bytes]:
        """Begin a run on one of the inputs."""
        arguments = ["run", f"{name}.csv", "--out", "reports/data", "--quiet"]
        # What runs the tests may ignore an interrupt, and what is ignored is inherited.
        ours = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return subprocess.Popen(
                [sys.executable, "-m", "pipeline", *arguments], cwd=self.folder, stderr=subprocess.DEVNULL
            )
        finally:
            signal.signal(signal.SIGINT, ours)

    def kill(self, chance: random.Random, sent: signal.Signals) -> Killed:
        """Kill a run at a random moment, and make sure that nothing is damaged.

        Raises:
            AssertionError: something is.
        """
        before = self.left_overs()
        with self.start(chance.choice(["odd", "even"])) as run:
            time.sleep(chance.uniform(LEAST_SECONDS, self.whole))
            run.send_signal(sent)
            began = time.monotonic()
            exit_code = run.wait()
        killed = Killed(sent, exit_code, time.monotonic() - began, self.report(), len(self.left_overs() - before))
        # A run that was not killed has found invalid records; one that has not begun is ended by the signal itself.
        ends = {signal.SIGINT: {1, 130, -2}, signal.SIGTERM: {1, 143, -15}, signal.SIGKILL: {1, -9}}
        assert killed.exit_code in ends[sent], killed
        assert killed.left_over <= (sent is signal.SIGKILL), killed
        return killed

    def report(self) -> str:
        """The input that the report in place is of, which is whole.

        Raises:
            AssertionError: it is not.
        """
        place = self.folder / "reports" / "data"
        assert sorted(path.name for path in place.iterdir()) == ["invalid.parquet", "summary.json"]
        summary = json.loads((place / "summary.json").read_text())
        invalid = pl.read_parquet(place / "invalid.parquet")
        assert invalid.height == summary["records"]["invalid"] > 0
        assert summary["complete"]
        (file,) = invalid["_file"].unique()
        assert summary["inputs"][0]["file"] == file
        return str(file)

    def left_overs(self) -> set[str]:
        """The names beside the report, each of them an unfinished one's."""
        names = {path.name for path in (self.folder / "reports").iterdir()} - {"data"}
        assert all(name.startswith(".data-") and name.endswith(".unfinished") for name in names), names
        return names

    def finish(self) -> None:
        """One run to its end, after which nothing is left over."""
        assert self.start("odd").wait() == 1
        assert (self.report(), self.left_overs()) == ("odd.csv", set())


def main() -> int:
    """Kill as many runs as are asked for, and say how they ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--records", type=int, default=1_500_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        arena = Arena(Path(folder), options.records)
        ended = [arena.kill(chance, SIGNALS[number % len(SIGNALS)]) for number in range(options.runs)]
        arena.finish()
    for (sent, exit_code), count in sorted(Counter((one.sent.name, one.exit_code) for one in ended).items()):
        print(f"{sent} exit {exit_code}: {count} runs")
    print(f"left over by SIGKILL, and removed by a later run: {sum(one.left_over for one in ended)}")
    slowest = max(one.seconds for one in ended)
    print(f"slowest end after a signal: {slowest:.2f} s; a whole run takes {arena.whole:.2f} s")
    return int(slowest > 1)


if __name__ == "__main__":
    sys.exit(main())

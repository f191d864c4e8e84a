"""What the tests share: running the product on a file, and its verdicts as plain Python."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pandera.errors
import pandera.polars as pa
import polars as pl
import pytest

from pipeline.cli import main
from pipeline.config import LayoutOptions
from pipeline.run import RunOptions, run

# A failing example must fail again: no database, no deadline that a busy machine could miss.
hypothesis.settings.register_profile("deterministic", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("deterministic")


@dataclass(frozen=True)
class Verdicts:
    """What a run said: the summary, and the reasons of each invalid record by its row."""

    summary: dict[str, Any]
    reasons: dict[int, list[str]]
    invalid: pl.DataFrame
    exit_code: int


Judge = Callable[..., Verdicts]


@pytest.fixture
def judge_file(tmp_path: Path) -> Judge:
    """Runs the pipeline in this process on a file, with the flags of the command line that say how it is laid out."""

    def judge(path: Path, **flags: Any) -> Verdicts:
        result = run([str(path)], RunOptions(out=tmp_path / "report", layout=LayoutOptions.from_flags(**flags)))
        invalid = pl.read_parquet(result.report / "invalid.parquet")
        reasons = dict(invalid.select("_row", "_reasons").iter_rows())
        return Verdicts(result.summary.as_dict(), reasons, invalid, result.exit_code)

    return judge


@dataclass(frozen=True)
class Finished:
    """A finished command: its exit code and what it printed."""

    exit_code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output read as JSON."""
        return json.loads(self.out)


Command = Callable[..., Finished]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs the command line with these arguments in this process, within ``tmp_path``."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> Finished:
        exit_code = main([str(argument) for argument in arguments])
        return Finished(exit_code, *capfd.readouterr())

    return call


@pytest.fixture
def process(tmp_path: Path) -> Command:
    """Runs ``python -m pipeline`` with these arguments in a process of its own, within ``tmp_path``."""

    def call(*arguments: str | Path, stdin: bytes = b"") -> Finished:
        done = subprocess.run(
            [sys.executable, "-m", "pipeline", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            timeout=120,
            check=False,
        )
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


def failed_checks(schema: pa.DataFrameSchema, frame: pl.DataFrame) -> list[set[str]]:
    """The codes of the checks that each row fails, in any of the columns."""
    failed: list[set[str]] = [set() for _ in range(frame.height)]
    try:
        schema.validate(frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        for error in errors.schema_errors:
            for row, passed in enumerate(error.check_output["check_output"]):
                if not passed:
                    failed[row].add(error.check.name)
    return failed

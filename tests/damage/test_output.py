"""Output that cannot be written: one message, exit code 4, and nothing that was there is damaged."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from conftest import Command, Finished
from damage.kill import Arena
from pipeline.report.folder import report_folder

GOOD, BAD = "board\nXO.......\n", "board\nO........\n"
MANY = "board,n\n" + "".join(f"O........,{number * 7919 % 1_000_003}\n" for number in range(60_000))
LOG = "game,ply,square\n" + "".join(f"{number * 7919 % 1_000_003},0,9\n" for number in range(60_000))


def content(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


def refused(done: Finished) -> str:
    """The one message of a run that could not write."""
    (said,) = done.err.splitlines()
    assert (done.exit_code, done.out) == (4, "")
    return said


@pytest.fixture
def earlier(tmp_path: Path, command: Command) -> Path:
    """An input, and a report on another one."""
    (tmp_path / "earlier.csv").write_text(BAD)
    (tmp_path / "data.csv").write_text(GOOD)
    (tmp_path / "many.csv").write_text(MANY)
    (tmp_path / "log.csv").write_text(LOG)
    assert command("run", "earlier.csv", "--out", "out/report").exit_code == 1
    return tmp_path


def full_disk(size: int) -> list[str]:
    """A process in which no file can become larger than ``size`` bytes; Python then meets an ``OSError``."""
    limit = (
        f"import resource, runpy, signal, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}));"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); sys.argv[0] = 'pipeline';"
        "runpy.run_module('pipeline', run_name='__main__', alter_sys=True)"
    )
    return [sys.executable, "-c", limit]


@pytest.mark.parametrize(
    ("size", "arguments"),
    [
        (0, ["many.csv"]),
        (1_000, ["many.csv", "--invalid-format", "csv"]),
        (1_000, ["many.csv", "--invalid-format", "jsonl"]),
        (100_000, ["many.csv"]),
        (1_000, ["log.csv"]),
        (0, ["data.csv", "--valid", "out/valid.csv"]),
        (0, ["data.csv", "--valid", "out/valid.parquet"]),
    ],
    ids=str,
)
def test_no_room_for_the_report(size: int, arguments: list[str], earlier: Path) -> None:
    before = content(earlier)
    done = subprocess.run(
        [*full_disk(size), "run", *arguments, "--out", "out/report"],
        cwd=earlier,
        capture_output=True,
        text=True,
        check=False,
    )
    said = refused(Finished(done.returncode, done.stdout, done.stderr))
    assert said.endswith("cannot be written: File too large")
    assert content(earlier) == before


def test_no_room_for_what_is_kept_of_standard_input(earlier: Path) -> None:
    before = content(earlier)
    done = subprocess.run(
        [*full_disk(1_000), "run", "-", "--out", "out/report"],
        cwd=earlier,
        input=LOG,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "File too large" in refused(Finished(done.returncode, done.stdout, done.stderr))
    assert content(earlier) == before


@pytest.fixture
def small_disk(earlier: Path) -> Iterator[Path]:
    """A file system of a quarter of a megabyte."""
    place = earlier / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a file system is not allowed here; the tests above limit the size of files instead")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_full_disk(small_disk: Path, command: Command) -> None:
    assert command("run", "earlier.csv", "--out", "disk/report").exit_code == 1
    before = content(small_disk)
    assert "No space left on device" in refused(command("run", "many.csv", "--out", "disk/report"))
    assert "No space left on device" in refused(command("run", "many.csv", "--out", "disk/other"))
    assert content(small_disk) == before


def test_disk_that_is_read_only(small_disk: Path, command: Command) -> None:
    assert command("run", "earlier.csv", "--out", "disk/report").exit_code == 1
    before = content(small_disk)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert "Read-only file system" in refused(command("run", "data.csv", "--out", "disk/report"))
    assert "Read-only file system" in refused(command("run", "data.csv", "--valid", "disk/valid.csv"))
    assert content(small_disk) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root; see the read-only disk above")
def test_folder_that_is_read_only(earlier: Path, command: Command) -> None:
    before = content(earlier)
    (earlier / "out").chmod(0o555)
    assert "Permission denied" in refused(command("run", "data.csv", "--out", "out/report"))
    (earlier / "out").chmod(0o755)
    assert content(earlier) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["data.csv", "--out", "earlier.csv"], "is not a folder"),
        (["data.csv", "--out", "data.csv/report"], "cannot be written: File exists"),
        (["data.csv", "--out", "data.csv"], "is within --out data.csv"),
        (["data.csv", "--out", "mine"], "is a folder that holds no report"),
        (["data.csv", "--out", "."], "is within --out ."),
        (["mine/data.csv", "--out", "mine"], "is within --out mine, which is replaced whole"),
        (["mine", "--out", "mine"], "is within --out mine, which is replaced whole"),
        (["data.csv", "--valid", "data.csv"], "would overwrite an input"),
        (["missing.csv", "data.csv", "--valid", "./data.csv"], "would overwrite an input"),
        (["mine", "--valid", "mine/valid.csv"], "is within the input mine"),
        (["data.csv", "--valid", "mine"], "--valid mine"),
        (["data.csv", "--valid", "folder.csv"], "folder.csv cannot be written: Is a directory"),
    ],
    ids=str,
)
def test_target_that_is_something_else(arguments: list[str], said: str, earlier: Path, command: Command) -> None:
    (earlier / "mine").mkdir()
    (earlier / "mine" / "data.csv").write_text(GOOD)
    (earlier / "folder.csv").mkdir()
    before = content(earlier)
    done = command("run", *arguments)
    assert (done.exit_code, done.out) == (2 if said == "--valid mine" else 4, "")
    assert said in done.err.splitlines()[-1]
    assert len(done.err.splitlines()) == 1
    assert content(earlier) == before | {str(earlier / "reports"): None for _ in [0] if (earlier / "reports").exists()}


def test_report_within_an_input_folder_does_no_harm(earlier: Path, command: Command) -> None:
    (earlier / "mine").mkdir()
    (earlier / "mine" / "data.csv").write_text(BAD)
    for _ in range(2):
        done = command("run", "mine", "--out", "mine/report", "--json")
        assert (done.exit_code, done.json["records"]["read"]) == (1, 1)


# Two runs at once, and what dead ones leave


def test_two_runs_to_the_same_target(tmp_path: Path) -> None:
    arena = Arena(tmp_path, records=3_000)
    for _ in range(2):
        runs = [arena.start(name) for name in ("odd", "even", "odd")]
        assert [run.wait() for run in runs] == [1, 1, 1]
        assert arena.report() in {"odd.csv", "even.csv"}
        assert arena.left_overs() == set()


def test_only_what_a_dead_run_has_left_is_removed(tmp_path: Path) -> None:
    names = {
        ".data-deadbeef.unfinished": ["summary.json"],
        ".data-deadbee2.unfinished": [".scratch", "invalid.parquet"],
        ".data-livelive.unfinished": ["invalid.csv"],
        ".data-foreign_.unfinished": ["thesis.txt"],
        ".data-other.unfinished": [],
        ".more-deadbeef.unfinished": [],
    }
    for name, files in names.items():
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text("x")
    living = os.open(tmp_path / ".data-livelive.unfinished", os.O_RDONLY)
    fcntl.flock(living, fcntl.LOCK_EX)
    with report_folder(tmp_path / "data") as new:
        (new / "summary.json").write_text("x")
        assert new.name in {path.name for path in tmp_path.iterdir()}
    os.close(living)
    assert sorted(path.name for path in tmp_path.iterdir()) == [*sorted([*names][2:]), "data"]


# Signals


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_signal_during_a_call_that_does_not_come_back(sent: signal.Signals, earlier: Path) -> None:
    """No handler of Python's runs while the main thread is in a call of C, as it may be in one of Polars for long."""
    before = content(earlier)
    stuck = (
        "import ctypes, sys, pipeline.cli, pipeline.run;"
        "lock, mutex = ctypes.CDLL(None).pthread_mutex_lock, ctypes.create_string_buffer(64);"
        "pipeline.run.check_records = lambda *_: (lock(mutex), print('now', flush=True), lock(mutex));"
        "sys.exit(pipeline.cli.main(['run', 'data.csv', '--out', 'out/report']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", stuck], cwd=earlier, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == b"now\n"
        child.send_signal(sent)
        assert child.wait(timeout=30) == 128 + sent
        assert child.stderr.read().endswith(b"ed: nothing was written\n")
    assert content(earlier) == before
    assert pl.read_parquet(earlier / "out" / "report" / "invalid.parquet").height == 1

"""What comes from files is never obeyed by a terminal, and never takes more memory than there is."""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from conftest import Command, Finished

EVIL = "\x1b[31mred\x07\x9b2J\u202e\rover"


def shown(done: Finished) -> str:
    """Everything that was printed, which must have no control characters but line ends."""
    text = done.out + done.err
    assert [character for character in text if not character.isprintable() and character != "\n"] == []
    return text


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_names_of_files(flags: list[str], tmp_path: Path, command: Command) -> None:
    (tmp_path / f"{EVIL}\nerror: forged.csv").write_text("board\nO........\n")
    (tmp_path / f"{EVIL} is empty.csv").write_text("")
    done = command("run", *sorted(path.name for path in tmp_path.iterdir()), *flags)
    assert done.exit_code == 3
    assert r"\x1b[31mred\x07\x9b2J" in shown(done).replace(r"\\", "\\")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_columns_cells_and_labels(flags: list[str], tmp_path: Path, command: Command) -> None:
    cells = ",".join(f'"{EVIL}{number}"' for number in range(9))
    names = ",".join(f"c{number}" for number in range(9))
    (tmp_path / "data.csv").write_text(f"{names},winner,label\n{cells},X,{EVIL}\n".replace("\r", ""))
    done = command("run", "data.csv", *flags)
    assert done.exit_code == 1
    assert "red" in shown(done)
    invalid = pl.read_parquet(tmp_path / "reports" / "data" / "invalid.parquet")
    assert invalid["c0"].to_list() == [f"{EVIL}0".replace("\r", "")]


def test_json_means_the_same(tmp_path: Path, command: Command) -> None:
    (tmp_path / "data.csv").write_text("board,winner\n" + f"XO\x7f......,{EVIL}\n".replace("\r", "") * 3)
    done = command("run", "data.csv", "--outcome", "winner", "--json")
    assert done.json == json.loads((tmp_path / "reports" / "data" / "summary.json").read_text())
    assert done.json["layout"]["unknown_labels"] == [EVIL.replace("\r", "")]
    shown(done)


@pytest.mark.parametrize("option", ["--board", "--moves", "--out", "--cells", "--max-invalid", "--valid"])
def test_options(option: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / "data.csv").write_text("board\nXO.......\n")
    (tmp_path / "file").write_text("mine")
    done = command("run", "data.csv", option, f"file/{EVIL}")
    assert done.exit_code in {2, 4}
    assert r"\x1b" in shown(done)


# Memory


def endless(folder: Path) -> None:
    with (folder / "data.csv").open("wb") as file:
        for _ in range(20):
            file.write(b"X" * (10 << 20))


def bomb(folder: Path) -> None:
    """A third of a gigabyte of zeros behind a board."""
    with gzip.open(folder / "data.csv.gz", "wb", compresslevel=1) as file:
        file.write(b"board\nXO.......\n")
        for _ in range(20):
            file.write(bytes(16 << 20))


def many_columns(folder: Path) -> None:
    (folder / "data.csv").write_bytes(b"board" + b",x" * 1_000_000 + b"\n")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (endless, "line 1 is longer than 16,777,216 bytes"),
        (bomb, "line 3 is longer than 16,777,216 bytes"),
        (many_columns, "has 1,000,001 columns, more than 4,096"),
    ],
)
def test_memory_is_bounded(make: object, said: str, tmp_path: Path) -> None:
    assert callable(make)
    make(tmp_path)
    (name,) = [path.name for path in tmp_path.iterdir()]
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "run", name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert done.stderr.startswith(f"error: {name}: {said}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    assert peak < 1 << 30

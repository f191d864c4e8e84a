"""Several inputs, some of them damaged: each is named with its account, and none stops the others."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from conftest import Command

GOOD = b"board\nXO.......\n"
BAD = b"board\nO........\nXO.......\n"


def zst(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue())


def parquet(boards: list[str]) -> bytes:
    file = io.BytesIO()
    pl.DataFrame({"board": boards}).write_parquet(file)
    return file.getvalue()


@dataclass(frozen=True)
class Case:
    """Files, what is given, and for each file in order how many records were read, or what is wrong with it."""

    name: str
    files: dict[str, bytes]
    given: tuple[str, ...]
    exit_code: int
    read: dict[str, int]
    wrong: dict[str, str]


NOISE = bytes(range(256)) * 8
CASES = [
    Case(
        "packed",
        {"a.csv.gz": gzip.compress(BAD), "b.csv.zst": zst(GOOD)},
        (".",),
        1,
        {"a.csv.gz": 2, "b.csv.zst": 1},
        {},
    ),
    Case(
        "packed in two parts",
        {"a.csv.gz": gzip.compress(GOOD) + gzip.compress(b"XO.......\n")},
        (".",),
        0,
        {"a.csv.gz": 2},
        {},
    ),
    Case("packed, and named as if not", {"a.csv": gzip.compress(BAD)}, ("a.csv",), 1, {"a.csv": 2}, {}),
    Case(
        "not packed, and named as if",
        {"a.csv.gz": BAD, "b.csv": GOOD},
        (".",),
        3,
        {"b.csv": 1},
        {"a.csv.gz": "is named as if it were packed, but is not"},
    ),
    Case(
        "nothing, packed",
        {"a.csv.gz": gzip.compress(b""), "b.csv": GOOD},
        (".",),
        3,
        {"b.csv": 1},
        {"a.csv.gz": "is empty, expected"},
    ),
    Case(
        "packed twice",
        {"a.csv.gz": gzip.compress(gzip.compress(GOOD)), "b.csv": GOOD},
        (".",),
        3,
        {"b.csv": 1},
        {"a.csv.gz": "the header"},
    ),
    Case("noise", {"a.csv": NOISE, "b.csv": GOOD}, (".",), 3, {"b.csv": 1}, {"a.csv": "no board or moves"}),
    Case(
        "noise in a .gz",
        {"a.csv.gz": b"\x1f\x8b\x08\x00" + NOISE, "b.csv": GOOD},
        (".",),
        3,
        {"b.csv": 1},
        {"a.csv.gz": "cannot be opened"},
    ),
    Case(
        "no Parquet",
        {"a.parquet": GOOD, "b.csv": GOOD},
        (".",),
        3,
        {"b.csv": 1},
        {"a.parquet": "is named .parquet but is not"},
    ),
    Case(
        "Parquet named as text",
        {"a.csv": parquet(["O........"]), "b.csv": GOOD},
        (".",),
        1,
        {"a.csv": 1, "b.csv": 1},
        {},
    ),
    Case(
        "Parquet in a .gz",
        {"a.csv.gz": gzip.compress(parquet(["XO......."])), "b.csv": GOOD},
        (".",),
        3,
        {"b.csv": 1},
        {"a.csv.gz": "is Parquet, which cannot be read from a stream"},
    ),
    Case(
        "Parquet beside text",
        {"a.csv": BAD, "b.parquet": parquet(["XO.......", "OO......."])},
        (".",),
        1,
        {"a.csv": 2, "b.parquet": 2},
        {},
    ),
    Case("Parquet of no rows", {"a.parquet": parquet([])}, ("a.parquet",), 0, {"a.parquet": 0}, {}),
    Case(
        "columns that differ",
        {"a.csv": BAD, "b.csv": b"n,board\n1,O........\n", "c.csv": b"n\n1\n"},
        (".",),
        3,
        {"a.csv": 2, "b.csv": 1},
        {"c.csv": "no board or moves among its columns"},
    ),
    Case(
        "games beside boards",
        {"a.csv": GOOD, "b.csv": b'moves\n"0,0"\n'},
        (".",),
        3,
        {"a.csv": 1},
        {"b.csv": "holds a game in each row, unlike"},
    ),
    Case(
        "one that is missing", {"a.csv": BAD}, ("a.csv", "b.csv"), 3, {"a.csv": 2}, {"b.csv": "no such file or folder"}
    ),
    Case(
        "a folder without data",
        {"a.csv": GOOD, "folder/readme.md": b"x"},
        ("a.csv", "folder"),
        3,
        {"a.csv": 1},
        {"folder": "no data in this folder"},
    ),
    Case(
        "a glob that matches nothing",
        {"a.csv": GOOD},
        ("a.csv", "*.tsv"),
        3,
        {"a.csv": 1},
        {"*.tsv": "no file matches"},
    ),
    Case(
        "a glob",
        {"a.csv": GOOD, "b.csv": b"", "b.txt": GOOD},
        ("*.csv",),
        3,
        {"a.csv": 1},
        {"b.csv": "is empty (zero bytes)"},
    ),
    Case(
        "hidden files and folders",
        {"a.csv": GOOD, ".b.csv": BAD, "_tmp/c.csv": BAD, "d/e.csv": GOOD},
        (".",),
        0,
        {"a.csv": 1, "d/e.csv": 1},
        {},
    ),
    Case("one file twice", {"a.csv": BAD}, ("a.csv", "./a.csv", "*.csv"), 1, {"a.csv": 2}, {}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_account(case: Case, tmp_path: Path, command: Command) -> None:
    for name, content in case.files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    done = command("run", *case.given, "--out", "report", "--json")
    assert done.exit_code == case.exit_code
    inputs = done.json["inputs"]
    assert {one["file"]: one["records"]["read"] for one in inputs if "error" not in one} == case.read
    wrong = {one["file"]: one["error"] for one in inputs if "error" in one}
    assert wrong.keys() == case.wrong.keys()
    for name, said in case.wrong.items():
        assert wrong[name].startswith(f"{name}: {said}")
    assert sorted(done.err.splitlines()) == sorted("\n".join(f"error: {said}" for said in wrong.values()).splitlines())
    assert done.json["records"]["read"] == sum(case.read.values())
    assert pl.read_parquet(tmp_path / "report" / "invalid.parquet").height == done.json["records"]["invalid"]


@pytest.mark.parametrize("pack", [gzip.compress, zst], ids=["gz", "zst"])
def test_packed_text_that_breaks_off(pack: object, tmp_path: Path, command: Command) -> None:
    assert callable(pack)
    packed = pack(b"board,n\n" + b"".join(f"XO.......,{number}\n".encode() for number in range(200_000)))
    (tmp_path / "a.csv").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "b.csv").write_bytes(GOOD)
    done = command("run", ".", "--out", "report", "--json")
    assert done.exit_code == 3
    (said,) = done.err.splitlines()
    assert said.startswith("error: a.csv: is damaged after ")
    first, second = done.json["inputs"]
    lines = first["lines"]
    assert lines["read"] == lines["header"] + lines["records"] > 1_000
    assert (first["records"]["read"], second["records"]["read"]) == (lines["records"], 1)


def test_checksum_that_does_not_fit(tmp_path: Path, command: Command) -> None:
    packed = bytearray(gzip.compress(GOOD))
    packed[-8] ^= 1
    (tmp_path / "a.csv.gz").write_bytes(packed)
    done = command("run", "a.csv.gz", "--json")
    assert done.exit_code == 3
    assert done.err.startswith("error: a.csv.gz: ")


@pytest.mark.parametrize(
    ("content", "exit_code", "read"),
    [(BAD, 1, 2), (gzip.compress(BAD), 1, 2), (zst(GOOD), 0, 1), (b"", 3, None), (parquet(["XO......."]), 3, None)],
    ids=["text", "gz", "zst", "nothing", "Parquet"],
)
def test_standard_input(content: bytes, exit_code: int, read: int | None, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "run", "-", "--out", "report", "--quiet"],
        input=content,
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == exit_code
    assert (tmp_path / "report").exists() is (read is not None)
    assert len(done.stderr.splitlines()) == (read is None)

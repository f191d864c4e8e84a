"""Which files an INPUT stands for, what they are, and how the report on them is named."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from functools import partial
from pathlib import Path

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pytest

from conftest import Command
from pipeline.errors import InputError
from pipeline.ingest.content import is_url
from pipeline.ingest.inputs import Readable, find_files, open_source, report_name
from pipeline.ingest.parquet import ParquetSource
from pipeline.ingest.text import Dialect, TextSource
from pipeline.report.folder import is_report

BOARDS = b"board\nXO.......\nO........\n"
HOW = Readable(Dialect(header=True))


def found(given: str) -> list[str]:
    return find_files(given, leave_out=is_report)


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(BOARDS)


def zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    compressed: bytes = sink.getvalue().to_pybytes()
    return compressed


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# Folders


KNOWN = [
    *("a.csv", "a.csv.gz", "a.csv.zst", "a.data", "a.data.gz", "a.data.zst", "a.parquet"),
    *("a.tsv", "a.tsv.gz", "a.tsv.zst", "a.txt", "a.txt.gz", "a.txt.zst"),
]


def test_folder_is_searched_for_the_known_suffixes(tmp_path: Path) -> None:
    touch(tmp_path / "data", *KNOWN, "a.json", "a.py", "a", "csv", "a.gz", "a.parquet.gz", "a.csv.bak", "acsv")
    assert found("data") == [f"data/{name}" for name in KNOWN]


def test_suffixes_in_either_case(tmp_path: Path) -> None:
    touch(tmp_path / "data", "A.CSV", "b.Parquet", "c.csv.GZ")
    assert found("data") == ["data/A.CSV", "data/b.Parquet", "data/c.csv.GZ"]


def test_folder_is_searched_in_depth_and_sorted(tmp_path: Path) -> None:
    touch(tmp_path / "data", "b/2.csv", "b/1.csv", "a/z/9.csv", "c.csv", "a.csv", "10.csv", "9.csv")
    names = ["10.csv", "9.csv", "a.csv", "a/z/9.csv", "b/1.csv", "b/2.csv", "c.csv"]
    assert found("data") == [f"data/{name}" for name in names]
    assert found("data/") == found("data")


def test_hidden_names_are_left_out(tmp_path: Path) -> None:
    touch(tmp_path / "data", ".a.csv", "_b.csv", ".git/c.csv", "_tmp/d.csv", "e/_f/g.csv", "h_.csv", "i.j/k.csv")
    assert found("data") == ["data/h_.csv", "data/i.j/k.csv"]


def test_hidden_name_that_is_given_is_taken(tmp_path: Path) -> None:
    touch(tmp_path, "_data/a.csv", ".b.csv")
    assert found("_data") == ["_data/a.csv"]
    assert found(".b.csv") == [".b.csv"]


def test_earlier_reports_are_left_out(tmp_path: Path, command: Command) -> None:
    touch(tmp_path, "data/a.csv")
    command("run", "data", "--out", "data/reports/a", "--invalid-format", "csv")
    (tmp_path / "data" / "other").mkdir()
    (tmp_path / "data" / "other" / "summary.json").write_text("{}")
    touch(tmp_path, "data/other/b.csv")
    assert found("data") == ["data/a.csv", "data/other/b.csv"]


def test_folder_twice_checked_gives_the_same(tmp_path: Path, command: Command) -> None:
    touch(tmp_path, "a.csv")
    assert command("run", ".").exit_code == 1
    done = command("run", ".", "--json")
    assert [one["file"] for one in done.json["inputs"]] == ["a.csv"]


def test_folder_without_data(tmp_path: Path) -> None:
    touch(tmp_path, "data/a.json")
    with pytest.raises(InputError, match="data: no data in this folder"):
        found("data")


# Globs and names


def test_glob_is_sorted(tmp_path: Path) -> None:
    touch(tmp_path, "b.csv", "a.csv", "c.txt", "d/e.csv")
    assert found("*.csv") == ["a.csv", "b.csv"]
    assert found("[bc].*") == ["b.csv", "c.txt"]
    assert found("**/*.csv") == ["a.csv", "b.csv", "d/e.csv"]
    assert found("?/*") == ["d/e.csv"]


def test_glob_takes_any_file_and_no_folder(tmp_path: Path) -> None:
    touch(tmp_path, "a.json", "b/c.csv")
    assert found("*") == ["a.json"]


@pytest.mark.parametrize("given", ["*.csv", "nope/*.csv", "[ab].parquet"])
def test_glob_of_nothing(given: str) -> None:
    with pytest.raises(InputError, match="no file matches this pattern"):
        found(given)


@pytest.mark.parametrize(
    "name", ["a[1].csv", "*.csv", "what?.csv", "a b.csv", "é✗.csv", "#1.csv", "a%20b.csv", "-a.csv"]
)
def test_name_with_special_characters(name: str, tmp_path: Path, command: Command) -> None:
    touch(tmp_path, name, "a1.csv")
    assert found(name) == [name]
    done = command("run", "--json", "--", name)
    assert (done.exit_code, done.err) == (1, "")
    assert [one["file"] for one in done.json["inputs"]] == [name]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_name_that_is_not_utf8(tmp_path: Path, command: Command) -> None:
    name = os.fsdecode(b"caf\xe9.csv")
    touch(tmp_path, name)
    done = command("run", name, "--out", "report", "--json")
    assert (done.exit_code, done.err) == (1, "")
    assert pl.read_parquet(tmp_path / "report" / "invalid.parquet")["_file"].to_list() == ["caf\\xe9.csv"]


def test_nothing_of_that_name() -> None:
    with pytest.raises(InputError, match=r"nope\.csv: no such file or folder"):
        found("nope.csv")


@pytest.mark.parametrize(
    ("given", "expected"),
    [("s3://bucket/a.parquet", True), ("https://host/a.csv", True), ("a.csv", False), ("a:b.csv", False), ("-", False)],
)
def test_urls_are_told_by_their_scheme(given: str, expected: bool) -> None:
    assert is_url(given) is expected


@pytest.mark.parametrize("given", ["-", "s3://bucket/*.parquet"])
def test_standard_input_and_urls_stand_for_themselves(given: str) -> None:
    assert found(given) == [given]


# Names of reports


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("a.csv", "a"),
        ("a.CSV", "a"),
        ("a.csv.gz", "a"),
        ("a.tsv.zst", "a"),
        ("a.parquet", "a"),
        ("deep/er/a.b.csv", "a.b"),
        ("a.csv.csv", "a.csv"),
        ("a.json", "a.json"),
        ("a", "a"),
        (".csv", "data"),
        ("folder", "folder"),
        ("folder/", "folder"),
        ("folder/../folder", "folder"),
        ("folder/*.csv", "folder"),
        ("folder/**/*.csv", "folder"),
        ("folder/*/a.csv", "folder"),
        ("-", "stdin"),
        ("s3://bucket/deep/a.parquet", "a"),
        ("https://host/a.csv.gz?version=2", "a"),
    ],
)
def test_report_is_named_after_the_input(given: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert report_name(given) == name


def test_report_on_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here" / "sub").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here" / "sub")
    assert [report_name(given) for given in (".", "..", "*.csv", "../*.csv")] == ["sub", "here", "sub", "here"]


# Kinds of file


def read(file: str) -> list[str]:
    source = open_source(file, HOW)
    boards = [board for batch in source.batches() for board in batch.columns["board"]]
    source.close()
    return boards


@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a", "a.parquet", "a.csv.gz"])
def test_parquet_is_told_by_its_content(name: str, tmp_path: Path) -> None:
    pl.DataFrame({"board": ["X"]}).write_parquet(tmp_path / name)
    assert open_source(name, HOW).format == "parquet"
    assert read(name) == ["X"]


@pytest.mark.parametrize("name", ["a.csv.gz", "a.csv", "a.data", "a.csv.zst"])
@pytest.mark.parametrize("compress", [gzip.compress, zstd], ids=["gzip", "zstd"])
def test_compression_is_told_by_content(name: str, compress: object, tmp_path: Path) -> None:
    assert callable(compress)
    (tmp_path / name).write_bytes(compress(BOARDS))
    assert read(name) == ["XO.......", "O........"]


@pytest.mark.parametrize("name", ["a.csv.gz", "a.txt.zst", "A.CSV.GZ"])
def test_text_named_as_if_it_were_packed_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(BOARDS)
    with pytest.raises(InputError, match="is named as if it were packed, but is not"):
        read(name)


def test_several_members_of_gzip_are_one_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(BOARDS[:10]) + gzip.compress(BOARDS[10:]))
    assert read("a.csv.gz") == ["XO.......", "O........"]


def test_compressed_text_in_a_report(tmp_path: Path, command: Command) -> None:
    compressed = gzip.compress(BOARDS)
    (tmp_path / "a.csv.gz").write_bytes(compressed)
    done = command("run", "a.csv.gz", "--json")
    assert done.exit_code == 1
    assert done.json["inputs"] == [
        {
            "file": "a.csv.gz",
            "format": "csv",
            "bytes": len(compressed),
            "records": {"read": 2, "valid": 1, "invalid": 1},
            "lines": {"read": 3, "header": 1, "blank": 0, "records": 2},
        }
    ]


@pytest.mark.parametrize("compress", [gzip.compress, zstd], ids=["gzip", "zstd"])
@pytest.mark.parametrize("lost", [1, 6, 30])
def test_truncated_text_is_damaged(compress: object, lost: int, tmp_path: Path, command: Command) -> None:
    assert callable(compress)
    compressed = compress(b"board\n" + os.urandom(200).hex().encode() + b"\n")
    (tmp_path / "a.csv.gz").write_bytes(compressed[:-lost])
    done = command("run", "a.csv.gz", "--out", "report")
    assert (done.exit_code, len(done.err.splitlines())) == (3, 1)
    assert done.err.startswith("error: a.csv.gz: ")


def test_records_before_the_damage_are_judged(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"board\n" + b"XO.......\nO........\n" * 5_000
    compressed = gzip.compress(content, compresslevel=0)
    (tmp_path / "a.csv.gz").write_bytes(compressed[: len(compressed) // 2])
    monkeypatch.setattr("pipeline.ingest.inputs.TextSource", partial(TextSource, block_bytes=1_000))
    done = command("run", "a.csv.gz", "--json")
    assert done.exit_code == 3
    assert done.err.startswith("error: a.csv.gz: ")
    records, lines = done.json["records"], done.json["inputs"][0]["lines"]
    assert (done.json["complete"], records["read"] > 3_000) == (False, True)
    assert records["read"] == records["valid"] + records["invalid"] == lines["records"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", id="Git LFS"),
        pytest.param(b"PK\x03\x04rest", id="ZIP"),
        pytest.param(b"ARROW1\0\0rest", id="Arrow"),
        pytest.param(b"SQLite format 3\0rest", id="SQLite"),
        pytest.param("board\nXO.......\n".encode("utf-16"), id="UTF-16"),
        pytest.param(b"", id="zero bytes"),
        pytest.param(b"\xef\xbb\xbf", id="byte order mark"),
        pytest.param(b"\n\n\r\n", id="blank lines"),
        pytest.param(gzip.compress(b""), id="nothing compressed"),
        pytest.param(b'"board\nXO.......\n', id="broken header"),
        pytest.param(b"PAR1", id="four bytes of Parquet"),
    ],
)
def test_refused_with_one_message(content: bytes, tmp_path: Path, command: Command) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    done = command("run", "a.csv", "--out", "report")
    assert (done.exit_code, done.out, len(done.err.splitlines())) == (3, "", 1)
    assert done.err.startswith("error: a.csv: ")
    assert not (tmp_path / "report").exists()


def test_text_named_parquet_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(BOARDS)
    with pytest.raises(InputError, match=r"a\.parquet: is named \.parquet but is not a Parquet file"):
        open_source("a.parquet", HOW)


def test_folder_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(InputError, match=r"a\.csv: "):
        open_source("a.csv", HOW)


def test_size_is_the_one_on_disk(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(BOARDS)
    pl.DataFrame({"board": ["X"]}).write_parquet(tmp_path / "a.parquet")
    for name in ("a.csv", "a.parquet"):
        source = open_source(name, HOW)
        assert source.bytes == (tmp_path / name).stat().st_size
        source.close()


def test_opened_parquet_knows_its_name(tmp_path: Path) -> None:
    pl.DataFrame({"board": ["X"]}).write_parquet(tmp_path / "a.parquet")
    source = open_source("a.parquet", HOW)
    assert isinstance(source, ParquetSource)
    assert (source.file, source.lines) == ("a.parquet", None)


# Standard input


@pytest.mark.parametrize("block_bytes", [7, 100, 16 << 20])
def test_bytes_of_standard_input_are_all_counted(
    block_bytes: int, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"board\n" + b"XO.......\n" * 50
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    monkeypatch.setattr("pipeline.ingest.inputs.TextSource", partial(TextSource, block_bytes=block_bytes))
    assert command("run", "-", "--out", "report").exit_code == 0
    (one,) = json.loads((tmp_path / "report" / "summary.json").read_text())["inputs"]
    assert (one["bytes"], one["lines"]["read"], one["records"]["read"]) == (len(content), 51, 50)


def test_standard_input_among_files(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_bytes(BOARDS)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BOARDS)))
    done = command("run", "a.csv", "-", "--json")
    assert done.exit_code == 1
    assert [(one["file"], one["records"]["read"]) for one in done.json["inputs"]] == [("a.csv", 2), ("-", 2)]

"""The rows of valid records: byte for byte from a single text input, else as a table."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from conftest import Command

GOOD, BAD = "XO.......", "O........"


def give_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


# Byte for byte


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"board\nXO.......\nXOX......\n", id="plain"),
        pytest.param(b"board\r\nXO.......\r\nXOX......\r\n", id="CRLF"),
        pytest.param(b"board\nXO.......\r\nXOX......\n", id="mixed line ends"),
        pytest.param(b"board\nXO.......", id="no final newline"),
        pytest.param(b"board", id="header alone"),
        pytest.param(b"board\r\n", id="header alone with its end"),
        pytest.param(b"\xef\xbb\xbfboard\r\nXO.......\r\n", id="byte order mark"),
        pytest.param(b'"board","note"\n"XO.......","say ""hi"""\nXO.......,"plain"\n', id="quotes"),
        pytest.param(b"note;board\n a ;XO.......\n", id="semicolons"),
        pytest.param(b'board\n"XO.\n...\n..."\nXO.......\n', id="a board on three lines"),
        pytest.param("board,note\nXO.......,é✗\n".encode(), id="beyond ASCII"),
        pytest.param(b"board,note\nXO.......,lone\rreturn\n", id="lone return"),
    ],
)
def test_lines_of_valid_records_are_copied(content: bytes, tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_bytes(content)
    assert command("run", "boards.csv", "--valid", "valid.csv").exit_code == 0
    assert (tmp_path / "valid.csv").read_bytes() == content


def test_lines_without_header(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_bytes(b"XO.......,a\r\nO........,b\r\nXOX......,c")
    done = command("run", "boards.csv", "--no-header", "--board", "column_1", "--valid", "valid.csv")
    assert done.exit_code == 1
    assert (tmp_path / "valid.csv").read_bytes() == b"XO.......,a\r\nXOX......,c"


def test_invalid_records_and_blank_lines_are_left_out(tmp_path: Path, command: Command) -> None:
    content = (
        b'board,note\n\nO........,1\nXO.......,2\nXO.......\nXO.......,"3\nXO.......,4\nXO.......,\xff\nO........,5'
    )
    (tmp_path / "boards.csv").write_bytes(content)
    assert command("run", "boards.csv", "--valid", "valid.csv").exit_code == 1
    assert (tmp_path / "valid.csv").read_bytes() == b"board,note\nXO.......,2\nXO.......,4\n"


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt", ".data", ".CSV"])
def test_lines_go_to_any_text_suffix(suffix: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{GOOD}\n")
    assert command("run", "boards.csv", "--valid", f"valid{suffix}").exit_code == 0
    assert (tmp_path / f"valid{suffix}").read_text() == f"board\n{GOOD}\n"


def test_lines_of_compressed_text_are_unpacked(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv.gz").write_bytes(gzip.compress(b"board\r\nXO.......\r\nO........\r\n"))
    assert command("run", "boards.csv.gz", "--valid", "valid.csv").exit_code == 1
    assert (tmp_path / "valid.csv").read_bytes() == b"board\r\nXO.......\r\n"


def test_lines_of_standard_input(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, b"board\r\nO........\r\nXO.......")
    assert command("run", "-", "--valid", "valid.csv").exit_code == 1
    assert (tmp_path / "valid.csv").read_bytes() == b"board\r\nXO......."


# As a table


def test_parquet_to_parquet_keeps_columns_and_types(tmp_path: Path, command: Command) -> None:
    table = pl.DataFrame(
        {"id": [1, 2, 3], "board": [GOOD, BAD, "XOX......"], "_file": ["a", "b", "c"], "n": [None, 1, 2]},
        schema={"id": pl.UInt8, "board": pl.Categorical, "_file": pl.String, "n": pl.Int16},
    )
    table.write_parquet(tmp_path / "boards.parquet")
    assert command("run", "boards.parquet", "--valid", "valid.parquet").exit_code == 1
    assert_frame_equal(pl.read_parquet(tmp_path / "valid.parquet"), table[[0, 2]])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("valid.csv", 'id,board,note\n1,XO.......,""\n3,XOX......,\n'),
        ("valid.jsonl", '{"id":1,"board":"XO.......","note":""}\n{"id":3,"board":"XOX......","note":null}\n'),
    ],
)
def test_parquet_to_text(name: str, content: str, tmp_path: Path, command: Command) -> None:
    table = pl.DataFrame({"id": [1, 2, 3], "board": [GOOD, BAD, "XOX......"], "note": ["", "", None]})
    table.write_parquet(tmp_path / "boards.parquet")
    assert command("run", "boards.parquet", "--valid", name).exit_code == 1
    assert (tmp_path / name).read_text() == content


def test_text_to_parquet_is_text(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"id,board\n01,{GOOD}\n02,{BAD}\n")
    assert command("run", "boards.csv", "--valid", "valid.parquet").exit_code == 1
    assert_frame_equal(pl.read_parquet(tmp_path / "valid.parquet"), pl.DataFrame({"id": ["01"], "board": [GOOD]}))


def test_several_inputs_are_one_table(tmp_path: Path, command: Command) -> None:
    (tmp_path / "one.csv").write_text(f"board,a\n{GOOD},1\n{BAD},2\n")
    (tmp_path / "two.csv").write_text(f"b;board\r\n3;{GOOD}\r\n")
    assert command("run", "one.csv", "two.csv", "--valid", "valid.csv").exit_code == 1
    assert (tmp_path / "valid.csv").read_text() == f"board,a,b\n{GOOD},1,\n{GOOD},,3\n"


@pytest.mark.parametrize("given", [["-", "two.csv"], ["two.csv", "-"]])
def test_standard_input_among_several_is_one_table(
    given: list[str], tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "two.csv").write_text(f"b;board\n3;{GOOD}\n")
    give_stdin(monkeypatch, f"board,b\n{GOOD},1\n".encode())
    assert command("run", *given, "--valid", "valid.csv").exit_code == 0
    assert pl.read_csv(tmp_path / "valid.csv").select("board", "b").sort("b").rows() == [(GOOD, 1), (GOOD, 3)]


def test_standard_input_beside_parquet_is_one_table(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    pl.DataFrame({"board": [GOOD]}).write_parquet(tmp_path / "two.parquet")
    give_stdin(monkeypatch, f"board\n{GOOD}\n".encode())
    done = command("run", "-", "two.parquet", "--valid", "valid.csv")
    assert (done.exit_code, done.err) == (0, "")
    assert (tmp_path / "valid.csv").read_text() == f"board\n{GOOD}\n{GOOD}\n"


def test_types_that_differ_are_text(tmp_path: Path, command: Command) -> None:
    pl.DataFrame({"board": [GOOD], "id": [1]}).write_parquet(tmp_path / "one.parquet")
    pl.DataFrame({"board": [GOOD], "id": [0.5]}).write_parquet(tmp_path / "two.parquet")
    assert command("run", "one.parquet", "two.parquet", "--valid", "valid.parquet").exit_code == 0
    expected = pl.DataFrame({"board": [GOOD, GOOD], "id": ["1", "0.5"]})
    assert_frame_equal(pl.read_parquet(tmp_path / "valid.parquet"), expected)


def test_no_valid_record_leaves_the_header(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{BAD}\n")
    assert command("run", "boards.csv", "--valid", "valid.csv").exit_code == 1
    assert (tmp_path / "valid.csv").read_text() == "board\n"
    assert command("run", "boards.csv", "--valid", "valid.parquet").exit_code == 1
    assert_frame_equal(pl.read_parquet(tmp_path / "valid.parquet"), pl.DataFrame(schema={"board": pl.String}))


# Where it may go


def same(folder: Path) -> str:
    assert folder.is_dir()
    return "boards.csv"


def around_a_corner(folder: Path) -> str:
    (folder / "sub").mkdir()
    return "sub/../boards.csv"


def symbolic_link(folder: Path) -> str:
    (folder / "link.csv").symlink_to("boards.csv")
    return "link.csv"


def hard_link(folder: Path) -> str:
    os.link(folder / "boards.csv", folder / "hard.csv")
    return "hard.csv"


@pytest.mark.parametrize("name", [same, around_a_corner, symbolic_link, hard_link])
def test_input_is_never_overwritten(name: object, tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{BAD}\n")
    assert callable(name)
    target = name(tmp_path)
    done = command("run", "boards.csv", "--valid", target)
    assert (done.exit_code, done.out, done.err) == (
        4,
        "",
        f"error: --valid {target} would overwrite an input; put it elsewhere\n",
    )
    assert (tmp_path / "boards.csv").read_text() == f"board\n{BAD}\n"
    assert not (tmp_path / "reports").exists()


def test_input_that_cannot_be_judged_is_not_overwritten_either(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{GOOD}\n")
    (tmp_path / "people.csv").write_text("name\nada\n")
    command("run", "boards.csv", "people.csv", "--valid", "people.csv")
    assert (tmp_path / "people.csv").read_text() == "name\nada\n"


def test_earlier_file_is_replaced_whole(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{GOOD}\n")
    (tmp_path / "valid.csv").write_text("something else, and longer than what comes\n")
    assert command("run", "boards.csv", "--valid", "valid.csv").exit_code == 0
    assert (tmp_path / "valid.csv").read_text() == f"board\n{GOOD}\n"


def test_folders_on_the_way_are_made(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{GOOD}\n")
    assert command("run", "boards.csv", "--valid", "a/b/valid.csv").exit_code == 0
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["valid.csv"]


@pytest.mark.parametrize("name", ["valid", "valid.xlsx", "valid.csv.gz", "parquet"])
def test_unknown_suffix_is_wrong_usage(name: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{GOOD}\n")
    done = command("run", "boards.csv", "--valid", name)
    assert (done.exit_code, done.out) == (2, "")
    assert done.err == f"error: --valid {name}: the suffix names no format; use .parquet, .csv or .jsonl\n"
    assert [path.name for path in tmp_path.iterdir()] == ["boards.csv"]


@pytest.mark.parametrize("suffix", [".tsv", ".txt", ".data"])
def test_text_suffix_for_a_table_is_wrong_usage(suffix: str, tmp_path: Path, command: Command) -> None:
    pl.DataFrame({"board": [GOOD]}).write_parquet(tmp_path / "boards.parquet")
    done = command("run", "boards.parquet", "--valid", f"valid{suffix}", "--out", "report")
    assert (done.exit_code, done.out) == (2, "")
    assert done.err == (
        f"error: --valid valid{suffix}: only the lines of a single text input can be written to such a file\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["boards.parquet"]


def test_folder_in_the_way_costs_the_report_too(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{GOOD}\n")
    (tmp_path / "valid.csv").mkdir()
    done = command("run", "boards.csv", "--valid", "valid.csv", "--out", "report")
    assert (done.exit_code, done.out) == (4, "")
    assert done.err.endswith("cannot be written: Is a directory\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["boards.csv", "valid.csv"]


@pytest.mark.parametrize("earlier", [False, True])
def test_within_the_report_it_is_refused(earlier: bool, tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{GOOD}\n")
    if earlier:
        command("run", "boards.csv", "--out", "report")
    before = sorted(tmp_path.rglob("*"))
    done = command("run", "boards.csv", "--out", "report", "--valid", "report/valid.csv")
    assert (done.exit_code, done.out) == (2, "")
    assert sorted(tmp_path.rglob("*")) == before


def test_invalid_rows_are_not_overwritten(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board\n{GOOD}\n")
    done = command("run", "boards.csv", "--out", "report", "--valid", "report/invalid.parquet")
    assert (done.exit_code, done.out) == (2, "")
    assert not (tmp_path / "report").exists()


def test_nothing_is_left_of_a_run_that_fails(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text(f"board,winner,outcome\n{GOOD},ongoing,ongoing\n")
    assert command("run", "boards.csv", "--valid", "valid.csv", "--out", "report").exit_code == 3
    assert [path.name for path in tmp_path.iterdir()] == ["boards.csv"]

"""Which character separates the fields of a text file, as its first records tell."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.ingest.delimiter import find_delimiter
from pipeline.ingest.stream import BlockReader


def told(data: bytes, block_bytes: int = 1 << 16) -> str:
    reader = BlockReader("data.csv", io.BytesIO(data), block_bytes)
    found = find_delimiter(reader)
    assert reader.position == 0
    assert reader.take(max(1, len(data))) == data
    return found


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_each_by_itself(delimiter: str, line_end: str, last: bool) -> None:
    records = [delimiter.join(record) for record in (["game", "ply", "square"], ["1", "1", "4"], ["1", "2", "0"])]
    text = line_end.join(records) + (line_end if last else "")
    assert told(text.encode()) == delimiter


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("board\nXO.......\n", ","),
        ("board\n", ","),
        ("board", ","),
        ("XO       \nX O      \n", ","),
        ("         \nX        \n", ","),
        ("x o b\nx b o\n", " "),
        ("X O . . . . . . . draw\nX . . . . . . . . ongoing\n", " "),
        ("X O  . .\nX . . .\n", ","),
        ("two words\none\none more thing\n", ","),
    ],
)
def test_blanks_separate_only_where_nothing_else_does_and_all_is_even(text: str, delimiter: str) -> None:
    assert told(text.encode()) == delimiter


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("moves;winner\n0,0,1,1;X\n2,2;O\n", ";"),
        ("a,b;board\n1,2;XO.......\n1;X........\n", ";"),
        ("moves|winner\n0,0;1,1|X\n2,2|O\n", "|"),
        ("moves\twinner\n0,0;1,1\tX\n2,2\tO\n", "\t"),
        ("0,0;1,1;2,2\tX\n2,2;1,0\tO\n1,1\tX\n", "\t"),
        ("0,0;1,1;2,2|X\n2,2;1,0|O\n1,1|X\n", "|"),
        ("game,moves\n1,0;1;2\n2,3;4\n", ","),
        ('"0,0;1,1",X\n"2,2;1,1;0,0",O\n', ","),
        ('"a;b;c;d",winner\nx,y\n', ","),
        ('"a,b,c,d";winner\nx;y\n', ";"),
        ('"[0, 4, 8]"\tX\n"[0, 4]"\tO\n', "\t"),
        ("game one,board\nx,y\n", ","),
    ],
)
def test_characters_within_the_fields(text: str, delimiter: str) -> None:
    assert told(text.encode()) == delimiter


def test_a_few_broken_records_do_not_count() -> None:
    records = [*["0,0;1,1|X", "2,2|O", "2,2;1,1;0,0|O"] * 6, "1,1|X", "cut off"]
    assert told("\n".join(records).encode()) == "|"


def test_quotes_over_several_lines_are_one_field() -> None:
    text = 'board;note;winner\n"XO.\n...\n...";"a, b, c\nd, e";draw\n' * 3
    assert told(text.encode()) == ";"


@pytest.mark.parametrize("block_bytes", [1, 2, 7, 64])
def test_blocks_of_any_size(block_bytes: int) -> None:
    assert told(b"moves;winner\n0,0;X\n1,1;O\n", block_bytes) == ";"


@given(
    st.sampled_from(",;\t|"),
    st.lists(st.lists(st.text("XOab01 .-_", min_size=1, max_size=4), min_size=3, max_size=3), min_size=1, max_size=30),
)
def test_the_only_character_there_is_the_delimiter(delimiter: str, records: list[list[str]]) -> None:
    assert told("".join(delimiter.join(record) + "\n" for record in records).encode()) == delimiter


@given(st.binary(min_size=1, max_size=200).filter(lambda data: data.strip(b"\r\n") != b""))
def test_any_bytes_have_a_delimiter(data: bytes) -> None:
    assert told(data.lstrip(b"\r\n")) in (",", ";", "\t", "|", " ")

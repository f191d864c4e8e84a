"""The options that say how data is laid out, and how many records may be invalid."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.config import Allowance, LayoutOptions, cells_mapping, comma_list, outcomes_mapping
from pipeline.errors import UsageError


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("board", ("board",)),
        ("a,b,c", ("a", "b", "c")),
        ('"a,b",c', ("a,b", "c")),
        ('"a,b"', ("a,b",)),
        ('"say ""hi""",c', ('say "hi"', "c")),
        ("", ("",)),
        ('""', ("",)),
        (",", ("", "")),
        ("a, b", ("a", " b")),
        (" ", (" ",)),
        ("-1,-2", ("-1", "-2")),
        ('"line\nbreak"', ("line\nbreak",)),
    ],
)
def test_comma_list_is_one_csv_record(text: str, values: tuple[str, ...]) -> None:
    assert comma_list(text) == values


@pytest.mark.parametrize("text", ['"a', '"a"b,c'])
def test_comma_list_with_broken_quotes(text: str) -> None:
    with pytest.raises(UsageError):
        comma_list(text)


@pytest.mark.parametrize(
    ("values", "mapping"),
    [
        ([], {}),
        (["X=1"], {"X": {"1"}}),
        (["X=1,x", "O=0", "X=I"], {"X": {"1", "x", "I"}, "O": {"0"}}),
        (["empty="], {"empty": {""}}),
        (["empty= "], {"empty": {" "}}),
        (["empty=,-"], {"empty": {"", "-"}}),
        (['X=","'], {"X": {","}}),
        (["X=="], {"X": {"="}}),
        (["O=-1"], {"O": {"-1"}}),
    ],
)
def test_cells_are_split_at_the_first_equals_sign(values: list[str], mapping: dict[str, set[str]]) -> None:
    assert cells_mapping(values) == mapping


@pytest.mark.parametrize("value", ["X", "x=1", "=1", "Empty=.", "", "X:1"])
def test_cells_of_another_form(value: str) -> None:
    with pytest.raises(UsageError, match="is not of the form X=SYMBOL, O=SYMBOL or empty=SYMBOL"):
        cells_mapping([value])


def test_symbol_with_two_meanings() -> None:
    with pytest.raises(UsageError, match="--cells gives the symbol '1' to both X and O"):
        LayoutOptions.from_flags(cells=["X=1", "O=0,1"])


@pytest.mark.parametrize(
    ("values", "mapping"),
    [
        ([], {}),
        (["win=X"], {"win": {"X"}}),
        (["lost=O,draw,unfinished"], {"lost": {"O", "draw", "unfinished"}}),
        (["a=X", "b=O", "a=draw"], {"a": {"X", "draw"}, "b": {"O"}}),
        (["a=b=X"], {"a=b": {"X"}}),
        (["-1=O"], {"-1": {"O"}}),
        (["=unfinished"], {"": {"unfinished"}}),
        (["1,5=X"], {"1,5": {"X"}}),
        (['w="X"'], {"w": {"X"}}),
    ],
)
def test_outcomes_are_split_at_the_last_equals_sign(values: list[str], mapping: dict[str, set[str]]) -> None:
    assert outcomes_mapping(values) == mapping


@pytest.mark.parametrize("value", ["win", "win=", "win=x", "win=X,", "win=tie", "win=X,nobody", ""])
def test_outcomes_of_another_form(value: str) -> None:
    with pytest.raises(UsageError, match="is not of the form LABEL=OUTCOME with X, O, draw, unfinished"):
        outcomes_mapping([value])


@pytest.mark.parametrize(
    ("text", "invalid", "read", "allowed"),
    [
        ("0", 0, 10, True),
        ("0", 1, 10, False),
        ("3", 3, 3, True),
        ("3", 4, 100, False),
        ("10%", 1, 10, True),
        ("10%", 2, 10, False),
        ("0.1%", 1, 1_000, True),
        ("0.1%", 1, 999, False),
        ("33.3%", 333, 1_000, True),
        ("33.3%", 334, 1_000, False),
        ("100%", 7, 7, True),
        ("0%", 0, 0, True),
        ("0%", 1, 10**12, False),
        (" 5 ", 5, 10, True),
    ],
)
def test_allowance_is_exact(text: str, invalid: int, read: int, allowed: bool) -> None:
    assert Allowance.parse(text).allows(invalid, read) is allowed


@pytest.mark.parametrize("text", ["", "%", "few", "-1", "-1%", "0.5", "101%", "100.01%", "5%%", "5%x", "nan", "inf%"])
def test_allowance_of_another_form(text: str) -> None:
    with pytest.raises(UsageError, match="is neither a whole number nor a percentage"):
        Allowance.parse(text)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"board": "a,b"}, "--board names 2 columns; a board is one column, three"),
        ({"board": "a,b,c,d"}, "--board names 4 columns"),
        ({"board": "a,b,a"}, "the options name column 'a' twice; a column holds one thing"),
        ({"delimiter": ""}, "--delimiter '' is not one ASCII character"),
        ({"delimiter": ",,"}, "--delimiter ',,' is not one ASCII character"),
        ({"delimiter": "é"}, "--delimiter 'é' is not one ASCII character"),
        ({"delimiter": '"'}, "--delimiter '\"' is not one ASCII character"),
        ({"delimiter": "\n"}, "is not one ASCII character"),
    ],
)
def test_impossible_options(flags: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        LayoutOptions.from_flags(**flags)


@pytest.mark.parametrize(
    ("board", "names"),
    [
        (None, ()),
        ("board", ("board",)),
        ("top,middle,bottom", ("top", "middle", "bottom")),
        ("a,b,c,d,e,f,g,h,i", tuple("abcdefghi")),
        ('"a,b"', ("a,b",)),
    ],
)
def test_board_names_one_three_or_nine_columns(board: str | None, names: tuple[str, ...]) -> None:
    assert LayoutOptions.from_flags(board=board).board == names

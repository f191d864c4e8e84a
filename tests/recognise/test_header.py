"""Whether the first record of a text file names its columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import all_boards
from pipeline.recognise.header import is_header
from schemas.vocabulary import EMPTY_SYMBOLS


@pytest.mark.parametrize(
    "fields",
    [
        ["board"],
        ["board", "winner"],
        ["id", "state", "X"],
        ["top-left-square", "top-middle-square"],
        ["TL", "TM", "TR", "ML", "MM", "MR", "BL", "BM", "BR"],
        ["TL", "TM", "TR", "ML", "MM", "MR", "BL", "BM", "BR", "class"],
        [f"c{number}" for number in range(9)],
        [f"V{number}" for number in range(1, 11)],
        [f"A{number}" for number in range(1, 10)],
        [f"{letter}{number}" for number in (1, 2, 3) for letter in "ABC"],
        [*"123456789"],
        [*"012345678"],
        [*map(str, range(1, 11))],
        [*"123456789", "winner"],
        [*"abcdefghi"],
        [*"ABCDEFGHI"],
        ["", *"012345678"],
        ["", "board"],
        ["game", "ply", "square"],
        ["g", "ply", "sq"],
        [" board ", " winner "],
        ["größe"],
        ["盤面", "勝者"],
        ["Unnamed: 0", "b"],
        ["moves"],
        ["winner", "draw"],
    ],
)
def test_names(fields: list[str]) -> None:
    assert is_header(fields)


@pytest.mark.parametrize(
    "fields",
    [
        ["XO......."],
        ["XO.......", "draw"],
        ["xobbxobbb", "positive"],
        ["         "],
        ["........."],
        ["XO./.../..."],
        ["XO.\n...\n..."],
        ["XO.\r\n...\r\n..."],
        ["120000000"],
        ["game 1", "XO......."],
        [*"xxxxoobbo", "positive"],
        ["7", *"XO.......", "draw"],
        ["first", *"XO.......", "draw"],
        ["X", "O", *7 * [""]],
        [" X", " O", *7 * [" ."]],
        [*9 * ["b"], "negative"],
        [*9 * ["."]],
        ["0,0;1,1;2,2"],
        ["0,0", "X"],
        ["[0, 4, 8]"],
        ["[[0,0],[1,1]]", "X"],
        ["[(0, 0), (1, 1)]"],
        ["(0, 2)", "player"],
        ["['X', 'O', '.', '.', '.', '.', '.', '.', '.']", "ongoing"],
        [*"100000000"],
        [*"120000000", "1"],
        ["1", "1", "4", "X"],
        ["3", "1", "2"],
        ["X"],
        ["draw"],
        ["1"] * 9,
    ],
)
def test_records(fields: list[str]) -> None:
    assert not is_header(fields)


def test_every_board_is_a_record() -> None:
    for empty in EMPTY_SYMBOLS:
        for board in all_boards()[::37]:
            symbols = board.replace(".", "\0")
            cells = [cell.replace("\0", empty) for cell in symbols]
            if {*cells} == {""}:
                continue  # nine times nothing says nothing
            assert not is_header([*cells, "draw"])
            if empty:
                assert not is_header(["".join(cells), "draw"])
                assert not is_header(["1", "/".join("".join(cells[start : start + 3]) for start in (0, 3, 6))])


def test_names_that_are_known_decide() -> None:
    record = ["XO.......", "draw"]
    assert is_header(record, wanted=["draw"])
    assert is_header(record, wanted=["draw", "XO......."])
    assert not is_header(record, wanted=["draw", "board"])
    assert not is_header(record, wanted=["Draw"])
    assert is_header(["board", "winner"], wanted=["other"])


@given(st.lists(st.text(max_size=12), min_size=1, max_size=12))
def test_any_fields_may_be_asked(fields: list[str]) -> None:
    assert is_header(fields) in (True, False)
    assert is_header(fields, wanted=fields)

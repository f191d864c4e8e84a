"""The Pandera schemas of boards: used alone, over all boards, and against the encoding that recognises boards."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from conftest import failed_checks
from pipeline.encode.boards import encode_boards
from schemas.boards import cell_columns, list_board, text_board
from schemas.reasons import BIT
from schemas.vocabulary import Alphabet

NAMES = [f"c{cell}" for cell in range(9)]
NASTY = st.text(alphabet="XxOo./ \n\r?é✕[]'\",", max_size=14)


def test_all_boards_pass_as_text_as_lists_and_as_cells() -> None:
    boards = oracle.all_boards()
    text_board().validate(pl.DataFrame({"board": boards}), lazy=True)
    list_board().validate(pl.DataFrame({"board": [list(board) for board in boards]}), lazy=True)
    columns = {name: [board[cell] for board in boards] for cell, name in enumerate(NAMES)}
    cell_columns(NAMES).validate(pl.DataFrame(columns), lazy=True)


def test_each_fault_of_text_has_its_code_and_no_other() -> None:
    faults = {
        None: {"BOARD_MISSING"},
        "": {"BOARD_MISSING"},
        "XO......": {"BOARD_SIZE"},
        "XO........": {"BOARD_SIZE"},
        "XO?": {"BOARD_SIZE"},
        "XXX/OO./X": {"BOARD_SIZE"},
        "XO?......": {"CELL_UNKNOWN"},
        " XO......": {"CELL_UNKNOWN"},
        "XOX/OXO/XO?": {"CELL_UNKNOWN"},
        "XOX\nOXO\r\nXOX": set(),
        "xoX/oxO/...": set(),
    }
    frame = pl.DataFrame({"board": list(faults)})
    assert failed_checks(text_board(), frame) == list(faults.values())


def test_each_fault_of_a_list_has_its_code_and_no_other() -> None:
    boards = [None, [], ["X"] * 8, ["?"] * 10, ["X"] * 8 + [None], ["X"] * 8 + ["."]]
    expected = [{"BOARD_MISSING"}, {"BOARD_SIZE"}, {"BOARD_SIZE"}, {"BOARD_SIZE"}, {"CELL_UNKNOWN"}, set()]
    frame = pl.DataFrame({"board": boards}, schema={"board": pl.List(pl.String)})
    assert failed_checks(list_board(), frame) == expected


def test_an_empty_symbol_of_empty_text_makes_null_a_cell() -> None:
    alphabet = Alphabet(empty=frozenset({""}))
    frame = pl.DataFrame({"board": [["X"] * 8 + [None]]})
    assert failed_checks(list_board(alphabet=alphabet), frame) == [set()]


def test_blanks_around_a_cell_are_ignored_unless_it_is_all_blanks() -> None:
    frame = pl.DataFrame({name: [" X", "O ", " ", "  ", None] for name in NAMES})
    blank = cell_columns(NAMES, Alphabet(empty=frozenset({" "})))
    assert failed_checks(blank, frame) == [set(), set(), set(), {"CELL_UNKNOWN"}, {"CELL_UNKNOWN"}]


def test_cell_columns_want_nine_different_columns() -> None:
    with pytest.raises(ValueError, match="9 different"):
        cell_columns(NAMES[:8])
    with pytest.raises(ValueError, match="9 different"):
        cell_columns([*NAMES[:8], "c0"])


@pytest.mark.parametrize("symbols", ["^", "-", "]", "\\", " ", "&", "~", "#", "[", ".", "é", "0123456789"])
def test_any_symbol_may_stand_for_empty(symbols: str) -> None:
    alphabet = Alphabet(empty=frozenset(symbols))
    frame = pl.DataFrame({"board": [f"XO{symbol * 7}" for symbol in symbols] + ["XO?????&?"[:8] + "!"]})
    assert failed_checks(text_board(alphabet=alphabet), frame) == [set()] * len(symbols) + [{"CELL_UNKNOWN"}]


@given(st.lists(st.none() | NASTY, min_size=1, max_size=20))
def test_schema_and_encoding_agree_on_any_text(texts: list[str | None]) -> None:
    """Where the encoding recognises a board the schema passes it, and where not the schema says why."""
    frame = pl.DataFrame({"board": texts}, schema={"board": pl.String})
    encoded = encode_boards(frame, ["board"], Alphabet())
    failed = failed_checks(text_board(), frame)
    for text, checks, reasons, x in zip(texts, failed, encoded["reasons"], encoded["x"], strict=True):
        if text is None or not text.lstrip().startswith("["):
            assert reasons == sum(BIT[code] for code in checks), text
        assert (x is None) == (reasons != 0), text
        assert len(checks) <= 1, text


@given(st.lists(st.lists(st.none() | st.sampled_from(["X", "o", ".", "?", ""]), max_size=10), min_size=1, max_size=9))
def test_schema_and_encoding_agree_on_any_list(boards: list[list[str | None]]) -> None:
    frame = pl.DataFrame({"board": boards}, schema={"board": pl.List(pl.String)})
    encoded = encode_boards(frame, ["board"], Alphabet())
    expected = [sum(BIT[code] for code in checks) for checks in failed_checks(list_board(), frame)]
    assert encoded["reasons"].to_list() == expected

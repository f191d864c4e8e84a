"""The Pandera schemas of moves: used alone, and against the encoding that recognises moves."""

from __future__ import annotations

import pandera.errors
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import failed_checks
from pipeline.encode.moves import Squares, encode_moves, squares_of
from schemas.moves import log, moves_text, ply_columns, square_list

NASTY = st.text(alphabet="0129-+.,; \t\ne;;,,", max_size=14)
NUMBER = st.sampled_from(["0", "1", "2", " 1", "2 ", "02", "1.0", "-0", "-1", "3", "9" * 25, "1.5", "x", ""])
NOTATION = st.lists(st.tuples(NUMBER, NUMBER).map(",".join), max_size=12).map(";".join)


def understood(plies: list[int | None] | None) -> set[str]:
    """The codes of a game as it was encoded: squares, -1 for one outside the board, None for an unreadable one."""
    if plies is None:
        return {"MOVES_MISSING"}
    if None in plies:
        return {"MOVES_UNREADABLE"}
    return {code for code, holds in (("MOVE_OUT_OF_BOUNDS", -1 in plies), ("MOVES_TOO_MANY", len(plies) > 9)) if holds}


# Lists of squares


def test_each_fault_of_a_list_has_its_code() -> None:
    games = {
        "valid": ([0, 8, 4], set()),
        "no plies": ([], set()),
        "nine plies": ([*range(9)], set()),
        "missing": (None, {"MOVES_MISSING"}),
        "unreadable": ([0, None], {"MOVES_UNREADABLE"}),
        "nothing but nulls": ([None], {"MOVES_UNREADABLE"}),
        "below": ([0, -1], {"MOVE_OUT_OF_BOUNDS"}),
        "above": ([9], {"MOVE_OUT_OF_BOUNDS"}),
        "too many": ([0] * 10, {"MOVES_TOO_MANY"}),
        "too many and out of bounds": ([9] * 10, {"MOVES_TOO_MANY", "MOVE_OUT_OF_BOUNDS"}),
        "unreadable, too many and out of bounds": ([None, *[9] * 10], {"MOVES_UNREADABLE"}),
    }
    frame = pl.DataFrame({"moves": [game for game, _ in games.values()]}, {"moves": pl.List(pl.Int64)})
    assert dict(zip(games, failed_checks(square_list(), frame), strict=True)) == {
        name: codes for name, (_, codes) in games.items()
    }


def test_a_list_in_a_column_of_another_name() -> None:
    frame = pl.DataFrame({"squares": [[0], [9]], "other": [None, None]})
    assert failed_checks(square_list("squares"), frame) == [set(), {"MOVE_OUT_OF_BOUNDS"}]


def test_a_list_of_another_type_is_no_list_of_squares() -> None:
    with pytest.raises(pandera.errors.SchemaError):
        square_list().validate(pl.DataFrame({"moves": [["0"]]}))
    with pytest.raises(pandera.errors.SchemaError):
        square_list().validate(pl.DataFrame({"other": [[0]]}))


@given(st.lists(st.none() | st.lists(st.none() | st.integers(-2, 11), max_size=12), min_size=1, max_size=12))
def test_schema_and_encoding_agree_on_any_list(games: list[list[int | None] | None]) -> None:
    frame = pl.DataFrame({"moves": games}, {"moves": pl.List(pl.Int64)})
    encoded = squares_of(encode_moves(frame, ["moves"], Squares()))
    expected = [understood(plies) for plies in encoded.to_list()]
    assert failed_checks(square_list(), frame) == expected
    assert failed_checks(square_list("plies"), encoded.alias("plies").to_frame()) == expected


# Text


def test_each_fault_of_text_has_its_code() -> None:
    texts = {
        "0,0;1,1": set(),
        "": set(),
        " 0\t,00.0; -0,2 ": set(),
        ";".join(["0,0"] * 9): set(),
        None: {"MOVES_MISSING"},
        " ": {"MOVES_UNREADABLE"},
        "0": {"MOVES_UNREADABLE"},
        "0,0;": {"MOVES_UNREADABLE"},
        "0,0\n": {"MOVES_UNREADABLE"},
        "0,0;1": {"MOVES_UNREADABLE"},
        "0,1.5": {"MOVES_UNREADABLE"},
        "+0,1": {"MOVES_UNREADABLE"},
        "\u0660,1": {"MOVES_UNREADABLE"},
        "0,3": {"MOVE_OUT_OF_BOUNDS"},
        "-1,0": {"MOVE_OUT_OF_BOUNDS"},
        "0,10": {"MOVE_OUT_OF_BOUNDS"},
        ";".join(["0,0"] * 10): {"MOVES_TOO_MANY"},
        ";".join(["0,3"] * 10): {"MOVES_TOO_MANY", "MOVE_OUT_OF_BOUNDS"},
        ";".join(["0,3"] * 10) + ";": {"MOVES_UNREADABLE"},
    }
    frame = pl.DataFrame({"moves": list(texts)}, {"moves": pl.String})
    assert dict(zip(texts, failed_checks(moves_text(), frame), strict=True)) == texts


@given(st.lists(st.none() | NASTY | NOTATION, min_size=1, max_size=12))
def test_schema_and_encoding_agree_on_any_text(texts: list[str | None]) -> None:
    frame = pl.DataFrame({"moves": texts}, {"moves": pl.String})
    encoded = squares_of(encode_moves(frame, ["moves"], Squares())).to_list()
    assert failed_checks(moves_text(), frame) == [understood(plies) for plies in encoded]


# Ply columns


def test_ply_columns_may_be_null_and_in_bounds() -> None:
    frame = pl.DataFrame({"a": [0, 9, None, -1], "b": [8, 0, 0, None]})
    out = {"MOVE_OUT_OF_BOUNDS"}
    assert failed_checks(ply_columns(["a", "b"]), frame) == [set(), out, set(), out]


def test_ply_columns_are_up_to_nine_different_ones() -> None:
    names = [f"p{ply}" for ply in range(10)]
    assert len(ply_columns(names[:9]).columns) == 9
    for wrong in (names, [], ["p1", "p1"]):
        with pytest.raises(ValueError, match="up to 9 different ply columns"):
            ply_columns(wrong)


# Logs

LOG = pl.Schema({"game": pl.String(), "ply": pl.Int64(), "square": pl.Int64(), "player": pl.String()})


def test_each_fault_of_a_log_has_its_code() -> None:
    rows = {
        ("a", 1, 0, "X"): set(),
        ("a", -5, 8, "O"): set(),
        (None, 1, 0, "X"): {"GAME_MISSING"},
        ("", 1, 0, "X"): {"GAME_MISSING"},
        ("b", None, 0, "X"): {"PLY_UNREADABLE"},
        ("b", 1, None, "X"): {"MOVES_UNREADABLE"},
        ("b", 1, 9, "X"): {"MOVE_OUT_OF_BOUNDS"},
        ("b", 1, -1, "X"): {"MOVE_OUT_OF_BOUNDS"},
        ("b", 1, 0, "Z"): {"PLAYER_UNKNOWN"},
        ("b", 1, 0, "x"): {"PLAYER_UNKNOWN"},
        ("b", 1, 0, None): {"PLAYER_UNKNOWN"},
        (None, None, None, None): {"GAME_MISSING", "PLY_UNREADABLE", "MOVES_UNREADABLE", "PLAYER_UNKNOWN"},
    }
    frame = pl.DataFrame(list(rows), LOG, orient="row")
    assert failed_checks(log(player="player"), frame) == list(rows.values())
    without = [codes - {"PLAYER_UNKNOWN"} for codes in rows.values()]
    assert failed_checks(log(), frame) == without
    renamed = frame.rename({"game": "g", "ply": "p", "square": "s"})
    assert failed_checks(log("g", "p", "s"), renamed) == without

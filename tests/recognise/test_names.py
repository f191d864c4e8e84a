"""What the names of columns say."""

from __future__ import annotations

import pytest

from pipeline.recognise import names
from pipeline.recognise.names import row_and_column, words


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("game_id", ("game", "id")),
        ("gameId", ("game", "id")),
        ("GameID", ("game", "id")),
        ("GAME-ID", ("game", "id")),
        (" Game  Id ", ("game", "id")),
        ("gameid", ("gameid",)),
        ("Cell00", ("cell", "00")),
        ("move_1", ("move", "1")),
        ("Move1", ("move", "1")),
        ("r0c0", ("r", "0", "c", "0")),
        ("row1Col2", ("row", "1", "col", "2")),
        ("top-left-square", ("top", "left", "square")),
        ("TopLeft", ("top", "left")),
        ("TL", ("tl",)),
        ("Zug", ("zug",)),
        ("größe", ("größe",)),
        ("", ()),
        ("__", ()),
        ("🎲", ()),
    ],
)
def test_words_of_a_name(name: str, parts: tuple[str, ...]) -> None:
    assert words(name) == parts


@pytest.mark.parametrize(
    ("name", "is_game", "is_ply", "is_square"),
    [
        ("game", True, False, False),
        ("game_id", True, False, False),
        ("GameID", True, False, False),
        ("gameid", True, False, False),
        ("match_no", True, False, False),
        ("episode", True, False, False),
        ("game_length", False, False, False),
        ("game_result", False, False, False),
        ("ply", False, True, False),
        ("step", False, True, False),
        ("turn", False, True, False),
        ("move_id", False, True, False),
        ("move_number", False, True, False),
        ("moveNo", False, True, False),
        ("moveid", False, True, False),
        ("move", False, True, True),
        ("square", False, False, True),
        ("position", False, False, True),
        ("cell", False, False, True),
        ("action", False, False, True),
        ("square_id", False, False, True),
        ("best_move", False, False, False),
        ("moves", False, False, False),
        ("", False, False, False),
    ],
)
def test_names_of_a_log(name: str, is_game: bool, is_ply: bool, is_square: bool) -> None:
    assert (names.is_game(name), names.is_ply(name), names.is_square(name)) == (is_game, is_ply, is_square)


@pytest.mark.parametrize("name", ["player", "Player", "current_player", "mark", "symbol", "side", "turn_player"])
def test_names_of_the_player(name: str) -> None:
    assert names.is_player(name)


@pytest.mark.parametrize("name", ["", "player_id", "player_x", "next_player", "player_name", "market"])
def test_names_of_no_player(name: str) -> None:
    assert not names.is_player(name)


@pytest.mark.parametrize("name", ["winner", "Winner", "outcome", "result", "class", "Class", "label", "game_result"])
def test_names_of_the_label(name: str) -> None:
    assert names.is_label(name)


@pytest.mark.parametrize("name", ["", "winners", "classification", "turn", "score", "resulting"])
def test_names_of_no_label(name: str) -> None:
    assert not names.is_label(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("moves", True),
        ("Moves", True),
        ("move_history", True),
        ("plies", True),
        ("legal_moves", False),
        ("move", False),
    ],
)
def test_names_of_games(name: str, expected: bool) -> None:
    assert names.is_moves(name) is expected


@pytest.mark.parametrize(
    ("given", "pairs"),
    [
        (["row", "col"], [("row", "col")]),
        (["col", "row"], [("row", "col")]),
        (["row", "column"], [("row", "column")]),
        (["r", "c"], [("r", "c")]),
        (["x", "y"], [("y", "x")]),
        (["move_row", "move_col"], [("move_row", "move_col")]),
        (["Row", "Column"], [("Row", "Column")]),
        (["row", "x"], []),
        (["row", "c"], []),
        (["from_row", "to_col"], []),
        (["row", "col", "x", "y"], [("row", "col"), ("y", "x")]),
        (["row"], []),
        ([""], []),
    ],
)
def test_pairs_of_row_and_column(given: list[str], pairs: list[tuple[str, str]]) -> None:
    assert row_and_column(given) == pairs

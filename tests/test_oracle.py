"""The oracle itself, against the known counts of the game and cases judged by hand."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Literal

import pytest

import oracle
from oracle import Layout, Record, Row

CELLS = {"X": "X", "x": "X", "O": "O", "o": "O", ".": "."}


# Boards


def test_counts_of_boards() -> None:
    boards = oracle.all_boards()
    assert (len(boards), len(set(boards)), boards[0], boards[-1]) == (19_683, 19_683, "X" * 9, "." * 9)
    outcomes = Counter(oracle.board_outcome(board) for board in oracle.reachable("X"))
    assert outcomes == {"X": 626, "O": 316, "draw": 16, "unfinished": 4_520}
    assert sum(1 for board in boards if oracle.board_reasons(board)) == 14_205


@pytest.mark.parametrize("first", ["X", "O"])
def test_the_board_rules_accept_exactly_what_play_reaches(first: Literal["X", "O"]) -> None:
    accepted = {board for board in oracle.all_boards() if not oracle.board_reasons(board, first)}
    assert accepted == oracle.reachable(first)


def test_either_first_player_accepts_what_one_of_them_accepts() -> None:
    accepted = {board for board in oracle.all_boards() if not oracle.board_reasons(board, "any")}
    assert accepted == oracle.reachable("X") | oracle.reachable("O")


def test_sides_change_with_names_and_all() -> None:
    change = str.maketrans("XO", "OX")
    for board in oracle.all_boards():
        changed = [_changed(code) for code in oracle.board_reasons(board, "X")]
        assert oracle.board_reasons(board.translate(change), "O") == sorted(changed)


def _changed(code: str) -> str:
    return {"X_": "O_", "O_": "X_"}.get(code[:2], code[:2]) + code[2:]


@pytest.mark.parametrize(
    ("board", "first", "reasons"),
    [
        (".........", "X", []),
        ("XXXOO....", "X", []),
        ("XXXOO....", "O", ["X_COUNT_AHEAD", "X_WIN_COUNT"]),
        ("O........", "X", ["O_COUNT_AHEAD"]),
        ("O........", "O", []),
        ("O........", "any", []),
        ("XX.......", "X", ["X_COUNT_AHEAD"]),
        ("XX.......", "any", ["X_COUNT_AHEAD"]),
        ("XXXOO.O..", "X", ["X_WIN_COUNT"]),
        ("OOOXX.X.X", "X", ["O_WIN_COUNT"]),
        ("XXXOOO...", "X", ["BOTH_WIN", "X_WIN_COUNT"]),
        ("XXXOOO...", "O", ["BOTH_WIN", "O_WIN_COUNT"]),
        ("XXXOOO...", "any", ["BOTH_WIN", "X_WIN_COUNT"]),
        ("XXXOOOX..", "any", ["BOTH_WIN", "O_WIN_COUNT"]),
        ("OOO......", "X", ["O_COUNT_AHEAD", "O_WIN_COUNT"]),
        ("OOO......", "any", ["O_COUNT_AHEAD", "O_WIN_COUNT"]),
        ("XXX......", "any", ["X_COUNT_AHEAD", "X_WIN_COUNT"]),
        ("XXXOOOO..", "X", ["BOTH_WIN", "O_COUNT_AHEAD", "O_WIN_COUNT", "X_WIN_COUNT"]),
        ("XXXOOOO..", "any", ["BOTH_WIN", "X_WIN_COUNT"]),
    ],
)
def test_board_reasons(board: str, first: Literal["X", "O", "any"], reasons: list[str]) -> None:
    assert oracle.board_reasons(board, first) == reasons


# Labels


@pytest.mark.parametrize(
    ("outcome", "label", "reasons"),
    [
        ("X", None, []),
        ("X", "  ", []),
        ("X", " a ", []),
        ("O", "B", []),
        ("draw", "TIE", []),
        ("draw", "d", []),
        ("unfinished", "Continue", []),
        ("X", "positive", []),
        ("X", "negative", ["OUTCOME_MISMATCH"]),
        ("draw", "negative", []),
        ("unfinished", "negative", []),
        ("unfinished", "X", ["OUTCOME_UNFINISHED"]),
        ("X", "ongoing", ["OUTCOME_MISMATCH"]),
        ("X", "who knows", ["OUTCOME_UNKNOWN"]),
    ],
)
def test_built_in_labels(outcome: str, label: str | None, reasons: list[str]) -> None:
    assert oracle.label_reasons(outcome, label) == reasons


def test_a_mapped_label_matches_letter_for_letter() -> None:
    mapping = {"X": {"O"}, "1": {"X", "draw"}}
    assert oracle.label_reasons("O", "X", mapping) == []
    assert oracle.label_reasons("X", "x", mapping) == []
    assert oracle.label_reasons("draw", "1", mapping) == []
    assert oracle.label_reasons("unfinished", "1", mapping) == ["OUTCOME_UNFINISHED"]
    assert oracle.label_reasons("X", "2", mapping) == ["OUTCOME_UNKNOWN"]


# Boards as they are written


@pytest.mark.parametrize(
    ("text", "label", "reasons"),
    [
        ("xX.Oo....", None, []),
        ("XXX/OO./...", "X", []),
        ("XXX\nOO.\n...", "X", []),
        ("XXX\r\nOO.\r\n...", "O", ["OUTCOME_MISMATCH"]),
        (None, "X", ["BOARD_MISSING"]),
        ("", "?", ["BOARD_MISSING", "OUTCOME_UNKNOWN"]),
        (" ", None, ["BOARD_SIZE"]),
        ("XXXOO...", "O", ["BOARD_SIZE"]),
        ("XXX/OO./..", None, ["BOARD_SIZE"]),
        ("XXX/OO....", None, ["BOARD_SIZE"]),
        ("XXXOO.../", None, ["CELL_UNKNOWN"]),
        ("XXXOO.  .", None, ["CELL_UNKNOWN"]),
        ("X😀.......", None, ["CELL_UNKNOWN"]),
        ("O........", "X", ["O_COUNT_AHEAD"]),
        ("O........", "?", ["OUTCOME_UNKNOWN", "O_COUNT_AHEAD"]),
        ("X........", "X", ["OUTCOME_UNFINISHED"]),
        ("XX\nX", None, ["LINE_BREAK_IN_FIELD"]),
    ],
)
def test_text_boards(text: str | None, label: str | None, reasons: list[str]) -> None:
    assert oracle.text_board_reasons(text, CELLS, "X", label, in_text_file=True) == reasons


def test_lists_of_symbols() -> None:
    alphabet = {"1": "X", "-1": "O", "": "."}
    x_won = ["1", "1", "1", "-1", "-1", None, "", None, ""]
    assert oracle.list_board_reasons(x_won, alphabet, "X", "X") == []
    assert oracle.list_board_reasons(["1"] * 8, alphabet) == ["BOARD_SIZE"]
    assert oracle.list_board_reasons(["0"] + [""] * 8, alphabet) == ["CELL_UNKNOWN"]
    assert oracle.list_board_reasons(None, alphabet) == ["BOARD_MISSING"]
    assert [oracle.column_symbol(text) for text in (" X ", "  ", "", None)] == ["X", "  ", "", ""]


# Numbers and squares


@pytest.mark.parametrize("text", ["7", " 7 ", "007", "7.0", " 07.0"])
def test_whole_numbers(text: str) -> None:
    assert oracle.whole_number(text) == 7
    assert oracle.whole_number("-" + text.strip()) == -7


NO_NUMBERS = [None, "", " ", "+3", "1e0", "1.5", "1.", "1.00", "- 1", "--1", "٣", "²", "1_0", "0x1"]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_whole_number(text: str | None) -> None:
    assert oracle.whole_number(text) is None


def test_squares() -> None:
    assert [oracle.square_of_pair(*pair) for pair in ((0, 0), (1, 2), (2, 2))] == [0, 5, 8]
    assert [oracle.square_of_pair(*pair) for pair in ((0, 3), (1, -1), (3, 0), (2, 5))] == [oracle.OUT] * 4
    assert [oracle.square_of_pair(*pair, base=1) for pair in ((1, 1), (3, 3), (0, 1))] == [0, 8, oracle.OUT]
    assert [oracle.square_of_number(n, base=1) for n in (0, 1, 9, 10)] == [oracle.OUT, 0, 8, oracle.OUT]
    assert [oracle.square_of_number(n, order="column") for n in range(9)] == [0, 3, 6, 1, 4, 7, 2, 5, 8]
    assert [oracle.square_of_text(text) for text in ("(0, 2)", "[1,1]", "2,0", "5", "9")] == [2, 4, 6, 5, -1]
    for text in (None, "", "(1)", "1,", "0,1,2", "a", "(0,2]"):
        assert oracle.square_of_text(text) is None


# Games


def test_counts_of_games() -> None:
    outcomes = Counter(outcome for _, outcome in oracle.game_tree())
    assert sum(outcomes.values()) == 549_946
    assert outcomes == {"X": 131_184, "O": 77_904, "draw": 46_080, "unfinished": 294_778}


def test_legal_games_are_valid() -> None:
    for moves, outcome in islice(oracle.game_tree(), 0, None, 97):
        assert oracle.judge_game(moves, label=outcome) == ([], None, outcome)


X_WINS = [0, 3, 1, 4, 2]
DRAW = [0, 1, 2, 4, 3, 5, 7, 6, 8]


@pytest.mark.parametrize(
    ("plies", "codes", "ply"),
    [
        ([], [], None),
        (X_WINS, [], None),
        (DRAW, [], None),
        ([0, 9], ["MOVE_OUT_OF_BOUNDS"], 2),
        ([0, 1, 0], ["CELL_OCCUPIED"], 3),
        ([9, 0, 0], ["CELL_OCCUPIED", "MOVE_OUT_OF_BOUNDS"], 1),
        ([*X_WINS, 5], ["MOVE_AFTER_END"], 6),
        ([*X_WINS, 0, 9], ["CELL_OCCUPIED", "MOVE_AFTER_END", "MOVE_OUT_OF_BOUNDS"], 6),
        ([*DRAW, 0], ["CELL_OCCUPIED", "MOVES_TOO_MANY"], 10),
        ([-1, *DRAW], ["MOVES_TOO_MANY", "MOVE_OUT_OF_BOUNDS"], 1),
        ([*X_WINS, 5, 6, 7, 8, 0], ["CELL_OCCUPIED", "MOVES_TOO_MANY", "MOVE_AFTER_END"], 6),
        ([0, None, 9], ["MOVES_UNREADABLE"], None),
        (None, ["MOVES_MISSING"], None),
    ],
)
def test_games(plies: list[int | None] | None, codes: list[str], ply: int | None) -> None:
    assert oracle.judge_game(plies)[:2] == (codes, ply)


def test_the_turn_passes_on_a_ply_that_places_nothing() -> None:
    assert oracle.judge_game([0, 0, 1, 4, 2]).outcome == "X"
    assert oracle.judge_game([0, 0, 1, 4, 2, 5]) == (["CELL_OCCUPIED", "MOVE_AFTER_END"], 2, "X")


def test_players() -> None:
    assert oracle.judge_game([0, 1], ["X", "o"]) == ([], None, "unfinished")
    assert oracle.judge_game([0, 1], ["X", "X"])[:2] == (["WRONG_TURN"], 2)
    assert oracle.judge_game([0, 1], ["O", "X"])[:2] == (["WRONG_TURN"], 1)
    assert oracle.judge_game([0, 1], ["O", "X"], "O")[:2] == ([], None)
    assert oracle.judge_game([0, 1], ["O", "X"], "any")[:2] == ([], None)
    assert oracle.judge_game([0, 1], [None, "X"], "any")[:2] == (["PLAYER_UNKNOWN", "WRONG_TURN"], 2)
    assert oracle.judge_game([0, 1, 1], ["Z", "O", "X"])[:2] == (["CELL_OCCUPIED", "PLAYER_UNKNOWN"], 3)
    assert oracle.judge_game([0, None], ["X", ""])[:2] == (["MOVES_UNREADABLE", "PLAYER_UNKNOWN"], None)
    assert oracle.judge_game(X_WINS, ["O"] * 5) == (["WRONG_TURN"], 1, "X")
    assert oracle.judge_game(X_WINS, None, "O").outcome == "O"


def test_labels_of_games() -> None:
    assert oracle.judge_game(X_WINS, labels=["X", "", None, "a"]).codes == []
    assert oracle.judge_game(X_WINS, labels=["X", "O"]).codes == ["OUTCOME_MISMATCH"]
    assert oracle.judge_game(X_WINS, labels=["O", "?"]).codes == ["OUTCOME_UNKNOWN"]
    assert oracle.judge_game([0, 0], label="O").codes == ["CELL_OCCUPIED"]
    assert oracle.judge_game([0, 0], label="?").codes == ["CELL_OCCUPIED", "OUTCOME_UNKNOWN"]
    assert oracle.judge_game(X_WINS, ["Z", "O", "X", "O", "X"], label="O").codes == ["PLAYER_UNKNOWN"]


def test_boards_beside_moves() -> None:
    assert oracle.judge_game(X_WINS, board="XXX/OO./...").codes == []
    assert oracle.judge_game(X_WINS, board="").codes == []
    assert oracle.judge_game([], board=".........").codes == []
    assert oracle.judge_game(X_WINS, board=".........") == (["BOARD_MISMATCH"], None, "X")
    assert oracle.judge_game(X_WINS, board="XX", label="O").codes == ["BOARD_MISMATCH", "OUTCOME_MISMATCH"]
    assert oracle.judge_game([0, 0], board="XX").codes == ["CELL_OCCUPIED"]
    assert oracle.judge_game([0, 1], boards=["X........", "XO......."]).codes == []
    assert oracle.judge_game([0, 1], boards=["XO.......", "XO......."]).codes == ["BOARD_MISMATCH"]


def test_ply_columns_end_with_the_last_move() -> None:
    assert oracle.moves_of_columns([0, 1, *[None] * 7]) == [0, 1]
    assert oracle.moves_of_columns([0, None, 1, *[None] * 6]) == [0, None, 1]
    assert oracle.moves_of_columns([None] * 9) == []


# Logs


def log(*plies: tuple[str | None, int | str | None]) -> list[Row]:
    """A log of one game, as (ply, square) in the order of the file."""
    return [{"row": row, "game": "g", "ply": plies[row][0], "square": plies[row][1]} for row in range(len(plies))]


def judged(rows: list[Row]) -> tuple[list[str], int | None, int]:
    """Codes, ply and row of the only record."""
    (record,) = oracle.judge_log(rows)
    return record.codes, record.ply, record.row


def test_rows_in_any_order() -> None:
    assert judged(log(("3", 2), ("1", 0), (" 02.0", 1))) == ([], None, 2)
    assert judged(log(("3", 0), ("1", 0), ("2", 1))) == (["CELL_OCCUPIED"], 3, 0)
    assert judged(log(("1", 0), ("0", 0), ("2", 2))) == (["CELL_OCCUPIED"], 2, 0)


@pytest.mark.parametrize(
    ("plies", "codes"),
    [
        (["2", "3"], ["PLY_GAP"]),
        (["1", "3"], ["PLY_GAP"]),
        (["-1", "0", "1"], ["PLY_GAP"]),
        (["1", "2", "2"], ["PLY_REPEATED"]),
        (["1", "2.0", "02", "4"], ["PLY_GAP", "PLY_REPEATED"]),
        (["1", None, "1", "9"], ["PLY_UNREADABLE"]),
        (["1", "+2"], ["PLY_UNREADABLE"]),
        ([str(ply) for ply in range(2, 13)], ["PLY_GAP"]),
    ],
)
def test_ply_numbers(plies: list[str | None], codes: list[str]) -> None:
    assert judged(log(*((ply, 9) for ply in plies))) == (codes, None, len(plies) - 1)
    assert judged(log(*((ply, "") for ply in plies)))[0] == sorted([*codes, "MOVES_UNREADABLE"])


def test_a_zero_anywhere_makes_plies_count_from_zero() -> None:
    rows: list[Row] = [
        {"row": 0, "game": "g", "ply": "1", "square": 0},
        {"row": 1, "game": "h", "ply": "0", "square": 0},
    ]
    assert oracle.judge_log(rows) == [
        Record("g", ["PLY_GAP"], None, 0, None),
        Record("h", [], None, 1, "unfinished"),
    ]
    rows[1]["game"] = None
    assert oracle.judge_log(rows) == [
        Record("g", [], None, 0, "unfinished"),
        Record(None, ["GAME_MISSING"], None, 1, None),
    ]


def test_a_row_without_a_game_is_a_record_of_its_own() -> None:
    row: Row = {"row": 4, "game": "", "ply": "two", "square": None, "player": "Z", "label": "?"}
    assert oracle.judge_log([row]) == [
        Record(None, ["GAME_MISSING", "OUTCOME_UNKNOWN", "PLAYER_UNKNOWN"], None, 4, None)
    ]


def test_without_ply_numbers_the_order_of_the_rows_counts() -> None:
    rows: list[Row] = [{"row": row, "game": "g", "square": row % 2} for row in (2, 1, 0)]
    assert judged(rows) == (["CELL_OCCUPIED"], 3, 2)


def test_rows_and_columns_players_labels_and_boards() -> None:
    first: Row = {"row": 0, "game": "g", "ply": "1", "r": "1", "c": "1", "player": "x", "board": "X........"}
    second: Row = {"row": 1, "game": "g", "ply": "2", "r": "3", "c": "3", "player": "O", "board": None}
    layout = Layout(base=1)
    assert oracle.judge_log([second, first], layout) == [Record("g", [], None, 1, "unfinished")]
    assert oracle.judge_log([first, second])[0][1:4] == (["MOVE_OUT_OF_BOUNDS"], 2, 1)
    assert oracle.judge_log([first, {**second, "label": "X"}], layout)[0].codes == ["OUTCOME_UNFINISHED"]
    assert oracle.judge_log([{**first, "board": "........."}, second], layout)[0].codes == ["BOARD_MISMATCH"]
    assert oracle.judge_log([first, {**second, "player": ""}], layout)[0].codes == ["PLAYER_UNKNOWN"]
    assert oracle.judge_log([first, {**second, "c": ""}], layout)[0].codes == ["MOVES_UNREADABLE"]

"""What is refused, with a message that names the option that decides; and following it literally works."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

import written
from conftest import Command
from written import BOARDS, GAMES, Table

NUMBERS: Final = {"X": "1", "O": "2", ".": "0", "#": "0"}
SIGNS: Final = {"X": 1, "O": -1, ".": 0, "#": 0}
NAMED: Final = ["--cells", "X=1", "--cells", "O=2", "--cells", "empty=0"]
NAMED_SIGNS: Final = ["--cells", "X=1", "--cells", "O=-1", "--cells", "empty=0"]
NEVER_GUESSED: Final = "what the numbers in {} mean is never guessed: "
NO_LAYOUT: Final = "no board or moves among its columns ("
CELLS: Final = [f"c{number}" for number in range(9)]


def refused(command: Command, path: Path, message: str, *options: str) -> str:
    done = command("run", path, "--out", "report", *options)
    assert (done.exit_code, done.out) == (3, "")
    assert done.err.startswith(f"error: {path}: ")
    assert message in done.err
    assert not (path.parent / "report").exists()
    return done.err


def written_to(folder: Path, content: Table | str, *, parquet: bool = False) -> Path:
    if isinstance(content, str):
        path = folder / "data.csv"
        path.write_text(content, newline="")
        return path
    return written.parquet_file(folder, content) if parquet else written.csv_file(folder, content)


# What is no table


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "is a Git LFS pointer, not the data"),
        ("% comment\n\n@relation ttt\n@attribute a {x,o,b}\n@data\nx\n", "is ARFF, which is not read"),
        ("@RELATION ttt\n@DATA\nx\n", "is ARFF, which is not read"),
        ("% 1. Title\n% 2. Source\nx,o,b\n", "begins with % comments"),
        ('{"board": "XO......."}\n{"board": "X........"}\n', "looks like JSON, which is not read"),
        ('\ufeff {"boards": []}', "looks like JSON, which is not read"),
        ('[\n  {"board": "XO......."}\n]', "looks like JSON, which is not read"),
        ('[{"board": "XO......."}]', "looks like JSON, which is not read"),
        ("<!DOCTYPE html>\n<html><body>404</body></html>\n", "is HTML or XML, not a table"),
        ("\n\n<html>\n", "is HTML or XML, not a table"),
        ('<?xml version="1.0"?>\n<games/>\n', "is HTML or XML, not a table"),
        ("PK\x03\x04 and so on", "is a ZIP archive or a spreadsheet"),
        ("%PDF-1.7\n", "is a PDF document"),
    ],
)
def test_text_that_is_no_table(content: str, message: str, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(content.encode())
    refused(command, path, message)
    refused(command, path, message, "--board", "board")


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_packed_by_name_only(suffix: str, tmp_path: Path, command: Command) -> None:
    path = tmp_path / f"data.csv{suffix}"
    path.write_text("board\nXO.......\n")
    refused(command, path, "is named as if it were packed, but is not: mend the name")
    assert command("run", path.rename(tmp_path / "data.csv")).exit_code == 0


# What holds neither boards nor moves


@pytest.mark.parametrize(
    "table",
    [
        [(f"{mark}_count", [row % 5 for row in range(50)]) for mark in "xo"] + [("score", [1.5] * 50)],
        [("game_id", range(50)), ("winner", ["X", "O"] * 25), ("moves", [5 + row % 5 for row in range(50)])],
        [("name", ["ada"] * 50), ("text", ["no board here"] * 50)],
        [("game_id", range(50)), ("length", [7] * 50), ("result", ["draw"] * 50)],
    ],
    ids=["features", "summaries of games", "text", "lengths of games"],
)
@pytest.mark.parametrize("parquet", [False, True])
def test_no_boards_and_no_moves(table: Table, parquet: bool, tmp_path: Path, command: Command) -> None:
    said = refused(command, written_to(tmp_path, table, parquet=parquet), NO_LAYOUT)
    assert all(name in said for name, _ in table)
    assert "name them with --board, --moves, or --game, --ply and --at" in said


@pytest.mark.parametrize("parquet", [False, True])
def test_board_under_a_name_that_is_refused_can_be_named(parquet: bool, tmp_path: Path, command: Command) -> None:
    texts = ["XO......?", "OO.......", "foo"]
    path = written_to(tmp_path, [("id", range(3)), ("state", texts)], parquet=parquet)
    refused(command, path, NO_LAYOUT)
    done = command("run", path, "--board", "state", "--json")
    assert {code: found["records"] for code, found in done.json["reasons"].items()} == {
        "BOARD_SIZE": 1,
        "CELL_UNKNOWN": 1,
        "O_COUNT_AHEAD": 1,
    }


# Boards that are not 3x3


@pytest.mark.parametrize("size", [16, 42])
@pytest.mark.parametrize("parquet", [False, True])
def test_texts_of_other_sizes(size: int, parquet: bool, tmp_path: Path, command: Command) -> None:
    path = written_to(tmp_path, [("board", ["XO".ljust(size, ".")] * 20)], parquet=parquet)
    refused(command, path, f"column 'board' holds boards of {size} cells, and only 3x3 is checked")
    done = command("run", path, "--board", "board", "--json")
    assert (done.exit_code, done.json["reasons"]["BOARD_SIZE"]["records"]) == (1, 20)


@pytest.mark.parametrize(("size", "name"), [(16, "c{}"), (42, "cell{}"), (42, "{}")])
@pytest.mark.parametrize("parquet", [False, True])
def test_columns_of_other_sizes(size: int, name: str, parquet: bool, tmp_path: Path, command: Command) -> None:
    names = [name.format(number) for number in range(size)]
    table = written.in_columns(names, [["x", "o", *["b"] * (size - 2)]] * 20)
    path = written_to(tmp_path, table, parquet=parquet)
    said = refused(command, path, f"{size} columns hold cells")
    assert "a board of 3x3 has nine; if some are, name them with --board" in said
    assert command("run", path, "--board", ",".join(names[:9])).exit_code == 0


# Numbers


@pytest.mark.parametrize("parquet", [False, True])
@pytest.mark.parametrize("names", [CELLS, [*"123456789"], [f"pos{number}" for number in range(1, 10)]])
def test_columns_of_numbers(names: Sequence[str], parquet: bool, tmp_path: Path, command: Command) -> None:
    rows = [[NUMBERS[cell] for cell in board.cells] for board in BOARDS]
    path = written_to(tmp_path, written.in_columns(names, rows), parquet=parquet)
    said = refused(command, path, NEVER_GUESSED.format(f"columns '{names[0]}' to '{names[-1]}'"))
    assert "--cells X=… --cells O=… --cells empty=…" in said
    followed(command, path, NAMED)


@pytest.mark.parametrize("parquet", [False, True])
@pytest.mark.parametrize("name", ["board", "state"])
def test_text_of_digits(name: str, parquet: bool, tmp_path: Path, command: Command) -> None:
    texts = ["".join(NUMBERS[cell] for cell in board.cells) for board in BOARDS]
    path = written_to(tmp_path, [(name, texts)], parquet=parquet)
    said = refused(command, path, NEVER_GUESSED.format(f"column '{name}'"))
    assert "--cells X=… --cells O=… --cells empty=…" in said
    followed(command, path, NAMED)


@pytest.mark.parametrize("three_by_three", [False, True])
@pytest.mark.parametrize("name", ["board", "state"])
def test_lists_of_numbers(name: str, three_by_three: bool, tmp_path: Path, command: Command) -> None:
    values: list[Any] = [[SIGNS[cell] for cell in board.cells] for board in BOARDS]
    values = [[cells[start : start + 3] for start in (0, 3, 6)] for cells in values] if three_by_three else values
    path = written_to(tmp_path, [(name, values)], parquet=True)
    refused(command, path, NEVER_GUESSED.format(f"column '{name}'"))
    followed(command, path, NAMED_SIGNS)


def followed(command: Command, path: Path, advice: Sequence[str]) -> None:
    """Judges the boards by the advice, ``#`` being another empty cell."""
    boards = [written.Board(board.cells.replace("#", "."), "") for board in BOARDS]
    expected = written.board_reasons(boards)
    done = command("run", path, *advice, "--json")
    assert done.exit_code == 1
    assert done.json["records"] == {"read": len(boards), "valid": len(boards) - len(expected), "invalid": len(expected)}


def test_columns_of_plies_that_are_not_called_so(tmp_path: Path, command: Command) -> None:
    names = [f"p{ply}" for ply in range(1, 10)]
    path = written_to(tmp_path, written.in_columns(names, [written.in_plies(game.squares) for game in GAMES]))
    said = refused(command, path, NEVER_GUESSED.format("columns 'p1' to 'p9'"))
    assert f"--moves {','.join(names)}" in said
    done = command("run", path, "--moves", ",".join(names), "--json")
    invalid = len(written.game_reasons(GAMES, labelled=False))
    assert done.json["records"] == {"read": len(GAMES), "valid": len(GAMES) - invalid, "invalid": invalid}


def test_cells_that_do_not_say_all(tmp_path: Path, command: Command) -> None:
    rows = [[NUMBERS[cell] for cell in board.cells] for board in BOARDS]
    path = written_to(tmp_path, written.in_columns([f"p{number}" for number in range(9)], rows))
    said = refused(command, path, "--cells does not say what these symbols mean there", "--cells", "X=1")
    assert "'2'" in said
    followed(command, path, NAMED)


# Two choices


BOARD: Final = ["XO......."] * 20
PLIES: Final = [row % 5 + 1 for row in range(20)]
GAME: Final = [row // 5 for row in range(20)]
SQUARE: Final = [row % 5 for row in range(20)]
OTHER: Final = [row % 5 + 1 for row in range(20)]
PLAYERS: Final = [("X", "O", "X", "O", "X")[row % 5] for row in range(20)]
MOVES: Final = ["[0, 3, 1, 4, 2]"] * 20
TEN_CELLS: Final = written.in_columns([f"v{number}" for number in range(10)], [[*"XO.......X"]] * 20)


@pytest.mark.parametrize(
    ("table", "message", "advice"),
    [
        (
            [("before", ["X........"] * 20), ("after", BOARD)],
            "both column 'before' and column 'after' could hold the boards; choose with --board",
            [["--board", "before"], ["--board", "after"]],
        ),
        (
            [("board", BOARD), *written.in_columns(CELLS, [[*"XO......."]] * 20)],
            "both column 'board' and columns 'c0' to 'c8' could hold the boards; choose with --board",
            [["--board", "board"], ["--board", ",".join(CELLS)]],
        ),
        (
            TEN_CELLS,
            "10 columns hold cells, columns 'v0' to 'v9': a board of 3x3 has nine; if some are, name them with --board",
            [["--board", ",".join(name for name, _ in TEN_CELLS[:9])]],
        ),
        (
            [("board", BOARD), ("winner", ["ongoing"] * 20), ("result", ["pending"] * 20)],
            "columns 'winner' and 'result' could both be the label; choose one with --outcome, or --outcome none",
            [["--outcome", "winner"], ["--outcome", "result"], ["--outcome", "none"]],
        ),
        (
            [("plies", MOVES), ("history", MOVES)],
            "both column 'plies' and column 'history' could hold whole games; choose with --moves",
            [["--moves", "plies"], ["--moves", "history"]],
        ),
        (
            [("game", GAME), ("ply", PLIES), ("square", SQUARE), ("position", OTHER)],
            "both column 'square' and column 'position' could hold the squares; choose with --at",
            [["--at", "square"], ["--at", "position"]],
        ),
        (
            [("game", GAME), ("match", [7] * 5 + GAME[5:]), ("ply", PLIES), ("square", SQUARE)],
            "both column 'game' and column 'match' could hold the game of each ply; choose with --game",
            [["--game", "game"], ["--game", "match"]],
        ),
        (
            [("game", GAME), ("step", PLIES), ("turn", PLIES[::-1]), ("square", SQUARE)],
            "both column 'step' and column 'turn' could hold the number of the ply; choose with --ply",
            [["--ply", "step"], ["--ply", "turn"]],
        ),
        (
            [("game", GAME), ("ply", PLIES), ("player", PLAYERS), ("mark", ["O", *PLAYERS[1:]]), ("square", SQUARE)],
            "both column 'player' and column 'mark' could hold the player; choose with --player",
            [["--player", "player"]],
        ),
        (
            [("game", GAME), ("ply", PLIES), ("player", ["ann", "bob"] * 10), ("square", SQUARE)],
            "which of the players in column 'player' is X is not known: 'ann', 'bob'",
            [["--player", "none"]],
        ),
        (
            [("game", GAME), ("ply", PLIES), ("move", ["e4"] * 20), ("number", SQUARE)],
            "column 'move' holds no squares but 'e4'; name the column of squares with --at",
            [["--at", "number"]],
        ),
        (
            [("game", GAME), ("player", PLAYERS), ("board", ["........."] * 20), ("move", SQUARE)],
            "each row could be a board, column 'board', or a ply of a log, column 'move'; "
            "choose with --board and --game none, or with --game game",
            [["--board", "board", "--game", "none"]],
        ),
        (
            [("game_id", GAME), ("ply", PLIES), ("move", SQUARE), ("moves", MOVES)],
            "column 'moves' could hold whole games and column 'move' the plies of a log; "
            "choose with --moves or --at, or say --moves none or --game none",
            [["--moves", "moves"], ["--at", "move"], ["--moves", "none"], ["--game", "none"]],
        ),
    ],
)
@pytest.mark.parametrize("parquet", [False, True])
def test_two_choices(
    table: Table, message: str, advice: list[list[str]], parquet: bool, tmp_path: Path, command: Command
) -> None:
    path = written_to(tmp_path, table, parquet=parquet)
    said = refused(command, path, message)
    for options in advice:
        assert all(option in said for option in options if option.startswith("--"))
        done = command("run", path, *options)
        assert (done.exit_code, done.err) == (0, "")


def test_position_before_the_ply_is_found_when_the_game_is_named(tmp_path: Path, command: Command) -> None:
    table: Table = [("game", GAME), ("player", PLAYERS), ("board", ["........."] * 20), ("move", SQUARE)]
    done = command("run", written_to(tmp_path, table), "--game", "game", "--json")
    assert (done.exit_code, list(done.json["reasons"])) == (1, ["BOARD_MISMATCH"])


@pytest.mark.parametrize(("option", "exit_code"), [("column_2", 1), ("none", 0)])
def test_marks_beside_boards_without_header(option: str, exit_code: int, tmp_path: Path, command: Command) -> None:
    path = written_to(tmp_path, "XO.......,X\nX........,O\n")
    said = refused(command, path, "column 'column_2' may be the label, or a player")
    assert "say --outcome column_2 or --outcome none" in said
    assert "if it names the columns: --header" in said
    assert command("run", path, "--outcome", option).exit_code == exit_code

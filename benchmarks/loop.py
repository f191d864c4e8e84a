"""The plain loop: what one would write by hand, record by record, to count those that cannot have happened."""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq

SYMBOLS = set("XO.")
CELLS = 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

Ply = tuple[int, str, int, str]
"""A row of a log but for its game: the number of the ply, the player, the square, the label."""


def has_line(board: str | list[str], mark: str) -> bool:
    """Tell whether a player has three in a row."""
    return any(board[a] == board[b] == board[c] == mark for a, b, c in LINES)


def is_valid_board(board: str) -> bool:
    """Tell whether legal play, X first, can show this board."""
    if len(board) != CELLS or not SYMBOLS.issuperset(board):
        return False
    ahead = board.count("X") - board.count("O")
    if ahead not in {0, 1}:
        return False
    if has_line(board, "X") and ahead != 1:
        return False
    return not (has_line(board, "O") and ahead != 0)


def is_valid_game(squares: tuple[int, ...], winner: str) -> bool:
    """Tell whether this is legal play, X first, that ends as the label says."""
    board = ["."] * CELLS
    found = None
    for ply, square in enumerate(squares):
        if found or not 0 <= square < CELLS or board[square] != ".":
            return False
        mark = "XO"[ply % 2]
        board[square] = mark
        if has_line(board, mark):
            found = mark
    if found is None and len(squares) == CELLS:
        found = "draw"
    return winner == found


def is_valid_text(moves: str, winner: str) -> bool:
    """Tell the same of a game such as ``0,0;1,1``."""
    squares = []
    for move in moves.split(";"):
        row, column = map(int, move.split(","))
        if not (0 <= row < 3 and 0 <= column < 3):
            return False
        squares.append(3 * row + column)
    return is_valid_game(tuple(squares), winner)


def is_valid_log(plies: tuple[Ply, ...]) -> bool:
    """Tell the same of a game from its rows in a log."""
    squares = []
    for number, (ply, player, square, _) in enumerate(plies):
        if ply != number + 1 or player != "XO"[number % 2]:
            return False
        squares.append(square)
    return all(is_valid_game(tuple(squares), winner) for winner in {row[3] for row in plies})


def count(file: pq.ParquetFile, check: Callable[..., bool]) -> dict[str, int]:
    """Check every row and count them."""
    rows = invalid = 0
    for batch in file.iter_batches():
        rows += batch.num_rows
        invalid += batch.num_rows - sum(map(check, *(column.to_pylist() for column in batch.columns)))
    return {"rows": rows, "records": rows, "invalid": invalid}


def count_log(file: pq.ParquetFile, check: Callable[..., bool]) -> dict[str, int]:
    """Gather all rows by their game, then check the games and count both."""
    games: dict[str, list[Ply]] = defaultdict(list)
    for batch in file.iter_batches(columns=["game_id", "ply", "player", "square", "winner"]):
        for game, *row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            games[game].append(tuple(row))
    invalid = sum(not check(tuple(sorted(plies))) for plies in games.values())
    return {"rows": sum(map(len, games.values())), "records": len(games), "invalid": invalid}


def main() -> None:
    """Check the file named last on the command line; print the counts, and the seconds spent in the loop."""
    started = time.perf_counter()
    *options, name = sys.argv[1:]
    remember: Callable[..., Callable[..., bool]] = cache if options == ["--cached"] else lambda check: check
    file = pq.ParquetFile(name)
    columns = file.schema_arrow
    if "ply" in columns.names:
        counts = count_log(file, remember(is_valid_log))
    elif "board" in columns.names:
        counts = count(file, remember(is_valid_board))
    elif columns.field("moves").type == pa.string():
        counts = count(file, remember(is_valid_text))
    else:
        check = remember(is_valid_game)
        counts = count(file, lambda squares, winner: check(tuple(squares), winner))
    print(json.dumps({**counts, "loop_seconds": time.perf_counter() - started}))


if __name__ == "__main__":
    main()

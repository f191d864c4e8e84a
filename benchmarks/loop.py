"""The plain loop: what one would write by hand, record by record, to count those that cannot have happened."""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pyarrow.parquet as pq

SYMBOLS = set("XO.")
CELLS = 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


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


def is_valid_log(plies: tuple[tuple[int, str, int], ...], winner: str) -> bool:
    """Tell the same of a game from the number, the player and the square of each ply."""
    squares = []
    for number, (ply, player, square) in enumerate(plies):
        if ply != number + 1 or player != "XO"[number % 2]:
            return False
        squares.append(square)
    return is_valid_game(tuple(squares), winner)


def rows_of(file: str) -> Iterator[tuple[Any, ...]]:
    """Yield every row as Python values."""
    for batch in pq.ParquetFile(file).iter_batches():
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def count(records: Iterator[tuple[Any, ...]], check: Callable[..., bool]) -> dict[str, int]:
    """Check all records and count them."""
    number = invalid = 0
    for record in records:
        number += 1
        if not check(*record):
            invalid += 1
    return {"rows": number, "records": number, "invalid": invalid}


def count_log(rows: Iterator[tuple[Any, ...]], check: Callable[..., bool]) -> dict[str, int]:
    """Gather all rows by their game, then check the games."""
    games: dict[str, list[tuple[int, str, int]]] = defaultdict(list)
    labels: dict[str, set[str]] = defaultdict(set)
    number = 0
    for game, ply, player, square, winner in rows:
        games[game].append((ply, player, square))
        labels[game].add(winner)
        number += 1
    invalid = 0
    for game, plies in games.items():
        plies.sort()
        if not all(check(tuple(plies), winner) for winner in labels[game]):
            invalid += 1
    return {"rows": number, "records": len(games), "invalid": invalid}


def main() -> None:
    """Check the file named last on the command line; print the counts, and the seconds spent in the loop."""
    started = time.perf_counter()
    *options, file = sys.argv[1:]
    schema = pq.ParquetFile(file).schema_arrow
    is_log = "ply" in schema.names
    check: Callable[..., bool]
    if is_log:
        check = is_valid_log
    elif "board" in schema.names:
        check = is_valid_board
    elif str(schema.field("moves").type) == "string":
        check = is_valid_text
    else:
        check = lambda squares, winner: is_valid_game(tuple(squares), winner)
    counts = (count_log if is_log else count)(rows_of(file), cache(check) if options else check)
    print(json.dumps({**counts, "loop_seconds": time.perf_counter() - started}))


if __name__ == "__main__":
    main()

"""What one would write by hand: a plain Python function called on each board or game, to count the reasons."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

CELLS = 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def has_line(board: str | list[str], mark: str) -> bool:
    """Tell whether a player has three in a row."""
    return any(board[a] == board[b] == board[c] == mark for a, b, c in LINES)


def board_reasons(board: str) -> list[str]:
    """Tell which rules a board breaks."""
    if len(board) != CELLS or not set("XO.").issuperset(board):
        return ["CELL_UNKNOWN"]
    ahead = board.count("X") - board.count("O")
    x_wins, o_wins = has_line(board, "X"), has_line(board, "O")
    broken = {
        "O_COUNT_AHEAD": ahead < 0,
        "X_COUNT_AHEAD": ahead > 1,
        "BOTH_WIN": x_wins and o_wins,
        "X_WIN_COUNT": x_wins and ahead != 1,
        "O_WIN_COUNT": o_wins and ahead != 0,
    }
    return [code for code, holds in broken.items() if holds]


def cells_reasons(*cells: str) -> list[str]:
    """Tell the same of a board in nine columns."""
    return board_reasons("".join(cells))


def game_reasons(squares: list[int], winner: str) -> set[str]:
    """Tell which rules a game breaks, and whether its label holds."""
    board = ["."] * CELLS
    found, reasons = "", set()
    for ply, square in enumerate(squares):
        if found:
            reasons.add("MOVE_AFTER_END")
        if not 0 <= square < CELLS:
            reasons.add("MOVE_OUT_OF_BOUNDS")
        elif board[square] != ".":
            reasons.add("CELL_OCCUPIED")
        else:
            board[square] = "XO"[ply % 2]
            if not found and has_line(board, board[square]):
                found = board[square]
    if not found and len(squares) == CELLS:
        found = "draw"
    if not reasons and winner != found:
        reasons.add("OUTCOME_MISMATCH" if found else "OUTCOME_UNFINISHED")
    return reasons


def text_reasons(moves: str, winner: str) -> set[str]:
    """Tell the same of a game such as ``0,0;1,1``."""
    squares = []
    for move in moves.split(";"):
        row, column = map(int, move.split(","))
        inside = 0 <= row < 3 and 0 <= column < 3
        squares.append(3 * row + column if inside else CELLS)
    return game_reasons(squares, winner)


def log_games(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[list[int], str]]:
    """Gather the squares of each game, in the order of their plies, with its label."""
    games: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for batch in batches:
        for game, *ply in zip(
            *(batch[name].to_pylist() for name in ("game_id", "ply", "square", "winner")), strict=True
        ):
            games[game].append(tuple(ply))
    for plies in games.values():
        yield [square for _, square, _ in sorted(plies)], plies[0][2]


def records(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[Any, ...]]:
    """Take every row apart."""
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def main() -> None:
    """Check the file that the command line names and print the counts."""
    name = sys.argv[1]
    file = pyarrow.csv.open_csv(name) if name.endswith(".csv") else pq.ParquetFile(name)
    schema = file.schema if name.endswith(".csv") else file.schema_arrow
    batches = iter(file) if name.endswith(".csv") else file.iter_batches()
    check: Callable[..., Any] = game_reasons
    rows: Iterator[tuple[Any, ...]]
    if "ply" in schema.names:
        rows = log_games(batches)
    else:
        rows = records(batches)
        if "moves" not in schema.names:
            check = cells_reasons if len(schema.names) == CELLS else board_reasons
        elif schema.field("moves").type == pa.string():
            check = text_reasons
    reasons: Counter[str] = Counter()
    read = invalid = 0
    for row in rows:
        read += 1
        if broken := check(*row):
            invalid += 1
            reasons.update(broken)
    print(json.dumps({"records": read, "invalid": invalid, "reasons": reasons}))


if __name__ == "__main__":
    main()

"""The plain loop: what one would write by hand, board by board, to count those that cannot have happened."""

from __future__ import annotations

import json
import sys
import time

import pyarrow.parquet as pq

SYMBOLS = set("XO.")
CELLS = 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def has_line(board: str, mark: str) -> bool:
    """Tell whether a player has three in a row."""
    return any(board[a] == board[b] == board[c] == mark for a, b, c in LINES)


def is_valid(board: str) -> bool:
    """Tell whether legal play, X first, can show this board."""
    if len(board) != CELLS or not SYMBOLS.issuperset(board):
        return False
    ahead = board.count("X") - board.count("O")
    if ahead not in {0, 1}:
        return False
    if has_line(board, "X") and ahead != 1:
        return False
    return not (has_line(board, "O") and ahead != 0)


def main() -> None:
    """Check the file named on the command line and print the counts, and the seconds spent in the loop."""
    started = time.perf_counter()
    rows = invalid = 0
    for batch in pq.ParquetFile(sys.argv[1]).iter_batches():
        for board in batch.column(0).to_pylist():
            rows += 1
            if not is_valid(board):
                invalid += 1
    print(json.dumps({"rows": rows, "invalid": invalid, "loop_seconds": time.perf_counter() - started}))


if __name__ == "__main__":
    main()

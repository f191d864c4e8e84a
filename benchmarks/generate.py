"""Writes data sets to measure on: the same rows every time, in memory that does not grow with their number.

The first rows of a data set do not depend on how many rows are written, except in a scattered log.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa

from benchmarks.drawing import drawn
from benchmarks.games import write_games, write_log, write_parquet, write_scattered_log, write_texts
from schemas.vocabulary import CELLS, LINES

INVALID_SHARE: Final = 0.001
BOARD_SCHEMA: Final = pa.schema([("board", pa.string())])

Writer = Callable[[Path, int, float], None]


def reachable_boards() -> list[str]:
    """Find every board that legal play can show, X first, breadth first from the empty board."""
    found = dict.fromkeys(["." * CELLS])
    level = list(found)
    while level:
        level = list(dict.fromkeys(after for board in level for after in _boards_after(board)))
        found.update(dict.fromkeys(level))
    return list(found)


def _boards_after(board: str) -> Iterator[str]:
    """Yield the boards that the next move can lead to; none after the end of the game."""
    if any(board[a] == board[b] == board[c] != "." for a, b, c in LINES):
        return
    mark = "X" if board.count("X") == board.count("O") else "O"
    for cell, symbol in enumerate(board):
        if symbol == ".":
            yield board[:cell] + mark + board[cell + 1 :]


def write_boards(path: Path, rows: int, invalid_share: float) -> None:
    """Write boards of nine characters to a Parquet file of one column, ``board``."""
    reachable = reachable_boards()
    known = set(reachable)
    unreachable = [board for cells in product("XO.", repeat=CELLS) if (board := "".join(cells)) not in known]
    boards = pl.Series("board", reachable + unreachable)
    positions = drawn(rows, len(reachable), len(unreachable), invalid_share)
    write_parquet(path, BOARD_SCHEMA, (boards.gather(group).to_frame() for group in positions))


WRITERS: Final[Mapping[str, Writer]] = {
    "boards": write_boards,
    "games": write_games,
    "games-text": write_texts,
    "log": write_log,
    "log-scattered": write_scattered_log,
}
"""Every kind of data set by its name on the command line."""


def generate(kind: str, path: Path, rows: int, invalid_share: float = INVALID_SHARE) -> None:
    """Write a data set; the file appears under its name only when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.unfinished")
    WRITERS[kind](unfinished, rows, invalid_share)
    unfinished.replace(path)


def main() -> None:
    """Write the data set that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generate", description="Write data to measure on.")
    parser.add_argument("kind", choices=WRITERS)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--invalid-share", type=float, default=INVALID_SHARE, metavar="SHARE", help="from 0 to 1")
    given = parser.parse_args()
    if given.rows < 0 or not 0 <= given.invalid_share <= 1:
        parser.error("--rows must not be negative, and --invalid-share must be from 0 to 1")
    generate(given.kind, given.out, given.rows, given.invalid_share)


if __name__ == "__main__":
    main()

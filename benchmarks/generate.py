"""Writes data sets to measure on: the same records every time, in memory that does not grow with their number."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa

from benchmarks.drawing import drawn
from benchmarks.games import write_games, write_log, write_scattered_log, write_texts
from benchmarks.tables import write_table
from schemas.vocabulary import CELLS, LINES

BOARD_SCHEMA: Final = pa.schema([("board", pa.string())])
CELLS_SCHEMA: Final = pa.schema([(f"c{cell}", pa.string()) for cell in range(CELLS)])

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


def drawn_boards(records: int, invalid_share: float) -> Iterator[pl.DataFrame]:
    """Draw boards, group by group: evenly from those that legal play can show, or from all others."""
    reachable = reachable_boards()
    known = set(reachable)
    unreachable = [board for cells in product("XO.", repeat=CELLS) if (board := "".join(cells)) not in known]
    boards = pl.Series("board", reachable + unreachable)
    for positions in drawn(records, len(reachable), len(unreachable), invalid_share):
        yield boards.gather(positions).to_frame()


def write_boards(path: Path, records: int, invalid_share: float) -> None:
    """Write boards of nine characters in one column, ``board``."""
    write_table(path, BOARD_SCHEMA, drawn_boards(records, invalid_share))


def write_cells(path: Path, records: int, invalid_share: float) -> None:
    """Write the same boards in nine columns, ``c0`` to ``c8``."""
    cells = [pl.col("board").str.slice(cell, 1).alias(f"c{cell}") for cell in range(CELLS)]
    write_table(path, CELLS_SCHEMA, (boards.select(cells) for boards in drawn_boards(records, invalid_share)))


WRITERS: Final[Mapping[str, Writer]] = {
    "boards": write_boards,
    "cells": write_cells,
    "games": write_games,
    "games-text": write_texts,
    "log": write_log,
    "log-scattered": write_scattered_log,
}
"""Every kind of data set by its name on the command line."""


def main() -> None:
    """Write the data set that the command line asks for; the file appears under its name only when it is whole."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generate", description="Write data to measure on.")
    parser.add_argument("kind", choices=WRITERS)
    parser.add_argument("--records", type=int, required=True)
    parser.add_argument("--invalid-share", type=float, required=True, metavar="SHARE", help="from 0 to 1")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=".parquet or, if flat, .csv")
    given = parser.parse_args()
    if given.records < 0 or not 0 <= given.invalid_share <= 1:
        parser.error("--records must not be negative, and --invalid-share must be from 0 to 1")
    given.out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = given.out.with_name(f"unfinished-{given.out.name}")
    WRITERS[given.kind](unfinished, given.records, given.invalid_share)
    unfinished.replace(given.out)


if __name__ == "__main__":
    main()

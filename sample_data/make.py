"""Writes the sample files beside this script: small clean and dirty data in every layout.

Run from the root of the project: ``python -m sample_data.make``. The same files come out every time.
"""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl

HERE = Path(__file__).parent
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

DIRTY_BOARDS: tuple[tuple[str | None, str | None], ...] = (
    ("O........", "ongoing"),  # O_COUNT_AHEAD
    ("XX.......", "ongoing"),  # X_COUNT_AHEAD
    ("XXXOOO...", "X"),  # BOTH_WIN, X_WIN_COUNT
    ("XXXOO.O..", "X"),  # X_WIN_COUNT
    ("OOOXX.XX.", "O"),  # O_WIN_COUNT
    ("XO.......", "X"),  # OUTCOME_UNFINISHED
    ("XOXOXOXOX", "draw"),  # OUTCOME_MISMATCH
    ("XO.......", "abandoned"),  # OUTCOME_UNKNOWN
    (None, "ongoing"),  # BOARD_MISSING
    ("XO......", "ongoing"),  # BOARD_SIZE
    ("XO?......", "ongoing"),  # CELL_UNKNOWN
)
DAMAGED_LINES = (
    b"90,XO.......",  # FIELDS_MISSING
    b"91,XO.......,ongoing,",  # FIELDS_EXTRA
    b'92,"XO.......,ongoing',  # QUOTE_BROKEN
    b'93,XO.......,"ongoing\n94,X........,ongoing"',  # LINE_BREAK_IN_FIELD
    b"95,XO.......,d\xe9but",  # NOT_UTF8
)


def main() -> None:
    """Write all sample files."""
    write_boards(HERE / "boards")


def write_boards(folder: Path) -> None:
    """Boards as text with their outcome, and the same boards in nine columns."""
    folder.mkdir(exist_ok=True)
    clean = [position for seed in range(12) for position in play(seed)]
    write_csv(folder / "clean.csv", clean)
    as_cells(clean).write_parquet(folder / "clean.parquet")
    dirty = [*clean[:20], *DIRTY_BOARDS]
    write_csv(folder / "dirty.csv", dirty, DAMAGED_LINES)
    frame(dirty).write_parquet(folder / "dirty.parquet")


def play(seed: int) -> list[tuple[str | None, str | None]]:
    """The positions of one game of random legal plies, from the first ply on, each with its outcome."""
    squares = random.Random(seed).sample(range(9), 9)
    board = "." * 9
    positions: list[tuple[str | None, str | None]] = []
    for ply, square in enumerate(squares):
        mark = "XO"[ply % 2]
        board = board[:square] + mark + board[square + 1 :]
        won = any(all(board[cell] == mark for cell in line) for line in LINES)
        outcome = mark if won else "draw" if "." not in board else "ongoing"
        positions.append((board, outcome))
        if won:
            break
    return positions


def frame(boards: list[tuple[str | None, str | None]]) -> pl.DataFrame:
    """Boards and outcomes as a table with the columns ``id``, ``board`` and ``winner``."""
    schema = {"board": pl.String, "winner": pl.String}
    return pl.DataFrame(boards, schema=schema, orient="row").with_row_index("id")


def as_cells(boards: list[tuple[str | None, str | None]]) -> pl.DataFrame:
    """The same with one column a cell, ``c0`` to ``c8``."""
    table = frame(boards)
    cells = [pl.col("board").str.slice(cell, 1).alias(f"c{cell}") for cell in range(9)]
    return table.select("id", *cells, "winner")


def write_csv(path: Path, boards: list[tuple[str | None, str | None]], damaged_lines: tuple[bytes, ...] = ()) -> None:
    """The table as CSV, and after it lines that are written as they stand."""
    path.write_bytes(frame(boards).write_csv().encode() + b"".join(line + b"\n" for line in damaged_lines))


if __name__ == "__main__":
    main()

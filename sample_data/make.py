"""Writes the sample files beside this script: small clean and dirty data in every layout.

Run from the root of the project: ``python -m sample_data.make``. The same files come out every time.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

HERE = Path(__file__).parent
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

DIRTY_BOARDS: tuple[tuple[str | None, str], ...] = (
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
DIRTY_GAMES: tuple[tuple[str | None, str, str], ...] = (
    ("0,0;1,1;0,0", "X...O....", "ongoing"),  # CELL_OCCUPIED
    ("0,0;1,0;0,1;1,1;0,2;1,2", "XXXOOO...", "X"),  # MOVE_AFTER_END
    ("0,0;3,0", "X........", "ongoing"),  # MOVE_OUT_OF_BOUNDS
    ("0,0;0,1;0,2;1,1;1,0;1,2;2,1;2,0;2,2;0,0", "", "draw"),  # CELL_OCCUPIED, MOVES_TOO_MANY
    ("0,0;1,1;2", "X...O....", "ongoing"),  # MOVES_UNREADABLE
    ("0,0;1,1", "X........", "ongoing"),  # BOARD_MISMATCH
    ("0,0;1,1", "X...O....", "O"),  # OUTCOME_UNFINISHED
    ("0,0;1,0;0,1;1,1;0,2", "XXXOO....", "O"),  # OUTCOME_MISMATCH
    ("0,0;1,1", "X...O....", "abandoned"),  # OUTCOME_UNKNOWN
    (None, "", "ongoing"),  # MOVES_MISSING, where it is null
)
DIRTY_LOG = (
    ("d1", "1", "X", "0"),  # WRONG_TURN
    ("d1", "2", "X", "4"),
    ("d2", "1", "X", "0"),  # PLY_GAP
    ("d2", "3", "X", "4"),
    ("d3", "1", "X", "0"),  # PLY_REPEATED
    ("d3", "1", "O", "4"),
    ("d4", "first", "X", "0"),  # PLY_UNREADABLE
    ("d5", "1", "?", "0"),  # PLAYER_UNKNOWN
    ("", "1", "X", "0"),  # GAME_MISSING
    ("d6", "1", "X", ""),  # MOVES_UNREADABLE
    ("d7", "1", "X", "9"),  # MOVE_OUT_OF_BOUNDS
)


@dataclass(frozen=True)
class Game:
    """One game of random legal plies: its squares, the board after each ply, and its outcome."""

    squares: list[int]
    boards: list[str]
    outcome: str


def main() -> None:
    """Write all sample files."""
    write_boards(HERE / "boards")
    write_games(HERE / "games")
    write_logs(HERE / "logs")


def write_boards(folder: Path) -> None:
    """Boards as text with their outcome, and the same boards in nine columns."""
    folder.mkdir(exist_ok=True)
    clean: list[tuple[str | None, str]] = []
    for game in map(play, range(12)):
        ongoing = [(board, "ongoing") for board in game.boards[:-1]]
        clean += [*ongoing, (game.boards[-1], game.outcome)]
    write_csv(folder / "clean.csv", board_table(clean))
    cells = [pl.col("board").str.slice(cell, 1).alias(f"c{cell}") for cell in range(9)]
    board_table(clean).select("id", *cells, "winner").write_parquet(folder / "clean.parquet")
    dirty = board_table([*clean[:20], *DIRTY_BOARDS])
    write_csv(folder / "dirty.csv", dirty, DAMAGED_LINES)
    dirty.write_parquet(folder / "dirty.parquet")


def write_games(folder: Path) -> None:
    """Games in one row each: as text with the final board and the outcome, and as lists of squares."""
    folder.mkdir(exist_ok=True)
    games = [play(seed) for seed in range(30)]
    clean = [(pairs(game.squares), game.boards[-1], game.outcome) for game in games]
    write_csv(folder / "clean.csv", game_table(clean))
    squares = {"moves": [game.squares for game in games], "winner": [game.outcome for game in games]}
    pl.DataFrame(squares).with_row_index("id").write_parquet(folder / "clean.parquet")
    dirty = game_table([*clean[:20], *DIRTY_GAMES])
    write_csv(folder / "dirty.csv", dirty)
    dirty.write_parquet(folder / "dirty.parquet")


def write_logs(folder: Path) -> None:
    """Games with one row a ply: in order, and with the rows of all games scattered over the file."""
    folder.mkdir(exist_ok=True)
    write_csv(folder / "clean.csv", log_table(log_rows("a", games=30)))
    rows = log_rows("b", games=30)
    scattered = random.Random(0).sample(rows, len(rows))
    log_table(scattered).cast({"ply": pl.UInt8, "square": pl.UInt8}).write_parquet(folder / "clean.parquet")
    write_csv(folder / "dirty.csv", log_table([*log_rows("c", games=6), *DIRTY_LOG]))


def log_rows(key: str, games: int) -> list[tuple[str, str, str, str]]:
    """One row for each ply of so many games, whose keys begin with ``key``: all inputs of a log are one table."""
    return [
        (f"{key}{seed}", str(ply), "XO"[(ply - 1) % 2], str(square))
        for seed in range(games)
        for ply, square in enumerate(play(seed).squares, start=1)
    ]


def play(seed: int) -> Game:
    """A game of random legal plies."""
    squares = random.Random(seed).sample(range(9), 9)
    board = "." * 9
    boards: list[str] = []
    for ply, square in enumerate(squares):
        mark = "XO"[ply % 2]
        board = board[:square] + mark + board[square + 1 :]
        boards.append(board)
        if any(all(board[cell] == mark for cell in line) for line in LINES):
            return Game(squares[: ply + 1], boards, mark)
    return Game(squares, boards, "draw")


def pairs(squares: list[int]) -> str:
    """Squares as rows and columns: ``0,0;1,1``."""
    return ";".join(f"{square // 3},{square % 3}" for square in squares)


def board_table(boards: Sequence[tuple[str | None, str]]) -> pl.DataFrame:
    """A table with the columns ``id``, ``board`` and ``winner``."""
    schema = {"board": pl.String, "winner": pl.String}
    return pl.DataFrame(boards, schema=schema, orient="row").with_row_index("id")


def game_table(games: Sequence[tuple[str | None, str, str]]) -> pl.DataFrame:
    """A table with the columns ``id``, ``moves``, ``board`` and ``winner``."""
    schema = {"moves": pl.String, "board": pl.String, "winner": pl.String}
    return pl.DataFrame(games, schema=schema, orient="row").with_row_index("id")


def log_table(rows: list[tuple[str, str, str, str]]) -> pl.DataFrame:
    """A table with the columns ``game``, ``ply``, ``player`` and ``square``."""
    schema = dict.fromkeys(("game", "ply", "player", "square"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def write_csv(path: Path, table: pl.DataFrame, damaged_lines: tuple[bytes, ...] = ()) -> None:
    """The table as CSV, and after it lines that are written as they stand."""
    text = table.with_columns(pl.col(pl.String).fill_null("")).write_csv(quote_style="necessary")
    path.write_bytes(text.replace('""', "").encode() + b"".join(line + b"\n" for line in damaged_lines))


if __name__ == "__main__":
    main()

"""The same boards, games and logs, what is to be said of each, and how they are written in files of every kind."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple

import polars as pl

import oracle

Reasons = dict[int, list[str]]
Column = tuple[str, Sequence[Any]]
Table = list[Column]

_SPELLINGS: Final = {
    "X": ("X", "x", "A", "positive"),
    "O": ("O", "o", "B", "negative"),
    "draw": ("draw", "tie", "D", "Tie", "negative"),
    "unfinished": ("pending", "unfinished", "ongoing", "Continue"),
}


# The records


class Board(NamedTuple):
    """Nine cells of ``X``, ``O``, ``.`` or ``#``, which no alphabet has, and the label beside them."""

    cells: str
    label: str


class Game(NamedTuple):
    """The squares of a game's plies, None for one that cannot be read, and the label beside them."""

    squares: list[int | None]
    label: str


def _label(random: Random, outcome: str) -> str:
    """Mostly the right one, sometimes none, another or an unknown one."""
    kind = random.random()
    if kind < 0.04:
        return "who knows"
    said = outcome if kind < 0.7 else random.choice([*_SPELLINGS, ""])
    return random.choice(_SPELLINGS[said]) if said else ""


def _some_boards() -> list[Board]:
    random = Random(3)
    kinds: dict[tuple[str, ...], list[str]] = {}
    for _ in range(3_000):
        board = "".join(random.choices("XO.", k=9))
        kinds.setdefault(tuple(oracle.board_reasons(board)), []).append(board)
    boards = [board for codes, same in kinds.items() for board in same[: 4 if codes else 80]]
    boards += ["XO......#", "#########", ".........", *3 * ["XOXXOOOXX", "XXXOO....", "OOOXX.X..", "XOXOXO..."]]
    random.shuffle(boards)
    return [Board(board, _label(random, oracle.board_outcome(board))) for board in boards]


def _some_games() -> list[Game]:
    random = Random(4)
    games: list[list[int | None]] = [[0, 3, 1, 4, 2, 5], [], [0], [0, 4, 4], [0, 1, 9], [0, None, 1]]
    for number in range(100):
        squares: list[int] = random.sample(range(9), 9)
        if number % 25 == 9:
            squares[random.randrange(9)] = random.choice([0, 4, 8, 9, -3])
        played = oracle.replay(squares, None, "X").positions
        ends = [ply for ply, board in enumerate(played, start=1) if oracle.board_outcome(board) != "unfinished"]
        length = min([*ends, 9]) if number % 5 else random.randint(1, 9)
        games.append(list(squares[:length]))
    return [Game(squares, _label(random, oracle.judge_game(squares).outcome or "draw")) for squares in games]


BOARDS: Final = _some_boards()
GAMES: Final = _some_games()
LONG_GAME: Final = Game([0, 1, 2, 4, 3, 5, 7, 6, 8, 0], "")


def board_reasons(boards: Iterable[Board], *, labelled: bool = True) -> Reasons:
    """The reasons of every board that has any, by its row."""
    verdicts = [oracle.text_board_reasons(cells, label=label if labelled else None) for cells, label in boards]
    return {row: codes for row, codes in enumerate(verdicts) if codes}


def game_reasons(games: Iterable[Game], *, labelled: bool = True) -> Reasons:
    """The reasons of every game that has any, by its row."""
    verdicts = [oracle.judge_game(squares, label=label if labelled else None).codes for squares, label in games]
    return {row: codes for row, codes in enumerate(verdicts) if codes}


def log_rows(*, with_players: bool = True) -> list[oracle.Row]:
    """A log of the games: rows of all games mixed, with faults of plies, players and games of its own."""
    faults: dict[tuple[str, int], oracle.Row] = {
        ("g20", 1): {"player": "O"},
        ("g21", 2): {"player": "me"},
        ("g22", 3): {"player": None},
        ("g30", 1): {"ply": None},
        ("g31", 2): {"ply": 1},
        ("g32", 2): {"ply": 30},
        ("g40", 5): {"game": None},
    }
    rows: list[oracle.Row] = []
    for number, (squares, label) in enumerate([*GAMES, LONG_GAME]):
        for ply, square in enumerate(squares, start=1):
            row: oracle.Row = {
                "game": f"g{number}",
                "ply": ply,
                "square": square,
                "player": "OX"[ply % 2],
                "label": label,
            }
            rows.append({**row, **faults.get((f"g{number}", ply), {})})
    Random(5).shuffle(rows)
    for number, row in enumerate(rows):
        row["row"] = number
        if not with_players:
            del row["player"]
    return rows


def log_reasons(rows: Sequence[oracle.Row]) -> Reasons:
    """The reasons of every record of a log that has any, by the row that is reported."""
    return {record.row: record.codes for record in oracle.judge_log(rows) if record.codes}


# How boards are written


def alphabet(empty: str = ".", marks: str = "XO") -> Callable[[Iterable[Board]], list[list[str]]]:
    """Boards in symbols: ``marks`` are written in turn, so that ``XOxo`` is letters of both cases."""

    def symbols(boards: Iterable[Board]) -> list[list[str]]:
        written = []
        for row, board in enumerate(boards):
            pair = 2 * row % len(marks)
            meaning = {"X": marks[pair], "O": marks[pair + 1], ".": empty}
            written.append([meaning.get(cell, cell) for cell in board.cells])
        return written

    return symbols


def _rows(cells: Sequence[str]) -> list[list[str]]:
    return [list(cells[start : start + 3]) for start in (0, 3, 6)]


def _row_texts(cells: Sequence[str]) -> list[str]:
    return ["".join(row) for row in _rows(cells)]


def in_columns(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """One column for each name, in the order of the values of each row."""
    return list(zip(names, map(list, zip(*rows, strict=True)), strict=True))


ONE_COLUMN: Final[Mapping[str, Callable[[Sequence[str]], Any]]] = {
    "text": "".join,
    "text with slashes": lambda cells: "/".join(_row_texts(cells)),
    "text with line breaks": lambda cells: "\n".join(_row_texts(cells)),
    "JSON of nine": lambda cells: json.dumps(list(cells)),
    "JSON of rows": lambda cells: json.dumps(_row_texts(cells)),
    "JSON of three by three": lambda cells: json.dumps(_rows(cells)),
    "Python list of nine": lambda cells: repr(list(cells)),
    "Python tuple of nine": lambda cells: repr(tuple(cells)),
    "Python list of rows": lambda cells: repr(_row_texts(cells)),
    "Python list of three by three": lambda cells: repr(_rows(cells)),
    "list of nine": list,
    "list of rows": _row_texts,
    "list of three by three": _rows,
}
"""Boards in one column; the last three only where values may be lists."""

NATIVE: Final = frozenset({"list of nine", "list of rows", "list of three by three"})
JOINED: Final = frozenset(how for how in ONE_COLUMN if how.startswith("text") or how.endswith("of rows"))
"""Ways of writing in which every symbol must be one character."""


# How games are written


def _pair(square: int | None) -> list[int] | None:
    return None if square is None else [*divmod(square, 3)]


def _pairs_text(squares: Iterable[int | None]) -> str:
    return ";".join("?" if square is None else "{},{}".format(*divmod(square, 3)) for square in squares)


MOVES: Final[Mapping[str, Callable[[Sequence[int | None]], Any]]] = {
    "pairs between semicolons": _pairs_text,
    "JSON of pairs": lambda squares: json.dumps([_pair(square) for square in squares]),
    "JSON of pairs without blanks": lambda squares: json.dumps([*map(_pair, squares)], separators=(",", ":")),
    "Python list of tuples": lambda squares: repr([None if at is None else tuple(at) for at in map(_pair, squares)]),
    "JSON of squares": lambda squares: json.dumps(list(squares)),
    "Python list of squares": lambda squares: repr(list(squares)),
    "list of squares": list,
    "list of pairs": lambda squares: [_pair(square) for square in squares],
}
"""Games in one column; the last two only where values may be lists."""

NATIVE_MOVES: Final = frozenset({"list of squares", "list of pairs"})


def in_plies(squares: Sequence[int | None]) -> list[int | None]:
    """One value for each of nine plies, none after the end."""
    return [*squares, *[None] * (9 - len(squares))]


# Files


@dataclass(frozen=True)
class Dressing:
    """What a text file may look like around the same fields."""

    delimiter: str = ","
    line_end: str = "\n"
    header: bool = True
    quoted: bool = False
    mark: bytes = b""
    blank_lines: bool = False
    blank_after: bool = False

    def text(self, table: Table) -> str:
        """The table as text; None is empty."""
        names, columns = zip(*table, strict=True)
        rows = [*([names] if self.header else []), *zip(*columns, strict=True)]
        if self.blank_after:
            rows = [(row[0], *(f" {'' if value is None else value}" for value in row[1:])) for row in rows]
        text = io.StringIO()
        quoting: Literal[0, 1] = csv.QUOTE_ALL if self.quoted else csv.QUOTE_MINIMAL
        writer = csv.writer(text, delimiter=self.delimiter, lineterminator=self.line_end, quoting=quoting)
        for number, row in enumerate(rows):
            writer.writerow(row)
            if self.blank_lines and number % 20 == 0:
                text.write(self.line_end)
        return (self.line_end if self.blank_lines else "") + text.getvalue()


PLAIN: Final = Dressing()


def csv_file(folder: Path, table: Table, dressing: Dressing = PLAIN) -> Path:
    """The table as a text file."""
    path = folder / "data.csv"
    path.write_bytes(dressing.mark + dressing.text(table).encode())
    return path


def parquet_file(folder: Path, table: Table) -> Path:
    """The table as Parquet, its types those of the values."""
    path = folder / "data.parquet"
    pl.DataFrame({name: pl.Series(values) for name, values in table}).write_parquet(path)
    return path


FILES: Final[Mapping[str, Callable[[Path, Table], Path]]] = {"csv": csv_file, "parquet": parquet_file}

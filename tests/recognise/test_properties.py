"""One change to how a file is written: the same verdicts, or none at all; never others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import written
from conftest import Judge
from pipeline.errors import InputError
from written import MOVES, ONE_COLUMN, Dressing, Reasons, Table

BOARDS: Final = written.BOARDS[:50]
GAMES: Final = written.GAMES[:50]
ROWS: Final = written.log_rows()
BOARD_LABELS: Final = ("winner", [board.label for board in BOARDS])
GAME_LABELS: Final = ("winner", [game.label for game in GAMES])
BOARD_REASONS: Final = written.board_reasons(BOARDS)
GAME_REASONS: Final = written.game_reasons(GAMES)
SYMBOLS: Final = written.alphabet()(BOARDS)


@dataclass(frozen=True)
class File:
    """A table, how it is written, and what is to be said of it."""

    table: Table
    expected: Reasons
    dressing: Dressing = written.PLAIN


def of_boards(*names: str) -> File:
    return File([*written.in_columns(names, SYMBOLS), BOARD_LABELS], BOARD_REASONS)


def of_board_texts(how: str) -> File:
    return File([("board", [ONE_COLUMN[how](cells) for cells in SYMBOLS]), BOARD_LABELS], BOARD_REASONS)


def of_games(how: str) -> File:
    return File([("moves", [MOVES[how](game.squares) for game in GAMES]), GAME_LABELS], GAME_REASONS)


def of_plies() -> File:
    plies = [written.in_plies(game.squares) for game in GAMES]
    return File([*written.in_columns([f"m{ply}" for ply in range(1, 10)], plies), GAME_LABELS], GAME_REASONS)


def of_log(*, with_pairs: bool) -> File:
    squares = [row["square"] for row in ROWS]
    pairs = [divmod(square, 3) if isinstance(square, int) else ("", "") for square in squares]
    at: Table = written.in_columns(("row", "col"), pairs) if with_pairs else [("square", squares)]
    game, ply, player = ([row.get(key) for row in ROWS] for key in ("game", "ply", "player"))
    return File([("game_id", game), ("ply", ply), ("player", player), *at], written.log_reasons(unlabelled(ROWS)))


def unlabelled(rows: Sequence[Any]) -> list[Any]:
    return [{key: value for key, value in row.items() if key != "label"} for row in rows]


FILES: Final = {
    "cells in a row": of_boards(*(f"c{number}" for number in range(9))),
    "cells by number": of_boards(*map(str, range(1, 10))),
    "cells by letter": of_boards(*"abcdefghi"),
    "cells by place": of_boards(*(row + column for row in "tmb" for column in "lmr")),
    "text": of_board_texts("text"),
    "text on three lines": of_board_texts("text with line breaks"),
    "JSON": of_board_texts("JSON of three by three"),
    "pairs": of_games("pairs between semicolons"),
    "list of pairs": of_games("Python list of tuples"),
    "plies": of_plies(),
    "log of squares": of_log(with_pairs=False),
    "log of rows and columns": of_log(with_pairs=True),
}

EXTRA_NAMES: Final = [
    *("id", "", "Unnamed: 0", "index", "timestamp", "name", "note", "size", "x", "o", "n", "k"),
    *("to_move", "turn", "current_player", "next", "score", "value", "seed", "10", "0", "column_1", "best_move"),
]
EXTRA_VALUES: Final[dict[str, Callable[[int], Any]]] = {
    "numbers": lambda row: row,
    "the same number": lambda _: 3,
    "small numbers": lambda row: row % 9,
    "zeros and ones": lambda row: row % 2,
    "fractions": lambda row: row / 8 - 3,
    "days": lambda row: f"2026-03-{row % 28 + 1:02}",
    "times": lambda row: f"2026-03-01T10:{row % 60:02}:00Z",
    "names": lambda row: ("ada", "bob", "eve")[row % 3],
    "one word": lambda _: "train",
    "who is to move": lambda row: "XO"[row % 2],
    "nothing": lambda _: "",
    "digits": lambda row: f"{row:016x}",
}

Draw = Callable[[st.SearchStrategy[Any]], Any]


def shuffled(draw: Draw, file: File) -> File:
    return replace(file, table=draw(st.permutations(file.table)))


def without_header(_: Draw, file: File) -> File:
    return replace(file, dressing=Dressing(header=False))


def with_extra_column(draw: Draw, file: File) -> File:
    place = draw(st.integers(0, len(file.table)))
    taken = {name for name, _ in file.table}
    name = draw(st.sampled_from([name for name in EXTRA_NAMES if name not in taken]))
    value = EXTRA_VALUES[draw(st.sampled_from(sorted(EXTRA_VALUES)))]
    values = [value(row) for row in range(len(file.table[0][1]))]
    return replace(file, table=[*file.table[:place], (name, values), *file.table[place:]])


def with_extra_column_but_no_header(draw: Draw, file: File) -> File:
    return without_header(draw, with_extra_column(draw, file))


def dressed(draw: Draw, file: File) -> File:
    dressing = Dressing(
        delimiter=draw(st.sampled_from(",;\t|")),
        line_end=draw(st.sampled_from(["\n", "\r\n"])),
        quoted=draw(st.booleans()),
        mark=draw(st.sampled_from([b"", b"\xef\xbb\xbf"])),
        blank_lines=draw(st.booleans()),
    )
    return replace(file, dressing=dressing)


@pytest.mark.parametrize(
    ("change", "examples", "least"),
    [
        (shuffled, 40, 1.0),
        (dressed, 40, 1.0),
        (with_extra_column, 150, 0.95),
        (without_header, 40, 0.7),
        (with_extra_column_but_no_header, 60, 0.4),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_change_never_leads_to_other_verdicts(
    change: Callable[[Draw, File], File], examples: int, least: float, tmp_path: Path, judge_file: Judge
) -> None:
    counts = Counter[str]()

    @settings(max_examples=examples)
    @given(start=st.sampled_from(sorted(FILES)), data=st.data())
    def holds(start: str, data: st.DataObject) -> None:
        changed = change(data.draw, FILES[start])
        path = written.csv_file(tmp_path, changed.table, changed.dressing)
        try:
            found = judge_file(path)
        except InputError:
            counts["refused"] += 1
        else:
            counts["recognised"] += 1
            assert found.reasons == changed.expected

    holds()
    # Were all refused, nothing would be tested.
    assert counts["recognised"] >= least * counts.total()

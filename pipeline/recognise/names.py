"""What the name of a column says: that it is the board, the label, or a part of a log."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_CASE_CHANGE: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

ROW_WORDS: Final = frozenset({"r", "row"})
COLUMN_WORDS: Final = frozenset({"c", "col"})
_STYLES: Final = {
    **dict.fromkeys(("row", "col", "column"), "words"),
    **{letter: style for style in ("rc", "yx", "ij") for letter in style},
}
"""Which words for a row and a column belong together."""
_NUMBER_WORDS: Final = frozenset({"id", "no", "nr", "num", "number", "index", "idx", "order", "n"})
_GAME_WORDS: Final = frozenset({"game", "match", "episode", "session"})
_PLY_WORDS: Final = frozenset({"ply", "move", "step", "turn"})
_SQUARE_WORDS: Final = frozenset({"square", "move", "position", "pos", "cell", "action", "location", "field"})
_PLACE_WORDS: Final = _SQUARE_WORDS - {"move", "action"}
_PLAYER_WORDS: Final = frozenset({"player", "mark", "symbol", "side", "piece", "mover"})
_LABEL_WORDS: Final = frozenset({"winner", "win", "won", "outcome", "result", "class", "label", "target"})
_MOVES_WORDS: Final = frozenset({"moves", "plies", "history", "sequence", "actions"})
_NOT_PLAYED: Final = frozenset(
    {"legal", "valid", "available", "possible", "best", "optimal", "next", "good", "winning", "free", "empty", "open"}
)
PLY_PREFIXES: Final = frozenset({("m",), *((word,) for word in _PLY_WORDS)})
"""What stands before the number of a ply in names that mean plies by themselves."""


def words(name: str) -> tuple[str, ...]:
    """A name in its words and numbers, in lower case: ``GameID`` and ``game_id`` are ``game``, ``id``."""
    return tuple(word.lower() for word in _WORD.findall(_CASE_CHANGE.sub(" ", name)))


def is_board(name: str) -> bool:
    """Whether a column of this name is the board."""
    return words(name) == ("board",)


def speaks_of_board(name: str) -> bool:
    """Whether a name has the word board in it."""
    return "board" in words(name)


def is_moves(name: str) -> bool:
    """Whether a column of this name holds whole games."""
    return bool(_MOVES_WORDS & {*words(name)}) and not is_not_played(name)


def is_not_played(name: str) -> bool:
    """Whether a name speaks of moves that were not made, such as legal ones."""
    return bool(_NOT_PLAYED & {*words(name)})


def is_game(name: str) -> bool:
    """Whether a column of this name tells the games of a log apart."""
    return _is_number_of(name, _GAME_WORDS) or words(name) in {("gameid",), ("matchid",)}


def is_ply(name: str) -> bool:
    """Whether a column of this name numbers the plies of a log; ``move`` may, but may be the square as well."""
    return _is_number_of(name, _PLY_WORDS) or words(name) in {("moveid",), ("moveno",)}


def is_square(name: str) -> bool:
    """Whether a column of this name holds the squares of a log."""
    said = {*words(name)}
    # A number of moves is a ply, and one of cells a square.
    return bool(said) and said <= _SQUARE_WORDS | (_NUMBER_WORDS if said & _PLACE_WORDS else frozenset())


def is_player(name: str) -> bool:
    """Whether a column of this name holds who made the ply."""
    return (words(name) or ("",))[-1] in _PLAYER_WORDS and {*words(name)} <= _PLAYER_WORDS | {"current", "move", "turn"}


def is_label(name: str) -> bool:
    """Whether a column of this name may be the outcome that the file claims."""
    return bool(_LABEL_WORDS & {*words(name)})


def row_and_column(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of columns that hold the row and the column of a move: by those words, ``y``, ``x``, or ``i``, ``j``."""
    rows, columns = {}, {}
    for name in names:
        *before, last = words(name) or ("",)
        if last in ROW_WORDS | {"y", "i"}:
            rows[(*before, _STYLES[last])] = name
        elif last in COLUMN_WORDS | {"column", "x", "j"}:
            columns[(*before, _STYLES[last])] = name
    return [(row, columns[key]) for key, row in rows.items() if key in columns]


def _is_number_of(name: str, nouns: frozenset[str]) -> bool:
    noun, *rest = words(name) or ("",)
    return noun in nouns and {*rest} <= _NUMBER_WORDS

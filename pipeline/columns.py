"""Chooses by name which columns of a file hold what: by the user's options, else by plain names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Final

import polars as pl

from pipeline.config import NONE, LayoutOptions
from pipeline.encode.moves import Squares
from pipeline.errors import InputError, UsageError
from pipeline.layout import NUMBERED_CELLS, Layout, LogColumns
from schemas.vocabulary import CELLS

_ROWS: Final = ("top", "middle", "bottom")
_COLUMNS: Final = ("left", "middle", "right")
_PLACES: Final = tuple(f"{row}-{column}" for row in _ROWS for column in _COLUMNS)
BOARD_NAMES: Final = (
    ("board",),
    tuple(f"c{cell}" for cell in range(CELLS)),
    _PLACES,
    tuple(f"{place}-square" for place in _PLACES),  # the UCI Tic-Tac-Toe Endgame data set
    NUMBERED_CELLS,
)
MOVES_NAMES: Final = ("moves",)
GAME_NAMES: Final = ("game", "game_id")
PLY_NAMES: Final = ("ply", "move_id")
AT_NAMES: Final = (("row", "col"), ("row", "column"), ("square",), ("move",))
PLAYER_NAMES: Final = ("player",)


class ColumnNotFoundError(UsageError):
    """A named column is not among those of a file: wrong usage if no input has it."""


def choose_columns(schema: pl.Schema, options: LayoutOptions) -> Layout:
    """The layout as far as names tell it; an option fixes its own part, and the rest is chosen as without it.

    Raises:
        ColumnNotFoundError: a column that the options name is not in the schema.
        InputError: no column, or more than one choice of columns, can hold boards or moves.
    """
    for column in options.named:
        if column not in schema:
            raise ColumnNotFoundError(f"there is no column {column!r}{_nearest(column, schema)}")
    # What an option has named for one thing is not chosen for another.
    free = [name for name in schema if name not in options.named]
    moves = _moves(free, options)
    log = _log(free, options)
    if moves and log is not None:
        raise InputError(
            f"column {moves[0]!r} could hold whole games and {log.at[0]!r} the plies of a log; "
            f"choose with --moves or --at, or say --moves {NONE} or --game {NONE}"
        )
    return Layout(
        board=_board(free, options, beside_moves=bool(moves or log)),
        moves=moves,
        log=log,
        squares=Squares(options.base, options.order),
        outcome=None if options.outcome == NONE else options.outcome,
        outcomes=options.outcomes,
        first=options.first,
    )


def _moves(free: Sequence[str], options: LayoutOptions) -> tuple[str, ...]:
    if options.moves or options.is_log:
        return () if options.moves == (NONE,) else options.moves
    return _first_of(free, [(name,) for name in MOVES_NAMES])


def _log(free: Sequence[str], options: LayoutOptions) -> LogColumns | None:
    """The columns of a log: named ones, or those with plain names if there is a game, a ply and a move."""
    if options.game == NONE:
        return None
    game = options.game or _name(free, GAME_NAMES)
    ply = options.ply or _name(free, PLY_NAMES)
    at = options.at or _first_of(free, AT_NAMES)
    player = options.player or _name(free, PLAYER_NAMES)
    if options.is_log:
        if game is None or not at:
            missing = "--game" if game is None else "--at"
            raise InputError(f"a log needs a column of games and one of moves: name it with {missing}")
        return LogColumns(game, ply, at, player)
    if options.moves not in ((), (NONE,)) or game is None or ply is None or not at:
        return None
    return LogColumns(game, ply, at, player)


def _board(free: Sequence[str], options: LayoutOptions, *, beside_moves: bool) -> tuple[str, ...]:
    if options.board == (NONE,) and beside_moves:
        return ()
    if options.board and options.board != (NONE,):
        return options.board
    if beside_moves:
        # A column named board is then the position after the plies, which nine columns seldom are.
        return _first_of(free, BOARD_NAMES[:1])
    found = [names for names in BOARD_NAMES if all(name in free for name in names)]
    if len(found) > 1:
        one, other = (" to ".join(repr(name) for name in (names[0], names[-1])[: len(names)]) for names in found[:2])
        raise InputError(f"both {one} and {other} could hold the boards; choose with --board")
    if not found:
        raise InputError(
            f"no board or moves among its columns ({listed(free)}): name them with --board (one column, three "
            "of rows or nine of cells), --moves, or --game and --at; text without a header wants --no-header"
        )
    return found[0]


def _first_of(free: Sequence[str], choices: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return next((tuple(names) for names in choices if all(name in free for name in names)), ())


def _name(free: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in free), None)


def _nearest(column: str, schema: pl.Schema) -> str:
    nearest = difflib.get_close_matches(column, schema.names(), n=1, cutoff=0.5)
    return f"; the nearest is {nearest[0]!r}" if nearest else f" among {listed(schema)}"


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in quotes, the first few of them."""
    shown = [repr(name) for name in names]
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")

"""Pandera schemas of recorded moves: games as lists of squares and as text, ply columns, and logs.

As in ``schemas.boards`` every check is named by its reason code and holds for collected frames only. A square
is a whole number from 0 to 8, row by row from the top left; files that count from 1 or name rows and columns
are to be turned into squares first.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandera.polars as pa
import polars as pl

from schemas.checks import check, one_column
from schemas.vocabulary import CELLS, MARKS

LAST_SQUARE = CELLS - 1


def square_list(column: str = "moves") -> pa.DataFrameSchema:
    """Games in one ``List(Int64)`` column: the squares in the order of play; an empty list is a game of no plies.

    Checks: ``MOVES_MISSING`` (null), ``MOVES_UNREADABLE`` (a null within), ``MOVE_OUT_OF_BOUNDS``,
    ``MOVES_TOO_MANY`` (more than nine plies). The last two are for readable games, and may hold together.
    """

    def readable(moves: pl.Expr) -> pl.Expr:
        return moves.list.eval(pl.element().is_not_null()).list.all().fill_null(value=True)

    def in_bounds(moves: pl.Expr) -> pl.Expr:
        return moves.list.eval(pl.element().is_between(0, LAST_SQUARE)).list.all().fill_null(value=True)

    return one_column(
        column,
        pl.List(pl.Int64),
        MOVES_MISSING=lambda moves: moves.is_not_null(),
        MOVES_UNREADABLE=readable,
        MOVE_OUT_OF_BOUNDS=lambda moves: ~readable(moves) | in_bounds(moves),
        MOVES_TOO_MANY=lambda moves: ~readable(moves) | (moves.list.len() <= CELLS).fill_null(value=True),
    )


def moves_text(column: str = "moves") -> pa.DataFrameSchema:
    """Games in one ``String`` column: ``row,column;row,column``, each from 0; empty text is a game of no plies.

    Checks: ``MOVES_MISSING`` (null), ``MOVES_UNREADABLE`` (another notation), ``MOVE_OUT_OF_BOUNDS``,
    ``MOVES_TOO_MANY``.
    """
    number = r"[ \t]*-?[0-9]+(?:\.0)?[ \t]*"
    inside = r"[ \t]*(?:-0+|0*[0-2])(?:\.0)?[ \t]*"

    def in_notation(moves: pl.Expr) -> pl.Expr:
        return moves.str.contains(rf"^(?:{number},{number}(?:;{number},{number})*)?$").fill_null(value=True)

    return one_column(
        column,
        pl.String,
        MOVES_MISSING=lambda moves: moves.is_not_null(),
        MOVES_UNREADABLE=in_notation,
        MOVE_OUT_OF_BOUNDS=lambda moves: (
            ~in_notation(moves)
            | moves.str.contains(rf"^(?:{inside},{inside}(?:;{inside},{inside})*)?$").fill_null(value=True)
        ),
        MOVES_TOO_MANY=lambda moves: ~in_notation(moves) | (moves.str.count_matches(";") < CELLS).fill_null(value=True),
    )


def ply_columns(columns: Sequence[str]) -> pa.DataFrameSchema:
    """Games in up to nine ``Int64`` columns of squares, one a ply; null after the end of the game.

    Check: ``MOVE_OUT_OF_BOUNDS``, on each column.

    Raises:
        ValueError: more than nine columns, or one twice.
    """
    if not 0 < len(columns) <= CELLS or len(set(columns)) != len(columns):
        raise ValueError(f"a game has up to {CELLS} different ply columns, not {list(columns)}")
    inside = check("MOVE_OUT_OF_BOUNDS", lambda square: square.is_between(0, LAST_SQUARE).fill_null(value=True))
    return pa.DataFrameSchema({name: pa.Column(pl.Int64, inside, nullable=True) for name in columns})


def log(game: str = "game", ply: str = "ply", square: str = "square", player: str | None = None) -> pa.DataFrameSchema:
    """A log, one row a ply: its game (``String``), the number of the ply and the square (``Int64``), the player.

    Checks: ``GAME_MISSING`` (null or empty text), ``PLY_UNREADABLE`` (null), ``MOVES_UNREADABLE`` (null),
    ``MOVE_OUT_OF_BOUNDS``, ``PLAYER_UNKNOWN`` (neither ``X`` nor ``O``). What concerns several rows of a game,
    such as a ply that is there twice, is not for a check of columns.
    """
    columns = {
        game: pa.Column(
            pl.String, check("GAME_MISSING", lambda name: (name != "").fill_null(value=False)), nullable=True
        ),
        ply: pa.Column(pl.Int64, check("PLY_UNREADABLE", lambda number: number.is_not_null()), nullable=True),
        square: pa.Column(
            pl.Int64,
            [
                check("MOVES_UNREADABLE", lambda number: number.is_not_null()),
                check("MOVE_OUT_OF_BOUNDS", lambda number: number.is_between(0, LAST_SQUARE).fill_null(value=True)),
            ],
            nullable=True,
        ),
    }
    if player is not None:
        known = check("PLAYER_UNKNOWN", lambda name: name.is_in(MARKS).fill_null(value=False))
        columns[player] = pa.Column(pl.String, known, nullable=True)
    return pa.DataFrameSchema(columns)

"""Replays games ply by ply, all games at once, and says which rules each breaks.

Every fault is found, not only the first. Each ply places the mark whose turn it is, the turn passes on every
ply, and a ply out of bounds or on a taken cell places nothing. Plies after the end and beyond the ninth are
replayed like any other.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.rules.lines import has_line
from pipeline.rules.outcomes import OUTCOME_BIT
from pipeline.rules.positions import position
from pipeline.rules.tails import with_tails
from schemas.reasons import BIT
from schemas.vocabulary import CELLS, FirstPlayer

REPLAY: Final = pl.Schema({"reasons": pl.UInt32, "ply": pl.UInt8, "outcome": pl.UInt8})
"""Columns of a replay: reason bits, the first ply at fault (null where none is), the outcome bit."""

POSITIONS: Final = tuple(f"position{ply}" for ply in range(1, CELLS + 1))
"""Columns of the positions after each ply."""

PLAYER_X: Final = 1
PLAYER_O: Final = 2
PLAYER_UNKNOWN: Final = 0

_FIRST_LINE: Final = 5
"""The first ply that can complete a line."""


def replay(games: pl.DataFrame, first: FirstPlayer, *, positions: bool = False) -> pl.DataFrame:
    """Replay the games in the column ``plies`` (lists of masks without nulls), row for row.

    ``players`` beside it, where there is one, holds the recorded player of each ply (``PLAYER_X``,
    ``PLAYER_O``, ``PLAYER_UNKNOWN``). The result has the columns of ``REPLAY`` and, where ``positions`` are
    asked for, those of ``POSITIONS``: the position after each of the first nine plies, null beyond the last.
    """
    states = _before_the_first_ply(games, first)
    for ply in range(1, CELLS + 1):
        states = _after_ply(states, ply, positions=positions)
    played = states.with_row_index("game").collect(engine="in-memory")
    played = with_tails(played, games, _is_wrong(pl.col("player"), pl.col("ply") % 2 == 1))
    return played.select(*_verdict(), *(POSITIONS if positions else ()))


def _before_the_first_ply(games: pl.DataFrame, first: FirstPlayer) -> pl.LazyFrame:
    """``mine`` are the marks of the player who moves first, ``others`` those of the other one."""
    plies = [pl.col("plies").list.get(ply, null_on_oob=True).alias(f"ply{ply + 1}") for ply in range(CELLS)]
    player = pl.col("players").list if "players" in games.columns else None
    players = [
        (pl.lit(PLAYER_UNKNOWN) if player is None else player.get(ply, null_on_oob=True)).alias(f"player{ply + 1}")
        for ply in range(CELLS)
    ]
    o_first = (pl.col("player1") == PLAYER_O).fill_null(value=False) if first == "any" else pl.lit(first == "O")
    return (
        games.lazy()
        .select(*plies, *players, length=pl.col("plies").list.len())
        .with_columns(
            o_first=o_first,
            mine=pl.lit(0, pl.UInt16),
            others=pl.lit(0, pl.UInt16),
            won=pl.lit(None, pl.UInt32),
            reasons=pl.lit(0, pl.UInt32),
            fault=pl.lit(None, pl.UInt32),
        )
    )


def _after_ply(states: pl.LazyFrame, ply: int, *, positions: bool) -> pl.LazyFrame:
    mask, player = pl.col(f"ply{ply}"), pl.col(f"player{ply}")
    is_first = ply % 2 == 1
    mover = "mine" if is_first else "others"
    taken = ((pl.col("mine") | pl.col("others")) & mask) != 0
    faults = {
        "MOVE_OUT_OF_BOUNDS": mask == 0,
        "CELL_OCCUPIED": taken,
        "MOVE_AFTER_END": pl.col("won").is_not_null() & mask.is_not_null(),
        "WRONG_TURN": _is_wrong(player, pl.lit(is_first)) & mask.is_not_null(),
    }
    found = pl.sum_horizontal(
        holds.fill_null(value=False).cast(pl.UInt32) * BIT[code] for code, holds in faults.items()
    )
    states = states.with_columns(
        (pl.when(taken).then(0).otherwise(mask).fill_null(0) | pl.col(mover)).alias(mover),
        found=found,
    ).with_columns(
        reasons=pl.col("reasons") | pl.col("found"),
        fault=pl.coalesce("fault", pl.when(pl.col("found") != 0).then(pl.lit(ply, pl.UInt32))),
    )
    if ply >= _FIRST_LINE:
        completed = mask.is_not_null() & has_line(pl.col(mover))
        states = states.with_columns(won=pl.coalesce("won", pl.when(completed).then(pl.lit(ply, pl.UInt32))))
    if positions:
        x = pl.when("o_first").then("others").otherwise("mine")
        o = pl.when("o_first").then("mine").otherwise("others")
        states = states.with_columns(pl.when(mask.is_not_null()).then(position(x, o)).alias(POSITIONS[ply - 1]))
    return states


def _is_wrong(player: pl.Expr, is_first: pl.Expr) -> pl.Expr:
    """Whether a known player moved although it was the other's turn; ``is_first``: that of who moved first."""
    to_move = pl.when(is_first == pl.col("o_first")).then(PLAYER_O).otherwise(PLAYER_X)
    return (player != PLAYER_UNKNOWN) & (player != to_move)


def _verdict() -> list[pl.Expr]:
    x_won = (pl.col("won") % 2 == 1) != pl.col("o_first")
    outcome = (
        pl.when(x_won)
        .then(OUTCOME_BIT["X"])
        .when(pl.col("won").is_not_null())
        .then(OUTCOME_BIT["O"])
        .when(pl.col("length") == CELLS)
        .then(OUTCOME_BIT["draw"])
        .otherwise(OUTCOME_BIT["unfinished"])
    )
    columns = {"reasons": pl.col("reasons"), "ply": pl.col("fault"), "outcome": outcome}
    return [column.cast(REPLAY[name]).alias(name) for name, column in columns.items()]

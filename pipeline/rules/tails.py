"""What follows the ninth ply of games that are too long, however long they are.

After nine plies only a few things are left to learn: which faults occur at all (the first one is the tenth ply
at the latest, for there is no tenth), and whether a line is completed that later plies ignore. Only a ply on a
cell that no earlier ply named places a mark, and there are at most nine of these.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.rules.lines import has_line
from schemas.reasons import BIT
from schemas.vocabulary import CELLS

FIRST_TOO_MANY: Final = CELLS + 1


def with_tails(played: pl.DataFrame, games: pl.DataFrame, wrong_turn: pl.Expr) -> pl.DataFrame:
    """``played`` (the states after nine plies, one row for each of ``games``) with all later plies played too.

    ``wrong_turn`` says of a ply from ``player``, ``ply`` (its number) and ``o_first`` whether it was another
    player's turn.
    """
    is_long = played["length"] > CELLS
    if not is_long.any():
        return played
    states = played.filter(is_long)
    names = [name for name in ("plies", "players") if name in games.columns]
    later = (
        games.filter(is_long)
        .select(*(pl.col(name).list.slice(CELLS) for name in names))
        .hstack(states.select("game", "mine", "others", "o_first"))
        .explode(names)
        .rename({"plies": "mask", **({"players": "player"} if "players" in names else {})})
        .with_columns(ply=(pl.int_range(pl.len()).over("game") + FIRST_TOO_MANY).cast(pl.UInt32))
    )
    in_bounds = pl.col("mask") != 0
    places = in_bounds & (((pl.col("mine") | pl.col("others")) & pl.col("mask")) == 0)
    later = later.with_columns(places=places & pl.struct("game", "mask").is_first_distinct())
    faults = {
        "MOVE_OUT_OF_BOUNDS": ~in_bounds,
        "CELL_OCCUPIED": in_bounds & ~pl.col("places"),
        "WRONG_TURN": wrong_turn if "players" in names else pl.lit(value=False),
    }
    found = later.group_by("game").agg(holds.any().alias(code) for code, holds in faults.items())
    states = _with_placed(states, later.filter("places")).join(found, on="game", how="left", maintain_order="left")
    after_end = (pl.col("won") < pl.col("length")).fill_null(value=False)
    reasons = pl.col("reasons") | BIT["MOVES_TOO_MANY"] | after_end.cast(pl.UInt32) * BIT["MOVE_AFTER_END"]
    for code in faults:
        reasons = reasons | pl.col(code).cast(pl.UInt32) * BIT[code]
    states = states.with_columns(reasons=reasons, fault=pl.col("fault").fill_null(FIRST_TOO_MANY))
    return pl.concat([played.filter(~is_long), states.select(played.columns)]).sort("game")


def _with_placed(states: pl.DataFrame, placing: pl.DataFrame) -> pl.DataFrame:
    """The states after the plies that place a mark, which are at most nine a game."""
    lists = placing.group_by("game", maintain_order=True).agg("mask", "ply")
    states = states.join(lists, on="game", how="left", maintain_order="left")
    for place in range(CELLS):
        mask = pl.col("mask").list.get(place, null_on_oob=True).fill_null(0)
        ply = pl.col("ply").list.get(place, null_on_oob=True)
        is_first = (ply % 2 == 1).fill_null(value=False)
        states = states.with_columns(
            mine=pl.col("mine") | pl.when(is_first).then(mask).otherwise(0),
            others=pl.col("others") | pl.when(is_first).then(0).otherwise(mask),
        ).with_columns(won=pl.coalesce("won", pl.when(has_line(pl.col("mine")) | has_line(pl.col("others"))).then(ply)))
    return states

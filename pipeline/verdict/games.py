"""Judges games of one row each."""

from __future__ import annotations

import polars as pl

from pipeline import gate
from pipeline.encode.moves import PLIES, encode_moves, squares_of
from pipeline.errors import InternalError
from pipeline.layout import Layout
from pipeline.rules.games import POSITIONS, REPLAY, replay
from pipeline.rules.legal import legal_games
from pipeline.verdict.boards import recorded_positions
from schemas.moves import square_list
from schemas.vocabulary import CELLS, FirstPlayer


def judge_games(columns: pl.DataFrame, layout: Layout) -> tuple[pl.DataFrame, pl.Series | None]:
    """The columns of ``REPLAY`` for the games alone, row for row, and whether each differs from its recorded board.

    The latter is None where no board is recorded beside the moves.
    """
    plies = encode_moves(columns, layout.moves, layout.squares)
    judged = _recognised(plies, layout.first)
    doubtful = judged["outcome"].is_null()
    if doubtful.any():
        rows = doubtful.arg_true()
        replayed = _replayed(plies.filter(doubtful), layout.first, final=bool(layout.board))
        judged = judged.with_columns(judged[name].scatter(rows, replayed[name]) for name in replayed.columns)
    differs = None
    if layout.board:
        recorded = recorded_positions(columns, layout)
        differs = judged.select((pl.col("position") != recorded).fill_null(value=False)).to_series()
    return judged.select(REPLAY.names()), differs


def _recognised(plies: pl.Series, first: FirstPlayer) -> pl.DataFrame:
    """The columns of ``REPLAY`` and the final ``position`` of games of legal play; ``outcome`` is null for others."""
    masks = plies.explode(empty_as_null=False, keep_nulls=False)
    # Nobody is recorded who could have moved first but X.
    legal = legal_games(masks, plies.list.len().fill_null(0), "O" if first == "O" else "X")
    missing = plies.is_null()
    if missing.any():
        legal = legal.select(pl.when(~missing).then(pl.all()))
    return legal.with_columns(reasons=pl.lit(0, REPLAY["reasons"]), ply=pl.lit(None, REPLAY["ply"]))


def _replayed(plies: pl.Series, first: FirstPlayer, *, final: bool) -> pl.DataFrame:
    """The columns of ``REPLAY`` of any games, and their ``final`` position if it is asked for."""
    legible = (plies.is_not_null() & ~plies.list.contains(None)).fill_null(value=False)
    games = pl.DataFrame({"plies": plies}).with_columns(
        plies=pl.when(legible).then("plies").otherwise(pl.lit([], PLIES))
    )
    replayed = replay(games, first, positions=final)
    return replayed.select(
        reasons=pl.col("reasons") | _unlike_the_schema(plies, legible),
        ply=pl.when(legible).then("ply"),
        outcome=pl.when(legible).then("outcome"),
        **({"position": pl.coalesce(*reversed(POSITIONS), pl.lit(0, pl.UInt32))} if final else {}),
    )


def _unlike_the_schema(plies: pl.Series, legible: pl.Series) -> pl.Series:
    """Recognise, then diagnose: only games that are not plainly in bounds go through the schema to learn why."""
    in_bounds = legible & (plies.list.len() <= CELLS) & ~plies.list.contains(0)
    in_bounds = in_bounds.fill_null(value=False)
    found = pl.zeros(plies.len(), dtype=REPLAY["reasons"], eager=True)
    if in_bounds.all():
        return found
    moves = pl.DataFrame({"moves": squares_of(plies.filter(~in_bounds))})
    reasons = gate.reasons(moves, square_list("moves"))
    if (reasons == 0).any():
        raise InternalError("a game is not recognised, yet its schema finds no fault in it")
    return found.scatter((~in_bounds).arg_true(), reasons)

"""Recognises valid games of logs as they are read, where the rows of each game follow each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

import polars as pl

from pipeline.rules.games import PLAYER_O, PLAYER_X
from pipeline.rules.legal import legal_games
from pipeline.verdict.log import GAMES
from schemas.vocabulary import FirstPlayer

_LEAST_ROWS: Final = 2
"""Games of fewer rows on the average are not in one piece."""


class Recognised(NamedTuple):
    """What was told at once of some rows: the ``games`` that are plainly valid (columns ``GAMES``).

    ``others`` are the rows of all other games and those that are records of their own. ``keys`` has the hash of
    every game's name: two games with the same key may be one game in two pieces.
    """

    games: pl.DataFrame
    others: pl.DataFrame
    keys: pl.Series


def in_pieces(rows: pl.DataFrame, recognised: Recognised) -> bool:
    """Whether the rows of a game hardly follow each other."""
    return recognised.keys.len() * _LEAST_ROWS > rows.height or are_repeated(recognised.keys)


def are_repeated(keys: pl.Series) -> bool:
    """Whether any key is there twice."""
    ordered = keys.sort()
    return bool((ordered == ordered.shift()).any())


def whole_games(batches: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same rows (columns ``log_rows.ROWS``), so cut that what follows each other of one game stays together."""
    held: list[pl.DataFrame] = []
    for rows in batches:
        last = rows["game"].drop_nulls().tail(1)
        others = (rows["game"] != last.item()).fill_null(value=False).arg_true() if last.len() else last
        # Up to the last row of another game all is whole.
        cut = others[-1] + 1 if others.len() else 0
        if cut:
            yield pl.concat([*held, rows.head(cut)])
            held = []
        held.append(rows[cut:])
    if held:
        yield pl.concat(held)


def recognise_runs(rows: pl.DataFrame, *, first_ply: int, first: FirstPlayer, by_ply: bool) -> Recognised:
    """Tells of rows (columns ``log_rows.ROWS``) in which those of each game follow each other what is plainly valid.

    ``first_ply`` and the others are those of ``judge_log``, which learns of all other games what is wrong.
    """
    alone = (rows["reasons"] != 0) | rows["game"].is_null()
    in_games = rows.filter(~alone) if alone.any() else rows
    run = in_games["game"].rle_id()
    starts = in_games.select((run != run.shift()).fill_null(value=True).arg_true()).to_series()
    keys = in_games["game"].gather(starts).hash()
    if first == "any" or in_games["position"].null_count() < in_games.height or in_games.is_empty():
        return Recognised(pl.DataFrame(schema=GAMES), rows, keys)
    games = _recognised(in_games, run, starts, first_ply=first_ply, first=first, by_ply=by_ply)
    valid = games["outcome"].is_not_null()
    doubtful = alone.scatter((~alone).arg_true(), ~valid.gather(run))
    return Recognised(games.filter(valid), rows.filter(doubtful), keys)


def _recognised(
    rows: pl.DataFrame, run: pl.Series, starts: pl.Series, *, first_ply: int, first: Literal["X", "O"], by_ply: bool
) -> pl.DataFrame:
    """The games as ``GAMES``, those that are plainly valid; ``outcome`` is null for all others.

    Plainly valid is legal play, its plies numbered one after the other, by the player whose turn it is, in which
    every label holds. ``run`` numbers the game of each row, which starts at ``starts``.
    """
    ends = pl.concat([starts.tail(-1), pl.Series([rows.height], dtype=starts.dtype)])
    lengths = ends - starts
    outcome = legal_games(rows["mask"], lengths, first)["outcome"]
    number = pl.int_range(pl.len(), dtype=pl.UInt32) - starts.gather(run)
    expected = []
    if by_ply:
        expected.append(pl.col("ply") == number + first_ply)
    if rows["player"].null_count() < rows.height:
        first_mover, second_mover = (PLAYER_X, PLAYER_O) if first == "X" else (PLAYER_O, PLAYER_X)
        expected.append(pl.col("player") == pl.when(number % 2 == 0).then(first_mover).otherwise(second_mover))
    if rows["label"].null_count() < rows.height:
        expected.append(pl.col("label").is_null() | ((pl.col("label") & outcome.gather(run)) != 0))
    if expected:
        unlike = rows.select(~pl.all_horizontal(expected).fill_null(value=False)).to_series()
        outcome = outcome.scatter(run.filter(unlike).unique(), None)
    last = rows.select("file", "row", "line")[ends - 1]
    return last.with_columns(
        first_file=rows["file"].gather(starts),
        rows=lengths,
        reasons=pl.lit(0, GAMES["reasons"]),
        ply=pl.lit(None, GAMES["ply"]),
        outcome=outcome,
    )

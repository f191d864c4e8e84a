"""Judges the games of logs, in which a game is all rows of one key."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

import polars as pl

from pipeline.rules.games import PLAYER_UNKNOWN, POSITIONS, REPLAY, replay
from pipeline.rules.labels import UNKNOWN_LABEL
from pipeline.verdict.labels import Claims, with_claims
from schemas.reasons import BIT
from schemas.vocabulary import CELLS, FirstPlayer

GAMES: Final = pl.Schema(
    {
        "file": pl.UInt32(),
        "row": pl.UInt64(),
        "line": pl.UInt64(),
        "first_file": pl.UInt32(),
        "rows": pl.UInt32(),
        **REPLAY,
    }
)
"""Columns of the games of a log: the row that stands for the game in the report (``file``, ``row``, ``line``),
the input of its first row, how many rows it has, and its verdict."""

_MANY: Final = 1 << 28
"""More plies than any game has that can be read."""

_ROWS_PER_FILE: Final = 1 << 40
"""More rows than any file has: the number of a file above it, that of a row below, are one place in all inputs."""


def judge_log(
    rows: pl.DataFrame, *, first_ply: int, first: FirstPlayer, by_ply: bool
) -> tuple[pl.DataFrame, pl.Series]:
    """The verdicts on all games in ``rows`` (columns ``log_rows.ROWS``), which hold every row of each of them.

    Rows of a game may come in any order; without ``by_ply`` the order in which they come counts. ``first_ply``
    is what plies count from. A row without a game, and one that could not be read, is a record of its own. The
    result has the columns of ``GAMES``, in no order; the series says of each of ``rows``, as they came, whether
    its record is invalid.
    """
    rows = rows.with_row_index("at")
    alone = (rows["reasons"] != 0) | rows["game"].is_null()
    stray = _judge_stray_rows(rows.filter(alone))
    ordered = _in_order(rows.filter(~alone), by_ply=by_ply)
    games, plies = _judge_games(ordered, first_ply=first_ply, first=first, by_ply=by_ply)
    invalid = pl.concat([stray.select("at", pl.lit(value=True).alias("invalid")), plies]).sort("at")["invalid"]
    return pl.concat([stray.select(GAMES.names()), games]), invalid


def _judge_stray_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows that are records of their own, in the columns of ``GAMES`` and ``at``."""
    faults = {
        "GAME_MISSING": pl.lit(value=True),
        "PLAYER_UNKNOWN": pl.col("player") == PLAYER_UNKNOWN,
        "OUTCOME_UNKNOWN": pl.col("label") == UNKNOWN_LABEL,
    }
    return rows.select(
        "at",
        "file",
        "row",
        "line",
        first_file="file",
        rows=pl.lit(1, GAMES["rows"]),
        reasons=pl.when(pl.col("reasons") == 0).then(_bits(faults)).otherwise("reasons"),
        ply=pl.lit(None, GAMES["ply"]),
        outcome=pl.lit(None, GAMES["outcome"]),
    )


def _in_order(rows: pl.DataFrame, *, by_ply: bool) -> pl.DataFrame:
    """The rows game by game (``key``), each by its plies; those with the same ply, or none, as they came."""
    numbers = pl.Categorical(pl.Categories.random("game"))
    keyed = rows.with_columns(key=pl.col("game").cast(numbers).to_physical().cast(pl.UInt64))
    # One sort by one number: the game above, its ply below.
    ply = pl.col("ply").fill_null(0).clip(-_MANY, _MANY) + _MANY if by_ply else pl.lit(0)
    return keyed.sort(pl.col("key") * (4 * _MANY) + ply.cast(pl.UInt64), maintain_order=True)


def _judge_games(
    rows: pl.DataFrame, *, first_ply: int, first: FirstPlayer, by_ply: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The games (columns ``GAMES``) of rows in order, and of each row ``at`` whether it is ``invalid``."""
    claimed = {name for name in ("player", "label", "position") if rows[name].null_count() < rows.height}
    games = _gathered(rows, claimed)
    misread = {"MOVES_UNREADABLE": pl.col("illegible"), **(_ply_faults(first_ply) if by_ply else {})}
    games = games.with_columns(misread=_bits(misread), unknown=_bits({"PLAYER_UNKNOWN": pl.col("player_unknown")}))
    in_play = games["misread"] == 0
    names = [name for name in ("plies", "players") if name in games.columns]
    playable = games.select(pl.when(in_play).then(name).otherwise([]).alias(name) for name in names)
    replayed = replay(playable, first, positions="position" in claimed)
    judged = replayed.select(
        reasons=pl.col("reasons") | games["misread"] | games["unknown"],
        ply=pl.when(in_play).then("ply"),
        outcome=pl.when(in_play).then("outcome"),
    )
    claims = Claims(
        games["label"] if "label" in claimed else None,
        games["label_unknown"] if "label" in claimed else None,
        _boards_differ(games, replayed) if "position" in claimed else None,
    )
    verdict = games.select("start", "last", "first_file", "rows").hstack(with_claims(judged, claims))
    behind = pl.coalesce(pl.col("ply").cast(pl.UInt32) - 1, "last")
    shown = verdict.select(pl.col("start") + behind).to_series()
    place = rows.select("file", "row", "line")[shown]
    invalid = verdict.select((pl.col("reasons") != 0).repeat_by("rows").explode()).to_series()
    return (
        place.hstack(verdict).select(GAMES.names()).cast(GAMES),
        pl.DataFrame({"at": rows["at"], "invalid": invalid}),
    )


def _ply_faults(first_ply: int) -> dict[str, pl.Expr]:
    """What is wrong with the numbers of a game's plies; only numbers that can all be read have gaps and repeats."""
    unreadable = pl.col("ply_unreadable")
    gap = (pl.col("lowest") != first_ply) | (pl.col("highest") - pl.col("lowest") + 1 != pl.col("different"))
    return {
        "PLY_UNREADABLE": unreadable,
        "PLY_REPEATED": ~unreadable & (pl.col("different") != pl.col("rows")),
        "PLY_GAP": ~unreadable & gap,
    }


def _gathered(rows: pl.DataFrame, claimed: Set[str]) -> pl.DataFrame:
    """One row a game of rows that are in order: its plies as lists, and what its rows say together.

    ``start`` is where its rows start, ``last`` how far behind the one is that comes last in the inputs.
    """
    place = pl.col("file").cast(pl.UInt64) * _ROWS_PER_FILE + pl.col("row")
    lists = {"plies": pl.col("mask")}
    if "player" in claimed:
        lists["players"] = pl.col("player")
    if "position" in claimed:
        lists["recorded"] = pl.col("position")
    games = (
        rows.with_columns(place=place)
        .group_by("key", maintain_order=True)
        .agg(
            **lists,
            rows=pl.len(),
            last=pl.col("place").arg_max(),
            first_file=pl.col("place").min() // _ROWS_PER_FILE,
            illegible=pl.col("mask").is_null().any(),
            player_unknown=(pl.col("player") == PLAYER_UNKNOWN).any(),
            label=pl.col("label").bitwise_and(),
            label_unknown=(pl.col("label") == UNKNOWN_LABEL).any(),
            ply_unreadable=pl.col("ply").is_null().any(),
            lowest=pl.col("ply").min(),
            highest=pl.col("ply").max(),
            different=pl.col("ply").n_unique(),
        )
    )
    return games.with_columns(start=pl.col("rows").cum_sum() - pl.col("rows"))


def _boards_differ(games: pl.DataFrame, replayed: pl.DataFrame) -> pl.Series:
    """Whether a board recorded beside any of the first nine plies is not the position after it."""
    recorded = games.select(
        pl.col("recorded").list.get(ply, null_on_oob=True).alias(f"recorded{ply}") for ply in range(CELLS)
    )
    differs = pl.any_horizontal(
        (pl.col(f"recorded{ply}") != pl.col(POSITIONS[ply])).fill_null(value=False) for ply in range(CELLS)
    )
    return replayed.hstack(recorded).select(differs).to_series()


def _bits(faults: dict[str, pl.Expr]) -> pl.Expr:
    held = (holds.fill_null(value=False).cast(pl.UInt32) * BIT[code] for code, holds in faults.items())
    return pl.sum_horizontal(held)

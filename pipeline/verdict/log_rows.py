"""The rows of a log, one a ply, as the numbers that its games are judged by."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

import polars as pl

from pipeline import gate
from pipeline.batch import Batch
from pipeline.each_once import EachOnce
from pipeline.encode.moves import masks_at, square_numbers
from pipeline.encode.numbers import whole_numbers
from pipeline.encode.symbols import coded_or_text, keys_of
from pipeline.errors import InternalError
from pipeline.layout import Layout, LogColumns
from pipeline.rules.games import PLAYER_O, PLAYER_UNKNOWN, PLAYER_X
from pipeline.verdict.boards import recorded_positions
from pipeline.verdict.labels import meanings
from schemas.boards import trimmed
from schemas.moves import log as log_schema
from schemas.vocabulary import MARKS, Alphabet

ROWS: Final = pl.Schema(
    {
        "game": pl.String(),
        "file": pl.UInt32(),
        "row": pl.UInt64(),
        "line": pl.UInt64(),
        "reasons": pl.UInt32(),
        "ply": pl.Int64(),
        "mask": pl.UInt16(),
        "player": pl.UInt8(),
        "label": pl.UInt8(),
        "position": pl.UInt32(),
    }
)
"""Columns of the rows of a log.

``game`` is null where it is missing, ``file`` the number of the input, ``reasons`` those found while reading.
``ply`` is null where it is unreadable, ``mask`` (see ``encode.moves``) likewise, ``player`` null where none are
recorded, ``label`` what the label allows (null for no label), ``position`` the recorded board (null for none).
"""


def log_rows(batch: Batch, file: int, layout: Layout) -> pl.DataFrame:
    """The rows of a batch as numbers, in the columns of ``ROWS``.

    Raises:
        InputError: a column of a type that cannot hold what the layout says.
    """
    log = layout.log
    if log is None:
        raise TypeError("the layout is not that of a log")
    columns, height = batch.columns, batch.place.height
    nothing = pl.Series([None]).new_from_index(0, height)
    label = meanings(columns, layout)
    rows = pl.DataFrame(
        {
            "game": keys_of(columns[log.game]),
            "file": pl.Series([file], dtype=ROWS["file"]).new_from_index(0, height),
            **batch.place.select("row", "line", "reasons").to_dict(),
            "ply": nothing if log.ply is None else whole_numbers(columns[log.ply]),
            "mask": masks_at(columns, log.at, layout.squares),
            "player": nothing
            if log.player is None
            else _players(layout.alphabet)(coded_or_text(columns[log.player]))["player"],
            "label": nothing if label is None else label,
            "position": recorded_positions(columns, layout) if layout.board else nothing,
        },
        schema=ROWS,
    )
    _require_faults_in_schema(rows, log)
    return rows


def _require_faults_in_schema(rows: pl.DataFrame, log: LogColumns) -> None:
    """Recognise, then diagnose: what is not plainly a ply of a game must fail the schema of logs too."""
    plain = pl.col("game").is_not_null() & (pl.col("mask") > 0)
    if log.ply is not None:
        plain &= pl.col("ply").is_not_null()
    if log.player is not None:
        plain &= pl.col("player") != PLAYER_UNKNOWN
    doubtful = rows.filter((pl.col("reasons") == 0) & ~plain.fill_null(value=False))
    if doubtful.is_empty():
        return
    kinds = doubtful.select(
        game=pl.col("game").is_not_null(),
        ply=pl.lit(value=True) if log.ply is None else pl.col("ply").is_not_null(),
        mask="mask",
        player="player",
    )
    for kind in kinds.unique().iter_rows():
        _require_fault_in_schema(*kind, with_player=log.player is not None)


@cache
def _require_fault_in_schema(
    has_game: bool,  # noqa: FBT001
    has_ply: bool,  # noqa: FBT001
    mask: int | None,
    player: int | None,
    *,
    with_player: bool,
) -> None:
    """The schema of logs must find a fault in such a row; there are few kinds of rows, whatever the log."""
    checked = pl.DataFrame(
        {
            "game": "game" if has_game else None,
            "ply": 1 if has_ply else None,
            "square": square_numbers(pl.Series([mask], dtype=ROWS["mask"])),
            "player": {PLAYER_X: MARKS[0], PLAYER_O: MARKS[1]}.get(player or PLAYER_UNKNOWN),
        },
        schema={"game": pl.String, "ply": pl.Int64, "square": pl.Int64, "player": pl.String},
    )
    schema = log_schema("game", "ply", "square", "player" if with_player else None)
    if (gate.reasons(checked, schema) == 0).any():
        raise InternalError("a row of a log is not recognised, yet its schema finds no fault in it")


@lru_cache(maxsize=8)
def _players(alphabet: Alphabet) -> EachOnce:
    """The ``player`` that a text names, by the symbols of the marks."""

    def players(texts: pl.Series) -> pl.DataFrame:
        symbol = trimmed(pl.lit(texts))
        player = (
            pl.when(symbol.is_in(list(alphabet.x)))
            .then(PLAYER_X)
            .when(symbol.is_in(list(alphabet.o)))
            .then(PLAYER_O)
            .otherwise(PLAYER_UNKNOWN)
        )
        return pl.select(player=player.cast(ROWS["player"]))

    return EachOnce(players)

"""Judges one batch of records of one row each: boards, or games."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.batch import Batch
from pipeline.layout import Layout
from pipeline.rules.labels import UNKNOWN_LABEL
from pipeline.verdict.boards import judge_boards
from pipeline.verdict.games import judge_games
from pipeline.verdict.labels import Claims, meanings, with_claims

VERDICT: Final = pl.Schema({"reasons": pl.UInt32, "ply": pl.UInt8, "outcome": pl.UInt8})
"""Columns of a verdict: ``reasons`` 0 for a valid record, ``ply`` the first ply at fault (null for boards),
``outcome`` one outcome bit, meaningful for valid records."""


def judge(batch: Batch, layout: Layout) -> pl.DataFrame:
    """The verdicts on a batch, as a frame of the columns ``VERDICT``, row for row.

    A record that could not be read keeps the reasons found by the ingestor and gets no others.

    Raises:
        InputError: a column of a type that cannot hold what the layout says.
    """
    board_differs: pl.Series | None = None
    if layout.moves:
        judged, board_differs = judge_games(batch.columns, layout)
    else:
        judged = judge_boards(batch.columns, layout).with_columns(ply=pl.lit(None, VERDICT["ply"]))
    allowed = meanings(batch.columns, layout)
    unknown = None if allowed is None else allowed == UNKNOWN_LABEL
    judged = with_claims(judged, Claims(allowed, unknown, board_differs))
    unread = batch.place["reasons"]
    if not (unread != 0).any():
        return judged.select(VERDICT.names())
    return judged.select(
        reasons=pl.when(unread == 0).then("reasons").otherwise(unread),
        ply=pl.when(unread == 0).then("ply"),
        outcome="outcome",
    )

"""Judges one batch of records: a pure function from columns and layout to reasons and outcome, row for row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from pipeline.batch import Batch
from pipeline.encode.boards import board_texts, encode_boards
from pipeline.encode.symbols import symbol_text
from pipeline.layout import Layout
from pipeline.rules.boards import board_reasons
from pipeline.rules.labels import UNKNOWN_LABEL, label_meanings, label_reasons
from pipeline.rules.outcomes import outcome_of
from schemas.reasons import BIT

VERDICT: Final = pl.Schema({"reasons": pl.UInt32, "ply": pl.UInt8, "outcome": pl.UInt8})
"""Columns of a verdict: ``reasons`` 0 for a valid record, ``ply`` the first ply at fault (null for boards),
``outcome`` one outcome bit, meaningful for valid records."""


def judge(batch: Batch, layout: Layout) -> pl.DataFrame:
    """The verdicts on a batch of boards, as a frame of the columns ``VERDICT``.

    A record that could not be read keeps the reasons found by the ingestor and gets no others.

    Raises:
        InputError: a column of a type that cannot hold what the layout says.
    """
    judged = _judge_boards(batch.columns, layout)
    if layout.outcome is not None:
        judged = _with_labels(judged, batch.columns[layout.outcome], layout)
    unread = batch.place["reasons"]
    return judged.select(
        reasons=pl.when(unread == 0).then("reasons").otherwise(unread),
        ply=pl.lit(None, pl.UInt8),
        outcome="outcome",
    )


def _judge_boards(columns: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """The columns ``reasons`` and ``outcome`` of the boards alone, row for row."""
    texts = board_texts(columns, layout.board)
    if texts is None:
        return _judge_each_board(columns, layout.board, layout)
    # However many rows there are, distinct boards are few: each is taken apart and judged once.
    distinct = texts.select(pl.col("board").unique())
    judged = distinct.hstack(_judge_each_board(distinct, distinct.columns, layout))
    joined = texts.join(judged, on="board", how="left", nulls_equal=True, maintain_order="left")
    return joined.select("reasons", "outcome")


def _judge_each_board(columns: pl.DataFrame, board: Sequence[str], layout: Layout) -> pl.DataFrame:
    x, o = pl.col("x"), pl.col("o")
    return encode_boards(columns, board, layout.alphabet).select(
        reasons=pl.col("reasons") | board_reasons(x, o, layout.first).fill_null(0),
        outcome=outcome_of(x, o),
    )


def _with_labels(judged: pl.DataFrame, labels: pl.Series, layout: Layout) -> pl.DataFrame:
    texts = pl.select(symbol_text(pl.lit(labels), labels.dtype, labels.name)).to_series()
    meant = label_meanings(texts, layout.outcomes)
    unknown = (meant == UNKNOWN_LABEL).fill_null(False).cast(pl.UInt32) * BIT["OUTCOME_UNKNOWN"]
    reasons = pl.col("reasons") | unknown
    compared = label_reasons(pl.col("outcome"), pl.lit(meant))
    return judged.with_columns(reasons=pl.when(reasons == 0).then(compared).otherwise(reasons))

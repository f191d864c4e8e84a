"""Judges boards, and reads boards that are recorded beside moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from pipeline.encode.boards import board_texts, encode_boards, is_board_missing
from pipeline.layout import Layout
from pipeline.rules.boards import board_reasons
from pipeline.rules.outcomes import outcome_of
from pipeline.rules.positions import UNREADABLE, position


def judge_boards(columns: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """The columns ``reasons`` and ``outcome`` of the boards alone, row for row."""
    x, o = pl.col("x"), pl.col("o")
    verdict = (
        (pl.col("reasons") | board_reasons(x, o, layout.first).fill_null(0)).alias("reasons"),
        outcome_of(x, o).alias("outcome"),
    )

    def judged(boards: pl.DataFrame, board: Sequence[str]) -> pl.DataFrame:
        return encode_boards(boards, board, layout.alphabet).select(verdict)

    return _each_once(columns, layout.board, judged)


def recorded_positions(columns: pl.DataFrame, layout: Layout) -> pl.Series:
    """The positions of boards recorded beside moves: ``UNREADABLE`` for what is no board, null where missing."""

    def encoded(boards: pl.DataFrame, board: Sequence[str]) -> pl.DataFrame:
        readable = position(pl.col("x"), pl.col("o")).fill_null(UNREADABLE)
        positions = encode_boards(boards, board, layout.alphabet).select(readable.alias("position"))
        missing = is_board_missing(boards, board)
        return positions.with_columns(pl.when(~missing).then("position").alias("position"))

    return _each_once(columns, layout.board, encoded)["position"]


def _each_once(
    columns: pl.DataFrame, board: Sequence[str], work: Callable[[pl.DataFrame, Sequence[str]], pl.DataFrame]
) -> pl.DataFrame:
    """``work`` done on the boards, row for row.

    However many rows there are, distinct boards are few: text, which is slow to take apart, is worked on once
    for each board.
    """
    texts = board_texts(columns, board)
    if texts is None:
        return work(columns, board)
    distinct = texts.select(pl.col("board").unique())
    done = work(distinct, distinct.columns)
    joined = texts.join(distinct.hstack(done), on="board", how="left", nulls_equal=True, maintain_order="left")
    return joined.select(done.columns)

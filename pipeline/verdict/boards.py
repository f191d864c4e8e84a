"""Judges boards, and reads boards that are recorded beside moves."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import polars as pl

from pipeline.each_once import EachOnce
from pipeline.encode.boards import board_texts, encode_boards, encode_texts, is_board_missing
from pipeline.layout import Layout
from pipeline.rules.boards import board_reasons
from pipeline.rules.outcomes import outcome_of
from pipeline.rules.positions import UNREADABLE, position
from schemas.vocabulary import Alphabet, FirstPlayer

_ALPHABETS: Final = 8
"""Of so many alphabets the verdicts on texts are kept; a run seldom has more than one."""


def judge_boards(columns: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """The columns ``reasons`` and ``outcome`` of the boards alone, row for row."""
    texts = board_texts(columns, layout.board)
    if texts is not None:
        return _texts_judged(layout.alphabet, layout.first)(texts)
    return _judged(encode_boards(columns, layout.board, layout.alphabet), layout.first)


def recorded_positions(columns: pl.DataFrame, layout: Layout) -> pl.Series:
    """The positions of boards recorded beside moves: ``UNREADABLE`` for what is no board, null where missing."""
    texts = board_texts(columns, layout.board)
    if texts is not None:
        return _texts_as_positions(layout.alphabet)(texts)["position"]
    positions = _positions(encode_boards(columns, layout.board, layout.alphabet))
    return positions.set(is_board_missing(columns, layout.board), None)


@lru_cache(maxsize=_ALPHABETS)
def _texts_judged(alphabet: Alphabet, first: FirstPlayer) -> EachOnce:
    return EachOnce(lambda texts: _judged(encode_texts(texts, alphabet), first))


@lru_cache(maxsize=_ALPHABETS)
def _texts_as_positions(alphabet: Alphabet) -> EachOnce:
    def positions(texts: pl.Series) -> pl.DataFrame:
        missing = (texts == "").fill_null(value=True)
        return _positions(encode_texts(texts, alphabet)).set(missing, None).to_frame()

    return EachOnce(positions)


def _judged(boards: pl.DataFrame, first: FirstPlayer) -> pl.DataFrame:
    x, o = pl.col("x"), pl.col("o")
    return boards.select(
        reasons=pl.col("reasons") | board_reasons(x, o, first).fill_null(0),
        outcome=outcome_of(x, o),
    )


def _positions(boards: pl.DataFrame) -> pl.Series:
    readable = position(pl.col("x"), pl.col("o")).fill_null(UNREADABLE)
    return boards.select(readable.alias("position")).to_series()

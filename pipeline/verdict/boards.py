"""Judges boards, and reads boards that are recorded beside moves."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final

import polars as pl

from pipeline.config import CELL_MEANINGS
from pipeline.each_once import EachOnce
from pipeline.encode.boards import board_texts, encode_boards, encode_texts, is_board_missing
from pipeline.layout import Layout
from pipeline.rules.boards import board_reasons
from pipeline.rules.outcomes import outcome_of
from pipeline.rules.positions import UNREADABLE, position
from schemas.vocabulary import CELLS, Alphabet, FirstPlayer

_ALPHABETS: Final = 8
"""Of so many alphabets the verdicts on texts are kept; a run seldom has more than one."""


def judge_boards(columns: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """The columns ``reasons`` and ``outcome`` of the boards alone, row for row."""
    texts = board_texts(columns, layout.board)
    if texts is not None:
        return _texts_judged(layout.alphabet, layout.first)(texts)
    boards = encode_boards(columns, layout.board, layout.alphabet)
    at = boards.select(position(pl.col("x"), pl.col("o"))).to_series()
    verdicts = _positions_judged(layout.first).select(pl.all().gather(at))
    return verdicts.with_columns(reasons=boards["reasons"] | verdicts["reasons"].fill_null(0))


def recorded_positions(columns: pl.DataFrame, layout: Layout) -> pl.Series:
    """The positions of boards recorded beside moves: ``UNREADABLE`` for what is no board, null where missing."""
    texts = board_texts(columns, layout.board)
    if texts is not None:
        return _texts_as_positions(layout.alphabet)(texts)["position"]
    positions = _positions(encode_boards(columns, layout.board, layout.alphabet))
    return positions.set(is_board_missing(columns, layout.board), None)


@lru_cache(maxsize=_ALPHABETS)
def _texts_judged(alphabet: Alphabet, first: FirstPlayer) -> EachOnce:
    return EachOnce(lambda texts: _judged(encode_texts(texts, alphabet), first), foresee=_boards_alike)


def _boards_alike(texts: pl.Series) -> pl.Series:
    """All boards in the symbols that these texts are written in, if they are those of one plain alphabet."""
    symbols = {symbol for text in texts if len(text) == CELLS for symbol in text}
    if len(symbols) > len(CELL_MEANINGS):
        return texts.clear()
    return pl.Series(["".join(board) for board in product(sorted(symbols), repeat=CELLS)], dtype=pl.String)


@lru_cache(maxsize=_ALPHABETS)
def _texts_as_positions(alphabet: Alphabet) -> EachOnce:
    def positions(texts: pl.Series) -> pl.DataFrame:
        missing = (texts == "").fill_null(value=True)
        return _positions(encode_texts(texts, alphabet)).set(missing, None).to_frame()

    return EachOnce(positions)


@lru_cache(maxsize=_ALPHABETS)
def _positions_judged(first: FirstPlayer) -> pl.DataFrame:
    """The verdicts on all numbers that ``position`` can give, in order."""
    at = pl.col("at")
    numbers = pl.int_range(1 << (2 * CELLS), dtype=pl.UInt32, eager=True).alias("at").to_frame()
    boards = numbers.select(
        x=(at % (1 << CELLS)).cast(pl.UInt16), o=(at // (1 << CELLS)).cast(pl.UInt16), reasons=pl.lit(0, pl.UInt32)
    )
    return _judged(boards, first)


def _judged(boards: pl.DataFrame, first: FirstPlayer) -> pl.DataFrame:
    x, o = pl.col("x"), pl.col("o")
    return boards.select(
        reasons=pl.col("reasons") | board_reasons(x, o, first).fill_null(0),
        outcome=outcome_of(x, o),
    )


def _positions(boards: pl.DataFrame) -> pl.Series:
    readable = position(pl.col("x"), pl.col("o")).fill_null(UNREADABLE)
    return boards.select(readable.alias("position")).to_series()

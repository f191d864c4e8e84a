"""Tells which symbols a file's cells are written in: the empty one from what most cells have."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from pipeline.config import LayoutOptions
from pipeline.encode.boards import board_symbols
from pipeline.layout import Layout
from schemas.vocabulary import EMPTY_SYMBOLS, Alphabet


def alphabet(layout: Layout, sample: pl.DataFrame, options: LayoutOptions) -> Alphabet:
    """The symbols of X, O and empty: as named, else the letters, and what most empty cells of ``sample`` have."""
    given = options.cells
    taken = frozenset[str]().union(*given.values())
    built_in = Alphabet()
    told = Alphabet(
        x=given.get("X", built_in.x - taken),
        o=given.get("O", built_in.o - taken),
        empty=given.get("empty", frozenset()),
    )
    if "empty" in given or not layout.board:
        return told
    seen = _empty_symbols(replace(layout, alphabet=told), sample)
    return told.with_empty(seen.sort("len", descending=True, maintain_order=True)["symbol"].head(1))


def with_first_empty(layout: Layout, columns: pl.DataFrame, options: LayoutOptions) -> Layout:
    """The layout with the first symbol of an empty cell that occurs in ``columns``, if it had none yet."""
    if layout.alphabet.empty or "empty" in options.cells or not layout.board:
        return layout
    seen = _empty_symbols(layout, columns)
    return replace(layout, alphabet=layout.alphabet.with_empty(seen["symbol"].head(1)))


def cells(layout: Layout, columns: pl.DataFrame) -> pl.Series:
    """The symbols of all cells of all boards of nine, one after the other; null is empty text."""
    symbols = board_symbols(columns, layout.board, layout.alphabet)
    return symbols.explode("symbols", empty_as_null=False)["symbols"].fill_null("")


def _empty_symbols(layout: Layout, columns: pl.DataFrame) -> pl.DataFrame:
    """Possible symbols of an empty cell (``symbol``) and how many cells have them (``len``), first seen first."""
    possible = [symbol for symbol in EMPTY_SYMBOLS if symbol not in layout.alphabet.symbols]
    symbols = pl.DataFrame({"symbol": cells(layout, columns)})
    return symbols.filter(pl.col("symbol").is_in(possible)).group_by("symbol", maintain_order=True).len()

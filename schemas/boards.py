"""Pandera schemas of recorded boards: as text, as nine cell columns and as lists of nine symbols.

Every check is named by its reason code, so a failed validation says which code each row has. Each row fails
at most one check of a schema: the checks take precedence in the order in which they are listed. They hold
for collected frames only: on a LazyFrame Pandera looks at types, not at values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandera.polars as pa
import polars as pl

from schemas.checks import check, one_column
from schemas.vocabulary import CELLS, Alphabet


def text_board(column: str = "board", alphabet: Alphabet = Alphabet()) -> pa.DataFrameSchema:
    """Boards in one ``String`` column: nine characters, with or without separators between the rows.

    Checks: ``BOARD_MISSING`` (null or empty text), ``BOARD_SIZE`` (not nine code points), ``CELL_UNKNOWN``.
    Symbols of more than one character cannot occur in such a board.
    """
    letters = "".join(re.escape(symbol) for symbol in sorted(alphabet.symbols) if len(symbol) == 1)
    in_alphabet = f"^[{letters}]{{{CELLS}}}$" if letters else r"[^\s\S]"

    def has_nine(board: pl.Expr) -> pl.Expr:
        return without_separators(board, alphabet).str.len_chars() == CELLS

    def known(board: pl.Expr) -> pl.Expr:
        return without_separators(board, alphabet).str.contains(in_alphabet)

    return one_column(
        column,
        pl.String,
        BOARD_MISSING=lambda board: ~_missing(board),
        BOARD_SIZE=lambda board: _missing(board) | has_nine(board),
        CELL_UNKNOWN=lambda board: _missing(board) | ~has_nine(board) | known(board),
    )


def list_board(column: str = "board", alphabet: Alphabet = Alphabet()) -> pa.DataFrameSchema:
    """Boards in one ``List(String)`` column: nine symbols, row by row; a null in the list is empty text.

    Checks: ``BOARD_MISSING`` (null), ``BOARD_SIZE`` (not nine symbols), ``CELL_UNKNOWN``.
    """
    symbols = sorted(alphabet.symbols)

    def known(board: pl.Expr) -> pl.Expr:
        return board.list.eval(pl.element().fill_null("").is_in(symbols)).list.all()

    return one_column(
        column,
        pl.List(pl.String),
        BOARD_MISSING=lambda board: board.is_not_null(),
        BOARD_SIZE=lambda board: board.is_null() | (board.list.len() == CELLS),
        CELL_UNKNOWN=lambda board: board.is_null() | (board.list.len() != CELLS) | known(board),
    )


def cell_columns(columns: Sequence[str], alphabet: Alphabet = Alphabet()) -> pa.DataFrameSchema:
    """Boards in nine ``String`` columns, one a cell, row by row; null is empty text.

    Check: ``CELL_UNKNOWN``, on each column. Blanks around a symbol are ignored unless it is all blanks.

    Raises:
        ValueError: there are not nine different columns.
    """
    if len(set(columns)) != CELLS or len(columns) != CELLS:
        raise ValueError(f"a board has {CELLS} different cell columns, not {list(columns)}")
    symbols = sorted(alphabet.symbols)

    def known(cell: pl.Expr) -> pl.Expr:
        return trimmed(cell).is_in(symbols)

    in_alphabet = check("CELL_UNKNOWN", known)
    return pa.DataFrameSchema({name: pa.Column(pl.String, in_alphabet, nullable=True) for name in columns})


def trimmed(cell: pl.Expr) -> pl.Expr:
    """The symbol in a text cell of its own column: without blanks around it, unless it is all blanks."""
    text = cell.fill_null("")
    bare = text.str.strip_chars(" \t")
    return pl.when(bare == "").then(text).otherwise(bare)


def without_separators(board: pl.Expr, alphabet: Alphabet) -> pl.Expr:
    """The cells of a board in text: without the separators after its third and its sixth cell, if it has both.

    A separator is a line break, or a ``/`` where that is no symbol of the alphabet. Null stays null.
    """
    separator = r"\r?\n" if "/" in alphabet.symbols else r"(?:/|\r?\n)"
    return board.str.replace(rf"(?s)^(.{{3}}){separator}(.{{3}}){separator}(.*)$", "$1$2$3")


def _missing(board: pl.Expr) -> pl.Expr:
    return board.is_null() | (board == "")

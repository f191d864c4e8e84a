"""Boards in any layout to two bitboards, X's and O's: bit *i* stands for cell *i*."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import lru_cache, reduce
from typing import Final

import polars as pl

from pipeline import gate
from pipeline.each_once import EachOnce
from pipeline.encode.literals import symbols_in_lists
from pipeline.encode.symbols import coded_or_text, is_missing, symbol_text, texts_of
from pipeline.errors import InternalError
from schemas.boards import cell_columns, list_board, text_board, trimmed, without_separators
from schemas.vocabulary import CELLS, Alphabet

ENCODED: Final = pl.Schema({"x": pl.UInt16, "o": pl.UInt16, "reasons": pl.UInt32})
"""Columns of encoded boards: ``x`` and ``o`` null and ``reasons`` not 0 where the record holds no board."""

_ROWS: Final = 3
_ALPHABETS: Final = 8
"""Of so many alphabets it is kept what texts mean; a run seldom has more than one."""
_CELL_NAMES: Final = tuple(str(cell) for cell in range(CELLS))
_MARK_X: Final = 1
_MARK_O: Final = 1 << CELLS
_FULL_MASK: Final = (1 << CELLS) - 1
_NO_BOARD: Final = "?"
"""Stands for three row texts that are not of three cells each: a board of another size in any alphabet."""


def encode_boards(columns: pl.DataFrame, board: Sequence[str], alphabet: Alphabet) -> pl.DataFrame:
    """The boards in ``columns`` as a frame of the columns ``ENCODED``, row for row.

    ``board`` names one column (text, or a list of nine symbols, of three row texts or three by three), three
    columns of row text, or nine columns of cells. What is no board has the code of the first schema check
    that it fails.

    Raises:
        InputError: a column of a type that cannot hold a board.
    """
    if len(board) == CELLS:
        return _encode_cells(columns, board, alphabet)
    texts = board_texts(columns, board)
    if texts is not None:
        return encode_texts(texts.cast(pl.String), alphabet)
    return _encode_lists(_lists(columns[board[0]]), alphabet)


def board_texts(columns: pl.DataFrame, board: Sequence[str]) -> pl.Series | None:
    """The boards as one series ``board`` of text, row for row; None where they are lists or nine columns.

    ``Categorical`` stays what it is. Three columns of row text are put together with a separator between the rows.
    """
    if len(board) == CELLS or isinstance(columns.schema[board[0]], pl.List | pl.Array):
        return None
    if len(board) == 1:
        return coded_or_text(columns[board[0]]).alias("board")
    texts = _texts(columns, board)
    nothing = pl.all_horizontal(pl.all().fill_null("") == "")
    three_each = pl.all_horizontal(pl.all().str.len_chars() == _ROWS)
    together = pl.when(three_each).then(pl.concat_str(pl.all(), separator="\n")).otherwise(pl.lit(_NO_BOARD))
    return texts.select(board=pl.when(~nothing).then(together)).to_series()


def is_board_missing(columns: pl.DataFrame, board: Sequence[str]) -> pl.Series:
    """Whether nothing is recorded for a board: null or empty text in all of its columns."""
    texts = [columns[name] for name in board]
    return pl.select(missing=pl.all_horizontal(*(is_missing(values) for values in texts)))["missing"]


def board_symbols(columns: pl.DataFrame, board: Sequence[str], alphabet: Alphabet) -> pl.DataFrame:
    """The symbols of the boards in ``columns`` as they stand, in one column ``symbols`` of ``List(String)``.

    Row for row; a record that has no nine cells gives an empty list.
    """
    if len(board) == CELLS:
        symbols = _texts(columns, board).select(symbols=pl.concat_list(trimmed(pl.col(name)) for name in _CELL_NAMES))
    elif (texts := board_texts(columns, board)) is not None:
        symbols = _symbols_of_texts(texts.cast(pl.String), alphabet)
    else:
        symbols = _lists(columns[board[0]]).rename({"board": "symbols"})
    nine = pl.col("symbols").list.len() == CELLS
    return symbols.select(pl.when(nine).then("symbols").otherwise([]).alias("symbols"))


def _texts(columns: pl.DataFrame, board: Sequence[str]) -> pl.DataFrame:
    """The columns of a board as text, named ``0``, ``1`` and so on."""
    # Names are the file's own: in an expression Polars would take one such as `^a$` for a pattern.
    return pl.DataFrame([texts_of(columns[name]).alias(str(place)) for place, name in enumerate(board)])


def _lists(boards: pl.Series) -> pl.DataFrame:
    """Boards in native lists as one column ``board`` of ``List(String)``, flat."""
    board, cells = _as_list(pl.col("board"), boards.dtype)
    if isinstance(cells, pl.List | pl.Array):
        row, cells = _as_list(pl.element(), cells)
        square = (board.list.len() == _ROWS) & board.list.eval(row.list.len() == _ROWS).list.all()
        board = pl.when(square).then(board.list.eval(row.explode())).when(board.is_not_null()).then([])
    symbols = pl.col("board").list.eval(symbol_text(pl.element(), cells, boards.name))
    frame = boards.alias("board").to_frame()
    return frame.select(board=board).select(board=symbols).select(board=_with_row_texts_split(pl.col("board")))


def _as_list(value: pl.Expr, dtype: pl.DataType) -> tuple[pl.Expr, pl.DataType]:
    """A list or array as a list, and the type of its elements."""
    if not isinstance(dtype, pl.List | pl.Array):
        raise TypeError(f"{dtype} is no list")
    inner = dtype.inner if isinstance(dtype.inner, pl.DataType) else dtype.inner()
    return value.cast(pl.List(inner)), inner


def _with_row_texts_split(board: pl.Expr) -> pl.Expr:
    row_texts = (board.list.len() == _ROWS) & board.list.eval(pl.element().str.len_chars() == _ROWS).list.all()
    return pl.when(row_texts).then(_characters(board.list.join(""))).otherwise(board)


def _characters(text: pl.Expr) -> pl.Expr:
    return text.str.extract_all("(?s).")


def _symbols_of_texts(texts: pl.Series, alphabet: Alphabet) -> pl.DataFrame:
    """Beside the column ``board`` of text its ``symbols`` (``List(String)``), and whether it ``is_list``."""
    lists = symbols_in_lists(texts)
    characters = _characters(without_separators(pl.col("board"), alphabet))
    return (
        texts.alias("board")
        .to_frame()
        .with_columns(symbols=pl.coalesce(lists, characters), is_list=lists.is_not_null())
    )


def encode_texts(texts: pl.Series, alphabet: Alphabet) -> pl.DataFrame:
    """The boards written as text, as ``encode_boards`` gives them: for text that is worth looking at once only."""
    boards = _symbols_of_texts(texts, alphabet)
    is_list = boards["is_list"]
    if not is_list.any():
        return _encode_symbols(boards, boards.select("board"), text_board("board", alphabet), alphabet)
    row = pl.int_range(pl.len()).alias("row")
    plain, lists = (boards.with_columns(row).filter(mask) for mask in (~is_list, is_list))
    encoded = [
        _encode_symbols(plain, plain.select("board"), text_board("board", alphabet), alphabet),
        _encode_symbols(lists, lists.select("symbols"), list_board("symbols", alphabet), alphabet),
    ]
    rows = pl.concat([plain["row"], lists["row"]])
    return pl.concat(encoded).with_columns(rows).sort("row").select(ENCODED.names())


def _encode_lists(lists: pl.DataFrame, alphabet: Alphabet) -> pl.DataFrame:
    return _encode_symbols(lists.rename({"board": "symbols"}), lists, list_board("board", alphabet), alphabet)


def _encode_symbols(
    boards: pl.DataFrame, checked: pl.DataFrame, schema: gate.Schema, alphabet: Alphabet
) -> pl.DataFrame:
    symbols = pl.col("symbols").list
    cells = boards.select(symbols.get(int(cell), null_on_oob=True).alias(cell) for cell in _CELL_NAMES)
    has_nine = boards.select((symbols.len() == CELLS).fill_null(False)).to_series()
    return _diagnosed(_encode(cells, _symbol_marks(alphabet), has_nine), checked, schema)


def _encode_cells(columns: pl.DataFrame, board: Sequence[str], alphabet: Alphabet) -> pl.DataFrame:
    cells = pl.DataFrame([coded_or_text(columns[name]).alias(str(place)) for place, name in enumerate(board)])
    return _diagnosed(_encode(cells, _cell_marks(alphabet)), cells, cell_columns(_CELL_NAMES, alphabet))


def _encode(cells: pl.DataFrame, marks: EachOnce, has_nine: pl.Series | None = None) -> pl.DataFrame:
    """The bitboards of nine columns of symbols, and whether each board is ``recognised``."""
    on_board = pl.DataFrame([marks(cells[name])["mark"].alias(name) for name in _CELL_NAMES]).select(
        both=reduce(operator.or_, (pl.col(name) * (1 << int(name)) for name in _CELL_NAMES))
    )
    x, o = (pl.col("both") & _FULL_MASK).cast(pl.UInt16), (pl.col("both") // _MARK_O).cast(pl.UInt16)
    # A cell that is both X and O holds no known symbol.
    encoded = on_board.select(recognised=(x & o) == 0, x=x, o=o)
    return encoded if has_nine is None else encoded.with_columns(recognised=pl.col("recognised") & has_nine)


@lru_cache(maxsize=_ALPHABETS)
def _symbol_marks(alphabet: Alphabet) -> EachOnce:
    return EachOnce(lambda symbols: _marks(symbols.fill_null(""), alphabet))


@lru_cache(maxsize=_ALPHABETS)
def _cell_marks(alphabet: Alphabet) -> EachOnce:
    return EachOnce(lambda texts: _marks(pl.select(trimmed(pl.lit(texts))).to_series(), alphabet))


def _marks(symbols: pl.Series, alphabet: Alphabet) -> pl.DataFrame:
    """``mark`` of a symbol: a bit of X's board, a bit of O's board above it, both for what is unknown, or 0."""
    meant = {
        **dict.fromkeys(alphabet.x, _MARK_X),
        **dict.fromkeys(alphabet.o, _MARK_O),
        **dict.fromkeys(alphabet.empty, 0),
    }
    marks = [meant.get(symbol, _MARK_X | _MARK_O) for symbol in symbols]
    return pl.DataFrame({"mark": marks}, schema={"mark": pl.UInt32})


def _diagnosed(encoded: pl.DataFrame, checked: pl.DataFrame, schema: gate.Schema) -> pl.DataFrame:
    """Recognise, then diagnose: only rows that are not ``recognised`` go through the schema to learn why."""
    recognised = encoded["recognised"]
    found = pl.zeros(recognised.len(), dtype=pl.UInt32, eager=True).alias("reasons")
    if recognised.all():
        return encoded.select("x", "o", found)
    unknown = checked.filter(~recognised).with_columns(pl.col(pl.Categorical).cast(pl.String))
    reasons = gate.reasons(unknown, schema)
    if (reasons == 0).any():
        raise InternalError("a board is not recognised, yet its schema finds no fault in it")
    boards = encoded.select(pl.when("recognised").then(pl.col("x", "o")))
    return boards.with_columns(found.scatter((~recognised).arg_true(), reasons))

"""Games in any layout to their plies, each a mask with the bit of its cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl
import pyarrow as pa

from pipeline.encode.fixed_width import fixed_width_plies
from pipeline.encode.numbers import OUT_OF_BOUNDS, masks_of_pairs, masks_of_squares, masks_of_texts, whole_numbers
from pipeline.encode.symbols import is_missing, texts_of, unnamed
from pipeline.errors import InputError
from schemas.vocabulary import CELLS, Base, Order

PLIES: Final = pl.List(pl.UInt16)
"""The plies of a game in order: each the mask of one cell, ``OUT_OF_BOUNDS``, or null where it is unreadable."""

_LISTED: Final = r"(?:\[[^\[\]()]*\]|\([^\[\]()]*\))"
_BLANKS: Final = r"[ \t\r\n]*"
_LIST_START: Final = rf"^{_BLANKS}[\[(]"
_PAIRS: Final = rf"{_BLANKS}{_LISTED}(?:{_BLANKS},{_BLANKS}{_LISTED})*{_BLANKS},?{_BLANKS}"
_LIST_OF_PAIRS: Final = rf"^{_BLANKS}(?:\[{_PAIRS}\]|\({_PAIRS}\)){_BLANKS}$"
_LIST_OF_SQUARES: Final = rf"^{_BLANKS}{_LISTED}{_BLANKS}$"
_PLY_SEPARATOR: Final = ";"
_UNREADABLE: Final = [""]
"""A game in another notation: one move that is no move."""
_PAIR: Final = 2
_ROW_NAMES: Final = ("row", "r")
_COLUMN_NAMES: Final = ("col", "column", "c")


@dataclass(frozen=True, slots=True)
class Squares:
    """What squares, rows and columns count from, and in which order squares are numbered."""

    base: Base = 0
    order: Order = "row"


def encode_moves(columns: pl.DataFrame, moves: Sequence[str], squares: Squares) -> pl.Series:
    """The games in ``columns`` as a series ``plies`` of type ``PLIES``, row for row; null where moves are missing.

    ``moves`` names one column that holds a whole game (text, or a list of squares or pairs) or up to nine
    columns, one a ply. What is not in the notation is one unreadable ply, or more.

    Raises:
        InputError: a column of a type that cannot hold moves.
    """
    if len(moves) > 1:
        return _of_ply_columns(columns, moves, squares)
    column = columns[moves[0]]
    if isinstance(column.dtype, pl.List | pl.Array):
        return _of_lists(column, squares)
    texts = texts_of(column)
    fixed = fixed_width_plies(texts, squares.base)
    plies = _lists_of(fixed.masks, fixed.lengths)
    if fixed.fits.all():
        return plies
    others = _of_distinct_texts(texts.filter(~fixed.fits), squares)
    order = pl.concat([fixed.fits.arg_true(), (~fixed.fits).arg_true()]).arg_sort()
    return pl.concat([plies, others], rechunk=True).gather(order)


def squares_of(plies: pl.Series) -> pl.Series:
    """Lists of masks as lists of square numbers (``Int64``, from 0, row by row): -1 out of bounds, null for null."""
    return _regrouped(plies, square_numbers)


def square_numbers(masks: pl.Series) -> pl.Series:
    """Masks as square numbers (``Int64``, from 0, row by row): -1 out of bounds, null for null."""
    known = [OUT_OF_BOUNDS, *(1 << cell for cell in range(CELLS))]
    return masks.replace_strict(known, range(-1, CELLS), return_dtype=pl.Int64)


def move_masks(values: pl.Series, squares: Squares) -> pl.Series:
    """Single moves (numbers, text or pairs) as masks (``UInt16``); null where missing or unreadable."""
    if values.dtype.is_integer():
        return masks_of_squares(unnamed(values), squares.base, squares.order)
    if values.dtype.is_numeric():
        return masks_of_squares(whole_numbers(values), squares.base, squares.order)
    if isinstance(values.dtype, pl.List | pl.Array | pl.Struct):
        return _of_pairs(values, squares)
    texts = texts_of(values)
    return masks_of_texts(texts, squares.base, squares.order)


def masks_at(columns: pl.DataFrame, at: Sequence[str], squares: Squares) -> pl.Series:
    """The moves of a log as masks: ``at`` names a column of single moves, or those of rows and of columns."""
    if len(at) == 1:
        return move_masks(columns[at[0]], squares)
    row, column = (whole_numbers(columns[name]) for name in at)
    return masks_of_pairs(row, column, squares.base)


def _of_ply_columns(columns: pl.DataFrame, moves: Sequence[str], squares: Squares) -> pl.Series:
    plies = [columns[name] for name in moves]
    played = pl.select(
        plies=pl.concat_list(move_masks(ply, squares) for ply in plies),
        last=pl.max_horizontal(pl.when(~is_missing(ply)).then(number) for number, ply in enumerate(plies, start=1)),
    )
    # What is missing before the last ply that is there stays a null within the list: a gap.
    return played.select(plies=pl.col("plies").list.head(pl.col("last").fill_null(0))).to_series()


def _of_distinct_texts(texts: pl.Series, squares: Squares) -> pl.Series:
    """Each different text is taken apart once: short games, and those of agents, recur."""
    distinct = texts.unique()
    plies = pl.DataFrame({"text": distinct, "plies": _of_texts(distinct, squares)})
    joined = texts.alias("text").to_frame().join(plies, on="text", how="left", nulls_equal=True, maintain_order="left")
    return joined["plies"]


def _of_texts(texts: pl.Series, squares: Squares) -> pl.Series:
    text = pl.col("text")
    pairs = text.str.count_matches(",") == text.str.count_matches(_PLY_SEPARATOR) + 1
    moves: pl.Expr = pl.when(text == "").then([]).when(pairs).then(text.str.split(_PLY_SEPARATOR))
    if texts.str.contains(_LIST_START).any():
        # JSON may be written over several lines.
        within = (
            text.str.replace_all(r"[\t\r\n]", " ").str.strip_chars(" ").str.head(-1).str.slice(1).str.strip_chars(" ")
        )
        values = within.str.strip_suffix(",").str.split(",")
        moves = (
            pl.when(text.str.contains(_LIST_OF_PAIRS))
            .then(within.str.extract_all(_LISTED))
            .when(text.str.contains(_LIST_OF_SQUARES) & (within == ""))
            .then([])
            .when(text.str.contains(_LIST_OF_SQUARES))
            .then(values)
            .when(text.str.contains(_LIST_START))
            .then(_UNREADABLE)
            .otherwise(moves)
        )
    moves = pl.when(moves.is_null() & text.is_not_null()).then(_UNREADABLE).otherwise(moves)
    written = texts.alias("text").to_frame().select(moves.cast(pl.List(pl.String))).to_series()
    return _regrouped(written, lambda flat: masks_of_texts(flat, squares.base, squares.order))


def _of_lists(games: pl.Series, squares: Squares) -> pl.Series:
    if isinstance(games.dtype, pl.Array):
        games = games.arr.to_list()
    return _regrouped(games, lambda flat: move_masks(flat, squares))


def _regrouped(games: pl.Series, change: Callable[[pl.Series], pl.Series]) -> pl.Series:
    """Lists of moves with every move changed: all at once, then put together again as they were."""
    flat = games.explode(empty_as_null=False, keep_nulls=False)
    lists = _lists_of(change(flat), games.list.len().fill_null(0))
    if not games.null_count():
        return lists
    return pl.select(pl.when(games.is_not_null()).then(lists).alias("plies")).to_series()


def _lists_of(values: pl.Series, lengths: pl.Series) -> pl.Series:
    """Lists of so many values each."""
    ends = lengths.cast(pl.Int64).cum_sum()
    starts = pl.concat([pl.Series([0], dtype=pl.Int64), ends])
    return pl.Series("plies", pa.LargeListArray.from_arrays(starts.to_arrow(), values.rechunk().to_arrow()))


def _fields(pairs: pl.Series, names: Sequence[str]) -> pl.Series:
    """The one field of a struct with one of these names: which of two numbers is the row must not be guessed."""
    fields = pairs.struct.unnest()
    found = [values for values in fields.get_columns() if values.name.lower() in names]
    if len(found) != 1 or fields.width != _PAIR:
        raise InputError(f"column {pairs.name!r} is of type {pairs.dtype}: expected a struct of 'row' and 'col'")
    return found[0]


def _of_pairs(pairs: pl.Series, squares: Squares) -> pl.Series:
    if isinstance(pairs.dtype, pl.Struct):
        row, column = _fields(pairs, _ROW_NAMES), _fields(pairs, _COLUMN_NAMES)
    else:
        pairs = pairs.arr.to_list() if isinstance(pairs.dtype, pl.Array) else pairs
        pairs = pl.select(pl.when(pairs.list.len() == _PAIR).then(pairs)).to_series()
        row, column = (pairs.list.get(place, null_on_oob=True) for place in range(_PAIR))
    return masks_of_pairs(whole_numbers(row), whole_numbers(column), squares.base)

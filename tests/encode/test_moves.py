"""Moves in any notation to the masks of their cells."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from pipeline.encode.moves import PLIES, Squares, encode_moves, move_masks, squares_of
from pipeline.encode.numbers import OUT_OF_BOUNDS, masks_of_pairs, masks_of_squares, masks_of_texts, whole_numbers
from pipeline.errors import InputError
from schemas.vocabulary import Base, Order

OUT = -1
BASES: list[Base] = [0, 1]
ORDERS: list[Order] = ["row", "column"]

any_numbers = st.text(alphabet="0189-+.e \t\n٣,()[]", max_size=8)
numbers = st.integers(-3, 12).map(str) | st.sampled_from([" 1", "2\t", "01", "1.0", "-0", "1.5", "+1", "", " "])
pairs = st.tuples(st.sampled_from(["", "(", "[", " ("]), numbers, numbers, st.sampled_from(["", ")", "]", ") "]))
texts_of_moves = st.none() | any_numbers | numbers | pairs.map(lambda pair: f"{pair[0]}{pair[1]},{pair[2]}{pair[3]}")


def mask(square: int | None) -> int | None:
    """The mask of a square of the oracle."""
    return square if square is None else OUT_OF_BOUNDS if square == OUT else 1 << square


def squares(values: pl.Series, by: Squares | None = None) -> list[list[int | None] | None]:
    """The games of one column as squares."""
    encoded = encode_moves(values.alias("moves").to_frame(), ["moves"], by or Squares())
    assert encoded.dtype == PLIES
    found: list[list[int | None] | None] = squares_of(encoded).to_list()
    return found


# Numbers


@given(st.lists(st.none() | any_numbers | numbers, max_size=20))
def test_whole_numbers_are_those_of_the_oracle(texts: list[str | None]) -> None:
    expected = [oracle.whole_number(text) for text in texts]
    assert whole_numbers(pl.Series(texts, dtype=pl.String)).to_list() == expected


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt8, pl.Int64, pl.UInt64, pl.Float32, pl.Float64, pl.Decimal(9, 2)])
def test_whole_numbers_of_every_number_type(dtype: pl.DataType) -> None:
    values = pl.Series([0, 1, None, 100]).cast(dtype)
    assert whole_numbers(values).to_list() == [0, 1, None, 100]


def test_numbers_that_are_not_whole_or_not_finite() -> None:
    values = pl.Series([1.5, float("nan"), float("inf"), -float("inf"), -0.0, 2.0, None])
    assert whole_numbers(values).to_list() == [None, None, None, None, 0, 2, None]
    assert whole_numbers(pl.Series(["1.50", "2.00"]).cast(pl.Decimal(9, 2))).to_list() == [None, 2]


def test_numbers_of_any_size_are_far_outside() -> None:
    for values in (
        pl.Series([2**63, 2**64 - 1], dtype=pl.UInt64),
        pl.Series([1e300, 1e19]),
        pl.Series(["9" * 5_000, "9" * 25]),
    ):
        assert all(number > 10**9 for number in whole_numbers(values))
    for values in (pl.Series([-1e300]), pl.Series(["-" + "9" * 5_000])):
        assert all(number < -(10**9) for number in whole_numbers(values))


def test_leading_zeros_of_any_number() -> None:
    assert whole_numbers(pl.Series(["0" * 100 + "7", "-" + "0" * 100 + "7"])).to_list() == [7, -7]
    assert masks_of_texts(pl.Series(["0" * 100 + "1," + "0" * 100 + "2"]), 0, "row").to_list() == [1 << 5]


def test_numbers_are_in_no_list() -> None:
    with pytest.raises(InputError, match="'n'"):
        whole_numbers(pl.Series("n", [[1]]))


# Squares and pairs


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("order", ORDERS)
def test_squares_of_every_numbering(base: Base, order: Order) -> None:
    values = [None, *range(-12, 13), 2**62, -(2**62)]
    expected = [mask(None if value is None else oracle.square_of_number(value, base, order)) for value in values]
    assert masks_of_squares(pl.Series(values, dtype=pl.Int64), base, order).to_list() == expected


@pytest.mark.parametrize("base", BASES)
def test_pairs_of_every_numbering(base: Base) -> None:
    values = [(row, column) for row in [None, *range(-4, 6)] for column in [None, *range(-4, 6)]]
    rows, columns = (pl.Series([pair[place] for pair in values], dtype=pl.Int64) for place in (0, 1))
    expected = [
        None if row is None or column is None else mask(oracle.square_of_pair(row, column, base))
        for row, column in values
    ]
    assert masks_of_pairs(rows, columns, base).to_list() == expected


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("order", ORDERS)
@given(texts=st.lists(texts_of_moves, max_size=20))
def test_moves_in_text_are_those_of_the_oracle(base: Base, order: Order, texts: list[str | None]) -> None:
    expected = [mask(oracle.square_of_text(text, base, order)) for text in texts]
    values = pl.Series(texts, dtype=pl.String)
    assert masks_of_texts(values, base, order).to_list() == expected
    assert move_masks(values, Squares(base, order)).to_list() == expected


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([0, 1, 9, None], dtype=pl.UInt8),
        pl.Series([0.0, 1.0, 9.0, 0.5]),
        pl.Series(["0", "1", "9", ""]),
        pl.Series(["0", "1", "9", ""], dtype=pl.Categorical),
        pl.Series([b"0", b"1", b"9", b"\xff"]),
        pl.Series([[0, 0], [0, 1], [3, 0], [1]]),
        pl.Series([[0, 0], [0, 1], [3, 0], [0, None]], dtype=pl.Array(pl.Int64, 2)),
        pl.Series([["0", "0"], [" 0", "1.0"], ["3", "0"], ["0", "x"]]),
        pl.Series([{"row": 0, "col": 0}, {"row": 0, "col": 1}, {"row": 3, "col": 0}, {"row": 0, "col": None}]),
        pl.Series(["(0, 0)", "[0,1]", "3,0", "(0)"]),
    ],
    ids=lambda values: str(values.dtype),
)
def test_moves_of_every_type(values: pl.Series) -> None:
    assert move_masks(values, Squares()).to_list() == [1, 2, OUT_OF_BOUNDS, None]


# Games


def test_squares_of_is_the_inverse_of_masks() -> None:
    games = [[*range(9)], [], None, [OUT, None, 4]]
    assert squares(pl.Series([[*range(9)], [], None, [17, None, 4]], dtype=pl.List(pl.Int64))) == games


def test_no_games_at_all() -> None:
    for dtype in (pl.List(pl.Int64), pl.String(), pl.List(pl.List(pl.Int64)), pl.Array(pl.Int64, 9), pl.Null()):
        assert squares(pl.Series([], dtype=dtype)) == []


def test_games_of_one_column_stay_row_for_row() -> None:
    assert squares(pl.Series([None, [0, 1], [], None, [2], [None], []], dtype=pl.List(pl.Int64))) == [
        *(None, [0, 1], [], None, [2], [None], []),
    ]
    chunked = pl.concat([pl.Series([[0], None]), pl.Series([[], [1, 2]], dtype=pl.List(pl.Int64))], rechunk=False)
    assert squares(chunked) == [[0], None, [], [1, 2]]
    assert squares(chunked.slice(1, 3)) == [None, [], [1, 2]]
    assert squares(chunked.filter(pl.Series([False, True, False, True]))) == [None, [1, 2]]


def test_text_of_every_notation_in_one_column() -> None:
    texts = ["0,0;2,2", "[0, 8]", "[[0,0],(2, 2)]", "", "[]", None, "0;8", "(0,8)", "0,0"]
    assert squares(pl.Series(texts)) == [[0, 8], [0, 8], [0, 8], [], [], None, [None], [0, 8], [0]]


def test_fixed_size_arrays_with_nulls() -> None:
    games = pl.Series([[0, 1], None, [2, None]], dtype=pl.Array(pl.Int64, 2))
    assert squares(games) == [[0, 1], None, [2, None]]
    pairs_of = pl.Series([[[0, 0], [1, 1]], None, [[2, 2], None]], dtype=pl.Array(pl.Array(pl.Int64, 2), 2))
    assert squares(pairs_of) == [[0, 4], None, [8, None]]


def test_squares_by_column_and_pairs_by_row() -> None:
    by = Squares(1, "column")
    assert squares(pl.Series([[1, 2, 9, 0, 10]]), by) == [[0, 3, 8, OUT, OUT]]
    assert squares(pl.Series([[[1, 1], [1, 2], [3, 3], [0, 1]]]), by) == [[0, 1, 8, OUT]]
    assert squares(pl.Series(["[1,2]", "[[1,2]]", "1,2"]), by) == [[0, 3], [1], [1]]


def test_columns_of_plies_end_with_the_last_that_is_there() -> None:
    columns = pl.DataFrame({"a": [0, None, 0, None], "b": [1, None, None, 1], "c": [None, None, 2, None]})
    encoded = encode_moves(columns, ["a", "b", "c"], Squares())
    assert squares_of(encoded).to_list() == [[0, 1], [], [0, None, 2], [None, 1]]
    texts = columns.cast(pl.String).fill_null("")
    assert encode_moves(texts, ["a", "b", "c"], Squares()).to_list() == encoded.to_list()


@pytest.mark.parametrize("name", ["^a$", "*", "^.*$", "a b", ""])
def test_names_of_columns_are_no_patterns(name: str) -> None:
    columns = pl.DataFrame({name: [0], "a": [1], "aa": [2]})
    assert encode_moves(columns, [name, "aa"], Squares()).to_list() == [[1, 4]]


@pytest.mark.parametrize(
    "values",
    [
        pl.Series("m", [{"a": 1, "b": 2, "c": 3}]),
        pl.Series("m", [[{"a": 1}]]),
        pl.Series("m", [[[[1, 2]]]]),
        pl.Series("m", ["2020-01-01"]).str.to_date(),
    ],
    ids=lambda values: str(values.dtype),
)
def test_types_that_cannot_hold_moves(values: pl.Series) -> None:
    with pytest.raises(InputError, match="of type"):
        encode_moves(values.to_frame(), ["m"], Squares())

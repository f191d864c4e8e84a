"""Columns that are named alike."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.recognise.series import Series, series_of

ROWS = ("top", "middle", "bottom")
COLUMNS = ("left", "middle", "right")
STYLES = {
    "top-left-square": [f"{row}-{column}-square" for row, column in product(ROWS, COLUMNS)],
    "square_top_left": [f"square_{row}_{column}" for row, column in product(ROWS, COLUMNS)],
    "TopLeft": [f"{row}{column}" for row, column in product(("Top", "Mid", "Bottom"), ("Left", "Center", "Right"))],
    "upperleft": [f"{row}{column}" for row, column in product(("upper", "center", "lower"), COLUMNS)],
    "left-top": [f"{column}-{row}" for row, column in product(ROWS, COLUMNS)],
    "top": ["top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"],
    "TL": [row + column for row, column in product("TMB", "LMR")],
    "tc": [row + column for row, column in product("tmb", "lcr")],
    "r0c0": [f"r{row}c{column}" for row, column in product(range(3), repeat=2)],
    "row_1_col_1": [f"row_{row}_col_{column}" for row, column in product((1, 2, 3), repeat=2)],
    "c0r0": [f"c{column}r{row}" for row, column in product(range(3), repeat=2)],
    "cell_0_0": [f"cell_{row}_{column}" for row, column in product(range(3), repeat=2)],
    "Cell00": [f"Cell{row}{column}" for row, column in product(range(3), repeat=2)],
    "a11": [f"a{row}{column}" for row, column in product((1, 2, 3), repeat=2)],
    "11": [f"{row}{column}" for row, column in product((1, 2, 3), repeat=2)],
    "0,0": [f"{row},{column}" for row, column in product(range(3), repeat=2)],
    "A1": [f"{column}{row}" for row, column in product((1, 2, 3), "ABC")],
    "board_a1": [f"board_{column}{row}" for row, column in product((1, 2, 3), "abc")],
}


@pytest.mark.parametrize("style", STYLES)
def test_places_row_by_row(style: str) -> None:
    names = STYLES[style]
    found = [series for series in series_of(names) if series.are_places and len(series.columns) == 9]
    assert [series.names for series in found] == [tuple(names)]
    assert {*found[0].columns} == {*range(9)}


@pytest.mark.parametrize("style", STYLES)
@given(data=st.data())
def test_places_in_any_order_among_others(style: str, data: st.DataObject) -> None:
    names = data.draw(st.permutations([*STYLES[style], "id", "winner", "timestamp"]))
    found = [series.names for series in series_of(names) if series.are_places and len(series.columns) == 9]
    assert found == [tuple(STYLES[style])]


@pytest.mark.parametrize(
    ("names", "prefix", "numbers"),
    [
        ([f"c{number}" for number in range(9)], ("c",), [*range(9)]),
        ([f"V{number}" for number in range(1, 11)], ("v",), [*range(1, 11)]),
        ([f"move_{number}" for number in range(1, 10)], ("move",), [*range(1, 10)]),
        ([f"{number}" for number in range(9)], (), [*range(9)]),
        ([f"x{number:02}" for number in range(1, 10)], ("x",), [*range(1, 10)]),
        ([f"board[{number}]" for number in range(9)], ("board",), [*range(9)]),
        (list("abcdefghi"), (), [*range(9)]),
        (list("ABCDEFGHI"), (), [*range(9)]),
        ([f"cell_{letter}" for letter in "abcdefghi"], ("cell",), [*range(9)]),
    ],
)
def test_numbers_and_letters(names: list[str], prefix: tuple[str, ...], numbers: list[int]) -> None:
    (series,) = [series for series in series_of(names[::-1]) if len(series.columns) >= 9]
    assert (series.prefix, sorted(series.columns), series.are_places) == (prefix, numbers, False)
    assert series.names == tuple(names)


def test_each_series_by_itself() -> None:
    names = [f"{letter}{number}" for letter, number in product("pq", range(9))]
    assert {series.prefix: len(series.columns) for series in series_of(names)} == {("p",): 9, ("q",): 9}


def test_the_first_of_two_names_for_one_place() -> None:
    names = [*STYLES["TL"], "tl"]
    (series,) = [series for series in series_of(names) if series.are_places and len(series.columns) == 9]
    assert series.names == tuple(STYLES["TL"])


@pytest.mark.parametrize("names", [[], [""], ["id", "winner", "note"], ["ä", "🎲"], list("abcdefgh")])
def test_no_series_of_nine(names: list[str]) -> None:
    assert not [series for series in series_of(names) if len(series.columns) >= 9]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (STYLES["top-left-square"], True),
        (STYLES["TL"], True),
        (STYLES["r0c0"], True),
        (STYLES["cell_0_0"], True),
        ([f"pos{number}" for number in range(9)], True),
        (STYLES["A1"], False),
        (STYLES["11"], False),
        ([f"x{number}" for number in range(9)], False),
        ([f"{number}" for number in range(9)], False),
        (list("abcdefghi"), False),
    ],
)
def test_some_names_mean_cells_by_themselves(names: list[str], expected: bool) -> None:
    (series,) = [series for series in series_of(names) if len(series.columns) == 9]
    assert series.means_cells is expected


@given(st.lists(st.text(max_size=8), unique=True, max_size=12))
def test_any_names_may_be_asked(names: list[str]) -> None:
    for series in series_of(names):
        assert isinstance(series, Series)
        assert {*series.names} <= {*names}
        assert len({*series.names}) == len(series.names)


def test_rows_and_columns_count_from_the_lowest() -> None:
    for first_row, first_column in permutations((0, 1, 2), 2):
        names = [f"r{first_row + row}c{first_column + column}" for row, column in product(range(3), repeat=2)]
        assert [series.names for series in series_of(names)] == [tuple(names)]

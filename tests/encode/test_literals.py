"""Boards written in text as JSON or Python lists."""

from __future__ import annotations

import polars as pl
import pytest

from pipeline.encode.literals import symbols_in_lists

NINE = ["X", "O", ".", ".", ".", ".", ".", ".", "."]


def symbols(text: str | None) -> list[str | None] | None:
    result = symbols_in_lists(pl.Series([text], dtype=pl.String))
    assert result.dtype == pl.List(pl.String)
    value = result[0]
    return None if value is None else value.to_list()


@pytest.mark.parametrize(
    "text",
    [
        '["X","O",".",".",".",".",".",".","."]',
        "['X', 'O', '.', '.', '.', '.', '.', '.', '.']",
        "('X', 'O', '.', '.', '.', '.', '.', '.', '.')",
        '  [ "X" , "O", ".", ".", ".", ".", ".", ".", "." ]  ',
        "['X', 'O', '.', '.', '.', '.', '.', '.', '.',]",
        '["XO.","...","..."]',
        "('XO.', '...', '...')",
        '[["X","O","."],[".",".","."],[".",".","."]]',
        "[('X', 'O', '.'), ('.', '.', '.'), ['.', '.', '.']]",
        '[\n["X","O","."],\n[".",".","."],\n[".",".","."]\n]',
    ],
)
def test_every_way_to_write_a_board(text: str) -> None:
    assert symbols(text) == NINE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1, 2, 0, 0, 0, 0, 0, 0, 0]", ["1", "2", *["0"] * 7]),
        ("[1.0, -1.0, 0.0, 0.5, 1e0, 0, 0, 0, 0]", ["1", "-1", "0", "0.5", "1", *["0"] * 4]),
        ("[true, false, null, null, null, null, null, null, null]", ["true", "false", *[None] * 7]),
        ("[True, False, None, None, None, None, None, None, None]", ["true", "false", *[None] * 7]),
        ('["", " ", "x", "x", "x", "x", "x", "x", "x"]', ["", " ", *["x"] * 7]),
        ("[[1,2,0],[0,0,0],[0,0,0]]", ["1", "2", *["0"] * 7]),
    ],
)
def test_symbols_are_text(text: str, expected: list[str | None]) -> None:
    assert symbols(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "['X']",
        "['X', 'O', '.', '.', '.', '.', '.', '.']",
        "[['X', 'O'], ['.', '.', '.'], ['.', '.', '.']]",
        "[['X', 'O', '.'], ['.', '.', '.']]",
        "[['X', 'O', '.'], '...', ['.', '.', '.']]",
        "['XO.', '...', '..']",
    ],
)
def test_lists_of_another_shape_have_no_nine_symbols(text: str) -> None:
    found = symbols(text)
    assert found is not None
    assert len(found) != 9


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "XO.......",
        "[X,O,.,.,.,.,.,.,.]",
        "['X', 'O'",
        "(((((((((",
        "[[[[[[[[[",
        "[........",
        "('X')",
        "[" * 5_000,
        "[" + "1," * 1_000 + "1]",
        "[__import__('os')]",
        '{"board": ["X"]}',
    ],
    ids=lambda text: repr(text)[:20],
)
def test_what_is_no_list(text: str | None) -> None:
    assert symbols(text) is None


def test_rows_keep_their_order() -> None:
    texts = pl.Series(["XO.......", "['X']", None, "['O', None]", "['X']"])
    assert symbols_in_lists(texts).to_list() == [None, ["X"], None, ["O", None], ["X"]]


def test_no_rows() -> None:
    assert symbols_in_lists(pl.Series([], dtype=pl.String)).to_list() == []

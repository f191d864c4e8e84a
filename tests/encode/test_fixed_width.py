"""Games read four bytes a ply are those that are taken apart at their separators."""

from __future__ import annotations

from itertools import chain

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.encode.fixed_width import fixed_width_plies
from pipeline.encode.moves import Squares, encode_moves
from schemas.vocabulary import Base

digits = st.integers(0, 9)
games = st.lists(st.tuples(digits, digits), min_size=1, max_size=12)
plies = st.lists(st.text(alphabet="0123,;: -/[x9é", max_size=4), max_size=4)
texts = st.one_of(
    st.none(),
    games.map(lambda game: ";".join(f"{row},{column}" for row, column in game)),
    plies.map(";".join),
    st.text(alphabet="012,;", max_size=12),
)


def mask(ply: str, base: int) -> int:
    row, column = (int(number) - base for number in ply.split(","))
    return 1 << (3 * row + column) if 0 <= row < 3 and 0 <= column < 3 else 0


def is_of_fixed_width(text: str) -> bool:
    return bool(text) and all(
        len(ply) == 3 and ply[1] == "," and ply[0] in "0123456789" and ply[2] in "0123456789" for ply in text.split(";")
    )


@given(st.lists(texts, max_size=30), st.sampled_from([0, 1]))
def test_texts_of_fixed_width_and_their_plies(given: list[str | None], base: Base) -> None:
    found = fixed_width_plies(pl.Series(given, dtype=pl.String), base)
    fitting = [text for text in given if text is not None and is_of_fixed_width(text)]
    assert found.fits.to_list() == [text is not None and is_of_fixed_width(text) for text in given]
    assert found.lengths.to_list() == [text.count(";") + 1 for text in fitting]
    assert found.masks.to_list() == list(chain(*([mask(ply, base) for ply in text.split(";")] for text in fitting)))


@pytest.mark.parametrize("others", [["[0, 1]"], [None], [""], ["0,0;10,1"], ["0,0;1:1", "1;1,000"], ["(1,1)"]])
def test_texts_of_other_forms_stand_where_they_stood(others: list[str | None]) -> None:
    plain = ["0,0;2,2", "1,1", "0,0;3,0;0,1"]
    for place in range(len(plain) + 1):
        mixed = [*plain[:place], *others, *plain[place:]]
        together = encode_moves(pl.DataFrame({"moves": mixed}, schema={"moves": pl.String}), ["moves"], Squares())
        alone = [
            encode_moves(pl.DataFrame({"moves": [text]}, schema={"moves": pl.String}), ["moves"], Squares()).to_list()
            for text in mixed
        ]
        assert together.to_list() == list(chain(*alone))

"""Legal games are recognised exactly: whatever is not told at once is what the replay finds a fault in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, product
from random import Random
from typing import Literal

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.rules.games import POSITIONS, replay
from pipeline.rules.legal import LEGAL, legal_games

MASKS = [0, *(1 << cell for cell in range(9))]


def assert_as_replayed(games: Sequence[Sequence[int]], first: Literal["X", "O"]) -> None:
    plies = pl.Series("plies", games, dtype=pl.List(pl.UInt16))
    replayed = replay(plies.to_frame(), first, positions=True)
    legal = (pl.col("reasons") == 0) & (pl.col("length") <= 9)
    final = pl.coalesce(*reversed(POSITIONS), pl.lit(0, pl.UInt32))
    expected = replayed.with_columns(length=plies.list.len()).select(
        outcome=pl.when(legal).then("outcome"), position=pl.when(legal).then(final)
    )
    masks = pl.Series("masks", list(chain(*games)), dtype=pl.UInt16)
    assert_frame_equal(legal_games(masks, plies.list.len(), first), expected)


@pytest.mark.parametrize("first", ["X", "O"])
def test_every_sequence_of_up_to_five_plies(first: Literal["X", "O"]) -> None:
    # Shuffled, so that games of an odd number of plies shift those behind them.
    games = [game for length in range(5) for game in product(MASKS, repeat=length)]
    Random(0).shuffle(games)
    assert_as_replayed(games, first)


@pytest.mark.parametrize("first", ["X", "O"])
def test_games_of_any_length(first: Literal["X", "O"]) -> None:
    random = Random(1)
    games = [random.sample(MASKS[1:], 9)[: random.randrange(10)] for _ in range(20_000)]
    for game in random.sample(games, 10_000):
        game[random.randrange(len(game) + 1) :] = random.choices(MASKS, k=random.randrange(12))
    assert_as_replayed(games, first)


def test_no_games_and_games_of_no_plies() -> None:
    nothing = pl.Series(dtype=pl.UInt16)
    assert_frame_equal(legal_games(nothing, pl.Series(dtype=pl.UInt32), "X"), pl.DataFrame(schema=LEGAL))
    assert_as_replayed([[], [], [1], []], "X")


def test_a_ply_that_cannot_be_read_makes_no_legal_game() -> None:
    masks = pl.Series([1, None, 2, 4], dtype=pl.UInt16)
    found = legal_games(masks, pl.Series([2, 2], dtype=pl.UInt32), "X")
    assert found["outcome"].is_null().to_list() == [True, False]

"""A few of the cases that ``damage.fuzz`` and ``damage.kill`` make by the thousand."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from damage.fuzz import one_case
from damage.kill import SIGNALS, Arena


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_damaged_at_random(start: int, tmp_path: Path) -> None:
    for seed in range(start, start + 50):
        assert one_case(seed, tmp_path)


def test_killed_at_random(tmp_path: Path) -> None:
    arena = Arena(tmp_path, records=300_000)
    chance = random.Random(1)
    ended = [arena.kill(chance, sent) for sent in (*SIGNALS, *SIGNALS)]
    assert {one.report for one in ended} <= {"odd.csv", "even.csv"}
    arena.finish()

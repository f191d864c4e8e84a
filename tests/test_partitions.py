"""Rows brought together by their key: each comes out once, with all others of its key, in the order of adding."""

from __future__ import annotations

from pathlib import Path
from random import Random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from pipeline.partitions import PARTS, Partitions

SCHEMA = pl.Schema({"key": pl.String(), "number": pl.UInt32(), "more": pl.UInt64()})


def rows(keys: list[str | None], first: int = 0) -> pl.DataFrame:
    """A row for each key, numbered from ``first``."""
    numbers = range(first, first + len(keys))
    return pl.DataFrame({"key": keys, "number": numbers, "more": [None if n % 3 else n for n in numbers]}, SCHEMA)


def added(folder: Path, pieces: list[list[str | None]], rows_in_memory: int) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """All rows as they were added piece by piece, and the parts that came out."""
    partitions = Partitions(folder, "key", SCHEMA, rows_in_memory=rows_in_memory)
    frames, first = [pl.DataFrame(schema=SCHEMA)], 0
    for keys in pieces:
        frames.append(rows(keys, first))
        partitions.add(frames[-1])
        first += len(keys)
    return pl.concat(frames), list(partitions.parts())


def assert_brought_together(everything: pl.DataFrame, parts: list[pl.DataFrame]) -> None:
    assert all(part.schema == SCHEMA and part.height for part in parts)
    assert_frame_equal(pl.concat([pl.DataFrame(schema=SCHEMA), *parts]).sort("number"), everything)
    assert all(part["number"].is_sorted() for part in parts)
    keys = [key for part in parts for key in part["key"].unique()]
    assert len(keys) == len(set(keys))


some_keys = st.lists(st.sampled_from(["a", "b", "c", "d", "", "é", None]), max_size=30)


@given(st.lists(some_keys, max_size=6), st.integers(0, 40))
def test_any_rows_in_any_pieces(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[list[str | None]], rows_in_memory: int
) -> None:
    folder = tmp_path_factory.mktemp("rows") / "parts"
    everything, parts = added(folder, pieces, rows_in_memory)
    assert_brought_together(everything, parts)
    if folder.exists():
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("rows_in_memory", [0, 1, 999, 19_999])
def test_many_keys_are_spread_over_many_parts(rows_in_memory: int, tmp_path: Path) -> None:
    random = Random(1)
    keys: list[str | None] = [f"game {random.randrange(5_000)}" for _ in range(20_000)]
    pieces = [keys[start : start + 1_000] for start in range(0, len(keys), 1_000)]
    everything, parts = added(tmp_path / "parts", pieces, rows_in_memory)
    assert_brought_together(everything, parts)
    assert len(parts) == PARTS
    assert max(part.height for part in parts) < 4 * len(keys) / PARTS


def test_few_rows_stay_in_memory(tmp_path: Path) -> None:
    everything, parts = added(tmp_path / "parts", [["a", "b"], ["a", None]], 4)
    assert not (tmp_path / "parts").exists()
    assert len(parts) == 1
    assert_frame_equal(parts[0], everything)


def test_one_row_more_than_fit_goes_to_disk_and_all_later_ones_too(tmp_path: Path) -> None:
    partitions = Partitions(tmp_path / "parts", "key", SCHEMA, rows_in_memory=2)
    partitions.add(rows(["a", "b"]))
    assert not (tmp_path / "parts").exists()
    partitions.add(rows(["a"], 2))
    assert len(list((tmp_path / "parts").iterdir())) == 2
    partitions.add(rows(["b", "a"], 3))
    parts = list(partitions.parts())
    assert_brought_together(rows(["a", "b", "a", "b", "a"]), parts)
    assert sorted(part["key"].to_list() for part in parts) == [["a"] * 3, ["b"] * 2]


def test_rows_without_a_key_are_in_one_part(tmp_path: Path) -> None:
    everything, parts = added(tmp_path / "parts", [[None, "a"], [None] * 3, ["b", None]], 0)
    assert_brought_together(everything, parts)
    assert [part["key"].null_count() for part in parts if part["key"].null_count()] == [5]


def test_a_part_is_removed_once_it_has_been_read(tmp_path: Path) -> None:
    partitions = Partitions(tmp_path / "parts", "key", SCHEMA, rows_in_memory=0)
    partitions.add(rows([f"{number}" for number in range(1_000)]))
    left = [len(list((tmp_path / "parts").iterdir())) for _ in partitions.parts()]
    assert left == list(range(PARTS, 0, -1))


def test_nothing_has_no_parts(tmp_path: Path) -> None:
    assert added(tmp_path / "parts", [], 0)[1] == []
    assert added(tmp_path / "parts", [[], []], 0)[1] == []


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        added(tmp_path / "file" / "parts", [["a"]], 0)

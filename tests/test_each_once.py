"""What is done once for each text is the same as done for every row, whatever was met before."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.each_once import FEW, EachOnce


def lengths(texts: pl.Series) -> pl.DataFrame:
    values = [-1 if text is None else len(text) for text in texts]
    return pl.DataFrame({"length": values, "text": texts.alias("text")}, schema={"length": pl.Int32, "text": pl.String})


def drawn(random: Random, kinds: int, rows: int = 200) -> pl.Series:
    texts = [None, "", *(f"{'x' * (number % 7)}{number}" for number in range(kinds))]
    return pl.Series("text", [random.choice(texts) for _ in range(rows)], dtype=pl.String)


@pytest.mark.parametrize("kinds", [0, 1, FEW - 2, FEW, FEW + 1, 150])
@pytest.mark.parametrize("most", [0, 3, 100, 1 << 16])
def test_results_are_those_of_every_row(kinds: int, most: int) -> None:
    random = Random(kinds)
    each_once = EachOnce(lengths, most=most)
    for met in range(kinds + 1):
        texts = drawn(random, met)
        assert_frame_equal(each_once(texts), lengths(texts))


def test_no_text_at_all() -> None:
    each_once = EachOnce(lengths)
    assert_frame_equal(each_once(pl.Series(dtype=pl.String)), lengths(pl.Series(dtype=pl.String)))
    nothing = pl.Series([None, None], dtype=pl.String)
    assert_frame_equal(each_once(nothing), lengths(nothing))


def test_a_text_is_worked_on_once() -> None:
    worked: list[str | None] = []

    def work(texts: pl.Series) -> pl.DataFrame:
        worked.extend(texts)
        return lengths(texts)

    each_once = EachOnce(work)
    for _ in range(3):
        each_once(pl.Series(["a", "b", None, "a"]))
    assert sorted(worked, key=str) == [None, "a", "b"]


def test_what_is_too_much_is_not_remembered() -> None:
    worked: list[str | None] = []

    def work(texts: pl.Series) -> pl.DataFrame:
        worked.extend(texts)
        return lengths(texts)

    each_once = EachOnce(work, most=3)
    for _ in range(2):
        each_once(pl.Series(["a", "b"]))
        each_once(pl.Series(["c", "d"]))
    assert worked.count("a") == 1
    assert worked.count("c") == 2


def test_threads_may_share_it() -> None:
    each_once = EachOnce(lengths)
    series = [drawn(Random(seed), 400) for seed in range(40)]
    with ThreadPoolExecutor(4) as pool:
        for texts, found in zip(series, pool.map(each_once, series), strict=True):
            assert_frame_equal(found, lengths(texts))


@pytest.mark.parametrize("kinds", [0, 1, FEW, 150])
@pytest.mark.parametrize("foresee", [None, lambda texts: pl.concat([texts, pl.Series(["foreseen"])])])
def test_coded_texts_are_those_of_every_row(kinds: int, foresee: Callable[[pl.Series], pl.Series] | None) -> None:
    random = Random(kinds)
    each_once = EachOnce(lengths, foresee=foresee)
    for met in range(kinds + 1):
        texts = drawn(random, met)
        assert_frame_equal(each_once(texts.cast(pl.Categorical)), lengths(texts))
        assert_frame_equal(each_once(texts), lengths(texts))


def test_what_another_thread_puts_in_place_meanwhile_is_not_looked_at() -> None:
    class Overtaken(EachOnce):
        """Another thread that knew nothing of these texts is faster to put its own in place."""

        def _with_codes(self, texts: pl.Series, codes: pl.Series, highest: int) -> pl.DataFrame:
            before = self._coded
            found = super()._with_codes(texts, codes, highest)
            self._coded = before
            return found

    each_once = Overtaken(lengths)
    for texts in (pl.Series(["a", "bb", None]), pl.Series(["ccc", "a"]), pl.Series(["dddd", "bb"])):
        assert_frame_equal(each_once(texts.cast(pl.Categorical)), lengths(texts))

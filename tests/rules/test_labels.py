"""What labels mean, letter for letter where they are mapped, and where they contradict the outcome."""

from __future__ import annotations

import polars as pl
import pytest

from pipeline.rules.labels import UNKNOWN_LABEL, known_labels, label_meanings, label_reasons
from pipeline.rules.outcomes import OUTCOME_BIT
from schemas.reasons import codes
from schemas.vocabulary import OUTCOMES, Outcome

Mapping = dict[str, frozenset[Outcome]]


def meaning(label: str | None, mapping: Mapping | None = None) -> set[str] | None:
    meant = label_meanings(pl.Series([label], dtype=pl.String), mapping or {})[0]
    return None if meant is None else {outcome for outcome, bit in OUTCOME_BIT.items() if meant & bit}


@pytest.mark.parametrize(
    ("labels", "outcomes"),
    [
        (["X", "x", " X ", "A", "a", "positive", "Positive"], {"X"}),
        (["O", "o", "B", "b"], {"O"}),
        (["draw", "Draw", "DRAW", "tie", "D", "d", "\tdraw\n"], {"draw"}),
        (["pending", "unfinished", "ongoing", "continue", "ONGOING"], {"unfinished"}),
        (["negative", "NEGATIVE "], {"O", "draw", "unfinished"}),
        (["none", "0", "1", "player x", "X wins", "xo", "-", "é", "null"], set()),
    ],
)
def test_built_in_labels(labels: list[str], outcomes: set[str]) -> None:
    assert [meaning(label) for label in labels] == [outcomes] * len(labels)


@pytest.mark.parametrize("label", [None, "", " ", "\t", "\r\n"])
def test_nothing_is_no_label(label: str | None) -> None:
    assert meaning(label) is None


def test_mapped_labels_match_letter_for_letter() -> None:
    mapping: Mapping = {"Won": frozenset({"X"}), "X": frozenset({"O"}), "lost": frozenset({"O", "draw"})}
    assert {label: meaning(label, mapping) for label in ["Won", "won", " Won", "X", "x", " X", "lost", "O"]} == {
        "Won": {"X"},
        "won": set(),
        " Won": set(),
        "X": {"O"},
        "x": {"X"},
        " X": {"X"},
        "lost": {"O", "draw"},
        "O": {"O"},
    }


def test_empty_text_can_be_mapped_and_null_cannot() -> None:
    mapping: Mapping = {"": frozenset({"unfinished"}), " ": frozenset({"draw"})}
    assert [meaning(label, mapping) for label in ["", " ", "  ", None]] == [{"unfinished"}, {"draw"}, None, None]


def test_meanings_keep_rows_apart() -> None:
    labels = pl.Series(["X", None, "who", "x", "", "draw"])
    x, draw = OUTCOME_BIT["X"], OUTCOME_BIT["draw"]
    meanings = label_meanings(labels, {})
    assert meanings.dtype == pl.UInt8()
    assert meanings.to_list() == [x, None, UNKNOWN_LABEL, x, None, draw]


def test_no_rows_have_no_meanings() -> None:
    assert label_meanings(pl.Series([], dtype=pl.String), {}).to_list() == []


def test_known_labels() -> None:
    assert known_labels(["X", "who", "", "won"], {"won": frozenset({"X"})}) == ["X", "won"]


def reasons(outcome: str, label: str | None) -> list[str]:
    frame = pl.DataFrame({"outcome": [OUTCOME_BIT[outcome]]}, schema={"outcome": pl.UInt8})  # type: ignore[index]
    meant = label_meanings(pl.Series([label], dtype=pl.String), {})
    return codes(frame.select(label_reasons(pl.col("outcome"), pl.lit(meant))).item())


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("label", [*OUTCOMES, "negative", "positive", None])
def test_label_against_outcome(outcome: str, label: str | None) -> None:
    wider: dict[str, set[str]] = {"negative": {"O", "draw", "unfinished"}, "positive": {"X"}}
    allowed = set(OUTCOMES) if label is None else wider.get(label, {label})
    contradiction = "OUTCOME_UNFINISHED" if outcome == "unfinished" else "OUTCOME_MISMATCH"
    assert reasons(outcome, label) == ([] if outcome in allowed else [contradiction])

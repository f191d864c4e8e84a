"""What labels mean, and where a label contradicts the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

import polars as pl

from pipeline.each_once import EachOnce
from pipeline.rules.outcomes import OUTCOME_BIT, outcome_bits
from schemas.reasons import BIT
from schemas.vocabulary import BUILT_IN_LABELS, Outcome

UNKNOWN_LABEL: Final = 0
"""The set of outcomes of a label that has no meaning; no label at all is null."""


def label_meanings(texts: pl.Series, outcomes: Mapping[str, frozenset[Outcome]]) -> pl.Series:
    """The set of outcomes (``UInt8`` bits) that each label allows: ``UNKNOWN_LABEL`` or null where there is none.

    A label in ``outcomes`` means exactly that and matches letter for letter; the others have their built-in
    meaning, in either case and without the blanks around them. Null and blank text are no label.
    """
    return _meanings(frozenset(outcomes.items()))(texts)["meaning"]


@lru_cache(maxsize=8)
def _meanings(outcomes: frozenset[tuple[str, frozenset[Outcome]]]) -> EachOnce:
    def meanings(texts: pl.Series) -> pl.DataFrame:
        known = dict(outcomes)
        return pl.DataFrame({"meaning": [_meaning(text, known) for text in texts]}, schema={"meaning": pl.UInt8})

    return EachOnce(meanings)


def known_labels(texts: Iterable[str], outcomes: Mapping[str, frozenset[Outcome]]) -> list[str]:
    """Those of ``texts`` that are labels with a meaning."""
    return [text for text in texts if _meaning(text, outcomes) not in (None, UNKNOWN_LABEL)]


def label_reasons(outcome: pl.Expr, meant: pl.Expr) -> pl.Expr:
    """The reason bits (``UInt32``) of comparing an outcome (one bit) with what its label allows; 0 for null."""
    contradicted = (outcome & meant) == 0
    code = (
        pl.when(outcome == OUTCOME_BIT["unfinished"]).then(BIT["OUTCOME_UNFINISHED"]).otherwise(BIT["OUTCOME_MISMATCH"])
    )
    return pl.when(contradicted).then(code).otherwise(0).cast(pl.UInt32)


def _meaning(text: str | None, outcomes: Mapping[str, frozenset[Outcome]]) -> int | None:
    if text is None:
        return None
    if text in outcomes:
        return outcome_bits(outcomes[text])
    label = text.strip().lower()
    return outcome_bits(BUILT_IN_LABELS.get(label, ())) if label else None

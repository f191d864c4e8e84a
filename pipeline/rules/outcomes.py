"""Outcomes as bits, so that a set of outcomes is one number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import polars as pl

from pipeline.rules.lines import FULL_MASK, has_line
from schemas.vocabulary import OUTCOMES, Outcome

OUTCOME_BIT: Final = {outcome: 1 << position for position, outcome in enumerate(OUTCOMES)}


def outcome_bits(outcomes: Iterable[Outcome]) -> int:
    """The set of these outcomes as a number."""
    return sum(OUTCOME_BIT[outcome] for outcome in set(outcomes))


def outcome_of(x: pl.Expr, o: pl.Expr) -> pl.Expr:
    """The outcome bit (``UInt8``) of a reachable board: X's line, O's line, else draw on nine, else unfinished."""
    return (
        pl.when(has_line(x))
        .then(OUTCOME_BIT["X"])
        .when(has_line(o))
        .then(OUTCOME_BIT["O"])
        .when((x | o) == FULL_MASK)
        .then(OUTCOME_BIT["draw"])
        .otherwise(OUTCOME_BIT["unfinished"])
        .cast(pl.UInt8)
    )

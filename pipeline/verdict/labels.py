"""Compares what a file claims, a label or a board beside the moves, with what was found."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from pipeline.encode.symbols import coded_or_text
from pipeline.layout import Layout
from pipeline.rules.labels import label_meanings, label_reasons
from schemas.reasons import BIT


class Claims(NamedTuple):
    """What a file claims of each record.

    ``allowed`` holds the outcomes that the label allows, as bits, and null for no label; ``unknown`` whether a
    label has no meaning; ``board_differs`` whether a recorded board is not the position. None where the file
    claims no such thing.
    """

    allowed: pl.Series | None = None
    unknown: pl.Series | None = None
    board_differs: pl.Series | None = None


def meanings(columns: pl.DataFrame, layout: Layout) -> pl.Series | None:
    """What the label of each row allows, as outcome bits (see ``rules.labels``); None where none are compared."""
    if layout.outcome is None:
        return None
    return label_meanings(coded_or_text(columns[layout.outcome]), layout.outcomes)


def with_claims(judged: pl.DataFrame, claims: Claims) -> pl.DataFrame:
    """``judged`` with the reasons of claims that do not hold; they are compared only where there is no other reason."""
    if all(claim is None for claim in claims):
        return judged
    reasons = pl.col("reasons")
    if claims.unknown is not None:
        unknown = claims.unknown.fill_null(value=False).cast(pl.UInt32) * BIT["OUTCOME_UNKNOWN"]
        judged = judged.with_columns(reasons=reasons | unknown)
    broken = pl.lit(0, pl.UInt32)
    if claims.allowed is not None:
        broken = broken | label_reasons(pl.col("outcome"), pl.lit(claims.allowed))
    if claims.board_differs is not None:
        broken = broken | claims.board_differs.cast(pl.UInt32) * BIT["BOARD_MISMATCH"]
    return judged.with_columns(reasons=pl.when(reasons == 0).then(broken).otherwise(reasons))

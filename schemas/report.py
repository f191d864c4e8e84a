"""Pandera schema of the invalid-rows report: what the pipeline writes must pass it too."""

from __future__ import annotations

from typing import Final

import pandera.polars as pa
import polars as pl
from pandera.polars import PolarsData

from schemas.reasons import REASONS

REPORT_SCHEMA: Final = pl.Schema(
    {
        "_file": pl.String(),
        "_row": pl.UInt64(),
        "_line": pl.UInt64(),
        "_reasons": pl.List(pl.String),
        "_ply": pl.UInt8(),
        "_raw": pl.String(),
    }
)
"""The report's own columns, in order; a source column of such a name gets one more ``_`` in front."""

_NULLABLE: Final = frozenset({"_line", "_ply", "_raw"})


def invalid_rows() -> pa.DataFrameSchema:
    """The report's own columns of ``invalid.parquet``; the source's own columns stand beside them.

    ``_reasons`` is never empty, holds known codes only, each once and sorted by name; ``_ply`` counts from 1.
    """
    checks = {"_reasons": pa.Check(_known_sorted_codes, name="reason codes"), "_ply": pa.Check.ge(1)}
    return pa.DataFrameSchema(
        {name: pa.Column(dtype, checks.get(name), nullable=name in _NULLABLE) for name, dtype in REPORT_SCHEMA.items()}
    )


def _known_sorted_codes(data: PolarsData) -> pl.LazyFrame:
    return data.lazyframe.select(pl.col(data.key).map_batches(_are_sets_of_codes, return_dtype=pl.Boolean))


def _are_sets_of_codes(values: pl.Series) -> pl.Series:
    # Few different sets of reasons occur, however many rows there are.
    if all(_is_set_of_codes(codes) for codes in values.unique().to_list()):
        return pl.repeat(value=True, n=values.len(), dtype=pl.Boolean, eager=True)
    return pl.Series([_is_set_of_codes(codes) for codes in values.to_list()], dtype=pl.Boolean)


def _is_set_of_codes(codes: list[str]) -> bool:
    return bool(codes) and REASONS.keys() >= set(codes) and codes == sorted(set(codes))

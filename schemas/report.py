"""Pandera schema of the invalid-rows report: what the pipeline writes must pass it too."""

from __future__ import annotations

import pandera.polars as pa
import polars as pl
from pandera.polars import PolarsData

from schemas.reasons import REASONS

_SEPARATOR = ";"


def invalid_rows() -> pa.DataFrameSchema:
    """The report's own columns of ``invalid.parquet``; the source's own columns stand beside them.

    ``_reasons`` is never empty, holds known codes only, each once and sorted by name.
    """
    return pa.DataFrameSchema(
        {
            "_file": pa.Column(pl.String),
            "_row": pa.Column(pl.UInt64),
            "_line": pa.Column(pl.UInt64, nullable=True),
            "_reasons": pa.Column(pl.List(pl.String), pa.Check(_known_sorted_codes, name="reason codes")),
            "_ply": pa.Column(pl.UInt8, pa.Check.ge(1), nullable=True),
            "_raw": pa.Column(pl.String, nullable=True),
        }
    )


def _known_sorted_codes(data: PolarsData) -> pl.LazyFrame:
    joined = pl.col(data.key).list.join(_SEPARATOR)
    return data.lazyframe.select(joined.map_batches(_are_sets_of_codes, return_dtype=pl.Boolean))


def _are_sets_of_codes(joined: pl.Series) -> pl.Series:
    # Few different sets of reasons occur, however many rows there are.
    good = [text for text in joined.unique().drop_nulls() if _is_set_of_codes(text.split(_SEPARATOR))]
    return joined.is_in(good)


def _is_set_of_codes(codes: list[str]) -> bool:
    return codes == sorted(set(codes)) and REASONS.keys() >= set(codes)

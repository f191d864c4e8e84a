"""Pandera checks named by reason code, from Polars expressions."""

from __future__ import annotations

from collections.abc import Callable

import pandera.polars as pa
import polars as pl
from pandera.polars import PolarsData


def check(code: str, passes: Callable[[pl.Expr], pl.Expr]) -> pa.Check:
    """A check that carries the reason code as its name; ``passes`` says of a column which values pass."""

    def column_passes(data: PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(passes(pl.col(data.key)))

    # Pandera lets a null pass by default, before the check has seen it.
    return pa.Check(column_passes, name=code, ignore_na=False)


def one_column(
    column: str, dtype: pl.DataType | type[pl.DataType], **checks: Callable[[pl.Expr], pl.Expr]
) -> pa.DataFrameSchema:
    """A schema of one column with a check for each reason code."""
    named = [check(code, passes) for code, passes in checks.items()]
    return pa.DataFrameSchema({column: pa.Column(dtype, named, nullable=True)})

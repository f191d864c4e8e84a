"""What Pandera schemas find in a frame, as one set of reason bits a row; no other room here knows Pandera."""

from __future__ import annotations

import pandera.errors
import pandera.polars as pa
import polars as pl

from pipeline.errors import InternalError
from schemas.reasons import BIT

Schema = pa.DataFrameSchema


def reasons(frame: pl.DataFrame, schema: Schema) -> pl.Series:
    """The reasons of each row of ``frame`` as ``UInt32`` bits: those whose checks in ``schema`` it fails.

    Raises:
        InternalError: the schema does not fit the frame (a column or type that is not as it should be).
    """
    found = pl.zeros(frame.height, dtype=pl.UInt32, eager=True).alias("reasons")
    try:
        schema.validate(frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        for error in errors.schema_errors:
            found = found | _bits(error)
    return found


def require(frame: pl.DataFrame, schema: Schema) -> None:
    """Make sure that a frame of our own making passes its schema.

    Raises:
        InternalError: it does not.
    """
    try:
        schema.validate(frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        raise InternalError(f"what was to be written does not pass its own schema: {errors}") from errors


def _bits(error: pandera.errors.SchemaError) -> pl.Series:
    code = str(getattr(error.check, "name", None))
    if code not in BIT or not isinstance(error.check_output, pl.DataFrame):
        raise InternalError(f"a schema does not fit the data that it should check: {error}")
    failed: pl.Series = ~error.check_output["check_output"]
    return failed.cast(pl.UInt32) * BIT[code]

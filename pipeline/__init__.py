"""Checks recorded tic-tac-toe data and says of every record that cannot have happened why.

>>> import polars as pl
>>> from pipeline import validate
>>> result = validate(pl.DataFrame({"board": ["XO.......", "OO......."]}))
>>> result.invalid.collect()["_reasons"].to_list()
[['O_COUNT_AHEAD']]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.api import Result, validate

__all__ = ["Result", "validate"]


def __getattr__(name: str) -> object:
    # Importing Polars and Pandera takes half a second: not before it is needed.
    if name in __all__:
        from pipeline import api  # noqa: PLC0415

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

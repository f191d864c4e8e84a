"""The rules of boards as checks of a Pandera schema, on the whole file in one frame."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import reduce
from operator import or_

import pandera.errors
import pandera.polars as pa
import polars as pl
from pandera.polars import PolarsData

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def has_line(board: pl.Expr, mark: str) -> pl.Expr:
    """Tell whether a player has three in a row."""
    patterns = ("".join(mark if cell in line else "." for cell in range(9)) for line in LINES)
    return reduce(or_, (board.str.contains(f"^{pattern}$") for pattern in patterns))


def ahead(board: pl.Expr) -> pl.Expr:
    """Tell how many more X there are than O."""
    return board.str.count_matches("X").cast(pl.Int8) - board.str.count_matches("O").cast(pl.Int8)


HOLDS: dict[str, Callable[[pl.Expr], pl.Expr]] = {
    "CELL_UNKNOWN": lambda board: board.str.contains(r"^[XO.]{9}$"),
    "O_COUNT_AHEAD": lambda board: ahead(board) >= 0,
    "X_COUNT_AHEAD": lambda board: ahead(board) <= 1,
    "BOTH_WIN": lambda board: ~(has_line(board, "X") & has_line(board, "O")),
    "X_WIN_COUNT": lambda board: ~has_line(board, "X") | (ahead(board) == 1),
    "O_WIN_COUNT": lambda board: ~has_line(board, "O") | (ahead(board) == 0),
}


def check(code: str) -> pa.Check:
    """Make the check of one rule."""

    def passes(data: PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(HOLDS[code](pl.col(data.key)))

    return pa.Check(passes, name=code)


def main() -> None:
    """Check the file that the command line names and print the counts."""
    name = sys.argv[1]
    boards = pl.read_csv(name) if name.endswith(".csv") else pl.read_parquet(name)
    schema = pa.DataFrameSchema({"board": pa.Column(pl.String, [check(code) for code in HOLDS])})
    invalid = pl.zeros(boards.height, dtype=pl.Boolean, eager=True)
    reasons = {}
    try:
        schema.validate(boards, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        for error in errors.schema_errors:
            failed = ~error.check_output["check_output"]
            reasons[error.check.name] = int(failed.sum())
            invalid |= failed
    print(json.dumps({"records": boards.height, "invalid": int(invalid.sum()), "reasons": reasons}))


if __name__ == "__main__":
    main()

"""The bare scan: reads all columns and looks at every value, but judges nothing."""

from __future__ import annotations

import json
import sys

import polars as pl
import polars.selectors as cs


def main() -> None:
    """Scan the file named on the command line and print how many rows it holds, and a sum for each column."""
    columns = pl.scan_parquet(sys.argv[1]).select(
        pl.len().alias("rows"),
        cs.string().str.len_bytes().sum().name.suffix(" bytes"),
        cs.integer().cast(pl.Int64).sum().name.suffix(" sum"),
        cs.list().list.sum().cast(pl.Int64).sum().name.suffix(" sum"),
    )
    print(json.dumps(columns.collect(engine="streaming").row(0, named=True)))


if __name__ == "__main__":
    main()

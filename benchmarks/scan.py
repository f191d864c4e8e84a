"""The bare scan: Polars reads all columns in streaming mode and looks at every value, but judges nothing."""

from __future__ import annotations

import json
import sys

import polars as pl
import polars.selectors as cs


def main() -> None:
    """Scan the file that the command line names and print how many rows it holds, and a sum for each column."""
    name = sys.argv[1]
    table = pl.scan_csv(name) if name.endswith(".csv") else pl.scan_parquet(name)
    columns = table.select(
        pl.len().alias("rows"),
        cs.string().str.len_bytes().sum().name.suffix(" bytes"),
        cs.integer().cast(pl.Int64).sum().name.suffix(" sum"),
        cs.list().list.sum().cast(pl.Int64).sum().name.suffix(" sum"),
    )
    print(json.dumps(columns.collect(engine="streaming").row(0, named=True)))


if __name__ == "__main__":
    main()

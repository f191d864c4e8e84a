"""The bare scan: reads the column of boards and looks at every value, but judges nothing."""

from __future__ import annotations

import json
import sys

import polars as pl


def main() -> None:
    """Scan the file named on the command line and print how many rows and bytes of text it holds."""
    boards = pl.scan_parquet(sys.argv[1]).select(rows=pl.len(), text_bytes=pl.col("board").str.len_bytes().sum())
    print(json.dumps(boards.collect(engine="streaming").row(0, named=True)))


if __name__ == "__main__":
    main()

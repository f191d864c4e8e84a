"""The rules of boards in DuckDB SQL: of every row, or (``--distinct``) of every distinct board."""

from __future__ import annotations

import json
import sys

import duckdb

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def line(mark: str) -> str:
    """Write the condition that a player has three in a row."""
    cells = (" AND ".join(f"board[{cell + 1}] = '{mark}'" for cell in row) for row in LINES)
    return "(" + " OR ".join(f"({row})" for row in cells) + ")"


COUNTED = f"""
    SELECT board, n, {line("X")} AS x_wins, {line("O")} AS o_wins,
           length(replace(board, 'O', '')) - length(replace(board, 'X', '')) AS ahead
    FROM boards
"""

BROKEN = {
    "CELL_UNKNOWN": "NOT regexp_full_match(board, '[XO.]{9}')",
    "O_COUNT_AHEAD": "ahead < 0",
    "X_COUNT_AHEAD": "ahead > 1",
    "BOTH_WIN": "x_wins AND o_wins",
    "X_WIN_COUNT": "x_wins AND ahead <> 1",
    "O_WIN_COUNT": "o_wins AND ahead <> 0",
}


def main() -> None:
    """Check the file that the command line names last and print the counts."""
    *options, name = sys.argv[1:]
    duckdb.execute("SET threads = 2")
    boards = "SELECT board, 1 AS n FROM read_table($file)"
    if options == ["--distinct"]:
        boards = "SELECT board, count(*) AS n FROM read_table($file) GROUP BY board"
    read_table = "read_csv" if name.endswith(".csv") else "read_parquet"
    codes = ", ".join(f"coalesce(sum(n) FILTER ({holds}), 0) AS {code}" for code, holds in BROKEN.items())
    any_holds = " OR ".join(f"({holds})" for holds in BROKEN.values())
    query = f"""
        WITH boards AS ({boards.replace("read_table", read_table)}), counted AS ({COUNTED})
        SELECT coalesce(sum(n), 0) AS records, coalesce(sum(n) FILTER ({any_holds}), 0) AS invalid, {codes} FROM counted
    """
    result = duckdb.execute(query, {"file": name})
    names = [column[0] for column in result.description or ()]
    counts = {name: int(count) for name, count in zip(names, result.fetchone() or (), strict=True)}
    reasons = {code: counts[code] for code in BROKEN if counts[code]}
    print(json.dumps({"records": counts["records"], "invalid": counts["invalid"], "reasons": reasons}))


if __name__ == "__main__":
    main()

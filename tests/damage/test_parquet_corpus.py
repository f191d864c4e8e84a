"""Parquet files of every type that may hold a board or a move, with values that must not be taken for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import Command

NAN, INF = float("nan"), float("inf")
GOOD, BAD = "XO.......", "O........"
CELLS = list(GOOD)
NUMBERS = ("--cells", "X=1", "--cells", "O=2", "--cells", "empty=0")
SIZE, UNKNOWN, MISSING = "BOARD_SIZE", "CELL_UNKNOWN", "BOARD_MISSING"
UNREADABLE, OUTSIDE, NO_MOVES = "MOVES_UNREADABLE", "MOVE_OUT_OF_BOUNDS", "MOVES_MISSING"


@dataclass(frozen=True)
class Case:
    """One column of a type, and the codes of each of its rows; none for a valid one."""

    name: str
    type: Any
    rows: Sequence[Any]
    codes: Sequence[str]
    column: str = "board"
    flags: tuple[str, ...] = field(default=())


TEXTS, OF_TEXTS = [GOOD, BAD, None, "", "XO.", "XO......?"], ["", "O_COUNT_AHEAD", MISSING, MISSING, SIZE, UNKNOWN]
BYTES, OF_BYTES = (
    [*(text if text is None else text.encode() for text in TEXTS), b"XO......\xff"],
    [*OF_TEXTS, UNKNOWN],
)
LISTS = [
    CELLS,
    list(BAD),
    None,
    [],
    [*CELLS, "."],
    [None] * 9,
    ["X", *[None] * 8],
    ["?", *CELLS[1:]],
    ["XO.", "...", "..."],
]
OF_LISTS = ["", "O_COUNT_AHEAD", MISSING, SIZE, SIZE, "", "", UNKNOWN, ""]
DOTTED = ("--cells", "empty=.", "--cells", "empty=")
ROWS = [["X", "O", "."], ["."] * 3, ["."] * 3]
SQUARES = [[4, 0, 8], [], None, [None], [4, None, 8], [9], [-1], [4, 4]]
OF_SQUARES = ["", "", NO_MOVES, UNREADABLE, UNREADABLE, OUTSIDE, OUTSIDE, "CELL_OCCUPIED"]
UNSIGNED, OF_UNSIGNED = (
    [SQUARES[row] for row in (0, 1, 2, 3, 4, 5, 7)],
    [OF_SQUARES[row] for row in (0, 1, 2, 3, 4, 5, 7)],
)

CASES = [
    *(
        Case(f"boards as {kind}", kind, TEXTS, OF_TEXTS)
        for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string()))
    ),
    *(Case(f"boards as {kind}", kind, BYTES, OF_BYTES) for kind in (pa.binary(), pa.large_binary(), pa.binary_view())),
    Case("boards as bytes of a fixed size", pa.binary(9), [GOOD.encode(), None, bytes(9)], ["", MISSING, UNKNOWN]),
    Case("boards of nothing but nulls", pa.null(), [None, None], [MISSING, MISSING]),
    *(
        Case(f"boards as {kind}", kind, LISTS, OF_LISTS, flags=DOTTED)
        for kind in (
            pa.list_(pa.string()),
            pa.large_list(pa.string()),
            pa.list_(pa.string_view()),
            pa.list_(pa.dictionary(pa.int32(), pa.string())),
        )
    ),
    Case(
        "boards as lists of bytes",
        pa.list_(pa.binary()),
        [[cell.encode() for cell in CELLS], [b"\xff", *[b"."] * 8], [None, *[b"."] * 8], None],
        ["", UNKNOWN, UNKNOWN, MISSING],
    ),
    Case(
        "boards as lists of a fixed size",
        pa.list_(pa.string(), 9),
        [CELLS, None, [None] * 9],
        ["", MISSING, ""],
        flags=DOTTED,
    ),
    Case("boards as lists of a fixed wrong size", pa.list_(pa.string(), 8), [CELLS[:8], None], [SIZE, MISSING]),
    Case(
        "boards of three by three",
        pa.list_(pa.list_(pa.string())),
        [ROWS, ROWS[:2], [ROWS[0], None, ROWS[2]], [[*ROWS[0], "."], ROWS[1], ROWS[2]], [], None, [["X"] * 9]],
        ["", SIZE, SIZE, SIZE, SIZE, MISSING, SIZE],
    ),
    Case("boards of fixed three by three", pa.list_(pa.list_(pa.string(), 3), 3), [ROWS, None], ["", MISSING]),
    *(
        Case(
            f"boards as lists of {kind}",
            pa.list_(kind),
            [[1, 2, *[0] * 7], [1] * 8, [3, *[0] * 8]],
            ["", SIZE, UNKNOWN],
            flags=NUMBERS,
        )
        for kind in (pa.int8(), pa.uint64(), pa.int64(), pa.float32(), pa.float64())
    ),
    Case(
        "boards as lists of numbers that are not whole",
        pa.list_(pa.float64()),
        [[value, 2, *[0] * 7] for value in (1.0, 1.5, 0.9999999999, NAN, INF, -INF, 300, 257, 1e300)],
        ["", *[UNKNOWN] * 8],
        flags=NUMBERS,
    ),
    Case(
        "boards as lists of decimals",
        pa.list_(pa.decimal128(38, 20)),
        [[Decimal(value), Decimal(2), *[Decimal(0)] * 7] for value in ("1", "1.5", "1.00000000000000000001", "300")],
        ["", UNKNOWN, UNKNOWN, UNKNOWN],
        flags=NUMBERS,
    ),
    Case(
        "boards as lists of Booleans",
        pa.list_(pa.bool_()),
        [[True, False, *[None] * 7], [None] * 8],
        ["", SIZE],
        flags=("--cells", "X=true", "--cells", "O=false", "--cells", "empty="),
    ),
    # Games
    *(
        Case(f"games as lists of {kind}", pa.list_(kind), SQUARES, OF_SQUARES, "moves")
        for kind in (pa.int8(), pa.int16(), pa.int64(), pa.float32(), pa.float64(), pa.decimal128(10, 2))
    ),
    *(
        Case(f"games as lists of {kind}", pa.list_(kind), UNSIGNED, OF_UNSIGNED, "moves")
        for kind in (pa.uint8(), pa.uint32(), pa.uint64())
    ),
    Case("games as large lists", pa.large_list(pa.int32()), SQUARES, OF_SQUARES, "moves"),
    Case(
        "games as lists of a fixed size",
        pa.list_(pa.int8(), 2),
        [[4, 0], None, [4, None], [4, 9]],
        ["", NO_MOVES, UNREADABLE, OUTSIDE],
        "moves",
    ),
    Case(
        "numbers that are not whole, too large or none",
        pa.list_(pa.float64()),
        [[value] for value in (1.0, -0.0, 1.5, 8.0000001, NAN, INF, -INF, 300.0, 256.0, 1e300, -1e300)],
        ["", "", *[UNREADABLE] * 5, *[OUTSIDE] * 4],
        "moves",
    ),
    Case(
        "decimals that are all but whole",
        pa.list_(pa.decimal128(38, 20)),
        [[Decimal(value)] for value in ("1", "1.5", "1.00000000000000000001", "0.99999999999999999999", "300")],
        ["", UNREADABLE, UNREADABLE, UNREADABLE, OUTSIDE],
        "moves",
    ),
    Case(
        "numbers at the end of 64 bits",
        pa.list_(pa.uint64()),
        [[2**64 - 1], [2**63], [2**32], [8]],
        [*[OUTSIDE] * 3, ""],
        "moves",
    ),
    Case(
        "numbers at the other end", pa.list_(pa.int64()), [[-(2**63)], [2**63 - 1], [2**32 + 4]], [OUTSIDE] * 3, "moves"
    ),
    Case(
        "numbers as text",
        pa.list_(pa.string()),
        [
            [text]
            for text in (
                "4",
                "4.0",
                " 4 ",
                "04",
                "4.5",
                "300",
                "0x1",
                "\uff11",
                "",
                None,
                "1e0",
                "18446744073709551620",
            )
        ],
        ["", "", "", "", UNREADABLE, OUTSIDE, UNREADABLE, UNREADABLE, UNREADABLE, UNREADABLE, UNREADABLE, OUTSIDE],
        "moves",
    ),
    Case("lists of nothing but nulls", pa.list_(pa.null()), [[], [None], None], ["", UNREADABLE, NO_MOVES], "moves"),
    Case(
        "lists of pairs",
        pa.list_(pa.list_(pa.int8())),
        [[[1, 1]], [[1]], [[1, 1, 1]], [[]], [None], [[1, None]], [[None, 9]], [[3, 0]], None],
        ["", *[UNREADABLE] * 6, OUTSIDE, NO_MOVES],
        "moves",
    ),
    Case(
        "games as text",
        pa.string_view(),
        ["1,1;0,0", "", None, "1,1;", "1;1", "[[1,1]]", "[[[1,1]]]"],
        ["", "", NO_MOVES, UNREADABLE, UNREADABLE, "", UNREADABLE],
        "moves",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_type(case: Case, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "data.parquet"
    pq.write_table(pa.table({case.column: pa.array(case.rows, case.type)}), path)
    done = command("run", "data.parquet", *case.flags, "--json")
    invalid = sum(codes != "" for codes in case.codes)
    assert (done.exit_code, done.err) == (1 if invalid else 0, "")
    read = len(case.rows)
    assert done.json["records"] == {"read": read, "valid": read - invalid, "invalid": invalid}
    found = pl.read_parquet(tmp_path / "reports" / "data" / "invalid.parquet").select(
        "_row", pl.col("_reasons").list.join(" ")
    )
    assert found.rows() == [(row, codes) for row, codes in enumerate(case.codes) if codes]


@pytest.mark.parametrize(
    "dtype", [pl.Categorical(), pl.Enum(["", "O........", "XO.", "XO.......", "XO......?"])], ids=str
)
def test_categories_of_polars(dtype: pl.DataType, tmp_path: Path, command: Command) -> None:
    pl.DataFrame({"board": pl.Series(TEXTS, dtype=dtype)}).write_parquet(tmp_path / "data.parquet")
    assert command("run", "data.parquet").exit_code == 1
    invalid = pl.read_parquet(tmp_path / "reports" / "data" / "invalid.parquet")
    assert dict(invalid.select("_row", pl.col("_reasons").list.first()).rows()) == dict(
        enumerate(OF_TEXTS[1:], start=1)
    )


@pytest.mark.parametrize(
    ("kind", "value", "column"),
    [
        (pa.list_(pa.list_(pa.list_(pa.string()))), [[["X"]]], "board"),
        (pa.struct([("a", pa.string())]), {"a": GOOD}, "board"),
        (pa.list_(pa.struct([("a", pa.string())])), [{"a": "X"}], "board"),
        (pa.map_(pa.string(), pa.string()), [("a", "b")], "board"),
        (pa.date32(), 1, "board"),
        (pa.list_(pa.date32()), [1], "moves"),
        (pa.list_(pa.list_(pa.list_(pa.int8()))), [[[1]]], "moves"),
        (pa.list_(pa.struct([("a", pa.int8()), ("b", pa.int8())])), [{"a": 1, "b": 1}], "moves"),
        (pa.timestamp("us"), 1, "moves"),
        (pa.list_(pa.decimal256(38, 0)), [Decimal(4)], "moves"),
    ],
    ids=str,
)
def test_type_that_holds_no_records_is_refused(
    kind: Any, value: Any, column: str, tmp_path: Path, command: Command
) -> None:
    pq.write_table(pa.table({column: pa.array([value], kind)}), tmp_path / "data.parquet")
    pl.DataFrame({"moves": [[4]]} if column == "moves" else {"board": [GOOD]}).write_parquet(tmp_path / "good.parquet")
    done = command("run", "data.parquet", "good.parquet", "--json")
    assert done.exit_code == 3
    (said,) = done.err.splitlines()
    assert said.startswith(f"error: data.parquet: column '{column}' is of type ")
    assert done.json["records"] == {"read": 1, "valid": 1, "invalid": 0}


def damaged_in_the_middle(path: Path, rows: int) -> None:
    """Ten row groups of different boards, and the data of the sixth overwritten."""
    boards = [GOOD] * (rows // 10)
    pq.write_table(
        pa.table({"board": boards * 10}), path, row_group_size=rows // 10, use_dictionary=False, compression="NONE"
    )
    place = pq.read_metadata(path).row_group(5).column(0).data_page_offset
    content = bytearray(path.read_bytes())
    content[place : place + 40] = b"\xff" * 40
    path.write_bytes(content)


def test_damaged_page_in_the_middle(tmp_path: Path, command: Command) -> None:
    damaged_in_the_middle(tmp_path / "data.parquet", 1_000)
    (tmp_path / "good.csv").write_text("board\nXO.......\n")
    done = command("run", "data.parquet", "good.csv", "--json")
    assert done.exit_code == 3
    (said,) = done.err.splitlines()
    assert said.startswith("error: data.parquet: damaged after row 500")
    assert [one["records"]["read"] for one in done.json["inputs"]] == [500, 1]
    assert done.json["complete"] is False


@pytest.mark.parametrize("keep", [4, 100, -100, -8, -1])
def test_cut_off(keep: int, tmp_path: Path, command: Command) -> None:
    pq.write_table(pa.table({"board": [GOOD] * 100}), tmp_path / "data.parquet")
    (tmp_path / "data.parquet").write_bytes((tmp_path / "data.parquet").read_bytes()[:keep])
    (tmp_path / "good.csv").write_text("board\nXO.......\n")
    done = command("run", "data.parquet", "good.csv", "--json")
    assert done.exit_code == 3
    (said,) = done.err.splitlines()
    assert said.startswith("error: data.parquet: not readable as Parquet (cut off, or damaged?): ")
    assert done.json["records"]["read"] == 1

"""Damaged text files, each with its exact account, written out by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
import pytest

from conftest import Command

LONG = b"x" * 100_000


@dataclass(frozen=True)
class Case:
    """A text file, and what a run says of it.

    ``lines`` are those read and those of header, blank lines and records; ``bad`` has each invalid record as
    (row, line, codes); ``raw`` the original text of those that could not be split.
    """

    name: str
    content: bytes
    lines: tuple[int, int, int, int]
    records: tuple[int, int, int]
    bad: list[tuple[int, int, str]] = field(default_factory=list)
    raw: dict[int, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()


CASES = [
    # Quotes
    Case(
        "quote that stays open",
        b'board,n\nXO.......,1\n"XO.......,2\nXO.......,3\nO........,4\n',
        (5, 1, 0, 4),
        (4, 2, 2),
        [(1, 3, "QUOTE_BROKEN"), (3, 5, "O_COUNT_AHEAD")],
        {1: '"XO.......,2'},
    ),
    Case(
        "quote that stays open on the last line",
        b'board,n\nXO.......,1\nXO.......,"2',
        (3, 1, 0, 2),
        (2, 1, 1),
        [(1, 3, "QUOTE_BROKEN")],
        {1: 'XO.......,"2'},
    ),
    Case(
        "quote that stays open, and lines after it that have quotes",
        b'board,n\n"XO.......,1\nXO.......,"2"\n"O........","3"\nXO.......,4\n',
        (5, 1, 0, 4),
        (4, 2, 2),
        [(0, 2, "QUOTE_BROKEN"), (2, 4, "O_COUNT_AHEAD")],
    ),
    Case(
        "quote that stays open, and lines after it that do not fit",
        b'board,n\n"XO.......,1\nXO.......\nXO.......,2,3\nXO.......,4\n',
        (5, 1, 0, 4),
        (4, 1, 3),
        [(0, 2, "QUOTE_BROKEN"), (1, 3, "FIELDS_MISSING"), (2, 4, "FIELDS_EXTRA")],
        {0: '"XO.......,1', 1: "XO.......", 2: "XO.......,2,3"},
    ),
    Case(
        "quote that stays open before a blank line",
        b'board\n"XO.......\n\nXO.......\n',
        (4, 1, 1, 2),
        (2, 1, 1),
        [(0, 2, "QUOTE_BROKEN")],
    ),
    Case(
        "a stray quote on every line",
        b"board,n\n" + b'"XO.......,1\n' * 5,
        (6, 1, 0, 5),
        (5, 0, 5),
        [(row, row + 2, "QUOTE_BROKEN") for row in range(5)],
    ),
    Case(
        "a stray quote in the midst of 60,000 lines",
        b"board,n\n" + b"XO.......,1\n" * 30_000 + b'"XO.......,2\n' + b'XO.......,"3"\n' * 30_000,
        (60_002, 1, 0, 60_001),
        (60_001, 60_000, 1),
        [(30_000, 30_002, "QUOTE_BROKEN")],
    ),
    Case(
        "text after a closing quote",
        b'board,n\n"XO......."!,1\nXO.......,2\n',
        (3, 1, 0, 2),
        (2, 1, 1),
        [(0, 2, "QUOTE_BROKEN")],
        {0: '"XO......."!,1'},
    ),
    Case("blank after a closing quote", b'board\n"XO......." \n', (2, 1, 0, 1), (1, 0, 1), [(0, 2, "QUOTE_BROKEN")]),
    Case(
        "closing quote missing in a file that quotes all",
        b'"board","n"\n"XO.......,"1"\n"XO.......","2"\n',
        (3, 1, 0, 2),
        (2, 1, 1),
        [(0, 2, "QUOTE_BROKEN")],
    ),
    Case(
        "opening quote missing in a file that quotes all",
        b'"board","n"\nXO.......","1"\n"XO.......","2"\n',
        (3, 1, 0, 2),
        (2, 1, 1),
        [(0, 2, "BOARD_SIZE")],
    ),
    Case("quote within an unquoted field", b'board\nXO."....."\n', (2, 1, 0, 1), (1, 0, 1), [(0, 2, "BOARD_SIZE")]),
    Case("quoted quote", b'board\n"XO.""....."\n', (2, 1, 0, 1), (1, 0, 1), [(0, 2, "CELL_UNKNOWN")]),
    Case(
        "quote that closes more than 10,000 lines later",
        b'board\n"XO.......\n' + b"XO.......\n" * 10_001 + b'O........"\n',
        (10_004, 1, 0, 10_003),
        (10_003, 10_001, 2),
        [(0, 2, "QUOTE_BROKEN"), (10_002, 10_004, "BOARD_SIZE")],
    ),
    Case("single quotes are no quotes", b"board\n'XO.......'\n", (2, 1, 0, 1), (1, 0, 1), [(0, 2, "BOARD_SIZE")]),
    # Line breaks
    Case(
        "two stray quotes that swallow a record",
        b'board,n\nXO.......,"1\nO........,2"\nXO.......,3\n',
        (4, 1, 0, 3),
        (2, 1, 1),
        [(0, 2, "LINE_BREAK_IN_FIELD")],
    ),
    Case(
        "line break in a field, and a field too few",
        b'board,n\n"XO.\n....."\nXO.......,1\n',
        (4, 1, 0, 3),
        (2, 1, 1),
        [(0, 2, "FIELDS_MISSING LINE_BREAK_IN_FIELD")],
        {0: '"XO.\n....."'},
    ),
    Case("board on three lines", b'board\n"XO.\n...\n..."\n', (4, 1, 0, 3), (1, 1, 0)),
    Case("board on two lines", b'board\n"XO.\n......"\n', (3, 1, 0, 2), (1, 0, 1), [(0, 2, "LINE_BREAK_IN_FIELD")]),
    Case(
        "blank lines within quotes belong to their record",
        b'board,n\nXO.......,"\n\n\n"\n\nXO.......,2\n',
        (7, 1, 1, 5),
        (2, 1, 1),
        [(0, 2, "LINE_BREAK_IN_FIELD")],
    ),
    Case(
        "line ends of CRLF",
        b"board\r\nXO.......\r\n\r\nO........\r\n",
        (4, 1, 1, 2),
        (2, 1, 1),
        [(1, 4, "O_COUNT_AHEAD")],
    ),
    Case("mixed line ends", b"board\nXO.......\r\nXO.......\n", (3, 1, 0, 2), (2, 2, 0)),
    Case(
        "line ends of CR alone further down",
        b"board\nXO.......\rXO.......\n",
        (2, 1, 0, 1),
        (1, 0, 1),
        [(0, 2, "BOARD_SIZE")],
    ),
    Case("CR at the end of the file", b"board\nXO.......\r", (2, 1, 0, 1), (1, 0, 1), [(0, 2, "BOARD_SIZE")]),
    Case("no line end at the end", b"board\nXO.......", (2, 1, 0, 1), (1, 1, 0)),
    # Fields
    Case(
        "short and long rows",
        b"board,n\nXO.......\nXO.......,1,2\nXO.......,3\n",
        (4, 1, 0, 3),
        (3, 1, 2),
        [(0, 2, "FIELDS_MISSING"), (1, 3, "FIELDS_EXTRA")],
        {0: "XO.......", 1: "XO.......,1,2"},
    ),
    Case(
        "short rows and long rows in equal number",
        b"board,n\n" + b"XO.......\nXO.......,1,2\n" * 3,
        (7, 1, 0, 6),
        (6, 0, 6),
        [(row, row + 2, "FIELDS_EXTRA" if row % 2 else "FIELDS_MISSING") for row in range(6)],
    ),
    Case(
        "row cut off at the end",
        b"board,n,m\nXO.......,1,2\nXO.....",
        (3, 1, 0, 2),
        (2, 1, 1),
        [(1, 3, "FIELDS_MISSING")],
    ),
    Case(
        "delimiter at the end of a row", b"board,n\nXO.......,1,\n", (2, 1, 0, 1), (1, 0, 1), [(0, 2, "FIELDS_EXTRA")]
    ),
    Case(
        "another delimiter further down",
        b"board,n\nXO.......,1\nXO.......;2\n",
        (3, 1, 0, 2),
        (2, 1, 1),
        [(1, 3, "FIELDS_MISSING")],
    ),
    Case(
        "rows of delimiters alone",
        b"board,n\n,\n,,\n",
        (3, 1, 0, 2),
        (2, 0, 2),
        [(0, 2, "BOARD_MISSING"), (1, 3, "FIELDS_EXTRA")],
    ),
    # Bytes
    Case(
        "bytes that are not UTF-8",
        b"board,n\nXO.......,\xff\nXO.......,1\nX\xe9.......,2\n",
        (4, 1, 0, 3),
        (3, 1, 2),
        [(0, 2, "NOT_UTF8"), (2, 4, "NOT_UTF8")],
        {0: r"XO.......,\xff", 2: r"X\xe9.......,2"},
    ),
    Case(
        "not UTF-8, and a field too few",
        b"board,n\n\xffXO......\n",
        (2, 1, 0, 1),
        (1, 0, 1),
        [(0, 2, "FIELDS_MISSING NOT_UTF8")],
        {0: r"\xffXO......"},
    ),
    Case(
        "not UTF-8 in a row whose quote stays open",
        b'board,n\n"\xffXO......,1\nXO.......,2\n',
        (3, 1, 0, 2),
        (2, 1, 1),
        [(0, 2, "QUOTE_BROKEN")],
        {0: r'"\xffXO......,1'},
    ),
    Case("half a character", b"board\nXO......\xc3\n", (2, 1, 0, 1), (1, 0, 1), [(0, 2, "NOT_UTF8")]),
    Case("surrogate written as UTF-8", b"board\nXO......\xed\xa0\x80\n", (2, 1, 0, 1), (1, 0, 1), [(0, 2, "NOT_UTF8")]),
    Case("NUL in a cell", b"board\nXO...\0...\n", (2, 1, 0, 1), (1, 0, 1), [(0, 2, "CELL_UNKNOWN")]),
    Case("NUL after a board", b"board\nXO.......\0\n", (2, 1, 0, 1), (1, 0, 1), [(0, 2, "BOARD_SIZE")]),
    Case(
        "a block of zeros, as a crash leaves it",
        b"board\nXO.......\n" + bytes(4096),
        (3, 1, 0, 2),
        (2, 1, 1),
        [(1, 3, "BOARD_SIZE")],
    ),
    Case("byte order mark", b"\xef\xbb\xbfboard\nXO.......\n", (2, 1, 0, 1), (1, 1, 0)),
    Case(
        "byte order mark within, from files that were joined",
        b"board\nXO.......\n\xef\xbb\xbfboard\nXO.......\n",
        (4, 1, 0, 3),
        (3, 2, 1),
        [(1, 3, "BOARD_SIZE")],
    ),
    Case(
        "full width digits",
        "game,ply,square\na,0,\uff11\n".encode(),
        (2, 1, 0, 1),
        (1, 0, 1),
        [(0, 2, "MOVES_UNREADABLE")],
    ),
    Case(
        "look-alike letters", "board\n\u0425\u041e.......\n".encode(), (2, 1, 0, 1), (1, 0, 1), [(0, 2, "CELL_UNKNOWN")]
    ),
    Case("control characters", b"board\n\x1b[2JXO...\n", (2, 1, 0, 1), (1, 0, 1), [(0, 2, "CELL_UNKNOWN")]),
    # Lines
    Case("blank lines everywhere", b"\n\nboard\n\nXO.......\n\n\nXO.......\n\n", (9, 1, 6, 2), (2, 2, 0)),
    Case("a line of blanks is a board", b"board\n         \nXO       \n", (3, 1, 0, 2), (2, 2, 0)),
    Case("a line of three blanks", b"board\n   \nXO       \n", (3, 1, 0, 2), (2, 1, 1), [(0, 2, "BOARD_SIZE")]),
    Case(
        "header repeated in the middle",
        b"board,n\nXO.......,1\nboard,n\nXO.......,2\n",
        (4, 1, 0, 3),
        (3, 2, 1),
        [(1, 3, "BOARD_SIZE")],
    ),
    Case(
        "another table's header in the middle",
        b"board,n\nXO.......,1\nname,score,note\nXO.......,2\n",
        (4, 1, 0, 3),
        (3, 2, 1),
        [(1, 3, "FIELDS_EXTRA")],
    ),
    Case(
        "a line of 100,000 characters",
        b"board,n\nXO.......,1\n" + LONG + b",2\nXO.......,3\n",
        (4, 1, 0, 3),
        (3, 2, 1),
        [(1, 3, "BOARD_SIZE")],
    ),
    Case(
        "a line of 100,000 fields",
        b"board,n\nXO.......,1\n" + b"," * 99_999 + b"\nXO.......,3\n",
        (4, 1, 0, 3),
        (3, 2, 1),
        [(1, 3, "FIELDS_EXTRA")],
        {1: "," * 99_999},
    ),
    Case("two columns of one name", b"board,n,n\nXO.......,1,2\n", (2, 1, 0, 1), (1, 1, 0)),
    Case("columns without a name", b"board,,\nXO.......,1,2\n", (2, 1, 0, 1), (1, 1, 0)),
    Case(
        "comment lines are records",
        b"board,n\n# a remark\nXO.......,1\n",
        (3, 1, 0, 2),
        (2, 1, 1),
        [(0, 2, "FIELDS_MISSING")],
    ),
    Case(
        "half of a file twice",
        b"board,n\nXO.......,1\nXO.....XO.......,1\nXO.......,2\n",
        (4, 1, 0, 3),
        (3, 2, 1),
        [(1, 3, "BOARD_SIZE")],
    ),
    # Values
    Case(
        "squares that only look like numbers",
        b"game,ply,square\na,0,1.0\nb,0,1.5\nc,0,300\nd,0,0x1\ne,0,+1\nf,0,1e0\ng,0,NaN\nh,0,inf\ni,0,1_0\nj,0,-1\n"
        b"k,0,-0\nl,0, 1 \nm,0,01\n",
        (14, 1, 0, 13),
        (13, 4, 9),
        [
            *((1, 3, "MOVES_UNREADABLE"), (2, 4, "MOVE_OUT_OF_BOUNDS")),
            *((row, row + 2, "MOVES_UNREADABLE") for row in (3, 4, 5, 6, 7, 8)),
            (9, 11, "MOVE_OUT_OF_BOUNDS"),
        ],
    ),
    Case(
        "numbers of more than 64 bits",
        b"game,ply,square\na,0,18446744073709551616\nb,0,-18446744073709551616\nc,0,"
        + b"9" * 10_000
        + b"\nd,0,"
        + b"0" * 10_000
        + b"1\n",
        (5, 1, 0, 4),
        (4, 1, 3),
        [(row, row + 2, "MOVE_OUT_OF_BOUNDS") for row in range(3)],
    ),
    Case(
        "lists that are not of nine cells",
        b'board\n"[]"\n"[[]]"\n"[null, null]"\n"[[""X"", ""O""], [""X""]]"\n"[""X""'
        + b"\n\"['X','O','','','','','','','']\"\n",
        (7, 1, 0, 6),
        (6, 1, 5),
        [
            *((0, 2, "BOARD_SIZE"), (1, 3, "BOARD_SIZE"), (2, 4, "BOARD_SIZE"), (3, 5, "BOARD_SIZE")),
            (4, 6, "QUOTE_BROKEN"),
        ],
    ),
    Case(
        "numbers in lists that are all but whole",
        b"board\n"
        + b"".join(b"[%b,2,0,0,0,0,0,0,0]\n" % one for one in (b"1", b"1.0", b"1.00000000000000000001", b"1.5", b"0x1"))
        + b"(1.00000000000000000001,2,0,0,0,0,0,0,0)\n[1,2,1e-400,0,0,0,0,0,0]\n[NaN,2,0,0,0,0,0,0,0]\n",
        (9, 1, 0, 8),
        (8, 2, 6),
        [
            (2, 4, "BOARD_SIZE"),
            (3, 5, "CELL_UNKNOWN"),
            (4, 6, "BOARD_SIZE"),
            (5, 7, "BOARD_SIZE"),
            (6, 8, "BOARD_SIZE"),
            (7, 9, "CELL_UNKNOWN"),
        ],
        flags=("--delimiter", ";", "--cells", "X=1", "--cells", "O=2", "--cells", "empty=0"),
    ),
    Case(
        "lists nested a thousand deep",
        b"moves\n" + b"[" * 1_000 + b"]" * 1_000 + b"\n" + b"(" * 50_000 + b"\n" + b"[" * 1_000 + b"\n",
        (4, 1, 0, 3),
        (3, 0, 3),
        [(row, row + 2, "MOVES_UNREADABLE") for row in range(3)],
        flags=("--delimiter", ";"),
    ),
    Case(
        "boards in lists nested a thousand deep",
        b"board\n" + b"[" * 490 + b"]" * 490 + b"\n" + b"(" * 900 + b"\n" + b"[" * 50_000 + b"\n" + b"-" * 999 + b"1\n",
        (5, 1, 0, 4),
        (4, 0, 4),
        [(row, row + 2, "BOARD_SIZE") for row in range(4)],
        flags=("--delimiter", ";"),
    ),
    Case(
        "code in place of data",
        b"board\n__import__('os').system('x')\n[].__class__\n" + b"{1:2}\n",
        (4, 1, 0, 3),
        (3, 0, 3),
        [(row, row + 2, "BOARD_SIZE") for row in range(3)],
        flags=("--delimiter", ";"),
    ),
    Case(
        "a log with a row without its game, and one cut off",
        b"game,ply,square\na,0,4\n,1,0\na,1,0\nb,0,4\nb,1\n",
        (6, 1, 0, 5),
        (4, 2, 2),
        [(1, 3, "GAME_MISSING"), (4, 6, "FIELDS_MISSING")],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_account(case: Case, tmp_path: Path, command: Command) -> None:
    (tmp_path / "data.csv").write_bytes(case.content)
    done = command("run", "data.csv", *case.flags, "--json")
    assert (done.exit_code, done.err) == (1 if case.bad else 0, "")
    (one,) = done.json["inputs"]
    assert tuple(one["lines"].values()) == case.lines
    assert tuple(one["records"].values()) == case.records
    invalid = pl.read_parquet(tmp_path / "reports" / "data" / "invalid.parquet")
    found = invalid.select("_row", "_line", pl.col("_reasons").list.join(" ")).rows()
    assert found == case.bad
    assert invalid.filter(pl.col("_row").is_in(list(case.raw)))["_raw"].to_list() == list(case.raw.values())
    assert done.json == json.loads((tmp_path / "reports" / "data" / "summary.json").read_text())


@dataclass(frozen=True)
class Refused:
    """A file that is not read, or not to its end; ``records`` are those before the damage."""

    name: str
    content: bytes
    said: str
    records: int | None = None


REFUSED = [
    Refused("nothing", b"", "is empty (zero bytes)"),
    Refused("only a byte order mark", b"\xef\xbb\xbf", "is empty, expected a header or a record"),
    Refused("only blank lines", b"\n\r\n\n", "has only blank lines, expected a header or a record"),
    Refused("UTF-16 with its mark", "board\nXO.......\n".encode("utf-16"), "is UTF-16 text"),
    Refused("UTF-16 without a mark", "board\nXO.......\n".encode("utf-16-le"), "the header holds NUL bytes, as UTF-16"),
    Refused("UTF-32", "board\nXO.......\n".encode("utf-32"), "is UTF-32 text"),
    Refused("Latin-1 in the header", b"board,caf\xe9\nXO.......,1\n", "the header is not UTF-8"),
    Refused("line ends of CR alone", b"board,n\rXO.......,1\r", "the header holds line ends of CR alone"),
    Refused("broken header", b'"board,n\nXO.......,1\n', "the header (line 1) has a quote that is never closed"),
    Refused("a ZIP archive", b"PK\x03\x04board", "is a ZIP archive or a spreadsheet"),
    Refused("JSON", b'{"board": "XO......."}', "looks like JSON"),
    Refused("a .gz that is none inside", b"\x1f\x8b\x08\x00board", "cannot be opened (Truncated compressed stream)"),
    Refused(
        "no line end in sight", b"board\nXO.......\n" + b"x" * (17 << 20), "line 3 is longer than 16,777,216 bytes", 1
    ),
    Refused("too many columns", b"," * 5_000 + b"\n", "has 5,001 columns, more than 4,096"),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_refused(case: Refused, tmp_path: Path, command: Command) -> None:
    (tmp_path / "data.csv").write_bytes(case.content)
    (tmp_path / "good.csv").write_text("board\nXO.......\n")
    done = command("run", "data.csv", "good.csv", "--json")
    assert done.exit_code == 3
    (said,) = done.err.splitlines()
    assert said.startswith(f"error: data.csv: {case.said}")
    summary = done.json
    assert (summary["complete"], summary["records"]["read"]) == (False, 1 + (case.records or 0))
    bad = next(one for one in summary["inputs"] if one["file"] == "data.csv")
    assert f"error: {bad['error']}" == said
    assert ("lines" in bad) is (case.records is not None)

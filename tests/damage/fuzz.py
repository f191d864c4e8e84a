"""Damages valid files at random and compares every verdict with plain Python: ``python -m damage.fuzz``.

Run it in the root of a clone with ``PYTHONPATH=tests``.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import io
import random
import sys
import tempfile
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import oracle
from pipeline.config import LayoutOptions
from pipeline.errors import InputError, PipelineError, UsageError
from pipeline.ingest.text import Dialect
from pipeline.run import RunOptions, RunResult, run
from plain_splitter import expected
from schemas.reasons import codes

LIMITS = (1 << 20, 10_000)
SPLICED = [b'"', b'"', b'""', b",", b";", b"\n", b"\n", b"\r\n", b"\r", b"\0", b"\xff", b" ", b"[", b"0", b"X", b","]
Rows = dict[int, dict[str, Any]]
"""The values of each row by their columns, text or, in Parquet, lists of squares."""

Records = dict[int, list[str]]
"""The codes of each record by its row, none for a valid one."""


@dataclass(frozen=True)
class Kind:
    """A kind of data: how it is laid out, rows that are valid, and what the oracle says of rows as text."""

    header: str
    flags: dict[str, Any]
    rows: Callable[[random.Random], list[list[str]]]
    judge: Callable[[Rows], Records]


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The content with one to four faults put in."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 4])):
        at = chance.randrange(len(content) + 1)
        size = chance.choice([1, 1, 2, 8, 40])
        match chance.randrange(7):
            case 0 if at < len(content):
                content = content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :]
            case 1:
                content = content[:at] + chance.randbytes(1) + content[at + 1 :]
            case 2:
                content = content[:at] + content[at + size :]
            case 3:
                content = content[:at] + content[at : at + size] * 2 + content[at + size :]
            case 4 if chance.random() < 0.3:
                content = content[:at]
            case _:
                content = content[:at] + chance.choice(SPLICED) + content[at:]
    return content


def position(chance: random.Random) -> tuple[list[int], str]:
    """A game of some plies, as squares, and the board that it leads to."""
    squares: list[int] = []
    board = oracle.EMPTY_BOARD
    for ply in range(chance.randrange(10)):
        if oracle.board_outcome(board) != "unfinished":
            break
        squares.append(chance.choice(oracle.free_squares(board)))
        board = oracle.put(board, squares[-1], "XO"[ply % 2])
    return squares, board


def board_rows(chance: random.Random) -> list[list[str]]:
    """Boards with their labels."""
    boards = [position(chance)[1] for _ in range(chance.randrange(1, 9))]
    return [[board, oracle.board_outcome(board), str(row)] for row, board in enumerate(boards)]


def game_rows(chance: random.Random) -> list[list[str]]:
    """Games with their labels."""
    games = [position(chance) for _ in range(chance.randrange(1, 9))]
    return [
        [";".join(f"{square // 3},{square % 3}" for square in squares), oracle.board_outcome(board), str(row)]
        for row, (squares, board) in enumerate(games)
    ]


def log_rows(chance: random.Random) -> list[list[str]]:
    """The rows of a log."""
    return [
        [f"g{game}", str(ply), str(square), "XO"[ply % 2]]
        for game in range(chance.randrange(1, 4))
        for ply, square in enumerate(position(chance)[0])
    ]


def judge_boards(rows: Rows) -> Records:
    """What the oracle says of boards."""
    return {
        row: oracle.text_board_reasons(values["board"], label=label_of(values), in_text_file=True)
        for row, values in rows.items()
    }


def judge_games(rows: Rows) -> Records:
    """What the oracle says of games."""
    return {
        row: oracle.judge_game(plies_of(values["moves"]), label=label_of(values)).codes for row, values in rows.items()
    }


def label_of(values: dict[str, Any]) -> str | None:
    """The label without the white space around it, a stray CR for one."""
    return (values["winner"] or "").strip()


def plies_of(text: str | list[int | None] | None) -> list[int | None] | None:
    """The plies that a text spells, in any of the three notations; a list has squares."""
    if not isinstance(text, str):
        return text and [square if square is None else oracle.square_of_number(square) for square in text]
    if not text:
        return []
    if text.lstrip(" \t\r\n")[:1] in {"[", "("}:
        return listed_plies(text)
    return [oracle.square_of_text(ply) if "," in ply else None for ply in text.split(";")]


def listed_plies(text: str) -> list[int | None]:
    """The plies of a list of squares or of pairs, as Python reads it."""
    try:
        plies = ast.literal_eval(text.strip())
        if isinstance(plies, int) or any(isinstance(ply, str) for ply in plies):
            return [None]
        return [oracle.square_of_text(str(ply).replace("[", "(").replace("]", ")")) for ply in plies]
    except (ValueError, SyntaxError, TypeError):
        return [None]


def judge_log(rows: Rows) -> Records:
    """What the oracle says of a log."""
    log: list[oracle.Row] = [
        {
            "row": row,
            "game": values["game"],
            "ply": values["ply"],
            "square": values["square"],
            "player": (values["player"] or "").strip(" \t"),
        }
        for row, values in rows.items()
    ]
    return {record.row: record.codes for record in oracle.judge_log(log)}


KINDS = {
    "boards": Kind("board,winner,n", {"board": "board", "outcome": "winner"}, board_rows, judge_boards),
    "games": Kind("moves,winner,n", {"moves": "moves", "outcome": "winner"}, game_rows, judge_games),
    "logs": Kind(
        "game,ply,square,player",
        {"game": "game", "ply": "ply", "at": "square", "player": "player", "outcome": "none"},
        log_rows,
        judge_log,
    ),
}


class FuzzError(AssertionError):
    """The product is at fault."""


def text_case(kind: Kind, chance: random.Random) -> bytes:
    """A valid text file."""
    quote = chance.choice([csv_field, lambda field: '"' + field.replace('"', '""') + '"'])
    end = chance.choice(["\n", "\n", "\r\n"])
    lines = [kind.header, *(",".join(map(quote, row)) for row in kind.rows(chance))]
    return (end.join(lines) + chance.choice(["", end])).encode()


def csv_field(value: str) -> str:
    """A field with quotes where it needs them."""
    return f'"{value}"' if "," in value else value


def parquet_case(kind: Kind, chance: random.Random) -> bytes:
    """A valid Parquet file, its columns text, or squares in lists."""
    rows = kind.rows(chance)
    columns: dict[str, Any] = {name: [row[place] for row in rows] for place, name in enumerate(kind.header.split(","))}
    if "moves" in columns and chance.random() < 0.5:
        columns["moves"] = pa.array(map(plies_of, columns["moves"]), pa.list_(chance.choice([pa.int8(), pa.int64()])))
    file = io.BytesIO()
    pq.write_table(
        pa.table(columns),
        file,
        compression=chance.choice(["none", "none", "zstd"]),
        use_dictionary=chance.random() < 0.5,
        row_group_size=chance.choice([2, 100]),
    )
    return file.getvalue()


def damaged_parquet(content: bytes, chance: random.Random) -> bytes:
    """A damaged Parquet file, its description at the end mostly left as it is: little can be read without."""
    end = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    if chance.random() < 0.3:
        return damaged(content, chance)
    data = bytearray(content)
    for _ in range(chance.choice([1, 1, 2, 8])):
        data[chance.randrange(4, max(end, 5))] = chance.choice([chance.randrange(256), ord("X"), ord("O"), 0])
    return bytes(data)


def wanted_of_text(kind: Kind, content: bytes) -> tuple[Records, tuple[int, int, int, int]] | None:
    """What a run must say of a text file: the codes of its records, and its account of lines."""
    names = kind.header.split(",")
    split = expected(content, Dialect(header=True, delimiter=","), 0 if names[0] == "board" else None, LIMITS)
    if split is None:
        return None
    rows: Rows = {}
    rejected: Records = {}
    for row, (_, _, reasons, values, _) in enumerate(split.records):
        if reasons:
            rejected[row] = codes(reasons)
        elif values is not None:
            rows[row] = dict(zip(split.names, values, strict=True))
    account = split.account
    if any(name not in split.names for name in needed(kind)):
        return None
    return kind.judge(rows) | rejected, (account.read, account.header, account.blank, account.records)


def needed(kind: Kind) -> list[str]:
    """The columns that the flags name."""
    return [name for name in kind.flags.values() if name != "none"]


def check(name: str, as_parquet: bool, packed: bool, content: bytes, folder: Path) -> str:
    """Run the product on a damaged file; how it ended.

    Raises:
        FuzzError: it is at fault.
    """
    kind = KINDS[name]
    path = folder / ("data.parquet" if as_parquet else "data.csv.gz" if packed else "data.csv")
    path.write_bytes(content)
    layout = LayoutOptions.from_flags(**kind.flags, cells=["empty=."], delimiter=",", header=True)
    try:
        result = run([str(path)], RunOptions(out=folder / "report", layout=layout))
    except (InputError, UsageError) as error:
        if not str(error).replace("\n", "").isprintable():
            raise FuzzError(f"a message that is not printable: {error}") from error
        if not as_parquet and not packed and wanted_of_text(kind, content) is not None:
            raise FuzzError(f"refused: {error}") from error
        return type(error).__name__
    except PipelineError as error:
        raise FuzzError(f"{type(error).__name__}: {error}") from error
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise FuzzError(f"{type(error).__name__}: {error}\n{traceback.format_exc()}") from error
    found = found_in(result)
    if as_parquet:
        check_parquet(kind, path, found, result)
    else:
        check_text(kind, content, packed, found, result)
    return f"exit {result.exit_code}"


def found_in(result: RunResult) -> Records:
    """The codes of the invalid records, after a look at the account."""
    invalid = pl.read_parquet(result.invalid_rows)
    records = result.summary.records
    if records.read != records.valid + records.invalid or records.invalid != invalid.height:
        raise FuzzError(f"the records do not add up: {records}")
    for one in result.summary.inputs:
        lines = one.lines
        if lines is not None and lines.read != lines.header + lines.blank + lines.records:
            raise FuzzError(f"the lines do not add up: {lines}")
    return dict(invalid.select("_row", "_reasons").iter_rows())


def check_text(kind: Kind, content: bytes, packed: bool, found: Records, result: RunResult) -> None:
    """Every verdict and every line must be as plain Python has them."""
    if packed:
        try:
            content = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        except (OSError, EOFError, zlib.error) as error:
            if not result.faults:
                raise FuzzError(f"damage is not noticed: {error}") from error
            return
    wanted = wanted_of_text(kind, content)
    if wanted is None:
        raise FuzzError("should be refused")
    records, account = wanted
    (one,) = result.summary.inputs
    if result.faults or one.lines is None:
        raise FuzzError(f"should be read to its end: {result.faults}")
    lines = one.lines
    if (lines.read, lines.header, lines.blank, lines.records) != account:
        raise FuzzError(f"lines {lines}, expected {account}")
    compare(records, found, result.summary.records.read)


def check_parquet(kind: Kind, path: Path, found: Records, result: RunResult) -> None:
    """No record is valid that another reader, which reads the whole file, finds invalid."""
    try:
        columns = pq.read_table(path, use_threads=False).to_pydict()
        rows = list(zip(*(texts(columns[name]) for name in needed(kind)), strict=True))
    except Exception:  # noqa: BLE001 - what it cannot read it cannot judge
        return
    if result.faults:
        return
    named = {
        row: dict.fromkeys(kind.header.split(",")) | dict(zip(needed(kind), values, strict=True))
        for row, values in enumerate(rows)
    }
    wanted = kind.judge(named)
    missed = {row: reasons for row, reasons in wanted.items() if reasons and row not in found}
    if missed and "LINE_BREAK_IN_FIELD" not in str(missed):
        raise FuzzError(f"taken for valid: {missed}")


def texts(values: Sequence[Any]) -> list[Any]:
    """The values of a column that is still of the type that it was."""
    if not all(value is None or isinstance(value, str | list) for value in values):
        raise TypeError("the type has changed")
    return list(values)


def compare(wanted: Records, found: Records, read: int) -> None:
    """The verdicts must be the same, but for lists, of which Python reads more than the notation has."""
    invalid = {row: reasons for row, reasons in wanted.items() if reasons}
    if read != len(wanted) or any(found.get(row) != reasons for row, reasons in invalid.items()):
        raise FuzzError(f"{read} records, found {found}, expected {wanted}")
    more = {row: reasons for row, reasons in found.items() if row not in invalid and reasons != ["MOVES_UNREADABLE"]}
    if more:
        raise FuzzError(f"taken for invalid: {more}")


def one_case(seed: int, folder: Path) -> str:
    """Damage a file and check it; everything follows from the seed.

    Raises:
        FuzzError: the product is at fault.
    """
    chance = random.Random(seed)
    name = chance.choice(list(KINDS))
    form = chance.choice(["text", "text", "text", "gz", "parquet"])
    content = parquet_case(KINDS[name], chance) if form == "parquet" else text_case(KINDS[name], chance)
    if form == "gz":
        inside = chance.random() < 0.5
        content = damaged(content, chance) if inside else content
        content = gzip.compress(content, mtime=0)
        content = content if inside else damaged(content, chance)
    else:
        content = damaged_parquet(content, chance) if form == "parquet" else damaged(content, chance)
    try:
        return f"{form}: {check(name, form == 'parquet', form == 'gz', content, folder)}"
    except FuzzError as error:
        raise FuzzError(f"seed {seed}, {name} as {form}, {content!r:.600}: {error}") from error


def main() -> int:
    """Check as many cases as are asked for, and say how they ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    ended: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.seed, options.seed + options.cases):
            try:
                ended[one_case(number, Path(folder))] += 1
            except FuzzError as error:
                ended["FAULT"] += 1
                print(error, file=sys.stderr)
    for end, count in sorted(ended.items()):
        print(f"{end}: {count}")
    return int(ended["FAULT"] > 0)


if __name__ == "__main__":
    sys.exit(main())

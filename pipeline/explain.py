"""What a reason code means, in words and with an example drawn: the text of ``python -m pipeline explain``."""

from __future__ import annotations

import csv
import difflib
from itertools import groupby

from pipeline.drawing import in_rows, moves_drawn
from pipeline.errors import UsageError
from schemas.reasons import REASONS, Example, Reason
from schemas.vocabulary import CELLS

_SIDE = 3
_INDENT = " " * 10


def all_reasons() -> str:
    """Every code with its meaning, stage by stage."""
    width = max(map(len, REASONS))
    lines = []
    for stage, reasons in groupby(REASONS.values(), key=lambda reason: reason.stage):
        lines += ["", f"{stage}:", *(f"  {reason.code:<{width}}  {reason.meaning}" for reason in reasons)]
    return "\n".join([*lines[1:], "", "python -m pipeline explain CODE shows an example."])


def explanation(code: str) -> str:
    """The meaning of one code, in either case, what usually causes it, and an invalid and a valid example.

    Raises:
        UsageError: there is no such code.
    """
    reason = REASONS.get(code.strip().upper())
    if reason is None:
        nearest = difflib.get_close_matches(code.upper(), REASONS, n=1, cutoff=0)
        raise UsageError(f"there is no reason code {code!r}; the nearest is {nearest[0]}")
    return "\n".join(
        [
            f"{reason.code} ({reason.stage})",
            "",
            f"meaning   {reason.meaning}",
            f"usually   {reason.cause}",
            "",
            *_example("invalid", reason.bad, reason),
            "",
            *_example("valid", reason.good, reason),
        ]
    )


def _example(name: str, example: Example, reason: Reason) -> list[str]:
    shown = "null (in Parquet)" if example.record is None else _text(example.record)
    lines = [example.header, *shown.split("\n")]
    options = [f"with {' '.join(example.options)}"] if example.options else []
    drawing = [] if reason.stage == "record" else _drawing(example)
    return _indented(name, [*lines, *options, *drawing])


def _indented(name: str, lines: list[str]) -> list[str]:
    return [f"{name:<{len(_INDENT)}}{lines[0]}", *(f"{_INDENT}{line}" if line else "" for line in lines[1:])]


def _text(record: str | bytes) -> str:
    return record if isinstance(record, str) else record.decode(errors="backslashreplace")


def _drawing(example: Example) -> list[str]:
    """The board, or the moves, of an example in three rows; nothing where there is nothing to draw."""
    rows = list(csv.DictReader([example.header, *_text(example.record or "").split("\n")]))
    squares = _squares(rows)
    if squares:
        in_log = "game" in rows[0]
        names = [_name(ply, rows[ply - 1] if in_log else {}) for ply in range(1, len(squares) + 1)]
        return ["", *moves_drawn(squares, names)]
    board = next((row["board"] for row in rows if len(row.get("board") or "") == CELLS), None)
    return ["", *in_rows(list(board))] if board else []


def _squares(rows: list[dict[str, str]]) -> list[str]:
    """The squares of the example's plies, each as ``row,column``."""
    plies: list[str] = []
    for row in rows:
        if "moves" in row and not row["moves"].startswith("["):
            plies += row["moves"].split(";")
        elif "square" in row:
            plies.append(",".join(map(str, divmod(int(row["square"]), _SIDE))))
        elif "row" in row:
            plies.append(f"{row['row']},{row['col']}")
    return plies


def _name(ply: int, row: dict[str, str]) -> str:
    """The player and the number of a ply, as they are recorded if they are."""
    return f"{row.get('player') or 'XO'[(ply - 1) % 2]}{row.get('ply') or ply}"

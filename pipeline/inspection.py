"""What is recognised of an input before anything is judged: the text of ``python -m pipeline inspect``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import Any, Final

import polars as pl
import tomli_w

from pipeline.batch import Source
from pipeline.config import NONE, LayoutOptions
from pipeline.drawing import in_rows, moves_drawn
from pipeline.encode.boards import board_symbols
from pipeline.encode.moves import encode_moves, masks_at, square_numbers, squares_of
from pipeline.encode.numbers import whole_numbers
from pipeline.encode.symbols import keys_of, texts_of
from pipeline.errors import InputError, PipelineError
from pipeline.ingest.inputs import Readable, find_files, open_source
from pipeline.layout import Layout
from pipeline.recognise.sample import SAMPLE_RECORDS
from pipeline.recognise.words import ignored_label, named
from pipeline.report.folder import is_report
from pipeline.survey import dialect, layout_of
from schemas.vocabulary import CELLS, MARKS

_DRAWN: Final = 3
_COLUMNS_SHOWN: Final = 30
_VALUES_SHOWN: Final = 4
_LONGEST_VALUE: Final = 40
_SIDE: Final = 3
_WIDTH: Final = 10


class Inspection:
    """What is recognised of one input.

    ``text`` is TOML that ``--config`` takes, with all else in comments; without a layout it is comments alone, and
    ``refusal`` says why there is none.
    """

    def __init__(self, text: str, refusal: PipelineError | None = None) -> None:
        self.text = text
        self.refusal = refusal


def inspect(given: str, options: LayoutOptions) -> Inspection:
    """Look at an INPUT, or the first file that it stands for.

    Raises:
        InputError: it cannot be read.
    """
    files = find_files(given, leave_out=is_report)
    with closing(open_source(files[0], Readable(dialect(options)))) as source:
        sample = source.sample(SAMPLE_RECORDS)
        refusal = None
        lines: list[str] = []
        toml = ""
        try:
            layout = layout_of(source, options)
        except PipelineError as error:
            refusal = error
        else:
            lines = [*_recognised(layout), "", *(() if sample.is_empty() else _drawings(layout, sample))]
            lines += ["in a file, these lines are what --config takes:"]
            toml = "\n" + _printable(tomli_w.dumps(_as_toml(layout, options)))
        head = [*_input(source, len(files)), "", *_columns(sample), ""]
        comments = [line for text in [*head, *lines] for line in text.split("\n")]
        return Inspection("\n".join(map(_comment, comments)) + "\n" + toml, refusal)


def _comment(line: str) -> str:
    """A line of TOML's comments, in which control characters have no place."""
    return f"# {_printable(line)}".rstrip()


def _printable(text: str) -> str:
    r"""The text with what would steer a terminal as ``\UXXXXXXXX``, as TOML writes it within quotes."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\U{ord(c):08x}" for c in text)


def _input(source: Source, files: int) -> Iterator[str]:
    records = sum(batch.place.height for batch in source.batches())
    yield f"{source.file}: {source.format}, {records:,} rows in {len(source.schema)} columns"
    if files > 1:
        yield f"the first of {files} files"


def _columns(sample: pl.DataFrame) -> Iterator[str]:
    """The columns with their types, and the most frequent values of the sample."""
    width = max((len(repr(name)) for name in sample.columns[:_COLUMNS_SHOWN]), default=0)
    for name, dtype in list(sample.schema.items())[:_COLUMNS_SHOWN]:
        yield f"{name!r:<{width}}  {dtype}  {_frequent(sample[name])}".rstrip()
    if sample.width > _COLUMNS_SHOWN:
        yield f"and {sample.width - _COLUMNS_SHOWN} more columns"


def _frequent(column: pl.Series) -> str:
    if column.is_empty():
        return ""
    try:
        values = texts_of(column)
    except InputError:
        values = pl.Series([str(value) for value in column.head(_VALUES_SHOWN).to_list()], dtype=pl.String)
    counts = values.alias("value").to_frame().group_by("value", maintain_order=True).len()
    frequent = counts.sort("len", descending=True, maintain_order=True)["value"].head(_VALUES_SHOWN)
    return " ".join("null" if value is None else f"{value!r:.{_LONGEST_VALUE}}" for value in frequent)


def _recognised(layout: Layout) -> Iterator[str]:
    """Every part of the layout, and what it was told from."""
    if layout.header is not None:
        names = "names the columns" if layout.header else "is a record: the columns have no names"
        yield _line("header", f"the first record {names}")
        yield _line("delimiter", repr(layout.delimiter))
    evidence = layout.seen.evidence
    if layout.log is not None:
        yield _line("log", f"one row a ply: {evidence['log']}")
    elif layout.moves:
        yield _line("moves", f"{named(layout.moves)}: {evidence['moves']}")
    if layout.board:
        yield _line("board", f"{named(layout.board)}: {evidence['board']}")
        yield _line("cells", evidence["cells"])
    label = "none, so none is compared" if layout.outcome is None else f"{layout.outcome!r}: {evidence['outcome']}"
    yield _line("label", label)
    for name, values in layout.seen.ignored_labels.items():
        yield _line("", f"{name!r} is none: {ignored_label(values)}")
    for name in layout.seen.unnamed_labels:
        yield _line("", f"{name!r} holds labels, but is not called so: with --outcome {name} they are compared")
    for what in ("cells", "labels"):
        if unknown := getattr(layout.seen, f"unknown_{what}"):
            yield _line("unknown", f"{what} {', '.join(map(repr, unknown))}")
    if layout.seen.counts_from_one:
        yield _line("", "squares seem to count from 1: --base 1")


def _line(name: str, text: str) -> str:
    return f"{name:<{_WIDTH}}{text}"


def _as_toml(layout: Layout, options: LayoutOptions) -> dict[str, Any]:
    told = layout.as_options()
    cells = {mark: symbols for mark, symbols in told.pop("cells", {}).items() if symbols}
    outcomes = told.pop("outcomes", {})
    # What the user said that there is not must be said again.
    absent = {name: NONE for name in ("moves", "game", "player") if getattr(options, name) in (NONE, (NONE,))}
    if options.board == (NONE,) and not layout.board:
        absent["board"] = NONE
    tables = {"cells": cells, "outcomes": outcomes}
    return {**told, **absent, **{name: table for name, table in tables.items() if table}}


def _drawings(layout: Layout, sample: pl.DataFrame) -> Iterator[str]:
    """The first records, each drawn as a board."""
    if layout.log is not None:
        drawings = _log_drawings(layout, sample)
    elif layout.moves:
        drawings = _game_drawings(layout, sample.head(_DRAWN))
    else:
        drawings = _board_drawings(layout, sample.head(_DRAWN))
    for title, drawing in drawings:
        yield title
        yield from (f"  {line}" for line in drawing)
        yield ""


def _board_drawings(layout: Layout, rows: pl.DataFrame) -> Iterator[tuple[str, list[str]]]:
    meanings = {
        **dict.fromkeys(layout.alphabet.x, "X"),
        **dict.fromkeys(layout.alphabet.o, "O"),
        **dict.fromkeys(layout.alphabet.empty, ""),
    }
    for row, symbols in enumerate(board_symbols(rows, layout.board, layout.alphabet)["symbols"].to_list()):
        cells = [meanings.get(symbol or "", "?") for symbol in symbols]
        yield f"record {row}", in_rows(cells) if len(cells) == CELLS else ["not nine cells"]


def _game_drawings(layout: Layout, rows: pl.DataFrame) -> Iterator[tuple[str, list[str]]]:
    games = squares_of(encode_moves(rows, layout.moves, layout.squares)).to_list()
    for row, squares in enumerate(games):
        yield f"record {row}", _played(squares or [], layout)


def _log_drawings(layout: Layout, sample: pl.DataFrame) -> Iterator[tuple[str, list[str]]]:
    log = layout.log
    if log is None:
        return
    plies = pl.DataFrame(
        {
            "game": keys_of(sample[log.game]),
            "ply": pl.Series(range(sample.height)) if log.ply is None else whole_numbers(sample[log.ply]),
            "square": square_numbers(masks_at(sample, log.at, layout.squares)),
        }
    )
    games = plies.drop_nulls("game").group_by("game", maintain_order=True)
    for (game,), rows in islice(games, _DRAWN):
        yield f"game {game}", _played(rows.sort("ply", maintain_order=True)["square"].to_list(), layout)


def _played(squares: list[int | None], layout: Layout) -> list[str]:
    first = "O" if layout.first == "O" else "X"
    marks = (first, next(mark for mark in MARKS if mark != first))
    names = [f"{marks[number % 2]}{number + 1}" for number in range(len(squares))]
    places = ["?" if square is None else _place(square) for square in squares]
    return moves_drawn(places, names)


def _place(square: int) -> str:
    return ",".join(map(str, divmod(square, _SIDE))) if square >= 0 else "?,?"

"""Tells the layout of a file from the names and types of its columns, a sample of its records and the options."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from pipeline.config import NONE, LayoutOptions
from pipeline.encode.moves import Squares
from pipeline.encode.symbols import texts_of
from pipeline.errors import InputError, UsageError
from pipeline.layout import Layout, Seen
from pipeline.recognise import boards, games
from pipeline.recognise.alphabet import alphabet, cells
from pipeline.recognise.labels import label
from pipeline.recognise.sample import Sample
from pipeline.recognise.words import listed, named
from pipeline.rules.labels import UNKNOWN_LABEL, label_meanings

_UNKNOWN_SHOWN: Final = 5
"""How many unknown symbols and labels of the sample are kept, to be shown."""


class ColumnNotFoundError(UsageError):
    """A named column is not among those of a file: wrong usage if no input has it."""


def recognise(schema: pl.Schema, rows: pl.DataFrame, options: LayoutOptions, *, has_header: bool = True) -> Layout:
    """The layout of a file with the columns ``schema`` whose first records are ``rows``.

    An option fixes its own part, and the rest is told as without it. Names come first, values decide between
    them and tell where no name does; what both leave open is refused, with the option that decides.

    Raises:
        ColumnNotFoundError: a column that the options name is not in the schema.
        InputError: no column, or more than one choice of columns, can hold boards or moves.
    """
    for column in options.named:
        if column not in schema:
            raise ColumnNotFoundError(f"there is no column {column!r}{_nearest(column, schema)}")
    # What an option has named for one thing is not chosen for another.
    free = [name for name in schema if name not in options.named]
    sample = Sample(rows, options)
    layout = _with_records(free, options, sample)
    layout = replace(
        layout,
        squares=Squares(options.base, options.order),
        outcomes=options.outcomes,
        first=options.first,
    )
    layout = replace(layout, alphabet=alphabet(layout, rows, options))
    rest = [name for name in free if name not in layout.used]
    return _with_label(layout, rest, options, sample, has_header=has_header)


def _with_records(free: Sequence[str], options: LayoutOptions, sample: Sample) -> Layout:
    """The layout as far as the columns of records go: a log, games in one row, or boards."""
    log, moves = games.log(free, options, sample), games.moves(free, options, sample)
    if moves and log is not None:
        raise InputError(
            f"{named(moves)} could hold whole games and {named(log.at)} the plies of a log; "
            f"choose with --moves or --at, or say --moves {NONE} or --game {NONE}"
        )
    if log is None and (not moves or not options.moves) and not any(sample.holds_any_game(name) for name in moves):
        layout = _with_boards(free, options, sample, moves)
        if layout is not None:
            return layout
        games.refuse_other_notations(moves, sample)
    free = [name for name in free if log is None or name not in (log.game, log.ply, *log.at, log.player)]
    board = boards.board_beside_moves(free, options, sample)
    if log is not None and log.ply is None and board is not None and not (options.is_log or options.board):
        raise InputError(
            f"each row could be a board, {named(board.columns)}, or a ply of a log, {named(log.at)}; "
            f"choose with --board and --game {NONE}, or with --game {log.game}"
        )
    evidence = {"moves" if log is None else "log": _why(options)}
    if board is not None:
        evidence["board"] = board.why
    return Layout(board=board.columns if board else (), moves=moves, log=log, seen=Seen(evidence))


def _with_boards(free: Sequence[str], options: LayoutOptions, sample: Sample, moves: tuple[str, ...]) -> Layout | None:
    """The layout of boards, or of games in the one column that has any, where no column that is called so has.

    ``moves`` is one that is called so: None if all the same it is what there is.
    """
    board = boards.boards(free, options, sample)
    if board is not None and not (moves and board.is_named_board):
        return Layout(board=board.columns, seen=Seen({"board": board.why}))
    if moves:
        return None
    unnamed = games.moves_by_value(free, options, sample)
    if not unnamed:
        raise InputError(_nothing_found(free, sample))
    return Layout(moves=unnamed, seen=Seen({"moves": "games in it, and in no other column"}))


def _why(options: LayoutOptions) -> str:
    is_named = options.is_log or options.moves not in ((), (NONE,))
    return "named by options, and the names of columns for the rest" if is_named else "the names of the columns"


def _nothing_found(free: Sequence[str], sample: Sample) -> str:
    message = f"no board or moves among its columns ({listed(free)})"
    if sample.is_empty:
        message += ", into which none of its first records can be split"
    if parts := games.missing_parts(free):
        return f"{message}\n{parts}"
    return (
        f"{message}\nlooked for: one column of whole boards, nine of cells, one of whole games, one of plies for each "
        "move, or a log with a game, a ply and a square; name them with --board, --moves, or --game, --ply and --at"
    )


def _with_label(
    layout: Layout, free: Sequence[str], options: LayoutOptions, sample: Sample, *, has_header: bool
) -> Layout:
    rows = sample.rows
    told = label(free, options, sample, has_header=has_header)
    labels = unknown_cells = pl.Series(dtype=pl.String)
    evidence = dict(layout.seen.evidence)
    if layout.board:
        symbols = cells(layout, rows)
        unknown_cells = symbols.filter(~symbols.is_in(list(layout.alphabet.symbols)))
        evidence["cells"] = f"{symbols.len() - unknown_cells.len():,} of {symbols.len():,} cells are known symbols"
    if told.column is not None:
        texts = texts_of(rows[told.column])
        labels = texts.filter(label_meanings(texts, options.outcomes) == UNKNOWN_LABEL)
        filled = texts.filter(texts.str.strip_chars() != "").len()
        evidence["outcome"] = f"{filled - labels.len():,} of {filled:,} labels are known"
    return replace(
        layout,
        outcome=told.column,
        seen=Seen(
            evidence,
            ignored_labels=told.ignored,
            unnamed_labels=told.unnamed,
            unknown_cells=_most_frequent(unknown_cells) if layout.unit == "board" else (),
            unknown_labels=_most_frequent(labels),
            counts_from_one=games.count_from_one(layout, rows),
        ),
    )


def _most_frequent(values: pl.Series) -> tuple[str, ...]:
    counts = pl.DataFrame({"value": values}).group_by("value", maintain_order=True).len()
    return tuple(counts.sort("len", descending=True, maintain_order=True)["value"].head(_UNKNOWN_SHOWN))


def _nearest(column: str, schema: pl.Schema) -> str:
    nearest = difflib.get_close_matches(column, schema.names(), n=1, cutoff=0.5)
    return f"; the nearest is {nearest[0]!r}" if nearest else f" among {listed(schema)}"

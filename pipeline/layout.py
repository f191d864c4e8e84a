"""How one file is laid out: which columns hold what, told from its schema, the user's options and a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

import polars as pl

from pipeline.config import NONE, LayoutOptions
from pipeline.encode.boards import board_symbols
from pipeline.encode.moves import Squares
from pipeline.encode.symbols import is_missing, texts_of
from pipeline.errors import InputError
from pipeline.rules.labels import UNKNOWN_LABEL, known_labels, label_meanings
from schemas.vocabulary import CELLS, EMPTY_SYMBOLS, Alphabet, FirstPlayer, Outcome

Kind = Literal["board", "game", "log"]

SAMPLE_RECORDS: Final = 10_000
"""How many records from the start of a file are looked at to tell its layout."""

NUMBERED_CELLS: Final = tuple(str(number) for number in range(1, CELLS + 1))
"""Names that nine columns of cells have as often as nine columns of plies: their values must tell."""

LABEL_NAMES: Final = ("winner", "outcome", "result", "class", "label")
"""Names of columns, in either case, that are the label if their values are labels."""

UNKNOWN_SHOWN: Final = 5
"""How many unknown symbols and labels of the sample are kept, to be shown."""

KNOWN_NEEDED: Final = 0.9
"""The share of a sample's values that must be known for a column to be taken for what its name says."""


@dataclass(frozen=True, slots=True)
class LogColumns:
    """The columns of a log: ``at`` is that of squares, or those of rows and of columns.

    Without ``ply`` the order of the rows counts; without ``player`` no turn is compared.
    """

    game: str
    ply: str | None
    at: tuple[str, ...]
    player: str | None


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in a file the records and the labels are, and how to read them.

    ``moves`` (one column, or up to nine) or ``log`` where the records are games, else ``board`` (one, three or
    nine columns); beside moves ``board`` is the recorded position. ``alphabet.empty`` holds no symbol until an
    empty cell has been seen. ``outcome`` is None where no label is compared; ``outcomes`` says what labels mean
    beyond the built-in ones. ``ignored_labels`` are columns with a label's name whose values are not labels.
    ``unknown_cells`` and ``unknown_labels`` are those of the sample that have no meaning, the most frequent ones.
    """

    board: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    log: LogColumns | None = None
    squares: Squares = field(default_factory=Squares)
    alphabet: Alphabet = Alphabet()
    outcome: str | None = None
    outcomes: Mapping[str, frozenset[Outcome]] = field(default_factory=dict)
    first: FirstPlayer = "X"
    ignored_labels: tuple[str, ...] = ()
    unknown_cells: tuple[str, ...] = ()
    unknown_labels: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """What a row is: a board, a whole game, or one ply of a log."""
        return "log" if self.log is not None else "game" if self.moves else "board"

    @property
    def unit(self) -> Literal["board", "game"]:
        """What a record is."""
        return "board" if self.kind == "board" else "game"

    @property
    def used(self) -> tuple[str, ...]:
        """The columns that hold the records themselves."""
        log = self.log
        columns = () if log is None else (log.game, log.ply, *log.at, log.player)
        return (*self.board, *self.moves, *(name for name in columns if name is not None))

    def as_dict(self) -> dict[str, Any]:
        """The layout in the words of the options, for the summary; what does not apply is left out."""
        cells = {"X": self.alphabet.x, "O": self.alphabet.o, "empty": self.alphabet.empty}
        log = {} if self.log is None else asdict(self.log)
        result = {
            "moves": list(self.moves),
            **{name: list(value) if isinstance(value, tuple) else value for name, value in log.items()},
            "board": list(self.board),
            "cells": {mark: sorted(symbols) for mark, symbols in cells.items() if self.board or log.get("player")},
            "base": self.squares.base if self.unit == "game" else None,
            "order": self.squares.order if self.unit == "game" else None,
            "first": self.first,
            "outcome": self.outcome if self.outcome is not None else NONE,
            "outcomes": {label: sorted(meant) for label, meant in self.outcomes.items()},
            "ignored_labels": list(self.ignored_labels),
            "unknown_cells": list(self.unknown_cells),
            "unknown_labels": list(self.unknown_labels),
        }
        return {name: value for name, value in result.items() if value not in (None, [], {})}


def complete(layout: Layout, sample: pl.DataFrame, options: LayoutOptions) -> Layout:
    """The layout with its alphabet and its label told from the first records (the source's own columns).

    Raises:
        InputError: two columns could be the label.
    """
    layout = replace(layout, alphabet=_alphabet(layout, sample, options))
    if layout.board == NUMBERED_CELLS and not options.board and not _holds_cells(layout, sample):
        raise InputError(
            "columns '1' to '9' hold no cells that are known: say what they mean with --cells, "
            "or name them with --moves if they are plies"
        )
    if options.outcome is None:
        layout = _with_label(layout, sample, options)
    return _with_unknown(layout, sample)


def _with_label(layout: Layout, sample: pl.DataFrame, options: LayoutOptions) -> Layout:
    """The layout with the one column for its label that has a label's name and holds labels."""
    named = [name for name in sample.columns if name.lower() in LABEL_NAMES and name not in layout.used]
    labels = [name for name in named if _holds_labels(sample[name], options)]
    # A column without any values is the label only where no other is.
    labels = [name for name in labels if not is_missing(sample[name]).all()] or labels
    if len(labels) > 1:
        raise InputError(
            f"columns {labels[0]!r} and {labels[1]!r} could both be the label; choose one with --outcome, "
            f"or --outcome {NONE}"
        )
    return replace(
        layout,
        outcome=labels[0] if labels else None,
        ignored_labels=tuple(name for name in named if name not in labels),
    )


def _with_unknown(layout: Layout, sample: pl.DataFrame) -> Layout:
    """The layout with what its alphabet and its labels do not name in the sample."""
    cells = labels = pl.Series(dtype=pl.String)
    if layout.board and layout.unit == "board":
        cells = _cells(layout, sample)
        cells = cells.filter(~cells.is_in(list(layout.alphabet.symbols)))
    if layout.outcome is not None:
        labels = texts_of(sample[layout.outcome])
        labels = labels.filter(label_meanings(labels, layout.outcomes) == UNKNOWN_LABEL)
    return replace(layout, unknown_cells=_most_frequent(cells), unknown_labels=_most_frequent(labels))


def _most_frequent(values: pl.Series) -> tuple[str, ...]:
    counts = pl.DataFrame({"value": values}).group_by("value", maintain_order=True).len()
    return tuple(counts.sort("len", descending=True, maintain_order=True)["value"].head(UNKNOWN_SHOWN))


def _holds_cells(layout: Layout, sample: pl.DataFrame) -> bool:
    """Whether nearly all cells of the sample's boards hold a symbol of the layout's alphabet."""
    cells = _cells(layout, sample)
    return cells.is_in(list(layout.alphabet.symbols)).sum() >= KNOWN_NEEDED * cells.len()


def with_first_empty(layout: Layout, columns: pl.DataFrame, options: LayoutOptions) -> Layout:
    """The layout with the first symbol of an empty cell that occurs in ``columns``, if it had none yet."""
    if layout.alphabet.empty or "empty" in options.cells or not layout.board:
        return layout
    seen = _empty_symbols(layout, columns)
    return replace(layout, alphabet=layout.alphabet.with_empty(seen["symbol"].head(1)))


def _alphabet(layout: Layout, sample: pl.DataFrame, options: LayoutOptions) -> Alphabet:
    given = options.cells
    taken = frozenset[str]().union(*given.values())
    built_in = Alphabet()
    alphabet = Alphabet(
        x=given.get("X", built_in.x - taken),
        o=given.get("O", built_in.o - taken),
        empty=given.get("empty", frozenset()),
    )
    if "empty" in given or not layout.board:
        return alphabet
    seen = _empty_symbols(replace(layout, alphabet=alphabet), sample)
    return alphabet.with_empty(seen.sort("len", descending=True, maintain_order=True)["symbol"].head(1))


def _empty_symbols(layout: Layout, columns: pl.DataFrame) -> pl.DataFrame:
    """Possible symbols of an empty cell (``symbol``) and how many cells have them (``len``), first seen first."""
    possible = [symbol for symbol in EMPTY_SYMBOLS if symbol not in layout.alphabet.symbols]
    cells = pl.DataFrame({"symbol": _cells(layout, columns)})
    return cells.filter(pl.col("symbol").is_in(possible)).group_by("symbol", maintain_order=True).len()


def _cells(layout: Layout, columns: pl.DataFrame) -> pl.Series:
    """The symbols of all cells of all boards of nine, one after the other; null is empty text."""
    symbols = board_symbols(columns, layout.board, layout.alphabet)
    return symbols.explode("symbols", empty_as_null=False)["symbols"].fill_null("")


def _holds_labels(column: pl.Series, options: LayoutOptions) -> bool:
    try:
        text = texts_of(column)
    except InputError:
        return False
    values = text.filter(text.str.strip_chars() != "")
    known = known_labels(values.unique(), options.outcomes)
    return values.is_in(known).sum() >= KNOWN_NEEDED * values.len()

"""How one file is laid out: which columns hold what, told from its schema, the user's options and a sample."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import polars as pl

from pipeline.config import NO_LABEL, LayoutOptions
from pipeline.encode.boards import board_symbols
from pipeline.encode.symbols import symbol_text
from pipeline.errors import InputError, UsageError
from pipeline.rules.labels import known_labels
from schemas.vocabulary import EMPTY_SYMBOLS, Alphabet, FirstPlayer, Outcome

SAMPLE_RECORDS: Final = 10_000
"""How many records from the start of a file are looked at to tell its layout."""

BOARD_NAMES: Final = (("board",), tuple(f"c{cell}" for cell in range(9)))
LABEL_NAMES: Final = ("winner", "outcome")
KNOWN_LABELS_NEEDED: Final = 0.9


class ColumnNotFoundError(UsageError):
    """A named column is not among those of a file: wrong usage if no input has it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in a file the boards and the labels are, and how to read them.

    ``board`` holds one, three or nine column names; ``alphabet.empty`` holds no symbol until an empty cell has
    been seen. ``outcome`` is None where no label is compared; ``outcomes`` says what labels mean beyond the
    built-in ones. ``ignored_labels`` are columns with a label's name whose values are not labels.
    """

    board: tuple[str, ...]
    alphabet: Alphabet = Alphabet()
    outcome: str | None = None
    outcomes: Mapping[str, frozenset[Outcome]] = field(default_factory=dict)
    first: FirstPlayer = "X"
    ignored_labels: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The layout in the words of the options, for the summary."""
        cells = {"X": self.alphabet.x, "O": self.alphabet.o, "empty": self.alphabet.empty}
        result: dict[str, Any] = {
            "board": list(self.board),
            "cells": {mark: sorted(symbols) for mark, symbols in cells.items()},
            "first": self.first,
            "outcome": self.outcome if self.outcome is not None else NO_LABEL,
        }
        if self.outcome is not None and self.outcomes:
            result["outcomes"] = {label: sorted(meant) for label, meant in self.outcomes.items()}
        if self.ignored_labels:
            result["ignored_labels"] = list(self.ignored_labels)
        return result


def choose_columns(schema: pl.Schema, options: LayoutOptions) -> Layout:
    """The layout as far as column names tell it: by the options, else by the plain names.

    Raises:
        ColumnNotFoundError: a column that the options name is not in the schema.
        InputError: no column, or more than one choice of columns, can hold boards.
    """
    for column in (*options.board, *((options.outcome,) if options.outcome not in (None, NO_LABEL) else ())):
        if column not in schema:
            raise ColumnNotFoundError(f"there is no column {column!r}{_nearest(column, schema)}")
    return Layout(
        board=options.board or _plain_board(schema),
        outcome=None if options.outcome == NO_LABEL else options.outcome,
        outcomes=options.outcomes,
        first=options.first,
    )


def complete(layout: Layout, sample: pl.DataFrame, options: LayoutOptions) -> Layout:
    """The layout with its alphabet and its label told from the first records (the source's own columns).

    Raises:
        InputError: two columns could be the label.
    """
    alphabet = _alphabet(layout, sample, options)
    if options.outcome is not None:
        return replace(layout, alphabet=alphabet)
    named = [name for name in LABEL_NAMES if name in sample.columns and name not in layout.board]
    labels = [name for name in named if _holds_labels(sample[name], options)]
    if len(labels) > 1:
        raise InputError(
            f"columns {labels[0]!r} and {labels[1]!r} could both be the label; choose one with --outcome, "
            f"or --outcome {NO_LABEL}"
        )
    return replace(
        layout,
        alphabet=alphabet,
        outcome=labels[0] if labels else None,
        ignored_labels=tuple(name for name in named if name not in labels),
    )


def with_first_empty(layout: Layout, columns: pl.DataFrame, options: LayoutOptions) -> Layout:
    """The layout with the first symbol of an empty cell that occurs in ``columns``, if it had none yet."""
    if layout.alphabet.empty or "empty" in options.cells:
        return layout
    seen = _empty_symbols(layout, columns)
    return replace(layout, alphabet=layout.alphabet.with_empty(seen["symbol"].head(1)))


def _plain_board(schema: pl.Schema) -> tuple[str, ...]:
    found = [names for names in BOARD_NAMES if all(name in schema for name in names)]
    if len(found) > 1:
        raise InputError("both a column 'board' and columns 'c0' to 'c8' could hold the boards; choose with --board")
    if not found:
        raise InputError(
            f"no board among its columns ({_listed(schema)}): "
            "name one column, three row columns or nine cell columns with --board"
        )
    return found[0]


def _alphabet(layout: Layout, sample: pl.DataFrame, options: LayoutOptions) -> Alphabet:
    given = options.cells
    taken = frozenset[str]().union(*given.values())
    built_in = Alphabet()
    alphabet = Alphabet(
        x=given.get("X", built_in.x - taken),
        o=given.get("O", built_in.o - taken),
        empty=given.get("empty", frozenset()),
    )
    if "empty" in given:
        return alphabet
    seen = _empty_symbols(replace(layout, alphabet=alphabet), sample)
    return alphabet.with_empty(seen.sort("len", descending=True, maintain_order=True)["symbol"].head(1))


def _empty_symbols(layout: Layout, columns: pl.DataFrame) -> pl.DataFrame:
    """Possible symbols of an empty cell (``symbol``) and how many cells have them (``len``), first seen first."""
    possible = [symbol for symbol in EMPTY_SYMBOLS if symbol not in layout.alphabet.symbols]
    symbols = board_symbols(columns, layout.board, layout.alphabet).explode("symbols", empty_as_null=False)
    found = symbols.select(symbol=pl.col("symbols").fill_null("")).filter(pl.col("symbol").is_in(possible))
    return found.group_by("symbol", maintain_order=True).len()


def _holds_labels(column: pl.Series, options: LayoutOptions) -> bool:
    text = pl.select(symbol_text(pl.lit(column), column.dtype, column.name)).to_series()
    values = text.filter(text.str.strip_chars() != "")
    known = known_labels(values.unique(), options.outcomes)
    return values.is_in(known).sum() >= KNOWN_LABELS_NEEDED * values.len()


def _nearest(column: str, schema: pl.Schema) -> str:
    nearest = difflib.get_close_matches(column, schema.names(), n=1, cutoff=0.5)
    return f"; the nearest is {nearest[0]!r}" if nearest else f" among {_listed(schema)}"


def _listed(names: Iterable[str], most: int = 12) -> str:
    shown = [repr(name) for name in names]
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")

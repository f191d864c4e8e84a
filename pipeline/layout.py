"""How one file is laid out: which columns hold what, and how to read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pipeline.config import NONE
from pipeline.encode.moves import Squares
from schemas.vocabulary import Alphabet, FirstPlayer, Outcome

Kind = Literal["board", "game", "log"]


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
class Seen:
    """What a file's first records show beside its layout; nothing is judged by it.

    ``evidence`` says what each part of the layout was told from. ``ignored_labels`` are columns with a label's
    name whose values are no labels, with the most frequent of these, ``unnamed_labels`` those whose values are labels
    under another name.
    ``unknown_cells`` and ``unknown_labels`` have no meaning, the most frequent first. ``counts_from_one`` says
    that squares seem to count from 1 where they are taken to count from 0.
    """

    evidence: Mapping[str, str] = field(default_factory=dict)
    ignored_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unnamed_labels: tuple[str, ...] = ()
    unknown_cells: tuple[str, ...] = ()
    unknown_labels: tuple[str, ...] = ()
    counts_from_one: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in a file the records and the labels are, and how to read them.

    ``moves`` (one column, or up to nine) or ``log`` where the records are games, else ``board`` (one, three or
    nine columns); beside moves ``board`` is the recorded position. ``alphabet.empty`` holds no symbol until an
    empty cell has been seen. ``outcome`` is None where no label is compared; ``outcomes`` says what labels mean
    beyond the built-in ones. ``header`` and ``delimiter`` are those of a text file, else None.
    """

    board: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    log: LogColumns | None = None
    squares: Squares = field(default_factory=Squares)
    alphabet: Alphabet = Alphabet()
    outcome: str | None = None
    outcomes: Mapping[str, frozenset[Outcome]] = field(default_factory=dict)
    first: FirstPlayer = "X"
    header: bool | None = None
    delimiter: str | None = None
    seen: Seen = field(default_factory=Seen)

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

    @property
    def recurring(self) -> frozenset[str]:
        """The columns that hold the same few values again and again: boards, labels and players."""
        player = None if self.log is None else self.log.player
        return frozenset(name for name in (*self.board, self.outcome, player) if name is not None)

    def as_dict(self) -> dict[str, Any]:
        """The layout in the words of the options, and what was seen beside it, for the summary."""
        seen = {
            "ignored_labels": {name: list(values) for name, values in self.seen.ignored_labels.items()},
            "unnamed_labels": list(self.seen.unnamed_labels),
            "unknown_cells": list(self.seen.unknown_cells),
            "unknown_labels": list(self.seen.unknown_labels),
            "counts_from_one": self.seen.counts_from_one or None,
        }
        return {**self.as_options(), **{name: value for name, value in seen.items() if value not in (None, [], {})}}

    def as_options(self) -> dict[str, Any]:
        """The layout in the words of the options, as TOML has them; what does not apply is left out."""
        symbols = {"X": self.alphabet.x, "O": self.alphabet.o, "empty": self.alphabet.empty}
        log = {} if self.log is None else asdict(self.log)
        has_cells = bool(self.board or log.get("player"))
        options = {
            "moves": list(self.moves),
            **{name: list(value) if isinstance(value, tuple) else value for name, value in log.items()},
            "board": list(self.board),
            "base": self.squares.base if self.unit == "game" else None,
            "order": self.squares.order if self.unit == "game" else None,
            "first": self.first,
            "outcome": self.outcome if self.outcome is not None else NONE,
            "header": self.header,
            "delimiter": self.delimiter,
            "cells": {mark: sorted(some) for mark, some in symbols.items() if has_cells},
            "outcomes": {label: sorted(meant) for label, meant in self.outcomes.items()},
        }
        return {name: value for name, value in options.items() if value not in (None, [], {})}

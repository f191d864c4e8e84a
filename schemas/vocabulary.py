"""The words that recorded tic-tac-toe shares: marks, outcomes, alphabets and the report's own columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

Mark = Literal["X", "O"]
FirstPlayer = Literal["X", "O", "any"]
Outcome = Literal["X", "O", "draw", "unfinished"]
Base = Literal[0, 1]
Order = Literal["row", "column"]
CellMeaning = Literal["X", "O", "empty"]
TableFormat = Literal["parquet", "csv", "jsonl"]

MARKS: Final[tuple[Mark, ...]] = ("X", "O")

CELLS: Final = 9
"""Cells of a board, numbered 0 to 8 row by row from the top left."""

LINES: Final = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)
"""The eight lines: three rows, three columns, two diagonals."""

OUTCOMES: Final[tuple[Outcome, ...]] = ("X", "O", "draw", "unfinished")

EMPTY_SYMBOLS: Final = (" ", "", ".", "_", "-", "b", "e")
"""What files write in an empty cell; which one a file uses is told from its first records."""


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Which symbols mean X, O and empty in one file.

    ``empty`` may hold no symbol at all: a file whose boards are all full. A symbol has one meaning only.

    Raises:
        ValueError: a symbol is given two meanings.
    """

    x: frozenset[str] = frozenset("xX")
    o: frozenset[str] = frozenset("oO")
    empty: frozenset[str] = frozenset(".")

    def __post_init__(self) -> None:
        for symbols, others in ((self.x, self.o), (self.x, self.empty), (self.o, self.empty)):
            if shared := symbols & others:
                raise ValueError(f"symbol {min(shared)!r} cannot have two meanings in one alphabet")

    @property
    def symbols(self) -> frozenset[str]:
        """Every symbol that a cell may hold."""
        return self.x | self.o | self.empty

    def with_empty(self, symbols: Iterable[str]) -> Alphabet:
        """The same marks with other symbols for an empty cell."""
        return Alphabet(self.x, self.o, frozenset(symbols))


BUILT_IN_LABELS: Final[Mapping[str, frozenset[Outcome]]] = {
    "x": frozenset({"X"}),
    "a": frozenset({"X"}),
    "positive": frozenset({"X"}),
    "o": frozenset({"O"}),
    "b": frozenset({"O"}),
    "draw": frozenset({"draw"}),
    "tie": frozenset({"draw"}),
    "d": frozenset({"draw"}),
    "pending": frozenset({"unfinished"}),
    "unfinished": frozenset({"unfinished"}),
    "ongoing": frozenset({"unfinished"}),
    "continue": frozenset({"unfinished"}),
    "negative": frozenset({"O", "draw", "unfinished"}),
}
"""Labels known without a mapping, in lower case, and the outcomes that each allows.

``positive`` and ``negative`` are those of the UCI Tic-Tac-Toe Endgame data set: "win for x", or not.
"""

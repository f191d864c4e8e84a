"""The options that say how the data is laid out, checked once, whether they come as flags or as arguments."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pipeline.errors import UsageError
from schemas.vocabulary import CELLS, OUTCOMES, FirstPlayer, Outcome

NO_LABEL = "none"
"""The value of ``outcome`` that turns label checks off."""


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """What the user says of the layout; whatever is left out is told from the data.

    ``board`` names one column (a whole board), three (row texts) or nine (cells). ``outcome`` names the label
    column, or is ``"none"``. ``outcomes`` says what labels may mean, letter for letter. ``cells`` gives the
    symbols of ``"X"``, ``"O"`` and ``"empty"``. ``header`` and ``delimiter`` are for text files.

    Raises:
        UsageError: a value that is not possible, or two that contradict each other.
    """

    board: tuple[str, ...] = ()
    outcome: str | None = None
    outcomes: Mapping[str, frozenset[Outcome]] = field(default_factory=dict)
    cells: Mapping[str, frozenset[str]] = field(default_factory=dict)
    first: FirstPlayer = "X"
    header: bool = True
    delimiter: str | None = None

    def __post_init__(self) -> None:
        if len(self.board) not in (0, 1, 3, CELLS):
            raise UsageError(
                f"--board names {len(self.board)} columns; a board is one column, three (row texts) or nine (cells)"
            )
        if len(set(self.board)) != len(self.board):
            raise UsageError("--board names a column twice")
        if self.delimiter is not None and (
            len(self.delimiter) != 1 or not self.delimiter.isascii() or self.delimiter in '"\r\n\0'
        ):
            raise UsageError(f"--delimiter {self.delimiter!r} is not one ASCII character that can delimit fields")
        owners: dict[str, str] = {}
        for mark, symbols in self.cells.items():
            for symbol in symbols:
                if owners.setdefault(symbol, mark) != mark:
                    raise UsageError(f"--cells gives the symbol {symbol!r} to both {owners[symbol]} and {mark}")

    @classmethod
    def from_flags(
        cls,
        *,
        board: str | None = None,
        cells: Iterable[str] = (),
        outcomes: Iterable[str] = (),
        **others: Any,
    ) -> LayoutOptions:
        """From the values as a command line has them: comma lists, and mappings such as ``X=x,1``."""
        return cls(
            board=comma_list(board) if board is not None else (),
            cells=cells_mapping(cells),
            outcomes=outcomes_mapping(outcomes),
            **others,
        )


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many invalid records are still a success: a number of them, or a share of the records read."""

    text: str = "0"
    number: int = 0
    share: Fraction | None = None

    @classmethod
    def parse(cls, text: str) -> Allowance:
        """From ``N`` or ``P%``.

        Raises:
            UsageError: neither a whole number from 0 nor a percentage from 0 to 100.
        """
        number, percent, rest = text.strip().partition("%")
        try:
            value = Fraction(number)
        except (ValueError, ZeroDivisionError):
            value = Fraction(-1)
        if rest or value < 0 or (percent and value > 100) or (not percent and value.denominator != 1):
            raise UsageError(f"--max-invalid {text!r} is neither a whole number nor a percentage such as 0.5%")
        return cls(text, share=value / 100) if percent else cls(text, int(value))

    def allows(self, invalid: int, read: int) -> bool:
        """Whether so many invalid records of those read are still a success."""
        return invalid <= (self.number if self.share is None else self.share * read)


def comma_list(text: str) -> tuple[str, ...]:
    """The values of a comma list, which is one CSV record: ``a,"b,c"`` is ``a`` and ``b,c``.

    Raises:
        UsageError: the quotes do not add up.
    """
    try:
        records = list(csv.reader([text], strict=True))
    except csv.Error as error:
        raise UsageError(f"{text!r} is not a comma list: {error}") from error
    return tuple(records[0]) if records and records[0] else ("",)


def cells_mapping(values: Iterable[str]) -> dict[str, frozenset[str]]:
    """``X=x,1`` and the like, as given repeatedly, to the symbols of each of ``X``, ``O`` and ``empty``."""
    result: dict[str, frozenset[str]] = {}
    for value in values:
        mark, equals, symbols = value.partition("=")
        if not equals or mark not in ("X", "O", "empty"):
            raise UsageError(f"--cells {value!r} is not of the form X=SYMBOL, O=SYMBOL or empty=SYMBOL")
        result[mark] = result.get(mark, frozenset()) | frozenset(comma_list(symbols))
    return result


def outcomes_mapping(values: Iterable[str]) -> dict[str, frozenset[Outcome]]:
    """``LABEL=OUTCOME,…`` as given repeatedly, split at the last ``=``, to the outcomes of each label."""
    result: dict[str, frozenset[Outcome]] = {}
    for value in values:
        label, equals, names = value.rpartition("=")
        meant = frozenset(outcome for outcome in OUTCOMES if outcome in comma_list(names))
        if not equals or len(meant) != len(set(comma_list(names))):
            raise UsageError(f"--outcomes {value!r} is not of the form LABEL=OUTCOME with {', '.join(OUTCOMES)}")
        result[label] = result.get(label, frozenset()) | meant
    return result

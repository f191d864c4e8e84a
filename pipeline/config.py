"""The options that say how the data is laid out, checked once, whether they come as flags or as arguments."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, get_args

from pipeline.errors import UsageError
from schemas.vocabulary import CELLS, OUTCOMES, Base, FirstPlayer, Order, Outcome

NONE = "none"
"""The value of ``board``, ``moves``, ``game`` and ``outcome`` that says that the data has no such thing."""


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """What the user says of the layout; whatever is left out is told from the data.

    ``board`` names one column (a whole board), three (row texts) or nine (cells). ``moves`` names one column (a
    whole game) or up to nine (one a ply). ``game``, ``ply``, ``at`` (a square, or a row and a column) and
    ``player`` name the columns of a log. ``outcome`` names the label column, or is ``"none"``. ``outcomes`` says
    what labels may mean, letter for letter. ``board``, ``moves`` and ``game`` may be ``"none"`` too: the data then
    has no recorded boards, no games in one row, no log, whatever its columns are called. ``cells`` gives the
    symbols of ``"X"``, ``"O"`` and ``"empty"``. ``base`` is what squares, rows and columns count from, ``order``
    how squares are numbered: row by row or column by column. ``header`` and ``delimiter`` are for text files.

    Raises:
        UsageError: a value that is not possible, or two that contradict each other.
    """

    board: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    game: str | None = None
    ply: str | None = None
    at: tuple[str, ...] = ()
    player: str | None = None
    outcome: str | None = None
    outcomes: Mapping[str, frozenset[Outcome]] = field(default_factory=dict)
    cells: Mapping[str, frozenset[str]] = field(default_factory=dict)
    first: FirstPlayer = "X"
    base: Base = 0
    order: Order = "row"
    header: bool = True
    delimiter: str | None = None

    def __post_init__(self) -> None:
        self._check_columns()
        for option, value, possible in (
            ("first", self.first, get_args(FirstPlayer)),
            ("base", self.base, get_args(Base)),
            ("order", self.order, get_args(Order)),
        ):
            if value not in possible:
                raise UsageError(f"--{option} is {value!r}, not one of {', '.join(map(str, possible))}")
        for mark in self.cells.keys() - {"X", "O", "empty"}:
            raise UsageError(f"--cells gives symbols of {mark!r}, not of X, O or empty")
        for outcome in frozenset[str]().union(*self.outcomes.values()) - set(OUTCOMES):
            raise UsageError(f"--outcomes names {outcome!r}, not one of {', '.join(OUTCOMES)}")
        if self.delimiter is not None and (
            len(self.delimiter) != 1 or not self.delimiter.isascii() or self.delimiter in '"\r\n\0'
        ):
            raise UsageError(f"--delimiter {self.delimiter!r} is not one ASCII character that can delimit fields")
        if any("\n" in symbol or "\r" in symbol for symbols in self.cells.values() for symbol in symbols):
            raise UsageError("--cells names a symbol that holds a line break, which separates the rows of a board")
        owners: dict[str, str] = {}
        for mark, symbols in self.cells.items():
            for symbol in symbols:
                if owners.setdefault(symbol, mark) != mark:
                    raise UsageError(f"--cells gives the symbol {symbol!r} to both {owners[symbol]} and {mark}")

    def _check_columns(self) -> None:
        if len(self.board) not in (0, 1, 3, CELLS):
            raise UsageError(
                f"--board names {len(self.board)} columns; a board is one column, three (row texts) or nine (cells)"
            )
        if len(self.moves) > CELLS:
            raise UsageError(f"--moves names {len(self.moves)} columns; a game has up to nine, one a ply")
        if len(self.at) > len(("row", "column")):
            raise UsageError(
                f"--at names {len(self.at)} columns; it is one of squares, or one of rows and one of columns"
            )
        for name in self.named:
            if self.named.count(name) > 1:
                raise UsageError(f"the options name column {name!r} twice; a column holds one thing")
        if self.moves not in ((), (NONE,)) and self.is_log:
            raise UsageError("--moves (a game in one row) and --game, --ply, --at, --player (a log) exclude each other")

    @property
    def is_log(self) -> bool:
        """Whether any column of a log is named."""
        return bool(self.game not in (None, NONE) or self.ply or self.at or self.player)

    @property
    def named(self) -> tuple[str, ...]:
        """Every column that is named."""
        single = (self.game, self.ply, self.player, self.outcome)
        names = (*self.board, *self.moves, *self.at, *(name for name in single if name is not None))
        return tuple(name for name in names if name != NONE)

    @classmethod
    def from_flags(
        cls,
        *,
        board: str | None = None,
        moves: str | None = None,
        at: str | None = None,
        cells: Iterable[str] = (),
        outcomes: Iterable[str] = (),
        **others: Any,
    ) -> LayoutOptions:
        """From the values as a command line has them: comma lists, and mappings such as ``X=x,1``."""
        return cls(
            board=comma_list(board) if board is not None else (),
            moves=comma_list(moves) if moves is not None else (),
            at=comma_list(at) if at is not None else (),
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
        match = re.fullmatch(r"([0-9]{1,18})|([0-9]{1,3}(?:\.[0-9]{1,18})?)%", text.strip())
        share = Fraction(match[2]) / 100 if match is not None and match[2] else None
        if match is None or (share is not None and share > 1):
            raise UsageError(f"--max-invalid {text!r} is neither a whole number nor a percentage such as 0.5%")
        return cls(text, int(match[1] or 0), share)

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

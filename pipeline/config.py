"""The options that say how the data is laid out, checked once, whether they come as flags, TOML or arguments."""

from __future__ import annotations

import csv
import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from pipeline.errors import UsageError
from schemas.vocabulary import CELLS, OUTCOMES, Base, CellMeaning, FirstPlayer, Order, Outcome

NONE: Final = "none"
"""The value of an option that names columns which says that the data has no such thing."""

CELL_MEANINGS: Final[tuple[CellMeaning, ...]] = ("X", "O", "empty")


def _in_order(value: Any) -> tuple[str, ...]:
    """One text is a list of one: ``board = "board"`` is as good as ``board = ["board"]``."""
    texts = (value,) if isinstance(value, str) else value
    if not isinstance(texts, list | tuple | set | frozenset) or not all(isinstance(text, str) for text in texts):
        raise ValueError("expected text, or a list of texts")
    return tuple(texts)


def _in_any_order(value: Any) -> frozenset[str]:
    texts = frozenset(_in_order(value))
    if not texts:
        raise ValueError("expected text, or a list of one or more texts")
    return texts


def _whole(value: Any) -> Any:
    """``true`` and ``1.0`` are equal to 1, and yet no numbers to count from."""
    if isinstance(value, bool | float):
        raise ValueError("expected 0 or 1")  # noqa: TRY004 - Pydantic wraps only this one
    return value


Columns = Annotated[tuple[str, ...], BeforeValidator(_in_order)]
Symbols = Annotated[frozenset[str], BeforeValidator(_in_any_order)]
Outcomes = Annotated[frozenset[Outcome], BeforeValidator(_in_any_order)]


class OptionError(UsageError):
    """An option that is not possible: its name, as a key of TOML has it, and what is wrong."""

    def __init__(self, option: str, problem: str) -> None:
        super().__init__(f"{option} {problem}")
        self.option = option
        self.problem = problem

    def named(self, name: str) -> OptionError:
        """The same under the name by which the user has given the option."""
        return OptionError(name, self.problem)


class LayoutOptions(BaseModel):
    """What the user says of the layout; whatever is left out is told from the data.

    ``board`` names one column (a whole board), three (row texts) or nine (cells). ``moves`` names one column (a
    whole game) or up to nine (one a ply). ``game``, ``ply``, ``at`` (a square, or a row and a column) and
    ``player`` name the columns of a log. ``outcome`` names the label column. All but ``at`` may be ``"none"``: the
    data then has no such thing, whatever its columns are called. ``outcomes`` says what labels may
    mean, letter for letter. ``cells`` gives the symbols of ``"X"``, ``"O"`` and ``"empty"``. ``base`` is what
    squares, rows and columns count from, ``order`` how squares are numbered: row by row or column by column.
    ``header`` and ``delimiter`` are for text files.

    Raises:
        OptionError: a value that is not possible, or two that contradict each other.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    board: Columns = ()
    moves: Columns = ()
    game: str | None = None
    ply: str | None = None
    at: Columns = ()
    player: str | None = None
    outcome: str | None = None
    outcomes: Mapping[str, Outcomes] = {}
    cells: Mapping[CellMeaning, Symbols] = {}
    first: FirstPlayer = "X"
    base: Annotated[Base, BeforeValidator(_whole)] = 0
    order: Order = "row"
    header: bool | None = None
    delimiter: str | None = None

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _option_error(error) from error

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        self._check_columns()
        self._check_cells()
        mark = self.delimiter
        if mark is not None and (len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0'):
            raise OptionError("delimiter", f"{mark!r} is not one ASCII character that can delimit fields")
        return self

    def _check_columns(self) -> None:
        if len(self.board) not in (0, 1, 3, CELLS):
            raise OptionError(
                "board",
                f"names {len(self.board)} columns; a board is one column, three (row texts) or nine (cells)",
            )
        if len(self.moves) > CELLS:
            raise OptionError("moves", f"names {len(self.moves)} columns; a game has up to nine, one a ply")
        if self.at == (NONE,):
            raise OptionError("at", f"is {NONE!r}; a log without moves is none: --game {NONE}")
        if len(self.at) > len(("row", "column")):
            raise OptionError(
                "at", f"names {len(self.at)} columns; it is one of squares, or one of rows and one of columns"
            )
        for name in self.named:
            if self.named.count(name) > 1:
                raise UsageError(f"the options name column {name!r} twice; a column holds one thing")
        if self.moves not in ((), (NONE,)) and self.is_log:
            raise OptionError("moves", "(a game in one row) and game, ply, at, player (a log) exclude each other")

    def _check_cells(self) -> None:
        owners: dict[str, str] = {}
        for mark, symbols in self.cells.items():
            for symbol in sorted(symbols):
                if "\n" in symbol or "\r" in symbol:
                    raise OptionError(
                        "cells", "names a symbol that holds a line break, which separates the rows of a board"
                    )
                if owners.setdefault(symbol, mark) != mark:
                    raise OptionError("cells", f"gives the symbol {symbol!r} to both {owners[symbol]} and {mark}")

    @property
    def is_log(self) -> bool:
        """Whether any column of a log is named."""
        return bool(self.at) or any(name not in (None, NONE) for name in (self.game, self.ply, self.player))

    @property
    def named(self) -> tuple[str, ...]:
        """Every column that is named."""
        single = (self.game, self.ply, self.player, self.outcome)
        names = (*self.board, *self.moves, *self.at, *(name for name in single if name is not None))
        return tuple(name for name in names if name != NONE)

    @classmethod
    def from_flags(cls, config: Path | None = None, **flags: Any) -> LayoutOptions:
        """From the values as a command line has them, which win over those of the TOML file ``config``.

        ``board``, ``moves`` and ``at`` are comma lists, ``cells`` and ``outcomes`` mappings such as ``X=x,1``,
        which win symbol list by symbol list and label by label. None and nothing are as if not given.

        Raises:
            OptionError: as above, under the name that the user has given: a flag, or a file and its key.
            UsageError: ``config`` cannot be read.
        """
        given = {name: _from_flag(name, value) for name, value in flags.items() if value not in (None, [], ())}
        values = _read(config) if config is not None else {}
        for name, value in given.items():
            below = values.get(name)
            values[name] = {**below, **value} if isinstance(value, dict) and isinstance(below, dict) else value
        try:
            return cls(**values)
        except OptionError as error:
            # Only what is on the command line alone is called by its flag.
            raise error.named(f"--{error.option}" if error.option in given else f"{config}: {error.option}") from error


def _from_flag(name: str, value: Any) -> Any:
    if name in ("board", "moves", "at"):
        return comma_list(value)
    if name == "cells":
        return cells_mapping(value)
    if name == "outcomes":
        return outcomes_mapping(value)
    return value


def _read(config: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(config.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--config {config}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"--config {config}: is not TOML: {error}") from error


def _option_error(error: ValidationError) -> OptionError:
    """The first thing that is wrong, in the words of the options."""
    first = error.errors(include_url=False)[0]
    option, *within = (str(part) for part in first["loc"])
    where = "" if "[key]" in within else "".join(f" of {part!r}" for part in within if not part.isdigit())
    if first["type"] == "extra_forbidden":
        nearest = difflib.get_close_matches(option, LayoutOptions.model_fields, n=1, cutoff=0.5)
        known = f"the nearest is {nearest[0]}" if nearest else f"there are {', '.join(LayoutOptions.model_fields)}"
        return OptionError(option, f"is no option of the layout; {known}")
    if first["type"] == "literal_error":
        return OptionError(option, f"is {first['input']!r}{where}, not one of {first['ctx']['expected']}")
    message = first["msg"].removeprefix("Value error, ")
    return OptionError(option, f"is not possible{where}: {message[0].lower()}{message[1:]}, not {first['input']!r:.80}")


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
        for symbol in comma_list(symbols):
            if symbol.startswith(tuple(f"{other}=" for other in CELL_MEANINGS)):
                raise UsageError(f"--cells {value!r} names two meanings: repeat the option, as in --cells {symbol}")
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

"""Columns that are named alike, such as the nine cells of a board: by place, by number or by letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeVar

from pipeline.recognise.names import COLUMN_WORDS, ROW_WORDS, words
from schemas.vocabulary import CELLS

_SIDE: Final = 3
_TOP_WORDS: Final = {"top": 0, "upper": 0, "t": 0, "bottom": 2, "lower": 2, "b": 2}
_LEFT_WORDS: Final = {"left": 0, "l": 0, "right": 2, "r": 2}
_MIDDLE_WORDS: Final = dict.fromkeys(("middle", "mid", "center", "centre", "m", "c"), 1)
_COMPASS: Final = dict(zip(("nw", "n", "ne", "w", "c", "e", "sw", "s", "se"), range(CELLS), strict=True))
_DIGITS: Final = re.compile(r"\d+")
_LETTERS: Final = "abcdefghi"
_FILLERS: Final = frozenset({"square", "sq", "cell", "field", "position", "pos", "box", "tile", "board", "grid"})
"""Words in the names of cells that say only that they are cells."""

Words = tuple[str, ...]
At = TypeVar("At", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Series:
    """Columns that are named alike: by place (0 to 8) where ``are_places``, else by number.

    ``prefix`` holds the words that all of them share.
    """

    prefix: Words
    are_places: bool
    columns: Mapping[int, str]
    said_in_words: bool = False

    @property
    def means_cells(self) -> bool:
        """Whether the names say by themselves that the columns are cells."""
        said = {*self.prefix}
        return self.said_in_words or (bool(said) and said <= _FILLERS | ROW_WORDS | COLUMN_WORDS)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns in the order of their places or numbers."""
        return tuple(self.columns[number] for number in sorted(self.columns))


def series_of(names: Sequence[str]) -> list[Series]:
    """The series among some names, those with places first.

    Places are said in words (``top-left``, ``TL``), by row and column (``r0c0``, ``cell_1_1``, ``Cell00``,
    ``a11``), or by letter and number as in a spreadsheet (``A1`` to ``C3``). Others are numbered, or lettered
    ``a`` to ``i``. Rows and columns count from whatever is the lowest.
    """
    pairs = _grouped(names, _row_and_column)
    numbered = _grouped(names, _number)
    for words_, pattern in [key for key in numbered if key[0][-1:] and key[0][-1] in "abc"]:
        if len(numbered[words_, pattern]) == _SIDE:
            cells = {(number, "abc".index(words_[-1])): name for number, name in numbered[words_, pattern].items()}
            pairs.setdefault(((*words_[:-1], "abc"), ""), {}).update(cells)
    for key in [key for key, members in numbered.items() if {*members} in _TWO_DIGITS]:
        pairs[key] = {divmod(number, 10): name for number, name in numbered.pop(key).items()}
    lettered = {key: members for key, members in _grouped(names, _letter).items() if len(members) == CELLS}
    return [
        *(Series(prefix, True, members, said_in_words=True) for prefix, members in _in_words(names)),
        *(Series(prefix, True, _counted_from_lowest(cells)) for (prefix, _), cells in pairs.items()),
        *(Series(prefix, False, members) for (prefix, _), members in (numbered | lettered).items()),
    ]


def _grouped(
    names: Sequence[str], told: Callable[[Words], tuple[Words, At] | None]
) -> dict[tuple[Words, str], dict[At, str]]:
    """The names by the words and the spelling that they share, and each by what tells it from the others."""
    groups: dict[tuple[Words, str], dict[At, str]] = {}
    for name in names:
        if (found := told(words(name))) is not None:
            spelling = "" if name[-1:].isalpha() else _DIGITS.sub("#", name.strip())
            groups.setdefault((found[0], spelling), {}).setdefault(found[1], name)
    return groups


def _in_words(names: Sequence[str]) -> Iterator[tuple[Words, dict[int, str]]]:
    """Names that say places: a row and a column each, or where these are not nine, one of the two for a middle."""
    both: dict[Words, dict[int, str]] = {}
    one: dict[Words, dict[int, str]] = {}
    for name in names:
        said = words(name)
        telling = tuple(word for word in said if word not in _FILLERS)
        key = (_style(telling), *(word for word in said if word in _FILLERS))
        groups, places = (one, _PLACES_IN_ONE) if "".join(telling) in _PLACES_IN_ONE else (both, _PLACES_IN_TWO)
        if (place := places.get("".join(telling))) is not None:
            groups.setdefault(key, {}).setdefault(place, name)
    for key in {**both, **one}:
        members = both.get(key, {})
        yield key, members if len(members) == CELLS else one.get(key, {}) | members


def _style(telling: Words) -> str:
    return "letters" if all(len(word) < len("top") for word in telling) else "words"


def _row_and_column(said: Words) -> tuple[Words, tuple[int, int]] | None:
    """The row and the column of ``r0c0``, ``cell_0_0`` or ``col0row0``."""
    digits = [place for place, word in enumerate(said) if word.isdecimal() and len(word) == 1]
    if len(digits) != 2 or digits[-1] != len(said) - 1:
        return None
    first, second = digits
    if first and said[first - 1] in COLUMN_WORDS and said[second - 1] in ROW_WORDS:
        first, second = second, first
    return _without_numbers(said), (int(said[first]), int(said[second]))


def _number(said: Words) -> tuple[Words, int] | None:
    numbers = [word for word in said if word.isdecimal()]
    return (_without_numbers(said), int(numbers[0])) if len(numbers) == 1 and len(numbers[0]) < CELLS else None


def _letter(said: Words) -> tuple[Words, int] | None:
    last = said[-1] if said else ""
    return (said[:-1], _LETTERS.index(last)) if len(last) == 1 and last in _LETTERS else None


def _without_numbers(said: Words) -> Words:
    return tuple(word for word in said if not word.isdecimal())


def _counted_from_lowest(cells: Mapping[tuple[int, int], str]) -> dict[int, str]:
    """By place if they are three by three, else by number in order."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    places = {(row - top, column - left): name for (row, column), name in cells.items()}
    if {*places} == {*product(range(_SIDE), repeat=2)}:
        return {row * _SIDE + column: name for (row, column), name in places.items()}
    return dict(enumerate(cells[pair] for pair in sorted(cells)))


_ROWS: Final = _TOP_WORDS | _MIDDLE_WORDS
_COLUMNS: Final = _LEFT_WORDS | _MIDDLE_WORDS
_PLACES_IN_ONE: Final = (
    {word: place for word, place in _COMPASS.items() if len(word) == 1}
    | {row: _SIDE * at + 1 for row, at in _ROWS.items()}
    | {column: _SIDE + at for column, at in _COLUMNS.items()}
)
"""Places in the middle of a side, or of the board: ``top``, ``l``, ``center``."""

_PLACES_IN_TWO: Final = {word: place for word, place in _COMPASS.items() if len(word) > 1} | {
    name: _SIDE * _ROWS[row] + _COLUMNS[column]
    for row, column in product(_ROWS, _COLUMNS)
    for name in (row + column, column + row)
}
"""Places by row and column, put together: ``topleft``, ``lefttop``, ``tl``."""

_TWO_DIGITS: Final = tuple(
    {10 * (row + base) + column + base for row, column in product(range(_SIDE), repeat=2)} for base in (0, 1)
)
"""The numbers of places by row and column, from 0 and from 1."""

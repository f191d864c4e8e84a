"""Columns that are named alike, such as the nine cells of a board: by place, by number or by letter."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeVar

from pipeline.recognise.names import COLUMN_WORDS, ROW_WORDS, words
from schemas.vocabulary import CELLS

_SIDE: Final = 3
_TOP_WORDS: Final = {"top": 0, "upper": 0, "t": 0, "bottom": 2, "lower": 2, "b": 2}
_LEFT_WORDS: Final = {"left": 0, "l": 0, "right": 2, "r": 2}
_MIDDLE_WORDS: Final = dict.fromkeys(("middle", "mid", "center", "centre", "m", "c"), 1)
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
    in_words = [Series(prefix, True, some, said_in_words=True) for prefix, some in _grouped(names, _place).items()]
    pairs = _grouped(names, _row_and_column)
    numbered = _grouped(names, _number)
    for prefix in [prefix for prefix in numbered if prefix[-1:] and prefix[-1] in "abc"]:
        if len(numbered[prefix]) == _SIDE:
            cells = {(number, "abc".index(prefix[-1])): name for number, name in numbered[prefix].items()}
            pairs.setdefault((*prefix[:-1], "abc"), {}).update(cells)
    for prefix in [prefix for prefix, members in numbered.items() if {*members} in _TWO_DIGITS]:
        pairs[prefix] = {divmod(number, 10): name for number, name in numbered.pop(prefix).items()}
    lettered = {prefix: some for prefix, some in _grouped(names, _letter).items() if len(some) == CELLS}
    return [
        *in_words,
        *(Series(prefix, True, _counted_from_lowest(cells)) for prefix, cells in pairs.items()),
        *(Series(prefix, False, members) for prefix, members in (numbered | lettered).items()),
    ]


def _grouped(names: Sequence[str], told: Callable[[Words], tuple[Words, At] | None]) -> dict[Words, dict[At, str]]:
    """The names by the words that they share, and each by what tells it from the others."""
    groups: dict[Words, dict[At, str]] = {}
    for name in names:
        if (found := told(words(name))) is not None:
            groups.setdefault(found[0], {}).setdefault(found[1], name)
    return groups


def _place(said: Words) -> tuple[Words, int] | None:
    telling = tuple(word for word in said if word not in _FILLERS)
    place = _PLACES.get("".join(telling))
    style = "letters" if all(len(word) < len("top") for word in telling) else "words"
    return None if place is None else ((style, *(word for word in said if word in _FILLERS)), place)


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


def _places_in_words() -> dict[str, int]:
    """The places that words say when they are put together: ``topleft``, ``lefttop``, ``tl``, ``top``, ``center``."""
    rows, columns = _TOP_WORDS | _MIDDLE_WORDS, _LEFT_WORDS | _MIDDLE_WORDS
    places = {row: _SIDE * at + 1 for row, at in rows.items()}
    places |= {column: _SIDE + at for column, at in columns.items()}
    for row, column in product(rows, columns):
        place = _SIDE * rows[row] + columns[column]
        places |= {row + column: place, column + row: place}
    return places


_PLACES: Final = _places_in_words()
_TWO_DIGITS: Final = tuple(
    {10 * (row + base) + column + base for row, column in product(range(_SIDE), repeat=2)} for base in (0, 1)
)
"""The numbers of places by row and column, from 0 and from 1."""

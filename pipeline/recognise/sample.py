"""The first records of a file, and what its columns are seen to hold in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

import polars as pl

from pipeline.config import LayoutOptions
from pipeline.encode.boards import board_symbols, is_board_missing
from pipeline.encode.moves import Squares, encode_moves, move_masks
from pipeline.encode.numbers import whole_numbers
from pipeline.encode.symbols import is_missing, keys_of, texts_of, unnamed
from pipeline.errors import InputError
from pipeline.rules.labels import known_labels
from schemas.boards import trimmed
from schemas.vocabulary import CELLS, EMPTY_SYMBOLS, Alphabet

SAMPLE_RECORDS: Final = 10_000
"""How many records from the start of a file are looked at to tell its layout."""

KNOWN_NEEDED: Final = 0.9
"""The share of a sample's values that must be known for a column to be taken for what it seems."""

WIDEST: Final = 500
"""Values are looked at in so many columns; of a wider file, in those only whose names speak for them."""

_TYPES_OF_BOARDS: Final = (pl.String, pl.Categorical, pl.Enum, pl.Binary, pl.List, pl.Array)
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.0)?")
_MAY_BE_BOARD: Final = rf"(?s)^(?:\s*[\[(].*|.{{{CELLS}}}|.{{3}}(?:/|\r?\n).{{3}}(?:/|\r?\n).{{3}})$"
_PAIRS: Final = r"^\s*(?:[\[(]\s*[\[(]|-?[0-9]+\s*,\s*-?[0-9]+\s*(?:;|$))"
_ENOUGH: Final = 10
"""Of so many games one at least must be readable."""

_FINISHED: Final = 5
"""The fewest plies of a finished game."""


class Sample:
    """Records in a file's own columns, to be asked about one column or several; answers are kept.

    ``is_empty`` says that there are none: then names alone decide.
    """

    def __init__(self, rows: pl.DataFrame, options: LayoutOptions) -> None:
        self.rows = rows
        self.is_empty = rows.is_empty()
        self.alphabet = _possible(options)
        self.squares = Squares(options.base, options.order)
        self.symbols: Callable[[str], Counter[str]] = cache(self._symbols)
        self.board_cells: Callable[[str], Counter[str]] = cache(self._board_cells)
        self.plies: Callable[[str], pl.Series | None] = cache(self._plies)

    def may_be_cell(self, name: str) -> bool:
        """Whether nearly all values of a column are symbols of a cell."""
        return self.known_share([name]) >= KNOWN_NEEDED

    def known_share(self, names: Sequence[str]) -> float:
        """The share of the values of these columns that are symbols of a cell."""
        counts = sum((self.symbols(name) for name in names), Counter[str]())
        return _share(counts, lambda symbol: symbol in self.alphabet.symbols)

    def has_marks(self, names: Sequence[str]) -> bool:
        """Whether an X or an O is in any of these columns."""
        return any(self.symbols(name).keys() & (self.alphabet.x | self.alphabet.o) for name in names)

    def is_never_filled(self, name: str) -> bool:
        """Whether a column has no value at all."""
        return self.symbols(name).keys() <= {""}

    def empty_symbols(self, name: str) -> frozenset[str]:
        """The symbols of empty cells that a column of cells has."""
        return frozenset(self.symbols(name).keys() & self.alphabet.empty)

    def most_frequent_empty(self, names: Sequence[str]) -> str | None:
        """The symbol that most empty cells of these columns have."""
        counts = sum((self.symbols(name) for name in names), Counter[str]())
        return max(counts.keys() & self.alphabet.empty, key=lambda symbol: counts[symbol], default=None)

    def holds_boards(self, name: str, *, with_marks: bool = True) -> bool:
        """Whether nearly all values of a column that are there are whole boards, and any has a mark."""
        cells = self.board_cells(name)
        present = int((~is_board_missing(self.rows, [name])).sum()) if cells else 0
        whole = cells.total() >= KNOWN_NEEDED * CELLS * present and present > 0
        known = _share(cells, lambda symbol: symbol in self.alphabet.symbols) >= KNOWN_NEEDED
        return whole and known and (not with_marks or bool(cells.keys() & (self.alphabet.x | self.alphabet.o)))

    def holds_games(self, name: str) -> bool:
        """Whether nearly all values that are there are games.

        Pairs can hardly be anything else; squares may be, unless they differ within each game, half of which are long
        enough to be finished.
        """
        plies = self.plies(name)
        if plies is None:
            return False
        games = plies.drop_nulls().to_list()
        if self._are_pairs(name):
            return sum(None not in game for game in games) >= KNOWN_NEEDED * len(games) > 0
        played = [game for game in games if None not in game and len(set(game) - {0}) >= KNOWN_NEEDED * len(game)]
        finished = [game for game in played if len(game) >= _FINISHED]
        return len(played) >= KNOWN_NEEDED * len(games) and len(finished) > len(games) / 2

    def holds_any_game(self, name: str) -> bool:
        """Whether any value is a game with a ply, all of whose plies can be read; or a single move."""
        plies = self.plies(name)
        games = [] if plies is None else plies.drop_nulls().to_list()
        return any(game and None not in game for game in games) or self.holds_any_square(name)

    def holds_no_games(self, name: str) -> bool:
        """Whether of enough values that are there none is a game with a ply."""
        plies = self.plies(name)
        games = [] if plies is None else [game for game in plies.drop_nulls().to_list() if game]
        return len(games) >= _ENOUGH and all(None in game for game in games)

    def _are_pairs(self, name: str) -> bool:
        column = unnamed(self.rows[name])
        if isinstance(column.dtype, pl.List | pl.Array):
            return isinstance(column.dtype.inner, pl.List | pl.Array | pl.Struct)
        texts = texts_of(column)
        texts = texts.filter(texts.str.strip_chars().fill_null("") != "")
        return int(texts.str.contains(_PAIRS).sum()) >= KNOWN_NEEDED * texts.len() > 0

    def numbers_plies(self, name: str, game: str) -> bool:
        """Whether a column counts from 0 or 1 in nearly every game, some of which have more than one row."""
        if not self.holds_numbers(name):
            return False
        rows = pl.DataFrame({"game": keys_of(self.rows[game]), "number": whole_numbers(self.rows[name])})
        number = pl.col("number")
        counts = (
            (number.n_unique() == pl.len()) & (number.max() - number.min() == pl.len() - 1) & number.min().is_in([0, 1])
        )
        games = rows.group_by("game").agg(counts=counts)
        return games.height < rows.height and int(games["counts"].sum()) >= KNOWN_NEEDED * games.height

    def numbers_all_rows(self, name: str, game: str) -> bool:
        """Whether a column has another number in every row, and most games do not begin with 0 or 1."""
        rows = pl.DataFrame({"game": keys_of(self.rows[game]), "number": whole_numbers(self.rows[name])}).drop_nulls()
        firsts = rows.group_by("game").agg(pl.col("number").min())["number"]
        late = int((firsts > 1).sum())
        return rows["number"].is_unique().all() and firsts.len() > 1 and late >= KNOWN_NEEDED * (firsts.len() - 1)

    def holds_squares(self, name: str) -> bool:
        """Whether nearly all values that are there are single moves."""
        return self._share_of_squares(name) >= KNOWN_NEEDED

    def holds_any_square(self, name: str) -> bool:
        """Whether any value is a single move."""
        return self._share_of_squares(name) > 0

    def _share_of_squares(self, name: str) -> float:
        column = self.rows[name]
        try:
            masks = move_masks(column, self.squares)
        except InputError:
            return 0.0
        present = ~is_missing(column)
        return int((masks.is_not_null() & present).sum()) / (int(present.sum()) or 1)

    def holds_numbers(self, name: str) -> bool:
        """Whether nearly all values that are there are whole numbers."""
        symbols = self.symbols(name)
        filled = Counter({symbol: count for symbol, count in symbols.items() if symbol})
        return bool(filled) and _share(filled, is_number) >= KNOWN_NEEDED

    def holds_players(self, name: str) -> bool:
        """Whether most values that are there are marks."""
        symbols = Counter({symbol: count for symbol, count in self.symbols(name).items() if symbol})
        marks = self.alphabet.x | self.alphabet.o
        return bool(symbols) and _share(symbols, lambda symbol: symbol in marks) > 1 / 2

    def holds_labels(self, name: str, options: LayoutOptions) -> bool:
        """Whether nearly all values that are there are labels with a meaning; so it is where none are there."""
        try:
            text = texts_of(self.rows[name])
        except InputError:
            return False
        values = text.filter(text.str.strip_chars() != "")
        known = known_labels(values.unique(), options.outcomes)
        return int(values.is_in(known).sum()) >= KNOWN_NEEDED * values.len()

    def holds_rows(self, name: str) -> bool:
        """Whether nearly all values are texts of three symbols of cells; so it is where there are no records."""
        try:
            texts = texts_of(self.rows[name])
        except InputError:
            return False
        rows = [text is not None and len(text) == 3 and {*text} <= self.alphabet.symbols for text in texts]
        return sum(rows) >= KNOWN_NEEDED * len(rows)

    def cells_of(self, columns: Sequence[str]) -> Counter[str]:
        """How often each symbol is in the cells of boards in these columns: whole boards in one, or a cell in each."""
        if len(columns) == 1:
            return self.board_cells(columns[0])
        return sum((self.symbols(name) for name in columns), Counter[str]())

    def board_sizes(self, name: str) -> Counter[int]:
        """How many boards in a column have how many cells, as far as they are text or lists."""
        if self.rows.schema[name] not in _TYPES_OF_BOARDS:
            return Counter()
        column = unnamed(self.rows[name].drop_nulls())
        column = column.arr.to_list() if isinstance(column.dtype, pl.Array) else column
        if isinstance(column.dtype, pl.List):
            nested = isinstance(column.dtype.inner, pl.List)
            sizes = column.list.eval(pl.element().list.len()).list.sum() if nested else column.list.len()
        else:
            text = pl.lit(texts_of(column))
            as_list = text.str.count_matches(",") + 1
            in_list = text.str.contains(r"^\s*[\[(]")
            sizes = pl.select(pl.when(in_list).then(as_list).otherwise(text.str.len_chars())).to_series()
        return Counter(sizes.to_list())

    def unknown_labels(self, name: str, options: LayoutOptions, most: int = 5) -> tuple[str, ...]:
        """The most frequent values of a column that are no labels with a meaning."""
        unknown = [label for label, _ in self.symbols(name).most_common() if label.strip()]
        known = known_labels(unknown, options.outcomes)
        return tuple(label for label in unknown if label not in known)[:most]

    def are_alike(self, names: Sequence[str]) -> bool:
        """Whether these columns hold the same values."""
        first, *others = (self.rows[name].cast(pl.String, strict=False) for name in names)
        return all(first.equals(other, check_names=False) for other in others)

    def _symbols(self, name: str) -> Counter[str]:
        """How often each symbol is in a column of cells; nothing if its type can hold none."""
        try:
            texts = texts_of(self.rows[name])
        except InputError:
            return Counter()
        counts = pl.select(symbol=trimmed(pl.lit(texts))).group_by("symbol", maintain_order=True).len()
        return Counter(dict(counts.iter_rows()))

    def _board_cells(self, name: str) -> Counter[str]:
        """How often each symbol is in the boards of nine of a column; nothing if it can hold none."""
        column = self.rows[name]
        if not isinstance(column.dtype, pl.List | pl.Array):
            if column.dtype not in _TYPES_OF_BOARDS:
                return Counter()
            texts = texts_of(column)
            if int(texts.str.contains(_MAY_BE_BOARD).sum()) < KNOWN_NEEDED * int((~is_missing(column)).sum()):
                return Counter()
        try:
            symbols = board_symbols(self.rows, [name], self.alphabet)["symbols"]
        except InputError:
            return Counter()
        flat = symbols.explode(empty_as_null=False, keep_nulls=False).fill_null("")
        counts = flat.alias("symbol").to_frame().group_by("symbol", maintain_order=True).len()
        return Counter(dict(counts.iter_rows()))

    def _plies(self, name: str) -> pl.Series | None:
        if self.rows.schema[name] not in _TYPES_OF_BOARDS:
            return None
        try:
            return encode_moves(self.rows, [name], self.squares)
        except InputError:
            return None


def is_number(symbol: str) -> bool:
    """Whether a symbol is a whole number, whose meaning is never guessed."""
    return _NUMBER.fullmatch(symbol) is not None


def _possible(options: LayoutOptions) -> Alphabet:
    """The marks as far as they are named, else the letters, and every symbol that an empty cell may have."""
    given = options.cells
    taken = frozenset[str]().union(*given.values())
    built_in = Alphabet()
    return Alphabet(
        x=given.get("X", built_in.x - taken),
        o=given.get("O", built_in.o - taken),
        empty=given.get("empty", frozenset(EMPTY_SYMBOLS) - taken),
    )


def _share(counts: Counter[str], is_meant: Callable[[str], bool]) -> float:
    total = counts.total()
    return sum(count for symbol, count in counts.items() if is_meant(symbol)) / total if total else 0.0

"""Tells which columns hold the boards: by the user's options, by names, and by what is in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.config import CELL_MEANINGS, NONE, LayoutOptions
from pipeline.errors import InputError
from pipeline.recognise.names import is_board, speaks_of_board, words
from pipeline.recognise.sample import KNOWN_NEEDED, WIDEST, Sample, is_number
from pipeline.recognise.series import Series, series_of
from pipeline.recognise.words import listed, named
from schemas.vocabulary import CELLS

_ROW_TEXTS: Final = 3
_ROW_NAMES: Final = (("top", "middle", "bottom"), ("top", "mid", "bottom"), ("top", "center", "bottom"))
_SYMBOLS_SHOWN: Final = 10
_FEW: Final = 4
"""So many symbols at most are those of a board's cells: two marks and one or two kinds of empty."""
_ENOUGH: Final = 10
"""Of so many records one at least must be a board."""

_OTHER_SIZES: Final = frozenset({4, *range(CELLS + 1, 401)})
"""Sizes that nearly all boards of a file can have only if they are those of another game."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Columns that may hold the boards, and what speaks for them."""

    columns: tuple[str, ...]
    why: str

    @property
    def is_named_board(self) -> bool:
        """Whether it is one column that is called board, as one beside moves is."""
        return len(self.columns) == 1 and is_board(self.columns[0])


def board_beside_moves(free: Sequence[str], options: LayoutOptions, sample: Sample) -> Choice | None:
    """The recorded position beside moves: the columns named by the user, else one named board."""
    if options.board:
        return None if options.board == (NONE,) else Choice(options.board, "named by --board")
    beside = _named_board(free, sample)
    if len(beside) > 1:
        raise InputError(f"both {beside[0]!r} and {beside[1]!r} could be the board beside the moves; name one: --board")
    return Choice((beside[0],), "the name of the column") if beside else None


def _named_board(free: Sequence[str], sample: Sample) -> list[str]:
    """Columns named board, but for those that hold the number of one."""
    return [name for name in free if is_board(name) and (sample.board_cells(name) or not sample.holds_numbers(name))]


def boards(free: Sequence[str], options: LayoutOptions, sample: Sample) -> Choice | None:
    """The columns of the boards; None where there are none.

    Raises:
        InputError: more than one choice, or only one whose cells are numbers or of a board that is not 3x3.
    """
    if options.board and options.board != (NONE,):
        return Choice(options.board, "named by --board")
    by_name = [Choice((name,), "the name of the column") for name in _named_board(free, sample)]
    series = series_of(free)
    in_cells = _in_cells(series, sample)
    choices = by_name + in_cells + _in_row_texts(free, series, sample)
    if not choices and not sample.is_empty:
        choices = _by_value(free, series, sample)
    if len(choices) > 1:
        raise InputError(
            f"both {named(choices[0].columns)} and {named(choices[1].columns)} could hold the boards; "
            "choose with --board"
        )
    if choices:
        _refuse_other_boards(choices[0], options, sample)
        return choices[0]
    if not sample.is_empty:
        _refuse_other_columns(free, sample)
        _refuse_unnamed_symbols(free, series, options, sample)
    return None


def _in_cells(series: Sequence[Series], sample: Sample) -> list[Choice]:
    """Nine columns, one a cell: by names that say so, or by names in a row and the cells in them."""
    found = [(one, columns) for one in series if (columns := _nine_of(one, sample))]
    if len(found) > 1:
        # Two series may be named like cells, and only one hold any.
        holding = [(one, columns) for one, columns in found if sample.known_share(columns) >= KNOWN_NEEDED]
        found = holding or found
    return [
        Choice(columns, "places in the names of the columns" if one.are_places else "columns numbered in a row")
        for one, columns in found
    ]


def _nine_of(series: Series, sample: Sample) -> tuple[str, ...] | None:
    """The nine columns of a series that are its cells, in order; None if it has others."""
    numbers = sorted(series.columns)
    is_whole = series.are_places or numbers in ([*range(CELLS)], [*range(1, CELLS + 1)])
    if len(numbers) == CELLS and is_whole and (series.means_cells or sample.is_empty):
        return series.names
    names = _cells_in_a_row(series, sample)
    return names if sample.has_marks(names) else None


def _cells_in_a_row(series: Series, sample: Sample) -> tuple[str, ...]:
    """Those columns of a series that hold cells, if they are nine in a row."""
    cells = [number for number in sorted(series.columns) if sample.may_be_cell(series.columns[number])]
    if len(cells) > CELLS:
        # Where empty cells have a symbol, a column with another one is no cell.
        empty = sample.most_frequent_empty([series.columns[number] for number in cells])
        cells = [number for number in cells if sample.empty_symbols(series.columns[number]) <= {empty}]
    in_a_row = len(cells) == CELLS and cells[-1] - cells[0] == CELLS - 1
    return tuple(series.columns[number] for number in cells) if in_a_row else ()


def _in_row_texts(free: Sequence[str], series: Sequence[Series], sample: Sample) -> list[Choice]:
    """Three columns of row text: ``top``, ``middle``, ``bottom``, or ``row1`` to ``row3``."""
    by_words = {words(name): name for name in free}
    candidates = [tuple(by_words.get((word,), "") for word in rows) for rows in _ROW_NAMES]
    candidates += [one.names for one in series if one.prefix in {("row",), ("board", "row")} and not one.are_places]
    return [
        Choice(columns, "the names of the rows, and texts of three cells in them")
        for columns in candidates
        if len(columns) == _ROW_TEXTS and all(columns) and all(sample.holds_rows(name) for name in columns)
    ]


def _by_value(free: Sequence[str], series: Sequence[Series], sample: Sample) -> list[Choice]:
    found = [name for name in free[:WIDEST] if sample.holds_boards(name)]
    preferred = [name for name in found if speaks_of_board(name)]
    if found:
        return [Choice((name,), "boards of nine in it") for name in (preferred if len(preferred) == 1 else found)]
    # Boards that are all empty are boards, where nothing else is.
    blank: list[tuple[str, ...]] = [(name,) for name in free[:WIDEST] if sample.holds_boards(name, with_marks=False)]
    blank += [columns for one in series if (columns := _cells_in_a_row(one, sample))]
    return [Choice(columns, "empty boards in it") for columns in blank] if len(blank) == 1 else []


def _refuse_other_boards(choice: Choice, options: LayoutOptions, sample: Sample) -> None:
    """What is not boards of 3x3 at all, and symbols whose meaning is not known, numbers above all."""
    cells = sample.cells_of(choice.columns)
    if len(choice.columns) == 1 and not cells:
        sizes = sample.board_sizes(choice.columns[0])
        size, count = max(sizes.items(), key=lambda item: item[1], default=(CELLS, 0))
        if size in _OTHER_SIZES and count >= max(_ENOUGH, KNOWN_NEEDED * sizes.total()):
            raise InputError(f"{named(choice.columns)} holds boards of {size} cells, and only 3x3 is checked")
        if sizes.total() >= _ENOUGH and CELLS not in sizes:
            raise InputError(f"{named(choice.columns)} holds no boards of nine cells: name another with --board")
    known = cells.keys() & sample.alphabet.symbols
    unknown = {symbol: count for symbol, count in cells.items() if symbol not in known}
    has_marks, has_empty = known & (sample.alphabet.x | sample.alphabet.o), known & sample.alphabet.empty
    numbers = sum(count for symbol, count in unknown.items() if is_number(symbol))
    are_numbers = numbers > (1 - KNOWN_NEEDED) * cells.total() and not (has_marks and has_empty)
    are_foreign = len(unknown) > 1 and len(choice.columns) != _ROW_TEXTS and cells.total() >= _ENOUGH * CELLS
    if len(options.cells) < len(CELL_MEANINGS) and (are_numbers or (are_foreign and not has_marks)):
        raise InputError(_which_is_which(choice.columns, cells))


def _refuse_other_columns(free: Sequence[str], sample: Sample) -> None:
    """Nine columns of cells whose names do not say which is which, or more: another game, or a column too many."""
    cells = [name for name in free[:WIDEST] if sample.may_be_cell(name) and not sample.is_never_filled(name)]
    if len(cells) == CELLS and sample.has_marks(cells):
        raise InputError(
            f"nine columns hold cells, but their names do not say which cell each is: {listed(cells)}\n"
            f"if this is their order, row by row: --board {','.join(cells)}"
        )
    if len(cells) > CELLS and sample.has_marks(cells):
        raise InputError(
            f"{len(cells)} columns hold cells, {named(cells)}: a board of 3x3 has nine; if some are, name them "
            "with --board"
        )


def _refuse_unnamed_symbols(
    free: Sequence[str], series: Sequence[Series], options: LayoutOptions, sample: Sample
) -> None:
    """What would be boards if it were known what their symbols mean."""
    nine = [one.names for one in series if len(one.columns) == CELLS]
    more = [one.names[:CELLS] for one in series if len(one.columns) > CELLS]
    single = [(name,) for name in free[:WIDEST]]
    for columns in [*nine, *more, *single]:
        cells = sample.cells_of(columns)
        if not _might_be_cells(columns, cells, sample):
            continue
        if options.cells:
            unknown = listed(symbol for symbol in cells if symbol not in sample.alphabet.symbols)
            raise InputError(f"{named(columns)}: --cells does not say what these symbols mean there: {unknown}")
        raise InputError(_which_is_which(columns, cells, of_more=columns in more))


def _might_be_cells(columns: Sequence[str], cells: Counter[str], sample: Sample) -> bool:
    """Whether symbols are so few, or so like those of a board, that only their meanings are missing."""
    filled = {symbol for symbol in cells if symbol}
    numbers = {symbol for symbol in filled if is_number(symbol)}
    unknown = filled - sample.alphabet.symbols
    has_marks = bool(filled & (sample.alphabet.x | sample.alphabet.o))
    are_plies_or_cells = len(columns) == CELLS and filled == numbers and len(filled) <= _SYMBOLS_SHOWN
    return bool(unknown) and (len(filled) <= _FEW or are_plies_or_cells or (has_marks and unknown <= numbers))


def _which_is_which(columns: Sequence[str], cells: Counter[str], *, of_more: bool = False) -> str:
    """What to say where symbols have no known meaning; ``of_more`` columns in a row these are the first nine."""
    frequent = [(symbol, count) for symbol, count in cells.most_common() if symbol]
    shown = ", ".join(f"{symbol!r} ({count:,} times)" for symbol, count in frequent[:_SYMBOLS_SHOWN])
    more = f" and {len(frequent) - _SYMBOLS_SHOWN} more" if len(frequent) > _SYMBOLS_SHOWN else ""
    are_numbers = all(is_number(symbol) for symbol, _ in frequent)
    board = f" --board {','.join(columns)}" if of_more else ""
    as_cells = (
        f"say which of them is X, which is O and which is an empty cell:{board} --cells X=… --cells O=… --cells empty=…"
    )
    advice = [as_cells]
    if are_numbers and len(columns) == CELLS and len(frequent) > _FEW:
        base = " --base 1" if "9" in cells and "0" not in cells else ""
        advice = [
            f"if they are the plies of games: --moves {','.join(columns)}{base}",
            f"if they are cells, {as_cells}",
        ]
    what = "numbers" if are_numbers else "symbols"
    return "\n".join([f"what the {what} in {named(columns)} mean is never guessed: {shown}{more}", *advice])

"""Tells which columns hold games: one in a row, or a log with one row a ply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from pipeline.config import NONE, LayoutOptions
from pipeline.encode.moves import Squares, encode_moves, masks_at
from pipeline.encode.numbers import OUT_OF_BOUNDS
from pipeline.errors import InputError
from pipeline.layout import Layout, LogColumns
from pipeline.recognise import names
from pipeline.recognise.sample import WIDEST, Sample
from pipeline.recognise.series import Series, series_of
from pipeline.recognise.words import listed, named
from schemas.vocabulary import CELLS

_FEWEST_PLIES: Final = 5
"""A game that is finished has so many plies: fewer columns cannot hold whole games."""


def moves(free: Sequence[str], options: LayoutOptions, sample: Sample) -> tuple[str, ...]:
    """The columns of whole games, by options or names; none where there are none.

    Raises:
        InputError: more than one choice.
    """
    if options.moves or options.is_log:
        return () if options.moves == (NONE,) else options.moves
    exact: list[tuple[str, ...]] = [
        (name,) for name in free if names.words(name) == ("moves",) and not sample.holds_numbers(name)
    ]
    choices = exact or [(name,) for name in free if names.is_moves(name) and sample.holds_games(name)]
    choices += [one.names for one in series_of(free) if _are_plies(one, sample)]
    return _only(choices, "--moves", "whole games")


def refuse_other_notations(moves: Sequence[str], sample: Sample) -> None:
    """Moves of which none of enough can be read.

    Raises:
        InputError: so it is.
    """
    if len(moves) == 1 and sample.holds_no_games(*moves):
        values = listed([value for value, _ in sample.symbols(*moves).most_common(3)])
        raise InputError(f"{named(moves)} holds no moves in a notation that is known: {values}")


def moves_by_value(free: Sequence[str], options: LayoutOptions, sample: Sample) -> tuple[str, ...]:
    """The one column that holds whole games, whatever its name is, unless that speaks of moves not made."""
    if options.moves or options.game == NONE:
        return ()
    found = [(name,) for name in free[:WIDEST] if not names.is_not_played(name) and sample.holds_games(name)]
    return _only(found, "--moves", "whole games")


def _are_plies(series: Series, sample: Sample) -> bool:
    numbers = sorted(series.columns)
    in_a_row = numbers in ([*range(len(numbers))], [*range(1, len(numbers) + 1)])
    if series.are_places or series.prefix not in names.PLY_PREFIXES or not in_a_row:
        return False
    columns = [name for name in series.names if not sample.is_never_filled(name)]
    return _FEWEST_PLIES <= len(numbers) <= CELLS and all(sample.holds_squares(name) for name in columns)


def log(free: Sequence[str], options: LayoutOptions, sample: Sample) -> LogColumns | None:
    """The columns of a log: by options, or by names if there are a game, a move, and a ply or a player.

    Raises:
        InputError: more than one choice, a column that is missing, or moves or players that are none.
    """
    if options.game == NONE or options.moves not in ((), (NONE,)):
        return None
    if not options.is_log and not _may_be_log(free, options, sample):
        return None
    game = options.game or _game(free, sample)
    at = options.at or _at(free, options, sample)
    if game is None or not at:
        missing = "--game" if game is None else "--at"
        raise InputError(f"a log needs a column of games and one of moves: name it with {missing}")
    free = [name for name in free if name not in at]
    ply = options.ply or _ply(free, sample)
    player = options.player or _player([name for name in free if name != ply], options, sample)
    if options.ply is None:
        _refuse_other_numbers([name for name in free if name != player], game, ply, sample, is_named=options.is_log)
    ply, player = (None if name == NONE else name for name in (ply, player))
    return LogColumns(game, ply, at, player)


def _refuse_other_numbers(free: Sequence[str], game: str, ply: str | None, sample: Sample, *, is_named: bool) -> None:
    """A column of plies that numbers the rows of the whole file, or one that is not taken though it numbers plies."""
    if ply is not None and names.words(ply) != ("ply",) and sample.numbers_all_rows(ply, game):
        raise InputError(
            f"column {ply!r} numbers the rows of all games, not the plies of each: say --ply {NONE} if the rows of "
            "each game are in the order of play"
        )
    numbering = [] if ply is not None or is_named else [one for one in free if sample.numbers_plies(one, game)]
    if numbering:
        raise InputError(
            f"column {numbering[0]!r} seems to number the plies of each game: say --ply {numbering[0]}, or "
            f"--ply {NONE} if the order of the rows counts"
        )


def _may_be_log(free: Sequence[str], options: LayoutOptions, sample: Sample) -> bool:
    """Whether names speak for a log; without a number of plies, players and games that recur must too."""
    games = [name for name in free if names.is_game(name)]
    squares = [name for name in free if names.is_square(name)]
    plies = [name for name in free if names.is_ply(name) and [name] != squares and not sample.holds_players(name)]
    players = [name for name in free if sample.holds_players(name) and (names.is_player(name) or names.is_ply(name))]
    recur = any(sample.is_empty or sample.rows[name].n_unique() < sample.rows.height for name in games)
    has_moves = bool(squares or names.row_and_column(free))
    has_order = bool(plies) or options.ply == NONE or (bool(players) and recur)
    return bool(games) and has_moves and has_order


def missing_parts(free: Sequence[str]) -> str:
    """What a log is short of, if the names of its other columns are there; else nothing."""
    games = [name for name in free if names.is_game(name)]
    plies = [name for name in free if names.is_ply(name)]
    has_square = bool(names.row_and_column(free)) or any(names.is_square(name) for name in free)
    if games and plies and not has_square:
        return f"as a log it has games ({games[0]!r}) and plies ({plies[0]!r}), but no square: name it with --at"
    if plies and has_square and not games:
        return f"as a log it has plies ({plies[0]!r}) and squares, but no game: name it with --game"
    return ""


def _game(free: Sequence[str], sample: Sample) -> str | None:
    found = [name for name in free if names.is_game(name)]
    return _only_or_alike(found, "--game", "the game of each ply", sample)


def _ply(free: Sequence[str], sample: Sample) -> str | None:
    found = [name for name in free if names.is_ply(name) and not sample.holds_players(name)]
    # What is the same in every row numbers nothing.
    exact = [name for name in found if names.words(name) == ("ply",) and sample.rows[name].n_unique() > 1]
    return _only_or_alike(exact or found, "--ply", "the number of the ply", sample)


def _at(free: Sequence[str], options: LayoutOptions, sample: Sample) -> tuple[str, ...]:
    found: Sequence[tuple[str, ...]] = names.row_and_column(free)
    if not found:
        squares = [name for name in free if names.is_square(name)]
        others = [name for name in squares if not names.is_ply(name)]
        plies = [name for name in free if names.is_ply(name) and name not in squares]
        # A column named move numbers the plies where no other does, and another holds the squares.
        found = [(name,) for name in (squares if plies or options.ply or not others else others)]
    holding = [at for at in found if all(sample.holds_squares(name) for name in at)]
    found = (holding or found) if len(found) > 1 else found
    if len(found) > 1 and all(len(at) == 1 for at in found) and sample.are_alike([name for (name,) in found]):
        return found[0]
    at = _only(found, "--at", "the squares")
    if len(at) == 1 and names.words(*at) != ("square",) and not sample.is_empty and not sample.holds_any_square(*at):
        values = listed([value for value, _ in sample.symbols(*at).most_common(5)])
        raise InputError(f"{named(at)} holds no squares but {values}; name the column of squares with --at")
    return at


def _player(free: Sequence[str], options: LayoutOptions, sample: Sample) -> str | None:
    found = [name for name in free if names.is_player(name) or (names.is_ply(name) and sample.holds_players(name))]
    known = [name for name in found if sample.is_never_filled(name) or sample.has_marks([name])]
    if found and not known and not options.cells:
        values = [value for value, _ in sample.symbols(found[0]).most_common(5)]
        raise InputError(
            f"which of the players in {named(found[:1])} is X is not known: {listed(values)}\n"
            "say it with --cells X=… --cells O=…, or leave turns alone with --player none"
        )
    return _only_or_alike(known or found, "--player", "the player", sample)


def count_from_one(layout: Layout, rows: pl.DataFrame) -> bool:
    """Whether all moves of the sample are on the board if squares count from 1, and not all if from 0, as taken."""
    if layout.unit == "board" or layout.squares.base == 1:
        return False
    from_zero, from_one = (_masks(layout, rows, Squares(base, layout.squares.order)) for base in (0, 1))
    return bool((from_zero == OUT_OF_BOUNDS).any()) and not (from_one == OUT_OF_BOUNDS).any()


def _masks(layout: Layout, rows: pl.DataFrame, squares: Squares) -> pl.Series:
    if layout.log is not None:
        return masks_at(rows, layout.log.at, squares)
    return encode_moves(rows, layout.moves, squares).explode(empty_as_null=False, keep_nulls=False)


def _only(choices: Sequence[tuple[str, ...]], option: str, what: str) -> tuple[str, ...]:
    if len(choices) > 1:
        raise InputError(f"both {named(choices[0])} and {named(choices[1])} could hold {what}; choose with {option}")
    return choices[0] if choices else ()


def _only_or_alike(found: Sequence[str], option: str, what: str, sample: Sample) -> str | None:
    """The one column, or the first of several that hold the same."""
    if len(found) > 1 and not sample.are_alike(found):
        _only([(name,) for name in found], option, what)
    return found[0] if found else None

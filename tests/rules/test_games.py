"""Games with any faults, replayed by the rules and by the independent oracle."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from pipeline.batch import PLACE, Batch
from pipeline.layout import Layout
from pipeline.rules.games import PLAYER_O, PLAYER_UNKNOWN, PLAYER_X, POSITIONS, replay
from pipeline.rules.outcomes import OUTCOME_BIT
from pipeline.verdict.records import judge
from schemas.reasons import codes
from schemas.vocabulary import Outcome

Game = list[int | None]

OUTSIDE = (-1, 9, 10, 255, 65_536, -(2**40), 2**62)
PLAYERS: dict[str | None, int] = {"X": PLAYER_X, "x": PLAYER_X, "O": PLAYER_O, "o": PLAYER_O}
OUTCOME_OF = {bit: str(outcome) for outcome, bit in OUTCOME_BIT.items()}
MAPPING: dict[str, frozenset[Outcome]] = {
    "1": frozenset({"X"}),
    "-1": frozenset({"O"}),
    "0": frozenset({"draw"}),
    "O won": frozenset({"O"}),
    "x": frozenset({"O", "draw"}),
}

squares = st.integers(0, 8)
firsts: st.SearchStrategy[oracle.First] = st.sampled_from(["X", "O", "any"])


def legal(order: Sequence[int]) -> list[int]:
    """The squares in that order up to the end of the game."""
    positions = oracle.replay(order, None, "X").positions
    ends = (ply for ply, board in enumerate(positions, start=1) if oracle.board_outcome(board) != "unfinished")
    return list(order[: next(ends)])


@st.composite
def readable_games(draw: st.DrawFn) -> list[int]:
    """Legal games, some of them cut off, with up to four plies replaced, dropped, repeated or added."""
    plies = legal(draw(st.permutations(range(9))))
    if draw(st.booleans()):
        plies = plies[: draw(st.integers(0, len(plies)))]
    for change in draw(st.lists(st.sampled_from(["replace", "drop", "repeat", "add", "leave", "append"]), max_size=4)):
        at = draw(st.integers(0, max(0, len(plies) - 1)))
        square = draw(squares)
        if change == "append":
            plies += draw(st.lists(squares, max_size=4))
        elif change == "add" or not plies:
            plies.insert(at, square)
        elif change == "replace":
            plies[at] = square
        elif change == "leave":
            plies[at] = draw(st.sampled_from(OUTSIDE))
        elif change == "repeat":
            plies.insert(at, plies[at])
        else:
            del plies[at]
    return plies[:14]


@st.composite
def any_games(draw: st.DrawFn) -> Game | None:
    """Games some of which cannot be read or are missing."""
    game: Game = [*draw(readable_games())]
    fault = draw(st.sampled_from([None, None, None, None, "unreadable", "missing"]))
    if fault == "unreadable":
        game.insert(draw(st.integers(0, len(game))), None)
    return None if fault == "missing" else game


@st.composite
def recorded_players(draw: st.DrawFn, plies: int) -> list[str | None]:
    """Who made each ply: in turn for the most part, from X or from O."""
    turns = draw(st.sampled_from(["XOXOXOXOXOXOXOXO", "OXOXOXOXOXOXOXOX", "xoXOxoXOxoXOxoXO"]))
    players: list[str | None] = [*turns[:plies]]
    strange = st.tuples(st.integers(0, max(0, plies - 1)), st.sampled_from(["X", "O", "x", "o", "Z", "", None, "XO"]))
    for at, player in draw(st.lists(strange, max_size=2)):
        players[at : at + 1] = [player] * min(1, plies)
    return players


@st.composite
def labels(draw: st.DrawFn, outcome: str | None) -> str | None:
    """A label in any spelling: the right one for the most part."""
    right = "unfinished" if outcome is None else outcome
    label = draw(
        st.sampled_from([right, right, right, *oracle.LABELS, *MAPPING, "", " ", "abandoned", "XO", "won", None])
    )
    if label is None:
        return None
    blanks = st.sampled_from(["", "", " ", "\t ", "  "])
    spelled: str = draw(st.sampled_from([label, label.lower(), label.upper(), label.title(), label.swapcase()]))
    return draw(blanks) + spelled + draw(blanks)


@st.composite
def recorded_boards(draw: st.DrawFn, game: Game | None, first: oracle.First) -> str | None:
    """A board beside the moves: the final position for the most part, in any spelling."""
    readable = [square for square in game or [] if square is not None]
    positions = [oracle.EMPTY_BOARD, *oracle.replay(readable, None, first).positions]
    board = draw(st.sampled_from([positions[-1]] * 6 + [*positions[-2:], "X........", "XO?......", "XO", "", None]))
    if board is not None and len(board) == 9 and draw(st.booleans()):
        board = board.lower() if draw(st.booleans()) else f"{board[:3]}/{board[3:6]}/{board[6:]}"
    return board


Claimed = tuple[Game | None, str | None, str | None]


@st.composite
def claimed_games(draw: st.DrawFn, first: oracle.First) -> Claimed:
    """A game with its label and the board beside it."""
    game = draw(any_games())
    return game, draw(labels(oracle.judge_game(game, first=first).outcome)), draw(recorded_boards(game, first))


# Games of one row each


@given(st.data(), firsts, st.booleans())
@settings(max_examples=100)
def test_games_with_labels_and_boards(data: st.DataObject, first: oracle.First, mapped: bool) -> None:
    games = data.draw(st.lists(claimed_games(first), min_size=1, max_size=8))
    mapping = MAPPING if mapped else {}
    schema = pl.Schema({"moves": pl.List(pl.Int64), "winner": pl.String(), "board": pl.String()})
    columns = pl.DataFrame(games, schema=schema, orient="row")
    place = pl.DataFrame({"row": range(len(games)), "line": None, "raw": None, "reasons": 0}, schema=PLACE)
    layout = Layout(moves=("moves",), board=("board",), outcome="winner", outcomes=mapping, first=first)
    judged = judge(Batch(columns, place), layout)
    for (game, label, board), (reasons, ply, outcome) in zip(games, judged.iter_rows(), strict=True):
        expected = oracle.judge_game(game, None, first, label, mapping=mapping, board=board)
        assert (codes(reasons), ply) == expected[:2]
        if not expected.codes:
            assert OUTCOME_OF[outcome] == expected.outcome


# The replay


def assert_replayed(
    games: Sequence[Sequence[int]], players: Sequence[Sequence[str | None]] | None, first: oracle.First
) -> None:
    """Faults, first bad ply, outcome and positions are those of the oracle."""
    masks = [[1 << square if 0 <= square <= 8 else 0 for square in game] for game in games]
    columns = {"plies": pl.Series(masks, dtype=pl.List(pl.UInt16))}
    if players is not None:
        known = [[PLAYERS.get(player, PLAYER_UNKNOWN) for player in recorded] for recorded in players]
        columns["players"] = pl.Series(known, dtype=pl.List(pl.UInt8))
    played = replay(pl.DataFrame(columns), first, positions=True)
    found = played.select("reasons", "ply", "outcome").iter_rows()
    positions = played.select(POSITIONS).iter_rows()
    for number, ((reasons, ply, outcome), after) in enumerate(zip(found, positions, strict=True)):
        recorded = None if players is None else players[number]
        expected = oracle.judge_game(games[number], recorded, first)
        faults = [code for code in expected.codes if code != "PLAYER_UNKNOWN"]
        assert (codes(reasons), ply) == (faults, expected.ply), games[number]
        if not faults:
            assert OUTCOME_OF[outcome] == expected.outcome, games[number]
        boards = [as_number(board) for board in oracle.replay(games[number], recorded, first).positions[:9]]
        assert after == (*boards, *[None] * (9 - len(boards))), games[number]


def as_number(board: str) -> int:
    """X's cells as the lower nine bits, O's as those above."""
    return sum(1 << cell + (9 if mark == "O" else 0) for cell, mark in enumerate(board) if mark != ".")


@given(st.data(), firsts)
@settings(max_examples=75)
def test_replay_with_players(data: st.DataObject, first: oracle.First) -> None:
    games = data.draw(st.lists(readable_games(), min_size=1, max_size=8))
    assert_replayed(games, [data.draw(recorded_players(len(game))) for game in games], first)


@pytest.mark.parametrize("first", ["X", "O", "any"])
@pytest.mark.parametrize("with_players", [False, True])
def test_replay_of_thousands_of_random_games(first: oracle.First, with_players: bool) -> None:
    """Up to nine plies or far beyond; most of them are out of bounds so that lines are completed late."""
    random = Random(9)
    games, players = [], []
    for _ in range(1_500):
        plies = random.choice([random.randint(0, 9), random.randint(0, 14), random.randint(10, 60)])
        inside = random.choice([1.0, 0.9, 0.3, 0.1])
        games.append([random.randrange(9) if random.random() < inside else OUTSIDE[0] for _ in range(plies)])
        order = random.choice(["XO", "OX", "Ox?O"])
        players.append([order[ply % len(order)] for ply in range(plies)])
    assert_replayed(games, players if with_players else None, first)


def test_replay_of_nothing() -> None:
    assert replay(pl.DataFrame(schema={"plies": pl.List(pl.UInt16)}), "X").height == 0
    assert_replayed([[]], None, "X")
    assert_replayed([[]], [[]], "any")


@pytest.mark.parametrize("late", [10, 11, 12, 500, 501])
def test_a_line_that_is_completed_after_the_ninth_ply(late: int) -> None:
    """Plies out of bounds before it, and more after it, which are then after the end."""
    game = [0, 3, 1, 4, *[-1] * (late - 5), 2 if late % 2 else 5]
    assert "MOVE_AFTER_END" not in oracle.judge_game(game).codes
    assert "MOVE_AFTER_END" in oracle.judge_game([*game, 8]).codes
    assert_replayed([game, [*game, 8], [*game, 0], [*game, -1]], None, "X")


@pytest.mark.parametrize("plies", [254, 255, 256, 257, 65_540])
def test_games_of_more_plies_than_a_small_number_can_count(plies: int) -> None:
    assert_replayed([[0, 3, 1, 4, -1, *[8] * plies], [-1] * plies], None, "X")

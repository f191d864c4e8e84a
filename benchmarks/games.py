"""Writes games of random legal play, one a row or one ply a row, drawn from a pool of games played before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa

from benchmarks.drawing import SEED, drawn, random_numbers
from benchmarks.tables import write_table
from schemas.vocabulary import CELLS, LINES

VALID_GAMES: Final = 100_000
INVALID_GAMES: Final = 10_000

GAMES_SCHEMA: Final = pa.schema([("moves", pa.list_(pa.uint8())), ("winner", pa.string())])
TEXT_SCHEMA: Final = pa.schema([("moves", pa.string()), ("winner", pa.string())])
LOG_SCHEMA: Final = pa.schema(
    [
        ("game_id", pa.string()),
        ("ply", pa.uint8()),
        ("player", pa.string()),
        ("square", pa.uint8()),
        ("winner", pa.string()),
    ]
)

Game = tuple[list[int], str]
"""The squares of a game in order, and the label: X, O or draw."""


def played(generator: random.Random) -> Game:
    """Play one game to its end, each move drawn evenly from the empty squares."""
    squares = generator.sample(range(CELLS), CELLS)
    for length in range(1, CELLS + 1):
        own = set(squares[(length - 1) % 2 : length : 2])
        if any(own.issuperset(line) for line in LINES):
            return squares[:length], "XO"[(length - 1) % 2]
    return squares, "draw"


def damaged(generator: random.Random, game: Game) -> Game:
    """Make a game invalid in one of five ways."""
    squares, winner = game
    free = [square for square in range(CELLS) if square not in squares]
    fault = generator.choice(["taken", "outside", "unfinished", "label", *(["after the end"] if free else [])])
    if fault == "taken":
        return [*squares[:-1], squares[0]], winner
    if fault == "outside":
        return [CELLS, *squares[1:]], winner
    if fault == "unfinished":
        return squares[:-1], winner
    if fault == "label":
        return squares, generator.choice([label for label in ("X", "O", "draw") if label != winner])
    return [*squares, free[0]], winner


@cache
def pool() -> pl.DataFrame:
    """Play the valid games, and after them those to be made invalid; the same ones every time."""
    generator = random.Random(SEED)
    games = [played(generator) for _ in range(VALID_GAMES)]
    games += [damaged(generator, played(generator)) for _ in range(INVALID_GAMES)]
    return pl.DataFrame(games, schema={"moves": pl.List(pl.UInt8), "winner": pl.String}, orient="row")


def drawn_games(count: int, invalid_share: float) -> Iterator[pl.DataFrame]:
    """Draw games from the pool, group by group."""
    games = pool()
    for positions in drawn(count, VALID_GAMES, INVALID_GAMES, invalid_share):
        yield games[positions]


def write_games(path: Path, records: int, invalid_share: float) -> None:
    """Write games as lists of squares from 0 (``moves``) with a label (``winner``)."""
    write_table(path, GAMES_SCHEMA, drawn_games(records, invalid_share))


def write_texts(path: Path, records: int, invalid_share: float) -> None:
    """Write games as text such as ``0,0;1,1`` with a label."""
    pairs = [f"{square // 3},{square % 3}" for square in range(CELLS + 1)]
    text = pl.col("moves").list.eval(pl.element().replace_strict(range(CELLS + 1), pairs)).list.join(";")
    write_table(path, TEXT_SCHEMA, (games.with_columns(text) for games in drawn_games(records, invalid_share)))


def write_log(path: Path, records: int, invalid_share: float) -> None:
    """Write a log of one ply a row, game after game."""
    write_table(path, LOG_SCHEMA, log_rows(records, invalid_share))


def write_scattered_log(path: Path, records: int, invalid_share: float) -> None:
    """Write the same rows with those of each game all over the file.

    First come the first plies of all games, then all second ones, and so on, each group of rows shuffled.
    """
    generator = random.Random(SEED)
    scattered = (
        plies[random_numbers(generator, plies.height).arg_sort()]
        for ply in range(1, CELLS + 1)
        for group in log_rows(records, invalid_share)
        if (plies := group.filter(pl.col("ply") == ply)).height
    )
    write_table(path, LOG_SCHEMA, scattered)


def log_rows(records: int, invalid_share: float) -> Iterator[pl.DataFrame]:
    """Draw so many games, one ply a row."""
    number = 0
    for games in drawn_games(records, invalid_share):
        plies = (
            games.with_columns(
                game_id="g" + (pl.row_index() + number).cast(pl.String),
                ply=pl.int_ranges(1, pl.col("moves").list.len() + 1, dtype=pl.UInt8),
            )
            .explode("moves", "ply")
            .with_columns(player=pl.when(pl.col("ply") % 2 == 1).then(pl.lit("X")).otherwise(pl.lit("O")))
            .select("game_id", "ply", "player", "winner", square="moves")
        )
        yield plies.select(LOG_SCHEMA.names)
        number += games.height

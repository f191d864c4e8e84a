"""What is measured: on which data, how much of it, beside whom, and how fast it must be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SCAN: Final = "bare scan"
TOOL: Final = "this tool"
LOOP: Final = "plain Python functions"
SQL: Final = "DuckDB SQL"
SQL_DISTINCT: Final = "DuckDB SQL, distinct boards"
FRAME: Final = "Pandera alone"

COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    SCAN: ("-m", "benchmarks.scan"),
    LOOP: ("-m", "benchmarks.loop"),
    SQL: ("-m", "benchmarks.sql"),
    SQL_DISTINCT: ("-m", "benchmarks.sql", "--distinct"),
    FRAME: ("-m", "benchmarks.frame"),
}
"""What each contender but this tool runs; the file's name follows, and each prints JSON."""

_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Data:
    """A generated file: ``kind`` as in ``benchmarks.generate``."""

    kind: str
    records: int
    invalid_share: float = 0.01
    suffix: str = ".parquet"

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.kind}-{self.records}-{100 * self.invalid_share:g}%{self.suffix}"


@dataclass(frozen=True, slots=True)
class Speed:
    """A marginal cost in bare scans; ``peers`` run beside on so many records."""

    title: str
    data: Data
    at_most: float
    aim: float
    peers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Memory:
    """A peak in MiB that must not be passed."""

    title: str
    data: Data
    at_most: int


_BOARD_PEERS: Final = {LOOP: _MILLION // 2, SQL: 10 * _MILLION, SQL_DISTINCT: 10 * _MILLION, FRAME: 2 * _MILLION}
_LOOP: Final = {LOOP: _MILLION // 4}

SPEED: Final[Mapping[str, Speed]] = {
    "boards": Speed("boards as text, Parquet", Data("boards", 30 * _MILLION), 10, 5, _BOARD_PEERS),
    "boards-csv": Speed("boards as text, CSV", Data("boards", 10 * _MILLION, suffix=".csv"), 5, 2.5, _BOARD_PEERS),
    "cells": Speed("boards as nine columns, Parquet", Data("cells", 10 * _MILLION), 4, 2.5, _LOOP),
    "games": Speed("games as list of squares, Parquet", Data("games", 3 * _MILLION), 3, 2, _LOOP),
    "games-text": Speed("games as text `r,c;r,c`, Parquet", Data("games-text", 3 * _MILLION), 10, 5, _LOOP),
    "log": Speed("log, games in order, Parquet", Data("log", 3 * _MILLION), 20, 8, _LOOP),
}

MEMORY: Final[Mapping[str, Memory]] = {
    **{
        f"memory-boards-{share:.0%}-{millions}M": Memory(
            f"boards, {share:.0%} invalid", Data("boards", millions * _MILLION, share), 900
        )
        for share in (0.01, 1)
        for millions in (10, 40)
    },
    **{
        f"memory-{kind}-{millions}M": Memory(title, Data(kind, millions * _MILLION), 1536)
        for kind, title in (("log", "log, games in order"), ("log-scattered", "log, games scattered"))
        for millions in (3, 10)
    },
}
START_UP: Final = "start-up"

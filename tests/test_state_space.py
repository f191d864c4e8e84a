"""Every board there is, in every layout and for every first player, against the independent oracle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import oracle
from conftest import Judge

BOARDS = oracle.all_boards()
CELL_NAMES = tuple(f"c{cell}" for cell in range(9))


def text_parquet(folder: Path) -> Path:
    path = folder / "text.parquet"
    pl.DataFrame({"board": BOARDS}).write_parquet(path)
    return path


def text_csv(folder: Path) -> Path:
    path = folder / "text.csv"
    path.write_text("\n".join(["board", *BOARDS, ""]))
    return path


def rows_apart_csv(folder: Path) -> Path:
    path = folder / "rows.csv"
    path.write_text("\n".join(["board", *(f"{board[:3]}/{board[3:6]}/{board[6:]}" for board in BOARDS), ""]))
    return path


def cells_csv(folder: Path) -> Path:
    path = folder / "cells.csv"
    path.write_text("\n".join([",".join(CELL_NAMES), *(",".join(board) for board in BOARDS), ""]))
    return path


def cells_parquet(folder: Path) -> Path:
    path = folder / "cells.parquet"
    columns = {name: [board[cell] for board in BOARDS] for cell, name in enumerate(CELL_NAMES)}
    pl.DataFrame(columns).write_parquet(path)
    return path


def list_of_nine(folder: Path) -> Path:
    path = folder / "nine.parquet"
    pl.DataFrame({"board": [list(board) for board in BOARDS]}).write_parquet(path)
    return path


def list_of_rows(folder: Path) -> Path:
    path = folder / "three.parquet"
    pl.DataFrame({"board": [[board[:3], board[3:6], board[6:]] for board in BOARDS]}).write_parquet(path)
    return path


def three_by_three(folder: Path) -> Path:
    path = folder / "nested.parquet"
    boards = [[list(board[:3]), list(board[3:6]), list(board[6:])] for board in BOARDS]
    pl.DataFrame({"board": boards}).write_parquet(path)
    return path


def python_lists_csv(folder: Path) -> Path:
    path = folder / "lists.csv"
    path.write_text("\n".join(["board", *(f'"{list(board)}"' for board in BOARDS), ""]))
    return path


LAYOUTS = [
    text_parquet,
    text_csv,
    rows_apart_csv,
    cells_csv,
    cells_parquet,
    list_of_nine,
    list_of_rows,
    three_by_three,
    python_lists_csv,
]


@pytest.mark.parametrize("first", ["X", "O", "any"])
@pytest.mark.parametrize("write", LAYOUTS)
def test_every_board_in_every_layout(
    write: Callable[[Path], Path], first: oracle.First, tmp_path: Path, judge_file: Judge
) -> None:
    expected = {row: reasons for row, board in enumerate(BOARDS) if (reasons := oracle.board_reasons(board, first))}
    found = judge_file(write(tmp_path), first=first)
    assert found.reasons == expected
    assert found.summary["records"] == {
        "read": len(BOARDS),
        "valid": len(BOARDS) - len(expected),
        "invalid": len(expected),
    }


@pytest.mark.parametrize("first", ["X", "O"])
def test_valid_boards_are_exactly_those_that_play_reaches(first: str, tmp_path: Path, judge_file: Judge) -> None:
    found = judge_file(text_parquet(tmp_path), first=first)
    valid = {board for row, board in enumerate(BOARDS) if row not in found.reasons}
    assert valid == oracle.reachable(first)


def test_known_counts(tmp_path: Path, judge_file: Judge) -> None:
    found = judge_file(text_parquet(tmp_path))
    assert found.summary["records"] == {"read": 19_683, "valid": 5_478, "invalid": 14_205}
    assert found.summary["outcomes"] == {"X": 626, "O": 316, "draw": 16, "unfinished": 4_520}


@pytest.mark.parametrize("label", ["X", "O", "draw", "ongoing", "negative", "", "abandoned"])
def test_every_board_with_every_label(label: str, tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "labelled.csv"
    path.write_text("\n".join(["board,winner", *(f"{board},{label}" for board in BOARDS), ""]))
    expected = {
        row: reasons for row, board in enumerate(BOARDS) if (reasons := oracle.text_board_reasons(board, label=label))
    }
    assert judge_file(path, outcome="winner").reasons == expected


@pytest.mark.parametrize(
    ("board", "reasons"),
    [
        pytest.param("XOX/OXO/XOX", [], id="a double line closed by the ninth ply"),
        pytest.param("XXX/OOX/OOX", [], id="a row and a column closed by the ninth ply"),
        pytest.param(".../.../...", [], id="a line of blanks is no win"),
        pytest.param("XO./.../...", [], id="two lines of blanks are no two winners"),
        pytest.param("XXX/OOO/X..", ["BOTH_WIN", "O_WIN_COUNT"], id="both win with plausible counts"),
        pytest.param("O.O/XXX/.O.", ["X_WIN_COUNT"], id="a line of X with equal counts"),
        pytest.param("OOO/XX./XX.", ["O_WIN_COUNT"], id="a line of O with X one ahead"),
    ],
)
def test_known_traps(board: str, reasons: list[str], tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "trap.csv"
    path.write_text(f"board\n{board}\n")
    assert judge_file(path, cells=["empty=."]).reasons.get(0, []) == reasons


def test_a_win_on_a_full_board_is_no_draw(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "trap.csv"
    path.write_text("board,winner\nXOX/OXO/XOX,draw\nXOX/OXO/XOX,X\nXOX/XXO/OXO,draw\n")
    found = judge_file(path)
    assert found.reasons == {0: ["OUTCOME_MISMATCH"]}
    assert found.summary["outcomes"] == {"X": 1, "O": 0, "draw": 1, "unfinished": 0}

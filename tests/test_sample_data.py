"""The sample files are those that their script writes, the clean ones are valid, the dirty ones show every code."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import oracle
from conftest import Judge
from sample_data import make
from schemas.reasons import REASONS

BOARDS = make.HERE / "boards"
GAMES = make.HERE / "games"
LOGS = make.HERE / "logs"


def data_files(folder: Path) -> dict[Path, Path]:
    """Every data file below a folder, by its place in it."""
    kept = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in {".py", ".pyc"})
    return {path.relative_to(folder): path for path in kept}


def test_files_are_those_that_the_script_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = data_files(make.HERE)
    monkeypatch.setattr(make, "HERE", tmp_path)
    make.main()
    written = data_files(tmp_path)
    assert list(written) == list(kept)
    for name, path in written.items():
        if name.suffix == ".parquet":
            # Its bytes hold the version of the library that wrote it.
            assert_frame_equal(pl.read_parquet(path), pl.read_parquet(kept[name]), check_exact=True)
        else:
            assert path.read_bytes() == kept[name].read_bytes()


def test_files_together_show_every_code(judge_file: Judge) -> None:
    dirty = [path for path in data_files(make.HERE).values() if path.name.startswith("dirty")]
    shown = {code for path in dirty for code in judge_file(path).summary["reasons"]}
    assert shown == set(REASONS)


@pytest.mark.parametrize("name", ["clean.csv", "clean.parquet"])
def test_clean_files_are_valid(name: str, judge_file: Judge) -> None:
    found = judge_file(BOARDS / name)
    assert (found.exit_code, found.reasons) == (0, {})
    assert found.summary["records"] == {"read": 95, "valid": 95, "invalid": 0}
    assert [outcome for outcome, count in found.summary["outcomes"].items() if count == 0] == []
    assert found.summary["layout"]["outcome"] == "winner"


def test_dirty_records_are_exactly_those_appended(judge_file: Judge) -> None:
    expected = {
        20: ["O_COUNT_AHEAD"],
        21: ["X_COUNT_AHEAD"],
        22: ["BOTH_WIN", "X_WIN_COUNT"],
        23: ["X_WIN_COUNT"],
        24: ["O_WIN_COUNT"],
        25: ["OUTCOME_UNFINISHED"],
        26: ["OUTCOME_MISMATCH"],
        27: ["OUTCOME_UNKNOWN"],
        28: ["BOARD_MISSING"],
        29: ["BOARD_SIZE"],
        30: ["CELL_UNKNOWN"],
    }
    assert judge_file(BOARDS / "dirty.parquet").reasons == expected
    assert judge_file(BOARDS / "dirty.csv").reasons == expected | {
        31: ["FIELDS_MISSING"],
        32: ["FIELDS_EXTRA"],
        33: ["QUOTE_BROKEN"],
        34: ["LINE_BREAK_IN_FIELD"],
        35: ["NOT_UTF8"],
    }


@pytest.mark.parametrize("folder", [GAMES, LOGS], ids=["games", "logs"])
@pytest.mark.parametrize("name", ["clean.csv", "clean.parquet"])
def test_clean_games_are_valid(folder: Path, name: str, judge_file: Judge) -> None:
    found = judge_file(folder / name)
    assert (found.exit_code, found.reasons) == (0, {})
    assert found.summary["records"] == {"read": 30, "valid": 30, "invalid": 0}
    outcomes = [oracle.board_outcome(board) for board in pl.read_csv(GAMES / "clean.csv")["board"]]
    assert found.summary["outcomes"] == {name: outcomes.count(name) for name in ("X", "O", "draw", "unfinished")}


def test_dirty_games_are_exactly_those_appended(judge_file: Judge) -> None:
    expected = {
        20: ["CELL_OCCUPIED"],
        21: ["MOVE_AFTER_END"],
        22: ["MOVE_OUT_OF_BOUNDS"],
        23: ["CELL_OCCUPIED", "MOVES_TOO_MANY"],
        24: ["MOVES_UNREADABLE"],
        25: ["BOARD_MISMATCH"],
        26: ["OUTCOME_UNFINISHED"],
        27: ["OUTCOME_MISMATCH"],
        28: ["OUTCOME_UNKNOWN"],
    }
    assert judge_file(GAMES / "dirty.csv").reasons == expected
    assert judge_file(GAMES / "dirty.parquet").reasons == expected | {29: ["MOVES_MISSING"]}


def test_dirty_games_of_the_log_are_exactly_those_appended(judge_file: Judge) -> None:
    found = judge_file(LOGS / "dirty.csv")
    assert dict(found.invalid.select("game", "_reasons").iter_rows()) == {
        "d1": ["WRONG_TURN"],
        "d2": ["PLY_GAP"],
        "d3": ["PLY_REPEATED"],
        "d4": ["PLY_UNREADABLE"],
        "d5": ["PLAYER_UNKNOWN"],
        "": ["GAME_MISSING"],
        "d6": ["MOVES_UNREADABLE"],
        "d7": ["MOVE_OUT_OF_BOUNDS"],
    }

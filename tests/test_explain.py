"""``explain``: every code has its meaning and its drawn examples; an unknown one is refused with the nearest."""

from __future__ import annotations

import pytest

from conftest import Command
from pipeline.explain import all_reasons, explanation
from schemas.reasons import REASONS


@pytest.mark.parametrize("code", REASONS)
def test_every_code_is_explained(code: str, command: Command) -> None:
    done = command("explain", code)
    assert (done.exit_code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == f"{code} ({REASONS[code].stage})"
    assert f"meaning   {REASONS[code].meaning}" in lines
    assert f"usually   {REASONS[code].cause}" in lines
    assert f"invalid   {REASONS[code].bad.header}" in lines
    assert f"valid     {REASONS[code].good.header}" in lines


def test_a_board_is_drawn() -> None:
    assert explanation("x_win_count").splitlines()[5:12] == [
        "invalid   board",
        "          XXXOO.O..",
        "",
        "          X X X",
        "          O O .",
        "          O . .",
        "",
    ]


def test_moves_are_drawn_with_player_and_number() -> None:
    assert explanation("CELL_OCCUPIED").splitlines()[5:13] == [
        "invalid   moves",
        '          "0,0;1,1;0,0"',
        "",
        "          X1 .  .",
        "          .  O2 .",
        "          .  .  .",
        "          X3 at 0,0: taken",
        "",
    ]


def test_a_log_is_drawn_with_its_recorded_players() -> None:
    assert "          .  X2 ." in explanation("WRONG_TURN").splitlines()


def test_without_a_code_all_are_listed(command: Command) -> None:
    done = command("explain")
    assert (done.exit_code, done.out) == (0, all_reasons() + "\n")
    listed = [line.split()[0] for line in done.out.splitlines() if line.startswith("  ")]
    assert listed == list(REASONS)


def test_unknown_code_is_wrong_usage(command: Command) -> None:
    done = command("explain", "CELL_OCUPIED")
    assert (done.exit_code, done.out) == (2, "")
    assert done.err == "error: there is no reason code 'CELL_OCUPIED'; the nearest is CELL_OCCUPIED\n"

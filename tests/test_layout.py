"""What is told from the data: the board, its alphabet and the label; and what the options fix."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from conftest import Command, Judge, Verdicts
from pipeline.errors import InputError
from pipeline.recognise.sample import SAMPLE_RECORDS
from schemas.vocabulary import EMPTY_SYMBOLS

CELLS = tuple(f"c{cell}" for cell in range(9))
FULL = "XOXXXOOXO"


def judged(judge: Judge, folder: Path, *records: str, header: str = "board", **flags: Any) -> Verdicts:
    path = folder / "boards.csv"
    path.write_text("\n".join([header, *records, ""]), newline="")
    return judge(path, **flags)


def cells(judge: Judge, folder: Path, *boards: list[str | None], **flags: Any) -> Verdicts:
    path = folder / "boards.parquet"
    pl.DataFrame(list(boards), schema=dict.fromkeys(CELLS, pl.String), orient="row").write_parquet(path)
    return judge(path, **flags)


def alphabet(found: Verdicts) -> dict[str, list[str]]:
    told: dict[str, list[str]] = found.summary["layout"]["cells"]
    return told


def label(found: Verdicts) -> str:
    told: str = found.summary["layout"]["outcome"]
    return told


# The alphabet


@pytest.mark.parametrize("empty", [symbol for symbol in EMPTY_SYMBOLS if symbol])
def test_empty_symbol_in_text(empty: str, tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XO" + 7 * empty, 9 * empty)
    assert (alphabet(found)["empty"], found.reasons) == ([empty], {})


@pytest.mark.parametrize("empty", [*EMPTY_SYMBOLS, None])
def test_empty_symbol_in_cells(empty: str | None, tmp_path: Path, judge_file: Judge) -> None:
    found = cells(judge_file, tmp_path, ["X", "O", *[empty] * 7], [empty] * 9)
    assert (alphabet(found)["empty"], found.reasons) == ([empty or ""], {})


def test_empty_text_and_null_are_the_same(tmp_path: Path, judge_file: Judge) -> None:
    found = cells(judge_file, tmp_path, ["X", "O", *["", None] * 3, ""])
    assert (alphabet(found)["empty"], found.reasons) == ([""], {})


def test_symbol_that_most_cells_have_is_empty(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XOX-XO-XO", "XO.......", "XO-------", "X--------")
    assert (alphabet(found)["empty"], found.reasons) == (["-"], {1: ["CELL_UNKNOWN"]})


def test_cells_count_and_not_records(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XOXXOOXO_", "XOXXOOXO_", "XO.......")
    assert (alphabet(found)["empty"], sorted(found.reasons)) == (["."], [0, 1])


@pytest.mark.parametrize(("first", "other"), [(".", "_"), ("_", "."), ("e", "b"), ("b", " "), (" ", "-")])
def test_first_seen_is_empty_on_a_tie(first: str, other: str, tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XO" + 7 * first, "XO" + 7 * other)
    assert (alphabet(found)["empty"], found.reasons) == ([first], {1: ["CELL_UNKNOWN"]})


@pytest.mark.parametrize("board", [FULL, "XO?XOXOXO"])
def test_no_empty_cell_is_no_fault(board: str, tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, board)
    assert (alphabet(found)["empty"], found.reasons) == ([], {} if board == FULL else {0: ["CELL_UNKNOWN"]})


@pytest.mark.parametrize("later", ["_", ".", "b"])
def test_first_that_occurs_later_is_empty(later: str, tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, *[FULL] * SAMPLE_RECORDS, "XO" + 7 * later, *["XO-------"] * 2)
    assert alphabet(found)["empty"] == [later]
    assert found.reasons == {SAMPLE_RECORDS + 1: ["CELL_UNKNOWN"], SAMPLE_RECORDS + 2: ["CELL_UNKNOWN"]}


def test_only_the_first_records_are_counted(tmp_path: Path, judge_file: Judge) -> None:
    records = ["XO.......", *[FULL] * (SAMPLE_RECORDS - 1), *["_________"] * 3]
    found = judged(judge_file, tmp_path, *records)
    assert alphabet(found)["empty"] == ["."]
    assert sorted(found.reasons) == [SAMPLE_RECORDS, SAMPLE_RECORDS + 1, SAMPLE_RECORDS + 2]


def test_record_that_could_not_be_split_says_nothing_of_the_alphabet(tmp_path: Path, judge_file: Judge) -> None:
    full, later = ",".join(FULL), ",".join("XO.......")
    records = ["X,O", *[full] * SAMPLE_RECORDS, "X,O", later]
    found = judged(judge_file, tmp_path, *records, header=",".join(CELLS))
    assert alphabet(found)["empty"] == ["."]
    assert found.reasons == {0: ["FIELDS_MISSING"], SAMPLE_RECORDS + 1: ["FIELDS_MISSING"]}


def test_letters_in_either_case_and_mixed(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "xo.......", "XO.......", "xO.......", "XoxO.....", "o........")
    assert found.reasons == {4: ["O_COUNT_AHEAD"]}


def test_numbers_are_never_guessed(tmp_path: Path, judge_file: Judge) -> None:
    with pytest.raises(InputError, match=r"'0' \(16 times\), '1' \(1 times\), '2' \(1 times\)\n.*--cells X=…"):
        judged(judge_file, tmp_path, "120000000", "000000000")


def test_cells_say_what_symbols_mean(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "120000000", "200000000", "x........", cells=["X=1", "O=2", "empty=0"])
    assert alphabet(found) == {"X": ["1"], "O": ["2"], "empty": ["0"]}
    assert found.reasons == {1: ["O_COUNT_AHEAD"], 2: ["CELL_UNKNOWN"]}


@pytest.mark.parametrize(
    ("given", "board", "told"),
    [
        (["X=1"], "1o_______", {"X": ["1"], "O": ["O", "o"], "empty": ["_"]}),
        (["O=0"], "x0-------", {"X": ["X", "x"], "O": ["0"], "empty": ["-"]}),
        (["empty=0"], "xo0000000", {"X": ["X", "x"], "O": ["O", "o"], "empty": ["0"]}),
        (["X=o"], "oO.......", {"X": ["o"], "O": ["O"], "empty": ["."]}),
        (["X=.", "O=_"], "._-------", {"X": ["."], "O": ["_"], "empty": ["-"]}),
        (["X=X,#", "empty=.,-"], "#o.-.-.-.", {"X": ["#", "X"], "O": ["O", "o"], "empty": ["-", "."]}),
        (['X=","', 'O=""""'], ',"-------', {"X": [","], "O": ['"'], "empty": ["-"]}),
        (["empty=/"], "xo///////", {"X": ["X", "x"], "O": ["O", "o"], "empty": ["/"]}),
        (["X=✗", "O=⭕"], "✗⭕.......", {"X": ["✗"], "O": ["⭕"], "empty": ["."]}),
    ],
)
def test_cells_fix_only_their_part(
    given: list[str], board: str, told: dict[str, list[str]], tmp_path: Path, judge_file: Judge
) -> None:
    path = tmp_path / "boards.parquet"
    pl.DataFrame({"board": [board]}).write_parquet(path)
    found = judge_file(path, cells=given)
    assert (alphabet(found), found.reasons) == (told, {})


def test_blanks_around_a_cell_are_ignored(tmp_path: Path, judge_file: Judge) -> None:
    found = cells(judge_file, tmp_path, [" X", "O\t", *[" . "] * 7], ["X", "O", *["."] * 6, "x y"])
    assert (alphabet(found)["empty"], found.reasons) == (["."], {1: ["CELL_UNKNOWN"]})


def test_cell_of_blanks_is_what_it_is(tmp_path: Path, judge_file: Judge) -> None:
    found = cells(judge_file, tmp_path, ["X", "O", *[" "] * 7], ["X", "O", *[" "] * 6, ""])
    assert (alphabet(found)["empty"], found.reasons) == ([" "], {1: ["CELL_UNKNOWN"]})


def test_text_of_a_board_is_never_trimmed(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XO       ", " XO      ", "XO      ", "XO")
    assert found.reasons == {2: ["BOARD_SIZE"], 3: ["BOARD_SIZE"]}


# The board


@pytest.mark.parametrize("names", ["top,middle,bottom", '"a,b",c,"d ""e"""'])
def test_three_columns_of_row_text(names: str, tmp_path: Path, judge_file: Judge) -> None:
    found = judged(
        judge_file,
        tmp_path,
        "XO.,...,...",
        "O..,...,...",
        "X..,..,...",
        ",,",
        "X..,....,..",
        "X.?,...,...",
        ",,XO.......",
        header=names,
        board=names,
    )
    assert found.reasons == {
        1: ["O_COUNT_AHEAD"],
        2: ["BOARD_SIZE"],
        3: ["BOARD_MISSING"],
        4: ["BOARD_SIZE"],
        5: ["CELL_UNKNOWN"],
        6: ["BOARD_SIZE"],
    }


def test_names_of_columns_are_a_csv_record(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "1,O........", header='id,"board,text"', board='"board,text"')
    assert found.summary["layout"]["board"] == ["board,text"]
    assert found.reasons == {0: ["O_COUNT_AHEAD"]}


def test_board_and_cells_side_by_side_are_ambiguous(tmp_path: Path, command: Command) -> None:
    (tmp_path / "both.csv").write_text(",".join(["board", *CELLS]) + "\n")
    done = command("run", "both.csv")
    assert (done.exit_code, done.out) == (3, "")
    assert done.err.startswith("error: both.csv: ")
    assert command("run", "both.csv", "--board", "board").exit_code == 0


def test_without_header_columns_are_numbered(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text("XO.......,ongoing\nO........,ongoing\n")
    done = command("run", "boards.csv", "--no-header", "--board", "column_1", "--outcome", "column_2", "--json")
    assert done.exit_code == 1
    assert done.json["records"] == {"read": 2, "valid": 1, "invalid": 1}
    assert done.json["layout"]["outcome"] == "column_2"


def test_delimiter_is_told_or_given(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text("a,b;board\n1,2;XO.......\n")
    assert command("run", "boards.csv", "--delimiter", ";").exit_code == 0
    assert command("run", "boards.csv", "--delimiter", "|", "--board", '"a,b;board"', "--json").exit_code == 1


@pytest.mark.parametrize("several", [False, True])
def test_board_on_three_lines_is_no_finding(several: bool, tmp_path: Path, command: Command) -> None:
    (tmp_path / "lines.csv").write_bytes(b'board,winner\n"XO.\n...\n...",ongoing\n"XO.\r\n...\r\n...",ongoing\n')
    (tmp_path / "other.csv").write_text("board,winner\nXO.......,ongoing\n")
    done = command("run", "lines.csv", *(["other.csv"] if several else []), "--json")
    assert (done.exit_code, done.json["reasons"]) == (0, {})


# The label


@pytest.mark.parametrize("name", ["winner", "outcome"])
def test_label_is_told_by_its_name(name: str, tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XO.......,X", header=f"board,{name}")
    assert (label(found), found.reasons) == (name, {0: ["OUTCOME_UNFINISHED"]})


def test_other_columns_are_never_the_label(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XO.......,X", header="board,turn")
    assert (label(found), found.reasons) == ("none", {})


@pytest.mark.parametrize(("unknown", "told"), [(0, "winner"), (1, "winner"), (2, "none")])
def test_nine_in_ten_values_must_be_known(unknown: int, told: str, tmp_path: Path, judge_file: Judge) -> None:
    records = [*["XO.......,ongoing"] * (10 - unknown), *["XO.......,who knows"] * unknown, *["XO.......,"] * 20]
    found = judged(judge_file, tmp_path, *records, header="board,winner")
    assert label(found) == told
    expected = range(10 - unknown, 10) if told == "winner" else []
    assert found.reasons == {row: ["OUTCOME_UNKNOWN"] for row in expected}
    assert found.summary["layout"].get("ignored_labels") == (None if told == "winner" else {"winner": ["who knows"]})


def test_labels_are_looked_for_in_the_first_records(tmp_path: Path, judge_file: Judge) -> None:
    later = ["XO.......,who knows"] * (SAMPLE_RECORDS // 2)
    found = judged(judge_file, tmp_path, *["XO.......,ongoing"] * SAMPLE_RECORDS, *later, header="board,winner")
    assert label(found) == "winner"
    assert found.summary["reasons"]["OUTCOME_UNKNOWN"]["records"] == len(later)


def test_mapped_labels_are_known(tmp_path: Path, judge_file: Judge) -> None:
    records = ["XXXOO....,1", "OOOXX.X..,2", "XO.......,0", "XO.......,1"]
    flags = {"outcomes": ["1=X", "2=O", "0=draw,unfinished"]}
    found = judged(judge_file, tmp_path, *records, header="board,winner", **flags)
    assert (label(found), found.reasons) == ("winner", {3: ["OUTCOME_UNFINISHED"]})
    assert found.summary["layout"]["outcomes"] == {"1": ["X"], "2": ["O"], "0": ["draw", "unfinished"]}


def test_two_label_columns_cannot_be_told_apart(tmp_path: Path, command: Command) -> None:
    (tmp_path / "two.csv").write_text("board,winner,outcome\nXO.......,ongoing,X\n")
    done = command("run", "two.csv", "--out", "report")
    assert (done.exit_code, done.out) == (3, "")
    assert not (tmp_path / "report").exists()
    assert command("run", "two.csv", "--outcome", "winner").exit_code == 0
    assert command("run", "two.csv", "--outcome", "outcome").exit_code == 1
    assert command("run", "two.csv", "--outcome", "none").exit_code == 0


def test_second_label_column_without_labels_is_no_rival(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XO.......,ada,X", header="board,winner,outcome")
    assert (label(found), found.reasons) == ("outcome", {0: ["OUTCOME_UNFINISHED"]})
    assert found.summary["layout"]["ignored_labels"] == {"winner": ["ada"]}


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([dt.date(2020, 1, 1)]),
        pl.Series([["X"]]),
        pl.Series([{"name": "X"}]),
        pl.Series([dt.timedelta(1)]),
        pl.Series([1.5]),
        pl.Series([7]),
    ],
    ids=lambda values: str(values.dtype),
)
def test_column_of_another_type_is_no_label(values: pl.Series, tmp_path: Path, command: Command) -> None:
    pl.DataFrame({"board": ["XO......."], "outcome": values}).write_parquet(tmp_path / "boards.parquet")
    done = command("run", "boards.parquet", "--json")
    assert (done.exit_code, done.err) == (0, "")
    assert done.json["layout"]["outcome"] == "none"


def test_outcome_none_turns_labels_off(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XO.......,X", header="board,winner", outcome="none")
    assert (label(found), found.reasons) == ("none", {})


def test_named_label_needs_no_known_values(tmp_path: Path, judge_file: Judge) -> None:
    found = judged(judge_file, tmp_path, "XO.......,who", "XO.......,", header="board,end", outcome="end")
    assert (label(found), found.reasons) == ("end", {0: ["OUTCOME_UNKNOWN"]})


def test_unknown_label_stands_beside_other_reasons(tmp_path: Path, judge_file: Judge) -> None:
    records = ["O........,who", "XO,who", ",who", "X?.......,who", "O........,X"]
    found = judged(judge_file, tmp_path, *records, header="board,winner", outcome="winner")
    assert found.reasons == {
        0: ["OUTCOME_UNKNOWN", "O_COUNT_AHEAD"],
        1: ["BOARD_SIZE", "OUTCOME_UNKNOWN"],
        2: ["BOARD_MISSING", "OUTCOME_UNKNOWN"],
        3: ["CELL_UNKNOWN", "OUTCOME_UNKNOWN"],
        4: ["O_COUNT_AHEAD"],
    }


def test_layout_is_told_per_file(tmp_path: Path, command: Command) -> None:
    (tmp_path / "a.csv").write_text("board,winner\nXO.......,ongoing\n")
    (tmp_path / "b.csv").write_text(",".join(CELLS) + "\nX,O" + 7 * ",_" + "\nO" + 8 * ",_" + "\n")
    done = command("run", "a.csv", "b.csv", "--out", "report")
    assert (done.exit_code, done.err) == (1, "")
    summary = json.loads((tmp_path / "report" / "summary.json").read_text())
    assert summary["records"] == {"read": 3, "valid": 2, "invalid": 1}
    assert summary["inputs"][1]["layout"]["cells"]["empty"] == ["_"]


# What the data has not, whatever its columns are called


def test_moves_none_lets_boards_be_judged(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("board,moves\nXO.......,2\nOO.......,2\n")
    assert judge_file(path, moves="none").reasons == {1: ["O_COUNT_AHEAD"]}


def test_game_none_lets_boards_be_judged(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "positions.csv"
    path.write_text("game,ply,board,move\na,1,.........,4\na,2,O........,0\n")
    assert judge_file(path, game="none").reasons == {1: ["O_COUNT_AHEAD"]}


def test_board_none_leaves_the_board_beside_the_moves_alone(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "before.csv"
    path.write_text('moves,board\n"0,0;1,1",X........\n')
    assert judge_file(path).reasons == {0: ["BOARD_MISMATCH"]}
    assert judge_file(path, board="none").reasons == {}


def test_a_column_that_is_named_for_something_is_no_board(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "moves.csv"
    path.write_text('board\n"0,0;1,1"\n')
    assert judge_file(path, moves="board").reasons == {}


# What the layout does not name is shown


def test_unknown_cells_and_labels_are_named_most_frequent_first(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "foreign.csv"
    path.write_text("board,winner\nXO1......,O wins\nXO2......,X wins\nXO2......,X wins\nXO.......,\n")
    done = command("run", path, "--outcome", "winner", "--json")
    assert done.json["layout"]["unknown_cells"] == ["2", "1"]
    assert done.json["layout"]["unknown_labels"] == ["X wins", "O wins"]
    assert [line for line in command("run", path, "--outcome", "winner").out.splitlines() if "among" in line] == [
        "unknown cells among the first records: '2', '1'; say with --cells X=…, O=… or empty=… what they mean",
        "unknown labels among the first records: 'X wins', 'O wins'; say with --outcomes LABEL=OUTCOME what they mean",
    ]


def test_nothing_unknown_is_not_mentioned(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "known.csv"
    path.write_text("board,winner\nOO.......,X\n")
    assert "among" not in command("run", path).out


def test_an_empty_column_gives_way_to_one_that_holds_labels(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "two.csv"
    path.write_text("board,outcome,winner\nXO.......,,X\n")
    found = judge_file(path)
    assert found.summary["layout"]["outcome"] == "winner"
    assert found.reasons == {0: ["OUTCOME_UNFINISHED"]}


def test_a_column_that_is_named_for_something_is_not_chosen_for_another(tmp_path: Path, judge_file: Judge) -> None:
    path = tmp_path / "log.csv"
    path.write_text("game,square,move\na,1,0\na,2,4\n")
    found = judge_file(path, game="game", ply="square")
    assert (found.summary["layout"]["ply"], found.summary["layout"]["at"]) == ("square", ["move"])
    assert found.reasons == {}

"""The same boards and games in every layout, alphabet and notation that is known without options: the same verdicts.

Each file is judged twice: as it is, and with what ``inspect`` prints of it as ``--config``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

import oracle
import written
from conftest import Judge
from pipeline.config import LayoutOptions
from pipeline.ingest.inputs import Readable, open_source
from pipeline.inspection import inspect
from pipeline.survey import dialect, layout_of
from schemas.vocabulary import EMPTY_SYMBOLS
from written import BOARDS, GAMES, LONG_GAME, MOVES, ONE_COLUMN, Dressing, Reasons, Table

BOARD_REASONS: Final = written.board_reasons(BOARDS)
GAME_REASONS: Final = written.game_reasons(GAMES)
LABELS: Final = [board.label for board in BOARDS]
WINNER: Final = ("winner", LABELS)
CELL_NAMES: Final[dict[str, Sequence[str]]] = {
    "top-left-square": [
        f"{row}-{col}-square" for row in ("top", "middle", "bottom") for col in ("left", "middle", "right")
    ],
    "top_left": [f"{row}_{col}" for row in ("top", "middle", "bottom") for col in ("left", "center", "right")],
    "topleft": [f"{row}{col}" for row in ("top", "mid", "bottom") for col in ("left", "mid", "right")],
    "TopLeft": [f"{row}{col}" for row in ("Top", "Middle", "Bottom") for col in ("Left", "Middle", "Right")],
    "top": ["top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"],
    "tl": [row + col for row in "tmb" for col in "lmr"],
    "TL": [row + col for row in "TMB" for col in "LCR"],
    "a1 to a9": [f"a{number}" for number in range(1, 10)],
    "a11 to a33": [f"a{row}{col}" for row in (1, 2, 3) for col in (1, 2, 3)],
    "A1 to C3": [f"{col}{row}" for row in (1, 2, 3) for col in "ABC"],
    "Cell00": [f"Cell{row}{col}" for row in range(3) for col in range(3)],
    "c0 to c8": [f"c{number}" for number in range(9)],
    "v1 to v9": [f"v{number}" for number in range(1, 10)],
    "x0 to x8": [f"x{number}" for number in range(9)],
    "att1": [f"att{number}" for number in range(1, 10)],
    "Game1": [f"Game{number}" for number in range(1, 10)],
    "1 to 9": [f"{number}" for number in range(1, 10)],
    "0 to 8": [f"{number}" for number in range(9)],
    "r0c0": [f"r{row}c{col}" for row in range(3) for col in range(3)],
    "row1col1": [f"row{row}col{col}" for row in (1, 2, 3) for col in (1, 2, 3)],
    "cell_0_0": [f"cell_{row}_{col}" for row in range(3) for col in range(3)],
    "pos1": [f"pos{number}" for number in range(1, 10)],
    "sq0": [f"sq{number}" for number in range(9)],
    "square_1": [f"square_{number}" for number in range(1, 10)],
    "a to i": list("abcdefghi"),
    "A to I": list("ABCDEFGHI"),
}


@pytest.fixture
def assert_judged(judge_file: Judge) -> Callable[..., None]:
    """Judges a file, and again by what is printed of its layout."""

    def check(path: Path, expected: Reasons, **flags: Any) -> None:
        found = judge_file(path, **flags)
        assert (found.reasons, found.exit_code) == (expected, 1 if expected else 0)
        config = path.with_suffix(".toml")
        config.write_text(inspect(str(path), LayoutOptions.from_flags(**flags)).text, encoding="utf-8")
        hints = ("unnamed_labels", "ignored_labels")  # of columns that are not chosen; in the file none is looked for
        layout = {name: value for name, value in found.summary["layout"].items() if name not in hints}
        if path.suffix == ".parquet":
            # The same layout makes the same run; that this is so the text files show.
            options = LayoutOptions.from_flags(config=config)
            with closing(open_source(str(path), Readable(dialect(options)))) as source:
                assert layout_of(source, options).as_dict() == layout
            return
        again = judge_file(path, config=config)
        assert (again.reasons, again.exit_code) == (found.reasons, found.exit_code)
        assert again.summary["layout"] == layout

    return check


Check = Callable[..., None]
BY_FILE = pytest.mark.parametrize("file", written.FILES)


def nine_columns(style: str, symbols: Callable[..., list[list[str]]] | None = None) -> Table:
    return written.in_columns(CELL_NAMES[style], (symbols or written.alphabet())(BOARDS))


def test_the_records_have_every_fault_that_they_can_have() -> None:
    codes = {code for reasons in (BOARD_REASONS, GAME_REASONS) for codes in reasons.values() for code in codes}
    codes |= {code for codes in written.log_reasons(written.log_rows()).values() for code in codes}
    assert codes == {
        *("X_COUNT_AHEAD", "O_COUNT_AHEAD", "BOTH_WIN", "X_WIN_COUNT", "O_WIN_COUNT", "CELL_UNKNOWN"),
        *("CELL_OCCUPIED", "MOVE_AFTER_END", "MOVE_OUT_OF_BOUNDS", "MOVES_UNREADABLE", "MOVES_TOO_MANY", "WRONG_TURN"),
        *("PLAYER_UNKNOWN", "GAME_MISSING", "PLY_UNREADABLE", "PLY_REPEATED", "PLY_GAP"),
        *("OUTCOME_UNKNOWN", "OUTCOME_UNFINISHED", "OUTCOME_MISMATCH"),
    }


# Boards in nine columns


@BY_FILE
@pytest.mark.parametrize("style", CELL_NAMES)
def test_names_of_cells(style: str, file: str, tmp_path: Path, assert_judged: Check) -> None:
    assert_judged(written.FILES[file](tmp_path, [*nine_columns(style), WINNER]), BOARD_REASONS)


@BY_FILE
@pytest.mark.parametrize("style", ["top-left-square", "A1 to C3", "r0c0", "cell_0_0", "c0 to c8", "a to i"])
def test_named_cells_in_any_order(style: str, file: str, tmp_path: Path, assert_judged: Check) -> None:
    table = [WINNER, *reversed(nine_columns(style))]
    assert_judged(written.FILES[file](tmp_path, table), BOARD_REASONS)


@BY_FILE
@pytest.mark.parametrize("name", ["V", "v"])
def test_label_in_a_tenth_column_of_the_same_name(name: str, file: str, tmp_path: Path, assert_judged: Check) -> None:
    table: Table = [(f"{name}{number}", column) for number, (_, column) in enumerate(nine_columns("c0 to c8"), start=1)]
    path = written.FILES[file](tmp_path, [*table, (f"{name}10", LABELS)])
    assert_judged(path, written.board_reasons(BOARDS, labelled=False))
    assert_judged(path, BOARD_REASONS, outcome=f"{name}10")


@BY_FILE
@pytest.mark.parametrize("marks", ["XO", "xo", "XOxo"])
@pytest.mark.parametrize("empty", EMPTY_SYMBOLS)
def test_symbols_in_nine_columns(empty: str, marks: str, file: str, tmp_path: Path, assert_judged: Check) -> None:
    table = nine_columns("v1 to v9", written.alphabet(empty, marks))
    assert_judged(written.FILES[file](tmp_path, [*table, WINNER]), BOARD_REASONS)


@pytest.mark.parametrize("empty", EMPTY_SYMBOLS)
def test_nine_columns_without_header(empty: str, tmp_path: Path, assert_judged: Check) -> None:
    table = nine_columns("c0 to c8", written.alphabet(empty))
    assert_judged(written.csv_file(tmp_path, [*table, WINNER], Dressing(header=False)), BOARD_REASONS)
    unlabelled = written.csv_file(tmp_path, table, Dressing(header=False))
    assert_judged(unlabelled, written.board_reasons(BOARDS, labelled=False))


EXTRAS: Final[Table] = [
    ("id", range(len(BOARDS))),
    ("", range(len(BOARDS))),
    ("timestamp", [f"2026-01-02T03:04:{row % 60:02}" for row in range(len(BOARDS))]),
    ("score", [row / 8 for row in range(len(BOARDS))]),
    ("name", [f"player {row % 7}" for row in range(len(BOARDS))]),
    ("to_move", ["XO"[row % 2] for row in range(len(BOARDS))]),
    ("source", ["crawler"] * len(BOARDS)),
    ("note", [""] * len(BOARDS)),
]


@BY_FILE
@pytest.mark.parametrize("style", ["top-left-square", "x0 to x8", "1 to 9", "A1 to C3"])
@pytest.mark.parametrize("place", [0, 4, 10])
def test_other_columns_between(style: str, place: int, file: str, tmp_path: Path, assert_judged: Check) -> None:
    table = [*nine_columns(style), WINNER]
    assert_judged(written.FILES[file](tmp_path, [*table[:place], *EXTRAS, *table[place:]]), BOARD_REASONS)


NUMBERS: Final = [
    (["X=1", "O=2", "empty=0"], {"X": 1, "O": 2, ".": 0, "#": 7}),
    (["X=1", "O=-1", "empty=0"], {"X": 1, "O": -1, ".": 0, "#": 7}),
    (["X=1", "O=0", "empty="], {"X": 1, "O": 0, ".": None, "#": 7}),
]


@BY_FILE
@pytest.mark.parametrize(("cells", "numbers"), NUMBERS)
@pytest.mark.parametrize("style", ["top-left-square", "x0 to x8", "1 to 9"])
def test_numbers_that_are_named(
    style: str, cells: list[str], numbers: dict[str, int | None], file: str, tmp_path: Path, assert_judged: Check
) -> None:
    table = written.in_columns(CELL_NAMES[style], [[numbers[cell] for cell in board.cells] for board in BOARDS])
    assert_judged(written.FILES[file](tmp_path, [*table, WINNER]), BOARD_REASONS, cells=cells)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["X=1", "O=-1", "empty=0"], {"X": 1.0, "O": -1.0, ".": 0.0, "#": 0.5}),
        (["X=true", "O=false", "empty="], {"X": True, "O": False, ".": None}),
    ],
)
def test_other_types_of_cells(
    cells: list[str], values: dict[str, float | bool | None], tmp_path: Path, assert_judged: Check
) -> None:
    boards = [board for board in BOARDS if {*board.cells} <= {*values}]
    table = written.in_columns(CELL_NAMES["c0 to c8"], [[values[cell] for cell in board.cells] for board in boards])
    path = written.parquet_file(tmp_path, [*table, ("winner", [board.label for board in boards])])
    assert_judged(path, written.board_reasons(boards), cells=cells)


# Boards in one column, and in three


def kinds_of_column() -> list[Any]:
    """Every way to write a board in one column in every kind of file that can hold it."""
    return [
        pytest.param(how, file, id=f"{how}-{file}")
        for how in ONE_COLUMN
        for file in written.FILES
        if not (how in written.NATIVE and file == "csv")
    ]


BY_COLUMN = pytest.mark.parametrize(("how", "file"), kinds_of_column())


def one_column(how: str, symbols: list[list[str]], name: str = "board") -> Table:
    return [(name, [ONE_COLUMN[how](cells) for cells in symbols])]


@BY_COLUMN
@pytest.mark.parametrize("name", ["Board", "state"])
def test_boards_in_one_column_of_any_name(name: str, how: str, file: str, tmp_path: Path, assert_judged: Check) -> None:
    table = one_column(how, written.alphabet()(BOARDS), name)
    assert_judged(written.FILES[file](tmp_path, [EXTRAS[0], *table, *EXTRAS[2:], WINNER]), BOARD_REASONS)


def symbols_in_one_column() -> list[Any]:
    """Every symbol of an empty cell in every way to write a board that has one, with letters of any case."""
    cases = enumerate(
        (empty, how) for how in ONE_COLUMN for empty in EMPTY_SYMBOLS if empty or how not in written.JOINED
    )
    return [(empty, ("XO", "xo", "XOxo")[number % 3], how) for number, (empty, how) in cases]


@pytest.mark.parametrize(("empty", "marks", "how"), symbols_in_one_column())
def test_symbols_in_one_column(empty: str, marks: str, how: str, tmp_path: Path, assert_judged: Check) -> None:
    table = [*one_column(how, written.alphabet(empty, marks)(BOARDS), "state"), WINNER]
    write = written.parquet_file if how in written.NATIVE else written.csv_file
    assert_judged(write(tmp_path, table), BOARD_REASONS)


@pytest.mark.parametrize("how", [how for how in ONE_COLUMN if how not in written.NATIVE])
def test_one_column_without_header(how: str, tmp_path: Path, assert_judged: Check) -> None:
    table = one_column(how, written.alphabet()(BOARDS))
    assert_judged(written.csv_file(tmp_path, [*table, WINNER], Dressing(header=False)), BOARD_REASONS)


@pytest.mark.parametrize("how", [how for how in ONE_COLUMN if how not in written.NATIVE])
@pytest.mark.parametrize("header", [True, False])
def test_one_column_alone(how: str, header: bool, tmp_path: Path, assert_judged: Check) -> None:
    table = one_column(how, written.alphabet("_", "xo")(BOARDS))
    path = written.csv_file(tmp_path, table, Dressing(header=header))
    assert_judged(path, written.board_reasons(BOARDS, labelled=False))


@BY_FILE
def test_boards_of_other_sizes(file: str, tmp_path: Path, assert_judged: Check) -> None:
    texts = [*("".join(cells) for cells in written.alphabet()(BOARDS)), "", "X", "XO........", "XO......"]
    table: Table = [("state", texts), ("winner", [*LABELS, "", "draw", "X", "who"])]
    expected = BOARD_REASONS | {
        len(BOARDS): ["BOARD_MISSING"],
        len(BOARDS) + 1: ["BOARD_SIZE"],
        len(BOARDS) + 2: ["BOARD_SIZE"],
        len(BOARDS) + 3: ["BOARD_SIZE", "OUTCOME_UNKNOWN"],
    }
    assert_judged(written.FILES[file](tmp_path, table), expected)


@BY_FILE
@pytest.mark.parametrize(
    ("names", "empty"),
    [
        *(("top middle bottom", symbol) for symbol in EMPTY_SYMBOLS if symbol),
        *((names, ".") for names in ("row1 row2 row3", "row_0 row_1 row_2", "Top Mid Bottom")),
    ],
)
def test_three_row_texts(names: str, empty: str, file: str, tmp_path: Path, assert_judged: Check) -> None:
    rows = [["".join(cells[start : start + 3]) for start in (0, 3, 6)] for cells in written.alphabet(empty)(BOARDS)]
    table = written.in_columns(names.split(), rows)
    assert_judged(written.FILES[file](tmp_path, [EXTRAS[0], *table, WINNER]), BOARD_REASONS)


# The label


@BY_FILE
@pytest.mark.parametrize("name", ["winner", "Winner", "outcome", "result", "class", "label", "Class", "game_result"])
def test_names_of_the_label(name: str, file: str, tmp_path: Path, assert_judged: Check) -> None:
    assert_judged(written.FILES[file](tmp_path, [*nine_columns("c0 to c8"), (name, LABELS)]), BOARD_REASONS)


# What a text file looks like around the fields


DRESSINGS: Final = {
    "semicolons": Dressing(delimiter=";"),
    "tabs": Dressing(delimiter="\t"),
    "bars": Dressing(delimiter="|"),
    "CRLF": Dressing(line_end="\r\n"),
    "byte order mark": Dressing(mark=b"\xef\xbb\xbf"),
    "blank lines": Dressing(blank_lines=True),
    "quotes": Dressing(quoted=True),
    "all at once": Dressing(";", "\r\n", quoted=True, mark=b"\xef\xbb\xbf", blank_lines=True),
    "no header": Dressing(header=False),
    "no header, CRLF, quotes": Dressing(";", "\r\n", header=False, quoted=True, mark=b"\xef\xbb\xbf"),
}
BY_DRESSING = pytest.mark.parametrize("dressing", DRESSINGS)


@BY_DRESSING
@pytest.mark.parametrize("style", ["top-left-square", "1 to 9", "a to i"])
def test_dressed_columns(style: str, dressing: str, tmp_path: Path, assert_judged: Check) -> None:
    assert_judged(written.csv_file(tmp_path, [*nine_columns(style), WINNER], DRESSINGS[dressing]), BOARD_REASONS)


@BY_DRESSING
@pytest.mark.parametrize("how", ["text", "text with line breaks", "JSON of nine", "Python list of three by three"])
def test_dressed_boards(how: str, dressing: str, tmp_path: Path, assert_judged: Check) -> None:
    table = [*one_column(how, written.alphabet()(BOARDS)), WINNER, EXTRAS[0]]
    assert_judged(written.csv_file(tmp_path, table, DRESSINGS[dressing]), BOARD_REASONS)


@pytest.mark.parametrize("style", ["top-left-square", "1 to 9"])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("empty", [symbol for symbol in EMPTY_SYMBOLS if symbol.strip()])
def test_blanks_after_commas(style: str, header: bool, empty: str, tmp_path: Path, assert_judged: Check) -> None:
    table = [*nine_columns(style, written.alphabet(empty)), WINNER]
    path = written.csv_file(tmp_path, table, Dressing(header=header, blank_after=True))
    assert_judged(path, BOARD_REASONS)


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("style", ["top-left-square", "c0 to c8", "1 to 9", "a to i", "TL"])
def test_blanks_between_fields(style: str, header: bool, tmp_path: Path, assert_judged: Check) -> None:
    boards = [board for board in BOARDS if board.label not in ("", "who knows")]
    table = written.in_columns(CELL_NAMES[style], written.alphabet()(boards))
    table.append(("winner", [board.label for board in boards]))
    path = written.csv_file(tmp_path, table, Dressing(delimiter=" ", header=header))
    assert_judged(path, written.board_reasons(boards))


# Games in one row


def kinds_of_moves() -> list[Any]:
    """Every notation in every kind of file that can hold it."""
    return [
        pytest.param(how, file, id=f"{how}-{file}")
        for how in MOVES
        for file in written.FILES
        if not (how in written.NATIVE_MOVES and file == "csv")
    ]


GAME_EXTRAS: Final = [(name, [*values][: len(GAMES)]) for name, values in EXTRAS]
GAME_WINNER: Final = ("winner", [game.label for game in GAMES])


@pytest.mark.parametrize(("how", "file"), kinds_of_moves())
@pytest.mark.parametrize("name", ["moves", "history"])
def test_games_in_one_column(name: str, how: str, file: str, tmp_path: Path, assert_judged: Check) -> None:
    games = [*GAMES, LONG_GAME]
    moves = [MOVES[how](game.squares) for game in games]
    table: Table = [("id", range(len(games))), (name, moves), ("winner", [game.label for game in games])]
    assert_judged(written.FILES[file](tmp_path, table), written.game_reasons(games))


@BY_FILE
@pytest.mark.parametrize("name", ["Moves", "move_sequence", "plies", "actions", "game", "record"])
def test_names_of_games(name: str, file: str, tmp_path: Path, assert_judged: Check) -> None:
    table: Table = [(name, [MOVES["JSON of pairs"](game.squares) for game in GAMES]), GAME_WINNER, *GAME_EXTRAS]
    assert_judged(written.FILES[file](tmp_path, table), GAME_REASONS)


@BY_DRESSING
@pytest.mark.parametrize(
    "how", ["pairs between semicolons", "JSON of pairs", "Python list of tuples", "JSON of squares"]
)
def test_dressed_games(how: str, dressing: str, tmp_path: Path, assert_judged: Check) -> None:
    table: Table = [("moves", [MOVES[how](game.squares) for game in GAMES]), GAME_WINNER]
    assert_judged(written.csv_file(tmp_path, table, DRESSINGS[dressing]), GAME_REASONS)


PLY_NAMES: Final = {
    "m1": [f"m{ply}" for ply in range(1, 10)],
    "move_1": [f"move_{ply}" for ply in range(1, 10)],
    "Move1": [f"Move{ply}" for ply in range(1, 10)],
    "ply1": [f"ply{ply}" for ply in range(1, 10)],
    "move0": [f"move{ply}" for ply in range(9)],
    "Turn 1": [f"Turn {ply}" for ply in range(1, 10)],
}


@BY_FILE
@pytest.mark.parametrize(("style", "place"), [*zip(PLY_NAMES, [0, 5, 10, 1, 9, 3], strict=True)])
def test_plies_in_nine_columns(style: str, place: int, file: str, tmp_path: Path, assert_judged: Check) -> None:
    table = written.in_columns(PLY_NAMES[style], [written.in_plies(game.squares) for game in GAMES])
    table.append(GAME_WINNER)
    path = written.FILES[file](tmp_path, [*table[:place], *GAME_EXTRAS, *table[place:]])
    assert_judged(path, GAME_REASONS)


@pytest.mark.parametrize("dressing", [name for name in DRESSINGS if "no header" not in name])
def test_dressed_plies(dressing: str, tmp_path: Path, assert_judged: Check) -> None:
    table = written.in_columns(PLY_NAMES["move_1"], [written.in_plies(game.squares) for game in GAMES])
    assert_judged(written.csv_file(tmp_path, [*table, GAME_WINNER], DRESSINGS[dressing]), GAME_REASONS)


# Logs

ROWS: Final = written.log_rows()
LOG_REASONS: Final = written.log_reasons(ROWS)
UNPLAYED_REASONS: Final = written.log_reasons(written.log_rows(with_players=False))


def at(names: Sequence[str]) -> Table:
    """Where each ply of the log was made: a square, ``(row, column)`` as text, or row and column."""
    squares = [row["square"] for row in ROWS]
    pairs = [divmod(square, 3) if isinstance(square, int) else (None, None) for square in squares]
    if len(names) == 2:
        return written.in_columns(names, pairs)
    if names[0].startswith("("):
        return [(names[0][1:], [None if row is None else f"({row}, {column})" for row, column in pairs])]
    return [(names[0], squares)]


AT_NAMES: Final = [
    ["move"],
    ["square"],
    ["position"],
    ["row", "col"],
    ["y", "x"],
    ["(move"],
    ["(position"],
    ["(square"],
]


def log(game: str, ply: str, at_names: Sequence[str], player: str | None) -> Table:
    """The log under these names."""
    table: Table = [(game, [row["game"] for row in ROWS]), (ply, [row["ply"] for row in ROWS])]
    if player is not None:
        table.append((player, [row["player"] for row in ROWS]))
    return [*table, *at(at_names), ("winner", [row["label"] for row in ROWS])]


@BY_FILE
@pytest.mark.parametrize("at_names", AT_NAMES, ids=" ".join)
@pytest.mark.parametrize(
    ("game", "ply", "player"),
    [
        ("game_id", "ply", "player"),
        ("game", "move_id", "mark"),
        ("match", "move_no", None),
        ("match_id", "step", "player"),
        ("Game", "turn", "mark"),
    ],
)
def test_names_of_a_log(
    game: str, player: str | None, ply: str, at_names: Sequence[str], file: str, tmp_path: Path, assert_judged: Check
) -> None:
    path = written.FILES[file](tmp_path, log(game, ply, at_names, player))
    assert_judged(path, UNPLAYED_REASONS if player is None else LOG_REASONS)


@pytest.mark.parametrize("dressing", [name for name in DRESSINGS if "no header" not in name])
@pytest.mark.parametrize("at_names", [["square"], ["row", "col"], ["(move"]], ids=" ".join)
def test_dressed_logs(dressing: str, at_names: Sequence[str], tmp_path: Path, assert_judged: Check) -> None:
    table = log("game_id", "ply", at_names, "player")
    assert_judged(written.csv_file(tmp_path, table, DRESSINGS[dressing]), LOG_REASONS)


@BY_FILE
def test_log_in_order_without_ply_numbers(file: str, tmp_path: Path, assert_judged: Check) -> None:
    games = [number for number, game in enumerate(GAMES) for _ in game.squares]
    squares = [square for game in GAMES for square in game.squares]
    players = ["XO"[ply % 2] for game in GAMES for ply in range(len(game.squares))]
    rows: list[oracle.Row] = [
        {"row": row, "game": str(game), "square": square, "player": player}
        for row, (game, square, player) in enumerate(zip(games, squares, players, strict=True))
    ]
    path = written.FILES[file](tmp_path, [("game_id", games), ("player", players), ("square", squares)])
    assert_judged(path, written.log_reasons(rows))

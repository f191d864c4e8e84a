"""The options that say how data is laid out, and how many records may be invalid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from conftest import Command
from pipeline.config import Allowance, LayoutOptions, cells_mapping, comma_list, outcomes_mapping
from pipeline.errors import UsageError


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("board", ("board",)),
        ("a,b,c", ("a", "b", "c")),
        ('"a,b",c', ("a,b", "c")),
        ('"a,b"', ("a,b",)),
        ('"say ""hi""",c', ('say "hi"', "c")),
        ("", ("",)),
        ('""', ("",)),
        (",", ("", "")),
        ("a, b", ("a", " b")),
        (" ", (" ",)),
        ("-1,-2", ("-1", "-2")),
        ('"line\nbreak"', ("line\nbreak",)),
    ],
)
def test_comma_list_is_one_csv_record(text: str, values: tuple[str, ...]) -> None:
    assert comma_list(text) == values


@pytest.mark.parametrize("text", ['"a', '"a"b,c'])
def test_comma_list_with_broken_quotes(text: str) -> None:
    with pytest.raises(UsageError):
        comma_list(text)


@pytest.mark.parametrize(
    ("values", "mapping"),
    [
        ([], {}),
        (["X=1"], {"X": {"1"}}),
        (["X=1,x", "O=0", "X=I"], {"X": {"1", "x", "I"}, "O": {"0"}}),
        (["empty="], {"empty": {""}}),
        (["empty= "], {"empty": {" "}}),
        (["empty=,-"], {"empty": {"", "-"}}),
        (['X=","'], {"X": {","}}),
        (["X=="], {"X": {"="}}),
        (["O=-1"], {"O": {"-1"}}),
    ],
)
def test_cells_are_split_at_the_first_equals_sign(values: list[str], mapping: dict[str, set[str]]) -> None:
    assert cells_mapping(values) == mapping


@pytest.mark.parametrize("value", ["X", "x=1", "=1", "Empty=.", "", "X:1"])
def test_cells_of_another_form(value: str) -> None:
    with pytest.raises(UsageError, match="is not of the form X=SYMBOL, O=SYMBOL or empty=SYMBOL"):
        cells_mapping([value])


def test_symbol_with_two_meanings() -> None:
    with pytest.raises(UsageError, match="--cells gives the symbol '1' to both X and O"):
        LayoutOptions.from_flags(cells=["X=1", "O=0,1"])


@pytest.mark.parametrize(
    ("values", "mapping"),
    [
        ([], {}),
        (["win=X"], {"win": {"X"}}),
        (["lost=O,draw,unfinished"], {"lost": {"O", "draw", "unfinished"}}),
        (["a=X", "b=O", "a=draw"], {"a": {"X", "draw"}, "b": {"O"}}),
        (["a=b=X"], {"a=b": {"X"}}),
        (["-1=O"], {"-1": {"O"}}),
        (["=unfinished"], {"": {"unfinished"}}),
        (["1,5=X"], {"1,5": {"X"}}),
        (['w="X"'], {"w": {"X"}}),
    ],
)
def test_outcomes_are_split_at_the_last_equals_sign(values: list[str], mapping: dict[str, set[str]]) -> None:
    assert outcomes_mapping(values) == mapping


@pytest.mark.parametrize("value", ["win", "win=", "win=x", "win=X,", "win=tie", "win=X,nobody", ""])
def test_outcomes_of_another_form(value: str) -> None:
    with pytest.raises(UsageError, match="is not of the form LABEL=OUTCOME with X, O, draw, unfinished"):
        outcomes_mapping([value])


@pytest.mark.parametrize(
    ("text", "invalid", "read", "allowed"),
    [
        ("0", 0, 10, True),
        ("0", 1, 10, False),
        ("3", 3, 3, True),
        ("3", 4, 100, False),
        ("10%", 1, 10, True),
        ("10%", 2, 10, False),
        ("0.1%", 1, 1_000, True),
        ("0.1%", 1, 999, False),
        ("33.3%", 333, 1_000, True),
        ("33.3%", 334, 1_000, False),
        ("100%", 7, 7, True),
        ("0%", 0, 0, True),
        ("0%", 1, 10**12, False),
        (" 5 ", 5, 10, True),
    ],
)
def test_allowance_is_exact(text: str, invalid: int, read: int, allowed: bool) -> None:
    assert Allowance.parse(text).allows(invalid, read) is allowed


@pytest.mark.parametrize("text", ["", "%", "few", "-1", "-1%", "0.5", "101%", "100.01%", "5%%", "5%x", "nan", "inf%"])
def test_allowance_of_another_form(text: str) -> None:
    with pytest.raises(UsageError, match="is neither a whole number nor a percentage"):
        Allowance.parse(text)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"board": "a,b"}, "--board names 2 columns; a board is one column, three"),
        ({"board": "a,b,c,d"}, "--board names 4 columns"),
        ({"board": "a,b,a"}, "the options name column 'a' twice; a column holds one thing"),
        ({"delimiter": ""}, "--delimiter '' is not one ASCII character"),
        ({"delimiter": ",,"}, "--delimiter ',,' is not one ASCII character"),
        ({"delimiter": "é"}, "--delimiter 'é' is not one ASCII character"),
        ({"delimiter": '"'}, "--delimiter '\"' is not one ASCII character"),
        ({"delimiter": "\n"}, "is not one ASCII character"),
    ],
)
def test_impossible_options(flags: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        LayoutOptions.from_flags(**flags)


@pytest.mark.parametrize(
    ("board", "names"),
    [
        (None, ()),
        ("board", ("board",)),
        ("top,middle,bottom", ("top", "middle", "bottom")),
        ("a,b,c,d,e,f,g,h,i", tuple("abcdefghi")),
        ('"a,b"', ("a,b",)),
    ],
)
def test_board_names_one_three_or_nine_columns(board: str | None, names: tuple[str, ...]) -> None:
    assert LayoutOptions.from_flags(board=board).board == names


# From a file


@pytest.fixture
def configured(tmp_path: Path) -> Callable[..., LayoutOptions]:
    """The options of a file with this text, and of these flags."""

    def read(text: str | bytes, **flags: Any) -> LayoutOptions:
        path = tmp_path / "layout.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return LayoutOptions.from_flags(path, **flags)

    return read


Configured = Callable[..., LayoutOptions]


KEYS: Final[list[tuple[str, str, Any]]] = [
    ('board = "state"', "board", ("state",)),
    ('board = ["top", "mid", "bottom"]', "board", ("top", "mid", "bottom")),
    ('board = "a,b"', "board", ("a,b",)),
    ('board = "none"', "board", ("none",)),
    ('moves = "game"', "moves", ("game",)),
    ('moves = ["m1", "m2"]', "moves", ("m1", "m2")),
    ('game = "id"', "game", "id"),
    ('ply = "n"', "ply", "n"),
    ('at = "square"', "at", ("square",)),
    ('at = ["row", "col"]', "at", ("row", "col")),
    ('player = "who"', "player", "who"),
    ('outcome = "end"', "outcome", "end"),
    ('[outcomes]\nlost = "O"\n"not X" = ["O", "draw"]', "outcomes", {"lost": {"O"}, "not X": {"O", "draw"}}),
    ('outcomes.won = "X"', "outcomes", {"won": {"X"}}),
    ('[cells]\nX = "1"\nO = ["2", "zero"]\nempty = ""', "cells", {"X": {"1"}, "O": {"2", "zero"}, "empty": {""}}),
    ('first = "any"', "first", "any"),
    ("base = 1", "base", 1),
    ('order = "column"', "order", "column"),
    ("header = false", "header", False),
    ('delimiter = "\\t"', "delimiter", "\t"),
]


@pytest.mark.parametrize(("text", "key", "value"), KEYS)
def test_every_key(text: str, key: str, value: Any, configured: Configured) -> None:
    options = configured(text)
    assert getattr(options, key) == value
    assert options == LayoutOptions(**{key: value})


def test_every_option_is_a_key() -> None:
    assert {key for _, key, _ in KEYS} == {*LayoutOptions.model_fields}


@pytest.mark.parametrize("text", ["", "# nothing\n", "board = []\n", "[cells]\n[outcomes]\n"])
def test_nothing_in_a_file_is_as_no_file(text: str, configured: Configured) -> None:
    assert configured(text) == LayoutOptions()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('bord = "x"', "bord is no option of the layout; the nearest is board"),
        ('outcom = "x"', "outcom is no option of the layout; the nearest is outcome"),
        ("no-header = true", "no-header is no option of the layout; the nearest is header"),
        ("zzz = 1", "zzz is no option of the layout; there are board, moves, game, "),
        ("max_invalid = 3", "max_invalid is no option of the layout; "),
        ("board = 3", "board is not possible: expected text, or a list of texts, not 3"),
        ("board = [1]", r"board is not possible: expected text, or a list of texts, not \[1\]"),
        ("[board]\nx = 1", "board is not possible: expected text, or a list of texts"),
        ('board = ["a", "b"]', "board names 2 columns; a board is one column, three"),
        ("moves = true", "moves is not possible: expected text"),
        (f"moves = {[*'abcdefghij']}", "moves names 10 columns; a game has up to nine"),
        ("at = 1", "at is not possible: expected text"),
        ('at = ["a", "b", "c"]', "at names 3 columns"),
        ('game = ["g"]', r"game is not possible: .*string, not \['g'\]"),
        ("ply = true", "ply is not possible: .*string, not True"),
        ("player = 1", "player is not possible: .*string, not 1"),
        ("outcome = false", "outcome is not possible: .*string, not False"),
        ('outcomes = ["win=X"]', "outcomes is not possible: .*dictionary"),
        ('[outcomes]\nwin = "nobody"', "outcomes is 'nobody' of 'win', not one of 'X', 'O', 'draw' or 'unfinished'"),
        ("[outcomes]\nwin = 3", "outcomes is not possible of 'win': expected text, or a list of texts, not 3"),
        ('cells = "X"', "cells is not possible: .*dictionary"),
        ('[cells]\nY = "1"', "cells is 'Y'.*, not one of 'X', 'O' or 'empty'"),
        ("[cells]\nX = 1", "cells is not possible of 'X': expected text, or a list of texts, not 1"),
        ('[cells]\nX = "1"\nO = "1"', "cells gives the symbol '1' to both X and O"),
        ('[cells]\nempty = "\\n"', "cells names a symbol that holds a line break"),
        ('first = "Y"', "first is 'Y', not one of 'X', 'O' or 'any'"),
        ("base = 2", "base is 2, not one of 0 or 1"),
        ('base = "1"', "base is '1', not one of 0 or 1"),
        ('order = "rows"', "order is 'rows', not one of 'row' or 'column'"),
        ('header = "yes"', "header is not possible: .*boolean, not 'yes'"),
        ("header = 1", "header is not possible: .*boolean, not 1"),
        ('delimiter = ";;"', "delimiter ';;' is not one ASCII character"),
        ("delimiter = 3", "delimiter is not possible: .*string, not 3"),
        ('game = "g"\nmoves = "m"', "moves .* exclude each other"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_by_file_and_key(text: str, problem: str, configured: Configured) -> None:
    with pytest.raises(UsageError, match=rf"^[^\n]*layout\.toml: {problem}[^\n]*$"):
        configured(text)


@pytest.mark.parametrize(
    ("text", "flags", "problem"),
    [
        ('board = "a"', {"base": 2}, "--base is 2"),
        ("base = 2", {"board": "a"}, r"layout\.toml: base is 2"),
        ("base = 2", {"base": 3}, "--base is 3"),
        ('board = ["a", "b"]', {"board": "c,d,e,f"}, "--board names 4 columns"),
        ('[cells]\nX = "1"', {"cells": ["O=1"]}, "--cells gives the symbol '1' to both X and O"),
    ],
)
def test_what_is_wrong_on_the_command_line_is_called_by_its_flag(
    text: str, flags: dict[str, Any], problem: str, configured: Configured
) -> None:
    with pytest.raises(UsageError, match=problem):
        configured(text, **flags)


@pytest.mark.parametrize(
    ("text", "flags", "key", "value"),
    [
        ('board = "a"', {"board": "b"}, "board", ("b",)),
        ('board = ["a", "b"]', {"board": "b"}, "board", ("b",)),
        ('board = "a"', {"outcome": "b"}, "board", ("a",)),
        ('moves = "a"', {"moves": "none"}, "moves", ("none",)),
        ('game = "a"', {"game": "b"}, "game", "b"),
        ('outcome = "a"', {"outcome": "none"}, "outcome", "none"),
        ("base = 1", {"base": 0}, "base", 0),
        ("header = false", {"header": True}, "header", True),
        ("header = true", {"header": False}, "header", False),
        ("header = false", {"header": None}, "header", False),
        ('first = "O"', {"first": "X"}, "first", "X"),
        ('delimiter = ";"', {"delimiter": ","}, "delimiter", ","),
        ('[cells]\nX = "1"\nO = "2"', {"cells": ["X=a,b"]}, "cells", {"X": {"a", "b"}, "O": {"2"}}),
        ('[cells]\nX = "1"', {"cells": ["O=2", "empty="]}, "cells", {"X": {"1"}, "O": {"2"}, "empty": {""}}),
        ('[cells]\nX = "1"\nO = "2"', {"cells": ["X=2", "O=1"]}, "cells", {"X": {"2"}, "O": {"1"}}),
        (
            '[outcomes]\nwon = "X"\nlost = "O"',
            {"outcomes": ["won=X,draw", "even=draw"]},
            "outcomes",
            {"won": {"X", "draw"}, "lost": {"O"}, "even": {"draw"}},
        ),
        ('[outcomes]\nwon = "X"', {"outcomes": []}, "outcomes", {"won": {"X"}}),
    ],
)
def test_the_command_line_wins_key_by_key(
    text: str, flags: dict[str, Any], key: str, value: Any, configured: Configured
) -> None:
    assert getattr(configured(text, **flags), key) == value


@pytest.mark.parametrize(
    "content", [b"board = ", b"board: x\n", b'board = "\xe9"\n', b"\xff\xfeb\0", b"header = true\nheader = false\n"]
)
@pytest.mark.parametrize("name", ["run", "inspect"])
def test_what_is_no_toml(name: str, content: bytes, tmp_path: Path, command: Command) -> None:
    (tmp_path / "layout.toml").write_bytes(content)
    (tmp_path / "boards.csv").write_text("board\nXO.......\n")
    done = command(name, "boards.csv", "--config", "layout.toml")
    assert (done.exit_code, done.out) == (2, "")
    assert done.err.startswith("error: --config layout.toml: is not TOML: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("name", ["run", "inspect"])
def test_a_file_that_is_not_there_or_wrong(name: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text("board\nXO.......\n")
    missing = command(name, "boards.csv", "--config", "gone.toml")
    assert missing.exit_code == 2
    assert missing.err == "error: --config gone.toml: cannot be read: No such file or directory\n"
    folder = command(name, "boards.csv", "--config", ".")
    assert (folder.exit_code, folder.err) == (2, "error: --config .: cannot be read: Is a directory\n")
    (tmp_path / "wrong.toml").write_text("[cells]\nX = 1\n")
    wrong = command(name, "boards.csv", "--config", "wrong.toml")
    assert (wrong.exit_code, wrong.out) == (2, "")
    assert wrong.err.startswith("error: wrong.toml: cells ")


def test_a_column_of_the_file_that_no_input_has(tmp_path: Path, command: Command) -> None:
    (tmp_path / "boards.csv").write_text("board,winner\nXO.......,\n")
    (tmp_path / "layout.toml").write_text('outcome = "winer"\n')
    done = command("run", "boards.csv", "--config", "layout.toml")
    assert (done.exit_code, done.out) == (2, "")
    assert "there is no column 'winer'; the nearest is 'winner'" in done.err


def test_run_takes_what_the_file_says(tmp_path: Path, command: Command) -> None:
    (tmp_path / "export.csv").write_text("a;state;end\n1;120000000;won\n2;211000000;lost\n")
    (tmp_path / "layout.toml").write_text(
        'board = "state"\noutcome = "end"\n[outcomes]\nwon = "X"\nlost = "O"\n[cells]\nX = "1"\nO = "2"\nempty = "0"\n'
    )
    done = command("run", "export.csv", "--config", "layout.toml", "--json")
    assert {code: found["records"] for code, found in done.json["reasons"].items()} == {"OUTCOME_UNFINISHED": 2}
    assert done.json["layout"]["cells"] == {"X": ["1"], "O": ["2"], "empty": ["0"]}
    other = command("run", "export.csv", "--config", "layout.toml", "--cells", "X=2", "--cells", "O=1", "--json")
    assert {code: found["records"] for code, found in other.json["reasons"].items()} == {
        "OUTCOME_UNFINISHED": 1,
        "O_COUNT_AHEAD": 1,
    }

"""A second, independent reading of the rules, in plain Python, to test the product against.

Everything is written for being checked by eye rather than for speed, and shares no code with the product.
A board is a nine-character string over "XO."; a square is a number from 0 to 8, row by row.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypedDict

First = Literal["X", "O", "any"]
Order = Literal["row", "column"]
Mapped = Mapping[str, Collection[str]]

EMPTY_BOARD = "." * 9
OUT = -1  # stands for every square outside the board
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
OTHER = {"X": "O", "O": "X"}
BLANKS = " \t"
ALPHABET = {"X": "X", "x": "X", "O": "O", "o": "O", ".": "."}
LABELS: dict[str, frozenset[str]] = {
    "x": frozenset({"X"}),
    "a": frozenset({"X"}),
    "positive": frozenset({"X"}),
    "o": frozenset({"O"}),
    "b": frozenset({"O"}),
    "draw": frozenset({"draw"}),
    "tie": frozenset({"draw"}),
    "d": frozenset({"draw"}),
    "pending": frozenset({"unfinished"}),
    "unfinished": frozenset({"unfinished"}),
    "ongoing": frozenset({"unfinished"}),
    "continue": frozenset({"unfinished"}),
    "negative": frozenset({"O", "draw", "unfinished"}),
}


# Boards


def has_line(board: str, mark: str) -> bool:
    """Whether the mark holds all three cells of a line."""
    return any(board[a] == board[b] == board[c] == mark for a, b, c in LINES)


def put(board: str, square: int, mark: str) -> str:
    """The board with the mark on the square."""
    return board[:square] + mark + board[square + 1 :]


def free_squares(board: str) -> list[int]:
    """The squares that hold nothing."""
    return [square for square in range(9) if board[square] == "."]


def board_outcome(board: str) -> str:
    """X, O, draw or unfinished; means nothing where both have a line."""
    if has_line(board, "X"):
        return "X"
    if has_line(board, "O"):
        return "O"
    return "unfinished" if "." in board else "draw"


def all_boards() -> list[str]:
    """Every board over three symbols."""
    return ["".join(cells) for cells in itertools.product("XO.", repeat=9)]


def reachable(first: str) -> frozenset[str]:
    """Every board that legal play reaches: breadth first from the empty board, no move after a line."""
    found = {EMPTY_BOARD}
    frontier = {EMPTY_BOARD}
    mark = first
    while frontier:
        going = [board for board in frontier if board_outcome(board) == "unfinished"]
        frontier = {put(board, square, mark) for board in going for square in free_squares(board)}
        found |= frontier
        mark = OTHER[mark]
    return frozenset(found)


def board_reasons(board: str, first: First = "X") -> list[str]:
    """The codes of the board rules that hold, sorted."""
    if first == "any":
        x_first, o_first = board_reasons(board, "X"), board_reasons(board, "O")
        return o_first if len(o_first) < len(x_first) else x_first
    second = OTHER[first]
    ahead = board.count(first) - board.count(second)
    rules = {
        f"{second}_COUNT_AHEAD": ahead < 0,
        f"{first}_COUNT_AHEAD": ahead > 1,
        "BOTH_WIN": has_line(board, "X") and has_line(board, "O"),
        f"{first}_WIN_COUNT": has_line(board, first) and ahead != 1,
        f"{second}_WIN_COUNT": has_line(board, second) and ahead != 0,
    }
    return sorted(code for code, holds in rules.items() if holds)


# Labels


def label_meaning(label: str | None, mapping: Mapped | None = None) -> frozenset[str] | None:
    """The outcomes that a label allows; none at all (an empty set) for an unknown one, None for no label."""
    if label and mapping and label in mapping:
        return frozenset(mapping[label])
    text = (label or "").strip(BLANKS)
    if not text:
        return None
    return LABELS.get(text.lower(), frozenset())


def is_unknown(label: str | None, mapping: Mapped | None = None) -> bool:
    """Whether there is a label and nothing says what it means."""
    return label_meaning(label, mapping) == frozenset()


def label_reasons(outcome: str, label: str | None, mapping: Mapped | None = None) -> list[str]:
    """What is wrong with a label on a record of that outcome."""
    if is_unknown(label, mapping):
        return ["OUTCOME_UNKNOWN"]
    meaning = label_meaning(label, mapping)
    if meaning is None or outcome in meaning:
        return []
    return ["OUTCOME_UNFINISHED" if outcome == "unfinished" else "OUTCOME_MISMATCH"]


# Boards as they are written


def cells_of_text(text: str, alphabet: Mapping[str, str] = ALPHABET) -> list[str]:
    """The symbols of a board in text, without the separators after the third and the sixth cell."""
    if len(text) == 9 and all(symbol in alphabet for symbol in text):
        return list(text)
    separated = re.fullmatch(r"([^\n]{3})(?:/|\r?\n)([^\n]{3})(?:/|\r?\n)(.*)", text, re.DOTALL)
    return list("".join(separated.groups()) if separated else text)


def column_symbol(text: str | None) -> str:
    """The symbol of one of nine columns: blanks around it are ignored unless it is all blanks."""
    return (text or "").strip(BLANKS) or (text or "")


def read_board(text: str | None, alphabet: Mapping[str, str] = ALPHABET) -> str | None:
    """The board that a text means, None where it means none."""
    cells = cells_of_text(text or "", alphabet)
    readable = len(cells) == 9 and all(symbol in alphabet for symbol in cells)
    return "".join(alphabet[symbol] for symbol in cells) if readable else None


def text_board_reasons(
    text: str | None,
    alphabet: Mapping[str, str] = ALPHABET,
    first: First = "X",
    label: str | None = None,
    mapping: Mapped | None = None,
    in_text_file: bool = False,
) -> list[str]:
    """The whole judgement of a board in text.

    A line break that separates no rows is a record code in a text file; in Parquet it is one more character.
    """
    if not text:
        return _with_label(["BOARD_MISSING"], None, label, mapping)
    cells = cells_of_text(text, alphabet)
    if in_text_file and "\n" in cells:
        return _with_label(["LINE_BREAK_IN_FIELD"], None, label, mapping)
    return list_board_reasons(cells, alphabet, first, label, mapping)


def list_board_reasons(
    symbols: Sequence[str | None] | None,
    alphabet: Mapping[str, str] = ALPHABET,
    first: First = "X",
    label: str | None = None,
    mapping: Mapped | None = None,
) -> list[str]:
    """The whole judgement of a board as a list of symbols, a null in it being empty text."""
    if symbols is None:
        return _with_label(["BOARD_MISSING"], None, label, mapping)
    cells = [symbol or "" for symbol in symbols]
    if len(cells) != 9:
        return _with_label(["BOARD_SIZE"], None, label, mapping)
    if any(symbol not in alphabet for symbol in cells):
        return _with_label(["CELL_UNKNOWN"], None, label, mapping)
    board = "".join(alphabet[symbol] for symbol in cells)
    return _with_label(board_reasons(board, first), board_outcome(board), label, mapping)


def _with_label(codes: list[str], outcome: str | None, label: str | None, mapping: Mapped | None) -> list[str]:
    """The codes and what the label adds: it is compared if there are none, and unknown in any case."""
    if is_unknown(label, mapping):
        return sorted([*codes, "OUTCOME_UNKNOWN"])
    return codes if codes or outcome is None else label_reasons(outcome, label, mapping)


# Numbers and squares


def whole_number(text: str | None) -> int | None:
    """The number that a text is: ASCII digits, perhaps a minus before, `.0` behind and blanks around."""
    match = re.fullmatch(r"[ \t]*(-?[0-9]+)(\.0)?[ \t]*", text or "")
    return int(match.group(1)) if match else None


def square_of_pair(row: int, column: int, base: int = 0) -> int:
    """The square at a row and a column, OUT if either is outside the board."""
    r, c = row - base, column - base
    return 3 * r + c if 0 <= r <= 2 and 0 <= c <= 2 else OUT


def square_of_number(number: int, base: int = 0, order: Order = "row") -> int:
    """The square of that number, OUT if it is outside the board."""
    n = number - base
    if not 0 <= n <= 8:
        return OUT
    return n if order == "row" else 3 * (n % 3) + n // 3


def square_of_text(text: str | None, base: int = 0, order: Order = "row") -> int | None:
    """The square of a move in text, a number or a pair such as `(0, 2)`; None if it is neither."""
    bare = (text or "").strip(BLANKS)
    if bare[:1] + bare[-1:] in ("()", "[]"):
        bare = bare[1:-1]
        if "," not in bare:
            return None
    numbers = [whole_number(part) for part in bare.split(",")]
    known = [number for number in numbers if number is not None]
    if len(known) != len(numbers) or len(known) > 2:
        return None
    if len(known) == 2:
        return square_of_pair(known[0], known[1], base)
    return square_of_number(known[0], base, order)


def moves_of_columns(squares: Sequence[int | None]) -> list[int | None]:
    """The moves of ply columns: what is empty at the end is no move, what is empty before is a gap."""
    moves = list(squares)
    while moves and moves[-1] is None:
        moves.pop()
    return moves


# Games


class Verdict(NamedTuple):
    """The codes of a game, sorted; its first bad ply, from 1; its outcome, None if it was not replayed."""

    codes: list[str]
    ply: int | None
    outcome: str | None


class Replay(NamedTuple):
    """The faults of a game's plies as (ply, code), and the position after each ply."""

    faults: list[tuple[int, str]]
    positions: list[str]

    def outcome(self) -> str:
        """The outcome when the first line was completed, or else of the last position."""
        outcomes = [board_outcome(position) for position in self.positions]
        won = [outcome for outcome in outcomes if outcome in OTHER]
        return (won or outcomes[-1:] or ["unfinished"])[0]


def game_tree() -> Iterator[tuple[tuple[int, ...], str]]:
    """Every node of legal play, X first: the moves that lead there, and the outcome so far."""
    return _below((), EMPTY_BOARD, "X")


def _below(moves: tuple[int, ...], board: str, mark: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """That node and all that follow it."""
    outcome = board_outcome(board)
    yield moves, outcome
    if outcome == "unfinished":
        for square in free_squares(board):
            yield from _below((*moves, square), put(board, square, mark), OTHER[mark])


def known_player(player: str | None) -> str | None:
    """X or O for a player recorded as such, in either case."""
    return player.upper() if player in ("X", "O", "x", "o") else None


def first_player(players: Sequence[str | None] | None, first: First) -> str:
    """Who moves first: for "any" the player recorded for ply 1, X where there is none."""
    if first != "any":
        return first
    return (known_player(players[0]) if players else None) or "X"


def replay(squares: Sequence[int], players: Sequence[str | None] | None, first: First) -> Replay:
    """Replay the plies in order, whatever their faults: the turn always passes, a bad ply places nothing."""
    faults: list[tuple[int, str]] = []
    positions: list[str] = []
    board = EMPTY_BOARD
    mark = first_player(players, first)
    for ply, square in enumerate(squares, start=1):
        player = known_player(players[ply - 1]) if players is not None else None
        faults += [(ply, code) for code in ply_faults(board, square, mark, player)]
        if square in free_squares(board):
            board = put(board, square, mark)
        positions.append(board)
        mark = OTHER[mark]
    if len(squares) > 9:
        faults.append((10, "MOVES_TOO_MANY"))
    return Replay(faults, positions)


def ply_faults(board: str, square: int, mark: str, player: str | None) -> list[str]:
    """Everything wrong with a ply on that board, given whose turn it is and who is recorded as playing it."""
    inside = 0 <= square <= 8
    faults = {
        "MOVE_OUT_OF_BOUNDS": not inside,
        "CELL_OCCUPIED": inside and board[square] != ".",
        "MOVE_AFTER_END": has_line(board, "X") or has_line(board, "O"),
        "WRONG_TURN": player is not None and player != mark,
    }
    return [code for code, holds in faults.items() if holds]


def unknown_codes(
    players: Iterable[str | None], labels: Iterable[str | None], mapping: Mapped | None = None
) -> set[str]:
    """The two codes that stand beside any others."""
    codes = set()
    if any(known_player(player) is None for player in players):
        codes.add("PLAYER_UNKNOWN")
    if any(is_unknown(label, mapping) for label in labels):
        codes.add("OUTCOME_UNKNOWN")
    return codes


def judge_game(
    plies: Sequence[int | None] | None,
    players: Sequence[str | None] | None = None,
    first: First = "X",
    label: str | None = None,
    labels: Sequence[str | None] = (),
    *,
    mapping: Mapped | None = None,
    board: str | None = None,
    boards: Sequence[str | None] = (),
    alphabet: Mapping[str, str] = ALPHABET,
) -> Verdict:
    """Judge a game of squares (None: a move that cannot be read; no list at all: no game).

    `board` is one recorded beside the whole game, `boards` those recorded beside each of its plies.
    PLAYER_UNKNOWN is no fault of a ply: the recorded player has no part in the replay except for WRONG_TURN,
    which such a ply is excused from, so the ply itself may be perfectly good.
    """
    all_labels = [label, *labels]
    codes = unknown_codes(players or (), all_labels, mapping)
    if plies is None:
        return Verdict(sorted(codes | {"MOVES_MISSING"}), None, None)
    squares = [square for square in plies if square is not None]
    if len(squares) < len(plies):
        return Verdict(sorted(codes | {"MOVES_UNREADABLE"}), None, None)
    played = replay(squares, players, first)
    codes |= {code for _, code in played.faults}
    if not codes:
        for each in all_labels:
            codes.update(label_reasons(played.outcome(), each, mapping))
        final = [EMPTY_BOARD, *played.positions][-1]
        if boards_differ([*zip(boards, played.positions, strict=False), (board, final)], alphabet):
            codes.add("BOARD_MISMATCH")
    first_bad = min((ply for ply, _ in played.faults), default=None)
    return Verdict(sorted(codes), first_bad, played.outcome())


def boards_differ(pairs: Iterable[tuple[str | None, str]], alphabet: Mapping[str, str]) -> bool:
    """Whether any recorded board is not the position beside it; a missing one is not compared."""
    return any(recorded and read_board(recorded, alphabet) != position for recorded, position in pairs)


# Logs


class Row(TypedDict, total=False):
    """A row of a log. A key that is absent from every row is a column that the log does not have.

    The move is `square` (a number, or the text of a number or a pair), or else `r` and `c`.
    """

    row: int
    game: str | None
    ply: int | str | None
    square: int | str | None
    r: int | str | None
    c: int | str | None
    player: str | None
    label: str | None
    board: str | None


class Record(NamedTuple):
    """What a log's record gets: its game (None for a row without one), codes, `_ply`, `_row` and outcome."""

    game: str | None
    codes: list[str]
    ply: int | None
    row: int
    outcome: str | None


class Layout(NamedTuple):
    """How a log is to be read."""

    first: First = "X"
    mapping: Mapped | None = None
    base: int = 0
    order: Order = "row"
    alphabet: Mapping[str, str] = ALPHABET


def judge_log(rows: Sequence[Row], layout: Layout | None = None) -> list[Record]:
    """One record for each game and for each row without a game, sorted by `_row`."""
    layout = layout or Layout()
    games: dict[str, list[Row]] = {}
    records = []
    for row in sorted(rows, key=lambda row: row["row"]):
        game = row.get("game")
        if game:
            games.setdefault(game, []).append(row)
        else:
            records.append(judge_stray_row(row, layout))
    start = ply_start(row for game_rows in games.values() for row in game_rows)
    records += [judge_log_game(game, game_rows, start, layout) for game, game_rows in games.items()]
    return sorted(records, key=lambda record: record.row)


def judge_stray_row(row: Row, layout: Layout) -> Record:
    """A row without a game: neither its ply nor its move can be judged, its player and label can."""
    codes = {"GAME_MISSING"} | unknown_codes(players_of([row]) or (), labels_of([row]), layout.mapping)
    return Record(None, sorted(codes), None, row["row"], None)


def judge_log_game(game: str, rows: Sequence[Row], start: int, layout: Layout) -> Record:
    """A game whose rows come in the order of the file."""
    codes = ply_codes(rows, start)
    if codes:
        verdict = judge_unordered(rows, codes, layout)
    else:
        rows = sorted(rows, key=lambda row: ply_of(row) or 0)
        verdict = judge_game(
            [move_of(row, layout) for row in rows],
            players_of(rows),
            layout.first,
            labels=labels_of(rows),
            mapping=layout.mapping,
            boards=[row.get("board") for row in rows],
            alphabet=layout.alphabet,
        )
    bad_row = rows[verdict.ply - 1]["row"] if verdict.ply else max(row["row"] for row in rows)
    return Record(game, verdict.codes, verdict.ply, bad_row, verdict.outcome)


def judge_unordered(rows: Sequence[Row], codes: set[str], layout: Layout) -> Verdict:
    """A game that cannot be replayed for its ply numbers; whether its moves can be read is told still."""
    codes = codes | unknown_codes(players_of(rows) or (), labels_of(rows), layout.mapping)
    if any(move_of(row, layout) is None for row in rows):
        codes.add("MOVES_UNREADABLE")
    return Verdict(sorted(codes), None, None)


def ply_start(rows: Iterable[Row]) -> int:
    """What plies count from: 0 if any game has a 0, else 1."""
    return 0 if any(ply_of(row) == 0 for row in rows) else 1


def ply_codes(rows: Sequence[Row], start: int) -> set[str]:
    """What is wrong with the ply numbers of a game; nothing if the log has none, its order then counts.

    Where one number cannot be read, none of the others is known to be twice or left out.
    """
    if not any("ply" in row for row in rows):
        return set()
    plies = [ply_of(row) for row in rows]
    if None in plies:
        return {"PLY_UNREADABLE"}
    codes = set()
    distinct = {ply for ply in plies if ply is not None}
    if len(distinct) < len(plies):
        codes.add("PLY_REPEATED")
    if sorted(distinct) != list(range(start, start + len(distinct))):
        codes.add("PLY_GAP")
    return codes


def ply_of(row: Row) -> int | None:
    """The ply number of a row."""
    return number_of(row.get("ply"))


def number_of(value: int | str | None) -> int | None:
    """A number that is one already or is written as text."""
    return value if isinstance(value, int) else whole_number(value)


def move_of(row: Row, layout: Layout) -> int | None:
    """The square of a row's move, None if it is empty or cannot be read."""
    if "square" in row:
        square = row["square"]
        if isinstance(square, int):
            return square_of_number(square, layout.base, layout.order)
        return square_of_text(square, layout.base, layout.order)
    r, c = number_of(row.get("r")), number_of(row.get("c"))
    return None if r is None or c is None else square_of_pair(r, c, layout.base)


def players_of(rows: Sequence[Row]) -> list[str | None] | None:
    """The recorded players, None if the log records none."""
    return [row.get("player") for row in rows] if any("player" in row for row in rows) else None


def labels_of(rows: Sequence[Row]) -> list[str | None]:
    """The labels of the rows."""
    return [row.get("label") for row in rows]

"""The registry of reason codes: every way in which a record can be invalid, said once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Stage(StrEnum):
    """Where in the judgement of a record a reason is found, in that order."""

    RECORD = "record"
    SCHEMA = "schema"
    BOARD = "rules, boards"
    GAME = "rules, games"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class Example:
    """One record as a text file holds it, and how the file is laid out.

    ``record`` may span lines, and is all the rows of the game for a log; ``header`` and ``record`` together are
    the whole file. None is a null, which only Parquet can hold.
    """

    record: str | bytes | None
    header: str = "board"
    options: tuple[str, ...] = ()

    @property
    def content(self) -> bytes:
        """The bytes of a text file that holds just this record; empty for one that no text file can hold."""
        if self.record is None:
            return b""
        record = self.record if isinstance(self.record, bytes) else self.record.encode()
        return self.header.encode() + b"\n" + record + b"\n"


@dataclass(frozen=True, slots=True)
class Reason:
    """One way in which a record is invalid.

    ``bad`` has this reason, and another only where it cannot stand alone; ``good`` has none.
    """

    code: str
    stage: Stage
    meaning: str
    cause: str
    bad: Example
    good: Example


LABELLED: Final = "board,winner"
MOVES: Final = "moves"
LOG: Final = "game,ply,row,col"
LOG_WITH_PLAYER: Final = "game,ply,player,square"

_ALL: Final = (
    Reason(
        "FIELDS_MISSING",
        Stage.RECORD,
        "a text record has fewer fields than the header (or the first record)",
        "a write that was cut short, or a delimiter lost in an edit",
        bad=Example("XO.......", LABELLED),
        good=Example("XO.......,unfinished", LABELLED),
    ),
    Reason(
        "FIELDS_EXTRA",
        Stage.RECORD,
        "a text record has more fields than the header (or the first record)",
        "a delimiter inside a field that was not quoted",
        bad=Example("XO.......,unfinished,", LABELLED),
        good=Example('XO.......,"unfinished"', LABELLED),
    ),
    Reason(
        "QUOTE_BROKEN",
        Stage.RECORD,
        "a quote that is never closed, or text after a closing quote",
        "a stray quote, or a quote within a field that was not doubled",
        bad=Example('"XO.......,unfinished', LABELLED),
        good=Example('"XO.......",unfinished', LABELLED),
    ),
    Reason(
        "LINE_BREAK_IN_FIELD",
        Stage.RECORD,
        "a quoted field runs over a line break: two records may have been swallowed into one",
        "two stray quotes on different lines",
        bad=Example('XO.......,"unfinished\nX........,unfinished"', LABELLED),
        good=Example("XO.......,unfinished\nX........,unfinished", LABELLED),
    ),
    Reason(
        "NOT_UTF8",
        Stage.RECORD,
        "bytes that are not UTF-8",
        "a file written in another encoding, or bytes damaged on the way",
        bad=Example(b"XO.......,caf\xe9", "board,place"),
        good=Example("XO.......,café", "board,place"),
    ),
    Reason(
        "BOARD_MISSING",
        Stage.SCHEMA,
        "a one-column board that is null or empty text",
        "a board that was never recorded, or lost in a join",
        bad=Example(",unfinished", LABELLED),
        good=Example(".........,unfinished", LABELLED),
    ),
    Reason(
        "BOARD_SIZE",
        Stage.SCHEMA,
        "a one-column board of other than nine cells",
        "blanks trimmed from a board whose empty cells are blanks, or a board of another game",
        bad=Example("XO......"),
        good=Example("XO......."),
    ),
    Reason(
        "CELL_UNKNOWN",
        Stage.SCHEMA,
        "a symbol outside the alphabet",
        "a typing or reading error, or two files with different alphabets put together",
        bad=Example("XO?......"),
        good=Example("Xo......."),
    ),
    Reason(
        "MOVES_MISSING",
        Stage.SCHEMA,
        "moves that are null; an empty list or text is a game of no plies, and valid",
        "a game whose moves were never recorded, or lost in a join",
        bad=Example(None, MOVES),
        good=Example("[]", MOVES),
    ),
    Reason(
        "MOVES_UNREADABLE",
        Stage.SCHEMA,
        "not in the notation: text that does not parse, a number that is not whole, a null within a list, "
        "a gap among ply columns, an empty move in a log",
        "another notation than the rest of the file, or moves that were cut off",
        bad=Example('"0,0;1,1;2"', MOVES),
        good=Example('"0,0;1,1;2,2"', MOVES),
    ),
    Reason(
        "GAME_MISSING",
        Stage.SCHEMA,
        "in a log: a row without a game, a record of its own",
        "a row whose key was lost",
        bad=Example(",1,0,0", LOG),
        good=Example("g1,1,0,0", LOG),
    ),
    Reason(
        "PLY_UNREADABLE",
        Stage.SCHEMA,
        "in a log: a ply number missing or not whole",
        "a time or a name in the place of the ply number",
        bad=Example("g1,first,0,0", LOG),
        good=Example("g1,1,0,0", LOG),
    ),
    Reason(
        "PLY_REPEATED",
        Stage.SCHEMA,
        "in a log: a ply number twice",
        "a row written twice, or two games under one key",
        bad=Example("g1,1,0,0\ng1,1,1,1", LOG),
        good=Example("g1,1,0,0\ng1,2,1,1", LOG),
    ),
    Reason(
        "PLY_GAP",
        Stage.SCHEMA,
        "in a log: the start or a middle ply left out (plies count from 0 if any game of the log has a 0, else from 1)",
        "a row that was lost or filtered out",
        bad=Example("g1,1,0,0\ng1,3,2,2", LOG),
        good=Example("g1,1,0,0\ng1,2,2,2", LOG),
    ),
    Reason(
        "PLAYER_UNKNOWN",
        Stage.SCHEMA,
        "a recorded player outside X and O, or missing (that ply is then not WRONG_TURN)",
        "names or numbers in the place of marks: --cells X=anna says whose they are",
        bad=Example("g1,1,X,0\ng1,2,?,4", LOG_WITH_PLAYER),
        good=Example("g1,1,X,0\ng1,2,O,4", LOG_WITH_PLAYER),
    ),
    Reason(
        "OUTCOME_UNKNOWN",
        Stage.SCHEMA,
        "a label that the mapping does not name",
        "a label of another vocabulary: name it with --outcomes",
        bad=Example("XO.......,abandoned", LABELLED, ("--outcome", "winner")),
        good=Example("XO.......,abandoned", LABELLED, ("--outcome", "winner", "--outcomes", "abandoned=unfinished")),
    ),
    Reason(
        "MOVE_OUT_OF_BOUNDS",
        Stage.SCHEMA,
        "a row, column or square outside the board",
        "squares that count from 1 (--base 1), rows and columns exchanged, or a game on a larger board",
        bad=Example('"0,0;3,0"', MOVES),
        good=Example('"0,0;2,0"', MOVES),
    ),
    Reason(
        "MOVES_TOO_MANY",
        Stage.SCHEMA,
        "more than nine plies",
        "two games put together; a tenth ply has no empty cell left, so that it never stands alone",
        bad=Example('"0,0;0,1;0,2;1,1;1,0;1,2;2,1;2,0;2,2;0,0"', MOVES),
        good=Example('"0,0;0,1;0,2;1,1;1,0;1,2;2,1;2,0;2,2"', MOVES),
    ),
    Reason(
        "O_COUNT_AHEAD",
        Stage.BOARD,
        "more O than X",
        "O moved first, O moved twice, or X and O were exchanged",
        bad=Example("O........"),
        good=Example("XO......."),
    ),
    Reason(
        "X_COUNT_AHEAD",
        Stage.BOARD,
        "X more than one ahead of O",
        "X moved twice, or O's ply was lost",
        bad=Example("XX......."),
        good=Example("XXO......"),
    ),
    Reason(
        "BOTH_WIN",
        Stage.BOARD,
        "X and O each have a line",
        "play went on after the end of the game",
        bad=Example("XXXOOO..."),
        good=Example("XXXOO...."),
    ),
    Reason(
        "X_WIN_COUNT",
        Stage.BOARD,
        "X has a line and X is not one ahead",
        "O moved after X had won",
        bad=Example("XXXOO.O.."),
        good=Example("XXXOO...."),
    ),
    Reason(
        "O_WIN_COUNT",
        Stage.BOARD,
        "O has a line and the counts differ",
        "X moved after O had won",
        bad=Example("OOOXX.XX."),
        good=Example("OOOXX.X.."),
    ),
    Reason(
        "CELL_OCCUPIED",
        Stage.GAME,
        "a ply on a cell that is taken",
        "an illegal move that was recorded, or a row written twice",
        bad=Example('"0,0;1,1;0,0"', MOVES),
        good=Example('"0,0;1,1;0,1"', MOVES),
    ),
    Reason(
        "MOVE_AFTER_END",
        Stage.GAME,
        "a ply after a line was completed",
        "a recorder that did not notice the end of the game",
        bad=Example('"0,0;1,0;0,1;1,1;0,2;1,2"', MOVES),
        good=Example('"0,0;1,0;0,1;1,1;0,2"', MOVES),
    ),
    Reason(
        "WRONG_TURN",
        Stage.GAME,
        "the recorded player is not the one to move",
        "O moved first (--first O), a ply that was passed, or players exchanged",
        bad=Example("g1,1,X,0\ng1,2,X,4", LOG_WITH_PLAYER),
        good=Example("g1,1,X,0\ng1,2,O,4", LOG_WITH_PLAYER),
    ),
    Reason(
        "OUTCOME_UNFINISHED",
        Stage.LABEL,
        "the label claims an end, the record is unfinished",
        "a game that was resigned, cut off, or labelled with the player to move",
        bad=Example("XO.......,X", LABELLED),
        good=Example("XO.......,ongoing", LABELLED),
    ),
    Reason(
        "OUTCOME_MISMATCH",
        Stage.LABEL,
        "the label contradicts the outcome otherwise",
        "a win on the ninth ply recorded as a draw, or the wrong player's name",
        bad=Example("XXXOO....,O", LABELLED),
        good=Example("XXXOO....,X", LABELLED),
    ),
    Reason(
        "BOARD_MISMATCH",
        Stage.LABEL,
        "a board recorded beside the moves is not the final position, in a log not the position after that row's "
        "ply; "
        "a missing board is not compared",
        "a board taken before the ply, or of another game",
        bad=Example('"0,0;1,1",X........', "moves,board"),
        good=Example('"0,0;1,1",X...O....', "moves,board"),
    ),
)

REASONS: Final = MappingProxyType({reason.code: reason for reason in _ALL})
"""Every reason by its code, in the order of judgement."""

BIT: Final = MappingProxyType({code: 1 << position for position, code in enumerate(REASONS)})
"""The bit that stands for a code in a set of reasons held as an unsigned 32-bit number."""


def codes(reasons: int) -> list[str]:
    """The codes whose bits are set in ``reasons``, sorted by name."""
    return sorted(code for code, bit in BIT.items() if reasons & bit)


def bits(names: Iterable[str]) -> int:
    """The set of reasons with these codes; ``KeyError`` for a name that is no code."""
    result = 0
    for name in names:
        result |= BIT[name]
    return result

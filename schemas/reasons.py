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
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class Example:
    """One record as a text file holds it, and how the file is laid out.

    ``record`` may span lines; ``header`` and ``record`` together are the whole file.
    """

    record: str | bytes
    header: str = "board"
    options: tuple[str, ...] = ()

    @property
    def content(self) -> bytes:
        """The bytes of a text file that holds just this record."""
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


LABELLED = "board,winner"

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
        "OUTCOME_UNKNOWN",
        Stage.SCHEMA,
        "a label that the mapping does not name",
        "a label of another vocabulary: name it with --outcomes",
        bad=Example("XO.......,abandoned", LABELLED, ("--outcome", "winner")),
        good=Example("XO.......,abandoned", LABELLED, ("--outcome", "winner", "--outcomes", "abandoned=unfinished")),
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

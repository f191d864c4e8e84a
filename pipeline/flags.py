"""The flags that say how data is laid out, which several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from schemas import vocabulary

_PANEL: Final = "How the data is laid out (told from the data where left out)"

Board = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN[,COLUMN…]",
        help="One column that holds a whole board, three of row text, or nine of cells, row by row; beside "
        "moves, the position that they lead to, or 'none'.",
        rich_help_panel=_PANEL,
    ),
]
Moves = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN[,COLUMN…]",
        help="One column that holds a whole game, or up to nine columns, one a ply. 'none': there is none.",
        rich_help_panel=_PANEL,
    ),
]
Game = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="In a log (one row a ply): the game of each row. 'none': this is no log.",
        rich_help_panel=_PANEL,
    ),
]
Ply = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="In a log: the number of the ply. 'none', or no such column: the order of the rows counts.",
        rich_help_panel=_PANEL,
    ),
]
At = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN[,COLUMN]",
        help="In a log: the square, or the row and the column.",
        rich_help_panel=_PANEL,
    ),
]
Player = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="In a log: who made the ply. 'none': no turns are compared.", rich_help_panel=_PANEL
    ),
]
Outcome = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The label. 'none' turns label checks off.", rich_help_panel=_PANEL),
]
Outcomes = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL=OUTCOME[,OUTCOME…]",
        help="What a label may mean, such as 'lost=O,draw': any of X, O, draw, unfinished. Repeatable.",
        rich_help_panel=_PANEL,
    ),
]
Cells = Annotated[
    list[str] | None,
    typer.Option(
        metavar="X|O|empty=SYMBOL[,SYMBOL…]",
        help="Which symbols mean X, O and empty. Repeatable.",
        rich_help_panel=_PANEL,
    ),
]
First = Annotated[
    vocabulary.FirstPlayer | None,
    typer.Option(help="Who moves first; 'any': either. Default: X.", rich_help_panel=_PANEL),
]
Base = Annotated[
    vocabulary.Base | None,
    typer.Option(help="What squares, rows and columns count from. Default: 0.", rich_help_panel=_PANEL),
]
Order = Annotated[
    vocabulary.Order | None,
    typer.Option(
        help="How squares are numbered: row by row, or column by column. Default: row.", rich_help_panel=_PANEL
    ),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether a text file begins with the names of its columns; without, they are column_1, column_2, …",
        rich_help_panel=_PANEL,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        metavar="CHAR",
        help="What separates the fields of a text file. Told from its first record by default.",
        rich_help_panel=_PANEL,
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Options of this panel from a TOML file, such as 'inspect' prints; those given here win.",
        rich_help_panel=_PANEL,
    ),
]

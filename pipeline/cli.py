"""The command line: arguments, printing and exit codes. Nothing else prints."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Final, Literal

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from pipeline.config import Allowance, LayoutOptions
from pipeline.errors import PipelineError, UsageError
from pipeline.ingest.inputs import report_name
from pipeline.report.summary import version
from pipeline.report.tables import TableFormat
from pipeline.run import RunOptions, RunResult, run
from pipeline.terminal import summary_view
from schemas.vocabulary import FirstPlayer

INTERRUPTED: Final = 130
TERMINATED: Final = 143
PLAIN_WIDTH: Final = 120

app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)


_LAYOUT: Final = "How the data is laid out (told from the data where left out)"
ProgressMode = Literal["auto", "off"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on ``arguments`` (``sys.argv`` without its name) and return its exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        return int(app(arguments, prog_name="python -m pipeline", standalone_mode=False) or 0)
    except typer.TyperException as error:
        # Typer would draw a box around it: one plain line serves logs and people alike.
        _say(f"{error.format_message().replace('Value error, ', '')} (see --help)")
        return error.exit_code


@contextmanager
def _exit_codes() -> Iterator[None]:
    """Ends the process with one message and the right exit code for every way in which a command can fail."""
    try:
        yield
    except PipelineError as error:
        _say(str(error))
        raise typer.Exit(error.exit_code) from error
    except KeyboardInterrupt as interruption:
        _say("interrupted: nothing was written")
        raise typer.Exit(INTERRUPTED) from interruption
    except _Terminated as termination:
        _say("terminated: nothing was written")
        raise typer.Exit(TERMINATED) from termination


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Find the records of tic-tac-toe data that cannot have happened, and say why."""
    if show_version:
        print(version())
    elif context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(UsageError.exit_code)


@app.command("run")
def _run(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT...",
            help="A file, a folder, a glob, - for CSV on standard input, or a URL that Polars reads.",
        ),
    ],
    board: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN[,COLUMN…]",
            help="One column that holds a whole board, three of row text, or nine of cells, row by row.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None,
    outcome: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The label. 'none' turns label checks off.", rich_help_panel=_LAYOUT),
    ] = None,
    outcomes: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL=OUTCOME[,OUTCOME…]",
            help="What a label may mean: X, O, draw, unfinished. Repeatable.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None,
    cells: Annotated[
        list[str] | None,
        typer.Option(
            metavar="X|O|empty=SYMBOL[,SYMBOL…]",
            help="Which symbols mean X, O and empty. Repeatable.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None,
    first: Annotated[FirstPlayer, typer.Option(help="Who moves first; 'any': either.", rich_help_panel=_LAYOUT)] = "X",
    header: Annotated[
        bool,
        typer.Option(
            "--header/--no-header",
            help="Whether a text file begins with the names of its columns; without, they are column_1, column_2, …",
            rich_help_panel=_LAYOUT,
        ),
    ] = True,
    delimiter: Annotated[
        str | None,
        typer.Option(
            metavar="CHAR",
            help="What separates the fields of a text file. Told from its first record by default.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the report. Default: reports/ and the first INPUT's name."),
    ] = None,
    invalid_format: Annotated[TableFormat, typer.Option(help="Format of the invalid rows.")] = "parquet",
    valid: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the rows of all valid records; the suffix tells the format."),
    ] = None,
    max_invalid: Annotated[
        str, typer.Option(metavar="N|P%", help="How many records may be invalid for exit code 0.")
    ] = "0",
    progress: Annotated[
        ProgressMode, typer.Option(help="Progress on standard error; 'auto': in a terminal only.")
    ] = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", help="No summary and no progress; errors still.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON on standard output.")] = False,
) -> None:
    """Check data and write a report.

    Exit codes: 0 nothing invalid (or no more than --max-invalid allows), 1 invalid records, 2 wrong usage,
    3 an input that cannot be read, 4 output that cannot be written, 5 a fault of our own, 130 and 143
    interrupted.
    """
    with _exit_codes():
        options = RunOptions(
            out=out or Path("reports", report_name(inputs[0])),
            layout=LayoutOptions.from_flags(
                board=board,
                outcome=outcome,
                outcomes=outcomes or (),
                cells=cells or (),
                first=first,
                header=header,
                delimiter=delimiter,
            ),
            invalid_format=invalid_format,
            valid=valid,
            max_invalid=Allowance.parse(max_invalid),
        )
        with _progress(shown=not quiet and progress == "auto") as advance:
            result = run(inputs, options, advance)
    for fault in result.faults:
        _say(str(fault.error))
    _print(result, as_json=as_json, quiet=quiet)
    raise typer.Exit(result.exit_code)


def _print(result: RunResult, *, as_json: bool, quiet: bool) -> None:
    try:
        if as_json:
            print(json.dumps(result.summary.as_dict(), indent=2, ensure_ascii=False), flush=True)
        elif not quiet:
            is_terminal = sys.stdout.isatty()
            Console(highlight=False, width=None if is_terminal else PLAIN_WIDTH).print(summary_view(result))
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has gone: the verdict stands, and Python must not fail again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _progress(*, shown: bool) -> Iterator[Callable[[int], None]]:
    """A callable that is told of more records checked, and shows how many they are by now."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} records checked"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not (shown and console.is_terminal)) as progress:
        task = progress.add_task("", total=None)
        yield lambda records: progress.advance(task, records)


def _say(message: str) -> None:
    print(f"error: {message}", file=sys.stderr)


class _Terminated(BaseException):
    """The process was asked to end."""


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise _Terminated

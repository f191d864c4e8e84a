"""The command line: arguments, printing and exit codes. Nothing else prints.

What takes long to import, Polars above all, is imported where a command begins its work: --help needs none of it,
and the number of threads must be known before.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from pipeline.errors import InternalError, OutputError, PipelineError, UsageError
from pipeline.threads import limit_threads
from schemas.vocabulary import Base, FirstPlayer, Order, TableFormat

if TYPE_CHECKING:
    from pipeline.run import RunResult

INTERRUPTED: Final = 130
TERMINATED: Final = 143
_INTERRUPTED: Final = "interrupted: nothing was written"
PLAIN_WIDTH: Final = 400

app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)


_LAYOUT: Final = "How the data is laid out (told from the data where left out)"
ProgressMode = Literal["auto", "off"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on ``arguments`` (``sys.argv`` without its name) and return its exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that the terminal's encoding cannot write must not end a run.
            stream.reconfigure(errors="backslashreplace")
    try:
        with _exit_codes():
            exit_code = int(app(arguments, prog_name="python -m pipeline", standalone_mode=False) or 0)
    except typer.Exit as end:
        return end.exit_code
    except typer.TyperException as error:
        # Typer would draw a box around it: one plain line serves logs and people alike.
        _say(f"{error.format_message().replace('Value error, ', '')} (see --help)")
        return error.exit_code
    if exit_code == INTERRUPTED:
        _say(_INTERRUPTED)  # Typer has turned the interruption into an exit code
    return exit_code


@contextmanager
def _exit_codes() -> Iterator[None]:
    """Ends the process with one message and the right exit code for every way in which a command can fail."""
    try:
        yield
    except PipelineError as error:
        _say(str(error))
        raise typer.Exit(error.exit_code) from error
    except OSError as error:
        _say(f"the output cannot be written: {error.strerror or error}")
        raise typer.Exit(OutputError.exit_code) from error
    except KeyboardInterrupt as interruption:
        _say(_INTERRUPTED)
        raise typer.Exit(INTERRUPTED) from interruption
    except _Terminated as termination:
        _say("terminated: nothing was written")
        raise typer.Exit(TERMINATED) from termination
    except (typer.Exit, typer.Abort, typer.TyperException):
        raise
    except BaseException as error:
        # Polars reports what its Rust code did not foresee as a panic, which is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        # The user gets one message and an exit code that says whose fault it is; never "invalid records".
        place = traceback.extract_tb(error.__traceback__)[-1]
        _say(
            f"a fault of the pipeline itself, please report it: {type(error).__name__}: {error} "
            f"({Path(place.filename).name}:{place.lineno})"
        )
        raise typer.Exit(InternalError.exit_code) from error


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Find the records of tic-tac-toe data that cannot have happened, and say why."""
    if show_version:
        from pipeline.report.summary import version

        _print(version())
    elif context.invoked_subcommand is None:
        _print(context.get_help())
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
            help="One column that holds a whole board, three of row text, or nine of cells, row by row; beside "
            "moves, the position that they lead to, or 'none'.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN[,COLUMN…]",
            help="One column that holds a whole game, or up to nine columns, one a ply. 'none': there is none.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="In a log (one row a ply): the game of each row. 'none': this is no log.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None,
    ply: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="In a log: the number of the ply. Without it the order of the rows counts.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN[,COLUMN]",
            help="In a log: the square, or the row and the column.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="In a log: who made the ply.", rich_help_panel=_LAYOUT),
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
    base: Annotated[Base, typer.Option(help="What squares, rows and columns count from.", rich_help_panel=_LAYOUT)] = 0,
    order: Annotated[
        Order,
        typer.Option(help="How squares are numbered: row by row, or column by column.", rich_help_panel=_LAYOUT),
    ] = "row",
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
    batch_rows: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="How many rows are worked on at a time, which bounds the memory."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many threads may be used. Default: one for each core.")
    ] = None,
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
    if threads is not None:
        limit_threads(threads)
    from pipeline.config import Allowance, LayoutOptions
    from pipeline.ingest.inputs import report_name
    from pipeline.ingest.lazy import BATCH_ROWS
    from pipeline.run import RunOptions, run

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Polars, when imported, puts a handler below Python's that lets a read from a pipe go on after Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    options = RunOptions(
        out=out or Path("reports", report_name(inputs[0])),
        layout=LayoutOptions.from_flags(
            board=board,
            moves=moves,
            game=game,
            ply=ply,
            at=at,
            player=player,
            outcome=outcome,
            outcomes=outcomes or (),
            cells=cells or (),
            first=first,
            base=base,
            order=order,
            header=header,
            delimiter=delimiter,
        ),
        invalid_format=invalid_format,
        valid=valid,
        max_invalid=Allowance.parse(max_invalid),
        batch_rows=batch_rows or BATCH_ROWS,
    )
    with _progress(shown=not quiet and progress == "auto") as advance:
        result = run(inputs, options, advance)
    for fault in result.faults:
        _say(str(fault.error))
    if as_json:
        _print(json.dumps(result.summary.as_dict(), indent=2, ensure_ascii=False))
    elif not quiet:
        _print(_rendered(result))
    raise typer.Exit(result.exit_code)


@app.command("explain")
def _explain(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="A reason code; without it, all of them are listed.")
    ] = None,
) -> None:
    """Say what a reason code means, with an example."""
    from pipeline.explain import all_reasons, explanation

    _print(all_reasons() if code is None else explanation(code))


def _rendered(result: RunResult) -> str:
    from rich.console import Console

    from pipeline.terminal import summary_view

    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    console = Console(file=io.StringIO(), force_terminal=is_terminal, width=None if is_terminal else PLAIN_WIDTH)
    with console.capture() as capture:
        console.print(summary_view(result), highlight=False)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def _print(text: str) -> None:
    if sys.stdout is None:
        raise OSError("standard output is closed")
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Whoever read our output has gone: the verdict stands, and Python must not fail again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _progress(*, shown: bool) -> Iterator[Callable[[int], None]]:
    """A callable that is told of more records checked, and shows how many they are by now."""
    if not shown:
        yield lambda _records: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} records checked"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)
        yield lambda records: progress.advance(task, records)


def _say(message: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"error: {message}", file=sys.stderr, flush=True)


class _Terminated(BaseException):
    """The process was asked to end."""


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise _Terminated

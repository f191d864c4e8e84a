"""The command line: arguments, printing and exit codes. Nothing else prints.

What takes long to import, Polars above all, is imported where a command begins its work: --help needs none of it,
and the number of threads must be known before.
"""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from pipeline import flags
from pipeline.errors import InternalError, OutputError, PipelineError, UsageError
from pipeline.interruption import INTERRUPTED, TERMINATED, Terminated, interruptible, message, take_back
from pipeline.printable import CONTROLS, visible
from pipeline.threads import limit_threads
from schemas.vocabulary import TableFormat

if TYPE_CHECKING:
    from pipeline.run import RunResult

PLAIN_WIDTH: Final = 400

app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)


ProgressMode = Literal["auto", "off"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on ``arguments`` (``sys.argv`` without its name) and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that the terminal's encoding cannot write must not end a run.
            stream.reconfigure(errors="backslashreplace")
    try:
        with interruptible(_say), _exit_codes():
            exit_code = int(app(arguments, prog_name="python -m pipeline", standalone_mode=False) or 0)
    except typer.Exit as end:
        exit_code = end.exit_code
    except typer.TyperException as error:
        # Typer would draw a box around it: one plain line serves logs and people alike.
        _say(f"{error.format_message().replace('Value error, ', '')} (see --help)")
        return error.exit_code
    except KeyboardInterrupt:
        exit_code = INTERRUPTED
    except Terminated:
        exit_code = TERMINATED
    if exit_code in (INTERRUPTED, TERMINATED):
        # Typer turns an interruption into an exit code, if it comes while Typer is at work.
        _say(message(exit_code))
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
    board: flags.Board = None,
    moves: flags.Moves = None,
    game: flags.Game = None,
    ply: flags.Ply = None,
    at: flags.At = None,
    player: flags.Player = None,
    outcome: flags.Outcome = None,
    outcomes: flags.Outcomes = None,
    cells: flags.Cells = None,
    first: flags.First = None,
    base: flags.Base = None,
    order: flags.Order = None,
    header: flags.Header = None,
    delimiter: flags.Delimiter = None,
    config: flags.Config = None,
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
    from pipeline.run import RunOptions, run

    take_back()
    options = RunOptions(
        out=out or Path("reports", report_name(inputs[0])),
        layout=LayoutOptions.from_flags(
            config,
            board=board,
            moves=moves,
            game=game,
            ply=ply,
            at=at,
            player=player,
            outcome=outcome,
            outcomes=outcomes,
            cells=cells,
            first=first,
            base=base,
            order=order,
            header=header,
            delimiter=delimiter,
        ),
        invalid_format=invalid_format,
        valid=valid,
        max_invalid=Allowance.parse(max_invalid),
        batch_rows=batch_rows,
    )
    with _progress(shown=not quiet and progress == "auto") as advance:
        result = run(inputs, options, advance)
    for fault in result.faults:
        _say(str(fault.error))
    if as_json:
        _print(_json_text(result.summary.as_dict()))
    elif not quiet:
        _print(_rendered(result))
    raise typer.Exit(result.exit_code)


@app.command("inspect")
def _inspect(
    given: Annotated[
        str, typer.Argument(metavar="INPUT", help="As for run; of a folder or a glob the first file is looked at.")
    ],
    board: flags.Board = None,
    moves: flags.Moves = None,
    game: flags.Game = None,
    ply: flags.Ply = None,
    at: flags.At = None,
    player: flags.Player = None,
    outcome: flags.Outcome = None,
    outcomes: flags.Outcomes = None,
    cells: flags.Cells = None,
    first: flags.First = None,
    base: flags.Base = None,
    order: flags.Order = None,
    header: flags.Header = None,
    delimiter: flags.Delimiter = None,
    config: flags.Config = None,
) -> None:
    """Say which layout is recognised and why, and print it as TOML that --config takes.

    All but the TOML is in comments: what is printed can be kept in a file as it is.
    """
    from pipeline.config import LayoutOptions
    from pipeline.inspection import inspect

    take_back()
    options = LayoutOptions.from_flags(
        config,
        board=board,
        moves=moves,
        game=game,
        ply=ply,
        at=at,
        player=player,
        outcome=outcome,
        outcomes=outcomes,
        cells=cells,
        first=first,
        base=base,
        order=order,
        header=header,
        delimiter=delimiter,
    )
    found = inspect(given, options)
    _print(found.text)
    if found.refusal is not None:
        raise found.refusal


@app.command("explain")
def _explain(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="A reason code; without it, all of them are listed.")
    ] = None,
) -> None:
    """Say what a reason code means, with an example."""
    from pipeline.explain import all_reasons, explanation

    _print(all_reasons() if code is None else explanation(code))


def _json_text(value: object) -> str:
    """JSON that a terminal shows as it is: what it would obey stands as an escape, which means the same."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return "\n".join(CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line) for line in text.split("\n"))


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
            # Names and values come from files, and a terminal obeys what it is sent.
            shown = "\n".join(visible(line) for line in message.split("\n"))
            print(f"error: {shown}", file=sys.stderr, flush=True)

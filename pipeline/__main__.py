"""Runs the command line as ``python -m pipeline``."""

import gc
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
TERMINATED = 143
SELDOM = 100_000


def main() -> NoReturn:
    """Run the command line and end the process with its exit code.

    It takes half a second to import: an interruption may come before it has begun.
    """
    signal.signal(signal.SIGTERM, _terminate)
    # Hardly anything is garbage here, least of all what is imported; to look for it takes a tenth of a short run.
    gc.set_threshold(SELDOM)
    try:
        from pipeline.cli import main as run_command_line  # noqa: PLC0415

        exit_code = run_command_line()
        # All is done and said: what comes now is too late to change it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    except KeyboardInterrupt:
        exit_code = INTERRUPTED
    except SystemExit:
        exit_code = TERMINATED
    with suppress(OSError, ValueError, AttributeError):
        # Whoever read it may have gone, or it was closed before.
        sys.stdout.flush()
        sys.stderr.flush()
    # Python would wait for threads that work on what is of no use any more, and take all that it holds apart.
    os._exit(exit_code)


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


if __name__ == "__main__":
    main()

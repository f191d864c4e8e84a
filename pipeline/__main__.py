"""Runs the command line as ``python -m pipeline``."""

import gc
import sys

INTERRUPTED = 130
SELDOM = 100_000


def main() -> int:
    """Run the command line, which takes half a second to import: an interruption may come before it has begun."""
    # Hardly anything is garbage here, least of all what is imported; to look for it takes a tenth of a short run.
    gc.set_threshold(SELDOM)
    try:
        from pipeline.cli import main as run_command_line  # noqa: PLC0415

        return run_command_line()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())

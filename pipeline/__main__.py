"""Runs the command line as ``python -m pipeline``."""

import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command line, which takes half a second to import: an interruption may come before it has begun."""
    try:
        from pipeline.cli import main as run_command_line  # noqa: PLC0415

        return run_command_line()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())

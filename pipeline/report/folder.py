"""Puts a report in place whole, so that whoever reads it finds the old one or the new one, never a part."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from pipeline.errors import OutputError
from pipeline.report.tables import TABLE_FORMATS
from pipeline.report.unfinished import alone_in, flush, flush_entry, moving, new_file, new_folder, unfinished

REPORT_FILES: Final = frozenset({"summary.json", *(f"invalid.{name}" for name in TABLE_FORMATS)})
"""The names of all files that a report may have."""

SCRATCH: Final = ".scratch"
"""The folder within an unfinished report for what is needed on the way."""

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


@contextmanager
def report_folder(target: Path) -> Iterator[Path]:
    """A new empty folder beside ``target`` that takes its place when the block ends without an error.

    An earlier report at ``target`` is replaced whole; with an error it stays as it was.

    Raises:
        OutputError: ``target`` is there and is not a report, or nothing can be written beside it.
    """
    target = Path(os.path.abspath(target))
    with output_errors(f"{target}: the report"):
        _refuse_others(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        with alone_in(target.parent):
            _restore(target)
        with unfinished(target, new_folder, _is_left_over) as new:
            yield new
            # mkdtemp makes a private folder; a report is as readable as any other.
            new.chmod(0o777 & ~_umask())
            flush(new)
            with alone_in(target.parent), moving:
                _refuse_others(target)
                _put_in_place(new, target)
            flush_entry(target)


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """A path beside ``target`` for a file that takes its place when the block ends without an error.

    Raises:
        OutputError: it cannot be put there.
    """
    real = Path(os.path.realpath(target))
    with ExitStack() as stack:
        with output_errors(target):
            real.parent.mkdir(parents=True, exist_ok=True)
            new = stack.enter_context(unfinished(real, new_file, Path.is_file))
        yield new
        with output_errors(target):
            new.chmod(0o666 & ~_umask())
            flush(new)
            with moving:
                new.replace(real)
            flush_entry(real)


@contextmanager
def output_errors(what: str | Path) -> Iterator[None]:
    """Says of what goes wrong in the block that ``what`` cannot be written.

    Raises:
        OutputError: for every ``OSError``.
    """
    try:
        yield
    except OSError as error:
        raise OutputError(f"{what} cannot be written: {error.strerror or error}") from error


def is_report(folder: Path) -> bool:
    """Whether a folder is a report that this pipeline wrote."""
    try:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(summary, dict) and {"format", "verdict", "records", "reasons"} <= summary.keys()


def _refuse_others(target: Path) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise OutputError(f"{target}: is not a folder; choose another with --out")
    if not target.is_dir():
        return
    names = sorted(path.name for path in target.iterdir())
    if names and not is_report(target):
        raise OutputError(f"{target}: is a folder that holds no report; choose another with --out, or remove it")
    others = [name for name in names if name not in REPORT_FILES]
    if others:
        raise OutputError(f"{target}: holds {others[0]!r} beside a report; move it away, or choose another with --out")


def _is_left_over(path: Path) -> bool:
    """Whether a folder holds nothing but what an unfinished report may hold."""
    return path.is_dir() and {inner.name for inner in path.iterdir()} <= REPORT_FILES | {SCRATCH}


def _put_in_place(new: Path, target: Path) -> None:
    if not target.exists():
        new.rename(target)
    elif not _exchange(new, target):
        previous = _previous(target)
        target.rename(previous)
        new.rename(target)
        shutil.rmtree(previous, ignore_errors=True)


def _previous(target: Path) -> Path:
    return target.with_name(f".{target.name}.previous")


def _restore(target: Path) -> None:
    """Bring back an earlier report that a run was about to replace when it was killed."""
    previous = _previous(target)
    if not previous.is_dir() or not is_report(previous):
        return
    if target.exists():
        shutil.rmtree(previous)
    else:
        previous.rename(target)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system cannot."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    done = renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    return bool(done == 0)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

"""Puts a report in place whole, so that whoever reads it finds the old one or the new one, never a part."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pipeline.errors import OutputError

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


@contextmanager
def report_folder(target: Path) -> Iterator[Path]:
    """A new empty folder beside ``target`` that takes its place when the block ends without an error.

    An earlier report at ``target`` is replaced whole; with an error it stays as it was.

    Raises:
        OutputError: ``target`` is there and is not a report, or nothing can be written beside it.
    """
    try:
        _restore(target)
        _refuse_others(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise OutputError(f"{target}: the report cannot be written: {error.strerror}") from error
    try:
        yield new
        # mkdtemp makes a private folder; a report is as readable as any other.
        new.chmod(0o777 & ~_umask())
        _refuse_others(target)
        _put_in_place(new, target)
    except OSError as error:
        raise OutputError(f"{target}: the report cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """A path beside ``target`` for a file that takes its place when the block ends without an error.

    Raises:
        OutputError: it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=target.suffix, dir=target.parent)
        os.close(handle)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror}") from error
    new = Path(name)
    try:
        yield new
        new.chmod(0o666 & ~_umask())
        new.replace(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        new.unlink(missing_ok=True)


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
    if target.is_dir() and any(target.iterdir()) and not is_report(target):
        raise OutputError(f"{target}: is a folder that holds no report; choose another with --out, or remove it")


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
    if not previous.is_dir():
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

"""Keeps what is being written under a hidden name beside its target, and clears away what dead runs have left there."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # not on every system: there, what dead runs have left stays
    fcntl = None  # type: ignore[assignment]

_SUFFIX: Final = ".unfinished"
_RANDOM_CHARACTERS: Final = 8
"""How many ``tempfile`` puts between prefix and suffix."""

_LONGEST_NAME: Final = 60
"""How much of the target's name goes into the hidden one, which must not become too long for the file system."""


@dataclass(frozen=True, slots=True)
class _Held:
    """Something unfinished; ``lock`` is a descriptor of it whose lock ends with this process, whatever ends that."""

    path: Path
    target: Path
    lock: int | None

    @property
    def is_in_place(self) -> bool:
        """Whether it is its target by now."""
        with suppress(OSError):
            return self.lock is not None and os.path.samestat(os.fstat(self.lock), os.stat(self.target))
        return False


_held: dict[Path, _Held] = {}
_finished: set[Path] = set()
moving: Final = threading.RLock()
"""Held while something is put in place or given up: never both at once."""


@contextmanager
def unfinished(target: Path, make: Callable[[str, str, Path], Path], is_ours: Callable[[Path], bool]) -> Iterator[Path]:
    """A new path beside ``target``, by ``new_folder`` or ``new_file``; whatever is there at the end is removed.

    What earlier runs to the same target have left there is removed first, if ``is_ours`` says that it is ours and
    the run that made it is gone.

    Raises:
        OSError: nothing can be written there.
    """
    _finished.discard(target)
    prefix = f".{target.name[:_LONGEST_NAME]}-"
    with alone_in(target.parent):
        _clear(target.parent, prefix, is_ours)
        path = make(prefix, _SUFFIX, target.parent)
        _held[path] = _Held(path, target, _locked(path))
    try:
        yield path
    finally:
        _let_go(_held[path])


def new_folder(prefix: str, suffix: str, parent: Path) -> Path:
    """A new empty folder."""
    return Path(tempfile.mkdtemp(suffix, prefix, parent))


def new_file(prefix: str, suffix: str, parent: Path) -> Path:
    """A new empty file."""
    handle, name = tempfile.mkstemp(suffix, prefix, parent)
    os.close(handle)
    return Path(name)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Lets only one run at a time, of all that write into ``folder``, do what is done in the block."""
    lock = _locked(folder, wait=True)
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def give_up() -> bool:
    """Remove all that is unfinished, while others may still write to it; whether anything had been put in place."""
    with moving:
        held = list(_held.values())
        _finished.update(one.target for one in held if one.is_in_place)
        for one in held:
            # Under a name that nobody knows nothing can be added to it.
            name = one.path.name.removesuffix(_SUFFIX)[:-_RANDOM_CHARACTERS]
            hidden = one.path.with_name(name + secrets.token_hex(_RANDOM_CHARACTERS // 2) + _SUFFIX)
            with suppress(OSError):
                one.path.rename(hidden)
                _remove(hidden)
        return bool(_finished)


def flush(path: Path) -> None:
    """Have a file, or a folder with all that is in it, written to disk.

    Raises:
        OSError: it cannot be.
    """
    if path.is_dir():
        for inner in path.iterdir():
            flush(inner)
    _flush(path)


def flush_entry(path: Path) -> None:
    """Have the folder that ``path`` is in written to disk, so that the name lasts.

    Raises:
        OSError: it cannot be.
    """
    _flush(path.parent)


def _flush(path: Path) -> None:
    descriptor = _descriptor(path)
    if descriptor is not None:
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _let_go(held: _Held) -> None:
    if held.is_in_place:
        _finished.add(held.target)
    _remove(held.path)
    if held.lock is not None:
        os.close(held.lock)
    del _held[held.path]


def _clear(folder: Path, prefix: str, is_ours: Callable[[Path], bool]) -> None:
    name = re.compile(rf"{re.escape(prefix)}\w{{{_RANDOM_CHARACTERS}}}{re.escape(_SUFFIX)}")
    for path in folder.iterdir():
        if name.fullmatch(path.name) and not path.is_symlink() and is_ours(path):
            lock = _locked(path)
            if lock is not None:
                _remove(path)
                os.close(lock)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _locked(path: Path, *, wait: bool = False) -> int | None:
    """A descriptor of ``path`` that holds its lock; None where another has it, or there are no locks."""
    descriptor = None if fcntl is None else _descriptor(path)
    if descriptor is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _descriptor(path: Path) -> int | None:
    try:
        return os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        # Gone, not ours to read, or a folder where folders cannot be opened.
        return None

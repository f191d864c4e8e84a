"""Finds the files that an INPUT stands for, tells their format and opens them."""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from pipeline.batch import Source
from pipeline.errors import InputError
from pipeline.ingest.content import PARQUET_MAGIC, is_url, text_stream
from pipeline.ingest.lazy import BATCH_ROWS
from pipeline.ingest.parquet import ParquetSource
from pipeline.ingest.text import Dialect, TextSource
from pipeline.printable import visible

STDIN: Final = "-"
TEXT_SUFFIXES: Final = (".csv", ".tsv", ".txt", ".data")
COMPRESSED_SUFFIXES: Final = (".gz", ".zst")
SUFFIXES: Final = (
    ".parquet",
    *TEXT_SUFFIXES,
    *(text + more for text in TEXT_SUFFIXES for more in COMPRESSED_SUFFIXES),
)


@dataclass(frozen=True, slots=True)
class Readable:
    """How files are read: ``batch_rows`` at a time if that is given, text as the dialect says."""

    dialect: Dialect
    keep_lines: bool = False
    batch_rows: int | None = None


def find_files(given: str, *, leave_out: Callable[[Path], bool]) -> list[str]:
    """The files that one INPUT stands for, in sorted order: itself, a folder's or a glob's.

    A folder is searched in depth for the known suffixes, without names that begin with ``.`` or ``_`` and
    without the folders that ``leave_out`` says.

    Raises:
        InputError: nothing is there.
    """
    if not given:
        raise InputError("an INPUT is empty text: an unset variable?")
    if given == STDIN or is_url(given):
        return [given]
    path = Path(given)
    if path.is_dir():
        found = sorted(str(file) for file in _files_below(path, leave_out))
        if not found:
            raise InputError(
                f"{printable(given)}: no data in this folder; looked for {', '.join(SUFFIXES[:5])} and .gz, .zst"
            )
        return found
    if not path.exists() and glob.has_magic(given):
        found = sorted(file for file in glob.glob(given, recursive=True) if Path(file).is_file())
        if not found:
            raise InputError(f"{printable(given)}: no file matches this pattern")
        return found
    if not path.exists():
        raise InputError(f"{printable(given)}: no such file or folder")
    return [given]


def open_source(file: str, how: Readable) -> Source:
    """The file, opened by its format: told by its content first, then by its name.

    Raises:
        InputError: it cannot be read, is empty, or is of another kind.
    """
    if is_url(file):
        if _url_name(file).lower().endswith(".parquet"):
            return ParquetSource(file, batch_rows=how.batch_rows or BATCH_ROWS)
        return _text_source(file, partial(_fetch, file), how)
    if file == STDIN:
        return _text_source(file, _stdin, how)
    try:
        status = Path(file).stat()
        if not stat.S_ISREG(status.st_mode):
            # The first bytes of a pipe can be read only once: it is told apart as it is read.
            return _text_source(file, partial(_open, file), how)
        if _starts_as_parquet(file):
            return ParquetSource(printable(file), status.st_size, path=file, batch_rows=how.batch_rows or BATCH_ROWS)
    except OSError as error:
        raise InputError(f"{printable(file)}: cannot be read: {error.strerror}") from error
    if status.st_size == 0:
        raise InputError(f"{printable(file)}: is empty (zero bytes)")
    if file.lower().endswith(".parquet"):
        raise InputError(f"{printable(file)}: is named .parquet but is not a Parquet file: it does not begin with PAR1")
    return _text_source(file, partial(_open, file), how, size=status.st_size)


def printable(file: str) -> str:
    r"""The name of a file as text: bytes of it that are not UTF-8, and control characters, as ``\xNN``."""
    return visible(os.fsencode(file).decode(errors="backslashreplace"))


def is_stream(file: str) -> bool:
    """Whether a file can be read only once: standard input, or a pipe."""
    return file == STDIN or (not is_url(file) and Path(file).exists() and not Path(file).is_file())


def report_name(given: str) -> str:
    """The name of the report on an INPUT: its own without known suffixes, or that of the folder it is in."""
    if given == STDIN:
        return "stdin"
    if is_url(given):
        name = _url_name(given)
    elif glob.has_magic(given) and not Path(given).exists():
        parents = [part for part in Path(given).parents if not glob.has_magic(str(part))]
        name = parents[0].resolve().name
    else:
        name = Path(given).resolve().name
    lower = name.lower()
    suffix = max((known for known in SUFFIXES if lower.endswith(known)), key=len, default="")
    return name[: len(name) - len(suffix)] or "data"


def _url_name(url: str) -> str:
    """The last part of a URL's path."""
    return url.partition("://")[2].partition("?")[0].partition("#")[0].rpartition("/")[2]


def _files_below(folder: Path, leave_out: Callable[[Path], bool]) -> Iterable[Path]:
    seen = set()
    for parent, folders, files in os.walk(folder, followlinks=True):
        # A link may lead back to where we came from.
        real = os.path.realpath(parent)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not _is_hidden(name) and not leave_out(Path(parent, name)))
        for name in files:
            if not _is_hidden(name) and name.lower().endswith(SUFFIXES) and Path(parent, name).is_file():
                yield Path(parent, name)


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "_"))


def _open(file: str) -> BinaryIO:
    return open(file, "rb")


def _starts_as_parquet(file: str) -> bool:
    with _open(file) as stream:
        return stream.read(len(PARQUET_MAGIC)) == PARQUET_MAGIC


def _text_source(
    file: str, open_stream: Callable[[], BinaryIO], how: Readable, *, size: int | None = None
) -> TextSource:
    name = "standard input" if file == STDIN else printable(file)
    return TextSource(
        printable(file),
        lambda: text_stream(name, open_stream()),
        how.dialect,
        size=size,
        keep_lines=how.keep_lines,
        batch_rows=how.batch_rows,
    )


def _stdin() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin.buffer


def _fetch(url: str) -> BinaryIO:
    from pipeline.ingest.web import fetch  # noqa: PLC0415 - HTTP takes a while to import, and is seldom needed

    return fetch(url)

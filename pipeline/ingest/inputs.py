"""Finds the files that an INPUT stands for, tells their format and opens them."""

from __future__ import annotations

import glob
import os
import sys
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, Literal, cast
from urllib.parse import urlsplit

import pyarrow as pa
from pyarrow import fs

from pipeline.batch import Source
from pipeline.errors import InputError
from pipeline.ingest.parquet import ParquetSource
from pipeline.ingest.text import Dialect, TextSource

STDIN: Final = "-"
TEXT_SUFFIXES: Final = (".csv", ".tsv", ".txt", ".data")
COMPRESSED_SUFFIXES: Final = (".gz", ".zst")
SUFFIXES: Final = (
    ".parquet",
    *TEXT_SUFFIXES,
    *(text + more for text in TEXT_SUFFIXES for more in COMPRESSED_SUFFIXES),
)

Compression = Literal["gzip", "zstd"]
_MAGIC: Final[tuple[tuple[bytes, Compression], ...]] = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
_PARQUET_MAGIC: Final = b"PAR1"
_REFUSED: Final = (
    (b"version https://git-lfs", "is a Git LFS pointer, not the data: fetch it with `git lfs pull`"),
    (b"PK\x03\x04", "is a ZIP archive (or a spreadsheet): unpack it, or save it as CSV"),
    (b"ARROW1", "is an Arrow IPC file: write it as Parquet"),
    (b"SQLite format 3", "is an SQLite database: export the table as CSV or Parquet"),
)


@dataclass(frozen=True, slots=True)
class Readable:
    """How text files are read."""

    dialect: Dialect
    keep_lines: bool = False


def find_files(given: str, *, leave_out: Callable[[Path], bool]) -> list[str]:
    """The files that one INPUT stands for, in sorted order: itself, a folder's or a glob's.

    A folder is searched in depth for the known suffixes, without names that begin with ``.`` or ``_`` and
    without the folders that ``leave_out`` says.

    Raises:
        InputError: nothing is there.
    """
    if given == STDIN or is_url(given):
        return [given]
    path = Path(given)
    if path.is_dir():
        found = sorted(str(file) for file in _files_below(path, leave_out))
        if not found:
            raise InputError(f"{given}: no data in this folder; looked for {', '.join(SUFFIXES[:5])} and .gz, .zst")
        return found
    if not path.exists() and glob.has_magic(given):
        found = sorted(file for file in glob.glob(given, recursive=True) if Path(file).is_file())
        if not found:
            raise InputError(f"{given}: no file matches this pattern")
        return found
    if not path.exists():
        raise InputError(f"{given}: no such file or folder")
    return [given]


def open_source(file: str, how: Readable) -> Source:
    """The file, opened by its format: told by its content first, then by its name.

    Raises:
        InputError: it cannot be read, is empty, or is of another kind.
    """
    if is_url(file):
        return _open_url(file, how)
    if file == STDIN:
        return TextSource("-", lambda: sys.stdin.buffer, how.dialect, keep_lines=how.keep_lines)
    try:
        size = os.stat(file).st_size
        with open(file, "rb") as stream:
            start = stream.read(64)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    if not start:
        raise InputError(f"{file}: is empty (zero bytes)")
    if start.startswith(_PARQUET_MAGIC):
        return ParquetSource(file, size)
    for magic, why in _REFUSED:
        if start.startswith(magic):
            raise InputError(f"{file}: {why}")
    if file.lower().endswith(".parquet"):
        raise InputError(f"{file}: is named .parquet but is not a Parquet file: it does not begin with PAR1")
    compression = next((name for magic, name in _MAGIC if start.startswith(magic)), None)
    return TextSource(file, partial(_open_file, file, compression), how.dialect, size=size, keep_lines=how.keep_lines)


def is_url(given: str) -> bool:
    """Whether an INPUT is a URL, such as ``s3://bucket/data.parquet``."""
    return "://" in given


def report_name(given: str) -> str:
    """The name of the report on an INPUT: its own without known suffixes, or that of the folder it is in."""
    if given == STDIN:
        return "stdin"
    if is_url(given):
        name = Path(urlsplit(given).path).name
    elif glob.has_magic(given) and not Path(given).exists():
        parents = [part for part in Path(given).parents if not glob.has_magic(str(part))]
        name = parents[0].resolve().name
    else:
        name = Path(given).resolve().name
    lower = name.lower()
    suffix = max((known for known in SUFFIXES if lower.endswith(known)), key=len, default="")
    return name[: len(name) - len(suffix)] or "data"


def _files_below(folder: Path, leave_out: Callable[[Path], bool]) -> Iterable[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_hidden(name) and not leave_out(Path(parent, name)))
        yield from (Path(parent, name) for name in files if not _is_hidden(name) and name.lower().endswith(SUFFIXES))


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "_"))


def _open_file(file: str, compression: Compression | None) -> BinaryIO:
    return _decompressed(open(file, "rb"), compression)


def _decompressed(stream: object, compression: Compression | None) -> BinaryIO:
    if compression is None:
        return cast("BinaryIO", stream)
    return cast("BinaryIO", pa.CompressedInputStream(stream, compression))


def _open_url(url: str, how: Readable) -> Source:
    path = urlsplit(url).path.lower()
    if path.endswith(".parquet"):
        return ParquetSource(url)
    suffix = os.path.splitext(path)[1]
    compression: Compression | None = {".gz": "gzip", ".zst": "zstd"}.get(suffix)  # type: ignore[assignment]
    return TextSource(url, partial(_fetch, url, compression), how.dialect, keep_lines=how.keep_lines)


def _fetch(url: str, compression: Compression | None) -> BinaryIO:
    if url.startswith(("http://", "https://")):
        return _decompressed(urllib.request.urlopen(url), compression)  # noqa: S310 - of a known scheme
    filesystem, path = fs.FileSystem.from_uri(url)
    return _decompressed(filesystem.open_input_stream(path, compression=None), compression)

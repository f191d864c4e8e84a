"""Looks at all inputs before any is judged: which files there are, what columns they have and what these hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pipeline.batch import Source
from pipeline.columns import ColumnNotFoundError, choose_columns
from pipeline.config import LayoutOptions
from pipeline.errors import InputError, PipelineError
from pipeline.ingest.inputs import Readable, find_files, is_stream, open_source, printable
from pipeline.ingest.text import TextSource
from pipeline.layout import Layout
from pipeline.report.folder import is_report


class Found:
    """A file that can be judged."""

    def __init__(self, path: str, source: Source, layout: Layout, how: Readable, *, keep_open: bool) -> None:
        """Without ``keep_open`` the file is closed, and opened again when its turn comes."""
        self.path = path
        self.file = source.file
        self.schema = source.schema
        self.layout = layout
        self._how = how
        self._open: Source | None = source
        if not keep_open:
            source.close()
            self._open = None

    def open(self) -> Source:
        """The source, to be read from its start."""
        source, self._open = self._open or open_source(self.path, self._how), None
        if isinstance(source, TextSource):
            board = self.layout.board
            source.multiline_column = board[0] if len(board) == 1 else None
        return source

    def close(self) -> None:
        """Let go of the file if it is still open."""
        if self._open is not None:
            self._open.close()
            self._open = None

    @property
    def header(self) -> bytes | None:
        """The header of a text file that is still open, as it stands; None for all others."""
        return self._open.header_bytes if isinstance(self._open, TextSource) else None


@dataclass(frozen=True, slots=True)
class Fault:
    """An input that cannot be read (to its end), and why."""

    file: str
    error: InputError


@dataclass(frozen=True, slots=True)
class Survey:
    """What the inputs stand for."""

    found: tuple[Found, ...]
    faults: tuple[Fault, ...]


_KINDS: Final = {"board": "holds boards", "game": "holds a game in each row", "log": "is a log, one row a ply"}


def survey(inputs: Sequence[str], options: LayoutOptions, how: Readable) -> Survey:
    """Find the files of all inputs and choose the columns of each.

    Raises:
        ColumnNotFoundError: a named column that no input has.
        InputError: nothing at all can be read.
    """
    files, faults = _files(inputs)
    found: list[Found] = []
    absent: list[ColumnNotFoundError] = []
    for file in files:
        try:
            source = open_source(file, how)
        except InputError as error:
            faults.append(Fault(file, error))
            continue
        try:
            layout = choose_columns(source.schema, options)
        except (ColumnNotFoundError, InputError) as error:
            source.close()
            absent += [error] if isinstance(error, ColumnNotFoundError) else []
            faults.append(Fault(file, InputError(f"{printable(file)}: {error}")))
            continue
        kind = found[0].layout.kind if found else layout.kind
        if layout.kind != kind:
            source.close()
            faults.append(
                Fault(file, InputError(f"{printable(file)}: {_KINDS[layout.kind]}, unlike the inputs before it"))
            )
            continue
        found.append(Found(file, source, layout, how, keep_open=len(files) == 1 or is_stream(file)))
    if not found:
        raise all_of(absent if len(absent) == len(faults) else [fault.error for fault in faults])
    return Survey(tuple(found), tuple(faults))


def all_of(errors: Sequence[PipelineError]) -> PipelineError:
    """One error that says what all of them say, with the highest exit code among theirs."""
    worst = max(errors, key=lambda error: error.exit_code)
    return type(worst)("\n".join(dict.fromkeys(str(error) for error in errors)))


def _files(inputs: Sequence[str]) -> tuple[list[str], list[Fault]]:
    """The files of all inputs, each once: a file may well be named twice, or by a folder and on its own."""
    files: dict[str, str] = {}
    faults: list[Fault] = []
    for given in inputs:
        try:
            for file in find_files(given, leave_out=is_report):
                files.setdefault(os.path.realpath(file) if Path(file).exists() else file, file)
        except InputError as error:
            faults.append(Fault(given, error))
    return list(files.values()), faults

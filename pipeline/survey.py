"""Looks at all inputs before any is judged: which files there are, what columns they have and what these hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.batch import Source
from pipeline.config import LayoutOptions
from pipeline.errors import InputError, PipelineError, UsageError
from pipeline.ingest.inputs import Readable, find_files, is_stream, open_source
from pipeline.ingest.parquet import ParquetSource
from pipeline.ingest.text import Dialect, TextSource
from pipeline.layout import Layout
from pipeline.recognise.header import is_name
from pipeline.recognise.layouts import ColumnNotFoundError, recognise
from pipeline.recognise.sample import SAMPLE_RECORDS
from pipeline.report.folder import is_report


class Found:
    """A source that can be judged. ``path`` is None for one that was given as such."""

    def __init__(self, source: Source, layout: Layout, path: str | None, how: Readable, *, keep_open: bool) -> None:
        """Without ``keep_open`` the file is closed, and opened again when its turn comes."""
        self.file = source.file
        self.schema = source.schema
        self.layout = layout
        self.path = path
        self._how = how
        self._stamp = _stamp(path)
        self._source: Source | None = source
        if not keep_open:
            self.close()

    @property
    def is_stream(self) -> bool:
        """Whether it may come otherwise, or not at all, when it is read again."""
        return self.path is None or is_stream(self.path)

    @property
    def has_changed(self) -> bool:
        """Whether the file is another than it was when it was looked at."""
        return _stamp(self.path) != self._stamp

    @property
    def header(self) -> bytes | None:
        """The header of a text file that is still open, as it stands; None for all others."""
        return self._source.header_bytes if isinstance(self._source, TextSource) else None

    def open(self) -> Source:
        """The source, to be read from its start.

        Raises:
            InputError: the file is not there any more, or not as it was.
        """
        source = self._source
        if self.path is not None:
            source = source or open_source(self.path, self._how)
            self._source = None
        if source is None or source.schema != self.schema or self.has_changed:
            raise InputError(f"{self.file}: has changed since it was looked at")
        if isinstance(source, TextSource):
            board = self.layout.board
            source.multiline_column = board[0] if len(board) == 1 else None
        if isinstance(source, ParquetSource):
            source.recurring = self.layout.recurring
        return source

    def close(self) -> None:
        """Let go of the file if it is still open."""
        if self._source is not None and self.path is not None:
            self._source.close()
            self._source = None


def _stamp(path: str | None) -> tuple[int, ...]:
    """What tells one state of a file from another; nothing for what is no file."""
    if path is None or not Path(path).is_file():
        return ()
    status = Path(path).stat()
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Fault:
    """An input that cannot be read (to its end), and why."""

    file: str
    error: InputError | ColumnNotFoundError


@dataclass(frozen=True, slots=True)
class Survey:
    """What the inputs stand for."""

    found: tuple[Found, ...]
    faults: tuple[Fault, ...]


def _holds(layout: Layout) -> str:
    """What the records of a file are, in words; all inputs of a run must hold the same."""
    if layout.log is not None:
        return "is a log, one row a ply" + ("" if layout.log.ply is not None else ", without a column of ply numbers")
    return "holds a game in each row" if layout.moves else "holds boards"


def survey(inputs: Sequence[str | Source], options: LayoutOptions, how: Readable) -> Survey:
    """Find the files of all inputs and choose the columns of each.

    Raises:
        ColumnNotFoundError: a named column that no input has.
        InputError: nothing at all can be read.
    """
    if not inputs:
        raise UsageError("there is no input")
    sources, faults = _sources(inputs)
    found: list[Found] = []
    for given in sources:
        try:
            one = _looked_at(given, options, how, is_only=len(sources) == 1)
        except (InputError, ColumnNotFoundError) as error:
            faults.append(Fault(given if isinstance(given, str) else given.file, error))
            continue
        if not found or _holds(one.layout) == _holds(found[0].layout):
            found.append(one)
        else:
            one.close()
            unlike = InputError(f"{one.file}: {_holds(one.layout)}, unlike the inputs before it")
            faults.append(Fault(one.path or one.file, unlike))
    if not found:
        raise all_of([fault.error for fault in faults])
    return Survey(tuple(found), tuple(Fault(fault.file, InputError(str(fault.error))) for fault in faults))


def _looked_at(given: str | Source, options: LayoutOptions, how: Readable, *, is_only: bool) -> Found:
    source = open_source(given, how) if isinstance(given, str) else given
    try:
        layout = layout_of(source, options)
    except (InputError, ColumnNotFoundError):
        source.close()
        raise
    path = given if isinstance(given, str) else None
    return Found(source, layout, path, how, keep_open=is_only or path is None or is_stream(path))


def dialect(options: LayoutOptions) -> Dialect:
    """How text files are split, as far as the options say."""
    symbols = frozenset[str]().union(*options.cells.values())
    return Dialect(options.header, options.delimiter, options.named, symbols)


def layout_of(source: Source, options: LayoutOptions) -> Layout:
    """The layout of a source, told from its columns and its first records.

    Raises:
        ColumnNotFoundError: a named column that it has not.
        InputError: it cannot be told.
    """
    has_header = source.has_header if isinstance(source, TextSource) else True
    try:
        layout = recognise(source.schema, source.sample(SAMPLE_RECORDS), options, has_header=has_header)
    except (InputError, ColumnNotFoundError) as error:
        doubt = ""
        if isinstance(source, TextSource) and options.header is None:
            if not has_header:
                doubt = " (its first line is taken for a record; if it names the columns: --header)"
            elif not all(map(is_name, source.schema)):
                doubt = " (its first line is taken for the names of columns; if it is a record: --no-header)"
        raise type(error)(f"{source.file}: {error}{doubt}") from error
    if not isinstance(source, TextSource):
        return layout
    return replace(layout, header=source.has_header, delimiter=source.delimiter)


def all_of(errors: Sequence[PipelineError]) -> PipelineError:
    """One error that says what all of them say, with the highest exit code among theirs."""
    worst = max(errors, key=lambda error: error.exit_code)
    return type(worst)("\n".join(dict.fromkeys(str(error) for error in errors)))


def _sources(inputs: Sequence[str | Source]) -> tuple[list[str | Source], list[Fault]]:
    """All sources and the files of all inputs, each once: one may well be named twice, or by its folder too."""
    sources: dict[str | int, str | Source] = {}
    faults: list[Fault] = []
    for given in inputs:
        if not isinstance(given, str):
            sources[id(given)] = given
            continue
        try:
            for file in find_files(given, leave_out=is_report):
                sources.setdefault(os.path.realpath(file) if Path(file).exists() else file, file)
        except InputError as error:
            faults.append(Fault(given, error))
    return list(sources.values()), faults

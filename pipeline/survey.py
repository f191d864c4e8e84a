"""Looks at all inputs before any is judged: which files there are, what columns they have and what these hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from pipeline.batch import Source
from pipeline.config import LayoutOptions
from pipeline.errors import InputError
from pipeline.ingest.inputs import STDIN, Readable, find_files, open_source
from pipeline.ingest.text import TextSource
from pipeline.layout import ColumnNotFoundError, Layout, choose_columns
from pipeline.report.folder import is_report


@dataclass(frozen=True, slots=True)
class Found:
    """A file that can be judged. ``source`` is None where the file is opened again when its turn comes."""

    file: str
    schema: pl.Schema
    layout: Layout
    source: Source | None


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
            faults.append(Fault(file, InputError(f"{file}: {error}")))
            continue
        if isinstance(source, TextSource):
            source.multiline_column = layout.board[0] if len(layout.board) == 1 else None
        found.append(Found(file, source.schema, layout, source if len(files) == 1 or file == STDIN else None))
        if found[-1].source is None:
            source.close()
    if not found:
        raise absent[0] if absent else faults[0].error
    return Survey(tuple(found), tuple(faults))


def _files(inputs: Sequence[str]) -> tuple[list[str], list[Fault]]:
    files: list[str] = []
    faults: list[Fault] = []
    for given in inputs:
        try:
            files += find_files(given, leave_out=is_report)
        except InputError as error:
            faults.append(Fault(given, error))
    return files, faults

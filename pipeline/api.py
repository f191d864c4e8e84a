"""The pipeline as a Python function: what ``python -m pipeline run`` does, from and to objects."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import polars as pl
import pyarrow as pa
from polars.io.plugins import register_io_source

from pipeline.batch import Source
from pipeline.config import LayoutOptions
from pipeline.errors import UsageError
from pipeline.ingest.lazy import LazySource
from pipeline.report.folder import report_folder
from pipeline.report.invalid import CODES_COLUMN
from pipeline.report.summary import Summary, write_summary
from pipeline.report.tables import TABLE_FORMATS, TableWriter
from pipeline.run import RunOptions, RunResult, run
from pipeline.survey import Fault
from schemas.vocabulary import Base, FirstPlayer, Order, Outcome, TableFormat

PathLike: TypeAlias = str | os.PathLike[str]
Data: TypeAlias = PathLike | Sequence[PathLike] | pl.DataFrame | pl.LazyFrame | pa.Table
Columns: TypeAlias = str | Sequence[str] | None


class Result:
    """What was found: ``summary`` as typed data, ``invalid`` as a lazy frame, ``faults`` of inputs not read.

    The invalid rows are kept in a temporary folder as long as this object or its frame lives.
    """

    def __init__(self, found: RunResult, folder: Path) -> None:
        self.summary: Summary = found.summary
        self.faults: tuple[Fault, ...] = found.faults
        self._invalid = found.invalid_rows
        self._remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    @property
    def is_valid(self) -> bool:
        """Whether no record is invalid, and every input was read to its end."""
        return not self.summary.records.invalid and not self.faults

    @property
    def invalid(self) -> pl.LazyFrame:
        """One row for each invalid record: ``_file``, ``_row``, ``_line``, ``_reasons``, ``_ply``, ``_raw``, its own.

        See ``schemas.report``; sorted by input, then by ``_row``.
        """
        rows = self._scanned()

        def computed(
            columns: list[str] | None, predicate: pl.Expr | None, most: int | None, _batch: int | None
        ) -> Iterator[pl.DataFrame]:
            # As a method's own, this function keeps the folder as long as the frame lives.
            wanted = self._scanned()
            wanted = wanted if predicate is None else wanted.filter(predicate)
            wanted = wanted if most is None else wanted.head(most)
            yield (wanted if columns is None else wanted.select(columns)).collect(engine="in-memory")

        return register_io_source(computed, schema=rows.collect_schema())

    def write(self, out: PathLike, invalid_format: TableFormat = "parquet") -> None:
        """Write the report that the command line writes to the folder ``out``, whole or not at all.

        Raises:
            UsageError: a format that there is not.
            OutputError: it cannot be written, or ``out`` is something else than a report.
        """
        if invalid_format not in TABLE_FORMATS:
            raise UsageError(f"invalid_format is {invalid_format!r}, not one of {', '.join(TABLE_FORMATS)}")
        with report_folder(Path(out)) as folder:
            target = folder / f"invalid.{invalid_format}"
            if invalid_format == "parquet":
                shutil.copyfile(self._invalid, target)
            else:
                rows = LazySource(str(self._invalid), self._scanned)
                with TableWriter(target, invalid_format, rows.schema, joined=CODES_COLUMN) as table:
                    for batch in rows.batches():
                        table.write(batch.columns)
            write_summary(folder, self.summary)

    def _scanned(self) -> pl.LazyFrame:
        return pl.scan_parquet(self._invalid, glob=False, hive_partitioning=False)

    def __repr__(self) -> str:
        records = self.summary.records
        return f"<Result: {records.read:,} {self.summary.unit}s read, {records.invalid:,} invalid>"


def validate(
    source: Data,
    *,
    board: Columns = None,
    moves: Columns = None,
    game: str | None = None,
    ply: str | None = None,
    at: Columns = None,
    player: str | None = None,
    outcome: str | None = None,
    outcomes: Mapping[str, Outcome | Iterable[Outcome]] | None = None,
    cells: Mapping[str, str | Iterable[str]] | None = None,
    first: FirstPlayer = "X",
    base: Base = 0,
    order: Order = "row",
    header: bool | None = None,
    delimiter: str | None = None,
) -> Result:
    """Check recorded boards, games or a log, and say of every invalid record why.

    ``source`` is a path or URL as on the command line, several of them, a Polars DataFrame or LazyFrame (which is
    computed in batches, a log twice; every value is checked), or a pyarrow Table. The options are those of
    ``python -m pipeline run``, as Python values: a column's name or several of them, ``outcomes`` from a label to
    what it may mean, ``cells`` from ``"X"``, ``"O"`` and ``"empty"`` to symbols. What is left out is told from
    the data. In a frame null is null: moves that are missing, or a board that is.

    Raises:
        UsageError: options that are wrong, or a named column that no input has.
        InputError: nothing at all can be read, or no layout can be told.
        OutputError: the temporary folder cannot be written.
        InternalError: a fault of the pipeline itself.
    """
    layout = LayoutOptions(
        board=_several(board),
        moves=_several(moves),
        game=game,
        ply=ply,
        at=_several(at),
        player=player,
        outcome=outcome,
        outcomes={_several(label)[0]: _outcomes(meant) for label, meant in (outcomes or {}).items()},
        cells={mark: frozenset(_several(symbols)) for mark, symbols in (cells or {}).items()},
        first=first,
        base=base,
        order=order,
        header=header,
        delimiter=delimiter,
    )
    folder = Path(tempfile.mkdtemp(prefix="tictactoe-pipeline-"))
    try:
        return Result(run(_inputs(source), RunOptions(out=folder / "report", layout=layout)), folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _inputs(source: Data) -> list[str | Source]:
    if isinstance(source, pl.DataFrame | pl.LazyFrame):
        frame = source.lazy()
        return [LazySource("<frame>", lambda: frame)]
    if isinstance(source, pa.Table):
        table = source
        return [LazySource("<table>", lambda: pl.DataFrame(table).lazy())]
    if isinstance(source, str | os.PathLike):
        return [os.fspath(source)]
    paths = list(source) if isinstance(source, Iterable) and not isinstance(source, pl.Series | Mapping | bytes) else []
    if not paths or not all(isinstance(path, str | os.PathLike) for path in paths):
        raise UsageError(
            f"a source is a path, paths, a Polars frame or a pyarrow Table, not this {type(source).__name__}"
        )
    return [os.fspath(path) for path in paths]


def _several(values: str | Iterable[str] | None) -> tuple[str, ...]:
    several = (values,) if isinstance(values, str) else tuple(values if isinstance(values, Iterable) else ())
    if (values is not None and not isinstance(values, Iterable)) or not all(isinstance(one, str) for one in several):
        raise UsageError(f"expected names or symbols as text, not {values!r}")
    return several


def _outcomes(meant: Outcome | Iterable[Outcome]) -> frozenset[Outcome]:
    return frozenset([meant]) if isinstance(meant, str) else frozenset(meant)

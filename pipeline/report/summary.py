"""What a run found, counted: the content of ``summary.json``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib import metadata
from typing import Any, Final, Literal

import polars as pl

from pipeline.batch import LineAccount
from pipeline.layout import Layout
from pipeline.rules.outcomes import OUTCOME_BIT
from schemas.reasons import codes
from schemas.vocabulary import OUTCOMES

FORMAT: Final = 1
"""Version of the layout of ``summary.json``."""


@dataclass(slots=True)
class Records:
    """How many records were read, and how they were judged: ``read = valid + invalid``."""

    read: int = 0
    valid: int = 0
    invalid: int = 0

    def add(self, valid: int, invalid: int) -> None:
        """Count more records."""
        self.read += valid + invalid
        self.valid += valid
        self.invalid += invalid


@dataclass(frozen=True, slots=True)
class First:
    """Where a reason first occurred: ``row`` from 0, ``line`` from 1 (None without lines)."""

    file: str
    row: int
    line: int | None


@dataclass(slots=True)
class ReasonCount:
    """How many records have a reason, and the first of them."""

    records: int
    first: First


@dataclass(slots=True)
class InputSummary:
    """One input: what it is and what was read of it; ``error`` says why it was not read to its end."""

    file: str
    format: Literal["csv", "parquet"] | None = None
    bytes: int = 0
    records: Records = field(default_factory=Records)
    lines: LineAccount | None = None
    layout: dict[str, Any] | None = None
    error: str | None = None


@dataclass(slots=True)
class Summary:
    """Everything that a run found, in the words of ``summary.json``."""

    unit: Literal["board", "game"] = "board"
    records: Records = field(default_factory=Records)
    rows_read: int = 0
    reasons: dict[str, ReasonCount] = field(default_factory=dict)
    outcomes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(OUTCOMES, 0))
    inputs: list[InputSummary] = field(default_factory=list)
    max_invalid: str = "0"
    seconds: float = 0.0
    peak_memory_bytes: int | None = None

    @property
    def complete(self) -> bool:
        """Whether every input was read to its end."""
        return all(one.error is None for one in self.inputs)

    @property
    def verdict(self) -> Literal["valid", "invalid"]:
        """Whether any record is invalid, whatever ``--max-invalid`` allows."""
        return "invalid" if self.records.invalid else "valid"

    @property
    def layout(self) -> dict[str, Any]:
        """The layout of the first input that was read."""
        return next((one.layout for one in self.inputs if one.layout), {})

    def add(self, source: InputSummary, layout: Layout, place: pl.DataFrame, verdict: pl.DataFrame) -> None:
        """Count the verdicts on one batch; ``place`` says where its records came from, row for row."""
        source.layout = layout.as_dict()
        invalid = verdict["reasons"] != 0
        count = int(invalid.sum())
        for records in (self.records, source.records):
            records.add(verdict.height - count, count)
        self.rows_read += verdict.height
        for outcome, number in _outcome_counts(verdict.filter(~invalid)):
            self.outcomes[outcome] += number
        if count:
            self._add_reasons(source.file, place.filter(invalid), verdict.filter(invalid))

    def _add_reasons(self, file: str, place: pl.DataFrame, verdict: pl.DataFrame) -> None:
        sets = place.select("row", "line").with_columns(verdict["reasons"]).group_by("reasons")
        for reasons, row, line, records in (
            sets.agg(pl.col("row").min(), pl.col("line").sort_by("row").first(), pl.len()).sort("row").iter_rows()
        ):
            for code in codes(reasons):
                known = self.reasons.setdefault(code, ReasonCount(0, First(file, row, line)))
                known.records += records
                if known.first.file == file and row < known.first.row:
                    known.first = First(file, row, line)

    def as_dict(self) -> dict[str, Any]:
        """The content of ``summary.json``."""
        return {
            "format": FORMAT,
            "complete": self.complete,
            "version": version(),
            "verdict": self.verdict,
            "unit": self.unit,
            "records": asdict(self.records),
            "rows": {"read": self.rows_read},
            "reasons": {code: asdict(count) for code, count in sorted(self.reasons.items())},
            "outcomes": self.outcomes,
            "inputs": [_input_as_dict(one, self.layout) for one in self.inputs],
            "layout": self.layout,
            "policy": {"max_invalid": self.max_invalid},
            "seconds": round(self.seconds, 3),
            "peak_memory_bytes": self.peak_memory_bytes,
        }


def version() -> str:
    """The version of this package as installed."""
    return metadata.version("tictactoe-pipeline")


def peak_memory_bytes() -> int | None:
    """The most memory that this process has held, in bytes; None where the system does not tell."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _outcome_counts(valid: pl.DataFrame) -> Iterator[tuple[str, int]]:
    counted = dict(valid["outcome"].value_counts().iter_rows())
    yield from ((outcome, counted.get(bit, 0)) for outcome, bit in OUTCOME_BIT.items())


def _input_as_dict(one: InputSummary, layout: dict[str, Any]) -> dict[str, Any]:
    """What is known of an input; its layout only where it differs from that of the first."""
    values = asdict(one)
    if values["layout"] == layout:
        del values["layout"]
    return {key: value for key, value in values.items() if value is not None}

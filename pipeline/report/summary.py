"""What a run found, counted: the content of ``summary.json``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Literal

import polars as pl

from pipeline.batch import LineAccount, SourceFormat
from pipeline.config import Allowance
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
    format: SourceFormat | None = None
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
    max_invalid: Allowance = field(default_factory=Allowance)
    seconds: float = 0.0
    peak_memory_bytes: int | None = None
    _first: dict[str, tuple[int, int]] = field(default_factory=dict, repr=False)

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

    def add(self, counted: InputSummary, place: pl.DataFrame, verdict: pl.DataFrame) -> None:
        """Count the verdicts on one batch of an input; ``place`` says where its records came from, row for row."""
        self.rows_read += verdict.height
        self._count(counted, verdict)
        number = next(number for number, one in enumerate(self.inputs) if one is counted)
        self._find_first(place.select("row", "line"), verdict["reasons"], number)

    def add_games(self, games: pl.DataFrame) -> None:
        """Count games of a log (columns ``verdict.log.GAMES``), each in the input of its first row.

        Inputs are numbered by their places in ``inputs``.
        """
        for (number,), started in games.partition_by("first_file", as_dict=True).items():
            self._count(self.inputs[number], started)
        self._find_first(games.select("row", "line", "file"), games["reasons"])

    def forget(self) -> None:
        """Forget all that was counted so far, of the inputs too."""
        self.records, self.rows_read = Records(), 0
        self.reasons, self._first = {}, {}
        self.outcomes = dict.fromkeys(OUTCOMES, 0)
        for one in self.inputs:
            one.records = Records()

    def _count(self, counted: InputSummary, verdict: pl.DataFrame) -> None:
        invalid = (verdict["reasons"] != 0).arg_true()
        for records in (self.records, counted.records):
            records.add(verdict.height - invalid.len(), invalid.len())
        outcomes, of_invalid = verdict["outcome"], verdict["outcome"].gather(invalid)
        for outcome, bit in OUTCOME_BIT.items():
            self.outcomes[outcome] += int((outcomes == bit).sum()) - int((of_invalid == bit).sum())

    def _find_first(self, place: pl.DataFrame, reasons: pl.Series, number: int | None = None) -> None:
        """Count the reasons, and keep the first record of each, in the order of the inputs and their rows.

        ``number`` is the input where ``place`` has no column ``file``.
        """
        rows = (reasons != 0).arg_true()
        if rows.is_empty():
            return
        invalid = place[rows].with_columns(reasons.gather(rows).alias("reasons"))
        invalid = invalid.sort("file", "row") if number is None else invalid.with_columns(file=pl.lit(number))
        sets = invalid.group_by("reasons", maintain_order=True).agg(pl.col("file", "row", "line").first(), pl.len())
        for together, file, row, line, records in sets.iter_rows():
            first = First(self.inputs[file].file, row, line)
            for code in codes(together):
                count = self.reasons.setdefault(code, ReasonCount(0, first))
                count.records += records
                if (file, row) < self._first.setdefault(code, (file, row)):
                    self._first[code] = (file, row)
                    count.first = first

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
            "policy": {"max_invalid": self.max_invalid.text},
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


def _input_as_dict(one: InputSummary, layout: dict[str, Any]) -> dict[str, Any]:
    """What is known of an input; its layout only where it differs from that of the first."""
    values = asdict(one)
    if values["layout"] == layout:
        del values["layout"]
    return {key: value for key, value in values.items() if value is not None}


def write_summary(folder: Path, summary: Summary) -> None:
    """Write ``summary.json``.

    Raises:
        OSError: it cannot be written.
    """
    text = json.dumps(summary.as_dict(), indent=2, ensure_ascii=False)
    (folder / "summary.json").write_text(text + "\n", encoding="utf-8")

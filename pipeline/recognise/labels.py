"""Tells which column is the label: by its name and what is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.config import NONE, LayoutOptions
from pipeline.errors import InputError
from pipeline.recognise.names import is_label
from pipeline.recognise.sample import WIDEST, Sample

_OF_PLAYERS = frozenset({"x", "o", "a", "b"})
"""Labels that may as well be the players of something."""


@dataclass(frozen=True, slots=True)
class Label:
    """The column of the label, if there is one, and those that are none though their names or values say so.

    ``ignored`` have a label's name and other values, the most frequent of which are kept; ``unnamed`` hold labels
    under another name.
    """

    column: str | None
    ignored: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unnamed: tuple[str, ...] = ()


def label(free: Sequence[str], options: LayoutOptions, sample: Sample, *, has_header: bool) -> Label:
    """The label among the columns that hold nothing else.

    Where a file has names, only a column with a label's name is one; without a header its values tell.

    Raises:
        InputError: more than one choice.
    """
    if options.outcome is not None:
        return Label(None if options.outcome == NONE else options.outcome)
    candidates = [name for name in free if is_label(name)] if has_header else list(free[:WIDEST])
    found = [name for name in candidates if sample.holds_labels(name, options)]
    # A column without any values is the label only where no other is.
    filled = [name for name in found if not sample.is_never_filled(name)]
    found = filled or (found if has_header else [])
    if len(found) > 1:
        raise InputError(
            f"columns {found[0]!r} and {found[1]!r} could both be the label; choose one with --outcome, "
            f"or --outcome {NONE}"
        )
    if found and not has_header and _may_be_players(found[0], sample):
        raise InputError(
            f"column {found[0]!r} may be the label, or a player: say --outcome {found[0]} or --outcome {NONE} "
            f"(or --player {found[0]} in a log)"
        )
    return Label(
        found[0] if found else None,
        ignored={name: sample.unknown_labels(name, options) for name in candidates if has_header and name not in found},
        unnamed=() if found else _unnamed(free, options, sample),
    )


def _unnamed(free: Sequence[str], options: LayoutOptions, sample: Sample) -> tuple[str, ...]:
    filled = (name for name in free[:WIDEST] if not sample.is_never_filled(name))
    return tuple(name for name in filled if sample.holds_labels(name, options) and not _may_be_players(name, sample))


def _may_be_players(name: str, sample: Sample) -> bool:
    return {symbol.lower() for symbol in sample.symbols(name)} <= _OF_PLAYERS | {""}

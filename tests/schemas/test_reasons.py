"""The registry of reasons: every example is run, every name and bit is one of a kind."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from conftest import Command
from schemas.reasons import BIT, REASONS, Example, Reason, bits, codes

NEVER_ALONE = {
    "BOTH_WIN": ["BOTH_WIN", "X_WIN_COUNT"],
    "MOVES_TOO_MANY": ["CELL_OCCUPIED", "MOVES_TOO_MANY"],
}


def written(folder: Path, example: Example) -> Path:
    if example.record is None:
        path = folder / "example.parquet"
        pl.DataFrame({example.header: [None]}, schema={example.header: pl.String}).write_parquet(path)
    else:
        path = folder / "example.csv"
        path.write_bytes(example.content)
    return path


@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS)
def test_bad_example_has_this_reason_and_no_other(reason: Reason, tmp_path: Path, command: Command) -> None:
    path = written(tmp_path, reason.bad)
    done = command("run", path, *reason.bad.options, "--json")
    assert done.exit_code == 1, done.err
    assert list(done.json["reasons"]) == NEVER_ALONE.get(reason.code, [reason.code])


@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS)
def test_good_example_is_valid(reason: Reason, tmp_path: Path, command: Command) -> None:
    path = written(tmp_path, reason.good)
    done = command("run", path, *reason.good.options, "--json")
    assert done.exit_code == 0, done.err
    assert done.json["records"]["invalid"] == 0


def test_codes_and_bits_are_inverse() -> None:
    assert sorted(REASONS) == codes(sum(BIT.values()))
    for code in REASONS:
        assert codes(bits([code])) == [code]
    with pytest.raises(KeyError):
        bits(["NO_SUCH_CODE"])


def test_bits_fit_an_unsigned_32_bit_number() -> None:
    assert len(set(BIT.values())) == len(REASONS)
    assert max(BIT.values()) < 2**32

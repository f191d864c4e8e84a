"""What can be read only once is kept, and comes again as it came."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal, assert_series_equal

from pipeline.batch import Batch
from pipeline.errors import InputError
from pipeline.ingest.content import text_stream
from pipeline.ingest.parquet import ParquetSource
from pipeline.ingest.spool import SpooledSource
from pipeline.ingest.text import Dialect, TextSource

CONTENT = b'game,ply,square\na,1,0\r\n\na,2,1\nb,"1\na,2\nc\xff,1,2\n'


def source(content: bytes, *, keep_lines: bool = True, block_bytes: int = 12) -> TextSource:
    """A text source of many small batches that can be read only once."""
    stream = text_stream("-", io.BytesIO(content))
    return TextSource("-", lambda: stream, Dialect(header=True), keep_lines=keep_lines, block_bytes=block_bytes)


def assert_same(found: list[Batch], expected: list[Batch]) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert_frame_equal(one.columns, other.columns)
        assert_frame_equal(one.place, other.place)
        assert (one.lines is None) == (other.lines is None)
        if one.lines is not None and other.lines is not None:
            assert_series_equal(one.lines, other.lines, check_names=False)


@pytest.mark.parametrize("keep_lines", [True, False])
def test_batches_come_again_as_they_came(keep_lines: bool, tmp_path: Path) -> None:
    expected = list(source(CONTENT, keep_lines=keep_lines).batches())
    assert len(expected) > 2
    spooled = SpooledSource(source(CONTENT, keep_lines=keep_lines), tmp_path / "kept")
    for _ in range(3):
        assert_same(list(spooled.batches()), expected)


def test_they_come_again_after_the_source_is_closed(tmp_path: Path) -> None:
    spooled = SpooledSource(source(CONTENT), tmp_path / "kept")
    first = list(spooled.batches())
    spooled.close()
    spooled.close()
    assert_same(list(spooled.batches()), first)


def test_all_else_is_that_of_the_source(tmp_path: Path) -> None:
    text = source(CONTENT)
    spooled = SpooledSource(text, tmp_path / "kept")
    list(spooled.batches())
    assert (spooled.file, spooled.format, spooled.bytes) == ("-", "csv", len(CONTENT))
    assert spooled.schema == text.schema
    assert spooled.lines == text.lines
    lines = spooled.lines
    list(spooled.batches())
    assert spooled.lines == lines


def test_parquet_keeps_types(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "moves": [[0, 1], None],
            "pair": [{"row": 0, "col": 1}, None],
            "kind": pl.Series(["a", "b"], dtype=pl.Categorical),
            "flag": [True, None],
            "bytes": [b"\xff", None],
        }
    )
    table.write_parquet(tmp_path / "table.parquet")
    parquet = ParquetSource(str(tmp_path / "table.parquet"), batch_rows=1)
    spooled = SpooledSource(parquet, tmp_path / "kept")
    first = list(spooled.batches())
    assert_same(list(spooled.batches()), first)
    assert_frame_equal(pl.concat(batch.columns for batch in spooled.batches()), table)
    assert spooled.format == "parquet"
    assert spooled.lines is None


def test_damage_comes_again_after_the_batches_before_it(tmp_path: Path) -> None:
    rows = "".join(f"g{number},1,{number * 7919 % 1_000_003}\n" for number in range(200_000))
    whole = gzip.compress(f"game,ply,square\n{rows}".encode())
    damaged = source(whole[: len(whole) // 2], block_bytes=1 << 16)
    spooled = SpooledSource(damaged, tmp_path / "kept")
    passes: list[list[Batch]] = []
    messages = []
    for _ in range(3):
        passes.append([])
        with pytest.raises(InputError, match="damaged") as caught:
            passes[-1].extend(spooled.batches())
        messages.append(str(caught.value))
    assert sum(batch.place.height for batch in passes[0]) > 1_000
    assert_same(passes[1], passes[0])
    assert_same(passes[2], passes[0])
    assert len(set(messages)) == 1


def test_no_records_at_all(tmp_path: Path) -> None:
    spooled = SpooledSource(source(b"game,ply,square\n"), tmp_path / "kept")
    assert list(spooled.batches()) == []
    assert list(spooled.batches()) == []

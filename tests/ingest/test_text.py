"""Reading of delimited text, compared with a plain splitter that walks a whole file byte by byte."""

from __future__ import annotations

import io
import zlib
from typing import BinaryIO
from unittest import mock

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.batch import PLACE, LineAccount
from pipeline.errors import InputError
from pipeline.ingest import records
from pipeline.ingest.text import Dialect, TextSource
from plain_splitter import expected
from schemas.reasons import REASONS, Reason, Stage, bits, codes


def source(data: bytes, dialect: Dialect | None = None, **options: object) -> TextSource:
    return TextSource("file", lambda: io.BytesIO(data), dialect or Dialect(header=True), **options)  # type: ignore[arg-type]


def check(data: bytes, dialect: Dialect, multiline: int | None, block_bytes: int, limits: tuple[int, int]) -> None:
    wanted = expected(data, dialect, multiline, limits)
    with mock.patch.multiple(records, LONGEST_BYTES=limits[0], LONGEST_LINES=limits[1]):
        if wanted is None:
            with pytest.raises(InputError):
                source(data, dialect, block_bytes=block_bytes)
            return
        text = source(data, dialect, block_bytes=block_bytes, keep_lines=True)
        assert (text.schema.names(), text.header_bytes) == (wanted.names, wanted.header)
        assert text.delimiter == wanted.delimiter
        if multiline is not None and multiline < len(wanted.names):
            text.multiline_column = wanted.names[multiline]
        got = []
        rows = []
        for batch in text.batches():
            assert batch.place.schema == PLACE
            assert batch.columns.schema == text.schema
            assert batch.lines is not None
            assert batch.lines.dtype == pl.Binary
            nothing = (None,) * len(wanted.names)
            for values, (row, line, raw, reasons), original in zip(
                batch.columns.rows(), batch.place.rows(), batch.lines, strict=True
            ):
                rows.append(row)
                got.append((line, raw, reasons, None if values == nothing else list(values), original))
    assert got == wanted.records
    assert rows == list(range(len(rows)))
    assert text.lines == wanted.account
    assert text.bytes == len(data)


PIECES = [
    *(
        b'"',
        b'"',
        b'""',
        b",",
        b",",
        b";",
        b"|",
        b"\t",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b" ",
        b"a",
        b"x^",
        b"x\x01",
    ),
    *(
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xa9",
        b"\xc3\xa9",
        "✗".encode(),
        b"\xef\xbb\xbf",
        b"\xef\xbf\xbd",
        b"a,b\n",
    ),
    *(
        b'"XO.\nOX.\r\n..X"',
        b'"\xc3\xa9..\n...\n..."',
        b'"[1,2]",b\n',
        b'a,"b\n',
        b'b","c\n',
        b'"a""b"',
        b"\x1f\x8b",
    ),
]
LIMITS = st.one_of(st.just((1 << 20, 10_000)), st.tuples(st.integers(1, 12), st.integers(1, 3)), st.just((1 << 20, 1)))
DIALECTS = st.builds(Dialect, st.booleans(), st.sampled_from([None, ",", ";", "\t", "|", " ", "a"]))
BLOCKS = st.one_of(st.integers(1, 64), st.just(16 << 20))
MULTILINE = st.sampled_from([None, 0, 1])
FIELDS = st.one_of(
    st.text(st.sampled_from("XO. é#'"), max_size=4).map(str.encode),
    st.text(st.sampled_from('XO.,"é'), max_size=4).map(lambda text: f'"{text}"'.replace('""', '"').encode()),
    st.text(st.sampled_from('X,"'), max_size=4).map(lambda text: ('"' + text.replace('"', '""') + '"').encode()),
)
LINES = st.builds(
    lambda fields, end: b",".join(fields) + end,
    st.one_of(st.lists(FIELDS, min_size=2, max_size=2), st.lists(FIELDS, min_size=1, max_size=3)),
    st.sampled_from([b"\n", b"\n", b"\r\n"]),
)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join), DIALECTS, MULTILINE, BLOCKS, LIMITS)
def test_agrees_with_plain_splitter_on_nasty_pieces(
    data: bytes, dialect: Dialect, multiline: int | None, block_bytes: int, limits: tuple[int, int]
) -> None:
    check(data, dialect, multiline, block_bytes, limits)


@given(
    st.lists(LINES, max_size=12).map(b"".join),
    st.booleans(),
    st.sampled_from([b"", b"a,b", b"a,", b"a"]),
    BLOCKS,
)
def test_agrees_with_plain_splitter_on_likely_lines(data: bytes, header: bool, last: bytes, block_bytes: int) -> None:
    check(b"a,b\n" + data + last, Dialect(header, ","), 0, block_bytes, (1 << 20, 10_000))


@given(st.lists(st.sampled_from([b"a", b"b", b"\n", b"\r\n", b",", b'"']), max_size=12).map(b"".join), BLOCKS)
def test_agrees_with_plain_splitter_on_one_column(data: bytes, block_bytes: int) -> None:
    check(b"board\n" + data, Dialect(header=True, delimiter=","), None, block_bytes, (1 << 20, 10_000))


# Each rule by itself.


def read(
    data: bytes, dialect: Dialect | None = None, *, multiline: str | None = None, block_bytes: int = 16 << 20
) -> list[tuple[int, int, str | None, list[str], tuple[str | None, ...]]]:
    """Every record as (row, line, raw, codes, values)."""
    text = source(data, dialect, block_bytes=block_bytes)
    text.multiline_column = multiline
    return [
        (row, line, raw, codes(reasons), values)
        for batch in text.batches()
        for values, (row, line, raw, reasons) in zip(batch.columns.rows(), batch.place.rows(), strict=True)
    ]


def found(record: bytes, header: bytes = b"board,winner", **options: object) -> list[list[str]]:
    return [reasons for _, _, _, reasons, _ in read(header + b"\n" + record, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "reason"),
    [(code, reason) for code, reason in REASONS.items() if reason.stage is Stage.RECORD],
    ids=str,
)
def test_examples_of_the_registry(code: str, reason: Reason) -> None:
    bad = read(reason.bad.content, Dialect(header=True, delimiter=","))
    good = read(reason.good.content, Dialect(header=True, delimiter=","))
    assert bad[0][3] == [code]
    assert [reasons for *_, reasons, _ in good] == [[]] * len(good)


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_nothing_at_all_is_empty(data: bytes) -> None:
    with pytest.raises(InputError, match="is empty"):
        source(data)


@pytest.mark.parametrize("header", [True, False])
def test_only_blank_lines_are_refused(header: bool) -> None:
    with pytest.raises(InputError, match="only blank lines"):
        source(b"\n\r\n\n", Dialect(header), block_bytes=1)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_other_encodings_are_named(encoding: str) -> None:
    with pytest.raises(InputError, match=rf"{encoding[:6].upper()} .*convert it to UTF-8"):
        source("\ufeffboard\nXO.......\n".encode(encoding))


@pytest.mark.parametrize("header", [b'"a\nb,c\n', b'"a"b,c\n', b"caf\xe9,b\n"])
def test_unreadable_header_is_refused(header: bytes) -> None:
    with pytest.raises(InputError, match="header"):
        source(header + b"1,2\n")


def test_header_alone_has_no_records() -> None:
    text = source(b"\nboard,winner")
    assert list(text.batches()) == []
    assert text.header_bytes == b"board,winner"
    assert text.lines == LineAccount(read=2, header=1, blank=1)


def test_byte_order_mark_is_no_text_at_the_start_alone() -> None:
    text = source(b"\xef\xbb\xbfboard\r\n\xef\xbb\xbfa\r\n")
    assert text.header_bytes == b"\xef\xbb\xbfboard\r\n"
    assert text.schema == pl.Schema({"board": pl.String})
    assert [batch.columns.rows() for batch in text.batches()] == [[("\ufeffa",)]]


def test_repeated_names_are_numbered_past_taken_ones() -> None:
    text = source(b"a,a,a_duplicated_0,a,,\n")
    assert text.schema.names() == [*("a", "a_duplicated_1", "a_duplicated_0", "a_duplicated_2", "", "_duplicated_0")]


def test_without_header_the_first_record_counts_fields() -> None:
    text = source(b"\nXO.......;X\nO\n", Dialect(header=False))
    assert text.schema.names() == ["column_1", "column_2"]
    assert text.header_bytes == b""
    (batch,) = text.batches()
    assert batch.place["line"].to_list() == [2, 3]
    assert batch.place["reasons"].to_list() == [0, bits(["FIELDS_MISSING"])]


@pytest.mark.parametrize(
    ("first", "delimiter"),
    [
        (b"board", ","),
        (b"a;b,c;d", ";"),
        (b"a\tb", "\t"),
        (b"a|b|c,d", "|"),
        (b"a;b,c", ","),
        (b'"a,b,c";d', ";"),
        (b'a"b;c', ";"),
    ],
)
def test_delimiter_is_told_from_the_first_record(first: bytes, delimiter: str) -> None:
    assert source(first + b"\n").delimiter == delimiter


def test_text_is_kept_as_written() -> None:
    assert read(b'a,b\n" X ", y \n"",\nab"c,"d""e"\nlone\rreturn,\r\n\0,#\n') == [
        (0, 2, None, [], (" X ", " y ")),
        (1, 3, None, [], ("", "")),
        (2, 4, None, [], ('ab"c', 'd"e')),
        (3, 5, None, [], ("lone\rreturn", "")),
        (4, 6, None, [], ("\0", "#")),
    ]


def test_lone_return_at_the_end_of_the_file_is_a_character() -> None:
    assert [values for *_, values in read(b"board\nX\r\nO\r")] == [("X",), ("O\r",)]


def test_blank_lines_are_counted_and_are_no_records() -> None:
    text = source(b"board\n\nX\n\r\n \n")
    (batch,) = text.batches()
    assert batch.columns["board"].to_list() == ["X", " "]
    assert batch.place["line"].to_list() == [3, 5]
    assert text.lines == LineAccount(read=5, header=1, blank=2, records=2)


def test_long_row_does_not_hide_a_short_one() -> None:
    assert found(b"X\nO,1,\n") == [["FIELDS_MISSING"], ["FIELDS_EXTRA"]]
    assert found(b"X\nO,1,") == [["FIELDS_MISSING"], ["FIELDS_EXTRA"]]


def test_broken_quote_costs_only_its_own_line() -> None:
    assert read(b'a,b\n"1,2\n3,4\n"5"6,7\n8,9') == [
        (0, 2, '"1,2', ["QUOTE_BROKEN"], (None, None)),
        (1, 3, None, [], ("3", "4")),
        (2, 4, '"5"6,7', ["QUOTE_BROKEN"], (None, None)),
        (3, 5, None, [], ("8", "9")),
    ]


def test_broken_quote_stands_alone() -> None:
    assert found(b'\xff,"1,2,3') == [["QUOTE_BROKEN"]]


def test_line_break_keeps_columns_and_combines() -> None:
    assert read(b'a,b\n"1\n\n2",3\n"4\n5"\n"\xff\n",,\n6,7\n') == [
        (0, 2, None, ["LINE_BREAK_IN_FIELD"], ("1\n\n2", "3")),
        (1, 5, '"4\n5"', ["FIELDS_MISSING", "LINE_BREAK_IN_FIELD"], (None, None)),
        (2, 7, '"\\xff\n",,', ["FIELDS_EXTRA", "LINE_BREAK_IN_FIELD", "NOT_UTF8"], (None, None)),
        (3, 9, None, [], ("6", "7")),
    ]


@pytest.mark.parametrize(
    ("board", "fine"),
    [
        ("XO.\n...\n..X", True),
        ("XO.\r\n...\n✗✗✗", True),
        ("XO.\n...\n..", False),
        ("XO.\n...\n...\n", False),
        ("XO.\n\n...", False),
        ("XO\r\n...\n...", False),
        ("XO.......\n", False),
    ],
)
def test_board_on_three_lines(board: str, fine: bool) -> None:
    record = f'"{board}",X\n'.encode()
    assert found(record, multiline="board") == [[] if fine else ["LINE_BREAK_IN_FIELD"]]
    assert found(record, multiline="winner") == [["LINE_BREAK_IN_FIELD"]]


def test_not_utf8_is_split_all_the_same() -> None:
    assert found(b"caf\xe9,X\n\xe9\n,,\xe9\nX,\xc3\n\xa9,X\n") == [
        ["NOT_UTF8"],
        ["FIELDS_MISSING", "NOT_UTF8"],
        ["FIELDS_EXTRA", "NOT_UTF8"],
        ["NOT_UTF8"],
        ["NOT_UTF8"],
    ]


@pytest.mark.parametrize("block_bytes", [1, 16 << 20])
def test_quote_closes_within_the_longest_record(block_bytes: int) -> None:
    lines = b"x\n" * records.LONGEST_LINES
    closed = found(b'"' + lines + b'",X\nO,O\n', block_bytes=block_bytes)
    assert closed == [["LINE_BREAK_IN_FIELD"], []]
    text = b"x" * (records.LONGEST_BYTES - 1)
    assert found(b'"\n' + text + b'",X\n', block_bytes=block_bytes) == [["LINE_BREAK_IN_FIELD"]]


@pytest.mark.parametrize("block_bytes", [1, 16 << 20])
def test_quote_that_closes_later_is_broken(block_bytes: int) -> None:
    lines = b"x,\n" * (records.LONGEST_LINES + 1)
    assert found(b'"\n' + lines + b'",X\n', block_bytes=block_bytes)[:2] == [["QUOTE_BROKEN"], []]
    text = b"x" * records.LONGEST_BYTES
    late = found(b'"\n' + text + b'",X\n', block_bytes=block_bytes)
    assert late == [["QUOTE_BROKEN"], []]


def test_chain_of_quotes_that_breaks_is_split_once() -> None:
    length = 3 * records.LONGEST_LINES
    chain = b'"a\n' + b'b","c\n' * length + b'd"e,f\n'
    steps = 0
    original = records.RecordSplitter._unquoted_end

    def counted(self: records.RecordSplitter, data: bytes, start: int) -> int:
        nonlocal steps
        steps += 1
        return original(self, data, start)

    with mock.patch.object(records.RecordSplitter, "_unquoted_end", counted):
        reasons = found(chain)
    assert reasons == [["QUOTE_BROKEN"]] * (length + 1) + [[]]
    assert steps <= 3 * length


class Breaking(io.RawIOBase):
    """A stream that fails after some bytes."""

    def __init__(self, data: bytes, error: BaseException) -> None:
        """Delivers ``data``, then raises ``error``."""
        self.rest, self.error = data, error

    def read(self, size: int = -1) -> bytes:
        if not self.rest:
            raise self.error
        piece, self.rest = self.rest[: min(size, 5)], self.rest[min(size, 5) :]
        return piece


@pytest.mark.parametrize("error", [OSError("gone"), EOFError("cut"), zlib.error("bad"), pa.ArrowInvalid("bad")])
@pytest.mark.parametrize("block_bytes", [1, 16 << 20])
def test_damage_on_the_way_keeps_what_was_read(error: Exception, block_bytes: int) -> None:
    text = TextSource("f", lambda: Breaking(b"a\n1\n2\n3", error), Dialect(header=True), block_bytes=block_bytes)  # type: ignore[arg-type, return-value]
    seen: list[str] = []
    with pytest.raises(InputError, match="f: is damaged after 7 bytes"):
        seen.extend(value for batch in text.batches() for value in batch.columns["a"])
    assert text.lines == LineAccount(read=3, header=1, records=2)


@pytest.mark.parametrize("block_bytes", [1, 16 << 20])
def test_whole_lines_before_damage_are_read_an_open_quote_among_them(block_bytes: int) -> None:
    data = b'a\n1\n"2\n3\npart of a li'
    text = TextSource(
        "f",
        lambda: Breaking(data, OSError("gone")),  # type: ignore[arg-type, return-value]
        Dialect(header=True),
        block_bytes=block_bytes,
    )
    values: list[str | None] = []

    def read_on() -> None:
        for batch in text.batches():
            values.extend(batch.columns["a"])

    with pytest.raises(InputError, match=f"damaged after {len(data)} bytes"):
        read_on()
    assert values == ["1", None, "3"]
    assert text.lines == LineAccount(read=4, header=1, blank=0, records=3)


def test_damage_in_the_header_and_at_opening() -> None:
    with pytest.raises(InputError, match="damaged after 3 bytes"):
        TextSource("f", lambda: Breaking(b"a,b", OSError("gone")), Dialect(header=True))  # type: ignore[arg-type, return-value]

    def missing() -> BinaryIO:
        raise FileNotFoundError("no such file")

    with pytest.raises(InputError, match="no such file"):
        TextSource("f", missing, Dialect(header=True))


def test_want_of_memory_is_not_taken_for_damage() -> None:
    error = pa.ArrowMemoryError("no memory")
    with pytest.raises(MemoryError):
        TextSource("f", lambda: Breaking(b"", error), Dialect(header=True))  # type: ignore[arg-type, return-value]


def test_sizes_and_kind() -> None:
    text = source(b"a\n1\n", size=99)
    assert (text.file, text.format, text.bytes) == ("file", "csv", 99)
    assert next(text.batches()).lines is None


def test_wide_and_long_lines() -> None:
    wide = b"," * 4_095
    assert found(wide + b"\n" + b"x" * 16_000_000 + b",\n", block_bytes=1 << 16) == [["FIELDS_EXTRA"], []]
    text = source(wide + b"\n" + wide + b"\n1\n")
    assert [batch.columns.shape for batch in text.batches()] == [(2, 4_096)]
    assert found(b'"' + b'""' * 3_000_000 + b'",X') == [[]]
    with pytest.raises(InputError, match="has 1,000,000 columns, more than 4,096"):
        source(b"," * 999_999 + b"\n")


@pytest.mark.parametrize("block_bytes", [1 << 16, 16 << 20])
@pytest.mark.parametrize("end", [b"", b"\n", b"\n4\n"])
def test_line_without_an_end_in_sight_is_not_read(block_bytes: int, end: bytes) -> None:
    text = source(b"a\n1\n2\n" + b"x" * (33 << 20) + end, block_bytes=block_bytes)
    batches = text.batches()
    assert next(batches).columns["a"].to_list() == ["1", "2"]
    with pytest.raises(InputError, match="line 4 is longer than 16,777,216 bytes, and nothing from it on is read"):
        next(batches)
    assert text.lines == LineAccount(read=3, header=1, blank=0, records=2)


def test_many_short_lines_under_many_columns_come_in_several_batches() -> None:
    text = source(b"," * 4_095 + b"\n" + b"x\n" * 5_000)
    assert [batch.place.height for batch in text.batches()] == [4_096, 904]


def test_format_is_never_guessed_from_the_first_bytes() -> None:
    for start in (b"x\x01", b"x^", b"\xef\xbb\xbf", b"\x1f\x8b", b"#", b"//"):
        values = [values for *_, values in read(b"a\n" + start + b"z\n")]
        assert values == ([(None,)] if start == b"\x1f\x8b" else [(start.decode() + "z",)])


def test_polars_confirms_or_the_line_is_split_alone() -> None:
    data = b'a,b\n1,"2"\n3\n4,5\n'
    wanted = read(data)
    with mock.patch("pipeline.ingest.bulk._read", return_value=None):
        assert read(data) == wanted

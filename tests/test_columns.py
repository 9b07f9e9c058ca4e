"""Strings, bytes and lists as columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.columns import Binary, Lists, Spans, Strings, gather_bytes, offsets_of, running_sums, spans_index

texts = st.lists(st.one_of(st.none(), st.text(max_size=12)), max_size=12)


@given(texts)
def test_strings_come_back(rows: list[str | None]) -> None:
    assert Strings.from_list(rows).to_objects().tolist() == [
        None if row is None else row.encode("utf-8", "replace").decode() for row in rows
    ]


@given(texts, st.data())
def test_taking_rows_is_taking_from_the_list(rows: list[str | None], data: st.DataObject) -> None:
    rows = [None if row is None else row.encode("utf-8", "replace").decode() for row in rows]
    column = Strings.from_list(rows)
    indices = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=6)) if rows else []
    assert column.take(np.array(indices, int)).to_objects().tolist() == [rows[i] for i in indices]
    start, stop = data.draw(st.tuples(st.integers(-3, 15), st.integers(-3, 15)))
    assert column.take(slice(start, stop)).to_objects().tolist() == rows[start:stop]
    offsets, values = column.take(slice(start, stop)).flat()
    assert offsets[0] == 0 and offsets[-1] == len(values)


@given(st.lists(st.integers(-2, 4), max_size=20))
def test_codes_share_entries(codes: list[int]) -> None:
    entries = ["ann", "bób", ""]
    column = Strings.from_codes(np.array(codes, int), entries)
    expected = [entries[code] if 0 <= code < 3 else None for code in codes]
    assert column.to_objects().tolist() == expected
    offsets, values = column.flat()
    assert values.tobytes().decode() == "".join(text or "" for text in expected)
    assert len(offsets) == len(codes) + 1


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_spans_of_a_buffer(encoding: str) -> None:
    pieces = ["Zażółć" if encoding == "utf-8" else "Jörg", "", "plain", "x" * 100]
    raw = [piece.encode(encoding) for piece in pieces]
    starts = np.cumsum([0, *map(len, raw)])[:-1]
    column = Strings.from_spans(b"".join(raw), starts, np.array([*map(len, raw)]), encoding)
    assert column.to_objects().tolist() == pieces


def test_undecodable_bytes_are_replaced() -> None:
    column = Strings.from_spans(b"ab\xffc\xc3", np.array([0, 2, 4]), np.array([2, 2, 1]))
    assert column.to_objects().tolist() == ["ab", "\ufffdc", "\ufffd"]


def test_lone_surrogates_do_not_break_a_column() -> None:
    assert Strings.from_list(["a\ud800b"]).to_objects().tolist() == ["a?b"]


def test_many_short_spans_are_gathered_in_bounded_steps() -> None:
    rng = np.random.default_rng(1)
    buffer = bytes(range(256)) * 10
    starts, lengths = rng.integers(0, 2000, 50_000), rng.integers(0, 40, 50_000)
    offsets, data = gather_bytes(buffer, starts, lengths)
    assert data.tobytes() == b"".join(buffer[a : a + n] for a, n in zip(starts.tolist(), lengths.tolist(), strict=True))
    assert offsets[-1] == len(data)


def test_spans_index() -> None:
    assert spans_index(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]
    assert offsets_of(np.array([2, 0, 3])).tolist() == [0, 2, 2, 5]


def test_lists_of_numbers_and_of_strings() -> None:
    numbers = Lists.from_lists([[1, 2], None, [], [3]], "int32")
    assert [None if row is None else row.tolist() for row in numbers.to_objects()] == [[1, 2], None, [], [3]]
    words = Lists.from_lists([["a", "b"], [], ["ć"]], "string")
    assert words.to_objects().tolist() == [["a", "b"], [], ["ć"]]
    assert words.take(np.array([2, 0])).to_objects().tolist() == [["ć"], ["a", "b"]]
    assert words.take(slice(1, 3)).to_objects().tolist() == [[], ["ć"]]


def test_lists_in_codes_share_entries() -> None:
    lists = Lists(np.array([0, 2, 3]), np.array([7, 8, 9]), codes=np.array([1, 0, -1, 1]))
    assert [None if row is None else row.tolist() for row in lists.to_objects()] == [[9], [7, 8], None, [9]]
    offsets, values = lists.flat()
    assert (offsets.tolist(), values.tolist()) == ([0, 1, 3, 3, 4], [9, 7, 8, 9])


def test_binary_spans() -> None:
    column = Binary.from_spans(b"\0\1\2\3", np.array([1, 0]), np.array([3, 0]))
    assert column.to_objects().tolist() == [b"\1\2\3", b""]


@given(st.lists(st.integers(-(2**15), 2**15 - 1)), st.sampled_from(["u4", "i4", "i8"]))
def test_running_sums_are_those_of_numpy(numbers: list[int], dtype: str) -> None:
    stored = np.array(numbers, "<i2").view("<u2" if dtype == "u4" else "<i2")
    sums = running_sums(stored, dtype)
    assert sums.dtype == dtype
    assert sums.tolist() == np.cumsum(stored, dtype=dtype).tolist()


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), max_size=20), st.booleans(), st.data())
def test_spans_are_the_bytes_that_they_span(places: list[tuple[int, int]], nulls: bool, data: st.DataObject) -> None:
    buffer = bytes(range(60))
    starts, lengths = (np.array([place[i] for place in places], np.int32) for i in (0, 1))
    valid = starts % 2 == 0 if nulls else None
    column = Spans(buffer, starts, lengths, valid)
    rows = [None if nulls and at % 2 else buffer[at : at + size] for at, size in places]
    assert len(column) == len(places) and column.to_objects().tolist() == rows
    indices = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=6)) if rows else []
    assert column.take(np.array(indices, int)).to_objects().tolist() == [rows[i] for i in indices]
    assert column.take(slice(1, 5)).to_objects().tolist() == rows[1:5]
    offsets, values = column.flat()
    assert Binary(offsets, values, valid=valid).to_objects().tolist() == rows
    assert column.nbytes == 60 + 8 * len(places)

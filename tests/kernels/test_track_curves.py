"""The kernel, plain and compiled, against the numpy code that it stands in for."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ksreplay import kernels
from ksreplay.errors import ReplayError
from ksreplay.formats import cbtrack as framing
from ksreplay.formats.cbtrack_build import build_chunk
from ksreplay.semantics.cbtrack import coding
from ksreplay.semantics.cbtrack.encode import put_escaped, put_times, put_wrapping

KERNELS = [kernels.load("track_curves", pure=True)]
if kernels.is_compiled(kernels.load("track_curves", pure=False)):
    KERNELS.append(kernels.load("track_curves", pure=False))


def columns_of(stored: dict[int, Any]) -> framing.Columns:
    raw = build_chunk(stored)
    return framing.read_columns(framing.Chunk(framing.Place("chunk", 64, len(raw)), raw, 0))


@st.composite
def sections(draw: st.DrawFn) -> tuple[dict[int, Any], np.ndarray, np.ndarray, np.ndarray]:
    """Stored columns of pose keys (with wraps from column 24 on), bounds and lives; now and then something is wrong."""
    sizes = draw(st.lists(st.integers(0, 5), min_size=1, max_size=5))
    bounds = coding.bounds_of(np.array(sizes))
    count = int(bounds[-1])
    starts, _ = coding.starts_of(bounds)
    time = np.zeros(count, np.int64)
    for begin, end in pairwise(bounds):
        frames = st.lists(st.integers(0, 900), min_size=int(end - begin), max_size=int(end - begin), unique=True)
        time[begin:end] = sorted(draw(frames))
    stored: dict[int, Any] = {}
    put_times(stored, 58, time, starts, "time")
    wide = st.integers(-16_777_215, 16_777_215) | st.integers(-9, 9)
    for column in (59, 60, 61, 65, 66, 67):
        values = draw(st.lists(wide, min_size=count, max_size=count))
        put_escaped(stored, column, np.array(values, np.int64), starts, "values")
    for column in (24, 25, 26):
        values = draw(st.lists(st.integers(0, 65_535), min_size=count, max_size=count))
        put_wrapping(stored, column, np.array(values, np.uint16), starts)
    if draw(st.booleans()) and count:
        column = draw(st.sampled_from(sorted(stored)))
        array = stored[column].copy()
        if draw(st.booleans()) and len(array):
            at = draw(st.integers(0, len(array) - 1))
            array[at] = draw(st.sampled_from([0, 1, -32_768, 32_767])) & 0xFFFF if array.dtype.kind == "u" else -32_768
        else:
            array = array[:-1]
        stored[column] = array
    first = np.full(len(sizes), draw(st.sampled_from([0, 0, 1])), np.uint16)
    last = np.full(len(sizes), draw(st.sampled_from([900, 900, 500])), np.uint16)
    return stored, bounds, first, last


@settings(max_examples=150, deadline=None)
@given(sections())
def test_a_section_is_decoded_as_numpy_does_it(
    case: tuple[dict[int, Any], np.ndarray, np.ndarray, np.ndarray],
) -> None:
    stored, bounds, first, last = case
    columns = columns_of(stored)
    before, coding.KERNEL = coding.KERNEL, None
    try:
        expected: Any = coding.section(columns, bounds, first, last, 58, (59, 65), 24, 3)
    except ReplayError:
        expected = None
    finally:
        coding.KERNEL = before
    for module in KERNELS:
        count = int(bounds[-1])
        values, wraps = np.zeros((7, count), np.int32), np.zeros((3, count), np.uint16)
        inputs = (columns.words, columns.wides, columns.offsets, columns.counts, bounds, first, last)
        if not kernels.is_compiled(module):  # plain numbers, which do not wrap as numpy's do
            inputs = (*(array.tolist() for array in inputs[:4]), *inputs[4:])
        answer = module.section(*inputs, 58, 59, 65, 24, 3, values, wraps)
        assert answer == (module.WRONG if expected is None else module.GOOD)
        if expected is not None:
            time, groups, by_numpy = expected
            assert values[0].tolist() == time.tolist()
            assert [row.tolist() for row in values[1:]] == [row.tolist() for group in groups for row in group]
            assert wraps.tolist() == by_numpy.tolist()


ENTRY = st.tuples(
    st.sampled_from([1, 2, 3, 17, 110, 40_000]), st.integers(0, 8),
    st.sampled_from([0, 40, 60, 2**31, 2**32 - 4]), st.sampled_from([0, 1, 4, 2**31, 2**32 - 1]),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(ENTRY, max_size=4))
def test_a_directory_is_read_as_numpy_does_it(entries: list[tuple[int, int, int, int]]) -> None:
    raw = len(entries).to_bytes(4, "little")
    for column, kind, offset, number in entries:
        raw += column.to_bytes(2, "little") + kind.to_bytes(2, "little")
        raw += offset.to_bytes(4, "little") + number.to_bytes(4, "little")
    raw += bytes(80 - len(raw))
    chunk = framing.Chunk(framing.Place("chunk", 64, len(raw)), raw, 0)
    before, framing.KERNEL = framing.KERNEL, None
    try:
        expected: Any = framing.read_columns(chunk)
    except ReplayError:
        expected = None
    finally:
        framing.KERNEL = before
    words = np.frombuffer(raw, "<i2")
    for module in KERNELS:
        offsets, counts = np.zeros(256, np.int32), np.zeros(256, np.int32)
        given_words = words if kernels.is_compiled(module) else words.tolist()
        answer = module.directory(given_words, len(entries), framing._EXPECTED, len(raw), 16_777_215, offsets, counts)
        assert answer == (module.WRONG if expected is None else module.GOOD)
        if expected is not None:
            assert counts.tolist() == expected.counts.tolist()
            assert offsets[counts > 0].tolist() == expected.offsets[counts > 0].tolist()

"""The kernel for orders, plain and compiled, against the numpy code that it stands in for."""

from __future__ import annotations

import struct
from dataclasses import fields
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.formats.spring_entries import Entries, compiled, read_entries
from ksreplay.generated.dtypes.spring_packet import AICOMMANDS_HEAD, AICOMMANDS_LISTED_HEAD
from ksreplay.kernels import load

KERNELS = [pytest.param(load("spring_orders", pure=True), id="plain")]
if compiled() is not None:
    KERNELS.append(pytest.param(compiled(), id="compiled"))

small = st.integers(0, 3)


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    """The body of an AICOMMANDS packet whose counts are right, or nearly, or anything."""
    ref_id, ref_options = draw(st.sampled_from([0, -7, 10])), draw(st.sampled_from([0xFF, 32]))
    ref_count = draw(st.sampled_from([0xFFFF, 0, 1, 3]))
    units = draw(st.lists(st.integers(-1, 9), max_size=3))
    orders = b""
    number = draw(small)
    for _ in range(number):
        count = draw(small) if ref_count == 0xFFFF else ref_count
        orders += struct.pack("<i", -5) * (ref_id == 0) + b"\x80" * (ref_options == 0xFF)
        orders += struct.pack("<H", count) * (ref_count == 0xFFFF) + bytes(4 * count)
    head = struct.pack(
        "<HBBBiBHh", 0, 1, 2, 0, ref_id, ref_options, ref_count, len(units) + draw(st.sampled_from([0, 0, -9]))
    )
    body = head + struct.pack(f"<{len(units)}h", *units)
    body += struct.pack("<h", number + draw(st.sampled_from([0, 0, 0, 1, -1, 9000]))) + orders
    body += draw(st.binary(max_size=2))
    return body if draw(st.booleans()) else body[: draw(st.integers(14, max(14, len(body))))]


@pytest.mark.parametrize("kernel", KERNELS)
@given(st.lists(messages(), min_size=1, max_size=5), st.booleans())
def test_entries_agree_with_numpy(kernel: ModuleType, bodies: list[bytes], old: bool) -> None:
    head = AICOMMANDS_LISTED_HEAD if old else AICOMMANDS_HEAD
    data = b"".join(b"\x0f" + body for body in bodies)
    size = np.array([len(body) + 1 for body in bodies], np.int32)
    offset = (np.cumsum(size) - size).astype(np.int32)
    records = np.array([np.frombuffer(body, head, 1)[0] for body in bodies])
    expected = read_entries(data, offset, size, records, kernel=lambda: None)
    found = read_entries(data, offset, size, records, kernel=lambda: kernel)
    for field in fields(Entries):
        np.testing.assert_array_equal(getattr(found, field.name), getattr(expected, field.name), field.name)


@pytest.mark.parametrize("kernel", KERNELS)
def test_runs_follow_each_other_and_stay_inside(kernel: ModuleType) -> None:
    start, size = np.array([4, 0, 2], np.int32), np.array([2, 0, 3], np.int32)
    out = np.zeros(5, np.uint8)
    assert kernel.runs(b"abcdef", start, size, out) == 5
    assert out.tobytes() == b"efcde"
    with pytest.raises(IndexError):
        kernel.runs(b"abcdef", start + np.int32(1), size, out)

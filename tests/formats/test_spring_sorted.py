"""Packets by id and their heads: the kernel, its plain form and numpy agree, on any bytes and any number of threads."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ksreplay.formats import spring_sorted
from ksreplay.formats.spring import Stream, read_heads
from ksreplay.formats.spring_sorted import HEADS, compiled, sort, sort_with_heads
from ksreplay.generated.walks.spring_packet import WALK
from ksreplay.kernels import load
from ksreplay.kernels.spring_walk import walk

forms = [pytest.param(lambda: load("spring_sort", pure=True), id="plain")]
if compiled() is not None:
    forms.append(pytest.param(compiled, id="compiled"))


def stream_of(packets: list[bytes]) -> Stream:
    data = b"".join(struct.pack("<fI", 0.5, len(packet)) + packet for packet in packets)
    offset, size, ids, frame, _ = walk(data, 0, len(data), 1 << 20)
    return Stream(data, 0, len(data), offset, size, ids, frame)


def agree(stream: Stream, kernel: Any) -> None:
    found = sort_with_heads(kernel, stream.data, stream.offset, stream.size, stream.id, stream.frame)
    expected = sort(stream.id, stream.frame)
    for name in ("bounds", "rows", "frame"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
        assert getattr(found, name).dtype == getattr(expected, name).dtype
    assert found.heads is not None
    for number in range(256):
        plain, heads = read_heads(stream.packets(number), number), found.heads.get(number)
        assert (plain is None) == (heads is None)
        if plain is None or heads is None:
            continue
        for name in ("records", "body", "length"):
            a, b = getattr(plain, name), getattr(heads, name)
            assert a.dtype == b.dtype and a.tobytes() == b.tobytes()


def fitting(number: int, rest: bytes) -> bytes:
    """A packet of this id whose size is right."""
    packet = bytearray([number, *range(1, 1 + HEADS[number].itemsize)])
    if WALK[number].size is None:
        packet += rest
        width = WALK[number].length_width or 0
        packet[1 : 1 + width] = (len(packet) % 256**width).to_bytes(width, "little")
    return bytes(packet)


whole = st.builds(fitting, st.sampled_from(sorted(HEADS)), st.binary(max_size=20))


@pytest.mark.parametrize("kernel", forms)
@given(st.lists(whole | st.binary(max_size=12), max_size=40))
def test_any_packets(kernel: Any, packets: list[bytes]) -> None:
    agree(stream_of(packets), kernel())


@pytest.mark.parametrize("kernel", forms)
@pytest.mark.parametrize("number", sorted(HEADS))
def test_one_that_does_not_fit_leaves_its_id_alone(kernel: Any, number: int) -> None:
    packet, other = fitting(number, b"abc"), fitting(min(set(HEADS) - {number}), b"")
    for wrong in {packet[:-1], packet + b"x", bytes([number])} - {packet, b""}:
        stream = stream_of([packet, wrong, packet, other])
        agree(stream, kernel())
        heads = sort_with_heads(kernel(), stream.data, stream.offset, stream.size, stream.id, stream.frame).heads
        assert heads is not None and other[0] in heads
        assert number not in heads


@pytest.mark.parametrize("kernel", forms)
@pytest.mark.parametrize("count", ["1", "2", "3"])
def test_as_many_threads_as_there_may_be(kernel: Any, count: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KSREPLAY_THREADS", count)
    monkeypatch.setattr(spring_sorted, "_PIECE", 7)
    agree(stream_of([fitting(number, bytes(number % 5)) for number in sorted(HEADS)] * 3), kernel())


@given(st.lists(whole | st.binary(max_size=12), max_size=40))
@settings(max_examples=50)
def test_few_packets_are_found_without_sorting_all(packets: list[bytes]) -> None:
    few, every = stream_of(packets), stream_of(packets)
    assert every.counts.sum() + every.empty == len(packets)
    for number in range(256):
        for name in ("rows", "frame"):
            a, b = getattr(few.packets(number), name), getattr(every.packets(number), name)
            np.testing.assert_array_equal(a, b)
            assert a.dtype == b.dtype

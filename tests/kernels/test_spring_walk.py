"""Both forms of the walk agree with each other and with the bytes, hostile lengths included."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.kernels import is_compiled, load
from ksreplay.kernels.spring_walk import walk


def chunk(payload: bytes, time: float = 0.0) -> bytes:
    return struct.pack("<fI", time, len(payload)) + payload


forms = [pytest.param(True, id="plain")]
if is_compiled(load("spring_walk_fill", pure=False)):
    forms.append(pytest.param(False, id="compiled"))


@pytest.mark.parametrize("pure", forms)
def test_frames_follow_keyframe_and_newframe(pure: bool) -> None:
    numbered = struct.pack("<Bi", 2, 8)
    malformed = [b"\x02\0\0", struct.pack("<BiB", 1, 7777, 0), b"\x01\x02"]
    messages = [b"\x05\x00", struct.pack("<Bi", 1, 0), b"\x02", b"", numbered, *malformed, b"\x02", b"\xc8abc"]
    stream = b"".join(map(chunk, messages))
    offset, size, ids, frame, _ = walk(b"head" + stream, 4, 4 + len(stream), 100, pure=pure)
    assert size.tolist() == [2, 5, 1, 0, 5, 3, 6, 2, 1, 4]
    assert ids.tolist() == [5, 1, 2, 0, 2, 2, 1, 1, 2, 200]
    assert frame.tolist() == [-1, 0, 1, 1, 8, 8, 8, 8, 9, 9]
    assert offset.tolist() == [12, 22, 35, 44, 52, 65, 76, 90, 100, 109]


@pytest.mark.parametrize("pure", forms)
@pytest.mark.parametrize("length", [3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
def test_a_packet_that_is_not_whole_ends_the_walk(pure: bool, length: int) -> None:
    stream = chunk(b"\x02") + struct.pack("<fI", 0, length) + b"ab"
    assert walk(stream, 0, len(stream), 100, pure=pure)[1].tolist() == [1]


@pytest.mark.parametrize("pure", forms)
def test_the_limit_bounds_the_arrays(pure: bool) -> None:
    assert len(walk(chunk(b"") * 50, 0, 400, 7, pure=pure)[0]) == 7


@pytest.mark.parametrize("pure", forms)
@pytest.mark.parametrize("start,end", [(0, 0), (5, 3), (0, 7), (0, 10**12)])
def test_odd_bounds(pure: bool, start: int, end: int) -> None:
    assert all(len(part) == 0 for part in walk(b"\0\0\0", start, end, 100, pure=pure)[:4])


@given(st.binary(max_size=200), st.integers(0, 20), st.integers(0, 220))
def test_plain_and_compiled_agree(data: bytes, start: int, end: int) -> None:
    plain = walk(data, start, end, 1000, pure=True)
    other = walk(data, start, end, 1000, pure=False)
    for a, b in zip(plain[:4], other[:4], strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.view(np.uint8), b.view(np.uint8))
    offset, size, *_ = plain
    assert all(int(n) >= 0 and int(o) + int(n) <= min(end, len(data)) for o, n in zip(offset, size, strict=True))


def lanes(*packets: bytes) -> bytes:
    """A stream of many lanes: the packets, over and over, with a NEWFRAME now and then."""
    return b"".join(map(chunk, (*packets, b"\x02"))) * 40_000


def both(stream: bytes, start: int = 0, limit: int = 1 << 30) -> list[int]:
    """The offsets that the plain walk finds, which the compiled one must find too."""
    plain = walk(stream, start, len(stream), limit, pure=True)
    for a, b in zip(plain[:4], walk(stream, start, len(stream), limit, pure=False)[:4], strict=True):
        np.testing.assert_array_equal(a, b)
    return plain[0].tolist()


def test_lanes_that_begin_at_a_newframe() -> None:
    found = both(lanes(b"\x01\0\0\0\0", b"\x21" + bytes(9), b""))
    assert len(found) == 160_000 and found[:4] == [8, 21, 39, 47]
    assert both(b"head" + lanes(b"\x05\0"), 4, 70_000)[-1] == 4 + 35_000 * 19 - 1


def test_what_looks_like_a_newframe_inside_a_payload_is_none() -> None:
    fake = b"\x32" + chunk(b"\x02", 1.0) * 3
    assert len(both(lanes(fake))) == 80_000
    # Such payloads alone: no lane begins at a packet.
    assert len(both(chunk(fake) * 40_000)) == 40_000


def test_a_lane_that_runs_into_the_broken_end() -> None:
    stream = lanes(b"\x05\0")
    for length in (3, 0x7FFFFFFF, 0xFFFFFFFF):
        broken = stream[:1_000_000] + struct.pack("<fI", 0, length) + stream[1_000_000:]
        both(broken)
        whole = len(stream) // 19 * 19
        assert len(both(stream[:whole] + struct.pack("<fI", 0, length) + b"a")) == 80_000

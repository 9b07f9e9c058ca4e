"""Twice the input costs at most 2.3 times the work."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable

import pytest
from hostile import inputs

import ksreplay

RATIO = 2.3

#: name -> (a file of that many parts, how many parts to begin with)
GROWING: dict[str, tuple[Callable[[int], bytes], int]] = {
    "spring packets": (lambda n: inputs.demo(inputs.packet(inputs.NEWFRAME) * n), 100_000),
    "spring malformed packets": (lambda n: inputs.demo(inputs.packet(b"\x07\x05") * n), 50_000),
    "spring script sections": (
        lambda n: inputs.demo(
            inputs.packet(inputs.NEWFRAME),
            script=b"[game]{" + b"".join(b"[s%d]{a=%d;}" % (i, i) for i in range(n)) + b"}",
        ),
        5_000,
    ),
    "tad records": (lambda n: inputs.recording(*[inputs.tad_packet(b"\x06")] * n), 20_000),
    "tad undecodable records": (lambda n: inputs.recording(*[inputs.tad_packet(b"\xee" * 20)] * n), 10_000),
    "tad compressed records": (
        lambda n: inputs.recording(*[inputs.tad_packet(b"\x00" + b"\x06" * 8 + b"\x01\0\0", flag=4)] * n),
        10_000,
    ),
    "cbtrack windows": (lambda n: inputs.track(*[inputs.EMPTY_CHUNK] * n, len_window=1, last=n), 1_000),
    "cbtrack columns": (
        lambda n: inputs.track(inputs.chunk([(20_000 + i, 1, b"x", 1) for i in range(n)])),
        5_000,
    ),
    "crd array of ints": (lambda n: inputs.unsized(b"\xdd" + struct.pack(">I", n) + b"\x01" * n), 200_000),
}


def cost(data: bytes) -> float:
    """Seconds of processor time for everything a reader does."""
    start = time.process_time()
    try:
        with ksreplay.open(data) as replay:
            replay.info(full=True)
            replay.validate()
    except ksreplay.ReplayError:
        pass
    return time.process_time() - start


@pytest.mark.parametrize("name", GROWING)
def test_twice_the_input(name: str) -> None:
    make, size = GROWING[name]
    once, twice = make(size), make(2 * size)
    cost(once)
    best = min(cost(once) for _ in range(5)), min(cost(twice) for _ in range(5))
    # Below a hundredth of a second the clock says more than the work.
    assert best[1] <= max(RATIO * best[0], 0.02), best

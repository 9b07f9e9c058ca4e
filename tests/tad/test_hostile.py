"""Any byte may be wrong: a result or one ReplayError, and what stands before the damage stays as it was."""

from __future__ import annotations

import random
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tad.builders import recording, setup

import ksreplay
from ksreplay.errors import LimitExceeded, ReplayError
from ksreplay.formats import tad_build as build
from ksreplay.limits import Limits


def sample() -> bytes:
    return files("ksreplay.samples").joinpath("sample.tad").read_bytes()


def read_all(data: bytes) -> Any:
    """Everything that can be asked of the bytes, or None where they are no recording."""
    try:
        replay: Any = ksreplay.open(data, private=True)
    except ReplayError:
        return None
    replay.info(full=True)
    for name in replay.tables:
        replay.tables[name]
    replay.state(100)
    replay.validate()
    return replay


def test_any_flipped_byte() -> None:
    data = sample()
    whole = read_all(data)
    begin = whole.setup.end
    chance = random.Random(4)
    places = [*range(60), *(chance.randrange(begin) for _ in range(40)),
              *(chance.randrange(begin, len(data)) for _ in range(120))]  # fmt: skip
    for place in places:
        broken = bytearray(data)
        broken[place] ^= 1 << chance.randrange(8)
        replay = read_all(bytes(broken))
        if place >= begin:
            record = int(np.searchsorted(whole.offsets, place, "right")) - 1
            assert replay.offsets[:record].tolist() == whole.offsets[:record].tolist()
            rows = int(whole.stream.firsts[record])
            for name in ("ids", "lengths", "tick"):
                mine, theirs = getattr(replay.stream, name)[:rows], getattr(whole.stream, name)[:rows]
                assert mine.tolist() == theirs.tolist()


def test_any_tail_cut() -> None:
    data = sample()
    whole = read_all(data)
    begin = whole.setup.end
    for end in [*range(20, begin, 397), *range(begin, len(data), 353)]:
        replay = read_all(data[:end])
        if end < begin:
            continue
        count = int(np.searchsorted(whole.offsets + whole.packets.lengths, end, "right"))
        assert len(replay.offsets) == count
        assert {p.code for p in replay.problems} <= {"file-cut", "sync-unread", "catalog-width"}
        rows = int(whole.stream.firsts[count])
        assert replay.stream.tick.tolist() == whole.stream.tick[:rows].tolist()


@settings(deadline=None, max_examples=60)
@given(st.lists(st.binary(max_size=80), max_size=6), st.integers(0, 255), st.integers(0, 255))
def test_any_packets(payloads: list[bytes], flag: int, sender: int) -> None:
    records = b"".join(build.record(b"\x01\x00" + bytes([sender, flag]) + payload) for payload in payloads)
    for kind in (3, 4):
        records += b"".join(build.record(b"\x01\x00\x01" + bytes([kind]) + payload) for payload in payloads)
    replay = read_all(setup() + records)
    assert len(replay.offsets) == 3 * len(payloads)


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=300))
def test_any_bytes_behind_the_magic(rest: bytes) -> None:
    read_all(b"\x1a\x00TA Demo\x00\x05\x00\x02" + rest)
    read_all(setup() + rest)


def test_counts_that_promise_too_much() -> None:
    head = build.header(5, 255, 500, b"map")
    assert not ksreplay.open(head + build.record(b"\xff\xff\xff\xff")).info(full=True)["complete"]
    assert not ksreplay.open(head).info(full=True)["complete"]


def test_records_and_output_are_bounded() -> None:
    data = recording(*[b"\x06"] * 50)
    with pytest.raises(LimitExceeded):
        _ = ksreplay.open(data, limits=Limits(records=10)).offsets  # type: ignore[attr-defined]
    bomb = b"\xfe\x00" + b"\x1f\x00" * 7 + (b"\xff" + b"\x1f\x00" * 8) * 3000
    packets = build.record(b"\x00\x00\x01\x04" + bomb) * 20
    replay: Any = ksreplay.open(setup() + packets, limits=Limits(inflated_bytes=100_000))
    with pytest.raises(LimitExceeded):
        _ = replay.packets
    whole: Any = ksreplay.open(setup() + packets)
    assert whole.packets.ends[0] - whole.packets.starts[0] == 65_535
    assert {p.code for p in whole.problems} == {"lz-cap", "lz-beyond"} or "lz-cap" in {p.code for p in whole.problems}


def test_many_senders_and_odd_clocks() -> None:
    packets = b"".join(build.packet(65535, n, build.base(0xFFFFFFFF) + build.IDLE * 2) for n in range(256))
    replay = read_all(setup() + packets)
    # a tick past 31 bits counts as unknown
    assert replay.tables["sync"].valid("tick").tolist() == [False] * 512
    assert len(replay.tables["clock"]) == 0

"""Compiled kernels on one thread or several, the plain loops, and numpy steps: all of them say the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tad.builders import setup

import ksreplay
from ksreplay import kernels
from ksreplay.columns import Ragged
from ksreplay.formats import tad_build as build
from ksreplay.formats import tad_lz77 as lz77
from ksreplay.formats import tad_stream
from ksreplay.semantics.tad import sync

WAYS = ({"KSREPLAY_PURE": "1"}, {"KSREPLAY_THREADS": "1"}, {"KSREPLAY_THREADS": "2"}, {"KSREPLAY_THREADS": "3"})

_words = st.sampled_from([0, 1, 2, 3, 100, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]).map(
    lambda value: value.to_bytes(4, "little")
)
_subpackets = st.one_of(
    st.just(b"\xff"),
    st.just(b"\xff"),
    st.just(b"\xfd\x03\x00"),
    st.binary(max_size=30).map(lambda bits: b"\xfd" + (len(bits) + 3).to_bytes(2, "little") + bits),
    _words.map(lambda tick: b"\xfe" + tick),
    _words.map(lambda tick: b"\x2c\x0b\x00" + tick + b"\xff\xff\x00\x00"),
    st.just(b"\x19\x01\x0a"),
    st.binary(min_size=4, max_size=4).map(lambda body: b"\x11" + body[:3]),
    st.binary(min_size=9, max_size=9).map(lambda body: b"\x0b" + body),
    st.binary(max_size=9),
)
_payloads = st.lists(_subpackets, max_size=12).map(b"".join)
#: (sender, flag and payload) of packets, some compressed, some with bytes that never were
records = st.lists(
    st.tuples(
        st.sampled_from([1, 1, 2, 200]),
        st.one_of(
            _payloads.map(lambda payload: b"\x03" + payload),
            _payloads.map(lambda payload: b"\x04" + lz77.deflate_best(payload)),
            st.binary(max_size=20).map(lambda payload: b"\x04" + payload),
            st.binary(max_size=4),
        ),
    ),
    max_size=25,
)


def file(packets: list[tuple[int, bytes]]) -> bytes:
    return setup() + b"".join(build.record(b"\x01\x00" + bytes([sender]) + payload) for sender, payload in packets)


@contextmanager
def way(environment: dict[str, str]) -> Iterator[None]:
    """Work done under these variables, the smallest shared among threads as well."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        for module in (tad_stream, lz77, sync):
            patch.setattr(module, "_LEAST", 1)
        yield


def everything(data: bytes) -> dict[str, Any]:
    """All arrays of a recording and of its tables by name, and its problems."""
    with ksreplay.open(data, private=True) as replay:
        info = replay.info(full=True)
        found: dict[str, Any] = {"problems": info["problems"]}
        stream = replay.stream
        for owner in (stream, stream.packets, stream.kinds):
            found |= {f"{type(owner).__name__}.{name}": value for name, value in vars(owner).items()}
        # where the payloads lie in the pool is nobody's business
        for name in ("Packets.pool", "Packets.starts", "Packets.ends", "Stream.offsets"):
            del found[name]
        packets = stream.packets
        spans = zip(packets.starts.tolist(), packets.ends.tolist(), strict=True)
        found["payloads"] = [packets.pool[start:end].tobytes() for start, end in spans]
        found["places"] = stream.places()
        bits = found["Kinds.bits"]
        found["Kinds.bits"] = np.concatenate([bits[:3], bits[3:] - packets.starts[bits[1]]])
        for name in replay.tables:
            table = replay.tables[name]
            for column in table:
                values = table.column(column)
                found[f"{name}.{column}?"] = table.valid(column)
                if isinstance(values, Ragged):
                    found[f"{name}.{column}"] = values.to_objects().tolist()
                else:
                    found[f"{name}.{column}"] = values
    return found


def compare(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        if isinstance(value, np.ndarray):
            assert value.dtype == other[name].dtype, name
            assert value.tobytes() == other[name].tobytes(), name
        elif not hasattr(value, "__dataclass_fields__"):
            assert repr(value) == repr(other[name]), name


@settings(deadline=None, max_examples=60)
@given(records)
@example([(1, bytes.fromhex("03 fe00000080 ff fe00000080"))])  # ticks past 31 bits are unknown, and go on
def test_any_packets(packets: list[tuple[int, bytes]]) -> None:
    data = file(packets)
    found = []
    for environment in WAYS:
        with way(environment):
            found.append(everything(data))
    for other in found[1:]:
        compare(found[0], other)


@settings(deadline=None, max_examples=30)
@given(records)
def test_the_loops_uncompiled(packets: list[tuple[int, bytes]]) -> None:
    """What is compiled says the same where it is not."""
    stream = ksreplay.open(file(packets)).stream  # type: ignore[attr-defined]
    plain = kernels.load("tad_walk", pure=True)
    views = replace(stream.packets, pool=stream.packets.pool.data, senders=stream.packets.senders.data)
    columns = (getattr(stream, name).data for name in ("offsets", "lengths", "ids", "states", "firsts"))
    low, jumps, found = tad_stream._survey(plain, views, columns, tad_stream.Clock())
    assert np.array_equal(low, stream.low)
    assert np.array_equal(jumps, stream.jumps)
    compare(vars(found), vars(stream.kinds))


@pytest.mark.parametrize("name", ["small_v5_allcomp", "small_v5_plain"])
def test_a_recording(corpus: Path, name: str) -> None:
    data = (corpus / "tad" / "synthetic" / f"{name}.tad").read_bytes()
    found = []
    for environment in WAYS[:3]:
        with way(environment):
            found.append(everything(data))
    for other in found[1:]:
        compare(found[0], other)


@pytest.mark.parametrize("count", ["1", "2", "3"])
@pytest.mark.parametrize("grown", [False, True])
def test_payloads_that_grow_more_than_was_guessed(count: str, grown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KSREPLAY_THREADS", count)
    monkeypatch.setattr(lz77, "_LEAST", 2)
    texts = [bytes([number]) * (4000 if grown else 40) + bytes(range(number)) for number in range(7)]
    items = [lz77.deflate_best(text) if number % 3 else text for number, text in enumerate(texts)]
    data = np.frombuffer(b"".join(items), np.uint8)
    ends = np.cumsum([len(item) for item in items])
    packed = np.arange(7) % 3 > 0
    starts = ends - [len(item) for item in items]
    found = lz77.unpack_all(data, starts, ends, packed, bound=1 << 20, cap=5000, pad=8)
    spans = zip(found.starts.tolist(), found.ends.tolist(), strict=True)
    assert [found.data[start:end].tobytes() for start, end in spans] == texts
    assert (found.starts[1:] >= found.ends[:-1]).all()
    assert not found.data[found.ends[-1] :].any()
    assert len(found.data) == found.ends[-1] + 8

"""Envelopes and LZ77: real frames, and both ways over any bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ksreplay import kernels
from ksreplay.errors import LimitExceeded
from ksreplay.formats import tad_envelope as envelope
from ksreplay.formats import tad_lz77 as lz77
from ksreplay.formats.tad_strata import rules_table, walk
from ksreplay.kernels import tad_lz77, tad_walk

repetitive = st.lists(
    st.one_of(st.binary(max_size=40), st.integers(0, 255).map(lambda n: bytes([n]) * 30)), max_size=30
).map(b"".join)


@pytest.fixture(scope="module")
def frames(corpus: Path) -> list[dict[str, Any]]:
    return json.loads((corpus / "tad" / "vectors" / "gpgnet4ta_frames.json").read_text())["frames"]


@pytest.fixture(params=["plain", "compiled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "plain":
        monkeypatch.setenv("KSREPLAY_PURE", "1")
    elif not kernels.is_compiled(kernels.load("tad_lz77")):
        pytest.skip("the kernels are not compiled")
    return request.param


def test_real_frames(frames: list[dict[str, Any]], way: str) -> None:
    encrypted = 0
    for frame in frames:
        flag, payload, good = envelope.decrypt(bytes.fromhex(frame["hex"]))
        assert good == frame.get("checksum_ok", good)
        encrypted += "checksum_ok" in frame
        assert flag == frame["flag"]
        plain, status = lz77.inflate(payload) if flag == envelope.COMPRESSED else (payload, 0)
        if flag == envelope.COMPRESSED:
            # every real frame has exactly one byte behind its terminator
            assert status == tad_lz77.AFTER_END
        if "inflated_sha256" in frame:
            assert hashlib.sha256(plain).hexdigest() == frame["inflated_sha256"]
        if "subpackets" in frame and flag == envelope.COMPRESSED:
            data = np.frombuffer(plain + bytes(16), np.uint8)
            columns = walk(kernels.load("tad_walk"), data, np.array([4]), np.array([len(plain)]), rules_table())
            assert [(f"{n:02x}", size) for n, size in zip(columns.ids.tolist(), columns.lengths.tolist(), strict=True)][
                : len(frame["subpackets"])
            ] == [(item["id"], item["len"]) for item in frame["subpackets"]]
    assert encrypted == 37


@given(st.integers(3, 4), st.binary(min_size=1, max_size=700))
def test_envelope_both_ways(flag: int, payload: bytes) -> None:
    wire = envelope.encrypt(flag, payload)
    assert len(wire) == len(payload) + 3
    assert envelope.decrypt(wire) == (flag, payload, True)


@given(st.binary(max_size=300))
def test_any_bytes_decrypt(wire: bytes) -> None:
    _, payload, good = envelope.decrypt(wire)
    assert len(payload) == max(1, len(wire) - 3) if len(wire) >= 3 else not good


def test_a_changed_byte_breaks_the_checksum() -> None:
    wire = bytearray(envelope.encrypt(3, bytes(50)))
    wire[20] ^= 1
    assert not envelope.decrypt(bytes(wire))[2]


@settings(deadline=None)
@given(repetitive)
def test_compressors_both_ways(data: bytes) -> None:
    small = lz77.deflate_best(data)
    recorder = lz77.deflate_recorder(data)
    assert lz77.inflate(small) == (data, 0)
    assert lz77.inflate(recorder) == (data, 0)
    assert len(small) <= len(recorder)


def test_recorder_compressor_is_the_recorders(corpus: Path) -> None:
    """Every compressed record of a file comes out byte for byte."""
    import ksreplay

    recording: Any = ksreplay.open(corpus / "tad" / "synthetic" / "small_v5_allcomp.tad")
    packets, data = recording.packets, recording.source.data
    rows = np.flatnonzero(packets.compressed)
    assert len(rows) == 680
    for row in rows.tolist():
        stored = data[packets.offsets[row] + 6 : packets.offsets[row] + packets.lengths[row]]
        plain = packets.pool[packets.starts[row] : packets.ends[row]].tobytes()
        assert lz77.deflate_recorder(plain) == stored


def test_plain_compressor_agrees(way: str) -> None:
    data = b"abcabcabcabc" * 30 + bytes(100) + b"abcabc" + bytes(range(256)) * 9
    assert hashlib.sha256(lz77.deflate_recorder(data)).hexdigest() == hashlib.sha256(_recorder(data)).hexdigest()


def _recorder(data: bytes) -> bytes:
    out = bytearray(len(data) * 9 // 8 + 16)
    size = kernels.load("tad_lz77", pure=True).deflate_recorder(data, out)
    return bytes(out[:size])


@settings(deadline=None)
@given(st.lists(st.tuples(st.binary(max_size=60), st.booleans()), max_size=50), st.booleans())
def test_any_bytes_unpack_alike(payloads: list[tuple[bytes, bool]], zero_fill: bool) -> None:
    """Compiled loop, plain loop and numpy steps give the same bytes and the same findings."""
    from ksreplay.kernels import tad_lockstep

    data = np.frombuffer(b"".join(item for item, _ in payloads) + bytes(8), np.uint8)
    ends = np.cumsum([len(item) for item, _ in payloads], dtype=np.int64)
    starts = ends - np.array([len(item) for item, _ in payloads], np.int64)
    packed = np.array([is_packed for _, is_packed in payloads], bool)
    caps = np.minimum((ends - starts) * 8 + 16, 90)
    compiled = lz77.unpack_all(data, starts, ends, packed, bound=1 << 20, zero_fill=zero_fill, cap=90)
    few = tad_lockstep._FEW
    try:
        tad_lockstep._FEW = 0
        steps = tad_lockstep.unpack(kernels.load("tad_lz77"), data, starts, ends, packed, caps, zero_fill)
    finally:
        tad_lockstep._FEW = few
    for one, other in zip((compiled.data, compiled.starts, compiled.ends, compiled.status), steps, strict=True):
        assert np.array_equal(one, other)
    for row, (item, is_packed) in enumerate(payloads):
        plain, status = lz77.inflate(item, zero_fill=zero_fill, cap=90) if is_packed else (item, 0)
        assert steps[0][steps[1][row] : steps[2][row]].tobytes() == plain
        assert int(steps[3][row]) == status


@settings(deadline=None)
@given(st.lists(st.binary(max_size=80), max_size=40))
def test_any_bytes_walk_alike(payloads: list[bytes]) -> None:
    from ksreplay.kernels import tad_lockstep

    data = np.frombuffer(b"".join(payloads) + bytes(32), np.uint8)
    ends = np.cumsum([len(item) for item in payloads], dtype=np.int64)
    starts = ends - np.array([len(item) for item in payloads], np.int64)
    module, table = kernels.load("tad_walk"), rules_table()
    opaque = np.array([5 * (len(item) % 7 == 3) for item in payloads], np.uint8)
    compiled = walk(module, data, starts, ends, table, opaque)
    for few in (0, 1000):
        before = tad_lockstep._FEW
        try:
            tad_lockstep._FEW = few
            steps = tad_lockstep.walk(kernels.load("tad_walk", pure=True), data, starts, ends, opaque, table)
        finally:
            tad_lockstep._FEW = before
        for one, other in zip(compiled, steps, strict=True):
            assert np.array_equal(one, other)
    assert int(compiled.lengths.sum()) == int((ends - starts).sum())
    assert tad_walk.WHOLE == 0


def test_what_breaks_is_said() -> None:
    cases = {
        "00": tad_lz77.CUT, "": tad_lz77.NO_END, "0110": tad_lz77.HALF_WORD, "010000aa": tad_lz77.AFTER_END,
        "0341001000": tad_lz77.BEYOND | tad_lz77.CUT,
    }  # fmt: skip
    for data, status in cases.items():
        assert lz77.inflate(bytes.fromhex(data))[1] == status, data
    # as the game's readers have it a reference past the output gives zero bytes; the caller may ask to stop there
    past = bytes.fromhex("04060690000000")
    assert lz77.inflate(past)[0][:2] == b"\x06\x06"
    assert lz77.inflate(past, zero_fill=False)[1] & tad_lz77.STOPPED


def test_output_is_bounded() -> None:
    bomb = bytes([0xFE, 0x00]) + b"\x1f\x00" * 7 + (b"\xff" + b"\x1f\x00" * 8) * 3000
    data, status = lz77.inflate(bomb, cap=1000)
    assert len(data) == 1000
    assert status & tad_lz77.FULL
    many = np.frombuffer(bomb * 4 + bytes(16), np.uint8)
    ends = np.arange(1, 5, dtype=np.int64) * len(bomb)
    with pytest.raises(LimitExceeded):
        lz77.unpack_all(many, ends - len(bomb), ends, np.ones(4, bool), bound=50_000)

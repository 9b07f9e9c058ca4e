"""A demo walked while it is inflated, on one thread or two, is read as one that is walked afterwards."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spring_demo_file import DEMO, STREAM

from ksreplay.errors import LimitExceeded, Problems, ReplayError
from ksreplay.formats import inflate, spring
from ksreplay.formats import spring_build as build
from ksreplay.kernels import is_compiled, load
from ksreplay.limits import Limits

PACKED = build.compress(DEMO, client=True)


def reading(data: bytes, limits: Limits) -> dict[str, Any]:
    """All that is read of a file up to its packets, or the error."""
    problems = Problems("spring")
    try:
        demo = spring.read(data, limits, problems)
        stream = spring.read_stream(demo, limits, problems)
    except ReplayError as error:
        return {"error": error.to_dict()}
    arrays = [stream.offset, stream.size, stream.id, stream.frame, stream.time.view(np.uint32)]
    return {
        "content": bytes(demo.data), "places": (demo.ofs_stream, demo.ofs_trailer, stream.start, stream.end),
        "whole": demo.whole, "members": demo.members, "script": demo.script,
        "packets": [(array.dtype, array.tolist()) for array in arrays],
        "problems": [problem.to_dict() for problem in problems],
    }  # fmt: skip


@pytest.fixture(params=["one thread", "two threads"])
def same(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Reads a file both ways, with pieces of a few bytes, and asks that they agree."""
    monkeypatch.setenv("KSREPLAY_THREADS", "2" if request.param == "two threads" else "1")

    def read(data: bytes, limits: Limits | None = None) -> dict[str, Any]:
        limits = limits or Limits()
        with monkeypatch.context() as patch:
            patch.setattr(spring.Following, "ended", lambda *_: None)
            plain = reading(data, limits)
        with monkeypatch.context() as patch:
            for name, value in (("_LARGE", 0), ("_FEED", 16), ("_WORTH", 30)):
                patch.setattr(inflate, name, value)
            followed = reading(data, limits)
        assert followed == plain
        return followed

    return read


def test_it_is_walked_while_it_is_inflated(same: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_compiled(load("spring_walk_fill")):
        pytest.skip("the plain form walks afterwards")
    found = []
    go = spring.Walker.go
    monkeypatch.setattr(spring.Walker, "go", lambda self, *span: (found.append(span), go(self, *span))[1])
    assert same(gzip.compress(DEMO, 0))["problems"] == []
    ends = [end for _, end in found[1:]]  # after the walk of the whole
    assert len(set(ends)) > 10 and ends == sorted(ends), "piece by piece"


def test_every_prefix(same: Callable[..., Any]) -> None:
    for size in range(len(PACKED)):
        same(PACKED[:size])


def test_every_byte_damaged(same: Callable[..., Any]) -> None:
    for data in (PACKED, gzip.compress(DEMO, 0)):
        for place in range(0, len(data), 7):
            same(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])


def test_members_padding_and_what_follows(same: Callable[..., Any]) -> None:
    parts = [gzip.compress(DEMO[at : at + 50]) for at in range(0, len(DEMO), 50)]
    assert same(b"".join(parts))["members"] == len(parts)
    assert same(PACKED + bytes(40))["problems"] == []
    assert [p["code"] for p in same(PACKED + b"junk")["problems"]] == ["gzip-trailing"]
    same(b"".join(parts[:9]) + b"junk" + b"".join(parts[9:]))
    broken = bytearray(parts[9])
    broken[20] ^= 0xFF
    same(b"".join(parts[:9]) + bytes(broken) + b"".join(parts[10:]))


def test_a_recording_without_sizes(same: Callable[..., Any]) -> None:
    crashed = bytearray(build.demo(b"[game]{}", STREAM))
    field = spring.HEADERS[5].fields["len_stream"][1]
    crashed[field : field + 4] = bytes(4)
    found = same(gzip.compress(bytes(crashed)))
    assert [p["code"] for p in found["problems"]] == ["unfinished"]
    same(gzip.compress(bytes(crashed[:-3])))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.sampled_from(spring.HEADERS[5].names), st.integers(-(1 << 31), (1 << 31) - 1), st.integers(0, 999))
def test_any_number_in_the_header(same: Callable[..., Any], name: str, value: int, near: int) -> None:
    place = spring.HEADERS[5].fields[name][1]
    for number in (value, near):
        changed = bytearray(DEMO)
        changed[place : place + 4] = number.to_bytes(4, "little", signed=True)
        same(gzip.compress(bytes(changed), 1))


def test_limits_hold_meanwhile(same: Callable[..., Any]) -> None:
    assert same(PACKED, Limits(records=3))["problems"][-1]["code"] == "stream-records"
    bomb = gzip.compress(DEMO + bytes(1 << 20))
    error = same(bomb, Limits(inflated_bytes=1 << 16))["error"]
    assert (error["type"], error["code"]) == (LimitExceeded.__name__, "inflated-bytes")
    assert same(bomb, Limits(inflate_ratio=2, ratio_floor=1 << 16))["error"] == {**error, "expected": 1 << 16}


def test_a_file_that_outgrows_its_room(same: Callable[..., Any]) -> None:
    # More than four times the size of the file comes out of it.
    body = build.chunk(0.0, b"\x02") * 20_000
    found = same(gzip.compress(build.demo(b"[game]{}", body)))
    assert len(found["packets"][0][1]) == 20_000 and found["packets"][3][1][-1] == 19_999


def test_what_is_done_meanwhile_is_done_once() -> None:
    calls: list[int] = []
    data = gzip.compress(build.demo(b"[game]{}", build.chunk(0.0, b"\x21" + bytes(999)) * 3000))
    demo = spring.read(data, Limits(), Problems("spring"), lambda: calls.append(1))
    assert calls == [1] and demo.whole

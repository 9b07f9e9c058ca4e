"""The kernel for orders, plain and compiled, against the numpy code that it stands in for."""

from __future__ import annotations

import struct
from dataclasses import fields
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ksreplay
from ksreplay.columns import view
from ksreplay.formats import spring_build as build
from ksreplay.formats.spring_build import chunk, packet
from ksreplay.formats.spring_entries import OrderLists, compiled, read_lists
from ksreplay.generated.dtypes.spring_packet import AICOMMANDS_HEAD, AICOMMANDS_LISTED_HEAD
from ksreplay.kernels import load
from ksreplay.semantics.spring import aims, orders
from ksreplay.semantics.spring.aims import Aimed, aim
from ksreplay.semantics.spring.carriers import Carriers
from ksreplay.semantics.spring.orders import Orders, latest_selection, read_orders
from ksreplay.threads import share

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
def test_lists_agree_with_numpy(kernel: ModuleType, bodies: list[bytes], old: bool) -> None:
    head = AICOMMANDS_LISTED_HEAD if old else AICOMMANDS_HEAD
    data = b"".join(b"\x0f" + body for body in bodies)
    size = np.array([len(body) + 1 for body in bodies], np.int32)
    offset = (np.cumsum(size) - size).astype(np.int32)
    records = np.array([np.frombuffer(body, head, 1)[0] for body in bodies])
    expected = read_lists(data, offset, size, records, kernel=lambda: None)
    found = read_lists(data, offset, size, records, kernel=lambda: kernel)
    assert found.entries is None
    assert expected.entries is not None
    assert expected.num_commands.sum() == len(expected.entries.message)
    assert expected.all_params.sum() == expected.entries.num_params.sum()
    for field in fields(OrderLists)[:-1]:
        same(getattr(found, field.name), getattr(expected, field.name))


def same(found: Any, expected: Any) -> None:
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@st.composite
def packets(draw: st.DrawFn) -> bytes:
    """A message that carries orders, or a selection, or what gives a player another team; sometimes cut or too long."""
    player = draw(st.integers(0, 3))
    command = draw(st.sampled_from([0, 1, 10, 20, 40, 90, 110, 253, 254, 255, 1000, 2**31 - 1, -1, -7, -(2**31)]))
    number = st.sampled_from([0.0, -0.5, 1.0, 1.5, 10.0, 40.0, 300.0, -3.0, 2.0**31, -(2.0**31), 1e30, np.nan, np.inf])
    params = draw(st.lists(number, max_size=9))
    values = {"player": player, "command_id": command, "timeout": 9, "options": draw(small), "params": params}
    ai = {"ai": draw(st.sampled_from([255, 0])), "ai_team": draw(st.sampled_from([255, 2])), "unit": draw(small)}
    message = draw(
        st.one_of(
            st.just(packet("command", **values)),
            st.just(packet("aicommand", **values, **ai)),
            st.just(packet("aicommand_tracked", **values, **ai, ai_command_id=5)),
            messages().map(lambda body: bytes([15]) + (len(body) + 1).to_bytes(2, "little") + body[2:]),
            st.just(packet("select", player=player, units=[1, 2])),
            st.just(packet("team", player=player, action=3, param1=draw(small), param2=0)),
        )
    )
    return draw(st.sampled_from([message] * 8 + [message[:-1], message + b"\0", message[:1]]))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("threads", ["1", "2"])
@given(st.lists(packets(), max_size=12), st.sampled_from([50_000_000, 4]))
@settings(deadline=None)
def test_orders_agree_with_numpy(kernel: ModuleType, threads: str, stream: list[bytes], records: int) -> None:
    data = build.demo(b"[game]{}", b"".join(chunk(0, message) for message in [bytes(0)] * 3 + stream))
    with (
        pytest.MonkeyPatch.context() as patch,
        ksreplay.open(data, limits=ksreplay.Limits(records=records)) as replay,
    ):
        patch.setenv("KSREPLAY_THREADS", threads)
        # Few orders would stay on one thread.
        for module in (orders, aims):
            patch.setattr(module, "share", lambda work, total, least: share(work, total))
        match = replay.match
        plain, found = (read_orders(match, kernel=lambda chosen=chosen: chosen) for chosen in (None, kernel))
        for field in fields(Orders)[1:]:
            same(getattr(found, field.name), getattr(plain, field.name))
        for field in fields(Carriers)[:-1]:
            same(getattr(found.carriers, field.name), getattr(plain.carriers, field.name))
        assert found.carriers.with_timeout == plain.carriers.with_timeout
        for field in fields(Aimed):
            pair = [getattr(aim(plain, kernel=lambda chosen=chosen: chosen), field.name) for chosen in (None, kernel)]
            same(*pair)
        where = (found.carriers.player, found.carriers.packet)
        same(*(latest_selection(match, *where, kernel=lambda chosen=chosen: chosen) for chosen in (None, kernel)))


@pytest.mark.parametrize("kernel", KERNELS)
def test_orders_that_were_not_checked_stay_inside(kernel: ModuleType) -> None:
    """What the messages say is checked before; the kernel still reads and writes nothing outside its arrays."""
    data = bytes(40)
    one, zero = np.ones(1, np.int32), np.zeros(1, np.int32)
    for count, units in ((1000, 0), (0, 1000)):
        reached = kernel.take_orders(
            data, view(data, np.dtype("<i4")), view(data, np.dtype("<i2")), 0, 1, one, one, zero,
            np.zeros(1, np.uint8), one * count, np.zeros(1, np.uint8), one, one * units, np.zeros(1, np.int8),
            zero, zero, zero, np.zeros(1, np.int64), *(np.zeros(2000, t) for t in ("i4", "u1", *["i4"] * 5)),
        )  # fmt: skip
        assert reached == 0

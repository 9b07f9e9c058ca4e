"""The construct specs say the same as the layouts, and what they build every reader reads back."""

from __future__ import annotations

import io
import struct
from typing import Any

import construct
import numpy as np
import pytest
from drift import assert_same
from hypothesis import given, settings
from hypothesis import strategies as st
from kaitaistruct import KaitaiStream

from ksreplay.errors import Problems
from ksreplay.formats import spring, spring_build
from ksreplay.formats.spring_build import SPECS, chunk, demo, packet
from ksreplay.formats.spring_drawings import read_drawings
from ksreplay.formats.spring_entries import read_lists
from ksreplay.formats.spring_messages import BY_SIZE, IDS, Decoder
from ksreplay.generated.dtypes import spring_demo as demo_layouts
from ksreplay.generated.dtypes import spring_packet as layouts
from ksreplay.generated.spring_demo import SpringDemo
from ksreplay.generated.spring_packet import SpringPacket
from ksreplay.limits import Limits

#: Layout -> an engine that writes it, where it is not a current one.
ENGINES: dict[str, int] = {
    "quit_bare": 800_500,
    "gameover_bare": 820_700,
    "command_plain": 1_040_000,
    "command_counted": 1_040_700,
    "aicommand_unowned": 820_700,
    "aicommand_plain": 1_040_000,
    "aicommand_counted": 1_040_700,
    "aicommand_timed": 1_041_200,
    "aicommand_tracked_plain": 1_040_000,
    "aicommand_tracked_counted": 1_040_700,
    "aicommand_tracked_timed": 1_041_200,
    "aicommands_listed": 850_000,
    "aicommands_unowned": 820_700,
    "playerstat_mouse_first": 930_000,
    "systemmsg_short": 800_000,
    "luamsg_short": 770_000,
    "ai_created_wide": 820_000,
    "sync_request": 780_000,
    "map_draw_point_narrow": 1_050_000,
    "map_draw_erase_narrow": 1_050_000,
    "map_draw_line_narrow": 1_050_000,
    "map_draw_point_wide": 20_250_408,
    "map_draw_erase_wide": 20_250_408,
    "map_draw_line_wide": 20_250_408,
    "map_draw_point_bare": 780_000,
    "map_draw_line_bare": 780_000,
}
ENGINES |= {layout.name: layout.until - 1 for old in BY_SIZE.values() for layout in old.values() if layout.until}
_LAYOUT_OF = {"new": "wide", "bare": "narrow"}


@pytest.mark.parametrize("version", [1, 3, 4, 5])
def test_headers_do_not_drift(version: int) -> None:
    assert_same(spring_build.HEADERS[version], getattr(demo_layouts, f"HEADER_V{version}"))


@pytest.mark.parametrize(
    "spec,dtype",
    [
        (spring_build.CHUNK, demo_layouts.CHUNK_HEAD),
        (spring_build.PLAYER_STATISTICS, layouts.PLAYER_STATISTICS),
        (spring_build.PLAYER_STATISTICS_MOUSE_FIRST, layouts.PLAYER_STATISTICS_MOUSE_FIRST),
        (spring_build.PLAYER_STATISTICS_BE, demo_layouts.PLAYER_STATISTICS_BE),
        (spring_build.PLAYER_STATISTICS_MOUSE_FIRST_BE, demo_layouts.PLAYER_STATISTICS_MOUSE_FIRST_BE),
        (spring_build.TEAM_STATISTICS, layouts.TEAM_STATISTICS),
    ],
)
def test_records_do_not_drift(spec: construct.Struct, dtype: np.dtype[np.void]) -> None:
    assert_same(spec, dtype)


def values(spec: construct.Construct, name: str) -> st.SearchStrategy[Any]:
    """Values that a field of a message spec takes."""
    inner = spec
    while isinstance(inner, construct.Renamed | construct.Default | construct.Rebuild):
        inner = inner.subcon
    if isinstance(inner, construct.Struct):
        return fields(inner)
    if isinstance(inner, construct.FormatField):
        code = inner.fmtstr[-1]
        if code == "f":
            return st.floats(width=32, allow_nan=False)
        bits = 8 if name == "ai" else 8 * inner.sizeof()  # no engine has more than 255 AIs
        return st.integers(-(1 << bits - 1), (1 << bits - 1) - 1) if code.islower() else st.integers(0, (1 << bits) - 1)
    if isinstance(inner, construct.StringEncoded):
        return st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
    if isinstance(inner, construct.GreedyRange | construct.Array):
        if isinstance(inner.subcon, construct.Struct):
            return st.lists(fields(inner.subcon), max_size=4)
        return st.lists(values(inner.subcon, name), max_size=6)
    if isinstance(inner, construct.Bytes):
        size = inner.length if isinstance(inner.length, int) else 64
        return st.binary(min_size=size, max_size=size)
    if inner is construct.GreedyBytes:
        return st.binary(max_size=40)
    raise AssertionError(f"{name}: {inner!r}")


def fields(spec: construct.Struct) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            s.name: values(s, s.name)
            for s in spec.subcons
            if s.name and not isinstance(s.subcon, construct.Rebuild | construct.Const)
        }
    )


PLAIN = sorted(set(SPECS) - {"aicommands"})


def decode(layout: str, message: bytes, engine: int) -> tuple[Decoder, Problems]:
    problems = Problems("spring")
    data = b"\xff" * 5 + chunk(1.5, message) + chunk(2.0, b"\xc8")
    demo_ = spring.Demo(data, spring.Header(5, 5, "", {"len_stream": len(data) - 5}), b"", 5, len(data), True, False)
    return Decoder(spring.read_stream(demo_, Limits(), problems), engine, problems), problems


def same(a: Any, b: Any) -> bool:
    if isinstance(b, dict):
        return all(same(a[key], value) for key, value in b.items())
    if isinstance(b, bytes):
        return bytes(a).ljust(len(b), b"\0") == b
    return bool(a == b)


@pytest.mark.parametrize("layout", PLAIN)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_every_message_comes_back(layout: str, data: st.DataObject) -> None:
    """construct builds; dtype, Kaitai and construct read; all agree field by field."""
    name, width, body = SPECS[layout]
    wanted = data.draw(fields(body))
    engine = ENGINES.get(layout, spring.CURRENT)
    message = packet(layout, **wanted)
    decoder, problems = decode(layout, message, engine)
    messages = decoder[name]
    assert not len(problems), list(problems)
    assert messages.good.tolist() == [True]
    for field in messages.records.dtype.names or ():
        if field in wanted and field not in ("x", "z"):
            assert same(messages[field][0], wanted[field]), field
    if "params" in wanted:
        at, length = int(messages.body[0]), int(messages.length[0])
        assert struct.unpack(f"<{length // 4}f", decoder.stream.data[at : at + length]) == tuple(wanted["params"])
    if layout.startswith("map_draw"):
        drawing = read_drawings(decoder, name, messages)
        assert drawing.fits[0]
        assert (drawing.x[0], drawing.z[0]) == (wanted.get("x", wanted.get("x1")), wanted.get("z", wanted.get("z1")))
        if "label" in wanted:
            at, length = int(drawing.label[0]), int(drawing.label_length[0])
            assert decoder.stream.data[at : at + length] == wanted["label"].encode()
    kaitai = SpringPacket.Message(engine, KaitaiStream(io.BytesIO(message)))
    parsed = kaitai.body if kaitai.old_layout == 0 else kaitai.old_body
    if layout.startswith("map_draw"):
        parsed = parsed.body
    again = body.parse(message[1 + width :])
    for field, value in wanted.items():
        if field in ("player", "action") and layout.startswith("map_draw"):
            continue
        if parsed is None or field == "flags":
            continue
        got = getattr(parsed, field, None)
        if layout == "attemptconnect" and field in ("reconnect", "netloss"):
            got = getattr(parsed.flags, field)
        if isinstance(value, dict):
            assert all(getattr(got, key) == item for key, item in value.items())
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            assert [item.params for item in got] == [item["params"] for item in value]
        else:
            assert (getattr(got, "value", got) if not isinstance(got, bytes | str | list) else got) == value, field
        if not isinstance(value, dict | list):
            assert again[field] == value


entry = st.fixed_dictionaries(
    {
        "command_id": st.integers(-(2**31), 2**31 - 1),
        "options": st.integers(0, 255),
        "params": st.lists(st.floats(width=32, allow_nan=False), max_size=5),
    }
)


@given(
    st.lists(entry, max_size=6), st.lists(st.integers(-(2**15), 2**15 - 1), max_size=5), st.booleans(), st.booleans(),
    st.booleans(), st.integers(0, 1),
)  # fmt: skip
def test_aicommands_come_back(
    orders: list[dict[str, Any]], units: list[int], same_id: bool, same_options: bool, same_count: bool, pairwise: int
) -> None:
    ref_id = 0 if not same_id or not orders or orders[0]["command_id"] == 0 else orders[0]["command_id"]
    ref_options = 0xFF if not same_options or not orders else orders[0]["options"]
    ref_count = 0xFFFF if not same_count or not orders else len(orders[0]["params"])
    for order in orders:
        if ref_id:
            order["command_id"] = ref_id
        if ref_options != 0xFF:
            order["options"] = ref_options
        if ref_count != 0xFFFF:
            order["params"] = (order["params"] * 6)[:ref_count] or [1.0] * ref_count
            order["params"] = (order["params"] + [1.0] * ref_count)[:ref_count]
    message = packet(
        "aicommands", player=3, ai=255, pairwise=pairwise, ref_command_id=ref_id, ref_options=ref_options,
        ref_num_params=ref_count, units=units, commands=orders,
    )  # fmt: skip
    decoder, problems = decode("aicommands", message, spring.CURRENT)
    messages = decoder["AICOMMANDS"]
    if len(orders) > len(message):  # orders without bytes are held to the message's size
        return
    assert not len(problems)
    offset, size = decoder.stream.offset[messages.rows], decoder.stream.size[messages.rows]
    lists = read_lists(decoder.stream.data, offset, size, messages.records, kernel=lambda: None)
    entries = lists.entries
    assert entries is not None
    data = decoder.stream.data
    got = [
        {
            "command_id": int(entries.command_id[i]),
            "options": int(entries.options[i]),
            "params": list(struct.unpack_from(f"<{int(entries.num_params[i])}f", data, int(entries.params[i]))),
        }
        for i in range(len(entries.message))
    ]
    assert got == orders
    assert struct.unpack_from(f"<{len(units)}h", data, int(lists.units[0])) == tuple(units)


@pytest.mark.parametrize(
    "text",
    [
        "0.75b2+svn123", "0.82.7.1", "0.77b1", "83.0", "94.1", "104.0", "104.0.1-1707-gc0fc18e BAR", "105.0",
        "105.1.1-2590-gb9462a0 BAR105", "2025.04.08", "2025.01.6", "2026.07.04", "", "nonsense", "0", "0.0", "99999.1",
        "103.0.1-99999", "2025-5.3", "104-3.7", "1.2.3.4-5", "2025.123.123", "104.3-5.7", "0082.1", "1.-1", "1..2-3",
        "7-",
        "0.82-12",
    ],
)  # fmt: skip
def test_engine_numbers_agree_with_the_layout(text: str) -> None:
    data = demo(b"", b"", engine_version=text)
    assert SpringDemo.from_bytes(data).engine == spring.engine_number(text)


@given(st.from_regex(r"[0-9]{0,5}([.\-+bg ][0-9]{0,5}){0,5}[a-z]?", fullmatch=True))
def test_any_version_text_agrees_with_the_layout(text: str) -> None:
    assert SpringDemo.from_bytes(demo(b"", b"", engine_version=text)).engine == spring.engine_number(text)


def test_every_message_id_has_a_spec() -> None:
    assert {name for name, _, _ in SPECS.values()} == set(IDS) - {"ATTEMPTCONNECT_OLD"}

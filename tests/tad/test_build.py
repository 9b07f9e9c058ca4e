"""The construct specs state what the layouts state, and what they build reads back."""

from __future__ import annotations

from typing import Any

import numpy as np
from drift import assert_same
from hypothesis import given, settings
from hypothesis import strategies as st
from tad.builders import recording, setup

import ksreplay
from ksreplay.formats import tad_build as build
from ksreplay.generated.dtypes import tad as dtypes
from ksreplay.generated.dtypes import tad_subpacket as subpackets
from ksreplay.generated.tad import Tad


def test_specs_and_layouts_agree() -> None:
    for spec, dtype in (
        (build.HeaderHead, dtypes.HEADER_HEAD), (build.SectorCount, dtypes.SECTOR_COUNT),
        (build.SectorHead, dtypes.SECTOR_HEAD), (build.PlayerHead, dtypes.PLAYER_HEAD),
        (build.EnvelopeHead, dtypes.ENVELOPE_HEAD), (build.PacketHead, dtypes.PACKET_HEAD),
        (build.UnitDataEntry, dtypes.UNIT_DATA_ENTRY), (build.UnitData, subpackets.UNIT_DATA),
        (build.PlayerInfo, subpackets.PLAYER_INFO), (build.Resources, subpackets.RESOURCES),
    ):  # fmt: skip
        assert_same(spec, dtype)


u8, u16, u32 = st.integers(0, 255), st.integers(0, 65535), st.integers(0, 2**32 - 1)
i32 = st.integers(-(2**31), 2**31 - 1)
f32 = st.floats(width=32, allow_nan=False)


@settings(deadline=None, max_examples=60)
@given(
    st.fixed_dictionaries(
        {
            "wants_reply": u8,
            "kills": i32,
            "losses": i32,
            "commander_kills": i32,
            "commander_losses": i32,
            "metal": f32,
            "energy_produced": f32,
            "metal_wasted": f32,
        }
    )
)
def test_resources_four_ways(values: dict[str, Any]) -> None:
    """construct builds; construct, the dtype and the Kaitai reader read the same."""
    raw = build.Resources.build(values)
    parsed = build.Resources.parse(raw)
    fields = np.frombuffer(raw, subpackets.RESOURCES)[0]
    file = Tad.from_bytes(recording(b"\x28" + raw))
    body = file.packets[0].body.payload.subpackets[0].body
    for name in subpackets.RESOURCES.names or ():
        assert parsed[name] == fields[name] == getattr(body, name) == values.get(name, 0)


@settings(deadline=None, max_examples=60)
@given(player=u32, side=u8, color=u8, max_units=u16, flags=u8, options=u8, map_hash=u32)
def test_player_info_four_ways(**values: int) -> None:
    raw = build.player_info("Gods of War", **values)
    parsed = build.PlayerInfo.parse(raw[1:])
    fields = np.frombuffer(raw, subpackets.PLAYER_INFO, 1, 1)[0]
    body = Tad.from_bytes(recording(raw)).packets[0].body.payload.subpackets[0].body
    for name, value in values.items():
        kaitai = getattr(body, name)
        assert parsed[name] == fields[name] == int(getattr(kaitai, "value", kaitai)) == value


@settings(deadline=None, max_examples=40)
@given(version=st.sampled_from([3, 4, 5, 7]), limit=st.one_of(st.none(), st.integers(0, 8000)))
def test_headers_both_ways(version: int, limit: int | None) -> None:
    if version >= 5 and limit is None:
        limit = 500
    data = setup(version=version, max_units=limit)
    replay: Any = ksreplay.open(data)
    header = replay.setup.header
    assert (header.version, header.max_units, header.map) == (version, limit, "Gods of War")
    kaitai = Tad.from_bytes(data).header.body
    assert (kaitai.head.version, kaitai.map_name) == (version, "Gods of War")
    assert (kaitai.max_units if kaitai.has_max_units else None) == limit
    assert [status.checksum_ok for status in replay.setup.statuses] == [True, True]


def test_kaitai_decrypts_a_status() -> None:
    status = Tad.from_bytes(setup()).statuses[0]
    assert status.body.envelope.masked.info.player == 0x11111111


@settings(deadline=None)
@given(st.integers(0, 1000), st.lists(st.one_of(st.binary(min_size=5, max_size=60), st.just(b"")), max_size=20))
def test_smartpak_there_and_back(tick: int, bodies: list[bytes]) -> None:
    """Consecutive syncs survive the recorder's shorter forms; only an idle one loses a body that nobody reads."""
    wire = b""
    for number, body in enumerate(bodies):
        bits = body or b"\xff\xff\x01\x00"
        wire += b"\x2c" + (len(bits) + 7).to_bytes(2, "little") + (tick + number).to_bytes(4, "little") + bits
        wire += b"\x11\x01\x00\x01"
    stored = build.smartpak(wire)
    assert build.unsmartpak(stored, 0)[0] == wire
    assert len(stored) <= len(wire) + 5

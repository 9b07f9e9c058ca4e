"""The byte examples of seed 004, and real single subpackets of the corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tad.builders import recording, setup

import ksreplay
from ksreplay.formats import tad_build as build
from ksreplay.formats import tad_envelope as envelope
from ksreplay.formats import tad_lz77 as lz77
from ksreplay.generated.dtypes import tad_subpacket as dtypes
from ksreplay.generated.walks.tad_subpacket import WALK

#: The 26-byte record of the seed: 33 ms, sender 1, plain, and 20 bytes of Smartpak: base 600, two idle, one elided.
DEMONSTRATION = bytes.fromhex("1a0021000103 fe58020000 ff ff fd1100 ffff0100000000000000")


def test_the_26_byte_record() -> None:
    assert DEMONSTRATION[:6] == bytes.fromhex("1A0021000103")
    assert len(DEMONSTRATION) == 26
    replay: Any = ksreplay.open(setup(max_units=500) + DEMONSTRATION)
    records = replay.tables["records"].rows()
    assert next(records) | {"offset": 0} == {
        "offset": 0, "length": 26, "dt_ms": 33, "wall_ms": 33, "sender": 1, "flag": 3, "compressed": False,
        "payload_bytes": 20, "subpackets": 4, "repeated": False, "content": "subpackets",
    }  # fmt: skip
    stream = replay.stream
    syncs = np.isin(stream.ids, (0xFD, 0xFF))
    assert stream.tick[syncs].tolist() == [600, 601, 602]


def test_reconstruction_of_the_elided_syncs() -> None:
    """`2c <original length> <tick> <body>`; the chunk occupies length - 4 bytes, the body length - 7."""
    wire, counter = build.unsmartpak(DEMONSTRATION[6:], 0)
    assert counter == 603
    assert wire == bytes.fromhex("2c0b0058020000ffff0100 2c0b0059020000ffff0100 2c11005a020000ffff0100000000000000")


def test_scheduled_slot_and_bit_of_health() -> None:
    """At tick 600 with 500 units the scheduled slot is 100, and health begins at bit 73 + 9 = 82."""
    assert 600 % 500 == 100
    from ksreplay.formats.tad_sync_build import body, whole

    unit = {"type": 300, "health": -1, "build": 0, "flags": 0, "mode": 0, "pos": (0, 0, 0), "angles": (0, 0, 0)}
    number = int.from_bytes(whole(600, body(9, (), unit)), "little")
    assert number >> 82 & 0xFFFF == 0xFFFF
    assert number >> 73 & 0x1FF == 300
    assert not number >> 98 & 1


def test_envelope_example() -> None:
    """Bytes 3 to n - 4 are masked with their index from the flag, and summed after it."""
    payload = bytes(range(100, 120))
    wire = envelope.encrypt(3, payload)
    assert wire[3] == 100 ^ 3
    assert wire[-3:] == payload[-3:]
    assert int.from_bytes(wire[1:3], "little") == sum(wire[3:-3])
    assert envelope.decrypt(wire) == (3, payload, True)


def test_lz_examples() -> None:
    """Offsets count from 1 and a copy may extend into what it produces."""
    assert lz77.inflate(bytes.fromhex("06 12 1200 0000"))[0] == b"\x12" * 5
    assert lz77.inflate(bytes.fromhex("9c28002800ce002e007a443902fe440000"))[0][0] == 0x28


@pytest.fixture(scope="module")
def worked(corpus: Path) -> dict[str, Any]:
    items = json.loads((corpus / "tad" / "vectors" / "worked_examples.json").read_text())
    return {item["id"]: item for item in items}


#: vector -> (fields of the layout that answer its expectations)
FIELDS: dict[str, dict[str, str]] = {
    "rwe_09_flat": {"type": "unit_type", "unit": "unit_id"},
    "rwe_09_slope": {"type": "unit_type", "unit": "unit_id"},
    "rwe_12": {"unit": "unit_id", "builder": "builder"},
    "rwe_0b": {"victim": "victim", "attacker": "attacker", "amount": "amount", "seed_direction": "direction",
               "seed_kind": "kind"},
    "rwe_0c": {"victim": "victim", "attacker_dpid": "attacker_player", "attacker": "attacker", "severity": "severity"},
    "rwe_0d": {"shooter": "shooter", "target": "target_unit", "slot": "weapon_slot", "seed_weapon": "weapon",
               "seed_flags": "flags", "seed_yaw": "yaw", "seed_pitch": "pitch"},
    "rwe_10": {"unit": "unit_id", "script": "script", "argc": "num_arguments"},
    "rwe_19": {"mode": "kind", "pause": "value"},
    "tadr_11": {"unit": "unit_id", "state": "state"},
    "tadr_11_nine": {"unit": "unit_id", "state": "state"},
    "tadr_0a": {"unit": "unit_id"},
    "tadr_0f": {"code": "code", "x": "tile_x", "z": "tile_z"},
    "tadr_0e": {"weapon": "weapon"},
    "tadr_1b": {"dpid": "player", "reason": "reason"},
    "tadr_16": {"kind": "kind", "frm": "sender", "to": "receiver", "amount": "amount"},
    "tadr_14": {"unit": "unit_id", "to_dpid": "new_owner", "health_at_11": "health"},
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_real_subpackets(name: str, worked: dict[str, Any]) -> None:
    item = worked[name]
    data = bytes.fromhex(item["hex"])
    message = WALK[data[0]]
    assert message.size == len(data)
    assert message.dtype is not None
    body = np.frombuffer(data, message.dtype, 1, 1)[0]
    for key, field in FIELDS[name].items():
        assert body[field] == item["expect"][key]


def test_positions_of_a_build_have_fractions(worked: dict[str, Any]) -> None:
    payloads = [bytes.fromhex(worked[name]["hex"]) for name in ("rwe_09_flat", "rwe_09_slope", "tadr_09_commander")]
    rows = list(ksreplay.open(recording(*payloads)).tables["builds"].rows())
    assert [rows[0][axis] for axis in "xyz"] == worked["rwe_09_flat"]["expect"]["pos_units"]
    assert rows[1]["y"] == worked["rwe_09_slope"]["expect"]["y_units"]
    assert [rows[1][f"rotation_{axis}"] for axis in "xyz"] == worked["rwe_09_slope"]["expect"]["rot"]
    assert [rows[2][axis] for axis in "xyz"] == worked["tadr_09_commander"]["expect"]["pos_units"]


@pytest.mark.parametrize("name", ["rwe_28_player", "rwe_28_watcher"])
def test_real_snapshots(name: str, worked: dict[str, Any]) -> None:
    body = np.frombuffer(bytes.fromhex(worked[name]["hex"]), dtypes.RESOURCES, 1, 1)[0]
    assert [float(body[field]) for field in dtypes.RESOURCES.names[5:]] == worked[name]["expect"]["floats"]


def test_real_compressed_snapshot(worked: dict[str, Any]) -> None:
    item = worked["oa_compressed_28"]
    data, _ = lz77.inflate(bytes.fromhex(item["hex"])[1:])
    assert data.hex() == item["expect"]["inflated"]


def test_real_raw_syncs_dot_command_and_old_data(worked: dict[str, Any]) -> None:
    names = ("oa_raw_2c", "oa_dot_command", "oa_fb_nolen")
    replay: Any = ksreplay.open(recording(*(bytes.fromhex(worked[name]["hex"])[1:] for name in names)), private=True)
    stream = replay.stream
    assert stream.tick[stream.ids == 0x2C].tolist() == worked["oa_raw_2c"]["expect"]["ticks"]
    assert list(replay.tables["chat"]["text"]) == [".sharelos"]
    assert stream.lengths[stream.ids == 0xFB].tolist() == [7]


def test_real_prefix_is_a_setup_that_is_cut(worked: dict[str, Any]) -> None:
    item = worked["rwe_real_prefix"]
    replay: Any = ksreplay.open(bytes.fromhex(item["hex"]))
    expect, header = item["expect"], replay.setup.header
    assert (header.version, header.num_players, header.max_units, header.map) == (
        expect["version"], expect["players"], expect["max_units"], expect["map"],
    )  # fmt: skip
    assert replay.setup.num_sectors == expect["sectors"]
    assert (replay.setup.sector_text(3), replay.setup.sector_text(4)) == (expect["sector3"], expect["sector4"])
    info = replay.info()
    assert not info["complete"]
    assert [problem["code"] for problem in info["problems"]] == ["setup-cut"]


def test_header_of_the_seed(worked: dict[str, Any]) -> None:
    from ksreplay.formats.tad import read_header

    item = worked["seed_header"]
    header, length = read_header(bytes.fromhex(item["hex"]))
    assert (header.map, header.max_units, length) == ("Gods of War", 500, 26)

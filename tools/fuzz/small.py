"""The smallest file of each format that still holds every kind of section, record, message or column.

So small that all values of every byte can be tried. Made by the project's own builders; `SAMPLES` are the bigger ones.
"""

from __future__ import annotations

import itertools
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any

import construct
import numpy as np
import zstandard

from ksreplay.formats import spring_build, tad_build
from ksreplay.formats import tad_envelope as envelope
from ksreplay.formats.cbtrack_columns import BLOCK
from ksreplay.formats.crd_commands import OPEN_MENU, Commands
from ksreplay.formats.crd_encode import Encoder
from ksreplay.formats.crd_ticks import Ticks
from ksreplay.formats.tad_sync_build import body as sync_body
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.registry import FORMATS
from ksreplay.semantics.cbtrack.writer import TrackWriter
from ksreplay.semantics.crd.flags import pack as pack_flags


@dataclass(frozen=True)
class Target:
    """What is changed byte by byte.

    ``content``: the bytes; ``pack`` puts them into the container that would hide the changes behind its compression;
    ``alike``: spans (beginning, end) of which the first two bytes stand for all: runs of one byte, heads that repeat,
    packets that have a target of their own.
    """

    format: str
    content: Callable[[], bytes]
    pack: Callable[[bytes], bytes] = bytes
    alike: Callable[[], list[tuple[int, int]]] = list

    def offsets(self) -> list[int]:
        """The offsets that are tried."""
        left_out = {offset for start, end in self.alike() for offset in range(start + 2, end)}
        return [offset for offset in range(len(self.content())) if offset not in left_out]

    def files(self, offset: int) -> Iterator[tuple[int, bytes]]:
        """Every other value at ``offset``, and the file that has it."""
        content = self.content()
        for value in others(content[offset]):
            yield value, self.pack(changed(content, offset, value))


@dataclass(frozen=True)
class PacketTarget(Target):
    """Packets that are framed independently: all values of a byte in one file, each in a packet of its own.

    ``packets`` are what ``content`` joins; ``build`` makes a file of packets.
    """

    packets: Callable[[], list[bytes]] = list
    build: Callable[[list[bytes]], bytes] = b"".join

    def files(self, offset: int) -> Iterator[tuple[int, bytes]]:
        packets = self.packets()
        for packet in packets:
            if offset < len(packet):
                yield -1, self.build([*packets, *(changed(packet, offset, value) for value in others(packet[offset]))])
                return
            offset -= len(packet)


def changed(content: bytes, offset: int, value: int) -> bytes:
    return content[:offset] + bytes([value]) + content[offset + 1 :]


def others(value: int) -> list[int]:
    return [other for other in range(256) if other != value]


def runs(data: bytes, least: int = 16) -> list[tuple[int, int]]:
    """Where ``least`` or more equal bytes follow one another."""
    return [found.span() for found in re.finditer(rb"(.)\1{%d,}" % (least - 1), data, re.DOTALL)]


# --- Coilbox tracks -------------------------------------------------------------------------------------------------


@cache
def track() -> bytes:
    """Two units, one of which builds and aims, a projectile, a feature, terrain, numbers; one window."""
    writer = TrackWriter(0, 8, window_length=8, position_shift=3, velocity_shift=8, rotation_bits=8, level=9)
    writer.set_info("e", "g", "m", "w", (8, 8))
    kind = writer.add_unit_definition("u", (8, 8), ("p",))
    shot, tree = writer.add_weapon_definition("s"), writer.add_feature_definition("f")
    writer.add_team(0, leader="a", side="b")
    unit = writer.add_unit(
        1, kind, 0, 0, 8, frames=[0, 3, 8], position=[[0, 0, 0], [9, 0, 1], [5000, 2, 3]],
        status_frames=[0, 4], health=[1, 0.5], build_progress=[1, 1], on=[1, 0],
    )  # fmt: skip
    feature = writer.add_feature(1, tree, None, 0, 8, (1, 2, 3))
    writer.add_targets(unit, 0, [(1, 1, unit), (5, 3, feature)], [7, 9])
    writer.add_targets(unit, 1, [(2, 128, (1.0, 2.0, 3.0))])
    writer.add_pose(unit, 0, [0, 5], [[0, 0, 0], [99, 0, 9000]], [[0, 0, 0], [1, 0, 0]])
    writer.add_queue(unit, [(0, [(kind, 8.0, 16.0, 1)]), (5, [])])
    writer.add_projectile(shot, 0, unit, frames=[1, 4], position=[[0, 0, 0], [9, 9, 9]], velocity=[[3, 3, 3]] * 2)
    writer.add_number(0, 1, [0, 8], [1, 2])
    writer.add_number(None, "n", [0], [5])
    writer.add_terrain([2], [1], [1], [3.0], [1.0])
    return writer.build()


def chunk_places() -> dict[str, tuple[int, int, int]]:
    """chunk -> (place of its entry in the header or the index, offset and length of its bytes) in `track`."""
    data = track()
    entries = {"info": 36, "features": 44, "main": 96, "terrain": 104}
    found = {}
    for name, at in entries.items():
        block, length = struct.unpack_from("<II", data, at)
        found[name] = at, block * BLOCK, length
    return found


def chunk(name: str) -> bytes:
    """The inflated chunk ``name`` of `track`."""
    _, offset, length = chunk_places()[name]
    return zlib.decompress(track()[offset : offset + length])


def with_chunk(name: str, content: bytes) -> bytes:
    """`track` with another chunk: deflated at its end, where its entry then points."""
    data = bytearray(track())
    entry, _, _ = chunk_places()[name]
    data += bytes(-len(data) % BLOCK)
    packed = zlib.compress(content, 1)
    struct.pack_into("<II", data, entry, len(data) // BLOCK, len(packed))
    return bytes(data + packed)


# --- Crimsonland replays --------------------------------------------------------------------------------------------


@cache
def crd_payload() -> bytes:
    """Two ticks of two players with a command, every field of version 34 that is a kind of its own."""
    axes = np.full((2, 1, 4), 0.5, np.float32)
    flags = np.full((2, 1), pack_flags(movement=2, aim=0, move_keys=True, fire_held=True), np.uint32)
    commands = Commands()
    commands.add(1, OPEN_MENU, 0, -1, None, 0)
    entry = {"pos": {"x": 1.0, "y": 2.0}, "heading": 0.0, "spawn_id": 38, "trigger_ms": 500, "count": 1}
    values: dict[str, Any] = {
        "format_version": 34,
        "game_version": "0.22.0",
        "rules": 2,
        "recorder": {"client": "k", "version": "s", "platform": "u"},
        "pilot": {"name": "S", "model": "m", "url": ""},
        "seat_keys": [bytes(range(32))],
        "run": {
            "game_mode_id": 3, "seed": 7, "quest_level": None, "player_count": 1, "hardcore": False,
            "preserve_bugs": False, "quest_fail_retry_count": 0, "detail_preset": 5, "violence_disabled": 0,
            "friendly_fire": False,
            "status": {"quest_unlock_index": 1, "quest_unlock_index_full": 1, "weapon_usage_counts": [0] * 53},
            "typo_dictionary_words": ["a"], "typo_highscore_names": ["b"],
            "typo_carry": {
                "target_world": None, "submit_count": 0, "match_count": 0, "highscore_names_loaded": False,
            },
            "custom_quest": {
                "title": "t", "author": "a", "start_weapon_id": 3, "terrain_slots": [0, 1, 2], "entries": [entry],
                "no_bonuses": [5], "no_perks": [1], "no_weapons": [2],
            },
        },
        "result": {
            "outcome": "incomplete", "elapsed_ms": 32, "kills": 3, "shots_fired": 40, "shots_hit": 12, "rng_state": 9,
            "pending_perks": 0, "quest_final_ms": None,
            "players": [{"experience": 250, "health": 87.5, "most_used_weapon_id": 3}],
        },
    }  # fmt: skip
    ticks = Ticks(1, axes, flags, np.zeros((2, 1), np.int64), commands)
    return Encoder(34).encode(values, ticks)


def crd_pack(payload: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=1).compress(payload)


# --- Spring demos ---------------------------------------------------------------------------------------------------

SCRIPT = b"[game]{[player0]{name=A;team=0;}[team0]{allyteam=0;}[allyteam0]{}mapname=m;}"
COUNTERS = {"num_commands": 1, "num_unit_commands": 1, "mouse_pixels": 1, "mouse_clicks": 1, "key_presses": 1}


def least(spec: Any) -> Any:
    """The shortest value that fills a construct field with something."""
    while isinstance(spec, construct.Renamed | construct.Default | construct.IfThenElse):
        spec = spec.thensubcon if isinstance(spec, construct.IfThenElse) else spec.subcon
    if isinstance(spec, construct.Struct):
        return {
            field.name: least(field)
            for field in spec.subcons
            if not isinstance(field.subcon, construct.Rebuild | construct.Const)
        }
    if isinstance(spec, construct.StringEncoded):
        return "a"
    if isinstance(spec, construct.GreedyRange | construct.Array):
        return [least(spec.subcon)]
    if isinstance(spec, construct.Bytes):
        return b"\x11" * (spec.length if isinstance(spec.length, int) else 1)
    return b"a" if spec is construct.GreedyBytes else 1


#: Layouts that only an older engine writes and no size tells apart: a file of today cannot hold them.
def _is_current(layout: str) -> bool:
    return not layout.endswith(
        ("_plain", "_counted", "_timed", "_listed", "_unowned", "_narrow", "_bare", "_wide")
    ) and (
        layout not in {"sync_request", "gamedata_short", "systemmsg_short", "luamsg_short", "playerstat_mouse_first"}
    )


def messages() -> dict[str, bytes]:
    """One message of every layout that today's engine writes."""
    special: dict[str, bytes] = {
        "keyframe": spring_build.packet("keyframe", frame=0),
        "gamedata": spring_build.game_data(SCRIPT),
        "clientdata": spring_build.packet("clientdata", player=0, compressed_text=zlib.compress(b"a")),
        "luamsg": spring_build.packet(
            "luamsg", player=0, script=100, mode=0, payload=b"unitdefs:" + zlib.compress(b'["u"]')
        ),
        "gameid": spring_build.packet("gameid", game_id=bytes(range(16))),
        "startplaying": spring_build.packet("startplaying", countdown=0),
        "team": spring_build.packet("team", player=0, action=3, param1=0, param2=0),
    }
    found = {}
    for layout, (_, _, body) in spring_build.SPECS.items():
        if _is_current(layout):
            found[layout] = special.get(layout) or spring_build.packet(layout, **least(body))
    return found


@cache
def stream() -> list[bytes]:
    """Every message of today once, and an unknown one."""
    found = messages()
    return [found.pop("gamedata"), *(found[name] for name in found if name != "quit"), b"\xc8?", found["quit"]]


def demo_of(messages: list[bytes]) -> bytes:
    """The messages with one player, one team and its statistics."""
    packets = b"".join(spring_build.chunk(0.5, message) for message in messages)
    sample = dict.fromkeys((spec.name for spec in spring_build.TEAM_STATISTICS.subcons), 1)
    return spring_build.demo(
        SCRIPT, packets, winners=[1], players=[COUNTERS], teams=[[sample]], engine_version="2025.06.12"
    )


@cache
def demo() -> bytes:
    return demo_of(stream())


def demo_packets() -> list[tuple[int, int]]:
    """Every packet with its head."""
    ends = itertools.accumulate((8 + len(message) for message in stream()), initial=352 + len(SCRIPT))
    return list(itertools.pairwise(ends))


def demo_heads() -> list[tuple[int, int]]:
    """Runs of one byte, and the heads of all packets but the first, less the low byte of the length."""
    later = [start for start, _ in demo_packets()[1:]]
    return [*runs(demo()), *((start - 2, start + 4) for start in later), *((start + 3, start + 8) for start in later)]


def demo_container() -> list[tuple[int, int]]:
    """`demo_heads` and all messages."""
    return [*demo_heads(), *((start + 8, end) for start, end in demo_packets())]


# --- TA recordings --------------------------------------------------------------------------------------------------


@cache
def recording() -> bytes:
    """Every sector, a player, every subpacket; plain records but one."""
    packed = tad_build.packet(33, 1, b"\x06" * 24, compress=True)
    assert packed[5] == envelope.COMPRESSED
    return recording_of(payloads()) + packed


def recording_of(payloads: list[bytes]) -> bytes:
    return setup() + b"".join(tad_build.packet(33, 1, payload) for payload in payloads)


@cache
def setup() -> bytes:
    out = tad_build.header(7, 1, 500, b"m")
    texts = [(kind, b"1") for kind in (1, 2, 3, 4, 5, 7)]
    out += tad_build.sectors([*texts, (6, bytes(byte ^ 0x2A for byte in bytes(80) + b"a"))])
    out += tad_build.player(1, 0, 1, b"A")
    out += tad_build.status(1, tad_build.player_info("m", player=7, side=0, color=1, max_units=500) + tad_build.team(7))
    return out + tad_build.unit_data([{"sub": 2, "fill": 0, "key": 1, "value": 2}])


@cache
def payloads() -> list[bytes]:
    """Every subpacket: those around syncs, and the others."""
    sync = sync_body(9, [{"slot": 1, "type": 2, "ground": {"blocked": False, "points": [(1, 2)]}}])
    status = {
        "type": 3, "health": 9, "build": 0, "flags": 1, "mode": 2, "pos": (1, 2, 3), "angles": (0, 0, 0), "speed": 4,
    }  # fmt: skip
    flight = [{"slot": 2, "type": 3, "air": {"selector": 2, "pos": (1, 2, 3), "velocity": (0, 0, 0), "mode": 2}}]
    varying = {
        0x00: b"\0\0", 0x05: b"\x05<A> a".ljust(65, b"\0"), 0x2C: b"\x2c\x0b\0\x01\0\0\0\xff\xff\x01\0",
        0x2E: b"\x2e" + b"\x01" * 8, 0x42: b"\x42\x01\0a", 0xF9: b"\xf9" + bytes(8) + b"a".ljust(64, b"\0"),
        0xFB: b"\xfb\x01aa",
        0xFD: tad_build.elided(sync) + tad_build.elided(sync_body(9, flight, status)),
    }  # fmt: skip
    first = b"\xfe\x01\0\0\0" + varying.pop(0xFD) + b"\xff" + b"\x19\x01\x0a"
    rest = b""
    for number, message in WALK.items():
        if number in varying:
            rest += varying[number]
        elif number not in (0x19, 0x20, 0xFD, 0xFE, 0xFF):
            assert message.size is not None
            rest += bytes([number, *(1 + place % 5 for place in range(message.size - 1))])
    return [first, rest]


def recording_container() -> list[tuple[int, int]]:
    """Runs of one byte, and the payloads."""
    data = recording()
    starts = [(data.index(payload), len(payload)) for payload in payloads()]
    return [*runs(data), *((start, start + length) for start, length in starts)]


#: Cheapest first; the last two try one by one what the first two try together.
TARGETS: dict[str, Target] = {
    "spring-packets": PacketTarget("spring", lambda: b"".join(stream()), packets=stream, build=demo_of),
    "tad-packets": PacketTarget("tad", lambda: b"".join(payloads()), packets=payloads, build=recording_of),
    "cbtrack-terrain": Target("cbtrack", lambda: chunk("terrain"), lambda data: with_chunk("terrain", data)),
    "cbtrack-features": Target("cbtrack", lambda: chunk("features"), lambda data: with_chunk("features", data)),
    "cbtrack-info": Target("cbtrack", lambda: chunk("info"), lambda data: with_chunk("info", data)),
    "crd": Target("crd", crd_payload, crd_pack),
    "tad": Target("tad", recording, alike=recording_container),
    "spring": Target("spring", demo, alike=demo_container),
    "cbtrack": Target("cbtrack", track, alike=lambda: runs(track())),
    "cbtrack-main": Target("cbtrack", lambda: chunk("main"), lambda data: with_chunk("main", data)),
    "tad-whole": Target("tad", recording, alike=lambda: runs(recording())),
    "spring-whole": Target("spring", demo, alike=demo_heads),
}


def _sample(name: str) -> bytes:
    data = files("ksreplay.samples").joinpath(FORMATS[name].sample).read_bytes()
    if data[:2] == b"\x1f\x8b":
        return zlib.decompress(data, 31)
    return zstandard.ZstdDecompressor().decompress(data) if name == "crd" else data


SAMPLES: dict[str, Target] = {
    name: Target(name, partial(_sample, name), crd_pack if name == "crd" else bytes) for name in FORMATS
}

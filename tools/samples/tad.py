"""Writes src/samples/sample.tad: python tools/samples/tad.py.

Twenty seconds of a made-up game of two players and a watcher: lobby settings, negotiated unit types, chat, a base
that is built, a walk, a flight, shots, a death and the score, with unit syncs in the recorder's forms.
"""

from __future__ import annotations

import math
import struct
import zlib
from pathlib import Path

from ksreplay.formats import tad_build as build
from ksreplay.formats.tad_sync_build import body

TARGET = Path(__file__).resolve().parents[2] / "src" / "samples" / "sample.tad"
MAP = "Sample Valley"
LIMIT = 200
TICKS = 600
BUNDLE = 6  # ticks a packet
WIDTH = 9
TYPES = 300
TANK, PLANE, ARM, CORE = 120, 233, 36, 169
PLAYERS = ((1, 0, "Ada"), (2, 1, "Bo"), (3, 2, "Cy"))
DPIDS = {1: 0x5A100001, 2: 0x2B200002, 3: 0x7C300003}
BASES = {2: 0, 1: LIMIT, 3: 2 * LIMIT}  # by rank of the identity


def fix(value: float) -> int:
    return round(value * 65536)


def types() -> list[dict[str, int]]:
    keys = [0x10000 + n * 7919 for n in range(TYPES)]
    checks = [{"sub": 2, "fill": 0, "key": key, "value": key * 31 & 0xFFFFFFFF} for key in keys]
    states = [{"sub": 3, "fill": 0, "key": key, "value": 0xFFFF0101} for key in keys]
    return checks + states


def setup() -> bytes:
    out = build.header(5, len(PLAYERS), LIMIT, MAP.encode())
    address = bytes(80) + b"192.0.2.1\0"
    out += build.sectors(
        [(1, b"made by tools/samples/tad.py"), (2, b"<Ada> hello\r<Bo> hi\r"), (3, b"ksreplay sample"),
         (4, b"29.11.2026"), (5, b"nowhere")]
        + [(6, bytes(byte ^ 0x2A for byte in address)) for _ in PLAYERS]
    )  # fmt: skip
    for number, side, name in PLAYERS:
        out += build.player(number, side, number, name.encode())
    for number, side, _ in PLAYERS:
        flags = 0x20 | (0x40 if side == 2 else 0)
        info = build.player_info(
            MAP, player=DPIDS[number], side=side, color=number + 2, max_units=LIMIT, flags=flags, map_hash=0x0BADF00D
        )
        out += build.status(number, info + build.team(DPIDS[number]), compress=number == 2)
    note = {"sub": 9, "fill": zlib.crc32(out), "key": 0xFFFFFFFF, "value": 1}
    return out + build.unit_data([*types(), note])


def start(number: int) -> bytes:
    """What a player does first: the commander, and a few buildings."""
    if number == 3:
        return b""
    kind, base = (ARM, BASES[1]) if number == 1 else (CORE, BASES[2])
    x, z = (800, 900) if number == 1 else (3200, 2900)
    out = struct.pack("<BHHiiihhh", 9, kind, base + 1, fix(x), fix(85), fix(z), 0, 0, 0)
    for n, unit_type in enumerate((TANK, PLANE)):
        out += struct.pack("<BHHiiihhh", 9, unit_type, base + 2 + n, fix(x + 48 * (n + 1)), fix(85.5), fix(z), 0, 0, 0)
        out += struct.pack("<BHH", 0x12, base + 2 + n, base + 1)
    return out


def sync(number: int, tick: int) -> bytes:
    """The sync of one tick: a tank that drives and a plane that flies, and the status of the slot whose turn it is."""
    if number == 3:
        return build.IDLE
    sign = 1 if number == 1 else -1
    x, z = (800, 900) if number == 1 else (3200, 2900)
    entries = []
    if tick % 30 == number:
        entries.append(
            {"slot": 1, "type": TANK,
             "ground": {"blocked": tick % 60 == 0, "points": [(x + sign * tick, z), (x + sign * (tick + 90), z + 40)]}}
        )  # fmt: skip
    if tick % 20 == number:
        angle = tick * math.tau / TICKS
        place = (fix(x + 300 * math.cos(angle)), fix(200), fix(z + 300 * math.sin(angle)))
        air = {"selector": 2, "pos": place, "velocity": (fix(-3 * math.sin(angle)), 0, fix(3 * math.cos(angle)))}
        goal = {"selector": 1, "flags": 0x20, "pos": place}
        entries.append({"slot": 2, "type": PLANE, "air": {**(air if tick % 40 == number else goal), "mode": 2}})
    slot = tick % LIMIT
    status = {"type": 0}
    if slot < 3:
        unit_type = ((ARM if number == 1 else CORE), TANK, PLANE)[slot]
        status = {
            "type": unit_type, "health": 1000 - tick // 2, "build": 255 - tick // 3 if tick < 600 and slot == 1 else 0,
            "flags": 1, "mode": 2 if slot == 2 else 1, "pos": (fix(x + sign * tick), fix(85), fix(z)),
            "angles": (tick * 50 % 65536, 0, 0), "speed": fix(1.5),
        }  # fmt: skip
    if not entries and not status["type"]:
        return build.IDLE
    return build.elided(body(WIDTH, entries, status))


def resources(number: int, tick: int) -> bytes:
    grown = tick / 30
    values = {
        "kills": int(number == 1 and tick > 500), "losses": int(number == 2 and tick > 500),
        "metal": 1000 - grown, "energy": 1000 - 2 * grown, "metal_capacity": 1000.0, "energy_capacity": 1000.0,
        "energy_produced": 25 * grown, "energy_requested": 30 * grown, "metal_produced": 2 * grown,
        "metal_requested": 3 * grown,
    }  # fmt: skip
    return b"\x28" + build.Resources.build({} if number == 3 else values)


def chat(text: str) -> bytes:
    return b"\x05" + text.encode().ljust(64, b"\0")


def packets() -> list[bytes]:
    out = []
    for tick in range(0, TICKS, BUNDLE):
        for number, _, _ in PLAYERS:
            payload = build.base(tick)
            if tick == 0:
                payload = b"\x08\x2a\x64\x15" + start(number) + payload
            payload += b"".join(sync(number, tick + n) for n in range(BUNDLE))
            if tick % 120 == 0 and tick:
                payload += resources(number, tick) * 2
            if number == 1 and tick in (60, 300):
                payload += chat("<Ada> this is a sample" if tick == 60 else "<Ada> watch the tank")
            if number == 1 and tick == 120:
                payload += bytes((0x19, 1, 10))
            if number == 1 and 480 <= tick < 510:
                shot = struct.pack("<9x3i", fix(3100), fix(85), fix(2900))[9:]
                origin = struct.pack("<3i", fix(900), fix(90), fix(900))
                payload += b"\x0d" + origin + shot + struct.pack("<BBHHHHB", 73, 0, 9000, 400, 2, BASES[1] + 2, 0)
                payload += struct.pack("<BHHHBB", 0x0B, BASES[2] + 2, BASES[1] + 2, 120, 66, 1)
            if number == 2 and tick == 510:
                payload += struct.pack("<BHIHbB", 0x0C, BASES[2] + 2, DPIDS[1], BASES[1] + 2, 40, 0x12)
            if number == 1 and tick % 90 == 0:
                payload += struct.pack("<BHH", 0xFC, 700 + tick, 800)
            out.append(build.packet(67, number, payload, compress=True))
    return out


def sample() -> bytes:
    return setup() + b"".join(packets())


if __name__ == "__main__":
    TARGET.write_bytes(sample())
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")

"""construct specs that build TA recordings, for writers and tests. Reading goes by the layouts in ksy/.

The drift test holds these against the dtypes generated from the layouts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import construct as c

from ksreplay.formats import tad_envelope as envelope
from ksreplay.formats import tad_lz77 as lz77
from ksreplay.formats.tad import MAGIC

Record = c.Prefixed(c.Int16ul, c.GreedyBytes, includelength=True)

HeaderHead = c.Struct("magic" / c.Const(MAGIC), "version" / c.Int16ul, "num_players" / c.Int8ul)
SectorCount = c.Struct("num_sectors" / c.Int32ul)
SectorHead = c.Struct("kind" / c.Int32ul)
PlayerHead = c.Struct("color" / c.Int8ul, "side" / c.Int8ul, "number" / c.Int8ul)
EnvelopeHead = c.Struct("flag" / c.Int8ul, "checksum" / c.Int16ul)
PacketHead = c.Struct("dt_ms" / c.Int16ul, "sender" / c.Int8ul)
UnitData = c.Struct("sub" / c.Int8ul, "fill" / c.Int32ul, "key" / c.Int32ul, "value" / c.Int32ul)
UnitDataEntry = c.Struct("magic" / c.Const(b"\x1a"), "entry" / UnitData)

#: Body of 0x20, behind the id.
PlayerInfo = c.Struct(
    "map_name" / c.Bytes(139),
    "width" / c.Default(c.Int16ul, 1024),
    "height" / c.Default(c.Int16ul, 768),
    "reserved1" / c.Default(c.Bytes(1), bytes(1)),
    "player" / c.Int32ul,
    "player_kind" / c.Default(c.Int8ul, 1),
    "side" / c.Int8ul,
    "color" / c.Int8ul,
    "reserved2" / c.Default(c.Bytes(4), bytes(4)),
    "flags" / c.Default(c.Int8ul, 0x20),
    "options" / c.Default(c.Int8ul, 0),
    "reserved3" / c.Default(c.Bytes(8), bytes(8)),
    "max_units" / c.Int16ul,
    "version_major" / c.Default(c.Int8ul, 3),
    "version_minor" / c.Default(c.Int8ul, 1),
    "map_hash" / c.Default(c.Int32ul, 0),
    "reserved4" / c.Default(c.Bytes(12), bytes(12)),
)
_COUNTERS = ("kills", "losses", "commander_kills", "commander_losses")
_FLOATS = (
    "metal", "energy", "metal_capacity", "energy_capacity", "energy_produced", "energy_requested", "energy_wasted",
    "metal_produced", "metal_requested", "metal_wasted",
)  # fmt: skip
#: Body of 0x28, behind the id.
Resources = c.Struct(
    "wants_reply" / c.Default(c.Int8ul, 0),
    *(name / c.Default(c.Int32sl, 0) for name in _COUNTERS),
    *(name / c.Default(c.Float32l, 0.0) for name in _FLOATS),
)


def record(body: bytes) -> bytes:
    """A record: ``body`` behind its length. Raises ValueError past 65,533 bytes, which no record can hold."""
    if len(body) > 65_533:
        raise ValueError(f"a record cannot hold {len(body)} bytes")
    return bytes(Record.build(body))


def header(version: int, num_players: int, max_units: int | None, map_name: bytes) -> bytes:
    limit = b"" if max_units is None else max_units.to_bytes(2, "little")
    return record(HeaderHead.build({"version": version, "num_players": num_players}) + limit + map_name)


def sectors(items: Sequence[tuple[int, bytes]]) -> bytes:
    """The count record and the sector records."""
    return sector_total(len(items)) + b"".join(sector(kind, content) for kind, content in items)


def sector_total(count: int, rest: bytes = b"") -> bytes:
    return record(SectorCount.build({"num_sectors": count}) + rest)


def sector(kind: int, content: bytes) -> bytes:
    return record(SectorHead.build({"kind": kind}) + content)


def player(color: int, side: int, number: int, name: bytes) -> bytes:
    return record(PlayerHead.build({"color": color, "side": side, "number": number}) + name)


def player_info(map_name: str, **fields: Any) -> bytes:
    """A whole 0x20 of 186 bytes."""
    return b"\x20" + PlayerInfo.build({"map_name": map_name.encode("cp1252").ljust(139, b"\0"), **fields})


def team(dpid: int, number: int = 5) -> bytes:
    """A whole 0x24."""
    return b"\x24" + dpid.to_bytes(4, "little") + bytes([number])


def status(number: int, content: bytes, *, sequence: int = -1, compress: bool = False) -> bytes:
    """A status record: the envelope around a sequence and ``content``; compressed only where that is smaller."""
    payload = sequence.to_bytes(4, "little", signed=True) + content
    packed = lz77.deflate_recorder(payload) if compress else payload
    if compress and len(packed) < len(payload):
        return record(bytes([number]) + envelope.encrypt(envelope.COMPRESSED, packed))
    return record(bytes([number]) + envelope.encrypt(envelope.PLAIN, payload))


def unit_data(entries: Iterable[Mapping[str, int]]) -> bytes:
    return record(b"".join(UnitDataEntry.build({"entry": dict(entry)}) for entry in entries))


def packet(dt_ms: int, sender: int, payload: bytes, *, compress: bool = False) -> bytes:
    """A packet record; compressed as the recorder does it, and only where that is smaller."""
    head = PacketHead.build({"dt_ms": dt_ms, "sender": sender})
    packed = lz77.deflate_recorder(payload) if compress else payload
    if compress and len(packed) < len(payload):
        return record(head + bytes([envelope.COMPRESSED]) + packed)
    return record(head + bytes([envelope.PLAIN]) + payload)


def base(tick: int) -> bytes:
    """A whole 0xfe."""
    return b"\xfe" + tick.to_bytes(4, "little")


def elided(body: bytes) -> bytes:
    """A whole 0xfd around the bits of a sync."""
    return b"\xfd" + (len(body) + 7).to_bytes(2, "little") + body


IDLE = b"\xff"


def smartpak(payload: bytes) -> bytes:
    """A wire payload of whole subpackets with its 0x2c put into the recorder's shorter forms (seed 004, 7)."""
    import numpy as np

    from ksreplay import kernels
    from ksreplay.formats.tad_strata import rules_table, walk

    data = np.frombuffer(payload + bytes(16), np.uint8)
    module = kernels.load("tad_walk")
    columns = walk(module, data, np.zeros(1, np.int64), np.array([len(payload)]), rules_table())
    out = bytearray()
    based = False
    rows = zip(columns.offsets.tolist(), columns.lengths.tolist(), columns.ids.tolist(), columns.states, strict=True)
    for offset, length, number, state in rows:
        whole = payload[offset : offset + length]
        if number != 0x2C or state:
            out += whole
            continue
        if not based:
            out += b"\xfe" + whole[3:7]
            based = True
        out += IDLE if length == 11 else elided(whole[7:])
    return bytes(out)


def unsmartpak(payload: bytes, tick: int) -> tuple[bytes, int]:
    """The wire payload of a stored one, and the sender's next tick; ``tick`` is the counter before it."""
    import numpy as np

    from ksreplay import kernels
    from ksreplay.formats.tad_strata import rules_table, walk

    data = np.frombuffer(payload + bytes(16), np.uint8)
    module = kernels.load("tad_walk")
    columns = walk(module, data, np.zeros(1, np.int64), np.array([len(payload)]), rules_table())
    out = bytearray()
    rows = zip(columns.offsets.tolist(), columns.lengths.tolist(), columns.ids.tolist(), columns.states, strict=True)
    for offset, length, number, state in rows:
        whole = payload[offset : offset + length]
        if state or number not in (0xFD, 0xFE, 0xFF):
            out += whole
        elif number == 0xFE:
            tick = int.from_bytes(whole[1:], "little")
        else:
            body = whole[3:] if number == 0xFD else b"\xff\xff\x01\x00"
            out += b"\x2c" + (len(body) + 7).to_bytes(2, "little") + tick.to_bytes(4, "little") + body
            tick = tick + 1 & 0xFFFFFFFF
    return bytes(out), tick

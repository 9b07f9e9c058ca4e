"""The tables about the recording itself: records, subpackets, players, sectors, unit types."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Derived, Strings
from ksreplay.formats.tad import Setup
from ksreplay.formats.tad_stream import Packets, Stream, Ticks
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.kernels import tad_walk
from ksreplay.semantics.tad import messages
from ksreplay.semantics.tad.catalog import UnitTypes
from ksreplay.semantics.tad.fields import coded
from ksreplay.semantics.tad.roster import FLAGS, Roster
from ksreplay.table import Column, Schema, Table

RECORDS = Schema(
    "records",
    (
        Column("offset", "int64", unit="byte", meaning="offset of the record in the file"),
        Column("length", "int32", unit="byte", meaning="bytes of the record, its own length included"),
        Column("dt_ms", "uint16", unit="ms", meaning="wall clock since the record before"),
        Column("wall_ms", "int64", unit="ms", meaning="wall clock since the recording began"),
        Column("sender", "uint8", meaning="number of the player who sent it"),
        Column("flag", "uint8", meaning="3 plain, 4 compressed"),
        Column("compressed", "bool", meaning="whether the payload is compressed"),
        Column("payload_bytes", "int32", unit="byte", meaning="size of the payload, inflated"),
        Column("subpackets", "int32", meaning="subpackets in it"),
        Column("repeated", "bool", meaning="repeats the sender's packet before it, syncs included"),
        Column("content", "string", meaning="subpackets, marker (a failed checksum) or opaque"),
    ),
    meaning="one row a packet record",
    source="seed 004, 1",
)
SUBPACKETS = Schema(
    "subpackets",
    (
        Column("record", "int32", meaning="number of the packet record"),
        Column("sender", "uint8", meaning="number of the player who sent it"),
        Column("id", "uint8", meaning="id byte, as stored"),
        Column("name", "string", nullable=True, meaning="name of the layout; null where the id has none"),
        Column("offset", "uint16", unit="byte", meaning="offset in the inflated payload"),
        Column("size", "uint16", unit="byte", meaning="bytes with the id"),
        Column("state", "string", meaning="whole, or why the bytes stay opaque"),
        Column("tick", "int32", nullable=True, unit="tick", meaning="tick of a sync; null for events"),
        Column("tick_low", "int32", nullable=True, unit="tick", meaning="tick of the sender's sync before it"),
        Column("tick_high", "int32", nullable=True, unit="tick", meaning="tick of the sender's sync after it"),
    ),
    meaning="one row a subpacket in stored form, in file order; the spans tile every payload",
    source="seed 004, 6 and 9",
    version=2,
)
SUBPACKET_COUNTS = Schema(
    "subpacket_counts",
    (
        Column("id", "uint8", meaning="id byte, as stored"),
        Column("name", "string", meaning="name of the layout; unknown_xx where the id has none"),
        Column("count", "int64", meaning="how many there are"),
    ),
    meaning="one row an id that occurs, in stored form (0xfd, 0xfe, 0xff rather than the syncs they stand for)",
    source="seed 004, 6",
)
PLAYERS = Schema(
    "players",
    (
        Column("number", "uint8", meaning="stands for the player in the packets"),
        Column("name", "string", meaning="name"),
        Column("side", "string", meaning="arm, core or watcher"),
        Column("color", "uint8", meaning="colour of the status, which is the true one"),
        Column("transport_id", "uint32", nullable=True, meaning="transport identity of the session"),
        Column("block", "uint8", nullable=True, meaning="rank of the identity among all participants"),
        Column("block_base", "int32", nullable=True, meaning="unit ids of the block begin at this plus 1"),
        Column("watcher", "bool", meaning="only watches"),
        Column("computer", "bool", meaning="a computer player"),
        Column("team", "uint8", nullable=True, meaning="team of the lobby, null for none"),
        *(Column(name, "bool", nullable=True, meaning=name.replace("_", " ")) for name in FLAGS if name != "watcher"),
        Column("options", "uint8", nullable=True, meaning="0x06 sight, 0x01 unmapped, 0x18 end rule, 0x20 cheats"),
        Column("checksum_ok", "bool", nullable=True, meaning="the status' checksum is right"),
        Column("version", "string", nullable=True, meaning="version of the game that the status states"),
        Column("map_hash", "uint32", nullable=True, meaning="hash of the map"),
        Column("max_units", "uint16", nullable=True, meaning="unit limit of the status"),
    ),
    meaning="one row a player record, watchers included",
    source="seed 004, 4",
)
SECTORS = Schema(
    "sectors",
    (
        Column("kind", "int64", meaning="type of the sector"),
        Column("name", "string", meaning="what the type is"),
        Column("size", "int64", unit="byte", meaning="bytes of its content"),
        Column("text", "string", nullable=True, meaning="content, of sectors that are not private"),
        Column("private_text", "string", nullable=True, meaning="content of comments, chat, addresses", private=True),
    ),
    meaning="one row a sector",
    source="seed 004, 3",
)
UNIT_TYPES = Schema(
    "unit_types",
    (
        Column("key", "uint32", meaning="compatibility key of the unit type"),
        Column("checksum", "uint32", nullable=True, meaning="checksum of its content"),
        Column("selected", "uint8", nullable=True, meaning="selected by the host"),
        Column("compatible", "uint8", nullable=True, meaning="both sides have it"),
        Column("limit", "uint16", nullable=True, meaning="how many a player may own; null for no limit"),
        Column("enabled", "bool", meaning="in the game: selected and compatible"),
        Column("recorder", "bool", meaning="the pseudo unit of the recorder"),
    ),
    meaning="one row a unit type that was negotiated",
    source="seed 004, 7, catalog provenance; fact sheet tad-format, 5, 1a",
)
_STATES = ("whole", "unknown id", "cut", "bad length", "command", "marker", "opaque")
#: Sectors with private content; a comment may say anything.
PRIVATE_SECTORS = frozenset({"comment", "lobby_chat", "address"})


def records(packets: Packets, stream: Stream, repeated: NDArray[np.bool_]) -> Table:
    return Table.build(
        RECORDS,
        {
            "offset": packets.offsets,
            "length": packets.lengths,
            "dt_ms": packets.dt_ms,
            "wall_ms": packets.wall_ms,
            "sender": packets.senders,
            "flag": packets.flags,
            "compressed": packets.compressed,
            "payload_bytes": packets.ends - packets.starts,
            "subpackets": np.diff(stream.firsts),
            "repeated": repeated,
            "content": Strings.from_codes(
                np.where(packets.kinds == 0, 0, np.where(packets.kinds == tad_walk.MARKER, 1, 2)),
                ["subpackets", "marker", "opaque"],
            ),
        },
    )


def subpackets(stream: Stream) -> Table:
    records, senders, places, timed = stream.spread()
    known = stream.low >= 0  # both ticks around an event are known, or neither
    own = known & timed
    columns: dict[str, Any] = {
        "record": records,
        "sender": senders,
        "id": stream.ids,
        "name": messages.names(stream.ids),
        "offset": places,
        "size": stream.lengths,
        "state": coded(stream.states.view(np.int8), list(_STATES)),
        "tick": Derived(stream.low, _own, own),
        "tick_low": stream.low,
        "tick_high": Derived(stream.low, np.add, known ^ own),
    }
    return Table.build(SUBPACKETS, columns, {"tick": own, "tick_low": known, "tick_high": known})


def _own(low: Ticks, own: NDArray[np.bool_]) -> Ticks:
    return np.where(own, low, np.int32(-1))


def id_name(number: int) -> str:
    return WALK[number].name if number in WALK else f"unknown_{number:02x}"


def subpacket_counts(stream: Stream) -> Table:
    counts = stream.counts
    return Table.from_rows(
        SUBPACKET_COUNTS,
        ({"id": number, "name": id_name(number), "count": count} for number, count in counts.items()),
    )


def players(roster: Roster) -> Table:
    rows = []
    for person in roster.participants:
        info = None if person.status is None else person.status.info
        row: dict[str, Any] = {
            "number": person.number,
            "name": person.player.name,
            "side": person.side,
            "color": person.color,
            "transport_id": person.dpid,
            "block": person.rank,
            "block_base": roster.block_base(person),
            "watcher": person.watcher,
            "computer": person.computer,
            "team": person.team,
            "checksum_ok": None if person.status is None else person.status.checksum_ok,
        }
        if info is not None:
            row |= {name: bool(info["flags"] & bit) for name, bit in FLAGS.items() if name != "watcher"}
            row |= {
                "options": int(info["options"]),
                "version": f"{int(info['version_major'])}.{int(info['version_minor'])}",
                "map_hash": int(info["map_hash"]),
                "max_units": int(info["max_units"]),
            }
        rows.append(row)
    return Table.from_rows(PLAYERS, rows)


def sectors(setup: Setup) -> Table:
    return Table.from_rows(
        SECTORS,
        (
            {
                "kind": sector.kind,
                "name": sector.name,
                "size": len(sector.content),
                "private_text" if sector.name in PRIVATE_SECTORS else "text": sector.text,
            }
            for sector in setup.sectors
        ),
    )


def unit_types(types: UnitTypes) -> Table:
    return Table.build(
        UNIT_TYPES,
        {
            "key": types.keys,
            "checksum": types.checksums,
            "selected": types.selected,
            "compatible": types.compatible,
            "limit": types.limits,
            "enabled": types.enabled,
            "recorder": types.keys == types.RECORDER,
        },
        {
            "checksum": types.has_checksum,
            "selected": types.has_status,
            "compatible": types.has_status,
            "limit": types.has_status & (types.limits != 0xFFFF),
        },
    )

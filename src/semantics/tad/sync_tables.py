"""The tables of the unit syncs: sync, movement and status."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Derived, Lists, Sparse, Strings, looked_up, offsets_of, spans_index
from ksreplay.kernels import tad_bits
from ksreplay.semantics.tad.fields import coded, degrees, from_fixed, seconds
from ksreplay.semantics.tad.roster import Roster
from ksreplay.semantics.tad.sync import ELIDED, IDLE, IDLE_LENGTH, RAW, Syncs
from ksreplay.table import Column, Schema, Table

_S7 = "seed 004, 7"
TICK = Column("tick", "int32", nullable=True, unit="tick", meaning="the sender's game tick; null where it is unknown")
TIME = Column("time_s", "float64", nullable=True, unit="s", meaning="the tick in seconds of game time, 30 ticks each")
SENDER = Column("sender", "uint8", meaning="number of the player whose units these are")
UNIT_ID = Column("unit_id", "int32", nullable=True, meaning="unit id; null without a sound roster")
UNIT_TYPE = Column("unit_type", "int32", meaning="index in the sorted unit table, from 1")


def _place(name: str, nullable: bool, unit: str, meaning: str) -> tuple[Column, ...]:
    return tuple(
        Column(name + axis, "float64", nullable, unit, f"{meaning}, {way}")
        for axis, way in (("x", "east"), ("y", "up"), ("z", "south"))
    )


SYNC = Schema(
    "sync",
    (
        Column("record", "int32", meaning="number of the packet record"),
        SENDER,
        TICK,
        TIME,
        Column("length", "uint16", unit="byte", meaning="bytes of the sync as the game sent it, id and tick included"),
        Column("body_offset", "uint16", nullable=True, unit="byte", meaning="its bits in the inflated payload; null "
               "for an idle one, whose bits are not stored"),
        Column("form", "string", meaning="raw, elided or idle: how it is stored"),
        Column("repeated", "bool", meaning="in a packet that is stored twice"),
        Column("read", "bool", meaning="the bits read to their end; an idle one always does"),
        Column("entries", "uint16", meaning="movement entries"),
        Column("slot", "int32", nullable=True, meaning="slot whose status it holds: tick modulo the unit limit"),
        Column("status", "string", nullable=True, meaning="unit, empty or absent; null where it does not read"),
    ),
    meaning="one row a unit sync in file order, in whatever form it is stored, repeats included",
    source=_S7,
    version=2,
)  # fmt: skip
MOVEMENT = Schema(
    "movement",
    (
        Column("sync", "int64", meaning="row of the table sync"),
        SENDER,
        TICK,
        TIME,
        Column("slot", "int32", meaning="slot of the unit in the sender's block"),
        UNIT_ID,
        UNIT_TYPE,
        Column("family", "string", meaning="ground or air"),
        Column("blocked", "bool", nullable=True, meaning="ground: the unit is blocked"),
        Column("waypoints_x", "list<int16>", unit="world unit", meaning="ground: start of the path, east"),
        Column("waypoints_z", "list<int16>", unit="world unit", meaning="ground: start of the path, south"),
        Column("selector", "uint8", nullable=True, meaning="air: 1 a goal, 2 position and velocity, 0 and 3 neither"),
        Column("flags", "uint8", nullable=True, meaning="air goal: which fields it has, how it is followed"),
        Column("piece", "int16", nullable=True, meaning="air goal: piece of the target"),
        Column("target", "uint16", nullable=True, meaning="air goal: unit id that it follows"),
        Column("radius", "int16", nullable=True, unit="world unit", meaning="air goal: arrival radius"),
        Column("offset", "int16", nullable=True, unit="world unit", meaning="air goal: vertical offset"),
        Column("heading", "uint16", nullable=True, meaning="air: heading, 65,536 to a turn"),
        Column("heading_deg", "float64", nullable=True, unit="degree", meaning="air: heading"),
        *_place("", True, "world unit", "air: position or goal"),
        *_place("velocity_", True, "world unit/tick", "air: velocity"),
        Column("mode", "uint8", nullable=True, meaning="air: 0 attached or parked, 1 grounded, 2 airborne"),
    ),
    meaning="one row a movement entry, in the order of the syncs",
    source=_S7,
    version=2,
)
STATUS = Schema(
    "status",
    (
        Column("sync", "int64", meaning="row of the table sync"),
        SENDER,
        TICK,
        TIME,
        Column("slot", "int32", nullable=True, meaning="slot of the unit: tick modulo the unit limit"),
        UNIT_ID,
        UNIT_TYPE,
        Column("health", "int16", meaning="health"),
        Column("construction", "uint8", meaning="byte of what remains to be built: 0 nothing, 255 all"),
        Column("remaining", "float64", meaning="fraction that remains to be built, as receivers store it"),
        Column("flags", "uint8", meaning="activation and status flags"),
        Column("active", "bool", meaning="bit 0 of the flags"),
        Column("building", "bool", meaning="bit 3 of the flags"),
        Column("mode", "uint8", meaning="0 attached or parked, 1 grounded, 2 airborne"),
        Column("carrier", "uint16", nullable=True, meaning="unit id that it is attached to"),
        Column("piece", "int16", nullable=True, meaning="piece of the carrier"),
        *_place("", True, "world unit", "position; null for an attached unit"),
        *(
            column
            for name in ("heading", "pitch", "bank")
            for column in (
                Column(name, "uint16", True, "", f"{name}, 65,536 to a turn; null for an attached unit"),
                Column(f"{name}_deg", "float64", True, "degree", f"{name}; null for an attached unit"),
            )
        ),
        Column("speed", "float64", True, "world unit/tick", "scalar speed; null for a unit that has no mover"),
    ),
    meaning="one row a status of a unit; empty slots stand in the table sync",
    source=_S7,
)
_KINDS = ("absent", "empty", "unit")


def sync(syncs: Syncs, repeated: NDArray[np.bool_]) -> Table:
    decoded, bits = syncs.decoded, syncs.with_bits
    records, senders, ids, tick = syncs.stream.list_syncs()
    count = len(tick)
    # idle syncs, the most by far, have the values that fill the columns; only those with bits are put in

    def column(idle: int, values: NDArray[Any]) -> Sparse:
        return Sparse(count, idle, bits, values)

    known = tick >= 0
    slots, has_slot = _slots(tick, syncs.limit, known)
    said = column(tad_bits.EMPTY - 1, decoded.kind.astype(np.int8) - np.int8(1))
    stored = column(0, np.ones(len(bits), bool))
    again = np.flatnonzero(repeated[records]) if repeated.any() else bits[:0]
    return Table.build(
        SYNC,
        {
            "record": records,
            "sender": senders,
            "tick": tick,
            "time_s": Derived(tick, seconds),
            "length": column(IDLE_LENGTH, syncs.lengths),
            "body_offset": column(0, _places(syncs)),
            "form": coded(looked_up(ids, _FORM_CODES), ["raw", "elided", "idle"]),
            "repeated": Sparse(count, False, again, np.ones(len(again), bool)),
            "read": column(1, decoded.result == tad_bits.READ),
            "entries": column(0, decoded.entries),
            "slot": slots,
            "status": coded(said.array(), list(_KINDS)),
        },
        {"tick": known, "time_s": known, "body_offset": stored.array(), "slot": has_slot},
    )


_FORM_CODES = np.zeros(256, np.int8)
_FORM_CODES[[RAW, ELIDED, IDLE]] = 0, 1, 2


def _places(syncs: Syncs) -> NDArray[np.uint16]:
    """Where the bits of each sync begin in the payload; 16 bits hold it, so they may hold what is subtracted too."""
    return syncs.starts.astype(np.uint16) - syncs.stream.packets.starts[syncs.records].astype(np.uint16)


def _slots(
    tick: NDArray[np.int32], limit: int | None, known: NDArray[np.bool_]
) -> tuple[NDArray[np.int32] | Derived, NDArray[np.bool_]]:
    """Slot of each tick, and where it is known."""
    if not limit:
        return np.zeros(len(tick), np.int32), np.zeros(len(tick), bool)
    return Derived(tick, lambda ticks: np.maximum(ticks, 0) % np.int32(limit)), known


def _common(
    syncs: Syncs, roster: Roster, numbers: NDArray[np.int32], slots: NDArray[np.int32] | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Columns of a row by its sync and slot, None for the one that its tick names: (columns, valid)."""
    senders, tick = syncs.stream.packets.senders[syncs.records[numbers]], syncs.stream.low[syncs.rows[numbers]]
    known = tick >= 0
    columns: dict[str, Any] = {
        "sync": syncs.with_bits[numbers], "sender": senders, "tick": tick, "time_s": Derived(tick, seconds),
        "slot": slots,
    }  # fmt: skip
    valid = {"tick": known, "time_s": known}
    if slots is None:
        columns["slot"], valid["slot"] = _slots(tick, syncs.limit, known)
        slots = columns["slot"].array() if isinstance(columns["slot"], Derived) else columns["slot"]
        known = valid["slot"]
    else:
        known = np.ones(len(tick), bool)
    base = roster.bases()[senders]
    valid["unit_id"] = (base >= 0) & known
    columns["unit_id"] = np.where(valid["unit_id"], base + slots + 1, 0)
    return columns, valid


def movement(syncs: Syncs, roster: Roster) -> Table:
    ground, air = syncs.decoded.ground, syncs.decoded.air
    lands, flies = len(ground["sync"]), len(air["sync"])
    # both lists are in the order of the syncs; together they go back to it
    order = np.argsort(
        np.concatenate([ground["sync"], air["sync"]]).astype(np.int64) * 0x10000
        + np.concatenate([ground["order"], air["order"]]),
        kind="stable",
    )
    is_air = order >= lands

    def both(name: str) -> NDArray[np.int32]:
        return np.concatenate([ground[name], air[name]])[order]

    def flying(name: str) -> NDArray[np.int32]:
        return np.concatenate([np.zeros(lands, np.int32), air[name]])[order]

    columns, valid = _common(syncs, roster, both("sync"), both("slot"))
    columns["unit_type"] = both("type")
    columns["family"] = Strings.from_codes(is_air.astype(np.int8), ["ground", "air"])
    columns["blocked"] = np.concatenate([ground["blocked"], np.zeros(flies, np.int32)])[order] > 0
    valid["blocked"] = ~is_air
    columns |= _waypoints(ground, flies, order)
    selector, flags = flying("selector"), flying("flags")
    motion, goal = is_air & (selector == 2), is_air & (selector == 1)
    valid |= {
        "selector": is_air, "mode": is_air, "flags": goal, "piece": goal & (flags & 1 > 0),
        "target": goal & (flags & 1 > 0), "radius": goal & (flags & 16 > 0), "offset": goal & (flags & 8 > 0),
        "heading": (goal & (flags & 64 > 0)) | (motion & (flying("turning") > 0)),
    }  # fmt: skip
    columns |= {"selector": selector, "flags": flags}
    columns |= {name: flying(name) for name in ("mode", "piece", "target", "radius", "offset", "heading")}
    columns["heading_deg"], valid["heading_deg"] = Derived(columns["heading"], degrees), valid["heading"]
    placed = motion | (goal & (flags & 32 > 0))
    for axis in "xyz":
        columns[axis], valid[axis] = Derived(flying(axis), from_fixed), placed
        name = f"velocity_{axis}"
        columns[name], valid[name] = Derived(flying(f"v{axis}"), from_fixed), motion
    return Table.build(MOVEMENT, columns, valid)


def _waypoints(ground: dict[str, NDArray[np.int32]], flies: int, order: NDArray[np.int64]) -> dict[str, Lists]:
    counts = np.concatenate([ground["points"], np.zeros(flies, np.int32)])[order]
    offsets = offsets_of(counts)
    index = spans_index(order * 3, counts)
    found = {}
    for axis in "xz":
        points = np.stack([ground[f"{axis}{n}"] for n in (1, 2, 3)], axis=1)
        flat = np.concatenate([points.reshape(-1), np.zeros(flies * 3, np.int32)]).astype(np.int16)
        found[f"waypoints_{axis}"] = Lists(offsets, flat[index])
    return found


def status(syncs: Syncs, roster: Roster) -> Table:
    found = syncs.decoded.status
    columns, valid = _common(syncs, roster, found["sync"], None)
    columns["unit_type"] = found["type"]
    columns |= {name: found[name] for name in ("health", "flags", "mode", "carrier", "piece")}
    columns["construction"] = build = found["build"]
    columns["remaining"] = Derived(build, _remaining)
    columns["active"], columns["building"] = found["flags"] & 1 > 0, found["flags"] & 8 > 0
    attached = found["attached"]
    free = ~attached
    valid |= {"carrier": attached, "piece": attached, "speed": found["moving"]}
    for axis in "xyz":
        columns[axis], valid[axis] = Derived(found[axis], from_fixed), free
    for name in ("heading", "pitch", "bank"):
        word = found[name]
        columns |= {name: word, f"{name}_deg": Derived(word, degrees)}
        valid |= {name: free, f"{name}_deg": free}
    columns["speed"] = Derived(found["speed"], from_fixed)
    return Table.build(STATUS, columns, valid)


def _remaining(build: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Receivers multiply by the binary32 reciprocal of 255 and store binary32."""
    return (build.astype(np.float32) * np.float32(1 / 255)).astype(np.float64)

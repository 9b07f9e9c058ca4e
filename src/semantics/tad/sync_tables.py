"""The tables of the unit syncs: sync, movement and status."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Lists, Strings, offsets_of, spans_index
from ksreplay.kernels import tad_bits
from ksreplay.semantics.tad.fields import TICKS_A_SECOND, coded
from ksreplay.semantics.tad.roster import Roster
from ksreplay.semantics.tad.sync import ELIDED, IDLE, RAW, Decoded, Syncs
from ksreplay.table import Column, Schema, Table

_S7 = "seed 004, 7"
_ONE = 65536.0
_DEGREES = 360.0 / 65536
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
        Column("length", "int32", unit="byte", meaning="bytes of the sync as the game sent it, id and tick included"),
        Column("body_offset", "int32", nullable=True, unit="byte", meaning="its bits in the inflated payload; null "
               "for an idle one, whose bits are not stored"),
        Column("form", "string", meaning="raw, elided or idle: how it is stored"),
        Column("repeated", "bool", meaning="in a packet that is stored twice"),
        Column("read", "bool", meaning="the bits read to their end; an idle one always does"),
        Column("entries", "int32", meaning="movement entries"),
        Column("slot", "int32", nullable=True, meaning="slot whose status it holds: tick modulo the unit limit"),
        Column("status", "string", nullable=True, meaning="unit, empty or absent; null where it does not read"),
    ),
    meaning="one row a unit sync in file order, in whatever form it is stored, repeats included",
    source=_S7,
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
    stream, rows, forms = syncs.stream, syncs.rows, syncs.forms
    decoded, bits = syncs.decoded, syncs.with_bits
    records = stream.records[rows]
    tick = stream.tick[rows]
    count = len(rows)
    # idle syncs, the most by far, have the values that fill the columns; only those with bits are put in
    offset, has_bits = np.zeros(count, np.int32), np.zeros(count, bool)
    offset[bits] = syncs.starts - stream.packets.starts[records[bits]]
    has_bits[bits] = True
    read = np.ones(count, bool)
    read[bits] = decoded.result == tad_bits.READ
    entries = np.zeros(count, np.int32)
    entries[bits] = decoded.entries
    kind = np.full(count, tad_bits.EMPTY - 1, np.int8)
    kind[bits] = decoded.kind.astype(np.int8) - 1
    slot, has_slot = _slots(tick, syncs.limit)
    known = tick >= 0
    return Table.build(
        SYNC,
        {
            "record": records,
            "sender": stream.packets.senders[records],
            "tick": tick,
            "time_s": tick / TICKS_A_SECOND,
            "length": syncs.lengths,
            "body_offset": offset,
            "form": coded(_FORM_CODES[forms], ["raw", "elided", "idle"]),
            "repeated": repeated[records] if repeated.any() else np.zeros(count, bool),
            "read": read,
            "entries": entries,
            "slot": slot,
            "status": coded(kind, list(_KINDS)),
        },
        {"tick": known, "time_s": known, "body_offset": has_bits, "slot": has_slot},
    )


_FORM_CODES = np.zeros(256, np.int8)
_FORM_CODES[[RAW, ELIDED, IDLE]] = 0, 1, 2


def _slots(tick: NDArray[np.int32], limit: int | None) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    known = tick >= 0
    if not limit:
        return np.zeros(len(tick), np.int32), np.zeros(len(tick), bool)
    slots = tick % np.int32(limit)
    return np.where(known, slots, np.int32(0)) if not known.all() else slots, known


def _common(
    syncs: Syncs, roster: Roster, numbers: NDArray[np.int32], slots: NDArray[Any], known: NDArray[np.bool_]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Columns of a row by its sync and slot: (columns, valid)."""
    place = syncs.with_bits[numbers]
    rows = syncs.rows[place]
    stream = syncs.stream
    senders = stream.packets.senders[stream.records[rows]]
    tick = stream.tick[rows]
    base = roster.bases()[senders]
    columns = {
        "sync": place, "sender": senders, "tick": tick, "time_s": tick / TICKS_A_SECOND, "slot": slots,
        "unit_id": np.where((base >= 0) & known, base + slots + 1, 0),
    }  # fmt: skip
    return columns, {"tick": tick >= 0, "time_s": tick >= 0, "unit_id": (base >= 0) & known}


def movement(syncs: Syncs, roster: Roster) -> Table:
    decoded: Decoded = syncs.decoded
    ground = dict(zip(tad_bits.GROUND_COLUMNS, decoded.ground.T, strict=True))
    air = dict(zip(tad_bits.AIR_COLUMNS, decoded.air.T, strict=True))
    lands, flies = len(decoded.ground), len(decoded.air)
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

    slots = both("slot")
    columns, valid = _common(syncs, roster, both("sync"), slots, np.ones(len(order), bool))
    columns["unit_type"] = both("type")
    columns["family"] = Strings.from_codes(is_air.astype(np.int32), ["ground", "air"])
    columns["blocked"] = np.concatenate([ground["blocked"], np.zeros(flies, np.int32)])[order] > 0
    valid["blocked"] = ~is_air
    columns |= _waypoints(ground, flies, order)
    selector, flags = flying("selector"), flying("flags")
    motion, goal = is_air & (selector == 2), is_air & (selector == 1)
    masks = {
        "selector": is_air, "mode": is_air, "flags": goal, "piece": goal & (flags & 1 > 0),
        "target": goal & (flags & 1 > 0), "radius": goal & (flags & 16 > 0), "offset": goal & (flags & 8 > 0),
        "heading": (goal & (flags & 64 > 0)) | (motion & (flying("turning") > 0)),
    }  # fmt: skip
    for name, mask in masks.items():
        columns[name], valid[name] = np.where(mask, flying(name), 0), mask
    columns["heading_deg"] = np.where(masks["heading"], columns["heading"] * _DEGREES, np.nan)
    valid["heading_deg"] = masks["heading"]
    placed = motion | (goal & (flags & 32 > 0))
    for axis in "xyz":
        columns[axis], valid[axis] = np.where(placed, flying(axis) / _ONE, np.nan), placed
        name = f"velocity_{axis}"
        columns[name], valid[name] = np.where(motion, flying(f"v{axis}") / _ONE, np.nan), motion
    return Table.build(MOVEMENT, columns, valid)


def _waypoints(ground: dict[str, NDArray[np.int32]], flies: int, order: NDArray[np.int64]) -> dict[str, Lists]:
    counts = np.concatenate([ground["points"], np.zeros(flies, np.int32)])[order].astype(np.int64)
    offsets = offsets_of(counts)
    index = spans_index(order * 3, counts)
    found = {}
    for axis in "xz":
        points = np.stack([ground[f"{axis}{n}"] for n in (1, 2, 3)], axis=1)
        flat = np.concatenate([points.reshape(-1), np.zeros(flies * 3, np.int32)]).astype(np.int16)
        found[f"waypoints_{axis}"] = Lists(offsets, flat[index])
    return found


def status(syncs: Syncs, roster: Roster) -> Table:
    found = dict(zip(tad_bits.STATUS_COLUMNS, syncs.decoded.status.T, strict=True))
    rows = syncs.rows[syncs.with_bits[found["sync"]]]
    slots, known = _slots(syncs.stream.tick[rows], syncs.limit)
    columns, valid = _common(syncs, roster, found["sync"], slots, known)
    valid["slot"] = known
    columns["unit_type"] = found["type"]
    columns |= {name: found[name] for name in ("health", "flags", "mode")}
    columns["construction"] = found["build"]
    # receivers multiply by the binary32 reciprocal of 255 and store binary32
    columns["remaining"] = (found["build"].astype(np.float32) * np.float32(1 / 255)).astype(np.float64)
    columns["active"], columns["building"] = found["flags"] & 1 > 0, found["flags"] & 8 > 0
    attached = found["attached"] > 0
    for name in ("carrier", "piece"):
        columns[name], valid[name] = found[name], attached
    for axis in "xyz":
        columns[axis], valid[axis] = np.where(attached, np.nan, found[axis] / _ONE), ~attached
    for name in ("heading", "pitch", "bank"):
        columns[name], valid[name] = found[name], ~attached
        columns[f"{name}_deg"] = np.where(attached, np.nan, found[name] * _DEGREES)
        valid[f"{name}_deg"] = ~attached
    moving = found["moving"] > 0
    columns["speed"], valid["speed"] = np.where(moving, found["speed"] / _ONE, np.nan), moving
    return Table.build(STATUS, columns, valid)

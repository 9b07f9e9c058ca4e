"""The message tables: one `Kind` for each id whose body has fixed fields. ``messages`` fills them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Binary, Lists
from ksreplay.generated.dtypes.tad_subpacket import ENUMS
from ksreplay.semantics.tad.fields import (
    Bodies,
    Kind,
    Part,
    angle,
    codes,
    computed,
    flag,
    kind,
    named,
    position,
    raw,
    words,
)
from ksreplay.table import Column

UNIT = "unit id"
DPID = "transport identity"
NO_ONE = 0xFFFFFFFF


def _amount(bodies: Bodies) -> object:
    """Signed for ordinary damage, unsigned for paralysis and healing (seed 004, 6.1)."""
    unsigned = np.isin(bodies["kind"], (2, 10))
    return np.where(unsigned, bodies["amount"].astype(np.int32), bodies["amount"].astype(np.int16))


def _only(column: Column, make: Callable[[Bodies], NDArray[Any]], when: Callable[[Bodies], NDArray[Any]]) -> Part:
    """A column that is null but ``when``."""
    return Part(column, lambda bodies: (make(bodies), when(bodies)))


def _players(bodies: Bodies) -> Lists:
    return Lists(np.arange(len(bodies) + 1, dtype=np.int64) * 10, bodies["players"].reshape(-1))


def _blob(field: str, name: str, meaning: str) -> object:
    def make(bodies: Bodies) -> Binary:
        data = np.ascontiguousarray(bodies[field])
        size = data.dtype.itemsize
        flat = data.view(np.uint8)
        return Binary(np.arange(len(bodies) + 1, dtype=np.int64) * size, flat)

    return computed(Column(name, "binary", meaning=meaning), make)


def _map_name(bodies: Bodies) -> object:
    return [item.split(b"\0", 1)[0].decode("cp1252", "replace") for item in bodies["map_name"].tolist()]


_FLOATS = (
    ("metal", "stock of metal"),
    ("energy", "stock of energy"),
    ("metal_capacity", "storage for metal"),
    ("energy_capacity", "storage for energy"),
    ("energy_produced", "energy produced since the start"),
    ("energy_requested", "energy asked for since the start, paid or not"),
    ("energy_wasted", "energy wasted since the start"),
    ("metal_produced", "metal produced since the start"),
    ("metal_requested", "metal asked for since the start, paid or not"),
    ("metal_wasted", "metal wasted since the start"),
)
_COUNTERS = (
    ("kills", "units killed"),
    ("losses", "units lost"),
    ("commander_kills", "commanders killed"),
    ("commander_losses", "commanders lost"),
)

BUILDS = kind(
    0x09, "builds", "a unit that begins to be built", "6, 0x09",
    raw("unit_type", "uint16", "index in the sorted unit table, from 1"), raw("unit_id", "uint16", UNIT),
    position(), angle("rotation_x", "turn about x"), angle("rotation_y", "turn about y"),
    angle("rotation_z", "turn about z"),
    mark=Column("again", "bool", meaning="says the same as the unit's build before it, without a death in between"),
)  # fmt: skip
FINISHES = kind(
    0x12, "finishes", "a unit that is complete", "6, 0x12",
    raw("unit_id", "uint16", UNIT), raw("builder", "uint16", "unit id of the builder", none=0),
)  # fmt: skip
DAMAGE = kind(
    0x0B, "damage", "a damage, paralysis or healing; not a complete ledger", "6.1",
    raw("victim", "uint16", UNIT), raw("attacker", "uint16", "unit id; null for none", none=0),
    computed(Column("amount", "int32", meaning="amount, scaled by the sender"), _amount),
    raw("direction", "uint8", "high byte of the angle of impact, relative to the victim"),
    computed(
        Column("direction_deg", "float64", unit="degree", meaning="angle of impact, relative to the victim"),
        lambda bodies: bodies["direction"] * (360.0 / 256),
    ),
    raw("kind", "uint8", "damage kind"), named("kind_name", "kind", ENUMS["damage_kind"], "name of the kind"),
)  # fmt: skip
DEATHS = kind(
    0x0C, "deaths", "a unit that dies", "6.2",
    raw("victim", "uint16", UNIT), raw("attacker_player", "uint32", f"{DPID}; null for none", none=NO_ONE),
    raw("attacker", "uint16", "unit id; null for none", none=0),
    raw("severity", "int8", "severity for scripts and corpse, 0 to 100"),
    computed(Column("cause", "uint8", meaning="cause of the death"), lambda b: b["cause_level"] >> 4),
    computed(Column("corpse_level", "uint8", meaning="level of the corpse"), lambda b: b["cause_level"] & 15),
)  # fmt: skip
SHOTS = kind(
    0x0D, "shots", "a projectile that is made; meteor weapons, which only the weapon table names, have a velocity as "
    "target and undefined fields behind the weapon", "6.3",
    position("origin_", "origin; of some weapons the unit's, not the muzzle's"),
    position("target_", "target, a velocity for meteor weapons"),
    raw("weapon", "uint8", "authored weapon id"), flag("interceptor", "flags", 1, "an interceptor"),
    raw("flags", "uint8", "the whole byte; all but bit 0 are not initialised"),
    angle("yaw", "yaw of the weapon slot", dtype="uint16"), angle("pitch", "pitch of the weapon slot", dtype="uint16"),
    raw("target_unit", "uint16", "unit id; null for none", none=0), raw("shooter", "uint16", UNIT),
    raw("weapon_slot", "uint8", "slot on the shooter, from 0"),
)  # fmt: skip
IMPACTS = kind(
    0x0E, "impacts", "a projectile that ends", "6.3",
    position("", "target of the projectile"), raw("weapon", "uint8", "authored weapon id"),
)  # fmt: skip
FEATURES = kind(
    0x0F, "features", "a change of a map feature", "6.4",
    raw("code", "uint8", "what happens: 253 death, 254 ignition, 255 reclaim, else the id of a damaging weapon"),
    named("code_name", "code", ENUMS["feature_code"], "name of the code; null for a weapon"),
    raw("tile_x", "uint16", unit="tile"), raw("tile_z", "uint16", unit="tile"),
)  # fmt: skip
SCRIPTS = kind(
    0x10, "scripts", "a script of a unit that starts", "6.5",
    raw("unit_id", "uint16", UNIT), raw("script", "int16", "index of the script"),
    raw("num_arguments", "uint8", "how many arguments count"),
    words("arguments", tuple(f"argument{n}" for n in range(1, 5)), "all four words, counting or not"),
)  # fmt: skip
UNIT_STATES = kind(
    0x11, "unit_states", "a unit that is switched", "6, 0x11",
    raw("unit_id", "uint16", UNIT), raw("state", "uint8", "0 off, 1 on, 9 a factory at work"),
    named("state_name", "state", ENUMS["unit_state_value"], "name of the state"),
)  # fmt: skip
RESOURCES = kind(
    0x28, "resources", "a snapshot of the sender's score and economy", "8",
    raw("wants_reply", "uint8", "asks for an acknowledgement"),
    tuple(raw(name, "int32", meaning) for name, meaning in _COUNTERS),
    tuple(raw(name, "float32", meaning) for name, meaning in _FLOATS),
    mark=Column("copy", "bool", meaning="the same as the sender's snapshot before it, but for the request"),
)  # fmt: skip
SHARES = kind(
    0x16, "shares", "a gift of metal or energy", "6, 0x16",
    raw("kind", "uint32", "2 for metal, else energy"),
    computed(
        Column("kind_name", "string", meaning="metal or energy"),
        lambda b: codes((b["kind"] == 2).astype(np.int64), [0, 1], ["energy", "metal"]),
    ),
    raw("giver", "uint32", DPID, field="sender"), raw("receiver", "uint32", DPID), raw("amount", "float32"),
)  # fmt: skip
GIFTS = kind(
    0x14, "gifts", "a unit that goes to another player", "6, 0x14",
    raw("unit_id", "uint16", UNIT), raw("new_owner", "uint32", DPID), raw("health", "uint16"),
)  # fmt: skip
SPEEDS = kind(
    0x19, "speeds", "a pause or a change of the game's speed", "9",
    raw("kind", "uint8", "0 pause, 1 speed"), named("kind_name", "kind", ENUMS["speed_kind"], "pause or speed"),
    raw("value", "uint8", "as stored: 1 and 0, or the speed plus 10"),
    _only(Column("speed", "int16", True, meaning="speed, 0 for normal; null for a pause"),
          lambda b: b["value"].astype(np.int16) - 10, lambda b: b["kind"] == 1),
    _only(Column("paused", "bool", True, meaning="whether the game pauses from here on; null for a speed"),
          lambda b: b["value"] != 0, lambda b: b["kind"] == 0),
    version=2,
)  # fmt: skip
ALLIANCES = kind(
    0x23, "alliances", "an alliance that begins or ends", "6, 0x23",
    raw("from_player", "uint32", DPID, field="sender"), raw("to_player", "uint32", DPID, field="receiver"),
    raw("allied", "uint8", field="is_allied"),
    raw("allied_back", "uint32", "state of the other direction", field="is_allied_back"),
)  # fmt: skip
TEAMS = kind(
    0x24, "teams", "a player put into a team", "6, 0x24",
    raw("player", "uint32", DPID), raw("team", "uint8", "0 to 4; null for none", none=5),
)  # fmt: skip
PINGS = kind(
    0x02, "pings", "a measurement of a peer's delay", "6, 0x02",
    raw("time_requested", "uint32", "clock of the asking machine"),
    raw("time_answered", "uint32", "clock of the answering machine; null in a request", none=0),
    raw("requester", "uint32", DPID),
)  # fmt: skip
LOADING = kind(0x2A, "loading", "a progress of loading; 100 also fills packets", "6, 0x2a", raw("percent", "uint8"))
CAMERA = kind(
    0xFC, "camera", "where the recording player looks: for showing only, never play", "6, 0xfc",
    raw("x", "uint16", "left edge of the screen", unit="world unit"),
    raw("y", "uint16", "upper edge of the screen", unit="world unit"),
)  # fmt: skip
SOUNDS = kind(
    0x13, "sounds", "a sound", "6, 0x13",
    raw("selector", "uint8", "the position counts only for 0"), raw("sound", "int32", "which sound"), position(),
)  # fmt: skip
LEAVES = kind(
    0x1B, "leaves", "a player who leaves or is dropped", "6, 0x1b",
    raw("player", "uint32", DPID), raw("reason", "uint8", "1 left, 6 dropped"),
    named("reason_name", "reason", ENUMS["reject_reason"], "name of the reason"),
)  # fmt: skip
HOSTS = kind(0x18, "hosts", "a change of host", "6, 0x18", raw("number", "uint8", "number of the new host"))
READY = kind(0x1E, "ready", "a player ready to start", "6, 0x1e", raw("ordinal", "uint8", "ordinal plus 1"))
NUMBERS = kind(
    0x22, "numbers", "a number given to a player", "6, 0x22", raw("player", "uint32", DPID), raw("number", "uint8")
)
ROSTERS = kind(
    0x26, "rosters", "a list of the ten seats", "6, 0x26",
    computed(Column("players", "list<uint32>", meaning=f"{DPID} of each seat, 0 for none"), _players),
)  # fmt: skip
ACKNOWLEDGEMENTS = kind(
    0x29, "acknowledgements", "an answer to a snapshot", "8",
    raw("acknowledged", "uint8", "0 makes the receiver ignore both", field="is_acknowledged"),
    raw("seen", "uint8", "the peer's own acknowledgement was seen", field="is_seen"),
)  # fmt: skip
INFOS = kind(
    0x20, "infos", "a player's lobby settings sent during the recording", "4",
    computed(Column("map", "string", meaning="name of the map"), _map_name), raw("player", "uint32", DPID),
    raw("player_kind", "uint8", "2 for a computer player"), raw("side", "uint8", "0 ARM, 1 CORE, 2 watcher"),
    raw("color", "uint8"), raw("flags", "uint8", "0x20 clicked in, 0x40 watcher, 0x80 watching is allowed"),
    raw("options", "uint8", "0x06 line of sight, 0x01 unmapped, 0x18 end of the game, 0x20 cheats"),
    raw("max_units", "uint16", "units a player may own"), raw("version_major", "uint8"), raw("version_minor", "uint8"),
    raw("map_hash", "uint32"), raw("width", "uint16", "width of the screen in the files seen", unit="pixel"),
    raw("height", "uint16", "height of the screen in the files seen", unit="pixel"),
)  # fmt: skip
NEGOTIATION = kind(
    0x1A, "negotiation", "a step of the unit negotiation sent during the recording", "7",
    raw("sub", "uint8", "0 reset, 1 count, 2 checksum, 3 status, 4 acknowledgement"),
    named("sub_name", "sub", ENUMS["unit_data_sub"], "name of the step"),
    raw("fill", "uint32"), raw("key", "uint32", "compatibility key"), raw("value", "uint32", "depends on the step"),
    _only(Column("checksum", "uint32", True, meaning="checksum of the type's content; null but for a checksum"),
          lambda b: b["value"], lambda b: b["sub"] == 2),
    _only(Column("selected", "uint8", True, meaning="selected by the host; null but for a status"),
          lambda b: b["value"].astype(np.uint8), lambda b: b["sub"] == 3),
    _only(Column("compatible", "uint8", True, meaning="both sides have it; null but for a status"),
          lambda b: (b["value"] >> 8).astype(np.uint8), lambda b: b["sub"] == 3),
    _only(Column("limit", "uint16", True, meaning="how many a player may own; null for no limit and but for a status"),
          lambda b: (b["value"] >> 16).astype(np.uint16), lambda b: (b["sub"] == 3) & (b["value"] >> 16 != 0xFFFF)),
    version=2,
)  # fmt: skip
UNIT_MARKS = kind(
    0x0A, "unit_marks", "an 0x0a, of unknown meaning", "6, 0x0a",
    raw("unit_id", "uint16", UNIT), _blob("tail", "tail", "four bytes of unknown meaning"),  # type: ignore[arg-type]
)  # fmt: skip

KINDS: tuple[Kind, ...] = (
    BUILDS, FINISHES, DAMAGE, DEATHS, SHOTS, IMPACTS, FEATURES, SCRIPTS, UNIT_STATES, RESOURCES, SHARES, GIFTS, SPEEDS,
    ALLIANCES, TEAMS, PINGS, LOADING, CAMERA, SOUNDS, LEAVES, HOSTS, READY, NUMBERS, ROSTERS, ACKNOWLEDGEMENTS, INFOS,
    NEGOTIATION, UNIT_MARKS,
)  # fmt: skip

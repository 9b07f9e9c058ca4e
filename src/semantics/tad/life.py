"""From events to units: what each unit id was, from when to when, and who ended it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.formats.tad_stream import Stream
from ksreplay.semantics.tad import kinds
from ksreplay.semantics.tad.fields import TICKS_A_SECOND
from ksreplay.semantics.tad.roster import Roster
from ksreplay.table import Column, Schema, Table

Ints = NDArray[np.int64]
_SHIFT = 40  # room for the number of a subpacket below its unit id
NO_ONE = 0xFFFFFFFF
#: Windows of unit types in which the recorder looks for the commander of each side (seed 004, Corpus validation).
COMMANDERS = {"arm": range(0x21, 0x25), "core": range(0xA4, 0xAA)}

UNITS = Schema(
    "units",
    (
        Column("unit_id", "uint16", meaning="unit id; an id is used again after a death"),
        Column("sender", "uint8", meaning="number of the player who began it"),
        Column("owner", "uint8", nullable=True, meaning="number of the player whose block holds the id"),
        Column("slot", "int32", nullable=True, meaning="slot in the owner's block"),
        Column("unit_type", "uint16", meaning="index in the sorted unit table, from 1"),
        Column("commander", "bool", meaning="the first unit of its player"),
        Column("commander_side", "string", nullable=True, meaning="side whose commander has this type in the "
               "unmodified game; null for other types and for units that are no commander"),
        *(
            column
            for what, text in (("built", "begins to be"), ("finished", "is complete"), ("died", "dies"))
            for column in (
                Column(f"{what}_low", "int32", nullable=True, unit="tick", meaning=f"{text}: sync before it"),
                Column(f"{what}_high", "int32", nullable=True, unit="tick", meaning=f"{text}: sync after it"),
                Column(f"{what}_s", "float64", nullable=True, unit="s", meaning=f"{text}: {what}_low in seconds"),
            )
        ),
        Column("finished", "bool", meaning="is known to be complete; units of the start never are"),
        Column("died", "bool", meaning="is known to have died"),
        Column("cause", "uint8", nullable=True, meaning="cause of the death"),
        Column("killer_player", "uint32", nullable=True, meaning="transport identity of the killer"),
        Column("killer", "uint8", nullable=True, meaning="number of the killer"),
        Column("killer_unit", "uint16", nullable=True, meaning="unit id of the killer"),
        Column("x", "float64", unit="world unit", meaning="where it begins to be, east"),
        Column("y", "float64", unit="world unit", meaning="where it begins to be, up"),
        Column("z", "float64", unit="world unit", meaning="where it begins to be, south"),
    ),
    meaning="one row a life of a unit id, in the order in which they begin",
    source="seed 004, 6, 0x09, 0x12; 6.2; fact sheet tad-format, 9",
    version=2,
)  # fmt: skip


@dataclass
class Lives:
    """The lives of all units: positions of their events among the rows of the kinds."""

    stream: Stream

    @cached_property
    def builds(self) -> Ints:
        return self.stream.rows(kinds.BUILDS.number)

    @cached_property
    def build_bodies(self) -> NDArray[np.void]:
        return self.stream.bodies(self.builds, kinds.BUILDS.dtype)

    @cached_property
    def deaths(self) -> Ints:
        return self.stream.rows(kinds.DEATHS.number)

    @cached_property
    def death_bodies(self) -> NDArray[np.void]:
        return self.stream.bodies(self.deaths, kinds.DEATHS.dtype)

    @cached_property
    def finishes(self) -> Ints:
        return self.stream.rows(kinds.FINISHES.number)

    @cached_property
    def again(self) -> NDArray[np.bool_]:
        """Builds that say the same once more: same sender and fields as the unit's build before, no death between."""
        bodies = self.build_bodies
        data = np.ascontiguousarray(bodies).view(np.uint8).reshape(len(bodies), bodies.dtype.itemsize)
        order = np.lexsort((self.builds, bodies["unit_id"]))
        result = np.zeros(len(bodies), bool)
        if len(order) < 2:
            return result
        one, other = order[:-1], order[1:]
        senders = self.stream.senders_of(self.builds)
        same = (data[one] == data[other]).all(axis=1) & (senders[one] == senders[other])
        keys = self._keys(self.deaths, self.death_bodies["victim"])
        before = np.searchsorted(keys, self._keys(self.builds[one], bodies["unit_id"][one], sort=False))
        after = np.searchsorted(keys, self._keys(self.builds[other], bodies["unit_id"][other], sort=False))
        result[other] = same & (before == after)
        return result

    @staticmethod
    def _keys(rows: Ints, units: NDArray[Any], sort: bool = True) -> Ints:
        keys = units.astype(np.int64) << _SHIFT | rows
        return np.sort(keys) if sort else keys

    @cached_property
    def begins(self) -> Ints:
        """Builds (positions in `builds`) that begin a life."""
        return np.flatnonzero(~self.again)

    def ends(self, rows: Ints, units: NDArray[Any]) -> Ints:
        """For each life the first of these events of its unit, before the unit's next life; -1 for none."""
        begins, bodies = self.begins, self.build_bodies
        keys = self._keys(self.builds[begins], bodies["unit_id"][begins], sort=False)
        ordered = np.sort(keys)
        after = np.searchsorted(ordered, keys, "right")
        limit = np.where(after < len(ordered), ordered[np.minimum(after, len(ordered) - 1)], np.iinfo(np.int64).max)
        limit = np.minimum(limit, (keys >> _SHIFT) + 1 << _SHIFT)
        events = self._keys(rows, units, sort=False)
        order = np.argsort(events, kind="stable")
        place = np.searchsorted(events[order], keys)
        found = np.minimum(place, max(0, len(order) - 1))
        if not len(order):
            return np.full(len(keys), -1, np.int64)
        good = (place < len(order)) & (events[order][found] < limit)
        return np.where(good, order[found], -1)


def units(stream: Stream, roster: Roster, lives: Lives) -> Table:
    begins, bodies = lives.begins, lives.build_bodies[lives.begins]
    rows = lives.builds[begins]
    senders = stream.senders_of(rows)
    ids = bodies["unit_id"]
    owner, slot = roster.locate(ids)
    first = _first_of(senders)
    finish_bodies = stream.bodies(lives.finishes, kinds.FINISHES.dtype)
    finished = lives.ends(lives.finishes, finish_bodies["unit_id"])
    died = lives.ends(lives.deaths, lives.death_bodies["victim"])
    columns: dict[str, Any] = {
        "unit_id": ids, "sender": senders, "owner": np.maximum(owner, 0), "slot": slot,
        "unit_type": bodies["unit_type"], "commander": first, "finished": finished >= 0, "died": died >= 0,
    }  # fmt: skip
    valid: dict[str, Any] = {"owner": owner >= 0, "slot": owner >= 0}
    for name, (where, events) in {
        "built": (np.arange(len(rows)), rows), "finished": (finished, lives.finishes), "died": (died, lives.deaths),
    }.items():  # fmt: skip
        has = where >= 0
        at = events[where[has]]
        for end, ticks in (("low", stream.low[at]), ("high", stream.high(at))):
            found = np.full(len(rows), -1, np.int64)
            found[has] = ticks
            columns[f"{name}_{end}"], valid[f"{name}_{end}"] = found, found >= 0
        columns[f"{name}_s"], valid[f"{name}_s"] = columns[f"{name}_low"] / TICKS_A_SECOND, valid[f"{name}_low"]
    columns["commander_side"] = commander_sides(bodies["unit_type"], first)
    dead = lives.death_bodies[np.maximum(died, 0)] if len(lives.deaths) else np.zeros(len(rows), kinds.DEATHS.dtype)
    columns["cause"], valid["cause"] = dead["cause_level"] >> 4, died >= 0
    player = dead["attacker_player"]
    columns["killer_player"], valid["killer_player"] = player, (died >= 0) & (player != NO_ONE)
    numbers = {p.dpid: p.number for p in roster.participants if p.dpid is not None}
    known = np.isin(player, list(numbers)) & valid["killer_player"]
    columns["killer"] = np.array([numbers.get(dpid, 0) for dpid in player.tolist()], np.uint8)
    valid["killer"] = known
    columns["killer_unit"], valid["killer_unit"] = dead["attacker"], (died >= 0) & (dead["attacker"] != 0)
    columns |= {axis: bodies[axis] / 65536.0 for axis in "xyz"}
    return Table.build(UNITS, columns, valid)


def _first_of(senders: NDArray[np.uint8]) -> NDArray[np.bool_]:
    result = np.zeros(len(senders), bool)
    _, first = np.unique(senders, return_index=True)
    result[first] = True
    return result


def commander_sides(types: NDArray[Any], first: NDArray[np.bool_]) -> Any:
    from ksreplay.columns import Strings

    names = list(COMMANDERS)
    codes = np.full(len(types), -1, np.int32)
    for number, window in enumerate(COMMANDERS.values()):
        codes[(types >= window.start) & (types < window.stop) & first] = number
    return Strings.from_codes(codes, names)

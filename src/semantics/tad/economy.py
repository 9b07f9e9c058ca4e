"""Score and economy out of the snapshots, and how many units each player had."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import distinct
from ksreplay.formats.tad_stream import Stream
from ksreplay.semantics.tad import kinds
from ksreplay.semantics.tad.fields import TICKS_A_SECOND, TIME
from ksreplay.semantics.tad.life import Lives
from ksreplay.semantics.tad.messages import same_as_before
from ksreplay.semantics.tad.roster import Roster
from ksreplay.table import Column, Schema, Table

_S8 = "seed 004, 8"
_FIELDS = tuple(part.column for part in kinds.RESOURCES.parts[1:])
_RATES = ("energy_produced", "energy_requested", "energy_wasted", "metal_produced", "metal_requested", "metal_wasted")

SCORES = Schema(
    "scores",
    (
        Column("sender", "uint8", meaning="number of the player"),
        Column("name", "string", nullable=True, meaning="name of the player"),
        Column("tick_low", "int32", nullable=True, unit="tick", meaning="tick of the sync before the snapshot"),
        Column("tick_high", "int32", nullable=True, unit="tick", meaning="tick of the sync after the snapshot"),
        TIME,
        *_FIELDS,
    ),
    meaning="one row a player: its last snapshot",
    source=_S8,
    version=2,
)
INCOME = Schema(
    "income",
    (
        Column("sender", "uint8", meaning="number of the player"),
        Column("tick", "int32", unit="tick", meaning="tick of the sync before the later snapshot"),
        Column("time_s", "float64", unit="s", meaning="the same in seconds of game time"),
        Column("seconds", "float64", unit="s", meaning="game time between the two snapshots"),
        Column("metal", "float64", meaning="stock of metal"),
        Column("energy", "float64", meaning="stock of energy"),
        *(Column(name, "float64", unit="1/s", meaning=f"{name.replace('_', ' ')} a second") for name in _RATES),
    ),
    meaning="one row a step between two different snapshots of a player whose ticks are known",
    source=_S8,
)
UNIT_COUNTS = Schema(
    "unit_counts",
    (
        Column("sender", "uint8", meaning="number of the player who began the units"),
        Column("tick_low", "int32", nullable=True, unit="tick", meaning="tick of the sync before the change"),
        Column("tick_high", "int32", nullable=True, unit="tick", meaning="tick of the sync after the change"),
        TIME,
        Column("wall_ms", "int64", unit="ms", meaning="wall clock of the recorder"),
        Column("alive", "int32", meaning="units begun and not dead after the change"),
        Column("begun", "int32", meaning="units begun so far"),
        Column("died", "int32", meaning="units dead so far"),
    ),
    meaning="one row a change of the number of a player's units; only units whose beginning was recorded",
    source="seed 004, 6, 0x09; 6.2",
    version=2,
)


def scores(stream: Stream, roster: Roster) -> Table:
    rows = stream.rows(kinds.RESOURCES.number)
    senders = stream.senders_of(rows)
    names = {person.number: person.player.name for person in roster.participants}
    found = []
    for sender in distinct(senders).tolist():
        row = rows[np.flatnonzero(senders == sender)[-1:]]
        body = stream.bodies(row, kinds.RESOURCES.dtype)[0]
        item: dict[str, Any] = {"sender": sender, "name": names.get(sender)}
        if stream.low[row[0]] >= 0:
            item["time_s"] = int(stream.low[row[0]]) / TICKS_A_SECOND
        item |= {
            f"tick_{end}": int(ticks) if ticks >= 0 else None
            for end, ticks in (("low", stream.low[row[0]]), ("high", stream.high(row[0])))
        }
        found.append(item | {column.name: body[column.name].item() for column in _FIELDS})
    return Table.from_rows(SCORES, found)


def copies(stream: Stream) -> NDArray[np.bool_]:
    """Snapshots that are the same as the sender's one before, but for the flag that asks for an answer."""
    rows, records = stream.events(kinds.RESOURCES.number)
    bodies = stream.bodies(rows, kinds.RESOURCES.dtype)
    return same_as_before(stream.packets.senders[records], bodies, skip=1)


def _double(values: NDArray[np.float32]) -> NDArray[np.float64]:
    with np.errstate(all="ignore"):  # a signalling NaN warns when it is widened
        return values.astype(np.float64)


def income(stream: Stream) -> Table:
    rows = stream.rows(kinds.RESOURCES.number)
    bodies = stream.bodies(rows, kinds.RESOURCES.dtype)
    senders = stream.senders_of(rows)
    use = ~copies(stream) & (stream.low[rows] >= 0)
    pieces: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for sender in distinct(senders).tolist():
        mine = np.flatnonzero(use & (senders == sender))
        ticks = stream.low[rows[mine]]
        later = np.flatnonzero(np.diff(ticks) > 0) + 1
        pieces.append((mine[later - 1], mine[later]))
    before = np.concatenate([piece[0] for piece in pieces]) if pieces else np.empty(0, np.int64)
    after = np.concatenate([piece[1] for piece in pieces]) if pieces else np.empty(0, np.int64)
    tick = stream.low[rows[after]]
    seconds = (tick - stream.low[rows[before]]) / TICKS_A_SECOND
    columns: dict[str, Any] = {
        "sender": senders[after], "tick": tick, "time_s": tick / TICKS_A_SECOND, "seconds": seconds,
        "metal": _double(bodies["metal"][after]), "energy": _double(bodies["energy"][after]),
    }  # fmt: skip
    with np.errstate(all="ignore"):  # a damaged snapshot may hold any float
        for name in _RATES:
            values = _double(bodies[name])
            columns[name] = (values[after] - values[before]) / seconds
    return Table.build(INCOME, columns)


def unit_counts(stream: Stream, lives: Lives) -> Table:
    begins = lives.builds[lives.begins]
    died = lives.ends(lives.deaths, lives.death_bodies["victim"])
    owners = stream.senders_of(begins)
    dead = np.flatnonzero(died >= 0)
    events = np.concatenate([begins, lives.deaths[died[dead]]])
    senders = np.concatenate([owners, owners[dead]])
    change = np.concatenate([np.ones(len(begins), np.int32), -np.ones(len(dead), np.int32)])
    order = np.lexsort((events, senders))
    events, senders, change = events[order], senders[order], change[order]
    begun, lost = np.zeros(len(order), np.int64), np.zeros(len(order), np.int64)
    for sender in distinct(senders).tolist():
        mine = senders == sender
        begun[mine], lost[mine] = np.cumsum(change[mine] > 0), np.cumsum(change[mine] < 0)
    low, high = stream.low[events], stream.high(events)
    return Table.build(
        UNIT_COUNTS,
        {
            "sender": senders, "tick_low": low, "tick_high": high, "time_s": low / TICKS_A_SECOND,
            "wall_ms": stream.packets.wall_ms[stream.records_of(events)], "alive": begun - lost, "begun": begun,
            "died": lost,
        },
        {"tick_low": low >= 0, "tick_high": high >= 0, "time_s": low >= 0},
    )  # fmt: skip

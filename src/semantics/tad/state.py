"""Everything known at a tick: the last status of every slot, with its age."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import distinct
from ksreplay.errors import Corrupt
from ksreplay.kernels import tad_bits
from ksreplay.semantics.tad.life import Lives
from ksreplay.semantics.tad.roster import Roster
from ksreplay.semantics.tad.sync import Syncs


def state(at: float, player: int | None, syncs: Syncs, roster: Roster, lives: Lives) -> dict[str, Any]:
    """Last known status of the units of all players, or of one, at tick ``at``.

    A slot's status comes once in as many ticks as there are slots, so ``age`` is below the unit limit where nothing is
    missing. A sync that does not read, or holds no status, leaves the one before it. Units that began since the last
    status of their slot have no status yet; those that died since are left out. Raises ReplayError where the file has
    no unit limit to tell slots, ValueError for a tick that is no number and a player who is not in the file.
    """
    if not math.isfinite(at):
        raise ValueError(f"a tick is a finite number, not {at}")
    tick = int(at)
    if not syncs.limit:
        raise Corrupt("without a unit limit no status can be given to a slot", code="no-unit-limit", format="tad")
    bases = roster.bases()
    rows = syncs.stream.syncs
    ticks, senders = syncs.stream.low[rows], syncs.stream.senders_of(rows)
    sending = distinct(senders).tolist()
    known = sorted({*sending, *(person.number for person in roster.participants)})
    if player is not None and player not in known:
        raise ValueError(f"there is no player {player}; there are {', '.join(map(str, known)) or 'none'}")
    telling = np.ones(len(rows), bool)  # a sync that does not read, or holds no status, says nothing of its slot
    telling[syncs.with_bits] = np.isin(syncs.decoded.kind, (tad_bits.EMPTY, tad_bits.UNIT))
    players: list[dict[str, Any]] = []
    for sender in sending if player is None else [player]:
        mine = np.flatnonzero((senders == sender) & (ticks >= 0) & (ticks <= tick))
        units = _units(syncs, mine[telling[mine]], ticks, tick, int(bases[sender]), lives)
        name = next((p.player.name for p in roster.participants if p.number == sender), None)
        last = int(ticks[mine].max()) if len(mine) else None
        players.append({"player": sender, "name": name, "last_tick": last, "units": units})
    if len(players) == 1:
        return {"tick": tick, **players[0]}
    return {
        "tick": tick,
        "players": [{**who, "units": len(who["units"])} for who in players],
        "units": [{"player": who["player"], **unit} for who in players for unit in who["units"]],
    }


def _units(syncs: Syncs, mine: Any, ticks: Any, tick: int, base: int, lives: Lives) -> list[dict[str, Any]]:
    decoded, limit = syncs.decoded, syncs.limit or 1
    slots = ticks[mine] % limit
    # the last sync of each slot in file order, among those of the latest tick
    order = np.lexsort((np.arange(len(mine)), ticks[mine], slots))
    last = order[np.append(slots[order][1:] != slots[order][:-1], True)] if len(order) else order
    place = mine[last]
    numbers = np.searchsorted(syncs.with_bits, place)
    holds = (numbers < len(syncs.with_bits)) & (
        syncs.with_bits[np.minimum(numbers, len(syncs.with_bits) - 1)] == place
        if len(syncs.with_bits)
        else np.zeros(len(place), bool)
    )
    row_of = np.full(len(syncs.with_bits), -1, np.int64)
    row_of[decoded.status["sync"]] = np.arange(len(decoded.status["sync"]))
    found: dict[int, dict[str, Any]] = {}
    empty: dict[int, int] = {}  # slot -> tick that found nothing in it; an idle sync says so as well
    for spot, number, has in zip(place.tolist(), numbers.tolist(), holds.tolist(), strict=True):
        slot = int(ticks[spot]) % limit
        if not has or decoded.kind[number] == tad_bits.EMPTY:
            empty[slot] = int(ticks[spot])
        else:
            found[slot] = _unit(decoded.status, int(row_of[number]), slot, base, int(ticks[spot]), tick)
    _events(found, empty, lives, base, limit, tick)
    return [found[slot] for slot in sorted(found)]


def _unit(status: dict[str, NDArray[Any]], row: int, slot: int, base: int, seen: int, tick: int) -> dict[str, Any]:
    said = {name: int(values[row]) for name, values in status.items()}
    unit: dict[str, Any] = {
        "unit_id": base + slot + 1 if base >= 0 else None, "slot": slot, "unit_type": said["type"],
        "health": said["health"], "remaining": said["build"] / 255, "flags": said["flags"], "mode": said["mode"],
        "tick": seen, "age": tick - seen, "x": None, "y": None, "z": None, "heading_deg": None, "speed": None,
        "carrier": None,
    }  # fmt: skip
    if said["attached"]:
        unit["carrier"] = said["carrier"]
    else:
        unit |= {axis: said[axis] / 65536 for axis in "xyz"}
        unit["heading_deg"] = said["heading"] * 360 / 65536
        unit["speed"] = said["speed"] / 65536 if said["moving"] else None
    return unit


def _events(
    found: dict[int, dict[str, Any]], empty: dict[int, int], lives: Lives, base: int, limit: int, tick: int
) -> None:
    """Units that surely began or died since the status of their slot: the last event of each slot decides."""
    if base < 0:
        return
    stream = lives.stream
    rows = np.concatenate([lives.builds, lives.deaths])
    units = np.concatenate([lives.build_bodies["unit_id"], lives.death_bodies["victim"]]).astype(np.int64)
    places = np.concatenate([np.arange(len(lives.builds)), np.full(len(lives.deaths), -1)])
    when = stream.high(rows)
    use = np.flatnonzero((when >= 0) & (when <= tick) & (units > base) & (units <= base + limit))
    use = use[np.lexsort((rows[use], units[use]))]
    last = use[np.append(units[use][1:] != units[use][:-1], True)] if len(use) else use
    for number in last.tolist():
        slot, begun, place = int(units[number]) - base - 1, int(when[number]), int(places[number])
        known = found.get(slot)
        if place < 0:
            if known is not None and known["tick"] <= begun:
                del found[slot]
        elif empty.get(slot, -1) < begun and (known is None or known["tick"] < begun):
            body = lives.build_bodies[place]
            found[slot] = {
                "unit_id": base + slot + 1, "slot": slot, "unit_type": int(body["unit_type"]), "health": None,
                "remaining": None, "flags": None, "mode": None, "tick": begun, "age": tick - begun,
                **{axis: int(body[axis]) / 65536 for axis in "xyz"}, "heading_deg": None, "speed": None,
                "carrier": None,
            }  # fmt: skip

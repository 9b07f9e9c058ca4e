"""What a recording says about the match: the commanders, who won where the evidence says so, what was filtered out."""

from __future__ import annotations

from typing import Any

import numpy as np

from ksreplay.formats.tad_stream import Stream
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.semantics.tad.life import COMMANDERS, Lives
from ksreplay.semantics.tad.roster import Participant, Roster

_SYNC_FORMS = frozenset({0x2C, 0xFD, 0xFE, 0xFF})
#: Kinds that a whole recording of a game holds.
_USUAL = (0x05, 0x09, 0x0B, 0x0C, 0x0D, 0x10, 0x11, 0x12, 0x28)


def coverage(stream: Stream) -> dict[str, Any]:
    """Whether anything but unit syncs was recorded, and which usual kinds are absent."""
    present = set(stream.counts)
    return {
        "only_syncs": bool(present) and present <= _SYNC_FORMS,
        "absent": [WALK[number].name for number in _USUAL if number not in present],
    }


def commanders(lives: Lives) -> dict[int, dict[str, Any]]:
    """By sender: the unit that it begins first, and the side whose commander has its type in the unmodified game."""
    senders = lives.stream.senders_of(lives.builds)
    found: dict[int, dict[str, Any]] = {}
    numbers, first = np.unique(senders, return_index=True)
    for sender, place in zip(numbers.tolist(), first.tolist(), strict=True):
        body = lives.build_bodies[place]
        unit_type = int(body["unit_type"])
        side = next((name for name, window in COMMANDERS.items() if unit_type in window), None)
        found[sender] = {"unit_id": int(body["unit_id"]), "unit_type": unit_type, "side": side}
    return found


def result(stream: Stream, roster: Roster, lives: Lives) -> dict[str, Any] | None:
    """Who won and by what evidence, None where nothing says so.

    A player is beaten when its commander died and it began no unit after that. Those left win when there are beaten
    ones and those left are one player, or all of one lobby team. Anything else, a player who left included, is no
    evidence; nor is the death of a unit that only was the first one recorded, neither of a commander's type nor the
    first of its block.
    """
    heads = commanders(lives)
    playing = [person for person in roster.participants if not person.watcher and person.number in heads]
    if len(playing) < 2:
        return None
    senders = stream.senders_of(lives.builds)
    victims = lives.death_bodies["victim"]
    evidence: dict[int, dict[str, Any]] = {}
    for person in playing:
        head = heads[person.number]
        if head["side"] is None and head["unit_id"] - 1 != roster.block_base(person):
            continue
        died = np.flatnonzero(victims == head["unit_id"])
        mine = lives.builds[senders == person.number]
        if len(died) and mine[-1] < lives.deaths[died[0]]:
            evidence[person.number] = _death(stream, int(lives.deaths[died[0]]), person, head["unit_id"])
    left = [person for person in playing if person.number not in evidence]
    teams = {person.team for person in left}
    if not evidence or not left or (len(left) > 1 and (None in teams or len(teams) > 1)):
        return None
    return {
        "winners": [person.player.name for person in left],
        "winner_ids": [person.number for person in left],
        "source": "deaths of the other commanders",
        "beaten": [item["name"] for item in evidence.values()],
        "evidence": list(evidence.values()),
    }


def _death(stream: Stream, row: int, person: Participant, unit: int) -> dict[str, Any]:
    """Which commander died, in which packet, between which ticks."""
    record, low, high = int(stream.records_of(row)), int(stream.low[row]), int(stream.high(row))
    return {
        "id": person.number, "name": person.player.name, "unit_id": unit, "record": record,
        "wall_ms": int(stream.packets.wall_ms[record]), "tick_low": low if low >= 0 else None,
        "tick_high": high if high >= 0 else None,
    }  # fmt: skip

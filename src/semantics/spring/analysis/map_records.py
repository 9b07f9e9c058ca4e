"""The records of a map: start positions, results, lengths and factions over its matches (seed 002; spring-analysis
3.10).

Every figure is a count with the number it is out of. In a team game a position's record is not separated from its team.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ksreplay.semantics.spring.analysis.starts import Grouping, Name, Position, group_starts, match_names

Arrangement = Literal["duel", "teams", "ffa", "other"]


@dataclass(frozen=True, slots=True)
class Seat:
    """A player or skirmish AI of a match; spectators have no seat."""

    team: int | None  # engine team; None in a record that kept no team ids
    ally_team: int | None
    ai: bool = False
    side: str = ""  # the faction of the start script


@dataclass(frozen=True, slots=True)
class Match:
    """What the library knows of one match for its map's page."""

    seats: tuple[Seat, ...]
    winners: tuple[int, ...] | None  # ally teams; None: no result, which is not a loss
    seconds: int
    starts: tuple[tuple[int, float, float], ...]  # engine team, elmos from west and north

    @property
    def sides(self) -> tuple[int, ...]:
        return tuple(sorted({seat.ally_team for seat in self.seats if seat.ally_team is not None}))


def arrangement(match: Match) -> Arrangement:
    """Two sides of one are a duel, two sides teams, more a free for all."""
    sizes = Counter(seat.ally_team for seat in match.seats if seat.ally_team is not None)
    if len(sizes) == 2:
        return "duel" if all(n == 1 for n in sizes.values()) else "teams"
    return "ffa" if len(sizes) > 2 else "other"


@dataclass
class Tally:
    """Starts taken; those of AIs; those with a result; those whose side won."""

    taken: int = 0
    by_ai: int = 0
    with_result: int = 0
    won: int = 0

    def add(self, *, ai: bool, result: bool | None) -> None:
        self.taken += 1
        self.by_ai += ai
        self.with_result += result is not None
        self.won += result is True


@dataclass
class PositionRow:
    """One position; `number` is the one on the map, `team` its tally by side when the table is split by side."""

    number: int
    position: Position
    name: str
    total: Tally
    team: dict[int, Tally] = field(default_factory=dict)  # 1 and 2


@dataclass
class MapRecords:
    rows: list[PositionRow]
    grouping: Grouping
    split_by_team: bool
    no_team_ids: int  # matches whose record kept no team ids: in no position count
    no_seat: int  # starts of a team nobody holds
    no_place: int  # starts whose coordinates are no numbers
    lost_names: list[Name]
    results: int  # matches with a result
    two_sided_results: int
    won_by_first_side: int
    won_by_second_side: int
    arrangements: Counter[str]
    factions: dict[str, tuple[int, int, int]]  # side -> games, with a result, won
    lengths: Lengths


@dataclass(frozen=True, slots=True)
class Lengths:
    """Match lengths above 0 in seconds."""

    matches: int
    median: float | None
    shortest: float | None
    longest: float | None


def lengths(seconds: Sequence[float]) -> Lengths:
    known = [s for s in seconds if s > 0]
    if not known:
        return Lengths(0, None, None, None)
    return Lengths(len(known), float(np.median(known)), float(min(known)), float(max(known)))


def map_records(
    matches: Sequence[Match], *, scale: float, declared: Sequence[tuple[float, float]] = (), names: Sequence[Name] = ()
) -> MapRecords:
    """Add up the matches of one map. `declared` are the positions the map's own list declares, in its order."""
    usable = [m for m in matches if any(seat.team is not None for seat in m.seats)]
    starts: list[tuple[Match, float, float, int, bool]] = []
    no_seat = no_place = 0
    for match in usable:
        for team, x, z in {team: (team, x, z) for team, x, z in match.starts}.values():
            seats = [seat for seat in match.seats if seat.team == team]
            if not seats or seats[0].ally_team is None:
                no_seat += 1
                continue
            if not (math.isfinite(x) and math.isfinite(z)):
                no_place += 1
                continue
            starts.append((match, x, z, seats[0].ally_team, all(seat.ai for seat in seats)))
    grouping = group_starts([s[1] for s in starts], [s[2] for s in starts], scale=scale, declared=declared)
    kinds = Counter(arrangement(m) for m in matches)
    split = set(kinds) in ({"duel"}, {"teams"})
    given, lost = match_names(grouping.positions, names, scale)
    tallies = [Tally() for _ in grouping.positions]
    teams: list[dict[int, Tally]] = [defaultdict(Tally) for _ in grouping.positions]
    for (match, _, _, ally_team, ai), at in zip(starts, grouping.index.tolist(), strict=True):
        result = None if match.winners is None else ally_team in match.winners
        tallies[at].add(ai=ai, result=result)
        if split:
            teams[at][match.sides.index(ally_team) + 1].add(ai=ai, result=result)
    numbers = _numbers(grouping.positions, tallies, len(declared))
    rows = [
        PositionRow(number, position, name, tally, dict(by_side))
        for number, position, name, tally, by_side in zip(
            numbers, grouping.positions, given, tallies, teams, strict=True
        )
    ]
    _join_by_name(rows)
    rows.sort(key=lambda row: (-row.total.taken, row.number, row.position.key))
    sided = [m for m in matches if len(m.sides) == 2 and m.winners is not None]
    return MapRecords(
        rows,
        grouping,
        split,
        no_team_ids=len(matches) - len(usable),
        no_seat=no_seat,
        no_place=no_place,
        lost_names=lost,
        results=sum(m.winners is not None for m in matches),
        two_sided_results=len(sided),
        won_by_first_side=sum(m.sides[0] in (m.winners or ()) for m in sided),
        won_by_second_side=sum(m.sides[1] in (m.winners or ()) for m in sided),
        arrangements=Counter(kinds),
        factions=_factions(matches),
        lengths=lengths([m.seconds for m in matches]),
    )


def _numbers(positions: Sequence[Position], tallies: Sequence[Tally], declared: int) -> list[int]:
    """Declared positions keep their place in the map's list; groups follow all of them, the most taken first."""
    ranked = sorted(
        (i for i, p in enumerate(positions) if p.kind == "cluster"), key=lambda i: (-tallies[i].taken, positions[i].key)
    )
    numbers = dict(zip(ranked, range(declared + 1, declared + 1 + len(ranked)), strict=True))
    return [numbers[i] if i in numbers else int(p.key[1:]) for i, p in enumerate(positions)]


def _join_by_name(rows: list[PositionRow]) -> None:
    """Positions of one name (ignoring case) share the lowest row number: the table adds them, the export lists them."""
    by_name: dict[str, list[PositionRow]] = defaultdict(list)
    for row in rows:
        if row.name:
            by_name[row.name.casefold()].append(row)
    for same in by_name.values():
        number = min(row.number for row in same)
        for row in same:
            row.number = number


def _factions(matches: Sequence[Match]) -> dict[str, tuple[int, int, int]]:
    """Games, games with a result and wins of each faction, one a player; skirmish AIs are not counted."""
    games: Counter[str] = Counter()
    known: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for match in matches:
        for seat in match.seats:
            if seat.ai or not seat.side:
                continue
            games[seat.side] += 1
            if match.winners is not None:
                known[seat.side] += 1
                won[seat.side] += seat.ally_team in match.winners
    return {side: (games[side], known[side], won[side]) for side in sorted(games)}

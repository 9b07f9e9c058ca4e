"""The paths and ends of starting units (seed 002 "Starting unit paths"; spring-analysis 1.1).

A path goes on through the units that replaced it. A starting unit is not always a commander, and a log from before
logger version 4 ends a path at its first upgrade.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ksreplay.semantics.spring.analysis.event_log import EventLog

BY_SCRIPT = -21  # the engine's weapon id of a unit destroyed by Lua
End = Literal["destroyed", "removed", "alive"]


@dataclass
class Track:
    """One starting unit and its successors, in the colour of the team that started with it."""

    team: int
    units: list[int]
    frames: list[int] = field(default_factory=list)
    x: list[float] = field(default_factory=list)  # elmos from west
    z: list[float] = field(default_factory=list)  # elmos from north
    upgrades: list[int] = field(default_factory=list)  # frames at which a successor took over
    end: End = "alive"
    end_frame: int | None = None
    by_team: int | None = None  # team of the attacker
    by_unit: int | None = None

    def add(self, frame: int, x: float, z: float) -> None:
        if not self.frames or (self.frames[-1], self.x[-1], self.z[-1]) != (frame, x, z):
            self.frames.append(frame)
            self.x.append(x)
            self.z.append(z)

    def window(self, first: int, last: int) -> list[tuple[int, float, float]]:
        """The points of a window of frames (both ends included), and the last one before it.

        No position is written while the unit stands still, so the point before the window is where it is as it opens.
        """
        points = list(zip(self.frames, self.x, self.z, strict=True))
        if self.end_frame is not None and self.end_frame < first:
            return []
        before = [p for p in points if p[0] < first][-1:]
        return before + [p for p in points if first <= p[0] <= last]


def tracks(log: EventLog) -> list[Track]:
    """Every starting unit of the log in order of appearance. These lines are few: one object a unit and point is
    fine."""
    found: list[Track] = []
    living: dict[int, Track] = {}  # unit id -> the track it is on
    replaced: dict[int, int] = {}  # old unit -> frame it was replaced on, while its death may still follow
    for kind, row in _in_order(log):
        values = {key: column[row] for key, column in log.columns[kind].items()}
        unit, frame = values["unit"], values["frame"]
        if kind == "unit_created" and values["startUnit"]:
            if unit not in living:
                track = Track(values["team"], [unit])
                track.add(frame, values["x"], values["z"])
                living[unit] = track
                found.append(track)
        elif kind == "start_unit_position" and unit in living:
            living[unit].add(frame, values["x"], values["z"])
        elif kind == "start_unit_replaced":
            _replace(values, found, living, replaced)
        elif kind == "unit_destroyed":
            if replaced.get(unit) is not None and unit not in living:
                del replaced[unit]
            elif unit in living:
                _end(living.pop(unit), values)
    return found


def _in_order(log: EventLog) -> Iterator[tuple[str, int]]:
    kinds = ("unit_created", "start_unit_position", "start_unit_replaced", "unit_destroyed")
    lines = sorted((line, kind, row) for kind in kinds for row, line in enumerate(log.where[kind]))
    return ((kind, row) for _, kind, row in lines)


def _replace(values: dict[str, int], found: list[Track], living: dict[int, Track], replaced: dict[int, int]) -> None:
    """Hand a track to the successor. The old unit's death may stand before or after this line."""
    old, new, frame = values["unit"], values["by"], values["frame"]
    track = living.pop(old, None)
    if track is None:
        gone = [t for t in found if t.units[-1] == old and t.end == "removed" and frame - (t.end_frame or 0) <= 1]
        if not gone:
            return
        track = gone[-1]
        track.end, track.end_frame = "alive", None
    else:
        replaced[old] = frame
    track.units.append(new)
    track.upgrades.append(frame)
    if values["x"] is not None and values["z"] is not None:
        track.add(frame, values["x"], values["z"])
    other = living.get(new)
    if other is not None and other is not track and other in found:
        found.remove(other)  # the successor's own creation was flagged too: one path, not two
    living[new] = track


def _end(track: Track, values: dict[str, int]) -> None:
    track.add(values["frame"], values["x"], values["z"])
    by_script = values["attacker"] is None and values["attackerTeam"] is None and values["weapon"] == BY_SCRIPT
    track.end = "removed" if by_script else "destroyed"
    track.end_frame, track.by_team, track.by_unit = values["frame"], values["attackerTeam"], values["attacker"]

"""The paths and ends of starting units (seed 002 "Starting unit paths"; spring-analysis 1.1).

A path goes on through the units that replaced it. A starting unit is not always a commander, and a log from before
logger version 4 ends a path at its first upgrade.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

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
    """Every starting unit of the log in order of appearance. Few lines: an object a unit and point is fine."""
    followed = _Followed()
    for kind, row in _in_order(log):
        values = {key: column[row] for key, column in log.columns[kind].items()}
        _STEPS[kind](followed, values)
    return [track for track in followed.found if id(track) not in followed.merged]


def _in_order(log: EventLog) -> Iterator[tuple[str, int]]:
    lines = sorted((line, kind, row) for kind in _STEPS for row, line in enumerate(log.where[kind]))
    return ((kind, row) for _, kind, row in lines)


@dataclass
class _Followed:
    """Tracks while a log is read, by the unit that is on them."""

    found: list[Track] = field(default_factory=list)
    living: dict[int, Track] = field(default_factory=dict)
    removed: dict[int, Track] = field(default_factory=dict)  # taken away by the script: a successor may follow
    merged: set[int] = field(default_factory=set)  # tracks that turned out to be another's continuation

    def created(self, values: dict[str, Any]) -> None:
        unit = values["unit"]
        if values["startUnit"] and unit not in self.living:
            track = Track(values["team"], [unit])
            track.add(values["frame"], values["x"], values["z"])
            self.living[unit] = track
            self.found.append(track)

    def moved(self, values: dict[str, Any]) -> None:
        if values["unit"] in self.living:
            self.living[values["unit"]].add(values["frame"], values["x"], values["z"])

    def replaced(self, values: dict[str, Any]) -> None:
        """Hand a track to the successor. The old unit's death may stand before or after this line."""
        old, new, frame = values["unit"], values["by"], values["frame"]
        track = self.living.pop(old, None)
        if track is None:
            track = self.removed.pop(old, None)
            if track is None or frame - (track.end_frame or 0) > 1:
                return
            track.end, track.end_frame = "alive", None
        track.units.append(new)
        track.upgrades.append(frame)
        if values["x"] is not None and values["z"] is not None:
            track.add(frame, values["x"], values["z"])
        other = self.living.get(new)
        if other is not None and other is not track:
            self.merged.add(id(other))  # the successor's own creation was flagged too: one path, not two
        self.living[new] = track

    def destroyed(self, values: dict[str, Any]) -> None:
        track = self.living.pop(values["unit"], None)
        if track is None:
            return
        track.add(values["frame"], values["x"], values["z"])
        by_script = values["attacker"] is None and values["attackerTeam"] is None and values["weapon"] == BY_SCRIPT
        track.end = "removed" if by_script else "destroyed"
        track.end_frame, track.by_team, track.by_unit = values["frame"], values["attackerTeam"], values["attacker"]
        if by_script:
            self.removed[values["unit"]] = track


_STEPS: dict[str, Callable[[_Followed, dict[str, Any]], None]] = {
    "unit_created": _Followed.created,
    "start_unit_position": _Followed.moved,
    "start_unit_replaced": _Followed.replaced,
    "unit_destroyed": _Followed.destroyed,
}

"""What the index knows of maps: their sizes, their declared start positions, and the names players gave positions."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from ksreplay.errors import ReplayError
from ksreplay.library.queries import MatchRow
from ksreplay.semantics.spring.analysis.grids import Grid
from ksreplay.semantics.spring.analysis.map_records import MapRecords, map_records
from ksreplay.semantics.spring.analysis.starts import Name, grouping_distance

#: A size of a Spring map is a whole number of these.
SQUARE = 512
MAX_SIDE = 64 * SQUARE


@dataclass(frozen=True, slots=True)
class MapSize:
    """A map's size in elmos with where it is from: `given`, `event log`, or `estimated` from what was aimed on it."""

    width: float
    height: float
    source: str
    declared: tuple[tuple[float, float], ...] = ()

    @property
    def grid(self) -> Grid:
        return Grid(self.width, self.height)


def set_map(
    db: sqlite3.Connection, name: str, width: float, height: float, source: str,
    declared: Sequence[tuple[float, float]] = (),
) -> None:  # fmt: skip
    """Keeps a map's size (and declared start positions); a given one takes the place of any other."""
    sides = (width, height, *(value for place in declared for value in place))
    if not all(math.isfinite(value) for value in sides) or not 0 < min(width, height) <= max(width, height) <= 1 << 20:
        raise ReplayError(
            "a map's size is two numbers above 0", code="map-size", format="library", found=f"{width}x{height}"
        )
    db.execute(
        "INSERT OR REPLACE INTO maps VALUES (?, ?, ?, ?, ?)", (name, width, height, source, json.dumps(list(declared)))
    )


def map_size(db: sqlite3.Connection, name: str) -> MapSize | None:
    row = db.execute("SELECT width, height, source, declared FROM maps WHERE name = ?", (name,)).fetchone()
    if row is None:
        return None
    return MapSize(row[0], row[1], row[2], tuple((x, z) for x, z in json.loads(row[3])))


def estimate(places: Sequence[tuple[float, float]]) -> MapSize | None:
    """The smallest map that holds all places. A lower bound: say so wherever it is shown."""
    known = [(x, z) for x, z in places if 0 <= x <= MAX_SIDE and 0 <= z <= MAX_SIDE]
    if not known:
        return None
    width, height = (max(SQUARE, math.ceil(max(side) / SQUARE) * SQUARE) for side in zip(*known, strict=True))
    return MapSize(float(width), float(height), "estimated")


def other_sizes(db: sqlite3.Connection, matches: Sequence[MatchRow], size: MapSize) -> set[str]:
    """Versions of the map that are known to be of another size: left out, their coordinates would land elsewhere."""
    versions = {row.map for row in matches}
    known = {name: map_size(db, name) for name in versions}
    return {
        name
        for name, s in known.items()
        if s and s.source != "estimated" and (s.width, s.height) != (size.width, size.height)
    }


def name_position(db: sqlite3.Connection, map: str, name: Name) -> None:
    """A player's own name for a position, under the map's exact name; an empty one takes it away."""
    db.execute("DELETE FROM position_names WHERE map = ? AND position_key = ?", (map, name.key))
    if name.name:
        db.execute("INSERT INTO position_names VALUES (?, ?, ?, ?, ?)", (map, name.key, name.x, name.z, name.name))


def names(db: sqlite3.Connection, map: str) -> list[Name]:
    rows = db.execute("SELECT position_key, x, z, name FROM position_names WHERE map = ? ORDER BY position_key", (map,))
    return [Name(*row) for row in rows]


def records_of(db: sqlite3.Connection, map: str, matches: Sequence[MatchRow], size: MapSize) -> MapRecords:
    """The records of a map over the same matches as its picture."""
    return map_records(
        [row.as_match() for row in matches], scale=grouping_distance(size.width, size.height), declared=size.declared,
        names=names(db, map),
    )  # fmt: skip

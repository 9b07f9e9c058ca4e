"""The layers of one match: starts, buildings ordered and finished, orders, deaths, damage, bases (spring-analysis 3.4).

Each says where its events come from and how many have no place on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.spring.analysis.event_log import EventLog
from ksreplay.semantics.spring.analysis.grids import Grid, Layer, count_layer
from ksreplay.semantics.spring.analysis.unit_list import UnitList

STREAM = "stream"
EVENT_LOG = "event log"
# Where each layer's events come from.
LAYER_SOURCES: dict[str, str] = {
    "starts": STREAM,
    "buildings": STREAM,
    "orders": STREAM,
    "deaths": EVENT_LOG,
    "deaths_by_metal": EVENT_LOG,
    "buildings_finished": EVENT_LOG,
    "damage_landed": EVENT_LOG,
    "damage_origin": EVENT_LOG,
}


def deaths(log: EventLog, grid: Grid) -> Layer:
    """Every unit the playback destroyed. One at exactly 0,0 has no position; one with no attacker counts like the
    rest."""
    x, z = log.array("unit_destroyed", "x"), log.array("unit_destroyed", "z")
    placed = ~((x == 0) & (z == 0))
    attacked = log.present("unit_destroyed", "attacker") | log.present("unit_destroyed", "attackerTeam")
    return count_layer(
        "deaths",
        grid,
        log.array("unit_destroyed", "frame")[placed],
        x[placed],
        z[placed],
        left_out={"no_position": int((~placed).sum()), "unattacked_but_counted": int((~attacked).sum())},
    )


@dataclass(frozen=True, slots=True)
class DeathCosts:
    """Deaths weighed by their units' metal cost: arrays (cells,), with what the list does not price."""

    cell: npt.NDArray[np.int64]
    metal: npt.NDArray[np.float64]
    off_map: int
    unpriced: int  # deaths of a unit with no stated cost: they weigh nothing
    no_position: int


def deaths_by_metal(log: EventLog, grid: Grid, units: UnitList) -> DeathCosts:
    """Where value was lost, and not where units died."""
    x, z = log.array("unit_destroyed", "x"), log.array("unit_destroyed", "z")
    placed = ~((x == 0) & (z == 0))
    definition = log.array("unit_destroyed", "def")
    listed = (definition >= 1) & (definition <= len(units))
    metal = np.append(units.metal, np.nan)[np.where(listed, definition - 1, len(units))]
    cell = grid.cells(x, z)
    use = placed & (cell >= 0) & ~np.isnan(metal)
    found, row = np.unique(cell[use], return_inverse=True)
    return DeathCosts(
        found,
        np.bincount(row, weights=metal[use], minlength=len(found)).astype(np.float64),
        off_map=int((placed & (cell < 0)).sum()),
        unpriced=int(np.isnan(metal).sum()),
        no_position=int((~placed).sum()),
    )


def buildings_finished(log: EventLog, grid: Grid, units: UnitList) -> Layer:
    """Finished units that are buildings by the list. Units that move are left out: their place is where they left a
    factory."""
    definition = log.array("unit_finished", "def")
    listed = (definition >= 1) & (definition <= len(units))
    moves = np.append(units.mobile, False)[np.where(listed, definition - 1, len(units))]
    use = listed & ~moves
    return count_layer(
        "buildings_finished",
        grid,
        log.array("unit_finished", "frame")[use],
        log.array("unit_finished", "x")[use],
        log.array("unit_finished", "z")[use],
        definition=definition[use],
        left_out={"mobile": int((listed & moves).sum()), "not_in_list": int((~listed).sum())},
    )


def time_window(frame: npt.ArrayLike, first: int | None, last: int | None) -> npt.NDArray[np.bool_]:
    """Which events are in a window of frames, both ends included. A window that starts at 0 has the pregame in it."""
    f = np.asarray(frame, np.int64)
    keep = np.ones(len(f), bool)
    if first is not None and first > 0:
        keep &= f >= first
    if last is not None:
        keep &= f <= last
    return keep


@dataclass(frozen=True, slots=True)
class Bases:
    """Square crops round each start, all of one size; arrays (starts,) and, for orders, (orders,)."""

    side: float  # elmos
    team: npt.NDArray[np.int64]
    west: npt.NDArray[np.float64]  # left edge of the crop
    north: npt.NDArray[np.float64]  # top edge
    order_base: npt.NDArray[np.int64]  # for each order the crop of its team that holds it, -1 none
    inside: npt.NDArray[np.int64]  # (starts,) orders of the team inside its crop
    outside: npt.NDArray[np.int64]  # (starts,) orders of the team outside it: counted and not drawn
    no_start: int  # orders of teams without a start position


def bases(
    grid: Grid,
    team: npt.ArrayLike,
    x: npt.ArrayLike,
    z: npt.ArrayLike,
    order_team: npt.ArrayLike,
    order_x: npt.ArrayLike,
    order_z: npt.ArrayLike,
) -> Bases:
    """Crop a quarter of the map's shorter side round each team's start (one a team), kept on the map at its edges."""
    t, sx, sz = np.asarray(team, np.int64), np.asarray(x, np.float64), np.asarray(z, np.float64)
    side = min(grid.map_width, grid.map_height) / 4
    west = np.clip(sx - side / 2, 0, grid.map_width - side)
    north = np.clip(sz - side / 2, 0, grid.map_height - side)
    ot, ox, oz = np.asarray(order_team, np.int64), np.asarray(order_x, np.float64), np.asarray(order_z, np.float64)
    by_team = np.argsort(t, kind="stable")
    at = np.searchsorted(t[by_team], ot)
    has = at < len(t)
    base = np.where(has, by_team[np.minimum(at, len(t) - 1)] if len(t) else -1, -1)
    has &= (t[base] == ot) if len(t) else False
    inside = has.copy()
    if len(t):
        inside &= (ox >= west[base]) & (ox <= west[base] + side) & (oz >= north[base]) & (oz <= north[base] + side)
    return Bases(
        side,
        t,
        west,
        north,
        np.where(inside, base, -1),
        inside=np.bincount(base[inside], minlength=len(t)),
        outside=np.bincount(base[has & ~inside], minlength=len(t)),
        no_start=int((~has).sum()),
    )

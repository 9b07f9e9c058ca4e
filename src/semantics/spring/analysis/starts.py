"""Which starts are one position: by the map's declared positions, else grouped by distance (spring-analysis 3.10).

The same starts in any order give the same groups, and adding a start never splits one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


class Position(NamedTuple):
    """One start position: `d3` is the map's third declared one, `c3:7` a group whose centre is in that square."""

    key: str
    kind: str  # "declared" or "cluster"
    x: float
    z: float
    radius: float  # elmos from the centre to the farthest start of a group; 0 for a declared position


@dataclass(frozen=True, slots=True)
class Grouping:
    positions: tuple[Position, ...]  # declared ones that were taken, then groups in the order of x, z
    index: IntArray  # (starts,) position of each start, -1 where a coordinate is no number
    scale: float  # grouping distance in elmos
    tolerance: float | None  # how near a declared position a start must be; None where none can be said


def declared_tolerance(declared: Sequence[tuple[float, float]]) -> float | None:
    """Half the smallest distance between two different declared positions: a start cannot be within it of two."""
    points = np.unique(np.asarray(declared, np.float64).reshape(-1, 2), axis=0)
    if len(points) < 2:
        return None
    gaps = np.hypot(*(points[:, None, i] - points[None, :, i] for i in (0, 1)))
    return float(gaps[gaps > 0].min()) / 2 if (gaps > 0).any() else None


def grouping_distance(map_width: float, map_height: float) -> float:
    return min(map_width, map_height) / 32


def group_starts(
    x: npt.ArrayLike, z: npt.ArrayLike, *, scale: float, declared: Sequence[tuple[float, float]] = ()
) -> Grouping:
    """Give each start (n,) its position. A start exactly between two declared positions is at neither."""
    px, pz = np.asarray(x, np.float64), np.asarray(z, np.float64)
    tolerance = declared_tolerance(declared)
    at = np.full(len(px), -1, np.int64)
    if tolerance is not None and len(px):
        points = np.asarray(declared, np.float64)
        distance = np.hypot(px[:, None] - points[None, :, 0], pz[:, None] - points[None, :, 1])
        distance[np.isnan(distance)] = np.inf
        nearest = distance.argmin(axis=1)
        near = distance[np.arange(len(px)), nearest] < tolerance
        at[near] = nearest[near]
    taken = np.unique(at[at >= 0])
    positions = [Position(f"d{n + 1}", "declared", float(declared[n][0]), float(declared[n][1]), 0.0) for n in taken]
    index = np.where(at >= 0, np.searchsorted(taken, at), -1)
    rest = np.flatnonzero((at < 0) & np.isfinite(px) & np.isfinite(pz))
    labels = single_linkage(px[rest], pz[rest], scale)
    groups, members = _describe(px[rest], pz[rest], labels, scale)
    positions += groups
    index[rest] = members + len(taken)
    return Grouping(tuple(positions), index, scale, tolerance)


def single_linkage(x: FloatArray, z: FloatArray, scale: float) -> IntArray:
    """(n,) group number of each point: points within `scale` of each other, directly or through others, are one group.

    Points of one square (of two thirds of the distance) are all within it, so only neighbouring squares are compared.
    """
    n = len(x)
    if not n or not scale > 0:
        return np.unique(np.stack((x, z)), axis=1, return_inverse=True)[1].reshape(-1) if n else np.zeros(0, np.int64)
    square = scale / 1.5
    corners, cell = np.unique(np.stack((np.floor(x / square), np.floor(z / square))), axis=1, return_inverse=True)
    order = np.argsort(cell.reshape(-1), kind="stable")
    bounds = np.searchsorted(cell.reshape(-1)[order], np.arange(corners.shape[1] + 1))
    members = [order[bounds[i] : bounds[i + 1]] for i in range(corners.shape[1])]
    at = {corner: i for i, corner in enumerate(zip(*corners.tolist(), strict=True))}
    parent = list(range(len(members)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for (column, row), a in at.items():
        for step_column, step_row in _HALF_RING:
            b = at.get((column + step_column, row + step_row))
            if b is None or root(a) == root(b):
                continue
            if _touch(x, z, members[a], members[b], scale):
                parent[max(root(a), root(b))] = min(root(a), root(b))
    return np.array([root(i) for i in range(len(members))], np.int64)[cell.reshape(-1)]


# Half of the squares within two of one: the other half finds the pair from its own side.
_HALF_RING = tuple((c, r) for c in range(3) for r in range(-2, 3) if (c, r) > (0, 0))


def _touch(x: FloatArray, z: FloatArray, a: IntArray, b: IntArray, scale: float) -> bool:
    """Whether a point of `a` is within `scale` of one of `b`; compared a bounded number of pairs at a time."""
    step = max(1, 1_000_000 // len(b))
    for i in range(0, len(a), step):
        some = a[i : i + step]
        if (np.hypot(x[some, None] - x[None, b], z[some, None] - z[None, b]) <= scale).any():
            return True
    return False


def _describe(x: FloatArray, z: FloatArray, labels: IntArray, scale: float) -> tuple[list[Position], IntArray]:
    """Groups in the order of their centres, with keys, and each point's group in that order."""
    found, member = np.unique(labels, return_inverse=True)
    n = len(found)
    if not n:
        return [], np.zeros(0, np.int64)
    # Sums in the order of x, z, so that the order of the starts does not change a last digit.
    order = np.lexsort((z, x))
    size = np.bincount(member, minlength=n)
    cx = np.bincount(member[order], weights=x[order], minlength=n) / size
    cz = np.bincount(member[order], weights=z[order], minlength=n) / size
    radius = np.zeros(n)
    np.maximum.at(radius, member, np.hypot(x - cx[member], z - cz[member]))
    ranked = np.lexsort((cz, cx))
    place = np.empty(n, np.int64)
    place[ranked] = np.arange(n)
    positions: list[Position] = []
    seen: dict[str, int] = {}
    for g in ranked.tolist():
        cell = f"c{int(np.floor(cx[g] / scale))}:{int(np.floor(cz[g] / scale))}" if scale > 0 else "c0:0"
        seen[cell] = seen.get(cell, 0) + 1
        key = cell if seen[cell] == 1 else f"{cell}.{seen[cell]}"
        positions.append(Position(key, "cluster", float(cx[g]), float(cz[g]), float(radius[g])))
    return positions, place[member]


class Name(NamedTuple):
    """A name a player gave a position, kept with the key and the centre it had then."""

    key: str
    x: float
    z: float
    name: str


def match_names(positions: Sequence[Position], names: Sequence[Name], scale: float) -> tuple[list[str], list[Name]]:
    """Names found again: by key, else the nearest group within `scale`; declared positions and groups never swap names.

    Returns a name ("" none) for each position, and the names that found nothing.
    """
    given = [""] * len(positions)
    by_key = {position.key: i for i, position in enumerate(positions)}
    left: list[Name] = []
    for name in names:
        at = by_key.get(name.key)
        if at is not None and not given[at]:
            given[at] = name.name
        else:
            left.append(name)
    lost: list[Name] = []
    for name in left:
        free = [
            (float(np.hypot(p.x - name.x, p.z - name.z)), i)
            for i, p in enumerate(positions)
            if not given[i] and p.kind == "cluster" and name.key.startswith("c")
        ]
        if free and min(free)[0] <= scale:
            given[min(free)[1]] = name.name
        else:
            lost.append(name)
    return given, lost

"""Which samples of a recording are kept as keys, so that no other is further from the track than its tolerance.

Every measure runs against the rounded values that a reader will see. Source: seed 000, "What the tolerance measures",
"Rules for a writer".
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.cbtrack import curves

Array = npt.NDArray[Any]

#: Samples beyond the furthest good one that are tried: a span that fails may have a longer one that does not.
LOOK_AHEAD = 6


class Signal(Protocol):
    """Samples of one curve at the rising frames ``time``."""

    time: Array

    def worst(self, start: int, end: int) -> float:
        """The largest distance of the samples between ``start`` and ``end``, as a part of what they are allowed, when
        those two are keys and nothing between them is. 1 or less is good."""


def angle_between(a: Array, b: Array) -> Array:
    """The angle in radians of the rotation from unit quaternions ``a`` to ``b``, (4, n)."""
    chord = np.minimum(np.sqrt(((a - b) ** 2).sum(axis=0)), np.sqrt(((a + b) ** 2).sum(axis=0)))
    result: Array = 4 * np.arcsin(np.minimum(chord / 2, 1.0))
    return result


def span(time: Array, start: int, end: int) -> tuple[slice, curves.Bracket]:
    """The samples between two keys and where they lie between them."""
    inside = slice(start + 1, end)
    gap = time[end] - time[start]
    count = end - start - 1
    return inside, curves.Bracket(
        np.full(count, start), np.full(count, end), (time[inside] - time[start]) / gap, np.full(count, gap)
    )


class UnitSignal:
    """Positions (3, n) in elmos and rotations (4, n), as recorded and as rounded."""

    def __init__(
        self, time: Array, place: Array, turn: Array, place_seen: Array, turn_seen: Array, radius: float, limit: float
    ) -> None:
        self.time = time
        self._place, self._turn = place, turn
        self._place_seen, self._turn_seen = place_seen, turn_seen
        self._radius, self._limit = radius, limit

    def worst(self, start: int, end: int) -> float:
        inside, at = span(self.time, start, end)
        off = np.sqrt(((curves.straight(self._place_seen, at) - self._place[:, inside]) ** 2).sum(axis=0))
        turn = angle_between(curves.blend(self._turn_seen, at), self._turn[:, inside])
        return float((off + self._radius * turn).max() / self._limit)


class PoseSignal:
    """Angles (3, n) in 65,536ths of a turn as rounded, offsets (3, n) in elmos, rotations (4, n) as recorded."""

    def __init__(
        self, time: Array, shift: Array, turn: Array, shift_seen: Array, angle_seen: Array, reach: float, limit: float
    ) -> None:
        self.time = time
        self._shift, self._turn = shift, turn
        self._shift_seen, self._angle_seen = shift_seen, angle_seen
        self._reach, self._limit = reach, limit

    def worst(self, start: int, end: int) -> float:
        inside, at = span(self.time, start, end)
        off = np.sqrt(((curves.straight(self._shift_seen, at) - self._shift[:, inside]) ** 2).sum(axis=0))
        turn = angle_between(of_angles(curves.straight(self._angle_seen, at)), self._turn[:, inside])
        return float((off + self._reach * turn).max() / self._limit)


class FlightSignal:
    """Positions (3, n) in elmos as recorded; positions and velocities (3, n) as rounded."""

    def __init__(self, time: Array, place: Array, place_seen: Array, speed_seen: Array, limit: float) -> None:
        self.time = time
        self._place, self._place_seen, self._speed_seen = place, place_seen, speed_seen
        self._limit = limit

    def worst(self, start: int, end: int) -> float:
        inside, at = span(self.time, start, end)
        seen, _ = curves.cubic(self._place_seen, self._speed_seen, at, 1.0, 1.0)
        return float(np.sqrt(((seen - self._place[:, inside]) ** 2).sum(axis=0)).max() / self._limit)


class LineSignal:
    """Rows (m, n) of plain numbers on straight lines, each with what it is allowed (m, n); ``held`` rows may not differ
    from the key before."""

    def __init__(self, time: Array, values: Array, seen: Array, allowed: Array, held: Array | None = None) -> None:
        self.time = time
        self._values, self._seen, self._allowed, self._held = values, seen, allowed, held

    def worst(self, start: int, end: int) -> float:
        inside, at = span(self.time, start, end)
        if self._held is not None and (self._held[inside] != self._held[start]).any():
            return math.inf
        return float(
            (np.abs(curves.straight(self._seen, at) - self._values[:, inside]) / self._allowed[:, inside]).max()
        )


def of_angles(angle: Array) -> Array:
    """Quaternions (4, n) of the turns Ry * Rx * Rz, ``angle`` (3, n) about x, y and z in 65,536ths of a turn."""
    half = angle * (math.pi / 65_536)
    (sx, sy, sz), (cx, cy, cz) = np.sin(half), np.cos(half)
    return np.stack(
        (
            cy * sx * cz + sy * cx * sz,
            sy * cx * cz - cy * sx * sz,
            cy * cx * sz - sy * sx * cz,
            cy * cx * cz + sy * sx * sz,
        )
    )


def keys_of(signal: Signal, forced: Array) -> Array:
    """Indices of the samples to keep: the forced ones, the first and the last, and as few others as are needed.

    From each key the furthest sample is taken that leaves nothing between too far away; forward and backward, and the
    shorter of the two answers.
    """
    count = len(signal.time)
    if count < 3:
        return np.arange(count)
    must = sorted({0, count - 1, *np.flatnonzero(forced).tolist()})
    kept = [must[0]]
    for start, end in pairwise(must):
        ahead, back = _ahead(signal, start, end), _back(signal, start, end)
        kept.extend(ahead if len(ahead) <= len(back) else back)
    return np.array(kept)


def _good(signal: Signal, start: int, end: int) -> bool:
    return end - start < 2 or signal.worst(start, end) <= 1.0


def _reach(good: Any, limit: int) -> int:
    """The largest step of 1 to ``limit`` that is good, found by doubling and halving and a look ahead."""
    if limit == 1 or good(limit):
        return limit
    low, high = 1, 2
    while high < limit and good(high):
        low, high = high, high * 2
    high = min(high, limit)
    while high - low > 1:
        middle = (low + high) // 2
        if good(middle):
            low = middle
        else:
            high = middle
    for step in range(min(low + LOOK_AHEAD, limit - 1), low + 1, -1):
        if good(step):
            return step
    return low


def _ahead(signal: Signal, start: int, end: int) -> list[int]:
    kept = []
    while start < end:
        start += _reach(lambda step, at=start: _good(signal, at, at + step), end - start)
        kept.append(start)
    return kept


def _back(signal: Signal, start: int, end: int) -> list[int]:
    kept = [end]
    at = end
    while True:
        at -= _reach(lambda step, at=at: _good(signal, at - step, at), at - start)
        if at <= start:
            return kept[::-1]
        kept.append(at)


def forced_by_windows(time: Array, first_frame: int, length: int) -> Array:
    """bool, a sample: those on the edge of a window, and either side of an edge that none is on."""
    forced = np.zeros(len(time), bool)
    if not len(time):
        return forced
    low = -(-(int(time[0]) - first_frame) // length)
    high = (int(time[-1]) - first_frame) // length
    edges = first_frame + np.arange(low, high + 1, dtype=np.int64) * length
    after = np.searchsorted(time, edges)
    forced[after] = True
    off = time[after] != edges
    forced[after[off] - 1] = True
    return forced

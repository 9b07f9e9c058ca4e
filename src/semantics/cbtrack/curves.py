"""Values of curves between their keys, for any number of curves and frames in one call.

Everything is float64 and of the shape of the frames asked for. Source: seed 000, "Reading a frame" and the section of
each kind of key; the formulas and their limits are in facts/cbtrack-notes.md sections 2 and 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Bracket:
    """The keys either side of each frame: ``before`` and ``after`` are indices of keys (the same one at and outside a
    curve's ends), ``part`` (float64) how far between them the frame is, ``gap`` the frames between (at least 1)."""

    before: Array
    after: Array
    part: Array
    gap: Array


class Search:
    """Finds the keys either side of a frame in many curves at once.

    Keys of all curves lie in one sorted array of ``curve * 2**17 + time``, so that one binary search serves them all.
    ``gap`` is the frames to the next key of the same curve, infinite at its last key.
    """

    def __init__(self, bounds: Array, time: Array) -> None:
        self.bounds = bounds
        self.time = time
        curves = np.repeat(np.arange(len(bounds) - 1, dtype=np.int64) << 17, np.diff(bounds))
        self.keys = curves + time
        self.start = time.astype(np.float64)
        self.gap = np.empty(len(time))
        self.gap[:-1] = np.diff(self.start)
        ends = bounds[1:][bounds[1:] > bounds[:-1]] - 1
        self.gap[ends] = np.inf

    def at_or_before(self, curve: Array, frame: Array) -> Array:
        """Index of the last key at or before ``frame`` of ``curve``; of the curve's first key where there is none."""
        whole = np.clip(np.floor(frame), -1, (1 << 17) - 2).astype(np.int64)
        found = np.searchsorted(self.keys, (curve << 17) + whole, side="right") - 1
        result: Array = np.maximum(found, self.bounds[curve])
        return result

    def grid(self, curve: Array, frame: Array) -> Array:
        """`at_or_before` for every ``curve`` (n) at every ``frame`` (m): (n, m), by counting keys, not by searching."""
        order = np.argsort(frame, kind="stable")
        ordered = frame[order]
        counts = np.diff(self.bounds)[curve]
        row = np.repeat(np.arange(len(curve)), counts)
        key = self.bounds[curve][row] + np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
        # a key counts from the first frame on that is not before it
        column = np.searchsorted(ordered, self.start[key], side="left")
        width = len(frame) + 1
        table = np.bincount(row * width + column, minlength=len(curve) * width).reshape(-1, width)[:, :-1]
        number = np.add.accumulate(table, axis=1)
        number -= 1
        np.maximum(number, 0, out=number)
        number += self.bounds[curve][:, None]
        if (order[1:] > order[:-1]).all():
            return number
        result = np.empty_like(number)
        result[:, order] = number
        return result

    def part(self, key: Array, frame: Array) -> Array:
        """How far ``frame`` is from ``key`` to the next; 0 before a curve's first key and from its last one on."""
        part = frame - self.start[key]
        part /= self.gap[key]
        np.maximum(part, 0.0, out=part)
        return part

    def bracket(self, curve: Array, frame: Array) -> Bracket:
        """The keys either side of each ``frame`` (an offset in the window); every ``curve`` has at least one key."""
        before = self.at_or_before(curve, frame)
        after = np.minimum(before + 1, self.bounds[curve + 1] - 1)
        part = self.part(before, frame)
        gap = np.where(after > before, self.gap[before], 1.0)
        return Bracket(before, after, part, gap)


class Lines:
    """Rows of values on straight lines between the keys of a `Search`: (rows, keys), float64."""

    def __init__(self, rows: Array, gap: Array) -> None:
        self.rows = rows.astype(np.float64)
        self.steps = np.zeros_like(self.rows)
        self.steps[:, :-1] = np.diff(self.rows, axis=1)
        self.steps[:, ~np.isfinite(gap)] = 0.0

    def at(self, key: Array, part: Array) -> Array:
        """Values (rows, *S) at ``part`` of the way from ``key`` to the next."""
        result = self.steps.take(key, axis=1)
        result *= part
        result += self.rows.take(key, axis=1)
        return result


class Turns(Lines):
    """Quaternions (4, keys), blended between keys."""

    def __init__(self, rows: Array, gap: Array) -> None:
        super().__init__(rows, gap)
        ends = np.roll(self.rows, -1, axis=1)
        sign = np.where((self.rows * ends).sum(axis=0) < 0.0, -1.0, 1.0)
        self.steps = ends * sign - self.rows
        self.steps[:, ~np.isfinite(gap)] = 0.0

    def at(self, key: Array, part: Array) -> Array:
        mixed = super().at(key, part)
        x, y, z, w = mixed
        length = x * x
        length += y * y
        length += z * z
        length += w * w
        np.sqrt(length, out=length)
        length[part == 0.0] = 1.0  # on a key it is the key itself
        mixed /= length
        return mixed


def straight(values: Array, at: Bracket) -> Array:
    """A straight line between keys; ``values`` has its keys on the last axis."""
    start = values[..., at.before].astype(np.float64)
    result: Array = start + (values[..., at.after] - start) * at.part
    return result


def quaternions(dropped: Array, kept: Array, top: int) -> Array:
    """Stored rotations -> unit quaternions, float64 (4, n): rows x, y, z, w.

    The dropped component is ``sqrt(1 - a*a - b*b - c*c)``, 0 where a broken key leaves less than nothing.
    """
    parts = kept * (math.sqrt(0.5) / top)
    rest = np.sqrt(np.maximum(0.0, 1.0 - (parts * parts).sum(axis=0)))
    result = np.empty((4, len(dropped)))
    for component in range(4):
        # a kept component stands one place earlier where the dropped one came before it
        result[component] = np.where(
            dropped == component,
            rest,
            np.where(dropped > component, parts[min(component, 2)], parts[max(component - 1, 0)]),
        )
    return result


def blend(keys: Array, at: Bracket) -> Array:
    """Quaternions (4, n) blended in proportion and scaled to unit length, the second negated when it lies the far way
    round. On a key it is the key itself."""
    start, end = keys[:, at.before], keys[:, at.after]
    sign = np.where((start * end).sum(axis=0) < 0.0, -1.0, 1.0)
    mixed: Array = start + (end * sign - start) * at.part
    mixed /= np.sqrt((mixed * mixed).sum(axis=0))
    on_key = at.part == 0.0
    if on_key.any():
        mixed = np.where(on_key, start, mixed)
    return mixed


def cubic(
    position: Array, velocity: Array, at: Bracket, position_step: float, velocity_step: float
) -> tuple[Array, Array]:
    """Positions (elmos) and velocities (elmos per frame) of projectiles, float64 (3, n)."""
    s, n = at.part, at.gap
    p0, p1 = position[:, at.before] * position_step, position[:, at.after] * position_step
    v0, v1 = velocity[:, at.before] * velocity_step, velocity[:, at.after] * velocity_step
    s2 = s * s
    s3 = s2 * s
    where = (2 * s3 - 3 * s2 + 1) * p0 + (s3 - 2 * s2 + s) * n * v0 + (3 * s2 - 2 * s3) * p1 + (s3 - s2) * n * v1
    slope = (6 * s2 - 6 * s) / n * p0 + (3 * s2 - 4 * s + 1) * v0 + (6 * s - 6 * s2) / n * p1 + (3 * s2 - 2 * s) * v1
    return where, slope


def front(rotation: Array) -> Array:
    """Where the resting direction (0, 0, 1) points; ``rotation`` is (4, ...), the result (3, ...)."""
    x, y, z, w = rotation
    return np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])


def up(rotation: Array) -> Array:
    """Where the resting direction (0, 1, 0) points."""
    x, y, z, w = rotation
    return np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)])

"""Whole-match curves in stored numbers, and cutting them into windows.

A window gets the keys that fall in it and, where no key sits on an end of the life in it, one worked out from the
rounded keys and rounded once more. Source: seed 000, "Rules for a writer"; decisions 20 to 33 of the notes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.cbtrack import curves, steps

Array = npt.NDArray[Any]


def without_middles(time: Array, rows: Array) -> tuple[Array, Array]:
    """Of three keys in a row with the same value the middle one is left out."""
    if len(time) < 3:
        return time, rows
    same = (rows[1:] == rows[:-1]).all(axis=1)
    keep = np.ones(len(time), bool)
    keep[1:-1] = ~(same[1:] & same[:-1])
    return time[keep], rows[keep]


@dataclass(slots=True)
class Curve:
    """Keys of one curve: ``time`` (int64, rising, absolute frames) and ``rows`` (one a key, stored numbers).

    A straight line between keys; subclasses have other ways.
    """

    time: Array
    rows: Array

    #: Whether equal keys in a row may be left out.
    thins = True

    def part(self, frame: int) -> tuple[int, int, float]:
        """The keys either side of ``frame`` and how far between them it is."""
        after = int(np.searchsorted(self.time, frame, side="right"))
        before = max(after - 1, 0)
        if after == 0 or after == len(self.time):
            return before, before, 0.0
        start, end = int(self.time[before]), int(self.time[after])
        return before, after, (frame - start) / (end - start)

    def at(self, frame: int) -> Array:
        """The stored row at ``frame``, rounded."""
        before, after, part = self.part(frame)
        row: Array = self.rows[before]
        if part == 0.0:
            return row
        mixed: Array = steps.round_away(row + (self.rows[after] - row) * part).astype(self.rows.dtype)
        return mixed

    def cut(self, start: int, end: int) -> tuple[Array, Array]:
        """The keys for a window in which the thing lives from frame ``start`` to ``end``."""
        low = int(np.searchsorted(self.time, start, side="left"))
        high = int(np.searchsorted(self.time, end, side="right"))
        time, rows = self.time[low:high], self.rows[low:high]
        if not len(time) or time[0] != start:
            value = self.at(start)
            if not len(time) or self.needs_start(value, rows[0]):
                time = np.concatenate((np.array([start]), time))
                rows = np.concatenate((value[None], rows))
        if time[-1] != end:
            value = self.at(end)
            if self.needs_end(value, rows[-1]):
                time = np.concatenate((time, np.array([end])))
                rows = np.concatenate((rows, value[None]))
        return without_middles(time, rows) if self.thins else (time, rows)

    def needs_start(self, value: Array, first: Array) -> bool:
        return bool((value != first).any())

    def needs_end(self, value: Array, last: Array) -> bool:
        return bool((value != last).any())


@dataclass(slots=True)
class Transform(Curve):
    """Rows of x, y, z, dropped component and three kept ones; rotations are blended."""

    bits: int = 16

    def at(self, frame: int) -> Array:
        before, after, part = self.part(frame)
        row: Array = self.rows[before]
        if part == 0.0:
            return row
        pair = self.rows[[before, after]]
        keys = curves.quaternions(pair[:, 3], pair[:, 4:].T, 2 ** (self.bits - 1) - 1)
        at = curves.Bracket(np.array([0]), np.array([1]), np.array([part]), np.array([1]))
        dropped, kept = steps.pack_rotation(curves.blend(keys, at), self.bits)
        position = steps.round_away(pair[0, :3] + (pair[1, :3] - pair[0, :3]) * part).astype(np.int64)
        return np.concatenate((position, dropped, kept[:, 0]))


@dataclass(slots=True)
class Status(Curve):
    """Rows of health, build progress and flags; flags hold."""

    def at(self, frame: int) -> Array:
        before, after, part = self.part(frame)
        row: Array = self.rows[before].copy()
        row[:2] = steps.round_away(row[:2] + (self.rows[after][:2] - row[:2]) * part)
        return row


@dataclass(slots=True)
class Flight(Curve):
    """Rows of position and velocity; a cubic, with a key at both ends always."""

    thins = False
    position_step: float = 1.0
    velocity_step: float = 1.0

    def at(self, frame: int) -> Array:
        before, after, part = self.part(frame)
        row: Array = self.rows[before]
        if part == 0.0:
            return row
        pair = self.rows[[before, after]].T
        at = curves.Bracket(
            np.array([0]), np.array([1]), np.array([part]), np.array([self.time[after] - self.time[before]])
        )
        position, velocity = curves.cubic(pair[:3], pair[3:], at, self.position_step, self.velocity_step)
        return np.concatenate(
            (
                steps.round_away(position[:, 0] / self.position_step),
                steps.round_away(velocity[:, 0] / self.velocity_step),
            )
        ).astype(np.int64)

    def needs_start(self, value: Array, first: Array) -> bool:
        return True

    def needs_end(self, value: Array, last: Array) -> bool:
        return True


@dataclass(slots=True)
class Number(Curve):
    """Rows of one float32. A rules parameter has a key on the first frame of a window wherever it is set."""

    is_parameter: bool = False

    def at(self, frame: int) -> Array:
        before, after, part = self.part(frame)
        row: Array = self.rows[before]
        if part == 0.0:
            return row
        wide = row.astype(np.float64)
        mixed: Array = (wide + (self.rows[after].astype(np.float64) - wide) * part).astype(np.float32)
        return mixed

    def needs_start(self, value: Array, first: Array) -> bool:
        return self.is_parameter or bool((value != first).any())


@dataclass(slots=True)
class Hold:
    """A curve whose value holds until the next key: ``time`` (rising frames) and any ``values``; the first key is at
    the start of the holder's life."""

    time: list[int]
    values: list[Any]

    def cut(self, start: int, end: int) -> tuple[list[int], list[Any]]:
        """The keys for a window, the value held at ``start`` among them."""
        low, high = bisect_left(self.time, start), bisect_right(self.time, end)
        time, values = self.time[low:high], self.values[low:high]
        if not time or time[0] != start:
            held = self.values[max(low - 1, 0)]
            if not time or values[0] != held:
                time, values = [start, *time], [held, *values]
        return time, values


def shifted_turns(rows: Array) -> Array:
    """Pose rows with each angle shifted by the whole turns that bring the first key to -32,768 to 32,767."""
    turns = np.floor_divide(rows[0, :3] + 32_768, 65_536) * 65_536
    result = rows.copy()
    result[:, :3] -= turns
    return result


def join_bounds(counts: Sequence[int]) -> Array:
    """Bounds of curves from the number of their keys."""
    bounds = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(np.asarray(counts, np.int64), out=bounds[1:])
    return bounds

"""One decoded window, asked for values at frames. Everything is vectorised over units and frames alike.

Frames are frames of the match, whole or fractional. Positions are elmos, velocities elmos per frame, angles 65,536ths
of a turn as this window has them. Source: seed 000, "Reading a frame".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.formats.cbtrack import Header
from ksreplay.formats.cbtrack_columns import FIRST_PARAMETER, NO_OWNER, NO_TEAM
from ksreplay.semantics.cbtrack import curves
from ksreplay.semantics.cbtrack.curves import Lines, Search, Turns
from ksreplay.semantics.cbtrack.model import Main

Array = npt.NDArray[Any]

FULL = 65_535.0
RESOURCE_CODES = (*range(9), *range(16, 25))
TEAM_NUMBERS_SINCE = 4  # recorder version


@dataclass(frozen=True, slots=True)
class Motion:
    """Units at frames, of one shape S (the units and frames asked for, broadcast against each other).

    ``exists`` bool S; ``position`` float64 (3, *S) elmos; ``rotation`` float64 (4, *S) x y z w; ``health`` and
    ``build`` float64 S of 0 to 1; ``on`` bool S. Where a unit does not exist its values are those of its nearest key.
    """

    exists: Array
    position: Array
    rotation: Array
    health: Array
    build: Array
    on: Array

    @property
    def front(self) -> Array:
        return curves.front(self.rotation)

    @property
    def up(self) -> Array:
        return curves.up(self.rotation)


@dataclass(frozen=True, slots=True)
class Flight:
    """Projectiles at frames, of one shape S: ``exists`` bool S, ``position`` and ``velocity`` float64 (3, *S)."""

    exists: Array
    position: Array
    velocity: Array


class Window:
    """Window ``index`` of a track, over the frames ``start`` to ``end`` (both in it)."""

    def __init__(self, main: Main, header: Header) -> None:
        self.main = main
        self.header = header
        self.index = main.window
        self.start = main.start
        self.end = main.end

    @cached_property
    def _transforms(self) -> Search:
        return Search(self.main.transforms.bounds, self.main.transforms.time)

    @cached_property
    def _statuses(self) -> Search:
        return Search(self.main.statuses.bounds, self.main.statuses.time)

    @cached_property
    def _targets(self) -> Search:
        return Search(self.main.targets.bounds, self.main.targets.time)

    @cached_property
    def pose_search(self) -> Search:
        """Finds the keys of pose tracks."""
        return Search(self.main.poses.bounds, self.main.poses.time)

    @cached_property
    def _queues(self) -> Search:
        return Search(self.main.queues.bounds, self.main.queues.time)

    @cached_property
    def _projectiles(self) -> Search:
        return Search(self.main.projectiles.bounds, self.main.projectiles.time)

    @cached_property
    def _numbers(self) -> Search:
        return Search(self.main.numbers.bounds, self.main.numbers.time)

    @cached_property
    def rotations(self) -> Array:
        """The rotation of every transform key, float64 (4, keys)."""
        keys = self.main.transforms
        return curves.quaternions(keys.dropped, keys.kept, self.header.rotation_top)

    @cached_property
    def _paths(self) -> Lines:
        return Lines(self.main.transforms.position * self.header.position_step, self._transforms.gap)

    @cached_property
    def _turns(self) -> Turns:
        return Turns(self.rotations, self._transforms.gap)

    @cached_property
    def _levels(self) -> Lines:
        statuses = self.main.statuses
        return Lines(np.stack((statuses.health, statuses.build)) / FULL, self._statuses.gap)

    @cached_property
    def _on(self) -> Array:
        return (self.main.statuses.flags & 1).astype(bool)

    @cached_property
    def unit_of_serial(self) -> dict[int, int]:
        """Serial number -> index in this window's units; the last one where a broken file has it twice."""
        return {int(serial): i for i, serial in enumerate(self.main.units.serial)}

    @cached_property
    def projectile_of_serial(self) -> dict[int, int]:
        return {int(serial): i for i, serial in enumerate(self.main.projectiles.serial)}

    @cached_property
    def owner_serial(self) -> Array:
        """The serial number of the unit that fired each projectile, int64, -1 for none."""
        owner = self.main.projectiles.owner
        result = np.full(len(owner), -1, np.int64)
        has = owner != NO_OWNER
        result[has] = self.main.units.serial[owner[has]]
        return result

    def units_at(self, frame: float) -> Array:
        """Indices of the units that exist at ``frame``."""
        offset = frame - self.start
        return np.flatnonzero((self.main.units.first <= offset) & (offset <= self.main.units.last))

    def projectiles_at(self, frame: float) -> Array:
        """Indices of the projectiles that exist at ``frame``."""
        offset = frame - self.start
        return np.flatnonzero((self.main.projectiles.first <= offset) & (offset <= self.main.projectiles.last))

    def motion(self, units: npt.ArrayLike, frames: npt.ArrayLike) -> Motion:
        """Units at frames: indices of this window's units and frames of the match, broadcast against each other.

        ``motion(indices, frame)`` is many units at one frame, ``motion(i, frames)`` one unit at many frames and
        ``motion(indices[:, None], frames)`` all of them.
        """
        unit, offset = np.asarray(units, np.int64), np.asarray(frames, np.float64) - self.start
        main = self.main
        if unit.ndim == 2 and unit.shape[1] == 1 and offset.ndim == 1:
            shape: tuple[int, ...] = (len(unit), len(offset))
            key, state = (search.grid(unit[:, 0], offset) for search in (self._transforms, self._statuses))
        else:
            unit, offset = np.broadcast_arrays(unit, offset)
            shape, unit, offset = unit.shape, unit.ravel(), offset.ravel()
            key, state = (search.at_or_before(unit, offset) for search in (self._transforms, self._statuses))
        part = self._transforms.part(key, offset)
        levels = self._levels.at(state, self._statuses.part(state, offset))
        exists = (main.units.first[unit] <= offset) & (offset <= main.units.last[unit])
        return Motion(
            exists.reshape(shape),
            self._paths.at(key, part).reshape(3, *shape),
            self._turns.at(key, part).reshape(4, *shape),
            levels[0].reshape(shape),
            levels[1].reshape(shape),
            self._on[state].reshape(shape),
        )

    def flight(self, projectiles: npt.ArrayLike, frames: npt.ArrayLike) -> Flight:
        """Projectiles at frames, as ``motion`` does it for units."""
        which, offset = np.broadcast_arrays(
            np.asarray(projectiles, np.int64), np.asarray(frames, np.float64) - self.start
        )
        main = self.main.projectiles
        flat, at_offset = which.ravel(), offset.ravel()
        at = self._projectiles.bracket(flat, at_offset)
        position, velocity = curves.cubic(
            main.position, main.velocity, at, self.header.position_step, self.header.velocity_step
        )
        exists = (main.first[flat] <= at_offset) & (at_offset <= main.last[flat])
        shape = which.shape
        return Flight(exists.reshape(shape), position.reshape(3, *shape), velocity.reshape(3, *shape))

    def tracks_of(self, tracks: Array, bounds: Array, keys: Array, units: Array) -> tuple[Array, Array]:
        """The tracks with keys of ``units`` and, beside them, the unit of each. Of two tracks of one unit for the same
        thing (``keys``: weapon or piece), which a broken file may have, only the last."""
        counts = np.diff(tracks)[units]
        unit = np.repeat(units, counts)
        within = np.arange(len(unit)) - np.repeat(np.cumsum(counts) - counts, counts)
        track = tracks[:-1][unit] + within
        has = bounds[track + 1] > bounds[track]
        unit, track = unit[has], track[has]
        if len(track):
            same = (unit.astype(np.int64) << 16) | keys[track]
            _, last = np.unique(same[::-1], return_index=True)
            if len(last) < len(track):
                keep = np.sort(len(track) - 1 - last)
                unit, track = unit[keep], track[keep]
        return unit, track

    def targets_at(self, units: Array, frame: float) -> tuple[Array, Array, Array]:
        """For ``units`` at ``frame``: the unit, the track and the key of everything that has a target track."""
        keys = self.main.targets
        unit, track = self.tracks_of(keys.tracks, keys.bounds, keys.weapon, np.asarray(units, np.int64))
        return unit, track, self._targets.at_or_before(track, np.full(len(track), frame - self.start))

    def poses_at(self, units: Array, frame: float) -> tuple[Array, Array, Array, Array]:
        """For ``units`` at ``frame``: unit, track, angle (3, n) in 65,536ths of a turn, offset (3, n) in elmos."""
        keys = self.main.poses
        unit, track = self.tracks_of(keys.tracks, keys.bounds, keys.piece, np.asarray(units, np.int64))
        at = self.pose_search.bracket(track, np.full(len(track), frame - self.start))
        offset = curves.straight(keys.offset, at) * self.header.position_step
        return unit, track, curves.straight(keys.angle, at), offset

    def queues_at(self, units: Array, frame: float) -> tuple[Array, Array]:
        """For ``units`` at ``frame``: those that have a queue curve, and the key of each."""
        bounds = self.main.queues.bounds
        units = np.asarray(units, np.int64)
        unit = units[bounds[units + 1] > bounds[units]]
        return unit, self._queues.at_or_before(unit, np.full(len(unit), frame - self.start))

    @cached_property
    def _number_track(self) -> dict[tuple[int, int], int]:
        return {
            (int(team), int(code)): i
            for i, (team, code) in enumerate(zip(self.main.numbers.team, self.main.numbers.code, strict=True))
            if self.main.numbers.bounds[i + 1] > self.main.numbers.bounds[i]
        }

    def number(self, team: int | None, code: int, frames: npt.ArrayLike) -> tuple[Array, bool]:
        """A number of a team (None: of the game) at frames: float64 with NaN where it is not set, and whether the track
        can know it at all (a recorder before version 4 did not record the numbers)."""
        offset = np.asarray(frames, np.float64) - self.start
        if self.header.recorder_version < TEAM_NUMBERS_SINCE:
            return np.full(offset.shape, np.nan), False
        track = self._number_track.get((NO_TEAM if team is None else team, code))
        is_resource = code in RESOURCE_CODES and team is not None and team != NO_TEAM
        if track is None or not (is_resource or code >= FIRST_PARAMETER):
            return np.full(offset.shape, 0.0 if is_resource else np.nan), True
        numbers = self.main.numbers
        at = self._numbers.bracket(np.full(offset.size, track, np.int64), offset.ravel())
        value = curves.straight(numbers.value, at).reshape(offset.shape)
        if code >= FIRST_PARAMETER:
            value = np.where(offset < numbers.time[numbers.bounds[track]], np.nan, value)
        return value, True

    def numbers(self) -> list[tuple[int, int]]:
        """Team (255: the game) and code of every number that has a track with keys here."""
        return list(self._number_track)

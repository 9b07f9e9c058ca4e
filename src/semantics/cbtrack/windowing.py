"""One window's arrays out of whole-match curves, for the writer.

Source: seed 000, "Rules for a writer", "Target tracks", "Pose tracks", "Team numbers"; decisions 10 to 33.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ksreplay.formats.cbtrack import FORMAT, Header
from ksreplay.formats.cbtrack_columns import NO_OWNER
from ksreplay.semantics.cbtrack import cut, rules
from ksreplay.semantics.cbtrack.decode import REFERENCE
from ksreplay.semantics.cbtrack.model import (
    Main,
    Numbers,
    Poses,
    Projectiles,
    Queues,
    Statuses,
    Targets,
    Transforms,
    Units,
)

if TYPE_CHECKING:
    from ksreplay.semantics.cbtrack.writer import ProjectileCurves, UnitCurves

Array = npt.NDArray[Any]

UNIT, FEATURE, PROJECTILE = 1, 2, 3  # what a kind's reference is an index in, as in decode.REFERENCE
NOTHING = (0, 0, 0, ())


@dataclass(slots=True)
class Things:
    """Everything of the match in order of serial number. ``unit_serial`` and ``projectile_serial`` map handles."""

    units: list[UnitCurves]
    projectiles: list[ProjectileCurves]
    unit_serial: list[int]
    projectile_serial: list[int]
    targets: list[dict[int, cut.Hold]]
    lives: dict[int, Array]


def _serials(things: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """Things by first frame, and the place of each handle in that order."""
    order = sorted(range(len(things)), key=lambda handle: things[handle].first)
    serial = [0] * len(things)
    for place, handle in enumerate(order):
        serial[handle] = place
    return [things[handle] for handle in order], serial


def things_of(
    units: Sequence[UnitCurves],
    projectiles: Sequence[ProjectileCurves],
    features: Sequence[tuple[int, ...]],
    header: Header,
) -> Things:
    """Serial numbers by order of first appearance, and target curves that end when their thing does."""
    by_serial, unit_serial = _serials(units)
    flying, projectile_serial = _serials(projectiles)
    lives = {
        UNIT: np.array([(u.first, u.last) for u in units], np.int64).reshape(-1, 2),
        FEATURE: np.array([row[4:6] for row in features], np.int64).reshape(-1, 2),
        PROJECTILE: np.array([(p.first, p.last) for p in projectiles], np.int64).reshape(-1, 2),
    }
    things = Things(by_serial, flying, unit_serial, projectile_serial, [{} for _ in units], lives)
    for handle, unit in enumerate(units):
        for weapon, keys in unit.targets.items():
            where = f"unit[{handle}].target[{weapon}]"
            things.targets[unit_serial[handle]][weapon] = _target_curve(unit, keys, things, where)
    return things


def _target_curve(unit: UnitCurves, keys: list[tuple[int, tuple[Any, ...]]], things: Things, where: str) -> cut.Hold:
    """The keys of a target track with serial numbers for references, from the start of the unit's life, with a key of
    kind 0 on the frame after the thing aimed at has gone."""
    time: list[int] = []
    values: list[tuple[Any, ...]] = []
    if not keys or keys[0][0] > unit.first:
        time, values = [unit.first], [NOTHING]
    for i, (frame, (kind, reference, power, place)) in enumerate(keys):
        into = int(REFERENCE[kind])
        gone = None
        if into:
            lives = things.lives[into]
            if not (0 <= reference < len(lives) and lives[reference][0] <= frame <= lives[reference][1]):
                raise rules.GIVEN_REFERENCE.failure(
                    FORMAT, where=f"{where}[{i}]", found=reference, expected=f"a thing that exists at frame {frame}"
                )
            gone = int(lives[reference][1]) + 1
            if into == UNIT:
                reference = things.unit_serial[reference]
            elif into == PROJECTILE:
                reference = things.projectile_serial[reference]
        time.append(frame)
        values.append((kind, reference, power, place))
        following = keys[i + 1][0] if i + 1 < len(keys) else unit.last + 1
        if gone is not None and gone < following:
            time.append(gone)
            values.append(NOTHING)
    return cut.Hold(time, values)


class _Keys:
    """Keys of many curves, collected one curve after the other."""

    def __init__(self, width: int, dtype: Any = np.int64) -> None:
        self._width, self._dtype = width, dtype
        self.counts: list[int] = []
        self._time: list[Array] = []
        self._rows: list[Array] = []

    def add(self, time: Any, rows: Array) -> None:
        self.counts.append(len(time))
        self._time.append(np.asarray(time, np.int64))
        self._rows.append(rows)

    def time(self, start: int) -> Array:
        joined = np.concatenate(self._time) if self._time else np.zeros(0, np.int64)
        return joined - start

    def rows(self) -> Array:
        """(width, keys)"""
        if not self._rows:
            return np.zeros((self._width, 0), self._dtype)
        return np.concatenate(self._rows).reshape(-1, self._width).T

    @property
    def bounds(self) -> Array:
        return cut.join_bounds(self.counts)


def main_of(k: int, things: Things, numbers: dict[tuple[int, int], cut.Curve], header: Header) -> Main:
    """The arrays of window ``k``."""
    start, end = header.window_start(k), header.window_end(k)
    units = [s for s, unit in enumerate(things.units) if unit.first <= end and unit.last >= start]
    flying = [s for s, shot in enumerate(things.projectiles) if shot.first <= end and shot.last >= start]
    unit_row = {serial: row for row, serial in enumerate(units)}
    shot_row = {serial: row for row, serial in enumerate(flying)}
    if len(units) > NO_OWNER:
        raise rules.FIT.failure(FORMAT, where=f"window[{k}].main.units", found=len(units), expected="up to 65535")
    return Main(
        window=k,
        start=start,
        end=end,
        units=_units(units, things, start, end),
        transforms=_transforms(units, things, start, end),
        statuses=_statuses(units, things, start, end),
        targets=_targets(units, things, start, end, unit_row, shot_row),
        poses=_poses(units, things, start, end),
        queues=_queues(units, things, start, end),
        projectiles=_projectiles(flying, things, start, end, unit_row),
        numbers=_numbers(numbers, start, end),
    )


def _life(thing: Any, start: int, end: int) -> tuple[int, int]:
    return max(thing.first, start), min(thing.last, end)


def _flags(thing: Any, start: int, end: int) -> int:
    return int(thing.first < start) | int(thing.last > end) << 1


def _units(serials: list[int], things: Things, start: int, end: int) -> Units:
    rows = []
    for serial in serials:
        unit = things.units[serial]
        first, last = _life(unit, start, end)
        flags = _flags(unit, start, end)
        rows.append((unit.unit_id, serial, unit.definition, unit.team, flags, first - start, last - start))
    return Units(*np.array(rows, np.int64).reshape(len(rows), 7).T)


def _transforms(serials: list[int], things: Things, start: int, end: int) -> Transforms:
    keys = _Keys(7)
    for serial in serials:
        unit = things.units[serial]
        keys.add(*unit.transform.cut(*_life(unit, start, end)))
    rows = keys.rows()
    return Transforms(keys.bounds, keys.time(start), rows[:3], rows[3], rows[4:].astype(np.int16))


def _statuses(serials: list[int], things: Things, start: int, end: int) -> Statuses:
    keys = _Keys(3)
    for serial in serials:
        unit = things.units[serial]
        keys.add(*unit.status.cut(*_life(unit, start, end)))
    rows = keys.rows().astype(np.uint16)
    return Statuses(keys.bounds, keys.time(start), rows[0], rows[1], rows[2])


def _targets(
    serials: list[int], things: Things, start: int, end: int, unit_row: dict[int, int], shot_row: dict[int, int]
) -> Targets:
    tracks, weapons, counts = [], [], []
    time: list[int] = []
    values: list[tuple[int, int, int]] = []
    places: list[tuple[int, ...]] = []
    placed: list[int] = []
    for serial in serials:
        unit = things.units[serial]
        number = 0
        for weapon, curve in sorted(things.targets[serial].items()):
            at, keys = curve.cut(*_life(unit, start, end))
            if all(key == NOTHING for key in keys):
                continue  # a track that is missing means no target
            number += 1
            weapons.append(weapon)
            counts.append(len(at))
            time.extend(at)
            for kind, reference, power, place in keys:
                rows = {UNIT: unit_row, PROJECTILE: shot_row}.get(int(REFERENCE[kind]))
                values.append((kind, reference if rows is None else rows[reference], power))
                placed.append(len(places) if place else -1)
                if place:
                    places.append(place)
        tracks.append(number)
    kinds, references, powers = np.array(values, np.int64).reshape(len(values), 3).T
    return Targets(
        cut.join_bounds(tracks),
        np.array(weapons, np.int64),
        cut.join_bounds(counts),
        np.array(time, np.int64) - start,
        kinds,
        references,
        powers,
        placed=np.array(placed, np.int64),
        position=np.array(places, np.int64).reshape(len(places), 3).T,
    )


def _poses(serials: list[int], things: Things, start: int, end: int) -> Poses:
    tracks, pieces = [], []
    keys = _Keys(6)
    for serial in serials:
        unit = things.units[serial]
        number = 0
        for piece, curve in sorted(unit.poses.items()):
            time, rows = curve.cut(*_life(unit, start, end))
            rows = cut.shifted_turns(rows)
            if not rows.any():
                continue  # at rest for the whole window
            keys.add(time, rows)
            pieces.append(piece)
            number += 1
        tracks.append(number)
    rows = keys.rows()
    return Poses(cut.join_bounds(tracks), np.array(pieces, np.int64), keys.bounds, keys.time(start), rows[:3], rows[3:])


def _queues(serials: list[int], things: Things, start: int, end: int) -> Queues:
    counts, items = [], []
    time: list[int] = []
    rows: list[tuple[int, ...]] = []
    for serial in serials:
        unit = things.units[serial]
        at: list[int] = []
        keys: list[Any] = []
        if unit.queue is not None:
            at, keys = unit.queue.cut(*_life(unit, start, end))
            if not any(keys):
                at, keys = [], []  # empty for the whole window
        counts.append(len(at))
        time.extend(at)
        for key in keys:
            items.append(len(key))
            rows.extend(key)
    columns = np.array(rows, np.int64).reshape(len(rows), 4).T
    return Queues(cut.join_bounds(counts), np.array(time, np.int64) - start, cut.join_bounds(items), *columns)


def _projectiles(serials: list[int], things: Things, start: int, end: int, unit_row: dict[int, int]) -> Projectiles:
    keys = _Keys(6)
    rows = []
    for number in serials:
        shot = things.projectiles[number]
        first, last = _life(shot, start, end)
        owner = NO_OWNER if shot.owner is None else unit_row.get(things.unit_serial[shot.owner], NO_OWNER)
        bits = _flags(shot, start, end)
        rows.append((number, shot.definition, shot.team, bits, owner, first - start, last - start))
        keys.add(*shot.curve.cut(first, last))
    columns, values = tuple(np.array(rows, np.int64).reshape(len(rows), 7).T), keys.rows()
    serial, definition, team, flags, owners, firsts, lasts = columns
    return Projectiles(
        serial, definition, team, flags, owners, firsts, lasts, keys.bounds, keys.time(start), values[:3], values[3:]
    )


def _numbers(numbers: dict[tuple[int, int], cut.Curve], start: int, end: int) -> Numbers:
    keys = _Keys(1, np.float32)
    which = []
    for key, curve in sorted(numbers.items()):
        is_parameter = isinstance(curve, cut.Number) and curve.is_parameter
        first = max(start, int(curve.time[0])) if is_parameter else start
        if first > end:
            continue  # not set yet
        time, rows = curve.cut(first, end)
        if not is_parameter and not rows.any():
            continue
        which.append(key)
        keys.add(time, rows)
    team, code = np.array(which, np.int64).reshape(len(which), 2).T
    return Numbers(team, code, keys.bounds, keys.time(start), keys.rows()[0])

"""Columns of a chunk -> the arrays of ``model``, with every check that sharing the values out needs.

Source: seed 000, "Main chunk" to "Terrain chunk"; decisions: facts/cbtrack-notes.md section 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.formats.cbtrack import FORMAT, Columns, Header
from ksreplay.formats.cbtrack_columns import FIRST_PLACED_KIND, MOST, NO_OWNER
from ksreplay.semantics.cbtrack import rules
from ksreplay.semantics.cbtrack.coding import (
    bounds_of,
    entries,
    keyed,
    plain,
    section,
)
from ksreplay.semantics.cbtrack.model import (
    Features,
    Main,
    Numbers,
    Poses,
    Projectiles,
    Queues,
    Statuses,
    Targets,
    Terrain,
    Transforms,
    Units,
)

Array = npt.NDArray[Any]

UNIT_KINDS = (1, 16, 17, 20)
FEATURE_KINDS = (2, 18, 19)
PROJECTILE_KIND = 4
# kind -> what its reference is an index in: 0 nothing, 1 units, 2 features, 3 projectiles
REFERENCE = np.zeros(256, np.uint8)
REFERENCE[list(UNIT_KINDS)], REFERENCE[list(FEATURE_KINDS)], REFERENCE[PROJECTILE_KIND] = 1, 2, 3


def decode_main(columns: Columns, header: Header, k: int) -> Main:
    """The main chunk of window ``k``."""
    start, end = header.window_start(k), header.window_end(k)
    span = end - start
    count = entries(columns, "units", tuple(range(1, 13)))
    units = Units(
        unit_id=plain(columns, 1, count, "<u2"),
        serial=plain(columns, 2, count, "<u4"),
        definition=plain(columns, 3, count, "<u2"),
        team=plain(columns, 4, count, "u1"),
        flags=plain(columns, 5, count, "u1"),
        first=plain(columns, 6, count, "<u2"),
        last=plain(columns, 7, count, "<u2"),
    )
    check_lives(units.first, units.last, span, f"{columns.where}.units")
    projectiles = _projectiles(columns, span, count)
    return Main(
        window=k,
        start=start,
        end=end,
        units=units,
        transforms=_transforms(columns, units, header.rotation_top),
        statuses=_statuses(columns, units),
        targets=_targets(columns, units, len(projectiles)),
        poses=_poses(columns, units),
        queues=_queues(columns, units),
        projectiles=projectiles,
        numbers=_numbers(columns, span),
    )


def check_lives(first: Array, last: Array, span: int, where: str) -> None:
    """First offsets are not after last ones, and last ones are in the window."""
    if not len(first):
        return
    if int(last.max()) > span or not (first <= last).all():
        i = int(np.flatnonzero((last > span) | (first > last))[0])
        raise rules.LIFE.failure(
            FORMAT, where=f"{where}[{i}]", found=[int(first[i]), int(last[i])], expected=f"0 to {span}"
        )


def _check_all(columns: Columns, column: int, counts: Array) -> None:
    if len(counts) and counts.min() == 0:
        unit = int(np.flatnonzero(counts == 0)[0])
        raise rules.NO_KEY.failure(FORMAT, where=f"{columns.where}.units[{unit}].column[{column}]", found=0)


def check_rotation(dropped: Array, kept: Array, top: int, where: str) -> None:
    """Dropped components are 0 to 3 and kept ones fit the rotation bits; ``kept`` is int16 (3, n)."""
    if not len(dropped):
        return
    if dropped.max() > 3:
        key = int(np.flatnonzero(dropped > 3)[0])
        raise rules.DROPPED.failure(FORMAT, where=f"{where}[{key}]", found=int(dropped[key]), expected="0 to 3")
    if int(kept.max()) > top or int(kept.min()) < -top:
        key = int(np.flatnonzero(((kept > top) | (kept < -top)).any(axis=0))[0])
        raise rules.ROTATION.failure(
            FORMAT, where=f"{where}[{key}]", found=kept[:, key].tolist(), expected=f"-{top} to {top}"
        )


def _transforms(columns: Columns, units: Units, top: int) -> Transforms:
    counts = plain(columns, 8, len(units), "<u2")
    _check_all(columns, 8, counts)
    bounds = bounds_of(counts)
    time, (position,), wraps = section(columns, bounds, units.first, units.last, 16, (17,), 24, 3)
    dropped, kept = keyed(columns, 23, len(time), "u1"), wraps.view(np.int16)
    check_rotation(dropped, kept, top, f"{columns.where}.transforms")
    return Transforms(bounds, time, position, dropped, kept)


def _statuses(columns: Columns, units: Units) -> Statuses:
    counts = plain(columns, 9, len(units), "<u2")
    _check_all(columns, 9, counts)
    bounds = bounds_of(counts)
    time, _, (health, build) = section(columns, bounds, units.first, units.last, 32, (), 33, 2)
    return Statuses(bounds, time, health, build, keyed(columns, 35, len(time), "u1"))


def _tracks(columns: Columns, units: Units, column: int, section: str, ids: tuple[int, int]) -> tuple[Array, int]:
    """Bounds of the tracks of each unit, and their number, which columns ``ids`` must have."""
    tracks = bounds_of(plain(columns, column, len(units), "<u2"))
    count = entries(columns, section, ids)
    if count != tracks[-1]:
        raise rules.TRACKS.failure(FORMAT, where=f"{columns.where}.{section}", found=count, expected=int(tracks[-1]))
    return tracks, count


def _lives_of_tracks(units: Units, tracks: Array) -> tuple[Array, Array]:
    """First and last offset of the unit of each track."""
    per_unit = np.diff(tracks)
    return np.repeat(units.first, per_unit), np.repeat(units.last, per_unit)


def _targets(columns: Columns, units: Units, num_projectiles: int) -> Targets:
    tracks, num_tracks = _tracks(columns, units, 10, "targets", (40, 41))
    bounds = bounds_of(plain(columns, 41, num_tracks, "<u2"))
    time, _, _ = section(columns, bounds, *_lives_of_tracks(units, tracks), 42)
    count = len(time)
    kind = keyed(columns, 43, count, "u1")
    reference = keyed(columns, 44, count, "<u4")
    power = keyed(columns, 45, count, "u1")
    is_placed = kind >= FIRST_PLACED_KIND
    num_placed = int(np.count_nonzero(is_placed))
    position = np.empty((3, num_placed), np.int32)
    for axis in range(3):
        position[axis] = keyed(columns, 46 + axis, num_placed, "<i4")
    _check_range(position, f"{columns.where}.column[46]")
    placed = np.full(count, -1, np.int64)
    placed[is_placed] = np.arange(num_placed)
    into = REFERENCE[kind]
    for number, limit, rule in (
        (1, len(units), rules.UNIT_REFERENCE),
        (3, num_projectiles, rules.PROJECTILE_REFERENCE),
    ):
        wrong = np.flatnonzero((into == number) & (reference >= limit))
        if len(wrong):
            key = int(wrong[0])
            raise rule.failure(
                FORMAT, where=f"{columns.where}.column[44][{key}]", found=int(reference[key]), expected=f"below {limit}"
            )
    return Targets(tracks, plain(columns, 40, num_tracks, "u1"), bounds, time, kind, reference, power, placed, position)


def _check_range(values: Array, where: str) -> None:
    """Values of a 32 bit column are within what the engine's Lua can hold."""
    if values.size and (int(values.max()) > MOST or int(values.min()) < -MOST):
        wrong = values[(values > MOST) | (values < -MOST)]
        raise rules.VALUE_RANGE.failure(FORMAT, where=where, found=int(wrong[0]), expected=f"-{MOST} to {MOST}")


def _poses(columns: Columns, units: Units) -> Poses:
    tracks, num_tracks = _tracks(columns, units, 11, "poses", (56, 57))
    bounds = bounds_of(plain(columns, 57, num_tracks, "<u2"))
    time, (angle, offset), _ = section(columns, bounds, *_lives_of_tracks(units, tracks), 58, (59, 65))
    return Poses(tracks, plain(columns, 56, num_tracks, "<u2"), bounds, time, angle, offset)


def _queues(columns: Columns, units: Units) -> Queues:
    bounds = bounds_of(plain(columns, 12, len(units), "<u2"))
    time, _, _ = section(columns, bounds, units.first, units.last, 72)
    items = bounds_of(keyed(columns, 73, len(time), "u1"))
    num_items = int(items[-1])
    x, z = keyed(columns, 75, num_items, "<i4"), keyed(columns, 76, num_items, "<i4")
    facing = keyed(columns, 77, num_items, "u1")
    if num_items and facing.max() > 3:
        item = int(np.flatnonzero(facing > 3)[0])
        raise rules.FACING.failure(
            FORMAT, where=f"{columns.where}.column[77][{item}]", found=int(facing[item]), expected="0 to 3"
        )
    _check_range(x, f"{columns.where}.column[75]")
    _check_range(z, f"{columns.where}.column[76]")
    return Queues(bounds, time, items, keyed(columns, 74, num_items, "<u2"), x, z, facing)


def _projectiles(columns: Columns, span: int, num_units: int) -> Projectiles:
    n = entries(columns, "projectiles", tuple(range(80, 88)))
    first, last = plain(columns, 85, n, "<u2"), plain(columns, 86, n, "<u2")
    owner = plain(columns, 84, n, "<u2")
    check_lives(first, last, span, f"{columns.where}.projectiles")
    wrong = np.flatnonzero((owner >= num_units) & (owner != NO_OWNER))
    if len(wrong):
        i = int(wrong[0])
        raise rules.UNIT_REFERENCE.failure(
            FORMAT, where=f"{columns.where}.column[84][{i}]", found=int(owner[i]), expected=f"below {num_units}"
        )
    key_counts = plain(columns, 87, n, "<u2")
    bounds = bounds_of(key_counts)
    time, (position, velocity), _ = section(columns, bounds, first, last, 88, (89, 95))
    if n and not (key_counts.all() and (time[bounds[:-1]] == first).all() and (time[bounds[1:] - 1] == last).all()):
        i = int(np.flatnonzero(_without_end_keys(bounds, time, first, last))[0])
        raise rules.PROJECTILE_ENDS.failure(
            FORMAT,
            where=f"{columns.where}.projectiles[{i}]",
            found=time[bounds[i] : bounds[i + 1]][[0, -1] if key_counts[i] else []].tolist(),
            expected=[int(first[i]), int(last[i])],
        )
    return Projectiles(
        plain(columns, 80, n, "<u4"),
        plain(columns, 81, n, "<u2"),
        plain(columns, 82, n, "u1"),
        plain(columns, 83, n, "u1"),
        owner,
        first,
        last,
        bounds,
        time,
        position,
        velocity,
    )


def _without_end_keys(bounds: Array, time: Array, first: Array, last: Array) -> Array:
    """bool, a projectile: there is no key at its first or none at its last offset."""
    has = np.diff(bounds) > 0
    lacking = ~has
    lacking[has] |= (time[bounds[:-1][has]] != first[has]) | (time[bounds[1:][has] - 1] != last[has])
    return lacking


def _numbers(columns: Columns, span: int) -> Numbers:
    n = entries(columns, "numbers", (104, 105, 106))
    bounds = bounds_of(plain(columns, 106, n, "<u2"))
    time, _, _ = section(columns, bounds, np.zeros(n, np.uint16), np.full(n, span, np.uint16), 107)
    value = keyed(columns, 108, len(time), "<f4")
    finite = np.isfinite(value)
    if not finite.all():
        key = int(np.flatnonzero(~finite)[0])
        raise rules.NOT_FINITE.failure(
            FORMAT, where=f"{columns.where}.column[108][{key}]", found=str(value[key]), expected="a finite number"
        )
    return Numbers(plain(columns, 104, n, "u1"), plain(columns, 105, n, "<u2"), bounds, time, value)


def decode_features(columns: Columns, header: Header) -> Features:
    """The features chunk."""
    n = entries(columns, "features", tuple(range(128, 141)))
    position = np.empty((3, n), np.int32)
    kept = np.empty((3, n), np.uint16)
    for axis in range(3):
        position[axis] = plain(columns, 134 + axis, n, "<i4")
        kept[axis] = plain(columns, 138 + axis, n, "<u2")
    dropped = plain(columns, 137, n, "u1")
    _check_range(position, f"{columns.where}.column[134]")
    check_rotation(dropped, kept.view(np.int16), header.rotation_top, columns.where)
    return Features(
        plain(columns, 128, n, "<u2"),
        plain(columns, 129, n, "<u2"),
        plain(columns, 130, n, "u1"),
        plain(columns, 131, n, "u1"),
        plain(columns, 132, n, "<u4"),
        plain(columns, 133, n, "<u4"),
        position,
        dropped,
        kept.view(np.int16),
    )


def decode_terrain(columns: Columns, header: Header, k: int) -> Terrain:
    """The terrain chunk of window ``k``."""
    n = entries(columns, "terrain", tuple(range(112, 117)))
    start, end = header.window_start(k), header.window_end(k)
    offset = np.cumsum(plain(columns, 112, n, "<u2"), dtype=np.int64)
    x = np.cumsum(plain(columns, 113, n, "<u2"), dtype=np.uint16)
    z = np.cumsum(plain(columns, 114, n, "<u2"), dtype=np.uint16)
    before = np.cumsum(plain(columns, 115, n, "<i4"), dtype=np.int64)
    after = before + plain(columns, 116, n, "<i4")
    if n:
        outside = (offset > end - start) | ((offset == 0) & (k > 0))
        if outside.any():
            row = int(np.flatnonzero(outside)[0])
            raise rules.TERRAIN_PLACE.failure(
                FORMAT, where=f"{columns.where}.row[{row}]", found=int(offset[row]), expected=f"up to {end - start}"
            )
        _check_range(before, f"{columns.where}.column[115]")
        _check_range(after, f"{columns.where}.column[116]")
        order = (offset << 32) | (z.astype(np.int64) << 16) | x
        if not (order[1:] > order[:-1]).all():
            row = int(np.flatnonzero(order[1:] <= order[:-1])[0]) + 1
            raise rules.TERRAIN_ORDER.failure(FORMAT, where=f"{columns.where}.row[{row}]", found=int(offset[row]))
    return Terrain(k, offset + start, x, z, before.astype(np.int32), after.astype(np.int32))

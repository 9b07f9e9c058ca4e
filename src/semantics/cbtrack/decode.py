"""Columns of a chunk -> the arrays of ``model``, with every check that reading them needs.

Source: seed 000, "Main chunk" to "Terrain chunk"; decisions: facts/cbtrack-notes.md section 4.
"""

from __future__ import annotations

from operator import itemgetter
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.columns import running_sums
from ksreplay.formats.cbtrack import FORMAT, KERNEL, Columns, Header
from ksreplay.formats.cbtrack_columns import MOST, NO_OWNER
from ksreplay.semantics.cbtrack import coding, rules
from ksreplay.semantics.cbtrack.coding import entries
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
from ksreplay.semantics.cbtrack.sections import ESCAPED, LISTS, PLAN, SECTIONS, TIMES, WRAPPING, Lengths, Stacks

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
    compiled = None if KERNEL is None else _compiled(KERNEL, columns, end - start, header.rotation_top)
    if compiled is not None:
        return _main(columns, k, start, end, *compiled)
    lengths = {name: entries(columns, name, range(first, last + 1)) for name, (first, last) in LISTS.items()}
    main = _main(columns, k, start, end, lengths, coding.decode(columns, lengths, end - start))
    _check_main(main, columns.where, header.rotation_top)
    return main


_num_times, _num_escaped, _num_wrapping = (itemgetter(*ids) for ids in (TIMES, ESCAPED, WRAPPING))


def _compiled(kernel: ModuleType, columns: Columns, span: int, top: int) -> tuple[Lengths, Stacks] | None:
    """What the kernel makes of a main chunk; None where it finds anything wrong or odd."""
    counts = columns.num_values
    lengths = {name: max(counts[first : last + 1]) for name, (first, last) in LISTS.items()}
    num_units = lengths["units"]
    if num_units > counts[16]:
        return None  # a unit without a key, before the bounds of any number of units are made room for
    num_bounds = sum(lengths[section.entries] + (num_units + 2 if section.tracks else 1) for section in SECTIONS)
    stacks = Stacks(
        np.empty(num_bounds + counts[73] + 1, np.int64),
        np.empty(sum(_num_times(counts)), np.int32),
        np.empty(sum(_num_escaped(counts)), np.int32),
        np.empty(sum(_num_wrapping(counts)), np.uint16),
        np.empty(counts[43], np.int32),
    )
    answer = kernel.main(
        columns.octets,
        columns.words,
        columns.wides,
        columns.offsets,
        columns.counts,
        PLAN,
        REFERENCE,
        span,
        top,
        stacks.bounds,
        stacks.times,
        stacks.rows,
        stacks.wraps,
        stacks.placed,
    )
    return (lengths, stacks) if answer == kernel.GOOD else None


def _main(columns: Columns, k: int, start: int, end: int, lengths: Lengths, stacks: Stacks) -> Main:
    """The arrays of a main chunk, each known to have as many values as it must."""

    column = columns.plain
    transforms, statuses, targets, poses, queues, projectiles, numbers = stacks.keys(lengths)
    units, flights = lengths["units"], lengths["projectiles"]
    (position,), (health, build), (angle, offset) = transforms.rows, statuses.wraps, poses.rows
    flight_position, velocity = projectiles.rows
    items = stacks.bounds[-len(queues.time) - 1 :]
    target_position = np.concatenate((column(46), column(47), column(48))).reshape(3, -1)
    return Main(
        window=k,
        start=start,
        end=end,
        units=Units(*[column(number, units) for number in range(1, 8)]),
        transforms=Transforms(
            transforms.bounds, transforms.time, position, column(23), transforms.wraps.view(np.int16)
        ),
        statuses=Statuses(statuses.bounds, statuses.time, health, build, column(35)),
        targets=Targets(
            targets.tracks,
            column(40, lengths["targets"]),
            targets.bounds,
            targets.time,
            *(column(43), column(44), column(45)),
            stacks.placed,
            target_position,
        ),
        poses=Poses(poses.tracks, column(56, lengths["poses"]), poses.bounds, poses.time, angle, offset),
        queues=Queues(queues.bounds, queues.time, items, column(74), column(75), column(76), column(77)),
        projectiles=Projectiles(
            *(column(80, flights), column(81, flights), column(82, flights), column(83, flights)),
            *(column(84, flights), column(85, flights), column(86, flights)),
            projectiles.bounds,
            projectiles.time,
            flight_position,
            velocity,
        ),
        numbers=Numbers(
            column(104, lengths["numbers"]),
            column(105, lengths["numbers"]),
            numbers.bounds,
            numbers.time,
            column(108),
        ),
    )


def _check_main(main: Main, where: str, top: int) -> None:
    """What has to be right for a main chunk to be read; the kernel has looked at all of it."""
    projectiles = main.projectiles
    _check_rotation(main.transforms.dropped, main.transforms.kept, top, f"{where}.transforms")
    _check_references(main, where)
    _check_range(main.targets.position, f"{where}.column[46]")
    _check_range(main.queues.x, f"{where}.column[75]")
    _check_range(main.queues.z, f"{where}.column[76]")
    facing = main.queues.facing
    if len(facing) and facing.max() > 3:
        item = int((facing > 3).argmax())
        raise rules.FACING.failure(
            FORMAT, where=f"{where}.column[77][{item}]", found=int(facing[item]), expected="0 to 3"
        )
    bounds, time = projectiles.bounds, projectiles.time
    ends = time[bounds[:-1]], time[bounds[1:] - 1]
    wrong = (ends[0] != projectiles.first) | (ends[1] != projectiles.last)
    if wrong.any():
        i = int(wrong.argmax())
        raise rules.PROJECTILE_ENDS.failure(
            FORMAT,
            where=f"{where}.projectiles[{i}]",
            found=[int(ends[0][i]), int(ends[1][i])],
            expected=[int(projectiles.first[i]), int(projectiles.last[i])],
        )
    finite = np.isfinite(main.numbers.value)
    if not finite.all():
        key = int(finite.argmin())
        raise rules.NOT_FINITE.failure(
            FORMAT,
            where=f"{where}.column[108][{key}]",
            found=str(main.numbers.value[key]),
            expected="a finite number",
        )


def _check_references(main: Main, where: str) -> None:
    """What a target or an owner refers to is in the window."""
    into, reference = REFERENCE[main.targets.kind], main.targets.reference
    owner = main.projectiles.owner
    num_units, num_projectiles = len(main.units), len(main.projectiles)
    for column, values, wrong, limit, rule in (
        (44, reference, (into == 1) & (reference >= num_units), num_units, rules.UNIT_REFERENCE),
        (44, reference, (into == 3) & (reference >= num_projectiles), num_projectiles, rules.PROJECTILE_REFERENCE),
        (84, owner, (owner >= num_units) & (owner != NO_OWNER), num_units, rules.UNIT_REFERENCE),
    ):
        if wrong.any():
            at = int(wrong.argmax())
            raise rule.failure(
                FORMAT, where=f"{where}.column[{column}][{at}]", found=int(values[at]), expected=f"below {limit}"
            )


def _check_rotation(dropped: Array, kept: Array, top: int, where: str) -> None:
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


def _check_range(values: Array, where: str) -> None:
    """Values of a 32 bit column are within what the engine's Lua can hold."""
    if values.size and (int(values.max()) > MOST or int(values.min()) < -MOST):
        wrong = values[(values > MOST) | (values < -MOST)]
        raise rules.VALUE_RANGE.failure(FORMAT, where=where, found=int(wrong[0]), expected=f"-{MOST} to {MOST}")


def decode_features(columns: Columns, header: Header) -> Features:
    """The features chunk."""
    n = entries(columns, "features", tuple(range(128, 141)))
    position = np.empty((3, n), np.int32)
    kept = np.empty((3, n), np.uint16)
    for axis in range(3):
        position[axis] = columns.plain(134 + axis, n)
        kept[axis] = columns.plain(138 + axis, n)
    dropped = columns.plain(137, n)
    _check_range(position, f"{columns.where}.column[134]")
    _check_rotation(dropped, kept.view(np.int16), header.rotation_top, columns.where)
    return Features(
        columns.plain(128, n),
        columns.plain(129, n),
        columns.plain(130, n),
        columns.plain(131, n),
        columns.plain(132, n),
        columns.plain(133, n),
        position,
        dropped,
        kept.view(np.int16),
    )


def decode_terrain(columns: Columns, header: Header, k: int) -> Terrain:
    """The terrain chunk of window ``k``."""
    start, end = header.window_start(k), header.window_end(k)
    n = columns.num_values[112]
    if KERNEL is not None and n:
        frame, points, heights = np.empty(n, np.int64), np.empty((2, n), np.uint16), np.empty((2, n), np.int32)
        first = 1 if k else 0  # a later window's first frame is the earlier one's last
        chunk = columns.words, columns.wides, columns.offsets, columns.counts
        if KERNEL.terrain(*chunk, start, end - start, first, frame, points, heights) == KERNEL.GOOD:
            return Terrain(k, frame, *points, *heights)
    n = entries(columns, "terrain", range(112, 117))
    offset, before = (running_sums(columns.plain(column, n), np.int64) for column in (112, 115))
    x, z = (running_sums(columns.plain(column, n), np.uint32).astype(np.uint16) for column in (113, 114))
    after = before + columns.plain(116, n)
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

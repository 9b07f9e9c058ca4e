"""The arrays of ``model`` -> the stored columns of a chunk. Values that do not fit are errors, never silent wraps.

The inverse of ``coding`` and ``decode``. Source: seed 000, "How a column stores values" and "Rules for a writer".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.errors import ReplayError
from ksreplay.formats.cbtrack import FORMAT, Header
from ksreplay.formats.cbtrack_columns import ESCAPE, MOST, TYPE_OF, TYPES
from ksreplay.semantics.cbtrack import rules
from ksreplay.semantics.cbtrack.coding import starts_of
from ksreplay.semantics.cbtrack.model import Features, Info, Main, Terrain

Array = npt.NDArray[Any]
Stored = dict[int, Array]

COUNTS = (10, 11, 12)  # left out when 0 for every unit


def fitting(values: npt.ArrayLike, column: int, where: str) -> Array:
    """``values`` in the type of ``column``; raises a ReplayError naming the first that does not fit."""
    array = np.asarray(values)
    dtype = np.dtype(TYPES[TYPE_OF[column]])
    if dtype.kind == "f" or not array.size:
        return array.astype(dtype)
    limits = np.iinfo(dtype)
    low, high = max(int(limits.min), -MOST), min(int(limits.max), MOST)
    if int(array.max()) > high or int(array.min()) < low:
        wrong = np.flatnonzero((array > high) | (array < low))
        at = int(wrong[0])
        raise rules.FIT.failure(
            FORMAT, where=f"{where}[{at}]", found=int(array.ravel()[at]), expected=f"{low} to {high}"
        )
    return array.astype(dtype)


def put_plain(out: Stored, column: int, values: npt.ArrayLike, where: str) -> None:
    out[column] = fitting(values, column, where)


def put_times(out: Stored, column: int, time: Array, starts: Array, where: str) -> None:
    """Offsets in the window -> frames since the key before."""
    delta = np.diff(time, prepend=np.asarray(0, time.dtype)).astype(np.int64)
    delta[starts] = time[starts]
    is_first = np.zeros(len(time), bool)
    is_first[starts] = True
    wrong = np.flatnonzero(~is_first & (delta <= 0))
    if len(wrong):
        key = int(wrong[0])
        raise rules.SAME_FRAME.failure(FORMAT, where=f"{where}[{key}]", found=int(time[key]))
    out[column] = fitting(delta, column, where)


def put_escaped(out: Stored, column: int, values: Array, starts: Array, where: str) -> None:
    """A difference with an escape: narrow values in ``column``, wide ones 3 further on."""
    values = fitting(values, column + 3, where)
    delta = np.diff(values.astype(np.int64), prepend=0)
    is_wide = (delta <= ESCAPE) | (delta > 32_767)
    is_wide[starts] = True
    out[column] = np.where(is_wide, ESCAPE, delta).astype(np.int16)
    out[column + 3] = values[is_wide]


def put_wrapping(out: Stored, column: int, values: Array, starts: Array) -> None:
    """A wrapping difference of 16 bit values, signed or not."""
    raw = values.view(np.uint16) if values.dtype.itemsize == 2 else values.astype(np.uint16)
    delta = np.diff(raw, prepend=np.uint16(0))
    delta[starts] = raw[starts]
    out[column] = delta


def _put_rows(out: Stored, column: int, rows: Array, starts: Array, where: str) -> None:
    for axis in range(3):
        put_escaped(out, column + axis, rows[axis], starts, f"{where}.{'xyz'[axis]}")


def encode_main(main: Main) -> Stored:
    """The stored columns of a main chunk, the count columns left out when 0 for every unit."""
    try:
        return _encode_main(main)
    except ReplayError as error:
        error.where = f"window[{main.window}].main.{error.where}"
        raise


def _encode_main(main: Main) -> Stored:
    out: Stored = {}
    units = main.units
    for column, values in enumerate(
        (
            *(units.unit_id, units.serial, units.definition, units.team, units.flags, units.first, units.last),
            *(np.diff(main.transforms.bounds), np.diff(main.statuses.bounds), np.diff(main.targets.tracks)),
            *(np.diff(main.poses.tracks), np.diff(main.queues.bounds)),
        ),
        start=1,
    ):
        if column not in COUNTS or values.any():
            put_plain(out, column, values, f"units.column[{column}]")
    _encode_unit_keys(out, main)
    _encode_projectiles(out, main)
    numbers = main.numbers
    starts = starts_of(numbers.bounds)
    put_plain(out, 104, numbers.team, "numbers.team")
    put_plain(out, 105, numbers.code, "numbers.code")
    put_plain(out, 106, np.diff(numbers.bounds), "numbers.keys")
    put_times(out, 107, numbers.time, starts, "numbers.time")
    out[108] = numbers.value.astype("<f4", copy=False)
    return out


def _encode_unit_keys(out: Stored, main: Main) -> None:
    transforms, statuses, targets, poses, queues = (
        *(main.transforms, main.statuses, main.targets, main.poses, main.queues),
    )
    starts = starts_of(transforms.bounds)
    put_times(out, 16, transforms.time, starts, "transforms.time")
    _put_rows(out, 17, transforms.position, starts, "transforms.position")
    put_plain(out, 23, transforms.dropped, "transforms.dropped")
    for axis in range(3):
        put_wrapping(out, 24 + axis, transforms.kept[axis], starts)
    starts = starts_of(statuses.bounds)
    put_times(out, 32, statuses.time, starts, "statuses.time")
    put_wrapping(out, 33, statuses.health, starts)
    put_wrapping(out, 34, statuses.build, starts)
    put_plain(out, 35, statuses.flags, "statuses.flags")
    starts = starts_of(targets.bounds)
    put_plain(out, 40, targets.weapon, "targets.weapon")
    put_plain(out, 41, np.diff(targets.bounds), "targets.keys")
    put_times(out, 42, targets.time, starts, "targets.time")
    for column, values in ((43, targets.kind), (44, targets.reference), (45, targets.power)):
        put_plain(out, column, values, f"targets.column[{column}]")
    for axis in range(3):
        put_plain(out, 46 + axis, targets.position[axis], f"targets.position.{'xyz'[axis]}")
    starts = starts_of(poses.bounds)
    put_plain(out, 56, poses.piece, "poses.piece")
    put_plain(out, 57, np.diff(poses.bounds), "poses.keys")
    put_times(out, 58, poses.time, starts, "poses.time")
    _put_rows(out, 59, poses.angle, starts, "poses.angle")
    _put_rows(out, 65, poses.offset, starts, "poses.offset")
    starts = starts_of(queues.bounds)
    put_times(out, 72, queues.time, starts, "queues.time")
    put_plain(out, 73, np.diff(queues.items), "queues.items")
    put_plain(out, 74, queues.definition, "queues.definition")
    put_plain(out, 75, queues.x, "queues.x")
    put_plain(out, 76, queues.z, "queues.z")
    put_plain(out, 77, queues.facing, "queues.facing")


def _encode_projectiles(out: Stored, main: Main) -> None:
    entries = main.projectiles
    for column, values in enumerate(
        (
            *(entries.serial, entries.definition, entries.team, entries.flags, entries.owner),
            *(entries.first, entries.last, np.diff(entries.bounds)),
        ),
        start=80,
    ):
        put_plain(out, column, values, f"projectiles.column[{column}]")
    starts = starts_of(entries.bounds)
    put_times(out, 88, entries.time, starts, "projectiles.time")
    _put_rows(out, 89, entries.position, starts, "projectiles.position")
    _put_rows(out, 95, entries.velocity, starts, "projectiles.velocity")


def encode_terrain(rows: Terrain, header: Header) -> Stored:
    """The stored columns of a terrain chunk."""
    out: Stored = {}
    start, where = header.window_start(rows.window), f"window[{rows.window}].terrain"
    put_plain(out, 112, np.diff(rows.frame, prepend=start), f"{where}.frame")
    for column, values in ((113, rows.x), (114, rows.z)):
        out[column] = np.diff(values.astype(np.uint16), prepend=np.uint16(0))
    before, after = (fitting(values, 115, f"{where}.height") for values in (rows.before, rows.after))
    put_plain(out, 115, np.diff(before.astype(np.int64), prepend=0), f"{where}.before")
    put_plain(out, 116, after.astype(np.int64) - before, f"{where}.change")
    return out


def encode_features(features: Features) -> Stored:
    """The stored columns of the features chunk."""
    out: Stored = {}
    columns = (
        *(features.feature_id, features.definition, features.team, features.flags, features.first, features.last),
        *features.position,
        features.dropped,
    )
    for column, values in enumerate(columns, start=128):
        put_plain(out, column, values, f"features.column[{column}]")
    for axis in range(3):
        out[138 + axis] = features.kept[axis].astype(np.int16).view(np.uint16)
    return out


def put_strings(out: Stored, column: int, texts: Sequence[str], where: str) -> None:
    """A list of strings as its lengths and its bytes."""
    raw = [text.encode("utf-8") for text in texts]
    put_plain(out, column, np.array([len(text) for text in raw], np.int64), where)
    out[column + 1] = np.frombuffer(b"".join(raw), np.uint8)


def encode_info(info: Info) -> Stored:
    """The stored columns of the info chunk."""
    out: Stored = {}
    for column, texts, where in (
        (160, info.texts, "info.texts"),
        (162, info.unit_names, "info.unit_names"),
        (164, info.weapon_names, "info.weapon_names"),
        (166, info.feature_names, "info.feature_names"),
        (170, [name for posed in info.posed for name in info.pieces[posed]], "info.pieces"),
        (176, [team.side for team in info.teams], "info.sides"),
        (178, [team.leader for team in info.teams], "info.leaders"),
        (183, info.team_parameters, "info.team_parameters"),
        (185, info.game_parameters, "info.game_parameters"),
    ):
        put_strings(out, column, texts, where)
    put_plain(out, 168, np.array(info.posed, np.int64), "info.posed")
    put_plain(out, 169, np.array([len(info.pieces[posed]) for posed in info.posed], np.int64), "info.posed")
    for column, values in (
        (172, [team.id for team in info.teams]),
        (173, [team.ally for team in info.teams]),
        (174, [team.flags for team in info.teams]),
        (175, [part for team in info.teams for part in team.colour]),
        (180, info.map_size),
        (181, [x for x, _ in info.footprints or ()]),
        (182, [z for _, z in info.footprints or ()]),
    ):
        put_plain(out, column, np.array(values, np.int64), f"info.column[{column}]")
    return out

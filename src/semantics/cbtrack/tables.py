"""The tables of a track over the whole match: absolute frames, elmos, names beside indices. Schemas: ``schemas``.

Key tables join the windows' arrays as they are, so a curve that goes through a window's edge has its key there twice,
once for each ``window``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.columns import Lists, Strings
from ksreplay.formats.cbtrack_columns import BLOCK, NO_DEFINITION, NO_TEAM
from ksreplay.semantics.cbtrack import curves, schemas
from ksreplay.semantics.cbtrack.decode import REFERENCE
from ksreplay.semantics.cbtrack.match import Match
from ksreplay.semantics.cbtrack.names import kind_names, number_names, piece_names
from ksreplay.semantics.cbtrack.window import FULL, Window
from ksreplay.table import Schema, Table

Array = npt.NDArray[Any]
Parts = dict[str, Array]


def join(parts: Iterator[Parts], names: tuple[str, ...]) -> Parts:
    """The arrays of every window end to end; one pass over the windows."""
    pieces: dict[str, list[Array]] = {name: [] for name in names}
    for part in parts:
        for name in names:
            pieces[name].append(part[name])
    return {name: np.concatenate(arrays) if arrays else np.zeros(0, np.int64) for name, arrays in pieces.items()}


def gather(match: Match, part: Callable[[Window], Parts], windows: Iterable[Window] | None = None) -> Parts:
    """``part`` of ``windows``, by default of every readable one, joined."""
    parts = [part(window) for window in (match.readable_windows() if windows is None else windows)]
    return join(iter(parts), tuple(parts[0])) if parts else {}


def xyz(values: Array, step: float, prefix: str = "") -> Parts:
    """Rows x y z of (3, n) as columns in elmos."""
    return {f"{prefix}{axis}": values[i] * step for i, axis in enumerate("xyz")}


def rotation_columns(rotation: Array) -> Parts:
    """Rows x y z w of (4, n) as columns."""
    return {f"rotation_{axis}": rotation[i] for i, axis in enumerate("xyzw")}


def per_key(values: Array, bounds: Array) -> Array:
    """The value of each curve for each of its keys."""
    return np.repeat(values, np.diff(bounds))


def definition_names(names: tuple[str, ...], definitions: Array) -> Strings:
    return Strings.from_codes(definitions.astype(np.int64), names)


def team_column(team: Array) -> tuple[Array, Array]:
    """Team ids, and where there is one (255: none)."""
    return team.astype(np.int32), team != NO_TEAM


def _build(schema: Schema, parts: Parts) -> Table:
    """The table of these parts; empty where no window could be read."""
    return Table.build(schema, parts) if parts else Table.empty(schema)


def windows(match: Match) -> Table:
    index, header = match.index, match.header
    k = np.arange(header.num_windows, dtype=np.int64)
    start = header.first_frame + k * header.window_length
    has = (index["blk_terrain"] != 0) | (index["len_terrain"] != 0)
    return Table.build(
        schemas.WINDOWS,
        {
            "window": k,
            "start_frame": start,
            "end_frame": np.minimum(start + header.window_length, header.last_frame),
            "main_offset": index["blk_main"].astype(np.int64) * BLOCK,
            "main_bytes": index["len_main"],
            "terrain_offset": index["blk_terrain"].astype(np.int64) * BLOCK,
            "terrain_bytes": index["len_terrain"],
        },
        {"terrain_offset": has},
    )


def teams(match: Match) -> Table:
    return Table.from_rows(
        schemas.TEAMS,
        (
            {
                "team": team.id,
                "ally_team": team.ally,
                "is_ai": bool(team.flags & 1),
                **dict(zip(("red", "green", "blue"), team.colour, strict=True)),
                "side": team.side,
                "leader": team.leader,
            }
            for team in match.match_info.teams
        ),
    )


def unit_definitions(match: Match) -> Table:
    info = match.match_info
    prints = info.footprints or ((None, None),) * len(info.unit_names)
    return Table.from_rows(
        schemas.UNIT_DEFINITIONS,
        (
            {
                "definition": i,
                "name": name,
                "footprint_x": prints[i][0],
                "footprint_z": prints[i][1],
                "posed_pieces": len(info.pieces.get(i, ())),
            }
            for i, name in enumerate(info.unit_names)
        ),
    )


def _names(schema: Schema, names: tuple[str, ...]) -> Table:
    return Table.from_rows(schema, ({"definition": i, "name": name} for i, name in enumerate(names)))


def weapon_definitions(match: Match) -> Table:
    return _names(schemas.WEAPON_DEFINITIONS, match.match_info.weapon_names)


def feature_definitions(match: Match) -> Table:
    return _names(schemas.FEATURE_DEFINITIONS, match.match_info.feature_names)


def pieces(match: Match) -> Table:
    info = match.match_info
    return Table.from_rows(
        schemas.PIECES,
        (
            {
                "definition": definition,
                "definition_name": info.unit_names[definition] if definition < len(info.unit_names) else None,
                "piece": piece,
                "name": name,
            }
            for definition, names in info.pieces.items()
            for piece, name in enumerate(names)
        ),
    )


def features(match: Match, rows: Array | None = None) -> Table:
    """Every feature, or those of the indices ``rows``."""
    all_features, header = match.match_features, match.header
    rows = np.arange(len(all_features)) if rows is None else rows
    team, has_team = team_column(all_features.team[rows])
    rotation = curves.quaternions(all_features.dropped[rows], all_features.kept[:, rows], header.rotation_top)
    flags = all_features.flags[rows]
    return Table.build(
        schemas.FEATURES,
        {
            "feature": rows,
            "feature_id": all_features.feature_id[rows],
            "definition": all_features.definition[rows],
            "definition_name": definition_names(match.match_info.feature_names, all_features.definition[rows]),
            "team": team,
            "existed_before": (flags & 1).astype(bool),
            "exists_after": (flags & 2).astype(bool),
            "first_frame": all_features.first[rows],
            "last_frame": all_features.last[rows],
            **xyz(all_features.position[:, rows], header.position_step),
            **rotation_columns(rotation),
        },
        {"team": has_team},
    )


def _entries(window: Window) -> Parts:
    units = window.main.units
    return {
        "window": np.full(len(units), window.index),
        "serial": units.serial,
        "unit_id": units.unit_id,
        "definition": units.definition,
        "team": units.team,
        "existed_before": (units.flags & 1).astype(bool),
        "exists_after": (units.flags & 2).astype(bool),
        "first_frame": units.first + np.int64(window.start),
        "last_frame": units.last + np.int64(window.start),
        "transform_keys": np.diff(window.main.transforms.bounds),
        "status_keys": np.diff(window.main.statuses.bounds),
        "target_tracks": np.diff(window.main.targets.tracks),
        "pose_tracks": np.diff(window.main.poses.tracks),
        "queue_keys": np.diff(window.main.queues.bounds),
    }


def unit_entries(match: Match) -> Table:
    parts = gather(match, _entries)
    if not parts:
        return Table.empty(schemas.UNIT_ENTRIES)
    return Table.build(
        schemas.UNIT_ENTRIES,
        {**parts, "definition_name": definition_names(match.match_info.unit_names, parts["definition"])},
    )


def lives(serial: Array, window: Array, first: Array, last: Array) -> tuple[Array, Array, Array, Lists]:
    """Entries of all windows -> one row a serial number: index of its first entry, first and last frame, windows."""
    order = np.lexsort((window, serial))
    ordered = serial[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    offsets = np.append(starts, len(order))
    return (
        order[starts],
        np.minimum.reduceat(first[order], starts),
        np.maximum.reduceat(last[order], starts),
        Lists(offsets, window[order].astype(np.int32)),
    )


def units(match: Match) -> Table:
    parts = gather(match, _entries)
    if not parts or not len(parts["serial"]):
        return Table.empty(schemas.UNITS)
    rows, first, last, in_windows = lives(parts["serial"], parts["window"], parts["first_frame"], parts["last_frame"])
    return Table.build(
        schemas.UNITS,
        {
            **{name: parts[name][rows] for name in ("serial", "unit_id", "definition", "team")},
            "definition_name": definition_names(match.match_info.unit_names, parts["definition"][rows]),
            "first_frame": first,
            "last_frame": last,
            "windows": in_windows,
        },
    )


def _transforms(window: Window) -> Parts:
    keys = window.main.transforms
    return {
        "window": np.full(len(keys.time), window.index),
        "serial": per_key(window.main.units.serial, keys.bounds),
        "frame": keys.time + np.int64(window.start),
        **xyz(keys.position, window.header.position_step),
        **rotation_columns(window.rotations),
    }


def transform_keys(match: Match, windows: Iterable[Window] | None = None) -> Table:
    parts = gather(match, _transforms, windows)
    return _build(schemas.TRANSFORM_KEYS, parts)


def _statuses(window: Window) -> Parts:
    keys = window.main.statuses
    return {
        "window": np.full(len(keys.time), window.index),
        "serial": per_key(window.main.units.serial, keys.bounds),
        "frame": keys.time + np.int64(window.start),
        "health": keys.health / FULL,
        "build_progress": keys.build / FULL,
        "on": (keys.flags & 1).astype(bool),
    }


def status_keys(match: Match, windows: Iterable[Window] | None = None) -> Table:
    parts = gather(match, _statuses, windows)
    return _build(schemas.STATUS_KEYS, parts)


def reference_columns(window: Window, keys: Array) -> tuple[Parts, Parts]:
    """What target keys refer to: ``target_serial`` and ``target_feature``, and where each has a value."""
    targets = window.main.targets
    into, reference = REFERENCE[targets.kind[keys]], targets.reference[keys].astype(np.int64)
    serial = np.zeros(len(keys), np.int64)
    for number, serials in ((1, window.main.units.serial), (3, window.main.projectiles.serial)):
        serial[into == number] = serials[reference[into == number]]
    return (
        {"target_serial": serial, "target_feature": np.where(into == 2, reference, 0)},
        {"target_serial": (into == 1) | (into == 3), "target_feature": into == 2},
    )


def placed_columns(window: Window, keys: Array) -> tuple[Parts, Array]:
    """Positions of target keys in elmos, and where there is one (kinds 128 and 129, not unknown ones)."""
    targets = window.main.targets
    at = targets.placed[keys]
    has = (at >= 0) & (targets.kind[keys] <= 129)
    position = np.zeros((3, len(keys)))
    position[:, has] = targets.position[:, at[has]] * window.header.position_step
    return xyz(position, 1.0), has


def _targets(window: Window) -> Parts:
    targets = window.main.targets
    every = np.arange(len(targets.time))
    serial = per_key(window.main.units.serial, targets.tracks)
    values, known = reference_columns(window, every)
    position, has = placed_columns(window, every)
    return {
        "window": np.full(len(every), window.index),
        "serial": per_key(serial, targets.bounds),
        "weapon": per_key(targets.weapon, targets.bounds),
        "frame": targets.time + np.int64(window.start),
        "kind": targets.kind,
        **values,
        "build_power": targets.power,
        **position,
        "has_serial": known["target_serial"],
        "has_feature": known["target_feature"],
        "has_position": has,
    }


def target_keys(match: Match, windows: Iterable[Window] | None = None) -> Table:
    parts = gather(match, _targets, windows)
    if not parts:
        return Table.empty(schemas.TARGET_KEYS)
    has_serial, has_feature, has = (parts.pop(name) for name in ("has_serial", "has_feature", "has_position"))
    return Table.build(
        schemas.TARGET_KEYS,
        {**parts, "kind_name": kind_names(parts["kind"])},
        {"target_serial": has_serial, "target_feature": has_feature, "x": has, "y": has, "z": has},
    )


def _poses(window: Window) -> Parts:
    keys, unit = window.main.poses, window.main.units
    return {
        "window": np.full(len(keys.time), window.index),
        "serial": per_key(per_key(unit.serial, keys.tracks), keys.bounds),
        "definition": per_key(per_key(unit.definition, keys.tracks), keys.bounds),
        "piece": per_key(keys.piece, keys.bounds),
        "frame": keys.time + np.int64(window.start),
        **xyz(keys.angle, 1.0, "angle_"),
        **xyz(keys.offset, window.header.position_step, "offset_"),
    }


def pose_keys(match: Match, windows: Iterable[Window] | None = None) -> Table:
    parts = gather(match, _poses, windows)
    if not parts:
        return Table.empty(schemas.POSE_KEYS)
    definition = parts.pop("definition")
    return Table.build(
        schemas.POSE_KEYS, {**parts, "piece_name": piece_names(match.match_info, definition, parts["piece"])}
    )


def _queues(window: Window) -> Parts:
    keys, step = window.main.queues, window.header.position_step
    counts = np.diff(keys.items)
    rows = np.maximum(counts, 1)  # an empty queue has a row of its own
    key = np.repeat(np.arange(len(counts)), rows)
    item = np.arange(len(key)) - np.repeat(np.cumsum(rows) - rows, rows)
    has = item < counts[key]
    at = np.where(has, keys.items[:-1][key] + item, -1)[has]

    def spread(values: Array) -> Array:
        result = np.zeros(len(key), values.dtype)
        result[has] = values[at]
        return result

    return {
        "window": np.full(len(key), window.index),
        "serial": per_key(window.main.units.serial, keys.bounds)[key],
        "frame": keys.time[key] + np.int64(window.start),
        "item": item,
        "definition": spread(keys.definition),
        "x": spread(keys.x) * step,
        "z": spread(keys.z) * step,
        "facing": spread(keys.facing),
        "has": has,
    }


def build_queue(match: Match, windows: Iterable[Window] | None = None) -> Table:
    parts = gather(match, _queues, windows)
    if not parts:
        return Table.empty(schemas.BUILD_QUEUE)
    has = parts.pop("has")
    names = definition_names(match.match_info.unit_names, np.where(has, parts["definition"].astype(np.int64), -1))
    return Table.build(
        schemas.BUILD_QUEUE,
        {**parts, "definition_name": names},
        dict.fromkeys(("item", "definition", "x", "z", "facing"), has),
    )


def _projectile_entries(window: Window) -> Parts:
    entries = window.main.projectiles
    return {
        "window": np.full(len(entries), window.index),
        "serial": entries.serial,
        "definition": entries.definition,
        "team": entries.team,
        "owner": window.owner_serial,
        "first_frame": entries.first + np.int64(window.start),
        "last_frame": entries.last + np.int64(window.start),
    }


def projectiles(match: Match) -> Table:
    parts = gather(match, _projectile_entries)
    if not parts or not len(parts["serial"]):
        return Table.empty(schemas.PROJECTILES)
    rows, first, last, in_windows = lives(parts["serial"], parts["window"], parts["first_frame"], parts["last_frame"])
    # the unit that fired it may have left the window, so any window that still has it says who it was
    order = np.lexsort((parts["window"], parts["serial"]))
    owner = np.maximum.reduceat(parts["owner"][order], in_windows.offsets[:-1])
    team, has_team = team_column(parts["team"][rows])
    definition = parts["definition"][rows]
    return Table.build(
        schemas.PROJECTILES,
        {
            "serial": parts["serial"][rows],
            "definition": definition,
            "definition_name": weapon_names(match, definition),
            "team": team,
            "owner": owner,
            "first_frame": first,
            "last_frame": last,
            "windows": in_windows,
        },
        {"definition": definition != NO_DEFINITION, "team": has_team, "owner": owner >= 0},
    )


def weapon_names(match: Match, definition: Array) -> Strings:
    """Names of weapon definitions; null for debris."""
    return definition_names(
        match.match_info.weapon_names, np.where(definition == NO_DEFINITION, -1, definition.astype(np.int64))
    )


def _projectile_keys(window: Window) -> Parts:
    keys, header = window.main.projectiles, window.header
    return {
        "window": np.full(len(keys.time), window.index),
        "serial": per_key(keys.serial, keys.bounds),
        "frame": keys.time + np.int64(window.start),
        **xyz(keys.position, header.position_step),
        **xyz(keys.velocity, header.velocity_step, "velocity_"),
    }


def projectile_keys(match: Match) -> Table:
    parts = gather(match, _projectile_keys)
    return _build(schemas.PROJECTILE_KEYS, parts)


def _numbers(window: Window) -> Parts:
    keys = window.main.numbers
    return {
        "window": np.full(len(keys.time), window.index),
        "team": per_key(keys.team, keys.bounds),
        "code": per_key(keys.code, keys.bounds),
        "frame": keys.time + np.int64(window.start),
        "value": keys.value,
    }


def team_values(match: Match) -> Table:
    parts = gather(match, _numbers)
    if not parts:
        return Table.empty(schemas.TEAM_VALUES)
    team, has_team = team_column(parts["team"])
    names = number_names(match.match_info, parts["team"], parts["code"])
    return Table.build(schemas.TEAM_VALUES, {**parts, "team": team, "name": names}, {"team": has_team})


def terrain(match: Match) -> Table:
    step = match.header.position_step
    parts = [
        {
            "window": np.full(len(rows), rows.window),
            "frame": rows.frame,
            "x": rows.x,
            "z": rows.z,
            "before": rows.before * step,
            "after": rows.after * step,
        }
        for rows in match.readable_terrain()
    ]
    if not parts:
        return Table.empty(schemas.TERRAIN)
    return Table.build(schemas.TERRAIN, join(iter(parts), tuple(parts[0])))


def num_distinct(parts: list[Array]) -> int:
    """How many different values the arrays hold together."""
    values = np.sort(np.concatenate(parts))  # a few times as fast as np.unique
    return len(values) and 1 + int(np.count_nonzero(values[1:] != values[:-1]))


def count_rows(match: Match) -> dict[str, int]:
    """The rows of every table that needs all windows, in one pass over them."""
    counts = dict.fromkeys(
        (
            *("units", "unit_entries", "transform_keys", "status_keys", "target_keys", "pose_keys", "build_queue"),
            *("projectiles", "projectile_keys", "team_values", "terrain"),
        ),
        0,
    )
    # an array of a window is a view of its whole chunk, so what outlives the window is a copy
    serials, projectile_serials = ([np.zeros(0, np.uint32)] for _ in range(2))
    for window in match.readable_windows():
        main = window.main
        serials.append(main.units.serial.copy())
        projectile_serials.append(main.projectiles.serial.copy())
        counts["unit_entries"] += len(main.units)
        counts["transform_keys"] += len(main.transforms.time)
        counts["status_keys"] += len(main.statuses.time)
        counts["target_keys"] += len(main.targets.time)
        counts["pose_keys"] += len(main.poses.time)
        items = main.queues.items
        num_empty = np.count_nonzero(items[1:] == items[:-1])  # an empty queue is a row too
        counts["build_queue"] += int(items[-1]) + int(num_empty)
        counts["projectile_keys"] += len(main.projectiles.time)
        counts["team_values"] += len(main.numbers.time)
        del window, main, items  # before the next is decoded, as `readable_windows` does
    counts["terrain"] = sum(len(rows) for rows in match.readable_terrain())
    counts["units"], counts["projectiles"] = num_distinct(serials), num_distinct(projectile_serials)
    return counts

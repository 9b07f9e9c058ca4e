"""Makes a track from whole-match curves by all rules of the page for a writer.

Values are elmos, elmos per frame, 65,536ths of a turn and fractions of 0 to 1; frames are frames of the match. What
does not fit is a ReplayError that names it. Source: seed 000, "Rules for a writer".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.atomic import replacing
from ksreplay.formats.cbtrack import FORMAT, Header, window_count
from ksreplay.formats.cbtrack_build import build_chunk, build_file
from ksreplay.formats.cbtrack_columns import FIRST_PARAMETER, FIRST_PLACED_KIND, NO_DEFINITION, NO_TEAM
from ksreplay.semantics.cbtrack import cut, rules, steps
from ksreplay.semantics.cbtrack.encode import encode_features, encode_info, encode_main, encode_terrain
from ksreplay.semantics.cbtrack.model import Features, Info, Team
from ksreplay.semantics.cbtrack.names import CODES, KINDS
from ksreplay.semantics.cbtrack.window import RESOURCE_CODES
from ksreplay.semantics.cbtrack.windowing import FEATURE, PROJECTILE, UNIT, main_of, things_of
from ksreplay.semantics.cbtrack.writer_terrain import TerrainRecord

Array = npt.NDArray[Any]

KIND_NUMBERS = {name: number for number, name in KINDS.items()}
CODE_NUMBERS = {name: number for number, name in CODES.items()}


@dataclass(slots=True)
class UnitCurves:
    """A unit as it was given: identity, life, curves."""

    unit_id: int
    definition: int
    team: int
    first: int
    last: int
    transform: cut.Curve
    status: cut.Curve
    targets: dict[int, list[tuple[int, tuple[Any, ...]]]] = field(default_factory=dict)
    poses: dict[int, cut.Curve] = field(default_factory=dict)
    queue: cut.Hold | None = None


@dataclass(slots=True)
class ProjectileCurves:
    """A projectile as it was given; ``owner`` is the handle of a unit or None."""

    definition: int
    team: int
    owner: int | None
    first: int
    last: int
    curve: cut.Curve


class TrackWriter:
    """Collects a match and builds the bytes of its track.

    Each ``add`` method returns a handle, which targets and owners refer to; serial numbers are given by order of first
    appearance when the track is built. Steps that are not given are chosen by the page's rules from ``tolerance``,
    ``window_length`` and ``largest_radius``.
    """

    def __init__(
        self,
        first_frame: int,
        last_frame: int,
        *,
        window_length: int = 900,
        frames_per_second: int = 30,
        tolerance: float = 0.5,
        largest_radius: float | None = None,
        position_shift: int | None = None,
        velocity_shift: int | None = None,
        rotation_bits: int | None = None,
        sample_gap: int = 1,
        recorder_version: int = 4,
        game_id: bytes = bytes(16),
        resource_tolerance: float = 0.5,
        resource_fraction: float = 1 / 1024,
        level: int = 6,
    ) -> None:
        if not 0 <= first_frame <= last_frame <= 16_777_215 or not 1 <= window_length <= 65_535:
            raise rules.FIT.failure(FORMAT, where="header", found=[first_frame, last_frame, window_length])
        if rotation_bits is None:
            rotation_bits = 16 if largest_radius is None else steps.rotation_bits(tolerance, largest_radius)
        self.header = Header(
            magic=b"CBTK",
            format_version=1,
            len_header=96,
            recorder_version=recorder_version,
            frames_per_second=frames_per_second,
            first_frame=first_frame,
            last_frame=last_frame,
            window_length=window_length,
            num_windows=window_count(first_frame, last_frame, window_length),
            tolerance=tolerance,
            position_shift=steps.position_shift(tolerance) if position_shift is None else position_shift,
            velocity_shift=(
                steps.velocity_shift(tolerance, window_length) if velocity_shift is None else velocity_shift
            ),
            rotation_bits=rotation_bits,
            sample_gap=sample_gap,
            blk_info=0,
            len_info=0,
            blk_features=0,
            len_features=0,
            num_units=0,
            num_projectiles=0,
            num_features=0,
            game_id=game_id,
            resource_tolerance=resource_tolerance,
            resource_fraction=resource_fraction,
            reserved=bytes(8),
        )
        self.level = level
        self.texts = ("", "", "", "ksreplay")
        self.map_size = (0, 0)
        self.unit_names: list[str] = []
        self.weapon_names: list[str] = []
        self.feature_names: list[str] = []
        self.footprints: list[tuple[int, int]] = []
        self.pieces: dict[int, tuple[str, ...]] = {}
        self.teams: list[Team] = []
        self.team_parameters: list[str] = []
        self.game_parameters: list[str] = []
        self.units: list[UnitCurves] = []
        self.projectiles: list[ProjectileCurves] = []
        self.features: list[tuple[int, ...]] = []
        self.numbers: dict[tuple[int, int], cut.Curve] = {}
        self.terrain = TerrainRecord(self.header)

    # Names.

    def set_info(self, engine: str, game: str, map: str, writer: str, map_size: tuple[int, int]) -> None:
        """The texts of the info chunk, and the map's size in elmos."""
        self.texts, self.map_size = (engine, game, map, writer), map_size

    def add_unit_definition(self, name: str, footprint: tuple[int, int] = (0, 0), pieces: Sequence[str] = ()) -> int:
        """A unit definition with its footprint in elmos and the names of its posed pieces; returns its index."""
        self.unit_names.append(name)
        self.footprints.append(footprint)
        if pieces:
            self.pieces[len(self.unit_names) - 1] = tuple(pieces)
        return len(self.unit_names) - 1

    def add_weapon_definition(self, name: str) -> int:
        self.weapon_names.append(name)
        return len(self.weapon_names) - 1

    def add_feature_definition(self, name: str) -> int:
        self.feature_names.append(name)
        return len(self.feature_names) - 1

    def add_team(
        self,
        team: int,
        ally: int = 0,
        *,
        side: str = "",
        leader: str = "",
        colour: tuple[int, int, int] = (0, 0, 0),
        is_ai: bool = False,
    ) -> None:
        self.teams.append(Team(team, ally, int(is_ai), colour, side, leader))

    # Units.

    def add_unit(
        self,
        unit_id: int,
        definition: int,
        team: int,
        first: int,
        last: int,
        *,
        frames: npt.ArrayLike,
        position: npt.ArrayLike,
        rotation: npt.ArrayLike | None = None,
        front: npt.ArrayLike | None = None,
        up: npt.ArrayLike | None = None,
        status_frames: npt.ArrayLike = (),
        health: npt.ArrayLike = (),
        build_progress: npt.ArrayLike = (),
        on: npt.ArrayLike = (),
    ) -> int:
        """A unit that exists from frame ``first`` to ``last``, both in.

        ``frames`` (n) with ``position`` (n, 3) and ``rotation`` (n, 4: x y z w), or ``front`` and ``up`` (n, 3): its
        transform keys. ``status_frames`` (m) with ``health``, ``build_progress`` (0 to 1) and ``on``: its status keys;
        without any it is whole, built and on.
        """
        where = f"unit[{len(self.units)}]"
        self._check_life(first, last, where)
        time = self._times(frames, first, last, f"{where}.frames")
        if rotation is not None:
            quaternion = np.atleast_2d(np.asarray(rotation, np.float64)).T
            quaternion = quaternion / np.sqrt((quaternion * quaternion).sum(axis=0))
        elif front is not None and up is not None:
            quaternion = steps.rotation_of(front, up)
        else:
            quaternion = np.tile(np.array([[0.0], [0.0], [0.0], [1.0]]), (1, len(time)))
        if not np.isfinite(quaternion).all():
            raise rules.FIT.failure(FORMAT, where=f"{where}.rotation", found="not a rotation")
        places = steps.in_steps(position, self.header.position_shift, f"{where}.position").reshape(-1, 3)
        dropped, kept = steps.pack_rotation(quaternion, self.header.rotation_bits)
        rows = self._rows(time, (places, dropped[:, None], kept.T), where)
        transform = cut.Transform(*cut.without_middles(time, rows), self.header.rotation_bits)
        status_time = self._times(status_frames, first, last, f"{where}.status_frames")
        if len(status_time):
            columns = (steps.fraction(health), steps.fraction(build_progress), np.asarray(on).astype(np.int64) & 1)
            state = self._rows(status_time, tuple(column.reshape(-1, 1) for column in columns), f"{where}.status")
        else:
            status_time, state = np.array([first]), np.array([[65_535, 65_535, 1]])
        status = cut.Status(*cut.without_middles(status_time, state))
        self.units.append(UnitCurves(unit_id, definition, team, first, last, transform, status))
        return len(self.units) - 1

    def add_targets(
        self,
        unit: int,
        weapon: int,
        keys: Iterable[tuple[int, str | int, int | tuple[float, float, float] | None]],
        power: Iterable[int] = (),
    ) -> None:
        """What a weapon of ``unit`` aims at (weapon 0: its builder work, with build power 0 to 255 a key).

        A key is a frame, a kind (word or number) and the handle of the unit, projectile or feature, a position in
        elmos, or None. Where the thing stops existing a key of kind 0 is added.
        """
        curves = self.units[unit]
        where = f"unit[{unit}].target[{weapon}]"
        powers = list(power)
        rows: list[tuple[int, tuple[Any, ...]]] = []
        for i, (frame, kind, what) in enumerate(keys):
            number = KIND_NUMBERS[kind] if isinstance(kind, str) else int(kind)
            place: tuple[int, ...] = ()
            reference = 0
            if number >= FIRST_PLACED_KIND:
                if not isinstance(what, tuple):
                    raise rules.GIVEN_REFERENCE.failure(FORMAT, where=f"{where}[{i}]", found=what, expected="a place")
                place = tuple(steps.in_steps(what, self.header.position_shift, f"{where}[{i}].position").tolist())
            elif isinstance(what, int):
                reference = what
            rows.append((int(frame), (number, reference, powers[i] if powers and weapon == 0 else 0, place)))
        self._times([frame for frame, _ in rows], curves.first, curves.last, where)
        if weapon in curves.targets:
            raise rules.WEAPON_TWICE.failure(FORMAT, where=where, found=weapon)
        curves.targets[weapon] = rows

    def add_pose(
        self, unit: int, piece: int, frames: npt.ArrayLike, angle: npt.ArrayLike, offset: npt.ArrayLike
    ) -> None:
        """A piece of ``unit``: ``angle`` (n, 3) in 65,536ths of a turn, not reduced, ``offset`` (n, 3) in elmos."""
        curves = self.units[unit]
        where = f"unit[{unit}].pose[{piece}]"
        time = self._times(frames, curves.first, curves.last, where)
        turns = steps.in_steps(angle, 0, f"{where}.angle", 1 << 40).reshape(-1, 3)
        shifts = steps.in_steps(offset, self.header.position_shift, f"{where}.offset").reshape(-1, 3)
        if piece in curves.poses:
            raise rules.PIECE_TWICE.failure(FORMAT, where=where, found=piece)
        if len(time):
            rows = self._rows(time, (turns, shifts), where)
            curves.poses[piece] = cut.Curve(*cut.without_middles(time, rows))

    def add_queue(self, unit: int, keys: Iterable[tuple[int, Sequence[tuple[int, float, float, int]]]]) -> None:
        """The build queue of ``unit``: frames with items of definition, x and z in elmos, and facing 0 to 3."""
        curves = self.units[unit]
        where = f"unit[{unit}].queue"
        time: list[int] = []
        values: list[tuple[tuple[int, ...], ...]] = []
        for i, (frame, items) in enumerate(keys):
            row = []
            for definition, x, z, facing in items:
                if not 0 <= facing <= 3:
                    raise rules.FACING.failure(FORMAT, where=f"{where}[{i}]", found=facing, expected="0 to 3")
                place = steps.in_steps([x, z], self.header.position_shift, f"{where}[{i}]").tolist()
                row.append((definition, *place, facing))
            time.append(int(frame))
            values.append(tuple(row))
        self._times(time, curves.first, curves.last, where)
        if time and time[0] > curves.first:  # before its first key a curve has that key's value
            time, values = [curves.first, *time], [(), *values]
        curves.queue = cut.Hold(time, values) if time else None

    # Everything else.

    def add_projectile(
        self,
        definition: int | None,
        team: int | None,
        owner: int | None,
        *,
        frames: npt.ArrayLike,
        position: npt.ArrayLike,
        velocity: npt.ArrayLike,
    ) -> int:
        """A projectile that exists from its first key to its last; None: debris, of no team, fired by nobody."""
        where = f"projectile[{len(self.projectiles)}]"
        given = np.atleast_1d(np.asarray(frames, np.int64))
        if not len(given):
            raise rules.NO_KEY.failure(FORMAT, where=where, found=0)
        first, last = int(given[0]), int(given[-1])
        self._check_life(first, last, where)
        time = self._times(given, first, last, where)
        header = self.header
        places = steps.in_steps(position, header.position_shift, f"{where}.position").reshape(-1, 3)
        speeds = steps.in_steps(velocity, header.velocity_shift, f"{where}.velocity").reshape(-1, 3)
        curve = cut.Flight(time, self._rows(time, (places, speeds), where), header.position_step, header.velocity_step)
        self.projectiles.append(
            ProjectileCurves(
                NO_DEFINITION if definition is None else definition,
                NO_TEAM if team is None else team,
                owner,
                first,
                last,
                curve,
            )
        )
        return len(self.projectiles) - 1

    def add_feature(
        self,
        feature_id: int,
        definition: int,
        team: int | None,
        first: int,
        last: int,
        position: tuple[float, float, float],
        rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0),
        *,
        existed_before: bool = False,
        exists_after: bool = False,
    ) -> int:
        """A feature, which does not move; returns its index, which targets refer to."""
        where = f"feature[{len(self.features)}]"
        self._check_life(first, last, where)
        place = steps.in_steps(position, self.header.position_shift, f"{where}.position").tolist()
        quaternion = np.array(rotation, np.float64)[:, None]
        dropped, kept = steps.pack_rotation(quaternion / np.linalg.norm(quaternion), self.header.rotation_bits)
        flags = int(existed_before) | int(exists_after) << 1
        team = NO_TEAM if team is None else team
        row = (feature_id, definition, team, flags, first, last, *place, int(dropped[0]), *kept[:, 0].tolist())
        self.features.append(row)
        return len(self.features) - 1

    def add_number(self, team: int | None, code: int | str, frames: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """A number of a team (None: of the game): a code, the name of one, or the name of a rules parameter, which is
        added to the info chunk. Values between two frames are on a straight line."""
        number = self.number_code(team, code)
        key = (NO_TEAM if team is None else team, number)
        where = f"number[team {team}, {code}]"
        time = self._times(frames, self.header.first_frame, self.header.last_frame, where)
        with np.errstate(over="ignore"):
            value = np.atleast_1d(np.asarray(values, np.float64)).astype(np.float32) + np.float32(0)
        if len(time) != len(value):
            raise rules.VALUES.failure(FORMAT, where=where, found=len(value), expected=len(time))
        if not np.isfinite(value).all():
            raise rules.NOT_FINITE.failure(FORMAT, where=where, found=str(value[~np.isfinite(value)][0]))
        if key in self.numbers:
            raise rules.NUMBER_ORDER.failure(FORMAT, where=where, found=list(key))
        if len(time):
            thinned = cut.without_middles(time, value[:, None])
            self.numbers[key] = cut.Number(*thinned, is_parameter=number >= FIRST_PARAMETER)

    def number_code(self, team: int | None, code: int | str) -> int:
        """The code of a number; a name that is none of a resource is a rules parameter, listed when it is new."""
        names = self.game_parameters if team is None else self.team_parameters
        if isinstance(code, str):
            if team is not None and code in CODE_NUMBERS:
                return CODE_NUMBERS[code]
            if code not in names:
                names.append(code)
            return FIRST_PARAMETER + names.index(code)
        is_resource = team is not None and code in RESOURCE_CODES
        if not is_resource and not 0 <= code - FIRST_PARAMETER < len(names):
            raise rules.PARAMETER.failure(FORMAT, where=f"number[team {team}, {code}]", found=code)
        return code

    def add_terrain(
        self,
        frames: npt.ArrayLike,
        x: npt.ArrayLike,
        z: npt.ArrayLike,
        height: npt.ArrayLike,
        map_height: npt.ArrayLike,
    ) -> None:
        """Heights (elmos) of heightmap corners from a frame on; ``map_height`` is the map's own height of each corner,
        of which only a point's first is used. The last height of a point in a frame wins."""
        self.terrain.add(frames, x, z, height, map_height)

    # Checks of what is given.

    def _check_life(self, first: int, last: int, where: str) -> None:
        if not self.header.first_frame <= first <= last <= self.header.last_frame:
            raise rules.LIFE.failure(
                FORMAT, where=where, found=[first, last], expected=[self.header.first_frame, self.header.last_frame]
            )

    def _times(self, frames: npt.ArrayLike, first: int, last: int, where: str) -> Array:
        time = np.atleast_1d(np.asarray(frames)).astype(np.int64)
        wrong = np.flatnonzero(time[1:] <= time[:-1])
        if len(wrong):
            raise rules.SAME_FRAME.failure(FORMAT, where=f"{where}[{int(wrong[0]) + 1}]", found=int(time[wrong[0] + 1]))
        if len(time) and (time[0] < first or time[-1] > last):
            raise rules.KEY_PLACE.failure(
                FORMAT, where=where, found=[int(time[0]), int(time[-1])], expected=[first, last]
            )
        return time

    def _rows(self, time: Array, columns: tuple[Array, ...], where: str) -> Array:
        if not len(time):
            raise rules.NO_KEY.failure(FORMAT, where=where, found=0)
        for column in columns:
            if len(column) != len(time):
                raise rules.VALUES.failure(FORMAT, where=where, found=len(column), expected=len(time))
        return np.concatenate(columns, axis=1).astype(np.int64)

    # Building.

    def _features(self) -> Features:
        rows = np.array(self.features, np.int64).reshape(len(self.features), 13).T
        feature_id, definition, team, flags, first, last = rows[:6]
        return Features(feature_id, definition, team, flags, first, last, rows[6:9], rows[9], rows[10:13])

    def _info(self) -> Info:
        return Info(
            texts=self.texts,
            unit_names=tuple(self.unit_names),
            weapon_names=tuple(self.weapon_names),
            feature_names=tuple(self.feature_names),
            pieces=self.pieces,
            posed=tuple(self.pieces),
            teams=tuple(self.teams),
            map_size=self.map_size,
            footprints=tuple(self.footprints),
            team_parameters=tuple(self.team_parameters),
            game_parameters=tuple(self.game_parameters),
        )

    def build(self) -> bytes:
        """The bytes of the track. Raises ReplayError naming the first value or reference that it cannot say."""
        things = things_of(self.units, self.projectiles, self.features, self.header)
        windows: list[tuple[bytes | None, bytes | None]] = []
        for k in range(self.header.num_windows):
            main = build_chunk(encode_main(main_of(k, things, self.numbers, self.header)), where=f"window[{k}].main")
            rows = self.terrain.window(k)
            terrain = None if rows is None else build_chunk(encode_terrain(rows, self.header))
            windows.append((main, terrain))
        values = {name: getattr(self.header, name) for name in Header.__dataclass_fields__}
        for name in ("magic", "format_version", "len_header", "num_windows"):
            del values[name]
        values |= {
            "num_units": len(self.units),
            "num_projectiles": len(self.projectiles),
            "num_features": len(self.features),
        }
        info, features = build_chunk(encode_info(self._info())), build_chunk(encode_features(self._features()))
        return build_file(values, info, features, windows, level=self.level)

    def write(self, path: str | Path, *, force: bool = False) -> None:
        """Builds the track into ``path``: temp file and rename."""
        data = self.build()
        with replacing(Path(path), force=force) as file:
            file.write(data)


__all__ = ["FEATURE", "PROJECTILE", "UNIT", "TrackWriter"]

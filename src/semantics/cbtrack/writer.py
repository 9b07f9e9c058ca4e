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
from ksreplay.formats.cbtrack_columns import FIRST_PARAMETER, FIRST_PLACED_KIND, MOST, NO_DEFINITION, NO_TEAM
from ksreplay.rules import Rule
from ksreplay.semantics.cbtrack import cut, given, rules, steps
from ksreplay.semantics.cbtrack.decode import REFERENCE
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
        first_frame = given.number(first_frame, 0, MOST, "header.first_frame")
        last_frame = given.number(last_frame, first_frame, MOST, "header.last_frame")
        window_length = given.number(window_length, 1, 65_535, "header.window_length")
        if rotation_bits is None:
            rotation_bits = 16 if largest_radius is None else steps.rotation_bits(tolerance, largest_radius)
        if position_shift is None:
            position_shift = steps.position_shift(tolerance)
        if velocity_shift is None:
            velocity_shift = steps.velocity_shift(tolerance, window_length)
        if len(game_id) != 16:
            raise given.misfit("header.game_id", game_id, "16 bytes")
        self.header = Header(
            magic=b"CBTK",
            format_version=1,
            len_header=96,
            recorder_version=given.number(recorder_version, 0, 65_535, "header.recorder_version"),
            frames_per_second=given.number(frames_per_second, 0, 65_535, "header.frames_per_second"),
            first_frame=first_frame,
            last_frame=last_frame,
            window_length=window_length,
            num_windows=window_count(first_frame, last_frame, window_length),
            tolerance=given.distance(tolerance, "header.tolerance"),
            position_shift=given.number(position_shift, 0, 255, "header.position_shift"),
            velocity_shift=given.number(velocity_shift, 0, 255, "header.velocity_shift"),
            rotation_bits=given.number(rotation_bits, 8, 16, "header.rotation_bits"),
            sample_gap=given.number(sample_gap, 0, 255, "header.sample_gap"),
            blk_info=0,
            len_info=0,
            blk_features=0,
            len_features=0,
            num_units=0,
            num_projectiles=0,
            num_features=0,
            game_id=game_id,
            resource_tolerance=given.distance(resource_tolerance, "header.resource_tolerance"),
            resource_fraction=given.distance(resource_fraction, "header.resource_fraction"),
            reserved=bytes(8),
        )
        self.level = given.number(level, 0, 9, "level")
        self.texts: tuple[str, ...] = ("", "", "", "ksreplay")
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
        named = {"engine": engine, "game": game, "map": map, "writer": writer}
        self.texts = tuple(given.text(value, f"info.{name}") for name, value in named.items())
        x, z = given.whole(map_size, 0, MOST, "info.map_size", 2).tolist()
        self.map_size = (x, z)

    def add_unit_definition(self, name: str, footprint: tuple[int, int] = (0, 0), pieces: Sequence[str] = ()) -> int:
        """A unit definition with its footprint in elmos and the names of its posed pieces; returns its index."""
        where = f"unit_definition[{len(self.unit_names)}]"
        x, z = given.whole(footprint, 0, 65_535, f"{where}.footprint", 2).tolist()
        posed = tuple(given.text(piece, f"{where}.pieces[{i}]") for i, piece in enumerate(pieces))
        self.unit_names.append(given.text(name, where))
        self.footprints.append((x, z))
        if posed:
            self.pieces[len(self.unit_names) - 1] = posed
        return len(self.unit_names) - 1

    def add_weapon_definition(self, name: str) -> int:
        self.weapon_names.append(given.text(name, f"weapon_definition[{len(self.weapon_names)}]"))
        return len(self.weapon_names) - 1

    def add_feature_definition(self, name: str) -> int:
        self.feature_names.append(given.text(name, f"feature_definition[{len(self.feature_names)}]"))
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
        where = f"team[{team}]"
        team, ally = given.number(team, 0, NO_TEAM - 1, where), given.number(ally, 0, 255, f"{where}.ally")
        if any(other.id == team for other in self.teams):
            raise rules.TEAM_TWICE.failure(FORMAT, where=where, found=team)
        red, green, blue = given.whole(colour, 0, 255, f"{where}.colour", 3).tolist()
        side, leader = given.text(side, f"{where}.side"), given.text(leader, f"{where}.leader")
        self.teams.append(Team(team, ally, int(is_ai), (red, green, blue), side, leader))

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
        first, last = self._life(first, last, where)
        time = given.times(frames, first, last, f"{where}.frames")
        if rotation is not None:
            quaternion = given.rotations(rotation, len(time), f"{where}.rotation")
        elif front is not None and up is not None:
            quaternion = given.rotations_of(front, up, len(time), where)
        elif front is None and up is None:
            quaternion = np.tile(np.array([[0.0], [0.0], [0.0], [1.0]]), (1, len(time)))
        else:
            raise rules.VALUES.failure(FORMAT, where=where, found="one of front and up", expected="both or neither")
        places = self._places(position, len(time), f"{where}.position")
        dropped, kept = steps.pack_rotation(quaternion, self.header.rotation_bits)
        rows = self._rows((places, dropped[:, None], kept.T), where)
        transform = cut.Transform(*cut.without_middles(time, rows), self.header.rotation_bits)
        status_time = given.times(status_frames, first, last, f"{where}.status_frames")
        count = len(status_time)
        shares = [
            steps.fraction(given.fractions(values, count, f"{where}.{name}"))
            for name, values in (("health", health), ("build_progress", build_progress))
        ]
        is_on = given.rows(on, count, 1, f"{where}.on")[:, 0] != 0
        if count:
            state = np.stack((*shares, is_on), axis=1).astype(np.int64)
        else:
            status_time, state = np.array([first]), np.array([[65_535, 65_535, 1]])
        status = cut.Status(*cut.without_middles(status_time, state))
        self.units.append(
            UnitCurves(
                given.number(unit_id, 0, 65_535, f"{where}.unit_id"),
                definition,
                given.number(team, 0, 255, f"{where}.team"),
                first,
                last,
                transform,
                status,
            )
        )
        return len(self.units) - 1

    def add_targets(
        self,
        unit: int,
        weapon: int,
        keys: Iterable[tuple[int, str | int, int | Sequence[float] | None]],
        power: Iterable[int] = (),
    ) -> None:
        """What a weapon of ``unit`` aims at (weapon 0: its builder work, with build power 0 to 255 a key).

        A key is a frame, a kind (word or number) and the handle of the unit, projectile or feature, a position in
        elmos, or None. Where the thing stops existing a key of kind 0 is added.
        """
        curves, weapon = self._unit(unit), given.number(weapon, 0, 255, f"unit[{unit}].target")
        where = f"unit[{unit}].target[{weapon}]"
        if weapon in curves.targets:
            raise rules.WEAPON_TWICE.failure(FORMAT, where=where, found=weapon)
        listed, powers = list(keys), list(power)
        if weapon != 0 and any(powers):
            raise rules.POWER.failure(FORMAT, where=f"{where}.power", found=powers, expected="none")
        if powers and len(powers) != len(listed):
            raise rules.VALUES.failure(FORMAT, where=f"{where}.power", found=len(powers), expected=len(listed))
        time = given.times([frame for frame, _, _ in listed], curves.first, curves.last, where)
        curves.targets[weapon] = [
            (int(time[i]), self._target(kind, what, powers[i] if powers else 0, f"{where}[{i}]"))
            for i, (_, kind, what) in enumerate(listed)
        ]

    def _target(self, kind: str | int, what: Any, power: int, where: str) -> tuple[int, int, int, tuple[int, ...]]:
        """Kind, handle, build power and place of a target, as stored but for the handle."""
        number = given.number(KIND_NUMBERS.get(kind, kind) if isinstance(kind, str) else kind, 0, 255, f"{where}.kind")
        power = given.number(power, 0, 255, f"{where}.power")
        if number >= FIRST_PLACED_KIND:
            if what is None or np.ndim(what) != 1:
                raise rules.GIVEN_REFERENCE.failure(FORMAT, where=where, found=what, expected="a place")
            return number, 0, power, tuple(self._places(what, 1, f"{where}.position")[0].tolist())
        if number in KINDS and not REFERENCE[number]:
            if what is not None:
                raise rules.GIVEN_REFERENCE.failure(FORMAT, where=where, found=what, expected="none")
            return number, 0, power, ()
        if what is None and not REFERENCE[number]:
            return number, 0, power, ()  # a kind that this writer does not know
        return number, given.number(what, 0, MOST, f"{where}.reference"), power, ()

    def add_pose(
        self, unit: int, piece: int, frames: npt.ArrayLike, angle: npt.ArrayLike, offset: npt.ArrayLike
    ) -> None:
        """A piece of ``unit``: ``angle`` (n, 3) in 65,536ths of a turn, not reduced, ``offset`` (n, 3) in elmos."""
        curves, piece = self._unit(unit), given.number(piece, 0, 65_535, f"unit[{unit}].pose")
        where = f"unit[{unit}].pose[{piece}]"
        time = given.times(frames, curves.first, curves.last, where)
        # an angle may be whole turns away, which each window takes off
        turns = steps.in_steps(given.rows(angle, len(time), 3, f"{where}.angle"), 0, f"{where}.angle", 1 << 40)
        shifts = self._places(offset, len(time), f"{where}.offset")
        if piece in curves.poses:
            raise rules.PIECE_TWICE.failure(FORMAT, where=where, found=piece)
        if len(time):
            rows = self._rows((turns, shifts), where)
            curves.poses[piece] = cut.Curve(*cut.without_middles(time, rows))

    def add_queue(self, unit: int, keys: Iterable[tuple[int, Sequence[tuple[int, float, float, int]]]]) -> None:
        """The build queue of ``unit``: frames with items of definition, x and z in elmos, and facing 0 to 3."""
        curves = self._unit(unit)
        where = f"unit[{unit}].queue"
        time: list[int] = []
        values: list[tuple[tuple[int, ...], ...]] = []
        for i, (frame, items) in enumerate(keys):
            row = []
            if len(items) > 255:
                raise given.misfit(f"{where}[{i}]", f"{len(items)} items", "at most 255 items")
            for definition, x, z, facing in items:
                if facing not in (0, 1, 2, 3):
                    raise rules.FACING.failure(FORMAT, where=f"{where}[{i}]", found=facing, expected="0 to 3")
                place = steps.in_steps([x, z], self.header.position_shift, f"{where}[{i}]").tolist()
                row.append((definition, *place, int(facing)))
            time.append(frame)
            values.append(tuple(row))
        time = given.times(time, curves.first, curves.last, where).tolist()
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
        header = self.header
        time = given.times(frames, header.first_frame, header.last_frame, where)
        places = self._places(position, len(time), f"{where}.position")
        speeds = given.rows(velocity, len(time), 3, f"{where}.velocity")
        speeds = steps.in_steps(speeds, header.velocity_shift, f"{where}.velocity")
        curve = cut.Flight(time, self._rows((places, speeds), where), header.position_step, header.velocity_step)
        if owner is not None:
            owner = given.number(owner, 0, len(self.units) - 1, f"{where}.owner")
        self.projectiles.append(
            ProjectileCurves(
                NO_DEFINITION if definition is None else definition,
                NO_TEAM if team is None else given.number(team, 0, NO_TEAM - 1, f"{where}.team"),
                owner,
                int(time[0]),
                int(time[-1]),
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
        first, last = self._life(first, last, where)
        (place,) = self._places(position, 1, f"{where}.position").tolist()
        quaternion = given.rotations(rotation, 1, f"{where}.rotation")
        dropped, kept = steps.pack_rotation(quaternion, self.header.rotation_bits)
        flags = int(existed_before) | int(exists_after) << 1
        team = NO_TEAM if team is None else given.number(team, 0, NO_TEAM - 1, f"{where}.team")
        number = given.number(feature_id, 0, 65_535, f"{where}.id")
        row = (number, definition, team, flags, first, last, *place, int(dropped[0]), *kept[:, 0].tolist())
        self.features.append(row)
        return len(self.features) - 1

    def add_number(self, team: int | None, code: int | str, frames: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """A number of a team (None: of the game): a code, the name of one, or the name of a rules parameter, which is
        added to the info chunk. Values between two frames are on a straight line."""
        where = f"number[team {team}, {code}]"
        number = self.number_code(team, code)
        key = (NO_TEAM if team is None else given.number(team, 0, NO_TEAM - 1, where), number)
        time = given.times(frames, self.header.first_frame, self.header.last_frame, where)
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
                names.append(given.text(code, f"number[team {team}, {code!a}]"))
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

    def _life(self, first: int, last: int, where: str) -> tuple[int, int]:
        begin, end = (given.number(frame, -MOST, 2 * MOST, where) for frame in (first, last))
        if not self.header.first_frame <= begin <= end <= self.header.last_frame:
            raise rules.LIFE.failure(
                FORMAT, where=where, found=[first, last], expected=[self.header.first_frame, self.header.last_frame]
            )
        return begin, end

    def _unit(self, handle: int) -> UnitCurves:
        return self.units[given.number(handle, 0, len(self.units) - 1, f"unit[{handle}]")]

    def _places(self, values: npt.ArrayLike, count: int, where: str) -> Array:
        """Positions or offsets in steps, int64 (count, 3)."""
        return steps.in_steps(given.rows(values, count, 3, where), self.header.position_shift, where)

    def _rows(self, columns: tuple[Array, ...], where: str) -> Array:
        if not len(columns[0]):
            raise rules.NO_KEY.failure(FORMAT, where=where, found=0)
        return np.concatenate(columns, axis=1).astype(np.int64)

    def _check_names(self) -> None:
        """What refers to a definition, a piece or a team: all of them are known by now."""
        units, weapons, features = len(self.unit_names), len(self.weapon_names), len(self.feature_names)

        def check(rule: Rule, index: int, count: int, where: str) -> None:
            if not 0 <= index < count:
                raise rule.failure(FORMAT, where=where, found=index, expected=f"below {count}")

        for handle, unit in enumerate(self.units):
            where = f"unit[{handle}]"
            check(rules.UNIT_DEFINITION, unit.definition, units, f"{where}.definition")
            for piece in unit.poses:
                check(rules.PIECE, piece, len(self.pieces.get(unit.definition, ())), f"{where}.pose[{piece}]")
            for i, items in enumerate(unit.queue.values if unit.queue else ()):
                for definition, *_ in items:
                    check(rules.UNIT_DEFINITION, definition, units, f"{where}.queue[{i}].definition")
        for handle, shot in enumerate(self.projectiles):
            if shot.definition != NO_DEFINITION:
                check(rules.WEAPON_DEFINITION, shot.definition, weapons, f"projectile[{handle}].definition")
        for handle, feature in enumerate(self.features):
            check(rules.FEATURE_DEFINITION, feature[1], features, f"feature[{handle}].definition")
        known = {NO_TEAM, *(team.id for team in self.teams)}
        for team, code in self.numbers:
            if team not in known:
                raise rules.NUMBER_TEAM.failure(FORMAT, where=f"number[team {team}, {code}]", found=team)

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
        self._check_names()
        things = things_of(self.units, self.projectiles, self.features, self.header)
        windows: list[tuple[bytes | None, bytes | None]] = []
        for k in range(self.header.num_windows):
            main = build_chunk(encode_main(main_of(k, things, self.numbers, self.header)), where=f"window[{k}].main")
            rows = self.terrain.window(k)
            where = f"window[{k}].terrain"
            terrain = None if rows is None else build_chunk(encode_terrain(rows, self.header), where=where)
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

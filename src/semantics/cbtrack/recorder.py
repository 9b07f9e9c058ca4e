"""Makes a track from samples: thins them to a tolerance, writes, reads the file back and measures every sample.

Source: seed 000, "What the tolerance measures", "Rules for a writer", "Pose tracks", "Team numbers".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.atomic import replacing
from ksreplay.formats.cbtrack import FORMAT
from ksreplay.formats.cbtrack_columns import FIRST_PARAMETER
from ksreplay.semantics.cbtrack import curves, given, pose_math, proof, rules, steps, thin
from ksreplay.semantics.cbtrack.names import CODES
from ksreplay.semantics.cbtrack.window import FULL
from ksreplay.semantics.cbtrack.writer import CODE_NUMBERS, TrackWriter

Array = npt.NDArray[Any]

#: Storage and share level of each resource: kept exactly, as rules parameters are.
EXACT_CODES = (1, 5, 17, 21)


@dataclass(frozen=True, slots=True)
class Piece:
    """A posed piece: ``reach`` in elmos of its geometry and all below it (None: it has none and takes the unit's
    radius), its rest offset, and whether its model bakes a rest rotation into it."""

    name: str
    reach: float | None = None
    rest: tuple[float, float, float] = (0.0, 0.0, 0.0)
    is_baked: bool = False


@dataclass(slots=True)
class UnitSamples:
    """What was recorded of a unit; arrays have a column a sample."""

    name: str
    definition: int
    radius: float
    time: Array
    place: Array
    turn: Array
    status_time: Array
    status: Array
    on: Array
    poses: dict[int, PoseSamples] = field(default_factory=dict)


@dataclass(slots=True)
class PoseSamples:
    """What was recorded of a piece: ``shift`` (3, n) elmos, ``angle`` (3, n), ``turn`` (4, n), reach in elmos."""

    time: Array
    shift: Array
    angle: Array
    turn: Array
    reach: float


@dataclass(slots=True)
class FlightSamples:
    """What was recorded of a projectile: ``place`` and ``speed`` (3, n)."""

    time: Array
    place: Array
    speed: Array


@dataclass(slots=True)
class NumberSamples:
    """What was recorded of a number: a value for each frame, and what each may be from the track."""

    time: Array
    value: Array
    allowed: Array


def _seen(values: Array, shift: int, where: str) -> Array:
    """Rows x y z (3, n) as a reader sees them: rounded to the step."""
    return steps.in_steps(values.T, shift, where).T * 2.0**-shift


class TrackRecorder:
    """Collects the samples of a match; `write` makes its track, or leaves no file and names the sample that failed.

    Frames, positions in elmos, velocities in elmos per frame. What is not sampled but told as it is (targets, queues,
    features, terrain, names) goes to the same methods as of `TrackWriter`, through ``tell``.
    """

    def __init__(
        self, first_frame: int, last_frame: int, *, tolerance: float = 0.5, window_length: int = 900, **options: Any
    ) -> None:
        self._options = {"tolerance": tolerance, "window_length": window_length, **options}
        # as a reader finds them in the header, and so that an option that cannot be is told before anything is sampled
        self._header = TrackWriter(first_frame, last_frame, **self._options).header
        self.first_frame, self.last_frame = self._header.first_frame, self._header.last_frame
        self.tolerance, self.window_length = self._header.tolerance, self._header.window_length
        self._told: list[Callable[[TrackWriter], object]] = []
        self._definitions: list[tuple[str, float, tuple[Piece, ...]]] = []
        self.units: list[UnitSamples] = []
        self.flights: list[FlightSamples] = []
        self.numbers: dict[tuple[int | None, int | str], NumberSamples] = {}
        self._unit_facts: list[tuple[int, int, int, int, int]] = []
        self._flight_facts: list[tuple[int | None, int | None, int | None]] = []
        self._number_keys: dict[tuple[int | None, int | str], tuple[Array, Array]] = {}

    def tell(self, call: Callable[[TrackWriter], object]) -> None:
        """``tell(lambda writer: writer.add_team(0))``: something that is written as it is, in the order it was told.
        Handles of units, projectiles and features are those that this recorder's methods return."""
        self._told.append(call)

    def add_unit_definition(
        self, name: str, radius: float, footprint: tuple[int, int] = (0, 0), pieces: Sequence[Piece] = ()
    ) -> int:
        """A unit definition; ``radius`` in elmos weighs the rotation of its units."""
        where = f"unit_definition[{len(self._definitions)}]"
        radius = given.distance(radius, f"{where}.radius")
        for piece in pieces:
            given.distance(radius if piece.reach is None else piece.reach, f"{where}.{piece.name}.reach")
        self._definitions.append((name, radius, tuple(pieces)))
        self.tell(lambda writer: writer.add_unit_definition(name, footprint, [piece.name for piece in pieces]))
        return len(self._definitions) - 1

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
        front: npt.ArrayLike,
        up: npt.ArrayLike,
        status_frames: npt.ArrayLike = (),
        health: npt.ArrayLike = (),
        build_progress: npt.ArrayLike = (),
        on: npt.ArrayLike = (),
    ) -> int:
        """A unit and its samples: ``position``, ``front`` and ``up`` (n, 3); health and build progress 0 to 1 (m)."""
        name = f"unit[{len(self.units)}]"
        time = given.times(frames, first, last, f"{name}.frames")
        status_time = given.times(status_frames, first, last, f"{name}.status_frames")
        count = len(status_time)
        state = [
            given.fractions(values, count, f"{name}.{part}") * FULL
            for part, values in (("health", health), ("build_progress", build_progress))
        ]
        definition = given.number(definition, 0, len(self._definitions) - 1, f"{name}.definition")
        self.units.append(
            UnitSamples(
                name=name,
                definition=definition,
                radius=self._definitions[definition][1],
                time=time,
                place=given.rows(position, len(time), 3, f"{name}.position").T,
                turn=given.rotations_of(front, up, len(time), name),
                status_time=status_time,
                status=np.stack(state),
                on=given.rows(on, count, 1, f"{name}.on")[:, 0] != 0,
            )
        )
        self._unit_facts.append((unit_id, definition, team, first, last))
        return len(self.units) - 1

    def add_pose(
        self, unit: int, piece: int, frames: npt.ArrayLike, offset: npt.ArrayLike, rotation: npt.ArrayLike
    ) -> None:
        """Samples of a piece relative to its parent: ``offset`` (n, 3) from rest, ``rotation`` (n, 3, 3)."""
        samples, radius, pieces = self._posed(unit, piece)
        where = f"{samples.name}.pose[{piece}]"
        if piece in samples.poses:
            raise rules.PIECE_TWICE.failure(FORMAT, where=where, found=piece)
        time = given.times(frames, *self._unit_facts[unit][3:], where)
        matrices = given.rows(rotation, len(time), 9, f"{where}.rotation")
        wrong = np.flatnonzero(~np.isfinite(matrices).all(axis=1))
        if len(wrong):
            raise given.misfit(f"{where}.rotation[{int(wrong[0])}]", str(matrices[wrong[0]].tolist()), "a rotation")
        reach = pieces[piece].reach
        samples.poses[piece] = PoseSamples(
            time,
            given.rows(offset, len(time), 3, f"{where}.offset").T,
            pose_math.angles(matrices.reshape(-1, 3, 3)).T,
            steps.quaternion_of(matrices.reshape(-1, 3, 3)),
            radius if reach is None else reach,
        )

    def _posed(self, unit: int, piece: int) -> tuple[UnitSamples, float, tuple[Piece, ...]]:
        """The samples of a unit, its radius and the posed pieces of its definition."""
        samples = self.units[given.number(unit, 0, len(self.units) - 1, f"unit[{unit}]")]
        _, radius, pieces = self._definitions[samples.definition]
        given.number(piece, 0, len(pieces) - 1, f"{samples.name}.pose")
        return samples, radius, pieces

    def add_pose_matrices(
        self, unit: int, piece: int, frames: npt.ArrayLike, matrix: npt.ArrayLike, parent: npt.ArrayLike | None
    ) -> None:
        """Samples of a piece as matrices (n, 4, 4) in the unit's model space, with those of its parent piece."""
        rest = self._posed(unit, piece)[2][piece].rest
        rotation, offset = pose_math.relative(matrix, parent, rest)
        self.add_pose(unit, piece, frames, offset, rotation)

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
        """A projectile and its samples (n, 3); it exists from the first to the last."""
        where = f"projectile[{len(self.flights)}]"
        time = given.times(frames, self.first_frame, self.last_frame, f"{where}.frames")
        place, speed = (
            given.rows(values, len(time), 3, f"{where}.{name}").T
            for name, values in (("position", position), ("velocity", velocity))
        )
        self.flights.append(FlightSamples(time, place, speed))
        self._flight_facts.append((definition, team, owner))
        return len(self.flights) - 1

    def add_number(self, team: int | None, code: int | str, frames: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """A number of a team (None: the game) with a value for each frame at which it changed; it holds until then.
        Before its first frame a resource is 0 and a rules parameter is not set. Storage, share levels and rules
        parameters are kept exactly, other resources within the resource tolerance."""
        where = f"number[team {team}, {code}]"
        changed = given.times(frames, self.first_frame, self.last_frame, where)
        with np.errstate(over="ignore"):
            value = given.rows(values, len(changed), 1, where)[:, 0].astype(np.float32)
        wrong = np.flatnonzero(~np.isfinite(value))
        if len(wrong):
            raise rules.NOT_FINITE.failure(FORMAT, where=f"{where}[{int(wrong[0])}]", found=str(value[wrong[0]]))
        if not len(changed):
            raise rules.NO_KEY.failure(FORMAT, where=where, found=0)
        number = code if isinstance(code, int) else CODE_NUMBERS.get(code, FIRST_PARAMETER)
        is_resource = team is not None and number < FIRST_PARAMETER
        key = team, CODES.get(number, code) if is_resource else code
        if key in self.numbers:
            raise rules.NUMBER_ORDER.failure(FORMAT, where=where, found=[team, code])
        if is_resource and changed[0] > self.first_frame:
            changed, value = np.append(self.first_frame, changed), np.append(np.float32(0), value)
        time = np.arange(changed[0], self.last_frame + 1)
        wide = value[np.searchsorted(changed, time, side="right") - 1].astype(np.float64)
        if number in EXACT_CODES or not is_resource:
            # a step between two frames needs a key on either side of it
            kept = np.unique(np.append(changed, changed[1:] - 1))
            allowed = np.zeros(len(time))
        else:
            allowed = np.maximum(self._header.resource_tolerance, self._header.resource_fraction * np.abs(wide))
            signal = thin.LineSignal(time, wide[None], wide[None], np.maximum(allowed[None], 1e-30))
            kept = time[thin.keys_of(signal, self._forced(time))]
        self.numbers[key] = NumberSamples(time, wide, allowed)
        self._number_keys[key] = kept, value[np.searchsorted(changed, kept, side="right") - 1]

    # Making the track.

    def _forced(self, time: Array) -> Array:
        return thin.forced_by_windows(time, self.first_frame, self.window_length)

    def _thin_unit(self, writer: TrackWriter, unit: UnitSamples) -> tuple[Array, Array]:
        """Indices of the kept transform samples and of the kept status samples."""
        header = writer.header
        place = _seen(unit.place, header.position_shift, f"{unit.name}.position")
        turn = curves.quaternions(*steps.pack_rotation(unit.turn, header.rotation_bits), header.rotation_top)
        moving = thin.UnitSignal(unit.time, unit.place, unit.turn, place, turn, unit.radius, self.tolerance)
        state = steps.round_away(unit.status)
        state_signal = thin.LineSignal(unit.status_time, unit.status, state, np.ones_like(state), unit.on)
        return (
            thin.keys_of(moving, self._forced(unit.time)),
            thin.keys_of(state_signal, self._forced(unit.status_time)),
        )

    def _thin_pose(self, writer: TrackWriter, pose: PoseSamples, where: str) -> Array:
        header = writer.header
        shift = _seen(pose.shift, header.position_shift, f"{where}.offset")
        signal = thin.PoseSignal(
            pose.time, pose.shift, pose.turn, shift, steps.round_away(pose.angle), pose.reach, self.tolerance
        )
        return thin.keys_of(signal, self._forced(pose.time))

    def _thin_flight(self, writer: TrackWriter, flight: FlightSamples, where: str) -> Array:
        header = writer.header
        place = _seen(flight.place, header.position_shift, f"{where}.position")
        speed = _seen(flight.speed, header.velocity_shift, f"{where}.velocity")
        signal = thin.FlightSignal(flight.time, flight.place, place, speed, self.tolerance)
        return thin.keys_of(signal, self._forced(flight.time))

    def build(self) -> tuple[bytes, proof.Report]:
        """The bytes of the track and a report. Raises ReplayError naming the first sample that the track does not hold
        within its tolerance, and the first value that does not fit."""
        radii = [unit.radius for unit in self.units]
        options = {"largest_radius": max(radii, default=1.0), **self._options}
        writer = TrackWriter(self.first_frame, self.last_frame, **options)
        kept = dict.fromkeys(proof.SECTIONS, 0)
        # what targets refer to must be there before what was told is written
        for handle, unit in enumerate(self.units):
            unit_id, definition, team, first, last = self._unit_facts[handle]
            moving, state = self._thin_unit(writer, unit)
            kept["transforms"] += len(moving)
            kept["statuses"] += len(state)
            health, progress = unit.status[:, state] / FULL
            writer.add_unit(
                unit_id,
                definition,
                team,
                first,
                last,
                frames=unit.time[moving],
                position=unit.place[:, moving].T,
                rotation=unit.turn[:, moving].T,
                status_frames=unit.status_time[state],
                health=health,
                build_progress=progress,
                on=unit.on[state],
            )
            for piece, pose in unit.poses.items():
                keys = self._thin_pose(writer, pose, f"{unit.name}.pose[{piece}]")
                kept["poses"] += len(keys)
                writer.add_pose(handle, piece, pose.time[keys], pose.angle[:, keys].T, pose.shift[:, keys].T)
        for handle, flight in enumerate(self.flights):
            keys = self._thin_flight(writer, flight, f"projectile[{handle}]")
            kept["projectiles"] += len(keys)
            weapon, side, owner = self._flight_facts[handle]
            writer.add_projectile(
                weapon,
                side,
                owner,
                frames=flight.time[keys],
                position=flight.place[:, keys].T,
                velocity=flight.speed[:, keys].T,
            )
        for (owner_team, code), (frames, values) in self._number_keys.items():
            kept["numbers"] += len(frames)
            writer.add_number(owner_team, code, frames, values)
        for call in self._told:
            call(writer)
        data = writer.build()
        baked = [name for name, _, pieces in self._definitions if any(piece.is_baked for piece in pieces)]
        return data, proof.prove(data, self, writer, kept, baked)

    def write(self, path: str | Path, *, force: bool = False) -> proof.Report:
        """Writes the track to ``path`` when every sample has been measured against it; leaves no file otherwise."""
        data, report = self.build()
        with replacing(Path(path), force=force) as file:
            file.write(data)
        return report

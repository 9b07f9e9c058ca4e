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
from ksreplay.semantics.cbtrack import curves, pose_math, proof, rules, steps, thin
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


class TrackRecorder:
    """Collects the samples of a match; `write` makes its track, or leaves no file and names the sample that failed.

    Frames, positions in elmos, velocities in elmos per frame. What is not sampled but told as it is (targets, queues,
    features, terrain, names) goes to the same methods as of `TrackWriter`, through ``tell``.
    """

    def __init__(
        self, first_frame: int, last_frame: int, *, tolerance: float = 0.5, window_length: int = 900, **options: Any
    ) -> None:
        self.first_frame, self.last_frame = first_frame, last_frame
        self.tolerance, self.window_length = tolerance, window_length
        self._options = options
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
        time = np.asarray(frames, np.int64)
        status_time = np.atleast_1d(np.asarray(status_frames, np.int64))
        state = np.stack([np.clip(np.asarray(values, np.float64), 0, 1) * FULL for values in (health, build_progress)])
        self.units.append(
            UnitSamples(
                name=f"unit[{len(self.units)}]",
                definition=definition,
                radius=self._definitions[definition][1],
                time=time,
                place=np.asarray(position, np.float64).reshape(-1, 3).T,
                turn=steps.rotation_of(front, up),
                status_time=status_time,
                status=state,
                on=np.atleast_1d(np.asarray(on)).astype(bool),
            )
        )
        self._unit_facts.append((unit_id, definition, team, first, last))
        return len(self.units) - 1

    def add_pose(
        self, unit: int, piece: int, frames: npt.ArrayLike, offset: npt.ArrayLike, rotation: npt.ArrayLike
    ) -> None:
        """Samples of a piece relative to its parent: ``offset`` (n, 3) from rest, ``rotation`` (n, 3, 3)."""
        samples = self.units[unit]
        _, radius, pieces = self._definitions[samples.definition]
        matrices = np.asarray(rotation, np.float64).reshape(-1, 3, 3)
        reach = pieces[piece].reach
        samples.poses[piece] = PoseSamples(
            np.asarray(frames, np.int64),
            np.asarray(offset, np.float64).reshape(-1, 3).T,
            pose_math.angles(matrices).T,
            steps.quaternion_of(matrices),
            radius if reach is None else reach,
        )

    def add_pose_matrices(
        self, unit: int, piece: int, frames: npt.ArrayLike, matrix: npt.ArrayLike, parent: npt.ArrayLike | None
    ) -> None:
        """Samples of a piece as matrices (n, 4, 4) in the unit's model space, with those of its parent piece."""
        rest = self._definitions[self.units[unit].definition][2][piece].rest
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
        place, speed = (np.asarray(values, np.float64).reshape(-1, 3).T for values in (position, velocity))
        self.flights.append(FlightSamples(np.asarray(frames, np.int64), place, speed))
        self._flight_facts.append((definition, team, owner))
        return len(self.flights) - 1

    def add_number(self, team: int | None, code: int | str, frames: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """A number of a team (None: the game) with a value for each frame at which it changed; it holds until then.
        Storage, share levels and rules parameters are kept exactly, other resources within the resource tolerance."""
        changed = np.asarray(frames, np.int64)
        with np.errstate(over="ignore"):
            value = np.asarray(values, np.float64).astype(np.float32)
        if not len(changed) or len(changed) != len(value) or not np.isfinite(value).all():
            raise rules.NOT_FINITE.failure(FORMAT, where=f"number[team {team}, {code}]", found=str(value[:3]))
        number = CODE_NUMBERS.get(code, 256) if isinstance(code, str) else code
        time = np.arange(changed[0], self.last_frame + 1)
        held = np.searchsorted(changed, time, side="right") - 1
        wide = value[held].astype(np.float64)
        if number in EXACT_CODES or number >= 256 or team is None:
            # a step between two frames needs a key on either side of it
            keys = np.unique(np.concatenate((changed, changed[1:] - 1)))
            kept = keys[keys >= changed[0]]
            allowed = np.zeros(len(time))
        else:
            limit = float(np.float32(self._options.get("resource_tolerance", 0.5)))
            part = float(np.float32(self._options.get("resource_fraction", 1 / 1024)))
            allowed = np.maximum(limit, part * np.abs(wide))
            signal = thin.LineSignal(time, wide[None], wide[None], np.maximum(allowed[None], 1e-30))
            kept = time[thin.keys_of(signal, thin.forced_by_windows(time, self.first_frame, self.window_length))]
        self.numbers[team, code] = NumberSamples(time, wide, allowed)
        self._number_keys[team, code] = kept, value[np.searchsorted(changed, kept, side="right") - 1]

    # Making the track.

    def _forced(self, time: Array) -> Array:
        return thin.forced_by_windows(time, self.first_frame, self.window_length)

    def _thin_unit(self, writer: TrackWriter, unit: UnitSamples) -> tuple[Array, Array]:
        """Indices of the kept transform samples and of the kept status samples."""
        header = writer.header
        place = steps.in_steps(unit.place, header.position_shift, f"{unit.name}.position") * header.position_step
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
        shift = steps.in_steps(pose.shift, header.position_shift, where) * header.position_step
        signal = thin.PoseSignal(
            pose.time, pose.shift, pose.turn, shift, steps.round_away(pose.angle), pose.reach, self.tolerance
        )
        return thin.keys_of(signal, self._forced(pose.time))

    def _thin_flight(self, writer: TrackWriter, flight: FlightSamples, where: str) -> Array:
        header = writer.header
        place = steps.in_steps(flight.place, header.position_shift, where) * header.position_step
        speed = steps.in_steps(flight.speed, header.velocity_shift, where) * header.velocity_step
        signal = thin.FlightSignal(flight.time, flight.place, place, speed, self.tolerance)
        return thin.keys_of(signal, self._forced(flight.time))

    def build(self) -> tuple[bytes, proof.Report]:
        """The bytes of the track and a report. Raises ReplayError naming the first sample that the track does not hold
        within its tolerance, and the first value that does not fit."""
        radii = [unit.radius for unit in self.units]
        options = {"largest_radius": max(radii, default=1.0), **self._options}
        writer = TrackWriter(
            self.first_frame, self.last_frame, tolerance=self.tolerance, window_length=self.window_length, **options
        )
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

"""Reads a track that was just made and measures every recorded sample against what a reader sees.

Source: seed 000, "What the tolerance measures" ("coilbox-track-thin reads each window of the file it has made ...").
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ksreplay.formats import cbtrack as framing
from ksreplay.formats.cbtrack import FORMAT
from ksreplay.formats.cbtrack_build import build_chunk
from ksreplay.limits import Limits
from ksreplay.semantics.cbtrack import curves, rules, thin
from ksreplay.semantics.cbtrack.decode import decode_main
from ksreplay.semantics.cbtrack.window import FULL, Window

if TYPE_CHECKING:
    from ksreplay.semantics.cbtrack.recorder import TrackRecorder
    from ksreplay.semantics.cbtrack.writer import TrackWriter

Array = npt.NDArray[Any]

# section -> the columns whose bytes it is charged with
SECTIONS: dict[str, range] = {
    "units": range(1, 13),
    "transforms": range(16, 27),
    "statuses": range(32, 36),
    "targets": range(40, 49),
    "poses": range(56, 71),
    "queues": range(72, 78),
    "projectiles": range(80, 101),
    "numbers": range(104, 109),
}
#: What rounding in float64 may add to a distance that is just allowed.
SLACK = 1 + 1e-9


@dataclass(slots=True)
class Worst:
    """The largest distance of a kind, what it was allowed, and the sample."""

    distance: float = 0.0
    allowed: float = 0.0
    where: str = ""

    def see(self, distance: Array, allowed: Array | float, time: Array, name: str) -> None:
        """Looks at samples at ``time`` and keeps the one that uses up most of what it is allowed."""
        limits = np.broadcast_to(np.asarray(allowed, np.float64), distance.shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            part = np.where(limits > 0, distance / limits, np.where(distance > 0, np.inf, 0.0))
        at = int(np.argmax(part))
        mine = (
            np.inf if self.allowed == 0 and self.distance > 0 else self.distance / self.allowed if self.allowed else -1
        )
        if part[at] > mine:
            self.distance, self.allowed = float(distance[at]), float(limits[at])
            self.where = f"{name} at frame {int(time[at])}"


@dataclass(slots=True)
class Report:
    """What a recording came to. Counts and bytes by section; the largest distance of each kind of sample.

    ``written`` counts keys over every window (of ``units``: entries) and ``curves`` what they belong to: entries or
    tracks. ``section_raw`` is bytes before compression, ``section_bytes`` those of a section compressed by itself at
    level 9; ``parts`` are the bytes of the file.
    """

    bytes: int = 0
    parts: dict[str, int] = field(default_factory=dict)
    samples: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)
    curves: dict[str, int] = field(default_factory=dict)
    section_raw: dict[str, int] = field(default_factory=dict)
    section_bytes: dict[str, int] = field(default_factory=dict)
    worst: dict[str, Worst] = field(default_factory=dict)
    #: The largest difference between a recorded velocity and the curve's slope at a sample that is no key.
    projectile_velocity: Worst = field(default_factory=Worst)
    #: Definitions whose models bake a rest rotation into a posed piece: their angles are not what a script sets.
    baked: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As JSON can carry it."""

        def plain(worst: Worst) -> dict[str, Any]:
            return {"distance": worst.distance, "allowed": worst.allowed, "where": worst.where}

        return {
            "bytes": self.bytes,
            "parts": self.parts,
            "samples": self.samples,
            "kept": self.kept,
            "written": self.written,
            "curves": self.curves,
            "section_raw": self.section_raw,
            "section_bytes": self.section_bytes,
            "worst": {name: plain(worst) for name, worst in self.worst.items()},
            "projectile_velocity": {
                "error": self.projectile_velocity.distance,
                "where": self.projectile_velocity.where,
            },
            "baked": self.baked,
        }


def prove(data: bytes, recorder: TrackRecorder, writer: TrackWriter, kept: dict[str, int], baked: list[str]) -> Report:
    """The report of ``data``; raises ReplayError naming the sample that is furthest outside what it is allowed."""
    header = framing.read_header(data)
    index = framing.read_index(data, header)
    report = Report(len(data), samples=_samples(recorder), kept=kept, baked=baked)
    report.parts = {
        "header and index": header.len_header + index.nbytes,
        "info": header.len_info,
        "features": header.len_features,
        "main": int(index["len_main"].sum()),
        "terrain": int(index["len_terrain"].sum()),
    }
    for counts in (report.written, report.curves, report.section_raw, report.section_bytes):
        counts.update(dict.fromkeys(SECTIONS, 0))
    report.worst = {name: Worst() for name in ("unit", "piece", "status", "projectile", "number")}
    serials = [
        np.argsort(np.argsort([thing.first for thing in things], kind="stable"), kind="stable")
        for things in (writer.units, writer.projectiles)
    ]
    for k in range(header.num_windows):
        chunk = framing.read_chunk(data, framing.main_place(index, k), Limits())
        columns = framing.read_columns(chunk)
        window = Window(decode_main(columns, header, k), header)
        _count(report, columns, window)
        for handle, samples in _in_window(recorder.units, window.unit_of_serial, serials[0]):
            _measure_unit(report, window, samples, handle, recorder)
        for handle, samples in _in_window(recorder.flights, window.projectile_of_serial, serials[1]):
            _measure_flight(report, window, samples, handle, recorder)
        for (team, code), number in recorder.numbers.items():
            part = _part(number.time, window)
            if part.stop > part.start:
                found, _ = window.number(team, writer.number_code(team, code), number.time[part])
                off = np.abs(found - number.value[part])
                off[np.isnan(off)] = np.inf
                name = f"number[team {team}, {code}]"
                report.worst["number"].see(off, number.allowed[part], number.time[part], name)
    for worst in report.worst.values():
        if worst.distance > worst.allowed * SLACK:
            raise rules.TOLERANCE_KEPT.failure(
                FORMAT, where=worst.where, found=worst.distance, expected=f"at most {worst.allowed}"
            )
    return report


def _samples(recorder: TrackRecorder) -> dict[str, int]:
    return {
        "transforms": sum(len(unit.time) for unit in recorder.units),
        "statuses": sum(len(unit.status_time) for unit in recorder.units),
        "poses": sum(len(pose.time) for unit in recorder.units for pose in unit.poses.values()),
        "projectiles": sum(len(flight.time) for flight in recorder.flights),
        "numbers": sum(len(number.time) for number in recorder.numbers.values()),
    }


def _count(report: Report, columns: framing.Columns, window: Window) -> None:
    main = window.main
    for name, ids in SECTIONS.items():
        keys = getattr(main, name)
        if name == "units":
            report.written[name] += len(keys)
            report.curves[name] += len(keys)
        else:
            report.written[name] += len(keys.time)
            report.curves[name] += int(np.count_nonzero(np.diff(keys.bounds)))
        own = {column: values for column, values in columns.values.items() if column in ids}
        if own:
            report.section_raw[name] += sum(values.nbytes for values in own.values())
            report.section_bytes[name] += len(zlib.compress(build_chunk(own), 9))


def _in_window(samples: list[Any], rows: dict[int, int], serials: Array) -> Iterator[tuple[int, tuple[int, Any]]]:
    """Handle, and row in the window with the samples, of everything recorded that the window has."""
    for handle, thing in enumerate(samples):
        row = rows.get(int(serials[handle]))
        if row is not None:
            yield handle, (row, thing)


def _part(time: Array, window: Window) -> slice:
    """The samples whose frames the window has, both its edges included."""
    return slice(int(np.searchsorted(time, window.start)), int(np.searchsorted(time, window.end, side="right")))


def _measure_unit(report: Report, window: Window, found: tuple[int, Any], handle: int, recorder: TrackRecorder) -> None:
    row, unit = found
    part = _part(unit.time, window)
    if part.stop > part.start:
        motion = window.motion(row, unit.time[part])
        off = np.sqrt(((motion.position - unit.place[:, part]) ** 2).sum(axis=0))
        off += unit.radius * thin.angle_between(motion.rotation, unit.turn[:, part])
        off[~motion.exists] = np.inf
        report.worst["unit"].see(off, recorder.tolerance, unit.time[part], f"unit[{handle}]")
    part = _part(unit.status_time, window)
    if part.stop > part.start:
        motion = window.motion(row, unit.status_time[part])
        off = np.abs(np.stack((motion.health, motion.build)) * FULL - unit.status[:, part]).max(axis=0)
        off[motion.on != unit.on[part]] = np.inf
        report.worst["status"].see(off, 1.0, unit.status_time[part], f"unit[{handle}].status")
    for piece, pose in unit.poses.items():
        part = _part(pose.time, window)
        if part.stop > part.start:
            angle, offset = _pose(window, row, piece, pose.time[part])
            off = np.sqrt(((offset - pose.shift[:, part]) ** 2).sum(axis=0))
            off += pose.reach * thin.angle_between(thin.of_angles(angle), pose.turn[:, part])
            report.worst["piece"].see(off, recorder.tolerance, pose.time[part], f"unit[{handle}].pose[{piece}]")


def _pose(window: Window, row: int, piece: int, time: Array) -> tuple[Array, Array]:
    """Angle and offset of one piece at many frames; at rest where the window has no track for it."""
    poses = window.main.poses
    tracks = np.arange(poses.tracks[row], poses.tracks[row + 1])
    track = tracks[poses.piece[tracks] == piece]
    if not len(track):
        return np.zeros((3, len(time))), np.zeros((3, len(time)))
    at = window.pose_search.bracket(np.full(len(time), track[-1]), (time - window.start).astype(np.float64))
    return curves.straight(poses.angle, at), curves.straight(poses.offset, at) * window.header.position_step


def _measure_flight(
    report: Report, window: Window, found: tuple[int, Any], handle: int, recorder: TrackRecorder
) -> None:
    row, flight = found
    part = _part(flight.time, window)
    if part.stop == part.start:
        return
    time = flight.time[part]
    seen = window.flight(row, time)
    off = np.sqrt(((seen.position - flight.place[:, part]) ** 2).sum(axis=0))
    off[~seen.exists] = np.inf
    report.worst["projectile"].see(off, recorder.tolerance, time, f"projectile[{handle}]")
    entries = window.main.projectiles
    keys = entries.time[entries.bounds[row] : entries.bounds[row + 1]] + window.start
    dropped = ~np.isin(time, keys)
    if dropped.any():
        speed = np.sqrt(((seen.velocity - flight.speed[:, part]) ** 2).sum(axis=0))[dropped]
        report.projectile_velocity.see(speed, 1.0, time[dropped], f"projectile[{handle}]")

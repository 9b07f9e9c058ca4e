"""Samples in, a track within its tolerance out, with few keys, or an error that names the sample."""

from __future__ import annotations

import math
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ksreplay
from ksreplay.replays.cbtrack import Track
from ksreplay.semantics.cbtrack import curves, pose_math, proof, steps, thin
from ksreplay.semantics.cbtrack.recorder import Piece, TrackRecorder

RANDOM = np.random.default_rng(3982)


def fewest(signal: thin.Signal, forced: np.ndarray) -> int:
    """The fewest keys that any choice among the samples needs, by dynamic programming."""
    count = len(signal.time)
    best = [0] + [count + 1] * (count - 1)
    for end in range(1, count):
        for start in range(end - 1, -1, -1):
            if best[start] + 1 < best[end] and (end - start < 2 or signal.worst(start, end) <= 1):
                best[end] = best[start] + 1
            if forced[start]:
                break
    return best[-1] + 1


def walk(count: int, pace: float) -> tuple[np.ndarray, np.ndarray]:
    """A unit that wanders: positions (3, n) and rotations (4, n) that follow its heading."""
    heading = np.cumsum(RANDOM.normal(scale=0.002, size=count)) + np.sin(np.arange(count) / 40)
    place = np.cumsum(np.stack((np.sin(heading), 0.02 * RANDOM.normal(size=count), np.cos(heading))) * pace, axis=1)
    turn = np.stack((np.zeros(count), np.sin(heading / 2), np.zeros(count), np.cos(heading / 2)))
    return place + 2000, turn


def unit_signal(count: int, pace: float, radius: float) -> thin.UnitSignal:
    place, turn = walk(count, pace)
    seen = steps.in_steps(place, 3, "x") / 8
    turn_seen = curves.quaternions(*steps.pack_rotation(turn, 12), 2047)
    return thin.UnitSignal(np.arange(count) * 3, place, turn, seen, turn_seen, radius, 0.5)


def flight_signal(count: int) -> thin.FlightSignal:
    time = np.arange(count)
    speed = np.stack((np.full(count, 6.0), 9.0 - 0.12 * time, 3 * np.sin(time / 15)))
    place = np.cumsum(speed, axis=1) + RANDOM.normal(scale=0.05, size=(3, count))
    return thin.FlightSignal(time, place, steps.in_steps(place, 3, "x") / 8, steps.in_steps(speed, 11, "v") / 2048, 0.5)


def pose_signal(count: int) -> thin.PoseSignal:
    angle = np.cumsum(RANDOM.normal(scale=20, size=(3, count)), axis=1)
    angle[1] += np.arange(count) * 300
    shift = np.sin(np.arange(count) / 20) * np.ones((3, 1))
    return thin.PoseSignal(
        np.arange(count), shift, thin.of_angles(angle), steps.in_steps(shift, 3, "x") / 8,
        steps.round_away(angle), 12.0, 0.5,
    )  # fmt: skip


def line_signal(count: int) -> thin.LineSignal:
    value = (
        (np.cumsum(np.repeat(RANDOM.normal(size=count // 20), 20)) * 3 + RANDOM.uniform(-0.4, 0.4, count) + 500)
        .astype(np.float32)
        .astype(float)[None]
    )
    return thin.LineSignal(np.arange(count), value, value, np.maximum(0.5, np.abs(value) / 1024))


@pytest.mark.parametrize(
    "make",
    [
        lambda: unit_signal(240, 1.5, 30.0),
        lambda: unit_signal(200, 6.0, 85.0),
        lambda: flight_signal(200),
        lambda: pose_signal(160),
        lambda: line_signal(400),
    ],
    ids=["walk", "fast", "flight", "pose", "metal"],
)
def test_keys_kept_are_within_one_and_a_half_times_the_fewest(make: Any) -> None:
    signal = make()
    forced = thin.forced_by_windows(signal.time, 0, 180)
    kept = thin.keys_of(signal, forced)
    assert all(b - a < 2 or signal.worst(a, b) <= 1 for a, b in pairwise(kept))
    assert set(np.flatnonzero(forced)) <= set(kept)
    best = fewest(signal, forced)
    print(f"{len(signal.time)} samples, {len(kept)} keys kept, {best} at best, {len(kept) / best:.3f} times")
    assert best <= len(kept) <= 1.5 * best


def test_forced_samples_at_window_edges() -> None:
    assert thin.forced_by_windows(np.array([10, 13, 16, 20, 29, 31]), 10, 10).tolist() == [
        True,
        False,
        False,
        True,
        True,
        True,
    ]


def turn_matrix(x: float, y: float, z: float) -> np.ndarray:
    """Ry * Rx * Rz, as the page composes them."""
    cx, cy, cz, sx, sy, sz = (f(a) for f in (math.cos, math.sin) for a in (x, y, z))
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return about_y @ about_x @ about_z


def test_angles_follow_a_piece_through_whole_turns_and_the_quarter_turn() -> None:
    time = np.linspace(0, 1, 400)
    given = np.stack((time * 9, 0.4 * np.sin(9 * time), time * -14), axis=1)
    matrices = np.array([turn_matrix(*angles) for angles in given])
    found = pose_math.angles(matrices) / 65_536 * 2 * math.pi
    assert np.allclose([turn_matrix(*angles) for angles in found], matrices, atol=1e-9)
    assert np.abs(np.diff(found, axis=0)).max() < 0.1
    assert np.allclose(found, given, atol=1e-6)


def test_at_the_quarter_turn_the_angle_about_z_is_kept() -> None:
    given = [(1.5, 0.3, 0.7), (math.pi / 2, 0.9, 0.2)]
    found = pose_math.angles(np.array([turn_matrix(*angles) for angles in given])) / 65_536 * 2 * math.pi
    assert found[1] == pytest.approx([math.pi / 2, 0.9 - 0.2 + 0.7, 0.7])
    given = [(-1.5, 0.3, 0.7), (-math.pi / 2, 0.9, 0.2)]
    found = pose_math.angles(np.array([turn_matrix(*angles) for angles in given])) / 65_536 * 2 * math.pi
    assert found[1] == pytest.approx([-math.pi / 2, 0.9 + 0.2 - 0.7, 0.7])


def test_quaternions_of_angles_and_of_matrices_are_the_same() -> None:
    angles = RANDOM.uniform(-9, 9, size=(50, 3))
    by_angles = thin.of_angles(angles.T * 65_536 / (2 * math.pi))
    by_matrix = steps.quaternion_of(np.array([turn_matrix(*row) for row in angles]))
    assert np.allclose(thin.angle_between(by_angles, by_matrix), 0, atol=1e-6)
    assert thin.angle_between(
        by_angles[:, :1], thin.of_angles((angles[:1] + np.array([[0, 0.3, 0]])).T * 65_536 / (2 * math.pi))
    )[0] == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize("sign", [1, -1])
def test_angles_near_the_quarter_turn_stand_the_noise_of_float32(sign: int) -> None:
    random = np.random.default_rng(5)
    for away in (0, 1e-6, 3e-6, 1e-5, 1e-4, 1e-3):
        turns = [turn_matrix(sign * (math.pi / 2 - away), *random.uniform(-3, 3, 2)) for _ in range(50)]
        parents, own = np.zeros((2, 50, 4, 4), np.float32)
        for i, turn in enumerate(turns):
            parent = turn_matrix(*random.uniform(-3, 3, 3))
            parents[i, :3, :3], own[i, :3, :3] = parent, parent @ turn
        rotation, _ = pose_math.relative(own, parents, (0, 0, 0))
        found = pose_math.angles(rotation) / 65_536 * 2 * math.pi
        assert np.abs(np.array([turn_matrix(*angles) for angles in found]) - turns).max() < 3e-6


def test_matrices_relative_to_the_parent() -> None:
    parent, own = np.eye(4), np.eye(4)
    parent[:3, :3], parent[:3, 3] = turn_matrix(0.2, 1.0, -0.4), (5, 6, 7)
    local = turn_matrix(0.1, -0.5, 0.8)
    own[:3, :3] = parent[:3, :3] @ local
    own[:3, 3] = parent[:3, 3] + parent[:3, :3] @ np.array([1.0, 2.5, 3.0])
    rotation, offset = pose_math.relative([own], [parent], (1.0, 2.0, 3.0))
    assert np.allclose(rotation[0], local)
    assert np.allclose(offset, [[0, 0.5, 0]])


def recording(**options: Any) -> TrackRecorder:
    recorder = TrackRecorder(0, 700, window_length=300, **options)
    recorder.tell(lambda writer: writer.set_info("engine", "game", "map", "test", (4096, 4096)))
    recorder.tell(lambda writer: writer.add_team(0, leader="somebody"))
    recorder.tell(lambda writer: writer.add_weapon_definition("shell"))
    tank = recorder.add_unit_definition(
        "tank", 40.0, (32, 32), [Piece("turret", 20.0), Piece("flare", None, (0, 1, 0), is_baked=True)]
    )
    count = 234
    for start in (0, 20):
        place, turn = walk(count - start, 1.2)
        frames = np.arange(start, count) * 3
        recorder.add_unit(
            7, tank, 0, int(frames[0]), 700,
            frames=frames, position=place.T, front=curves.front(turn).T, up=curves.up(turn).T,
            status_frames=frames, health=0.5 + 0.5 * np.sin(frames / 99), build_progress=np.ones(len(frames)),
            on=frames % 200 < 100,
        )  # fmt: skip
    angle = np.cumsum(RANDOM.normal(scale=0.002, size=(count, 3)), axis=0) + np.linspace(0, 40, count)[:, None]
    matrices = np.array([turn_matrix(*row) for row in angle])
    recorder.add_pose(0, 0, np.arange(count) * 3, np.zeros((count, 3)), matrices)
    whole = np.tile(np.eye(4), (count, 1, 1))
    whole[:, :3, :3] = matrices
    whole[:, 1, 3] = 1
    recorder.add_pose_matrices(0, 1, np.arange(count) * 3, whole, None)
    time = np.arange(280, 420)
    speed = np.stack((np.full(140, 5.0), 7 - 0.1 * (time - 280), np.zeros(140)), axis=1)
    recorder.add_projectile(0, 0, 1, frames=time, position=np.cumsum(speed, axis=0), velocity=speed)
    every = np.arange(0, 701)
    recorder.add_number(0, "metal", every, np.cumsum(RANDOM.normal(size=701)) + 400)
    recorder.add_number(0, "metal_storage", [0, 90, 600], [1000, 1500, 900.25])
    recorder.add_number(0, "supply", [310, 320], [12, 13])
    recorder.tell(lambda writer: writer.add_targets(1, 1, [(90, "unit", 0), (300, "projectile", 0)]))
    return recorder


def test_every_sample_is_within_its_tolerance_of_what_a_reader_sees(tmp_path: Path) -> None:
    recorder = recording()
    path = tmp_path / "made.cbtrack"
    report = recorder.write(path)
    with ksreplay.open(path) as track:
        assert isinstance(track, Track)
        assert track.validate() == []
        assert track.header.rotation_bits == steps.rotation_bits(0.5, 40.0)
        # measured here once more, sample by sample and by another way than the recorder's
        furthest: list[float] = []
        for handle, unit in enumerate(recorder.units):
            rows = track.unit(handle).path(unit.time)
            off = np.stack([rows[axis] for axis in "xyz"]) - unit.place
            dot = np.abs((np.stack([rows[f"rotation_{axis}"] for axis in "xyzw"]) * unit.turn).sum(axis=0))
            far = np.sqrt((off**2).sum(axis=0)) + 40.0 * 2 * np.arccos(np.minimum(dot, 1))
            assert far.max() <= 0.5 + 1e-5
            furthest.append(float(far.max()))
            assert np.abs(rows["health"] * 65_535 - unit.status[0]).max() <= 1 + 1e-6
            assert (rows["on"] == unit.on).all()
        assert max(furthest) == pytest.approx(report.worst["unit"].distance, abs=1e-5)
        flight = recorder.flights[0]
        for frame, place in zip(flight.time, flight.place.T, strict=True):
            (row,) = track.state(int(frame))["projectiles"]
            assert math.dist(row["position"], place) <= 0.5
        storage = [track.state(frame)["team_values"][1]["value"] for frame in (0, 89, 90, 599, 600, 700)]
        assert storage == [1000, 1000, 1500, 1500, 900.25, 900.25]
        supply = [
            next(row["value"] for row in track.state(frame)["team_values"] if row["name"] == "supply")
            for frame in (309, 310, 319, 320, 700)
        ]
        assert supply == [None, 12, 12, 13, 13]
    document = report.to_dict()
    assert document["bytes"] == path.stat().st_size
    assert document["samples"]["transforms"] == 234 + 214
    assert document["kept"]["transforms"] <= document["written"]["transforms"] < document["samples"]["transforms"] / 2
    assert {name for name, size in document["section_bytes"].items() if size} == set(proof.SECTIONS) - {"queues"}
    assert {name for name, size in document["section_raw"].items() if size} == set(proof.SECTIONS) - {"queues"}
    assert document["section_bytes"]["transforms"] < document["section_raw"]["transforms"]
    # two units in three windows, one of them with two posed pieces and one that aims; a projectile in two windows
    expected = {"units": 6, "transforms": 6, "statuses": 6, "targets": 2, "poses": 6, "queues": 0, "projectiles": 2}
    assert document["curves"] == {**expected, "numbers": 3 * 2 + 2}
    assert document["written"]["units"] == 6
    padding = document["bytes"] - sum(document["parts"].values())
    assert 0 <= padding < 64 * (2 + 3)
    assert document["worst"]["piece"]["distance"] <= 0.5
    assert "unit[0].pose" in document["worst"]["piece"]["where"]
    assert document["projectile_velocity"].keys() == {"error", "where"}
    assert document["projectile_velocity"]["where"].startswith("projectile[0] at frame ")
    assert document["baked"] == ["tank"]


def test_a_sample_that_is_too_far_is_an_error_and_leaves_no_file(tmp_path: Path) -> None:
    recorder = recording(position_shift=0, rotation_bits=8)
    with pytest.raises(ksreplay.ReplayError) as error:
        recorder.write(tmp_path / "made.cbtrack")
    assert error.value.code == "sample-out-of-tolerance"
    assert error.value.where.startswith("unit[")
    assert " at frame " in error.value.where
    assert error.value.found > 0.5
    assert list(tmp_path.iterdir()) == []


def test_a_beam_that_stays_in_its_place_is_reported_by_its_velocity() -> None:
    recorder = TrackRecorder(0, 20)
    recorder.tell(lambda writer: writer.set_info("", "", "", "", (8, 8)))
    recorder.add_projectile(
        None, None, None, frames=np.arange(3), position=np.zeros((3, 3)), velocity=np.tile([620.0, 0, 0], (3, 1))
    )
    _, report = recorder.build()
    # in the middle of two such keys the slope is minus half the velocity
    assert report.projectile_velocity.distance == pytest.approx(1.5 * 620, rel=1e-3)
    assert report.projectile_velocity.where == "projectile[0] at frame 1"


def one_sample(recorder: TrackRecorder, **changes: Any) -> int:
    samples = {"frames": [0], "position": [[0, 0, 0]], "front": [[0, 0, 1]], "up": [[0, 1, 0]], **changes}
    return recorder.add_unit(1, samples.pop("definition", 0), 0, 0, 20, **samples)


def pose(recorder: TrackRecorder, piece: int = 0, **changes: Any) -> None:
    samples = {"frames": [0], "offset": [[0, 0, 0]], "rotation": [np.eye(3)], **changes}
    recorder.add_pose(one_sample(recorder), piece, **samples)


NAN = float("nan")


@pytest.mark.parametrize(
    ("give", "code", "where"),
    [
        (lambda r: one_sample(r, frames=[0, 9, 9]), "keys-share-frame", "unit[0].frames[2]"),
        (lambda r: one_sample(r, frames=[9, 0]), "keys-share-frame", "unit[0].frames[1]"),
        (lambda r: one_sample(r, frames=[21]), "key-outside-life", "unit[0].frames"),
        (lambda r: one_sample(r, position=[[0, 0, 0]] * 2), "value-count", "unit[0].position"),
        (lambda r: one_sample(r, position=[[0, NAN, 0]]) or r.build(), "value-does-not-fit", "unit[0].position[0].y"),
        (lambda r: one_sample(r, front=[[0, 0, 0]]), "value-does-not-fit", "unit[0].front[0]"),
        (lambda r: one_sample(r, definition=4), "value-does-not-fit", "unit[0].definition"),
        (lambda r: one_sample(r, status_frames=[3], health=[NAN], build_progress=[1], on=[1]),
         "value-does-not-fit", "unit[0].health[0]"),
        (lambda r: one_sample(r, status_frames=[3, 4], health=[1, 1], build_progress=[1, 1], on=[1]),
         "value-count", "unit[0].on"),
        (lambda r: pose(r, piece=3), "value-does-not-fit", "unit[0].pose"),
        (lambda r: pose(r, rotation=[np.full((3, 3), NAN)]), "value-does-not-fit", "unit[0].pose[0].rotation[0]"),
        (lambda r: pose(r, frames=[0, 1]), "value-count", "unit[0].pose[0].rotation"),
        (lambda r: pose(r) or r.add_pose(0, 0, [1], [[0, 0, 0]], [np.eye(3)]), "piece-twice", "unit[0].pose[0]"),
        (lambda r: r.add_projectile(None, None, None, frames=[0, 1], position=[[0, 0, 0]] * 2, velocity=[[0, 0, 0]]),
         "value-count", "projectile[0].velocity"),
        (lambda r: r.add_number(0, "metal", [5, 21], [1, 2]), "key-outside-life", "number[team 0, metal]"),
        (lambda r: r.add_number(0, "metal", [5, 4], [1, 2]), "keys-share-frame", "number[team 0, metal][1]"),
        (lambda r: r.add_number(0, "metal", [5], [NAN]), "value-not-finite", "number[team 0, metal][0]"),
        (lambda r: [r.add_number(0, code, [5], [1]) for code in ("metal", 0)], "number-order", "number[team 0, 0]"),
        (lambda r: r.add_unit_definition("x", NAN), "value-does-not-fit", "unit_definition[1].radius"),
    ],
)  # fmt: skip
def test_samples_that_cannot_be_are_errors_that_name_them(give: Any, code: str, where: str) -> None:
    recorder = TrackRecorder(0, 20)
    recorder.add_unit_definition("tank", 40.0, pieces=[Piece("turret", 20.0)])
    with warnings.catch_warnings(), pytest.raises(ksreplay.ReplayError) as error:
        warnings.simplefilter("error")
        give(recorder)
    assert (error.value.code, error.value.where) == (code, where)


def test_an_option_that_cannot_be_is_told_before_anything_is_sampled() -> None:
    with pytest.raises(ksreplay.ReplayError):
        TrackRecorder(0, 20, position_shift=300)
    with pytest.raises(TypeError):
        TrackRecorder(0, 20, tolerence=0.25)


def test_a_tolerance_is_the_one_that_the_header_holds() -> None:
    assert TrackRecorder(0, 20, tolerance=0.7).tolerance == float(np.float32(0.7)) < 0.7


def test_before_its_first_change_a_resource_is_0_and_a_parameter_not_set() -> None:
    recorder = TrackRecorder(0, 100, window_length=30)
    recorder.tell(lambda writer: writer.add_team(0))
    for code in ("metal", "metal_storage", "supply"):
        recorder.add_number(0, code, [70, 90], [500, 600])
    track = ksreplay.open(recorder.build()[0])
    assert isinstance(track, Track)
    assert track.validate() == []
    found = {
        (row["name"], frame): row["value"] for frame in (0, 69, 70, 90) for row in track.state(frame)["team_values"]
    }
    for code in ("metal", "metal_storage"):
        values = [found[code, frame] for frame in (0, 69, 70, 90)]
        assert values == pytest.approx([0, 0, 500, 600], abs=0.6)
    assert [found["supply", frame] for frame in (0, 69, 70, 90)] == [None, None, 500, 600]

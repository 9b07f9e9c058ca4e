"""What is written reads back as the curves that were given, in every window, and breaks no rule."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import ksreplay
from ksreplay.formats.cbtrack_build import build_chunk, build_file
from ksreplay.replays.cbtrack import Track
from ksreplay.semantics.cbtrack import curves, steps
from ksreplay.semantics.cbtrack.encode import encode_info, encode_main
from ksreplay.semantics.cbtrack.rewrite import header_values
from ksreplay.semantics.cbtrack.writer import TrackWriter

NAN = float("nan")

SLOW = settings(
    max_examples=25, deadline=None, phases=(Phase.explicit, Phase.generate), suppress_health_check=list(HealthCheck)
)


def read(writer: TrackWriter) -> Track:
    track = ksreplay.open(writer.build(), private=True)
    assert isinstance(track, Track)
    assert track.validate() == [], [str(problem) for problem in track.validate()]
    return track


# The page's figures.


def test_steps_of_the_page() -> None:
    assert steps.position_shift(0.5) == 3
    assert round(steps.position_error(3), 5) == 0.10825
    assert round(steps.position_error(2), 5) == 0.21651
    assert steps.velocity_shift(0.5, 900) == 11
    assert round(steps.velocity_error(11, 900), 5) == 0.09514
    assert steps.velocity_shift(0.5, 300) == 10
    assert (steps.rotation_bits(0.5, 85), steps.rotation_bits(0.5, 130)) == (12, 13)
    assert f"{steps.rotation_error(12) * 85:.6f}".startswith("0.10171")
    found = [steps.rotation_error(bits) for bits in (10, 11, 12, 13, 16)]
    assert found == pytest.approx([0.004793, 0.002394, 0.001197, 0.000598, 0.000075], abs=1e-6)
    with pytest.raises(ksreplay.ReplayError) as error:
        steps.rotation_bits(0.5, 10_000)
    assert error.value.code == "no-step"


@pytest.mark.parametrize(
    ("span", "count"), [(0, 1), (1, 1), (899, 1), (900, 1), (901, 2), (1800, 2), (82_496, 92), (23_091, 26)]
)
def test_window_counts_of_the_page(span: int, count: int) -> None:
    assert TrackWriter(10, 10 + span).header.num_windows == count


def test_halves_are_rounded_away_from_zero() -> None:
    assert steps.round_away([0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 0.0]).tolist() == [1, -1, 2, 3, -3, 0, 0]
    assert steps.fraction([-1, 0.5, 2]).tolist() == [0, 32_768, 65_535]


def test_rotation_by_front_and_up_is_what_front_and_up_give_back() -> None:
    random = np.random.default_rng(5)
    quaternion = random.normal(size=(4, 200))
    quaternion /= np.linalg.norm(quaternion, axis=0)
    again = steps.rotation_of(curves.front(quaternion).T, curves.up(quaternion).T)
    assert np.allclose(np.abs((quaternion * again).sum(axis=0)), 1.0)
    dropped, kept = steps.pack_rotation(quaternion, 16)
    stored = curves.quaternions(dropped, kept, 2**15 - 1)
    angle = 2 * np.arccos(np.clip(np.abs((quaternion * stored).sum(axis=0)), 0, 1))
    assert angle.max() <= steps.rotation_error(16) + 1e-6


# Any match.


def frames_in(first: int, last: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(first, last), min_size=1, max_size=8, unique=True).map(sorted)


@st.composite
def matches(draw: st.DrawFn) -> tuple[TrackWriter, dict[str, Any]]:
    first = draw(st.integers(0, 50))
    last = first + draw(st.integers(0, 60))
    writer = TrackWriter(
        first,
        last,
        window_length=draw(st.integers(1, 40)),
        rotation_bits=draw(st.integers(8, 16)),
        position_shift=3,
        velocity_shift=10,
    )
    writer.set_info("engine", "game", "map ß", "test", (4096, 4096))
    tank = writer.add_unit_definition("tank", (32, 48), ("turret", "barrel"))
    writer.add_weapon_definition("shell")
    writer.add_feature_definition("tree")
    writer.add_team(0, leader="a")
    writer.add_team(3, 1, leader="b", is_ai=True)

    def life() -> tuple[int, int]:
        a, b = draw(st.integers(first, last)), draw(st.integers(first, last))
        return min(a, b), max(a, b)

    def vectors(count: int, low: int, high: int, width: int = 3) -> np.ndarray:
        values = st.lists(st.integers(low, high), min_size=count * width, max_size=count * width)
        return np.array(draw(values), float).reshape(count, width) / 8

    truth: dict[str, Any] = {"units": [], "shots": [], "numbers": {}}
    for i in range(draw(st.integers(0, 4))):
        a, b = life()
        time = draw(frames_in(a, b))
        place = vectors(len(time), -3_000_000, 3_000_000)
        rotation = vectors(len(time), -40, 40, 4)
        rotation[np.abs(rotation).sum(axis=1) == 0] = (0, 0, 0, 1)
        status = draw(frames_in(a, b))
        health = [draw(st.floats(-1, 2)) for _ in status]
        on = [draw(st.booleans()) for _ in status]
        unit = writer.add_unit(
            i % 2, tank, draw(st.sampled_from([0, 3])), a, b,
            frames=time, position=place, rotation=rotation,
            status_frames=status, health=health, build_progress=[1.0] * len(status), on=on,
        )  # fmt: skip
        truth["units"].append((a, b, time, place, status, steps.fraction(health), on))
        for piece in draw(st.sets(st.integers(0, 1))):
            keys = draw(frames_in(a, b))
            writer.add_pose(unit, piece, keys, vectors(len(keys), -800_000, 800_000), vectors(len(keys), -99, 99))
        if draw(st.booleans()):
            keys = draw(frames_in(a, b))
            items = [[(tank, 8.0 * n, -16.5, n % 4)] * draw(st.integers(0, 2)) for n in range(len(keys))]
            writer.add_queue(unit, zip(keys, items, strict=True))
    for _ in range(draw(st.integers(0, 4))):
        a, b = life()
        time = sorted({a, b, *draw(frames_in(a, b))})
        place, speed = vectors(len(time), -9_000, 9_000), vectors(len(time), -900, 900)
        owner = draw(st.sampled_from([None, *range(len(writer.units))]))
        writer.add_projectile(
            draw(st.sampled_from([0, None])), draw(st.sampled_from([3, None])), owner,
            frames=time, position=place, velocity=speed,
        )  # fmt: skip
        truth["shots"].append((a, b, time, place, speed))
    for i in range(draw(st.integers(0, 2))):
        writer.add_feature(i, 0, None, *life(), (i * 8.0, 0.125, -3.0))
    aims = (("unit", writer.units), ("projectile", writer.projectiles), ("feature", writer.features))
    for handle, unit in enumerate(writer.units):
        for weapon in draw(st.sets(st.integers(0, 2))):
            keys: list[Any] = []
            for frame in draw(frames_in(unit.first, unit.last)):
                kind, things = draw(st.sampled_from(aims))
                lives = [t[4:6] if isinstance(t, tuple) else (t.first, t.last) for t in things]
                there = [n for n, (x, y) in enumerate(lives) if x <= frame <= y]
                if there:
                    keys.append((frame, kind, draw(st.sampled_from(there))))
                else:
                    keys.append((frame, *draw(st.sampled_from([("position", (1.0, 2.0, 3.5)), ("nothing", None)]))))
            writer.add_targets(handle, weapon, keys, [] if weapon else [17] * len(keys))
    for team, code in draw(st.sets(st.sampled_from([(0, "metal"), (3, "energy"), (0, "supply"), (None, "lava")]))):
        keys = draw(frames_in(first, last))
        values = [draw(st.floats(-1e6, 1e6, width=32)) for _ in keys]
        writer.add_number(team, code, keys, values)
        truth["numbers"][team, code] = (keys, values)
    count = draw(st.integers(0, 12))
    if count:
        column = st.lists(st.integers(0, 3), min_size=count, max_size=count)
        frames = draw(st.lists(st.integers(first, last), min_size=count, max_size=count))
        heights = draw(st.lists(st.integers(-40, 40), min_size=count, max_size=count))
        writer.add_terrain(frames, draw(column), draw(column), np.array(heights) / 16, np.full(count, 1.0))
    return writer, truth


@SLOW
@given(matches())
def test_any_match_reads_back(match: tuple[TrackWriter, dict[str, Any]]) -> None:
    writer, truth = match
    track = read(writer)
    header = track.header
    order = sorted(range(len(writer.units)), key=lambda handle: writer.units[handle].first)
    shots = sorted(range(len(writer.projectiles)), key=lambda handle: writer.projectiles[handle].first)
    for k, window in enumerate(track.windows):
        for frame in range(window.start, window.end + 1):
            state = track.state(frame, window=k)
            there = {row["serial"]: row for row in state["units"]}
            assert sorted(there) == [
                s for s, handle in enumerate(order) if truth["units"][handle][0] <= frame <= truth["units"][handle][1]
            ]
            for serial, row in there.items():
                _, _, time, place, status, health, on = truth["units"][order[serial]]
                expected = [np.interp(frame, time, place[:, axis]) for axis in range(3)]
                slack = 0 if frame in time or len(time) == 1 else 2.1 * header.position_step
                assert np.allclose(row["position"], expected, rtol=1e-12, atol=slack + 1e-9)
                assert abs(row["health"] * 65_535 - np.interp(frame, status, health)) <= 1.01
                held = [value for at, value in zip(status, on, strict=True) if at <= frame] or on[:1]
                assert row["on"] == held[-1]
            flying = {row["serial"]: row for row in state["projectiles"]}
            for serial, row in flying.items():
                a, b, time, place, speed = truth["shots"][shots[serial]]
                assert a <= frame <= b
                if frame in time:
                    assert row["position"] == place[time.index(frame)].tolist()
                    assert row["velocity"] == speed[time.index(frame)].tolist()
            for row in state["team_values"]:
                keys, values = truth["numbers"].get((row["team"], row["name"]), ((), ()))
                is_resource = row["code"] < 256
                if not keys:
                    assert row["value"] == (0 if is_resource else None)
                elif not is_resource and frame < keys[0]:
                    assert row["value"] is None
                else:
                    assert row["value"] == pytest.approx(np.interp(frame, keys, values), rel=1e-5, abs=1e-2)
    # both sides of every edge agree on everything but whole turns
    for k in range(1, header.num_windows):
        frame = header.window_start(k)
        before, after = (track.state(frame, window=j) for j in (k - 1, k))
        for state in (before, after):
            del state["window"]
            for shot in state["projectiles"]:
                del shot["owner"]
            for unit in state["units"]:
                unit["poses"] = {
                    pose["piece"]: ([angle % 65_536 for angle in pose["angle"]], pose["offset"])
                    for pose in unit["poses"]
                    if any(angle % 65_536 for angle in pose["angle"]) or any(pose["offset"])
                }
                unit["targets"] = {t["weapon"]: t for t in unit["targets"] if t["kind"] != "nothing"}
        assert before == after


@SLOW
@given(matches())
def test_terrain_forward_then_backward_is_the_identity(match: tuple[TrackWriter, dict[str, Any]]) -> None:
    writer, _ = match
    track = read(writer)
    heights: dict[tuple[int, int], float] = {}
    table = track.tables["terrain"]
    for x, z, before in zip(table["x"][::-1], table["z"][::-1], table["before"][::-1], strict=True):
        heights[int(x), int(z)] = float(before)
    own = dict(heights)
    first, last = track.header.first_frame, track.header.last_frame
    frames = [None, *range(first, last + 1)]
    for a, b in [*pairwise(frames), (last, None), (None, last)]:
        steps_ = track.terrain(a, b)
        for x, z, height in zip(steps_.x, steps_.z, steps_.height, strict=True):
            heights[int(x), int(z)] = float(height)
        if b is None:
            assert heights == own


def a_writer(**options: Any) -> TrackWriter:
    writer = TrackWriter(0, 100, window_length=50, rotation_bits=12, **options)
    writer.set_info("engine", "game", "map", "test", (4096, 4096))
    writer.add_unit_definition("tank", (32, 48), ("turret",))
    writer.add_team(0)
    return writer


def a_unit(writer: TrackWriter, first: int = 0, last: int = 100, **options: Any) -> int:
    given_ = {"frames": [first], "position": [[8.0, 0, 0]], **options}
    return writer.add_unit(1, 0, 0, first, last, **given_)


def aim(writer: TrackWriter, kind: str | int, what: Any, *, weapon: int = 1, power: Any = ()) -> None:
    writer.add_targets(a_unit(writer), weapon, [(0, kind, what)], power)


def fire(
    writer: TrackWriter,
    owner: int | None = None,
    definition: int | None = None,
    speed: float = 1.0,
    frames: tuple[int, int] = (0, 9),
) -> None:
    places, speeds = [[0, 0, 0], [9, 0, 0]], [[speed, 0, 0]] * 2
    writer.add_projectile(definition, None, owner, frames=frames, position=places, velocity=speeds)


def test_a_unit_that_stands_still_has_one_key_in_each_window() -> None:
    writer = a_writer()
    a_unit(writer)
    track = read(writer)
    assert [window.main.transforms.time.tolist() for window in track.windows] == [[0], [0]]
    assert not {10, 11, 12} & set(track.tables["unit_entries"]["queue_keys"].tolist())


def test_a_key_is_worked_out_at_the_edge_and_the_middle_of_three_left_out() -> None:
    writer = a_writer()
    a_unit(writer, frames=[0, 10, 20, 30, 80], position=[[0, 0, 0]] * 3 + [[0, 0, 0], [50, 0, 0]])
    main = [window.main.transforms for window in read(writer).windows]
    assert [keys.time.tolist() for keys in main] == [[0, 30, 50], [0, 30]]
    assert [keys.position[0].tolist() for keys in main] == [[0, 0, 160], [160, 400]]


def test_a_vanished_target_is_followed_by_nothing() -> None:
    writer = a_writer()
    holder, victim = a_unit(writer), a_unit(writer, 10, 49)
    writer.add_targets(holder, 1, [(20, "unit", victim)])
    track = read(writer)
    kinds = [
        [target["kind"] for target in track.state(frame)["units"][0]["targets"]] for frame in (0, 19, 20, 49, 50, 80)
    ]
    assert kinds == [["nothing"], ["nothing"], ["unit"], ["unit"], [], []]
    assert track.windows[0].main.targets.time.tolist() == [0, 20, 50]


def test_angles_are_shifted_by_whole_turns_in_each_window() -> None:
    writer = a_writer()
    unit = a_unit(writer)
    writer.add_pose(unit, 0, [0, 50, 100], [[0, 0, 0], [655_360 + 5, 0, -65_536], [1_310_725, 0, 0]], [[0, 0, 0]] * 3)
    poses = [window.main.poses.angle for window in read(writer).windows]
    assert poses[0].tolist() == [[0, 655_365], [0, 0], [0, -65_536]]
    assert poses[1].tolist() == [[5, 655_365], [0, 0], [0, 65_536]]


@pytest.mark.parametrize(
    ("give", "code", "where"),
    [
        (lambda w: a_unit(w, position=[[2_097_152.0, 0, 0]]), "value-does-not-fit", "unit[0].position[0].x"),
        (lambda w: a_unit(w, position=[[0, 0, NAN]]), "value-does-not-fit", "unit[0].position[0].z"),
        (lambda w: a_unit(w, position=[[1, 2]]), "value-count", "unit[0].position"),
        (lambda w: a_unit(w, frames=[5, 5], position=[[0, 0, 0]] * 2), "keys-share-frame", "unit[0].frames[1]"),
        (lambda w: a_unit(w, frames=[0.5]), "value-does-not-fit", "unit[0].frames[0]"),
        (lambda w: a_unit(w, frames=[NAN]), "value-does-not-fit", "unit[0].frames[0]"),
        (lambda w: a_unit(w, 0, 101), "life-outside-window", "unit[0]"),
        (lambda w: a_unit(w, 0, 5, frames=[6]), "key-outside-life", "unit[0].frames"),
        (lambda w: a_unit(w, rotation=[[0, 0, 0, 0]]), "value-does-not-fit", "unit[0].rotation[0]"),
        (lambda w: a_unit(w, rotation=[[0, 0, 1]]), "value-count", "unit[0].rotation"),
        (lambda w: a_unit(w, front=[[0, 0, 1]], up=[[0, 0, 2]]), "value-does-not-fit", "unit[0].front[0]"),
        (lambda w: a_unit(w, front=[[0, 0, 1]]), "value-count", "unit[0]"),
        (lambda w: a_unit(w, status_frames=[0], health=[NAN], build_progress=[1], on=[1]),
         "value-does-not-fit", "unit[0].health[0]"),
        (lambda w: a_unit(w, status_frames=[0], health=[1], build_progress=[1]), "value-count", "unit[0].on"),
        (lambda w: w.add_unit(70_000, 0, 0, 0, 9, frames=[0], position=[[0, 0, 0]]),
         "value-does-not-fit", "unit[0].unit_id"),
        (lambda w: w.add_unit(1, 9, 0, 0, 9, frames=[0], position=[[0, 0, 0]]) or w.build(),
         "unit-definition", "unit[0].definition"),
        (lambda w: aim(w, "unit", 7) or w.build(), "reference-not-there", "unit[0].target[1][0]"),
        (lambda w: aim(w, "unit", None), "value-does-not-fit", "unit[0].target[1][0].reference"),
        (lambda w: aim(w, "nothing", 3), "reference-not-there", "unit[0].target[1][0]"),
        (lambda w: aim(w, "somebody", 3), "value-does-not-fit", "unit[0].target[1][0].kind"),
        (lambda w: aim(w, 256, 3), "value-does-not-fit", "unit[0].target[1][0].kind"),
        (lambda w: aim(w, "position", (1, 2)), "value-count", "unit[0].target[1][0].position"),
        (lambda w: aim(w, "position", 3), "reference-not-there", "unit[0].target[1][0]"),
        (lambda w: aim(w, "position", (1, 2, 3), power=[17]), "power-for-weapon", "unit[0].target[1].power"),
        (lambda w: aim(w, "position", (1, 2, 3), weapon=0, power=[17, 17]), "value-count", "unit[0].target[0].power"),
        (lambda w: aim(w, "position", (1, 2, 3), weapon=0, power=[300]), "value-does-not-fit",
         "unit[0].target[0][0].power"),
        (lambda w: aim(w, "nothing", None, weapon=300), "value-does-not-fit", "unit[0].target"),
        (lambda w: w.add_targets(-1, 1, []), "value-does-not-fit", "unit[-1]"),
        (lambda w: w.add_pose(a_unit(w), 1, [0], [[0, 0, 1]], [[0, 0, 0]]) or w.build(),
         "pose-piece", "unit[0].pose[1]"),
        (lambda w: w.add_pose(a_unit(w), 0, [0, 9], [[0, 0, 1], [0, NAN, 0]], [[0, 0, 0]] * 2),
         "value-does-not-fit", "unit[0].pose[0].angle[1].y"),
        (lambda w: w.add_pose(a_unit(w), 0, [0, 9], [[0, 0, 0], [0, 17e6, 0]], [[0, 0, 0]] * 2) or w.build(),
         "value-does-not-fit", "window[0].main.poses.angle.y[1]"),
        (lambda w: w.add_queue(a_unit(w), [(0, [(0, 0.0, 0.0, 4)])]), "facing", "unit[0].queue[0]"),
        (lambda w: w.add_queue(a_unit(w), [(0, [(0, 0.0, 0.0, 3)] * 256)]), "value-does-not-fit", "unit[0].queue[0]"),
        (lambda w: w.add_queue(a_unit(w), [(0, [(1, 0.0, 0.0, 3)])]) or w.build(),
         "unit-definition", "unit[0].queue[0].definition"),
        (lambda w: fire(w, owner=-1), "value-does-not-fit", "projectile[0].owner"),
        (lambda w: fire(w, definition=9) or w.build(), "weapon-definition", "projectile[0].definition"),
        (lambda w: fire(w, speed=1e6), "value-does-not-fit", "projectile[0].velocity[0].x"),
        (lambda w: w.add_feature(1, 0, None, 0, 9, (0, 0, 0), (0, 0, 0, NAN)),
         "value-does-not-fit", "feature[0].rotation[0]"),
        (lambda w: w.add_feature(1, 0, None, 0, 9, (0, 0, 0)) or w.build(),
         "feature-definition", "feature[0].definition"),
        (lambda w: w.add_number(0, 1, [0], [float("inf")]), "value-not-finite", "number[team 0, 1]"),
        (lambda w: w.add_number(0, 256, [0], [1.0]), "parameter-not-named", "number[team 0, 256]"),
        (lambda w: w.add_number(9, "metal", [0], [1.0]) or w.build(), "number-team", "number[team 9, 0]"),
        (lambda w: [w.add_number(0, 1, [0], [1.0]) for _ in range(2)], "number-order", "number[team 0, 1]"),
        (lambda w: w.add_terrain([0], [65_536], [0], [1.0], [0.0]), "value-does-not-fit", "terrain.x[0]"),
        (lambda w: w.add_terrain([0, 1], [1], [0], [1.0], [0.0]), "value-count", "terrain.x"),
        (lambda w: w.add_terrain([0, 0], [1, 2], [0, 0], [2e6, -2e6], [-2e6, 2e6]) or w.build(),
         "value-does-not-fit", "window[0].terrain.before[1]"),
        (lambda w: w.add_team(0), "team-twice", "team[0]"),
        (lambda w: w.add_team(255), "value-does-not-fit", "team[255]"),
        (lambda w: w.add_team(1, colour=(0, 256, 0)), "value-does-not-fit", "team[1].colour[1]"),
        (lambda w: w.add_team(1, leader="\ud800"), "not-utf8", "team[1].leader"),
        (lambda w: w.add_weapon_definition("x" * 65_536), "value-does-not-fit", "weapon_definition[0]"),
        (lambda w: w.add_unit_definition("x", (70_000, 8)), "value-does-not-fit", "unit_definition[1].footprint[0]"),
        (lambda w: w.set_info("", "", "", "", (8, -8)), "value-does-not-fit", "info.map_size[1]"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_an_error_that_names_it(give: Any, code: str, where: str) -> None:
    with warnings.catch_warnings(), pytest.raises(ksreplay.ReplayError) as error:
        warnings.simplefilter("error")
        give(a_writer())
    assert (error.value.code, error.value.where.removesuffix("[0]")) == (code, where.removesuffix("[0]"))


@pytest.mark.parametrize(
    "option",
    [
        {"last_frame": 0.5}, {"first_frame": -1}, {"window_length": 65_536}, {"recorder_version": 65_536},
        {"frames_per_second": -1}, {"sample_gap": 256}, {"position_shift": 256}, {"velocity_shift": -1},
        {"rotation_bits": 17}, {"game_id": b"short"}, {"tolerance": 1e39}, {"resource_tolerance": float("inf")},
        {"resource_fraction": -1.0}, {"level": 10},
    ],
    ids=lambda option: next(iter(option)),
)  # fmt: skip
def test_an_option_that_does_not_fit_is_an_error_that_names_it(option: dict[str, Any]) -> None:
    with pytest.raises(ksreplay.ReplayError) as error:
        TrackWriter(**{"first_frame": 0, "last_frame": 9, "rotation_bits": 9, **option})
    assert error.value.code == "value-does-not-fit"
    assert error.value.where.removeprefix("header.") in option


def test_handles_and_places_may_be_numpy() -> None:
    writer = a_writer()
    for _ in range(3):
        holder = a_unit(writer)
    keys = [(np.int64(3), "unit", np.int64(1)), (9, "position", np.array([1.0, 2, 3])), (20, "position", [4, 5, 6])]
    writer.add_targets(np.int64(holder), 1, keys)
    aims = [read(writer).state(frame)["units"][2]["targets"][0] for frame in (3, 9, 20)]
    assert [(aim["reference"], aim["position"]) for aim in aims] == [(1, None), (None, [1, 2, 3]), (None, [4, 5, 6])]


def test_numbers_follow_the_rules_of_windows() -> None:
    writer = a_writer()
    writer.add_number(0, "metal", [0, 100], [0.0, 0.0])
    writer.add_number(0, "metal_storage", [60, 61], [0.0, 9.0])
    writer.add_number(0, "supply", [50, 70], [4.0, 4.0])
    numbers = [window.main.numbers for window in read(writer).windows]
    assert [list(zip(n.team.tolist(), n.code.tolist(), strict=True)) for n in numbers] == [
        [(0, 256)],
        [(0, 1), (0, 256)],
    ]
    assert numbers[0].time.tolist() == [50]
    assert numbers[1].time.tolist() == [10, 11, 0, 20]


def test_terrain_keeps_its_three_rules() -> None:
    writer = a_writer()
    writer.add_terrain(
        [0, 0, 20, 30, 30, 50, 60],
        [1, 1, 1, 1, 2, 1, 1],
        [1, 1, 1, 1, 1, 1, 1],
        [3.0, 2.0, 2.01, 5.0, 1.0, 6.0, 7.0],
        [1.0, 9.0, 9.0, 9.0, 0.5, 9.0, 9.0],
    )
    rows = [(r["window"], r["frame"], r["x"], r["before"], r["after"]) for r in read(writer).tables["terrain"].rows()]
    assert rows == [
        (0, 0, 1, 1.0, 2.0),
        (0, 30, 1, 2.0, 5.0),
        (0, 30, 2, 0.5, 1.0),
        (0, 50, 1, 5.0, 6.0),
        (1, 60, 1, 6.0, 7.0),
    ]


def changed(writer: TrackWriter, k: int, change: Any) -> list[tuple[str, str]]:
    """What the checker finds in the track after ``change`` of the stored columns of the main chunk of window ``k``."""
    track = read(writer)
    windows: list[tuple[bytes | None, bytes | None]] = []
    for i, window in enumerate(track.windows):
        columns = encode_main(window.main)
        if i == k:
            change(columns)
        windows.append((build_chunk(columns), None))
    info, features = (track.unwrap(name) for name in ("info", "features"))
    with ksreplay.open(build_file(header_values(track.header), info, features, windows)) as broken:
        return [(problem.code, problem.where) for problem in broken.validate()]


def put(column: int, row: int, value: int) -> Any:
    """A change of one stored value."""

    def change(columns: dict[int, np.ndarray]) -> None:
        columns[column] = columns[column].copy()
        columns[column][row] = value

    return change


@pytest.mark.parametrize(
    ("k", "change", "code", "where"),
    [
        (1, put(1, 0, 9), "serial-of-another", "window[1].main.units[serial 0]"),
        (1, put(81, 0, 65_535), "serial-of-another", "window[1].main.projectiles[serial 0]"),
        (0, put(5, 0, 0), "flags-against-window", "window[0].main.units[serial 0]"),
        (1, put(5, 0, 0), "flags-against-window", "window[1].main.units[serial 0]"),
        (1, put(83, 0, 0), "flags-against-window", "window[1].main.projectiles[serial 0]"),
        (0, put(42, 2, 30), "target-gone", "window[0].main.column[44][1]"),
        (0, put(42, 1, 5), "target-gone", "window[0].main.column[44][1]"),
    ],
)
def test_what_windows_say_of_one_thing_is_checked(k: int, change: Any, code: str, where: str) -> None:
    writer = a_writer()
    writer.add_weapon_definition("shell")
    holder, victim = a_unit(writer), a_unit(writer, 10, 39)
    fire(writer, definition=0, frames=(40, 60))
    writer.add_targets(holder, 1, [(20, "unit", victim)])
    assert (code, where) in changed(writer, k, change)


def test_serial_numbers_follow_first_appearance() -> None:
    writer = a_writer()
    a_unit(writer)
    a_unit(writer, 10)

    def swap(columns: dict[int, np.ndarray]) -> None:
        columns[2] = columns[2][::-1]

    assert ("serial-order", "units[serial 1]") in changed(writer, 0, swap)


def test_a_footprint_is_missing_from_recorder_version_3_on() -> None:
    for version, found in ((2, ["recorder-stale"]), (3, ["recorder-stale", "footprint-missing"])):
        track = read(a_writer())
        info = {column: values for column, values in encode_info(track.match_info).items() if column < 181}
        windows = [(track.unwrap(f"window[{k}].main"), None) for k in range(2)]
        header = {**header_values(track.header), "recorder_version": version}
        data = build_file(header, build_chunk(info), track.unwrap("features"), windows)
        with ksreplay.open(data) as older:
            assert [problem.code for problem in older.validate()] == found

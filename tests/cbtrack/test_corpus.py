"""Every track of the corpus agrees with its ground truth: header, info, sums of columns, and thousands of values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import corpus_folder

import ksreplay
from ksreplay.replays.cbtrack import Track

FOLDER = (corpus_folder() or Path("absent")) / "cbtrack"
TRUTHS = [path for path in sorted(FOLDER.rglob("*.json")) if path.with_suffix(".cbtrack").exists()]

pytestmark = pytest.mark.skipif(not TRUTHS, reason="no ../shared/corpus beside the repository")

# name in the truth files -> name in the layout
HEADER = {
    "magic": "magic",
    "version": "format_version",
    "header_size": "len_header",
    "recorder": "recorder_version",
    "fps": "frames_per_second",
    "first": "first_frame",
    "last": "last_frame",
    "length": "window_length",
    "windows": "num_windows",
    "info_block": "blk_info",
    "info_size": "len_info",
    "features_block": "blk_features",
    "features_size": "len_features",
    "units": "num_units",
    "projectiles": "num_projectiles",
    "features": "num_features",
}


@pytest.fixture(scope="module", params=TRUTHS, ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")))
def case(request: pytest.FixtureRequest) -> Iterator[tuple[Track, dict[str, Any]]]:
    with ksreplay.open(request.param.with_suffix(".cbtrack")) as track:
        assert isinstance(track, Track)
        yield track, json.loads(request.param.read_text("utf-8"))


def test_header(case: tuple[Track, dict[str, Any]]) -> None:
    track, truth = case
    details = track.info()["details"]
    for name, value in truth["header"].items():
        assert details[HEADER.get(name, name)] == value, name


def test_info(case: tuple[Track, dict[str, Any]]) -> None:
    track, truth = case
    document, info = track.info(full=True), truth["info"]
    assert document["complete"]
    assert (document["game"], document["map"]) == (info["game"], info["map"])
    assert (document["details"]["engine"], document["details"]["writer"]) == (info["engine"], info["writer"])
    assert [(p["id"], p["name"], p["side"], p["ally_team"], p["is_ai"], p["colour"]) for p in document["players"]] == [
        (t["id"], t["leader"], t["side"], t["ally"], t["ai"], t["colour"]) for t in info["teams"]
    ]
    names = document["details"]["info"]
    assert names["unit_definitions"] == info["unit_defs"]
    assert names["weapon_definitions"] == info["weapon_defs"]
    assert names["feature_definitions"] == info["feature_defs"]
    assert names["posed_pieces"] == info["posed"]
    assert names["map_size"] == info["map_size"]
    assert names["footprints"] == info["footprints"]
    assert names["team_parameters"] == info["team_params"]
    assert names["game_parameters"] == info["game_params"]
    rows, totals = document["tables"], truth["totals"]
    for table in ("unit_entries", "transform_keys", "status_keys", "target_keys", "pose_keys", "projectile_keys"):
        assert rows[table] == totals[table], table
    assert rows["team_values"] == totals["team_keys"]
    assert rows["terrain"] == totals["terrain_rows"]
    assert rows["features"] == totals["features"]
    assert rows["units"] == truth["header"]["units"]
    assert rows["projectiles"] == truth["header"]["projectiles"]


def test_sums_of_every_column(case: tuple[Track, dict[str, Any]]) -> None:
    track, truth = case
    if "sums" not in truth:
        pytest.skip("this truth file holds the columns themselves")
    got: dict[str, float] = dict.fromkeys(truth["sums"], 0)

    def add(name: str, values: Any) -> None:
        got[name] += (
            float(np.sum(values, dtype=np.float64)) if values.dtype.kind == "f" else int(np.sum(values, dtype=np.int64))
        )

    for window in track.readable_windows():
        m = window.main
        add("transform_offset", m.transforms.time)
        add("dropped", m.transforms.dropped)
        for axis, letter in enumerate("xyz"):
            add(letter, m.transforms.position[axis])
            add(f"kept_{'abc'[axis]}", m.transforms.kept[axis])
            add(f"angle_{letter}", m.poses.angle[axis])
            add(f"offset_{letter}", m.poses.offset[axis])
            add(f"projectile_{letter}", m.projectiles.position[axis])
            add(f"velocity_{letter}", m.projectiles.velocity[axis])
        add("status_offset", m.statuses.time)
        add("health", m.statuses.health)
        add("build", m.statuses.build)
        add("status_flags", m.statuses.flags)
        add("target_offset", m.targets.time)
        add("target_kind", m.targets.kind)
        add("target_ref", m.targets.reference)
        add("target_power", m.targets.power)
        add("pose_offset_in_window", m.poses.time)
        add("projectile_offset", m.projectiles.time)
        add("queue_offset", m.queues.time)
        add("number_offset", m.numbers.time)
        add("number_value", m.numbers.value)
    for rows in track.readable_terrain():
        add("terrain_frame", rows.frame)
        add("terrain_x", rows.x)
        add("terrain_z", rows.z)
        add("terrain_before", rows.before)
        add("terrain_after", rows.after)
    assert got == pytest.approx(truth["sums"], rel=1e-12)


def same(found: Any, expected: Any, place: str) -> None:
    """Equal, and numbers within 1e-9."""
    if isinstance(expected, dict):
        assert isinstance(found, dict) and found.keys() == expected.keys(), (place, found, expected)
        for key in expected:
            same(found[key], expected[key], f"{place}.{key}")
    elif isinstance(expected, list):
        assert isinstance(found, list) and len(found) == len(expected), (place, found, expected)
        for i, (a, b) in enumerate(zip(found, expected, strict=True)):
            same(a, b, f"{place}[{i}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9), place
    else:
        assert found == expected, (place, found, expected)


def unit_value(unit: dict[str, Any]) -> dict[str, Any]:
    """A unit of `Track.state` in the words of the truth files."""
    targets = {}
    for target in unit["targets"]:
        kind, value = target["kind"], {"kind": target["kind"]}
        if kind != "nothing":
            value["power"] = target["build_power"]
        if target["position"] is not None:
            value["pos"] = target["position"]
        if target["reference"] is not None:
            named = {
                "projectile": "projectile",
                "feature": "feature",
                "reclaim_feature": "feature",
                "resurrect": "feature",
            }
            value[named.get(kind, "unit")] = target["reference"]
        targets[str(target["weapon"])] = value
    return {
        "unit_id": unit["unit_id"],
        "def": unit["definition"],
        "team": unit["team"],
        "pos": unit["position"],
        "rot": unit["rotation"],
        "health": unit["health"],
        "build": unit["build_progress"],
        "on": unit["on"],
        "targets": targets,
        "poses": {str(pose["piece"]): {"angle": pose["angle"], "offset": pose["offset"]} for pose in unit["poses"]},
        "queue": [
            {"def": i["definition"], "x": i["position"][0], "z": i["position"][1], "facing": i["facing"]}
            for i in unit["queue"]
        ],
    }


def answer(track: Track, query: dict[str, Any], states: dict[Any, dict[str, Any]]) -> Any:
    what, frame = query["what"], query.get("frame")
    if what == "terrain":
        steps = track.terrain(query["from"], query["to"])
        return [list(row) for row in zip(steps.x.tolist(), steps.z.tolist(), steps.height.tolist(), strict=True)]
    if what == "window_of":
        return track.header.window_of(frame)
    if what == "number":
        team = None if query["team"] == 255 else query["team"]
        value, _ = track.windows[track.header.window_of(frame)].number(team, query["code"], frame)
        return None if np.isnan(value) else float(value)
    if frame not in states:
        states.clear()
        states[frame] = track.at(frame).to_dict(("units", "projectiles", "features"))
    state = states[frame]
    if what in ("units", "projectiles"):
        return sorted(row["serial"] for row in state[what])
    if what == "features":
        return [row["index"] for row in state[what]]
    rows = [row for row in state[f"{what}s"] if row["serial"] == query["serial"]]
    if not rows:
        return None
    return unit_value(rows[0]) if what == "unit" else rows[0]


def test_every_query(case: tuple[Track, dict[str, Any]]) -> None:
    track, truth = case
    states: dict[Any, dict[str, Any]] = {}
    assert truth["queries"]
    for query in truth["queries"]:
        found, expected = answer(track, query, states), query["value"]
        if query["what"] == "projectile" and expected is not None:
            found = {key: found[name] for key, name in (("pos", "position"), ("vel", "velocity"))}
            expected = {key: expected[key] for key in found}
        same(found, expected, str({key: value for key, value in query.items() if key != "value"}))


def test_features(case: tuple[Track, dict[str, Any]]) -> None:
    track, truth = case
    rows = list(track.tables["features"].rows())
    assert len(rows) == len(truth["features"])
    for row, feature in zip(rows, truth["features"], strict=True):
        same(
            [row["feature_id"], row["definition"], row["team"], row["existed_before"], row["exists_after"]],
            [feature[name] for name in ("id", "def", "team", "before", "after")],
            "feature",
        )
        same([row["first_frame"], row["last_frame"]], [feature["first"], feature["last"]], "life")
        same([row[axis] for axis in "xyz"], feature["pos"], "position")
        same([row[f"rotation_{axis}"] for axis in "xyzw"], feature["rot"], "rotation")

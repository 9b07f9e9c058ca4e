"""The track that a person uses: any frame, playing, threads, what is kept, tables."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ksreplay
from ksreplay.replays import cbtrack as replays
from ksreplay.replays.cbtrack import Track
from ksreplay.semantics.cbtrack.writer import TrackWriter


@pytest.fixture(scope="module")
def made() -> bytes:
    """Ten windows, units that move, a projectile over an edge, numbers, terrain."""
    writer = TrackWriter(100, 1100, window_length=100, rotation_bits=14)
    writer.set_info("engine", "game", "map", "test", (4096, 4096))
    writer.add_unit_definition("tank", (32, 32), ["turret"])
    writer.add_weapon_definition("shell")
    writer.add_feature_definition("tree")
    writer.add_team(0, leader="somebody")
    for i in range(5):
        first, last = 100 + 130 * i, min(1100, 400 + 250 * i)
        turn = np.array([[0, 0, 0, 1], [0, 0.6, 0, 0.8]])
        writer.add_unit(
            i, 0, 0, first, last, frames=[first, last], position=[[0, i, 0], [800, i, 400]], rotation=turn,
            status_frames=[first, last], health=[1, 0.25], build_progress=[0.5, 1], on=[True, False],
        )  # fmt: skip
    writer.add_pose(0, 0, [100, 400], [[0, 0, 0], [0, 9000, 0]], [[0, 0, 0], [0, 1, 0]])
    writer.add_projectile(
        0, 0, 0, frames=[190, 310], position=[[0, 0, 0], [120, 60, 0]], velocity=[[1, 2, 0], [1, -1, 0]]
    )
    writer.add_number(0, "metal", [100, 1100], [0, 1000])
    writer.add_number(0, "supply", [500], [7])
    writer.add_feature(9, 0, None, 100, 600, (8, 8, 8))
    writer.add_terrain([100, 150, 700], [1, 2, 1], [1, 1, 1], [5, 6, 7], [0, 0, 0])
    return writer.build()


@pytest.fixture
def track(made: bytes) -> Track:
    replay = ksreplay.open(made)
    assert isinstance(replay, Track)
    return replay


def test_a_frame_as_tables(track: Track) -> None:
    frame = track.at(250)
    assert frame.window == 1
    assert frame.units["serial"].tolist() == [0, 1]
    assert frame.units["x"][0] == pytest.approx(400)
    assert frame.projectiles["serial"].tolist() == [0]
    assert frame.features["feature_id"].tolist() == [9]
    values = {row["name"]: (row["value"], row["known"]) for row in frame.team_values.rows()}
    assert values["metal"] == (150, True)
    assert values["supply"] == (None, True)
    assert values["energy"] == (0, True)
    assert frame.terrain["height"].tolist() == [5, 6]
    assert track.at(700).terrain["height"].tolist() == [7, 6]


def test_a_frame_on_an_edge_may_be_asked_of_either_window(track: Track) -> None:
    before, after = (track.state(300, window=k) for k in (1, 2))
    for state in (before, after):
        state.pop("window")
    assert before == after
    assert track.at(300).window == 2
    for window in (0, 3, -1, 99):
        with pytest.raises(ValueError, match="is not in window"):
            track.at(300, window)


def test_frames_beyond_the_match_are_read_from_the_nearest_window(track: Track) -> None:
    for frame, window in ((0, 0), (99.5, 0), (1100.5, 9), (1e300, 9)):
        state = track.state(frame)
        assert state["window"] == window
        assert state["units"] == state["projectiles"] == state["features"] == []


def test_numbers_of_a_track_before_recorder_version_4_are_unknown(made: bytes) -> None:
    old = made[:8] + (3).to_bytes(2, "little") + made[10:]
    with ksreplay.open(old) as track:
        assert [problem.code for problem in track.validate()] == ["recorder-stale"]
        assert {(row["value"], row["known"]) for row in track.state(300)["team_values"]} == {(None, False)}
    older = made[:8] + (1).to_bytes(2, "little") + made[10:]
    with ksreplay.open(older) as track:
        assert [problem.code for problem in track.validate()] == ["recorder-stale", "recorder-poses"]


def test_many_units_at_many_frames_are_what_one_at_a_time_gives(track: Track) -> None:
    window = track.windows[3]
    units = np.arange(len(window.main.units))
    frames = np.array([400.0, 401.25, 487, 450.5, 500, 350, 501])
    grid = window.motion(units[:, None], frames)
    for i in units:
        row = window.motion(int(i), frames)
        for name in ("exists", "position", "rotation", "health", "build", "on"):
            assert np.array_equal(getattr(grid, name)[..., i, :], getattr(row, name)), name
        for j, frame in enumerate(frames):
            one = window.motion(int(i), frame)
            assert np.array_equal(grid.position[:, i, j], one.position)
            assert np.array_equal(grid.rotation[:, i, j], one.rotation)


def test_one_unit_over_the_whole_match(track: Track) -> None:
    unit = track.unit(2)
    assert (unit.first_frame, unit.last_frame, unit.unit_id, unit.team) == (360, 900, 2, 0)
    assert unit.windows == [2, 3, 4, 5, 6, 7, 8]  # 900 is the first frame of window 8
    path = unit.path([900, 360, 630, 99, 901])
    assert path["x"][:3].tolist() == pytest.approx([800, 0, 400], abs=0.13)
    assert path["exists"].tolist() == [True, True, True, False, False]
    assert path.valid("x").tolist() == [True, True, True, False, False]
    for table in ("transform_keys", "status_keys", "target_keys", "pose_keys", "build_queue"):
        every = track.tables[table]
        own = [row for row in every.rows() if row["serial"] == 2]
        assert list(unit.keys(table).rows()) == own
        assert bool(own) == (table not in ("target_keys", "pose_keys", "build_queue"))
    assert unit.keys().schema.name == "transform_keys"
    assert set(track.unit(0).keys("pose_keys")["piece_name"].tolist()) == {"turret"}
    with pytest.raises(ValueError, match="'projectile_keys' is not one of"):
        unit.keys("projectile_keys")
    with pytest.raises(KeyError):
        track.unit(77)


def test_playing_reads_each_window_once_in_either_direction(track: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    decode = replays.decode_main
    monkeypatch.setattr(replays, "decode_main", lambda c, h, k: read.append(k) or decode(c, h, k))
    forward = [(f.frame, f.units["x"].tolist()) for f in track.play(100, 1100, 12.5)]
    assert read == list(range(10))
    read.clear()
    backward = [(f.frame, f.units["x"].tolist()) for f in track.play(1100, 100, 12.5)]
    assert [k for k in read if k < 6] == [5, 4, 3, 2, 1, 0]
    assert sorted(set(read)) == sorted(read)
    assert backward == forward[::-1]


def test_only_the_last_windows_are_kept(track: Track) -> None:
    for k in range(10):
        assert track.windows[k].index == k
    assert list(track._windows) == [6, 7, 8, 9]
    kept = track.windows[6]
    assert track.windows[6] is kept
    assert [window.index for window in track.windows[-2:]] == [8, 9]
    with pytest.raises(IndexError):
        track.windows[10]


def test_threads_read_one_track(made: bytes) -> None:
    frames = np.random.default_rng(1).uniform(100, 1100, 200).tolist()
    with ksreplay.open(made) as alone:
        expected = [alone.state(frame) for frame in frames]
    with ksreplay.open(made) as shared, ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared.state, frames)) == expected
        assert shared.problems == []


def everything(data: bytes) -> dict[str, Any]:
    """What every pass over a track gives: tables, problems in their order, frames played both ways."""
    with ksreplay.open(data) as track:
        assert isinstance(track, Track)
        frames = [(frame.frame, frame.window) for frame in track.play(100, 1100, 37.5)]
        heights = [frame.terrain["height"].tolist() for frame in track.play(1100, 100, 90)]
        track.read_fully()
        tables = {name: list(track.tables[name].rows()) for name in track.tables}
        serials = [window.main.units.serial.tolist() for window in track.readable_windows()]
        return {
            "frames": frames, "heights": heights, "counts": track.counts, "serials": serials,
            "tables": repr(tables), "problems": track.problems,
        }  # fmt: skip


@pytest.mark.parametrize("damaged", [(), ("window[2].main", "window[5].main", "window[0].terrain")])
@pytest.mark.parametrize(("chunks", "most"), [(16, 2_000_000), (3, 2_000_000), (16, 200), (16, 0)])
def test_passes_are_the_same_with_any_number_of_threads(
    made: bytes, damaged: tuple[str, ...], chunks: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With some, all or no chunks too large to be decompressed together with others, too."""
    data = bytearray(made)
    with ksreplay.open(made) as track:
        assert isinstance(track, Track)
        for name in damaged:
            place = track.places[name]
            data[place.offset + place.length - 2] ^= 1  # its checksum
    monkeypatch.setenv("KSREPLAY_THREADS", "1")
    expected = everything(bytes(data))
    assert len(expected["problems"]) == len(damaged)
    assert len(expected["serials"]) == 10 - sum(name.endswith("main") for name in damaged)
    monkeypatch.setattr(replays, "CHUNKS_AT_ONCE", chunks)
    monkeypatch.setattr(replays, "BYTES_AT_ONCE", most)
    for number in "123":
        monkeypatch.setenv("KSREPLAY_THREADS", number)
        assert everything(bytes(data)) == expected


def test_a_pass_may_end_early_or_meet_a_closed_track(track: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KSREPLAY_THREADS", "2")
    monkeypatch.setattr(replays, "CHUNKS_AT_ONCE", 2)
    assert next(iter(track.readable_windows())).index == 0
    windows = track.readable_windows()
    assert next(windows).index == 0
    track.close()
    with pytest.raises(ValueError, match="closed"):
        list(windows)


def test_stored_columns_by_name(track: Track) -> None:
    columns = track.columns("window[0].main")
    assert columns["unit_serial"].tolist() == [0]
    assert columns["transform_x"].dtype == np.int16
    assert "unit_num_queues" not in columns


def test_tables_have_one_row_a_thing(track: Track) -> None:
    units = track.tables["units"]
    assert units["serial"].tolist() == [0, 1, 2, 3, 4]
    assert units["first_frame"].tolist() == [100, 230, 360, 490, 620]
    assert units["last_frame"].tolist() == [400, 650, 900, 1100, 1100]
    assert units["windows"][0].tolist() == [0, 1, 2, 3]
    assert track.tables["projectiles"]["windows"][0].tolist() == [0, 1, 2]
    assert track.tables["projectiles"]["owner"].tolist() == [0]
    poses = track.tables["pose_keys"]
    assert poses["piece_name"].tolist() == ["turret"] * len(poses)
    assert set(track.tables["windows"]["terrain_bytes"].astype(bool).tolist()) == {True, False}
    info = track.info(full=True)
    assert info["tables"] == {name: len(track.tables[name]) for name in track.tables}


def test_the_command_line(made: bytes, tmp_path: Path) -> None:
    path = tmp_path / "made.cbtrack"
    path.write_bytes(made)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from ksreplay.cli import run; run()", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    done = run("state", str(path), "--at", "300", "--window", "1", "--json")
    document: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode, document["window"], document["frame"]) == (0, 1, 300)
    wrong = run("state", str(path), "--at", "300", "--window", "7")
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr

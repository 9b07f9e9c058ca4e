"""The worked example of seed 000: every figure under "Reading it"."""

from __future__ import annotations

import math
import zlib
from importlib.resources import files

import numpy as np
import pytest

import ksreplay
from ksreplay.formats import cbtrack as framing
from ksreplay.generated.cbtrack_chunk import CbtrackChunk
from ksreplay.limits import Limits
from ksreplay.replays.cbtrack import Track


@pytest.fixture(scope="module")
def sample() -> bytes:
    return files("ksreplay.samples").joinpath("sample.cbtrack").read_bytes()


@pytest.fixture(scope="module")
def track(sample: bytes) -> Track:
    replay = ksreplay.open(sample)
    assert isinstance(replay, Track)
    return replay


@pytest.fixture(scope="module")
def chunk(track: Track) -> bytes:
    return track.unwrap("window[0].main")


def test_the_chunk_is_the_420_bytes_of_the_page(chunk: bytes) -> None:
    assert len(chunk) == 420 == 4 + 24 * 12 + 124 + 4
    assert f"{zlib.adler32(chunk):08x}" == "3f8d1533"
    assert chunk[:4] == bytes.fromhex("18000000")
    assert chunk[-4:] == bytes(4)


def test_it_lies_in_the_file_as_a_zlib_stream_of_level_9(track: Track, sample: bytes) -> None:
    place = track.places["window[0].main"]
    stream = sample[place.offset : place.offset + place.length]
    assert stream[:2].hex() == "78da"
    assert stream[-4:].hex() == "3f8d1533"
    assert place.offset % 64 == 0


def test_the_directory(chunk: bytes) -> None:
    layout = CbtrackChunk.from_bytes(chunk)
    assert layout.num_columns == 24
    first = layout.columns[0]
    assert chunk[4:16] == bytes.fromhex("010002002401000001000000")
    assert (first.column_id.value, first.value_type.name, first.ofs_data, first.num_values) == (1, "u2", 0x124, 1)
    assert first.data.values == [7983]
    assert chunk[0x124:0x126].hex() == "2f1f"
    x = next(column for column in layout.columns if column.column_id.value == 17)
    assert chunk[0x7C:0x88] == bytes.fromhex("110003005001000003000000")
    assert (x.value_type.name, x.ofs_data, x.data.values) == ("s2", 0x150, [-32768, 0, 480])
    assert chunk[0x150:0x156].hex() == "00800000e001"


def test_the_columns_that_are_left_out(track: Track) -> None:
    columns = framing.read_columns(framing.read_chunk(track.source.data, track.places["window[0].main"], Limits()))
    assert not {10, 11, 12} & columns.values.keys()
    main = track.windows[0].main
    assert main.targets.tracks.tolist() == main.poses.tracks.tolist() == main.queues.bounds.tolist() == [0, 0]


def test_the_keys(track: Track) -> None:
    keys = track.windows[0].main.transforms
    assert keys.time.tolist() == [0, 300, 420]
    assert keys.position.tolist() == [[5792, 5792, 6272], [1764, 1764, 1770], [6400, 6400, 6400]]
    assert keys.kept.tolist() == [[0, 0, 0], [0, 0, 1447], [0, 0, 0]]
    assert keys.dropped.tolist() == [3, 3, 3]


def test_key_0(track: Track) -> None:
    motion = track.windows[0].motion(0, 0)
    assert motion.position.tolist() == [724, 220.5, 800]
    assert motion.rotation.tolist() == [0, 0, 0, 1]
    assert motion.front.tolist() == [0, 0, 1]
    assert (float(motion.health), float(motion.build), bool(motion.on)) == (1, 1, True)


def test_key_1_has_not_moved(track: Track) -> None:
    assert track.windows[0].motion(0, 300).position.tolist() == [724, 220.5, 800]


def test_key_2(track: Track) -> None:
    motion = track.windows[0].motion(0, 420)
    assert motion.position.tolist() == [784, 221.25, 800]
    y = 1447 * math.sqrt(0.5) / 2047
    assert round(y, 5) == 0.49985
    assert motion.rotation[1] == pytest.approx(y, abs=1e-12)
    assert round(float(motion.rotation[3]), 5) == 0.86611
    assert np.round(motion.front, 5).tolist() == [0.86585, 0, 0.50031]


def test_half_way_and_after_the_last_key(track: Track) -> None:
    assert track.windows[0].motion(0, 360).position[0] == 754
    held = track.windows[0].motion(0, [420, 660.5, 900])
    assert held.position[0].tolist() == [784] * 3
    assert held.exists.all()


def test_the_shipped_sample_is_what_the_tool_makes(sample: bytes) -> None:
    from runpy import run_path

    from conftest import ROOT

    made = run_path(str(ROOT / "tools" / "samples" / "cbtrack.py"))["build"]()
    with ksreplay.open(made) as other, ksreplay.open(sample) as mine:
        assert isinstance(other, Track)
        assert isinstance(mine, Track)
        for name in mine.places:
            assert mine.unwrap(name) == other.unwrap(name)

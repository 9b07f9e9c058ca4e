"""Any bytes: a result, a list of problems or one ReplayError; damage inside the compression too."""

from __future__ import annotations

import random
import time
import zlib
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from conftest import corpus_folder

import ksreplay
from ksreplay.formats import cbtrack as framing
from ksreplay.formats.cbtrack_build import build_chunk, build_file
from ksreplay.pseudonyms import Policy, Pseudonymizer, Report
from ksreplay.replays.cbtrack import Track
from ksreplay.semantics.cbtrack.rewrite import header_values


def exercise(data: bytes) -> None:
    """Everything that a user may ask of a track; only ReplayError may come of it."""
    try:
        track = ksreplay.open(data, format="cbtrack", private=True)
    except ksreplay.ReplayError:
        return
    assert isinstance(track, Track)
    with track:
        track.validate()
        track.info(full=True)
        for name in track.tables:
            track.tables[name].head(2)
        first, last = track.header.first_frame, track.header.last_frame
        for frame in (first, (first + last) / 2, last, last + 1.5):
            try:
                track.state(frame)
            except ksreplay.ReplayError:
                pass
        track.terrain(last, None)
        track.redacted(Pseudonymizer("k"), Policy(), Report())
        try:
            track.encode(level=1)
        except ksreplay.ReplayError:
            pass
        list(track.streams())


def repacked(data: bytes, chunks: dict[str, bytes]) -> bytes:
    """The track ``data`` with some chunks replaced by other decompressed bytes."""
    with ksreplay.open(data) as track:
        assert isinstance(track, Track)
        whole = {name: chunks.get(name, track.unwrap(name)) for name in track.places}
        windows = [
            (whole[f"window[{k}].main"], whole.get(f"window[{k}].terrain")) for k in range(track.header.num_windows)
        ]
        return build_file(header_values(track.header), whole["info"], whole["features"], windows, level=1)


SMALL = (corpus_folder() or Path("absent")) / "cbtrack" / "small.cbtrack"


def sample() -> bytes:
    if SMALL.exists():
        return SMALL.read_bytes()
    return files("ksreplay.samples").joinpath("sample.cbtrack").read_bytes()


def test_every_prefix_of_the_sample() -> None:
    data = files("ksreplay.samples").joinpath("sample.cbtrack").read_bytes()
    for end in range(0, len(data), 7):
        exercise(data[:end])


@pytest.mark.parametrize("seed", range(40))
def test_bytes_changed_in_the_file(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(sample())
    for _ in range(chance.randint(1, 6)):
        data[chance.randrange(160 if chance.random() < 0.6 else len(data))] = chance.choice([0, 1, 127, 128, 255])
    data[:4] = b"CBTK"
    exercise(bytes(data))


@pytest.mark.parametrize("seed", range(120))
def test_bytes_changed_inside_a_chunk(seed: int) -> None:
    chance = random.Random(seed)
    data = sample()
    with ksreplay.open(data) as track:
        assert isinstance(track, Track)
        name = chance.choice(list(track.places))
        chunk = bytearray(track.unwrap(name))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(chunk))
        if chance.random() < 0.3 and len(chunk) > 16:
            at = min(at, len(chunk) - 4)
            chunk[at : at + 4] = chance.choice([0, 1, 2**31, 2**32 - 1, 65_536]).to_bytes(4, "little")
        else:
            chunk[at] = chance.choice([0, 1, 2, 127, 128, 255, chance.randrange(256)])
    exercise(repacked(data, {name: bytes(chunk)}))


def test_a_header_that_counts_a_million_windows_is_refused_by_the_files_size() -> None:
    data = bytearray(files("ksreplay.samples").joinpath("sample.cbtrack").read_bytes())
    data[16:28] = b"".join(n.to_bytes(4, "little") for n in (16_777_215, 1, 16_777_215))
    with pytest.raises(ksreplay.Truncated) as error:
        ksreplay.open(bytes(data))
    assert error.value.code == "index-cut"


def test_a_chunk_that_inflates_too_far_costs_only_its_window() -> None:
    data = files("ksreplay.samples").joinpath("sample.cbtrack").read_bytes()
    with ksreplay.open(data) as track:
        assert isinstance(track, Track)
        bomb = zlib.compress(bytes(16_777_216), 9)
        place = track.places["window[1].main"]
    raw = bytearray(data[: place.offset]) + bomb
    at = 96 + 16
    raw[at + 4 : at + 8] = len(bomb).to_bytes(4, "little")
    with ksreplay.open(bytes(raw)) as track:
        assert isinstance(track, Track)
        assert track.windows[0].main.units.serial.tolist() == [0]
        with pytest.raises(ksreplay.LimitExceeded) as error:
            track.window(1)
        assert error.value.code == "chunk-bytes"


def test_columns_on_the_same_bytes_are_bounded() -> None:
    chunk = bytearray(build_chunk({column: np.zeros(4_000_000) for column in (17,)}))
    entry = bytes(chunk[4:16])
    ids = (59, 60, 61, 65, 66, 67)
    chunk[:16] = (len(ids)).to_bytes(4, "little") + b"".join(n.to_bytes(2, "little") + entry[2:] for n in ids)
    data = repacked(files("ksreplay.samples").joinpath("sample.cbtrack").read_bytes(), {"window[1].main": bytes(chunk)})
    with ksreplay.open(data) as track:
        assert isinstance(track, Track)
        with pytest.raises(ksreplay.LimitExceeded) as error:
            track.window(1)
        assert error.value.code == "column-bytes"


def test_many_entries_are_checked_in_bounded_time() -> None:
    """A chunk of 16 MB with a problem in every row: a bounded list, in about a second (measured: 0.9 s)."""
    count = 500_000
    columns = {
        1: np.zeros(count), 2: np.zeros(count), 8: np.ones(count), 9: np.ones(count),
        16: np.zeros(count), **{c: np.full(count, -32_768) for c in (17, 18, 19)},
        **{c: np.zeros(count) for c in (20,)}, 23: np.zeros(count),
    }  # fmt: skip
    data = repacked(
        files("ksreplay.samples").joinpath("sample.cbtrack").read_bytes(), {"window[1].main": build_chunk(columns)}
    )
    start = time.monotonic()
    exercise(data)
    assert time.monotonic() - start < 30


def test_framing_names_the_field_of_every_header_rule() -> None:
    data = files("ksreplay.samples").joinpath("sample.cbtrack").read_bytes()
    for offset, raw, code, where in (
        (0, b"cbtk", "magic", "header.magic"),
        (34, b"\x07", "rotation-bits", "header.rotation_bits"),
        (34, b"\x11", "rotation-bits", "header.rotation_bits"),
        (12, (2000).to_bytes(4, "little"), "frames-reversed", "header.last_frame"),
        (24, (3).to_bytes(4, "little"), "window-count", "header.num_windows"),
        (100, (1 << 24).to_bytes(4, "little"), "number-over-limit", "window[0].len_main"),
    ):
        broken = data[:offset] + raw + data[offset + len(raw) :]
        with pytest.raises(ksreplay.ReplayError) as error:
            framing.read_index(broken, framing.read_header(broken))
        assert (error.value.code, error.value.where) == (code, where)
        assert error.value.found is not None

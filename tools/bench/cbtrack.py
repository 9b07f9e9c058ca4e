"""The bench of Coilbox tracks: everything is measured beside inflating the same chunks with the standard zlib."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import ksreplay
from bench.measure import Measure
from ksreplay.formats import cbtrack as framing
from ksreplay.replays.cbtrack import Track


def measures(corpus: Path) -> Iterator[Measure]:
    path = corpus / "cbtrack" / "large.cbtrack"
    data = path.read_bytes()
    header = framing.read_header(data)
    index = framing.read_index(data, header)
    streams = [data[place.offset : place.offset + place.length] for place in framing.places(header, index)]
    chunks = sum(len(zlib.decompress(stream)) for stream in streams)
    middle = (header.first_frame + header.last_frame) // 2

    def inflate(module: object) -> None:
        for stream in streams:
            module.decompress(stream)  # type: ignore[attr-defined]

    def decode() -> None:
        with opened() as track:
            track.read_fully()

    def opened() -> Track:
        track = ksreplay.open(data)
        assert isinstance(track, Track)
        return track

    def cold() -> None:
        with opened() as track:
            frame = track.at(middle)
            _ = frame.units, frame.projectiles, frame.features

    warm_track = opened()

    def warm() -> None:
        frame = warm_track.at(middle + 0.5)
        _ = frame.units, frame.projectiles

    window = warm_track.windows[header.window_of(middle)]
    units = np.arange(len(window.main.units))[:, None]
    frames = np.linspace(window.start, window.end, 1000)

    def play() -> None:
        with opened() as track:
            for frame in track.play(header.first_frame, header.last_frame, 30):
                _ = frame.units

    yield Measure("floor: inflate every chunk, standard zlib", lambda: inflate(zlib), chunks)
    try:
        from isal import isal_zlib

        yield Measure("floor: inflate every chunk, isal", lambda: inflate(isal_zlib), chunks)
    except ImportError:
        yield Measure("floor: inflate every chunk, isal", lambda: None, missing="isal is not installed")
    yield Measure("open and info", lambda: ksreplay.open(path).info(), target=0.015)
    yield Measure("everything of every window to arrays (beside zlib's floor)", decode, chunks, target=0.081)
    yield Measure("one frame in the middle, from a cold open", cold, target=0.010)
    yield Measure("one frame in the middle, from a warm window", warm, target=0.001)
    yield Measure(f"{len(units)} units at 1,000 frames of a window", lambda: window.motion(units, frames), target=0.050)
    yield Measure("build again at zlib level 6", lambda: opened().encode(), chunks)
    yield Measure("play the match, every 30th frame", play)

"""The bench of Coilbox tracks: everything is measured beside inflating the same chunks with the standard zlib.

Times are those of the clock; the ratios of reading everything name the processor's time, of all threads, beside it.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import ksreplay
from bench.measure import Measure
from ksreplay import kernels
from ksreplay.formats import cbtrack as framing
from ksreplay.replays.cbtrack import Track

#: Reads everything and inflates every chunk with zlib in turns, so that what else the machine does weighs on both.
#: Prints the shortest time of each, first by the clock and then of the processor: inflating is one thread, reading as
#: many as there are processors.
_IN_TURNS = """
import sys, time, zlib
if sys.argv[2] == "without isal":
    sys.modules["isal"] = None
import ksreplay

data = open(sys.argv[1], "rb").read()
with ksreplay.open(data) as track:
    streams = [data[place.offset : place.offset + place.length] for place in track.places.values()]

def inflate():
    for stream in streams:
        zlib.decompress(stream)

def read():
    with ksreplay.open(data) as track:
        track.read_fully()

clocks = time.perf_counter, time.process_time
best = {inflate: (9.0, 9.0), read: (9.0, 9.0)}
for _ in range(25):
    for work in best:
        start = [clock() for clock in clocks]
        work()
        taken = [clock() - before for clock, before in zip(clocks, start)]
        best[work] = list(map(min, best[work], taken))
print(*best[inflate], *best[read])
"""


def _beside_zlib(path: Path, chunks: int, *, kernel: bool, isal: bool, target: float) -> Measure:
    """Everything of every window to arrays, with or without what makes it fast, as a ratio to zlib's floor."""
    name = f"everything to arrays, {'kernel' if kernel else 'plain'}, {'isal' if isal else 'zlib'}"
    if isal and importlib.util.find_spec("isal") is None:
        return Measure(name, missing="isal is not installed")
    if kernel and not kernels.is_compiled(kernels.load("track_curves")):
        return Measure(name, missing="the kernel is not compiled")
    environment = {**os.environ, "KSREPLAY_PURE": "0" if kernel else "1"}
    command = [sys.executable, "-c", _IN_TURNS, str(path), "with isal" if isal else "without isal"]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    floor, floor_processor, seconds, processor = map(float, output.split())
    name += f": {seconds / floor:.2f} x zlib (target {target}), processor {processor / floor_processor:.2f} x"
    return Measure(name, bytes=chunks, taken=seconds)


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
        yield Measure("floor: inflate every chunk, isal", missing="isal is not installed")
    yield Measure("open and info", lambda: ksreplay.open(path).info(), target=0.015)
    for kernel, isal, target in ((True, True, 1.0), (False, True, 1.8), (False, False, 2.5)):
        yield _beside_zlib(path, chunks, kernel=kernel, isal=isal, target=target)
    yield Measure("one frame in the middle, from a cold open", cold, target=0.010)
    yield Measure("one frame in the middle, from a warm window", warm, target=0.001)
    yield Measure(f"{len(units)} units at 1,000 frames of a window", lambda: window.motion(units, frames), target=0.050)
    yield Measure("build again at zlib level 6", lambda: opened().encode(), chunks)
    yield Measure("play the match, every 30th frame", play)

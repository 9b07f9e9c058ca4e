"""What Coilbox derives: tables of a large demo, the picture of 200 matches, the index of 2,000 files, event logs."""

from __future__ import annotations

import functools
import gzip
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

import ksreplay
from bench.measure import Measure
from ksreplay import events
from ksreplay.library.index import Index
from ksreplay.library.layers import Counts, keep_layers, map_picture
from ksreplay.library.queries import MatchRow, stream_names
from ksreplay.library.read import read_demo
from ksreplay.library.schema import connect
from ksreplay.replays.spring_derived import DERIVED, stream_layers
from ksreplay.semantics.spring.analysis.grids import Grid, Layer

FILES, MATCHES = 2000, 200
GRID = Grid(6144, 10240)


@functools.cache
def library(count: int) -> Path:
    """A folder of copies of the bundled sample that differ in their game id."""
    folder = Path(tempfile.mkdtemp(prefix="ksreplay-bench-"))
    data = bytearray(gzip.decompress(files("ksreplay.samples").joinpath("sample.sdfz").read_bytes()))
    for i in range(count):
        data[280:296] = (i + 1).to_bytes(16, "big")
        path = folder / f"{i:05}.sdfz"
        path.write_bytes(gzip.compress(data, 1, mtime=0))
        os.utime(path, (time.time() - 3600,) * 2)
    return folder


def index(*, fresh: bool) -> None:
    folder = library(FILES)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "index.sqlite" if fresh else folder / "index.sqlite"
        with Index(folder, path, create=True) as found:
            found.update(read_demo)


@functools.cache
def decoded(demo: Path) -> ksreplay.Replay:
    """The demo with every table made that the derived ones are made from."""
    replay = ksreplay.open(demo)
    derived = {definition.name for definition in DERIVED}
    for name in replay.tables:
        if name not in derived:
            replay.tables[name]
    return replay


def derive(demo: Path) -> None:
    replay = decoded(demo)
    for definition in DERIVED:
        definition.build(replay)


@functools.cache
def kept(demo: Path) -> tuple[sqlite3.Connection, list[MatchRow]]:
    """An index that holds the counts of as many matches as large as `demo`."""
    db = connect(Path(tempfile.mkdtemp(prefix="ksreplay-bench-")) / "index.sqlite", create=True)
    db.execute("PRAGMA foreign_keys = OFF")
    replay = decoded(demo)
    layers = stream_layers(replay, GRID)
    last = replay.info()["details"]["last_frame"]
    rows = [MatchRow(i, "", "full", str(i), "m", "g", "e", 0, 600, last) for i in range(MATCHES)]
    for row in rows:
        keep_layers(db, row.file, GRID, layers)
    return db, rows


def _not_again(row: MatchRow, grid: Grid) -> Mapping[str, Layer]:
    raise AssertionError("the counts are kept")


def aggregate(demo: Path, scaling: str) -> None:
    db, rows = kept(demo)
    map_picture(db, rows, "orders", GRID, counts=Counts(_not_again), name=stream_names(db), scaling=scaling)  # type: ignore[arg-type]


@functools.cache
def log(lines: int) -> bytes:
    line = b'{"kind":"unit_created","frame":90,"unit":3,"def":40,"team":0,"x":160.0,"y":5.0,"z":260.0,"builder":1}\n'
    return b'{"kind":"header","format":1}\n' + line * lines


def measures(corpus: Path) -> Iterator[Measure]:
    large = corpus / "spring" / "synthetic-large.sdfz"
    decoded(large)
    yield Measure("derived tables of synthetic-large, after its message tables", lambda: derive(large), target=0.5)
    kept(large)
    for scaling in ("share", "peak", "rate"):
        name = f"picture of {MATCHES} matches as large, kept counts, {scaling}"
        yield Measure(name, functools.partial(aggregate, large, scaling), target=2)
    index(fresh=False)
    yield Measure(f"index {FILES} files again, nothing changed", lambda: index(fresh=False), target=2)
    yield Measure(f"index {FILES} files for the first time", lambda: index(fresh=True))
    data = log(50_000)
    yield Measure("event log of 50,000 lines", lambda: events.open(data), bytes=len(data))

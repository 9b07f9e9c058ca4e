"""The picture of every match on a map: each match's counts kept in the index, aggregated under filters (seed 002 "The
picture of every match on a map").

A replay does not hold its map's size. The index keeps one a map, with where it is from; a match's counts are kept for
one size, and counted again from the replay when it is another.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ksreplay.formats.inflate import inflate
from ksreplay.library.queries import MatchRow, Namer
from ksreplay.library.unit_check import fits
from ksreplay.semantics.spring.analysis.aggregate import WHOLE, Picture, Scaling, Window, aggregate
from ksreplay.semantics.spring.analysis.classifier import CATEGORIES
from ksreplay.semantics.spring.analysis.grids import Grid, Layer
from ksreplay.semantics.spring.analysis.layers import LAYER_SOURCES

STREAM_LAYERS = ("starts", "buildings", "orders")
#: Layers of a picture -> the kept layer they are drawn from and the kinds of building they keep.
PICTURES: dict[str, tuple[str, str | None]] = {
    "starts": ("starts", None),
    "buildings": ("buildings", None),
    "defences": ("buildings", "defence"),
    "economy": ("buildings", "economy"),
    "orders": ("orders", None),
    "deaths": ("deaths", None),
}


def _no_stamp(row: MatchRow) -> int | None:
    return None


def _no_layers(row: MatchRow, grid: Grid) -> Mapping[str, Layer]:
    return {}


@dataclass(frozen=True, slots=True)
class Counts:
    """How matches are counted on a grid: the layers of the stream from the replay, the others from its analysis.

    ``stamp`` tells one analysis of a match from a later one; None: the match is not analysed.
    """

    stream: Callable[[MatchRow, Grid], Mapping[str, Layer]]
    stamp: Callable[[MatchRow], int | None] = _no_stamp
    analysis: Callable[[MatchRow, Grid], Mapping[str, Layer]] = _no_layers


# A grid has at most 256 x 256 cells, so a cell's number fits 16 bits.
_PARTS = (("cell", "<u2"), ("slice", "<u2"), ("count", "<u2"), ("definition", "<u4"))
_MAX_BLOB = 1 << 26


def pack(layer: Layer) -> bytes:
    """A layer's columns one after another, compressed; the number of entries first."""
    columns = [getattr(layer, name) for name, _ in _PARTS]
    data = b"".join(np.asarray(c, t).tobytes() for c, (_, t) in zip(columns, _PARTS, strict=True) if c is not None)
    return zlib.compress(len(layer.cell).to_bytes(4, "little") + data, 1)


def unpack(name: str, blob: bytes, off_map: int, left_out: str) -> Layer:
    """The layer of `pack`."""
    data = inflate(blob, _MAX_BLOB, format="library", where=f"layers.{name}")
    n, at = int.from_bytes(data[:4], "little"), 4
    columns = []
    for _, dtype in _PARTS:
        size = n * np.dtype(dtype).itemsize
        columns.append(np.frombuffer(data, dtype, n, at) if at + size <= len(data) else None)
        at += size
    cell, slices, counts, definition = columns
    if cell is None or slices is None or counts is None:
        cell, slices, counts = (np.zeros(0, t) for t in ("<u2", "<u2", "<u2"))
    return Layer(name, cell, slices, counts, definition, off_map, json.loads(left_out))


def keep_layers(db: sqlite3.Connection, file: int, grid: Grid, layers: Mapping[str, Layer], *, stamp: int = 0) -> None:
    """Keeps a match's counts for one size of its map; `stamp` is that of the analysis they are from."""
    db.executemany(
        "INSERT OR REPLACE INTO layers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (file, grid.map_width, grid.map_height, name, pack(layer), layer.off_map, json.dumps(layer.left_out), stamp)
            for name, layer in layers.items()
        ],
    )


def kept_layers(db: sqlite3.Connection, grid: Grid, layer: str) -> dict[int, tuple[int, Layer]]:
    """The kept counts of one layer by file, with the stamp of the analysis they are from."""
    rows = db.execute(
        "SELECT file, stamp, counts, off_map, left_out FROM layers"
        " WHERE layer = ? AND map_width = ? AND map_height = ?",
        (layer, grid.map_width, grid.map_height),
    )
    return {file: (stamp, unpack(layer, blob, off, left_out)) for file, stamp, blob, off, left_out in rows}


@dataclass(frozen=True, slots=True)
class MapPicture:
    """A picture and what is not in it."""

    layer: str
    source: str
    picture: Picture
    off_map: int
    left_out: dict[str, int]  # reason -> matches


def map_picture(
    db: sqlite3.Connection,
    matches: Sequence[MatchRow],
    layer: str,
    grid: Grid,
    *,
    counts: Counts,
    name: Namer,
    scaling: Scaling = "share",
    window: Window = WHOLE,
) -> MapPicture:
    """Aggregate one layer of matches of a map. Matches whose counts are not kept are counted now and kept."""
    kept_name, category = PICTURES[layer]
    kept = _layers_of(db, matches, kept_name, grid, counts)
    left_out: dict[str, int] = {}
    used: list[tuple[Layer, int]] = []
    marks: list[np.ndarray | None] = []
    for row in matches:
        reason, mark = _mark(db, row, name, category) if category else ("", None)
        found = kept.get(row.file)
        if found is None or row.last_frame is None:
            reason = "not analysed" if kept_name == "deaths" else "no readable stream"
        if reason:
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        assert found is not None and row.last_frame is not None
        used.append((found, row.last_frame))
        marks.append(mark)
    picture = aggregate(grid, used, scaling=scaling, window=window, definitions=marks if category else None)
    return MapPicture(layer, LAYER_SOURCES[kept_name], picture, sum(found.off_map for found, _ in used), left_out)


def _layers_of(
    db: sqlite3.Connection, matches: Sequence[MatchRow], name: str, grid: Grid, counts: Counts
) -> dict[int, Layer]:
    """One layer of each match that has it; what is not kept, or kept from an older analysis, is counted and kept."""
    kept = kept_layers(db, grid, name)
    found: dict[int, Layer] = {}
    for row in matches:
        from_stream = name in STREAM_LAYERS
        stamp = 0 if from_stream else counts.stamp(row)
        if stamp is None:
            continue
        if row.file in kept and kept[row.file][0] == stamp:
            found[row.file] = kept[row.file][1]
            continue
        counted = (counts.stream if from_stream else counts.analysis)(row, grid)
        db.execute("BEGIN IMMEDIATE")
        keep_layers(db, row.file, grid, counted, stamp=stamp)
        db.execute("COMMIT")
        if name in counted:
            found[row.file] = counted[name]
    return found


def _mark(db: sqlite3.Connection, row: MatchRow, name: Namer, category: str) -> tuple[str, np.ndarray | None]:
    """Why a match is left out of a layer of one kind of building, or which definition ids are of the kind."""
    named = name(row)
    if named.units is None or named.source == "stream names":
        return "no unit list for its build", None
    if named.source != "engine" and not fits(db, row.file, named.units):
        return "its orders do not fit its list", None
    wanted = named.units.categories == CATEGORIES.index(category)
    return "", np.concatenate(([False], wanted, [False]))

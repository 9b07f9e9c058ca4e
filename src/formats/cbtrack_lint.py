"""What a reader of a track can live with in its framing, and a checker has to report.

Source: seed 000, "File layout" and "Chunks"; decisions 2 to 8 and 14 of facts/cbtrack-notes.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ksreplay.errors import Problem
from ksreplay.formats import cbtrack_rules as rules
from ksreplay.formats.cbtrack import Array, Chunk, Header, Place, field_place, places
from ksreplay.formats.cbtrack_columns import TYPE_OF, TYPES
from ksreplay.generated.dtypes.cbtrack import WINDOW
from ksreplay.generated.dtypes.cbtrack_chunk import COLUMN

COUNT_COLUMNS = (10, 11, 12)


def lint_file(data: bytes, header: Header, index: Array) -> Iterator[Problem]:
    """The header's fields, the index and the places of the chunks."""
    if any(header.reserved):
        yield rules.RESERVED.problem("header.reserved", field_place("reserved")[0], found=header.reserved)
    for name in ("tolerance", "resource_tolerance", "resource_fraction"):
        value = getattr(header, name)
        if not math.isfinite(value) or value < 0:
            yield rules.TOLERANCE.problem(f"header.{name}", field_place(name)[0], found=value, expected="0 or more")
    for k in np.flatnonzero((index["blk_terrain"] == 0) != (index["len_terrain"] == 0)).tolist():
        yield rules.TERRAIN_ENTRY.problem(
            f"window[{k}].terrain",
            header.len_header + k * WINDOW.itemsize + 8,
            found=[int(index["blk_terrain"][k]), int(index["len_terrain"][k])],
        )
    yield from _lint_places(data, header, index)


def _lint_places(data: bytes, header: Header, index: Array) -> Iterator[Problem]:
    end, last = header.len_header + header.num_windows * WINDOW.itemsize, Place("the window index", 0, 0)
    for place in sorted(places(header, index), key=lambda place: place.offset):
        if not place.length or place.offset + place.length > len(data):
            continue  # a part of its own complains of this
        if place.offset < end:
            yield rules.CHUNKS_OVERLAP.problem(place.where, place.offset, found=f"overlaps {last.where}")
        elif place.offset - end < 64 and any(data[end : place.offset]):
            yield rules.GAP.problem(place.where, end, found=data[end : place.offset])
        if place.offset + place.length > end:
            end, last = place.offset + place.length, place


def lint_chunk(chunk: Chunk) -> Iterator[Problem]:
    """The stream's end and the directory of a chunk whose columns could be read."""
    where, data = chunk.where, chunk.data
    if chunk.num_left:
        at = chunk.place.offset + chunk.place.length - chunk.num_left
        yield rules.STREAM_TAIL.problem(where, at, found=f"{chunk.num_left} bytes", expected="none")
    count = int.from_bytes(data[:4], "little")
    directory = np.frombuffer(data, COLUMN, count, 4)
    end = 4 + count * COLUMN.itemsize
    spans: list[tuple[int, int, int]] = []
    is_sized = True
    for column, number, offset, length in directory.tolist():
        place = f"{where}.column[{column}]"
        if offset % 4:
            yield rules.COLUMN_ALIGNED.problem(place, found=offset, expected="a multiple of 4")
        if not length:
            yield rules.COLUMN_EMPTY.problem(place, found=0)
        if number not in TYPES:
            is_sized = False  # nobody knows how long its values are
            continue
        size = length * int(TYPES[number][2:])
        if offset + size > len(data):
            if column not in TYPE_OF:
                yield rules.UNKNOWN_PAST_END.problem(place, found=offset + size, expected=len(data))
            continue
        if length:
            spans.append((offset, offset + size, column))
        if column in COUNT_COLUMNS and not any(data[offset : offset + size]):
            yield rules.COUNTS_ZERO.problem(place, found=0)
    yield from _lint_spans(where, data, end, spans, is_sized)


def _lint_spans(
    where: str, data: bytes, end: int, spans: list[tuple[int, int, int]], is_sized: bool
) -> Iterator[Problem]:
    for start, stop, column in sorted(spans):
        place = f"{where}.column[{column}]"
        if start < end:
            yield rules.COLUMNS_OVERLAP.problem(place, found=start, expected=f"at least {end}")
        padded = min(-(-stop // 4) * 4, len(data))
        if any(data[stop:padded]):
            yield rules.COLUMN_PADDING.problem(place, found=data[stop:padded], expected="zero bytes")
        end = max(end, padded)
    tail: Any = data[end:]
    if any(data[-4:]) or len(data) - end < 4 or (is_sized and len(tail) != 4):
        yield rules.CHUNK_END.problem(where, found=tail[:16] if is_sized else data[-4:], expected="4 zero bytes")

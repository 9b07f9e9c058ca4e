"""Where two tracks part: main chunks byte for byte and by value, terrain only by the heights it ends with.

Two recordings of one replay have the same main chunks; their terrain rows differ from run to run. Source: seed 000,
"Terrain is not the same from run to run".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ksreplay.differences import Difference
from ksreplay.formats.cbtrack import header_fields

if TYPE_CHECKING:
    from ksreplay.replays.cbtrack import Track

#: Header fields that say where things lie in the file.
_PLACES = frozenset({"len_header", "blk_info", "len_info", "blk_features", "len_features"})


def differences(left: Track, right: Track) -> Iterator[Difference]:
    """The first difference of each part."""
    a, b = header_fields(left.header), header_fields(right.header)
    for name in a:
        if name not in _PLACES and a[name] != b[name]:
            yield Difference("header", name, a[name], b[name])
    for field in dataclasses.fields(left.match_info):
        one, two = getattr(left.match_info, field.name), getattr(right.match_info, field.name)
        if one != two:
            yield Difference("info", field.name, one, two)
    yield from _first("features", left.match_features, right.match_features)
    for k in range(min(left.header.num_windows, right.header.num_windows)):
        name = f"window[{k}].main"
        readable = left.reads(name), right.reads(name)
        if not all(readable):
            if readable[0] != readable[1]:
                yield Difference(name, "readable", *readable)
            continue
        one, two = left.chunk(left.places[name]).data, right.chunk(right.places[name]).data
        if one == two:
            continue
        start = left.header.window_start(k)
        found = list(_first(name, left.windows[k].main, right.windows[k].main, start))
        if found:
            yield found[0]
        else:  # the same values, laid out otherwise
            at = next(i for i, (x, y) in enumerate(zip(one + b"\0", two + b"\1", strict=False)) if x != y)
            yield Difference(name, "bytes", one[at : at + 4], two[at : at + 4], at, float(start), "frame")
    yield from _heights(left, right)


def _first(part: str, left: Any, right: Any, start: int = 0, path: str = "") -> Iterator[Difference]:
    """The first array of two records of arrays that differs, and where."""
    for field in dataclasses.fields(left):
        one, two = getattr(left, field.name), getattr(right, field.name)
        name = f"{path}.{field.name}" if path else field.name
        if dataclasses.is_dataclass(one):
            yield from _first(part, one, two, start, name)
        elif not isinstance(one, np.ndarray):
            if one != two:
                yield Difference(part, name, one, two)
        elif one.shape != two.shape:
            yield Difference(part, name, one.shape[-1], two.shape[-1])
        else:
            columns = np.flatnonzero(np.atleast_2d(one != two).any(axis=0))
            if len(columns):
                row = int(columns[0])
                time = getattr(left, "time", None)
                keyed = time is not None and len(time) == one.shape[-1]
                moment = float(start + int(time[row])) if keyed and time is not None else None
                yield Difference(
                    part, name, one[..., row].tolist(), two[..., row].tolist(), row, moment, "frame" if keyed else ""
                )


def _heights(left: Track, right: Track) -> Iterator[Difference]:
    ends = []
    for track in (left, right):
        steps = track.terrain(None, track.header.last_frame).last()
        ends.append((steps.z.astype(np.int64) << 16 | steps.x, steps.height))
    points = np.union1d(ends[0][0], ends[1][0])
    one, two = (_spread(points, *end) for end in ends)
    wrong = np.flatnonzero(~((one == two) | (np.isnan(one) & np.isnan(two))))
    if len(wrong):
        i = int(wrong[0])
        point = int(points[i])
        shown = [None if np.isnan(side[i]) else float(side[i]) for side in (one, two)]
        where = f"height of corner x {point & 0xFFFF}, z {point >> 16}"
        yield Difference("terrain", where, shown[0], shown[1], i, float(left.header.last_frame), "frame")


def _spread(points: Any, own: Any, heights: Any) -> Any:
    result = np.full(len(points), np.nan)
    result[np.searchsorted(points, own)] = heights
    return result

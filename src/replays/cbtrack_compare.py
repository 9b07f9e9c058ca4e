"""Where two tracks part: main chunks byte for byte and by value, terrain only by the heights it ends with.

Two recordings of one replay have the same main chunks; their terrain rows differ from run to run. Source: seed 000,
"Terrain is not the same from run to run".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
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
    yield from _part("info", left, right, lambda: _fields("info", left.match_info, right.match_info))
    yield from _part("features", left, right, lambda: _first("features", left.match_features, right.match_features))
    for k in range(min(left.header.num_windows, right.header.num_windows)):
        yield from _part(f"window[{k}].main", left, right, lambda k=k: _window(k, left, right))  # type: ignore[misc]
    names = sorted(name for name in {**left.places, **right.places} if name.endswith(".terrain"))
    whole = [name for name in names if all(name not in track.places or track.reads(name) for track in (left, right))]
    for name in names:
        if name not in whole:
            yield from _part(name, left, right, lambda: ())
    if len(whole) == len(names):  # without every row nobody knows the heights
        yield from _heights(left, right)


def _part(name: str, left: Track, right: Track, compared: Callable[[], Iterable[Difference]]) -> Iterator[Difference]:
    """What ``compared`` finds where both sides can be read; else which side cannot, or that the stored bytes differ."""
    readable = [name not in track.places or track.reads(name) for track in (left, right)]
    if all(readable):
        yield from compared()
    elif any(readable):
        yield Difference(name, "readable", readable[0], readable[1])
    else:
        one, two = (_stored(track, name) for track in (left, right))
        if one != two:
            yield _bytes_differ(name, one, two)


def _stored(track: Track, name: str) -> bytes:
    """A chunk as it stands in the file."""
    place = track.places[name]
    return bytes(track.source.data[place.offset : place.offset + place.length])


def _bytes_differ(name: str, one: bytes, two: bytes, moment: float | None = None) -> Difference:
    at = next(i for i, (x, y) in enumerate(zip(one + b"\0", two + b"\1", strict=False)) if x != y)
    return Difference(name, "bytes", one[at : at + 4], two[at : at + 4], at, moment, "" if moment is None else "frame")


def _fields(part: str, left: Any, right: Any) -> Iterator[Difference]:
    for field in dataclasses.fields(left):
        one, two = getattr(left, field.name), getattr(right, field.name)
        if one != two:
            yield Difference(part, field.name, one, two)


def _window(k: int, left: Track, right: Track) -> Iterator[Difference]:
    """The first difference of two main chunks."""
    name, start = f"window[{k}].main", left.header.window_start(k)
    one, two = (track.chunk(track.places[name]).data for track in (left, right))
    if one != two:
        by_value = next(_first(name, left.windows[k].main, right.windows[k].main, start), None)
        # the same values may be laid out otherwise
        yield by_value or _bytes_differ(name, one, two, float(start))


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
    """The first point that ends at another height. A point that one side never changed is as high there as the other
    side's map has it."""
    own, ends, points = [], [], []
    for track in (left, right):
        last = track.header.last_frame
        end, start = track.terrain(None, last).last(), track.terrain(last, None).last()
        points.append(end.z.astype(np.int64) << 16 | end.x)
        ends.append(end.height)
        own.append(start.height)
    every = np.union1d(points[0], points[1])
    one, two = np.empty(len(every)), np.empty(len(every))
    for side, other, filled in ((0, 1, one), (1, 0, two)):
        filled[np.searchsorted(every, points[other])] = own[other]
        filled[np.searchsorted(every, points[side])] = ends[side]
    wrong = np.flatnonzero(one != two)
    if len(wrong):
        i = int(wrong[0])
        point = int(every[i])
        where = f"height of corner x {point & 0xFFFF}, z {point >> 16}"
        yield Difference("terrain", where, float(one[i]), float(two[i]), i, float(left.header.last_frame), "frame")

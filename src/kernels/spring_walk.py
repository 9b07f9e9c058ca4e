"""Splits a Spring demo stream into its packets: the plain form, written for the interpreter.

`spring_walk_fill` does the same with a C compiler at hand; `walk` takes whichever serves.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.kernels import is_compiled, load

_KEYFRAME, _NEWFRAME = 1, 2
_HEAD = 8  #: f32 time, u32 length

Walk = tuple[NDArray[Any], NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32], NDArray[np.float32]]


def walk(data: bytes, start: int, end: int, limit: int, *, pure: bool | None = None) -> Walk:
    """The whole packets of ``data[start:end]``, at most ``limit`` of them.

    Returns five arrays of one entry a packet, in stream order: ``offset`` (int32, int64 past 2 GiB) of the message's
    first byte in ``data``, ``size`` (int32) of the message, ``id`` (uint8; 0 also where the size is 0) ``frame``
    (int32; -1 before the first KEYFRAME) and ``time`` (float32, seconds). Stops before the first packet that does
    not lie whole inside.
    """
    end = min(end, len(data))
    wide = np.int64 if end >= 1 << 31 else np.int32
    filler = load("spring_walk_fill", pure=pure)
    if end - start < _HEAD:
        return (
            np.empty(0, wide), np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.int32),
            np.empty(0, np.float32),
        )  # fmt: skip
    if is_compiled(filler) and wide is np.int32:
        # Room for as many packets as could be: what is not written to costs no memory, and counting first costs a walk.
        most = min(limit, (end - start) // _HEAD)
        offset, size, ids, frame = (np.empty(most, t) for t in (np.int32, np.int32, np.uint8, np.int32))
        time = np.empty(most, "<f4")
        count = filler.fill(data, start, end, most, offset, size, ids, frame, time.view(np.uint8))
        return _cut(offset, count), _cut(size, count), _cut(ids, count), _cut(frame, count), _cut(time, count)
    # Positions of the length fields: one unpack a packet is all that needs the interpreter.
    lengths_at = np.fromiter(islice(_length_fields(data, start, end), limit), wide)
    source = np.frombuffer(data, np.uint8)
    offset = lengths_at + 4
    size = np.ndarray((len(data) - 3,), "<i4", data, 0, (1,))[lengths_at]
    ids = source[np.minimum(offset, len(data) - 1)]
    ids[size == 0] = 0
    time = np.ndarray((len(data) - 3,), "<f4", data, 0, (1,))[lengths_at - 4]
    return offset, size, ids, frames(data, offset, size, ids), time


def _cut(array: NDArray[Any], count: int) -> NDArray[Any]:
    """The same array, its memory beyond ``count`` entries given back."""
    array.resize(count, refcheck=False)
    return array


def group(ids: NDArray[np.uint8], *, pure: bool | None = None) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """(indices of all packets by id and ascending: int32; where each id's begin: int64, 257)."""
    filler = load("spring_walk_fill", pure=pure)
    if is_compiled(filler) and len(ids) < 1 << 31:
        order, bounds = np.empty(len(ids), np.int32), np.empty(257, np.int32)
        if len(ids):
            filler.group(ids, bounds, order)
            return order, bounds.astype(np.int64)
    order = np.argsort(ids, kind="stable").astype(np.int32)
    return order, np.concatenate([[0], np.cumsum(np.bincount(ids, minlength=256))])


def frames(data: bytes, offset: NDArray[Any], size: NDArray[np.int32], ids: NDArray[np.uint8]) -> NDArray[np.int32]:
    """int32 frame of each packet: KEYFRAME states it, NEWFRAME adds one, -1 at first."""
    counted = np.cumsum(ids == _NEWFRAME, dtype=np.int32)
    keys = np.flatnonzero((ids == _KEYFRAME) & (size >= 5))
    if not len(keys):
        return counted - np.int32(1)
    stated = np.ndarray((len(data) - 3,), "<i4", data, 0, (1,))[offset[keys] + 1]
    bases = np.concatenate([np.array([-1], np.int32), stated - counted[keys]])
    spans = np.diff(np.concatenate([[0], keys, [len(ids)]]))
    result: NDArray[np.int32] = counted + np.repeat(bases, spans)
    return result


def _length_fields(data: bytes, start: int, end: int) -> Iterator[int]:
    read = struct.Struct("<I").unpack_from
    at = start + 4
    last = end - 4
    stop = end + 4  # where the length field of a further packet would begin
    while at <= last:
        following = at + _HEAD + read(data, at)[0]
        if following > stop:
            return
        yield at
        at = following

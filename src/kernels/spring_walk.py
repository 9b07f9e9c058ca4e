"""Splits a Spring demo stream into its packets: the plain form, written for numpy.

`spring_walk_fill` does the same with a C compiler at hand; `walk` takes whichever serves.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator
from itertools import islice
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.kernels import is_compiled, load

_KEYFRAME, _NEWFRAME = 1, 2
_HEAD = 8  #: f32 time, u32 length
#: A NEWFRAME from its length on: what a lane of the plain walk looks for to begin at.
_LANE_MARK = re.compile(struct.pack("<IB", 1, _NEWFRAME))
_LANES, _LANE_BYTES = 4096, 1024  #: how many lanes at most, and what a lane is worth having for
_FEW = 48  #: lanes that are faster walked one by one than together

Walk = tuple[NDArray[Any], NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32], NDArray[np.float32] | None]


def walk(data: Any, start: int, end: int, limit: int, *, pure: bool | None = None) -> Walk:
    """The whole packets of ``data[start:end]``, at most ``limit`` of them.

    Returns arrays of one entry a packet, in stream order: ``offset`` (int32, int64 past 2 GiB) of the message's first
    byte in ``data``, ``size`` (int32) of the message, ``id`` (uint8; 0 also where the size is 0), ``frame`` (int32; -1
    before the first KEYFRAME) and ``time`` (float32), None from the plain form, for which it is a pass of its own.
    Stops before the first packet that does not lie whole inside.
    """
    end = min(end, len(data))
    wide = np.int64 if end >= 1 << 31 else np.int32
    filler = load("spring_walk_fill", pure=pure)
    if end - start < _HEAD:
        return np.empty(0, wide), np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.int32), None
    if is_compiled(filler) and wide is np.int32:
        return Walker(filler, start, min(limit, (end - start) // _HEAD)).go(data, end).ended()
    offset = _heads(data, start, end, limit, wide) + wide(_HEAD)
    lengths: NDArray[np.int32] = np.ndarray((len(data) - 3,), np.dtype("<i4"), data, 0, (1,))
    size = lengths[offset - wide(4)]
    ids = np.frombuffer(data, np.uint8)[np.minimum(offset, len(data) - 1)]
    ids[size == 0] = 0
    return offset, size, ids, frames(data, offset, size, ids), None


class Walker:
    """A walk by the compiled form that goes on from where it stands, for a stream that comes in piece by piece.

    Its arrays have room for ``most`` packets: what is not written to costs no memory, and counting first costs a walk.
    """

    def __init__(self, filler: ModuleType, start: int, most: int) -> None:
        self._filler = filler
        self._start = start
        self._most = most
        self._count = 0
        self._arrays = [np.empty(most, dtype) for dtype in (np.int32, np.int32, np.uint8, np.int32, "<f4")]

    def go(self, data: Any, end: int) -> Walker:
        """Walks on as far as there are whole packets in ``data[start:end]``: more of the data of before."""
        offset, size, ids, frame, time = self._arrays
        self._count = self._filler.fill(
            data, self._start, end, self._count, self._most, offset, size, ids, frame, time.view(np.uint8)
        )
        return self

    def ended(self) -> Walk:
        """What `walk` returns; the arrays give back their memory beyond the packets, and there is no going on."""
        for array in self._arrays:
            array.resize(self._count, refcheck=False)
        offset, size, ids, frame, time = self._arrays
        return offset, size, ids, frame, time


def steps(size: NDArray[np.int32], ids: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which packets count the frame on by one, and which state it: NEWFRAMEs of one byte; KEYFRAMEs, and the NEWFRAMEs
    of engine 0.76, of five. A malformed one costs no other packet its frame."""
    new = ids == _NEWFRAME
    return new & (size == 1), (new | (ids == _KEYFRAME)) & (size == 5)


def frames(data: bytes, offset: NDArray[Any], size: NDArray[np.int32], ids: NDArray[np.uint8]) -> NDArray[np.int32]:
    """int32 frame of each packet, by its `steps`; -1 at first."""
    counts, states = steps(size, ids)
    counted, keys = np.cumsum(counts, dtype=np.int32), np.flatnonzero(states)
    if not len(keys):
        return counted - np.int32(1)
    stated = np.ndarray((len(data) - 3,), "<i4", data, 0, (1,))[offset[keys] + 1]
    bases = np.concatenate([np.array([-1], np.int32), stated - counted[keys]])
    spans = np.diff(np.concatenate([[0], keys, [len(ids)]]))
    result: NDArray[np.int32] = counted + np.repeat(bases, spans)
    return result


def _heads(data: Any, start: int, end: int, limit: int, wide: Any) -> Any:
    """Where the whole packets of ``data[start:end]`` begin, ascending, at most ``limit`` of them.

    A packet's place follows from the one before it, so the stream is cut into lanes that step together. Where a lane
    begins is a guess, for what looks like a NEWFRAME may be part of a payload. It is right where the lane before it
    ends exactly there; from a lane that ends elsewhere the walk goes on alone until it meets a lane's beginning.
    """
    begins = _lane_begins(data, start, end)
    lengths = np.ndarray((len(data) - 7,), "<u4", data, 4, (1,))
    ends = np.array(begins, np.int64)
    # The last lane has no next one to end at: it is walked alone.
    lane, at, stop = np.arange(len(begins) - 1), ends[:-1].astype(wide), ends[1:].copy()
    pieces = [at[:0]]
    while len(lane) > _FEW:
        pieces.append(at)
        following = lengths[at].astype(np.int64)
        following += at
        following += _HEAD
        ends[lane] = following
        going = following < stop
        if not going.all():
            lane, stop, following = lane[going], stop[going], following[going]
        at = following.astype(wide)
    stepped = np.concatenate(pieces)
    stepped.sort()
    first = np.searchsorted(stepped, np.array(begins, wide))  # in `stepped`, of each lane
    broken = np.append(np.flatnonzero(ends[:-1] != begins[1:]), len(begins) - 1)
    numbers = {place: number for number, place in enumerate(begins)}
    pieces, number = [], 0
    while True:
        last = int(broken[np.searchsorted(broken, number)])
        after = int(first[last + 1]) if last + 1 < len(begins) else len(stepped)
        pieces.append(stepped[first[number] : after])
        here = int(ends[last])
        alone = np.fromiter(islice(_alone(data, here, end, numbers), limit), wide)
        pieces.append(alone)
        if not len(alone):
            break
        here = int(alone[-1]) + _HEAD + int(lengths[alone[-1]])
        if here not in numbers:
            break
        number = numbers[here]
    heads = np.concatenate(pieces)
    if len(heads) and int(heads[-1]) + _HEAD + int(lengths[heads[-1]]) > end:
        heads = heads[:-1]  # a lane steps over the packet that is not whole
    return heads[:limit]


def _lane_begins(data: Any, start: int, end: int) -> list[int]:
    """``start`` and what may be the first NEWFRAME of each further piece of the stream: ascending."""
    begins = [start]
    step = max((end - start) // _LANES, _LANE_BYTES)
    for low in range(start + step, end, step):
        if found := _LANE_MARK.search(data, low + 4, min(low + step, end)):
            begins.append(found.start() - 4)
    return begins


def _alone(data: Any, at: int, end: int, stops: Collection[int]) -> Iterator[int]:
    """The places of the whole packets from ``at`` on, up to one of the ``stops``."""
    read = struct.Struct("<I").unpack_from
    while end - at >= _HEAD:
        following = at + _HEAD + read(data, at + 4)[0]
        if following > end:
            return
        yield at
        at = following
        if at in stops:
            return

"""The packets of a Spring demo stream sorted by id, and their heads: the fixed fields that they begin with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.columns import offsets_of, view
from ksreplay.generated.walks.spring_packet import WALK
from ksreplay.threads import share

#: The head of each id's packets in the current layout, without the id, where it has one or a fixed size.
HEADS: dict[int, np.dtype[np.void]] = {
    number: np.dtype([]) if fields is None else fields
    for number, message in WALK.items()
    for fields in (message.head if message.dtype is None else message.dtype,)
    if fields is not None or message.size is not None
}


def _by_id(value: Callable[[int], int], dtype: Any) -> NDArray[Any]:
    return np.array([value(number) if number in HEADS else 0 for number in range(256)], dtype)


#: By id: bytes of the id and its head, 0 without one; whether more may follow; how many bytes, the head's first ones,
#: repeat the packet's size.
_LEAST = _by_id(lambda number: 1 + HEADS[number].itemsize, np.int32)
_VARIES = _by_id(lambda number: WALK[number].size is None, np.uint8)
_STATED = _by_id(lambda number: WALK[number].length_width or 0, np.uint8)

_WORD = np.dtype("<i4")  #: as the kernel copies heads
#: Packets that are counted apart, so that threads know where theirs go.
_PIECE = 1 << 16


@dataclass(frozen=True)
class Heads:
    """The packets of one id, which all have a size that fits the current layout: ``records``, their fixed fields;
    ``body`` and ``length``, where in the file what follows begins and its bytes (int32, ``body`` int64 past 2 GiB)."""

    records: NDArray[np.void]
    body: NDArray[Any]
    length: NDArray[np.int32]


@dataclass(frozen=True)
class Sorted:
    """Packets by id, in stream order within an id.

    ``bounds`` (int64, 257): where each id's begin in ``rows``, their indices in the stream (int32), and in ``frame``
    (int32). ``heads``, by id: those that were read in passing, all that there are and fit; None where none were.
    """

    bounds: NDArray[np.int64]
    rows: NDArray[np.int32]
    frame: NDArray[np.int32]
    heads: Mapping[int, Heads] | None = None

    def of(self, number: int) -> slice:
        """Where the packets of an id are."""
        return slice(int(self.bounds[number]), int(self.bounds[number + 1]))


def sort(ids: NDArray[np.uint8], frame: NDArray[np.int32]) -> Sorted:
    """Sorts packets by id."""
    rows = np.argsort(ids, kind="stable").astype(np.int32)
    return Sorted(offsets_of(np.bincount(ids, minlength=256)), rows, frame[rows])


compiled = partial(kernels.compiled, "spring_sort")


def sort_with_heads(
    kernel: ModuleType, data: Any, offset: NDArray[np.int32], size: NDArray[np.int32], ids: NDArray[np.uint8],
    frame: NDArray[np.int32],
) -> Sorted:  # fmt: skip
    """Sorts packets by id and reads their heads in the same pass, which is the only one to visit the stream itself."""
    spans = [(low, min(low + _PIECE, len(ids))) for low in range(0, len(ids), _PIECE)]
    counts, misfits = np.zeros((2, len(spans), 256), np.int32)

    def count(low: int, high: int) -> None:
        for piece in range(low, high):
            kernel.count(ids, *spans[piece], counts[piece])

    share(count, len(spans))
    number = counts.sum(axis=0, dtype=np.int64)
    bounds, widths = offsets_of(number), np.maximum(_LEAST - 1, 0).astype(np.int64)
    places = (bounds[:-1] + counts.cumsum(axis=0) - counts).astype(np.int32)
    begins = offsets_of(number * widths)
    # One piece of memory for all: large ones get large pages, which cost a fourth to touch first.
    rows, frames, body, length = np.empty((4, len(ids)), np.int32)
    heads = np.empty(int(begins[-1]) + _WORD.itemsize, np.uint8)
    first = begins[:-1] - bounds[:-1] * widths
    words, head_words = (view(block, _WORD) for block in (data, heads))

    def place(low: int, high: int) -> None:
        for piece in range(low, high):
            kernel.sort(
                data, words, offset, size, ids, frame, *spans[piece], places[piece], _LEAST, _VARIES, _STATED, first,
                rows, frames, body, length, heads, head_words, misfits[piece],
            )  # fmt: skip

    share(place, len(spans))
    read = {}
    for found in np.flatnonzero((_LEAST > 0) & (misfits.sum(axis=0) == 0)).tolist():
        mine, fields = slice(int(bounds[found]), int(bounds[found + 1])), HEADS[found]
        block = heads[begins[found] : begins[found + 1]]
        records = block.view(fields) if fields.itemsize else np.empty(number[found], fields)
        read[found] = Heads(records, body[mine], length[mine])
    return Sorted(bounds, rows, frames, read)

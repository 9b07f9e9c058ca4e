"""LZ77 of TA packets: one payload or all of a file, both ways. The loops are in `ksreplay.kernels`.

``COMPRESSORS``: "recorder" makes what the TA Demo Recorder makes, byte for byte; "best" makes the smallest that the
coding allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.errors import LimitExceeded
from ksreplay.formats import tad_rules as rules
from ksreplay.kernels import tad_lockstep
from ksreplay.rules import Rule
from ksreplay.threads import share

#: A record's length is 16 bits, so nothing larger was ever compressed into one. Subpackets' sizes and places fit too.
LARGEST = 65_535
_LEAST = 1 << 14  # payloads that are worth a thread
#: Places in what is unpacked are 32 bits with a sign.
_MOST = (1 << 31) - (1 << 20)

#: Status bit of the kernel -> rule.
BROKEN = (
    ("CUT", rules.LZ_CUT),
    ("NO_END", rules.LZ_UNTERMINATED),
    ("HALF_WORD", rules.LZ_HALF_WORD),
    ("BEYOND", rules.LZ_BEYOND),
    ("FULL", rules.LZ_CAP),
)


def kernel() -> ModuleType:
    return kernels.load("tad_lz77")


def view(module: ModuleType, array: Any) -> Any:
    """The array as the kernel reads it fastest: itself compiled, a memoryview in plain Python."""
    return array if kernels.is_compiled(module) else memoryview(array)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """Payloads in their order; row i is ``data[starts[i]:ends[i]]``; status: bits of the kernel."""

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    status: NDArray[np.uint8]


def unpack_all(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    packed: NDArray[np.bool_],
    *,
    bound: int,
    zero_fill: bool = True,
    cap: int = LARGEST,
    pad: int = 0,
) -> Unpacked:
    """The payloads ``data[starts[i]:ends[i]]``, inflated where they are ``packed``, and ``pad`` zero bytes.

    What goes wrong with one is in its status, never raised. A payload of n bytes gives at most 8 n + 16, and ``cap``.
    Raises LimitExceeded where what is inflated passes ``bound`` bytes.
    """
    module = kernel()
    sizes = ends - starts
    count = len(starts)
    plain = int(sizes[~packed].sum())
    bound = min(bound + plain, _MOST)  # what is stored plain is bounded by the file
    if not kernels.is_compiled(module):
        within = partial(_check, bound=bound)
        caps = np.minimum(sizes * 8 + 16, cap)
        out, out_starts, out_ends, status = tad_lockstep.unpack(
            module, data, starts, ends, packed, caps, zero_fill, within
        )
        return Unpacked(np.concatenate([out, np.zeros(pad, np.uint8)]), out_starts, out_ends, status)
    out_starts, out_ends = np.empty(count, np.int64), np.empty(count, np.int64)
    status = np.empty(count, np.uint8)

    def unpack(first: int, last: int, out: NDArray[np.uint8], position: int) -> int:
        done: int = module.unpack(
            data, starts, ends, packed.view(np.uint8), first, last, out, position, cap, zero_fill,
            out_starts, out_ends, status,
        )  # fmt: skip
        return done

    # Each thread writes into a part of its own, on the guess that its payloads do not grow to more than twice their
    # size; most of what that is too much is never touched.
    parts = np.zeros(count + 1, np.int64)
    np.cumsum(np.where(packed, sizes * 2, sizes), out=parts[1:])
    parts += np.arange(count + 1) // _LEAST * (cap + pad)
    out = np.empty(int(parts[-1]) + cap + pad, np.uint8)
    full: list[int] = []

    def work(low: int, high: int) -> None:
        end = len(out) if high == count else int(parts[high])
        if unpack(low, high, out[: end - pad], int(parts[low])) < high:
            full.append(low)

    share(work, count, _LEAST)
    done, position = 0, 0
    if not full:
        done, position = count, int(out_ends[-1]) if count else 0
        _check(int((out_ends - out_starts).sum()), bound)
    while done < count:
        done = unpack(done, count, out[: len(out) - pad], position)
        position = int(out_ends[done - 1]) if done else 0
        _check(position, bound)
        if done < count:
            grown = np.empty(len(out) * 3 // 2 + cap + pad, np.uint8)
            grown[:position] = out[:position]
            out = grown
    out[position : position + pad] = 0
    return Unpacked(out[: position + pad], out_starts, out_ends, status)


def _check(size: int, bound: int) -> None:
    if size > bound:
        raise LimitExceeded(
            "the packets inflate past the limit inflated_bytes", code="inflated-bytes", format="tad", expected=bound
        )


def inflate(data: bytes, *, zero_fill: bool = True, cap: int = LARGEST) -> tuple[bytes, int]:
    """One payload: (output, status bits of the kernel)."""
    module = kernel()
    room = min(len(data) * 8 + 16, cap)
    out = np.empty(room, np.uint8)
    ends, starts = np.zeros(1, np.int64), np.zeros(1, np.int64)
    status = np.zeros(1, np.uint8)
    module.unpack(
        data, view(module, np.zeros(1, np.int64)), view(module, np.array([len(data)])),
        view(module, np.ones(1, np.uint8)), 0, 1, view(module, out), 0, room, zero_fill,
        view(module, starts), view(module, ends), view(module, status),
    )  # fmt: skip
    return out[: int(ends[0])].tobytes(), int(status[0])


def problems_of(status: int) -> list[Rule]:
    """The rules that an inflated payload broke."""
    module = kernel()
    return [rule for name, rule in BROKEN if status & getattr(module, name)]


def deflate_recorder(data: bytes) -> bytes:
    """``data`` compressed byte for byte as the TA Demo Recorder does it."""
    module = kernel()
    out = np.empty(len(data) * 9 // 8 + 16, np.uint8)
    size = module.deflate_recorder(data, view(module, out))
    return out[:size].tobytes()


def deflate_best(data: bytes) -> bytes:
    """``data`` compressed as small as the coding allows: the cheapest way over literals and matches.

    A literal costs 9 bits and a match 17, whatever its length, so the shortest way from the front decides. Only the
    first 4,095 bytes can be referred to.
    """
    size = len(data)
    cost = [0] * (size + 1)
    step: list[tuple[int, int]] = [(0, 0)] * size
    for at in range(size - 1, -1, -1):
        cost[at], step[at] = 9 + cost[at + 1], (1, 0)
        found, length = 0, 2
        while length <= 17 and at + length <= size:
            # the earliest source; a match may overlap its own output, so it only has to begin before it
            found = data.find(data[at : at + length], found, min(at - 1, 4094) + length)
            if found < 0:
                break
            if 17 + cost[at + length] <= cost[at]:
                cost[at], step[at] = 17 + cost[at + length], (length, found + 1)
            length += 1
    return _blocks(data, step)


def _blocks(data: bytes, step: list[tuple[int, int]]) -> bytes:
    out = bytearray()
    items: list[tuple[bool, bytes]] = []
    at = 0
    while at < len(data):
        length, source = step[at]
        items.append((source > 0, (source << 4 | length - 2).to_bytes(2, "little") if source else data[at : at + 1]))
        at += length
    items.append((True, b"\0\0"))
    for low in range(0, len(items), 8):
        block = items[low : low + 8]
        out.append(sum(word << bit for bit, (word, _) in enumerate(block)))
        out += b"".join(item for _, item in block)
    return bytes(out)


COMPRESSORS = {"recorder": deflate_recorder, "best": deflate_best}

"""The loop of `tad_bits` for plain Python: numpy reads one entry of all syncs at once.

Rows come in the kernel's order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.kernels import tad_bits

Ints = NDArray[np.int64]
Places = NDArray[np.int32]
Rows = NDArray[np.int32]  # (row, column) while they are made, (column, row) in the end


def words(pool: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """A view of the bytes as 64-bit little-endian words, one at every byte. The last 7 bytes only end words."""
    return np.ndarray((len(pool) - 7,), "<u8", pool, strides=(1,))


class _Reader:
    """Reads fields of up to 32 bits at many bit positions at once. The pool has at least 8 bytes behind the last."""

    def __init__(self, pool: NDArray[np.uint8]) -> None:
        self.words = words(pool)  # numpy copies the few that are asked for

    def take(self, at: Ints, width: int) -> Ints:
        words = self.words[at >> 3] >> (at & 7).astype(np.uint64)
        value: Ints = (words & np.uint64((1 << width) - 1)).astype(np.int64)
        return value

    def signed(self, at: Ints, width: int) -> Ints:
        value = self.take(at, width)
        return value - ((value >> width - 1) << width)


def decode(
    pool: NDArray[np.uint8], starts: Places, ends: Places, width: int, limit: int, families: NDArray[np.uint8]
) -> tuple[Rows, Rows, Rows, NDArray[np.uint8], Rows, NDArray[np.uint8], NDArray[np.uint16]]:
    """As the kernel's over all syncs: (ground, air, status, result, needed, kind, entries).

    ``needed`` is what `tad_bits.skim` says.
    """
    reader = _Reader(pool)
    count = len(starts)
    at, end = starts.astype(np.int64) * 8, ends.astype(np.int64) * 8
    result = np.zeros(count, np.uint8)
    needed, entries = np.zeros(count, np.int32), np.zeros(count, np.uint16)
    kind = np.zeros(count, np.uint8)
    before = np.full(count, -1, np.int64)
    rows = np.arange(count)
    grounds: list[Rows] = []
    airs: list[Rows] = []
    ended: list[Ints] = []
    step = 0
    while len(rows):
        short = end[rows] - at[rows] < 16
        result[rows[short]] = tad_bits.SHORT
        rows = rows[~short]
        slot = reader.take(at[rows], 16)
        at[rows] += 16
        done = slot == 0xFFFF
        ended.append(rows[done])
        rows, slot = rows[~done], slot[~done]
        wrong = (slot <= before[rows]) | (slot >= limit)
        result[rows[wrong]] = tad_bits.ORDER
        rows, slot = rows[~wrong], slot[~wrong]
        before[rows] = slot
        short = end[rows] - at[rows] < width + 4
        result[rows[short]] = tad_bits.SHORT
        rows, slot = rows[~short], slot[~short]
        unit = reader.take(at[rows], width)
        at[rows] += width
        wrong = unit == 0
        result[rows[wrong]] = tad_bits.TYPE
        rows, slot, unit = rows[~wrong], slot[~wrong], unit[~wrong]
        family = families[unit]
        lost = (family != tad_bits.GROUND) & (family != tad_bits.AIR)
        result[rows[lost]] = tad_bits.FAMILY
        needed[rows[lost]] = unit[lost]
        left = []
        for value, read, found in ((tad_bits.GROUND, _ground, grounds), (tad_bits.AIR, _air, airs)):
            some = family == value
            kept = read(reader, rows[some], at, end, slot[some], unit[some], step, result, found)
            left.append(kept)
        rows = np.sort(np.concatenate(left))
        step += 1
        entries[rows] = step
    statuses = _status(reader, np.sort(np.concatenate(ended)) if ended else rows, at, end, width, result, kind)
    bad = result != tad_bits.READ
    entries[bad] = 0
    kind[bad] = 0
    good = ~bad
    return (
        _in_order(grounds, len(tad_bits.GROUND_COLUMNS), good), _in_order(airs, len(tad_bits.AIR_COLUMNS), good),
        np.ascontiguousarray(statuses[good[statuses[:, 0]]].T), result, needed, kind, entries,
    )  # fmt: skip


def _in_order(pieces: list[Rows], columns: int, good: NDArray[np.bool_]) -> Rows:
    if not pieces:
        return np.empty((columns, 0), np.int32)
    whole = np.concatenate(pieces)
    whole = whole[good[whole[:, 0]]]
    return np.ascontiguousarray(whole[np.argsort(whole[:, 0], kind="stable")].T)


def _ground(
    reader: _Reader, rows: Ints, at: Ints, end: Ints, slot: Ints, unit: Ints, step: int, result: Any, found: list[Rows]
) -> Ints:
    spot = at[rows]
    count = reader.take(spot + 1, 2)
    short = end[rows] - spot < 3 + 32 * count
    result[rows[short]] = tad_bits.SHORT
    rows, spot, count, slot, unit = rows[~short], spot[~short], count[~short], slot[~short], unit[~short]
    out = np.zeros((len(rows), len(tad_bits.GROUND_COLUMNS)), np.int32)
    out[:, 0], out[:, 1], out[:, 2], out[:, 3], out[:, 5] = rows, step, slot, unit, count
    out[:, 4] = reader.take(spot, 1)
    spot = spot + 3
    for point in range(3):
        some = count > point
        out[some, 6 + 2 * point] = reader.signed(spot[some], 16)
        out[some, 7 + 2 * point] = reader.signed(spot[some] + 16, 16)
        spot[some] += 32
    at[rows] = spot
    found.append(out)
    return rows


#: Fields of a goal in the order of the wire: flag bit, columns with width and sign.
_GOAL = (
    (1, ((6, 16, True), (7, 16, False))),
    (16, ((8, 16, True),)),
    (8, ((9, 16, True),)),
    (64, ((10, 16, False),)),
    (32, ((11, 32, True), (12, 32, True), (13, 32, True))),
)


def _air(
    reader: _Reader, rows: Ints, at: Ints, end: Ints, slot: Ints, unit: Ints, step: int, result: Any, found: list[Rows]
) -> Ints:
    out = np.zeros((len(rows), len(tad_bits.AIR_COLUMNS)), np.int32)
    out[:, 0], out[:, 1], out[:, 2], out[:, 3] = rows, step, slot, unit
    spot = at[rows]
    selector = reader.take(spot, 2)
    out[:, 4] = selector
    spot = spot + 2
    short = np.zeros(len(rows), bool)
    goal = np.flatnonzero(selector == 1)
    short[goal] = end[rows[goal]] - spot[goal] < 8
    goal = goal[~short[goal]]
    flags = reader.take(spot[goal], 8)
    out[goal, 5] = flags
    spot[goal] += 8
    size = 2 + sum(((flags & bit) > 0) * sum(width for _, width, _ in fields) for bit, fields in _GOAL)
    short[goal] = end[rows[goal]] - spot[goal] < size
    for bit, fields in _GOAL:
        some = goal[((flags & bit) > 0) & ~short[goal]]
        for column, width, sign in fields:
            out[some, column] = (reader.signed if sign else reader.take)(spot[some], width)
            spot[some] += width
    motion = np.flatnonzero(selector == 2)
    short[motion] = end[rows[motion]] - spot[motion] < 195
    motion = motion[~short[motion]]
    turning = reader.take(spot[motion], 1)
    short[motion] = end[rows[motion]] - spot[motion] < 195 + 16 * turning
    turning = turning[~short[motion]]
    motion = motion[~short[motion]]
    spot[motion] += 1
    for column in range(11, 17):
        out[motion, column] = reader.signed(spot[motion], 32)
        spot[motion] += 32
    out[motion, 17] = turning
    some = motion[turning > 0]
    out[some, 10] = reader.take(spot[some], 16)
    spot[some] += 16
    result[rows[short]] = tad_bits.SHORT
    rows, spot, out = rows[~short], spot[~short], out[~short]
    out[:, 18] = reader.take(spot, 2)
    at[rows] = spot + 2
    found.append(out)
    return rows


def _status(reader: _Reader, rows: Ints, at: Ints, end: Ints, width: int, result: Any, kind: Any) -> Rows:
    def drop(rows: Ints, mask: NDArray[np.bool_], why: int) -> Ints:
        result[rows[mask]] = why
        return rows[~mask]

    rows = drop(rows, end[rows] - at[rows] < 1, tad_bits.SHORT)
    present = reader.take(at[rows], 1) > 0
    finished = [rows[~present]]
    kind[rows[~present]] = tad_bits.ABSENT
    at[rows] += 1
    rows = rows[present]
    rows = drop(rows, end[rows] - at[rows] < width, tad_bits.SHORT)
    unit = reader.take(at[rows], width)
    at[rows] += width
    empty = unit == 0
    kind[rows[empty]] = tad_bits.EMPTY
    finished.append(rows[empty])
    rows, unit = rows[~empty], unit[~empty]
    short = end[rows] - at[rows] < 35
    rows, unit = drop(rows, short, tad_bits.SHORT), unit[~short]
    out = np.zeros((len(rows), len(tad_bits.STATUS_COLUMNS)), np.int32)
    out[:, 0], out[:, 1] = rows, unit
    spot = at[rows]
    out[:, 2] = reader.signed(spot, 16)
    for column, shift, bits in ((3, 16, 8), (4, 24, 8), (5, 32, 2), (6, 34, 1)):
        out[:, column] = reader.take(spot + shift, bits)
    spot = spot + 35
    attached = out[:, 6] > 0
    short = end[rows] - spot < np.where(attached, 23, 144)
    result[rows[short]] = tad_bits.SHORT
    rows, spot, out, attached = rows[~short], spot[~short], out[~short], attached[~short]
    some = np.flatnonzero(attached)
    out[some, 7] = reader.take(spot[some], 15)
    out[some, 8] = reader.signed(spot[some] + 15, 8)
    spot[some] += 23
    some = np.flatnonzero(~attached)
    for axis in range(3):
        out[some, 9 + axis] = reader.signed(spot[some] + 32 * axis, 32)
        out[some, 12 + axis] = reader.take(spot[some] + 96 + 16 * axis, 16)
    spot[some] += 144
    some = some[end[rows[some]] - spot[some] >= 32]
    out[some, 15] = 1
    out[some, 16] = reader.signed(spot[some], 32)
    spot[some] += 32
    at[rows] = spot
    kind[rows] = tad_bits.UNIT
    finished.append(rows)
    whole = np.concatenate(finished)
    left = end[whole] - at[whole]
    rest = reader.take(at[whole], 8) & (1 << np.clip(left, 0, 8)) - 1
    result[whole[(left >= 8) | (rest > 0)]] = tad_bits.REST
    return out

"""The bit stream of Total Annihilation unit syncs: the loop over entries.

Plain Python that the optional Cython build compiles as it is (types in `tad_bits.pxd`). The grammar is in seed 004, 7
and in the fact sheet tad-format, 7: least significant bit first, no alignment.
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython

# why a sync did not read
READ = 0
SHORT = 1  # the bits end inside a field
FAMILY = 2  # a type that nobody knows as ground or air
ORDER = 3  # slots that do not ascend, or pass the unit limit
TYPE = 4  # an entry of type 0
REST = 5  # a byte or more is left over, or what is left is not zero

# what the status says
NOTHING = 0  # not read
ABSENT = 1
EMPTY = 2
UNIT = 3

GROUND, AIR = 1, 2  # families of types; 0 is unknown

# columns of the three results
GROUND_COLUMNS = (
    "sync", "order", "slot", "type", "blocked", "points", "x1", "z1", "x2", "z2", "x3", "z3",
)  # fmt: skip
AIR_COLUMNS = (
    "sync", "order", "slot", "type", "selector", "flags", "piece", "target", "radius", "offset", "heading", "x", "y",
    "z", "vx", "vy", "vz", "turning", "mode",
)  # fmt: skip
STATUS_COLUMNS = (
    "sync", "type", "health", "build", "flags", "mode", "attached", "carrier", "piece", "x", "y", "z", "heading",
    "pitch", "bank", "moving", "speed",
)  # fmt: skip


# `words` are the pool's bytes as 64-bit little-endian words, one at every byte: a load gives any 57 bits.


def air_size(head: int) -> int:
    """Bits of an air entry behind its type; `head` are its first bits."""
    if head & 3 == 1:
        flags = head >> 2
        return (
            12
            + 32 * (flags & 1)
            + 16 * ((flags >> 3 & 1) + (flags >> 4 & 1) + (flags >> 6 & 1))
            + 96 * (flags >> 5 & 1)
        )
    if head & 3 == 2:
        return 197 + 16 * (head >> 2 & 1)
    return 4


def skim(
    words: Any,
    starts: Any,
    ends: Any,
    numbers: Any,
    width: int,
    limit: int,
    families: Any,
    needed: Any,
) -> None:
    """What stops each of the syncs `numbers`: `needed[n]` is its first type without a family, else 0."""
    with cython.nogil:
        mask = (1 << width) - 1
        for n in range(len(numbers)):
            at = starts[numbers[n]]
            end = ends[numbers[n]]
            at <<= 3
            end <<= 3
            before = -1
            needed[n] = 0
            while end - at >= 20 + width:
                word = words[at >> 3] >> (at & 7)
                slot = word & 0xFFFF
                unit = word >> 16 & mask
                if slot <= before or slot >= limit or unit == 0:
                    break
                before = slot
                at += 16 + width
                head = word >> (16 + width)
                if families[unit] == 1:
                    at += 3 + 32 * (head >> 1 & 3)
                elif families[unit] == 2:
                    at += air_size(head)
                else:
                    needed[n] = unit
                    break


def decode(
    words: Any,
    starts: Any,
    ends: Any,
    first: int,
    last: int,
    width: int,
    limit: int,
    families: Any,
    ground: Any,
    air: Any,
    status: Any,
    num_ground: int,
    num_air: int,
    num_status: int,
    result: Any,
    kind: Any,
    entries: Any,
) -> tuple[int, int, int, int]:
    """Read syncs `first` to `last - 1`, whose bits behind the tick are bytes `starts[i]` to `ends[i]` of the pool.

    `width` is that of a type index, `limit` the unit limit; `families[type]` tells ground from air. Fills `ground`,
    `air` and `status` (column, row) from rows `num_ground`, `num_air`, `num_status` on, and for each sync `result`
    (why it did not read; its rows are then taken back), `kind` (what its status says) and `entries`. Returns (number
    of the first sync whose rows might not fit any more or `last`, the three row counts).
    """
    with cython.nogil:
        room_ground = ground.shape[1]
        room_air = air.shape[1]
        room_status = status.shape[1]
        mask = (1 << width) - 1
        sign = 1
        sign <<= 31
        stop = last
        for i in range(first, last):
            at = starts[i]
            end = ends[i]
            at <<= 3
            end <<= 3
            most = (end - at) // (width + 19) + 1
            if room_ground - num_ground < most or room_air - num_air < most or room_status - num_status < 1:
                stop = i
                break
            g = num_ground
            a = num_air
            why = 0
            order = 0
            before = -1
            said = 0
            while True:
                if end - at < 16:
                    why = 1
                    break
                word = words[at >> 3] >> (at & 7)
                slot = word & 0xFFFF
                if slot == 0xFFFF:
                    at += 16
                    break
                if slot <= before or slot >= limit:
                    why = 3
                    break
                before = slot
                if end - at < width + 20:
                    why = 1
                    break
                unit = word >> 16 & mask
                if unit == 0:
                    why = 4
                    break
                head = word >> (16 + width)
                at += 16 + width
                if families[unit] == 1:
                    count = head >> 1 & 3
                    if end - at < 3 + 32 * count:
                        why = 1
                        break
                    at += 3
                    ground[0, g] = i
                    ground[1, g] = order
                    ground[2, g] = slot
                    ground[3, g] = unit
                    ground[4, g] = head & 1
                    ground[5, g] = count
                    for k in range(3):
                        word = 0
                        if k < count:
                            word = words[at >> 3] >> (at & 7)
                            at += 32
                        ground[6 + 2 * k, g] = (word & 0x7FFF) - (word & 0x8000)
                        ground[7 + 2 * k, g] = (word >> 16 & 0x7FFF) - (word >> 16 & 0x8000)
                    g += 1
                elif families[unit] == 2:
                    size = air_size(head)
                    if end - at < size:
                        why = 1
                        break
                    size += at
                    for k in range(5, 18):
                        air[k, a] = 0
                    air[0, a] = i
                    air[1, a] = order
                    air[2, a] = slot
                    air[3, a] = unit
                    air[4, a] = head & 3
                    at += 2
                    if head & 3 == 1:
                        flags = head >> 2 & 0xFF
                        air[5, a] = flags
                        at += 8
                        if flags & 1:
                            word = words[at >> 3] >> (at & 7)
                            air[6, a] = (word & 0x7FFF) - (word & 0x8000)
                            air[7, a] = word >> 16 & 0xFFFF
                            at += 32
                        if flags & 16:
                            word = words[at >> 3] >> (at & 7)
                            air[8, a] = (word & 0x7FFF) - (word & 0x8000)
                            at += 16
                        if flags & 8:
                            word = words[at >> 3] >> (at & 7)
                            air[9, a] = (word & 0x7FFF) - (word & 0x8000)
                            at += 16
                        if flags & 64:
                            air[10, a] = words[at >> 3] >> (at & 7) & 0xFFFF
                            at += 16
                        if flags & 32:
                            for k in range(11, 14):
                                word = words[at >> 3] >> (at & 7)
                                air[k, a] = (word & (sign - 1)) - (word & sign)
                                at += 32
                    elif head & 3 == 2:
                        at += 1
                        for k in range(11, 17):
                            word = words[at >> 3] >> (at & 7)
                            air[k, a] = (word & (sign - 1)) - (word & sign)
                            at += 32
                        air[17, a] = head >> 2 & 1
                        if head & 4:
                            air[10, a] = words[at >> 3] >> (at & 7) & 0xFFFF
                    at = size
                    air[18, a] = words[(at - 2) >> 3] >> ((at - 2) & 7) & 3
                    a += 1
                else:
                    why = 2
                    break
                order += 1
            if why == 0:
                word = words[at >> 3] >> (at & 7)
                unit = word >> 1 & mask
                if end - at < 1:
                    why = 1
                elif not word & 1:
                    at += 1
                    said = 1
                elif end - at < 1 + width:
                    why = 1
                elif unit == 0:
                    at += 1 + width
                    said = 2
                elif end - at < 36 + width:
                    why = 1
                else:
                    said = 3
                    at += 1 + width
                    word = words[at >> 3] >> (at & 7)
                    for k in range(7, 17):
                        status[k, num_status] = 0
                    status[0, num_status] = i
                    status[1, num_status] = unit
                    status[2, num_status] = (word & 0x7FFF) - (word & 0x8000)
                    status[3, num_status] = word >> 16 & 0xFF
                    status[4, num_status] = word >> 24 & 0xFF
                    status[5, num_status] = word >> 32 & 3
                    status[6, num_status] = word >> 34 & 1
                    at += 35
                    if word >> 34 & 1:
                        if end - at < 23:
                            why = 1
                        else:
                            word = words[at >> 3] >> (at & 7)
                            status[7, num_status] = word & 0x7FFF
                            status[8, num_status] = (word >> 15 & 0x7F) - (word >> 15 & 0x80)
                            at += 23
                    elif end - at < 144:
                        why = 1
                    else:
                        for k in range(9, 12):
                            word = words[at >> 3] >> (at & 7)
                            status[k, num_status] = (word & (sign - 1)) - (word & sign)
                            at += 32
                        word = words[at >> 3] >> (at & 7)
                        for k in range(12, 15):
                            status[k, num_status] = word & 0xFFFF
                            word >>= 16
                        at += 48
                        if end - at >= 32:
                            word = words[at >> 3] >> (at & 7)
                            status[15, num_status] = 1
                            status[16, num_status] = (word & (sign - 1)) - (word & sign)
                            at += 32
            if why == 0 and end > at and (end - at >= 8 or words[at >> 3] >> (at & 7) & ((1 << (end - at)) - 1)):
                why = 5
            result[i] = why
            entries[i] = order if why == 0 else 0
            kind[i] = said if why == 0 else 0
            if why == 0:
                num_ground = g
                num_air = a
                if said == 3:
                    num_status += 1
    return stop, num_ground, num_air, num_status

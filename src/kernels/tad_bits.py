"""The bit stream of Total Annihilation unit syncs: the loop over entries.

Plain Python that the optional Cython build compiles as it is (types in `tad_bits.pxd`). The grammar is in seed 004, 7
and in the fact sheet tad-format, 7: least significant bit first, no alignment.
"""

from __future__ import annotations

from typing import Any

# why a sync did not read
READ = 0
SHORT = 1  # the bits end inside a field
FAMILY = 2  # a type that nobody knows as ground or air
ORDER = 3  # slots that do not ascend, or pass the unit limit
TYPE = 4  # an entry of type 0 or past the catalog
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


def take(pool: Any, at: int, width: int) -> int:
    """`width` bits (up to 32) at bit `at`, unsigned."""
    byte = at >> 3
    shift = at & 7
    value: int = pool[byte]
    have = 8 - shift
    value >>= shift
    while have < width:
        byte += 1
        piece = pool[byte]
        value |= piece << have
        have += 8
    one = 1
    return value & ((one << width) - 1)


def signed_bits(pool: Any, at: int, width: int) -> int:
    """`width` bits at bit `at`, two's complement."""
    one = 1
    value = take(pool, at, width)
    if value >> (width - 1):
        value -= one << width
    return value


def decode(
    pool: Any,
    starts: Any,
    ends: Any,
    first: int,
    last: int,
    width: int,
    limit: int,
    types: int,
    families: Any,
    ground: Any,
    air: Any,
    status: Any,
    num_ground: int,
    num_air: int,
    num_status: int,
    result: Any,
    needed: Any,
    kind: Any,
    entries: Any,
) -> tuple[int, int, int, int]:
    """Read syncs `first` to `last - 1`, whose bits behind the tick are `pool[starts[i]:ends[i]]`.

    `width` is that of a type index, `limit` the unit limit and `types` one more than the last type; `families[type]`
    tells ground from air. Fills rows of `ground`, `air` and `status` from `num_ground`, `num_air`, `num_status` on,
    and for each sync `result` (why it did not read; its rows are then taken back), `needed` (the type without a
    family), `kind` (what its status says) and `entries`. Returns (number of the first sync whose rows might not fit
    any more or `last`, the three row counts).
    """
    room_ground = len(ground)
    room_air = len(air)
    room_status = len(status)
    for i in range(first, last):
        at = starts[i] * 8
        end = ends[i] * 8
        most = (end - at) // (width + 19) + 1
        if room_ground - num_ground < most or room_air - num_air < most or room_status - num_status < 1:
            return i, num_ground, num_air, num_status
        g = num_ground
        a = num_air
        why = 0
        order = 0
        before = -1
        needed[i] = 0
        kind[i] = 0
        while True:
            if end - at < 16:
                why = 1
                break
            slot = take(pool, at, 16)
            at += 16
            if slot == 0xFFFF:
                break
            if slot <= before or slot >= limit:
                why = 3
                break
            before = slot
            if end - at < width + 4:
                why = 1
                break
            unit = take(pool, at, width)
            at += width
            if unit == 0 or unit >= types:
                why = 4
                break
            family = families[unit]
            if family == 1:
                count = take(pool, at + 1, 2)
                if end - at < 3 + 32 * count:
                    why = 1
                    break
                ground[g, 0] = i
                ground[g, 1] = order
                ground[g, 2] = slot
                ground[g, 3] = unit
                ground[g, 4] = take(pool, at, 1)
                ground[g, 5] = count
                at += 3
                for k in range(3):
                    if k < count:
                        ground[g, 6 + 2 * k] = signed_bits(pool, at, 16)
                        ground[g, 7 + 2 * k] = signed_bits(pool, at + 16, 16)
                        at += 32
                    else:
                        ground[g, 6 + 2 * k] = 0
                        ground[g, 7 + 2 * k] = 0
                g += 1
            elif family == 2:
                for k in range(4, 19):
                    air[a, k] = 0
                air[a, 0] = i
                air[a, 1] = order
                air[a, 2] = slot
                air[a, 3] = unit
                selector = take(pool, at, 2)
                air[a, 4] = selector
                at += 2
                if selector == 1:
                    if end - at < 8:
                        why = 1
                        break
                    flags = take(pool, at, 8)
                    air[a, 5] = flags
                    at += 8
                    size = 2
                    if flags & 1:
                        size += 32
                    if flags & 16:
                        size += 16
                    if flags & 8:
                        size += 16
                    if flags & 64:
                        size += 16
                    if flags & 32:
                        size += 96
                    if end - at < size:
                        why = 1
                        break
                    if flags & 1:
                        air[a, 6] = signed_bits(pool, at, 16)
                        air[a, 7] = take(pool, at + 16, 16)
                        at += 32
                    if flags & 16:
                        air[a, 8] = signed_bits(pool, at, 16)
                        at += 16
                    if flags & 8:
                        air[a, 9] = signed_bits(pool, at, 16)
                        at += 16
                    if flags & 64:
                        air[a, 10] = take(pool, at, 16)
                        at += 16
                    if flags & 32:
                        for k in range(3):
                            air[a, 11 + k] = signed_bits(pool, at, 32)
                            at += 32
                elif selector == 2:
                    if end - at < 195:
                        why = 1
                        break
                    turning = take(pool, at, 1)
                    if end - at < 195 + 16 * turning:
                        why = 1
                        break
                    at += 1
                    for k in range(6):
                        air[a, 11 + k] = signed_bits(pool, at, 32)
                        at += 32
                    air[a, 17] = turning
                    if turning:
                        air[a, 10] = take(pool, at, 16)
                        at += 16
                air[a, 18] = take(pool, at, 2)
                at += 2
                a += 1
            else:
                why = 2
                needed[i] = unit
                break
            order += 1
        if why == 0:
            if end - at < 1:
                why = 1
            elif not take(pool, at, 1):
                at += 1
                kind[i] = 1
            elif end - at < 1 + width:
                why = 1
            else:
                unit = take(pool, at + 1, width)
                at += 1 + width
                if unit == 0:
                    kind[i] = 2
                elif unit >= types:
                    why = 4
                elif end - at < 35:
                    why = 1
                else:
                    kind[i] = 3
                    for k in range(7, 17):
                        status[num_status, k] = 0
                    status[num_status, 0] = i
                    status[num_status, 1] = unit
                    status[num_status, 2] = signed_bits(pool, at, 16)
                    status[num_status, 3] = take(pool, at + 16, 8)
                    status[num_status, 4] = take(pool, at + 24, 8)
                    status[num_status, 5] = take(pool, at + 32, 2)
                    attached = take(pool, at + 34, 1)
                    status[num_status, 6] = attached
                    at += 35
                    if attached:
                        if end - at < 23:
                            why = 1
                        else:
                            status[num_status, 7] = take(pool, at, 15)
                            status[num_status, 8] = signed_bits(pool, at + 15, 8)
                            at += 23
                    elif end - at < 144:
                        why = 1
                    else:
                        for k in range(3):
                            status[num_status, 9 + k] = signed_bits(pool, at, 32)
                            at += 32
                        for k in range(3):
                            status[num_status, 12 + k] = take(pool, at, 16)
                            at += 16
                        if end - at >= 32:
                            status[num_status, 15] = 1
                            status[num_status, 16] = signed_bits(pool, at, 32)
                            at += 32
        if why == 0 and end > at and (end - at >= 8 or take(pool, at, end - at)):
            why = 5
        result[i] = why
        if why == 0:
            entries[i] = order
            num_ground = g
            num_air = a
            if kind[i] == 3:
                num_status += 1
        else:
            entries[i] = 0
            kind[i] = 0
    return last, num_ground, num_air, num_status

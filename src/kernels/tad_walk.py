"""Records and subpackets of Total Annihilation recordings: the loops over bytes.

Plain Python that the optional Cython build compiles as it is (types in `tad_walk.pxd`).
"""

from __future__ import annotations

from typing import Any

# how a subpacket came out
WHOLE = 0
UNKNOWN_ID = 1  # its id has no known length: the rest of the stream, opaque
CUT = 2  # it is longer than what is left: the rest of the stream, opaque
BAD_LENGTH = 3  # its length field is below its own fields: the rest of the stream, opaque
COMMAND = 4  # a typed command that fills the packet
MARKER = 5  # the recorder's note of a failed checksum, in the place of subpackets
NO_SUBPACKETS = 6  # a payload with an unknown flag, or one that does not inflate: opaque

# how the size of an id is found, where it is no constant
UNKNOWN = 0
LENGTH_FIELD = -1
ZERO_RUN = -2
TEXT = -3
DOT = -4
OLD_OR_LENGTH = -5

# what an id is to the clock of its sender
EVENT = 0
BASE = 1
TAKES_TICK = 2
OWN_TICK = 3
SPEED = 4


def frame(data: Any, position: int, offsets: Any, limit: int) -> tuple[int, int]:
    """Offsets of the records of `data` from `position` on, until a record is cut or `limit` are found.

    Returns (number of records, where the rest begins); the rest is empty for a whole file.
    """
    size = len(data)
    count = 0
    while size - position >= 2 and count < limit:
        length = data[position] | data[position + 1] << 8
        if length < 2 or size - position < length:
            break
        offsets[count] = position
        count += 1
        position += length
    return count, position


def walk(
    pool: Any,
    starts: Any,
    ends: Any,
    opaque: Any,
    first: int,
    last: int,
    rules: Any,
    field: Any,
    width: Any,
    bias: Any,
    least: Any,
    position: int,
    offsets: Any,
    lengths: Any,
    ids: Any,
    states: Any,
    firsts: Any,
) -> tuple[int, int]:
    """Split payloads `first` to `last - 1`, each `pool[starts[i]:ends[i]]`, into subpackets.

    `rules[id]` is a size or one of the codes above; a length field stands at `field[id]`, `width[id]` bytes wide, and
    with `bias[id]` gives the size, at least `least[id]`; for texts `least[id]` is their usual size. Fills `offsets`,
    `lengths`, `ids` and `states` from `position` on and `firsts[i]`, where the subpackets of a payload begin. The
    spans tile the payload; a payload with a state in `opaque[i]` is one span of that state. Returns (number of
    the first payload that did not fit any more or `last`, position).
    """
    room = len(offsets)
    for i in range(first, last):
        start = starts[i]
        end = ends[i]
        if room - position < end - start:
            return i, position
        firsts[i] = position
        at = start
        if opaque[i] and at < end:
            offsets[position] = at
            lengths[position] = end - at
            ids[position] = pool[at]
            states[position] = opaque[i]
            position += 1
            continue
        while at < end:
            kind = pool[at]
            size = rules[kind]
            left = end - at
            state = 0
            if size <= 0:
                if size == -1 or size == -5:
                    spot = field[kind]
                    if left < spot + width[kind]:
                        size = left
                        state = 2
                    else:
                        size = pool[at + spot]
                        if width[kind] == 2:
                            size |= pool[at + spot + 1] << 8
                        size += bias[kind]
                        if size < least[kind]:
                            size = left
                            state = 3
                    if rules[kind] == -5 and at == start and (size > left or state):
                        size = left
                        state = 0
                elif size == -2:
                    size = 1
                    while size < left and pool[at + size] == 0:
                        size += 1
                elif size == -3:
                    size = least[kind]
                    if left < size:
                        size = left
                    elif pool[at + size - 1] != 0:
                        size = left - 5 if left >= size + 5 and pool[end - 5] == 0xFC else left
                elif size == -4:
                    size = least[kind]
                    if at == start and left > 1 and 0x20 <= pool[at + 1] < 0x7F:
                        size = left
                        state = 4
                else:
                    size = left
                    state = 1
            if size > left:
                size = left
                state = 2
            offsets[position] = at
            lengths[position] = size
            ids[position] = kind
            states[position] = state
            position += 1
            at += size
    return last, position


def ticks(
    pool: Any,
    firsts: Any,
    count: int,
    senders: Any,
    offsets: Any,
    ids: Any,
    states: Any,
    roles: Any,
    counters: Any,
    known: Any,
    low: Any,
    breaks: Any,
    seen: Any,
) -> None:
    """Give every subpacket the tick of the sync before it, a sync and a base their own; -1 for unknown.

    `firsts` (one more than records) bounds the subpackets of each of the `count` records; `roles[id]` says what an id
    is to the clock. `counters` and `known` hold each sender's next tick, and go on where they are. An event lies
    between two syncs of one sender, `low` and the one after it, whose tick is one more; where the clock or the game's
    speed jumps in between, or either sync lacks, `low` is -1. `breaks`, all 0 before, becomes 1 at a base that differs
    from the counter. `seen` is scratch, one for each sender. A tick past 31 bits, more than two years of play, counts
    as unknown.
    """
    for s in range(256):
        seen[s] = -1
    for i in range(count):
        s = senders[i]
        last = seen[s]
        counter = counters[s]
        for j in range(firsts[i], firsts[i + 1]):
            role = 0
            if states[j] == 0:
                role = roles[ids[j]]
            if role == 0:
                low[j] = last
            elif role == 2:
                last = -1
                if known[s] and counter <= 0x7FFFFFFF:
                    last = counter
                    counter += 1
                low[j] = last
            elif role == 4:
                for k in range(256):
                    seen[k] = -1
                last = -1
                low[j] = -1
            else:
                at = offsets[j] + (1 if role == 1 else 3)
                value = pool[at] | pool[at + 1] << 8 | pool[at + 2] << 16
                top = pool[at + 3]
                value += top << 24
                if known[s] and counter != value:
                    breaks[j] = 1
                    last = -1
                known[s] = 1
                counter = value + (role == 3)
                if value > 0x7FFFFFFF:
                    value = -1
                low[j] = value
                if role == 3:
                    last = value
        seen[s] = last
        counters[s] = counter
    for s in range(256):
        seen[s] = -1
    for i in range(count - 1, -1, -1):
        s = senders[i]
        last = seen[s]
        for j in range(firsts[i + 1] - 1, firsts[i] - 1, -1):
            role = 0
            if states[j] == 0:
                role = roles[ids[j]]
            if role == 0:
                if last < 0:
                    low[j] = -1
            elif role == 4:
                for k in range(256):
                    seen[k] = -1
                last = -1
            elif role == 1:
                if breaks[j]:
                    last = -1
            else:
                last = -1 if breaks[j] else low[j]
        seen[s] = last

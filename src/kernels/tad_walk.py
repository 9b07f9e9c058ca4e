"""Records and subpackets of Total Annihilation recordings: the loops over bytes.

Plain Python that the optional Cython build compiles as it is (types in `tad_walk.pxd`).
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython

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


def heads(
    data: Any,
    offsets: Any,
    first: int,
    last: int,
    prefix: int,
    lengths: Any,
    dt: Any,
    senders: Any,
    flags: Any,
    starts: Any,
    ends: Any,
) -> None:
    """Length, time, sender and flag of records `first` to `last - 1`, 0 where one is too short to have them.

    A payload begins `prefix` bytes into its record, or at the end of a shorter one.
    """
    with cython.nogil:
        for i in range(first, last):
            at = offsets[i]
            length = data[at] | data[at + 1] << 8
            lengths[i] = length
            dt[i] = (data[at + 2] if length > 2 else 0) | (data[at + 3] << 8 if length > 3 else 0)
            senders[i] = data[at + 4] if length > 4 else 0
            flags[i] = data[at + 5] if length > 5 else 0
            starts[i] = at + (length if length < prefix else prefix)
            ends[i] = at + length


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
    with cython.nogil:
        stop = last
        room = len(offsets)
        for i in range(first, last):
            start = starts[i]
            end = ends[i]
            if room - position < end - start:
                stop = i
                break
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
    return stop, position


def tally(ids: Any, states: Any, totals: Any) -> None:
    """Add to `totals[id]` how many whole subpackets have the id."""
    with cython.nogil:
        for j in range(len(ids)):
            if states[j] == 0:
                totals[ids[j]] += 1


def survey(
    pool: Any,
    firsts: Any,
    count: int,
    senders: Any,
    offsets: Any,
    lengths: Any,
    ids: Any,
    states: Any,
    roles: Any,
    counters: Any,
    known: Any,
    low: Any,
    jumps: Any,
    syncs: Any,
    bits: Any,
    places: Any,
    events: Any,
    before: Any,
    last: Any,
) -> int:
    """Give every subpacket the tick of the sync before it, a sync and a base their own; -1 for unknown.

    `firsts` (one more than records) bounds the subpackets of each of the `count` records; `roles[id]` says what an id
    is to the clock. `counters` and `known` hold each sender's next tick, and go on where they are. An event lies
    between two syncs of one sender, `low` and the one after it, whose tick is one more; where the clock or the game's
    speed jumps in between, or either sync lacks, `low` is -1. A tick past 31 bits, more than two years of play, counts
    as unknown. Fills `jumps` with the bases, and syncs with a tick of their own, that are not the tick expected next,
    and returns how many.

    Lists what is whole as well. `syncs` becomes where the syncs of each record begin among all (one more than records).
    `bits` has a column a sync with bits: its subpacket, its record, its number among all syncs, where its bits begin
    and end in the pool. `events` has one an event, its subpacket and its record, those of an id from `places[id]` on,
    which becomes where they end. `before` (one a record) and `last` (4 by 256) are scratch.
    """
    with cython.nogil:
        num_jumps = 0
        num_syncs = 0
        num_bits = 0
        epoch = 0  # how many speeds there were
        for s in range(256):
            last[0, s] = -1  # record of the sender
            last[1, s] = -1  # its sync, and the tick of this; -1 where what follows has none before it
            last[2, s] = -1
            last[3, s] = 0  # epoch of both
        for i in range(count):
            s = senders[i]
            syncs[i] = num_syncs
            before[i] = last[0, s]
            sync = last[1, s]
            tick = last[2, s]
            if last[3, s] != epoch:
                if tick >= 0:
                    without(firsts, ids, states, roles, before, low, before[i], sync, firsts[i])
                tick = -1
            counter = counters[s]
            for j in range(firsts[i], firsts[i + 1]):
                if states[j]:
                    low[j] = tick
                    continue
                kind = ids[j]
                role = roles[kind]
                if role == 0 or role == 4:
                    events[0, places[kind]] = j
                    events[1, places[kind]] = i
                    places[kind] += 1
                    if role == 0:
                        low[j] = tick
                        continue
                elif role != 1:
                    if kind != 0xFF:  # an idle one stands for bits that say nothing
                        bits[0, num_bits] = j
                        bits[1, num_bits] = i
                        bits[2, num_bits] = num_syncs
                        bits[3, num_bits] = offsets[j] + (7 if role == 3 else 3)
                        bits[4, num_bits] = offsets[j] + lengths[j]
                        num_bits += 1
                    num_syncs += 1
                value = -1
                broken = False
                if role == 2:
                    if known[s]:
                        if counter <= 0x7FFFFFFF:
                            value = counter
                        counter += 1
                elif role == 4:
                    epoch += 1
                    broken = True
                else:
                    at = offsets[j] + (1 if role == 1 else 3)
                    top = pool[at + 3]
                    value = (pool[at] | pool[at + 1] << 8 | pool[at + 2] << 16) + (top << 24)
                    if known[s] and counter != value:
                        jumps[num_jumps] = j
                        num_jumps += 1
                        broken = True
                    known[s] = 1
                    counter = value + (role == 3)
                    if value > 0x7FFFFFFF:
                        value = -1
                low[j] = value
                if role == 1 and not broken:
                    continue
                if tick >= 0 and (broken or value < 0):
                    without(firsts, ids, states, roles, before, low, i, sync, j)
                sync = j
                tick = value if role == 2 or role == 3 else -1
            last[0, s] = i
            last[1, s] = sync
            last[2, s] = tick
            last[3, s] = epoch
            counters[s] = counter
        syncs[count] = num_syncs
        for s in range(256):
            if last[2, s] >= 0:
                i = last[0, s]
                without(firsts, ids, states, roles, before, low, i, last[1, s], firsts[i + 1])
    return num_jumps


def without(
    firsts: Any, ids: Any, states: Any, roles: Any, before: Any, low: Any, record: int, after: int, until: int
) -> None:
    """Takes the tick from the events between `after` and `until` in `record` and the sender's records before it."""
    while record >= 0:
        for j in range(max(firsts[record], after + 1), min(firsts[record + 1], until)):
            if states[j] or roles[ids[j]] == 0:
                low[j] = -1
        if firsts[record] <= after:
            break
        record = before[record]


def spread(
    firsts: Any,
    first: int,
    last: int,
    starts: Any,
    senders: Any,
    offsets: Any,
    ids: Any,
    states: Any,
    roles: Any,
    records: Any,
    owners: Any,
    places: Any,
    timed: Any,
) -> None:
    """For each subpacket of records `first` to `last - 1` its record, sender and place in the payload.

    `timed` becomes 1 for one with a tick of its own.
    """
    with cython.nogil:
        for i in range(first, last):
            start = starts[i]
            sender = senders[i]
            for j in range(firsts[i], firsts[i + 1]):
                records[j] = i
                owners[j] = sender
                places[j] = offsets[j] - start
                role = roles[ids[j]]
                timed[j] = states[j] == 0 and 1 <= role <= 3


def list_syncs(
    firsts: Any,
    first: int,
    last: int,
    senders: Any,
    ids: Any,
    states: Any,
    roles: Any,
    low: Any,
    syncs: Any,
    records: Any,
    owners: Any,
    kinds: Any,
    ticks: Any,
) -> None:
    """Record, sender, id and tick of the whole syncs of records `first` to `last - 1`, from `syncs[i]` on."""
    with cython.nogil:
        for i in range(first, last):
            at = syncs[i]
            sender = senders[i]
            for j in range(firsts[i], firsts[i + 1]):
                kind = ids[j]
                role = roles[kind]
                if (role == 2 or role == 3) and states[j] == 0:
                    records[at] = i
                    owners[at] = sender
                    kinds[at] = kind
                    ticks[at] = low[j]
                    at += 1

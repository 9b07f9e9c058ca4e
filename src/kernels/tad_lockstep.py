"""The loops of `tad_lz77` and `tad_walk` for plain Python: numpy takes one step in all records at once.

A step over 300,000 records costs little more than one over 30, so this comes within a few times of the compiled
kernels. The last few records, where a step is mostly overhead, go through the plain loops.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import looked_up, spans_index

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Places = NDArray[np.int32]
Sizes = NDArray[np.uint16]
Ticks = NDArray[np.int32]

_FEW = 32  # records left over for the plain loops
_CHUNK = 8192  # records inflated together
_PIECE = 1 << 16  # subpackets counted together

_BITS = (np.arange(256)[:, None] >> np.arange(8)[None, :] & 1).astype(bool)  # (control byte, slot): a word there
_WIDTHS = _BITS.astype(np.int64) + 1
_PLACES = np.cumsum(_WIDTHS, axis=1) - _WIDTHS  # offset of each slot behind the control byte
_BLOCK = _WIDTHS.sum(axis=1)


def heads(
    data: Bytes, offsets: Ints, prefix: int
) -> tuple[NDArray[np.int32], NDArray[np.uint16], Bytes, Bytes, Ints, Ints]:
    """As the kernel's of all records."""
    # the first 8 bytes of each at once; of a record at the end of the file, the last 8 of the file
    spots = np.minimum(offsets, max(0, len(data) - 8))
    padded = data if len(data) >= 8 else np.concatenate([data, np.zeros(8, np.uint8)])
    words = np.ndarray((len(padded) - 7,), "<u8", padded, strides=(1,))
    word = words[spots] >> (8 * (offsets - spots)).astype(np.uint64)
    lengths = (word & np.uint64(0xFFFF)).astype(np.int64)
    # what lies behind the end of a short record is not of it
    word &= (np.uint64(1) << (8 * np.minimum(lengths, 7)).astype(np.uint64)) - np.uint64(1)
    dt = (word >> np.uint64(16)).astype(np.uint16)
    senders, flags = (word >> np.uint64(32)).astype(np.uint8), (word >> np.uint64(40)).astype(np.uint8)
    ends = offsets + lengths
    return lengths.astype(np.int32), dt, senders, flags, np.minimum(offsets + prefix, ends), ends


def unpack(
    kernel: ModuleType,
    data: Bytes,
    starts: Ints,
    ends: Ints,
    packed: NDArray[np.bool_],
    caps: Ints,
    zero_fill: bool,
    within: Callable[[int], None] | None = None,
) -> tuple[Bytes, Ints, Ints, Bytes]:
    """As the kernel's over all payloads: (output, where each begins, where it ends, status bits).

    ``within`` is asked about the output so far now and then, and may raise.
    """
    pieces: list[Bytes] = []
    out_starts, out_ends = np.zeros(len(starts), np.int64), np.zeros(len(starts), np.int64)
    status = np.zeros(len(starts), np.uint8)
    padded = np.concatenate([data, np.zeros(32, np.uint8)])
    total = 0
    for low in range(0, len(starts), _CHUNK):
        part = slice(low, low + _CHUNK)
        piece, lengths, status[part] = _unpack_chunk(
            kernel, padded, starts[part], ends[part], packed[part], caps[part], zero_fill
        )
        out_ends[part] = total + np.cumsum(lengths)
        out_starts[part] = out_ends[part] - lengths
        total += len(piece)
        if within is not None:
            within(total)
        pieces.append(piece)
    return (np.concatenate(pieces) if pieces else np.empty(0, np.uint8)), out_starts, out_ends, status


def _unpack_chunk(
    kernel: ModuleType, data: Bytes, starts: Ints, ends: Ints, packed: NDArray[np.bool_], caps: Ints, zero_fill: bool
) -> tuple[Bytes, Ints, Bytes]:
    caps = np.where(packed, caps, ends - starts)
    bases = np.cumsum(caps) - caps
    out = np.zeros(int(caps.sum()), np.uint8)
    write, read = bases.copy(), starts.copy()
    status = np.zeros(len(starts), np.uint8)
    stored = np.flatnonzero(~packed)
    out[spans_index(bases[stored], caps[stored])] = data[spans_index(starts[stored], caps[stored])]
    write[stored] += caps[stored]
    rows = np.flatnonzero(packed)
    while len(rows) > _FEW:
        at, end = read[rows], ends[rows]
        dry = at >= end
        if dry.any():
            status[rows[dry]] |= kernel.NO_END
            rows, at, end = rows[~dry], at[~dry], end[~dry]
        control = data[at]
        words = _BITS[control]
        place = at[:, None] + 1 + _PLACES[control]
        np.minimum(place, len(data) - 2, out=place)
        word = data[place].astype(np.int64)
        literal = word.astype(np.uint8)
        word |= data[place + 1].astype(np.int64) << 8
        source = word >> 4
        length = np.where(words, (word & 15) + 2, 1)
        cut = place >= end[:, None]
        half = words & (place + 1 == end[:, None])
        final = words & (source == 0) & ~half
        stop = cut | half | final
        stopped = stop.any(axis=1)
        where = np.where(stopped, stop.argmax(axis=1), 8)
        length[np.arange(8)[None, :] >= where[:, None]] = 0
        target = np.cumsum(length, axis=1) - length + write[rows][:, None]
        room = (bases + caps)[rows][:, None] - target
        over = length > room
        full = over.any(axis=1)
        # the slot where the output is full ends the record, so nothing behind it counts
        until = np.where(full, over.argmax(axis=1), 8)
        slots = np.arange(8)[None, :]
        origin = bases[rows][:, None] + source - 1
        beyond = words & (length > 0) & (origin >= target) & (slots <= until[:, None])
        stopped &= ~full
        if full.any():
            np.clip(length, 0, np.maximum(room, 0), out=length)
            length[slots > until[:, None]] = 0
        if beyond.any():
            bad = beyond.any(axis=1)
            status[rows[bad]] |= kernel.BEYOND
            if not zero_fill:
                length[slots >= np.where(bad, beyond.argmax(axis=1), 8)[:, None]] = 0
                status[rows[bad]] |= kernel.STOPPED
                stopped &= ~bad
                full &= ~bad
        plain = ~words & (length > 0)
        out[target[plain]] = literal[plain]
        for slot in range(8):
            some = np.flatnonzero(words[:, slot] & (length[:, slot] > 0))
            if len(some):
                _copy(out, origin[some, slot], target[some, slot], length[some, slot])
        write[rows] += length.sum(axis=1)
        read[rows] = at + 1 + _BLOCK[control]
        if stopped.any():
            at_stop = np.minimum(where, 7)
            index = np.arange(len(rows))
            kind = np.zeros(len(rows), np.uint8)
            kind[cut[index, at_stop]] = kernel.CUT
            kind[half[index, at_stop]] = kernel.HALF_WORD
            behind = final[index, at_stop] & (place[index, at_stop] + 2 < end)
            kind[behind] = kernel.AFTER_END
            status[rows[stopped]] |= kind[stopped]
        status[rows[full]] |= kernel.FULL
        gone = stopped | full
        if not zero_fill:
            gone = gone | (status[rows] & kernel.STOPPED > 0)
        rows = rows[~gone]
    lengths = write - bases
    for row in rows.tolist():
        begin, finish, flags = [0], [0], [0]
        view = memoryview(out.data)[bases[row] : bases[row] + caps[row]]
        kernel.unpack(
            memoryview(data.data), [int(starts[row])], [int(ends[row])], [1], 0, 1, view, 0, int(caps[row]),
            zero_fill, begin, finish, flags,
        )  # fmt: skip
        lengths[row], status[row] = finish[0], flags[0]
    return out[spans_index(bases, lengths)], lengths, status


def _copy(out: Bytes, source: Ints, target: Ints, length: Ints) -> None:
    """Copies spans that may overlap their own result; what lies past the output so far reads as zero."""
    gap = target - source
    zero = bool((gap <= 0).any())
    for step in range(int(length.max())):
        if step:
            more = length > step
            source, target, length, gap = source[more], target[more], length[more], gap[more]
        if zero:
            out[target + step] = np.where(gap > 0, out[np.minimum(source + step, len(out) - 1)], 0)
        else:
            out[target + step] = out[source + step]


def walk(
    kernel: ModuleType, pool: Bytes, starts: Ints, ends: Ints, opaque: Bytes, rules: dict[str, NDArray[np.int32]]
) -> tuple[Places, Sizes, Bytes, Bytes, Ints]:
    """All payloads split into subpackets: (offsets, lengths, ids, states, firsts with one more than payloads)."""
    rule, field, width = rules["rules"], rules["field"], rules["width"]
    bias, least = rules["bias"], rules["least"]
    at = starts.copy()
    rows = np.flatnonzero(at < ends)
    steps: list[tuple[Ints, Ints, Ints, Bytes]] = []
    states: list[Bytes] = []
    counts = np.zeros(len(starts), np.int64)
    last = len(pool) - 1
    closed = rows[opaque[rows] > 0]
    if len(closed):  # each one span, the first step of its payload
        steps.append((closed, starts[closed], ends[closed] - starts[closed], pool[starts[closed]]))
        states.append(opaque[closed])
        counts[closed] = 1
        rows = rows[opaque[rows] == 0]
    begun = len(steps)
    while len(rows) > _FEW:
        spot, end = at[rows], ends[rows]
        left = end - spot
        kind = pool[spot]
        size = rule[kind].astype(np.int64)
        state = np.zeros(len(rows), np.uint8)
        special = np.flatnonzero(size <= 0)
        if len(special):
            _special(pool, last, starts[rows], spot, end, kind, size, state, special, field, width, bias, least)
        over = size > left
        size[over] = left[over]
        state[over] = kernel.CUT
        steps.append((rows, spot, size, kind))
        states.append(state)
        counts[rows] += 1
        spot = spot + size
        at[rows] = spot
        rows = rows[spot < end]
    tails: list[tuple[int, Any, Any, Any, Any]] = []
    later = {"rules": rule.copy()}
    later["rules"][rule == kernel.DOT] = least[rule == kernel.DOT]
    later["rules"][rule == kernel.OLD_OR_LENGTH] = kernel.LENGTH_FIELD
    for row in rows.tolist():
        inside = later if counts[row] else {}
        tails.append((row, *_plain(kernel, pool, int(at[row]), int(ends[row]), rules | inside)))
        counts[row] += len(tails[-1][1])
    firsts = np.zeros(len(starts) + 1, np.int64)
    np.cumsum(counts, out=firsts[1:])
    total = int(firsts[-1])
    offsets, lengths = np.empty(total, np.int32), np.empty(total, np.uint16)
    ids, how = np.empty(total, np.uint8), np.empty(total, np.uint8)
    for number, ((rows, spot, size, kind), state) in enumerate(zip(steps, states, strict=True)):
        place = firsts[rows] + max(0, number - begun)
        offsets[place], lengths[place], ids[place], how[place] = spot, size, kind, state
    for row, *columns in tails:
        span = slice(int(firsts[row + 1]) - len(columns[0]), int(firsts[row + 1]))
        offsets[span], lengths[span], ids[span], how[span] = columns
    return offsets, lengths, ids, how, firsts


def _special(
    pool: Bytes, last: int, start: Ints, spot: Ints, end: Ints, kind: Bytes, size: Ints, state: Bytes, rows: Ints,
    field: Any, width: Any, bias: Any, least: Any,
) -> None:  # fmt: skip
    """Sizes of the subpackets in ``rows`` whose rule is no constant, written into ``size`` and ``state``."""
    code = size[rows]
    for value in np.unique(code).tolist():
        some = rows[code == value]
        at, k, left = spot[some], kind[some], end[some] - spot[some]
        if value in (-1, -5):
            place = at + field[k]
            found = pool[np.minimum(place, last)].astype(np.int64)
            high = pool[np.minimum(place + 1, last)].astype(np.int64) << 8
            found += np.where(width[k] == 2, high, 0) + bias[k]
            short = left < field[k] + width[k]
            low = ~short & (found < least[k])
            found = np.where(short | low, left, found)
            how = np.where(short, 2, np.where(low, 3, 0)).astype(np.uint8)
            if value == -5:
                old = (at == start[some]) & ((found > left) | (how > 0))
                found = np.where(old, left, found)
                how[old] = 0
            size[some], state[some] = found, how
        elif value == -2:
            run = np.ones(len(some), np.int64)
            going = np.arange(len(some))
            while len(going := going[run[going] < left[going]]):
                going = going[pool[at[going] + run[going]] == 0]
                run[going] += 1
            size[some] = run
        elif value == -3:
            usual = least[k].astype(np.int64)
            text = np.minimum(usual, left)
            long = (left >= usual) & (pool[np.minimum(at + usual - 1, last)] != 0)
            camera = long & (left >= usual + 5) & (pool[np.maximum(end[some] - 5, 0)] == 0xFC)
            text = np.where(long, left, text)
            size[some] = np.where(camera, left - 5, text)
        elif value == -4:
            following = pool[np.minimum(at + 1, last)]
            command = (at == start[some]) & (left > 1) & (following >= 0x20) & (following < 0x7F)
            size[some] = np.where(command, left, least[k])
            state[some] = np.where(command, 4, 0)
        else:
            size[some], state[some] = left, 1


def _plain(kernel: ModuleType, pool: Bytes, start: int, end: int, rules: dict[str, NDArray[np.int32]]) -> Any:
    """One payload by the plain loop: (offsets, lengths, ids, states)."""
    room = end - start
    columns = (np.empty(room, np.int32), np.empty(room, np.uint16), np.empty(room, np.uint8), np.empty(room, np.uint8))
    tables = [rules[name].data for name in ("rules", "field", "width", "bias", "least")]
    _, count = kernel.walk(pool.data, [start], [end], [0], 0, 1, *tables, 0, *(column.data for column in columns), [0])
    return tuple(column[:count] for column in columns)


def ticks(
    pool: Bytes, senders: Bytes, offsets: Places, ids: Bytes, states: Bytes, roles: Bytes, counters: Ints, known: Bytes
) -> tuple[Ticks, Places]:
    """As the kernel's: (low, jumps); ``senders`` holds one for each subpacket."""
    count = len(ids)
    role = np.where(states == 0, roles[ids], 0).astype(np.uint8)
    low = np.full(count, -1, np.int32)
    breaks = np.zeros(count, np.uint8)
    speeds = np.cumsum(role == 4)
    for sender in np.flatnonzero(np.bincount(senders, minlength=256)).tolist():
        mine = np.flatnonzero(senders == sender)
        r = role[mine]
        index = np.arange(len(mine))
        sets = (r == 1) | (r == 3)
        value = np.zeros(len(mine), np.int64)
        at = offsets[mine[sets]] + np.where(r[sets] == 1, 1, 3)
        value[sets] = sum(pool[at + n].astype(np.int64) << 8 * n for n in range(4))
        takes = np.cumsum(r == 2)
        reset = np.maximum.accumulate(np.where(sets, index, -1))
        before = np.concatenate([[-1], reset[:-1]])  # the last reset before each
        start = np.where(before >= 0, value[before] + (r[before] == 3), counters[sender])
        taken = np.where(before >= 0, takes[before], 0)
        counter = start + np.concatenate([[0], takes[:-1]]) - taken
        is_known = (before >= 0) | bool(known[sender])
        t = np.where(sets, value, np.where((r == 2) & is_known, counter, -1))
        t[t > 0x7FFFFFFF] = -1
        broke = sets & is_known & (counter != value)
        breaks[mine] = broke
        synced = (r == 2) | (r == 3)
        segment = np.cumsum(broke) + speeds[mine]
        event = (r == 0) | (r == 4)
        back = np.maximum.accumulate(np.where(synced, index, -1))
        fore = np.minimum.accumulate(np.where(synced, index, len(mine))[::-1])[::-1]
        lower, upper = np.maximum(back, 0), np.minimum(fore, len(mine) - 1)
        inside = event & (back >= 0) & (fore < len(mine)) & (r != 4)
        inside &= (segment[lower] == segment) & (segment[upper] == segment) & (t[lower] >= 0) & (t[upper] >= 0)
        low[mine] = np.where(event, np.where(inside, t[lower], -1), t)
        if len(mine):
            known[sender] = bool(is_known[-1] or sets[-1])
            counters[sender] = value[-1] + (r[-1] == 3) if sets[-1] else counter[-1] + (r[-1] == 2)
    return low, np.flatnonzero(breaks).astype(np.int32)


def kinds(
    offsets: Places, lengths: Sizes, ids: Bytes, states: Bytes, firsts: Ints, roles: Bytes
) -> tuple[Ints, Places, Places, Places, Ints]:
    """What the kernel's `tally` and `survey` list: (totals, syncs, bits, events, where each id begins among them)."""
    whole = states == 0
    totals = np.zeros(256, np.int64)
    for first in range(0, len(ids), _PIECE):  # bincount makes 8 bytes of each id
        some = slice(first, first + _PIECE)
        totals += np.bincount(ids[some][whole[some]], minlength=256)
    is_sync = whole & looked_up(ids, (roles == 2) | (roles == 3))
    before = np.zeros(len(ids) + 1, np.int32)
    np.cumsum(is_sync, out=before[1:])
    records = np.repeat(np.arange(len(firsts) - 1, dtype=np.int32), np.diff(firsts))
    rows = np.flatnonzero(is_sync & (ids != 0xFF))
    starts, ends = offsets[rows] + np.where(roles[ids[rows]] == 3, 7, 3), offsets[rows] + lengths[rows]
    bits = np.stack([rows, records[rows], before[rows], starts, ends]).astype(np.int32)
    rows = np.flatnonzero(whole & looked_up(ids, (roles == 0) | (roles == 4)))
    rows = rows[np.argsort(ids[rows], kind="stable")]
    begins = np.zeros(257, np.int64)
    np.cumsum(np.bincount(ids[rows], minlength=256), out=begins[1:])
    return totals, before[firsts], bits, np.stack([rows.astype(np.int32), records[rows]]), begins

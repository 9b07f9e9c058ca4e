"""The packets of a TA recording as arrays: payloads inflated into one pool, split into subpackets, given ticks.

A `Stream` is columns: some with one entry a packet record, some with one a subpacket. No object is made for either.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.columns import empties
from ksreplay.errors import Problems
from ksreplay.formats import tad, tad_strata
from ksreplay.formats import tad_lz77 as lz77
from ksreplay.formats import tad_rules as rules
from ksreplay.kernels import tad_lockstep, tad_walk
from ksreplay.limits import Limits
from ksreplay.rules import Rule
from ksreplay.threads import share

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Ticks = NDArray[np.int32]  # -1 is unknown

MARKER_FULL = b"<error in checksum?!?!>"
MARKER = MARKER_FULL[7:]
PLAIN, COMPRESSED = 3, 4
PAD = 256  # zero bytes behind the pool, so that a wide read at its end stays inside
_SYNC, _SPEED, _ELIDED, _BASE, _IDLE = 0x2C, 0x19, 0xFD, 0xFE, 0xFF

#: Ids of unit syncs: raw, elided, idle.
SYNCS = (_SYNC, _ELIDED, _IDLE)
_LEAST = 1 << 14  # packets that are worth a thread
_CLOCK = (*SYNCS, _BASE)  # the most by far of all subpackets

#: What each id is to the clock of its sender (codes of the kernel).
ROLES = np.zeros(256, np.uint8)
ROLES[[_BASE, _ELIDED, _IDLE, _SYNC, _SPEED]] = (
    tad_walk.BASE, tad_walk.TAKES_TICK, tad_walk.TAKES_TICK, tad_walk.OWN_TICK, tad_walk.SPEED,
)  # fmt: skip
_IS_EVENT = (ROLES == tad_walk.EVENT) | (ROLES == tad_walk.SPEED)


@dataclass
class Clock:
    """Each sender's next tick, and whether it is known: what goes on from one piece of a recording to the next."""

    counters: Ints = field(default_factory=lambda: np.zeros(256, np.int64))
    known: Bytes = field(default_factory=lambda: np.zeros(256, np.uint8))


@dataclass
class Packets:
    """One entry a packet record. A payload is ``pool[starts[i]:ends[i]]``, inflated; they lie there in file order."""

    offsets: Ints  # of the record in the file
    lengths: NDArray[np.int32]
    dt_ms: NDArray[np.uint16]
    senders: Bytes  # 0 where the record is too short to name one
    flags: Bytes  # 0 where the record is too short
    pool: Bytes
    starts: Ints
    ends: Ints
    lz_status: Bytes  # bits of the kernel, 0 for plain records
    kinds: Bytes  # 0 subpackets, MARKER or NO_SUBPACKETS

    def __len__(self) -> int:
        return len(self.offsets)

    @property
    def compressed(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.flags == COMPRESSED
        return found

    @cached_property
    def wall_ms(self) -> Ints:
        """Milliseconds since the recording began."""
        return np.cumsum(self.dt_ms, dtype=np.int64)


@dataclass
class Kinds:
    """The whole subpackets by what they are: syncs with their bits, and events by their id."""

    totals: Ints  # how many of each id
    syncs: NDArray[np.int32]  # where the syncs of each packet begin among all of them; one more than packets
    bits: NDArray[np.int32]  # (5, n) of the syncs that have bits: subpacket, record, number among all syncs, where the
    # bits begin and end in the pool
    events: NDArray[np.int32]  # (2, n): subpacket and record, sorted by id, in file order within one
    begins: Ints  # where each id begins among them, 257


@dataclass
class Stream:
    """The subpackets of all packets, one entry each, in file order; those of packet i are firsts[i] to firsts[i+1].

    Millions of subpackets make every array that is kept long, so what follows from others is made when it is asked for.
    """

    packets: Packets
    firsts: Ints  # one more than packets
    offsets: NDArray[np.int32]  # of the subpacket in the pool
    lengths: NDArray[np.uint16]
    ids: Bytes
    states: Bytes  # codes of the kernel tad_walk
    low: Ticks  # a sync's tick, and a base's; of an event that of the sync before it, -1 where not in one stretch of
    # clock and speed with the sync after it
    jumps: NDArray[np.int32]  # bases, and syncs with a tick of their own, that are not the tick expected next
    kinds: Kinds
    strata: dict[int, int]  # ids read with another size than usual -> that size

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def records(self) -> NDArray[np.int32]:
        """Number of the packet record of each subpacket."""
        return np.repeat(np.arange(len(self.packets), dtype=np.int32), np.diff(self.firsts))

    def records_of(self, rows: NDArray[Any] | int) -> NDArray[np.int32]:
        """Number of the packet record of each of these subpackets."""
        if np.size(rows) * 8 > len(self):
            records: NDArray[np.int32] = self.records[rows]
            return records
        return (np.searchsorted(self.firsts, rows, "right") - 1).astype(np.int32)

    def senders_of(self, rows: NDArray[Any] | int) -> Bytes:
        return self.packets.senders[self.records_of(rows)]

    @property
    def senders(self) -> Bytes:
        return np.repeat(self.packets.senders, np.diff(self.firsts))

    @property
    def timed(self) -> NDArray[np.bool_]:
        """Whether each subpacket has a tick of its own: syncs and bases."""
        timed = self._with_ids(_BASE)
        timed &= self.states == tad_walk.WHOLE
        timed |= self.is_sync
        return timed

    @property
    def tick(self) -> Ticks:
        """The tick of each sync and base; -1 for events and where it is unknown."""
        return np.where(self.timed, self.low, np.int32(-1))

    def high(self, events: Ints | int) -> Ticks:
        """The ticks of the syncs after these events, -1 as in `low`."""
        return tick_after(self.low[events])

    def places(self) -> NDArray[np.uint16]:
        """Offset of each subpacket in its inflated payload."""
        # 16 bits hold the difference, so they may hold what is subtracted as well
        starts = np.repeat(self.packets.starts.astype(np.uint16), np.diff(self.firsts))
        return np.subtract(self.offsets.astype(np.uint16), starts, out=starts)

    def spread(self) -> tuple[NDArray[np.int32], Bytes, NDArray[np.uint16], NDArray[np.bool_]]:
        """Of each subpacket what `records`, `senders`, `places` and `timed` say."""
        module = kernels.load("tad_walk")
        if not kernels.is_compiled(module):
            return self.records, self.senders, self.places(), self.timed
        packets = self.packets
        records, places, senders, timed = empties(len(self), np.int32, np.uint16, np.uint8, np.uint8)

        def work(low: int, high: int) -> None:
            module.spread(
                self.firsts, low, high, packets.starts, packets.senders, self.offsets, self.ids, self.states, ROLES,
                records, senders, places, timed,
            )  # fmt: skip

        share(work, len(packets), _LEAST)
        return records, senders, places, timed.view(np.bool_)

    def list_syncs(self) -> tuple[NDArray[np.int32], Bytes, Bytes, Ticks]:
        """Record, sender, id and tick of the unit syncs."""
        module, packets, before = kernels.load("tad_walk"), self.packets, self.kinds.syncs
        if not kernels.is_compiled(module):
            held = np.diff(before)
            records = np.repeat(np.arange(len(packets), dtype=np.int32), held)
            return records, np.repeat(packets.senders, held), self.ids[self.is_sync], self.low[self.is_sync]
        records, ticks, senders, ids = empties(int(before[-1]), np.int32, np.int32, np.uint8, np.uint8)

        def work(low: int, high: int) -> None:
            module.list_syncs(
                self.firsts, low, high, packets.senders, self.ids, self.states, ROLES, self.low, before,
                records, senders, ids, ticks,
            )  # fmt: skip

        share(work, len(packets), _LEAST)
        return records, senders, ids, ticks

    def before(self, mask: NDArray[np.bool_]) -> NDArray[np.int32]:
        """How many subpackets of the mask come before each one, and how many there are."""
        found = np.zeros(len(self) + 1, np.int32)
        np.cumsum(mask, out=found[1:])
        return found

    def _with_ids(self, *ids: int) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (
            self.ids == ids[0]
        )  # a comparison an id is several times faster than a table of all ids
        for number in ids[1:]:
            found |= self.ids == number
        return found

    def events(self, number: int) -> NDArray[np.int32]:
        """The whole subpackets with this id of an event, in file order, and their records: (2, n)."""
        begins = self.kinds.begins
        events: NDArray[np.int32] = self.kinds.events[:, begins[number] : begins[number + 1]]
        return events

    def rows(self, *ids: int) -> NDArray[Any]:
        """The subpackets with one of these ids that are whole, in file order."""
        if not set(ids).isdisjoint(_CLOCK):
            return np.flatnonzero(self._with_ids(*ids) & (self.states == tad_walk.WHOLE))
        pieces = [self.events(number)[0] for number in ids]
        return pieces[0] if len(pieces) == 1 else np.sort(np.concatenate(pieces), kind="stable")

    @cached_property
    def is_sync(self) -> NDArray[np.bool_]:
        """Whether each subpacket is a whole unit sync, in any of the three forms."""
        found = self._with_ids(*SYNCS)
        found &= self.states == tad_walk.WHOLE
        return found

    @property
    def syncs(self) -> Ints:
        """The subpackets that are unit syncs."""
        return np.flatnonzero(self.is_sync)

    def bodies(self, rows: Ints, dtype: np.dtype[Any]) -> NDArray[np.void]:
        """The bodies behind the id bytes of these subpackets, all of one id, as one structured array.

        Of a body that another stratum made wider, the bytes it has more are left out where it has them.
        """
        pool, size = self.packets.pool, dtype.itemsize
        split = tad_strata.WIDENED.get(int(self.ids[rows[0]])) if len(rows) and self.strata else None
        if split is None:
            # a view with one body at every byte; only those asked for are copied (the pool is padded behind its end)
            bodies: NDArray[np.void] = np.ndarray((max(0, len(pool) - size + 1),), f"V{size}", pool, strides=(1,))
            found: NDArray[np.void] = bodies[self.offsets[rows] + 1].view(dtype)
            return found
        index = (self.offsets[rows] + 1)[:, None] + np.arange(size)
        index[:, split:] += np.maximum(self.lengths[rows].astype(np.int64) - 1 - size, 0)[:, None]
        wider: NDArray[np.void] = pool[index].view(dtype).reshape(len(rows))
        return wider

    @cached_property
    def counts(self) -> dict[int, int]:
        """How many subpackets of each id as they are stored; an unknown id counts where it ends a packet."""
        totals = self.kinds.totals.copy()
        odd = np.flatnonzero(self.states != tad_walk.WHOLE)
        states = self.states[odd]
        totals += np.bincount(
            self.ids[odd[(states == tad_walk.COMMAND) | (states == tad_walk.UNKNOWN_ID)]], minlength=256
        )
        return {int(number): int(totals[number]) for number in np.flatnonzero(totals)}


def tick_after(low: Ticks) -> Ticks:
    """The tick of the sync after an event from that of the sync before it: of one sender no other comes in between."""
    after: Ticks = low + (low >= 0)
    return after


def read_packets(
    data: bytes, offsets: Ints, version: int, problems: Problems, limits: Limits, *, zero_fill: bool = True
) -> Packets:
    """Heads of all packet records, and their payloads inflated. Bytes of a record that are missing read as 0."""
    file = np.frombuffer(data, np.uint8)
    lengths, dt, senders, flags, starts, ends = _heads(file, offsets)
    kinds = np.zeros(len(offsets), np.uint8)
    short = lengths < tad.PREFIX
    packed = flags == COMPRESSED
    strange = ~short & ~packed & (flags != PLAIN)
    # A note in the place of the flag begins there.
    begins = np.flatnonzero(strange & _could_be_marker(flags))
    noted = begins[_is_marker(file, starts[begins] - 1, ends[begins])]
    starts[noted] -= 1
    strange[noted] = False
    kinds[strange] = tad_walk.NO_SUBPACKETS
    unpacked = lz77.unpack_all(file, starts, ends, packed, bound=limits.inflated_bytes, zero_fill=zero_fill, pad=PAD)
    pool, starts, ends = unpacked.data, unpacked.starts, unpacked.ends
    packets = Packets(offsets, lengths, dt, senders, flags, pool, starts, ends, unpacked.status, kinds)
    if version == 3:
        known = kinds == 0
        known[noted] = False
        starts[known] = np.minimum(starts[known] + 4, ends[known])
    full = np.flatnonzero((kinds == 0) & (ends > starts) & _could_be_marker(pool[starts]))
    kinds[full[_is_marker(pool, starts[full], ends[full])]] = tad_walk.MARKER
    kinds[noted] = tad_walk.MARKER
    _report(packets, short, strange, problems)
    return packets


def _heads(file: Bytes, offsets: Ints) -> tuple[Any, ...]:
    """Of all records the length, time, sender and flag, and where the payload begins and ends in the file."""
    module, count = kernels.load("tad_walk"), len(offsets)
    if not kernels.is_compiled(module):
        return tad_lockstep.heads(file, offsets, tad.PREFIX)
    found = tuple(np.empty(count, dtype) for dtype in (np.int32, np.uint16, np.uint8, np.uint8, np.int64, np.int64))
    share(lambda low, high: module.heads(file, offsets, low, high, tad.PREFIX, *found), count, _LEAST)
    return found


def _could_be_marker(first: Bytes) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (first == MARKER[0]) | (first == MARKER_FULL[0])
    return found


def _is_marker(pool: Bytes, starts: Ints, ends: Ints) -> NDArray[np.bool_]:
    found = np.zeros(len(starts), bool)
    for spelling in (MARKER, MARKER_FULL):
        rows = np.flatnonzero(ends - starts >= len(spelling))
        spans = pool[starts[rows][:, None] + np.arange(len(spelling))]
        found[rows] |= (spans == np.frombuffer(spelling, np.uint8)).all(axis=1)
    return found


def _report(packets: Packets, short: NDArray[np.bool_], strange: NDArray[np.bool_], problems: Problems) -> None:
    """What is wrong with records, each kind of it as one group of findings."""
    listed = problems.limit

    def add(rule: Rule, mask: NDArray[np.bool_], found: Any = None) -> None:
        for row in np.flatnonzero(mask)[: listed + 1].tolist():
            problems.add(
                rule.problem(
                    f"packets[{row}]", int(packets.offsets[row]), found=None if found is None else int(found[row])
                ),
                rule.error,
            )

    add(rules.PACKET_SHORT, short, packets.lengths)
    add(rules.PACKET_FLAG, strange, packets.flags)
    add(rules.MARKER, packets.kinds == tad_walk.MARKER)
    add(rules.SENDER, ~short & ((packets.senders < 1) | (packets.senders > 10)), packets.senders)
    if packets.lz_status.any():
        module = lz77.kernel()
        for name, rule in lz77.BROKEN:
            add(rule, (packets.lz_status & getattr(module, name)) > 0)


def read_stream(
    packets: Packets, problems: Problems, *, preferred: dict[int, int] | None = None, clock: Clock | None = None
) -> Stream:
    """All subpackets with sizes and ticks.

    ``preferred``: sizes to try first for some ids (the seed's strata); ``clock`` is where the ticks go on, and is
    moved to where they end.
    """
    module = kernels.load("tad_walk")
    columns, strata = tad_strata.split(
        module, packets.pool, packets.starts, packets.ends, packets.kinds, problems, packets.offsets, preferred
    )
    offsets, lengths, ids, states, firsts = columns
    clock = clock or Clock()
    if kernels.is_compiled(module):
        low, jumps, kinds = _survey(module, packets, columns, clock)
    else:
        senders = np.repeat(packets.senders, np.diff(firsts))
        low, jumps = tad_lockstep.ticks(packets.pool, senders, offsets, ids, states, ROLES, clock.counters, clock.known)
        kinds = Kinds(*tad_lockstep.kinds(offsets, lengths, ids, states, firsts, ROLES))
    return Stream(packets, firsts, offsets, lengths, ids, states, low, jumps, kinds, strata)


def _survey(
    module: Any, packets: Packets, columns: tad_strata.Columns, clock: Clock
) -> tuple[Ticks, NDArray[np.int32], Kinds]:
    """What the subpackets say of the clocks, and which kinds there are: (low, jumps, kinds)."""
    offsets, lengths, ids, states, firsts = columns
    count = len(packets)
    low, jumps = np.empty(len(ids), np.int32), np.empty(len(ids), np.int32)  # few of the second are touched
    totals, begins, syncs = np.zeros(256, np.int64), np.zeros(257, np.int64), np.empty(count + 1, np.int32)
    module.tally(ids, states, totals)
    np.cumsum(np.where(_IS_EVENT, totals, 0), out=begins[1:])
    bits = np.empty((5, int(totals[_SYNC] + totals[_ELIDED])), np.int32)
    events = np.empty((2, int(begins[-1])), np.int32)
    num_jumps = module.survey(
        packets.pool, firsts, count, packets.senders, offsets, lengths, ids, states, ROLES, clock.counters,
        clock.known, low, jumps, syncs, bits, begins[:-1].copy(), events, np.empty(count, np.int32),
        np.empty((4, 256), np.int64),
    )  # fmt: skip
    return low, jumps[:num_jumps].copy(), Kinds(totals, syncs, bits, events, begins)

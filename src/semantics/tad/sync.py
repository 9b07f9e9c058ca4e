"""Unit syncs: which width and which families of types their bits have, learned from the file, and what they say.

Neither is written in a recording: the width of a type index depends on the catalog, and whether an entry has the
ground or the air form on whether its type can fly. Only one width reads real syncs to their last bit, and it tells the
families as well (fact sheet tad-format, 7.4).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.errors import Problems
from ksreplay.formats.tad_stream import Stream
from ksreplay.kernels import tad_bits, tad_bits_lockstep
from ksreplay.semantics.tad import rules
from ksreplay.semantics.tad.sync_learn import learn, solve

RAW, ELIDED, IDLE = 0x2C, 0xFD, 0xFF
IDLE_LENGTH = 11
NO_LIMIT = 0xFFFF
_TRIES = 4  # syncs of a new type that are looked at for its family
_REPAIRS = 4  # types whose family may be taken back
_SOLVED = 1000  # syncs that are searched for the families of their types, at most
_SAMPLE = 200


@dataclass
class Decoded:
    """Entries and statuses of all syncs with bits; the columns are those of the kernel tad_bits."""

    ground: NDArray[np.int32]
    air: NDArray[np.int32]
    status: NDArray[np.int32]
    result: NDArray[np.uint8]
    needed: NDArray[np.int32]
    kind: NDArray[np.uint8]
    entries: NDArray[np.int32]


@dataclass
class Syncs:
    """All syncs of a stream in file order, and their bits.

    ``width_source``: "syncs" (only this width reads them), "unit data" (their number of types, where the syncs do
    not decide) or "" (unknown: the bits stay unread).
    """

    stream: Stream
    limit: int | None
    types_width: int | None  # what the unit data says
    width: int | None = None
    width_source: str = ""
    families: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(1, np.uint8))
    contradictions: list[int] = field(default_factory=list)  # types whose family some syncs deny
    _solved: int = 0

    @property
    def rows(self) -> NDArray[np.int64]:
        """Subpackets that are syncs, in any of the three forms."""
        return self.stream.syncs

    @cached_property
    def forms(self) -> NDArray[np.uint8]:
        return self.stream.ids[self.rows]

    @cached_property
    def with_bits(self) -> NDArray[np.int64]:
        """Positions in `rows` of the syncs that hold bits; an idle one stands for bits that say nothing."""
        return np.flatnonzero(self.forms != IDLE)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the bits of each sync in `with_bits` begin in the pool."""
        rows = self.rows[self.with_bits]
        return self.stream.offsets[rows] + np.where(self.stream.ids[rows] == RAW, 7, 3)

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        rows = self.rows[self.with_bits]
        return self.stream.offsets[rows] + self.stream.lengths[rows]

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Length of every sync as the game sent it, id and tick included."""
        lengths = np.full(len(self.rows), IDLE_LENGTH, np.int32)
        rows = self.rows[self.with_bits]
        lengths[self.with_bits] = self.stream.lengths[rows] + np.where(self.stream.ids[rows] == ELIDED, 4, 0)
        return lengths

    @cached_property
    def decoded(self) -> Decoded:
        self._learn_width()
        if self.width is None:
            count = len(self.with_bits)
            return Decoded(
                np.empty((0, len(tad_bits.GROUND_COLUMNS)), np.int32),
                np.empty((0, len(tad_bits.AIR_COLUMNS)), np.int32),
                np.empty((0, len(tad_bits.STATUS_COLUMNS)), np.int32),
                np.full(count, tad_bits.SHORT, np.uint8), np.zeros(count, np.int32), np.zeros(count, np.uint8),
                np.zeros(count, np.int32),
            )  # fmt: skip
        everything = slice(None)
        telling = self._with_entries
        for _ in range(64):  # each round learns at least one type of those that the syncs left over name
            decoded = self._decode(telling)
            telling = telling[decoded.result == tad_bits.FAMILY]
            if not self._learn_more(telling, decoded.needed[decoded.result == tad_bits.FAMILY]):
                break
        decoded = self._decode(everything)
        failed = np.flatnonzero((decoded.result != tad_bits.READ) & (decoded.result != tad_bits.FAMILY))
        if len(failed) and self._repair(failed):
            decoded = self._decode(everything)
        return decoded

    def report(self, problems: Problems) -> None:
        """What did not read, and where the unit data disagrees."""
        bad = np.flatnonzero(self.decoded.result != tad_bits.READ)
        if self.width is None:
            if len(self.with_bits):
                problems.add(rules.CATALOG_WIDTH.problem("packets", found=len(self.with_bits)))
            return
        if self.width_source == "syncs" and self.types_width not in (None, self.width):
            problems.add(rules.CATALOG_DISAGREES.problem("unit_data", found=self.types_width, expected=self.width))
        if len(bad):
            row = int(self.rows[self.with_bits[bad[0]]])
            record = int(self.stream.records[row])
            problems.add(
                rules.SYNC_UNREAD.problem(
                    f"packets[{record}].subpackets[{row - int(self.stream.firsts[record])}]",
                    int(self.stream.packets.offsets[record]), found=len(bad),
                    message=f"{len(bad)} of {len(self.with_bits)} unit syncs do not read to their last bit"
                    + (f"; types {self.contradictions[:10]} contradict themselves" if self.contradictions else ""),
                )
            )  # fmt: skip

    # Learning.

    def value(self, number: int) -> tuple[int, int]:
        """The bits of sync ``number`` of `with_bits` as one integer, and how many there are."""
        data = self.stream.packets.pool[self.starts[number] : self.ends[number]].tobytes()
        return int.from_bytes(data, "little"), len(data) * 8

    def _learn_width(self) -> None:
        limit = self.limit or NO_LIMIT
        numbers = self._sample()
        found = learn([self.value(number) for number in numbers.tolist()], limit)
        if found is not None:
            self.width, known = found
            self.width_source = "syncs"
        elif self.types_width is not None and len(self.with_bits):
            self.width, known, self.width_source = self.types_width, {}, "unit data"
        else:
            return
        self.families = np.zeros(1 << self.width, np.uint8)
        for unit, family in known.items():
            self.families[unit] = family

    @cached_property
    def _with_entries(self) -> NDArray[np.int64]:
        """Numbers in `with_bits` of the syncs that begin with an entry."""
        pool, starts = self.stream.packets.pool, self.starts
        ended = (pool[starts] == 0xFF) & (pool[starts + 1] == 0xFF)
        return np.flatnonzero((self.ends - starts >= 4) & ~ended)

    def _sample(self) -> NDArray[np.int64]:
        """Some syncs with entries, spread over the recording: only entries tell one width from another."""
        numbers = self._with_entries
        return numbers[:: max(1, len(numbers) // _SAMPLE)][:_SAMPLE]

    def _learn_more(self, stopped: NDArray[np.int64], needed: NDArray[np.int32]) -> bool:
        """Families of the types ``needed`` that stopped these syncs: whether any was learned."""
        assert self.width is not None
        learned = False
        known = {int(unit): int(self.families[unit]) for unit in np.flatnonzero(self.families)}
        for unit in np.unique(needed).tolist():
            for number in stopped[needed == unit][:_TRIES].tolist():
                if self._solved >= _SOLVED:
                    return learned
                self._solved += 1
                answers = solve(*self.value(number), self.width, self.limit or NO_LIMIT, known)
                if len(answers) == 1:
                    for new, family in answers[0].items():
                        if not self.families[new]:
                            self.families[new] = family
                            known[new] = family
                            learned = True
                    break
        return learned

    def _repair(self, failed: NDArray[np.int64]) -> bool:
        """Families that failing syncs deny, taken back where the other one reads more: whether any was."""
        assert self.width is not None
        denied: set[int] = set()
        for number in failed[:_SAMPLE].tolist():
            for answer in solve(*self.value(number), self.width, self.limit or NO_LIMIT, {}):
                denied |= {unit for unit, family in answer.items() if self.families[unit] not in (0, family)}
        changed = False
        for unit in sorted(denied)[:_REPAIRS]:
            before = self._reading()
            self.families[unit] = 3 - self.families[unit]
            if self._reading() <= before:
                self.families[unit] = 3 - self.families[unit]
                self.contradictions.append(unit)
            else:
                changed = True
        return changed

    def _reading(self) -> int:
        return int((self._decode(slice(None)).result == tad_bits.READ).sum())

    def _decode(self, numbers: NDArray[np.int64] | slice) -> Decoded:
        assert self.width is not None
        module: Any = kernels.load("tad_bits")
        pool, starts, ends = self.stream.packets.pool, self.starts[numbers], self.ends[numbers]
        limit, types = self.limit or NO_LIMIT, 1 << self.width
        if not kernels.is_compiled(module):
            return Decoded(*tad_bits_lockstep.decode(pool, starts, ends, self.width, limit, types, self.families))
        count = len(starts)
        result, kind = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        needed, entries = np.zeros(count, np.int32), np.zeros(count, np.int32)
        widths = [len(tad_bits.GROUND_COLUMNS), len(tad_bits.AIR_COLUMNS), len(tad_bits.STATUS_COLUMNS)]
        widest = int((ends - starts).max()) * 8 // (self.width + 19) + 2 if count else 2
        # a sync has at most one status; entries are few on average, and their tables grow where they are not
        rooms = (count // 4 + widest, count // 8 + widest, count + 1)
        tables = [np.empty((room, width), np.int32) for room, width in zip(rooms, widths, strict=True)]
        done, used = 0, [0, 0, 0]
        while True:
            done, *used = module.decode(
                pool, starts, ends, done, count, self.width, limit, types, self.families, *tables, *used, result,
                needed, kind, entries,
            )  # fmt: skip
            if done == count:
                break
            for place, table in enumerate(tables):
                grown = np.empty((len(table) * 2 + widest, widths[place]), np.int32)
                grown[: used[place]] = table[: used[place]]
                tables[place] = grown
        ground, air, status = (table[:size] for table, size in zip(tables, used, strict=True))
        return Decoded(ground, air, status, result, needed, kind, entries)

"""Unit syncs: which width and which families of types their bits have, learned from the file, and what they say.

Neither is written in a recording: the width of a type index depends on the catalog, and whether an entry has the
ground or the air form on whether its type can fly. Only one width reads real syncs to their last bit, and it tells the
families as well (fact sheet tad-format, 7.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.columns import distinct
from ksreplay.errors import Problems
from ksreplay.formats.tad_stream import Stream
from ksreplay.kernels import tad_bits, tad_bits_lockstep
from ksreplay.semantics.tad import rules
from ksreplay.semantics.tad.sync_learn import learn, solve
from ksreplay.threads import share

Rows = NDArray[np.int32]

RAW, ELIDED, IDLE = 0x2C, 0xFD, 0xFF
IDLE_LENGTH = 11
NO_LIMIT = 0xFFFF
NO_SLOT = 0xFFFF  # ends the entries
_TRIES = 4  # syncs of a new type that are looked at for its family
_REPAIRS = 4  # types whose family may be taken back
_SOLVED = 1000  # syncs that are searched for the families of their types, at most
_SAMPLE = 200
_LEAST = 1 << 14  # syncs that are worth a thread
#: Columns that need less than the 32 bits that the kernel writes.
_NARROW = {
    "health": np.int16, "build": np.uint8, "flags": np.uint8, "mode": np.uint8, "attached": np.bool_,
    "carrier": np.uint16, "piece": np.int16, "heading": np.uint16, "pitch": np.uint16, "bank": np.uint16,
    "moving": np.bool_,
}  # fmt: skip
_NAMES = (tad_bits.GROUND_COLUMNS, tad_bits.AIR_COLUMNS, tad_bits.STATUS_COLUMNS)


@dataclass
class Decoded:
    """Entries and statuses of all syncs with bits, each a dictionary of the columns that the kernel tad_bits names.

    The other arrays have one entry a sync with bits.
    """

    ground: dict[str, NDArray[Any]]
    air: dict[str, NDArray[Any]]
    status: dict[str, NDArray[Any]]
    result: NDArray[np.uint8]  # codes of the kernel
    kind: NDArray[np.uint8]
    entries: NDArray[np.uint16]

    @classmethod
    def of(cls, pieces: Sequence[Sequence[NDArray[np.int32]]], result: Any, kind: Any, entries: Any) -> Decoded:
        """``pieces``: the three tables of each stretch of the syncs."""
        # as narrow copies, so that the kernel's tables, the largest of all, are let go
        ground, air, status = (
            _joined(names, tables) for names, tables in zip(_NAMES, zip(*pieces, strict=True), strict=True)
        )
        return cls(ground, air, status, result, kind, entries)

    @property
    def num_entries(self) -> int:
        return len(self.ground["sync"]) + len(self.air["sync"])


def _joined(names: Sequence[str], tables: Sequence[NDArray[np.int32]]) -> dict[str, NDArray[Any]]:
    return {
        name: np.concatenate(columns, dtype=_NARROW.get(name, np.int32), casting="unsafe")
        for name, *columns in zip(names, *tables, strict=True)
    }


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
    #: Of the syncs with bits (an idle one stands for bits that say nothing): subpacket, record, number among all syncs.
    rows: Rows = field(init=False)
    records: Rows = field(init=False)
    with_bits: Rows = field(init=False)
    #: Where their bits begin and end in the pool.
    starts: Rows = field(init=False)
    ends: Rows = field(init=False)
    _solved: int = 0

    def __post_init__(self) -> None:
        self.rows, self.records, self.with_bits, self.starts, self.ends = self.stream.kinds.bits

    @property
    def lengths(self) -> NDArray[np.uint16]:
        """Length of each sync in `rows` as the game sent it, id and tick included."""
        elided = self.stream.ids[self.rows] == ELIDED
        # the length that an elided one states counts the tick that it lacks, so 16 bits hold the sum
        return self.stream.lengths[self.rows] + np.where(elided, np.uint16(4), np.uint16(0))

    @cached_property
    def decoded(self) -> Decoded:
        self._learn_width()
        if self.width is None:
            count = len(self.rows)
            return Decoded.of(
                [[np.empty((len(names), 0), np.int32) for names in _NAMES]],
                np.full(count, tad_bits.SHORT, np.uint8), np.zeros(count, np.uint8), np.zeros(count, np.uint16),
            )  # fmt: skip
        telling = self._with_entries
        for _ in range(64):  # each round learns at least one type of those that the syncs left over name
            needed = self._needed(telling)
            telling, needed = telling[needed > 0], needed[needed > 0]
            if not self._learn_more(telling, needed):
                break
        decoded = self._decode()
        failed = np.flatnonzero((decoded.result != tad_bits.READ) & (decoded.result != tad_bits.FAMILY))
        if len(failed) and self._repair(failed):
            decoded = self._decode()
        return decoded

    def report(self, problems: Problems) -> None:
        """What did not read, and where the unit data disagrees."""
        bad = np.flatnonzero(self.decoded.result != tad_bits.READ)
        if self.width is None:
            if len(self.rows):
                problems.add(rules.CATALOG_WIDTH.problem("packets", found=len(self.rows)))
            return
        if self.width_source == "syncs" and self.types_width not in (None, self.width):
            problems.add(rules.CATALOG_DISAGREES.problem("unit_data", found=self.types_width, expected=self.width))
        if len(bad):
            row = int(self.rows[bad[0]])
            record = int(self.records[bad[0]])
            problems.add(
                rules.SYNC_UNREAD.problem(
                    f"packets[{record}].subpackets[{row - int(self.stream.firsts[record])}]",
                    int(self.stream.packets.offsets[record]), found=len(bad),
                    message=f"{len(bad)} of {len(self.rows)} unit syncs do not read to their last bit"
                    + (f"; types {self.contradictions[:10]} contradict themselves" if self.contradictions else ""),
                )
            )  # fmt: skip

    # Learning.

    def value(self, number: int) -> tuple[int, int]:
        """The bits of sync ``number`` of `rows` as one integer, and how many there are."""
        data = self.stream.packets.pool[self.starts[number] : self.ends[number]].tobytes()
        return int.from_bytes(data, "little"), len(data) * 8

    def _learn_width(self) -> None:
        limit = self.limit or NO_LIMIT
        numbers = self._sample()
        found = learn([self.value(number) for number in numbers.tolist()], limit)
        if found is not None:
            self.width, known = found
            self.width_source = "syncs"
        elif self.types_width is not None and len(self.rows):
            self.width, known, self.width_source = self.types_width, {}, "unit data"
        else:
            return
        self.families = np.zeros(1 << self.width, np.uint8)
        for unit, family in known.items():
            self.families[unit] = family

    @cached_property
    def _with_entries(self) -> NDArray[np.int64]:
        """Numbers in `rows` of the syncs that begin with an entry."""
        pool = self.stream.packets.pool
        slots = np.ndarray((len(pool) - 1,), np.uint16, pool, strides=(1,))[self.starts]
        return np.flatnonzero((self.ends - self.starts >= 4) & (slots != NO_SLOT))

    def _sample(self) -> NDArray[np.int64]:
        """Some syncs with entries, spread over the recording: only entries tell one width from another."""
        numbers = self._with_entries
        return numbers[:: max(1, len(numbers) // _SAMPLE)][:_SAMPLE]

    def _learn_more(self, stopped: NDArray[np.int64], needed: NDArray[np.int32]) -> bool:
        """Families of the types ``needed`` that stopped these syncs: whether any was learned."""
        assert self.width is not None
        learned = False
        known = {int(unit): int(self.families[unit]) for unit in np.flatnonzero(self.families)}
        for unit in distinct(needed).tolist():
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
        return int((self._decode().result == tad_bits.READ).sum())

    def _needed(self, numbers: NDArray[np.int64]) -> NDArray[np.int32]:
        """The type without a family that stops each of these syncs; 0 where none does."""
        assert self.width is not None
        module: Any = kernels.compiled("tad_bits")
        limit, pool = self.limit or NO_LIMIT, self.stream.packets.pool
        if module is None:
            found: NDArray[np.int32] = tad_bits_lockstep.decode(
                pool, self.starts[numbers], self.ends[numbers], self.width, limit, self.families
            )[4]
            return found
        needed = np.empty(len(numbers), np.int32)
        words = tad_bits_lockstep.words(pool)

        def work(low: int, high: int) -> None:
            module.skim(
                words, self.starts, self.ends, numbers[low:high], self.width, limit, self.families, needed[low:high]
            )

        share(work, len(numbers), _LEAST)
        return needed

    def _decode(self) -> Decoded:
        assert self.width is not None
        module: Any = kernels.compiled("tad_bits")
        pool, starts, ends, limit = self.stream.packets.pool, self.starts, self.ends, self.limit or NO_LIMIT
        if module is None:
            *tables, result, _, kind, entries = tad_bits_lockstep.decode(
                pool, starts, ends, self.width, limit, self.families
            )
            return Decoded.of([tables], result, kind, entries)
        count, width, families, words = len(starts), self.width, self.families, tad_bits_lockstep.words(pool)
        result, kind, entries = np.empty(count, np.uint8), np.empty(count, np.uint8), np.empty(count, np.uint16)
        widest = int((ends - starts).max()) * 8 // (width + 19) + 2 if count else 2
        pieces: dict[int, Sequence[NDArray[np.int32]]] = {}
        # A sync has at most one status; entries are few on average, and their tables grow where they are not. All is
        # taken here and handed out: what a thread takes for itself it keeps for long after.
        plan = [(len(names), every) for names, every in zip(_NAMES, (4, 8, 1), strict=True)]
        taken = [np.empty((count // every + widest) * columns, np.int32) for columns, every in plan]

        def work(low: int, high: int) -> None:
            tables = []
            for rows, (columns, every) in zip(taken, plan, strict=True):
                end = high // every * columns if high < count else len(rows)
                tables.append(rows[low // every * columns : end].reshape(columns, -1))
            done, used = low, [0, 0, 0]
            while True:
                done, *used = module.decode(
                    words, starts, ends, done, high, width, limit, families, *tables, *used, result, kind, entries
                )
                if done == high:
                    break
                for place, table in enumerate(tables):
                    grown = np.empty((len(table), table.shape[1] * 2 + widest), np.int32)
                    grown[:, : used[place]] = table[:, : used[place]]
                    tables[place] = grown
            pieces[low] = [table[:, :size] for table, size in zip(tables, used, strict=True)]

        share(work, count, _LEAST)
        return Decoded.of([pieces[low] for low in sorted(pieces)], result, kind, entries)

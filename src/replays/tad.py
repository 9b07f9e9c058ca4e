"""An open TA recording: facts, tables, and what the peers' ticks say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import distinct, gather_bytes
from ksreplay.errors import Problem, Problems, ReplayError
from ksreplay.formats import tad as container
from ksreplay.formats import tad_lz77 as lz77
from ksreplay.formats import tad_rules, tad_strata
from ksreplay.formats import tad_stream as streams
from ksreplay.formats.source import Source
from ksreplay.formats.tad_stream import Packets, Stream
from ksreplay.limits import Limits
from ksreplay.pseudonyms import Policy, Pseudonymizer, Report
from ksreplay.replay import Facts, Replay, TableDefinition
from ksreplay.semantics.tad import (
    checks,
    clock,
    economy,
    kinds,
    life,
    messages,
    rules,
    state,
    summary,
    sync_tables,
    tables,
)
from ksreplay.semantics.tad.catalog import UnitTypes
from ksreplay.semantics.tad.fields import TICKS_A_SECOND, Kind
from ksreplay.semantics.tad.life import Lives
from ksreplay.semantics.tad.repeats import repeated_records
from ksreplay.semantics.tad.roster import Roster
from ksreplay.semantics.tad.sync import Syncs
from ksreplay.table import Table

if TYPE_CHECKING:
    from ksreplay.formats.tad_write import Draft

T = TypeVar("T")

_SECTOR_RECORDER, _SECTOR_DATE, _SECTOR_FROM, _SECTOR_MOD = 3, 4, 5, 7
#: Records of a sender that are looked at from the end for its last tick.
_TAIL = (8, 64, 512)


def _message(kind: Kind) -> TableDefinition[Any]:
    return TableDefinition(kind.schema, lambda recording: recording.message_table(kind), _counted(kind.number))


def _counted(number: int) -> Callable[[Any], int | None]:
    """Rows of a message table once the subpackets are known."""
    return lambda recording: len(recording.stream.rows(number)) if recording.has_stream else None


class Recording(Replay):
    """A ``.tad`` or ``.ted`` file.

    ``packets`` and ``stream`` are the packet records and their subpackets as arrays, ``roster`` the participants with
    their blocks of unit ids, ``strata`` the sizes that are tried first for ids whose size differs between sources
    (`with_strata("seed")` reads with those of the seed).
    """

    format: ClassVar[str] = "tad"
    TABLES: ClassVar[tuple[TableDefinition[Any], ...]] = (
        TableDefinition(
            tables.RECORDS,
            lambda r: tables.records(r.packets, r.stream, r.repeated),
            lambda r: len(r.offsets),
        ),
        TableDefinition(
            tables.SUBPACKETS, lambda r: tables.subpackets(r.stream), lambda r: len(r.stream) if r.has_stream else None
        ),
        TableDefinition(
            tables.SUBPACKET_COUNTS,
            lambda r: tables.subpacket_counts(r.stream),
            lambda r: len(r.stream.counts) if r.has_stream else None,
        ),
        TableDefinition(tables.PLAYERS, lambda r: tables.players(r.roster), lambda r: len(r.setup.players)),
        TableDefinition(tables.SECTORS, lambda r: tables.sectors(r.setup), lambda r: len(r.setup.sectors)),
        TableDefinition(tables.UNIT_TYPES, lambda r: tables.unit_types(r.unit_types), lambda r: len(r.unit_types)),
        *map(_message, kinds.KINDS),
        TableDefinition(
            sync_tables.SYNC,
            lambda r: sync_tables.sync(r.syncs, r.repeated),
            lambda r: int(np.count_nonzero(r.stream.is_sync)) if r.has_stream else None,
        ),
        TableDefinition(
            sync_tables.MOVEMENT,
            lambda r: sync_tables.movement(r.syncs, r.roster),
            lambda r: r.syncs.decoded.num_entries if r.has_syncs else None,
        ),
        TableDefinition(
            sync_tables.STATUS,
            lambda r: sync_tables.status(r.syncs, r.roster),
            lambda r: len(r.syncs.decoded.status["sync"]) if r.has_syncs else None,
        ),
        TableDefinition(
            life.UNITS,
            lambda r: life.units(r.stream, r.roster, r.lives),
            lambda r: len(r.lives.begins) if r.has_stream else None,
        ),
        TableDefinition(economy.SCORES, lambda r: economy.scores(r.stream, r.roster)),
        TableDefinition(economy.INCOME, lambda r: economy.income(r.stream)),
        TableDefinition(economy.UNIT_COUNTS, lambda r: economy.unit_counts(r.stream, r.lives)),
        TableDefinition(
            clock.CLOCK,
            lambda r: clock.clock(r.stream),
            lambda r: clock.count(r.stream) if r.has_stream else None,
        ),
        TableDefinition(
            messages.CHAT,
            lambda r: messages.chat(r.stream, r.repeated, r.lobby_lines),
            lambda r: len(messages.chat_rows(r.stream)) + len(r.lobby_lines) if r.has_stream else None,
        ),
        TableDefinition(
            messages.RECORDER,
            lambda r: messages.recorder_data(r.stream, r.repeated),
            _counted(messages.RECORDER_DATA),
        ),
        TableDefinition(
            messages.UNKNOWN,
            lambda r: messages.unknown(r.stream, r.repeated),
            lambda r: len(messages.unknown_rows(r.stream)) if r.has_stream else None,
        ),
    )

    def __init__(
        self, source: Source, *, strict: bool = False, private: bool = False, limits: Limits | None = None
    ) -> None:
        super().__init__(source, strict=strict, private=private, limits=limits)
        self.strata: dict[int, int] = {}
        #: What a reference past the output gives: a zero byte, as the game's readers have it, or the end of the packet.
        self.zero_fill = True
        self.setup = container.read_setup(source.data, self._problems)

    def with_strata(self, name: str) -> Recording:
        """The same recording read with the sizes of "seed" (0x20 of 192 bytes ...) or of "bytes" (the default)."""
        other = Recording(self.source, strict=self.strict, private=self.private, limits=self.limits)
        other.strata = dict({"bytes": {}, "seed": tad_strata.SEED}[name])
        return other

    # Parts, each read when it is first needed.

    @cached_property
    def _frame(self) -> tuple[NDArray[np.int64], int]:
        data = self.source.data
        if not self.setup.whole:
            return np.empty(0, np.int64), self.setup.end
        offsets, end = container.frame(data, self.setup.end, self.limits)
        if end < len(data):
            left = len(data) - end
            length = int.from_bytes(data[end : end + 2], "little") if left >= 2 else None
            where = f"packets[{len(offsets)}]"
            if length is not None and length < container.LENGTH:
                self._problems.add(
                    tad_rules.RECORD_LENGTH.problem(where, end, found=length, expected=f"{container.LENGTH} or more")
                )
            else:
                self._problems.add(
                    tad_rules.FILE_CUT.problem(where, end, found=left, expected=length), tad_rules.FILE_CUT.error
                )
        return offsets, end

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Offsets of the packet records in the file: int64."""
        return self._frame[0]

    @property
    def end(self) -> int:
        """Where the last whole record ends."""
        return self._frame[1]

    @cached_property
    def packets(self) -> Packets:
        return self._once(
            lambda: streams.read_packets(
                self.source.data, self.offsets, self.setup.header.version, self._problems, self.limits,
                zero_fill=self.zero_fill,
            )
        )  # fmt: skip

    @cached_property
    def stream(self) -> Stream:
        return self._once(lambda: streams.read_stream(self.packets, self._problems, preferred=self.strata or None))

    @property
    def has_stream(self) -> bool:
        return "stream" in self.__dict__

    def close(self) -> None:
        super().close()
        # who keeps a closed recording keeps its tables, not all that they were made of
        for name in ("_frame", "packets", "stream", "repeated", "syncs", "lives"):
            self.__dict__.pop(name, None)

    def _once(self, make: Callable[[], T]) -> T:
        with self.lock:
            self.check_open()
            return make()

    @cached_property
    def roster(self) -> Roster:
        return Roster(self.setup, self._problems)

    @cached_property
    def unit_types(self) -> UnitTypes:
        return UnitTypes(self.setup)

    @cached_property
    def repeated(self) -> NDArray[np.bool_]:
        """Records that repeat the sender's record before them, syncs included: bool, one a packet record."""
        return repeated_records(self.stream)

    @cached_property
    def syncs(self) -> Syncs:
        """The unit syncs: their bits, and what was learned about the catalog from them."""
        return Syncs(self.stream, self.roster.max_units, self.unit_types.width)

    @property
    def has_syncs(self) -> bool:
        return "syncs" in self.__dict__ and "decoded" in self.syncs.__dict__

    @property
    def lobby_lines(self) -> list[bytes]:
        """Lines of the lobby chat, cp1252."""
        texts = [sector.content for sector in self.setup.sectors if sector.name == "lobby_chat"]
        return [line for text in texts for line in text.split(b"\r") if line.strip(b"\0\n")]

    @cached_property
    def lives(self) -> Lives:
        """The lives of all units, from their builds and deaths."""
        return Lives(self.stream)

    def message_table(self, kind: Kind) -> Table:
        more = {}
        if kind.mark == "again":
            more = {"again": self.lives.again}
        elif kind.mark == "copy":
            more = {"copy": economy.copies(self.stream)}
        return messages.table(kind, self.stream, self.repeated, **more)

    def state(self, at: float, *, window: int | None = None, player: int | None = None) -> dict[str, Any]:
        """Last known status of every unit at a tick, with its age; of one player where ``player`` names one."""
        self.check_open()
        return state.state(at, player, self.syncs, self.roster, self.lives)

    # What info says.

    def read_fully(self) -> None:
        _ = self.roster, self.stream
        with self.lock:
            if not getattr(self, "_checked", False):
                self._checked = True
                _ = self.syncs.decoded
                self.syncs.report(self._problems)
                checks.check(self, self._problems)

    def facts(self, full: bool) -> Facts:
        setup, roster = self.setup, self.roster
        compressed = self._compressed()
        count = len(self.offsets)
        details: dict[str, Any] = {
            "recorder": setup.sector_text(_SECTOR_RECORDER),
            "recorded_date": setup.sector_text(_SECTOR_DATE),
            "recorded_from": setup.sector_text(_SECTOR_FROM),
            "mod_id": setup.sector_text(_SECTOR_MOD),
            "max_units": roster.max_units,
            "records": count,
            "compressed_records": compressed,
            "compressed": round(compressed / count, 6) if count else 0.0,
            "data_hash": self.unit_types.data_hash,
            "catalog_width": self.unit_types.width,
        }
        if full:
            details["subpacket_counts"] = {f"0x{n:02x}": c for n, c in self.stream.counts.items()}
            details["catalog_width"] = self.syncs.width
            details["catalog_width_source"] = self.syncs.width_source
            details["strata"] = {f"0x{n:02x}": size for n, size in sorted(self.stream.strata.items())}
            details["coverage"] = summary.coverage(self.stream)
            details["wallclock_s"] = int(self.packets.wall_ms[-1]) / 1000 if count else 0.0
        last = self._last_tick(full)
        return Facts(
            format_version=setup.header.version,
            complete=setup.whole and self.end == self.source.size,
            game="Total Annihilation",
            map=setup.header.map,
            duration_s=None if last is None else last / TICKS_A_SECOND,
            players=self._players(full),
            result=summary.result(self.stream, roster, self.lives) if full else None,
            details=details,
        )

    def _players(self, full: bool) -> list[dict[str, Any]]:
        heads = summary.commanders(self.lives) if full else {}
        return [
            {
                "id": person.number,
                "name": person.player.name,
                "side": person.side,
                "color": person.color,
                "watcher": person.watcher,
                "computer": person.computer,
                "team": person.team,
                "transport_id": person.dpid,
                "block": person.rank,
                **({"commander": heads.get(person.number)} if full else {}),
            }
            for person in self.roster.participants
        ]

    def _compressed(self) -> int:
        """How many packet records are compressed, by their flags alone."""
        data = np.frombuffer(self.source.data, np.uint8)
        place = self.offsets + container.PREFIX - 1
        return int((data[np.minimum(place, len(data) - 1)] == streams.COMPRESSED).sum()) if len(place) else 0

    def _last_tick(self, full: bool) -> int | None:
        """The last tick of the longest sender; without ``full`` from the last records of each, which cost little."""
        if full or self.has_stream:
            return _latest(self.stream)
        data = np.frombuffer(self.source.data, np.uint8)
        offsets = self.offsets
        senders = data[np.minimum(offsets + container.LENGTH + 2, len(data) - 1)]
        quiet = Problems(self.format)
        best: int | None = None
        for sender in np.flatnonzero(np.bincount(senders, minlength=256)).tolist():
            mine = offsets[senders == sender]
            for tail in _TAIL:
                packets = streams.read_packets(
                    self.source.data, mine[-tail:], self.setup.header.version, quiet, self.limits
                )
                found = _latest(streams.read_stream(packets, quiet))
                if found is not None:
                    best = found if best is None else max(best, found)
                if found is not None or tail >= len(mine):
                    break
        return best

    def validate(self, profile: str = "release") -> list[Problem]:
        problems = super().validate(profile)
        return [*problems, *checks.playable(self)]

    # Writing.

    def _draft(self, keep: NDArray[np.int64] | None = None) -> Draft:
        # construct takes a while to import, and reading needs none of it
        from ksreplay.formats.tad_write import Draft

        self.check_open()
        everything = np.arange(len(self.offsets), dtype=np.int64)
        return Draft(
            self.setup, self.packets, self.source.data, everything if keep is None else keep,
            prefixed=self.setup.header.version == 3,
        )  # fmt: skip

    def encode(
        self, *, version: int | None = None, suffix: str = "", mod_id: str | None = None, compress: str = "stored",
        **options: Any,
    ) -> bytes:  # fmt: skip
        """The file again: what stands before the packets from its fields, the packets as they are stored.

        ``version``: 5 or 7 (also for a file of version 3 or 4), with ``mod_id`` for 7. ``compress``: "stored" keeps
        every record as it is, "plain" stores all without compression, "recorder" and "best" compress the compressed
        ones anew. A cut record at the end is left out.
        """
        from ksreplay.formats import tad_write

        if options:
            raise TypeError(f"tad has no option {next(iter(options))!r} for writing")
        if compress not in ("stored", "plain", *lz77.COMPRESSORS):
            raise ValueError(f"compress is stored, plain, recorder or best, not {compress!r}")
        draft = self._draft()
        wanted = self.setup.header.version if version is None else version
        if wanted not in container.VERSIONS:
            raise rules.NOT_WRITABLE.failure(self.format, "header.version", found=wanted, expected=[5, 7])
        try:
            changed = tad_write.with_version(self.setup, wanted, mod_id, self.roster.max_units)
        except ValueError as error:
            raise rules.NOT_WRITABLE.failure(
                self.format, str(error), found=wanted, message=f"version {wanted} cannot say {error}"
            ) from error
        draft.drop_prefix = draft.prefixed and wanted != 3
        draft.plain = compress == "plain"
        draft.compressor = lz77.COMPRESSORS.get(compress)
        if changed is not self.setup:
            draft.setup = tad_write.with_crc(changed, self.source.data)
        return draft.build()

    def unwrap(self, part: str | None = None) -> bytes:
        """The same records with flag 3 and the status envelopes decrypted."""
        from ksreplay.formats import tad_write

        return tad_write.unwrapped(self._draft())

    def cut(self, first: int | None = None, last: int | None = None, suffix: str = "", by: str = "tick") -> bytes:
        """A stretch of the recording with all that stands before the packets; ticks and times of records stay.

        ``by`` "tick": from the first packet with a sync of tick ``first`` or later to the last with one of tick
        ``last`` or earlier, of any sender. ``by`` "ms": the packets from one wall time to another, both included.
        Every sender's first packet with syncs gets a base where it has none, so that its ticks stay.
        """
        from ksreplay.formats import tad_write

        if by not in ("tick", "ms"):
            raise ValueError(f"a recording is cut by tick or ms, not by {by!r}")
        low, high = (first if first is not None else 0), (last if last is not None else np.iinfo(np.int64).max)
        if by == "ms":
            wall = self.packets.wall_ms
            keep = np.flatnonzero((wall >= low) & (wall <= high))
        else:
            rows = self.stream.syncs
            ticks, records = self.stream.low[rows], self.stream.records_of(rows)
            inside = records[(ticks >= low) & (ticks <= high)]
            # what comes before the first tick is the start of the game, and belongs to a stretch from the first on
            begin = 0 if first is None else int(inside.min()) if len(inside) else 0
            end = (int(inside.max()) + 1 if len(inside) else 0) if last is not None or not len(inside) else None
            keep = np.arange(begin, len(self.offsets) if end is None else end, dtype=np.int64)
        if not len(keep) and (first is not None or last is not None):
            raise ReplayError(
                "there is no packet to keep", code="empty-range", format=self.format, where="packets",
                found=[first, last],
            )  # fmt: skip
        draft, stream = self._draft(keep), self.stream
        tad_write.insert_bases(
            draft, self.packets, stream.firsts, stream.offsets, stream.ids, stream.tick, (0xFD, 0xFF), 0xFE
        )
        return draft.build()

    def redacted(self, pseudonyms: Pseudonymizer, policy: Policy, report: Report, suffix: str = "") -> bytes:
        """The file without chat, commands, addresses, comments and names; every reader still gets the same ticks."""
        from ksreplay.semantics.tad import redaction

        return redaction.redact(self._draft(), self.stream, pseudonyms, policy, report)

    def streams(self) -> Iterator[tuple[str, bytes]]:
        yield "", self.source.data
        for number, status in enumerate(self.setup.statuses):
            yield f"statuses[{number}]", status.payload
        for number, sector in enumerate(self.setup.sectors):
            if sector.name == "address":
                yield f"sectors[{number}]", bytes(byte ^ container.ADDRESS_MASK for byte in sector.content)
        packets, rows = self.packets, np.flatnonzero(self.packets.compressed)
        _, inflated = gather_bytes(packets.pool, packets.starts[rows], (packets.ends - packets.starts)[rows])
        yield "packets", inflated.tobytes()


def _latest(stream: Stream) -> int | None:
    """The tick at which the longest sender ends. Not the highest of all: one damaged base would make that anything."""
    known = stream.is_sync & (stream.low >= 0)
    telling = np.flatnonzero(np.diff(stream.before(known)[stream.firsts]))  # records with a sync whose tick is known
    senders = stream.packets.senders[telling]
    best: int | None = None
    for sender in distinct(senders).tolist():
        last = int(telling[senders == sender][-1])
        ticks = stream.low[stream.firsts[last] : stream.firsts[last + 1]]
        end = int(ticks[known[stream.firsts[last] : stream.firsts[last + 1]]][-1])
        best = end if best is None else max(best, end)
    return best

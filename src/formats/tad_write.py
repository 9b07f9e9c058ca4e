"""Writes TA recordings: everything before the packets from its fields, packets that do not change as they are.

A recorder's own habits stay where the file shows them: a record that nobody changes keeps its stored bytes, since no
rule says how a payload must be compressed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ksreplay.formats import tad, tad_build
from ksreplay.formats import tad_envelope as envelope
from ksreplay.formats import tad_lz77 as lz77
from ksreplay.formats import tad_rules as rules
from ksreplay.formats.tad import Header, Sector, Setup
from ksreplay.formats.tad_stream import COMPRESSED, PLAIN, Packets

CRC_SUB = 9
MOST_PAYLOAD = 65_535 - tad.PREFIX


@dataclass
class Draft:
    """A recording about to be written. ``changed``: packet record -> its new payload, inflated, without the four
    transport bytes of version 3 (which stay in front of it)."""

    setup: Setup
    packets: Packets
    data: bytes  # of the file that was read
    keep: NDArray[np.int64]  # packet records to write
    changed: dict[int, bytes] = field(default_factory=dict)
    dt_ms: dict[int, int] = field(default_factory=dict)  # other times of some records
    prefixed: bool = False  # payloads have the four transport bytes of version 3
    drop_prefix: bool = False  # and lose them
    plain: bool = False  # store everything without compression
    compressor: Callable[[bytes], bytes] | None = None  # compress every compressed record anew

    def build(self) -> bytes:
        return write_setup(self.setup) + b"".join(self._records())

    def _records(self) -> list[bytes]:
        """The packet records; stretches of records that stay are copied whole."""
        rewritten = set(self.changed) | set(self.dt_ms)
        packets = self.packets
        if self.plain or self.compressor is not None:
            rewritten |= set(np.flatnonzero(packets.compressed).tolist())
        if self.drop_prefix:
            rewritten |= set(np.flatnonzero(packets.kinds == 0).tolist())
        out: list[bytes] = []
        begin: int | None = None
        end = 0
        for number in self.keep.tolist():
            offset, length = int(packets.offsets[number]), int(packets.lengths[number])
            if number in rewritten:
                if begin is not None:
                    out.append(self.data[begin:end])
                    begin = None
                out.append(self._record(number))
                continue
            if begin is None or offset != end:
                if begin is not None:
                    out.append(self.data[begin:end])
                begin = offset
            end = offset + length
        if begin is not None:
            out.append(self.data[begin:end])
        return out

    def _record(self, number: int) -> bytes:
        packets = self.packets
        stored = self.data[packets.offsets[number] : packets.offsets[number] + packets.lengths[number]]
        if len(stored) < tad.PREFIX:
            return stored
        flag = int(packets.flags[number])
        dt_ms = self.dt_ms.get(number, int(packets.dt_ms[number]))
        head = dt_ms.to_bytes(2, "little") + bytes([packets.senders[number]])
        payload = self.changed.get(number)
        same = payload is None and not (self.drop_prefix and self.prefixed and packets.kinds[number] == 0)
        start, end = int(packets.starts[number]), int(packets.ends[number])
        if payload is None:
            payload = packets.pool[start:end].tobytes()
        if flag not in (PLAIN, COMPRESSED):  # no flag, or a note in the place of one: the payload ends the record
            return tad_build.record(head + stored[tad.PREFIX - 1 : len(stored) - (end - start)] + payload)
        if self.prefixed and not self.drop_prefix and packets.kinds[number] == 0:
            payload = packets.pool[max(0, start - 4) : start].tobytes() + payload
        plain = flag == PLAIN or (self.plain and len(payload) <= MOST_PAYLOAD)
        if same and not plain and self.compressor is None:
            return tad_build.record(head + stored[tad.PREFIX - 1 :])
        return tad_build.record(head + self._stored(number, payload, plain))

    def _stored(self, number: int, payload: bytes, plain: bool) -> bytes:
        """Flag and payload as they are stored: as asked for, or in the first other way that a record can hold."""
        packed = self.compressor or lz77.deflate_recorder
        ways: list[Callable[[], bytes]] = [
            lambda: bytes([PLAIN]) + payload,
            lambda: bytes([COMPRESSED]) + packed(payload),
            lambda: bytes([COMPRESSED]) + lz77.deflate_best(payload),
        ]
        if not plain:
            ways[:2] = ways[1::-1]
        for way in ways:
            stored = way()
            if len(stored) - 1 <= MOST_PAYLOAD:
                return stored
        raise rules.RECORD_SIZE.failure(
            "tad", f"packets[{number}]", int(self.packets.offsets[number]), found=len(payload), expected=MOST_PAYLOAD
        )


def write_setup(setup: Setup) -> bytes:
    """The records before the packets, each from its fields; those too short to have them stay as they are."""
    header = setup.header
    total = setup.num_sectors
    kinds = {
        "sector_total": [] if total is None else [tad_build.sector_total(total, setup.total_rest)],
        "sectors": [tad_build.sector(sector.kind, sector.content) for sector in setup.sectors],
        "players": [tad_build.player(who.color, who.side, who.number, who.name_bytes) for who in setup.players],
        "statuses": [tad_build.record(bytes([status.number]) + status.wire) for status in setup.statuses],
        "unit_data": [tad_build.record(setup.unit_data_bytes)] if setup.whole else [],
    }
    out = [tad_build.header(header.version, header.num_players, header.max_units, header.map_bytes)]
    for kind, records in kinds.items():
        for number, body in sorted(setup.short.get(kind, {}).items()):
            records.insert(number, tad_build.record(body))
        out += records
    return b"".join(out)


def with_crc(setup: Setup, data: bytes) -> Setup:
    """The setup with the recorder's checksum of its records made right, where it was right in ``data``, the file."""
    import zlib

    entries = setup.unit_data["entry"]
    noted = np.flatnonzero(entries["sub"] == CRC_SUB)
    if not len(noted) or int(entries["fill"][noted[0]]) != zlib.crc32(data[: setup.ofs_unit_data - 2]):
        return setup
    before = write_setup(replace(setup, unit_data_bytes=b""))[:-2]
    raw = bytearray(setup.unit_data_bytes)
    size = setup.unit_data.dtype.itemsize
    for number in noted.tolist():
        raw[number * size + 2 : number * size + 6] = zlib.crc32(before).to_bytes(4, "little")
    return replace(setup, unit_data_bytes=bytes(raw))


def with_version(setup: Setup, version: int, mod_id: str | None, limit: int | None) -> Setup:
    """The setup in another version; what it cannot say raises ValueError with the field's name."""
    header = setup.header
    if version == header.version:
        return setup
    if version < 5:
        raise ValueError("sectors")
    max_units = header.max_units if header.max_units is not None else limit
    if max_units is None:
        raise ValueError("header.max_units")
    sectors: Sequence[Sector] = setup.sectors
    if version == 7 and mod_id is not None:
        try:
            content = mod_id.encode("cp1252")
        except UnicodeEncodeError:
            raise ValueError("mod_id") from None
        sectors = [*(s for s in sectors if s.name != "mod_id"), Sector(7, content, 0)]
    elif version == 5:
        sectors = [sector for sector in sectors if sector.name != "mod_id"]
    changed = Header(version, header.num_players, max_units, header.map, header.map_bytes)
    total = (setup.num_sectors or 0) + len(sectors) - len(setup.sectors)
    short = {kind: bodies for kind, bodies in setup.short.items() if kind != "sector_total"}
    return replace(setup, header=changed, sectors=list(sectors), num_sectors=total, short=short)


def unwrapped(draft: Draft) -> bytes:
    """The same records with flag 3 and the status envelopes decrypted (their checksum is then 0)."""
    statuses = []
    for status in draft.setup.statuses:
        wire = bytes([envelope.PLAIN, 0, 0]) + status.payload if status.payload else status.wire
        statuses.append(replace(status, wire=wire if len(wire) < 60_000 else status.wire))
    draft.setup = with_crc(replace(draft.setup, statuses=statuses), draft.data)
    draft.plain = True
    return draft.build()


def insert_bases(
    draft: Draft, packets: Packets, firsts: NDArray[np.int64], offsets: NDArray[np.int32], ids: NDArray[np.uint8],
    tick: NDArray[np.int32], takes: tuple[int, ...], base: int,
) -> None:  # fmt: skip
    """Give the first kept record with syncs of every sender a base, so that a part of a recording keeps its ticks."""
    begun: set[int] = set()
    senders = packets.senders
    for number in draft.keep.tolist():
        sender = int(senders[number])
        if sender in begun:
            continue
        inside = range(int(firsts[number]), int(firsts[number + 1]))
        first = next((row for row in inside if ids[row] in takes or ids[row] == base), None)
        if first is None:
            continue
        begun.add(sender)
        if ids[first] == base or tick[first] < 0:
            continue
        start, end = int(packets.starts[number]), int(packets.ends[number])
        payload = draft.changed.get(number, packets.pool[start:end].tobytes())
        at = int(offsets[first]) - start
        draft.changed[number] = payload[:at] + tad_build.base(int(tick[first]) & 0xFFFFFFFF) + payload[at:]

"""Rules that reading does not need: what `validate` and `info --full` add."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ksreplay.columns import distinct
from ksreplay.errors import Problem, Problems
from ksreplay.formats.tad_rules import TICK_UNKNOWN
from ksreplay.formats.tad_stream import Stream
from ksreplay.rules import Rule
from ksreplay.semantics.tad import kinds, rules
from ksreplay.semantics.tad.catalog import header_crc

if TYPE_CHECKING:
    from ksreplay.replays.tad import Recording

_TOTALS = (
    "energy_produced", "energy_requested", "energy_wasted", "metal_produced", "metal_requested", "metal_wasted",
)  # fmt: skip
_COUNTERS = ("kills", "losses", "commander_kills", "commander_losses")
_BUILD = 0x09


def check(recording: Recording, problems: Problems) -> None:
    """Adds what the whole file is needed for."""
    stream = recording.stream
    for found in (
        *_senders(recording),
        *_clock(stream),
        *_snapshots(stream),
        *_blocks(recording),
        *_crc(recording),
    ):
        problems.add(found)
    repeats = np.flatnonzero(recording.repeated)
    for record in repeats[: problems.limit].tolist():
        problems.add(rules.REPEATED.problem(f"packets[{record}]", int(recording.packets.offsets[record])))


def _senders(recording: Recording) -> Iterator[Problem]:
    known = {person.number for person in recording.roster.participants}
    senders = recording.packets.senders
    for sender in distinct(senders).tolist():
        if sender not in known and 1 <= sender <= 10:
            first = int(np.flatnonzero(senders == sender)[0])
            yield rules.SENDER_UNKNOWN.problem(
                f"packets[{first}]", int(recording.packets.offsets[first]), found=sender, expected=sorted(known)
            )


def _clock(stream: Stream) -> Iterator[Problem]:
    """Findings by sender: syncs that have no tick, and how often the ticks jump; with the place of the first."""
    lost = np.flatnonzero(stream.is_sync & (stream.low < 0))
    senders = stream.senders_of(lost)
    for sender in distinct(senders).tolist():
        mine = lost[senders == sender]
        record = int(stream.records_of(mine[0]))
        yield TICK_UNKNOWN.problem(
            f"packets[{record}]", int(stream.packets.offsets[record]), found=len(mine),
            message=f"{len(mine)} syncs of sender {sender} have no tick",
        )  # fmt: skip
    senders = stream.senders_of(stream.jumps)
    for sender in distinct(senders).tolist():
        mine = stream.jumps[senders == sender]
        record = int(stream.records_of(mine[0]))
        yield rules.TICK_GAP.problem(
            f"packets[{record}]", int(stream.packets.offsets[record]), found=int(stream.low[mine[0]]),
            message=f"the ticks of sender {sender} jump {len(mine)} times",
        )  # fmt: skip


def _snapshots(stream: Stream) -> Iterator[Problem]:
    kind = kinds.RESOURCES
    rows = stream.rows(kind.number)
    if not len(rows):
        return
    bodies = stream.bodies(rows, kind.dtype)
    places = stream.records_of(rows)

    def at(rule: Rule, mask: np.ndarray, field: str) -> Problem:
        first = int(np.flatnonzero(mask)[0])
        record = int(places[first])
        return rule.problem(
            f"packets[{record}].{field}", int(stream.packets.offsets[record]), found=bodies[field][first],
            message=f"{rule.text} ({field} breaks it {int(mask.sum())} times)",
        )  # fmt: skip

    for field in _COUNTERS:
        wide = bodies[field] != bodies[field].astype(np.int16)
        if wide.any():
            yield at(rules.COUNTER_RANGE, wide, field)
    for field in kind.dtype.names or ():
        if kind.dtype[field].kind == "f":
            odd = ~np.isfinite(bodies[field])
            if odd.any():
                yield at(rules.NOT_FINITE, odd, field)
    senders = stream.packets.senders[places]
    for field in _TOTALS:
        falls = np.zeros(len(rows), bool)
        for sender in distinct(senders).tolist():
            mine = np.flatnonzero(senders == sender)
            values = bodies[field][mine]
            falls[mine[1:]] = values[1:] < values[:-1]
        if falls.any():
            yield at(rules.CUMULATIVE, falls, field)


def _blocks(recording: Recording) -> Iterator[Problem]:
    stream, roster = recording.stream, recording.roster
    rows = stream.rows(_BUILD)
    if not roster.sound or not len(rows) or not roster.max_units:
        return
    units = stream.bodies(rows, kinds.BUILDS.dtype)["unit_id"]
    owner, _ = roster.locate(units)
    strange = np.flatnonzero(owner != stream.senders_of(rows))
    if len(strange):
        record = int(stream.records_of(rows[strange[0]]))
        yield rules.UNIT_BLOCK.problem(
            f"packets[{record}]", int(stream.packets.offsets[record]), found=int(units[strange[0]]),
            message=f"{len(strange)} units begin to be outside the block of the player who sends it",
        )  # fmt: skip


def _crc(recording: Recording) -> Iterator[Problem]:
    noted = recording.unit_types.header_crc
    if noted is not None:
        found = header_crc(recording.source.data, recording.setup)
        if found != noted:
            yield rules.HEADER_CRC.problem(
                "unit_data", recording.setup.ofs_unit_data, found=f"0x{noted:08x}", expected=f"0x{found:08x}"
            )


def playable(recording: Recording) -> Iterator[Problem]:
    """What known players would refuse."""
    header = recording.setup.header
    if header.version > 5:
        yield rules.PLAY_VERSION.problem("header.version", 10, found=header.version, expected="at most 5")
    if len(header.map) > 64 or not header.map.isprintable():
        yield rules.PLAY_MAP_NAME.problem("header.map_name", 15, found=header.map)
    if header.max_units is not None and header.max_units > 5000:
        yield rules.PLAY_MAX_UNITS.problem("header.max_units", 13, found=header.max_units, expected="at most 5000")
    long = np.flatnonzero(recording.packets.lengths > 32768)
    for record in long[:100].tolist():
        yield rules.PLAY_RECORD.problem(
            f"packets[{record}]", int(recording.packets.offsets[record]), found=int(recording.packets.lengths[record])
        )

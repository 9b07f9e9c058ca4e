"""The clocks of a recording: where each sender's ticks run without a jump, and how fast against the wall.

Wall time is the recorder's, ticks are each sender's own; they are compared only inside a segment, that is between
jumps of the ticks and changes of the speed (seed 004, 9).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import distinct
from ksreplay.formats.tad_stream import Stream
from ksreplay.table import Column, Schema, Table

_POINTS = 120  # points of a segment that are fitted: all pairs of them
_LEAST = 4
_SPEED = 0x19

CLOCK = Schema(
    "clock",
    (
        Column("sender", "uint8", meaning="number of the player whose clock it is"),
        Column("segment", "int32", meaning="number of the segment among the sender's"),
        Column("begins", "string", meaning="why it begins: start, gap, rewind or speed"),
        Column("first_record", "int32", meaning="first packet record of it"),
        Column("last_record", "int32", meaning="last packet record of it"),
        Column("first_tick", "int32", unit="tick", meaning="first tick"),
        Column("last_tick", "int32", unit="tick", meaning="last tick"),
        Column("missing", "int32", nullable=True, unit="tick", meaning="ticks that are missing before it; negative "
               "where ticks come again"),
        Column("syncs", "int64", meaning="unit syncs in it"),
        Column("first_ms", "int64", unit="ms", meaning="wall clock of the first record"),
        Column("last_ms", "int64", unit="ms", meaning="wall clock of the last record"),
        Column("speed", "int16", nullable=True, meaning="speed last set before it, 0 for normal; null for never set"),
        Column("ticks_per_second", "float64", nullable=True, unit="tick/s", meaning="median slope of ticks against the "
               "wall clock (Theil-Sen); null for fewer than four packets"),
    ),
    meaning="one row a stretch of a sender's clock without a jump or a change of speed",
    source="seed 004, 9",
)  # fmt: skip


@dataclass
class _Known:
    """The syncs whose tick is known, in file order."""

    rows: NDArray[np.int64]
    ticks: NDArray[np.int32]
    records: NDArray[np.int32]
    senders: NDArray[np.uint8]


def _known(stream: Stream) -> _Known:
    rows = stream.syncs
    ticks = stream.low[rows]
    known = ticks >= 0
    if not known.all():
        rows, ticks = rows[known], ticks[known]
    records = stream.records_of(rows)
    return _Known(rows, ticks, records, stream.packets.senders[records])


def _segments(
    stream: Stream, syncs: _Known, marks: NDArray[np.int64]
) -> Iterator[tuple[int, NDArray[np.int64], list[int], set[int]]]:
    """For each sender: its number, its syncs, where its segments begin and end among them, and which begin by a jump.

    ``marks``: the changes of the speed.
    """
    for sender in distinct(syncs.senders).tolist():
        mine = np.flatnonzero(syncs.senders == sender)
        places = syncs.rows[mine]
        # the first sync behind each jump and each change of speed begins a segment
        jumped = set(np.searchsorted(places, _jumped(stream, sender)).tolist())
        changed = np.searchsorted(places, marks).tolist()
        yield sender, mine, sorted({0, len(mine), *jumped, *changed}), jumped


def count(stream: Stream) -> int:
    """Rows of the table, from counts alone: a segment begins where a jump or a change of speed has a sync behind it."""
    before = stream.before(stream.is_sync & (stream.low >= 0))
    firsts, senders, marks = stream.firsts, stream.packets.senders, stream.rows(_SPEED)
    held = np.diff(before[firsts])  # syncs of each packet
    total = 0
    for sender in distinct(senders[held > 0]).tolist():
        mine = senders == sender
        so_far = np.concatenate([[0], np.cumsum(np.where(mine, held, 0))])
        rows = np.concatenate([_jumped(stream, sender), marks])
        records = stream.records_of(rows)
        inside = np.where(mine[records], before[rows] - before[firsts[records]], 0)
        total += len(distinct(np.concatenate([so_far[[0, -1]], so_far[records] + inside]))) - 1
    return total


def clock(stream: Stream) -> Table:
    marks = stream.rows(_SPEED)
    rows: list[dict[str, Any]] = []
    wall = stream.packets.wall_ms
    syncs = _known(stream)
    ticks, records = syncs.ticks, syncs.records
    for sender, mine, bounds, jumped in _segments(stream, syncs, marks):
        for number, (begin, end) in enumerate(pairwise(bounds)):
            part = mine[begin:end]
            first, last = int(part[0]), int(part[-1])
            missing = int(ticks[first]) - int(ticks[mine[begin - 1]]) - 1 if begin and begin in jumped else None
            begins = "start" if not begin else "speed" if missing is None else "gap" if missing > 0 else "rewind"
            rows.append(
                {
                    "sender": sender, "segment": number, "begins": begins,
                    "first_record": int(records[first]), "last_record": int(records[last]),
                    "first_tick": int(ticks[first]), "last_tick": int(ticks[last]),
                    "missing": missing, "syncs": len(part),
                    "first_ms": int(wall[records[first]]), "last_ms": int(wall[records[last]]),
                    "speed": _speed_before(stream, marks, int(np.searchsorted(marks, syncs.rows[first]))),
                    "ticks_per_second": _rate(ticks[part], records[part], wall),
                }
            )  # fmt: skip
    return Table.from_rows(CLOCK, rows)


def _jumped(stream: Stream, sender: int) -> NDArray[np.int32]:
    mine: NDArray[np.int32] = stream.jumps[stream.senders_of(stream.jumps) == sender]
    return mine


def _speed_before(stream: Stream, marks: NDArray[np.int64], count: int) -> int | None:
    """The last speed set among the first ``count`` marks; pauses set none."""
    pool = stream.packets.pool
    for row in marks[:count][::-1].tolist():
        at = int(stream.offsets[row])
        if pool[at + 1] == 1:
            return int(pool[at + 2]) - 10
    return None


def _rate(ticks: NDArray[np.int32], records: NDArray[np.int32], wall: NDArray[np.int64]) -> float | None:
    """Ticks a second, by the median of the slopes between evenly spread points: the last sync of a packet each."""
    step = max(1, len(records) // _POINTS)
    some = distinct(records[::step])
    if len(some) < _LEAST:
        some = distinct(records)
    if len(some) < _LEAST:
        return None
    places = np.searchsorted(records, some[: 2 * _POINTS], "right") - 1
    x, y = wall[records[places]].astype(np.float64), ticks[places].astype(np.float64)
    one, other = np.triu_indices(len(places), 1)
    run = x[other] - x[one]
    slopes = (y[other] - y[one])[run > 0] / run[run > 0]
    return float(np.median(slopes)) * 1000 if len(slopes) else None

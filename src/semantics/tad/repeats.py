"""Packets that are stored twice (fact sheet tad-format, 6 and 8)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import distinct
from ksreplay.formats.tad_stream import Stream
from ksreplay.kernels import tad_walk

_BASE = 0xFE


def repeated_records(stream: Stream) -> NDArray[np.bool_]:
    """Records with syncs whose payload is that of the same sender's record before, so that its ticks come again."""
    packets = stream.packets
    result = np.zeros(len(packets), bool)
    # A repeat sets the clock back: its base is not the tick expected next.
    back = stream.records_of(stream.jumps[stream.ids[stream.jumps] == _BASE])
    if not len(back):
        return result
    suspects = distinct(back)
    before = np.full(len(packets), -1, np.int64)
    for sender in distinct(packets.senders[suspects]).tolist():
        mine = np.flatnonzero((packets.senders == sender) & (packets.kinds != tad_walk.MARKER))
        before[mine[1:]] = mine[:-1]
    suspects = suspects[before[suspects] >= 0]
    lengths = packets.ends - packets.starts
    suspects = suspects[lengths[suspects] == lengths[before[suspects]]]
    view = packets.pool.data
    for record in suspects.tolist():
        other = int(before[record])
        mine_bytes = view[packets.starts[record] : packets.ends[record]]
        result[record] = mine_bytes == view[packets.starts[other] : packets.ends[other]]
    return result

"""Every packet of a stream, and how many of each kind there are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Derived, Strings
from ksreplay.formats.spring_messages import message_name
from ksreplay.semantics.spring.columns import FRAME, SECONDS, schema, seconds
from ksreplay.semantics.spring.match import Match
from ksreplay.table import Column, Table

PACKETS = schema(
    "packets",
    Column("index", "int32", meaning="place in the stream, from 0"),
    FRAME,
    SECONDS,
    Column("time", "float32", unit="s", meaning="seconds since the recording began, the wait in the lobby included"),
    Column("id", "uint8", nullable=True, meaning="message id; null for a packet of no bytes"),
    Column("name", "string", nullable=True, meaning="message name, ID_<n> for an unknown one"),
    Column("size", "int32", unit="bytes", meaning="size of the message, id included"),
    Column("offset", "int64", unit="bytes", meaning="place of the message in the decompressed file"),
    Column("malformed", "bool", meaning="whether the message does not fit its layout"),
    meaning="Every packet of the stream: one row a packet.",
)
PACKET_COUNTS = schema(
    "packet_counts",
    Column("name", "string", meaning="message name, ID_<n> for an unknown one"),
    Column("count", "int64", unit="packets", meaning="how many there are"),
    meaning="How often each message occurs: one row a message id that occurs; empty packets have none.",
)


def packets(match: Match) -> Table:
    stream = match.stream
    filled = stream.size > 0 if stream.empty else None
    # The ids themselves are the codes of the names of all ids up to the largest.
    codes = stream.id if filled is None else np.where(filled, stream.id, np.int16(-1))
    known = range(256 - int(np.argmax(stream.counts[::-1] > 0)))
    when, game = seconds(stream.frame)
    columns = {
        "index": np.arange(len(stream), dtype=np.int32),
        "frame": stream.frame,
        "seconds": when,
        "time": stream.time,
        "id": stream.id,
        "name": Strings.from_codes(codes, [message_name(number) for number in known]),
        "size": stream.size,
        "offset": Derived(stream.offset, _wide),
        "malformed": match.messages.malformed,
    }
    return Table.build(PACKETS, columns, {"id": filled, "seconds": game})


def _wide(offset: NDArray[Any]) -> NDArray[np.int64]:
    return offset.astype(np.int64, copy=False)


def packet_counts(match: Match) -> Table:
    counts = match.stream.counts
    found = np.flatnonzero(counts)
    names = Strings.from_list([message_name(number) for number in found.tolist()])
    return Table.build(PACKET_COUNTS, {"name": names, "count": counts[found]})

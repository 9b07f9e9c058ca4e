"""The rows of the message tables: all subpackets of a kind decoded at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Binary, Derived, Strings, distinct, looked_up
from ksreplay.formats.tad_stream import Stream, tick_after
from ksreplay.generated.dtypes.tad_subpacket import ENUMS
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.kernels import tad_walk
from ksreplay.semantics.tad.fields import COMMON, Kind, coded, codes, seconds
from ksreplay.table import Column, Schema, Table

Mask = NDArray[np.bool_]
_CHAT, _ENEMY, _COMMAND = 0x05, 0xF9, 0x2E


def common(
    stream: Stream, rows: NDArray[Any], repeated: Mask, records: NDArray[np.int32] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns that every message table has: (columns, valid). ``records`` of the rows, where they are known."""
    if records is None:
        records = stream.records_of(rows)
    low = stream.low[rows]
    columns = {
        "record": records,
        "wall_ms": stream.packets.wall_ms[records],
        "sender": stream.packets.senders[records],
        "tick_low": low,
        "tick_high": Derived(low, tick_after),
        "time_s": Derived(low, seconds),
        "repeated": repeated[records],
    }
    known = low >= 0
    return columns, {"tick_low": known, "tick_high": known, "time_s": known}


def table(kind: Kind, stream: Stream, repeated: Mask, **more: Any) -> Table:
    """The table of one kind; ``more`` are columns beyond the kind's own."""
    rows, records = stream.events(kind.number)
    columns, valid = common(stream, rows, repeated, records)
    bodies = stream.bodies(rows, kind.dtype)
    for part in kind.parts:
        columns[part.column.name], valid[part.column.name] = part.make(bodies)
    columns |= more
    return Table.build(kind.schema, columns, valid)


def same_as_before(senders: NDArray[np.uint8], bodies: NDArray[np.void], skip: int = 0) -> Mask:
    """Rows whose body (from byte ``skip`` on) equals that of the same sender's row before."""
    data = np.ascontiguousarray(bodies).view(np.uint8).reshape(len(bodies), bodies.dtype.itemsize)[:, skip:]
    same = np.zeros(len(bodies), bool)
    for sender in distinct(senders).tolist():
        mine = np.flatnonzero(senders == sender)
        held = data[mine]
        same[mine[1:]] = (held[1:] == held[:-1]).all(axis=1)
    return same


CHAT = Schema(
    "chat",
    (
        Column("record", "int32", nullable=True, meaning="number of the packet record; null for the lobby"),
        *(Column(c.name, c.dtype, True, c.unit, c.meaning, c.source) for c in COMMON[1:]),
        Column("kind", "string", meaning="chat, enemy (relayed by the recorder), command (typed to it) or lobby"),
        Column("author", "uint32", nullable=True, meaning="transport identity of who wrote it, only of enemy chat"),
        Column("receiver", "uint32", nullable=True, meaning="transport identity, only of enemy chat"),
        Column("overflow", "bool", meaning="longer than its field, as older recorders could store it"),
        Column("text", "string", nullable=True, meaning="the line, mostly `<name> text`", private=True),
    ),
    meaning="one row a line of chat (0x05, 0xf9), a typed command, or a line of the lobby",
    source="seed 004, 6, 0x05; 3, sector 2; fact sheet tad-format, 8",
    version=2,
)


def chat_rows(stream: Stream) -> NDArray[np.int64]:
    """The subpackets that are lines: chat, chat of enemies, and commands where they fill a packet."""
    commands = np.flatnonzero(stream.states == tad_walk.COMMAND)
    return np.sort(np.concatenate([stream.rows(_CHAT, _ENEMY), commands]))


def chat(stream: Stream, repeated: Mask, lobby: list[bytes]) -> Table:
    """Lines in file order, those of the lobby first."""
    rows = chat_rows(stream)
    columns, valid = common(stream, rows, repeated)
    ids, offsets, lengths = stream.ids[rows], stream.offsets[rows], stream.lengths[rows].astype(np.int64)
    pool = stream.packets.pool
    skip = np.where(ids == _ENEMY, np.minimum(9, lengths), np.where(ids == _CHAT, 1, 0))
    starts, room = offsets + skip, lengths - skip
    used = _until_nul(pool, starts, room)
    head = np.flatnonzero((ids == _ENEMY) & (lengths >= 9))
    people = {"author": np.zeros(len(rows), np.uint32), "receiver": np.zeros(len(rows), np.uint32)}
    for place, who in ((1, people["author"]), (5, people["receiver"])):
        who[head] = sum(pool[offsets[head] + place + n].astype(np.uint32) << np.uint32(8 * n) for n in range(4))
    usual = np.where(ids == _CHAT, 65, 73)
    kinds = np.where(ids == _CHAT, 0, np.where(ids == _ENEMY, 1, 2))
    extra = len(lobby)
    texts = Strings.from_spans(pool, starts, used, "cp1252")
    if extra:
        ends = np.cumsum([len(line) for line in lobby])
        before = Strings.from_spans(b"".join(lobby), ends - [len(line) for line in lobby],
                                    np.array([len(line) for line in lobby]), "cp1252")  # fmt: skip
        texts = Strings(
            np.concatenate([before.offsets, texts.offsets[1:] + before.offsets[-1]]),
            np.concatenate([before.values, texts.values]),
        )
    known = np.concatenate([np.zeros(extra, bool), np.ones(len(rows), bool)])
    padded: dict[str, Any] = {
        name: np.concatenate([np.zeros(extra, values.dtype), values])
        for name, values in columns.items() if not isinstance(values, Derived)
    }  # fmt: skip
    padded["time_s"], padded["tick_high"] = (Derived(padded["tick_low"], make) for make in (seconds, tick_after))
    masks = {name: known & np.concatenate([known[:extra], valid.get(name, known[extra:])]) for name in columns}
    padded["kind"] = Strings.from_codes(
        np.concatenate([np.full(extra, 3), kinds]), ["chat", "enemy", "command", "lobby"]
    )
    relayed = np.zeros(len(known), bool)
    relayed[extra + head] = True
    for name, who in people.items():
        padded[name], masks[name] = np.concatenate([np.zeros(extra, np.uint32), who]), relayed
    padded["overflow"] = np.concatenate([np.zeros(extra, bool), (kinds < 2) & (lengths > usual)])
    padded["text"] = texts
    return Table.build(CHAT, padded, masks)


def _until_nul(pool: NDArray[np.uint8], starts: NDArray[Any], room: NDArray[np.int64]) -> NDArray[np.int64]:
    """Bytes before the first NUL of each span."""
    used = room.copy()
    for row, (start, size) in enumerate(zip(starts.tolist(), room.tolist(), strict=True)):
        end = pool[start : start + size].tobytes().find(b"\0")
        if end >= 0:
            used[row] = end
    return used


UNKNOWN = Schema(
    "unknown",
    (
        *COMMON,
        Column("id", "uint8", meaning="id byte"),
        Column("name", "string", nullable=True, meaning="name of the layout; null where the id has none"),
        Column("whole", "bool", meaning="a subpacket of known length; else the undecodable rest of a packet"),
        Column("body", "binary", nullable=True, meaning="the bytes behind the id, of ids of the game"),
        Column(
            "private_body",
            "binary",
            nullable=True,
            meaning="the bytes behind the id, of what cannot be split, which may hold anything",
            private=True,
        ),
    ),
    meaning="one row a subpacket without known fields, or the rest of a packet that cannot be split",
    source="seed 004, 6; fact sheet tad-format, 8",
    version=2,
)
#: Ids whose fields nobody knows.
WITHOUT_FIELDS = (0x03, 0x17, 0x1C, 0x1D, 0x1F, 0x21, 0x25, 0x27, 0x42, 0xF6, 0xFA)


def unknown_rows(stream: Stream) -> NDArray[np.int64]:
    states = stream.states
    odd = np.flatnonzero(states != tad_walk.WHOLE)
    odd = odd[(states[odd] != tad_walk.COMMAND) & (states[odd] != tad_walk.MARKER)]
    return np.sort(np.concatenate([stream.rows(*WITHOUT_FIELDS, _COMMAND), odd]))


def unknown(stream: Stream, repeated: Mask) -> Table:
    rows = unknown_rows(stream)
    whole = stream.states[rows] == tad_walk.WHOLE
    columns, valid = common(stream, rows, repeated)
    columns["id"] = stream.ids[rows]
    columns["name"] = names(stream.ids[rows])
    columns["whole"] = whole
    spans = stream.offsets[rows] + 1, np.maximum(stream.lengths[rows] - 1, 0)
    columns["body"] = columns["private_body"] = Binary.from_spans(stream.packets.pool, *spans)
    valid["body"], valid["private_body"] = whole, ~whole
    return Table.build(UNKNOWN, columns, valid)


RECORDER_DATA = 0xFB
RECORDER = Schema(
    "recorder_data",
    (
        *COMMON,
        Column("subtype", "uint8", nullable=True, meaning="what it says; null in the form of a first version, which "
               "has no length"),
        Column("subtype_name", "string", nullable=True, meaning="name of the subtype, where it has one"),
        Column("size", "int32", unit="byte", meaning="bytes behind the subtype, or behind the id where there is none"),
        Column("data", "binary", nullable=True, meaning="these bytes, which may hold anything", private=True),
    ),
    meaning="one row a message between recorders (0xfb)",
    source="seed 004, 6, 0xfb; fact sheet tad-format, 4 and 5, fb",
)  # fmt: skip


def recorder_data(stream: Stream, repeated: Mask) -> Table:
    rows = stream.rows(RECORDER_DATA)
    columns, valid = common(stream, rows, repeated)
    pool, offsets, lengths = stream.packets.pool, stream.offsets[rows], stream.lengths[rows].astype(np.int64)
    named = (lengths >= 3) & (pool[offsets + 1] == lengths - 3)
    head = np.where(named, 3, 1)
    columns["subtype"], valid["subtype"] = np.where(named, pool[offsets + 2], 0), named
    named_types = sorted(ENUMS["recorder_subtype"].items())
    numbers, texts = [number for number, _ in named_types], [name for _, name in named_types]
    columns["subtype_name"] = codes(np.where(named, pool[offsets + 2].astype(np.int64), -1), numbers, texts)
    columns["size"] = lengths - head
    columns["data"] = Binary.from_spans(pool, offsets + head, lengths - head)
    return Table.build(RECORDER, columns, valid)


_NAMES = [message.name for message in WALK.values()]
_CODES = np.full(256, -1, np.int8)
_CODES[list(WALK)] = np.arange(len(WALK))


def names(ids: NDArray[np.uint8]) -> Strings:
    """Names of the layout for ids; null where there is none."""
    return coded(looked_up(ids, _CODES), _NAMES)

"""The same facts of a file twice: from the Kaitai readers, element by element, and from the bulk readers.

A `Reading` says of each place what stands there, and which places cannot be read. ``unsaid`` are places of which the
layout cannot say whether the bulk reader will take them: texts that are no UTF-8, and rules that no layout states.
"""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
from kaitaistruct import KaitaiStream, KaitaiStructError
from msgpack_tree import tree

from ksreplay.errors import INVALID, Problems, ReplayError
from ksreplay.formats import cbtrack, spring, tad, tad_stream
from ksreplay.formats.cbtrack_columns import TYPE_OF, TYPES
from ksreplay.formats.crd import read_envelope
from ksreplay.formats.crd_schema import read_payload
from ksreplay.formats.spring_messages import IDS, NAMES, Decoder
from ksreplay.formats.spring_sorted import HEADS
from ksreplay.generated.cbtrack import Cbtrack
from ksreplay.generated.cbtrack_chunk import CbtrackChunk
from ksreplay.generated.dtypes.cbtrack import WINDOW
from ksreplay.generated.msgpack import Msgpack
from ksreplay.generated.spring_demo import SpringDemo
from ksreplay.generated.spring_packet import SpringPacket
from ksreplay.generated.tad import Tad
from ksreplay.generated.tad_subpacket import TadSubpacket
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.generated.zstd_frame import ZstdFrame
from ksreplay.kernels import tad_walk
from ksreplay.limits import Limits
from ksreplay.semantics.crd.checks import Checker

#: What a Kaitai reader raises on bytes that do not fit: the end, `valid` and `contents`, negative sizes, texts.
UNREADABLE = (EOFError, KaitaiStructError, ValueError, zlib.error, RecursionError)
LIMITS = Limits()
ENEMY_CHAT, RECORDER_DATA = 0xF9, 0xFB


@dataclass
class Reading:
    facts: dict[str, Any] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    unsaid: set[str] = field(default_factory=set)

    def differences(self, other: Reading) -> list[str]:
        unsaid = self.unsaid | other.unsaid
        found = [
            f"{place}: {self.facts.get(place, 'nothing')} != {other.facts.get(place, 'nothing')}"
            for place in self.facts.keys() | other.facts.keys()
            if place not in unsaid and self.facts.get(place) != other.facts.get(place)
        ]
        return sorted(found) + sorted(
            f"only one finds {place} broken" for place in (self.broken ^ other.broken) - unsaid
        )


def stream_of(data: bytes) -> KaitaiStream:
    return KaitaiStream(io.BytesIO(data))


def partial(make: type, *arguments: Any) -> tuple[Any, Exception | None]:
    """What a Kaitai reader has read when it stops, and why it stops (None: it does not)."""
    made = make.__new__(make)
    try:
        made.__init__(*arguments)
    except UNREADABLE as error:
        return made, error
    return made, None


def plain(value: Any) -> Any:
    """Numbers as ints, floats as their bits, bytes without the NULs that numpy drops."""
    if isinstance(value, Enum):
        return int(value.value)
    if isinstance(value, bytes | np.void | np.bytes_):
        return bytes(value).rstrip(b"\0")
    if isinstance(value, float | np.floating):
        return np.float32(value).tobytes()
    if isinstance(value, list | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return value
    return int(value)


def same_fields(names: Any, kaitai: Any, record: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The fields that both have under one name."""
    common = [name for name in names or () if hasattr(kaitai, name) and not record.dtype[name].names]
    common = [name for name in common if getattr(kaitai, name) is not None]

    def stored(name: str) -> Any:
        value = record[name]
        return bytes(value).split(b"\0")[0].decode("cp1252") if isinstance(getattr(kaitai, name), str) else plain(value)

    return (
        tuple((name, plain(getattr(kaitai, name))) for name in common),
        tuple((name, stored(name)) for name in common),
    )


# --- Spring demos ---------------------------------------------------------------------------------------------------


def spring_pair(content: bytes, most: int) -> tuple[Reading, Reading]:
    """Header, places of the parts, every packet and its fixed fields. ``most``: packets that are looked at."""
    ours, theirs = Reading(), Reading()
    problems = Problems("spring")
    try:
        demo = spring.read(content, LIMITS, problems)
    except ReplayError as error:
        ours.broken.add("header")
        if error.code == "header-size":
            ours.unsaid.add("header")  # the layout takes any size of the header
    layout, stopped = partial(SpringDemo, stream_of(content))
    unread = getattr(layout, "header", None) is None  # of an unknown version too
    if unread or ours.broken:
        theirs.broken |= {"header"} if unread else set()
        if isinstance(stopped, UnicodeDecodeError):
            theirs.unsaid.add("header")
        return theirs, ours
    for name, value in demo.header.fields.items():
        if (kaitai := getattr(layout.header, name, None)) is not None:
            theirs.facts[f"header.{name}"], ours.facts[f"header.{name}"] = plain(kaitai), plain(value)
    theirs.facts["engine"], ours.facts["engine"] = layout.engine, demo.header.engine_number
    sound = not {"negative-size", "script-cut"} & problems.counts.keys()
    start = layout.ofs_stream
    if sound and demo.header.layout != 1:
        theirs.facts["stream"], ours.facts["stream"] = min(start, len(content)), demo.ofs_stream
    if not sound or not 0 <= start <= len(content):
        return theirs, ours
    walked = spring.read_stream(demo, LIMITS, problems)
    decoder = Decoder(walked, demo.header.engine_number, problems)
    malformed = decoder.malformed
    raw = content[start : max(start, layout.ofs_trailer)]
    cut = layout.ofs_trailer > len(content)
    count, inside = _spring_packets(layout, raw, start, theirs, most)
    if count < most:
        theirs.facts["packets"], ours.facts["packets"] = count, len(walked)
        theirs.broken |= {"stream"} if inside or cut else set()
        ours.broken |= {"stream"} if problems.counts["stream-cut"] else set()
    for row in range(min(len(walked), count)):
        at, size = int(walked.offset[row]), int(walked.size[row])
        ours.facts[f"packet[{row}]"] = (at, size, content[at - 8 : at - 4])
        if malformed[row]:
            ours.broken.add(f"packet[{row}]")
    _spring_fields(layout, decoder, theirs, ours, count)
    return theirs, ours


def _spring_packets(layout: Any, raw: bytes, start: int, reading: Reading, most: int) -> tuple[int, bool]:
    """(packets, whether the stream ends inside one). Each packet is opened, so that what is malformed is known."""
    source, row = stream_of(raw), 0
    layout.opened = []
    while not source.is_eof() and row < most:
        at = source.pos()
        chunk, stopped = partial(SpringDemo.Chunk, source, layout, layout)
        if stopped is not None:
            return row, True
        place = f"packet[{row}]"
        reading.facts[place] = (start + at + 8, chunk.len_packet, raw[at : at + 4])
        message, fits = None, True
        if chunk.len_packet and chunk.packet.id in NAMES:
            try:
                message = chunk.packet.message
                fits = _fills(message, chunk.packet.id, chunk.len_packet)
                if _is_unlikely(message):
                    reading.unsaid.add(place)
            except UnicodeDecodeError:
                reading.unsaid.add(place)
            except UNREADABLE:
                fits = False
        if not fits:
            reading.broken.add(place)
        layout.opened.append(message if fits else None)
        row += 1
    return row, False


#: Messages whose size field is one byte, which wraps.
NARROW = {
    SpringPacket.Playername, SpringPacket.Chat, SpringPacket.AiCreated, SpringPacket.AiCreatedWide,
    SpringPacket.Gameover, SpringPacket.SystemmsgShort, SpringPacket.MapDraw, SpringPacket.MapDrawOld,
}  # fmt: skip


def _fills(message: Any, number: int, size: int) -> bool:
    """Whether the message is as long as it says and as its packet, and its texts end in it."""
    body = message.body if message.body is not None else message.old_body
    stated = getattr(body, "len_packet", None)
    if stated is not None:
        narrow = type(body).__name__ in {
            "Playername",
            "Chat",
            "AiCreated",
            "AiCreatedWide",
            "Gameover",
            "SystemmsgShort",
        }
        narrow = narrow or type(body).__name__.startswith("MapDraw")
        if stated != (size & 0xFF if narrow else size):
            return False
    # The layout takes a text without its end, which zeros of the head before it are not.
    head = 1 + HEADS[number].itemsize if message.body is not None and number in HEADS else 1
    inner = body if getattr(body, "body", None) is None or not hasattr(body.body, "_io") else body.body
    fields = [*vars(inner).values()]
    texts = b"".join(value.encode() + b"\0" for value in fields if isinstance(value, str))
    rest = message._io.to_byte_array()[head - size :] if size > head else b""
    if isinstance(fields[-1], str) and not rest.endswith(texts):
        return False
    return bool(message._io.is_eof())


def _is_unlikely(message: Any) -> bool:
    """What the layout takes and the reader does not: checksums of a size that no engine has, AIs above 255."""
    body = message.body if message.body is not None else message.old_body
    if isinstance(body, SpringPacket.Gamedata):
        return len(body.map_checksum) not in (4, 64)
    wide = isinstance(body, SpringPacket.AiCreatedWide | SpringPacket.AiStateChangedWide)
    return wide and body.ai > 255


def _spring_fields(layout: Any, decoder: Decoder, theirs: Reading, ours: Reading, count: int) -> None:
    for number in np.flatnonzero(decoder.stream.counts).tolist():
        if number not in NAMES:
            continue
        messages = decoder[NAMES[number]]
        known = [name for name in messages.records.dtype.names or () if name not in messages.missing]
        for index, row in enumerate(messages.rows.tolist()):
            if row >= count or not messages.good[index] or layout.opened[row] is None:
                continue
            message = layout.opened[row]
            body = message.body if message.body is not None else message.old_body
            kaitai, record = same_fields(known, body, messages.records[index])
            theirs.facts[f"packet[{row}].fields"] = (int(message.id), *kaitai)
            ours.facts[f"packet[{row}].fields"] = (IDS[NAMES[number]], *record)


# --- TA recordings --------------------------------------------------------------------------------------------------


def tad_pair(data: bytes, most: int) -> tuple[Reading, Reading]:
    """The records before the packets, every packet record, every subpacket and its fields."""
    ours, theirs = Reading(), Reading()
    problems = Problems("tad")
    layout, stopped = partial(Tad, stream_of(data))
    header = getattr(layout, "header", None)
    try:
        setup = tad.read_setup(data, problems)
    except ReplayError:
        ours.broken.add("header")
    if header is None:
        theirs.broken.add("header")
    if header is None or ours.broken:
        return theirs, ours
    _tad_setup(layout, setup, theirs, ours)
    whole = hasattr(layout, "unit_data")
    if not whole:  # the layout gives up at a record that costs the bulk reader only itself
        theirs.broken.add("setup")
    if problems.count(*INVALID) - problems.counts["player-count"] - problems.counts["status-checksum"]:
        ours.broken.add("setup")
    if any(status.flag != tad_stream.PLAIN for status in setup.statuses) or isinstance(stopped, UnicodeDecodeError):
        ours.unsaid.add("setup")
    if not setup.whole:
        return theirs, ours
    offsets, end = tad.frame(data, setup.end, LIMITS)
    packets = tad_stream.read_packets(data, offsets, setup.header.version, problems, LIMITS)
    walked = tad_stream.read_stream(packets, problems)
    source, row = stream_of(data), 0
    source.seek(setup.end)
    while not source.is_eof() and row < most:
        at = source.pos()
        record, stopped = partial(Tad.PacketRecord, source, layout, layout)
        if not hasattr(record, "_raw_body"):
            source.seek(at)
            break
        theirs.facts[f"packets[{row}]"] = (at, record.len_record, *_tad_head(record))
        _tad_packet(record, walked, row, theirs, ours)
        row += 1
    for number in range(min(len(packets), row)):
        named = len(record_bytes(data, packets, number)) >= 5
        ours.facts[f"packets[{number}]"] = (
            int(packets.offsets[number]), int(packets.lengths[number]),
            *((int(packets.dt_ms[number]), int(packets.senders[number])) if named else (None, None)),
        )  # fmt: skip
    if row < most:
        theirs.facts["packets"], ours.facts["packets"] = (row, source.pos()), (len(packets), end)
    return theirs, ours


def record_bytes(data: bytes, packets: Any, number: int) -> bytes:
    return data[packets.offsets[number] : packets.offsets[number] + packets.lengths[number]]


def _tad_head(record: Any) -> tuple[int | None, int | None]:
    head = getattr(getattr(record, "body", None), "head", None)
    if head is None and len(record._raw_body) >= 3:
        head = Tad.PacketHead(stream_of(record._raw_body))
    return (None, None) if head is None else (head.dt_ms, head.sender)


def _tad_setup(layout: Any, setup: Any, theirs: Reading, ours: Reading) -> None:
    """As far as the layout got."""
    head = layout.header.body
    theirs.facts["header"] = (
        head.head.version, head.head.num_players, head.max_units if head.has_max_units else None, head.map_name,
    )  # fmt: skip
    ours.facts["header"] = (
        setup.header.version, setup.header.num_players, setup.header.max_units,
        setup.header.map_bytes.split(b"\0")[0].decode("cp1252"),
    )  # fmt: skip
    for name in ("sectors", "players", "statuses"):
        read = getattr(layout, name, None) or []
        for number, (record, item) in enumerate(zip(read, getattr(setup, name), strict=False)):
            body, place = record.body, f"{name}[{number}]"
            if name == "sectors":
                theirs.facts[place], ours.facts[place] = (plain(body.head.kind),), (item.kind,)
            elif name == "players":
                theirs.facts[place] = (body.head.color, plain(body.head.side), body.head.number, body.name)
                ours.facts[place] = (
                    item.color,
                    item.side,
                    item.number,
                    item.name_bytes.split(b"\0")[0].decode("cp1252"),
                )
            else:
                theirs.facts[place] = (body.number, plain(body.envelope.head.flag))
                ours.facts[place] = (item.number, item.wire[0])
                info = getattr(body.envelope.masked, "info", None)
                if info is not None and item.info is not None:
                    kaitai, stored = same_fields(item.info.dtype.names, info, item.info)
                    theirs.facts[f"{place}.info"], ours.facts[f"{place}.info"] = kaitai, stored
    if hasattr(layout, "unit_data"):
        entries = [entry.entry for entry in layout.unit_data.body.entries]
        theirs.facts["unit_data"] = [(plain(e.sub), e.key, e.value) for e in entries]
        ours.facts["unit_data"] = [(int(e["sub"]), int(e["key"]), int(e["value"])) for e in setup.unit_data["entry"]]


def _tad_packet(record: Any, walked: Any, row: int, theirs: Reading, ours: Reading) -> None:
    """The subpackets of one packet; of a compressed one, of what the kernel made of it."""
    packets = walked.packets
    if row >= len(packets) or packets.kinds[row]:
        return
    first, last = int(walked.firsts[row]), int(walked.firsts[row + 1])
    start, end = int(packets.starts[row]), int(packets.ends[row])
    payload = packets.pool[start:end].tobytes()
    place = f"packets[{row}].subpackets"
    states = walked.states[first:last]
    bad = (states >= tad_walk.UNKNOWN_ID) & (states <= tad_walk.BAD_LENGTH)
    ours.facts[place] = [
        (int(walked.offsets[i]) - start, int(walked.ids[i]), int(walked.lengths[i]))
        for i in range(first, last - int(bad.any()))
    ]
    source = stream_of(payload)
    root = TadSubpacket.__new__(TadSubpacket)
    root._io, root._root, found, stopped = source, root, [], None
    while not source.is_eof():
        at = source.pos()
        subpacket, stopped = partial(TadSubpacket.Subpacket, source, root, root)
        if stopped is not None or plain(subpacket.kind) not in WALK:
            theirs.broken.add(place)
            break
        found.append((at, plain(subpacket.kind), source.pos() - at))
        index = first + len(found) - 1
        if index < last and walked.states[index] == tad_walk.WHOLE and (dtype := WALK[found[-1][1]].dtype) is not None:
            stored = np.frombuffer(payload, dtype, 1, at + 1)[0]
            kaitai, fields = same_fields(dtype.names, subpacket.body, stored)
            theirs.facts[f"{place}[{len(found)}]"], ours.facts[f"{place}[{len(found)}]"] = kaitai, fields
    theirs.facts[place] = found
    if bad.any():
        ours.broken.add(place)
    # What first versions of the recorder wrote: an enemy chat without a text, data without a length.
    ends = walked.ids[last - 1] if last > first else 0
    odd = (ends == ENEMY_CHAT and walked.lengths[last - 1] < 9) or (last == first + 1 and ends == RECORDER_DATA)
    odd = odd or isinstance(stopped, UnicodeDecodeError)
    if walked.strata or odd:  # read with sizes that the layout does not have
        ours.unsaid |= {name for name in (*theirs.facts, *ours.facts, place) if name.startswith(place)}


# --- Coilbox tracks -------------------------------------------------------------------------------------------------

#: Rules of the header that the layout does not state.
_CBTRACK_UNSAID = {"number-over-limit", "frames-reversed", "window-count", "index-cut"}


def cbtrack_pair(data: bytes, most: int) -> tuple[Reading, Reading]:
    """Header, index, and of every chunk the directory and the stored values."""
    ours, theirs = Reading(), Reading()
    layout, stopped = partial(Cbtrack, stream_of(data))
    if stopped is not None:
        theirs.broken.add("header")
    try:
        header = cbtrack.read_header(data)
        index = cbtrack.read_index(data, header)
    except ReplayError as error:
        ours.broken.add("header")
        if stopped is None:
            ours.facts["refusal"] = theirs.facts["refusal"] = error.code
            assert error.code in _CBTRACK_UNSAID, error.code
            ours.unsaid.add("header")
    if theirs.broken or ours.broken:
        return theirs, ours
    for name in vars(header):
        if hasattr(layout.header, name):
            theirs.facts[name], ours.facts[name] = plain(getattr(layout.header, name)), plain(getattr(header, name))
    theirs.facts["index"] = [[getattr(window, name) for name in WINDOW.names or ()] for window in layout.windows]
    ours.facts["index"] = [list(row) for row in index.tolist()]
    for place in list(cbtrack.places(header, index))[:most]:
        _cbtrack_chunk(layout, data, place, theirs, ours)
    return theirs, ours


def _kaitai_chunk(layout: Any, place: cbtrack.Place) -> Any:
    if place.window < 0:
        return getattr(layout, place.where)
    return getattr(layout.windows[place.window], place.where.rpartition(".")[2])


def _cbtrack_chunk(layout: Any, data: bytes, place: cbtrack.Place, theirs: Reading, ours: Reading) -> None:
    where = place.where
    try:
        chunk = cbtrack.read_chunk(data, place, LIMITS)
    except ReplayError as error:
        ours.broken.add(where)
        if error.code == "chunk-missing":
            ours.unsaid.add(where)
        chunk = None
    try:
        found = _kaitai_chunk(layout, place)
    except UNREADABLE:
        # What is inflated but is no directory is for `chunk_pair` to say.
        if chunk is None or not _is_directory(chunk.data):
            ours.unsaid.add(where)
        theirs.broken.add(where)
        return
    if chunk is not None and found is not None:
        chunk_facts(found, chunk.data, where, theirs, ours)


def _is_directory(data: bytes) -> bool:
    return len(data) >= 4 and 4 + 12 * int.from_bytes(data[:4], "little") <= len(data)


def chunk_pair(data: bytes, most: int) -> tuple[Reading, Reading]:
    """An inflated chunk by itself."""
    ours, theirs = Reading(), Reading()
    found, stopped = partial(CbtrackChunk, stream_of(data))
    if stopped is not None:
        theirs.broken.add("directory")
        if not _is_directory(data):
            ours.broken.add("directory")
        columns_of(data, "directory", ours)
        return theirs, ours
    chunk_facts(found, data, "chunk", theirs, ours)
    return theirs, ours


def columns_of(data: bytes, where: str, reading: Reading) -> Any:
    """The bulk reader's columns; ``where`` is broken without."""
    try:
        return cbtrack.read_columns(cbtrack.Chunk(cbtrack.Place("chunk", 64, 1), data, 0))
    except ReplayError:
        reading.broken.add(where)
        return None


def chunk_facts(found: Any, data: bytes, where: str, theirs: Reading, ours: Reading) -> None:
    """Known columns by what they hold; any that the layout cannot read, that breaks the order or has another type."""
    read = columns_of(data, f"{where}.columns", ours)
    last, values, total = -1, {}, 0
    for column in found.columns:
        number, kind = plain(column.column_id), plain(column.value_type)
        if number <= last:
            theirs.broken.add(f"{where}.columns")
        last = number
        if number not in TYPE_OF or kind not in TYPES:
            continue
        if TYPE_OF[number] != kind:
            theirs.broken.add(f"{where}.columns")
            continue
        total += column.num_values * column.len_value
        try:
            values[number] = plain(column.data.values)
        except UNREADABLE:
            theirs.broken.add(f"{where}.columns")
    if total > len(data):  # columns that share bytes: no layout says that they may not
        ours.unsaid.add(f"{where}.columns")
    if read is not None and f"{where}.columns" not in theirs.broken:
        theirs.facts[where] = {number: stored for number, stored in values.items() if stored}
        ours.facts[where] = {number: plain(stored) for number, stored in read.values.items()}


# --- Crimsonland replays --------------------------------------------------------------------------------------------


def crd_pair(data: bytes, most: int) -> tuple[Reading, Reading]:
    """The frame, and the tree of the payload."""
    ours, theirs = Reading(), Reading()
    frame, stopped = partial(ZstdFrame, stream_of(data))
    try:
        header, payload = read_envelope(data, LIMITS)
    except ReplayError:
        return theirs, ours  # what is inside the frame's blocks no layout says
    assert stopped is None, stopped
    for name in ("window_size", "content_size", "has_checksum"):
        theirs.facts[name], ours.facts[name] = getattr(frame.header, name), getattr(header, name)
    inside = payload_pair(payload, most)
    for mine, more in zip((theirs, ours), inside, strict=True):
        mine.facts |= more.facts
        mine.broken |= more.broken
        mine.unsaid |= more.unsaid
    return theirs, ours


def pairs(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, pairs(item)) for key, item in value.items()]
    return [pairs(item) for item in value] if isinstance(value, list | tuple) else value


def payload_pair(payload: bytes, most: int) -> tuple[Reading, Reading]:
    """What the layout cannot read the reader must find wrong; what the reader finds right, both read alike."""
    ours, theirs = Reading(), Reading()
    problems = Problems("crd")
    source = stream_of(payload)
    found, stopped = partial(Msgpack, source)
    if stopped is not None or not source.is_eof():
        theirs.broken.add("payload")
    try:
        document = read_payload(payload, problems, LIMITS)
        Checker(document, problems).check()
    except ReplayError:
        ours.broken.add("payload")
        ours.unsaid |= set() if theirs.broken else {"payload"}
        return theirs, ours
    if problems.count(*INVALID):
        ours.broken.add("payload")
        ours.unsaid |= set() if theirs.broken else {"payload"}
        return theirs, ours
    if theirs.broken:
        return theirs, ours
    top = dict(tree(found.value))
    ticks = top.pop("ticks")
    theirs.facts["ticks"] = [
        ([[plain(x) for x in player[:4]] for player in inputs], [player[4] for player in inputs], len(commands))
        for inputs, commands in ticks
    ]
    of_tick = np.bincount(np.asarray(document.ticks.commands.tick, np.int64), minlength=len(ticks))
    ours.facts["ticks"] = [
        (plain(document.ticks.axes[i]), document.ticks.flags[i].tolist(), int(of_tick[i])) for i in range(len(ticks))
    ]
    spelled = document.status_key
    text = repr(pairs(document.values)).replace("'quest_unlock_index_full'", repr(spelled))
    theirs.facts["values"] = repr(list(top.items()))
    ours.facts["values"] = text
    return theirs, ours


PAIRS: dict[str, Callable[[bytes, int], tuple[Reading, Reading]]] = {
    "spring": spring_pair,
    "tad": tad_pair,
    "cbtrack": cbtrack_pair,
    "crd": crd_pair,
}


def differences(name: str, data: bytes, most: int = 1 << 30) -> list[str]:
    """Where the two readings of ``data`` as ``name`` (a format, or ``chunk`` or ``payload``) differ."""
    pair = {**PAIRS, "chunk": chunk_pair, "payload": payload_pair}[name]
    theirs, ours = pair(data, most)
    return theirs.differences(ours)


# --- Digests: what compiled kernels and plain Python must agree in --------------------------------------------------


def digest(data: bytes) -> str:
    """All tables and all problems of a file as one hash, or the error."""
    import ksreplay

    try:
        with ksreplay.open(data, private=True) as replay:
            found = hashlib.sha256()
            for name in replay.tables:
                table = replay.tables[name]
                found.update(f"{name} {len(table)} {list(table.rows())!r}".encode("utf-8", "surrogatepass"))
            replay.validate()
            for problem in replay.problems:
                found.update(repr((problem.code, problem.where, problem.offset, str(problem.found))).encode())
            return found.hexdigest()[:16]
    except ReplayError as error:
        return f"{error.code} {error.where} {error.offset}"

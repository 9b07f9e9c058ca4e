"""The container of a Spring (Recoil) demo: header, script, stream and trailer, bounded and tolerant.

Layouts: ksy/spring_demo.ksy, through its generated dtypes. Sizes and offsets are bytes of the decompressed file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.columns import view
from ksreplay.errors import LimitExceeded, Problems, ReplayError
from ksreplay.formats import spring_rules as rules
from ksreplay.formats.inflate import gunzip
from ksreplay.formats.sniff import GZIP_MAGIC
from ksreplay.formats.spring_sorted import HEADS, Heads, Sorted, compiled, sort, sort_with_heads
from ksreplay.generated.dtypes import spring_demo as layouts
from ksreplay.generated.walks.spring_packet import WALK
from ksreplay.kernels.spring_walk import Walk, Walker, walk
from ksreplay.limits import Limits

#: The decompressed file. Slices of the one that was inflated are views of it.
Data = bytes | memoryview

MAGIC = b"spring demofile\0"
FORMAT = "spring"

#: Engine number of the newest layouts; also of a version text that says nothing.
CURRENT = 99_999_999

#: Header layout by version. Version 2 was never released; it has the fields of 3 when 116 bytes long, else of 4.
HEADERS: dict[int, np.dtype[np.void]] = {
    1: layouts.HEADER_V1,
    3: layouts.HEADER_V3,
    4: layouts.HEADER_V4,
    5: layouts.HEADER_V5,
}
_ENDLESS = 1 << 62
_WIDE = 1 << 31  #: from this size on places need more than 32 bits
_LEN_HEAD = layouts.CHUNK_HEAD.itemsize  #: a packet's time and length, before its message
_VERSION_TEXT = re.compile(r"([0-9]+)(?:\.([0-9]*))?(?:\.([0-9]*))?(?:\.[0-9]*)?(?:-([0-9]*))?")


def engine_number(text: str) -> int:
    """The number that layouts are chosen by (see ksy/spring_packet.ksy): 94.1 -> 940000, 104.0.1-1707 -> 1041707.

    Unknown text gives `CURRENT`.
    """
    found = _VERSION_TEXT.match(text)
    if found is None or len(found[1]) > 4:
        return CURRENT
    first, second, third, commits = (int(part[-4:]) if part else 0 for part in found.groups())
    if len(found[1]) == 1 and first == 0:
        return second * 10_000 + min(third, 99) * 100 if second else CURRENT
    if first >= 1000:
        return first * 10_000 + min(second, 99) * 100 + min(third, 99)
    return first * 10_000 + min(commits, 9999)


@dataclass(frozen=True)
class Header:
    """The header's fields by the names of the layout; ``fields`` has every one of them.

    ``version`` as stored, ``layout`` the header type it is read as, ``engine`` the version text.
    """

    version: int
    layout: int
    engine: str
    fields: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["fields"][name]
        except KeyError:
            raise AttributeError(name) from None

    @cached_property
    def engine_number(self) -> int:
        return engine_number(self.engine)

    @property
    def crashed(self) -> bool:
        """The recorder never wrote the sizes: it crashed, or still runs."""
        return bool(self.fields["len_stream"] == 0)


#: Messages that come by the thousand. All others are few and are found without sorting every packet.
BULK = frozenset(
    number
    for number, message in WALK.items()
    if message.name in (
        "KEYFRAME", "NEWFRAME", "COMMAND", "SELECT", "AICOMMAND", "AICOMMANDS", "AICOMMAND_TRACKED", "MAPDRAW_OLD",
        "MAPDRAW", "SYNCRESPONSE", "PLAYERINFO", "LUAMSG",
    )
)  # fmt: skip


@dataclass(frozen=True)
class Packets:
    """The packets of one id, in stream order: ``rows``, their indices in the stream (int32), and ``frame`` as there;
    ``offset`` and ``size``, which few need again, are looked up whenever they are asked for."""

    stream: Stream
    rows: NDArray[np.int32]
    frame: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: Any) -> Packets:
        return Packets(self.stream, self.rows[which], self.frame[which])

    @property
    def offset(self) -> NDArray[Any]:
        return self.stream.offset.take(self.rows)

    @property
    def size(self) -> NDArray[np.int32]:
        return self.stream.size.take(self.rows)


@dataclass(frozen=True)
class Stream:
    """The packets of a demo, in order, as arrays of one entry each.

    ``data``: the decompressed file; ``offset`` of the message's first byte in it (int32, int64 past 2 GiB), ``size``
    (int32), ``id`` (uint8, 0 also where the size is 0), ``frame`` (int32, -1 before the game). ``start`` and ``end``
    bound the whole packets.
    """

    data: Data
    start: int
    end: int
    offset: NDArray[Any]
    size: NDArray[np.int32]
    id: NDArray[np.uint8]
    frame: NDArray[np.int32]
    walked_time: NDArray[np.float32] | None = None  #: `time`, where the walk gave it in passing

    def __len__(self) -> int:
        return len(self.offset)

    def part(self, start: int, end: int) -> bytes:
        """A copy of ``data[start:end]``."""
        return bytes(self.data[start:end])

    @cached_property
    def time(self) -> NDArray[np.float32]:
        """Seconds since the recording began: float32."""
        if self.walked_time is not None:
            return self.walked_time
        times: NDArray[np.float32] = view(self.data, np.dtype("<f4"))[self.offset - _LEN_HEAD]
        return times

    def packets(self, message: int) -> Packets:
        """All packets with this id. Empty packets count as id 0."""
        found = self._having(message)
        mine = found.of(message)
        return Packets(self, found.rows[mine], found.frame[mine])

    def heads(self, message: int) -> Heads | None:
        """The heads of all packets with this id, None where it has no current layout or one's size does not fit it."""
        heads = self._having(message).heads
        return read_heads(self.packets(message), message) if heads is None else heads.get(message)

    def _having(self, message: int) -> Sorted:
        return self._sorted if message in BULK or "_sorted" in self.__dict__ else self._few

    @cached_property
    def _sorted(self) -> Sorted:
        """All packets."""
        if self.offset.dtype == np.int32 and (kernel := compiled()) is not None:
            return sort_with_heads(kernel, self.data, self.offset, self.size, self.id, self.frame)
        return sort(self.id, self.frame)

    @cached_property
    def _few(self) -> Sorted:
        """All but the `BULK`."""
        few = np.array([number not in BULK for number in range(256)]).tobytes()
        rows = np.flatnonzero(np.frombuffer(self.id.tobytes().translate(few), bool)).astype(np.int32)
        found = sort(self.id[rows], self.frame[rows])
        return Sorted(found.bounds, rows[found.rows], found.frame)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many packets each id has, empty ones left out: int64 (256)."""
        counts = np.diff(self._sorted.bounds)
        counts[0] -= self.empty
        return counts

    @cached_property
    def empty(self) -> int:
        """How many packets have no bytes."""
        zero = self._sorted.rows[self._sorted.of(0)]
        return int(np.count_nonzero(self.size.take(zero) == 0))

    @property
    def last_frame(self) -> int:
        return int(self.frame[-1]) if len(self) else -1


@dataclass(frozen=True)
class Demo:
    """A demo taken apart: ``data`` is the decompressed file, ``whole`` says whether compression ended as it should."""

    data: Data
    header: Header
    script: bytes
    ofs_stream: int
    ofs_trailer: int
    whole: bool
    gzipped: bool
    members: int = 1  #: gzip members of the file; a client's recording has a second, empty one
    walked: Walk | None = None  #: the stream's packets, where they were found while the file was inflated

    def part(self, start: int, end: int | None = None) -> bytes:
        """A copy of ``data[start:end]``."""
        return bytes(self.data[start:end])


def gather(data: Data, at: NDArray[Any], dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """The records of ``dtype`` at these offsets, which lie whole inside ``data``."""
    if not len(at):
        return np.empty(0, dtype)
    # Opaque elements are copied as blocks; a structured dtype would go field by field.
    blocks = view(data, np.dtype(f"V{dtype.itemsize}"))[at]
    records: NDArray[np.void] = blocks.view(dtype)
    return records


def read_heads(packets: Packets, message: int) -> Heads | None:
    """`Stream.heads` of packets with this id."""
    if message not in HEADS:
        return None
    fields, offset, size = HEADS[message], packets.offset, packets.size
    least, varies = 1 + fields.itemsize, WALK[message].size is None
    if not (size >= least if varies else size == least).all():
        return None
    records = gather(packets.stream.data, offset + 1, fields) if fields.itemsize else np.empty(len(size), fields)
    if varies and not (records["len_packet"] == size & ((1 << 8 * records["len_packet"].itemsize) - 1)).all():
        return None
    return Heads(records, offset + offset.dtype.type(least), size - np.int32(least))


class Following:
    """What goes on beside the inflating of a demo (see `gunzip`): first ``meanwhile``, then the walk of the stream.

    A file that outgrows the room that it was given at first, which bombs do, is no longer followed.
    """

    def __init__(self, meanwhile: Callable[[], object] | None, limits: Limits) -> None:
        self._meanwhile = meanwhile
        self._limits = limits
        self._filler = kernels.compiled("spring_walk_fill")
        self._room = self._end = 0
        self._walker: Walker | None = None

    def __call__(self, content: NDArray[np.uint8], size: int) -> None:
        if self._meanwhile is not None:
            self._meanwhile()
            self._meanwhile = None
        self._room = self._room or len(content)
        if len(content) > self._room or self._room >= _WIDE:
            self._walker = self._filler = None
        if self._walker is None and self._filler is not None:
            self._begin(self._filler, content.data[:size])
        if self._walker is not None:
            self._walker.go(content, min(self._end, size))

    def _begin(self, filler: ModuleType, content: memoryview) -> None:
        try:
            header = read_header(content, Problems(FORMAT))
        except ReplayError:  # not all there, or no header: whoever reads the whole says so
            return
        if header.len_stream < 0:  # where it ends is known at the end
            return
        start, self._end = stream_span(header, _ENDLESS)
        self._walker = Walker(filler, start, min(self._limits.records, self._room // _LEN_HEAD))

    def ended(self, content: Data, end: int) -> Walk | None:
        """The walk of the whole stream, None where it was not followed."""
        return self._walker.go(content, end).ended() if self._walker is not None else None


def stream_span(header: Header, size: int) -> tuple[int, int]:
    """Where the stream of a file of ``size`` bytes begins and ends by the header. That of a crashed recording goes on
    to the end of the file, one of a negative size to where a trailer of the sizes that the header states begins."""
    start = max(header.len_header, 0) + max(header.len_script, 0)
    if header.layout == 1 and header.ofs_stream >= header.len_header:  # else the recorder never came to write it
        start = header.ofs_stream
    if header.crashed:
        return start, _ENDLESS
    if header.len_stream >= 0:
        return start, start + header.len_stream
    winners = header.fields.get("len_winning_ally_teams", 0) if header.num_teams > 0 else 0
    trailer = sum(max(length, 0) for length in (winners, header.len_player_stats, header.len_team_stats))
    return start, size - trailer if start < size - trailer else size


def read(data: bytes, limits: Limits, problems: Problems, meanwhile: Callable[[], object] | None = None) -> Demo:
    """Takes a demo apart as far as the stream's and the trailer's places. Raises ReplayError without a whole header.

    ``meanwhile`` is called while a large file is inflated.
    """
    content: Data = data
    whole, members = True, 0
    following = Following(meanwhile, limits)
    if gzipped := data[:2] == GZIP_MAGIC:
        inflated = gunzip(data, limits, format=FORMAT, follow=following)
        content, whole, members = inflated.data, inflated.complete, max(inflated.members, 1)
        if inflated.problem is not None:
            problems.absorb(inflated.problem)
    header = read_header(content, problems)
    sizes = {name: header.fields[name] for name in header.fields if name.startswith(("len_", "num_"))}
    for name, value in sizes.items():
        if value < 0:
            problems.add(rules.NEGATIVE_SIZE.problem(f"header.{name}", found=value))
    known = HEADERS[header.layout].itemsize
    if not known <= header.len_header <= len(content):
        # Where the script begins is a guess from here on, and guesses look like results.
        raise rules.HEADER_SIZE.failure(
            FORMAT, "header.len_header", 20, found=header.len_header, expected=f"{known} to {len(content)}"
        )
    if header.engine_number == CURRENT:
        problems.add(rules.VERSION_TEXT.problem("header.engine_version", 24, found=header.engine))
    size = len(content)
    ofs_script = min(max(header.ofs_script, 0), size) if header.layout == 1 else header.len_header
    end_script = ofs_script + max(header.len_script, 0)
    if end_script > size:
        problems.add(
            rules.SCRIPT_CUT.problem("script", ofs_script, found=size - ofs_script, expected=header.len_script),
            rules.SCRIPT_CUT.error,
        )
    if header.crashed:
        unfinished = "the recorder never finished: the stream runs to the end of the file, without a trailer"
        problem = rules.UNFINISHED.problem("header.len_stream", found=0, message=unfinished)
        problems.add(problem, rules.UNFINISHED.error)
    start, end = (min(place, size) for place in stream_span(header, size))
    # Damage may take back what has been followed; what was not inflated is walked when its packets are asked for.
    walked = following.ended(content, end) if gzipped and whole else None
    return Demo(content, header, bytes(content[ofs_script:end_script]), start, end, whole, gzipped, members, walked)


def read_header(content: Data, problems: Problems) -> Header:
    """The header of any version. Raises Truncated, Corrupt or UnsupportedVersion."""
    if content[: len(MAGIC)] != MAGIC:
        found = bytes(content[: len(MAGIC)])
        rule = rules.HEADER_CUT if MAGIC.startswith(found) else rules.HEADER_MAGIC
        raise rule.failure(FORMAT, "header.magic", 0, found=found, expected=MAGIC)
    if len(content) < 24:
        raise rules.HEADER_CUT.failure(FORMAT, "header", len(content), found=len(content))
    version, len_header = (int.from_bytes(content[at : at + 4], "little", signed=True) for at in (16, 20))
    layout = (3 if len_header == HEADERS[3].itemsize else 4) if version == 2 else version
    dtype = HEADERS.get(layout)
    if dtype is None:
        raise rules.HEADER_VERSION.failure(FORMAT, "header.version", 16, found=version, expected="1 to 5")
    if len(content) < dtype.itemsize:
        raise rules.HEADER_CUT.failure(FORMAT, "header", len(content), found=len(content), expected=dtype.itemsize)
    record = np.frombuffer(content, dtype, 1)[0]
    fields = {name: record[name].item() for name in dtype.names or ()}
    # numpy drops NULs at the end of bytes; identities keep theirs.
    fields["game_id"] = bytes(fields["game_id"]).ljust(16, b"\0")
    text = bytes(fields.pop("engine_version")).split(b"\0", 1)[0].decode("utf-8", "replace")
    del fields["magic"], fields["version"]
    return Header(version, layout, text, fields)


def read_stream(demo: Demo, limits: Limits, problems: Problems) -> Stream:
    """Walks the stream into arrays; a part that is no whole packet at its end is a problem."""
    start, end = demo.ofs_stream, demo.ofs_trailer
    offset, size, ids, frame, time = demo.walked or walk(demo.data, start, end, limits.records)
    reached = int(offset[-1]) + int(size[-1]) if len(offset) else start
    if len(offset) == limits.records and end - reached >= 8:
        problems.add(rules.STREAM_RECORDS.problem("stream", reached, expected=limits.records), LimitExceeded)
    elif reached != end or (not demo.header.crashed and end < demo.ofs_stream + demo.header.len_stream):
        problems.add(
            rules.STREAM_CUT.problem(
                "stream", reached, found=end - reached,
                message="The demo stream ends inside a packet." if reached != end else
                "The demo stream is shorter than the header says.",
            ),
            rules.STREAM_CUT.error,
        )  # fmt: skip
    return Stream(demo.data, start, reached, offset, size, ids, frame, time)

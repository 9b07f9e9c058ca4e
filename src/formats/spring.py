"""The container of a Spring (Recoil) demo: header, script, stream and trailer, bounded and tolerant.

Layouts: ksy/spring_demo.ksy, through its generated dtypes. Sizes and offsets are bytes of the decompressed file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.errors import LimitExceeded, Problems
from ksreplay.formats import spring_rules as rules
from ksreplay.formats.inflate import gunzip
from ksreplay.formats.sniff import GZIP_MAGIC
from ksreplay.generated.dtypes import spring_demo as layouts
from ksreplay.generated.dtypes import spring_packet as packet_layouts
from ksreplay.generated.walks.spring_packet import WALK
from ksreplay.kernels.spring_walk import group, walk
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


@dataclass(frozen=True)
class Trailer:
    """What stands behind the stream, as stored.

    ``winners``: ally teams, as far as they are in the file; ``players``: uint8 (n, 20), the known bytes of each
    player record, whose order and byte order the semantics decide; ``counts``: int32, samples a team;
    ``samples``: records of TEAM_STATISTICS, team by team; ``end``: where the trailer ends.
    """

    winners: tuple[int, ...] = ()
    players: NDArray[np.uint8] = field(default_factory=lambda: np.empty((0, 20), np.uint8))
    counts: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    samples: NDArray[np.void] = field(default_factory=lambda: np.empty(0, packet_layouts.TEAM_STATISTICS))
    start: int = 0
    end: int = 0


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
        bounds, rows, frame = self._sorted if message in BULK else self._few
        mine = slice(int(bounds[message]), int(bounds[message + 1]))
        return Packets(self, rows[mine], frame[mine])

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        return group(self.id, self.frame)

    @cached_property
    def _few(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        few = np.array([number not in BULK for number in range(256)]).tobytes()
        rows = np.flatnonzero(np.frombuffer(self.id.tobytes().translate(few), bool))
        bounds, order, frame = group(self.id[rows], self.frame[rows])
        return bounds, rows[order].astype(np.int32), frame

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many packets each id has, empty ones left out: int64 (256)."""
        counts = np.diff(self._sorted[0])
        counts[0] -= self.empty
        return counts

    @cached_property
    def empty(self) -> int:
        """How many packets have no bytes."""
        return int(np.count_nonzero(self.size == 0))

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

    def part(self, start: int, end: int | None = None) -> bytes:
        """A copy of ``data[start:end]``."""
        return bytes(self.data[start:end])


def view(data: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """``data`` as records of ``dtype`` that begin at every byte: index it with offsets, without a copy of the rest."""
    count = max(0, len(data) - dtype.itemsize + 1)
    return np.ndarray((count,), dtype, data if count else b"\0" * dtype.itemsize, 0, (1,))


def gather(data: Data, at: NDArray[Any], dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """The records of ``dtype`` at these offsets, which lie whole inside ``data``."""
    if not len(at):
        return np.empty(0, dtype)
    # Opaque elements are copied as blocks; a structured dtype would go field by field.
    blocks = view(data, np.dtype(f"V{dtype.itemsize}"))[at]
    records: NDArray[np.void] = blocks.view(dtype)
    return records


def decompress(data: bytes, limits: Limits, problems: Problems) -> tuple[Data, bool, int]:
    """(content, whether compression ended well, gzip members). Raises LimitExceeded."""
    if data[:2] != GZIP_MAGIC:
        return data, True, 0
    result = gunzip(data, limits, format=FORMAT)
    if result.problem is not None:
        problems.absorb(result.problem)
    return result.data, result.complete, max(result.members, 1)


def read(data: bytes, limits: Limits, problems: Problems) -> Demo:
    """Takes a demo apart as far as the stream's and the trailer's places. Raises ReplayError without a whole header."""
    content, whole, members = decompress(data, limits, problems)
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
    ofs_script = header.ofs_script if header.layout == 1 else header.len_header
    ofs_script = min(max(ofs_script, 0), size)
    end_script = ofs_script + max(header.len_script, 0)
    if end_script > size:
        problems.add(
            rules.SCRIPT_CUT.problem("script", ofs_script, found=size - ofs_script, expected=header.len_script),
            rules.SCRIPT_CUT.error,
        )
    ofs_stream = min(max(header.ofs_stream, 0) if header.layout == 1 else end_script, size)
    if header.crashed:
        problems.add(rules.UNFINISHED.problem("header.len_stream", found=0), rules.UNFINISHED.error)
        ofs_trailer = size
    else:
        ofs_trailer = min(ofs_stream + max(header.len_stream, 0), size)
    return Demo(
        content, header, bytes(content[ofs_script:end_script]), ofs_stream, ofs_trailer, whole, members > 0, members
    )


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
    offset, size, ids, frame, time = walk(demo.data, start, end, limits.records)
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


def read_trailer(demo: Demo, problems: Problems) -> Trailer:
    """Winners, player records and team samples, each as far as it is there; nothing for a crashed recording."""
    header, data = demo.header, demo.data
    if header.crashed or (not demo.whole and demo.ofs_trailer >= len(data)):
        return Trailer(start=demo.ofs_trailer, end=demo.ofs_trailer)
    at = demo.ofs_trailer
    # The writer returns early without teams, whatever the size field says.
    stored = _winners_stored(demo) if header.num_teams > 0 else 0
    winners = tuple(data[at : at + stored])
    at += stored
    num_players, len_player, len_players = (
        max(header.fields[name], 0) for name in ("num_players", "len_player_stat", "len_player_stats")
    )
    if header.layout == 1:
        at = min(max(header.ofs_player_stats, 0), len(data))
    players = _records(
        data, at, num_players if len_players else 0, len_player, 20, "trailer.player_statistics", problems
    )
    if len_players != num_players * len_player:
        problems.add(
            rules.PLAYER_STATISTICS_SIZE.problem(
                "header.len_player_stats", found=len_players, expected=num_players * len_player
            )
        )
    at += len_players
    if header.layout == 1:
        at = min(max(header.ofs_team_stats, 0), len(data))
    counts, samples = _team_samples(demo, at, problems)
    end = at + max(header.len_team_stats, 0)
    if end > len(data):
        problems.add(
            rules.TRAILER_CUT.problem("trailer", len(data), found=len(data), expected=end), rules.TRAILER_CUT.error
        )
    elif end < len(data):
        problems.add(rules.TRAILER_REST.problem("trailer", end, found=len(data) - end, expected=0))
    return Trailer(winners, players, counts, samples, demo.ofs_trailer, min(end, len(data)))


def _winners_stored(demo: Demo) -> int:
    """How many winners the trailer lists. Builds between 0.82 and 83 counted them where version 4 names the one."""
    fields = demo.header.fields
    if demo.header.layout == 4:
        named = int(fields["winning_ally_team"])
        rest = len(demo.data) - demo.ofs_trailer - fields["len_player_stats"] - fields["len_team_stats"]
        return named if named == rest and named > 0 else 0
    return max(int(fields.get("len_winning_ally_teams", 0)), 0)


def _team_samples(demo: Demo, at: int, problems: Problems) -> tuple[NDArray[np.int32], NDArray[np.void]]:
    header, data = demo.header, demo.data
    size, stride = max(header.len_team_stats, 0), max(header.len_team_stat, 0)
    fitting = max(0, min(len(data) - at, size) // 4)
    num_teams = min(max(header.num_teams, 0), fitting)
    counts = np.frombuffer(data, "<i4", num_teams, at).astype(np.int32) if num_teams else np.empty(0, np.int32)
    total = int(counts[counts > 0].sum(dtype=np.int64))
    expected = 4 * max(header.num_teams, 0) + total * stride
    if size != expected or (counts < 0).any():
        problems.add(rules.TEAM_STATISTICS_SIZE.problem("header.len_team_stats", found=size, expected=expected))
    dtype = packet_layouts.TEAM_STATISTICS
    fits = max(0, min(size, len(data) - at) - 4 * num_teams) // max(stride, 1)
    raw = _records(
        data, at + 4 * num_teams, min(total, fits), stride, dtype.itemsize, "trailer.team_statistics", problems
    )
    return counts, np.ascontiguousarray(raw).view(dtype).reshape(len(raw))


def _records(
    data: Data, at: int, count: int, stride: int, known: int, where: str, problems: Problems
) -> NDArray[np.uint8]:
    """The first ``known`` bytes of ``count`` records: uint8 (n, known), as many as lie whole in the file."""
    if not count:
        return np.empty((0, known), np.uint8)
    if stride < known:
        problems.add(rules.ELEMENT_SIZE.problem(where, at, found=stride, expected=known))
        return np.empty((0, known), np.uint8)
    count = max(0, min(count, (len(data) - at) // stride))
    return (
        np.frombuffer(data, np.uint8, count * stride, at).reshape(count, stride)[:, :known]
        if count
        else (np.empty((0, known), np.uint8))
    )

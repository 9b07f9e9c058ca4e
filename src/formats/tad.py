"""TA recordings: the records before the packets, and where the packet records lie.

A recording is a run of records, each a u16 length that counts itself and a body (seed 004, Byte layouts). The records
before the packets are few and become small objects; the packet records stay offsets in numpy arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.errors import Problems
from ksreplay.formats import tad_envelope as envelope
from ksreplay.formats import tad_lz77 as lz77
from ksreplay.formats import tad_rules as rules
from ksreplay.generated.dtypes import tad as dtypes
from ksreplay.generated.dtypes import tad_subpacket as subpackets
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.limits import Limits

MAGIC = b"TA Demo\0"
VERSIONS = (3, 4, 5, 7)
LENGTH = 2  # bytes of a record's length
PREFIX = LENGTH + dtypes.PACKET_HEAD.itemsize + 1  # bytes of a packet record before its payload
ADDRESS_MASK = 0x2A
UNWRAPPED = b"\x03\0\0"  # head of an envelope that `unwrap` has opened
PLAYER_INFO = 0x20
PLAYER_INFO_SIZE = WALK[PLAYER_INFO].size or 0


def text(data: bytes) -> str:
    """cp1252 up to the first NUL; the five bytes it does not define become U+FFFD."""
    return data.split(b"\0", 1)[0].decode("cp1252", "replace")


@dataclass(frozen=True, slots=True)
class Header:
    version: int
    num_players: int
    max_units: int | None  # None where a version 3 or 4 header has none
    map: str
    map_bytes: bytes  # the name as it stands, NUL included


@dataclass(frozen=True, slots=True)
class Sector:
    kind: int
    content: bytes
    offset: int  # of its record

    @property
    def name(self) -> str:
        return dtypes.ENUMS["sector_kind"].get(self.kind, f"sector_{self.kind}")

    @property
    def text(self) -> str:
        """The content as text; of an address what stands at 0x50 of the unmasked bytes."""
        if self.name != "address":
            return text(self.content)
        plain = bytes(byte ^ ADDRESS_MASK for byte in self.content)
        return text(plain[0x50:])


@dataclass(frozen=True, slots=True)
class Player:
    color: int
    side: int
    number: int
    name: str
    name_bytes: bytes
    offset: int


@dataclass(frozen=True, slots=True)
class Status:
    """A player's lobby settings: the envelope as stored, and what came out of it."""

    number: int
    wire: bytes
    offset: int  # of its record
    flag: int = 0
    checksum_ok: bool = False
    payload: bytes = b""  # inflated: sequence, then subpackets
    info: Any = None  # one record of PLAYER_INFO, None where it cannot be read

    @property
    def sequence(self) -> int:
        return int.from_bytes(self.payload[:4], "little", signed=True)

    @property
    def dpid(self) -> int | None:
        """The player's transport identity."""
        return None if self.info is None else int(self.info["player"])


@dataclass
class Setup:
    """Everything before the packets. ``end`` is where they begin; ``whole`` is False where the file ends before."""

    header: Header
    sectors: list[Sector] = field(default_factory=list)
    num_sectors: int | None = None
    total_rest: bytes = b""  # what the record with their number holds behind it
    players: list[Player] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)
    unit_data_bytes: bytes = b""
    ofs_unit_data: int = 0
    #: Bodies of records too short to read, by kind and by their number among the records of the kind.
    short: dict[str, dict[int, bytes]] = field(default_factory=dict)
    end: int = 0
    whole: bool = False

    @cached_property
    def unit_data(self) -> NDArray[np.void]:
        """The whole entries, dtype UNIT_DATA_ENTRY."""
        size = dtypes.UNIT_DATA_ENTRY.itemsize
        return np.frombuffer(self.unit_data_bytes, dtypes.UNIT_DATA_ENTRY, len(self.unit_data_bytes) // size)

    def sector_text(self, kind: int) -> str | None:
        return next((sector.text for sector in self.sectors if sector.kind == kind), None)


_STEP = 1 << 18  # records framed at a time


class _Records:
    """The records from the first byte on, one at a time; None where one is cut."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.begun = 0

    def next(self) -> bytes | None:
        left = len(self.data) - self.at
        if left < LENGTH:
            return None
        length = int.from_bytes(self.data[self.at : self.at + LENGTH], "little")
        if length < LENGTH or length > left:
            return None
        self.begun = self.at
        self.at += length
        return self.data[self.begun + LENGTH : self.at]


def read_header(data: bytes) -> tuple[Header, int]:
    """The header and where the next record begins. Raises ReplayError: without a header there is nothing to read."""
    head = dtypes.HEADER_HEAD.itemsize
    if data[LENGTH : LENGTH + len(MAGIC)] != MAGIC[: max(0, len(data) - LENGTH)]:
        raise rules.MAGIC.failure("tad", "header", LENGTH, found=data[LENGTH : LENGTH + 8], expected=MAGIC)
    length = int.from_bytes(data[:LENGTH], "little")
    if len(data) < LENGTH + head or length > len(data):
        raise rules.HEADER_CUT.failure("tad", "header", 0, found=len(data), expected=max(length, LENGTH + head))
    if length < LENGTH + head:
        raise rules.HEADER_CUT.failure("tad", "header", 0, found=length, expected=LENGTH + head)
    fixed = np.frombuffer(data, dtypes.HEADER_HEAD, 1, LENGTH)[0]
    version = int(fixed["version"])
    if version not in VERSIONS:
        raise rules.VERSION.failure(
            "tad", "header.version", LENGTH + len(MAGIC), found=version, expected=list(VERSIONS),
            message=f"version {version} of the format is not known",
        )  # fmt: skip
    rest = data[LENGTH + head : length]
    # Versions 3 and 4 may lack the limit. As a limit two printable bytes would be above 8,000: they are the name.
    limited = len(rest) >= 2 and (version >= 5 or not all(0x20 <= byte < 0x7F for byte in rest[:2]))
    limit = int.from_bytes(rest[:2], "little") if limited else None
    name = rest[2:] if limited else rest
    return Header(version, int(fixed["num_players"]), limit, text(name), name), length


def read_setup(data: bytes, problems: Problems) -> Setup:
    """The records before the packets. What is wrong goes to ``problems``; raises ReplayError without a header."""
    header, position = read_header(data)
    setup = Setup(header, end=position)
    if not 1 <= header.num_players <= 10:
        problems.add(rules.PLAYER_COUNT.problem("header.num_players", 12, found=header.num_players, expected="1 to 10"))
    records = _Records(data)
    records.at = position
    for where, number in _plan(setup):
        body = records.next()
        if body is None:
            problems.add(
                rules.SETUP_CUT.problem(f"{where}[{number}]", records.at, found=len(data) - records.at),
                rules.SETUP_CUT.error,
            )
            setup.end = records.at
            return setup
        if len(body) < _LEAST[where]:
            found, expected = len(body), _LEAST[where]
            problems.add(rules.SETUP_SHORT.problem(f"{where}[{number}]", records.begun, found=found, expected=expected))
            setup.short.setdefault(where, {})[number] = body
            continue
        _take(setup, where, f"{where}[{number}]", body, records.begun, problems)
    setup.end, setup.whole = records.at, True
    return setup


def _plan(setup: Setup) -> Iterator[tuple[str, int]]:
    """Which record comes next, by what has been read so far."""
    if setup.header.version >= 5:
        yield "sector_total", 0
        for number in range(setup.num_sectors or 0):
            yield "sectors", number
    for name in ("players", "statuses"):
        for number in range(setup.header.num_players):
            yield name, number
    yield "unit_data", 0


_LEAST = {
    "sector_total": dtypes.SECTOR_COUNT.itemsize,
    "sectors": dtypes.SECTOR_HEAD.itemsize,
    "players": dtypes.PLAYER_HEAD.itemsize,
    "statuses": 1 + dtypes.ENVELOPE_HEAD.itemsize,
    "unit_data": 0,
}


def _take(setup: Setup, kind: str, where: str, body: bytes, offset: int, problems: Problems) -> None:
    if kind == "sector_total":
        setup.num_sectors = int(np.frombuffer(body, dtypes.SECTOR_COUNT, 1)[0]["num_sectors"])
        setup.total_rest = body[_LEAST[kind] :]
    elif kind == "sectors":
        head = np.frombuffer(body, dtypes.SECTOR_HEAD, 1)[0]
        sector = Sector(int(head["kind"]), body[_LEAST[kind] :], offset)
        if sector.kind not in dtypes.ENUMS["sector_kind"]:
            problems.add(rules.SECTOR_KIND.problem(where, offset + LENGTH, found=sector.kind, expected="1 to 7"))
        setup.sectors.append(sector)
    elif kind == "players":
        head = np.frombuffer(body, dtypes.PLAYER_HEAD, 1)[0]
        name = body[_LEAST[kind] :]
        setup.players.append(
            Player(int(head["color"]), int(head["side"]), int(head["number"]), text(name), name, offset)
        )
    elif kind == "statuses":
        setup.statuses.append(read_status(body, where, offset, problems))
    else:
        setup.unit_data_bytes, setup.ofs_unit_data = body, offset + LENGTH
        entries = setup.unit_data
        if len(body) % dtypes.UNIT_DATA_ENTRY.itemsize or (entries["magic"].tobytes().strip(b"\x1a")):
            problems.add(rules.UNIT_DATA_ENTRIES.problem(where, offset, found=len(body)))


def read_status(body: bytes, where: str, offset: int, problems: Problems) -> Status:
    """A status record's body: number and envelope. An envelope that does not open gives a status without info."""
    wire = body[1:]
    flag, payload, good = envelope.decrypt(wire)
    if wire[:3] == UNWRAPPED and wire[7:8] == bytes([PLAYER_INFO]):
        payload, good = wire[3:], True  # written by `unwrap`: neither masked nor summed
    if not good:
        expected = envelope.checksum(wire)
        problems.add(
            rules.STATUS_CHECKSUM.problem(
                where, offset + LENGTH + 2, found=int.from_bytes(wire[1:3], "little"), expected=expected
            )
        )
    if flag == envelope.COMPRESSED:
        payload, _ = lz77.inflate(payload)
    content = payload[4:]
    info = None
    if content[:1] == bytes([PLAYER_INFO]) and len(content) >= PLAYER_INFO_SIZE:
        info = np.frombuffer(content, subpackets.PLAYER_INFO, 1, 1)[0]
    else:
        problems.add(rules.STATUS_CONTENT.problem(where, offset, found=content[:1], expected=bytes([PLAYER_INFO])))
    return Status(body[0], wire, offset, flag, good, payload, info)


def frame(data: bytes, position: int, limits: Limits) -> tuple[NDArray[np.int64], int]:
    """Offsets of the packet records from ``position`` on, and where they end: len(data) for a whole file."""
    module = kernels.load("tad_walk")
    pieces: list[NDArray[np.int64]] = []
    count = _STEP
    while count == _STEP:
        offsets = np.empty(_STEP, np.int64)
        count, position = module.frame(data, position, lz77.view(module, offsets), _STEP)
        pieces.append(offsets[:count])
        if (len(pieces) - 1) * _STEP + count > limits.records:
            raise rules.RECORD_COUNT.failure("tad", "packets", position, expected=limits.records)
    return np.concatenate(pieces), int(position)

"""Framing of a Coilbox track: header, window index, chunks and the columns in them.

Everything here is bytes to arrays; what a column means is in ``semantics.cbtrack``. Layout: ``ksy/cbtrack.ksy`` and
``ksy/cbtrack_chunk.ksy``. Source: seed 000, "File layout" to "Chunks"; decisions: facts/cbtrack-notes.md section 4.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay import kernels
from ksreplay.errors import LimitExceeded, ReplayError
from ksreplay.formats import cbtrack_rules as rules
from ksreplay.formats.cbtrack_columns import BLOCK, MOST, TYPE_OF, TYPES
from ksreplay.formats.inflate import inflate_partial
from ksreplay.generated.dtypes.cbtrack import HEADER, WINDOW
from ksreplay.generated.dtypes.cbtrack_chunk import COLUMN
from ksreplay.limits import Limits
from ksreplay.rules import Rule

FORMAT = "cbtrack"
MAGIC = b"CBTK"

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Header:
    """The 96 bytes at the start, by the names of the layout."""

    magic: bytes
    format_version: int
    len_header: int
    recorder_version: int
    frames_per_second: int
    first_frame: int
    last_frame: int
    window_length: int
    num_windows: int
    tolerance: float
    position_shift: int
    velocity_shift: int
    rotation_bits: int
    sample_gap: int
    blk_info: int
    len_info: int
    blk_features: int
    len_features: int
    num_units: int
    num_projectiles: int
    num_features: int
    game_id: bytes
    resource_tolerance: float
    resource_fraction: float
    reserved: bytes

    @cached_property
    def position_step(self) -> float:
        """Elmos in a position step."""
        return 2.0**-self.position_shift

    @cached_property
    def velocity_step(self) -> float:
        """Elmos per frame in a velocity step."""
        return 2.0**-self.velocity_shift

    @cached_property
    def rotation_top(self) -> int:
        """The largest size of a stored component of a rotation."""
        return int(2 ** (self.rotation_bits - 1) - 1)

    def window_of(self, frame: float) -> int:
        """The window that ``frame`` is read from: the later one for a frame on an edge, the last one past the end."""
        k = int((frame - self.first_frame) // self.window_length)
        return min(max(k, 0), self.num_windows - 1)

    def window_start(self, k: int) -> int:
        """First frame of window ``k``."""
        return self.first_frame + k * self.window_length

    def window_end(self, k: int) -> int:
        """Last frame of window ``k``, which is also the first of the next window."""
        return min(self.window_start(k) + self.window_length, self.last_frame)


def window_count(first: int, last: int, length: int) -> int:
    """Number of windows of a match from frame ``first`` to ``last``."""
    return max(1, -(-(last - first) // length))


_U4_FIELDS = tuple(name for name in HEADER.names or () if HEADER[name] == np.dtype("<u4"))


def read_header(data: bytes) -> Header:
    """The header of a track; raises a ReplayError for every fatal rule that it breaks."""
    if not data:
        raise rules.EMPTY.failure(FORMAT, where="header", offset=0)
    if data[:4] != MAGIC:
        raise rules.MAGIC.failure(FORMAT, where="header.magic", offset=0, found=data[:4], expected=MAGIC)
    if len(data) < HEADER.itemsize:
        raise rules.HEADER_CUT.failure(FORMAT, where="header", found=len(data), expected=HEADER.itemsize)
    record = np.frombuffer(data, HEADER, 1)[0]
    values = dict(zip(HEADER.names or (), record.item(), strict=True))
    header = Header(**values)

    def refuse(rule: Rule, name: str, expected: object) -> ReplayError:
        return rule.failure(
            FORMAT, where=f"header.{name}", offset=field_place(name)[0], found=values[name], expected=expected
        )

    if header.format_version != 1:
        raise refuse(rules.VERSION, "format_version", 1)
    if header.len_header < HEADER.itemsize:
        raise refuse(rules.HEADER_SIZE, "len_header", f"at least {HEADER.itemsize}")
    for name in _U4_FIELDS:
        if values[name] > MOST:
            raise refuse(rules.NUMBER_LIMIT, name, f"at most {MOST}")
    if not 1 <= header.window_length <= 65_535:
        raise refuse(rules.WINDOW_LENGTH, "window_length", "1 to 65535")
    if header.last_frame < header.first_frame:
        raise refuse(rules.FRAMES, "last_frame", f"at least {header.first_frame}")
    if not 8 <= header.rotation_bits <= 16:
        raise refuse(rules.ROTATION_BITS, "rotation_bits", "8 to 16")
    windows = window_count(header.first_frame, header.last_frame, header.window_length)
    if header.num_windows != windows:
        raise refuse(rules.WINDOW_COUNT, "num_windows", windows)
    return header


def field_place(name: str) -> tuple[int, int]:
    assert HEADER.fields is not None
    dtype, offset = HEADER.fields[name][:2]
    return offset, dtype.itemsize


def read_index(data: bytes, header: Header) -> Array:
    """The window index as a structured array of ``WINDOW``, one element a window."""
    end = header.len_header + header.num_windows * WINDOW.itemsize
    if end > len(data):
        raise rules.INDEX_CUT.failure(FORMAT, where="index", offset=header.len_header, found=len(data), expected=end)
    index = np.frombuffer(data, WINDOW, header.num_windows, header.len_header)
    for name in WINDOW.names or ():
        over = np.flatnonzero(index[name] > MOST)
        if len(over):
            k = int(over[0])
            raise rules.NUMBER_LIMIT.failure(
                FORMAT,
                where=f"window[{k}].{name}",
                offset=header.len_header + k * WINDOW.itemsize,
                found=int(index[name][k]),
                expected=f"at most {MOST}",
            )
    return index


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk lies in the file: its name (``info``, ``features``, ``window[3].main``), offset and length."""

    where: str
    offset: int
    length: int
    window: int = -1


def places(header: Header, index: Array) -> Iterator[Place]:
    """Every chunk that the header and the index name, in the order of the page's drawing."""
    yield Place("info", header.blk_info * BLOCK, header.len_info)
    yield Place("features", header.blk_features * BLOCK, header.len_features)
    for k in range(header.num_windows):
        yield main_place(index, k)
        terrain = terrain_place(index, k)
        if terrain is not None:
            yield terrain


def main_place(index: Array, k: int) -> Place:
    """Where the main chunk of window ``k`` lies."""
    return Place(f"window[{k}].main", int(index["blk_main"][k]) * BLOCK, int(index["len_main"][k]), k)


def terrain_place(index: Array, k: int) -> Place | None:
    """Where the terrain chunk of window ``k`` lies, or None where the index has block 0 and length 0."""
    block, length = int(index["blk_terrain"][k]), int(index["len_terrain"][k])
    if not block and not length:
        return None
    return Place(f"window[{k}].terrain", block * BLOCK, length, k)


def shared_places(size: int, header: Header, index: Array) -> set[str]:
    """The names of chunks that a file of ``size`` bytes has no room for, since those before them fill it twice.

    A few bytes of index could otherwise make the same chunk be decompressed a million times. Twice, because one
    damaged length must not cost the windows behind it.
    """
    lengths = np.stack([index["len_main"], index["len_terrain"]], axis=1).astype(np.int64).ravel()
    blocks = np.stack([index["blk_main"], index["blk_terrain"]], axis=1).astype(np.int64).ravel()
    lengths[blocks * BLOCK + lengths > size] = 0  # not in the file: refused anyway, and must not count
    late = np.flatnonzero(np.cumsum(lengths) > 2 * size)
    return {f"window[{number // 2}].{('main', 'terrain')[number % 2]}" for number in late.tolist()}


@dataclass(frozen=True, slots=True)
class Chunk:
    """A decompressed chunk: its bytes, its place, and how many bytes of the file follow its zlib stream in it."""

    place: Place
    data: bytes
    num_left: int

    @property
    def where(self) -> str:
        return self.place.where


def read_chunk(data: bytes, place: Place, limits: Limits) -> Chunk:
    """Decompress the chunk at ``place``; raises a ReplayError when it is not in the file or not one zlib stream."""
    if not place.length or not place.offset:
        raise rules.CHUNK_MISSING.failure(FORMAT, where=place.where, offset=place.offset, found=place.length)
    end = place.offset + place.length
    if end > len(data):
        raise rules.CHUNK_PAST_END.failure(
            FORMAT, where=place.where, offset=place.offset, found=len(data), expected=f"at least {end} bytes"
        )
    cap = min(MOST, limits.chunk_bytes)
    result = inflate_partial(
        memoryview(data)[place.offset : end], cap, format=FORMAT, where=place.where, offset=place.offset
    )
    if isinstance(result.problem, LimitExceeded):
        raise rules.CHUNK_BYTES.failure(
            FORMAT, where=place.where, offset=place.offset, expected=f"at most {cap} bytes"
        ) from result.problem
    if result.problem is not None:
        raise rules.CHUNK_STREAM.failure(
            FORMAT,
            where=place.where,
            offset=place.offset,
            found=f"{len(result.data)} bytes",
            message=result.problem.message,
        ) from result.problem
    return Chunk(place, result.data, place.length - result.consumed)


KERNEL = kernels.compiled("track_curves")

# id -> type number the format gives it, 0 for an unknown id; type number -> bytes of a value, 0 for an unknown type
_EXPECTED = np.zeros(1 << 16, np.uint8)
_EXPECTED[list(TYPE_OF)] = list(TYPE_OF.values())
_SIZE = np.zeros(1 << 16, np.int64)
_SIZE[list(TYPES)] = [int(dtype[2:]) for dtype in TYPES.values()]
_DTYPES = {number: np.dtype(name) for number, name in TYPES.items()}


class Columns:
    """The known columns of a chunk, as views of its bytes.

    ``offsets`` and ``counts`` (int32, 256) say by id where each column is in bytes and how many values it has, 0 where
    it is not listed; ``num_values`` is ``counts`` as a list. ``octets`` (uint8), ``words`` (int16) and ``wides``
    (int32) are the whole chunk.
    """

    __slots__ = ("_offsets", "_views", "counts", "data", "num_values", "octets", "offsets", "where", "wides", "words")

    def __init__(self, where: str, data: bytes, offsets: Array, counts: Array) -> None:
        self.where, self.data = where, data
        self.offsets, self.counts = offsets, counts
        self._offsets, self.num_values = offsets.tolist(), counts.tolist()
        self.octets = octets = np.frombuffer(data, _DTYPES[1])
        self.words = words = np.frombuffer(data, _DTYPES[3], len(data) // 2)
        self.wides = wides = np.frombuffer(data, _DTYPES[5], len(data) // 4)
        # type number -> the whole chunk in that type, and the bits of its size
        self._views = (
            (octets, 0),
            (octets, 0),
            (words.view(_DTYPES[2]), 1),
            (words, 1),
            (wides.view(_DTYPES[4]), 2),
            (wides, 2),
            (wides.view(_DTYPES[6]), 2),
        )

    @property
    def directory(self) -> Array:
        """The entries of the directory, known or not."""
        return _directory(self.data)

    def get(self, column: int) -> Array | None:
        """The values of a column as stored, None where it is not listed or empty."""
        return self.plain(column) if self.num_values[column] else None

    def plain(self, column: int, count: int = 0) -> Array:
        """The values of a column as stored, ``count`` zeros where it is not listed or empty."""
        number = self.num_values[column]
        kind = TYPE_OF[column]
        if not number:
            return np.zeros(count, _DTYPES[kind])
        offset = self._offsets[column]
        view, bits = self._views[kind]
        start = offset >> bits
        if start << bits != offset:
            return np.frombuffer(self.data, _DTYPES[kind], number, offset)
        return view[start : start + number]

    @property
    def values(self) -> dict[int, Array]:
        """Every known column that has values."""
        return {column: np.asarray(self.get(column)) for column in np.flatnonzero(self.counts).tolist()}


def _directory(data: bytes) -> Array:
    """The directory of a chunk, which is known to be long enough for it."""
    return np.frombuffer(data, COLUMN, int.from_bytes(data[:4], "little"), 4)


def read_columns(chunk: Chunk) -> Columns:
    """The directory of ``chunk`` and the values of the columns that this reader knows.

    Columns of an unknown id or an unknown type are left out, whatever they point at. Raises a ReplayError when the
    directory or a known column is not within the chunk, ids fall or repeat, or a known id has another known type.
    """
    data, where = chunk.data, chunk.where
    if len(data) < 4:
        raise rules.CHUNK_SHORT.failure(FORMAT, where=where, found=len(data), expected="at least 4 bytes")
    count = int.from_bytes(data[:4], "little")
    if 4 + count * COLUMN.itemsize > len(data):
        raise rules.DIRECTORY_CUT.failure(FORMAT, where=f"{where}.num_columns", found=count, expected=len(data))
    offsets, counts = np.zeros(256, np.int32), np.zeros(256, np.int32)
    if KERNEL is not None:
        words = np.frombuffer(data, _DTYPES[3], len(data) // 2)
        if KERNEL.directory(words, count, _EXPECTED, len(data), MOST, offsets, counts) == KERNEL.GOOD:
            return Columns(where, data, offsets, counts)
        offsets[:] = counts[:] = 0
    directory = _directory(data)
    ids, types = directory["column_id"], directory["value_type"]
    if count > 1 and not (ids[1:] > ids[:-1]).all():
        i = int(np.flatnonzero(ids[1:] <= ids[:-1])[0]) + 1
        raise rules.COLUMN_ORDER.failure(FORMAT, where=f"{where}.columns[{i}]", offset=4 + 12 * i, found=int(ids[i]))
    expected, sizes = _EXPECTED[ids], _SIZE[types]
    known = (expected != 0) & (sizes != 0)
    if not known.all():
        listed, expected, sizes = directory[known], expected[known], sizes[known]
        ids, types = listed["column_id"], listed["value_type"]
    else:
        listed = directory
    starts, numbers = listed["ofs_data"], listed["num_values"]
    lengths = sizes * numbers
    if not (types == expected).all():
        i = int(np.flatnonzero(types != expected)[0])
        raise rules.COLUMN_TYPE.failure(
            FORMAT,
            where=f"{where}.column[{int(ids[i])}]",
            found=TYPES[int(types[i])][1:],
            expected=TYPES[int(expected[i])][1:],
        )
    ends = lengths + starts
    if len(ends) and int(ends.max()) > len(data):
        i = int(np.flatnonzero(ends > len(data))[0])
        raise rules.COLUMN_PAST_END.failure(
            FORMAT, where=f"{where}.column[{int(ids[i])}]", found=int(ends[i]), expected=len(data)
        )
    total = int(lengths.sum())
    if total > MOST:
        # columns on the same bytes are read, but not so many that they hold more than a chunk can
        raise rules.COLUMN_BYTES.failure(FORMAT, where=where, found=total, expected=f"at most {MOST} bytes")
    offsets[ids], counts[ids] = starts, numbers
    return Columns(where, data, offsets, counts)


def header_fields(header: Header) -> dict[str, Any]:
    """Every field of the header as JSON-able values."""
    fields = dataclasses.asdict(header)
    fields["magic"] = MAGIC.decode("ascii")
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in fields.items()}

"""Builds the bytes of a Coilbox track: construct specs of its records, and the laying out of chunks and file.

Reading is the business of ``formats.cbtrack``; a drift test holds the specs against ``ksy/``. Source: seed 000, "File
layout", "Chunks".
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from construct import Array as Repeat
from construct import Bytes, Const, Default, Float32l, Int8ul, Int16ul, Int32ul, Rebuild, Struct, len_, this

from ksreplay.errors import LimitExceeded
from ksreplay.formats.cbtrack import FORMAT, MAGIC
from ksreplay.formats.cbtrack_columns import BLOCK, MOST, TYPE_OF, TYPES
from ksreplay.generated.dtypes.cbtrack_chunk import COLUMN

Array = npt.NDArray[Any]

HEADER_SIZE = 96

Header = Struct(
    "magic" / Const(MAGIC),
    "format_version" / Default(Int16ul, 1),
    "len_header" / Default(Int16ul, HEADER_SIZE),
    "recorder_version" / Int16ul,
    "frames_per_second" / Int16ul,
    "first_frame" / Int32ul,
    "last_frame" / Int32ul,
    "window_length" / Int32ul,
    "num_windows" / Int32ul,
    "tolerance" / Float32l,
    "position_shift" / Int8ul,
    "velocity_shift" / Int8ul,
    "rotation_bits" / Int8ul,
    "sample_gap" / Int8ul,
    "blk_info" / Int32ul,
    "len_info" / Int32ul,
    "blk_features" / Int32ul,
    "len_features" / Int32ul,
    "num_units" / Int32ul,
    "num_projectiles" / Int32ul,
    "num_features" / Int32ul,
    "game_id" / Bytes(16),
    "resource_tolerance" / Float32l,
    "resource_fraction" / Float32l,
    "reserved" / Default(Bytes(8), bytes(8)),
)

Window = Struct(
    "blk_main" / Int32ul,
    "len_main" / Int32ul,
    "blk_terrain" / Default(Int32ul, 0),
    "len_terrain" / Default(Int32ul, 0),
)

Column = Struct(
    "column_id" / Int16ul,
    "value_type" / Int16ul,
    "ofs_data" / Int32ul,
    "num_values" / Int32ul,
)

Directory = Struct(
    "num_columns" / Rebuild(Int32ul, len_(this.columns)),
    "columns" / Repeat(this.num_columns, Column),
)


@dataclass(frozen=True, slots=True)
class Raw:
    """A column of an unknown id or type, carried as it stands."""

    column_id: int
    value_type: int
    num_values: int
    data: bytes


def build_chunk(columns: Mapping[int, npt.ArrayLike], unknown: Sequence[Raw] = (), *, where: str = "chunk") -> bytes:
    """A decompressed chunk with the columns that have values, in rising order of id.

    Values are cast to the type the format gives the column; the caller has checked that they fit. Raises LimitExceeded
    where the chunk would pass 16,777,215 bytes.
    """
    raw = {column.column_id: column for column in unknown}
    for column, values in columns.items():
        number = TYPE_OF[column]
        array = np.ascontiguousarray(values, TYPES[number])
        if len(array):
            raw[column] = Raw(column, number, len(array), array.tobytes())
    offset = 4 + Column.sizeof() * len(raw)
    entries, data = [], []
    for _, item in sorted(raw.items()):
        entries.append((item.column_id, item.value_type, offset, item.num_values))
        padded = item.data + bytes(-len(item.data) % 4)
        data.append(padded)
        offset += len(padded)
    # a match has thousands of directory entries: the dtype writes them at once, a test holds it against Directory
    directory = np.array(entries, COLUMN).tobytes()
    chunk = b"".join((len(entries).to_bytes(4, "little"), directory, *data, bytes(4)))
    if len(chunk) > MOST:
        raise LimitExceeded(
            "A decompressed chunk is at most 16,777,215 bytes.",
            code="chunk-bytes",
            format=FORMAT,
            where=where,
            found=len(chunk),
            expected=MOST,
        )
    return chunk


def build_file(
    header: Mapping[str, Any],
    info: bytes | None,
    features: bytes | None,
    windows: Sequence[tuple[bytes | None, bytes | None]],
    *,
    level: int = 6,
    after_header: bytes = b"",
) -> bytes:
    """A whole track: ``header`` without block numbers and lengths, and decompressed chunks, a main one and perhaps a
    terrain one for each window. ``after_header``: fields of a later version, between byte 96 and the index.
    A chunk that is None is left out: block 0 and length 0."""
    len_header = HEADER_SIZE + len(after_header)
    size = len_header + Window.sizeof() * len(windows)
    pieces: list[bytes] = []

    def place(chunk: bytes | None) -> tuple[int, int]:
        nonlocal size
        if chunk is None:
            return 0, 0
        packed = zlib.compress(chunk, level)
        gap = -size % BLOCK
        block = (size + gap) // BLOCK
        if block > MOST or len(packed) > MOST:
            raise LimitExceeded(
                "Every u32 in the header and index is at most 16,777,215.",
                code="number-over-limit",
                format=FORMAT,
                where="index",
                found=max(block, len(packed)),
                expected=MOST,
            )
        pieces.extend((bytes(gap), packed))
        size += gap + len(packed)
        return block, len(packed)

    (blk_info, len_info), (blk_features, len_features) = place(info), place(features)
    index = []
    for main, terrain in windows:
        blk_main, len_main = place(main)
        blk_terrain, len_terrain = place(terrain)
        index.append(
            {"blk_main": blk_main, "len_main": len_main, "blk_terrain": blk_terrain, "len_terrain": len_terrain}
        )
    fields = {
        **header,
        "len_header": len_header,
        "num_windows": len(windows),
        "blk_info": blk_info,
        "len_info": len_info,
        "blk_features": blk_features,
        "len_features": len_features,
    }
    return b"".join((Header.build(fields), after_header, *(Window.build(entry) for entry in index), *pieces))

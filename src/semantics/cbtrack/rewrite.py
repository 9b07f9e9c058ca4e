"""A track built again: from its decoded fields (rewrite), or without what is private (redact).

Columns that this reader does not know are carried as they stand; those that the file left out because they are 0 for
every entry stay left out. So a track that keeps the writer's rules comes out with the same decompressed chunks.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy.typing as npt

from ksreplay.formats.cbtrack import Chunk, Header, read_columns
from ksreplay.formats.cbtrack_build import Raw, build_chunk
from ksreplay.formats.cbtrack_columns import TYPE_OF, TYPES
from ksreplay.semantics.cbtrack.encode import Stored
from ksreplay.semantics.cbtrack.model import Info

Array = npt.NDArray[Any]


def unknown_columns(chunk: Chunk) -> list[Raw]:
    """The columns of ``chunk`` that this reader does not know: id, type, number of values and bytes.

    The values of an unknown type reach to the next column, since nobody knows how long they are.
    """
    directory = read_columns(chunk).directory
    end = len(chunk.data) - 4
    starts = sorted({*directory["ofs_data"].tolist(), end})
    found = []
    for column, number, offset, count in directory.tolist():
        if column in TYPE_OF and number in TYPES:
            continue
        if number in TYPES:
            stop = offset + count * int(TYPES[number][2:])
        else:
            stop = next((start for start in starts if start > offset), offset)
        found.append(Raw(column, number, count, chunk.data[offset : min(stop, end)]))
    return found


def rebuilt(stored: Stored, chunk: Chunk) -> bytes:
    """The chunk again from ``stored``, the columns made from its decoded fields."""
    raw = unknown_columns(chunk)
    listed = set(read_columns(chunk).directory["column_id"].tolist())
    carried = {column.column_id for column in raw}
    kept = {
        column: values
        for column, values in stored.items()
        if column not in carried and (column in listed or values.any())
    }
    return build_chunk(kept, raw, where=chunk.where)


def without_unknown(chunk: Chunk) -> bytes:
    """The chunk again with the columns that are known, as they are stored: nothing that cannot be searched."""
    return build_chunk(read_columns(chunk).values, where=chunk.where)


def header_values(header: Header) -> dict[str, Any]:
    """The header's fields for `build_file`, which works out places and counts itself."""
    values = dataclasses.asdict(header)
    for name in ("magic", "format_version", "len_header", "num_windows"):
        del values[name]
    return values


def renamed(info: Info, names: dict[str, str]) -> Info:
    """The info chunk with other names for the leaders of the teams."""
    teams = tuple(dataclasses.replace(team, leader=names.get(team.leader, team.leader)) for team in info.teams)
    return dataclasses.replace(info, teams=teams)

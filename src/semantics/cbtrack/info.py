"""The info chunk: names, teams and the map. Source: seed 000, "Info chunk"."""

from __future__ import annotations

import numpy as np

from ksreplay.formats.cbtrack import FORMAT, Columns
from ksreplay.semantics.cbtrack import rules
from ksreplay.semantics.cbtrack.coding import entries, keyed
from ksreplay.semantics.cbtrack.model import Info, Team

TEXTS = ("engine", "game", "map", "writer")
TEAM_COLUMNS = (172, 173, 174, 176, 178)


def decode_info(columns: Columns) -> Info:
    """The info chunk; raises a ReplayError where a list does not add up or a string is not UTF-8."""
    unit_names = _strings(columns, 162)
    size = columns.get(180)
    if size is not None and len(size) != 2:
        raise rules.VALUES.failure(FORMAT, where=f"{columns.where}.column[180]", found=len(size), expected=2)
    texts = _strings(columns, 160)
    if texts and len(texts) != len(TEXTS):
        raise rules.VALUES.failure(FORMAT, where=f"{columns.where}.column[160]", found=len(texts), expected=len(TEXTS))
    pieces, posed = _pieces(columns)
    return Info(
        texts=texts,
        unit_names=unit_names,
        weapon_names=_strings(columns, 164),
        feature_names=_strings(columns, 166),
        pieces=pieces,
        posed=posed,
        teams=_teams(columns),
        map_size=(0, 0) if size is None else (int(size[0]), int(size[1])),
        footprints=_footprints(columns, len(unit_names)),
        team_parameters=_strings(columns, 183),
        game_parameters=_strings(columns, 185),
    )


def _strings(columns: Columns, column: int) -> tuple[str, ...]:
    """A list of strings: lengths in ``column``, bytes in the one after."""
    lengths, data = columns.get(column), columns.get(column + 1)
    raw = b"" if data is None else data.tobytes()
    ends = [] if lengths is None else np.cumsum(lengths, dtype=np.int64).tolist()
    if (ends[-1] if ends else 0) != len(raw):
        raise rules.STRINGS.failure(
            FORMAT, where=f"{columns.where}.column[{column}]", found=len(raw), expected=ends[-1] if ends else 0
        )
    result, start = [], 0
    for i, end in enumerate(ends):
        try:
            result.append(raw[start:end].decode("utf-8"))
        except UnicodeDecodeError as error:
            raise rules.UTF8.failure(
                FORMAT, where=f"{columns.where}.column[{column}][{i}]", found=raw[start:end].hex()
            ) from error
        start = end
    return tuple(result)


def _pieces(columns: Columns) -> tuple[dict[int, tuple[str, ...]], tuple[int, ...]]:
    count = entries(columns, "posed", (168, 169))
    names = _strings(columns, 170)
    posed = tuple(columns.plain(168, count).tolist())
    pieces: dict[int, tuple[str, ...]] = {}
    start = 0
    for definition, number in zip(posed, columns.plain(169, count).tolist(), strict=True):
        pieces[definition] = names[start : start + number]
        start += number
    if start != len(names):
        raise rules.VALUES.failure(FORMAT, where=f"{columns.where}.column[170]", found=len(names), expected=start)
    return pieces, posed


def _teams(columns: Columns) -> tuple[Team, ...]:
    count = entries(columns, "teams", TEAM_COLUMNS)
    colour = columns.get(175)
    if colour is not None and len(colour) != 3 * count:
        raise rules.VALUES.failure(FORMAT, where=f"{columns.where}.column[175]", found=len(colour), expected=3 * count)
    colours = [0] * (3 * count) if colour is None else colour.tolist()
    sides, leaders = _strings(columns, 176) or ("",) * count, _strings(columns, 178) or ("",) * count
    return tuple(
        Team(
            id=team,
            ally=ally,
            flags=flags,
            colour=(colours[3 * i], colours[3 * i + 1], colours[3 * i + 2]),
            side=sides[i],
            leader=leaders[i],
        )
        for i, (team, ally, flags) in enumerate(
            zip(*(columns.plain(column, count).tolist() for column in (172, 173, 174)), strict=True)
        )
    )


def _footprints(columns: Columns, count: int) -> tuple[tuple[int, int], ...] | None:
    """Footprints in elmos, or None in a track that has none (before recorder version 3)."""
    if columns.get(181) is None and columns.get(182) is None:
        return None
    sides = [keyed(columns, column, count).tolist() for column in (181, 182)]
    return tuple(zip(*sides, strict=True))

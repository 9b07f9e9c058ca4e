"""The three CSV files of Coilbox, with exactly its columns (seed 002 "Exporting the picture's numbers"; spring-analysis
3.11).

RFC 4180 with CRLF after every line, a dot decimal, every digit of a number; the provenance stands on every row. Text
that a spreadsheet would run as a formula gets a single quote in front, before quoting.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.spring.analysis.aggregate import Picture
from ksreplay.semantics.spring.analysis.map_records import MapRecords

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_QUOTED = re.compile(r'[",\r\n]')


def cell(value: str | float | int | np.floating | np.integer | None) -> str:
    """One cell: text guarded and quoted, a number in its shortest form that reads back, nothing for what is missing."""
    if value is None:
        return ""
    if isinstance(value, str):
        text = "'" + value if value.startswith(_FORMULA) else value
        return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if not math.isfinite(value):
        return ""
    if value == 0:
        return "0"
    if isinstance(value, np.float32):
        return _shortest_float32(value)
    return _plain(repr(float(value)))


def _plain(text: str) -> str:
    """A number as JavaScript prints it: no trailing ".0", an exponent from 1e21 and below 1e-6."""
    value = float(text)
    if 1e-6 <= abs(value) < 1e21:
        return np.format_float_positional(value, trim="-") if "e" in text else text.removesuffix(".0")
    digits, _, exponent = text.partition("e")
    return f"{digits}e{int(exponent):+d}"


def _shortest_float32(value: np.float32) -> str:
    """The fewest digits (at most 9) that read back as the same float32."""
    with np.errstate(over="ignore"):
        for digits in range(1, 10):
            text = f"{float(value):.{digits}g}"
            if np.float32(text) == value:
                return _plain(repr(float(text)))
    return _plain(repr(float(value)))


def write(rows: Iterable[Sequence[str | float | None]]) -> str:
    return "".join(",".join(map(cell, row)) + "\r\n" for row in rows)


def slug(*parts: str) -> str:
    """A file name from parts: lower case, everything but letters and digits a hyphen, empty parts dropped."""
    cleaned = (re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in parts)
    return "-".join(part for part in cleaned if part)


def utc(seconds: float | None) -> str:
    """A time in seconds since 1970 as ISO text with milliseconds and Z."""
    if seconds is None or not 0 <= seconds < 253402300800:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the match chart: its label, and what tells lines of one label apart."""

    label: str
    values: npt.NDArray[np.float64]  # (times,), NaN where it has none
    teams: tuple[int, ...] = ()
    id: str = ""


def line_labels(lines: Sequence[Line]) -> list[str]:
    """Labels that all differ: clashing ones get their teams, then their id."""
    labels = [line.label for line in lines]
    for marks in ([_team_mark(line.teams) for line in lines], [f" [{line.id}]" for line in lines]):
        clashing = {label for label in labels if labels.count(label) > 1}
        labels = [label + mark if label in clashing else label for label, mark in zip(labels, marks, strict=True)]
    return labels


def _team_mark(teams: tuple[int, ...]) -> str:
    if not teams:
        return ""
    return f" ({'team' if len(teams) == 1 else 'teams'} {', '.join(map(str, teams))})"


MATCH_COLUMNS = ("game_id", "map", "started_utc", "metric", "unit", "view", "values")


def match_csv(
    seconds: npt.ArrayLike,
    lines: Sequence[Line],
    *,
    game_id: str,
    map: str,
    started: float | None,
    metric: str,
    unit: str,
    view: str,
    values: str,
) -> str:
    """The match chart: a row a time, a column a line, then what the file is of."""
    times = np.asarray(seconds, np.float64)
    rows: list[Sequence[str | float | None]] = [("match_time_sec", *line_labels(lines), *MATCH_COLUMNS)]
    tail = (game_id, map, utc(started), metric, unit, view, values)
    for i, time in enumerate(times.tolist()):
        rows.append((time, *(float(line.values[i]) for line in lines), *tail))
    return write(rows)


def match_csv_name(map: str, started: float | None, metric: str) -> str:
    return slug(map, utc(started)[:10], metric) + ".csv"


@dataclass(frozen=True, slots=True)
class Filters:
    """Which matches are in a picture. Empty text is no bound."""

    players: str = ""
    sides: str = ""
    analysed: str = ""
    played_from: str = ""
    played_until: str = ""
    replay_set: str = ""
    includes_matches_under_a_minute: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """What stands on every row of a map's files."""

    map: str
    map_versions: Sequence[str]
    game_versions: Sequence[str]
    matches_in_picture: int
    exported: float
    window: str = ""
    filters: Filters = field(default_factory=Filters)

    def values(self) -> dict[str, str | float | None]:
        f = self.filters
        return {
            "map": self.map,
            "map_versions": "; ".join(self.map_versions),
            "game_versions": "; ".join(self.game_versions),
            "matches_in_picture": self.matches_in_picture,
            "filter_players": f.players,
            "filter_sides": f.sides,
            "filter_analysed": f.analysed,
            "filter_played_from": f.played_from,
            "filter_played_until": f.played_until,
            "filter_replay_set": f.replay_set,
            "includes_matches_under_a_minute": f.includes_matches_under_a_minute,
            "exported_utc": utc(self.exported),
        }


_SOURCE_COLUMNS = ("map", "map_versions", "game_versions", "matches_in_picture")
_FILTER_COLUMNS = (
    "filter_players", "filter_sides", "filter_analysed", "filter_played_from", "filter_played_until",
    "filter_replay_set", "includes_matches_under_a_minute", "map_width_elmos", "map_height_elmos", "exported_utc",
)  # fmt: skip
LAYER_COLUMNS = (
    "cell_column", "cell_row", "x_elmos_from_west", "z_elmos_from_north", "mean_scaled_per_match", "events_unscaled",
    *_SOURCE_COLUMNS, "matches_in_layer", "layer", "scaling", "window", *_FILTER_COLUMNS,
    "grid_width_cells", "grid_height_cells",
)  # fmt: skip
_TEAM_COLUMNS = tuple(f"team_{n}_{what}" for n in (1, 2) for what in ("taken", "with_result", "won"))
START_COLUMNS = (
    "row_number", "position_key", "position_kind", "name", "x_elmos_from_west", "z_elmos_from_north", "radius_elmos",
    "taken", "taken_by_ai", "with_result", "won",
)  # fmt: skip
START_TAIL = (*_SOURCE_COLUMNS, *_FILTER_COLUMNS, "declared_tolerance_elmos", "grouping_distance_elmos")


def layer_csv(picture: Picture, layer: str, provenance: Provenance) -> str:
    """The layer on screen, a row for each cell that has an event in it, row by row; nothing is smoothed."""
    grid = picture.grid
    cells = np.flatnonzero(picture.events)
    x, z = grid.middles(cells)
    fixed: Mapping[str, str | float | None] = provenance.values() | {
        "matches_in_layer": picture.matches_in_layer, "layer": layer, "scaling": picture.scaling,
        "window": str(picture.window), "map_width_elmos": grid.map_width, "map_height_elmos": grid.map_height,
        "grid_width_cells": grid.width, "grid_height_cells": grid.height,
    }  # fmt: skip
    tail = [fixed[name] for name in LAYER_COLUMNS[6:]]
    rows: list[Sequence[str | float | None]] = [LAYER_COLUMNS]
    for at, px, pz in zip(cells.tolist(), x.tolist(), z.tolist(), strict=True):
        rows.append(
            (at % grid.width, at // grid.width, px, pz, picture.mean_scaled[at], int(picture.events[at]), *tail)
        )
    return write(rows)


def starts_csv(records: MapRecords, provenance: Provenance, map_width: float, map_height: float) -> str:
    """The start positions of the records, a row each; the team columns only where the table is split by team."""
    teams = _TEAM_COLUMNS if records.split_by_team else ()
    fixed = provenance.values() | {
        "map_width_elmos": map_width, "map_height_elmos": map_height,
        "declared_tolerance_elmos": records.grouping.tolerance, "grouping_distance_elmos": records.grouping.scale,
    }  # fmt: skip
    tail = [fixed[name] for name in START_TAIL]
    rows: list[Sequence[str | float | None]] = [(*START_COLUMNS, *teams, *START_TAIL)]
    for row in records.rows:
        p, t = row.position, row.total
        split: list[float] = []
        for n in (1, 2) if teams else ():
            side = row.team.get(n)
            split += [side.taken, side.with_result, side.won] if side else [0, 0, 0]
        rows.append((row.number, p.key, p.kind, row.name, p.x, p.z, p.radius, t.taken, t.by_ai, t.with_result, t.won,
                     *split, *tail))  # fmt: skip
    return write(rows)

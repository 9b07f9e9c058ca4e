"""Tables of an event log: one a kind, its lines and counts, and what is derived from it.

The schemas of the kinds are made from `event_kinds.KINDS`, so a new field there is a new column here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.columns import Lists, Strings
from ksreplay.semantics.spring.analysis.classifier import CATEGORIES
from ksreplay.semantics.spring.analysis.damage import DamageCells, damage_layer
from ksreplay.semantics.spring.analysis.event_kinds import BY_NAME, KINDS, TEAM_FIELDS, Field, Kind
from ksreplay.semantics.spring.analysis.event_log import UNKNOWN, EventLog
from ksreplay.semantics.spring.analysis.grids import Grid
from ksreplay.semantics.spring.analysis.layers import buildings_finished, deaths, deaths_by_metal
from ksreplay.semantics.spring.analysis.living import living_value
from ksreplay.semantics.spring.analysis.start_units import Track, tracks
from ksreplay.semantics.spring.analysis.unit_list import UnitList
from ksreplay.semantics.spring.analysis.units_ordered import finished_and_died
from ksreplay.table import Column, Schema, Table

SOURCE = "event log"
_DTYPES = {"int": "int32", "float": "float64", "bool": "bool", "string": "string", "cells": "list<float64>",
           "ints": "list<int32>"}  # fmt: skip


def _column(f: Field) -> Column:
    nullable = not f.required and f.type in ("int", "float", "string")
    since = f", since logger {f.since}" if f.since > 1 else ""
    return Column(f.column, _DTYPES[f.type], nullable or f.type == "float", f.unit, f.meaning + since, SOURCE)


def _kind_schema(kind: Kind) -> Schema:
    line = Column("line", "int64", meaning="number of the line among those kept, from 0", source=SOURCE)
    columns = (line, *(_column(f) for f in kind.fields if f.type != "teams"))
    return Schema(kind.name, columns, kind.meaning, "spring-analysis 1.1; seed 002")


KIND_SCHEMAS: dict[str, Schema] = {kind.name: _kind_schema(kind) for kind in KINDS}
TEAMS = Schema(
    "game_over_teams",
    (Column("line", "int64", meaning="line of the game_over", source=SOURCE), *(_column(f) for f in TEAM_FIELDS)),
    "every team's final totals as the run saw them, one row a team and game_over line",
    "spring-analysis 1.1",
)
LINES = Schema(
    "lines",
    (
        Column("line", "int64", meaning="number of the line among those kept"),
        Column("kind", "string", meaning="its kind, `unknown` for one the reader does not know"),
        Column("offset", "int64", unit="byte", meaning="where it stands in the decompressed log"),
        Column("text", "string", meaning="the line as the logger wrote it"),
    ),
    "every kept line, byte for byte",
    "spring-analysis 1.4",
)
COUNTS = Schema(
    "counts",
    (
        Column("kind", "string", meaning="kind of line; malformed and truncated are lines that were not kept"),
        Column("count", "int64", meaning="lines"),
    ),
    "lines by kind, with what could not be read",
    "spring-analysis 1.4",
)
OUTCOMES = Schema(
    "finished_and_died",
    (
        Column("team", "int32", meaning="engine team"),
        Column("definition", "int32", meaning="unit definition id in the list of the run"),
        Column("name", "string", True, meaning="the unit's key, where the run's own list is there"),
        Column("finished", "int64", meaning="unit_finished lines"),
        Column("died", "int64", meaning="unit_destroyed lines of a unit that had been finished"),
    ),
    "units finished and finished units lost, by team and unit",
    "spring-analysis 3.6",
)
TRACKS = Schema(
    "start_unit_paths",
    (
        Column("track", "int32", meaning="path, from 0; it goes on through the units that replaced its first"),
        Column("team", "int32", meaning="team that started with the unit"),
        Column("frame", "int32", unit="frame", meaning="game frame"),
        Column("x", "float64", unit="elmo", meaning="from west"),
        Column("z", "float64", unit="elmo", meaning="from north"),
    ),
    "where the starting units went; a position is written every 60 frames and only after a move",
    "spring-analysis 1.1; needs logger 2, upgrades need logger 4",
)
ENDS = Schema(
    "start_unit_ends",
    (
        Column("track", "int32", meaning="path, as in start_unit_paths"),
        Column("team", "int32", meaning="team that started with the unit"),
        Column("units", "list<int32>", meaning="its unit ids, the first and those that replaced it"),
        Column("upgrades", "list<int32>", unit="frame", meaning="frames at which a successor took over"),
        Column("end", "string", meaning="destroyed, removed (by the game's script, without an attacker) or alive"),
        Column("end_frame", "int32", True, "frame", "frame of its end"),
        Column("by_team", "int32", True, meaning="team of the attacker, when the engine named one"),
        Column("by_unit", "int32", True, meaning="attacking unit"),
    ),
    "how the starting units ended",
    "spring-analysis 1.1",
)
DAMAGE = Schema(
    "damage_cells",
    (
        Column("frame", "int32", unit="frame", meaning="first frame of the stretch"),
        Column("team", "int32", True, meaning="attacker's team, null when the hits had none"),
        Column("target", "int32", meaning="team that was hit"),
        Column("where", "string", meaning="landed: where the units hit stood; origin: where their attackers stood"),
        Column("cell", "int32", meaning="row * gridWidth + column of the log's grid"),
        Column("amount", "float64", unit="damage", meaning="what the hits took off; not the trailer's damage"),
    ),
    "damage by stretch, teams and cell",
    "spring-analysis 1.1; needs logger 4",
)
DEATHS = Schema(
    "death_cells",
    (
        Column("slice", "int32", unit="minute", meaning="minute of the match"),
        Column("cell", "int32", meaning="row * width + column of the 256-cell grid"),
        Column("count", "int64", meaning="units destroyed"),
    ),
    "deaths by minute and cell of the map's grid",
    "spring-analysis 3.4",
)
DEATHS_BY_METAL = Schema(
    "death_cells_by_metal",
    (
        Column("cell", "int32", meaning="row * width + column of the 256-cell grid"),
        Column("metal", "float64", unit="metal", meaning="metal cost of the units that died there"),
    ),
    "where value was lost, and not where units died",
    "spring-analysis 3.4; unit list: the engine's own or a given one",
)
FINISHED = Schema(
    "building_cells",
    (
        Column("slice", "int32", unit="minute", meaning="minute of the match"),
        Column("cell", "int32", meaning="row * width + column of the 256-cell grid"),
        Column("definition", "int32", meaning="unit definition id in the list of the run"),
        Column("name", "string", True, meaning="the unit's key"),
        Column("count", "int64", meaning="buildings finished; units that move are left out"),
    ),
    "finished buildings by minute and cell of the map's grid",
    "spring-analysis 3.4; unit list: the engine's own or a given one",
)
LIVING = Schema(
    "living_value",
    (
        Column("second", "float64", unit="s", meaning="game time of the sample"),
        Column("team", "int32", meaning="engine team"),
        Column("category", "string", meaning="what the units are for, by the classifier"),
        Column("units", "int64", meaning="finished units alive"),
        Column("metal", "float64", unit="metal", meaning="their cost"),
        Column("energy", "float64", unit="energy", meaning="their cost"),
    ),
    "units alive by kind and their value over time",
    "spring-analysis 3.9; unit list: the engine's own or a given one",
)
LEFT_OUT = Schema(
    "left_out",
    (
        Column("table", "string", meaning="table whose numbers leave something out"),
        Column("source", "string", meaning="where its numbers come from"),
        Column("reason", "string", meaning="why it was left out, or marked"),
        Column("count", "float64", meaning="how many (or how much damage)"),
    ),
    "what the derived tables leave out, and what they count with a mark",
    "seed 002 'What the interface shows'",
)


@dataclass(frozen=True, slots=True)
class LogTable:
    schema: Schema
    build: Callable[[EventLog, UnitList | None], Table]


def kind_table(log: EventLog, kind: Kind) -> Table:
    """The lines of one kind with a column for each key."""
    columns: dict[str, Any] = {"line": np.asarray(log.where[kind.name], np.int64)}
    valid: dict[str, npt.NDArray[np.bool_] | None] = {}
    for f in kind.fields:
        values = log.columns[kind.name][f.key]
        if f.type == "string":
            columns[f.column] = Strings.from_list(values)
        elif f.type in ("cells", "ints"):
            columns[f.column] = Lists.from_lists(values, "float64" if f.type == "cells" else "int32")
        elif f.type != "teams":
            array = log.array(kind.name, f.key)
            columns[f.column] = array
            if f.type != "bool":
                valid[f.column] = ~np.isnan(array) if f.type == "float" else log.present(kind.name, f.key)
    return Table.build(KIND_SCHEMAS[kind.name], columns, valid)


def _teams(log: EventLog, units: UnitList | None) -> Table:
    rows = [
        {"line": line, **{f.column: _known(team[f.key]) for f in TEAM_FIELDS}}
        for line, teams in zip(log.where["game_over"], log.columns["game_over"]["teams"], strict=True)
        for team in teams
    ]
    return Table.from_rows(TEAMS, rows)


def _known(value: float | None) -> float | None:
    return None if value is None or value != value else value


def _lines(log: EventLog, units: UnitList | None) -> Table:
    names = [kind.name for kind in KINDS] + [UNKNOWN]
    text = np.frombuffer(log.data, np.uint8)
    columns = {
        "line": np.arange(len(log)),
        "kind": Strings.from_codes(np.where(log.line_kind < 0, len(KINDS), log.line_kind).astype(np.int32), names),
        "offset": log.line_start,
        "text": Strings.from_spans(text, log.line_start, log.line_end - log.line_start),
    }
    return Table.build(LINES, columns)


def _counts(log: EventLog, units: UnitList | None) -> Table:
    counts = {kind.name: log.counts[kind.count_key] for kind in KINDS}
    counts |= {UNKNOWN: log.counts[UNKNOWN], "malformed": log.malformed, "truncated": int(log.truncated)}
    return Table.from_rows(COUNTS, [{"kind": kind, "count": n} for kind, n in counts.items()])


def _outcomes(log: EventLog, units: UnitList | None) -> Table:
    keys = ("unit", "def", "team")
    finished, destroyed = ([log.array(kind, key) for key in keys] + [np.asarray(log.where[kind], np.int64)]
                           for kind in ("unit_finished", "unit_destroyed"))  # fmt: skip
    found = finished_and_died(*finished, *destroyed)
    names = [unit.name if units and (unit := units.named(d)) else None for d in found.definition.tolist()]
    columns = {"team": found.team, "definition": found.definition, "name": Strings.from_list(names),
               "finished": found.finished, "died": found.died}  # fmt: skip
    return Table.build(OUTCOMES, columns)


def _paths(log: EventLog, units: UnitList | None) -> Table:
    rows = [
        {"track": i, "team": track.team, "frame": frame, "x": x, "z": z}
        for i, track in enumerate(tracks(log))
        for frame, x, z in zip(track.frames, track.x, track.z, strict=True)
    ]
    return Table.from_rows(TRACKS, rows)


def _ends(log: EventLog, units: UnitList | None) -> Table:
    def row(i: int, track: Track) -> dict[str, Any]:
        names = ("team", "units", "upgrades", "end", "end_frame", "by_team", "by_unit")
        return {"track": i, **{name: getattr(track, name) for name in names}}

    return Table.from_rows(ENDS, [row(i, track) for i, track in enumerate(tracks(log))])


def _damage(log: EventLog, units: UnitList | None) -> Table:
    layer = damage_layer(log)
    parts: tuple[tuple[str, DamageCells], ...] = (("landed", layer.landed), ("origin", layer.origin))
    line = np.concatenate([cells.line for _, cells in parts])
    columns = {key: log.array("damage", key)[line] for key in ("frame", "team", "target")}
    code = np.repeat(np.arange(2, dtype=np.int32), [len(cells.line) for _, cells in parts])
    return Table.build(
        DAMAGE,
        {
            **columns,
            "where": Strings.from_codes(code, [name for name, _ in parts]),
            "cell": np.concatenate([cells.cell for _, cells in parts]),
            "amount": np.concatenate([cells.amount for _, cells in parts]),
        },
        {"team": log.present("damage", "team")[line]},
    )


def grid_of(log: EventLog) -> Grid:
    """The grid of the map the run says it played on; not valid without a header."""
    header = log.header or {}
    return Grid(header.get("mapSizeX") or 0.0, header.get("mapSizeZ") or 0.0)


def _deaths(log: EventLog, units: UnitList | None) -> Table:
    layer = deaths(log, grid_of(log))
    return Table.build(DEATHS, {"slice": layer.slice, "cell": layer.cell, "count": layer.count.astype(np.int64)})


def _deaths_by_metal(log: EventLog, units: UnitList | None) -> Table:
    if units is None:
        return Table.empty(DEATHS_BY_METAL)
    found = deaths_by_metal(log, grid_of(log), units)
    return Table.build(DEATHS_BY_METAL, {"cell": found.cell, "metal": found.metal})


def _finished(log: EventLog, units: UnitList | None) -> Table:
    if units is None:
        return Table.empty(FINISHED)
    layer = buildings_finished(log, grid_of(log), units)
    definition = np.asarray(layer.definition, np.int64)
    columns = {
        "slice": layer.slice,
        "cell": layer.cell,
        "definition": definition,
        "name": Strings.from_codes((definition - 1).astype(np.int32), [unit.name for unit in units.units]),
        "count": layer.count.astype(np.int64),
    }
    return Table.build(FINISHED, columns)


def _living(log: EventLog, units: UnitList | None, *, period_seconds: float = 15) -> Table:
    """Every fifteen seconds to the game over; empty without a unit list, because nothing then says what a unit is
    for."""
    over = log.game_over
    if units is None or over is None:
        return Table.empty(LIVING)
    found = living_value(log, units, period_seconds=period_seconds, end_seconds=min((over["frame"] or 0) / 30, 1e6))
    shape = found.units.shape
    sample, team, category = (index.reshape(-1) for index in np.indices(shape))
    some = np.asarray(found.units.any(axis=0), bool)[team, category]
    sample, team, category = sample[some], team[some], category[some]
    columns = {
        "second": found.seconds[sample],
        "team": found.team[team],
        "category": Strings.from_codes(category.astype(np.int32), list(CATEGORIES)),
        **{name: getattr(found, name)[sample, team, category] for name in ("units", "metal", "energy")},
    }
    return Table.build(LIVING, columns)


def _left_out(log: EventLog, units: UnitList | None) -> Table:
    died, damage = deaths(log, grid_of(log)), damage_layer(log)
    found: list[tuple[str, str, float]] = [
        ("lines", "malformed", log.malformed),
        ("lines", "truncated", int(log.truncated)),
        ("lines", "unknown kind, kept", log.counts[UNKNOWN]),
        ("death_cells", "off map", died.off_map),
        ("death_cells", "no position", died.left_out["no_position"]),
        ("death_cells", "no attacker, counted", died.left_out["unattacked_but_counted"]),
        ("damage_cells", "no cell of the grid or no damage", damage.skipped),
        ("damage_cells", "damage off the map", damage.off_map),
        ("damage_cells", "damage without an attacker: only where it landed", damage.unattacked),
        *(
            (name, "no unit list", int(units is None))
            for name in ("living_value", "death_cells_by_metal", "building_cells")
        ),
    ]
    if units is not None:
        lost, built = deaths_by_metal(log, grid_of(log), units), buildings_finished(log, grid_of(log), units)
        found += [
            ("death_cells_by_metal", "units without a stated cost", lost.unpriced),
            ("death_cells_by_metal", "off map", lost.off_map),
            ("building_cells", "units that move", built.left_out["mobile"]),
            ("building_cells", "not in the list", built.left_out["not_in_list"]),
            ("building_cells", "off map", built.off_map),
        ]
    if units is not None and log.game_over is not None:
        unpriced = living_value(log, units, period_seconds=15, end_seconds=0).unpriced
        found.append(("living_value", "units without a stated cost", unpriced))
    rows = [{"table": table, "source": SOURCE, "reason": reason, "count": n} for table, reason, n in found]
    return Table.from_rows(LEFT_OUT, rows)


def _of_kind(kind: Kind) -> Callable[[EventLog, UnitList | None], Table]:
    return lambda log, units: kind_table(log, kind)


TABLES: dict[str, LogTable] = {
    table.schema.name: table
    for table in (
        *(LogTable(KIND_SCHEMAS[name], _of_kind(kind)) for name, kind in BY_NAME.items()),
        LogTable(TEAMS, _teams),
        LogTable(LINES, _lines),
        LogTable(COUNTS, _counts),
        LogTable(OUTCOMES, _outcomes),
        LogTable(TRACKS, _paths),
        LogTable(ENDS, _ends),
        LogTable(DAMAGE, _damage),
        LogTable(DEATHS, _deaths),
        LogTable(DEATHS_BY_METAL, _deaths_by_metal),
        LogTable(FINISHED, _finished),
        LogTable(LIVING, _living),
        LogTable(LEFT_OUT, _left_out),
    )
}

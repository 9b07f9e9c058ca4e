"""Pictures of an event log: deaths, damage, paths of starting units, living value. Needs the extra ``plots``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ksreplay import __version__
from ksreplay.errors import ReplayError
from ksreplay.plots import spring_maps
from ksreplay.semantics.spring.analysis.damage import by_cell, damage_layer
from ksreplay.semantics.spring.analysis.grids import Grid, field_of
from ksreplay.semantics.spring.analysis.layers import deaths
from ksreplay.semantics.spring.analysis.living import living_value
from ksreplay.semantics.spring.analysis.log_tables import grid_of
from ksreplay.semantics.spring.analysis.start_units import tracks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ksreplay.events import EventLogFile


def _grid(log: EventLogFile) -> Grid:
    grid = grid_of(log.events)
    if not grid.valid:
        raise ReplayError("the log does not say how large the map is", code="map-size", format=log.format)
    return grid


def _note(log: EventLogFile, *lines: str) -> str:
    name = log.source.name or "standard input"
    about = f"{name}; sha256 {log.source.sha256[:16]}. Source: event log. Made by ksreplay {__version__}."
    return "\n".join([about, *lines])


def draw_deaths(log: EventLogFile) -> Figure:
    """Where units died, every player's together."""
    grid, layer = _grid(log), deaths(log.events, _grid(log))
    x, z = (log.events.array("unit_destroyed", key) for key in ("x", "z"))
    placed = ~((x == 0) & (z == 0))
    note = (
        f"{layer.total} deaths; left out: {layer.off_map} off the map, {layer.left_out['no_position']} without a place."
    )
    return spring_maps.density(
        grid, np.zeros(grid.size), field=field_of(grid, x[placed], z[placed]), title="Deaths", unit="deaths",
        note=_note(log, note),
    )  # fmt: skip


def draw_damage(log: EventLogFile) -> Figure:
    """Where damage landed."""
    layer = damage_layer(log.events)
    grid = _grid(log)
    if (layer.width, layer.height) != (grid.width, grid.height):
        raise ReplayError("the log holds no damage by cell (logger 4 writes it)", code="no-damage", format=log.format)
    cells, amount = by_cell(layer.landed)
    values = np.bincount(cells, weights=amount, minlength=grid.size)
    of_it = f"{layer.unattacked:,.1f} of it by nobody"
    note = f"{amount.sum():,.1f} damage in cells, {of_it}; {layer.off_map:,.1f} off the map."
    return spring_maps.density(
        grid, values, title="Damage, where it landed", unit="damage", note=_note(log, note, "Not the trailer's damage.")
    )


def draw_paths(log: EventLogFile) -> Figure:
    """Where the starting units went and how they ended."""
    found = tracks(log.events)
    note = "A dot begins, a diamond is an upgrade, a cross a death, a ring a unit that the script took away."
    return spring_maps.paths(_grid(log), found, title="Starting units", note=_note(log, note))


def draw_living(log: EventLogFile) -> Figure:
    """The metal value of living units by kind and team."""
    over = log.events.game_over
    if log.units is None or over is None:
        raise ReplayError("living value needs the run's unit list and its end", code="no-unit-list", format=log.format)
    found = living_value(log.events, log.units, period_seconds=15, end_seconds=min((over["frame"] or 0) / 30, 1e6))
    teams = [f"team {team}" for team in found.team.tolist()]
    return spring_maps.living_chart(found.seconds, found.metal, teams, note=_note(log))


KINDS = {"deaths": draw_deaths, "damage": draw_damage, "paths": draw_paths, "living": draw_living}

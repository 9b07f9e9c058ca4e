"""Pictures of Spring demos: what players asked for, and the statistics that the engine left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ksreplay.replay import Replay
    from ksreplay.table import Table

_COLUMNS = 48  # hexagons across the map
_FARTHEST = 1e6  # elmos: more than any map has
_ORDERS = "Orders, not outcomes: an order that was never carried out is shown too."


def starts(replay: Replay) -> Figure:
    """Where each team began."""
    table = replay.tables["start_positions"]
    # The engine may repeat a position while players choose; the last one counts.
    last = [rows[-1] for _, rows in style.groups(table["team"])]
    x, z = table["x"].astype(float), table["z"].astype(float)
    figure = style.figure(6.4)
    axes = style.map_axes(figure, "Start positions", x, z, unit="elmo")
    slots = _ally_teams(replay)
    for row in last:
        team = int(table["team"][row])
        slot = slots.get(team, 0)
        axes.plot(x[row], z[row], "o", markersize=9, color=style.colour(slot))
        name = style.label(table["team_name"][row] or f"team {team}")
        axes.annotate(name, (x[row], z[row]), xytext=(7, 5), textcoords="offset points", fontsize=8)
    if not last:
        style.nothing(axes, "no start position was recorded")
    notes = ["Colours are ally teams.", *style.of_m(len(last), len(replay.tables["teams"]), "teams")]
    style.provenance(figure, replay, "table start_positions", notes)
    return figure


def _inside(x: NDArray[Any], z: NDArray[Any]) -> NDArray[np.bool_]:
    """Which places could lie on a map: damage and widgets make any number of a place."""
    inside: NDArray[np.bool_] = (np.abs(x) < _FARTHEST) & (np.abs(z) < _FARTHEST)
    return inside


def orders(replay: Replay) -> Figure:
    """How densely the map was ordered about: buildings on the left, all aimed orders on the right."""
    from matplotlib.colors import LogNorm

    builds, commands = replay.tables["build_orders"], replay.tables["commands"]
    placed = builds["placed"] & ~builds["removal"] & style.known(builds, "x", "z") & _inside(builds["x"], builds["z"])
    aimed = style.known(commands, "aim_x", "aim_z") & _inside(commands["aim_x"], commands["aim_z"])
    points: list[tuple[str, NDArray[Any], NDArray[Any], NDArray[Any] | None]] = [
        ("Buildings placed", builds["x"][placed], builds["z"][placed], builds["count"][placed]),
        ("Orders with a place", commands["aim_x"][aimed], commands["aim_z"][aimed], None),
    ]
    figure = style.figure(5.4, 11.0)
    all_x = np.concatenate([x for _, x, _, _ in points]).astype(float)
    all_z = np.concatenate([z for _, _, z, _ in points]).astype(float)
    for position, (title, x, z, weight) in enumerate(points, 1):
        axes = style.map_axes(figure, title, all_x, all_z, unit="elmo", place=(1, 2, position))
        if not len(x):
            style.nothing(axes, "none")
            continue
        (west, east), (south, north) = axes.get_xlim(), axes.get_ylim()
        rows = max(1, round(_COLUMNS / 3**0.5 * (south - north) / (east - west)))  # regular hexagons
        counts = axes.hexbin(
            x, z, C=weight, reduce_C_function=np.sum, gridsize=(_COLUMNS, rows), mincnt=1, cmap=style.HEAT,
            norm=LogNorm(), extent=(west, east, north, south),
        )  # fmt: skip
        style.colour_bar(figure, counts, axes, "orders", 0.7)
    notes = [_ORDERS, *style.of_m(int(placed.sum()), len(builds), "build orders (the others have no place or remove)"),
             *style.of_m(int(aimed.sum()), len(commands), "orders (the others aim at units or nothing)")]  # fmt: skip
    style.provenance(figure, replay, "tables build_orders and commands", notes)
    return figure


def economy(replay: Replay) -> Figure:
    """Metal and energy produced and used a minute, a line a team."""
    return _statistics(replay, "economy", [
        ("metal_produced_per_minute", "metal produced (a minute)"),
        ("energy_produced_per_minute", "energy produced (a minute)"),
        ("metal_used_per_minute", "metal used (a minute)"), ("energy_used_per_minute", "energy used (a minute)"),
    ])  # fmt: skip


def damage(replay: Replay) -> Figure:
    """Damage dealt and received in total, units killed and lost, a line a team."""
    return _statistics(replay, "damage", [
        ("damage_dealt", "damage dealt (total)"), ("damage_received", "damage received (total)"),
        ("units_killed", "units killed (total)"), ("units_died", "units lost (total)"),
    ])  # fmt: skip


def apm(replay: Replay) -> Figure:
    """Orders a minute of each team, by selections alone: Lua widgets give orders too."""
    table = replay.tables["commands_per_minute"]
    figure = style.figure(5.6)
    axes = style.axes_of(figure, "Orders a minute")
    own = np.flatnonzero((table["source"].astype(str) == "selection") & style.known(table, "team"))
    teams = style.groups(table["team"][own])
    for slot, (team, rows) in enumerate(teams):
        rows = own[rows]
        name = table["team_name"][rows[0]] or f"team {team}"
        axes.plot(table["end_seconds"][rows], table["per_minute"][rows], linewidth=1.0, label=style.label(name),
                  **style.line_style(slot))  # fmt: skip
    axes.set_ylabel("orders a minute")
    axes.set_ylim(bottom=0)
    style.minutes(axes)
    style.legend(axes, total=len(teams), what="teams")
    if not teams:
        style.nothing(axes, "nobody gave an order")
    total = int(table["orders"].sum())
    notes = style.of_m(int(table["orders"][own].sum()), total, "orders: those of Lua and of AIs are left out")
    style.provenance(figure, replay, "table commands_per_minute, source selection", notes)
    return figure


def timeline(replay: Replay) -> Figure:
    """Pauses, departures, deaths of teams and the end, and the chat as a lane of its own."""
    table = replay.tables["timeline"]
    known = style.known(table, "seconds")
    lanes = [(event.replace("_", " "), table["seconds"][known][rows])
             for event, rows in style.groups(table["event"][known].astype(str))]  # fmt: skip
    for name in ("chat", "map_draws", "shares"):
        lane = replay.tables[name]
        at = lane["seconds"][style.known(lane, "seconds")]
        if len(at):
            lanes.append((name.replace("_", " "), at))
    figure = style.figure(1.9 + 0.36 * max(3, len(lanes)))
    axes = style.axes_of(figure, "Timeline")
    for row, (_, seconds) in enumerate(lanes):
        axes.plot(seconds, np.full(len(seconds), row), "|", markersize=13, color=style.colour(row))
    style.lanes(axes, [f"{name} ({len(seconds):,})" for name, seconds in lanes], "nothing happened")
    axes.set_xlim(0, max(1.0, replay.info()["duration_s"] or 0, *(float(s.max()) * 1.01 for _, s in lanes if len(s))))
    style.minutes(axes)
    notes = style.of_m(int(known.sum()), len(table), "events: the others came before the game began")
    style.provenance(figure, replay, "tables timeline, chat, map_draws, shares (times only, no text)", notes)
    return figure


def _statistics(replay: Replay, title: str, columns: list[tuple[str, str]]) -> Figure:
    table: Table = replay.tables["team_statistics"]
    figure = style.figure(6.6, 11.0)
    teams = style.groups(table["team"])
    early = table["frame"] > table["shown_frame"]  # taken at the end of the match, before they were due
    notes = []
    for position, (column, text) in enumerate(columns, 1):
        axes = style.axes_of(figure, text, place=(2, 2, position))
        for slot, (team, rows) in enumerate(teams):
            name = table["team_name"][rows[0]]
            rows = rows[style.known(table, column)[rows]]
            if column.endswith("_per_minute") and early[rows].any():
                rows = rows[~early[rows]]
                notes = ["The last sample of a team covers less than a period and has no rate here."]
            axes.plot(table["shown_frame"][rows] / 30.0, table[column][rows], linewidth=1.0,
                      label=style.label(name or f"team {team}"), **style.line_style(slot))  # fmt: skip
        axes.set_ylabel(text.partition(" (")[2].rstrip(")") or text)
        axes.set_ylim(bottom=0)
        style.minutes(axes)
        if position == 2:
            style.legend(axes, total=len(teams), what="teams")
        if not teams:
            style.nothing(axes, "the file holds no team statistics")
    figure.suptitle(f"Statistics of the teams: {title}", fontsize=11)
    style.provenance(figure, replay, "table team_statistics, as the engine's trailer holds it", notes)
    return figure


def _ally_teams(replay: Replay) -> dict[int, int]:
    teams = replay.tables["teams"]
    known = style.known(teams, "ally_team")
    return {
        int(team): int(ally)
        for team, ally, sure in zip(teams["id"].tolist(), teams["ally_team"].tolist(), known.tolist(), strict=True)
        if sure
    }


KINDS = {
    "starts": starts, "orders": orders, "economy": economy, "damage": damage, "apm": apm, "timeline": timeline,
}  # fmt: skip

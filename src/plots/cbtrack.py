"""Pictures of Coilbox tracks: paths, team numbers over time, terrain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ksreplay.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ksreplay.replay import Replay

_MOST_PATHS = 3000
_MOST_NUMBERS = 8


def paths(replay: Replay) -> Figure:
    """Where units and projectiles went, coloured by team."""
    from matplotlib.collections import LineCollection

    units, keys = replay.tables["units"], replay.tables["transform_keys"]
    shots, shot_keys = replay.tables["projectiles"], replay.tables["projectile_keys"]
    team_of = dict(zip(units["serial"].tolist(), units["team"].tolist(), strict=True))
    names = _team_names(replay)
    figure = style.figure(7.2)
    axes = style.map_axes(figure, "Paths of units (lines) and projectiles (grey)", keys["x"], keys["z"], unit="elmo")
    flights = style.groups(shot_keys["serial"])
    where = np.column_stack([shot_keys["x"], shot_keys["z"]])
    axes.add_collection(LineCollection(
        [where[rows] for _, rows in flights[:_MOST_PATHS]], colors=style.GREY, linewidths=0.4, alpha=0.5,
    ))  # fmt: skip
    paths_by_team: dict[int, list[np.ndarray]] = {}
    walked = style.groups(keys["serial"])
    place = np.column_stack([keys["x"], keys["z"]])
    frames = keys["frame"]
    for serial, rows in walked[:_MOST_PATHS]:
        ordered = rows[np.argsort(frames[rows], kind="stable")]
        paths_by_team.setdefault(team_of.get(serial, -1), []).append(place[ordered])
    for slot, team in enumerate(sorted(paths_by_team)):
        axes.add_collection(LineCollection(
            paths_by_team[team], colors=style.colour(slot), linewidths=0.8, alpha=0.7,
            label=style.label(names.get(team, f"team {team}")),
        ))  # fmt: skip
        starts = np.array([path[0] for path in paths_by_team[team]])
        axes.plot(starts[:, 0], starts[:, 1], ".", color=style.colour(slot), markersize=3)
    style.legend(axes)
    if not walked:
        style.nothing(axes, "no unit ever had a position")
    notes = style.of_m(min(len(walked), _MOST_PATHS), len(units), "units")
    notes += style.of_m(min(len(flights), _MOST_PATHS), len(shots), "projectiles")
    notes.append("A dot is where a unit was first seen. Straight lines join keys, not every frame.")
    style.provenance(figure, replay, "tables transform_keys, projectile_keys and units", notes)
    return figure


def resources(replay: Replay) -> Figure:
    """The numbers of the teams over time, one axes a number."""
    table = replay.tables["team_values"]
    names, rate = _team_names(replay), _frames_a_second(replay)
    numbers = style.groups(table["code"])
    numbers.sort(key=lambda group: -len(group[1]))
    chosen = sorted(numbers[:_MOST_NUMBERS])
    rows = max(1, -(-len(chosen) // 2))
    figure = style.figure(1.2 + 2.1 * rows)
    for position, (code, members) in enumerate(chosen, 1):
        title = table["name"][members[0]]
        axes = style.axes_of(figure, style.label(title or f"number {code}"), place=(rows, 2, position))
        for slot, (team, own) in enumerate(style.groups(table["team"][members])):
            own = members[own]
            own = own[np.argsort(table["frame"][own], kind="stable")]
            axes.step(
                table["frame"][own] / rate, table["value"][own], where="post", linewidth=1.0,
                label=style.label(names.get(team, f"team {team}")), **style.line_style(slot),
            )  # fmt: skip
        axes.set_ylabel("value as the game keeps it", fontsize=7)
        style.minutes(axes)
        if position == min(2, len(chosen)):
            style.legend(axes)
    if not chosen:
        axes = style.axes_of(figure)
        style.lanes(axes, [], "the track has no team numbers")
        style.minutes(axes)
    notes = style.of_m(len(chosen), len(numbers), "numbers, those that change most")
    style.provenance(figure, replay, "table team_values; a value holds until the next key", notes)
    return figure


def terrain(replay: Replay) -> Figure:
    """How far the ground rose or fell from the first frame to the last."""
    table = replay.tables["terrain"]
    figure = style.figure(6.6)
    # Rows are in the order of time within a window; the first "before" and the last "after" of a point count.
    corner = table["x"].astype(np.int64) << 32 | table["z"].astype(np.int64)
    order = np.argsort(table["frame"], kind="stable")
    _, first = np.unique(corner[order], return_index=True)
    _, last = np.unique(corner[order][::-1], return_index=True)
    first, last = order[first], order[::-1][last]
    change = table["after"][last] - table["before"][first]
    x, z = table["x"][first] * 8.0, table["z"][first] * 8.0
    axes = style.map_axes(figure, "Change of the ground's height over the match", x, z, unit="elmo")
    if len(table):
        most = float(np.abs(change).max()) or 1.0
        marks = axes.scatter(x, z, c=change, s=6, marker="s", cmap=style.DIVERGING, vmin=-most, vmax=most)
        style.colour_bar(figure, marks, axes, "height, last frame less first (elmo)")
    else:
        style.nothing(axes, "the ground never changed")
    notes = [f"{len(x):,} points of the heightmap changed, in {len(table):,} steps."]
    style.provenance(figure, replay, "table terrain; heightmap corners are 8 elmos apart", notes)
    return figure


def _team_names(replay: Replay) -> dict[int, str]:
    teams = replay.tables["teams"]
    names = {row["team"]: f"{row['team']} {row.get('leader') or row.get('side') or ''}".strip() for row in teams.rows()}
    return names | {-1: "no team", 0xFF: "no team"} | names


def _frames_a_second(replay: Replay) -> float:
    return float(replay.info()["details"]["frames_per_second"]) or 30.0


KINDS = {"paths": paths, "resources": resources, "terrain": terrain}

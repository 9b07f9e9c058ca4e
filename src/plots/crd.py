"""Pictures of Crimsonland replays: what the controls said. A replay holds inputs, not creatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ksreplay.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ksreplay.replay import Replay

_TICKS_A_SECOND = 60.0
#: A held key shorter than this many pixels' worth of time could not be seen.
_LANES = ("fire_held", "reload_held", "move_keys", "turn_left", "turn_right")


def aim(replay: Replay) -> Figure:
    """Where the players aimed, and which way they moved: densities of ticks."""
    from matplotlib.colors import LogNorm

    table = replay.tables["inputs"]
    good = style.known(table, "aim_x", "aim_y", "move_x", "move_y")
    aim_x, aim_y = table["aim_x"][good].astype(float), table["aim_y"][good].astype(float)
    good_place = np.isfinite(aim_x) & np.isfinite(aim_y)
    figure = style.figure(5.2, 10.5)
    left = style.axes_of(figure, "Aim", place=(1, 2, 1))
    left.set_aspect("equal", adjustable="box")
    left.set_xlabel("aim x (world unit)")
    left.set_ylabel("aim y (world unit, downwards)")
    shown = good_place & _ordinary(aim_x) & _ordinary(aim_y)
    if shown.any():
        counts = left.hexbin(aim_x[shown], aim_y[shown], gridsize=60, mincnt=1, cmap=style.HEAT, norm=LogNorm())
        style.colour_bar(figure, counts, left, "ticks")
    else:
        style.nothing(left, "no tick has an aim")
    left.invert_yaxis()
    right = style.axes_of(figure, "Movement", place=(1, 2, 2))
    right.set_aspect("equal", adjustable="box")
    right.set_xlabel("move x (share of full speed)")
    right.set_ylabel("move y (share of full speed, downwards)")
    move_x, move_y = table["move_x"][good].astype(float), table["move_y"][good].astype(float)
    walking = np.isfinite(move_x) & np.isfinite(move_y) & ((move_x != 0) | (move_y != 0))
    if walking.any():
        counts = right.hexbin(move_x[walking], move_y[walking], gridsize=30, mincnt=1, cmap=style.HEAT,
                              extent=(-1.05, 1.05, -1.05, 1.05))  # fmt: skip
        style.colour_bar(figure, counts, right, "ticks")
    else:
        style.nothing(right, "nobody moved")
    right.set_xlim(-1.1, 1.1)
    right.set_ylim(1.1, -1.1)
    notes = style.of_m(int(shown.sum()), len(table), "ticks of players with an aim within 20,000 units")
    notes += style.of_m(int(walking.sum()), len(table), "ticks of players with a movement")
    style.provenance(figure, replay, "table inputs", notes)
    return figure


def fire(replay: Replay) -> Figure:
    """When keys were held, one lane a player and key."""
    table = replay.tables["holds"]
    names = style.names_of(replay.info()["players"])
    lanes = [
        (player, what, rows[member])
        for player, rows in style.groups(table["player"])
        for what, member in style.groups(table["what"][rows].astype(str))
        if what in _LANES
    ]
    figure = style.figure(1.7 + 0.34 * max(3, len(lanes)))
    axes = style.axes_of(figure, "Keys held")
    labels = []
    for lane, (player, what, rows) in enumerate(lanes):
        rows = rows[table["value"][rows] != 0]
        spans = np.column_stack([table["first_tick"][rows], table["num_ticks"][rows]]) / _TICKS_A_SECOND
        axes.broken_barh(list(map(tuple, spans)), (lane - 0.4, 0.8), facecolors=style.colour(player), linewidth=0)
        labels.append(f"{style.label(names.get(player, f'player {player}'))}: {what.replace('_', ' ')}")
    style.lanes(axes, labels, "no key was held")
    axes.set_xlim(0, max(1.0, (replay.info()["details"]["ticks"] or 0) / _TICKS_A_SECOND))
    style.minutes(axes)
    style.provenance(figure, replay, "table holds (runs of held flags; 60 ticks a second)")
    return figure


def commands(replay: Replay) -> Figure:
    """Perk menus, picks and typed words along the run."""
    table = replay.tables["commands"]
    kinds = style.groups(table["type"].astype(str))
    figure = style.figure(1.9 + 0.4 * max(3, len(kinds)))
    axes = style.axes_of(figure, "Commands")
    for lane, (_, rows) in enumerate(kinds):
        seconds = table["tick"][rows] / _TICKS_A_SECOND
        axes.plot(seconds, np.full(len(rows), lane), "|", markersize=14, color=style.colour(lane))
    style.lanes(axes, [f"{kind.replace('_', ' ')} ({len(rows):,})" for kind, rows in kinds], "the run has no commands")
    axes.set_xlim(0, max(1.0, (replay.info()["details"]["ticks"] or 0) / _TICKS_A_SECOND))
    style.minutes(axes)
    style.provenance(figure, replay, "table commands (60 ticks a second)")
    return figure


def result(replay: Replay) -> Figure:
    """What the result says of each player and of the run: the kills are the run's, not a curve over time."""
    details, players = replay.info()["details"], replay.info()["players"]
    figure = style.figure(4.2)
    left = style.axes_of(figure, "Of the run", place=(1, 2, 1))
    counts = [(name, details.get(name)) for name in ("kills", "shots_hit", "shots_fired")]
    known = [(name.replace("_", " "), value) for name, value in counts if value is not None]
    bars = left.barh([name for name, _ in known], [value for _, value in known], color=style.COLOURS[0])
    left.bar_label(bars, fmt="{:,.0f}", padding=3, fontsize=8)
    left.margins(x=0.2)
    left.set_xlabel("count")
    right = style.axes_of(figure, "Of the players", place=(1, 2, 2))
    names = style.names_of(players)
    bars = right.barh(
        [style.label(names[player["id"]]) for player in players], [player.get("experience") or 0 for player in players],
        color=[style.colour(player["id"]) for player in players],
    )  # fmt: skip
    right.bar_label(bars, fmt="{:,.0f}", padding=3, fontsize=8)
    right.margins(x=0.25)
    right.set_xlabel("experience at the end (points)")
    style.provenance(figure, replay, "the result as recorded; ksreplay does not simulate the run")
    return figure


def _ordinary(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Leaves out the far aims that some inputs state; they would shrink the arena to a dot."""
    near: NDArray[np.bool_] = np.abs(values) < 20_000
    return near


KINDS = {"aim": aim, "fire": fire, "commands": commands, "result": result}

"""Pictures of TA recordings: counts of units, resources, places, and how well the clocks of the senders fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ksreplay.replay import Replay
    from ksreplay.table import Table

_TICKS_A_SECOND = 30.0
_MOST_PATHS = 3000


def units(replay: Replay) -> Figure:
    """How many units each player has: finished ones less those that died, and how many were begun."""
    begun, finished, died = (_first_copies(replay.tables[name]) for name in ("builds", "finishes", "deaths"))
    names = style.names_of(replay.info()["players"])
    end = replay.info()["duration_s"] or 0.0
    lives = _lives(begun, finished, died)
    figure = style.figure(5.6)
    axes = style.axes_of(figure, "Units alive (thick lines) and begun (thin lines)")
    players = sorted({int(player) for table in (begun, finished) for player in np.unique(table["sender"])})
    for slot, player in enumerate(players):
        own = lives[lives[:, 0] == player]
        order = np.argsort(own[:, 1], kind="stable")
        look: dict[str, Any] = {"color": style.colour(slot), "drawstyle": "steps-post"}
        name = style.label(names.get(player, f"player {player}"))
        counts = np.r_[0, np.cumsum(own[order, 2])]
        axes.plot(np.r_[0, own[order, 1], end], np.r_[counts, counts[-1:]], linewidth=1.8, label=name, **look)
        started = np.sort(_seconds(begun)[begun["sender"] == player])
        axes.plot(np.r_[0, started], np.arange(len(started) + 1), linewidth=0.6, alpha=0.6, **look)
    axes.set_ylabel("units")
    style.minutes(axes)
    style.legend(axes)
    if not players:
        style.nothing(axes, "the recording holds no builds")
    fell = int((lives[:, 2] < 0).sum())
    notes = style.of_m(fell, len(died), "deaths: the others are of units that were never reported finished")
    style.provenance(figure, replay, "tables builds, finishes, deaths (repeats left out)", notes)
    return figure


def resources(replay: Replay) -> Figure:
    """Metal and energy held and produced, a line a player."""
    table = _first_copies(replay.tables["resources"])
    names = style.names_of(replay.info()["players"])
    figure = style.figure(6.6, 11.0)
    seconds = _seconds(table)
    shown = [("metal", "metal held"), ("energy", "energy held"),
             ("metal_produced", "metal produced (total)"), ("energy_produced", "energy produced (total)")]  # fmt: skip
    senders = style.groups(table["sender"])
    for position, (column, text) in enumerate(shown, 1):
        axes = style.axes_of(figure, text, place=(2, 2, position))
        for slot, (sender, rows) in enumerate(senders):
            axes.plot(seconds[rows], table[column][rows], linewidth=0.9, **style.line_style(slot),
                      label=style.label(names.get(sender, f"player {sender}")))  # fmt: skip
        axes.set_ylabel(column.partition("_")[0] + " (unit of the game)")
        style.minutes(axes)
        if position == 2:
            style.legend(axes)
        if not senders:
            style.nothing(axes, "the recording holds no reports")
    style.provenance(figure, replay, "table resources (0x28, the copies for the other players left out)")
    return figure


def places(replay: Replay) -> Figure:
    """Where units went, by the packets of their movement, and where they were begun."""
    from matplotlib.collections import LineCollection

    begun = _first_copies(replay.tables["builds"])
    names = style.names_of(replay.info()["players"])
    figure = style.figure(7.0)
    axes = style.map_axes(
        figure, "Where units were begun (dots) and went (lines)", begun["x"], begun["z"], unit="world unit"
    )
    moves = replay.tables.get("movement")
    drawn = total = 0
    if moves is not None and {"x", "z", "unit_id", "sender"} <= set(moves.schema.names):
        good = np.flatnonzero(style.known(moves, "x", "z"))
        key = moves["sender"][good].astype(np.int64) << 32 | moves["unit_id"][good].astype(np.int64)
        where = np.column_stack([moves["x"], moves["z"]])
        ways = style.groups(key)
        total, drawn = len(ways), min(len(ways), _MOST_PATHS)
        senders = sorted({int(k) >> 32 for k, _ in ways})
        for unit, rows in ways[:_MOST_PATHS]:
            axes.add_collection(LineCollection(
                [where[good[rows]]], colors=style.colour(senders.index(int(unit) >> 32)), linewidths=0.5, alpha=0.5,
            ))  # fmt: skip
    for slot, (sender, rows) in enumerate(style.groups(begun["sender"])):
        axes.plot(begun["x"][rows], begun["z"][rows], ".", markersize=4, color=style.colour(slot),
                  label=style.label(names.get(sender, f"player {sender}")))  # fmt: skip
    style.legend(axes)
    if not len(begun):
        style.nothing(axes, "the recording holds no builds")
    notes = style.of_m(drawn, total, "units that moved") if total else ["No movement is decoded for this recording."]
    style.provenance(figure, replay, "tables builds and movement (repeats left out)", notes)
    return figure


def clock(replay: Replay) -> Figure:
    """The ticks of each sender against the recorder's wall clock, as what is off a steady rate."""
    table = replay.tables["resources"]
    good = np.flatnonzero(style.known(table, "tick_low") & ~table["repeated"])
    names = style.names_of(replay.info()["players"])
    figure = style.figure(6.0)
    above = style.axes_of(figure, "Ticks of the senders along the wall clock", place=(2, 1, 1))
    below = style.axes_of(figure, "What is off a straight fit", place=(2, 1, 2))
    senders = style.groups(table["sender"][good])
    rates = []
    for slot, (sender, rows) in enumerate(senders):
        rows = good[rows]
        wall, tick = table["wall_ms"][rows] / 1000.0, table["tick_low"][rows].astype(float)
        name = style.label(names.get(sender, f"player {sender}"))
        above.plot(wall, tick, linewidth=1.0, label=name, **style.line_style(slot))
        if len(rows) > 2:
            slope, base = _robust_line(wall, tick)
            rates.append(f"{name} {slope:.2f}")
            below.plot(wall, (tick - slope * wall - base) / _TICKS_A_SECOND, linewidth=0.8, **style.line_style(slot))
    above.set_ylabel("tick (30 a second at normal speed)")
    below.set_ylabel("game seconds ahead of the fit")
    for axes in (above, below):
        style.minutes(axes)
        axes.set_xlabel("wall clock of the recorder (m:ss)", fontsize=8)
    style.legend(above)
    if not senders:
        style.nothing(above, "no sender's ticks are known")
    notes = [f"Ticks a wall second: {', '.join(rates)}."] if rates else []
    style.provenance(figure, replay, "table resources: tick_low against wall_ms; the fit is Theil's, by medians", notes)
    return figure


def _robust_line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """Slope and base by the median of slopes over half the length: pauses and stray ticks do not pull it."""
    half = len(x) // 2
    run = x[half:] - x[: len(x) - half]
    slopes = (y[half:] - y[: len(y) - half])[run > 0] / run[run > 0]
    slope = float(np.median(slopes)) if len(slopes) else 0.0
    return slope, float(np.median(y - slope * x))


def _first_copies(table: Table) -> Table:
    """Without the rows that a recorder or the game wrote more than once."""
    table = table.filter(~table["repeated"])
    if "wants_reply" not in table.schema:
        return table
    # The same report goes to every other player: equal moments of one sender are one report.
    key = np.column_stack([table["sender"], table["wall_ms"], table["tick_low"]])
    _, first = np.unique(key, axis=0, return_index=True)
    return table.take(np.sort(first))


def _seconds(table: Table) -> NDArray[np.float64]:
    """Game seconds by the tick where it is known, else by the wall clock."""
    known = style.known(table, "tick_low")
    return np.where(known, table["tick_low"] / _TICKS_A_SECOND, table["wall_ms"] / 1000.0)


def _lives(begun: Table, finished: Table, died: Table) -> NDArray[np.float64]:
    """(player, seconds, +1 or -1) a finish and a death of a finished unit; ids are used again after a death."""
    owner = dict(zip(begun["unit_id"].tolist(), begun["sender"].tolist(), strict=True))
    events = [(unit, second, 1) for unit, second in zip(finished["unit_id"].tolist(), _seconds(finished), strict=True)]
    events += [(unit, second, -1) for unit, second in zip(died["victim"].tolist(), _seconds(died), strict=True)]
    alive: set[int] = set()
    steps = []
    for unit, second, step in sorted(events, key=lambda event: (event[1], event[2])):
        if (step > 0) != (unit in alive):
            steps.append((owner.get(unit, -1), second, step))
            (alive.add if step > 0 else alive.discard)(unit)
    return np.array(steps, float).reshape(-1, 3)


KINDS = {"units": units, "resources": resources, "places": places, "clock": clock}

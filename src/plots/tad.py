"""Pictures of TA recordings: counts of units, resources, places, and how well the clocks of the senders fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ksreplay.replay import Replay
    from ksreplay.table import Table

_TICKS_A_SECOND = 30.0
_MOST_PATHS = 3000


def units(replay: Replay) -> Figure:
    """How many units each player has: commanders and finished ones less those that died; and how many were begun."""
    lives = replay.tables["units"]
    names = style.names_of(replay.info()["players"])
    whole = lives["commander"] | style.known(lives, "finished_low")
    start = np.where(style.known(lives, "finished_low"), lives["finished_low"], 0) / _TICKS_A_SECOND
    begun = np.where(style.known(lives, "built_low"), lives["built_low"], 0) / _TICKS_A_SECOND
    died = style.known(lives, "died_low")
    fall = lives["died_low"] / _TICKS_A_SECOND
    end = replay.info()["duration_s"] or 0.0
    figure = style.figure(5.6)
    axes = style.axes_of(figure, "Units alive (thick lines) and begun (thin lines)")
    players = style.groups(lives["sender"])
    for slot, (player, rows) in enumerate(players):
        up, down = start[rows][whole[rows]], fall[rows][whole[rows] & died[rows]]
        times = np.r_[up, down]
        order = np.argsort(times, kind="stable")
        counts = np.r_[0, np.cumsum(np.r_[np.ones(len(up)), -np.ones(len(down))][order])]
        look: dict[str, Any] = {"color": style.colour(slot), "drawstyle": "steps-post"}
        name = style.label(names.get(player, f"player {player}"))
        axes.plot(np.r_[0, times[order], end], np.r_[counts, counts[-1:]], linewidth=1.8, label=name, **look)
        started = np.sort(begun[rows])
        axes.plot(np.r_[0, started], np.arange(len(started) + 1), linewidth=0.6, alpha=0.6, **look)
    axes.set_ylabel("units")
    style.minutes(axes)
    style.legend(axes)
    if not players:
        style.nothing(axes, "the recording holds no builds")
    notes = style.of_m(int(whole.sum()), len(lives), "units: the others were begun and never reported finished")
    style.provenance(figure, replay, "table units (one life of a unit id each)", notes)
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
    """Where units were begun, and where their status said they were."""
    from matplotlib.collections import LineCollection

    begun, seen = replay.tables["units"], replay.tables["status"]
    names = style.names_of(replay.info()["players"])
    good = np.flatnonzero(style.known(seen, "x", "z", "unit_id", "tick"))
    good = good[np.argsort(seen["tick"][good], kind="stable")]
    where = np.column_stack([seen["x"], seen["z"]])
    figure = style.figure(7.0)
    axes = style.map_axes(
        figure, "Where units were begun (dots) and went (lines)", np.r_[begun["x"], where[good, 0]],
        np.r_[begun["z"], where[good, 1]], unit="world unit",
    )  # fmt: skip
    senders = sorted({int(sender) for table in (begun, seen) for sender in np.unique(table["sender"])})
    ways = style.groups(seen["sender"][good].astype(np.int64) << 32 | seen["unit_id"][good].astype(np.int64))
    axes.add_collection(LineCollection(
        [where[good[rows]] for _, rows in ways[:_MOST_PATHS]],
        colors=[style.colour(senders.index(int(unit) >> 32)) for unit, _ in ways[:_MOST_PATHS]],
        linewidths=0.5, alpha=0.4,
    ))  # fmt: skip
    for sender, rows in style.groups(begun["sender"]):
        axes.plot(begun["x"][rows], begun["z"][rows], ".", markersize=3, color=style.colour(senders.index(sender)),
                  label=style.label(names.get(sender, f"player {sender}")))  # fmt: skip
    style.legend(axes)
    if not len(begun) and not ways:
        style.nothing(axes, "the recording holds no places")
    notes = style.of_m(min(len(ways), _MOST_PATHS), len(ways), "units with a known place")
    notes.append("Lines join the places that the senders' status told, which each unit gets in turn, not every step.")
    style.provenance(figure, replay, "tables units and status", notes)
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
            _segments(below, replay, sender, slot, slope, base)
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
    style.provenance(
        figure,
        replay,
        "tables resources (tick_low, wall_ms) and clock; circles are gaps, triangles changes of speed",
        notes,
    )
    return figure


def _segments(axes: Axes, replay: Replay, sender: int, slot: int, slope: float, base: float) -> None:
    """Marks where a sender's clock began anew: after a gap in the recording (circle) or another speed (triangle)."""
    table = replay.tables["clock"]
    own = np.flatnonzero((table["sender"] == sender) & (table["segment"] > 0))
    wall = table["first_ms"][own] / 1000.0
    off = (table["first_tick"][own] - slope * wall - base) / _TICKS_A_SECOND
    for kind, marker in (("gap", "o"), ("speed", "^")):
        rows = table["begins"][own].astype(str) == kind
        axes.plot(wall[rows], off[rows], marker, markersize=3.5, fillstyle="none", color=style.colour(slot))


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


KINDS = {"units": units, "resources": resources, "places": places, "clock": clock}

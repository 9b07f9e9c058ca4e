"""Pictures of Spring matches: densities on the map, starts, the match chart, commands a minute, living value.

Figures are made without pyplot, so nothing global changes and no display is needed. Needs the extra ``plots``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ksreplay.atomic import replacing
from ksreplay.plots import style
from ksreplay.semantics.spring.analysis.aggregate import SCALINGS, Picture
from ksreplay.semantics.spring.analysis.classifier import BUCKETS, CATEGORIES
from ksreplay.semantics.spring.analysis.commands import CommandCounts
from ksreplay.semantics.spring.analysis.grids import Grid, smooth, smoothing
from ksreplay.semantics.spring.analysis.map_records import PositionRow
from ksreplay.semantics.spring.analysis.start_units import Track
from ksreplay.semantics.spring.carriers import SOURCES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEAT = "inferno"
BUCKET_COLOURS = {"economy": "#009E73", "defence": "#0072B2", "offence": "#D55E00", "other": "#999999",
                  "unclassified": "#DDDDDD"}  # fmt: skip
_WIDTH = 7.2


def save(figure: Figure, path: Path, *, force: bool = False) -> None:
    """Writes a figure as PNG or SVG by the suffix of `path`; the same figure gives the same bytes."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in ("png", "svg"):
        raise ValueError(f"a picture is a .png or a .svg, not {path.suffix!r}")
    with replacing(path, force=force) as file:
        style.save(figure, file, kind)


def _map_axes(figure: Figure, grid: Grid) -> Axes:
    """Axes in elmos with north at the top, as a replay records places."""
    axes = figure.add_subplot()
    axes.set_xlim(0, grid.map_width)
    axes.set_ylim(grid.map_height, 0)
    axes.set_aspect("equal")
    axes.set_xlabel("elmos from west", fontsize=8)
    axes.set_ylabel("elmos from north", fontsize=8)
    axes.tick_params(labelsize=7)
    return axes


def _map_figure(grid: Grid, note_lines: int) -> Figure:
    # The map takes three quarters of the width; what stands beside and under it the rest.
    height = 0.75 * _WIDTH * min(max(grid.map_height / grid.map_width, 0.3), 1.6)
    return style.figure(height + 0.9 + 0.14 * note_lines, _WIDTH)


def _note(figure: Figure, note: str) -> None:
    """The provenance under the picture, wrapped and never over it."""
    if note:
        figure.supxlabel(_wrapped(note), fontsize=7, x=0.02, ha="left", color="#333333")


def _wrapped(note: str) -> str:
    lines = (style.label(part, 600) for part in note.split("\n"))
    return "\n".join(line for part in lines for line in textwrap.wrap(part, 135) or [""])


def heat_limits(field: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Colour limits: from nothing to the busiest spot; an empty field still has a scale."""
    top = float(field.max()) if field.size else 0.0
    return 0.0, top if top > 0 else 1.0


def density(
    grid: Grid, values: npt.NDArray[Any], *, title: str, unit: str, note: str = "",
    starts: Sequence[PositionRow] = (), field: npt.NDArray[np.float64] | None = None,
) -> Figure:  # fmt: skip
    """A heat map of cells (row by row on `grid`), smoothed for display; `field` is drawn instead when it is given."""
    shown = smooth(np.asarray(values, np.float64).reshape(grid.height, grid.width)) if field is None else field
    radius_elmos = smoothing(grid.width, grid.height)[0] * grid.map_width / max(grid.width, 1)
    top = shown.max() if shown.size else 0.0
    text = f"{note}\nBrightest spot: {top:.4g} {unit} near it (within {radius_elmos:.0f} elmos)."
    figure = _map_figure(grid, _wrapped(text).count("\n") + 1)
    axes = _map_axes(figure, grid)
    low, high = heat_limits(shown)
    image = axes.imshow(shown, cmap=HEAT, vmin=low, vmax=high, extent=(0, grid.map_width, grid.map_height, 0),
                        interpolation="bilinear")  # fmt: skip
    style.colour_bar(figure, image, axes, unit)
    _draw_starts(axes, starts)
    axes.set_title(style.label(title, 100), fontsize=10, loc="left")
    _note(figure, text.strip())
    return figure


def picture(found: Picture, *, layer: str, map: str, note: str = "", starts: Sequence[PositionRow] = ()) -> Figure:
    """The picture of many matches with the sentence that says what its brightest spot means."""
    unit = {"share": "of a match's events", "peak": "of a match's busiest spot", "rate": "events a minute"}[
        found.scaling
    ]
    said = (
        f"{map}: {layer} of {found.matches_in_layer} of {found.matches} matches, {found.window}; "
        f"{SCALINGS[found.scaling]}, then the matches are averaged."
    )
    return density(
        found.grid, found.mean_scaled, title=f"{map}: {layer}", unit=unit, note=f"{said}\n{note}".strip(), starts=starts
    )


def _draw_starts(axes: Axes, starts: Sequence[PositionRow]) -> None:
    for row in starts:
        p = row.position
        axes.plot([p.x], [p.z], "o", markersize=9, markerfacecolor="white", markeredgecolor="black", zorder=3)
        axes.annotate(str(row.number), (p.x, p.z), ha="center", va="center", fontsize=6, zorder=4)
        if row.name:
            axes.annotate(
                style.label(row.name), (p.x, p.z), xytext=(0, 8), textcoords="offset points", ha="center", fontsize=7,
                color="white", bbox={"boxstyle": "round,pad=0.2", "fc": "black", "lw": 0}, zorder=4,
            )  # fmt: skip


def places(
    grid: Grid, groups: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]], *, title: str, note: str = "",
    starts: Mapping[str, tuple[float, float]] | None = None,
) -> Figure:  # fmt: skip
    """Marks on the map in one colour a group (orders to build by team, starts as stars)."""
    figure = _map_figure(grid, 3)
    axes = _map_axes(figure, grid)
    axes.set_facecolor("#f2f0ea")
    for i, (label, (x, z)) in enumerate(groups.items()):
        colour, marker = style.colour(i), "os^D"[i // len(style.COLOURS) % 4]
        axes.scatter(x, z, s=6, color=colour, marker=marker, label=style.label(label), lw=0, alpha=0.7)
    for i, (_, (px, pz)) in enumerate((starts or {}).items()):
        axes.scatter([px], [pz], s=90, marker="*", color=style.colour(i), edgecolor="black", zorder=3)
    if groups:
        axes.legend(fontsize=6, ncols=2, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    axes.set_title(style.label(title, 100), fontsize=10, loc="left")
    _note(figure, note)
    return figure


def paths(
    grid: Grid, tracks: Sequence[Track], *, title: str, names: Mapping[int, str] | None = None, note: str = ""
) -> Figure:
    """Starting units: a line each, a dot where it begins, a diamond at an upgrade, a cross or a ring where it ended."""
    figure = _map_figure(grid, 3)
    axes = _map_axes(figure, grid)
    axes.set_facecolor("#f2f0ea")
    teams = sorted({track.team for track in tracks})
    for track in tracks:
        colour = style.colour(teams.index(track.team))
        axes.plot(track.x, track.z, "-", color=colour, lw=1.2)
        axes.plot(track.x[:1], track.z[:1], "o", color=colour, markersize=5)
        for frame in track.upgrades:
            at = max(i for i, f in enumerate(track.frames) if f <= frame)
            axes.plot([track.x[at]], [track.z[at]], "D", color=colour, markersize=4, markeredgecolor="black")
        end = {"destroyed": "x", "removed": "o"}.get(track.end)
        if end:
            axes.plot(track.x[-1:], track.z[-1:], end, color=colour, markersize=8, markerfacecolor="none", mew=2)
        label = style.label((names or {}).get(track.team, f"team {track.team}"))
        axes.annotate(label, (track.x[-1], track.z[-1]), xytext=(5, -5), textcoords="offset points", fontsize=7)
    axes.set_title(style.label(title, 100), fontsize=10, loc="left")
    _note(figure, note)
    return figure


def chart(
    seconds: npt.ArrayLike, lines: Mapping[str, npt.ArrayLike], *, title: str, unit: str, note: str = ""
) -> Figure:
    """Series over game time, one line each; NaN is a gap."""
    figure = style.figure(3.8, _WIDTH)
    axes = figure.add_subplot()
    minutes = np.asarray(seconds, np.float64) / 60
    for i, (label, values) in enumerate(lines.items()):
        axes.plot(minutes, np.asarray(values, np.float64), label=style.label(label), lw=1.4, **style.line_style(i))
    axes.set_xlabel("minutes of game time")
    axes.set_ylabel(unit)
    axes.grid(alpha=0.3)
    axes.margins(x=0)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    if lines:
        axes.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    axes.set_title(style.label(title, 100), fontsize=10, loc="left")
    _note(figure, note)
    return figure


def commands_chart(counts: CommandCounts, names: Mapping[int, str], *, source: str = "selection") -> Figure:
    """Commands a minute of one sender; the three senders are never in one chart."""
    wanted = counts.source == SOURCES.index(source)
    lines = {
        names.get(team, f"team {team}"): rates
        for team, rates in zip(counts.team[wanted].tolist(), counts.rates[wanted], strict=True)
    }
    sender = {"selection": "players' own selections", "lua": "widgets", "ai": "skirmish AIs"}[source]
    note = f"Source: stream. Orders given by {sender}, at the end of each {counts.period} s; not the trailer's APM."
    return chart(counts.seconds, lines, title=f"Commands a minute: {sender}", unit="orders a minute", note=note)


def living_chart(
    seconds: npt.ArrayLike, value: npt.NDArray[Any], teams: Sequence[str], *, unit: str = "metal", note: str = ""
) -> Figure:
    """Value of living units by kind, a small chart a team, all on one scale. `value`: (samples, teams, categories)."""
    columns = min(len(teams), 2) or 1
    rows = -(-len(teams) // columns) or 1
    figure = style.figure(2.0 * rows + 1.2, _WIDTH)
    minutes = np.asarray(seconds, np.float64) / 60
    buckets = {name: [i for i, c in enumerate(CATEGORIES) if BUCKETS[c] == name] for name in BUCKET_COLOURS}
    top = float(value.sum(axis=2).max()) if value.size else 1.0
    for i, team in enumerate(teams):
        axes = figure.add_subplot(rows, columns, i + 1)
        stacks = [value[:, i, members].sum(axis=1) for members in buckets.values()]
        axes.stackplot(minutes, *stacks, colors=list(BUCKET_COLOURS.values()), labels=list(buckets), step="post")
        axes.set_ylim(0, top * 1.05 or 1.0)
        axes.margins(x=0)
        axes.set_title(style.label(team), fontsize=8, loc="left")
        axes.tick_params(labelsize=7)
        axes.set_ylabel(unit, fontsize=7)
        if i == 0:
            axes.legend(fontsize=6, frameon=False, loc="upper left")
    _note(figure, note)
    return figure

"""What all pictures share: colours, axes, the line of provenance, and saving. Needs the extra ``plots``.

Figures are made without pyplot, so nothing global changes and no display is needed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ksreplay import __version__
from ksreplay.table import Table
from ksreplay.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ksreplay.replay import Replay

#: Told apart by people who see colours differently (after Okabe and Ito); slots are fixed, more series are dashed.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999933")
DASHES = ("-", "--", ":", "-.")
#: Of magnitudes, and of differences around nothing: both are ordered by lightness.
HEAT, DIVERGING = "viridis", "PuOr"
GREY = "#777777"
_WIDTH = 9.0
_DPI = 120
_TIME_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600)
#: Series named in a legend; more are counted.
MOST_NAMED = 16


def figure_class() -> type[Figure]:
    """matplotlib's Figure; ImportError says what to install where matplotlib is absent."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("this needs matplotlib: pip install 'ksreplay[plots]'") from error
    return Figure


def figure(height: float = 5.4, width: float = _WIDTH) -> Figure:
    """An empty figure; ImportError where matplotlib is absent."""
    return figure_class()(figsize=(width, height), dpi=_DPI, layout="constrained")


def axes_of(figure: Figure, title: str = "", *, place: tuple[int, int, int] = (1, 1, 1)) -> Axes:
    axes = figure.add_subplot(*place)
    axes.grid(alpha=0.25, linewidth=0.5)
    axes.tick_params(labelsize=7)
    axes.xaxis.label.set_fontsize(8)
    axes.yaxis.label.set_fontsize(8)
    axes.set_axisbelow(True)
    if title:
        axes.set_title(title, fontsize=10)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def map_axes(
    figure: Figure, title: str, x: NDArray[Any], z: NDArray[Any], *, unit: str, place: tuple[int, int, int] = (1, 1, 1)
) -> Axes:
    """Axes in map units, north at the top (z grows southwards), over the data: a replay does not say the map's size."""
    axes = axes_of(figure, title, place=place)
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlabel(f"x ({unit})")
    axes.set_ylabel(f"z ({unit})")
    good = np.isfinite(x) & np.isfinite(z)
    if good.any():
        low, high = np.array([x[good].min(), z[good].min()]), np.array([x[good].max(), z[good].max()])
        longest = max(1.0, float((high - low).max()))
        # A single row of things is no map: the shorter side is at least two fifths of the longer one.
        spare = np.maximum(0.0, 0.4 * longest - (high - low)) / 2
        low, high = low - spare, high + spare
        margin = longest * 0.04
        axes.set_xlim(low[0] - margin, high[0] + margin)
        axes.set_ylim(high[1] + margin, low[1] - margin)
    else:
        axes.invert_yaxis()
    return axes


def lanes(axes: Axes, names: Sequence[str], empty: str) -> None:
    """The y axis as named lanes from top to bottom; ``empty`` is said where there is none."""
    if not names:
        axes.set_yticks([])
        axes.set_ylabel("nothing", fontsize=8)
        nothing(axes, empty)
        return
    axes.set_yticks(range(len(names)), list(names), fontsize=8)
    axes.set_ylim(len(names) - 0.5, -0.5)


def minutes(axes: Axes) -> None:
    """The x axis holds seconds of the game and shows m:ss; call it when everything is drawn."""
    from matplotlib.ticker import FuncFormatter, MultipleLocator

    def shown(seconds: float, _position: int) -> str:
        sign, whole = ("-" if seconds < 0 else ""), round(abs(seconds))
        return f"{sign}{whole // 60}:{whole % 60:02}"

    low, high = axes.get_xlim()
    step = next((step for step in _TIME_STEPS if (high - low) / step <= 9), _TIME_STEPS[-1])
    axes.xaxis.set_major_locator(MultipleLocator(max(step, (high - low) / 50)))
    axes.xaxis.set_major_formatter(FuncFormatter(shown))
    axes.set_xlabel("game time (m:ss)", fontsize=8)


def colour(slot: int) -> str:
    return COLOURS[slot % len(COLOURS)]


def line_style(slot: int) -> dict[str, Any]:
    """Colour and dash of series ``slot``: 32 of them differ."""
    return {"color": colour(slot), "linestyle": DASHES[slot // len(COLOURS) % len(DASHES)]}


def label(text: Any, limit: int = 28) -> str:
    """A name from a file as a picture may show it: nothing that moves or hides, and no mathematics."""
    shown = printable(str(text), limit).replace("$", r"\$")
    return f"\u200b{shown}" if shown.startswith("_") else shown


def legend(axes: Axes, *, total: int | None = None, what: str = "") -> None:
    """A legend beside the axes, with "n of m" where not all series are named."""
    handles, names = axes.get_legend_handles_labels()
    if not handles:
        return
    title = None
    if len(handles) > MOST_NAMED or (total is not None and total > len(handles)):
        title = f"{min(len(handles), MOST_NAMED)} of {total or len(handles)} {what}".strip()
    axes.legend(
        handles[:MOST_NAMED], names[:MOST_NAMED], title=title, fontsize=7, title_fontsize=7, loc="upper left",
        bbox_to_anchor=(1.0, 1.0), frameon=False,
    )  # fmt: skip


def colour_bar(figure: Figure, marks: Any, axes: Axes, label: str, shrink: float = 0.8) -> None:
    """The scale of ``marks`` beside the axes, in the letters of the axes."""
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import LogFormatter

    bar = figure.colorbar(marks, ax=axes, shrink=shrink)
    bar.set_label(label, fontsize=8)
    bar.ax.tick_params(labelsize=7, which="both")
    if isinstance(marks.norm, LogNorm):  # counts: 6 says it better than 6 times ten to the nothing
        bar.ax.yaxis.set_major_formatter(LogFormatter())
        bar.ax.yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(1, 0.4)))


def nothing(axes: Axes, what: str) -> None:
    """Says in the picture that there is nothing to show, so that an empty one is no puzzle."""
    axes.text(0.5, 0.5, what, transform=axes.transAxes, ha="center", va="center", color=GREY)


def provenance(figure: Figure, replay: Replay, source: str, notes: Iterable[str] = ()) -> None:
    """The text under a picture: from which file and table it is made, by what, and what was left out."""
    facts = replay.info()
    name = label(replay.source.name or "standard input", 60)
    where = ", ".join(label(item, 60) for item in (facts["game"], facts["map"]) if item)
    state = "" if facts["complete"] else "; the file is not complete"
    lines = [
        f"{name}" + (f" ({where})" if where else "") + f"; sha256 {replay.source.sha256[:16]}{state}",
        f"Source: {source}. Made by ksreplay {__version__}.",
        *notes,
    ]
    wrapped = [part for line in lines for part in textwrap.wrap(line, 135)]
    figure.supxlabel("\n".join(wrapped), fontsize=6.5, x=0.01, ha="left", color="#444444")


def of_m(shown: int, total: int, what: str) -> list[str]:
    """ "n of m what" where something was left out."""
    return [f"Shown: {shown:,} of {total:,} {what}."] if shown < total else []


def save(figure: Figure, target: Path | BinaryIO, kind: str) -> None:
    """As ``png`` or ``svg``; the same figure gives the same bytes."""
    import warnings

    import matplotlib

    metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
    with matplotlib.rc_context({"svg.hashsalt": "ksreplay", "svg.fonttype": "none"}), warnings.catch_warnings():
        # A name in a script that the font lacks is drawn as boxes: no news for standard error, one line a letter.
        warnings.filterwarnings("ignore", message="(?s).*Glyph .* missing from")
        figure.savefig(target, format=kind, metadata=metadata)


def known(table: Table, *columns: str) -> NDArray[np.bool_]:
    """bool, a row: True where all of the columns have a value."""
    mask = np.ones(len(table), bool)
    for column in columns:
        valid = table.valid(column)
        if valid is not None:
            mask &= valid
    return mask


def groups(values: NDArray[Any]) -> list[tuple[Any, NDArray[np.intp]]]:
    """(value, its rows in their order) for each different value, ascending."""
    order = np.argsort(values, kind="stable")
    found, starts = np.unique(values[order], return_index=True)
    return list(zip(found.tolist(), np.split(order, starts[1:]), strict=True)) if len(values) else []


def names_of(players: Sequence[dict[str, Any]]) -> dict[int, str]:
    """Player number -> name, or its number where it has none."""
    return {player["id"]: str(player.get("name") or f"player {player['id']}") for player in players}

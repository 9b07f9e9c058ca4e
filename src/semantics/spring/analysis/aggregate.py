"""Many matches of a map in one picture: each match is scaled, then the matches are averaged (seed 002; `mapAggregate`).

One long game must not become the whole picture, so a match counts by its share, its busiest spot or its rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.spring.analysis.grids import FRAMES_PER_SLICE, Grid, Layer, smooth

Scaling = Literal["share", "peak", "rate"]
SCALINGS: dict[str, str] = {
    "share": "a match's events add up to one",
    "peak": "a match's busiest spot is one",
    "rate": "a match's events a minute in the window",
}


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of match time on each match's own clock, in whole minutes."""

    kind: Literal["whole", "first", "last", "range"] = "whole"
    minutes: int = 0  # first, last
    start: int = 0  # range
    end: int = 0

    def slices(self, last_frame: int) -> tuple[int, int] | None:
        """First and last slice (both included) of a match that ended on `last_frame`; None when it has nothing
        there."""
        final = max(last_frame, 0) // FRAMES_PER_SLICE
        low, high = 0, final
        if self.kind == "first":
            high = min(high, self.minutes - 1)
        elif self.kind == "last":
            low = max(0, final - self.minutes + 1)
        elif self.kind == "range":
            low, high = self.start, min(high, self.end - 1)
        return (low, high) if low <= high else None

    def length(self, last_frame: int) -> float:
        """Minutes of the match inside the window."""
        found = self.slices(last_frame)
        if found is None:
            return 0.0
        low, high = found
        return (min((high + 1) * FRAMES_PER_SLICE, last_frame) - low * FRAMES_PER_SLICE) / FRAMES_PER_SLICE

    def __str__(self) -> str:
        return {
            "whole": "whole match",
            "first": f"first {self.minutes} min",
            "last": f"last {self.minutes} min",
            "range": f"{self.start} to {self.end} min",
        }[self.kind]


WHOLE = Window()


@dataclass(frozen=True, slots=True)
class Picture:
    """The mean over the matches with an event in the window; (cells,) arrays on the grid, row by row."""

    grid: Grid
    scaling: Scaling
    window: Window
    mean_scaled: npt.NDArray[np.float32]
    events: npt.NDArray[np.int64]  # unscaled
    matches: int  # given
    matches_in_layer: int  # with an event in the window, whose mean this is
    outside_window: int  # matches with no slice in the window
    empty: int  # matches in the window without an event of this layer


def match_events(
    layer: Layer,
    grid: Grid,
    window: Window,
    last_frame: int,
    definitions: npt.NDArray[np.bool_] | None = None,
) -> npt.NDArray[np.int64] | None:
    """One match's events by cell in the window: (cells,) or None when the match has no slice there.

    `definitions` (units + 1,) keeps only the buildings whose definition id it marks.
    """
    found = window.slices(last_frame)
    if found is None:
        return None
    # An event past the last frame (there is none in a sound file) belongs to the last slice: sums are kept.
    final = max(last_frame, 0) // FRAMES_PER_SLICE
    cell, count = layer.cell, layer.count
    keep = cell < grid.size
    if found != (0, final):
        when = np.minimum(layer.slice, final)
        keep &= (when >= found[0]) & (when <= found[1])
    if definitions is not None and layer.definition is not None:
        keep &= definitions[np.minimum(layer.definition, len(definitions) - 1)]
    if not keep.all():
        cell, count = cell[keep], count[keep]
    return np.bincount(cell, weights=count, minlength=grid.size).astype(np.int64)


def aggregate(
    grid: Grid,
    matches: Sequence[tuple[Layer, int]],
    *,
    scaling: Scaling = "share",
    window: Window = WHOLE,
    definitions: Sequence[npt.NDArray[np.bool_] | None] | None = None,
) -> Picture:
    """Average the scaled matches; each is its layer (counted on this grid) and its last frame."""
    total = np.zeros(grid.size)
    events = np.zeros(grid.size, np.int64)
    used = outside = empty = 0
    for position, (layer, last_frame) in enumerate(matches):
        one = match_events(layer, grid, window, last_frame, definitions[position] if definitions else None)
        if one is None or (scaling == "rate" and window.length(last_frame) <= 0):
            outside += 1
            continue
        if not (n := int(one.sum())):
            empty += 1
            continue
        used += 1
        events += one
        total += one / _scale(scaling, one, n, grid, window.length(last_frame))
    mean = (total / used if used else total).astype(np.float32)
    return Picture(grid, scaling, window, mean, events, len(matches), used, outside, empty)


def _scale(scaling: Scaling, one: npt.NDArray[np.int64], total: int, grid: Grid, minutes: float) -> float:
    if scaling == "share":
        return float(total)
    if scaling == "rate":
        return minutes
    return float(smooth(one.reshape(grid.height, grid.width).astype(np.float64)).max())

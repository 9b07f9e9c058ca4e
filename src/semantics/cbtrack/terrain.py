"""The terrain rows of a match, and the way from one frame to another.

Source: seed 000, "Terrain chunk"; decision 38 of facts/cbtrack-notes.md: "before the first frame" is None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.formats.cbtrack import Header
from ksreplay.semantics.cbtrack.model import Terrain

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Steps:
    """Heights to set, in this order: heightmap corners ``x`` ``z`` and ``height`` in elmos (float64)."""

    x: Array
    z: Array
    height: Array

    def __len__(self) -> int:
        return len(self.x)

    def last(self) -> Steps:
        """The last height of each point, sorted by z and x."""
        point = (self.z.astype(np.int64) << 16) | self.x
        _, at = np.unique(point[::-1], return_index=True)
        keep = len(point) - 1 - at
        return Steps(self.x[keep], self.z[keep], self.height[keep])


def between(rows: Callable[[int], Terrain | None], header: Header, start: float | None, end: float | None) -> Steps:
    """The heights to set to go from frame ``start`` to ``end``, forward or backward; None is the map before the first
    frame. ``rows(k)`` gives the terrain of window ``k``; only the windows between the two frames are asked for."""
    if start == end or (start is None and end is None):
        return _steps([], [], [], header.position_step)
    forward = start is None or (end is not None and end > start)
    low, high = (start, end) if forward else (end, start)
    assert high is not None  # not both are None, and None is below every frame
    first = 0 if low is None else header.window_of(low)
    chosen = []
    for k in range(first, header.window_of(high) + 1):
        terrain = rows(k)
        if terrain is None or not len(terrain):
            continue
        # frames rise within a chunk, so the rows with low < frame <= high are one slice
        a = 0 if low is None else int(np.searchsorted(terrain.frame, low, side="right"))
        b = int(np.searchsorted(terrain.frame, high, side="right"))
        if a < b:
            chosen.append((terrain, a, b))
    order = slice(None) if forward else slice(None, None, -1)
    if not forward:
        chosen.reverse()
    return _steps(
        [terrain.x[a:b][order] for terrain, a, b in chosen],
        [terrain.z[a:b][order] for terrain, a, b in chosen],
        [(terrain.after if forward else terrain.before)[a:b][order] for terrain, a, b in chosen],
        header.position_step,
    )


def _steps(x: list[Array], z: list[Array], height: list[Array], step: float) -> Steps:
    if not height:
        return Steps(np.zeros(0, np.uint16), np.zeros(0, np.uint16), np.zeros(0))
    return Steps(np.concatenate(x), np.concatenate(z), np.concatenate(height) * step)

"""Terrain rows for a writer: at most one a point and frame, none that rounds to nothing, heights that follow.

Source: seed 000, "Terrain chunk", the three rules; decision 41 of facts/cbtrack-notes.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.formats.cbtrack import FORMAT, Header
from ksreplay.semantics.cbtrack import given, rules, steps
from ksreplay.semantics.cbtrack.model import Terrain

Array = npt.NDArray[Any]


class TerrainRecord:
    """Collects changes in any order and gives the rows of each window."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._given: list[tuple[Array, ...]] = []
        self._made: tuple[Array, ...] | None = None

    def add(
        self, frames: npt.ArrayLike, x: npt.ArrayLike, z: npt.ArrayLike, height: npt.ArrayLike, own: npt.ArrayLike
    ) -> None:
        """Heights in elmos; ``own``: the map's own height of each corner."""
        header = self._header
        frame, column, row = (
            given.whole(values, low, high, f"terrain.{name}")
            for name, values, low, high in (
                ("frames", frames, header.first_frame, header.last_frame),
                ("x", x, 0, 65_535),
                ("z", z, 0, 65_535),
            )
        )
        heights = [
            np.atleast_1d(steps.in_steps(values, header.position_shift, f"terrain.{name}"))
            for name, values in (("height", height), ("map_height", own))
        ]
        for name, array in zip(("x", "z", "height", "map_height"), (column, row, *heights), strict=True):
            if array.shape != frame.shape:
                raise rules.VALUES.failure(FORMAT, where=f"terrain.{name}", found=len(array), expected=len(frame))
        self._given.append((frame, column, row, *heights))
        self._made = None

    def rows(self) -> tuple[Array, ...]:
        """Frame, x, z, before and after of every row of the match, in order of frame, z and x."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def _make(self) -> tuple[Array, ...]:
        if not self._given:
            return (np.zeros(0, np.int64),) * 5
        frame, x, z, after, own = (np.concatenate(parts) for parts in zip(*self._given, strict=True))
        point = z << 16 | x
        order = np.lexsort((frame, point))  # stable: of several heights in a frame the last given comes last
        frame, point, after, own = frame[order], point[order], after[order], own[order]
        last = np.append((frame[1:] != frame[:-1]) | (point[1:] != point[:-1]), True)
        # the map's own height is the one given with a point's first row
        first_given = np.append(True, point[1:] != point[:-1])
        start = own[first_given]
        counts = np.diff(np.append(np.flatnonzero(first_given), len(point)))
        start = np.repeat(start, counts)[last]
        frame, point, after = frame[last], point[last], after[last]
        is_first = np.append(True, point[1:] != point[:-1])
        before = np.where(is_first, start, np.append(0, after[:-1]))
        changed = before != after
        frame, point, before, after = frame[changed], point[changed], before[changed], after[changed]
        order = np.lexsort((point, frame))
        point = point[order]
        return frame[order], point & 0xFFFF, point >> 16, before[order], after[order]

    def window(self, k: int) -> Terrain | None:
        """The rows of window ``k``: after its first frame up to its last, in window 0 from its first frame on."""
        frame, x, z, before, after = self.rows()
        start, end = self._header.window_start(k), self._header.window_end(k)
        low = int(np.searchsorted(frame, start, side="left" if k == 0 else "right"))
        high = int(np.searchsorted(frame, end, side="right"))
        if low == high:
            return None
        part = slice(low, high)
        return Terrain(
            k,
            frame[part],
            x[part].astype(np.uint16),
            z[part].astype(np.uint16),
            before[part].astype(np.int32),
            after[part].astype(np.int32),
        )

"""The grid of 256 cells that every density is counted on, and layers of counts by cell and minute (spring-analysis
3.4).

What is off the map is counted and dropped, never moved onto its edge.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

CELLS = 256  # along the map's longer side
FRAMES_PER_SLICE = 1800  # a minute
MAX_SIDE = 1 << 20  # elmos; the engine's largest maps have 32,768
_MAX_COUNT = 65535
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Grid:
    """A map of `map_width` x `map_height` elmos, cut into cells; a cell's number is row * width + column."""

    map_width: float
    map_height: float
    cells_along: int = CELLS  # along the longer side

    @property
    def valid(self) -> bool:
        """Whether it is a map at all: sides above 0 and of a size that a map can have."""
        return all(0 < side <= MAX_SIDE for side in (self.map_width, self.map_height))

    @property
    def width(self) -> int:
        return self._cells(self.map_width)

    @property
    def height(self) -> int:
        return self._cells(self.map_height)

    @property
    def size(self) -> int:
        return self.width * self.height

    def _cells(self, side: float) -> int:
        longer = max(self.map_width, self.map_height)
        return max(1, int(np.floor(self.cells_along * side / longer + 0.5))) if self.valid else 0

    def cells(self, x: npt.ArrayLike, z: npt.ArrayLike) -> IntArray:
        """The cell of each place, -1 off the map and for NaN. `x`, `z`: (n,) elmos from west and north."""
        px, pz = np.asarray(x, np.float64), np.asarray(z, np.float64)
        if not self.valid:
            return np.full(px.shape, -1, np.int64)
        with np.errstate(invalid="ignore"):
            on_map = (px >= 0) & (pz >= 0) & (px <= self.map_width) & (pz <= self.map_height)
        sx, sz = np.where(on_map, px, 0.0), np.where(on_map, pz, 0.0)
        column = np.minimum((sx / self.map_width * self.width).astype(np.int64), self.width - 1)
        row = np.minimum((sz / self.map_height * self.height).astype(np.int64), self.height - 1)
        return np.where(on_map, row * self.width + column, -1)

    def middles(self, cell: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The middle of each cell in elmos from west and north."""
        c = np.asarray(cell, np.int64)
        width, height = max(self.width, 1), max(self.height, 1)
        return ((c % width) + 0.5) * self.map_width / width, ((c // width) + 0.5) * self.map_height / height


@dataclass(frozen=True, slots=True)
class Layer:
    """Counts by minute and cell (and unit, for buildings), sorted by slice, cell, definition; arrays (entries,)."""

    name: str
    cell: npt.NDArray[np.uint32]
    slice: npt.NDArray[np.uint16]
    count: npt.NDArray[np.uint16]
    definition: npt.NDArray[np.uint32] | None = None
    off_map: int = 0  # events with a place that is not on the map
    left_out: dict[str, int] = field(default_factory=dict)  # reason -> events without a place

    @property
    def total(self) -> int:
        return int(self.count.sum(dtype=np.int64))

    @property
    def entries(self) -> int:
        return len(self.cell)


def slices(frame: npt.ArrayLike) -> IntArray:
    """The minute of each frame; what came before the game is in the first."""
    minute: IntArray = np.asarray(frame, np.int64).clip(0) // FRAMES_PER_SLICE
    return minute.clip(None, _MAX_COUNT)


def count_layer(
    name: str,
    grid: Grid,
    frame: npt.ArrayLike,
    x: npt.ArrayLike,
    z: npt.ArrayLike,
    definition: npt.ArrayLike | None = None,
    left_out: dict[str, int] | None = None,
) -> Layer:
    """Count events (n,) into cells and minutes. A count above 65,535 takes more than one entry."""
    cell = grid.cells(x, z)
    on_map = cell >= 0
    keys = [slices(frame)[on_map], cell[on_map]]
    if definition is not None:
        keys.append(np.asarray(definition, np.int64)[on_map])
    order = np.lexsort(keys[::-1])
    columns = [k[order] for k in keys]
    new = np.ones(len(order), bool)
    if len(order) > 1:
        new[1:] = np.any([c[1:] != c[:-1] for c in columns], axis=0)
    at = np.flatnonzero(new)
    counts = np.diff(np.append(at, len(order)))
    repeats = (counts + _MAX_COUNT - 1) // _MAX_COUNT
    row = np.repeat(at, repeats)
    count = np.full(len(row), _MAX_COUNT, np.int64)
    last = np.cumsum(repeats) - 1
    count[last] = counts - (repeats - 1) * _MAX_COUNT
    return Layer(
        name=name,
        cell=columns[1][row].astype(np.uint32),
        slice=columns[0][row].astype(np.uint16),
        count=count.astype(np.uint16),
        definition=columns[2][row].astype(np.uint32) if definition is not None else None,
        off_map=int((~on_map).sum()),
        left_out=left_out or {},
    )


def field_of(grid: Grid, x: npt.ArrayLike, z: npt.ArrayLike, weight: npt.ArrayLike | None = None) -> FloatArray:
    """Events as a (height, width) field for display: each is split over the four nearest cell centres, then smoothed.

    Display only: counts come from `count_layer`.
    """
    px, pz = np.asarray(x, np.float64), np.asarray(z, np.float64)
    on_map = grid.cells(px, pz) >= 0
    w = np.ones(len(px)) if weight is None else np.asarray(weight, np.float64)
    fx = px[on_map] / grid.map_width * grid.width - 0.5
    fz = pz[on_map] / grid.map_height * grid.height - 0.5
    flat = np.zeros(grid.size)
    for dx in (0, 1):
        for dz in (0, 1):
            cx, cz = np.floor(fx).astype(np.int64) + dx, np.floor(fz).astype(np.int64) + dz
            share = np.abs(1 - dx - (fx - np.floor(fx))) * np.abs(1 - dz - (fz - np.floor(fz)))
            # A centre past the edge gives its share to the edge's centre: nothing is lost.
            cx, cz = np.clip(cx, 0, grid.width - 1), np.clip(cz, 0, grid.height - 1)
            flat += np.bincount(cz * grid.width + cx, weights=share * w[on_map], minlength=grid.size)
    return smooth(flat.reshape(grid.height, grid.width))


def smoothing(width: int, height: int) -> tuple[float, float]:
    """Radius and sigma of the display's Gaussian in cells: the shorter side / 32, and radius / 2.5."""
    radius = max(min(width, height) / 32, 1.0)
    return radius, radius / 2.5


def smooth(values: FloatArray) -> FloatArray:
    """A (height, width) field under a separable Gaussian whose peak is 1: a cell then holds what lies near it."""
    height, width = values.shape
    if not values.size:
        return values
    radius, sigma = smoothing(width, height)
    reach = int(np.ceil(radius))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    padded = np.pad(values, ((reach, reach), (0, 0)))
    rows = sum(kernel[i] * padded[i : i + height] for i in range(len(kernel)))
    padded = np.pad(np.asarray(rows), ((0, 0), (reach, reach)))
    return np.asarray(sum(kernel[i] * padded[:, i : i + width] for i in range(len(kernel))), np.float64)

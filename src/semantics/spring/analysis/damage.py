"""Damage by cell from a log's damage lines (spring-analysis 1.1, 1.4).

What a hit took off a unit, added up a stretch of frames: not the trailer's damage, which the engine counts by another
rule (seed 002 "Why two numbers may not match").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.spring.analysis.event_log import EventLog

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DamageCells:
    """One row a line and cell; `line` is the row's damage line."""

    line: IntArray
    cell: IntArray
    amount: FloatArray


@dataclass(frozen=True, slots=True)
class DamageLayer:
    """Damage in a window of frames on the log's own grid."""

    width: int
    height: int
    lines: int  # damage lines in the window
    landed: DamageCells  # where the units hit stood
    origin: DamageCells  # where their attackers stood
    unattacked: float  # landed damage no unit is named for: it has no origin
    own: float  # landed damage of a team to its own units
    off_map: float  # damage to units off the map; in no cell
    skipped: int  # cell entries that are no cell of the grid, or no damage


def cell_rows(cells: npt.NDArray[np.object_], size: int) -> tuple[DamageCells, int]:
    """The lists `cell, amount, ...` of many lines as rows, with the number of entries left out.

    Left out: a cell that is negative, fractional or past the grid of `size` cells, an amount that is not above 0.
    """
    lengths = np.fromiter((len(c) for c in cells), np.int64, len(cells))
    flat = np.fromiter((v for c in cells for v in c), np.float64, int(lengths.sum())).reshape(-1, 2)
    line = np.repeat(np.arange(len(cells)), lengths // 2)
    cell, amount = flat[:, 0], flat[:, 1]
    with np.errstate(invalid="ignore"):
        good = (cell >= 0) & (cell < size) & (cell == np.floor(cell)) & (amount > 0) & np.isfinite(amount)
    return DamageCells(line[good], cell[good].astype(np.int64), amount[good]), int((~good).sum())


def damage_layer(log: EventLog, first: int | None = None, last: int | None = None) -> DamageLayer:
    """Damage of the stretches that begin on the frames `first` .. `last` (both included); each is kept or dropped
    whole."""
    header = log.header or {}
    width, height = max(header.get("gridWidth") or 0, 0), max(header.get("gridHeight") or 0, 0)
    frame = log.array("damage", "frame")
    keep = np.ones(len(frame), bool)
    if first is not None:
        keep &= frame >= first
    if last is not None:
        keep &= frame <= last
    landed, skipped = cell_rows(log.array("damage", "at")[keep], width * height)
    origin, skipped_origin = cell_rows(log.array("damage", "origin")[keep], width * height)
    nobody = ~log.present("damage", "team")[keep]
    own = ~nobody & (log.array("damage", "team")[keep] == log.array("damage", "target")[keep])
    return DamageLayer(
        width=width,
        height=height,
        lines=int(keep.sum()),
        landed=landed,
        origin=origin,
        unattacked=float(landed.amount[nobody[landed.line]].sum()),
        own=float(landed.amount[own[landed.line]].sum()),
        off_map=float(np.nansum(log.array("damage", "off")[keep])),
        skipped=skipped + skipped_origin,
    )


def by_cell(cells: DamageCells) -> tuple[IntArray, FloatArray]:
    """The cells with damage, ascending, and the sum in each."""
    found, row = np.unique(cells.cell, return_inverse=True)
    return found, np.bincount(row, weights=cells.amount, minlength=len(found)).astype(np.float64)

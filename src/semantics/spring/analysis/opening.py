"""A player's first build orders, folded, and what the ordered would cost (seed 002 "Folded opening"; spring-analysis
3.7).

Orders are not purchases: a cancelled order counts and a queue removal is not subtracted.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.spring.builds import SLOTS

FRAMES_PER_MINUTE = 1800
_CONTINUES = SLOTS.index("append")
_REPLACES = SLOTS.index("replace")


@dataclass(frozen=True, slots=True)
class Opening:
    """Folded entries of one or more seats, in order; all arrays are (entries,)."""

    seat: npt.NDArray[np.int64]
    definition: npt.NDArray[np.int64]  # unit definition id
    count: npt.NDArray[np.int64]  # units asked for
    orders: npt.NDArray[np.int64]  # orders folded into the entry
    frame: npt.NDArray[np.int64]  # of the first of them


def fold(
    seat: npt.ArrayLike,
    frame: npt.ArrayLike,
    definition: npt.ArrayLike,
    count: npt.ArrayLike,
    slot: npt.ArrayLike,
    origin: npt.ArrayLike,
) -> Opening:
    """Fold consecutive build orders of a seat. All (n,) integers in stream order; `slot` indexes `SLOTS`.

    An order continues the entry before it when it asks for the same unit, is appended, comes after an order that was
    appended or replaced the queue, and has the same kind of origin.
    """
    columns = [np.asarray(a, np.int64) for a in (seat, frame, definition, count, slot, origin)]
    order = np.argsort(columns[0], kind="stable")
    seats, frames, defs, counts, slots, origins = (c[order] for c in columns)
    n = len(seats)
    start = np.ones(n, bool)
    if n > 1:
        start[1:] = (
            (seats[1:] != seats[:-1])
            | (defs[1:] != defs[:-1])
            | (origins[1:] != origins[:-1])
            | (slots[1:] != _CONTINUES)
            | ((slots[:-1] != _CONTINUES) & (slots[:-1] != _REPLACES))
        )
    at = np.flatnonzero(start)
    return Opening(
        seat=seats[at],
        definition=defs[at],
        count=np.add.reduceat(counts, at) if n else counts,
        orders=np.diff(np.append(at, n)),
        frame=frames[at],
    )


def cut_minutes(text: str) -> float | None:
    """The number of minutes a reader typed, or None for no cut: empty, no number, negative."""
    if not re.fullmatch(r"\s*\d+(\.\d*)?|\s*\.\d+", text.rstrip()):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def up_to(frame: npt.ArrayLike, minutes: float | None) -> npt.NDArray[np.bool_]:
    """Which orders are inside the first `minutes` (the frame of the cut included, pregame included): (n,) bool."""
    f = np.asarray(frame)
    return np.ones(len(f), bool) if minutes is None else f <= minutes * FRAMES_PER_MINUTE


@dataclass(frozen=True, slots=True)
class Cost:
    """What the orders name: metal and energy apart, and the units without any price."""

    metal: float
    energy: float
    unpriced: int


def cost(definition: npt.ArrayLike, count: npt.ArrayLike, metal: npt.ArrayLike, energy: npt.ArrayLike) -> Cost:
    """Price orders by a unit list: `metal` and `energy` are (units,) float64 with NaN where the list states none.

    Definition id n is entry n - 1. A unit past the list, or with neither price, counts as unpriced.
    """
    d = np.asarray(definition, np.int64)
    c = np.asarray(count, np.float64)
    m, e = (_priced(d, np.asarray(costs, np.float64)) for costs in (metal, energy))
    nothing = np.isnan(m) & np.isnan(e)
    return Cost(float(np.nansum(m * c)), float(np.nansum(e * c)), int(c[nothing].sum()))


def _priced(definition: npt.NDArray[np.int64], costs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The cost of each definition id (n,), NaN for 0, past the end and unpriced."""
    listed = (definition >= 1) & (definition <= len(costs))
    padded = np.append(costs, np.nan)
    return padded[np.where(listed, definition - 1, len(costs))]

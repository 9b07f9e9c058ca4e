"""Whether a unit list fits the units ordered, and what became of them (spring-analysis 3.6).

The orders themselves are added up in `semantics.spring.builds`. They are orders, not units built.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]


def misfits(definition: npt.ArrayLike, placed: npt.ArrayLike, queued: npt.ArrayLike, mobile: npt.ArrayLike) -> int:
    """How many orders contradict a unit list, given each unit's number of placed and queued orders (rows,).

    A placed order names a unit that does not move, a factory order one that does, and no id is 0 or past the list.
    `mobile` is (units,) bool of the list. The engine's own list is not checked this way.
    """
    d = np.asarray(definition, np.int64)
    p, q = np.asarray(placed, np.int64), np.asarray(queued, np.int64)
    moves = np.asarray(mobile, bool)
    listed = (d >= 1) & (d <= len(moves))
    movable = np.append(moves, False)[np.where(listed, d - 1, len(moves))]
    return int(np.where(listed, np.where(movable, p, q), p + q).sum())


@dataclass(frozen=True, slots=True)
class Outcome:
    """Finished and died by team and unit of one analysed match; arrays (rows,), sorted by team and unit."""

    team: IntArray
    definition: IntArray
    finished: IntArray
    died: IntArray


def finished_and_died(
    finished_unit: npt.ArrayLike, finished_def: npt.ArrayLike, finished_team: npt.ArrayLike, finished_at: npt.ArrayLike,
    destroyed_unit: npt.ArrayLike, destroyed_def: npt.ArrayLike, destroyed_team: npt.ArrayLike, destroyed_at:
    npt.ArrayLike,
) -> Outcome:  # fmt: skip
    """Count `unit_finished` lines, and `unit_destroyed` lines of units known finished at that moment.

    `*_at` is the position of a line in the log. A unit id is forgotten at its death, because the engine uses ids again.
    """
    fu, fd, ft, fa = (np.asarray(x, np.int64) for x in (finished_unit, finished_def, finished_team, finished_at))
    du, dd, dt, da = (np.asarray(x, np.int64) for x in (destroyed_unit, destroyed_def, destroyed_team, destroyed_at))
    # Lines of one unit in log order: a death counts when the line before it (of the same unit) is a finish.
    unit, at = np.concatenate((fu, du)), np.concatenate((fa, da))
    death = np.concatenate((np.zeros(len(fu), bool), np.ones(len(du), bool)))
    order = np.lexsort((at, unit))
    counted = np.zeros(len(unit), bool)
    u, d = unit[order], death[order]
    counted[order[1:]] = d[1:] & ~d[:-1] & (u[1:] == u[:-1])
    real = counted[len(fu) :]
    teams, defs = np.concatenate((ft, dt[real])), np.concatenate((fd, dd[real]))
    keys, row = np.unique(np.stack((teams, defs)), axis=1, return_inverse=True)
    row = row.reshape(-1)
    n = keys.shape[1]
    return Outcome(keys[0], keys[1], np.bincount(row[: len(ft)], minlength=n), np.bincount(row[len(ft) :], minlength=n))

"""The value of living units over time, from the finished, destroyed and given lines of a log (spring-analysis 3.9).

A unit counts from when it is finished to when it is destroyed, and moves with the line that gives it away; one being
built counts nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ksreplay.errors import LimitExceeded
from ksreplay.semantics.spring.analysis.classifier import CATEGORIES
from ksreplay.semantics.spring.analysis.event_log import EventLog
from ksreplay.semantics.spring.analysis.unit_list import UnitList

MAX_FIGURES = 4_000_000  # eight hours of 255 teams, every 15 seconds
_FINISHED, _GIVEN, _DESTROYED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Living:
    """What lived at each sample: (samples, teams, categories) arrays, categories in the order of `CATEGORIES`."""

    seconds: npt.NDArray[np.float64]  # (samples,)
    team: npt.NDArray[np.int64]  # (teams,)
    units: npt.NDArray[np.int64]
    metal: npt.NDArray[np.float64]
    energy: npt.NDArray[np.float64]
    unpriced: int  # finished units of which the list states no cost


@dataclass(frozen=True, slots=True)
class Changes:
    """Steps of the living: at `frame`, `team` has `change` (+1 or -1) of `definition`; all (n,)."""

    frame: npt.NDArray[np.int64]
    team: npt.NDArray[np.int64]
    definition: npt.NDArray[np.int64]
    change: npt.NDArray[np.int64]


def changes(log: EventLog) -> Changes:
    """Every +1 and -1 of living units. Deaths and gifts of a unit that was never finished change nothing."""
    kinds = (("unit_finished", _FINISHED), ("unit_given", _GIVEN), ("unit_destroyed", _DESTROYED))
    what = np.concatenate([np.full(len(log.where[kind]), code) for kind, code in kinds])
    unit, frame, team, definition = (
        np.concatenate([log.array(kind, key) for kind, _ in kinds]) for key in ("unit", "frame", "team", "def")
    )
    at = np.concatenate([np.asarray(log.where[kind], np.int64) for kind, _ in kinds])
    order = np.lexsort((at, unit))
    what, unit, frame, team, definition = (a[order] for a in (what, unit, frame, team, definition))
    n = len(unit)
    # Alive before a line: the unit was finished and not destroyed since (destruction ends a life, an id may start
    # another).
    life = np.cumsum(np.concatenate(([True], (unit[1:] != unit[:-1]) | (what[:-1] == _DESTROYED)))) if n else unit
    first = np.full(int(life[-1]) + 1 if n else 1, n)
    done = np.flatnonzero(what == _FINISHED)
    np.minimum.at(first, life[done], done)
    row = np.arange(n)
    begins = (what == _FINISHED) & (row == first[life])
    alive = row > first[life]
    # Each later line of a life ends what the line before it said, and says it anew unless it is the death.
    before = np.maximum(row - 1, 0)
    enters = begins | (alive & (what != _DESTROYED))
    plus, minus = np.flatnonzero(enters), np.flatnonzero(alive)
    return Changes(
        frame=np.concatenate((frame[plus], frame[minus])),
        team=np.concatenate((team[plus], team[before[minus]])),
        definition=np.concatenate((definition[plus], definition[before[minus]])),
        change=np.concatenate((np.ones(len(plus), np.int64), -np.ones(len(minus), np.int64))),
    )


def living_value(log: EventLog, units: UnitList, *, period_seconds: float, end_seconds: float) -> Living:
    """Sample the living at 0, one period, two ... up to the end; what happens on the frame of a sample is in it."""
    step = changes(log)
    n_samples = int(max(end_seconds, 0) // period_seconds) + 1 if period_seconds > 0 else 0
    seconds = np.arange(n_samples, dtype=np.float64) * np.float64(period_seconds)
    teams, team_row = np.unique(step.team, return_inverse=True)
    listed = (step.definition >= 1) & (step.definition <= len(units))
    entry = np.where(listed, step.definition - 1, len(units))
    category = np.append(units.categories, CATEGORIES.index("unclassified"))[entry].astype(np.int64)
    sample = np.searchsorted(seconds, np.maximum(step.frame, 0) / 30.0, side="left")
    inside = sample < n_samples
    shape = (n_samples, len(teams), len(CATEGORIES))
    if n_samples * len(teams) * len(CATEGORIES) > MAX_FIGURES:
        raise LimitExceeded(
            "the living value of so many teams over so long a time is no match's", code="living-value",
            format="event log", found=n_samples * len(teams) * len(CATEGORIES), expected=MAX_FIGURES,
        )  # fmt: skip
    cell = (
        np.ravel_multi_index((sample[inside], team_row[inside], category[inside]), shape)
        if inside.any()
        else np.zeros(0, np.int64)
    )

    def total(weight: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        steps = np.bincount(cell, weights=weight[inside], minlength=int(np.prod(shape))).reshape(shape)
        return np.asarray(np.cumsum(steps, axis=0), np.float64)

    metal = np.append(units.metal, np.nan)[entry]
    energy = np.append(units.energy, np.nan)[entry]
    unpriced = (step.change > 0) & np.isnan(metal) & np.isnan(energy)
    sign = step.change.astype(np.float64)
    return Living(
        seconds,
        teams,
        total(sign).astype(np.int64),
        total(np.nan_to_num(metal) * sign),
        total(np.nan_to_num(energy) * sign),
        int(unpriced.sum()),
    )

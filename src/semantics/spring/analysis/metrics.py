"""The metric registry: what the trailer's team samples hold, as data (seed 002 "The metric registry"; spring-analysis
3.9).

Everything that shows a figure is built from `METRICS` and `RATIOS`: adding a metric is one line here.
The order is that of the fields in a trailer sample; field 0 is the frame, which is the x axis and no metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

Unit = Literal["metal", "energy", "damage", "count"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One running total of a trailer sample. `key` is Coilbox's, `column` the one in the table `team_statistics`."""

    key: str
    label: str
    unit: Unit
    group: Literal["economy", "military", "units"]
    chart: bool = True
    roster: bool = False
    headline: bool = False
    column: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "column", "".join(f"_{c.lower()}" if c.isupper() else c for c in self.key))

    @property
    def integer(self) -> bool:
        """Stored as int32 in the trailer (the unit counts); the others are float32."""
        return self.key.startswith("units")


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two metrics of one match; aggregated as the mean of each match's ratio, never as ratio of sums."""

    key: str
    label: str
    numerator: str
    denominator: str


METRICS: tuple[Metric, ...] = (
    Metric("metalUsed", "Metal used", "metal", "economy"),
    Metric("energyUsed", "Energy used", "energy", "economy"),
    Metric("metalProduced", "Metal produced", "metal", "economy", roster=True),
    Metric("energyProduced", "Energy produced", "energy", "economy", roster=True),
    Metric("metalExcess", "Metal excess", "metal", "economy"),
    Metric("energyExcess", "Energy excess", "energy", "economy"),
    Metric("metalReceived", "Metal received", "metal", "economy"),
    Metric("energyReceived", "Energy received", "energy", "economy"),
    Metric("metalSent", "Metal sent", "metal", "economy"),
    Metric("energySent", "Energy sent", "energy", "economy"),
    Metric("damageDealt", "Damage dealt", "damage", "military", roster=True, headline=True),
    Metric("damageReceived", "Damage received", "damage", "military", roster=True),
    Metric("unitsProduced", "Units built", "count", "units", roster=True, headline=True),
    Metric("unitsDied", "Units lost", "count", "units", roster=True),
    Metric("unitsReceived", "Units received", "count", "units", chart=False),
    Metric("unitsSent", "Units given away", "count", "units", chart=False),
    Metric("unitsCaptured", "Units captured", "count", "units", chart=False),
    Metric("unitsOutCaptured", "Units lost to capture", "count", "units", chart=False),
    Metric("unitsKilled", "Units killed", "count", "military", roster=True),
)
BY_KEY: dict[str, Metric] = {metric.key: metric for metric in METRICS}
# Coilbox's key of this ratio is not public; the definition is (seed 002 "Why two numbers may not match").
RATIOS: tuple[Ratio, ...] = (Ratio("unitsDiedPerKilled", "Units lost per unit killed", "unitsDied", "unitsKilled"),)


def library_total(value: float) -> int:
    """A total as the library keeps it: a whole number, halves away from zero (seed: "the library keeps totals
    rounded")."""
    return int(np.floor(abs(value) + 0.5)) * (-1 if value < 0 else 1)


def match_figure(metric: Metric, totals: Mapping[int, float], team: int | None = None) -> float | None:
    """One figure for a match from each engine team's total, or None when unknown.

    The whole match's figure is the best single army's for metal and energy and the sum of all armies' for damage and
    counts; with `team` it is that army's own. Unknown is not 0.
    """
    if team is not None:
        return totals.get(team)
    if not totals:
        return None
    return max(totals.values()) if metric.unit in ("metal", "energy") else sum(totals.values())


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean and median over matches, with what was left out of them."""

    matches: int
    mean: float | None
    median: float | None
    no_figure: int = 0
    no_denominator: int = 0


def summarise(values: npt.ArrayLike, *, no_figure: int = 0, no_denominator: int = 0) -> Summary:
    """The mean of each match's own value, with the median beside it; `values` is (n,) float64 without nulls."""
    array = np.asarray(values, np.float64)
    if not len(array):
        return Summary(0, None, None, no_figure, no_denominator)
    return Summary(len(array), float(array.mean()), float(np.median(array)), no_figure, no_denominator)


def per_minute_summary(figures: Sequence[float | None], seconds: Sequence[float]) -> Summary:
    """Each match's figure per minute of that match, then their mean and median. No figure or no length: left out."""
    rates = [f * 60.0 / s for f, s in zip(figures, seconds, strict=True) if f is not None and s > 0]
    return summarise(rates, no_figure=len(figures) - len(rates))


def ratio_summary(numerators: Sequence[float | None], denominators: Sequence[float | None]) -> Summary:
    """Each match's own ratio, then mean and median. A denominator of 0 has no ratio and is counted by itself."""
    pairs = list(zip(numerators, denominators, strict=True))
    known = [(n, d) for n, d in pairs if n is not None and d is not None]
    ratios = [n / d for n, d in known if d != 0]
    return summarise(ratios, no_figure=len(pairs) - len(known), no_denominator=len(known) - len(ratios))

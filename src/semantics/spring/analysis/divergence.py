"""Does the event log of a run reproduce the match the demo's trailer recorded? (seed 002; spring-analysis 2)

No tolerance anywhere: totals are compared as the float32 the engine stored, NaN equal to NaN. The check answers for
what Coilbox records and not for every value the simulation holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ksreplay.semantics.spring.analysis.event_log import EventLog
from ksreplay.semantics.spring.analysis.metrics import METRICS

DESYNC_MARK = "[DESYNC WARNING]"


@dataclass(frozen=True, slots=True)
class TeamRecord:
    """A team of the trailer: how many samples, and the last one's totals by metric key."""

    samples: int
    totals: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the demo recorded: the trailer's winners and teams (by number), and the header's whole seconds."""

    winners: Sequence[int]
    seconds: int
    teams: Sequence[TeamRecord]

    @property
    def checkable(self) -> bool:
        """Whether there is anything to check a run against: a team, and a sample for every team."""
        return bool(self.teams) and all(team.samples >= 1 for team in self.teams)


@dataclass(frozen=True, slots=True)
class Disagreement:
    figure: str
    recorded: str
    observed: str
    team: int | None = None
    difference: float | None = None  # observed - recorded

    def to_dict(self) -> dict[str, Any]:
        pairs = {"figure": self.figure, "team": self.team, "recorded": self.recorded, "observed": self.observed,
                 "difference": self.difference}  # fmt: skip
        return {key: value for key, value in pairs.items() if value is not None}


# Counts of lines that the trailer also holds: figure, metric of the trailer. A capture is not also a gift. The first
# logger wrote no unit_given lines, so its logs are checked on the first two only.
# The names of the last four are ours (spring-analysis 2.7 knows the rule and not the names).
LINE_COUNTS: tuple[tuple[str, str], ...] = (
    ("unitCreatedLines", "unitsProduced"),
    ("unitDestroyedLines", "unitsDied"),
    ("unitGivenToLines", "unitsReceived"),
    ("unitGivenFromLines", "unitsSent"),
    ("unitCapturedByLines", "unitsCaptured"),
    ("unitCapturedFromLines", "unitsOutCaptured"),
)


@dataclass
class _Findings:
    found: list[Disagreement] = field(default_factory=list)

    def compare(
        self, figure: str, recorded: float, observed: float, team: int | None = None, *, integer: bool = True
    ) -> None:
        a, b = (np.float64(recorded), np.float64(observed)) if integer else (np.float32(recorded), np.float32(observed))
        if a == b or (np.isnan(a) and np.isnan(b)):
            return
        self.found.append(Disagreement(figure, _text(a, integer), _text(b, integer), team, float(b) - float(a)))


def _text(value: np.floating[Any], integer: bool) -> str:
    if np.isnan(value) or np.isinf(value):
        return str(float(value))
    if integer or float(value).is_integer():
        return str(int(value))
    return np.format_float_positional(value, unique=True, trim="-")


def check(log: EventLog, recorded: Recorded, *, engine_output: str = "") -> list[Disagreement]:
    """Every figure on which a run's log and a demo's trailer disagree, in the order of the fact sheet; [] = reproduced.

    Call it only where `recorded.checkable`; `engine_output` is searched for desync warnings.
    """
    over = log.game_over
    if over is None:
        return [Disagreement("gameOver", "1", "0")]
    out = _Findings()
    out.compare("desyncWarnings", 0, engine_output.count(DESYNC_MARK))
    winners, observed = sorted(recorded.winners), sorted(over["winners"])
    if winners != observed:
        out.found.append(Disagreement("winners", ", ".join(map(str, winners)), ", ".join(map(str, observed))))
    out.compare("gameSeconds", recorded.seconds, (over["frame"] or 0) // 30)
    out.compare("teams", len(recorded.teams), len(over["teams"]))
    by_team = {team["team"]: team for team in reversed(over["teams"])}
    lines = _line_counts(log)
    for number, record in enumerate(recorded.teams):
        run = by_team.get(number)
        out.compare("samples", record.samples, run["samples"] if run else 0, number)
        if run is None:
            continue
        for metric in METRICS:
            value = run[metric.key]
            out.compare(
                metric.key, record.totals[metric.key], 0 if value is None else value, number, integer=metric.integer
            )
        for figure, key in LINE_COUNTS if log.logger_version >= 2 else LINE_COUNTS[:2]:
            out.compare(figure, record.totals[key], lines[figure].get(number, 0), number)
    return out.found


def _line_counts(log: EventLog) -> dict[str, dict[int, int]]:
    """Lines by figure and team."""
    captured = log.array("unit_given", "captured")
    to, left = log.array("unit_given", "team"), log.array("unit_given", "from")
    teams = {
        "unitCreatedLines": log.array("unit_created", "team"),
        "unitDestroyedLines": log.array("unit_destroyed", "team"),
        "unitGivenToLines": to[~captured], "unitGivenFromLines": left[~captured],
        "unitCapturedByLines": to[captured], "unitCapturedFromLines": left[captured],
    }  # fmt: skip
    return {
        figure: dict(zip(*(x.tolist() for x in np.unique(t, return_counts=True)), strict=True))
        for figure, t in teams.items()
    }

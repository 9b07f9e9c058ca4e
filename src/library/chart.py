"""The match chart of one demo as Coilbox's CSV: one metric over time, a column a player or a side."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from ksreplay.replay import Replay
from ksreplay.replays.spring_derived import match_of, samples_of
from ksreplay.semantics.spring.analysis.csv_exports import Line, match_csv
from ksreplay.semantics.spring.analysis.metrics import BY_KEY
from ksreplay.semantics.spring.analysis.rates import on_axis, per_minute, seconds_per_frame, side_total

View = Literal["players", "teams"]
Values = Literal["cumulative", "per minute"]


def chart_csv(replay: Replay, metric: str, *, view: View = "players", values: Values = "cumulative") -> str:
    """The trailer's samples of one metric as the engine wrote them; the first line alone without samples.

    `players`: a line an army, named by who plays it; `teams`: a line a side ("Team 1" is the lowest ally team).
    KeyError for a metric that the registry has not.
    """
    chosen = BY_KEY[metric]
    match = match_of(replay)
    samples = samples_of(match)
    step = seconds_per_frame(match.header.team_stat_period, [s["frame"] for s in samples.values()])
    frames = [s["frame"].astype(np.int64) for s in samples.values()]
    axis = np.unique(np.concatenate(frames)) if frames else np.zeros(0, np.int64)
    sides = {team.id: team.ally_team for team in match.setup.teams}
    names = match.team_names
    series: list[tuple[str, tuple[int, ...], npt.NDArray[np.int64], npt.ArrayLike]] = []
    if view == "players":
        for team, s in samples.items():
            name = names[team] if team < len(names) else f"team {team}"
            series.append((name, (team,), s["frame"].astype(np.int64), s[chosen.column]))
    else:
        for number, side in enumerate(sorted({side for t in samples if (side := sides.get(t)) is not None}), 1):
            members = [t for t in samples if sides.get(t) == side]
            at, total = side_total([(samples[t]["frame"], samples[t][chosen.column]) for t in members])
            series.append((f"Team {number}", tuple(members), at, total))
    lines = []
    for label, teams, at, values_at in series:
        shown = values_at if values == "cumulative" else per_minute(values_at, at * step)
        lines.append(Line(label, on_axis(at, shown, axis, hold=False), teams, str(teams[0])))
    return match_csv(
        axis * step, lines, game_id=match.header.game_id.hex(), map=match.game.get("mapname") or "",
        started=float(match.header.unix_time), metric=chosen.label, unit=chosen.unit, view=view, values=values,
    )  # fmt: skip

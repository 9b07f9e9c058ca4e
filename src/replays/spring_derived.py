"""What Coilbox derives from a demo, bound to its tables: figures by metric, sides, APM, openings, layers on the map.

Each table's schema says its source (trailer, stream, script), and `left_out` how much each leaves out and why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ksreplay.columns import Strings
from ksreplay.replay import Replay, TableDefinition
from ksreplay.semantics.spring.analysis.divergence import Recorded, TeamRecord
from ksreplay.semantics.spring.analysis.metrics import METRICS, RATIOS
from ksreplay.semantics.spring.analysis.rates import apm, per_minute, seconds_per_frame, side_total
from ksreplay.table import Column, Schema, Table

if TYPE_CHECKING:
    from ksreplay.replays.spring import SpringReplay
    from ksreplay.semantics.spring.match import Match

_TRAILER = "trailer, the engine's own count"

TEAM_METRICS = Schema(
    "team_metrics",
    (
        Column("team", "int32", meaning="engine team, which is one army"),
        Column("ally_team", "int32", True, meaning="its side"),
        Column("metric", "string", meaning="key of the metric registry"),
        Column("label", "string", meaning="the metric for people"),
        Column("unit", "string", meaning="metal, energy, damage or count"),
        Column("total", "float64", meaning="the last sample's running total"),
        Column("per_minute", "float64", True, "1/min", "total over the header's match minutes; null without a length"),
    ),
    "Each team's end of match totals by metric; a team without samples has no rows, which is not 0.",
    f"{_TRAILER}; spring-analysis 3.9",
)
TEAM_RATIOS = Schema(
    "team_ratios",
    (
        Column("team", "int32", meaning="engine team"),
        Column("ratio", "string", meaning="key of the ratio registry"),
        Column("label", "string", meaning="the ratio for people"),
        Column("value", "float64", True, meaning="null where the denominator is 0: there is no ratio then"),
    ),
    "Ratios of two metrics of a team.",
    f"{_TRAILER}; spring-analysis 3.9",
)
SIDE_STATISTICS = Schema(
    "side_statistics",
    (
        Column("ally_team", "int32", meaning="side"),
        Column("frame", "int32", unit="frames", meaning="frame of the samples; the last one may lie past the end"),
        Column("second", "float64", unit="s", meaning="game time of that frame"),
        Column("metric", "string", meaning="key of the metric registry"),
        Column("total", "float64", meaning="sum of the side's armies; an army that ended keeps its last value"),
        Column("per_minute", "float64", True, "1/min", "rise since the sample before, a minute"),
    ),
    "The match chart by side: running totals and rates at every sample.",
    f"{_TRAILER}, sampled every statistics period; spring-analysis 3.9",
)
APM = Schema(
    "apm",
    (
        Column("player", "int32", meaning="player id"),
        Column("name", "string", True, meaning="player's name"),
        Column("commands", "int64", meaning="commands the engine counted as given from the interface"),
        Column("apm", "float64", True, "1/min", "commands over the header's match minutes; null without a length"),
    ),
    "Commands a minute by the engine's own counter; not comparable with orders of the stream. "
    "Empty where the engine wrote no samples: the counters beside them are no measurements.",
    f"{_TRAILER}; spring-analysis 3.9",
)
LEFT_OUT = Schema(
    "left_out",
    (
        Column("table", "string", meaning="table whose numbers leave something out"),
        Column("source", "string", meaning="where its numbers come from"),
        Column("reason", "string", meaning="why it was left out, or how it is marked"),
        Column("count", "int64", meaning="how many"),
    ),
    "What the derived tables leave out, by reason.",
    "seed 002, What the interface shows",
)


def recorded(replay: Replay) -> Recorded:
    """What the demo's trailer and header hold for the divergence check; ValueError for another format."""
    match = match_of(replay)
    trailer = match.trailer
    ends = trailer.counts.astype(np.int64).cumsum().tolist()
    teams = []
    for count, end in zip(trailer.counts.tolist(), ends, strict=True):
        known = count > 0 and end <= len(trailer.samples)
        totals = {m.key: float(trailer.samples[end - 1][m.column]) for m in METRICS} if known else {}
        teams.append(TeamRecord(count if known else 0, totals))
    return Recorded(list(trailer.winners), match.header.game_seconds, teams)


def match_of(replay: Replay) -> Match:
    found: Match | None = getattr(replay, "match", None)
    if replay.format != "spring" or found is None:
        raise ValueError("this is no Spring demo")
    return found


def _samples(match: Match) -> dict[int, Any]:
    """Samples of each team that has any, in their order."""
    ends = match.trailer.counts.astype(np.int64).cumsum().tolist()
    parts = zip(match.trailer.counts.tolist(), ends, strict=True)
    return {
        team: match.trailer.samples[end - count : end]
        for team, (count, end) in enumerate(parts)
        if count > 0 and end <= len(match.trailer.samples)
    }


def _sides(match: Match) -> dict[int, int | None]:
    return {team.id: team.ally_team for team in match.setup.teams}


def team_metrics(match: Match) -> Table:
    minutes = max(match.header.game_seconds, 0) / 60
    sides = _sides(match)
    rows = [
        {
            "team": team, "ally_team": sides.get(team), "metric": m.key, "label": m.label, "unit": m.unit,
            "total": float(samples[-1][m.column]),
            "per_minute": float(samples[-1][m.column]) / minutes if minutes else None,
        }
        for team, samples in _samples(match).items()
        for m in METRICS
    ]  # fmt: skip
    return Table.from_rows(TEAM_METRICS, rows)


def team_ratios(match: Match) -> Table:
    by_key = {m.key: m.column for m in METRICS}
    rows = []
    for team, samples in _samples(match).items():
        for ratio in RATIOS:
            over, under = (float(samples[-1][by_key[key]]) for key in (ratio.numerator, ratio.denominator))
            rows.append(
                {"team": team, "ratio": ratio.key, "label": ratio.label, "value": over / under if under else None}
            )
    return Table.from_rows(TEAM_RATIOS, rows)


def side_statistics(match: Match) -> Table:
    samples, sides = _samples(match), _sides(match)
    step = seconds_per_frame(match.header.team_stat_period, [s["frame"] for s in samples.values()])
    parts: dict[str, list[Any]] = {name: [] for name in ("ally_team", "frame", "second", "total", "per_minute")}
    codes: list[Any] = []
    for side in sorted({side for team in samples if (side := sides.get(team)) is not None}):
        members = [s for team, s in samples.items() if sides.get(team) == side]
        for code, metric in enumerate(METRICS):
            frames, total = side_total([(s["frame"], s[metric.column]) for s in members])
            seconds = frames * step
            columns = (np.full(len(frames), side), frames, seconds, total, per_minute(total, seconds))
            for name, values in zip(parts, columns, strict=True):
                parts[name].append(values)
            codes.append(np.full(len(frames), code, np.int32))
    joined = {name: np.concatenate(values) if values else np.zeros(0) for name, values in parts.items()}
    metric_codes = np.concatenate(codes) if codes else np.zeros(0, np.int32)
    keys = Strings.from_codes(metric_codes, [m.key for m in METRICS])
    known = {"per_minute": ~np.isnan(joined["per_minute"])}
    joined["ally_team"], joined["frame"] = joined["ally_team"].astype(np.int32), joined["frame"].astype(np.int32)
    return Table.build(SIDE_STATISTICS, {**joined, "metric": keys}, known)


def apm_table(replay: SpringReplay) -> Table:
    match = replay.match
    if not _samples(match):
        return Table.empty(APM)
    names = {player.id: player.name for player in match.players}
    table = replay.tables["player_statistics"]
    rows = [
        {"player": player, "name": names.get(player), "commands": n, "apm": apm(n, match.header.game_seconds)}
        for player, n in zip(table["player"].tolist(), table["num_commands"].tolist(), strict=True)
    ]
    return Table.from_rows(APM, rows)


def left_out(replay: SpringReplay) -> Table:
    match = replay.match
    teams = len(match.setup.teams)
    sampled = len(_samples(match))
    found: list[tuple[str, str, str, int]] = [
        ("team_metrics", "trailer", "teams without samples", teams - sampled if teams > sampled else 0),
        ("apm", "trailer", "counters of players beside no samples", 0 if sampled else len(match.trailer.players)),
        ("team_metrics", "header", "matches without a length: no rate a minute", int(match.header.game_seconds <= 0)),
        ("side_statistics", "script", "teams without a side", sum(s is None for s in _sides(match).values())),
    ]  # fmt: skip
    names = ("table", "source", "reason", "count")
    return Table.from_rows(LEFT_OUT, [dict(zip(names, row, strict=True)) for row in found])


DERIVED: tuple[TableDefinition[Any], ...] = (
    TableDefinition(TEAM_METRICS, lambda replay: team_metrics(replay.match)),
    TableDefinition(TEAM_RATIOS, lambda replay: team_ratios(replay.match)),
    TableDefinition(SIDE_STATISTICS, lambda replay: side_statistics(replay.match)),
    TableDefinition(APM, apm_table),
    TableDefinition(LEFT_OUT, left_out),
)

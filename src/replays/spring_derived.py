"""What Coilbox derives from a demo, bound to its tables: figures by metric, sides, APM, openings, layers on the map.

Each table's schema says its source (trailer, stream, script), and `left_out` how much each leaves out and why.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ksreplay.columns import Strings
from ksreplay.replay import Replay, TableDefinition
from ksreplay.semantics.spring.analysis.commands import of_match
from ksreplay.semantics.spring.analysis.divergence import Recorded, TeamRecord
from ksreplay.semantics.spring.analysis.grids import Grid, Layer, count_layer
from ksreplay.semantics.spring.analysis.layers import Bases, bases, time_window
from ksreplay.semantics.spring.analysis.metrics import METRICS, RATIOS
from ksreplay.semantics.spring.analysis.opening import fold
from ksreplay.semantics.spring.analysis.rates import per_minute, seconds_per_frame, side_total
from ksreplay.semantics.spring.columns import SECONDS, seconds
from ksreplay.semantics.spring.command_names import Aim
from ksreplay.semantics.spring.people import name_of
from ksreplay.semantics.spring.statistics import sample_teams
from ksreplay.table import Column, Schema, Table

if TYPE_CHECKING:
    from ksreplay.replays.spring import SpringReplay
    from ksreplay.semantics.spring.match import Match

_TRAILER = "trailer, the engine's own count"

TEAM_METRICS = Schema(
    "team_metrics",
    (
        Column("team", "int32", meaning="engine team, which is one army"),
        Column("team_name", "string", True, meaning="who plays it"),
        Column("ally_team", "int32", True, meaning="its side"),
        Column("metric", "string", meaning="key of the metric registry"),
        Column("label", "string", meaning="the metric for people"),
        Column("unit", "string", meaning="metal, energy, damage or count"),
        Column("total", "float64", meaning="the last sample's running total"),
        Column("per_minute", "float64", True, "1/min", "total over the header's match minutes; null without a length"),
    ),
    "Each team's end of match totals by metric; a team without samples has no rows, which is not 0.",
    f"{_TRAILER}; spring-analysis 3.9",
    version=2,
)
TEAM_RATIOS = Schema(
    "team_ratios",
    (
        Column("team", "int32", meaning="engine team"),
        Column("team_name", "string", True, meaning="who plays it"),
        Column("ratio", "string", meaning="key of the ratio registry"),
        Column("label", "string", meaning="the ratio for people"),
        Column("value", "float64", True, meaning="null where the denominator is 0: there is no ratio then"),
    ),
    "Ratios of two metrics of a team.",
    f"{_TRAILER}; spring-analysis 3.9",
    version=2,
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
OPENINGS = Schema(
    "openings",
    (
        Column("player", "uint8", meaning="player; for an AI the one who hosts it"),
        Column("player_name", "string", True, meaning="player's name"),
        Column("ai_team", "int16", True, meaning="team of the AI whose entry it is; null for the player's own"),
        Column("ai_team_name", "string", True, meaning="name of the AI's team"),
        Column("entry", "int32", meaning="place in the seat's list, from 0"),
        Column("frame", "int32", unit="frames", meaning="frame of the entry's first order, -1 before the game"),
        SECONDS,
        Column("unit_def", "int64", meaning="definition: entry unit_def - 1 of the match's unit list"),
        Column("unit_name", "string", True, meaning="its key, where the game sent its unit list"),
        Column("count", "int64", unit="units", meaning="units asked for"),
        Column("orders", "int64", unit="orders", meaning="orders folded into the entry"),
    ),
    "Each seat's build orders in order, repeats folded. Orders are not buildings.",
    "stream; spring-analysis 3.7",
    version=2,
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


#: What `Match.counters` says when the file's own packets confirm the trailer's player counters.
CONFIRMED = "PLAYERSTAT packets"


def recorded(replay: Replay) -> Recorded:
    """What the demo's trailer and header hold for the divergence check; ValueError for another format."""
    match = match_of(replay)
    samples = samples_of(match)
    teams = []
    for team in range(len(match.trailer.counts)):
        known = samples.get(team, ())
        totals = {m.key: float(known[-1][m.column]) for m in METRICS} if len(known) else {}
        teams.append(TeamRecord(len(known), totals))
    return Recorded(list(match.trailer.winners), match.header.game_seconds, teams)


def match_of(replay: Replay) -> Match:
    found: Match | None = getattr(replay, "match", None)
    if replay.format != "spring" or found is None:
        raise ValueError("this is no Spring demo")
    return found


def samples_of(match: Match) -> dict[int, Any]:
    """Samples of each team that has any, in their order; what a damaged trailer still holds of them."""
    team, _ = sample_teams(match)
    found, starts = np.unique(team, return_index=True)
    bounds = pairwise([*starts.tolist(), len(team)])
    return {t: match.trailer.samples[start:end] for t, (start, end) in zip(found.tolist(), bounds, strict=True)}


def _sides(match: Match) -> dict[int, int | None]:
    return {team.id: team.ally_team for team in match.setup.teams}


@np.errstate(all="ignore")  # damaged statistics may hold any float, and a signalling NaN warns when it is widened
def team_metrics(match: Match) -> Table:
    minutes = max(match.header.game_seconds, 0) / 60
    sides = _sides(match)
    samples = samples_of(match)
    total = np.array([[last[m.column] for m in METRICS] for last in (s[-1] for s in samples.values())], np.float64)
    side = [sides.get(team) for team in samples]
    count, metric = len(METRICS), np.tile(np.arange(len(METRICS)), len(samples))
    teams = np.repeat(np.array(list(samples), np.int32), count)
    columns = {
        "team": teams,
        "team_name": match.names_of_teams(teams),
        "ally_team": np.repeat(np.array([0 if s is None else s for s in side], np.int32), count),
        "metric": Strings.from_codes(metric, [m.key for m in METRICS]),
        "label": Strings.from_codes(metric, [m.label for m in METRICS]),
        "unit": Strings.from_codes(metric, [m.unit for m in METRICS]),
        "total": total.reshape(-1),
        "per_minute": total.reshape(-1) / minutes if minutes else np.zeros(total.size),
    }
    valid = {
        "ally_team": np.repeat([s is not None for s in side], count),
        "per_minute": np.full(total.size, minutes > 0),
    }
    return Table.build(TEAM_METRICS, columns, valid)


def team_ratios(match: Match) -> Table:
    by_key = {m.key: m.column for m in METRICS}
    rows = []
    for team, samples in samples_of(match).items():
        for ratio in RATIOS:
            over, under = (float(samples[-1][by_key[key]]) for key in (ratio.numerator, ratio.denominator))
            rows.append(
                {
                    "team": team,
                    "team_name": name_of(match.team_names, team),
                    "ratio": ratio.key,
                    "label": ratio.label,
                    "value": over / under if under else None,
                }
            )
    return Table.from_rows(TEAM_RATIOS, rows)


@np.errstate(all="ignore")  # damaged statistics may hold any float, and a signalling NaN warns when it is widened
def side_statistics(match: Match) -> Table:
    samples, sides = samples_of(match), _sides(match)
    step = seconds_per_frame(match.header.team_stat_period, [s["frame"] for s in samples.values()])
    parts: dict[str, list[Any]] = {name: [] for name in ("ally_team", "frame", "second", "total", "per_minute")}
    codes: list[Any] = []
    metrics = [metric.column for metric in METRICS]
    for side in sorted({side for team in samples if (side := sides.get(team)) is not None}):
        members = [s for team, s in samples.items() if sides.get(team) == side]
        # All metrics at once, a line each: they share the frames.
        frames, total = side_total([(s["frame"], np.stack([s[name] for name in metrics])) for s in members])
        second = frames * step
        columns = (np.full(len(frames), side), frames, second, total, per_minute(total, second))
        for name, values in zip(parts, columns, strict=True):
            parts[name].append(np.broadcast_to(values, total.shape).reshape(-1))
        codes.append(np.repeat(np.arange(len(metrics), dtype=np.int32), len(frames)))
    joined = {name: np.concatenate(values) if values else np.zeros(0) for name, values in parts.items()}
    metric_codes = np.concatenate(codes) if codes else np.zeros(0, np.int32)
    keys = Strings.from_codes(metric_codes, [m.key for m in METRICS])
    known = {"per_minute": ~np.isnan(joined["per_minute"])}
    joined["ally_team"], joined["frame"] = joined["ally_team"].astype(np.int32), joined["frame"].astype(np.int32)
    return Table.build(SIDE_STATISTICS, {**joined, "metric": keys}, known)


def openings(match: Match) -> Table:
    builds = match.builds
    asked = ~builds.removal
    # A seat is a player, or an AI of a team: an AI's orders come through its host and are not the host's.
    seat = np.where(builds.ai_team >= 0, 256 + builds.ai_team.astype(np.int64), builds.player)
    player_of = np.zeros(int(seat.max(initial=0)) + 1, np.uint8)
    player_of[seat] = builds.player
    found = fold(
        seat[asked], builds.frame[asked], builds.unit_def[asked], builds.count[asked], builds.slot[asked],
        builds.source[asked],
    )  # fmt: skip
    players, frame = player_of[found.seat], found.frame.astype(np.int32)
    when, game = seconds(frame)
    first = np.searchsorted(found.seat, found.seat)
    is_ai = found.seat >= 256
    ai_team = np.where(is_ai, found.seat - 256, -1).astype(np.int16)
    columns = {
        "player": players,
        "player_name": match.names(players),
        "ai_team": np.maximum(ai_team, 0),
        "ai_team_name": match.names_of_teams(ai_team),
        "entry": (np.arange(len(first)) - first).astype(np.int32),
        "frame": frame,
        "seconds": when,
        "unit_def": found.definition,
        "unit_name": match.unit_names(found.definition),
        "count": found.count,
        "orders": found.orders,
    }
    return Table.build(OPENINGS, columns, {"ai_team": is_ai, "seconds": game})


def stream_layers(replay: Replay, grid: Grid) -> dict[str, Layer]:
    """The layers of a match that its stream holds, counted on a map's grid: starts, buildings ordered, orders aimed."""
    match = match_of(replay)
    builds, orders, aims = match.builds, match.orders, match.aims
    placed = builds.placed & ~builds.removal
    queued = int((~builds.placed & ~builds.removal).sum())
    at = aims.aim == Aim.PLACE
    frames = match.stream.frame[orders.packet]
    others = {name: int((aims.aim[orders.good] == value).sum()) for name, value in _UNPLACED}
    starts = starts_of(replay)
    return {
        "starts": count_layer("starts", grid, np.zeros(len(starts)), [s[1] for s in starts], [s[2] for s in starts]),
        "buildings": count_layer(
            "buildings", grid, builds.frame[placed], builds.x[placed], builds.z[placed], builds.unit_def[placed],
            {"factory_orders": queued},
        ),
        "orders": count_layer("orders", grid, frames[at], aims.x[at], aims.z[at], None, others),
    }  # fmt: skip


def base_crops(replay: Replay, grid: Grid, first: int | None = None, last: int | None = None) -> Bases:
    """The squares round each team's start with that team's build orders inside and outside, in a window of frames."""
    builds = match_of(replay).builds
    placed = builds.placed & ~builds.removal & time_window(builds.frame, first, last)
    starts = starts_of(replay)
    team, x, z = (list(values) for values in zip(*starts, strict=True)) if starts else ([], [], [])
    return bases(grid, team, x, z, builds.team[placed], builds.x[placed], builds.z[placed])


def starts_of(replay: Replay) -> list[tuple[int, float, float]]:
    """(team, elmos from west, elmos from north) of each team that set its start before the game."""
    table = replay.tables["start_positions"]
    return list(zip(*(table[name].tolist() for name in ("team", "x", "z")), strict=True))


LAYER_CELLS = Schema(
    "layer_cells",
    (
        Column("layer", "string", meaning="starts, buildings (ordered) or orders (aimed at a place)"),
        Column(
            "slice", "int32", unit="minute", meaning="minute of the match; what came before the game is in the first"
        ),
        Column("cell", "int32", meaning="row * width + column of the map's grid of 256 cells along its longer side"),
        Column("x", "float64", unit="elmo", meaning="middle of the cell from west"),
        Column("z", "float64", unit="elmo", meaning="middle of the cell from north"),
        Column("count", "int64", meaning="events"),
        Column("unit_def", "int64", True, meaning="definition of the buildings"),
    ),
    "What the stream places on the map, counted by minute and cell. Orders are not buildings.",
    "stream; spring-analysis 3.4",
)


def layer_cells(replay: Replay, grid: Grid) -> Table:
    """`stream_layers` as one table."""
    layers = list(stream_layers(replay, grid).values())
    sizes = [layer.entries for layer in layers]
    cell = np.concatenate([layer.cell.astype(np.int64) for layer in layers])
    x, z = grid.middles(cell)
    known = [
        np.zeros(n, np.int64) if layer.definition is None else layer.definition
        for n, layer in zip(sizes, layers, strict=True)
    ]
    codes = np.repeat(np.arange(len(layers), dtype=np.int32), sizes)
    columns = {
        "layer": Strings.from_codes(codes, [layer.name for layer in layers]),
        "slice": np.concatenate([layer.slice for layer in layers]),
        "cell": cell, "x": x, "z": z,
        "count": np.concatenate([layer.count for layer in layers]).astype(np.int64),
        "unit_def": np.concatenate(known).astype(np.int64),
    }  # fmt: skip
    return Table.build(
        LAYER_CELLS, columns, {"unit_def": np.repeat([la.definition is not None for la in layers], sizes)}
    )


# Orders without a place, by what they are aimed at.
_UNPLACED = (("unit_aimed", Aim.UNIT), ("no_target", Aim.NONE), ("custom", Aim.CUSTOM), ("malformed", Aim.MALFORMED))


def left_out(replay: SpringReplay) -> Table:
    match = replay.match
    teams = len(match.setup.teams)
    sampled = len(samples_of(match))
    found: list[tuple[str, str, str, int]] = [
        ("team_metrics", "trailer", "teams without samples", teams - sampled if teams > sampled else 0),
        ("player_statistics", "trailer", "counters that no packet and no sample confirms", _unconfirmed(match)),
        ("team_metrics", "header", "matches without a length: no rate a minute", int(match.header.game_seconds <= 0)),
        ("side_statistics", "script", "teams without a side", sum(s is None for s in _sides(match).values())),
    ]  # fmt: skip
    counts, builds, aims = of_match(match), match.builds, match.aims
    good = match.orders.good
    aim = aims.aim if good.all() else aims.aim[good]
    found += [
        ("commands", "stream", f"without a place: {name.replace('_', ' ')}", int(np.count_nonzero(aim == value)))
        for name, value in _UNPLACED
    ]
    found += [
        ("commands", "stream", "malformed packets", len(good) - len(aim)),
        ("commands_per_minute", "stream", "pregame", counts.pregame),
        ("commands_per_minute", "stream", "unattributed: the player held no team", counts.unattributed),
        ("commands_per_minute", "stream", "trailing: after the last whole bucket", counts.trailing),
        ("openings", "stream", "removals from factory queues", int(builds.removal.sum())),
        ("units_ordered", "stream", "removals from factory queues: not subtracted", int(builds.removal.sum())),
        ("units_ordered", "unit list", "orders of a unit without a name", _unnamed(match)),
    ]
    names = ("table", "source", "reason", "count")
    return Table.from_rows(LEFT_OUT, [dict(zip(names, row, strict=True)) for row in found])


def _unconfirmed(match: Match) -> int:
    """Players whose counters stand beside no samples, with no PLAYERSTAT packet that says how to read them."""
    return 0 if samples_of(match) or match.counters.evidence == CONFIRMED else len(match.trailer.players)


def _unnamed(match: Match) -> int:
    """Build orders whose definition the stream's own list (if any) does not name."""
    names = match.unit_names(match.builds.unit_def)
    return int((~names.valid).sum()) if names.valid is not None else 0


DERIVED: tuple[TableDefinition[Any], ...] = (
    TableDefinition(TEAM_METRICS, lambda replay: team_metrics(replay.match)),
    TableDefinition(TEAM_RATIOS, lambda replay: team_ratios(replay.match)),
    TableDefinition(SIDE_STATISTICS, lambda replay: side_statistics(replay.match)),
    TableDefinition(OPENINGS, lambda replay: openings(replay.match)),
    TableDefinition(LEFT_OUT, left_out),
)

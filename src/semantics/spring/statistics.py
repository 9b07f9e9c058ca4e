"""The trailer's statistics: the engine's own counts, the most reliable numbers of a demo.

Source: seed 002, "The trailer"; RecoilEngine rts/Sim/Misc/TeamStatistics.h, rts/Game/Players/PlayerStatistics.h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Strings
from ksreplay.formats.spring import CURRENT
from ksreplay.generated.dtypes import spring_demo as demo_layouts
from ksreplay.generated.dtypes import spring_packet as layouts
from ksreplay.semantics.spring import rules
from ksreplay.semantics.spring.columns import schema
from ksreplay.semantics.spring.match import FRAMES_PER_SECOND, Match
from ksreplay.table import Column, Table

_TRAILER = "seed 002, The trailer"
COUNTERS = ("num_commands", "num_unit_commands", "mouse_pixels", "mouse_clicks", "key_presses")
#: (orders first, little-endian) -> layout of a player's record.
_RECORDS = {
    (True, True): layouts.PLAYER_STATISTICS,
    (False, True): layouts.PLAYER_STATISTICS_MOUSE_FIRST,
    (True, False): demo_layouts.PLAYER_STATISTICS_BE,
    (False, False): demo_layouts.PLAYER_STATISTICS_MOUSE_FIRST_BE,
}
TOTALS: tuple[str, ...] = tuple(name for name in layouts.TEAM_STATISTICS.names or () if name != "frame")

PLAYER_STATISTICS = schema(
    "player_statistics",
    Column("player", "int32", meaning="number of the player"),
    Column("player_name", "string", nullable=True, meaning="name of the player"),
    Column("commands", "int32", unit="orders", meaning="orders given through the interface or Spring.GiveOrder"),
    Column("unit_commands", "int32", unit="units", meaning="units that received them, added up"),
    Column("mouse_pixels", "int32", unit="pixels", meaning="way of the mouse pointer"),
    Column("mouse_clicks", "int32", unit="clicks", meaning="clicks of the mouse"),
    Column("key_presses", "int32", unit="keys", meaning="keys pressed"),
    Column("commands_per_minute", "float64", nullable=True, unit="1/min", meaning="commands over the header's length"),
    Column("source", "string", meaning="trailer, or packet where the file has no trailer"),
    meaning=(
        "The engine's counters of each player: one row a player number. It counts orders, not units, and leaves out "
        "what widgets order by unit, so it is another count than the stream's orders."
    ),
    source=_TRAILER,
)  # fmt: skip


def _unit(name: str) -> str:
    return "units" if name.startswith("units_") else name.split("_")[0]


TEAM_STATISTICS = schema(
    "team_statistics",
    Column("team", "int32", meaning="number of the team"),
    Column("team_name", "string", nullable=True, meaning="who plays the team"),
    Column("sample", "int32", meaning="index within the team"),
    Column("frame", "int32", unit="frames", meaning="frame at which the sample was due; it may lie after the end"),
    Column("shown_frame", "int32", unit="frames", meaning="frame, held to the stream's last"),
    Column("seconds", "float32", unit="s", meaning="shown_frame / 30"),
    *(
        Column(name, "int32" if name.startswith("units_") else "float32", unit=_unit(name), meaning="running total")
        for name in TOTALS
    ),
    *(
        Column(
            f"{name}_per_minute", "float64", nullable=True, unit=f"{_unit(name)}/min",
            meaning="rise since the sample before, by their stamps, so that the last one, taken early, says less; "
            "the first sample has the second's, a single one none",
        )
        for name in TOTALS
    ),
    meaning="The engine's running totals: one row a sample and team. Server recordings have no samples.",
    source=_TRAILER,
)  # fmt: skip


@dataclass(frozen=True)
class Counters:
    """Player records of the trailer: ``records`` by player number, how they were read, and on which evidence."""

    records: NDArray[np.void]
    orders_first: bool
    little_endian: bool
    evidence: str


def read_counters(match: Match) -> Counters:
    """Which byte order the records have, the file's own PLAYERSTAT packets say; else the kind of recording."""
    raw = np.ascontiguousarray(match.trailer.players)
    engine = match.header.engine_number
    # A version text that says nothing stands for a current engine, but none of those writes an older header.
    orders_first = engine >= 940_000 and (engine < CURRENT or match.header.layout == 5)
    views = {little: raw.view(_RECORDS[orders_first, little]).reshape(len(raw)) for little in (True, False)}
    messages = match.messages["PLAYERSTAT"]
    said = messages["statistics"][messages.good]
    player = messages["player"][messages.good].astype(np.int64)
    inside = player < len(raw)
    votes = {}
    for little, records in views.items():
        same = np.ones(int(inside.sum()), bool)
        filled = np.zeros(len(same), bool)
        for name in COUNTERS:
            same &= records[name][player[inside]] == said[name][inside]
            filled |= said[name][inside] != 0
        votes[little] = int(np.count_nonzero(same & filled))
    if votes[True] != votes[False]:
        little, evidence = votes[True] > votes[False], "PLAYERSTAT packets"
    else:
        little, evidence = match.is_client or match.header.layout < 5, "kind of recording"
        if raw.any():
            match.problems.add(
                rules.PLAYER_ORDER_INFERRED.problem(
                    "trailer.player_statistics", match.trailer.start, found="little" if little else "big"
                )
            )
    return Counters(views[little], orders_first, little, evidence)


def player_statistics(match: Match) -> Table:
    counters = match.counters
    records = counters.records
    player = np.arange(len(records), dtype=np.int32)
    source = "trailer"
    if not len(records):
        messages = match.messages["PLAYERSTAT"]
        player, first = np.unique(messages["player"][messages.good], return_index=True)
        records, source = messages["statistics"][messages.good][first], "packet"
    minutes = (match.header.game_seconds or match.end_frame / FRAMES_PER_SECOND) / 60
    columns: dict[str, Any] = {name.removeprefix("num_"): records[name] for name in COUNTERS}
    columns |= {
        "player": player,
        "player_name": match.names(player),
        "commands_per_minute": records["num_commands"] / minutes if minutes > 0 else np.zeros(len(player)),
        "source": Strings.constant(source, len(player)),
    }
    return Table.build(PLAYER_STATISTICS, columns, {"commands_per_minute": np.full(len(player), minutes > 0)})


def sample_teams(match: Match) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(team, index within it) of each sample of the trailer."""
    counts = np.maximum(match.trailer.counts.astype(np.int64), 0)
    ends = np.minimum(np.cumsum(counts), len(match.trailer.samples))
    held = np.diff(np.concatenate([[0], ends]))
    team = np.repeat(np.arange(len(held), dtype=np.int32), held)
    index = np.arange(len(team)) - np.repeat(ends - held, held)
    return team, index.astype(np.int32)


def seconds_per_frame(match: Match) -> float:
    """The header's period over the step between two samples of the first team that has two; else 1/30."""
    team, _ = sample_teams(match)
    frames = match.trailer.samples["frame"].astype(np.int64)
    pairs = np.flatnonzero(team[1:] == team[:-1]) if len(team) else np.empty(0, np.int64)
    period = match.header.team_stat_period
    if len(pairs) and period > 0 and (step := int(frames[pairs[0] + 1] - frames[pairs[0]])) > 0:
        return float(period / step)
    return 1 / FRAMES_PER_SECOND


def team_statistics(match: Match) -> Table:
    samples = match.trailer.samples
    team, index = sample_teams(match)
    frame = samples["frame"].astype(np.int32)
    shown = np.minimum(frame, max(match.last_frame, 0))
    first = index == 0
    ago = np.where(first, 0, np.arange(len(team)) - 1)
    minutes = (frame.astype(np.float64) - frame[ago]) * seconds_per_frame(match) / 60
    has = ~first & (minutes > 0)
    # A team's first sample shows the second's rate.
    lone = np.flatnonzero(first)
    following = np.minimum(lone + 1, max(len(team) - 1, 0))
    borrowed = (following != lone) & (index[following] == 1) & has[following] if len(lone) else np.empty(0, bool)
    columns: dict[str, Any] = {
        "team": team,
        "team_name": match.names_of_teams(team),
        "sample": index,
        "frame": frame,
        "shown_frame": shown,
        "seconds": shown.astype(np.float32) / np.float32(FRAMES_PER_SECOND),
    }
    known = has.copy()
    known[lone] = borrowed
    for name in TOTALS:
        values = samples[name]
        columns[name] = values
        with np.errstate(invalid="ignore", over="ignore"):
            rise = values.astype(np.float64) - values[ago]
            rate = np.where(has, rise / np.where(has, minutes, 1), 0)
        rate[lone] = np.where(borrowed, rate[following], 0)
        columns[f"{name}_per_minute"] = rate
    return Table.build(TEAM_STATISTICS, columns, {f"{name}_per_minute": known for name in TOTALS})

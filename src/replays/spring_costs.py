"""One match read against a unit list: does the list fit, what would the ordered cost, and of what kind is it.

Orders are not purchases: a cancelled order counts and a removal from a queue is not subtracted (seed 002 "Folded
opening and cost of what was ordered").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ksreplay.columns import Strings
from ksreplay.replay import Replay
from ksreplay.replays.spring_derived import match_of
from ksreplay.semantics.spring.analysis.classifier import BUCKETS, CATEGORIES
from ksreplay.semantics.spring.analysis.opening import up_to
from ksreplay.semantics.spring.analysis.unit_list import UnitList
from ksreplay.semantics.spring.analysis.units_ordered import misfits
from ksreplay.table import Column, Schema, Table

ORDERED_COST = Schema(
    "ordered_cost",
    (
        Column("player", "uint8", meaning="player; for an AI the one who hosts it"),
        Column("player_name", "string", True, meaning="player's name"),
        Column("ai_team", "int16", True, meaning="team of the AI whose orders they are; null for the player's own"),
        Column("category", "string", meaning="what the units are for, by the classifier"),
        Column("bucket", "string", meaning="economy, defence, offence, other or unclassified"),
        Column("units", "int64", unit="units", meaning="units asked for"),
        Column("metal", "float64", unit="metal", meaning="their cost by the list"),
        Column("energy", "float64", unit="energy", meaning="their cost by the list"),
        Column("unpriced", "int64", unit="units", meaning="units past the list, or with neither cost in it"),
    ),
    "What each seat's orders would cost, by kind of unit.",
    "stream, priced by a unit list; spring-analysis 3.7",
)


@dataclass(frozen=True, slots=True)
class Priced:
    """A match against a list. `misfits` is None where the list is the engine's own, which is not checked."""

    cost: Table
    orders: int  # build orders read
    misfits: int | None

    @property
    def fits(self) -> bool:
        return not self.misfits


def priced(replay: Replay, units: UnitList, *, minutes: float | None = None, engine_list: bool = False) -> Priced:
    """Price the orders of the first `minutes` (None: all of them) and count those that contradict the list.

    The misfits are those of the whole match, whatever the cut.
    """
    match = match_of(replay)
    builds = match.builds
    asked = ~builds.removal
    ids = builds.unit_def
    wrong = None
    if not engine_list:
        wrong = misfits(ids[asked], builds.placed[asked], ~builds.placed[asked], units.mobile)
    use = asked & up_to(builds.frame, minutes)
    listed = (ids >= 1) & (ids <= len(units))
    entry = np.where(listed, ids - 1, len(units))[use]
    category = np.append(units.categories, CATEGORIES.index("unclassified"))[entry].astype(np.int64)
    seat = np.where(builds.ai_team >= 0, 256 + builds.ai_team.astype(np.int64), builds.player)[use]
    metal, energy = (np.append(costs, np.nan)[entry] for costs in (units.metal, units.energy))
    count = builds.count[use].astype(np.float64)
    keys, row = np.unique(np.stack((seat, category)), axis=1, return_inverse=True)
    row = row.reshape(-1)

    def total(weights: Any) -> Any:
        return np.bincount(row, weights=weights, minlength=keys.shape[1])

    player_of = dict(zip(seat.tolist(), builds.player[use].tolist(), strict=True))
    players = np.fromiter((player_of[s] for s in keys[0].tolist()), np.uint8, keys.shape[1])
    is_ai = keys[0] >= 256
    codes = keys[1].astype(np.int32)
    buckets = list(dict.fromkeys(BUCKETS.values()))
    bucket_of = np.array([buckets.index(BUCKETS[name]) for name in CATEGORIES], np.int32)
    columns = {
        "player": players,
        "player_name": match.names(players),
        "ai_team": np.where(is_ai, keys[0] - 256, 0).astype(np.int16),
        "category": Strings.from_codes(codes, list(CATEGORIES)),
        "bucket": Strings.from_codes(bucket_of[codes], buckets),
        "units": total(count).astype(np.int64),
        "metal": total(np.nan_to_num(metal) * count),
        "energy": total(np.nan_to_num(energy) * count),
        "unpriced": total(np.where(np.isnan(metal) & np.isnan(energy), count, 0)).astype(np.int64),
    }
    return Priced(Table.build(ORDERED_COST, columns, {"ai_team": is_ai}), int(asked.sum()), wrong)

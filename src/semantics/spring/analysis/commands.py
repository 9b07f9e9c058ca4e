"""Commands per minute: every order of the stream counted by team, by who sent it and by statistics period.

The three senders (the player's own selection, widgets, skirmish AIs) are separate series and never mixed, and no series
is comparable with the trailer's APM (seed 002 "Commands per minute"; spring-analysis 3.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.spring.carriers import SOURCES

if TYPE_CHECKING:
    from ksreplay.semantics.spring.match import Match

FRAMES_PER_SECOND = 30
DEFAULT_PERIOD = 15


@dataclass(frozen=True, slots=True)
class CommandCounts:
    """Orders of one match by series and bucket, and the orders that no bucket holds."""

    period: int  # seconds a bucket
    period_is_default: bool  # the header named no period
    team: npt.NDArray[np.int32]  # (series,) engine team
    source: npt.NDArray[np.uint8]  # (series,) index into SOURCES
    counts: npt.NDArray[np.int64]  # (series, buckets) orders
    orders: int  # all orders counted, placed in buckets or not
    pregame: int  # orders of frame -1 (seated or not)
    unattributed: int  # orders in the match by a player without a team
    trailing: int  # orders after the last whole bucket

    @property
    def seconds(self) -> npt.NDArray[np.int64]:
        """(buckets,) the end of each bucket in seconds, where the trailer's samples sit."""
        return (np.arange(self.counts.shape[1], dtype=np.int64) + 1) * self.period

    @property
    def rates(self) -> npt.NDArray[np.float64]:
        """(series, buckets) orders a minute."""
        return (self.counts * (60.0 / self.period)).astype(np.float64)


def of_match(match: Match) -> CommandCounts:
    """The orders of a demo's stream, counted once; a malformed packet holds none."""
    if match.command_counts is None:
        match.command_counts = _count_match(match)
    return match.command_counts


def _count_match(match: Match) -> CommandCounts:
    carriers = match.orders.carriers
    # The orders of a message are for one team at one time: they are counted together.
    orders = np.where(carriers.good, match.orders.counts, 0)
    # A KEYFRAME can claim any length; each frame of a real match is a packet.
    most = min(match.limits.records, max(1 << 20, 32 * len(match.stream)))
    return count_commands(
        carriers.frame, match.order_teams, np.maximum(carriers.source, 0), orders,
        last_frame=match.last_frame, period_seconds=match.header.team_stat_period, max_counts=most,
    )  # fmt: skip


def count_commands(
    frame: npt.ArrayLike,
    team: npt.ArrayLike,
    source: npt.ArrayLike,
    orders: npt.ArrayLike | None = None,
    *,
    last_frame: int,
    period_seconds: int,
    max_counts: int = 50_000_000,
) -> CommandCounts:
    """Count the orders by `frame` int, `team` int with -1 for unknown, `source` an index into `SOURCES`, all (n,).

    `orders` says how many each row stands for, one where it is not given.
    A series is there only when it has an order in a whole bucket. A match that claims to be longer than `max_counts`
    buckets (of all series) has the rest in `trailing`.
    """
    period = period_seconds if period_seconds > 0 else DEFAULT_PERIOD
    f, t, s = np.asarray(frame), np.asarray(team), np.asarray(source)
    n = np.ones(len(f)) if orders is None else np.asarray(orders, np.float64)  # what weights are counted as
    if not n.all():
        f, t, s, n = (values[n > 0] for values in (f, t, s, n))
    span = period * FRAMES_PER_SECOND
    # Teams are small numbers, so a table of all there could be finds the series that occur without sorting.
    key = (np.maximum(t, -1).astype(np.int32) + 1) * np.int32(len(SOURCES)) + s.astype(np.int32)
    occurs = np.zeros(int(key.max(initial=0)) + 1, bool)
    occurs[key] = True
    team_of, source_of = np.divmod(np.flatnonzero(occurs), len(SOURCES))
    team_of -= 1
    seated = team_of >= 0
    buckets = min(max(last_frame, 0) // span, max_counts // max(int(np.count_nonzero(seated)), 1))
    # A bucket before the first is for what comes before the game, one after the last for what comes too late.
    bucket = np.clip(f // min(span, 1 << 30), -1, buckets) + 1
    cells = (np.cumsum(occurs) - 1).take(key) * (buckets + 2) + bucket.astype(np.int32)
    counts = np.bincount(cells, n, len(team_of) * (buckets + 2)).astype(np.int64).reshape(len(team_of), buckets + 2)
    whole = counts[:, 1:-1]
    series = np.flatnonzero(seated & whole.any(axis=1))
    return CommandCounts(
        period=period,
        period_is_default=period_seconds <= 0,
        team=team_of[series].astype(np.int32),
        source=source_of[series].astype(np.uint8),
        counts=whole[series],
        orders=int(counts.sum()),
        pregame=int(counts[:, 0].sum()),
        unattributed=int(counts[~seated, 1:].sum()),
        trailing=int(counts[seated, -1].sum()),
    )

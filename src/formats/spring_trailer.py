"""What stands behind the stream of a Spring demo: winners, player records and team samples, each as far as it goes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ksreplay.errors import Problems
from ksreplay.formats import spring_rules as rules
from ksreplay.formats.spring import Data, Demo
from ksreplay.generated.dtypes import spring_packet as packet_layouts


@dataclass(frozen=True)
class Trailer:
    """What stands behind the stream, as stored.

    ``winners``: ally teams, as far as they are in the file; ``players``: uint8 (n, 20), the known bytes of each
    player record, whose order and byte order the semantics decide; ``counts``: int32, samples a team;
    ``samples``: records of TEAM_STATISTICS, team by team; ``end``: where the trailer ends.
    """

    winners: tuple[int, ...] = ()
    players: NDArray[np.uint8] = field(default_factory=lambda: np.empty((0, 20), np.uint8))
    counts: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    samples: NDArray[np.void] = field(default_factory=lambda: np.empty(0, packet_layouts.TEAM_STATISTICS))
    start: int = 0
    end: int = 0


def read_trailer(demo: Demo, problems: Problems) -> Trailer:
    """Winners, player records and team samples, each as far as it is there; nothing for a crashed recording."""
    header, data = demo.header, demo.data
    if header.crashed or (not demo.whole and demo.ofs_trailer >= len(data)):
        return Trailer(start=demo.ofs_trailer, end=demo.ofs_trailer)
    at = demo.ofs_trailer
    # The writer returns early without teams, whatever the size field says.
    stored = _winners_stored(demo) if header.num_teams > 0 else 0
    winners = tuple(data[at : at + stored])
    at += stored
    num_players, len_player, len_players = (
        max(header.fields[name], 0) for name in ("num_players", "len_player_stat", "len_player_stats")
    )
    if header.layout == 1:
        at = min(max(header.ofs_player_stats, 0), len(data))
    fits = len_players // max(len_player, 1)  # what lies behind them is no record of a player
    players = _records(data, at, min(num_players, fits), len_player, 20, "trailer.player_statistics", problems)
    if len_players != num_players * len_player:
        problems.add(
            rules.PLAYER_STATISTICS_SIZE.problem(
                "header.len_player_stats", found=len_players, expected=num_players * len_player
            )
        )
    at += len_players
    if header.layout == 1:
        at = min(max(header.ofs_team_stats, 0), len(data))
    counts, samples = _team_samples(demo, at, problems)
    end = at + max(header.len_team_stats, 0)
    if end > len(data):
        problems.add(
            rules.TRAILER_CUT.problem("trailer", len(data), found=len(data), expected=end), rules.TRAILER_CUT.error
        )
    elif end < len(data):
        problems.add(rules.TRAILER_REST.problem("trailer", end, found=len(data) - end, expected=0))
    return Trailer(winners, players, counts, samples, demo.ofs_trailer, min(end, len(data)))


def _winners_stored(demo: Demo) -> int:
    """How many winners the trailer lists. Builds between 0.82 and 83 counted them where version 4 names the one."""
    fields = demo.header.fields
    if demo.header.layout == 4:
        named = int(fields["winning_ally_team"])
        rest = len(demo.data) - demo.ofs_trailer - fields["len_player_stats"] - fields["len_team_stats"]
        return named if named == rest and named > 0 else 0
    return max(int(fields.get("len_winning_ally_teams", 0)), 0)


def _team_samples(demo: Demo, at: int, problems: Problems) -> tuple[NDArray[np.int32], NDArray[np.void]]:
    header, data = demo.header, demo.data
    size, stride = max(header.len_team_stats, 0), max(header.len_team_stat, 0)
    fitting = max(0, min(len(data) - at, size) // 4)
    num_teams = min(max(header.num_teams, 0), fitting)
    counts = np.frombuffer(data, "<i4", num_teams, at).astype(np.int32) if num_teams else np.empty(0, np.int32)
    total = int(counts[counts > 0].sum(dtype=np.int64))
    expected = 4 * max(header.num_teams, 0) + total * stride
    if size != expected or (counts < 0).any():
        problems.add(rules.TEAM_STATISTICS_SIZE.problem("header.len_team_stats", found=size, expected=expected))
    dtype = packet_layouts.TEAM_STATISTICS
    fits = max(0, min(size, len(data) - at) - 4 * num_teams) // max(stride, 1)
    raw = _records(
        data, at + 4 * num_teams, min(total, fits), stride, dtype.itemsize, "trailer.team_statistics", problems
    )
    return counts, np.ascontiguousarray(raw).view(dtype).reshape(len(raw))


def _records(
    data: Data, at: int, count: int, stride: int, known: int, where: str, problems: Problems
) -> NDArray[np.uint8]:
    """The first ``known`` bytes of ``count`` records: uint8 (n, known), as many as lie whole in the file."""
    if not count:
        return np.empty((0, known), np.uint8)
    if stride < known:
        problems.add(rules.ELEMENT_SIZE.problem(where, at, found=stride, expected=known))
        return np.empty((0, known), np.uint8)
    count = max(0, min(count, (len(data) - at) // stride))
    return (
        np.frombuffer(data, np.uint8, count * stride, at).reshape(count, stride)[:, :known]
        if count
        else (np.empty((0, known), np.uint8))
    )

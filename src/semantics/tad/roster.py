"""Who is who: sender number -> player -> transport identity -> rank among all participants -> block of unit ids.

Recorder and game sort the transport identities of all participants, watchers included, as unsigned numbers; the rank
times the unit limit is the base of a player's block, whose ids begin at base + 1 (seed 004, 4).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.errors import Problems
from ksreplay.formats.tad import PLAYER_INFO_SIZE, Player, Setup, Status
from ksreplay.generated.dtypes.tad_subpacket import ENUMS
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.rules import Rule
from ksreplay.semantics.tad import rules

WATCHER = 2
SEQUENCE = 4  # bytes in front of the player info of a status
NO_TEAM = 5
_TEAM = 0x24
_CLICKED, _WATCHER, _WATCHING = 0x20, 0x40, 0x80


@dataclass(frozen=True, slots=True)
class Participant:
    """A player record joined with its status."""

    player: Player
    status: Status | None
    rank: int | None  # of its transport identity, None where the roster is ambiguous

    @property
    def number(self) -> int:
        return self.player.number

    @property
    def dpid(self) -> int | None:
        return None if self.status is None else self.status.dpid

    @property
    def side(self) -> str:
        return ENUMS["side"].get(self.player.side, f"side {self.player.side}")

    def _info(self, field: str) -> int | None:
        return None if self.status is None or self.status.info is None else int(self.status.info[field])

    @property
    def color(self) -> int:
        """The colour of the status, which is the true one; of the player record where there is no status."""
        found = self._info("color")
        return self.player.color if found is None else found

    @property
    def watcher(self) -> bool:
        return self.player.side == WATCHER or bool((self._info("flags") or 0) & _WATCHER)

    @property
    def computer(self) -> bool:
        return self._info("player_kind") == 2

    @property
    def team(self) -> int | None:
        """The team record behind the player info in the status; None for none."""
        found = None if self.status is None else team_of(self.status)
        return None if found is None or found[1] == NO_TEAM else found[1]


def team_of(status: Status) -> tuple[int, int] | None:
    """(identity, team) of the team record behind a status' player info; the seed reads it as part of that, at 187."""
    rest = status.payload[SEQUENCE + PLAYER_INFO_SIZE :]
    if len(rest) < (WALK[_TEAM].size or 0) or rest[0] != _TEAM:
        return None
    return int.from_bytes(rest[1:5], "little"), rest[5]


class Roster:
    """All participants. ``sound`` is False where identities are missing or alike: then there are no blocks."""

    def __init__(self, setup: Setup, problems: Problems) -> None:
        by_number = Counter(status.number for status in setup.statuses)
        statuses = {status.number: status for status in setup.statuses if by_number[status.number] == 1}
        numbers = Counter(player.number for player in setup.players)
        self.problems: list[str] = []
        if any(count > 1 for count in numbers.values()):
            self._report(problems, rules.PLAYER_NUMBERS, sorted(numbers.elements()))
        if set(by_number) != set(numbers) or any(count > 1 for count in by_number.values()):
            self._report(problems, rules.STATUS_NUMBERS, sorted(by_number.elements()))
        dpids = [statuses[p.number].dpid if p.number in statuses else None for p in setup.players]
        if None in dpids or len(set(dpids)) != len(dpids):
            self._report(problems, rules.IDENTITIES, dpids)
        copies = [(status, team_of(status)) for status in setup.statuses]
        differing = [status.number for status, copy in copies if copy is not None and copy[0] != status.dpid]
        if differing:
            self._report(problems, rules.IDENTITY_COPY, differing)
        self.max_units = setup.header.max_units or self._limit(setup)
        self.sound = not self.problems and bool(setup.players)
        ranks = {dpid: rank for rank, dpid in enumerate(sorted(d for d in dpids if d is not None))}
        self.participants = tuple(
            Participant(player, statuses.get(player.number), ranks[dpid] if self.sound and dpid is not None else None)
            for player, dpid in zip(setup.players, dpids, strict=True)
        )
        for number, status in enumerate(setup.statuses):
            limit = None if status.info is None else int(status.info["max_units"])
            if limit is not None and setup.header.max_units is not None and limit != setup.header.max_units:
                problems.add(
                    rules.STATUS_LIMIT.problem(
                        f"statuses[{number}]", status.offset, found=limit, expected=setup.header.max_units
                    )
                )

    def _report(self, problems: Problems, rule: Rule, found: Any) -> None:
        self.problems.append(rule.code)
        problems.add(rule.problem("players", found=found))

    @staticmethod
    def _limit(setup: Setup) -> int | None:
        """The unit limit where the header has none: that of the statuses, if they agree."""
        limits = {int(status.info["max_units"]) for status in setup.statuses if status.info is not None}
        return limits.pop() if len(limits) == 1 else None

    def block_base(self, participant: Participant) -> int | None:
        """Id before the first of the player's block, None without a sound roster or a limit."""
        if participant.rank is None or not self.max_units:
            return None
        return participant.rank * self.max_units

    def bases(self) -> NDArray[np.int64]:
        """Block base by sender number (256 entries), -1 where there is none."""
        table = np.full(256, -1, np.int64)
        for participant in self.participants:
            base = self.block_base(participant)
            if base is not None:
                table[participant.number] = base
        return table

    def owners(self) -> NDArray[np.int16]:
        """Sender number by block rank; empty where the roster is not sound."""
        if not self.sound:
            return np.empty(0, np.int16)
        ranked = sorted(self.participants, key=lambda participant: participant.rank or 0)
        return np.array([participant.number for participant in ranked], np.int16)

    def locate(self, unit_ids: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """(owner's sender number, slot in the block) of unit ids; -1 where an id lies in no block."""
        owners = self.owners()
        ids = np.asarray(unit_ids, np.int64)
        if not len(owners) or not self.max_units:
            return np.full(len(ids), -1, np.int32), np.full(len(ids), -1, np.int32)
        block = (ids - 1) // self.max_units
        inside = (ids > 0) & (block < len(owners))
        owner = np.where(inside, owners[np.minimum(np.maximum(block, 0), len(owners) - 1)], -1)
        return owner.astype(np.int32), np.where(inside, (ids - 1) % self.max_units, -1).astype(np.int32)

    def number_of(self, dpid: int) -> int | None:
        return next((p.number for p in self.participants if p.dpid == dpid), None)


#: Flags of a player info.
FLAGS = {"clicked_in": _CLICKED, "watcher": _WATCHER, "watching_allowed": _WATCHING}

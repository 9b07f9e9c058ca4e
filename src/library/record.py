"""What the library keeps of a demo: plain records, as a reader hands them to the index (seed 002 "Across the library").

Per team the totals of seven metrics in whole numbers and never a series, so that the index does not grow with a match.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ksreplay.semantics.spring.analysis.metrics import METRICS

KEPT_METRICS = tuple(metric.key for metric in METRICS if metric.roster)


class State(StrEnum):
    """How far a file has been read."""

    HEADER = "header"  # header and script only
    FULL = "full"
    PARTIAL = "partial"  # cut, damaged or crashed: what could be read is there
    GROWING = "growing"  # changed while it was read
    EMPTY = "empty"  # no bytes: a match in progress
    FAILED = "failed"  # no demo, or nothing of it readable


#: States that stand until the file changes; the others are read again by every run.
FINAL = frozenset({State.FULL, State.PARTIAL, State.FAILED})


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A seat or a watcher. `team` is None for a spectator and where the record kept none."""

    player: int  # engine player id; for a skirmish AI its place among the AIs
    name: str
    team: int | None = None
    ally_team: int | None = None
    spectator: bool = False
    ai: bool = False
    side: str = ""
    commands: int | None = None  # of the trailer; None where it has no measurement


@dataclass(frozen=True, slots=True)
class OrderedRecord:
    """Units ordered by one seat of one unit."""

    player: int
    ai_team: int  # -1: the player's own
    definition: int
    placed: int
    queued: int
    units: int


@dataclass(frozen=True, slots=True)
class Record:
    """One demo. `winners` None: no result, which is not a loss."""

    state: State
    error: str = ""
    game_id: str = ""
    remix: bool = False
    map: str = ""
    game: str = ""
    engine: str = ""
    recorded_by: str = ""
    started: int | None = None  # seconds since 1970
    seconds: int = 0  # match length; 0 unknown
    last_frame: int | None = None
    winners: tuple[int, ...] | None = None
    result_source: str = ""
    players: tuple[PlayerRecord, ...] = ()
    totals: dict[int, dict[str, int]] = field(default_factory=dict)  # team -> metric key -> whole number
    starts: tuple[tuple[int, float, float], ...] = ()  # team, elmos from west and north
    extent: tuple[float, float] | None = None  # how far east and south starts and placed build orders go
    ordered: tuple[OrderedRecord, ...] = ()
    unit_names: tuple[str, ...] = ()  # definition names that the stream itself carries, entry n - 1 = id n

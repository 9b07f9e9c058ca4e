"""What a window of a track holds, as arrays.

A *curve* is a run of keys; ``bounds`` (int64, one longer than the curves) says where each begins in the key arrays.
``time`` is the offset of a key from the window's first frame, in frames. Arrays named ``position``, ``velocity``,
``angle`` and ``offset`` are int32 of shape (3, keys): rows x, y, z in the steps of the header. Everything is as the
file has it: nothing is scaled, so that values can be compared exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Units:
    """One element a unit of the window. ``first`` and ``last`` are offsets, both within its life."""

    unit_id: Array
    serial: Array
    definition: Array
    team: Array
    flags: Array
    first: Array
    last: Array

    def __len__(self) -> int:
        return len(self.serial)


@dataclass(frozen=True, slots=True)
class Transforms:
    """A curve for each unit. ``dropped`` is the component left out, ``kept`` int16 (3, keys) the others."""

    bounds: Array
    time: Array
    position: Array
    dropped: Array
    kept: Array


@dataclass(frozen=True, slots=True)
class Statuses:
    """A curve for each unit. ``health`` and ``build`` are uint16 of 65,535; bit 0 of ``flags`` is "switched on"."""

    bounds: Array
    time: Array
    health: Array
    build: Array
    flags: Array


@dataclass(frozen=True, slots=True)
class Targets:
    """Tracks of each unit (``tracks``: bounds over units), a curve a track. ``placed`` is the column of ``position``
    that a key takes, or -1."""

    tracks: Array
    weapon: Array
    bounds: Array
    time: Array
    kind: Array
    reference: Array
    power: Array
    placed: Array
    position: Array


@dataclass(frozen=True, slots=True)
class Poses:
    """Tracks of each unit (``tracks``: bounds over units), a curve a track."""

    tracks: Array
    piece: Array
    bounds: Array
    time: Array
    angle: Array
    offset: Array


@dataclass(frozen=True, slots=True)
class Queues:
    """A curve for each unit; ``items`` are the bounds of each key's items."""

    bounds: Array
    time: Array
    items: Array
    definition: Array
    x: Array
    z: Array
    facing: Array


@dataclass(frozen=True, slots=True)
class Projectiles:
    """One element a projectile, a curve each."""

    serial: Array
    definition: Array
    team: Array
    flags: Array
    owner: Array
    first: Array
    last: Array
    bounds: Array
    time: Array
    position: Array
    velocity: Array

    def __len__(self) -> int:
        return len(self.serial)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A curve for each number of each team (255: of the game); ``value`` is float32."""

    team: Array
    code: Array
    bounds: Array
    time: Array
    value: Array

    def __len__(self) -> int:
        return len(self.team)


@dataclass(frozen=True, slots=True)
class Main:
    """The main chunk of window ``window``, which spans the frames ``start`` to ``end``."""

    window: int
    start: int
    end: int
    units: Units
    transforms: Transforms
    statuses: Statuses
    targets: Targets
    poses: Poses
    queues: Queues
    projectiles: Projectiles
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Terrain:
    """Rows of a terrain chunk: absolute ``frame``, heightmap corner ``x`` ``z``, heights in position steps (int32)."""

    window: int
    frame: Array
    x: Array
    z: Array
    before: Array
    after: Array

    def __len__(self) -> int:
        return len(self.frame)


@dataclass(frozen=True, slots=True)
class Features:
    """Every feature of the match. ``first`` and ``last`` are frames; ``position`` (3, n) in steps."""

    feature_id: Array
    definition: Array
    team: Array
    flags: Array
    first: Array
    last: Array
    position: Array
    dropped: Array
    kept: Array

    def __len__(self) -> int:
        return len(self.feature_id)


@dataclass(frozen=True, slots=True)
class Team:
    """A team as the info chunk has it; ``colour`` is red, green, blue."""

    id: int
    ally: int
    flags: int
    colour: tuple[int, int, int]
    side: str
    leader: str


@dataclass(frozen=True, slots=True)
class Info:
    """The info chunk: texts, names and teams. ``pieces`` maps a unit definition to its posed pieces."""

    texts: tuple[str, ...]
    unit_names: tuple[str, ...]
    weapon_names: tuple[str, ...]
    feature_names: tuple[str, ...]
    pieces: dict[int, tuple[str, ...]]
    posed: tuple[int, ...]
    teams: tuple[Team, ...]
    map_size: tuple[int, int]
    footprints: tuple[tuple[int, int], ...] | None
    team_parameters: tuple[str, ...]
    game_parameters: tuple[str, ...]


EMPTY_INFO = Info((), (), (), (), {}, (), (), (0, 0), None, (), ())


def no_features() -> Features:
    """A match without features, for a track whose features chunk cannot be read."""
    none = np.zeros(0, np.int64)
    return Features(none, none, none, none, none, none, np.zeros((3, 0), np.int32), none, np.zeros((3, 0), np.int16))

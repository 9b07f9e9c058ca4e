"""Runs of equal input: how long a key was held or a mode stayed, without a Python object for a tick."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ksreplay.semantics.crd import flags as words

#: What runs are made of. Keys have runs while they are held; modes always have one.
KEYS = (
    "fire_held", "reload_held", "fire_bullets", "move_forward", "move_backward", "turn_left", "turn_right",
    "aim_turn_left", "aim_turn_right",
)  # fmt: skip
MODES = ("movement_mode", "aim_scheme")


@dataclass(frozen=True, slots=True)
class Holds:
    """Runs in the order of player, then kind, then time. ``kind`` indexes `KEYS` + `MODES`; ``value`` is 1 for a key
    and the mode's id for a mode; a run covers ``num_ticks`` ticks from ``first_tick``."""

    player: NDArray[np.uint8]
    kind: NDArray[np.int8]
    value: NDArray[np.int8]
    first_tick: NDArray[np.int32]
    num_ticks: NDArray[np.int32]


def runs(values: NDArray[np.int8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Starts and lengths of the runs of equal neighbours in a one-dimensional array."""
    if not len(values):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts = np.concatenate(([0], np.flatnonzero(values[1:] != values[:-1]) + 1))
    return starts, np.diff(starts, append=len(values))


def find(flags: NDArray[np.uint32]) -> Holds:
    """The runs of the flag words uint32[ticks, players]."""
    pieces: list[tuple[NDArray[np.int64], ...]] = []
    movement, aim = words.movement_mode(flags), words.aim_scheme(flags)
    for player in range(flags.shape[1]):
        for kind, name in enumerate(KEYS + MODES):
            if name in KEYS:
                values = words.bit(flags[:, player], name).astype(np.int8)
            else:
                values = (movement if name == "movement_mode" else aim)[:, player]
            starts, lengths = runs(values)
            held = values[starts].astype(np.int64)
            if name in KEYS:
                starts, lengths, held = starts[held == 1], lengths[held == 1], held[held == 1]
            pieces.append((np.full(len(starts), player), np.full(len(starts), kind), held, starts, lengths))
    columns = [np.concatenate(column) if pieces else np.zeros(0, np.int64) for column in zip(*pieces, strict=True)]
    player_column, kind_column, value, first, length = columns
    return Holds(
        player_column.astype(np.uint8),
        kind_column.astype(np.int8),
        value.astype(np.int8),
        first.astype(np.int32),
        length.astype(np.int32),
    )

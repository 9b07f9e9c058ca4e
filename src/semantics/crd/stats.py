"""What each player did with the controls, and the signals moderators look at; nothing here needs a simulation.

Source of the signals: crd-format §12 (the bots page of the game): thresholds are those it names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ksreplay.formats.crd_commands import COMMANDS, PICK, SUBMIT_WORD, TYPE_CHAR
from ksreplay.formats.crd_ticks import Ticks
from ksreplay.semantics.crd import flags as words
from ksreplay.semantics.crd.holds import runs

TICKS_PER_SECOND = 60

#: Signals at or under these values are usual for people at the controls.
LIMITS = {
    "one_tick_presses": 50.0,
    "exact_length_share": 0.5,
    "reversals_per_minute": 30.0,
    "aim_jump_p99": 120.0,
}


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """One player's controls over a run. Distances are world units; ticks are 1/60 s of real time."""

    player: int
    fire_presses: int
    fire_ticks: int
    reload_presses: int
    reload_ticks: int
    moving_ticks: int
    direction_changes: int
    aim_distance: float
    aim_distance_per_second: float
    perk_picks: int
    typed_chars: int
    typed_words: int
    one_tick_presses: int
    exact_length_share: float | None
    reversals_per_minute: float | None
    aim_jump_p99: float | None

    @property
    def signals(self) -> tuple[str, ...]:
        """The signals that are past what `LIMITS` calls usual."""
        return tuple(name for name, limit in LIMITS.items() if (getattr(self, name) or 0) > limit)


def player_stats(ticks: Ticks) -> list[PlayerStats]:
    """The statistics of every player."""
    return [_of(ticks, player) for player in range(ticks.num_players)]


def _of(ticks: Ticks, player: int) -> PlayerStats:
    flags = ticks.flags[:, player]
    axes = ticks.axes[:, player].astype(np.float64)
    commands = ticks.commands
    by_kind = [0] * len(COMMANDS)
    for kind, who in zip(commands.kind, commands.player, strict=True):
        by_kind[kind] += who == player
    fire = words.bit(flags, "fire_held")
    aim = axes[:, 2:]
    mouse = words.aim_scheme(flags) == words.AIM_MOUSE
    with np.errstate(over="ignore", invalid="ignore"):
        jumps = np.hypot(*np.diff(aim, axis=0).T) if len(aim) > 1 else np.zeros(0)
    both_mouse = mouse[1:] & mouse[:-1] & np.isfinite(jumps)
    travelled = float(jumps[both_mouse].sum())
    seconds = len(flags) / TICKS_PER_SECOND
    moves = _moves(axes, flags)
    reversals, changes = _turns(moves)
    return PlayerStats(
        player=player,
        fire_presses=int(np.count_nonzero(words.bit(flags, "fire_pressed"))),
        fire_ticks=int(np.count_nonzero(fire)),
        reload_presses=int(np.count_nonzero(words.bit(flags, "reload_pressed"))),
        reload_ticks=int(np.count_nonzero(words.bit(flags, "reload_held"))),
        moving_ticks=int(np.count_nonzero(moves.any(axis=1))),
        direction_changes=changes,
        aim_distance=travelled,
        aim_distance_per_second=travelled / seconds if seconds else 0.0,
        perk_picks=by_kind[PICK],
        typed_chars=by_kind[TYPE_CHAR],
        typed_words=by_kind[SUBMIT_WORD],
        one_tick_presses=_one_tick(fire),
        exact_length_share=_exact_length_share(axes, flags),
        reversals_per_minute=reversals * 60 / seconds if seconds else None,
        aim_jump_p99=float(np.percentile(jumps[both_mouse], 99)) if both_mouse.any() else None,
    )


def _moves(axes: NDArray[np.float64], flags: NDArray[np.uint32]) -> NDArray[np.float64]:
    """The movement vector of each tick, zero where there is none: a point-click target is no direction."""
    moves = np.nan_to_num(axes[:, :2].copy(), posinf=0.0, neginf=0.0)
    moves[words.movement_mode(flags) == words.POINT_CLICK] = 0
    return moves


def _turns(moves: NDArray[np.float64]) -> tuple[int, int]:
    """How often the movement turned by more than 90 degrees, and how often its direction changed at all.

    Ticks that stand still are passed over: stopping between two directions does not hide a reversal.
    """
    moving = moves[moves.any(axis=1)]
    if len(moving) < 2:
        return 0, 0
    with np.errstate(over="ignore"):
        unit = moving / np.hypot(moving[:, 0], moving[:, 1])[:, None]
    cosines = (unit[1:] * unit[:-1]).sum(axis=1)
    return int(np.count_nonzero(cosines < -1e-9)), int(np.count_nonzero(cosines < 1 - 1e-6))


def _one_tick(fire: NDArray[np.bool_]) -> int:
    """How often the fire key was down for a single tick."""
    starts, lengths = runs(fire.astype(np.int8))
    return int(np.count_nonzero(fire[starts] & (lengths == 1))) if len(fire) else 0


def _exact_length_share(axes: NDArray[np.float64], flags: NDArray[np.uint32]) -> float | None:
    """Of the pad moves that are along no axis, the share whose stick length is exactly 1: no real stick does that.

    None where no tick has such a move.
    """
    pad = words.movement_mode(flags) == words.DUAL_ACTION_PAD
    x, y = np.abs(axes[:, 0]), np.abs(axes[:, 1])
    off_axis = pad & (x > 0) & (y > 0) & np.isfinite(x) & np.isfinite(y)
    if not off_axis.any():
        return None
    with np.errstate(over="ignore"):
        lengths = np.hypot(x[off_axis], y[off_axis])
    return float(np.count_nonzero(np.abs(lengths - 1) < 1e-6) / len(lengths))

"""Whether a leaderboard would rank a run, as far as no simulation is needed (crd-format §7).

Left out: whether the aim stays within the view (reason word ``aim_out_of_view``), which depends on where the player
stands, and whether the simulator derives the recorded result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ksreplay.formats.crd_schema import BUILD_1_9_8
from ksreplay.formats.crd_ticks import Ticks
from ksreplay.semantics.crd import flags as words
from ksreplay.semantics.crd import names

SURVIVAL, QUESTS = 1, 3
#: How far a pad's stick reaches: min(|stick|, 1) * 96 + 42 world units, and the tolerance of the check.
PAD_REACH = 138.01
_FULL_SAVE = 50


@dataclass(frozen=True, slots=True)
class Ranking:
    """``board``: the board the run belongs to, None where it has none; ``reasons``: why it would not be ranked.

    No reasons means that only a simulation can still find one.
    """

    board: str | None
    reasons: tuple[str, ...]


def precheck(newest: dict[str, Any], ticks: Ticks) -> Ranking:
    """The reasons in the order of the fact sheet's words."""
    run, result = newest["run"], newest["result"]
    mode, players = run.get("game_mode_id"), run.get("player_count")
    custom = run.get("custom_quest") is not None
    checks = {
        "mode": mode not in (SURVIVAL, QUESTS),
        "players": players not in (1, 2),
        "custom_quest_players": custom and players != 1,
        "original_rules": run.get("preserve_bugs") is not False,
        "detail_preset": run.get("detail_preset") != 5,
        "violence_disabled": run.get("violence_disabled") != 0,
        "friendly_fire": run.get("friendly_fire") is not False,
        "hardcore": run.get("hardcore") is not False and (mode != QUESTS or custom),
        "quest_retry": run.get("quest_fail_retry_count") != 0,
        "unlocks": not _canonical_unlocks(run),
        "weapon_usage": any((run.get("status") or {}).get("weapon_usage_counts") or [0]),
        "controls": not _human_controls(ticks),
        "unfinished": result.get("outcome") != {SURVIVAL: "death", QUESTS: "quest_completed"}.get(mode or 0),
    }
    return Ranking(_board(run), tuple(word for word, broken in checks.items() if broken))


def _board(run: dict[str, Any]) -> str | None:
    mode = run.get("game_mode_id")
    if mode not in (SURVIVAL, QUESTS) or run.get("player_count") not in (1, 2):
        return None
    board = "survival" if mode == SURVIVAL else "quests-hardcore" if run.get("hardcore") else "quests"
    if run["player_count"] == 2:
        board += "-coop"
    # The seed: runs under the 1.9.8 rules rank on boards of their own; it does not say how those are called.
    return f"{board} (1.9.8)" if run.get("cl_build") == BUILD_1_9_8 else board


def _canonical_unlocks(run: dict[str, Any]) -> bool:
    """Whether the unlock indices are those of the save that ranked runs start from."""
    status = run.get("status") or {}
    found = (status.get("quest_unlock_index"), status.get("quest_unlock_index_full"))
    level = run.get("quest_level")
    if level is None or run.get("game_mode_id") != QUESTS:
        return found == (_FULL_SAVE, _FULL_SAVE)
    index = ((level.get("major") or 1) - 1) * 10 + (level.get("minor") or 1) - 1
    return found == ((_FULL_SAVE, index) if run.get("hardcore") else (index, 0))


def _human_controls(ticks: Ticks) -> bool:
    """Whether every tick is played with a person's controls and within a pad's reach."""
    movement, aim = names.ranked_controls()
    schemes = words.aim_scheme(ticks.flags)
    if not np.isin(words.movement_mode(ticks.flags), list(movement)).all() or not np.isin(schemes, list(aim)).all():
        return False
    pad = ticks.axes[schemes == words.AIM_PAD]
    if not len(pad):
        return True
    with np.errstate(over="ignore"):
        reach = np.hypot(pad[:, 2].astype(np.float64), pad[:, 3].astype(np.float64))
    return bool((reach <= PAD_REACH).all())

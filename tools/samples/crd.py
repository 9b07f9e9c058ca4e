"""Writes src/samples/sample.crd: python tools/samples/crd.py.

A short custom quest in version 34, put together from made-up inputs. It keeps every structural rule, but nobody
played it: no simulator would derive its result.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from ksreplay.formats.crd import write_envelope
from ksreplay.formats.crd_commands import OPEN_MENU, PICK, Commands
from ksreplay.formats.crd_encode import Encoder
from ksreplay.formats.crd_ticks import Ticks
from ksreplay.limits import Limits
from ksreplay.semantics.crd.flags import pack

NUM_TICKS = 600
TARGET = Path(__file__).resolve().parents[2] / "src" / "samples" / "sample.crd"


def ticks() -> Ticks:
    """Ten seconds: walking in a circle by keyboard, aiming ahead by mouse, firing in bursts, one perk taken."""
    axes = np.zeros((NUM_TICKS, 1, 4), np.float32)
    flags = np.zeros((NUM_TICKS, 1), np.uint32)
    for tick in range(NUM_TICKS):
        angle = tick * math.tau / 240
        x, y = (round(math.cos(angle)), round(math.sin(angle)))
        axes[tick, 0] = x, y, 512 + 200 * math.cos(angle), 512 + 200 * math.sin(angle)
        firing = tick % 90 < 40
        flags[tick, 0] = pack(
            movement=2, aim=0, move_keys=True, fire_held=firing, fire_pressed=tick % 90 == 0,
            reload_pressed=tick % 90 == 60, reload_held=60 <= tick % 90 < 66,
            move_forward=y > 0, move_backward=y < 0, turn_left=x < 0, turn_right=x > 0,
        )  # fmt: skip
    commands = Commands()
    commands.add(300, OPEN_MENU, 0, -1, None, 0)
    commands.add(301, PICK, 0, 2, None, 0)
    return Ticks(1, axes, flags, np.zeros((NUM_TICKS, 1), np.int64), commands)


def entry(x: float, y: float, spawn_id: int, trigger_ms: int, count: int) -> dict[str, Any]:
    return {
        "pos": {"x": x, "y": y}, "heading": 0.0, "spawn_id": spawn_id, "trigger_ms": trigger_ms, "count": count,
    }  # fmt: skip


VALUES: dict[str, Any] = {
    "format_version": 34,
    "game_version": "0.22.0",
    "rules": 2,
    "recorder": {"client": "ksreplay", "version": "sample", "platform": "unknown"},
    "pilot": {"name": "Sample Bot", "model": "made-up inputs", "url": "https://example.org/"},
    "seat_keys": None,
    "run": {
        "game_mode_id": 3,
        "seed": 20261129,
        "quest_level": None,
        "player_count": 1,
        "hardcore": False,
        "preserve_bugs": False,
        "quest_fail_retry_count": 0,
        "detail_preset": 5,
        "violence_disabled": 0,
        "friendly_fire": False,
        "status": {
            "quest_unlock_index": 50,
            "quest_unlock_index_full": 50,
            "weapon_usage_counts": [0] * 53,
        },
        "typo_dictionary_words": [],
        "typo_highscore_names": [],
        "typo_carry": {
            "target_world": None, "submit_count": 0, "match_count": 0, "highscore_names_loaded": False,
        },
        "custom_quest": {
            "title": "A Quiet Circle",
            "author": "ksreplay",
            "start_weapon_id": 3,
            "terrain_slots": [0, 1, 2],
            "entries": [
                entry(-64.0, 512.0, 38, 500, 4),
                entry(1088.0, 512.0, 38, 4000, 4),
                entry(512.0, -64.0, 65, 7500, 2),
            ],
            "no_bonuses": [5],
            "no_perks": [],
            "no_weapons": [],
        },
    },
    "result": {
        "outcome": "incomplete",
        "elapsed_ms": 16 * NUM_TICKS,
        "kills": 3,
        "shots_fired": 40,
        "shots_hit": 12,
        "rng_state": 123456789,
        "pending_perks": 0,
        "quest_final_ms": None,
        "players": [{"experience": 250, "health": 87.5, "most_used_weapon_id": 3}],
    },
}  # fmt: skip


def build() -> bytes:
    return write_envelope(Encoder(34).encode(VALUES, ticks()), Limits())


if __name__ == "__main__":
    TARGET.write_bytes(build())
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")

"""Which files are recordings of the same game: a key for each format, made of what all recorders agree on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from ksreplay.errors import ReplayError
from ksreplay.replay import Replay


def game_key(replay: Replay) -> str:
    """``family:digest``, equal for recordings of one game; the file's own hash where nothing better is there."""
    family, key = KEYS.get(replay.format, (replay.format, None))
    parts: Any = None
    try:
        parts = key(replay) if key else None
    except (ReplayError, KeyError):
        pass  # damaged where the key would come from
    if not parts:
        family, parts = replay.format, replay.source.sha256
    text = json.dumps(parts, sort_keys=True, default=str)
    return f"{family}:{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def _game_id(replay: Replay) -> Any:
    """Spring and Coilbox: the engine's game id, unless it is all zero. A track carries the id of its demo."""
    value = str(replay.info()["details"].get("game_id") or "")
    return value.lower() if value.strip("0-") else None


#: What a Crimsonland player did; the other columns are made of these.
_STEERING = {
    "inputs": ("tick", "player", "move_x", "move_y", "aim_x", "aim_y", "flags"),
    "commands": ("tick", "type", "player", "choice_index"),
    "spawn_entries": None,
}


def _crimsonland(replay: Replay) -> Any:
    """The run: what starts it (mode, quest, seed) and every input and command. The payload differs between versions,
    pilots and recorders of one run, its inputs do not."""
    details = replay.info()["details"]
    settings = [details.get(name) for name in ("mode", "quest", "seed", "ticks", "player_count")]
    digest = hashlib.sha256()
    for name, columns in _STEERING.items():
        table = replay.tables[name]
        for column in columns or table.schema.names:
            values = table[column]
            digest.update(f"{name}.{column}".encode())
            digest.update(repr(values.tolist()).encode() if values.dtype == object else values.tobytes())
    return [settings, digest.hexdigest()]


def _total_annihilation(replay: Replay) -> Any:
    """Map and, of everybody who plays, name, side, colour and transport id (tad-format §9): recorders of one game
    number the players differently, but agree on these."""
    info = replay.info()
    players = [
        [player.get(name) for name in ("name", "side", "color", "transport_id")]
        for player in info["players"]
        if not player.get("watcher")
    ]
    return [info["map"], sorted(players, key=str)] if players else None


#: format -> (family of keys that are compared with each other, how to make one)
KEYS: dict[str, tuple[str, Callable[[Replay], Any]]] = {
    "spring": ("spring", _game_id),
    "cbtrack": ("spring", _game_id),
    "crd": ("crd", _crimsonland),
    "tad": ("tad", _total_annihilation),
}

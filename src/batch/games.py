"""Which files are recordings of the same game: a key for each format, made of what all recorders agree on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from ksreplay.errors import ReplayError
from ksreplay.replay import Replay


def game_key(replay: Replay) -> str:
    """``format:digest``, equal for recordings of one game; the file's own hash where nothing better is there."""
    parts: Any = None
    try:
        parts = KEYS[replay.format](replay) if replay.format in KEYS else None
    except (ReplayError, KeyError):
        pass  # damaged where the key would come from
    text = json.dumps(parts, sort_keys=True, default=str) if parts else replay.source.sha256
    return f"{replay.format}:{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def _game_id(replay: Replay) -> Any:
    """Spring and Coilbox: the engine's game id, unless it is all zero."""
    value = str(replay.info()["details"].get("game_id") or "")
    return value.lower() if value.strip("0-") else None


def _crimsonland(replay: Replay) -> Any:
    """The run: what steers it (mode, quest, seed) and every input and command. The payload differs between versions,
    pilots and recorders of one run, its inputs do not."""
    details = replay.info()["details"]
    settings = [details.get(name) for name in ("mode", "quest", "seed", "ticks")]
    digest = hashlib.sha256()
    for name in ("inputs", "commands"):
        table = replay.tables[name]
        for column in table.schema:
            if not column.private and column.dtype not in ("binary",):
                _feed(digest, column.name, table[column.name])
    return [settings, digest.hexdigest()]


def _feed(digest: Any, name: str, values: Any) -> None:
    digest.update(name.encode())
    digest.update(json.dumps(values.tolist(), default=str).encode() if values.dtype == object else _bytes(values))


def _bytes(values: Any) -> bytes:
    return np.ascontiguousarray(values).tobytes()


def _total_annihilation(replay: Replay) -> Any:
    """Map and, of everybody who plays, name, side, colour and transport id (tad-format §9): recorders of one game
    number the players differently, but agree on these."""
    info = replay.info()
    players = [
        [player.get(name) for name in ("name", "side", "colour", "transport_id", "dpid")]
        for player in info["players"]
        if not player.get("watcher")
    ]
    return [info["map"], sorted(players, key=str)] if players else None


KEYS: dict[str, Callable[[Replay], Any]] = {
    "spring": _game_id,
    "cbtrack": _game_id,
    "crd": _crimsonland,
    "tad": _total_annihilation,
}

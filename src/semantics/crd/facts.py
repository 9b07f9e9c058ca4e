"""What `info` says of a run, with names beside ids; ``newest`` is the top map in the shape of the newest version."""

from __future__ import annotations

from typing import Any

from ksreplay.semantics.crd import names
from ksreplay.semantics.crd.settings import parse_game_version, quest_label, rules_profile

TICKS_PER_SECOND = 60
_FINISHED = ("death", "quest_completed", "tutorial_completed")


def players(newest: dict[str, Any]) -> list[dict[str, Any]]:
    """One entry a seat. A file names no players; a declared pilot played all seats of its run."""
    pilot = (newest["pilot"] or {}).get("name")
    return [
        {
            "id": seat,
            "name": pilot,
            "experience": player.get("experience"),
            "health": player.get("health"),
            "most_used_weapon_id": player.get("most_used_weapon_id"),
            "most_used_weapon": names.weapon(player.get("most_used_weapon_id")),
        }
        for seat, player in enumerate(player or {} for player in newest["result"].get("players") or [])
    ]


def result(newest: dict[str, Any]) -> dict[str, Any] | None:
    """Who won, by the recorded outcome: all seats of a completed quest or tutorial, nobody by a death, None for a run
    that was left."""
    outcome = newest["result"].get("outcome")
    if outcome not in _FINISHED:
        return None
    seats = range(len(newest["result"].get("players") or []))
    return {"winners": [] if outcome == "death" else list(seats), "source": "result.outcome", "outcome": outcome}


def settings(newest: dict[str, Any], num_ticks: int) -> dict[str, Any]:
    """What was played, under which rules, recorded by what."""
    run = newest["run"]
    version = parse_game_version(newest["game_version"])
    return {
        "mode": names.mode(run.get("game_mode_id")),
        "mode_id": run.get("game_mode_id"),
        "quest": quest_label(run),
        **_quest(run),
        "rules": newest["rules"],
        "rules_profile": rules_profile(newest),
        "ticks": num_ticks,
        "real_time_s": num_ticks / TICKS_PER_SECOND,
        "player_count": run.get("player_count"),
        "seed": run.get("seed"),
        "cl_build": run.get("cl_build"),
        "hardcore": run.get("hardcore"),
        "preserve_bugs": run.get("preserve_bugs"),
        "friendly_fire": run.get("friendly_fire"),
        "game_version": newest["game_version"],
        "game_release": ".".join(map(str, version.release)) if version else None,
        "recorder": newest["recorder"],
        "pilot": newest["pilot"],
        **_typo(run),
    }


def _quest(run: dict[str, Any]) -> dict[str, Any]:
    """The stock quest by the game's own table, or what the custom quest says of itself."""
    level, custom = run.get("quest_level") or {}, run.get("custom_quest")
    stock = names.quests().get((level.get("major") or 0, level.get("minor") or 0))
    if custom is not None:
        weapon = custom.get("start_weapon_id")
        return {
            "quest_title": custom.get("title"),
            "custom_quest": {
                "author": custom.get("author"),
                "start_weapon_id": weapon,
                "start_weapon": names.weapon(weapon),
                "terrain_slots": custom.get("terrain_slots"),
                "entries": len(custom.get("entries") or []),
                "copies": sum((entry or {}).get("count") or 0 for entry in custom.get("entries") or []),
                "no_bonuses": _named(custom.get("no_bonuses"), names.bonus),
                "no_perks": _named(custom.get("no_perks"), names.perk),
                "no_weapons": _named(custom.get("no_weapons"), names.weapon),
            },
        }
    if stock is None:
        return {"quest_title": None}
    return {
        "quest_title": stock.title,
        "quest_time_limit_ms": stock.time_limit_ms,
        "quest_start_weapon_id": stock.start_weapon_id,
        "quest_start_weapon": names.weapon(stock.start_weapon_id),
    }


def _named(ids: list[int] | None, name: Any) -> list[dict[str, Any]]:
    return [{"id": number, "name": name(number)} for number in ids or []]


def _typo(run: dict[str, Any]) -> dict[str, Any]:
    """The sizes of Typ-o's word lists, where the run has any."""
    words, scores = run.get("typo_dictionary_words") or [], run.get("typo_highscore_names") or []
    if not words and not scores:
        return {}
    return {"typo_dictionary_words": len(words), "typo_highscore_names": len(scores)}

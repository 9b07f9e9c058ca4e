"""The setup a match was launched with, as a game's definition scripts ask for it (seed 002 "Reading the list the engine
built for the match"; spring-analysis 4).

Players, teams, ally teams and AIs are renumbered densely from 0 in the order of their section numbers, as the engine
does. What a section points at and is not there becomes None.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Section = Mapping[str, Any]
# Keys of a section that are not the custom values a game may read.
_TEAM_KEYS = {"teamleader", "allyteam", "side", "handicap", "advantage", "incomemultiplier", "rgbcolor"}
_INDEXED = re.compile(r"(player|team|ai|allyteam)(\d{1,9})", re.IGNORECASE)


def match_setup(game: Section) -> dict[str, Any]:
    """From the script's `[game]` section: keys lower-case, values text or nested sections."""
    sections: dict[str, dict[int, Section]] = {kind: {} for kind in ("player", "team", "ai", "allyteam")}
    for key, value in game.items():
        match = _INDEXED.fullmatch(key)
        if match and isinstance(value, Mapping):
            sections[match[1].lower()][int(match[2])] = value
    number = {kind: {old: new for new, old in enumerate(sorted(found))} for kind, found in sections.items()}

    def at(kind: str, text: Any) -> int | None:
        return number[kind].get(int(text)) if isinstance(text, str) and re.fullmatch(r"\s*\d{1,9}\s*", text) else None

    ordered = {kind: [found[old] for old in sorted(found)] for kind, found in sections.items()}
    return {
        "modOptions": _options(game.get("modoptions")),
        "mapOptions": _options(game.get("mapoptions")),
        "teams": [
            {
                "leader": at("player", team.get("teamleader")),
                "allyTeam": at("allyteam", team.get("allyteam")),
                "side": str(team.get("side", "")).lower(),
                "incomeMultiplier": income(team),
                "custom": {k: v for k, v in team.items() if k not in _TEAM_KEYS and isinstance(v, str)},
            }
            for team in ordered["team"]
        ],
        "allyTeams": [
            {
                "allies": _allies(ally, number["allyteam"]),
                "custom": {k: v for k, v in ally.items() if _custom_ally(k, v)},
            }
            for ally in ordered["allyteam"]
        ],
        "players": [
            {"team": at("team", player.get("team")), "spectator": player.get("spectator", "0").strip() not in ("", "0")}
            for player in ordered["player"]
        ],
        "ais": [
            {
                "team": at("team", ai.get("team")),
                "shortName": str(ai.get("shortname", "")),
                "name": str(ai.get("name", "")),
                "host": at("player", ai.get("host")),
            }
            for ai in ordered["ai"]
        ],
    }


def income(team: Section) -> float:
    """The factor a team's income is multiplied by: a handicap in percent, an advantage, or the factor itself."""
    factor = 1.0
    for key, add, scale in (("handicap", 1.0, 0.01), ("advantage", 1.0, 1.0), ("incomemultiplier", 0.0, 1.0)):
        text = team.get(key)
        if isinstance(text, str):
            try:
                value = add + float(text) * scale
            except ValueError:
                continue
            factor = value if value >= 0 else 0.0
    return factor


def _options(section: Any) -> dict[str, str]:
    return {k: v for k, v in section.items() if isinstance(v, str)} if isinstance(section, Mapping) else {}


def _allies(section: Section, number: Mapping[int, int]) -> list[int]:
    found = (number.get(int(v)) for k, v in section.items() if re.fullmatch(r"ally\d+", k) and v.strip().isdigit())
    return sorted({ally for ally in found if ally is not None})


def _custom_ally(key: str, value: Any) -> bool:
    return isinstance(value, str) and key != "numallies" and not re.fullmatch(r"ally\d+", key)

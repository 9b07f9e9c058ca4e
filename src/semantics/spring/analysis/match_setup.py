"""The setup a match was launched with, as a game's definition scripts ask for it (seed 002 "Reading the list the engine
built for the match"; spring-analysis 4).

Players, teams, ally teams and AIs have the engine's dense numbers. What a section points at and is not there is None.
"""

from __future__ import annotations

from typing import Any

from ksreplay.semantics.spring.script import Section, Setup

# Keys of a section that are not the custom values a game may read.
_TEAM_KEYS = {"teamleader", "allyteam", "side", "handicap", "advantage", "incomemultiplier", "rgbcolor"}


def match_setup(setup: Setup) -> dict[str, Any]:
    """The seats and options of a script, JSON-able."""
    return {
        "modOptions": _options(setup.game, "modoptions"),
        "mapOptions": _options(setup.game, "mapoptions"),
        "teams": [
            {
                "leader": team.leader,
                "allyTeam": team.ally_team,
                "side": (team.section.get("side") or "").lower(),
                "incomeMultiplier": income(team.section),
                "custom": {k: v for k, v in team.section.pairs.items() if k not in _TEAM_KEYS},
            }
            for team in setup.teams
        ],
        "allyTeams": [
            {
                "allies": sorted(set(side.allies)),
                "custom": {
                    k: v
                    for k, v in side.section.pairs.items()
                    if k != "numallies" and not (k.startswith("ally") and k[4:].isdecimal())
                },
            }
            for side in setup.ally_teams
        ],
        "players": [{"team": player.team, "spectator": player.spectator} for player in setup.players],
        "ais": [{"team": ai.team, "shortName": ai.short_name, "name": ai.name, "host": ai.host} for ai in setup.ais],
    }


def income(team: Section) -> float:
    """The factor a team's income is multiplied by: a handicap in percent, an advantage, or the factor itself."""
    factor = 1.0
    for key, add, scale in (("handicap", 1.0, 0.01), ("advantage", 1.0, 1.0), ("incomemultiplier", 0.0, 1.0)):
        value = team.number(key)
        if value is not None:
            factor = max(add + value * scale, 0.0)
    return factor


def _options(game: Section, name: str) -> dict[str, str]:
    section = game.sections.get(name)
    return dict(section.pairs) if section else {}

"""The kinds of line in an event log, as data: keys, types, what must be there, since which logger (spring-analysis
1.1).

Positions are elmos from the map's north-west corner (x east, z south, y up), frames 30 a second, ids integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ksreplay.semantics.spring.analysis.metrics import METRICS
from ksreplay.semantics.spring.analysis.unit_list import NUMBERS

Type = Literal["int", "float", "bool", "string", "cells", "ints", "teams"]


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a kind. A missing optional key is null; bools are written only when true, so theirs is false."""

    key: str
    type: Type
    meaning: str
    required: bool = False
    unit: str = ""
    since: int = 1

    @property
    def column(self) -> str:
        """The key in snake case; `def` is spelled out because a column is also a Python name."""
        name = "".join(f"_{c.lower()}" if c.isupper() else c for c in self.key)
        return {"def": "definition", "attacker_def": "attacker_definition", "from": "from_team"}.get(name, name)


@dataclass(frozen=True, slots=True)
class Kind:
    name: str  # as in the log
    count_key: str  # as in a stored analysis' counts
    meaning: str
    since: int
    fields: tuple[Field, ...]


def _unit_fields(*more: Field) -> tuple[Field, ...]:
    return (
        Field("frame", "int", "game frame", True, "frame"),
        Field("unit", "int", "unit id; the engine uses ids again after a death", True),
        Field("def", "int", "unit definition id in the list of the run", True),
        Field("team", "int", "engine team that owns the unit", True),
        Field("x", "float", "where it was, from west", True, "elmo"),
        Field("y", "float", "height", True, "elmo"),
        Field("z", "float", "where it was, from north", True, "elmo"),
        Field("startUnit", "bool", "a starting unit (or what replaced one)", since=2),
        *more,
    )


KINDS: tuple[Kind, ...] = (
    Kind("header", "header", "the run: game, map, engine, grid", 1, (
        Field("format", "int", "line format, 1"),
        Field("game", "string", "game name"),
        Field("gameVersion", "string", "game version"),
        Field("gameShortName", "string", "game short name"),
        Field("map", "string", "map name"),
        Field("engine", "string", "engine version"),
        Field("mapSizeX", "float", "map width", unit="elmo"),
        Field("mapSizeZ", "float", "map height", unit="elmo"),
        Field("gaiaTeam", "int", "team of Gaia, -1 none"),
        Field("positionFrames", "int", "frames between two positions of a starting unit", unit="frame", since=2),
        Field("unitDefs", "int", "unit_def lines that follow", since=3),
        Field("damageFrames", "int", "frames one damage line adds up", unit="frame", since=4),
        Field("gridWidth", "int", "cells of the damage grid, across", since=4),
        Field("gridHeight", "int", "cells of the damage grid, down", since=4),
    )),
    Kind("unit_def", "unitDef", "one of the engine's unit definitions, in id order", 3, (
        Field("id", "int", "definition id, from 1", True),
        Field("name", "string", "the unit's key", True),
        Field("humanName", "string", "its name for people, when another"),
        Field("metalCost", "float", "cost", unit="metal"),
        Field("energyCost", "float", "cost", unit="energy"),
        Field("mobile", "bool", "moves"),
        Field("builder", "bool", "builds"),
        Field("builds", "bool", "has a build menu"),
        Field("armed", "bool", "has a weapon"),
        *(Field(key, "float", "the definition's number of this name, absent when 0") for key in NUMBERS),
    )),
    Kind("game_start", "gameStart", "the frame the game started on", 1, (
        Field("frame", "int", "game frame", True, "frame"),
    )),
    Kind("unit_created", "unitCreated", "a unit came to be", 1, _unit_fields(
        Field("builder", "int", "unit that builds it, absent when the engine names none"),
    )),
    Kind("unit_finished", "unitFinished", "a unit was finished", 1, _unit_fields()),
    Kind("unit_destroyed", "unitDestroyed", "a unit was lost", 1, _unit_fields(
        Field("attacker", "int", "attacking unit, when the engine names one"),
        Field("attackerDef", "int", "its definition id"),
        Field("attackerTeam", "int", "its team"),
        Field("weapon", "int", "weapon id; negative: the engine's own causes (-21 by a script)"),
    )),
    Kind("unit_given", "unitGiven", "a unit changed team; `team` is the new owner", 2, _unit_fields(
        Field("from", "int", "team it left", since=2),
        Field("captured", "bool", "the engine counted it as a capture, not a gift", since=2),
    )),
    Kind("start_unit_position", "startUnitPosition", "where a living starting unit was, when it had moved", 2, (
        Field("frame", "int", "game frame", True, "frame"),
        Field("unit", "int", "unit id", True),
        Field("team", "int", "its team", True),
        Field("x", "float", "from west", True, "elmo"),
        Field("z", "float", "from north", True, "elmo"),
    )),
    Kind("start_unit_replaced", "startUnitReplaced", "the game's script swapped a starting unit for another", 4, (
        Field("frame", "int", "game frame", True, "frame"),
        Field("unit", "int", "the old unit", True),
        Field("by", "int", "the new one", True),
        Field("team", "int", "their team", True),
        Field("x", "float", "where the new one was, from west", unit="elmo"),
        Field("z", "float", "from north", unit="elmo"),
    )),
    Kind("damage", "damage", "damage of one team's units to another's in one stretch, by cell", 4, (
        Field("frame", "int", "first frame of the stretch", True, "frame"),
        Field("team", "int", "attacker's team, absent when the hits had none"),
        Field("target", "int", "team that was hit", True),
        Field("at", "cells", "where the units hit stood: cell, amount, ..."),
        Field("origin", "cells", "where the attackers stood: cell, amount, ..."),
        Field("off", "float", "damage to units off the map", unit="damage"),
    )),
    Kind("game_over", "gameOver", "the winners and every team's final totals", 1, (
        Field("frame", "int", "game frame", unit="frame"),
        Field("winners", "ints", "ally teams that won, may be empty"),
        Field("teams", "teams", "one object a team: team, samples, and the totals"),
    )),
)  # fmt: skip
BY_NAME: dict[str, Kind] = {kind.name: kind for kind in KINDS}
TEAM_FIELDS: tuple[Field, ...] = (
    Field("team", "int", "engine team"),
    Field("samples", "int", "statistics samples the engine took"),
    Field("frame", "int", "game-over frame; absent without samples", unit="frame"),
    *(Field(m.key, "int" if m.integer else "float", f"final total: {m.label.lower()}", unit=m.unit) for m in METRICS),
)
LINE_FORMAT = 1
LOGGER_VERSION = 4
# Keys of a raw log's header that a logger of that version was the first to write: a guess, the version is not in the
# log.
VERSION_MARKS: tuple[tuple[int, str], ...] = ((4, "damageFrames"), (3, "unitDefs"), (2, "positionFrames"))

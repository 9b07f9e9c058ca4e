"""Which definitions the engine refuses before it numbers the rest (seed 002; spring-analysis 4).

A definition id is a place in the list after these nine checks: one refusal moves every id behind it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Definition = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Check:
    """A number that refuses a definition: `key`, else `fallback` (which may be scaled), else the default."""

    name: str
    key: str
    fallback: str
    default: float
    zero_too: bool = False  # refused at 0 as well as below
    scale: float | None = None  # of the fallback, whose size alone counts then


CHECKS: tuple[Check, ...] = (
    Check("health", "health", "maxdamage", 100, zero_too=True),
    Check("metal cost", "metalcost", "buildcostmetal", 0),
    Check("energy cost", "energycost", "buildcostenergy", 0),
    Check("build time", "buildtime", "", 100, zero_too=True),
    Check("speed", "speed", "maxvelocity", 0, scale=30),
    Check("reverse speed", "rspeed", "maxreversevelocity", 0, scale=30),
    Check("acceleration", "maxacc", "acceleration", 0.5),
    Check("brake rate", "maxdec", "brakerate", math.nan),  # default: the acceleration
)


def refused(definition: Definition, move_classes: Iterable[str]) -> str | None:
    """The first check a definition fails, None when the engine takes it. `move_classes` are the game's, lower-case."""
    values = _lowered(definition)
    found: dict[str, float] = {}
    for check in CHECKS:
        default = found["acceleration"] if math.isnan(check.default) else check.default
        value = found[check.name] = _read(values, check, default)
        if value < 0 or (check.zero_too and value == 0):
            return check.name
    walks = _true(values.get("canmove")) and found["speed"] > 0 and not _true(values.get("canfly"))
    if walks and str(values.get("movementclass", "")).lower() not in set(move_classes):
        return "movement class"
    return None


def numbered(definitions: Mapping[str, Definition], move_classes: Iterable[str]) -> list[str]:
    """The keys the engine numbers from 1: those it takes, sorted."""
    classes = frozenset(c.lower() for c in move_classes)
    return sorted(key for key, definition in definitions.items() if refused(definition, classes) is None)


def _lowered(definition: Definition) -> dict[str, Any]:
    """Keys in lower case; one that is written so already wins over another spelling."""
    values = {key.lower(): value for key, value in definition.items()}
    return values | {key: value for key, value in definition.items() if key == key.lower()}


def _read(values: Mapping[str, Any], check: Check, default: float) -> float:
    if check.key in values:
        return _number(values[check.key], default)
    if check.fallback not in values:
        return default
    value = _number(values[check.fallback], default)
    return value if check.scale is None else abs(value * check.scale)


def _number(value: Any, default: float) -> float:
    """Text that is no number reads 0; another type than number and text reads the default."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return default
    try:
        return float(value)
    except ValueError:
        return 0.0


def _true(value: Any) -> bool:
    return value is True or (isinstance(value, int | float) and value != 0)

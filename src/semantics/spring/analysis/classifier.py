"""What a unit is for, from its definition alone: no game and no unit is named (seed 002 "What is not game specific").

The rules are read from the top and the first that holds decides (spring-analysis 4). Known to be wrong: a fixed unit
with a weapon is defence, so missile silos are; what games express in their own scripts (converters, walls) is
unclassified.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ksreplay.semantics.spring.analysis.unit_list import UnitDef

CATEGORIES: tuple[str, ...] = (
    "factory", "builder", "transport", "offence", "defence", "economy", "intelligence", "unclassified",
)  # fmt: skip
# The columns of the page: four categories share one (spring-analysis 3.7).
BUCKETS: dict[str, str] = {
    "economy": "economy", "defence": "defence", "offence": "offence", "unclassified": "unclassified",
    "factory": "other", "builder": "other", "transport": "other", "intelligence": "other",
}  # fmt: skip
_INCOME = ("metalMake", "energyMake", "makesMetal", "extractsMetal", "windGenerator", "tidalGenerator",
           "metalStorage", "energyStorage")  # fmt: skip
_UPKEEP = ("metalUpkeep", "energyUpkeep")  # a negative upkeep is income, as in the engine
_SENSES = ("radarDistance", "sonarDistance", "radarDistanceJam", "sonarDistanceJam", "seismicDistance")


def _any_above(unit: UnitDef, keys: tuple[str, ...]) -> bool:
    return any(unit.numbers.get(key, 0.0) > 0 for key in keys)


def _builds(unit: UnitDef) -> bool:
    return unit.builder and (unit.builds or not unit.armed)


RULES: tuple[tuple[str, Callable[[UnitDef], bool]], ...] = (
    ("factory", lambda u: _builds(u) and u.builds and not u.mobile),
    ("builder", _builds),
    ("transport", lambda u: _any_above(u, ("transportCapacity",))),
    ("offence", lambda u: u.armed and u.mobile),
    ("defence", lambda u: u.armed),
    ("economy", lambda u: _any_above(u, _INCOME) or any(u.numbers.get(key, 0.0) < 0 for key in _UPKEEP)),
    ("intelligence", lambda u: _any_above(u, _SENSES)),
)


def classify(unit: UnitDef) -> str:
    """The category of one definition, a member of `CATEGORIES`."""
    return next((category for category, holds in RULES if holds(unit)), "unclassified")

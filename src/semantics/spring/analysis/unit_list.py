"""Unit lists: what an id of the stream means (seed 002 "Which unit list names the ids"; spring-analysis 1.2 and 4).

Definition id n is entry n - 1 of the list that the engine built for one match. A list is content-addressed: its digest
is the sha256 of a canonical text, so equal lists are one.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

NUMBERS: tuple[str, ...] = (
    "transportCapacity", "metalMake", "energyMake", "makesMetal", "extractsMetal", "windGenerator", "tidalGenerator",
    "metalUpkeep", "energyUpkeep", "metalStorage", "energyStorage", "radarDistance", "sonarDistance",
    "radarDistanceJam", "sonarDistanceJam", "seismicDistance",
)  # fmt: skip
FLAGS: tuple[str, ...] = ("mobile", "builder", "builds", "armed")
COSTS: tuple[str, ...] = ("metalCost", "energyCost")
MAX_UNITS = 65536
MAX_NAME_BYTES = 256
CANONICAL_HEADER = "coilbox-unit-def-set/1\n"


@dataclass(frozen=True, slots=True)
class UnitDef:
    """One definition: its key, its name for people, costs (None: none stated), four flags, and the numbers it has."""

    name: str
    human_name: str | None = None
    metal_cost: float | None = None
    energy_cost: float | None = None
    mobile: bool = False
    builder: bool = False
    builds: bool = False  # has a build menu
    armed: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)  # keys of NUMBERS

    @classmethod
    def from_json(cls, unit: Mapping[str, Any]) -> UnitDef:
        """From one object of a kept list or a `unit_def` line. What is no number counts as absent."""
        human = unit.get("humanName")
        return cls(
            name=str(unit.get("name", "")),
            human_name=human if isinstance(human, str) else None,
            metal_cost=number(unit.get("metalCost")),
            energy_cost=number(unit.get("energyCost")),
            mobile=unit.get("mobile") is True,
            builder=unit.get("builder") is True,
            builds=unit.get("builds") is True,
            armed=unit.get("armed") is True,
            numbers={key: value for key in NUMBERS if (value := number(unit.get(key))) is not None},
        )

    def to_json(self) -> dict[str, Any]:
        """Fields in canonical order; what is absent or false is left out."""
        values: dict[str, Any] = {
            "name": self.name, "humanName": self.human_name,
            "metalCost": self.metal_cost, "energyCost": self.energy_cost,
            "mobile": self.mobile, "builder": self.builder, "builds": self.builds, "armed": self.armed,
        }  # fmt: skip
        values |= {key: self.numbers.get(key) for key in NUMBERS}
        return {key: value for key, value in values.items() if value is not None and value is not False}


def number(value: object) -> float | None:
    """A JSON number as float; anything else (text, bool, null) is absent."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


@dataclass(frozen=True)
class UnitList:
    """The definitions of one match or build in id order."""

    units: tuple[UnitDef, ...]

    def __len__(self) -> int:
        return len(self.units)

    def named(self, definition: int) -> UnitDef | None:
        """The unit of a definition id, None for 0 and past the end."""
        return self.units[definition - 1] if 1 <= definition <= len(self.units) else None

    @cached_property
    def digest(self) -> str:
        """`sha256:` and 64 hex digits of the canonical text."""
        return "sha256:" + hashlib.sha256(canonical(self.units)).hexdigest()

    @cached_property
    def mobile(self) -> npt.NDArray[np.bool_]:
        return np.fromiter((u.mobile for u in self.units), bool, len(self.units))

    @cached_property
    def metal(self) -> npt.NDArray[np.float64]:
        """(units,) metal cost, NaN where none is stated."""
        return np.fromiter(
            (math.nan if u.metal_cost is None else u.metal_cost for u in self.units), np.float64, len(self.units)
        )

    @cached_property
    def energy(self) -> npt.NDArray[np.float64]:
        """(units,) energy cost, NaN where none is stated."""
        return np.fromiter(
            (math.nan if u.energy_cost is None else u.energy_cost for u in self.units), np.float64, len(self.units)
        )

    @cached_property
    def categories(self) -> npt.NDArray[np.uint8]:
        """(units,) index into `classifier.CATEGORIES`."""
        from ksreplay.semantics.spring.analysis.classifier import CATEGORIES, classify

        codes = {name: i for i, name in enumerate(CATEGORIES)}
        return np.fromiter((codes[classify(u)] for u in self.units), np.uint8, len(self.units))


def refusal(units: Sequence[UnitDef]) -> str | None:
    """Why a list cannot be kept, or None. Names become file content and screen text, so their form is checked."""
    if not 1 <= len(units) <= MAX_UNITS:
        return f"a list holds 1 to {MAX_UNITS} units, not {len(units)}"
    for position, unit in enumerate(units, 1):
        if not unit.name:
            return f"unit {position} has no key"
        for text in (unit.name, unit.human_name or ""):
            if len(text.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
                return f"unit {position} has a name longer than {MAX_NAME_BYTES} bytes"
            if any(ord(c) < 32 or 127 <= ord(c) < 160 or 0xD800 <= ord(c) < 0xE000 for c in text):
                return f"unit {position} has a control character in its name"
        costs = (unit.metal_cost, unit.energy_cost, *unit.numbers.values())
        if any(value is not None and not math.isfinite(value) for value in costs):
            return f"unit {position} has a number that is not finite"
    return None


def canonical(units: Iterable[UnitDef]) -> bytes:
    """The canonical text whose sha256 names the list: a header line, then one compact JSON object a line."""
    return "".join([CANONICAL_HEADER, *(line + "\n" for line in _canonical_lines(units))]).encode()


def _canonical_lines(units: Iterable[UnitDef]) -> Iterator[str]:
    for unit in units:
        pairs = (f"{json.dumps(key)}:{_canonical_value(value)}" for key, value in unit.to_json().items())
        yield "{" + ",".join(pairs) + "}"


def _canonical_value(value: object) -> str:
    return _float_text(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _float_text(value: float) -> str:
    """Shortest round-trip digits; decimal from 1e-5 up to 1e16, else an exponent without plus or padding."""
    text = repr(value)
    if "e" not in text:
        return text
    if 1e-5 <= abs(value) < 1e-4:
        return format(Decimal(text), "f")
    digits, exponent = text.split("e")
    return f"{digits}e{int(exponent)}"

"""How a message table is stated: which ids, and for each column which field of the body and how it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Derived, Lists, Strings
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.table import Column, Schema

Bodies = NDArray[np.void]
FIXED_ONE = 65536.0  # 16.16 fixed point
TURN = 65536  # units of an angle
TICKS_A_SECOND = 30  # of game time, at normal speed


# What columns derive from the numbers that are stored; as functions, so that a table keeps the stored ones only.


def seconds(ticks: NDArray[Any]) -> NDArray[np.float64]:
    return ticks / TICKS_A_SECOND


def from_fixed(values: NDArray[Any]) -> NDArray[np.float64]:
    """16.16 fixed point numbers; float64 holds every bit of them."""
    return values / FIXED_ONE


def degrees(words: NDArray[Any]) -> NDArray[np.float64]:
    return words * (360.0 / TURN)


TIME = Column(
    "time_s", "float64", nullable=True, unit="s", meaning="tick_low in seconds of game time, 30 ticks each",
    source="seed 004, 9",
)  # fmt: skip
COMMON = (
    Column("record", "int32", meaning="number of the packet record"),
    Column("wall_ms", "int64", unit="ms", meaning="wall clock of the recorder since the recording began"),
    Column("sender", "uint8", meaning="number of the player who sent it"),
    Column(
        "tick_low", "int32", nullable=True, unit="tick",
        meaning="tick of the sender's sync before it; null where clock or speed jump in between", source="seed 004, 9",
    ),
    Column(
        "tick_high", "int32", nullable=True, unit="tick",
        meaning="tick of the sender's sync after it; null where clock or speed jump in between", source="seed 004, 9",
    ),
    TIME,
    Column("repeated", "bool", meaning="in a packet that repeats the sender's packet before it, syncs included"),
)  # fmt: skip


@dataclass(frozen=True)
class Part:
    """One column: its declaration, and how to make it from the bodies: (values, valid or None)."""

    column: Column
    make: Callable[[Bodies], tuple[Any, NDArray[np.bool_] | None]]


@dataclass(frozen=True)
class Kind:
    """A message table: all subpackets with one id, one row each."""

    number: int
    schema: Schema
    parts: tuple[Part, ...]
    mark: str = ""  # a last column, bool, that says which rows repeat another

    @property
    def dtype(self) -> np.dtype[np.void]:
        dtype = WALK[self.number].dtype
        assert dtype is not None
        return dtype


def kind(
    number: int,
    name: str,
    row: str,
    section: str,
    *parts: Part | tuple[Part, ...],
    mark: Column | None = None,
    version: int = 1,
) -> Kind:
    flat: list[Part] = []
    for part in parts:
        flat.extend(part if isinstance(part, tuple) else (part,))
    columns = (*COMMON, *(part.column for part in flat), *((mark,) if mark else ()))
    meaning = f"one row {row} (0x{number:02x})"
    return Kind(
        number,
        Schema(name, columns, meaning=meaning, source=f"seed 004, {section}", version=version),
        tuple(flat),
        mark.name if mark else "",
    )


def raw(name: str, dtype: str, meaning: str = "", *, field: str = "", unit: str = "", none: int | None = None) -> Part:
    """A field as it is; ``none`` is the value that stands for nothing and becomes null."""
    column = Column(name, dtype, nullable=none is not None, unit=unit, meaning=meaning or name.replace("_", " "))
    key = field or name

    def make(bodies: Bodies) -> tuple[Any, NDArray[np.bool_] | None]:
        values = bodies[key]
        return values.astype(dtype), None if none is None else values != none

    return Part(column, make)


def fixed(name: str, meaning: str, *, field: str = "", unit: str = "world unit") -> Part:
    """A 16.16 fixed point number as float64."""
    column = Column(name, "float64", unit=unit, meaning=meaning)
    return Part(column, lambda bodies: (Derived(bodies[field or name], from_fixed), None))


def position(prefix: str = "", meaning: str = "position", unit: str = "world unit") -> tuple[Part, ...]:
    names = (("x", "east"), ("y", "up"), ("z", "south"))
    return tuple(fixed(prefix + axis, f"{meaning}, {way}", unit=unit) for axis, way in names)


def angle(name: str, meaning: str, *, field: str = "", dtype: str = "int16") -> tuple[Part, ...]:
    """An angle word and the same in degrees."""
    word = raw(name, dtype, f"{meaning}, {TURN} to a turn", field=field)
    turned = Column(f"{name}_deg", "float64", unit="degree", meaning=meaning)
    return word, Part(turned, lambda bodies: (Derived(bodies[field or name], degrees), None))


def flag(name: str, field: str, mask: int, meaning: str) -> Part:
    return Part(Column(name, "bool", meaning=meaning), lambda bodies: ((bodies[field] & mask) != 0, None))


def named(name: str, field: str, names: dict[int, str], meaning: str) -> Part:
    """The name of a value; null where it has none."""
    numbers = sorted(names)
    column = Column(name, "string", nullable=True, meaning=meaning)

    def make(bodies: Bodies) -> tuple[Any, NDArray[np.bool_] | None]:
        return codes(bodies[field], numbers, [names[number] for number in numbers]), None

    return Part(column, make)


def codes(values: NDArray[Any], numbers: list[int], names: list[str]) -> Strings:
    """Names for numbers; null for a number without one."""
    known = np.array(numbers, np.int64)
    place = np.searchsorted(known, values)
    place = np.minimum(place, len(known) - 1)
    return Strings.from_codes(np.where(known[place] == values, place, -1).astype(np.int32), names)


def computed(column: Column, make: Callable[[Bodies], Any]) -> Part:
    return Part(column, lambda bodies: (make(bodies), None))


def coded(values: NDArray[np.int8], names: list[str]) -> Strings:
    """Text of codes that this program made, -1 for null: without the checks that codes of a file need."""
    entries = Strings.from_list(names)
    return Strings(entries.offsets, entries.values, codes=values)


def words(name: str, fields: tuple[str, ...], meaning: str) -> Part:
    """Several fields as one list."""
    column = Column(name, "list<int32>", meaning=meaning)

    def make(bodies: Bodies) -> tuple[Any, NDArray[np.bool_] | None]:
        values = np.stack([bodies[field] for field in fields], axis=1).astype(np.int32).reshape(-1)
        return Lists(np.arange(len(bodies) + 1, dtype=np.int64) * len(fields), values), None

    return Part(column, make)

"""Where orders are aimed, by their command and how many parameters they have.

Source: seed 002, "Map layer, order density"; spring-analysis 3.3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import empties, looked_up
from ksreplay.formats.spring_entries import compiled
from ksreplay.semantics.spring import command_names as names
from ksreplay.semantics.spring.orders import Orders
from ksreplay.threads import share

KINDS = tuple(kind.name.lower() for kind in names.Kind)
AIMS = tuple(aim.name.lower() for aim in names.Aim)


@dataclass(frozen=True)
class Aimed:
    """Where orders are aimed: ``aim`` int8 (`names.Aim`), ``kind`` int8 (`names.Kind`, -1 none), ``command`` int8
    (`names.NAMES`, -1 where malformed), ``x`` and ``z`` float32, NaN without a place."""

    aim: NDArray[np.int8]
    kind: NDArray[np.int8]
    command: NDArray[np.int8]
    x: NDArray[np.float32]
    z: NDArray[np.float32]


_BUILDS, _UNKNOWN = 254, 255  #: rows of the tables beyond the engine's own ids, which end at 150


@cache
def _tables() -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """By command and parameter count the aim and the index of the place's x; by command the kind and the name.

    Rows as in `_row`.
    """
    kind = np.full(256, -1, np.int8)
    name = np.full(256, names.NAMES.index(names.CUSTOM), np.int8)
    name[_BUILDS] = names.NAMES.index(names.BUILD)
    name[list(names.COMMANDS)] = np.arange(len(names.COMMANDS))
    aim = np.full((256, names.MOST + 1), names.Aim.MALFORMED, np.int8)
    place = np.zeros((256, names.MOST + 1), np.int8)
    aim[_UNKNOWN] = names.Aim.CUSTOM
    aim[_BUILDS, :3], aim[_BUILDS, 3:], kind[_BUILDS] = names.Aim.NONE, names.Aim.PLACE, names.Kind.BUILD
    aim[[n for n in range(254) if n not in names.COMMANDS]] = names.Aim.CUSTOM
    aim[sorted(names.WITHOUT_TARGET)] = names.Aim.NONE
    for command, (of, counts) in names.AIMS.items():
        kind[command] = of
        for count, index in counts.items():
            aim[command, count] = names.Aim.UNIT if index is None else names.Aim.PLACE
            place[command, count] = index or 0
    return aim, place, kind, name


def _row(command: NDArray[np.int32]) -> NDArray[np.uint8]:
    """The row of the tables for each command."""
    row = command.astype(np.uint8)
    row[command < 0] = _BUILDS
    row[command >= _BUILDS] = _UNKNOWN
    return row


def aim(orders: Orders, *, kernel: Callable[[], ModuleType | None] = compiled) -> Aimed:
    """Where each order is aimed; an INSERT is read as the command that it wraps."""
    count = len(orders)
    result, kind, command, x, z = empties(count, "i1", "i1", "i1", "f4", "f4")
    x.fill(np.nan)
    z.fill(np.nan)
    aimed = Aimed(result, kind, command, x, z)
    if orders.params_at.dtype == np.int32 and (chosen := kernel()) is not None:
        given = (orders.command_id, orders.num_params, orders.params_at, orders.params)
        share(lambda low, high: chosen.aim(low, high, *given, *_tables(), result, kind, command, x, z), count, 16384)
    else:
        _by_numpy(orders, aimed)
    if not orders.carriers.good.all():
        broken = ~orders.good
        result[broken], kind[broken], command[broken] = names.Aim.MALFORMED, -1, -1
    return aimed


def _by_numpy(orders: Orders, aimed: Aimed) -> None:
    aims, places, kinds, known = _tables()
    row = _row(orders.command_id)
    aimed.command[:] = looked_up(row, known)
    count = np.minimum(orders.num_params, names.MOST)
    inserts = np.flatnonzero(orders.command_id == names.INSERT)
    broken = inserts[:0]
    if len(inserts):
        inner = orders.param(1, inserts)
        fits = np.isfinite(inner) & (orders.num_params[inserts] >= 3) & (np.abs(inner) < 2**31)
        wrapped = np.where(fits, inner, 0).astype(np.int32)
        row[inserts] = _row(wrapped)
        count[inserts] = np.clip(orders.num_params[inserts] - 3, 0, names.MOST)
        broken = inserts[~fits | (wrapped == names.INSERT)]
    cell = row.astype(np.int32) * (names.MOST + 1) + count
    aims.reshape(-1).take(cell, out=aimed.aim, mode="clip")
    kinds.take(row, out=aimed.kind, mode="clip")
    aimed.aim[broken], aimed.kind[broken] = names.Aim.MALFORMED, -1
    at = np.flatnonzero(aimed.aim == names.Aim.PLACE)
    start = orders.params_at[at] + places.reshape(-1)[cell[at]]
    if len(inserts):
        start += np.where(orders.command_id[at] == names.INSERT, 3, 0).astype(start.dtype)
    x, y, z = (orders.params[start + axis] for axis in range(3))
    finite = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
    aimed.x[at], aimed.z[at] = np.where(finite, x, np.nan), np.where(finite, z, np.nan)
    aimed.aim[at[~finite]] = names.Aim.MALFORMED

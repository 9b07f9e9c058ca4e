"""Which rows and columns an export takes: a stretch of the game, some players, some columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.table import Schema, Table

if TYPE_CHECKING:
    from ksreplay.replay import Replay

#: Pairs of columns that say when a row begins and ends; the first pair that a table has counts.
MOMENTS = (
    ("frame", "frame"),
    ("tick", "tick"),
    ("tick_low", "tick_high"),
    ("first_frame", "last_frame"),
    ("start_frame", "end_frame"),
    ("first_tick", "last_tick"),
    ("start_tick", "end_tick"),
)
#: Columns that say whose a row is.
PLAYERS = ("player", "sender")


@dataclass(frozen=True, slots=True)
class Selection:
    """``first`` to ``last`` are frames or ticks, both included, None for open ends; ``players`` are their numbers.

    A table that has no such column is taken whole; `applies` says so.
    """

    first: float | None = None
    last: float | None = None
    players: frozenset[int] | None = None
    columns: tuple[str, ...] = ()

    def applies(self, schema: Schema) -> bool:
        """Whether the rows of a table of this schema can be told apart by all that is asked."""
        wanted_time = self.first is not None or self.last is not None
        return not (wanted_time and moment(schema) is None) and not (self.players is not None and whose(schema) is None)

    def of(self, table: Table) -> Table:
        """The chosen rows and columns."""
        mask = np.ones(len(table), bool)
        span = moment(table.schema)
        if span is not None and (self.first is not None or self.last is not None):
            begin, end = span
            if self.first is not None:
                mask &= _known(table, end) & (table.column(end) >= self.first)
            if self.last is not None:
                mask &= _known(table, begin) & (table.column(begin) <= self.last)
        owner = whose(table.schema)
        if self.players is not None and owner is not None:
            mask &= _known(table, owner) & np.isin(table.column(owner), list(self.players))
        if not mask.all():
            table = table.filter(mask)
        names = self.names(table.schema)
        return table if names is None else table.select(names)

    def names(self, schema: Schema) -> tuple[str, ...] | None:
        """The chosen columns of a schema in the order they were asked for; None for all."""
        if not self.columns:
            return None
        return tuple(name for name in self.columns if name in schema)


def moment(schema: Schema) -> tuple[str, str] | None:
    return next((pair for pair in MOMENTS if pair[0] in schema and pair[1] in schema), None)


def whose(schema: Schema) -> str | None:
    numbers = (name for name in PLAYERS if name in schema)
    return next((name for name in numbers if schema[name].dtype.lstrip("u").startswith("int")), None)


def players_of(replay: Replay, wanted: Iterable[str]) -> frozenset[int]:
    """Numbers for names (case aside) or numbers. KeyError names one that the replay does not have."""
    players: list[dict[str, Any]] = replay.info()["players"]
    found = set()
    for text in wanted:
        numbers = {p["id"] for p in players if str(p.get("name")).casefold() == text.casefold()}
        if not numbers and text.lstrip("-").isdecimal():
            numbers = {int(text)}
        if not numbers:
            known = ", ".join(f"{p['id']} {p.get('name')}" for p in players)
            raise KeyError(f"no player {text!r}; there are {known or 'none'}")
        found |= numbers
    return frozenset(found)


def _known(table: Table, name: str) -> NDArray[np.bool_]:
    mask = table.valid(name)
    return np.ones(len(table), bool) if mask is None else mask

"""Where two replays of a format part: by their facts, then by the first row of each table that differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ksreplay.columns import Ragged
from ksreplay.errors import plain

if TYPE_CHECKING:
    from ksreplay.replay import Replay
    from ksreplay.table import Table

#: Columns that say when: the first of them that a table has is the moment of its difference.
_MOMENTS = ("frame", "tick", "wall_ms", "time")
#: Facts that belong to the file rather than to the game.
_OF_THE_FILE = frozenset({"file", "problems", "complete", "tables", "payload_sha256"})
#: Rows compared at a time.
_STEP = 1 << 16


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where a part differs: ``part`` (a table, chunk or "facts"), ``field``, and the two values.

    ``row`` is the index within the part; ``moment`` its frame or tick, with ``unit`` saying which. One side is None
    where only the other goes on.
    """

    part: str
    field: str
    left: Any
    right: Any
    row: int | None = None
    moment: float | None = None
    unit: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    def __str__(self) -> str:
        place = self.part + ("" if self.row is None else f" row {self.row}")
        when = "" if self.moment is None else f", {self.unit} {self.moment:g}"
        return f"{place}{when}: {self.field}: {self.left!r} and {self.right!r}"


def by_tables(left: Replay, right: Replay) -> list[Difference]:
    """Facts that differ, then the first difference of each table, in the format's order."""
    found = list(_facts(left.info(), right.info(), ""))
    for name in left.tables:
        first = in_table(name, left.tables[name], right.tables[name])
        if first is not None:
            found.append(first)
    return found


def _facts(left: Any, right: Any, path: str) -> list[Difference]:
    if isinstance(left, dict) and isinstance(right, dict):
        names = [name for name in {**left, **right} if name not in _OF_THE_FILE]
        return [d for n in names for d in _facts(left.get(n), right.get(n), f"{path}.{n}" if path else n)]
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = enumerate(zip(left, right, strict=True))
        return [d for index, (a, b) in pairs for d in _facts(a, b, f"{path}[{index}]")]
    return [] if left == right else [Difference("facts", path, left, right)]


def in_table(name: str, left: Table, right: Table) -> Difference | None:
    """The first row, and its first column, in which two tables of one schema differ."""
    shared = min(len(left), len(right))
    for start in range(0, shared, _STEP):
        a, b = left.slice(start, min(start + _STEP, shared)), right.slice(start, min(start + _STEP, shared))
        rows = {column: row for column in left.schema.names if (row := _first(a, b, column)) is not None}
        if rows:
            column = min(rows, key=lambda key: rows[key])
            return _difference(name, column, left, right, start + rows[column])
    if len(left) != len(right):
        longer = left if len(left) > len(right) else right
        moment, unit = _moment(longer, shared)
        return Difference(name, "rows", len(left), len(right), shared, moment, unit)
    return None


def _first(left: Table, right: Table, column: str) -> int | None:
    a, b = left.column(column), right.column(column)
    if isinstance(a, Ragged):
        differs = _ragged_differs(left, right, column)
    else:
        differs = a != b
        if a.dtype.kind == "f":
            differs &= ~(np.isnan(a) & np.isnan(b))
    known_a, known_b = left.valid(column), right.valid(column)
    if known_a is not None or known_b is not None:
        known_a = np.ones(len(left), bool) if known_a is None else known_a
        known_b = np.ones(len(right), bool) if known_b is None else known_b
        differs = (differs & known_a & known_b) | (known_a != known_b)
    rows = np.flatnonzero(differs)
    return int(rows[0]) if len(rows) else None


def _ragged_differs(left: Table, right: Table, column: str) -> Any:
    """bool, a row: lengths and values compared in bulk, rows one by one only from the first unequal value on."""
    offsets_a, values_a = left.column(column).flat()
    offsets_b, values_b = right.column(column).flat()
    if np.array_equal(offsets_a, offsets_b) and not isinstance(values_a, Ragged):
        if np.array_equal(values_a, values_b):
            return np.zeros(len(left), bool)
        at = np.flatnonzero(values_a != values_b)
        differs = np.zeros(len(left), bool)
        differs[np.searchsorted(offsets_a, at[:1], "right") - 1] = True
        return differs
    pairs = zip(left.select([column]).rows(), right.select([column]).rows(), strict=True)
    return np.fromiter((a != b for a, b in pairs), bool, len(left))


def _difference(name: str, column: str, left: Table, right: Table, row: int) -> Difference:
    a = next(left.slice(row, row + 1).select([column]).rows())[column]
    b = next(right.slice(row, row + 1).select([column]).rows())[column]
    moment, unit = _moment(left, row)
    return Difference(name, column, plain(a), plain(b), row, moment, unit)


def _moment(table: Table, row: int) -> tuple[float | None, str]:
    for name in _MOMENTS:
        if name in table.schema:
            known = table.valid(name)
            if known is None or known[row]:
                return float(table.column(name)[row]), name
    return None, ""

"""Read `coilbox-replay-events.jsonl`: what the simulation did when Coilbox played a match again (spring-analysis 1).

A line that is not a JSON object of a known shape is malformed and counted; a kind the reader does not know is counted
as unknown and kept; text after the last line end is a truncated line. Every line stays as it was written, byte for
byte. Damage lines are late: file order is not frame order, and no reader here depends on it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.spring.analysis.event_kinds import BY_NAME, KINDS, TEAM_FIELDS, VERSION_MARKS, Field, Kind, Type
from ksreplay.semantics.spring.analysis.unit_list import MAX_UNITS, UnitDef, UnitList, number

UNKNOWN = "unknown"
MAX_LINES = 2_000_000  # a match of half an hour has some ten thousand
MAX_LINE_BYTES = 1 << 22  # a damage line with every cell of the grid twice has 1.5 MB
_INT32 = range(-(2**31), 2**31)


class _WrongType(Exception):
    """A key has a value of another type: the line is malformed."""


def _integer(value: object) -> int:
    if type(value) is not int or value not in _INT32:
        raise _WrongType
    return value


def _float(value: object) -> float:
    if value is None:  # the logger writes NaN and infinity as null
        return math.nan
    found = number(value)
    if found is None:
        raise _WrongType
    return found


def _flag(value: object) -> bool:
    if type(value) is not bool:
        raise _WrongType
    return value


def _text(value: object) -> str:
    if type(value) is not str:
        raise _WrongType
    return value


def _integers(value: object) -> list[int]:
    if type(value) is not list:
        raise _WrongType
    return [_integer(v) for v in value]


def _cells(value: object) -> list[float]:
    """A flat list cell, amount, ...; no list, odd length or something that is no number in it reads as empty."""
    if type(value) is not list or len(value) % 2:
        return []
    numbers = [number(v) for v in value]
    return [] if None in numbers else [v for v in numbers if v is not None]


def _teams(value: object) -> list[dict[str, Any]]:
    if type(value) is not list or not all(type(team) is dict for team in value):
        raise _WrongType
    return [
        {f.key: _READ[f.type](t[f.key]) if f.key in t else _ABSENT_IN_TEAM.get(f.key) for f in TEAM_FIELDS}
        for t in value
    ]


_READ: dict[Type, Callable[[object], Any]] = {
    "int": _integer, "float": _float, "bool": _flag, "string": _text, "ints": _integers, "cells": _cells,
    "teams": _teams,
}  # fmt: skip
_ABSENT: dict[Type, Any] = {"bool": False, "ints": [], "cells": [], "teams": []}
_ABSENT_IN_TEAM: dict[str, Any] = {"team": 0, "samples": 0}


@dataclass
class EventLog:
    """One log. `columns[kind][key]` are plain lists of one value a line; `where[kind]` is each line's number."""

    data: bytes
    line_start: npt.NDArray[np.int64]  # (lines,) offset of every kept line in `data`
    line_end: npt.NDArray[np.int64]  # without its line end
    line_kind: npt.NDArray[np.int16]  # index into KINDS, -1 unknown
    columns: dict[str, dict[str, list[Any]]]
    where: dict[str, list[int]]
    malformed: int = 0
    malformed_lines: list[tuple[int, int]] = field(default_factory=list)  # (offset, line number) of the first thousand
    truncated: bool = False

    def __len__(self) -> int:
        return len(self.line_start)

    def line(self, index: int) -> bytes:
        """The text of kept line `index` as the logger wrote it."""
        return self.data[self.line_start[index] : self.line_end[index]]

    @cached_property
    def counts(self) -> dict[str, int]:
        """Lines by kind under the keys of a stored analysis, `unknown` among them."""
        codes = Counter(self.line_kind.tolist())
        return {k.count_key: codes[i] for i, k in enumerate(KINDS)} | {UNKNOWN: codes[-1]}

    def array(self, kind: str, key: str) -> npt.NDArray[Any]:
        """One key of a kind as an array (lines of the kind,): int64 (absent: -1), float64 (absent: NaN), bool or
        object."""
        type_ = next(f.type for f in BY_NAME[kind].fields if f.key == key)
        values = self.columns[kind][key]
        if type_ == "int":
            return np.array([-1 if v is None else v for v in values], np.int64)
        if type_ == "float":
            return np.array([math.nan if v is None else v for v in values], np.float64)
        if type_ == "bool":
            return np.array(values, bool)
        out = np.empty(len(values), object)
        out[:] = values
        return out

    def present(self, kind: str, key: str) -> npt.NDArray[np.bool_]:
        """Where an optional key was written: (lines of the kind,) bool."""
        values = self.columns[kind][key]
        return np.fromiter((v is not None for v in values), bool, len(values))

    @cached_property
    def header(self) -> dict[str, Any] | None:
        """The (first) header's values, None for a key it does not have; None without a header."""
        fields = self.columns["header"]
        return {key: values[0] for key, values in fields.items()} if self.where["header"] else None

    @cached_property
    def game_over(self) -> dict[str, Any] | None:
        """The last game_over line: frame, winners, teams."""
        fields = self.columns["game_over"]
        return {key: values[-1] for key, values in fields.items()} if self.where["game_over"] else None

    @cached_property
    def unit_list(self) -> UnitList | None:
        """The engine's own unit list, when the log holds it whole: as many lines as the header says, ids 1..n in
        order."""
        stated = (self.header or {}).get("unitDefs") or 0
        fields = self.columns["unit_def"]
        if not 0 < stated <= MAX_UNITS or fields["id"] != list(range(1, stated + 1)):
            return None
        rows = zip(*fields.values(), strict=True)
        return UnitList(tuple(UnitDef.from_json(dict(zip(fields, row, strict=True))) for row in rows))

    @property
    def line_format(self) -> int | None:
        return (self.header or {}).get("format")

    @property
    def logger_version(self) -> int:
        """Guessed from the keys of the header: the version itself is only in a stored analysis."""
        header = self.header or {}
        return next((version for version, key in VERSION_MARKS if header.get(key) is not None), 1)


def read_log(data: bytes, *, start: int = 0, max_lines: int | None = None) -> EventLog:
    """Read a log from `data[start:]`. `max_lines` bounds the lines kept; what is past it counts as truncated."""
    columns: dict[str, dict[str, list[Any]]] = {k.name: {f.key: [] for f in k.fields} for k in KINDS}
    where: dict[str, list[int]] = {k.name: [] for k in KINDS}
    starts: list[int] = []
    ends: list[int] = []
    kinds: list[int] = []
    log = EventLog(data, *(np.zeros(0, np.int64),) * 2, np.zeros(0, np.int16), columns, where)
    codes = {k.name: i for i, k in enumerate(KINDS)}
    at, number_of_line = start, 0
    while (end := data.find(b"\n", at)) >= 0:
        if max_lines is not None and len(starts) >= max_lines:
            log.truncated = True
            break
        text = data[at:end].rstrip(b"\r")
        number_of_line += 1
        if text.strip():
            kind = _read_line(text, columns)
            if kind is None:
                log.malformed += 1
                if len(log.malformed_lines) < 1000:
                    log.malformed_lines.append((at, number_of_line))
            else:
                if kind in where:
                    where[kind].append(len(starts))
                starts.append(at)
                ends.append(at + len(text))
                kinds.append(codes.get(kind, -1))
        at = end + 1
    else:
        log.truncated = bool(data[at:].strip())
    log.line_start, log.line_end = np.array(starts, np.int64), np.array(ends, np.int64)
    log.line_kind = np.array(kinds, np.int16)
    return log


def parse_object(text: bytes) -> dict[str, Any] | None:
    """A line as a JSON object, None when it is none. NaN, invalid UTF-8, lone surrogates and deep nesting are not JSON
    here."""
    try:
        found = _DECODER.decode(text.decode())
        if b"\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return found if type(found) is dict else None


def _no_constant(name: str) -> float:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def _read_line(text: bytes, columns: dict[str, dict[str, list[Any]]]) -> str | None:
    """Append one line's values to its kind's columns. The kind's name, `unknown`, or None for a malformed line."""
    found = parse_object(text) if len(text) <= MAX_LINE_BYTES else None
    if found is None:
        return None
    name = found.get("kind")
    if type(name) is not str:
        return None
    kind = BY_NAME.get(name)
    if kind is None:
        return UNKNOWN
    try:
        values = [_value(found, f) for f in kind.fields]
    except _WrongType:
        return None
    for f, value in zip(kind.fields, values, strict=True):
        columns[name][f.key].append(value)
    return name


def _value(found: dict[str, Any], f: Field) -> Any:
    if f.key in found:
        value = found[f.key]
        if value is None and f.type != "float" and not f.required:
            return _ABSENT.get(f.type)
        return _READ[f.type](value)
    if f.required:
        raise _WrongType
    return _ABSENT.get(f.type)


def kind_of(log: EventLog, index: int) -> Kind | None:
    """The kind of kept line `index`, None for an unknown one."""
    code = int(log.line_kind[index])
    return KINDS[code] if code >= 0 else None

"""Canonical MessagePack, read against declared types: what a value is, and where and how it leaves the canonical form.

A type (`Int`, `Text`, `Map` ...) reads its value at an offset and reports each breach with the field's path and the
byte. Nothing is built for what no type asks for; a `Reader` bounds how many values one payload may cost.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple, Protocol

from ksreplay.errors import Problem, Problems, Severity
from ksreplay.formats import crd_rules as rules
from ksreplay.limits import Limits
from ksreplay.rules import Rule

INT, TEXT, DATA, ARRAY, MAP, NIL, BOOL, FLOAT64, FLOAT32, EXTENSION = (
    "integer", "string", "bytes", "array", "map", "nil", "boolean", "float64", "float32", "extension",
)  # fmt: skip


class Tag(NamedTuple):
    """What a first byte announces. ``number`` unpacks the bytes after it; a value nearer to zero than ``shortest``
    has a shorter form. ``fixed`` is the value or length that lies in the byte itself."""

    kind: str
    size: int
    number: struct.Struct | None = None
    shortest: int = 0
    fixed: Any = None


def _tags() -> list[Tag | None]:
    """The 256 first bytes of MessagePack."""
    table: list[Tag | None] = [None] * 256

    def wide(first: int, kind: str, codes: str, shortest: tuple[int, ...]) -> None:
        for step, (code, least) in enumerate(zip(codes, shortest, strict=True)):
            number = struct.Struct(">" + code)
            table[first + step] = Tag(kind, 1 + number.size, number, least)

    for tag in range(0x80):
        table[tag] = Tag(INT, 1, fixed=tag)
        if tag >= 0x60:
            table[tag + 0x80] = Tag(INT, 1, fixed=tag - 0x80)
    for count in range(16):
        table[0x80 + count] = Tag(MAP, 1, fixed=count)
        table[0x90 + count] = Tag(ARRAY, 1, fixed=count)
    for length in range(32):
        table[0xA0 + length] = Tag(TEXT, 1, fixed=length)
    table[0xC0] = Tag(NIL, 1)
    table[0xC2], table[0xC3] = Tag(BOOL, 1, fixed=False), Tag(BOOL, 1, fixed=True)
    wide(0xC4, DATA, "BHI", (0, 1 << 8, 1 << 16))
    wide(0xC7, EXTENSION, "BHI", (0, 1 << 8, 1 << 16))
    wide(0xCA, FLOAT32, "f", (0,))
    wide(0xCB, FLOAT64, "d", (0,))
    wide(0xCC, INT, "BHIQ", (1 << 7, 1 << 8, 1 << 16, 1 << 32))
    wide(0xD0, INT, "bhiq", (-33, -(1 << 7) - 1, -(1 << 15) - 1, -(1 << 31) - 1))
    for step in range(5):
        table[0xD4 + step] = Tag(EXTENSION, 1, fixed=1 << step)
    wide(0xD9, TEXT, "BHI", (1 << 5, 1 << 8, 1 << 16))
    wide(0xDC, ARRAY, "HI", (16, 1 << 16))
    wide(0xDE, MAP, "HI", (16, 1 << 16))
    return table


TAGS = _tags()

#: Bytes an element takes at least: what a count may be checked against before anything is made.
_LEAST = {ARRAY: 1, MAP: 2}
_HEADER_RULES = {TEXT: rules.STR_HEADER, DATA: rules.BIN_HEADER, ARRAY: rules.ARRAY_HEADER, MAP: rules.MAP_HEADER}


class Token(NamedTuple):
    """One value's head: its kind, its number, truth, length or count, and the offset after the head."""

    kind: str
    value: Any
    end: int
    canonical: bool


class Type(Protocol):
    """A declared type of a value."""

    def read(self, reader: Reader, at: int, where: str) -> tuple[Any, int]:
        """The value at ``at`` (None where it cannot be had) and the offset after it."""
        ...


@dataclass(slots=True)
class Reader:
    """A payload being read: its bytes, the version in force, what was found so far."""

    payload: bytes
    problems: Problems
    limits: Limits
    version: int = 34
    #: Offset of each field by path (elements of arrays left out).
    offsets: dict[str, int] = field(default_factory=dict)
    #: Which spelling stands in the file, for keys that have several.
    spellings: dict[str, str] = field(default_factory=dict)
    #: How many more values may be read one by one.
    budget: int = 1_000_000
    num_reports: int = 0
    #: Codes of rules that only warn where reading is now.
    softened: frozenset[str] = frozenset()
    unlisted: dict[str, Problem] = field(default_factory=dict)

    def report(
        self, rule: Rule, where: str, at: int, *, found: Any = None, expected: Any = None, message: str = ""
    ) -> None:
        self.num_reports += 1
        if rule.code in self.softened:
            rule = replace(rule, severity=Severity.WARNING)
        if len(self.problems) < self.problems.limit:
            self.problems.add(rule.problem(where, at, found=found, expected=expected, message=message), rule.error)
        else:  # the list is full and only counts go on
            self.problems.add(self.unlisted.setdefault(rule.code, rule.problem()), rule.error)

    def token(self, at: int, where: str) -> Token:
        """The head of the value at ``at``. Raises Truncated, or Corrupt for the byte that is no value."""
        self.budget -= 1
        if self.budget < 0:
            raise rules.TOO_MANY_VALUES.failure(rules.FORMAT, where, at)
        payload = self.payload
        if at >= len(payload):
            raise rules.TRUNCATED.failure(rules.FORMAT, where, at)
        tag = TAGS[payload[at]]
        if tag is None:
            raise rules.RESERVED_TAG.failure(rules.FORMAT, where, at, found=payload[at : at + 1])
        end = at + tag.size
        canonical = True
        value = tag.fixed
        if tag.number is not None:
            if end > len(payload):
                raise rules.TRUNCATED.failure(rules.FORMAT, where, at)
            (value,) = tag.number.unpack_from(payload, at + 1)
            canonical = value <= tag.shortest if tag.shortest < 0 else value >= tag.shortest
            if tag.kind is FLOAT64 or tag.kind is FLOAT32:
                canonical = True
        if tag.kind in _LEAST:
            needed = value * _LEAST[tag.kind]
        elif tag.kind is TEXT or tag.kind is DATA:
            needed = value
        elif tag.kind is EXTENSION:
            needed = value + 1
        else:
            return Token(tag.kind, value, end, canonical)
        if needed > len(payload) - end:
            raise rules.TRUNCATED.failure(
                rules.FORMAT, where, at, found=len(payload) - end, expected=needed,
                message=f"the {tag.kind} announces {needed} bytes, {len(payload) - end} are left",
            )  # fmt: skip
        return Token(tag.kind, value, end, canonical)

    def head(self, at: int, where: str, kind: str) -> Token | None:
        """The head of a value that must be of ``kind``; anything else is reported and None."""
        token = self.token(at, where)
        if token.kind is not kind:
            self.report(rules.WRONG_TYPE, where, at, found=token.kind, expected=kind)
            return None
        if not token.canonical:
            rule = _HEADER_RULES.get(kind, rules.INT_WIDTH)
            self.report(rule, where, at, found=self.payload[at : token.end])
        return token

    def skip(self, at: int, where: str) -> int:
        """The offset after the value at ``at``, whatever it is."""
        waiting = [1]
        while waiting:
            if waiting[-1] == 0:
                waiting.pop()
                continue
            waiting[-1] -= 1
            kind, value, at, _ = self.token(at, where)
            if kind is TEXT or kind is DATA:
                at += value
            elif kind is EXTENSION:
                at += value + 1
            elif kind in _LEAST:
                if len(waiting) > self.limits.nesting:
                    raise rules.NESTING.failure(rules.FORMAT, where, at, expected=self.limits.nesting)
                waiting.append(value * _LEAST[kind])
        return at

    def text(self, at: int, where: str) -> tuple[str | None, int]:
        """The string at ``at``."""
        token = self.head(at, where, TEXT)
        if token is None:
            return None, self.skip(at, where)
        data = self.payload[token.end : token.end + token.value]
        try:
            return data.decode("utf-8"), token.end + token.value
        except UnicodeDecodeError as error:
            self.report(rules.BAD_UTF8, where, token.end + error.start, found=data[error.start : error.start + 4])
            return data.decode("utf-8", "replace"), token.end + token.value


@dataclass(frozen=True, slots=True)
class Int:
    """An integer of ``low``..``high``, or one of ``known``."""

    rule: Rule | None = None
    low: int | None = None
    high: int | None = None
    known: frozenset[int] | None = None
    #: Values refused by a rule of their own.
    never: tuple[tuple[Rule, frozenset[int]], ...] = ()

    def read(self, reader: Reader, at: int, where: str) -> tuple[int | None, int]:
        token = reader.head(at, where, INT)
        if token is None:
            return None, reader.skip(at, where)
        value = token.value
        if self.rule is not None and (
            (self.low is not None and value < self.low)
            or (self.high is not None and value > self.high)
            or (self.known is not None and value not in self.known)
        ):
            expected = sorted(self.known) if self.known is not None else f"{self.low}..{self.high}"
            reader.report(self.rule, where, at, found=value, expected=expected)
        for rule, refused in self.never:
            if value in refused:
                reader.report(rule, where, at, found=value)
        return value, token.end


@dataclass(frozen=True, slots=True)
class Truth:
    """A boolean."""

    def read(self, reader: Reader, at: int, where: str) -> tuple[bool | None, int]:
        token = reader.head(at, where, BOOL)
        return (None, reader.skip(at, where)) if token is None else (token.value, token.end)


@dataclass(frozen=True, slots=True)
class Float:
    """A finite float64 that is a float32, of ``low``..``high`` where those are given."""

    rule: Rule | None = None
    low: float = 0.0
    high: float = 0.0

    def read(self, reader: Reader, at: int, where: str) -> tuple[float | None, int]:
        token = reader.token(at, where)
        if token.kind is INT:
            reader.report(rules.INT_FOR_FLOAT, where, at, found=token.value)
            return float(token.value), token.end
        if token.kind is FLOAT32:
            reader.report(rules.FLOAT32, where, at, found=token.value)
        elif token.kind is not FLOAT64:
            reader.report(rules.WRONG_TYPE, where, at, found=token.kind, expected=FLOAT64)
            return None, reader.skip(at, where)
        value: float = token.value
        if value - value != 0:
            reader.report(rules.NOT_FINITE, where, at, found=value)
        elif not is_float32(value):
            reader.report(rules.NOT_FLOAT32, where, at, found=value)
        elif self.rule is not None and not self.low <= value <= self.high:
            reader.report(self.rule, where, at, found=value, expected=f"{self.low}..{self.high}")
        return value, token.end


@dataclass(frozen=True, slots=True)
class Text:
    """A string that ``pattern`` matches as a whole."""

    rule: Rule | None = None
    pattern: re.Pattern[str] | None = None

    def read(self, reader: Reader, at: int, where: str) -> tuple[str | None, int]:
        value, end = reader.text(at, where)
        if (
            value is not None
            and self.rule is not None
            and self.pattern is not None
            and not self.pattern.fullmatch(value)
        ):
            reader.report(self.rule, where, at, found=value[:256], expected=self.pattern.pattern)
        return value, end


@dataclass(frozen=True, slots=True)
class Data:
    """Bytes of a fixed size."""

    rule: Rule
    size: int

    def read(self, reader: Reader, at: int, where: str) -> tuple[bytes | None, int]:
        token = reader.head(at, where, DATA)
        if token is None:
            return None, reader.skip(at, where)
        end = token.end + token.value
        if token.value != self.size:
            reader.report(self.rule, where, at, found=token.value, expected=self.size)
        return reader.payload[token.end : min(end, token.end + 4096)], end


@dataclass(frozen=True, slots=True)
class Maybe:
    """Nil or a value."""

    of: Type

    def read(self, reader: Reader, at: int, where: str) -> tuple[Any, int]:
        return (None, at + 1) if reader.payload[at : at + 1] == b"\xc0" else self.of.read(reader, at, where)


@dataclass(frozen=True, slots=True)
class Many:
    """An array of ``low`` to ``high`` values of one type. Elements past ``high`` are counted and passed over."""

    of: Type
    rule: Rule
    low: int = 0
    high: int = 0
    #: A rule over the whole list, such as an order.
    check: Callable[[list[Any]], bool] | None = None

    def read(self, reader: Reader, at: int, where: str) -> tuple[list[Any] | None, int]:
        token = reader.head(at, where, ARRAY)
        if token is None:
            return None, reader.skip(at, where)
        if not self.low <= token.value <= self.high:
            reader.report(self.rule, where, at, found=token.value, expected=f"{self.low}..{self.high}")
        end = token.end
        values = []
        for index in range(token.value):
            if index >= self.high:
                end = reader.skip(end, where)
                continue
            value, end = self.of.read(reader, end, f"{where}[{index}]")
            values.append(value)
        if self.check is not None and None not in values and not self.check(values):
            reader.report(self.rule, where, at, found=values)
        return values, end


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """A key of a map: its type, the versions that have it, and other spellings of it that are read."""

    name: str
    type: Type
    since: int = 0
    until: int = 1 << 64
    also: tuple[str, ...] = ()
    #: The canonical bytes of the key.
    encoded: bytes = field(init=False)

    def __post_init__(self) -> None:
        assert len(self.name) < 32
        object.__setattr__(self, "encoded", bytes([0xA0 | len(self.name)]) + self.name.encode())

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.name, *self.also)


@cache
def _keys_of(keys: tuple[Key, ...], version: int) -> tuple[Key, ...]:
    return tuple(key for key in keys if key.since <= version <= key.until)


@dataclass(frozen=True, slots=True)
class Map:
    """A map with declared keys in a declared order; which of them there are depends on the version."""

    keys: tuple[Key, ...]

    def expected(self, version: int) -> tuple[Key, ...]:
        """The keys of a version in their order."""
        return _keys_of(self.keys, version)

    def read(self, reader: Reader, at: int, where: str) -> tuple[dict[str, Any] | None, int]:
        token = reader.head(at, where, MAP)
        if token is None:
            return None, reader.skip(at, where)
        return self.read_entries(reader, at, token, where)

    def read_entries(self, reader: Reader, at: int, token: Token, where: str) -> tuple[dict[str, Any], int]:
        """The entries after the head ``token``; None under a key that is not there."""
        expected = self.expected(reader.version)
        found: dict[str, Any] = {}
        end = token.end
        prefix = f"{where}." if where else ""
        # As long as the keys stand as they should, their bytes are compared whole.
        for key in expected[: token.value]:
            if not reader.payload.startswith(key.encoded, end):
                break
            path = prefix + key.name
            end += len(key.encoded)
            reader.offsets[path] = end
            found[key.name], end = key.type.read(reader, end, path)
        if len(found) < token.value or len(found) < len(expected):
            end = self._read_others(reader, end, token.value - len(found), found, where)
            for key in expected:
                if key.name not in found:
                    reader.report(rules.MISSING_KEY, prefix + key.name, at, expected=key.name)
            found = {key.name: found.get(key.name) for key in expected}
        return found, end

    def _read_others(self, reader: Reader, end: int, count: int, found: dict[str, Any], where: str) -> int:
        """Reads ``count`` more entries key by key into ``found``, from where the order was left; the offset after."""
        expected = self.expected(reader.version)
        by_name = {spelling: (rank, key) for rank, key in enumerate(expected) for spelling in key.spellings}
        last_rank, in_order = len(found) - 1, True
        prefix = f"{where}." if where else ""
        for _ in range(count):
            key_at = end
            kind = reader.token(end, where).kind
            if kind is not TEXT:
                reader.report(rules.KEY_TYPE, where, key_at, found=kind, expected=TEXT)
                end = reader.skip(reader.skip(end, where), where)
                continue
            name, end = reader.text(end, f"{where}{{key}}")
            name = name or ""
            shown = name[:64]
            rank, key = by_name.get(name, (-1, None))
            if key is None:
                other = any(name in key.spellings for key in self.keys)
                message = f"the key {shown!r} is not one of version {reader.version}" if other else ""
                reader.report(rules.EXTRA_KEY, prefix + shown, key_at, found=shown, message=message)
                end = reader.skip(end, where)
                continue
            path = prefix + key.name
            if key.name in found:
                reader.report(rules.DUPLICATE_KEY, path, key_at, found=name)
                end = reader.skip(end, path)
                continue
            if rank < last_rank and in_order:
                in_order = False
                reader.report(rules.KEY_ORDER, path, key_at, found=name, expected=expected[last_rank].name)
            last_rank = max(last_rank, rank)
            if key.also:
                reader.spellings[path] = name
            reader.offsets[path] = end
            found[key.name], end = key.type.read(reader, end, path)
        return end


def is_float32(value: float) -> bool:
    """Whether a float64 is exactly a float32."""
    try:
        return bool(struct.unpack(">f", struct.pack(">f", value))[0] == value)
    except OverflowError:
        return False

"""The one error family, and the problems that a tolerant reading lists instead of raising."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, overload


class Severity(StrEnum):
    """How much a finding costs, the same words for every format."""

    FATAL = "fatal"  # unreadable
    PART = "part"  # that part is unreadable, the rest stands
    STRICT = "strict"  # readable, but breaks a rule of the format
    PLAY = "play"  # well formed, but a player or simulator would refuse it
    WARNING = "warning"


#: The severities that make a file invalid, and that a strict reading raises on.
INVALID = frozenset({Severity.FATAL, Severity.PART, Severity.STRICT})


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a file: which rule, where, what stands there and what should.

    ``where`` is a path such as ``window[3].main.column[17]``; ``offset`` counts bytes of the file
    (of the named stream where ``where`` lies inside compression) and is None where no byte can be named.
    """

    severity: Severity
    code: str
    message: str
    where: str = ""
    offset: int | None = None
    found: Any = None
    expected: Any = None
    source: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "severity": str(self.severity),
            "code": self.code,
            "message": self.message,
            "where": self.where,
            "offset": self.offset,
            "found": plain(self.found),
            "expected": plain(self.expected),
            "source": self.source,
        }

    def __str__(self) -> str:
        return f"{self.severity}: {self.code}: {describe(self.message, self.where, self.offset)}"


class ReplayError(Exception):
    """The only exception that leaves the package for any input bytes.

    ``code`` is a stable slug; ``where``, ``offset``, ``found`` and ``expected`` are as in `Problem`.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        format: str = "",
        where: str = "",
        offset: int | None = None,
        found: Any = None,
        expected: Any = None,
        source: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.format = format
        self.where = where
        self.offset = offset
        self.found = found
        self.expected = expected
        self.source = source

    def __str__(self) -> str:
        return describe(self.message, self.where, self.offset)

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions with keyword-only arguments do not pickle by themselves, and batch children send these home.
        return (_rebuild, (type(self), self.message, {key: getattr(self, key) for key in _FIELDS}))

    def to_dict(self) -> dict[str, Any]:
        return {
            "type": type(self).__name__,
            "code": self.code,
            "message": self.message,
            "format": self.format,
            "where": self.where,
            "offset": self.offset,
            "found": plain(self.found),
            "expected": plain(self.expected),
            "source": self.source,
        }

    def as_problem(self, severity: Severity = Severity.FATAL) -> Problem:
        return Problem(
            severity, self.code, self.message, self.where, self.offset, self.found, self.expected, self.source
        )


class UnknownFormat(ReplayError):
    """The bytes are no replay that this package knows."""


class UnsupportedVersion(ReplayError):
    """The format is known, this version of it is not."""


class Corrupt(ReplayError):
    """A value contradicts the format."""


class Truncated(ReplayError):
    """The bytes end before the structure does."""


class LimitExceeded(ReplayError):
    """Reading on would cost more than `Limits` allows."""


_FIELDS = ("code", "format", "where", "offset", "found", "expected", "source")


def _rebuild(cls: type[ReplayError], message: str, fields: dict[str, Any]) -> ReplayError:
    return cls(message, **fields)


class Problems(Sequence[Problem]):
    """What a reader reports into while it reads.

    A strict reading raises on the first finding that makes a file invalid. A tolerant one keeps the first of each
    code and otherwise at most ``limit`` findings (a hostile file could break a rule in each of a million records),
    and counts all of them.
    """

    def __init__(self, format: str, *, strict: bool = False, limit: int = 1000) -> None:
        self.format = format
        self.strict = strict
        self.limit = limit
        self.counts: Counter[str] = Counter()
        self._severities: Counter[Severity] = Counter()
        self._kinds: set[tuple[str, Severity]] = set()
        self._kept: list[Problem] = []

    def add(self, problem: Problem, error: type[ReplayError] = Corrupt) -> None:
        """Lists a finding; with ``strict`` raises it as ``error`` instead, unless it leaves the file valid."""
        if self.strict and problem.severity in INVALID:
            raise error(
                problem.message,
                code=problem.code,
                format=self.format,
                where=problem.where,
                offset=problem.offset,
                found=problem.found,
                expected=problem.expected,
                source=problem.source,
            )
        first = (problem.code, problem.severity) not in self._kinds
        self.counts[problem.code] += 1
        self._severities[problem.severity] += 1
        # The first of each kind always, so that a thousand warnings do not hide what makes a file invalid.
        if first or len(self._kept) < self.limit:
            self._kinds.add((problem.code, problem.severity))
            self._kept.append(problem)

    def absorb(self, error: ReplayError, severity: Severity = Severity.PART) -> None:
        """Turns the error of one independent part into a finding, so that it costs only that part."""
        self.add(error.as_problem(severity), type(error))

    def count(self, *severities: Severity) -> int:
        """How many findings of these severities (of any, without arguments) there were, the unlisted ones included."""
        return sum(self._severities[s] for s in severities) if severities else self._severities.total()

    @property
    def truncated(self) -> bool:
        """Whether there were more findings than are listed."""
        return self._severities.total() > len(self._kept)

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> list[Problem]: ...
    def __getitem__(self, index: int | slice) -> Problem | list[Problem]:
        return self._kept[index]

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._kept)


def describe(message: str, where: str, offset: int | None) -> str:
    """The sentence with its place: what a terminal shows."""
    place = ", ".join(part for part in (where, f"offset {offset}" if offset is not None else "") if part)
    return f"{message} ({place})" if place else message


def plain(value: Any) -> Any:
    """``value`` as JSON can carry it: bytes as hexadecimal digits, numpy scalars as numbers, NaN as text."""
    if isinstance(value, str | bool | int) or value is None:
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset | range):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # numpy scalars and arrays, without importing numpy
        return plain(value.tolist())
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    return str(value)

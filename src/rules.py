"""Rules of the formats as data: what `validate` checks, what `ksreplay rules` lists and what every problem cites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ksreplay.errors import Corrupt, Problem, ReplayError, Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a format.

    ``code`` is a stable slug, unique within its format; ``source`` names the paragraph of the seed or fact sheet
    that states it; ``error`` is what a fatal breach, or any breach under ``strict``, is raised as.
    """

    code: str
    severity: Severity
    text: str
    source: str
    error: type[ReplayError] = Corrupt

    def problem(
        self,
        where: str = "",
        offset: int | None = None,
        *,
        found: Any = None,
        expected: Any = None,
        message: str = "",
        severity: Severity | None = None,
    ) -> Problem:
        """A finding that this rule is broken; ``message`` says it better than the rule's own text where it can."""
        return Problem(
            severity or self.severity, self.code, message or self.text, where, offset, found, expected, self.source
        )

    def failure(
        self,
        format: str,
        where: str = "",
        offset: int | None = None,
        *,
        found: Any = None,
        expected: Any = None,
        message: str = "",
    ) -> ReplayError:
        """The error to raise where reading on makes no sense."""
        return self.error(
            message or self.text,
            code=self.code,
            format=format,
            where=where,
            offset=offset,
            found=found,
            expected=expected,
            source=self.source,
        )


def collect(namespace: Mapping[str, Any]) -> tuple[Rule, ...]:
    """The rules among a module's globals, in the order they are written; a code used twice is a mistake."""
    return merge(value for value in namespace.values() if isinstance(value, Rule))


def merge(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Rules of several modules as one list, each once."""
    by_code: dict[str, Rule] = {}
    for rule in rules:
        if by_code.setdefault(rule.code, rule) is not rule:
            raise ValueError(f"two rules share the code {rule.code!r}")
    return tuple(by_code.values())

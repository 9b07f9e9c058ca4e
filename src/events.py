"""Event logs: what the simulation did when Coilbox played a match again. The public place to open one.

    with ksreplay.events.open("coilbox-replay-events.jsonl") as log:
        log.counts, log.malformed, log.truncated
        log.tables["unit_destroyed"]
        log.check(demo)                    # [] when the log reproduces the demo's trailer

Also stored analyses (`<game id>.jsonl.gz`), whose first line says how they were made. A log is no replay: it has no
signature, so `ksreplay.open` does not take one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from ksreplay.errors import Problem, Problems, ReplayError, Severity, UnknownFormat, plain
from ksreplay.formats.inflate import gunzip
from ksreplay.formats.source import Source
from ksreplay.limits import Limits
from ksreplay.semantics.spring.analysis.divergence import Disagreement, check
from ksreplay.semantics.spring.analysis.event_log import MAX_LINES, EventLog, read_log
from ksreplay.semantics.spring.analysis.log_tables import TABLES
from ksreplay.semantics.spring.analysis.stored_analysis import StoredAnalysis, read_stored
from ksreplay.semantics.spring.analysis.unit_list import UnitList
from ksreplay.table import Schema, Table

if TYPE_CHECKING:
    from ksreplay.replay import Replay

FORMAT = "event log"


class LogTables(Mapping[str, Table]):
    """The tables of a log by name, each made when it is first touched."""

    def __init__(self, log: EventLogFile) -> None:
        self._log = log
        self._made: dict[str, Table] = {}

    def __getitem__(self, name: str) -> Table:
        if name not in self._made:
            self._made[name] = TABLES[name].build(self._log.events, self._log.units)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(TABLES)

    def __len__(self) -> int:
        return len(TABLES)

    def schema(self, name: str) -> Schema:
        return TABLES[name].schema

    def forget(self, name: str) -> None:
        self._made.pop(name, None)


class EventLogFile:
    """An event log or a stored analysis. `units` may be given where the log does not hold the engine's list itself."""

    format = FORMAT

    def __init__(self, source: Source, *, strict: bool = False, limits: Limits | None = None) -> None:
        self.source = source
        self.limits = limits or Limits()
        self._problems = Problems(FORMAT, strict=strict, limit=self.limits.problems)
        data = source.data
        if data[:2] == b"\x1f\x8b":
            inflated = gunzip(data, self.limits, format=FORMAT)
            if inflated.problem is not None:
                self._problems.absorb(inflated.problem)
            data = inflated.data.tobytes()
        self.stored: StoredAnalysis | None = read_stored(data, max_lines=min(self.limits.records, MAX_LINES))
        self.events: EventLog = (
            self.stored.log if self.stored else read_log(data, max_lines=min(self.limits.records, MAX_LINES))
        )
        if self.stored is None and not len(self.events) and _foreign(data, self.events):
            raise UnknownFormat(
                "no line of this file is an event log's", code="unknown-format", format=FORMAT, where="line 1"
            )
        self.units: UnitList | None = self.events.unit_list
        self._report()
        self.tables = LogTables(self)

    @property
    def counts(self) -> dict[str, int]:
        """Lines by kind under Coilbox's keys, `unknown` among them."""
        return self.events.counts

    @property
    def malformed(self) -> int:
        return self.events.malformed

    @property
    def truncated(self) -> bool:
        return self.events.truncated

    @property
    def problems(self) -> list[Problem]:
        return list(self._problems)

    def check(self, demo: Replay, *, engine_output: str = "") -> list[Disagreement]:
        """Where this log and the demo's trailer disagree; [] when it reproduces the match.

        Raises ReplayError `nothing-to-check` for a demo without team statistics.
        """
        from ksreplay.replays.spring_derived import recorded

        record = recorded(demo)
        if not record.checkable:
            raise ReplayError(
                "the demo recorded no team statistics to check a run against", code="nothing-to-check", format="spring"
            )
        return check(self.events, record, engine_output=engine_output)

    def info(self) -> dict[str, Any]:
        """A summary that JSON can carry."""
        log, header = self.events, self.events.header or {}
        over = log.game_over
        document: dict[str, Any] = {
            "format": FORMAT,
            "format_version": log.line_format,
            "complete": over is not None and not log.truncated and not log.malformed,
            "problems": [problem.to_dict() for problem in self.problems],
            "file": {"bytes": self.source.size, "sha256": self.source.sha256},
            "game": header.get("game"),
            "map": header.get("map"),
            "duration_s": None if over is None else (over["frame"] or 0) / 30,
            "result": None if over is None else {"winners": over["winners"], "source": FORMAT},
            "lines": len(log),
            "counts": log.counts,
            "malformed": log.malformed,
            "truncated": log.truncated,
            "details": {
                "logger_version": (self.stored.provenance["loggerVersion"] if self.stored else log.logger_version),
                "logger_version_is_guessed": self.stored is None,
                "units_listed": None if self.units is None else len(self.units),
                "state": None if self.stored is None else self.stored.state,
                "provenance": None if self.stored is None else self.stored.provenance,
                **{key: value for key, value in header.items() if key not in ("game", "map", "format")},
            },
        }
        return {key: plain(value) for key, value in document.items()}

    def _report(self) -> None:
        log = self.events
        for offset, line in log.malformed_lines:
            self._add("malformed-line", "a line is no JSON object of a known shape", f"line {line}", offset)
        if log.malformed > len(log.malformed_lines):
            self._add("malformed-line", f"{log.malformed - len(log.malformed_lines)} more malformed lines", "", None)
        if log.truncated:
            self._add("truncated-line", "the last line has no end: it was not read", "end", None)

    def _add(self, code: str, message: str, where: str, offset: int | None) -> None:
        self._problems.add(
            Problem(Severity.PART, code, message, where=where, offset=offset, source="spring-analysis 1.4")
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass


def _foreign(data: bytes, log: EventLog) -> bool:
    """Whether a text without one readable line is no log at all: not an empty one, and not one cut in its first
    line."""
    text = data.strip()
    return log.malformed > 0 or (bool(text) and not text.startswith(b"{"))


def open(
    source: str | os.PathLike[str] | bytes | BinaryIO,
    *,
    strict: bool = False,
    limits: Limits | None = None,
) -> EventLogFile:
    """Opens an event log: a path, bytes or a binary file, plain or gzip.

    Raises UnknownFormat where no line is one of a log's, OSError where a path cannot be read.
    """
    limits = limits or Limits()
    return EventLogFile(Source.of(source, limits), strict=strict, limits=limits)

"""What every opened replay offers: facts, problems, lazy tables, checking and writing. A format subclasses `Replay`."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from ksreplay.atomic import replacing
from ksreplay.errors import Problem, Problems, ReplayError, Severity, plain
from ksreplay.formats.source import Source
from ksreplay.limits import Limits
from ksreplay.table import Schema, Table

if TYPE_CHECKING:
    from ksreplay.differences import Difference
    from ksreplay.pseudonyms import Policy, Pseudonymizer, Report

R = TypeVar("R", bound="Replay")


@dataclass(frozen=True, slots=True)
class TableDefinition(Generic[R]):
    """A table of a format: its schema, how to make it, and its row count where that is known without bulk decoding."""

    schema: Schema
    build: Callable[[R], Table]
    rows: Callable[[R], int | None] | None = None

    @property
    def name(self) -> str:
        return self.schema.name


@dataclass(slots=True)
class Facts:
    """What a format's module knows for `Replay.info`; see the document's fields in the guide."""

    format_version: int
    complete: bool
    game: str | None = None
    map: str | None = None
    duration_s: float | None = None
    players: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    details: dict[str, Any] = field(default_factory=dict)


class Tables(Mapping[str, Table]):
    """The tables of a replay by name, each made when it is first touched and kept."""

    def __init__(self, replay: Replay) -> None:
        self._open: Replay | None = replay
        self._lock, self._private = replay.lock, replay.private
        self._definitions = {definition.name: definition for definition in replay.TABLES}
        self._made: dict[str, Table] = {}
        self._counts: dict[str, int] = {}

    def __getitem__(self, name: str) -> Table:
        with self._lock:
            if name not in self._made:
                table = self._definitions[name].build(self._replay)
                self._counts[name] = len(table)
                self._made[name] = table if self._private else table.without_private()
            return self._made[name]

    @property
    def _replay(self) -> Replay:
        if self._open is None:
            raise ValueError("this replay is closed")
        return self._open

    def close(self) -> None:
        """Makes no more tables, and lets go of the replay, which knows these tables: a cycle would keep both."""
        self._open = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._definitions)

    def __len__(self) -> int:
        return len(self._definitions)

    def __contains__(self, name: object) -> bool:
        return name in self._definitions

    def schema(self, name: str) -> Schema:
        """The schema alone, without making the table."""
        return self._definitions[name].schema

    @property
    def made(self) -> frozenset[str]:
        """The tables that are in memory."""
        return frozenset(self._made)

    def rows(self, name: str) -> int | None:
        """The row count where it is known already or cheaply, else None."""
        if name in self._made:
            return len(self._made[name])
        if name in self._counts:
            return self._counts[name]
        count = self._definitions[name].rows
        return None if count is None else count(self._replay)

    def count(self, name: str) -> int:
        """The row count, by making the table where nothing cheaper knows it; a table made for this alone is let go."""
        with self._lock:
            known = self.rows(name)
            if known is None:
                known = len(self[name])
                self.forget(name)
            return known

    def forget(self, name: str) -> None:
        """Lets go of a made table, so that an export of many needs the memory of one."""
        self._made.pop(name, None)


class Replay:
    """An open replay. Use it in a ``with`` statement or call `close`.

    A subclass reads its header in ``__init__`` (raising ReplayError where nothing can be read) and everything else
    when it is asked for; what it finds wrong goes to ``self._problems``.
    """

    format: ClassVar[str] = ""
    TABLES: ClassVar[tuple[TableDefinition[Any], ...]] = ()

    def __init__(
        self, source: Source, *, strict: bool = False, private: bool = False, limits: Limits | None = None
    ) -> None:
        self.source = source
        self.strict = strict
        self.private = private
        self.limits = limits or Limits()
        #: Held while a table or another lazy part is made, so that many threads may read one replay.
        self.lock = threading.RLock()
        self._problems = Problems(self.format, strict=strict, limit=self.limits.problems)
        self._closed = False

    # A format answers these.

    def facts(self, full: bool) -> Facts:
        """What `info` says beyond the common fields; ``full`` allows it to read the whole file."""
        raise NotImplementedError

    def read_fully(self) -> None:
        """Reads everything, so that `problems` is complete; each table is let go when it has been made."""
        for name in self.tables:
            if name not in self.tables.made:
                self.tables[name]
                self.tables.forget(name)

    # Each of these may be left out; the verb then answers with the error of code "not-supported".

    def encode(self, *, version: int | None = None, suffix: str = "", **options: Any) -> bytes:
        """The replay built again from its fields.

        ``version``: the format version wanted, None for the file's own. ``suffix``: the target's suffix in lower
        case (".sdf"), "" for the container that was read. Raises ReplayError naming the field that cannot be said in
        the wanted form.
        """
        raise self.unsupported("rewrite")

    def unwrap(self, part: str | None = None) -> bytes:
        """What lies inside the compression."""
        raise self.unsupported("unwrap")

    def streams(self) -> Iterator[tuple[str, bytes]]:
        """Every stretch of bytes of the file, the inflated ones too: (path, bytes), the file itself ("") first.

        `layout` walks these and the check of `redact` searches them, so whatever is compressed or masked inside
        (chunks, scripts, Lua and client payloads, status envelopes) is yielded in the clear under a path such as
        ``window[3].main``. A part that cannot be inflated is left out.
        """
        yield "", self.source.data

    def redacted(self, pseudonyms: Pseudonymizer, policy: Policy, report: Report, suffix: str = "") -> bytes:
        """The file again, valid, without private content and with pseudonyms for names; see `ksreplay.pseudonyms`.

        Called on a replay opened with ``private=True``. The result must validate as the file did and give equal
        tables but for names and private columns. Every kind of `pseudonyms.KINDS` that the format holds goes through
        ``policy.action(kind)``; each changed value is counted with ``report.changed(kind)``; what no longer holds
        (a signature, a simulation) is a ``report.note``. Names are replaced wherever they stand: also in chat that is
        kept, Lua messages, scripts, client data, system messages and metadata. Never raises on damaged parts that it
        can carry blanked; a part that cannot be searched (undecodable, encrypted) must be blanked or dropped.
        ``suffix`` as in `encode`.
        """
        raise self.unsupported("redact")

    def state(self, at: float, *, window: int | None = None, player: int | None = None) -> dict[str, Any]:
        """Everything at a moment (frame or tick, fractions where the format has them), as JSON can carry it.

        ``window`` asks one of two windows that share the moment; ``player`` one sender where each has a clock.
        """
        raise self.unsupported("state")

    def compare(self, other: Self) -> list[Difference]:
        """The first difference of each part, most telling first; empty where the two say the same.

        Here: by the facts and then row by row through all tables. A format overrides it where it knows better.
        """
        from ksreplay.differences import by_tables

        return by_tables(self, other)

    def unsupported(self, what: str) -> ReplayError:
        """The error for something that this format, or this file, does not offer."""
        return ReplayError(f"{what} is not offered for {self.format} files", code="not-supported", format=self.format)

    # The same for all formats.

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with what has been read so far; after `read_fully`, with the file."""
        return list(self._problems)

    @property
    def more_problems(self) -> int:
        """How many findings were counted but are not in `problems`, which is bounded by ``limits.problems``."""
        return self._problems.count() - len(self._problems)

    @property
    def tables(self) -> Tables:
        with self.lock:
            if not hasattr(self, "_tables"):
                self._tables = Tables(self)
            return self._tables

    def info(self, full: bool = False) -> dict[str, Any]:
        """A summary that JSON can carry, the same fields for every format.

        ``full`` adds what needs the whole file: row counts of all tables, packet counts, all problems.
        """
        self.check_open()
        if full:
            self.read_fully()
        facts = self.facts(full)
        rows = {name: self.tables.rows(name) for name in self.tables}
        if full:  # only what is not known by now is worth making a table for
            rows = {name: len(self.tables[name]) if count is None else count for name, count in rows.items()}
        problems = self.problems
        damaged = self._problems.count(Severity.PART, Severity.FATAL) > 0
        return {
            "format": self.format,
            "format_version": facts.format_version,
            "complete": bool(facts.complete and not damaged),
            "problems": [problem.to_dict() for problem in problems],
            "file": {"bytes": self.source.size, "sha256": self.source.sha256},
            "game": facts.game,
            "map": facts.map,
            "duration_s": facts.duration_s,
            "players": plain(facts.players),
            "result": plain(facts.result),
            "tables": rows,
            "details": plain(facts.details),
        }

    def validate(self, profile: str = "release") -> list[Problem]:
        """Every rule that the file breaks, ``play`` and ``warning`` included."""
        self.check_open()
        self.read_fully()
        return self.problems

    def write(self, target: str | os.PathLike[str], *, force: bool = False, **options: Any) -> None:
        """Writes the replay to ``target``: temp file and rename; refuses to overwrite without ``force``.

        ``options`` go to `encode`; the container follows the suffix of ``target``.
        """
        self.check_open()
        data = self.encode(**{"suffix": Path(target).suffix.lower(), **options})
        with replacing(Path(target), force=force) as file:
            file.write(data)

    def close(self) -> None:
        """Reads no more; tables already made stay usable. All else is let go of with the last reference to this."""
        with self.lock:
            self.tables.close()
            self._closed = True

    def check_open(self) -> None:
        if self._closed:
            raise ValueError("this replay is closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.source.name or 'bytes'}: {self.source.size} bytes>"


__all__ = ["Facts", "Replay", "ReplayError", "TableDefinition", "Tables"]

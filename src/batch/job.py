"""The words of a batch job: options, one file, a chunk of files, and the fate of a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any

from ksreplay import __version__
from ksreplay.limits import Limits

#: Hexadecimal digits of a file's sha256 that key its rows.
ID_DIGITS = 32

#: The partition of matches whose date the file does not tell.
UNKNOWN_MONTH = "unknown"


class BatchError(Exception):
    """The job itself cannot go on: a full disk, another version on a worker, a data set made with other options."""


class Status(StrEnum):
    """What became of a file."""

    OK = "ok"
    PARTIAL = "partial"  # its end is missing or a part is damaged; what could be read is in the data set
    FAILED = "failed"  # not readable: a ReplayError, or the system would not give the bytes
    CRASHED = "crashed"  # the parser child died of it, ran out of its memory, or met a defect of ours
    TIMEOUT = "timeout"
    EMPTY = "empty"
    GROWING = "growing"  # somebody is still writing it: looked at again in the next run


#: The statuses whose rows are in the data set.
WITH_ROWS = (Status.OK, Status.PARTIAL)
OUT_OF_MEMORY = "out-of-memory"
#: What makes a run exit with 1.
BAD = (Status.FAILED, Status.CRASHED, Status.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Options:
    """How files are read; ``tables``, ``private`` and ``limits`` shape the data set and stay the same for its life."""

    tables: tuple[str, ...] = ()  # patterns of "table" or "format.table"; none: all
    private: bool = False
    limits: Limits = field(default_factory=Limits)
    memory: int = 4 << 30  # bytes that a parser child may take beyond what it has when it is ready
    timeout: float = 300.0  # seconds for one file
    settle: float = 60.0  # a cut file modified within so many seconds counts as growing
    child: tuple[str, ...] = ("-m", "ksreplay.batch.child")  # the arguments that make Python a parser child

    def shape(self) -> str:
        """What must not change between two runs over one data set."""
        return json.dumps([sorted(self.tables), self.private, asdict(self.limits)])

    @classmethod
    def of_shape(cls, shape: str) -> Options:
        """Options with this `shape`."""
        tables, private, limits = json.loads(shape)
        return cls(tuple(tables), private, Limits(**limits))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Options:
        fixed = {
            "tables": tuple(document["tables"]), "child": tuple(document["child"]),
            "limits": Limits(**document["limits"]),
        }  # fmt: skip
        return cls(**{**document, **fixed})


@dataclass(frozen=True, slots=True)
class Item:
    """A file as it was listed. ``known``: ids of contents of its size that the data set has already."""

    path: str
    size: int
    mtime_ns: int
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Versions:
    """What must be equal on the driver, on every worker, and between a file's rows and the program."""

    parser: str
    schemas: dict[str, str]  # format -> digest of its tables

    @classmethod
    def current(cls) -> Versions:
        from ksreplay.registry import FORMATS

        schemas = {}
        for name, format in FORMATS.items():
            definitions = format.replay_class.TABLES
            text = json.dumps([definition.schema.to_dict() for definition in definitions])
            schemas[name] = hashlib.sha256(text.encode()).hexdigest()[:16]
        return cls(__version__, schemas)

    def check(self, mine: Versions) -> None:
        """Raises BatchError where a worker (``mine``) would write other rows than the driver expects."""
        if mine.parser != self.parser:
            raise BatchError(f"the driver has ksreplay {self.parser}, a worker has {mine.parser}: install the same")
        for name in self.schemas.keys() | mine.schemas.keys():
            if mine.schemas.get(name) != self.schemas.get(name):
                raise BatchError(f"driver and a worker differ in the tables of {name}: install the same ksreplay")


@dataclass(frozen=True, slots=True)
class Task:
    """A chunk: the unit of work, of retry and of commit. Its parts are named after it, it after what it reads."""

    chunk: str
    items: tuple[Item, ...]
    staging: str  # folder in which its parts wait for the driver
    options: Options
    versions: Versions


@dataclass(slots=True)
class Fate:
    """What became of one file and what it is; a row of the data set's ``files`` table."""

    path: str
    size: int
    mtime_ns: int
    status: str = ""
    code: str = ""
    message: str = ""
    place: str = ""
    offset: int | None = None
    sha256: str = ""
    same: bool = False  # the data set has this content already: not read again
    format: str = ""
    format_version: int | None = None
    complete: bool | None = None
    game: str | None = None
    map: str | None = None
    duration_s: float | None = None
    month: str = UNKNOWN_MONTH
    game_key: str = ""
    players: int | None = None
    problems: int | None = None
    rows: int | None = None
    seconds: float = 0.0
    peak_bytes: int | None = None

    @property
    def file_id(self) -> str:
        return self.sha256[:ID_DIGITS]

    def end(
        self, status: Status, code: str = "", message: str = "", place: str = "", offset: int | None = None
    ) -> Fate:
        self.status, self.code, self.message, self.place, self.offset = str(status), code, message[:500], place, offset
        return self

    def made_safe(self) -> Fate:
        """With only what the manifest can hold: no number beyond 64 bits, no text that is not Unicode (a path is kept
        as bytes, so that it may be anything)."""
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, str) and item.name != "path":
                setattr(self, item.name, value.encode("utf-8", "replace").decode())
            elif isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
                setattr(self, item.name, None)
        return self


@dataclass(slots=True)
class Done:
    """A chunk that has been read: the fates of its files and its parts, (path in staging, path in the data set)."""

    chunk: str
    fates: list[Fate]
    parts: list[tuple[str, str]]


def chunk_name(items: Iterable[Item], options: Options, versions: Versions) -> str:
    """The same files, options and versions always give the same name."""
    digest = hashlib.sha256(json.dumps([options.shape(), versions.parser, versions.schemas]).encode())
    for item in sorted((item.path, item.size, item.mtime_ns) for item in items):
        digest.update(repr(item).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:20]

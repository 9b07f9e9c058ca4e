"""Index a folder of demos: headers first, then whole files; only what is new or changed is read.

A file is known by path, size and time of change. Each batch of files is one transaction, so a run that is killed loses
at most the batch it was in, and the next run goes on from there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Literal, Self

from ksreplay.errors import ReplayError
from ksreplay.library.record import FINAL, KEPT_METRICS, Record, State
from ksreplay.library.schema import connect
from ksreplay.semantics.spring.analysis.map_names import family

SUFFIXES = (".sdfz", ".sdf")
NAME = "ksreplay-library.sqlite"
#: A file changed less than this before it was read may change again without its time of change showing it.
RACY_NS = 2_000_000_000
_BATCH = 64
Phase = Literal["header", "full"]
Reader = Callable[[Path, Phase], Record]


@dataclass(frozen=True, slots=True)
class Found:
    """A demo in the folder."""

    path: str  # relative, with forward slashes
    size: int
    mtime_ns: int


@dataclass
class Report:
    """What a run did."""

    files: int = 0
    unchanged: int = 0
    headers: int = 0
    read: int = 0
    gone: int = 0
    states: dict[str, int] = field(default_factory=dict)


class Index:
    """An index over `folder`, in the SQLite file `path`. Use it in a ``with`` statement."""

    def __init__(self, folder: Path, path: Path | None = None, *, create: bool = False) -> None:
        self.folder = folder
        self.path = path or folder / NAME
        self.db: sqlite3.Connection = connect(self.path, create=create)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self.db.close()

    def update(
        self,
        reader: Reader,
        *,
        jobs: int = 1,
        retry: bool = False,
        progress: Callable[[str, int, int], None] = lambda phase, done, total: None,
    ) -> Report:
        """Brings the index up to the folder. `retry` also reads again what was partial or failed and has not changed.

        `reader` reads one file and never raises for its content; with more than one job it runs in other processes.
        """
        report = Report()
        known = {row[0]: row[1:] for row in self.db.execute("SELECT path, size, mtime_ns, read_ns, state FROM files")}
        found = {f.path: f for f in scan(self.folder)}
        report.files = len(found)
        report.gone = self._forget(known.keys() - found.keys())
        new: list[Found] = []
        whole: list[Found] = []
        for f in found.values():
            size, mtime_ns, read_ns, state = known.get(f.path, (-1, -1, 0, ""))
            if (size, mtime_ns) != (f.size, f.mtime_ns) or not state:
                new.append(f)
                whole.append(f)
            elif state not in FINAL or read_ns - mtime_ns < RACY_NS or (retry and state != State.FULL):
                whole.append(f)
            else:
                report.unchanged += 1
        report.headers = self._read(new, "header", reader, jobs, progress)
        report.read = self._read(whole, "full", reader, jobs, progress)
        report.states = dict(self.db.execute("SELECT state, count(*) FROM files GROUP BY state ORDER BY state"))
        return report

    def _forget(self, paths: Iterable[str]) -> int:
        rows = [(path,) for path in paths]
        with _transaction(self.db):
            self.db.executemany("DELETE FROM files WHERE path = ?", rows)
        return len(rows)

    def _read(
        self, files: list[Found], phase: Phase, reader: Reader, jobs: int, progress: Callable[[str, int, int], None]
    ) -> int:
        """Reads files and keeps their records, a batch a transaction."""
        done = 0
        records = _records(self.folder, files, phase, reader, jobs)
        while batch := list(islice(records, _BATCH if phase == "header" else max(jobs, 1) * 4)):
            with _transaction(self.db):
                for f, record, read_ns in batch:
                    keep(self.db, f, record, read_ns)
            done += len(batch)
            progress(phase, done, len(files))
        return done


class _transaction:
    """BEGIN ... COMMIT, or ROLLBACK."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def __enter__(self) -> None:
        self.db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *rest: object) -> None:
        self.db.execute("COMMIT" if kind is None else "ROLLBACK")


def scan(folder: Path) -> Iterator[Found]:
    """The demos under a folder by suffix, with their stamps, in the order of their names; links to folders are not
    followed."""
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            with os.scandir(folder / below) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in found:
            path = f"{below}/{entry.name}" if below else entry.name
            try:
                path.encode()  # a name that is no text cannot be kept
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
                elif entry.name.lower().endswith(SUFFIXES) and entry.is_file():
                    stat = entry.stat()
                    yield Found(path, stat.st_size, stat.st_mtime_ns)
            except (OSError, UnicodeEncodeError):
                continue


def _records(
    folder: Path, files: list[Found], phase: Phase, reader: Reader, jobs: int
) -> Iterator[tuple[Found, Record, int]]:
    if jobs <= 1 or len(files) < 2:
        for f in files:
            yield _one(folder, f, phase, reader)
        return
    n = len(files)
    try:
        with ProcessPoolExecutor(jobs) as pool:
            yield from pool.map(_one, [folder] * n, files, [phase] * n, [reader] * n, chunksize=4)
    except BrokenProcessPool as error:
        raise ReplayError(
            "a process that read demos died; with --jobs 1 the file that did it can be found", code="worker-died",
            format="library",
        ) from error  # fmt: skip


def _one(folder: Path, f: Found, phase: Phase, reader: Reader) -> tuple[Found, Record, int]:
    """One record with the stamps it belongs to. A file that changed while it was read is growing, whatever it held."""
    read_ns = time.time_ns()
    record = reader(folder / f.path, phase) if f.size else Record(State.EMPTY)
    try:
        stat = (folder / f.path).stat()
    except OSError:
        return f, record, read_ns
    if (stat.st_size, stat.st_mtime_ns) != (f.size, f.mtime_ns):
        record = replace(record, state=State.GROWING)
        f = Found(f.path, stat.st_size, stat.st_mtime_ns)
    return f, record, read_ns


def keep(db: sqlite3.Connection, f: Found, r: Record, read_ns: int) -> None:
    """Writes one record over what was known of its file."""
    db.execute("DELETE FROM files WHERE path = ?", (f.path,))
    names = json.dumps(r.unit_names) if r.unit_names else None
    digest = hashlib.sha256(names.encode()).hexdigest() if names else None
    if names:
        db.execute("INSERT OR IGNORE INTO name_lists VALUES (?, ?)", (digest, names))
    values = (
        f.path, f.size, f.mtime_ns, read_ns, r.state, r.error, r.game_id, r.remix, r.map, family(r.map), r.game,
        r.engine, r.recorded_by, r.started, r.seconds, r.last_frame,
        None if r.winners is None else json.dumps(r.winners), r.result_source, digest,
        *(r.extent or (None, None)),
    )  # fmt: skip
    marks = ", ".join("?" * len(values))
    file = db.execute(
        "INSERT INTO files (path, size, mtime_ns, read_ns, state, error, game_id, remix, map, map_base, game, engine,"
        f" recorded_by, started, seconds, last_frame, winners, result_source, unit_names, extent_x,"
        f" extent_z) VALUES ({marks})",
        values,
    ).lastrowid
    db.executemany(
        "INSERT INTO players VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(file, p.player, p.name, p.team, p.ally_team, p.spectator, p.ai, p.side, p.commands) for p in r.players],
    )
    db.executemany(
        f"INSERT INTO totals VALUES (?, ?, {', '.join('?' * len(KEPT_METRICS))})",
        [(file, team, *(totals[key] for key in KEPT_METRICS)) for team, totals in r.totals.items()],
    )
    db.executemany("INSERT INTO starts VALUES (?, ?, ?, ?)", [(file, *start) for start in r.starts])
    db.executemany(
        "INSERT INTO ordered VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(file, o.player, o.ai_team, o.definition, o.placed, o.queued, o.units) for o in r.ordered],
    )

"""What a data set holds and what became of every file: one SQLite file that only the driver opens.

Files and rows change together through a journal: what will be moved and deleted is committed first, then done,
then the outcome is committed. A driver that was killed in between finishes the entry when it opens the data set
again; every step can be repeated.

``files`` has a row a path; ``chunk`` names the chunk whose parts hold its rows. Copies of one content share them.
``chunk_parts`` says which parts hold rows of a chunk (after compaction several chunks share one). ``drops`` are rows
that are no longer wanted, taken out of the parts by `pending_drops` / `dropped` at the end of a run.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from ksreplay.batch.job import ID_DIGITS, WITH_ROWS, BatchError, Done, Fate, Item, Options, Status, Versions

NAME = "manifest.sqlite"
LAYOUT = "1"
STAGING = "_staging"

#: At most so many contents of a file's size are offered to the worker that may find it among them.
KNOWN = 100

_FATE = tuple(item.name for item in fields(Fate) if item.name not in ("path", "same"))
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS dataset (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS files (path BLOB PRIMARY KEY, {", ".join(_FATE)}, parser, schema, chunk);
CREATE INDEX IF NOT EXISTS files_size ON files (size, status);
CREATE INDEX IF NOT EXISTS files_sha256 ON files (sha256);
CREATE INDEX IF NOT EXISTS files_chunk ON files (chunk);
CREATE TABLE IF NOT EXISTS chunk_parts (chunk TEXT, part TEXT, PRIMARY KEY (part, chunk));
CREATE INDEX IF NOT EXISTS chunk_parts_chunk ON chunk_parts (chunk);
CREATE TABLE IF NOT EXISTS drops (chunk TEXT, file_id TEXT, PRIMARY KEY (chunk, file_id));
CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY, entry TEXT);
CREATE TEMP TABLE todo (path BLOB PRIMARY KEY, suffix TEXT, size INTEGER, mtime_ns INTEGER, chunk TEXT);
CREATE TEMP TABLE versions (format TEXT PRIMARY KEY, schema TEXT);
"""


@contextlib.contextmanager
def staged(folder: Path, target: Path) -> Iterator[Path]:
    """A path to write to that becomes ``target`` when the block ends well. It lies in the staging folder, which every
    run empties, so that a killed process leaves nothing among the parts."""
    path = folder / STAGING / f"{uuid.uuid4().hex}.{target.name}"
    path.parent.mkdir(parents=True, exist_ok=True)
    yield path
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(path, target)


class Manifest:
    """The manifest of the data set in ``folder``; opening it finishes what a killed driver left half done."""

    def __init__(self, folder: Path, versions: Versions, options: Options | None = None) -> None:
        self.folder = folder
        self.versions = versions
        folder.mkdir(parents=True, exist_ok=True)
        # Temporary tables (the listing of a million files) lie on disk, so the driver's memory stays flat.
        self.db = sqlite3.connect(folder / NAME, timeout=2, isolation_level=None)
        try:
            self.db.executescript("PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=FILE; PRAGMA cache_size=-4000;")
            self.db.execute("BEGIN EXCLUSIVE")
            for statement in _SCHEMA.split(";"):
                self.db.execute(statement)
            self._settings(options)
            self.db.executemany("INSERT INTO versions VALUES (?, ?)", [("", ""), *versions.schemas.items()])
            self.db.execute("COMMIT")
            self.recover()
        except sqlite3.OperationalError as error:
            self.db.close()
            if "locked" in str(error):
                raise BatchError(f"another run is working on {folder}") from None
            raise BatchError(f"{folder / NAME}: {error}") from error
        except sqlite3.DatabaseError as error:
            self.db.close()
            raise BatchError(f"{folder / NAME} is no manifest of a data set: {error}") from error
        except BaseException:
            self.db.close()
            raise

    def _settings(self, options: Options | None) -> None:
        held = dict(self.db.execute("SELECT key, value FROM dataset"))
        if held.get("layout", LAYOUT) != LAYOUT:
            raise BatchError(f"the data set has layout {held['layout']}, this ksreplay writes {LAYOUT}")
        if options is None:
            return
        if held.get("shape", options.shape()) != options.shape():
            raise BatchError(
                "the data set was made with other --tables, --private or --limit: use the same ones or another folder"
            )
        wanted = {"layout": LAYOUT, "shape": options.shape()}
        self.db.executemany("INSERT OR IGNORE INTO dataset VALUES (?, ?)", wanted.items())

    def close(self) -> None:
        self.db.close()

    def __enter__(self) -> Manifest:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What there is to do.

    def plan(self, listing: Iterable[Item], retry: bool = False) -> tuple[int, int, int]:
        """Takes a listing and keeps what is missing or changed: (files listed, files to do, bytes to do)."""
        self.db.execute("BEGIN")
        self.db.execute("DELETE FROM todo")
        self.db.executemany(
            "INSERT OR IGNORE INTO todo (path, suffix, size, mtime_ns) VALUES (?, ?, ?, ?)",
            ((os.fsencode(item.path), _suffix(item.path), item.size, item.mtime_ns) for item in listing),
        )
        (listed,) = self.db.execute("SELECT count(*) FROM todo").fetchone()
        again = [Status.GROWING, *((Status.CRASHED, Status.TIMEOUT) if retry else ())]
        self.db.execute(
            f"""DELETE FROM todo WHERE EXISTS (
                SELECT 1 FROM files f JOIN versions v ON v.format = f.format WHERE f.path = todo.path
                AND f.size = todo.size AND f.mtime_ns = todo.mtime_ns AND f.parser = ? AND f.schema = v.schema
                AND f.status NOT IN ({_marks(again)}))""",
            (self.versions.parser, *map(str, again)),
        )
        # Files that share an old chunk are done together, so that its parts can be deleted whole.
        self.db.execute("UPDATE todo SET chunk = (SELECT chunk FROM files f WHERE f.path = todo.path)")
        self.db.execute("COMMIT")
        count, size = self.db.execute("SELECT count(*), coalesce(sum(size), 0) FROM todo").fetchone()
        return listed, count, size

    def todo(self) -> Iterator[Item]:
        """What `plan` found, by suffix and name: names tend to begin with a date, so that a chunk has few formats and
        months, hence few parts."""
        rows = self.db.execute("SELECT path, size, mtime_ns FROM todo ORDER BY chunk, suffix, path")
        for path, size, mtime_ns in rows:
            yield Item(os.fsdecode(path), size, mtime_ns, self._known(path, size))

    def _known(self, path: bytes, size: int) -> tuple[str, ...]:
        # Looks at a bounded number of rows, also where ten thousand files have one size.
        query = f"""SELECT DISTINCT substr(f.sha256, 1, {ID_DIGITS})
            FROM (SELECT * FROM files WHERE size = ? AND status IN ({_marks(WITH_ROWS)}) LIMIT {10 * KNOWN}) f
            JOIN versions v ON v.format = f.format AND v.schema = f.schema WHERE f.parser = ? LIMIT {KNOWN}"""
        values = (size, *map(str, WITH_ROWS), self.versions.parser)
        own = self.db.execute(
            f"""SELECT substr(f.sha256, 1, {ID_DIGITS}) FROM files f
                JOIN versions v ON v.format = f.format AND v.schema = f.schema
                WHERE f.path = ? AND f.parser = ? AND f.chunk IS NOT NULL""",
            (path, self.versions.parser),
        )
        return tuple(dict.fromkeys(row[0] for row in (*own, *self.db.execute(query, values))))

    def free_name(self, name: str) -> str:
        """``name``, or where a chunk of that name has rows already (an old state of the files is back) one like it."""
        known = "SELECT 1 FROM chunk_parts WHERE chunk = ?1 UNION SELECT 1 FROM files WHERE chunk = ?1"
        free, number = name, 1
        while self.db.execute(known, (free,)).fetchone():
            number += 1
            free = f"{name}-{number}"
        return free

    # What is done.

    def commit(self, done: Done) -> None:
        """Takes a chunk into the data set: its parts are moved in, its files become known."""
        entry = {
            "chunk": done.chunk, "moves": done.parts, "deletes": [], "chunk_parts": {},
            "fates": [asdict(fate) for fate in done.fates],
        }  # fmt: skip
        self._apply(self._journal(entry), entry)

    def replace(self, moves: list[tuple[str, str]], deletes: list[str]) -> None:
        """Puts merged parts in the place of others: ``moves`` as in `Done.parts`, then ``deletes``."""
        chunks = [
            row[0]
            for row in self.db.execute(
                f"SELECT DISTINCT chunk FROM chunk_parts WHERE part IN ({_marks(deletes)})", deletes
            )
        ]
        entry = {
            "chunk": "", "moves": moves, "deletes": deletes, "fates": [],
            "chunk_parts": {target: chunks for _, target in moves},
        }  # fmt: skip
        self._apply(self._journal(entry), entry)

    def _journal(self, entry: dict[str, Any]) -> int:
        cursor = self.db.execute("INSERT INTO journal (entry) VALUES (?)", (json.dumps(entry),))
        return cursor.lastrowid or 0

    def recover(self) -> None:
        """Finishes journal entries of a driver that was killed."""
        for number, entry in self.db.execute("SELECT id, entry FROM journal ORDER BY id").fetchall():
            self._apply(number, json.loads(entry))

    def _apply(self, number: int, entry: dict[str, Any]) -> None:
        for staged, target in entry["moves"]:
            (self.folder / target).parent.mkdir(parents=True, exist_ok=True)
            try:
                os.replace(self.folder / staged, self.folder / target)
            except FileNotFoundError:  # moved by the driver that was killed
                if not (self.folder / target).exists():
                    raise BatchError(f"{staged} has vanished before it could become {target}") from None
        self.delete_parts(entry["deletes"])
        self.db.execute("BEGIN")
        if entry["chunk"]:
            self._link((entry["chunk"], target) for _, target in entry["moves"])
            for fate in entry["fates"]:
                self._keep(Fate(**fate), entry["chunk"])
        self._link((chunk, part) for part, chunks in entry["chunk_parts"].items() for chunk in chunks)
        self.db.executemany("DELETE FROM chunk_parts WHERE part = ?", [(part,) for part in entry["deletes"]])
        self.db.execute("DELETE FROM journal WHERE id = ?", (number,))
        self.db.execute("DELETE FROM dataset WHERE key = 'exported'")
        self.db.execute("COMMIT")

    def _link(self, pairs: Iterable[tuple[str, str]]) -> None:
        self.db.executemany("INSERT OR IGNORE INTO chunk_parts VALUES (?, ?)", pairs)

    def _keep(self, fate: Fate, chunk: str) -> None:
        path = os.fsencode(fate.path)
        old = self.db.execute("SELECT chunk, sha256 FROM files WHERE path = ?", (path,)).fetchone()
        schema = self.versions.schemas.get(fate.format, "")
        values = {name: getattr(fate, name) for name in _FATE}
        home: str | None = chunk if fate.status in WITH_ROWS else None
        if fate.same or home:
            twin = self._twin(fate)
            if twin and fate.same:
                home, schema = twin["chunk"], twin["schema"]
                values = {**twin, "size": fate.size, "mtime_ns": fate.mtime_ns}
            elif twin and twin["chunk"] != chunk:
                # Two files of one run had the same content and were read in two chunks: the first one's rows stay.
                self.db.execute("INSERT OR IGNORE INTO drops VALUES (?, ?)", (chunk, fate.file_id))
                home = twin["chunk"]
            elif fate.same:
                return  # its twin has changed meanwhile: the next run reads it
        row = (path, *(values[name] for name in _FATE), self.versions.parser, schema, home)
        self.db.execute(f"INSERT OR REPLACE INTO files VALUES ({_marks(row)})", row)
        if old and old[0] and (old[0] != home or old[1] != fate.sha256):
            used = "SELECT 1 FROM files WHERE sha256 = ? AND chunk = ? LIMIT 1"
            if not self.db.execute(used, (old[1], old[0])).fetchone():
                self.db.execute("INSERT OR IGNORE INTO drops VALUES (?, ?)", (old[0], old[1][:ID_DIGITS]))

    def _twin(self, fate: Fate) -> dict[str, Any] | None:
        """A file with this content whose rows are in the data set and current; for a file that was not read again
        also the file itself, as it was before."""
        cursor = self.db.execute(
            f"""SELECT f.* FROM files f JOIN versions v ON v.format = f.format AND v.schema = f.schema
                WHERE f.sha256 = ? AND f.parser = ? AND f.status IN ({_marks(WITH_ROWS)}) AND (f.path != ? OR ?)""",
            (fate.sha256, self.versions.parser, *map(str, WITH_ROWS), os.fsencode(fate.path), fate.same),
        )
        row = cursor.fetchone()
        return None if row is None else dict(zip((item[0] for item in cursor.description), row, strict=True))

    # Rows that are to go, and parts.

    def pending_drops(self) -> list[tuple[str, list[str]]]:
        """(part, file ids to take out of it) for all rows that are no longer wanted."""
        wanted: dict[str, list[str]] = {}
        for part, file_id in self.db.execute(
            "SELECT p.part, d.file_id FROM drops d JOIN chunk_parts p ON p.chunk = d.chunk ORDER BY p.part"
        ):
            wanted.setdefault(part, []).append(file_id)
        return list(wanted.items())

    def dropped(self) -> None:
        """All pending drops are done; forgets parts that are gone with them."""
        self.db.execute("BEGIN")
        gone = self.db.execute(
            "SELECT DISTINCT part FROM chunk_parts WHERE chunk IN (SELECT chunk FROM drops)"
        ).fetchall()
        self.db.executemany(
            "DELETE FROM chunk_parts WHERE part = ?", [row for row in gone if not (self.folder / row[0]).exists()]
        )
        self.db.execute("DELETE FROM drops")
        self.db.execute("COMMIT")

    def parts(self) -> list[str]:
        return [row[0] for row in self.db.execute("SELECT DISTINCT part FROM chunk_parts ORDER BY part")]

    def delete_parts(self, parts: Iterable[str]) -> None:
        for part in parts:
            (self.folder / part).unlink(missing_ok=True)

    # What it says.

    def counts(self) -> dict[str, int]:
        """Files of the whole data set by status."""
        return dict(self.db.execute("SELECT status, count(*) FROM files GROUP BY status ORDER BY status"))

    def setting(self, key: str) -> str | None:
        row = self.db.execute("SELECT value FROM dataset WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def formats(self) -> list[str]:
        """The formats that files of the data set have."""
        found = {row[0] for row in self.db.execute("SELECT DISTINCT format FROM files")}
        return sorted(found & self.versions.schemas.keys())

    @property
    def exported(self) -> bool:
        """Whether `files.parquet` and `games.parquet` say what the manifest says."""
        return self.setting("exported") is not None

    def mark_exported(self) -> None:
        self.db.execute("INSERT OR REPLACE INTO dataset VALUES ('exported', '1')")

    def rows(self, order: str, where: str = "1") -> Iterator[dict[str, Any]]:
        """Rows of ``files`` as dictionaries, for the exports."""
        cursor = self.db.execute(f"SELECT * FROM files WHERE {where} ORDER BY {order}")
        names = [item[0] for item in cursor.description]
        for row in cursor:
            yield dict(zip(names, row, strict=True))


def _suffix(path: str) -> str:
    """A file's suffix where it may name a format; any bytes are possible in a name, so only ASCII."""
    suffix = os.path.splitext(path)[1].lower()  # noqa: PTH122 (a million plain names)
    return suffix if suffix.isascii() else ""


def _marks(values: Iterable[Any]) -> str:
    return ", ".join("?" for _ in values)

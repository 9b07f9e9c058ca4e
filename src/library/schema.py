"""The SQLite file of an index: its tables, and opening it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ksreplay.errors import ReplayError
from ksreplay.library.record import KEPT_METRICS

VERSION = 1
TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    read_ns INTEGER NOT NULL, state TEXT NOT NULL, error TEXT NOT NULL, game_id TEXT NOT NULL, remix INTEGER NOT NULL,
    map TEXT NOT NULL, map_base TEXT NOT NULL, game TEXT NOT NULL, engine TEXT NOT NULL, recorded_by TEXT NOT NULL,
    started INTEGER, seconds INTEGER NOT NULL, last_frame INTEGER, winners TEXT, result_source TEXT NOT NULL,
    unit_names TEXT REFERENCES name_lists (digest), extent_x REAL, extent_z REAL
);
CREATE TABLE name_lists (digest TEXT PRIMARY KEY, names TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX files_game ON files (game_id, path);
CREATE INDEX files_map ON files (map_base);
CREATE TABLE players (
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, player INTEGER NOT NULL, name TEXT NOT NULL,
    team INTEGER, ally_team INTEGER, spectator INTEGER NOT NULL, ai INTEGER NOT NULL, side TEXT NOT NULL,
    commands INTEGER
);
CREATE INDEX players_file ON players (file);
CREATE INDEX players_name ON players (name);
CREATE TABLE totals (
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, team INTEGER NOT NULL,
    {", ".join(f"{key} INTEGER NOT NULL" for key in KEPT_METRICS)}
);
CREATE INDEX totals_file ON totals (file);
CREATE TABLE starts (
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, team INTEGER NOT NULL, x REAL NOT NULL,
    z REAL NOT NULL
);
CREATE INDEX starts_file ON starts (file);
CREATE TABLE ordered (
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, player INTEGER NOT NULL, ai_team INTEGER NOT NULL,
    definition INTEGER NOT NULL, placed INTEGER NOT NULL, queued INTEGER NOT NULL, units INTEGER NOT NULL
);
CREATE INDEX ordered_file ON ordered (file);
CREATE TABLE layers (
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, map_width REAL NOT NULL, map_height REAL NOT NULL,
    layer TEXT NOT NULL, counts BLOB NOT NULL, off_map INTEGER NOT NULL, left_out TEXT NOT NULL,
    stamp INTEGER NOT NULL, PRIMARY KEY (file, layer, map_width, map_height)
) WITHOUT ROWID;
CREATE TABLE maps (
    name TEXT PRIMARY KEY, width REAL NOT NULL, height REAL NOT NULL, source TEXT NOT NULL, declared TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE position_names (
    map TEXT NOT NULL, position_key TEXT NOT NULL, x REAL NOT NULL, z REAL NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (map, position_key)
) WITHOUT ROWID;
"""


def connect(path: Path, *, create: bool) -> sqlite3.Connection:
    """Opens an index file, making it where it is not there and `create` is given.

    Raises ReplayError for a file that is no index of this version, FileNotFoundError where there is none.
    """
    if not create and not path.exists():
        raise FileNotFoundError(2, "there is no index here; `ksreplay library index` makes one", str(path))
    try:
        db = sqlite3.connect(path, timeout=30, isolation_level=None)
        db.execute("PRAGMA foreign_keys = ON")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and create and not db.execute("SELECT 1 FROM sqlite_master").fetchone():
            # A reader and a killed writer must not lock each other out: readers see the last commit.
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(f"BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version != VERSION:
            db.close()
            raise ReplayError(
                "this is no index of this version of ksreplay", code="library-version", format="library",
                found=version, expected=VERSION,
            )  # fmt: skip
        db.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error as error:
        raise ReplayError(f"the index cannot be read: {error}", code="library-damaged", format="library") from error
    return db

"""Whether a match's own build orders fit a unit list."""

from __future__ import annotations

import sqlite3

from ksreplay.semantics.spring.analysis.unit_list import UnitList
from ksreplay.semantics.spring.analysis.units_ordered import misfits


def fits(db: sqlite3.Connection, file: int, units: UnitList) -> bool:
    """No order of any seat contradicts the list."""
    rows = db.execute("SELECT definition, placed, queued FROM ordered WHERE file = ?", (file,)).fetchall()
    definition, placed, queued = zip(*rows, strict=True) if rows else ((), (), ())
    return misfits(definition, placed, queued, units.mobile) == 0

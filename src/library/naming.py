"""Which unit list names a match's ids, and what its analysis says (seed 002 "Which unit list names the ids").

The order of trust: the engine's own list of an analysis that used the recorded game, a packaged archive's list, a loose
folder's; all from the unit list store. Without one, the names that the game itself sent through the stream: no costs.
"""

from __future__ import annotations

import sqlite3

from ksreplay.events import EventLogFile
from ksreplay.library.analyses import Analyses
from ksreplay.library.queries import MatchRow, Named, stream_names
from ksreplay.library.unit_store import UnitStore
from ksreplay.semantics.spring.analysis.unit_list import UnitList

Outcomes = dict[int, dict[str, tuple[int, int]]]  # team -> unit key -> finished, died


class Naming:
    """Names matches of an index; call it with a match."""

    def __init__(
        self, db: sqlite3.Connection, store: UnitStore | None = None, analyses: Analyses | None = None
    ) -> None:
        self.store = store
        self.analyses = analyses
        self._stream = stream_names(db)

    def __call__(self, row: MatchRow) -> Named:
        named = self._list(row)
        if named.units is None or self.analyses is None or not row.game_id:
            return named
        outcomes = self.outcomes(row.game_id)
        if outcomes is None:
            return named
        return Named(named.units, named.source, lambda team: outcomes.get(team, {}))

    def _list(self, row: MatchRow) -> Named:
        found = self.store.list_for(row.game_id) if self.store is not None and row.game_id else None
        return Named(found[1], found[0].origin) if found else self._stream(row)

    def events_list(self, game_id: str, log: EventLogFile) -> UnitList | None:
        """The list that names a log's own ids: the log's, else the engine's of that run; no other list is the run's."""
        if log.units is not None or self.store is None:
            return log.units
        found = self.store.list_for(game_id, "events")
        return found[1] if found and found[0].origin == "engine" else None

    def outcomes(self, game_id: str) -> Outcomes | None:
        """Finished and died by team and unit key of an analysed match; None without an analysis that can be named."""
        log = self.analyses.find(game_id) if self.analyses is not None else None
        units = self.events_list(game_id, log) if log is not None else None
        if log is None or units is None:
            return None
        table = log.tables["finished_and_died"]
        columns = (table[name].tolist() for name in ("team", "definition", "finished", "died"))
        found: Outcomes = {}
        for team, definition, finished, died in zip(*columns, strict=True):
            unit = units.named(definition)
            if unit is not None:
                before = found.setdefault(team, {}).get(unit.name, (0, 0))
                found[team][unit.name] = (before[0] + finished, before[1] + died)
        return found

"""Keep what an analysis run wrote: its events as Coilbox stores them, and the engine's unit list (spring-analysis 1.5).

Only a log that reproduces the demo's trailer keeps its events; of one that does not, the figures that disagreed are
kept, with those of earlier attempts on other engines or games.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ksreplay.atomic import replacing
from ksreplay.errors import ReplayError
from ksreplay.events import EventLogFile
from ksreplay.events import open as open_log
from ksreplay.library.unit_store import Link, UnitStore
from ksreplay.replay import Replay
from ksreplay.replays.spring_derived import match_of
from ksreplay.semantics.spring.analysis.divergence import Disagreement
from ksreplay.semantics.spring.analysis.event_kinds import KINDS
from ksreplay.semantics.spring.analysis.stored_analysis import STORE_FORMAT, game_id, same_engine

ANALYSIS_GAME = "Coilbox replay analysis"
_UNIT_DEF = [kind.name for kind in KINDS].index("unit_def")


@dataclass(frozen=True, slots=True)
class Analyses:
    """A folder of stored analyses, one `<game id>.jsonl.gz` a match."""

    folder: Path

    def path(self, id: str) -> Path:
        """Where the analysis of a match is kept; ReplayError for what is no game id."""
        clean = game_id(id)
        if clean is None:
            raise ReplayError("this is no game id", code="bad-game-id", format="event log", found=id)
        return self.folder / f"{clean}.jsonl.gz"

    def stamp(self, id: str) -> int | None:
        """When the analysis of a match was last written (nanoseconds), None without one."""
        try:
            return self.path(id).stat().st_mtime_ns
        except OSError:
            return None

    def game_ids(self) -> frozenset[str]:
        """The matches with an analysis that can be used."""
        names = (path.name.removesuffix(".jsonl.gz") for path in self.folder.glob("*.jsonl.gz"))
        return frozenset(id for id in names if game_id(id) == id and self.find(id) is not None)

    def find(self, id: str) -> EventLogFile | None:
        """The analysis of a match whose playback reproduced it; None without one, or where it cannot be read.

        A raw log is none: nobody has held it against the match yet.
        """
        log = _opened(self.path(id))
        if log is None or log.stored is None or log.stored.state == "diverged":
            return None
        return log if log.stored.provenance["gameId"] == game_id(id) else None

    def keep(
        self, log: EventLogFile, demo: Replay, disagreements: Sequence[Disagreement], *, same_game: bool | None = None
    ) -> Path:
        """Stores a raw log as the analysis of a demo's match; returns the file. An earlier one is replaced.

        `same_game` says whether the run used the game the demo records; None compares their names.
        """
        match = match_of(demo)
        id = match.header.game_id.hex()
        path = self.path(id)
        header = log.events.header or {}
        game, recorded_game = run_game(log), match.game.get("gametype") or ""
        diverged = bool(disagreements)
        provenance: dict[str, Any] = {
            "kind": "analysis", "storeFormat": STORE_FORMAT, "outcome": "diverged" if diverged else "reproduced",
            "gameId": id, "loggerFormat": log.events.line_format or 0, "loggerVersion": log.events.logger_version,
            "engine": header.get("engine") or "", "game": game, "map": header.get("map") or "",
            "analysedAtMs": time.time_ns() // 1_000_000, "matchSeconds": match.header.game_seconds,
            "wallSeconds": None, "counts": log.counts,
            "disagreements": [d.to_dict() for d in disagreements],
            "recordedEngine": match.header.engine, "recordedGame": recorded_game,
            "engineDiffers": not same_engine(match.header.engine, str(header.get("engine") or "")),
            "gameDiffers": game_differs(log, demo, same_game), "attempts": [],
        }  # fmt: skip
        if diverged:
            provenance["attempts"] = self._attempts(path, provenance)
        lines = [json.dumps(provenance, ensure_ascii=False).encode()]
        if not diverged:
            kept = np.flatnonzero(log.events.line_kind != _UNIT_DEF).tolist()
            lines += [log.events.line(i) for i in kept]
        self.folder.mkdir(parents=True, exist_ok=True)
        with replacing(path, force=True) as file:
            file.write(gzip.compress(b"".join(line + b"\n" for line in lines), mtime=0))
        return path

    def _attempts(self, path: Path, now: dict[str, Any]) -> list[dict[str, Any]]:
        """Earlier diverged attempts and this one: one for each engine and game, the newest last."""
        keys = ("engine", "game", "analysedAtMs", "disagreements")
        earlier = _opened(path)
        before = earlier.stored.provenance["attempts"] if earlier is not None and earlier.stored is not None else []
        this = {key: now[key] for key in keys}
        others = [
            a
            for a in (before if isinstance(before, list) else [])
            if isinstance(a, dict) and (a.get("engine"), a.get("game")) != (this["engine"], this["game"])
        ]
        return [*others, this]


def _opened(path: Path) -> EventLogFile | None:
    try:
        return open_log(path)
    except (OSError, ReplayError):
        return None


def run_game(log: EventLogFile) -> str:
    """The game a run says it played, name and version."""
    header = log.events.header or {}
    return " ".join(str(part) for part in (header.get("game"), header.get("gameVersion")) if part)


def game_differs(log: EventLogFile, demo: Replay, same_game: bool | None) -> bool | None:
    """Whether the run used another game than the demo records; None where that cannot be known.

    A run under Coilbox's own analysis game may name that one, which says nothing of the game it depends on.
    """
    if same_game is not None:
        return not same_game
    game = run_game(log)
    if not game or game.startswith(ANALYSIS_GAME):
        return None
    return game != (match_of(demo).game.get("gametype") or "")


def keep_unit_list(store: UnitStore, log: EventLogFile, demo: Replay, *, same_game: bool | None = None) -> str | None:
    """Keeps the engine's own list of a run that reproduced a demo; None where the log does not hold it whole."""
    if log.units is None:
        return None
    digest = store.keep(log.units.units)
    differs = game_differs(log, demo, same_game)
    link = Link(digest, "engine", run_game(log), time.time_ns() // 1_000_000, differs)
    store.link(match_of(demo).header.game_id.hex(), link)
    return digest

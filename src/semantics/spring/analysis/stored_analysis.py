"""Stored analyses: a gzip file of one provenance line and the logger's lines (spring-analysis 1.5).

The unit_def lines are not in it: those are kept once a distinct list, in the unit list store.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ksreplay.semantics.spring.analysis.event_kinds import LINE_FORMAT, LOGGER_VERSION
from ksreplay.semantics.spring.analysis.event_log import EventLog, parse_object, read_log

STORE_FORMAT = 1
State = Literal["current", "outdated", "diverged"]
# Provenance keys with their defaults; what is null there is not known.
PROVENANCE: dict[str, Any] = {
    "storeFormat": 0,
    "outcome": "",
    "gameId": "",
    "loggerFormat": 0,
    "loggerVersion": 0,
    "engine": "",
    "game": "",
    "map": "",
    "analysedAtMs": None,
    "matchSeconds": None,
    "wallSeconds": None,
    "counts": {},
    "disagreements": [],
    "recordedEngine": "",
    "recordedGame": "",
    "engineDiffers": None,
    "gameDiffers": None,
    "attempts": [],
}


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    provenance: dict[str, Any]  # every key of PROVENANCE, and what else the line holds
    log: EventLog  # empty for a diverged run

    @property
    def state(self) -> State:
        p = self.provenance
        if p["outcome"] == "diverged":
            return "diverged"
        known = (p["storeFormat"], p["loggerFormat"]) == (STORE_FORMAT, LINE_FORMAT)
        version = p["loggerVersion"]
        return "current" if known and isinstance(version, int) and version >= LOGGER_VERSION else "outdated"


def game_id(text: str) -> str | None:
    """A game id as a file name's stem: 32 hex digits in lower case, not all zero. None when it is none."""
    lowered = text.lower()
    return lowered if re.fullmatch(r"[0-9a-f]{32}", lowered) and lowered.strip("0") else None


def read_stored(data: bytes, *, max_lines: int | None = None) -> StoredAnalysis | None:
    """Read the decompressed text of a stored analysis. None when the first line is no provenance: as if it were not
    there."""
    end = data.find(b"\n")
    found = parse_object(data[: end if end >= 0 else len(data)].rstrip(b"\r"))
    if found is None or found.get("kind") != "analysis":
        return None
    provenance = {**PROVENANCE, **found}
    log = read_log(data, start=end + 1 if end >= 0 else len(data), max_lines=max_lines)
    return StoredAnalysis(provenance, log)


def is_stored(data: bytes) -> bool:
    """Whether a text is a stored analysis (its first line is provenance) and not a raw log."""
    end = data.find(b"\n")
    found = parse_object(data[: end if end >= 0 else len(data)].rstrip(b"\r"))
    return found is not None and found.get("kind") == "analysis"


def same_engine(recorded: str, ran: str) -> bool:
    """Whether two engine version texts are one engine: dotted release without trailing zeros and the commit count."""
    return _engine_key(recorded) == _engine_key(ran)


def _engine_key(text: str) -> Sequence[int] | str:
    match = re.match(r"\s*(\d{1,9}(?:\.\d{1,9})*)(?:-(\d{1,9}))?", text)
    if match is None:
        return text
    release = [int(part) for part in match[1].split(".")]
    while release and release[-1] == 0:
        release.pop()
    return (*release, -1, int(match[2] or 0))

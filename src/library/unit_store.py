"""Kept unit lists: each distinct list once, named by its content, and which replay uses which (seed 002 "The kept unit
lists"; spring-analysis 4). The folder is Coilbox's own `replay-unit-def-sets`.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ksreplay.atomic import replacing
from ksreplay.errors import ReplayError
from ksreplay.formats.inflate import gunzip
from ksreplay.limits import Limits
from ksreplay.semantics.spring.analysis.stored_analysis import game_id as clean_game_id
from ksreplay.semantics.spring.analysis.unit_list import UnitDef, UnitList, refusal

FORMAT = 1
LINKS = "links.json"
Origin = Literal["folder", "archive", "engine"]
TRUST: tuple[Origin, ...] = ("engine", "archive", "folder")  # the first that applies names the ids


@dataclass(frozen=True, slots=True)
class Link:
    """A list recorded for a replay."""

    digest: str
    origin: Origin
    game: str = ""
    taken_at_ms: int = 0
    game_differs: bool | None = None  # an engine's list of a run on another version of the game

    def to_json(self) -> dict[str, Any]:
        found = {"digest": self.digest, "origin": self.origin, "game": self.game, "takenAtMs": self.taken_at_ms}
        return found | ({} if self.game_differs is None else {"gameDiffers": self.game_differs})


def choose(links: Iterable[Link], ids: Literal["stream", "events"] = "stream") -> list[Link]:
    """The links that may name ids, best first: the engine's list, a packaged archive's, a loose folder's.

    The engine's counts for the stream only when its run used the game the replay records; for events always.
    """
    usable = [k for k in links if k.origin != "engine" or ids == "events" or k.game_differs is False]
    return sorted(usable, key=lambda link: TRUST.index(link.origin))


class UnitStore:
    """A folder of kept lists. Unreadable or foreign files are as if they were not there."""

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        self.folder = folder
        self.limits = limits or Limits()

    def keep(self, units: Sequence[UnitDef]) -> str:
        """Keeps a list and returns its digest; a list that is there already is left alone."""
        if (reason := refusal(units)) is not None:
            raise ReplayError(f"this unit list cannot be kept: {reason}", code="unit-list-refused", format="unit list")
        found = UnitList(tuple(units))
        if self.read(found.digest) is None:
            document = {"format": FORMAT, "digest": found.digest, "units": [unit.to_json() for unit in units]}
            text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
            self.folder.mkdir(parents=True, exist_ok=True)
            with replacing(self._path(found.digest), force=True) as file:
                file.write(gzip.compress(text, mtime=0))
        return found.digest

    def read(self, digest: str) -> UnitList | None:
        """The list of a digest, None where there is none or the file does not hold what its name says."""
        found = read_list(self._path(digest), self.limits)
        return found if found is not None and found.digest == digest else None

    def link(self, game_id: str, link: Link) -> list[Link]:
        """Records a list for a replay: the first of its origin stays, but a later engine's list takes the place."""
        key = _game(game_id)
        self._path(link.digest)
        links = self._links()
        mine = links.get(key, [])
        same = [k for k in mine if k.origin == link.origin]
        if not same or link.origin == "engine":
            mine = [k for k in mine if k.origin != link.origin] + [link]
            links[key] = mine
            document = {"format": FORMAT, "links": {g: [k.to_json() for k in ks] for g, ks in links.items()}}
            self.folder.mkdir(parents=True, exist_ok=True)
            with replacing(self.folder / LINKS, force=True) as file:
                file.write(json.dumps(document, ensure_ascii=False).encode())
        return mine

    def links(self, game_id: str) -> list[Link]:
        return self._links().get(_game(game_id), [])

    def list_for(self, game_id: str, ids: Literal["stream", "events"] = "stream") -> tuple[Link, UnitList] | None:
        """The best list recorded for a replay whose file is there and sound."""
        for link in choose(self.links(game_id), ids):
            found = self.read(link.digest)
            if found is not None:
                return link, found
        return None

    def _path(self, digest: str) -> Path:
        if not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
            raise ReplayError("this is no digest of a unit list", code="bad-digest", format="unit list", found=digest)
        return self.folder / f"{digest[7:]}.json.gz"

    def _links(self) -> dict[str, list[Link]]:
        try:
            document = json.loads((self.folder / LINKS).read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            return {}
        found = document.get("links")
        if not isinstance(found, dict):
            return {}
        return {
            g: [k for k in map(_link, ks) if k] for g, ks in found.items() if clean_game_id(g) and isinstance(ks, list)
        }


def read_list(path: Path, limits: Limits) -> UnitList | None:
    """A unit list from a JSON file, plain or gzip: `{"format": 1, "units": [...]}` as kept, or the bare list of units.

    None for what cannot be read or is refused.
    """
    try:
        if path.stat().st_size > limits.nested_bytes:
            return None
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            inflated = gunzip(data, limits, format="unit list")
            data = inflated.data.tobytes() if inflated.complete else b""
        document = json.loads(data)
    except (OSError, ValueError, RecursionError, ReplayError):
        return None
    if isinstance(document, dict):
        document = document.get("units") if document.get("format") == FORMAT else None
    if not isinstance(document, list) or not all(isinstance(unit, dict) for unit in document):
        return None
    units = tuple(UnitDef.from_json(unit) for unit in document)
    return UnitList(units) if refusal(units) is None else None


def _game(game_id: str) -> str:
    found = clean_game_id(game_id)
    if found is None:
        raise ReplayError("this is no game id", code="bad-game-id", format="unit list", found=game_id)
    return found


def _link(found: Any) -> Link | None:
    if not isinstance(found, Mapping) or found.get("origin") not in TRUST:
        return None
    digest, taken, differs = found.get("digest"), found.get("takenAtMs", 0), found.get("gameDiffers")
    if not isinstance(digest, str) or not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
        return None
    return Link(digest, found["origin"], str(found.get("game", "")), taken if isinstance(taken, int) else 0,
                differs if isinstance(differs, bool) else None)  # fmt: skip

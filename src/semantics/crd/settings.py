"""A run's settings as the newest version would say them: what older versions left out is filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ksreplay.formats.crd_schema import BUILD_1_9_93, Payload, variant_of


def as_newest(payload: Payload) -> dict[str, Any]:
    """The top map (without ticks) in the shape of version 35; parts that could not be read stay None.

    Filled in (seed 001, Payload; crd-format §6): rules 1, no pilot, no seat keys, no custom quest, build 1.9.93; an
    early v33 custom quest becomes the entries that a reader plays.
    """
    values = payload.values
    run = dict(values.get("run") or {})
    if payload.version < 35:
        run["cl_build"] = BUILD_1_9_93
    run["custom_quest"] = resolve_quest(run.get("custom_quest"), run.get("player_count"))
    return {
        "format_version": values.get("format_version"),
        "game_version": values.get("game_version"),
        "rules": values.get("rules") if payload.version >= 31 else 1,
        "recorder": values.get("recorder"),
        "pilot": values.get("pilot"),
        "seat_keys": values.get("seat_keys"),
        "run": run,
        "result": values.get("result") or {},
    }


def resolve_quest(quest: dict[str, Any] | None, player_count: int | None) -> dict[str, Any] | None:
    """A custom quest in its later layout. An early one is played from the table that its variants give the players."""
    if quest is None or "tables" not in quest:
        return quest
    tables, variants = quest["tables"] or [], quest["variants"] or []
    slot = variant_of(player_count or 1)
    index = variants[slot] if slot < len(variants) else 0
    entries = tables[index] if index is not None and 0 <= index < len(tables) else []
    later = {key: value for key, value in quest.items() if key not in ("tables", "variants")}
    return {**later, "entries": entries, "no_bonuses": [], "no_perks": [], "no_weapons": []}


def quest_label(run: dict[str, Any]) -> str | None:
    """``1.10`` for a stock quest, ``custom:Title`` for a custom one."""
    level, custom = run.get("quest_level"), run.get("custom_quest")
    if custom is not None:
        return f"custom:{custom.get('title')}"
    return None if level is None else f"{level.get('major')}.{level.get('minor')}"


_LABEL = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:\+build\.([0-9a-f]{24})|\+g([0-9a-f]{12})(\.dirty)?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class GameVersion:
    """A ``game_version`` label taken apart: ``0.22.0``, ``0.22.0+build.<24 hex>`` or ``0.22.0+g<12 hex>[.dirty]``."""

    release: tuple[int, int, int]
    build: str | None = None
    commit: str | None = None
    dirty: bool = False

    @property
    def kind(self) -> str:
        return "build" if self.build else "commit" if self.commit else "release"


def parse_game_version(label: str | None) -> GameVersion | None:
    """None where the label has another form; any label that is not empty is still readable (crd-format §6)."""
    match = _LABEL.fullmatch(label or "")
    if match is None or max(map(len, match.group(1, 2, 3))) > 9:
        return None
    major, minor, patch, build, commit, dirty = match.groups()
    return GameVersion((int(major), int(minor), int(patch)), build, commit, dirty is not None)


#: The development build of 0.18.0 that is known to have the manual-reload fix (seed 001).
FIXED_BUILD = "64a9589f5fbefdc036f0559b"


def reload_behaviour(newest: dict[str, Any]) -> str:
    """Which manual reload a replay plays with: ``fixed``, ``legacy``, or ``ambiguous`` where its build does not tell.

    Only keyless rules-1 co-op without preserve_bugs needs the exception (seed 001, Unversioned co-op reload
    exception): releases through 0.18.0 are legacy, 0.19.0 and later fixed, builds labelled 0.18.0 are told apart by
    their fingerprint, of which one is known.
    """
    run = newest["run"]
    if (
        newest["rules"] != 1
        or (run.get("player_count") or 1) <= 1
        or run.get("preserve_bugs")
        or newest["seat_keys"] is not None
    ):
        return "fixed"
    version = parse_game_version(newest["game_version"])
    if version is None:
        return "ambiguous"
    if version.release >= (0, 19, 0) or version.build == FIXED_BUILD:
        return "fixed"
    if version.release < (0, 18, 0) or version.kind == "release":
        return "legacy"
    return "ambiguous"


def rules_profile(newest: dict[str, Any]) -> dict[str, Any]:
    """What a player would simulate: the rules, the original build, whether original bugs are kept, manual reload."""
    run = newest["run"]
    rules = newest["rules"]
    return {
        "rules": rules,
        "playable": rules in (1, 2),
        "build": {10993: "1.9.93", 10908: "1.9.8"}.get(run.get("cl_build") or 0),
        "preserve_bugs": run.get("preserve_bugs"),
        "reload": reload_behaviour(newest),
    }

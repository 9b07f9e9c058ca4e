"""Names of Crimsonland's ids: modes, quests, weapons, perks, bonuses, spawn templates, movement modes, aim schemes.

The tables in ``data/`` were printed from the running game package 0.22.0 (crd-format §9). An id that they do not
hold gets no name; ids always stay beside names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources


@cache
def rows(table: str) -> tuple[dict[str, str], ...]:
    """A table of ``data/`` as dictionaries, one a line."""
    text = resources.files("ksreplay.semantics.crd").joinpath("data", f"{table}.tsv").read_text(encoding="utf-8")
    head, *lines = text.splitlines()
    columns = head.split("\t")
    return tuple(dict(zip(columns, line.split("\t"), strict=True)) for line in lines)


@cache
def _column(table: str, key: str, value: str) -> dict[int, str]:
    return {int(row[key]): row[value] for row in rows(table)}


@dataclass(frozen=True, slots=True)
class Quest:
    """A stock quest. ``time_limit_ms`` is its own clock; ``terrain`` its three terrain slots."""

    title: str
    global_index: int
    time_limit_ms: int
    start_weapon_id: int
    terrain: tuple[int, ...]


@cache
def quests() -> dict[tuple[int, int], Quest]:
    """The 50 stock quests by major and minor number."""
    return {
        (int(row["major"]), int(row["minor"])): Quest(
            row["title"],
            int(row["global_index"]),
            int(row["time_limit_ms"]),
            int(row["start_weapon_id"]),
            tuple(int(slot) for slot in row["terrain_slots"].split()),
        )
        for row in rows("quests")
    }


def mode(mode_id: int | None) -> str | None:
    """survival, rush, quest, typo or tutorial, as in the names of replay files."""
    return None if mode_id is None else _column("game_modes", "id", "file_name_part").get(mode_id) or None


def weapon(weapon_id: int | None) -> str | None:
    return None if weapon_id is None else _column("weapons", "id", "display_name").get(weapon_id)


def perk(perk_id: int | None, *, violence: bool = True) -> str | None:
    """A perk's name; a few have another one where violence is disabled."""
    column = "display_name_default" if violence else "display_name_violence_off_or_fixed"
    return None if perk_id is None else _column("perks", "id", column).get(perk_id)


def bonus(bonus_id: int | None) -> str | None:
    return None if bonus_id is None else _column("bonuses", "id", "display_name").get(bonus_id)


def spawn_template(spawn_id: int | None) -> str | None:
    return None if spawn_id is None else _column("spawn_templates", "id", "identifier").get(spawn_id)


def creature(spawn_id: int | None) -> str | None:
    """The type of creature a spawn template makes."""
    return None if spawn_id is None else _column("spawn_templates", "id", "creature_type").get(spawn_id) or None


@cache
def movement_modes() -> dict[int, str]:
    return {number: name.lower() for number, name in _column("movement_modes", "id", "identifier").items()}


@cache
def aim_schemes() -> dict[int, str]:
    """By id; the flag word stores the id -1 as 7."""
    return {number: name.lower() for number, name in _column("aim_schemes", "id", "identifier").items()}


@cache
def outcomes() -> dict[int, tuple[str, ...]]:
    """The outcomes that a mode's end can have, by mode id."""
    return {int(row["mode_id"]): tuple(row["outcomes_allowed"].split(", ")) for row in rows("outcomes")}


@cache
def ranked_controls() -> tuple[frozenset[int], frozenset[int]]:
    """The movement modes and aim schemes that a ranked run may be played with: those of human players."""
    movement, aim = (
        frozenset(int(row["id"]) for row in rows(table) if row["ranked_human"] == "yes")
        for table in ("movement_modes", "aim_schemes")
    )
    return movement, aim

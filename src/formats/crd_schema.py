"""The declared types of a crd payload: every key of every version in its order, with its range.

This is the format page as data. `read_payload` reads a payload against it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ksreplay.errors import Problems
from ksreplay.formats import crd_rules as rules
from ksreplay.formats.crd_canonical import (
    ARRAY,
    INT,
    MAP,
    TEXT,
    Data,
    Float,
    Int,
    Key,
    Many,
    Map,
    Maybe,
    Reader,
    Text,
    Truth,
)
from ksreplay.formats.crd_ticks import TickArray, Ticks
from ksreplay.limits import Limits

OLDEST, NEWEST = 30, 35

#: The original game's build that a run without `cl_build` plays, and the other one.
BUILD_1_9_93, BUILD_1_9_8 = 10993, 10908

U32 = (0, 0xFFFFFFFF)
I32 = (-(1 << 31), (1 << 31) - 1)
COUNT31 = (0, (1 << 31) - 1)

#: Known ids (names: `ksreplay.semantics.crd.names`, from the running game's own tables).
GAME_MODES = frozenset({1, 2, 3, 4, 8})
WEAPONS = frozenset(range(54))
UNNAMED_WEAPONS = frozenset({0, *range(34, 41), *range(46, 50)})
SPAWN_TEMPLATES = frozenset(range(0x44))
UNPLAYABLE_TEMPLATES = frozenset({0x02, 0x37})
WEAPON_SLOTS = 53
MAX_COPIES_AT_ONCE, MAX_COPIES = 384, 8192


def _printable(low: int, high: int) -> re.Pattern[str]:
    return re.compile(f"[ -~]{{{low},{high}}}")


def _ascending(values: list[Any]) -> bool:
    return all(a < b for a, b in pairwise(values))


ANY_INT = Int()

RECORDER = Map(tuple(Key(name, Text(rules.RECORDER, _printable(1, 64))) for name in ("client", "version", "platform")))

PILOT = Map(
    (
        Key("name", Text(rules.PILOT_NAME, _printable(1, 31))),
        Key("model", Text(rules.PILOT_MODEL, _printable(0, 64))),
        Key("url", Text(rules.PILOT_URL, re.compile(r"|https://[ -~]{0,192}"))),
    )
)

POINT = Map((Key("x", Float()), Key("y", Float())))

SPAWN_POINT = Map(tuple(Key(axis, Float(rules.CQ_POSITION, -1024.0, 2048.0)) for axis in ("x", "y")))

SPAWN_ENTRY = Map(
    (
        Key("pos", SPAWN_POINT),
        Key("heading", Float()),
        Key(
            "spawn_id",
            Int(rules.CQ_SPAWN_KNOWN, known=SPAWN_TEMPLATES, never=((rules.CQ_SPAWN, UNPLAYABLE_TEMPLATES),)),
        ),
        Key("trigger_ms", Int(rules.CQ_TRIGGER, 0, 3_600_000)),
        Key("count", Int(rules.CQ_COPIES, 1, MAX_COPIES_AT_ONCE)),
    )
)

ENTRIES = Many(SPAWN_ENTRY, rules.CQ_ENTRIES, 1, 256)

_QUEST_HEAD = (
    Key("title", Text(rules.CQ_TITLE, _printable(1, 64))),
    Key("author", Maybe(Text(rules.CQ_AUTHOR, _printable(1, 31)))),
    Key(
        "start_weapon_id",
        Int(
            rules.CQ_WEAPON_NAMED,
            known=WEAPONS,
            never=((rules.CQ_WEAPON, frozenset({0})), (rules.CQ_WEAPON_NAMED, UNNAMED_WEAPONS - {0})),
        ),
    ),
    Key("terrain_slots", Many(Int(rules.CQ_TERRAIN, 0, 7), rules.CQ_TERRAIN, 3, 3)),
)

#: The layout of releases 0.17.0 and later.
CUSTOM_QUEST = Map(
    (
        *_QUEST_HEAD,
        Key("entries", ENTRIES),
        Key("no_bonuses", Many(Int(rules.CQ_BONUSES, 2, 14), rules.CQ_BONUSES, 0, 13, _ascending)),
        Key(
            "no_perks",
            Many(Int(rules.CQ_PERKS, known=frozenset(range(1, 58)) - {7}), rules.CQ_PERKS, 0, 56, _ascending),
        ),
        Key("no_weapons", Many(Int(rules.CQ_WEAPONS, 2, 33), rules.CQ_WEAPONS, 0, 32, _ascending)),
    )
)

#: What the released reader does not look at in a table that the run does not play: values, as against form.
_UNPLAYED = frozenset(
    rule.code
    for rule in (
        rules.CQ_ENTRIES, rules.CQ_POSITION, rules.CQ_TRIGGER, rules.CQ_COPIES, rules.CQ_SPAWN, rules.NOT_FLOAT32,
        rules.NOT_FINITE,
    )
)  # fmt: skip


class SpawnTables:
    """The spawn tables of an early custom quest, of which the players' number and the variants choose one to play."""

    def read(self, reader: Reader, at: int, where: str) -> tuple[list[Any] | None, int]:
        token = reader.head(at, where, ARRAY)
        if token is None:
            return None, reader.skip(at, where)
        if not 1 <= token.value <= 8:
            reader.report(rules.CQ_TABLES, where, at, found=token.value, expected="1..8")
        played = self._played(reader, reader.skip(at, where))
        tables = []
        end = token.end
        for index in range(token.value):
            reader.softened = _UNPLAYED if played is not None and index != played else frozenset()
            table, end = (
                ENTRIES.read(reader, end, f"{where}[{index}]") if index < 8 else (None, reader.skip(end, where))
            )
            tables.append(table)
        reader.softened = frozenset()
        return tables, end

    @staticmethod
    def _played(reader: Reader, after: int) -> int | None:
        """The table that is played, from the variants after the tables; None where that cannot be told."""
        head = b"\xa8variants\x98"
        variants = reader.payload[after + len(head) : after + len(head) + 8]
        players_at = reader.offsets.get("run.player_count")
        if not reader.payload.startswith(head, after) or len(variants) < 8 or players_at is None:
            return None
        players = reader.payload[players_at]
        return variants[variant_of(players)] if 1 <= players <= 4 else None


def variant_of(players: int) -> int:
    """Which of the eight variants of an early custom quest a number of players plays."""
    return min(max((players - 1) * 2, 0), 7)


#: The layout of releases 0.15.0 to 0.16.1, also written as version 33.
EARLY_CUSTOM_QUEST = Map(
    (
        *_QUEST_HEAD,
        Key("tables", SpawnTables()),
        Key("variants", Many(Int(rules.CQ_VARIANTS, 0, 7), rules.CQ_VARIANTS, 8, 8)),
    )
)


class QuestOfVersion:
    """A custom quest; in version 33 its own keys say which of the two layouts it has."""

    def read(self, reader: Reader, at: int, where: str) -> tuple[Any, int]:
        layout = CUSTOM_QUEST
        if reader.version == 33 and reader.token(at, where).kind is MAP:
            end = reader.token(at, where).end
            for _ in range(reader.token(at, where).value):
                token = reader.token(end, where)
                name = reader.payload[token.end : token.end + token.value] if token.kind is TEXT else b""
                if name in (b"tables", b"variants"):
                    layout = EARLY_CUSTOM_QUEST
                    break
                end = reader.skip(reader.skip(end, where), where)
        return layout.read(reader, at, where)


STATUS = Map(
    (
        Key("quest_unlock_index", Int(rules.UNLOCK, *I32)),
        Key("quest_unlock_index_full", Int(rules.UNLOCK, *I32), also=("quest_unlock_index_hardcore",)),
        Key(
            "weapon_usage_counts",
            Many(Int(rules.USAGE, *U32), rules.USAGE_COUNT, WEAPON_SLOTS, WEAPON_SLOTS),
        ),
    )
)

TYPO_CARRY = Map(
    (
        Key("target_world", Maybe(POINT)),
        Key("submit_count", Int(rules.CARRY, *COUNT31)),
        Key("match_count", Int(rules.CARRY, *COUNT31)),
        Key("highscore_names_loaded", Truth()),
    )
)

QUEST_LEVEL = Map((Key("major", Int(rules.QUEST_LEVEL, 1, 5)), Key("minor", Int(rules.QUEST_LEVEL, 1, 10))))

RUN = Map(
    (
        Key("game_mode_id", Int(rules.MODE, known=GAME_MODES)),
        Key("seed", Int(rules.SEED, *U32)),
        Key("quest_level", Maybe(QUEST_LEVEL)),
        Key("player_count", Int(rules.PLAYER_COUNT, 1, 4)),
        Key("hardcore", Truth()),
        Key("preserve_bugs", Truth()),
        Key("quest_fail_retry_count", Int(rules.RETRY, *COUNT31)),
        Key("detail_preset", Int(rules.DETAIL, 1, 5)),
        Key("violence_disabled", Int(rules.VIOLENCE, 0, 255)),
        Key("friendly_fire", Truth()),
        Key("status", STATUS),
        Key("typo_dictionary_words", Many(Text(rules.WORD, _printable(1, 15)), rules.WORD_COUNT, 0, 2048)),
        Key("typo_highscore_names", Many(Text(rules.NAME, re.compile("[A-Za-z.]{1,31}")), rules.NAME_COUNT, 0, 512)),
        Key("typo_carry", TYPO_CARRY),
        Key("custom_quest", Maybe(QuestOfVersion()), since=33),
        Key("cl_build", Int(rules.CL_BUILD, known=frozenset({BUILD_1_9_93, BUILD_1_9_8})), since=35),
    )
)

PLAYER_RESULT = Map(
    (
        Key("experience", ANY_INT),
        Key("health", Float()),
        Key("most_used_weapon_id", Int(rules.WEAPON, known=WEAPONS)),
    )
)

OUTCOMES = ("death", "quest_completed", "tutorial_completed", "incomplete")

RESULT = Map(
    (
        Key("outcome", Text(rules.OUTCOME, re.compile("|".join(OUTCOMES)))),
        Key("elapsed_ms", ANY_INT),
        Key("kills", ANY_INT),
        Key("shots_fired", ANY_INT),
        Key("shots_hit", ANY_INT),
        Key("rng_state", Int(rules.RNG_STATE, *U32)),
        Key("pending_perks", ANY_INT),
        Key("quest_final_ms", Maybe(ANY_INT)),
        # Up to 4 by the rules; the exact number is the run's.
        Key("players", Many(PLAYER_RESULT, rules.RESULT_PLAYERS, 0, 4)),
    )
)

REPLAY = Map(
    (
        Key("format_version", ANY_INT),
        Key("game_version", Text(rules.GAME_VERSION, re.compile(".+", re.DOTALL))),
        Key("rules", Int(rules.RULES_NUMBER, 1, (1 << 64) - 1), since=31),
        Key("recorder", RECORDER),
        Key("pilot", Maybe(PILOT), since=32),
        Key("seat_keys", Maybe(Many(Data(rules.SEAT_KEY, 32), rules.SEAT_KEY_COUNT, 0, 4)), since=34),
        Key("run", RUN),
        Key("result", RESULT),
        Key("ticks", TickArray()),
    )
)


@dataclass(slots=True)
class Payload:
    """A payload as it was read.

    ``values``: the top map without ticks, every key of the version there, None under what could not be read;
    ``version``: whose keys were read (``values["format_version"]`` is what the file says); ``offsets``: byte offset of
    each field by path; ``status_key``: the spelling of run.status.quest_unlock_index_full in the file.
    """

    values: dict[str, Any]
    ticks: Ticks
    version: int
    offsets: dict[str, int]
    status_key: str

    @property
    def run(self) -> dict[str, Any]:
        return self.values.get("run") or {}

    @property
    def result(self) -> dict[str, Any]:
        return self.values.get("result") or {}


def read_payload(payload: bytes, problems: Problems, limits: Limits) -> Payload:
    """Reads a whole payload, reporting every breach of the canonical form and of a field's range.

    Raises ReplayError only where the bytes are no MessagePack map.
    """
    reader = Reader(payload, problems, limits)
    token = reader.token(0, "")
    if token.kind is not MAP:
        raise rules.NOT_A_MAP.failure(rules.FORMAT, "", 0, found=token.kind, expected=MAP)
    _find_version(reader)
    if not token.canonical:
        reader.report(rules.MAP_HEADER, "", 0, found=payload[: token.end])
    values, end = REPLAY.read_entries(reader, 0, token, "")
    if end < len(payload):
        reader.report(rules.TRAILING, "", end, found=len(payload) - end, expected=0)
    status_key = reader.spellings.get("run.status.quest_unlock_index_full", "quest_unlock_index_full")
    if status_key != "quest_unlock_index_full" and reader.version < 35:
        path = "run.status.quest_unlock_index_full"
        reader.report(rules.STATUS_KEY, path, reader.offsets[path] - len(status_key), found=status_key)
    ticks = values.pop("ticks") or Ticks.empty()
    return Payload(values, ticks, reader.version, reader.offsets, status_key)


#: What tells a version's payload from older ones where its number is gone: the newest key that it holds.
_FIRST_KEYS = (
    (35, b"\xa8cl_build"),
    (34, b"\xa9seat_keys"),
    (33, b"\xaccustom_quest"),
    (32, b"\xa5pilot"),
    (31, b"\xa5rules"),
)


def _find_version(reader: Reader) -> None:
    """Sets the version in force, which all maps depend on: the nearest known one, by its keys where it has no number.

    The key is looked for as bytes, since a payload out of order may have it after millions of ticks.
    """
    payload = reader.payload
    at = payload.find(b"format_version") + len("format_version")
    if len("format_version") <= at < len(payload):
        token = reader.token(at, "format_version")
        if token.kind is INT:
            if not OLDEST <= token.value <= NEWEST:
                reader.report(rules.VERSION, "format_version", at, found=token.value, expected=f"{OLDEST}..{NEWEST}")
            reader.version = min(max(token.value, OLDEST), NEWEST)
            return
    reader.version = next((version for version, key in _FIRST_KEYS if key in payload), OLDEST)

"""Every rule of the format, broken once by a small replay made here: no corpus needed."""

from __future__ import annotations

import copy
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zstandard

import ksreplay
from ksreplay.errors import INVALID, ReplayError, Severity
from ksreplay.formats.crd import write_envelope
from ksreplay.formats.crd_commands import Commands
from ksreplay.formats.crd_encode import Encoder
from ksreplay.formats.crd_ticks import Ticks
from ksreplay.formats.source import Source
from ksreplay.limits import Limits
from ksreplay.replays.crd import CrimsonlandReplay
from ksreplay.semantics.crd.rules import RULES, SEED_SEVERITIES

MENU, PICK, CHAR = 0, 1, 2


def make_ticks(count: int = 3, players: int = 1, flag: int = 0x1508) -> Ticks:
    return Ticks(
        players, np.zeros((count, players, 4), np.float32), np.full((count, players), flag, np.uint32),
        np.zeros((count, players), np.int64), Commands(),
    )  # fmt: skip


class Case:
    """A valid survival run of three ticks in version 35, to be broken."""

    def __init__(self) -> None:
        self.version = 35
        self.spelling = "quest_unlock_index_full"
        self.ticks = make_ticks()
        self.run: dict[str, Any] = {
            "game_mode_id": 1, "seed": 7, "quest_level": None, "player_count": 1, "hardcore": False,
            "preserve_bugs": False, "quest_fail_retry_count": 0, "detail_preset": 5, "violence_disabled": 0,
            "friendly_fire": False,
            "status": {
                "quest_unlock_index": 50, "quest_unlock_index_full": 50, "weapon_usage_counts": [0] * 53,
            },
            "typo_dictionary_words": [], "typo_highscore_names": [],
            "typo_carry": {
                "target_world": None, "submit_count": 0, "match_count": 0, "highscore_names_loaded": False,
            },
            "custom_quest": None, "cl_build": 10993,
        }  # fmt: skip
        self.result: dict[str, Any] = {
            "outcome": "incomplete", "elapsed_ms": 48, "kills": 0, "shots_fired": 2, "shots_hit": 1, "rng_state": 9,
            "pending_perks": 0, "quest_final_ms": None,
            "players": [{"experience": 0, "health": 100.0, "most_used_weapon_id": 1}],
        }  # fmt: skip
        self.values: dict[str, Any] = {
            "format_version": 35, "game_version": "0.22.0", "rules": 2,
            "recorder": {"client": "crimson", "version": "0.22.0", "platform": "unknown"},
            "pilot": None, "seat_keys": None, "run": self.run, "result": self.result,
        }  # fmt: skip

    def players(self, count: int) -> None:
        self.run["player_count"] = count
        self.ticks = make_ticks(3, count)
        self.result["players"] = [copy.deepcopy(self.result["players"][0]) for _ in range(count)]

    def quest(self, **changes: Any) -> dict[str, Any]:
        self.run["game_mode_id"] = 3
        self.run["custom_quest"] = {
            "title": "t", "author": None, "start_weapon_id": 1, "terrain_slots": [0, 1, 2],
            "entries": [self.entry()], "no_bonuses": [], "no_perks": [], "no_weapons": [], **changes,
        }  # fmt: skip
        quest: dict[str, Any] = self.run["custom_quest"]
        return quest

    @staticmethod
    def entry(**changes: Any) -> dict[str, Any]:
        return {"pos": {"x": 0.0, "y": 0.0}, "heading": 0.0, "spawn_id": 3, "trigger_ms": 0, "count": 1, **changes}

    def early_quest(self, **changes: Any) -> None:
        self.version = self.values["format_version"] = 33
        self.quest()
        quest = self.run["custom_quest"]
        for key in ("entries", "no_bonuses", "no_perks", "no_weapons"):
            del quest[key]
        quest.update({"tables": [[self.entry()]], "variants": [0] * 8, **changes})

    def command(self, tick: int, kind: int, player: int = 0, choice: int = -1, char: str | None = None) -> None:
        self.ticks.commands.add(tick, kind, player, choice, char, 0)

    def payload(self) -> bytes:
        return Encoder(self.version, self.spelling).encode(self.values, self.ticks)

    def file(self) -> bytes:
        return write_envelope(self.payload(), Limits())


Breach = Callable[[Case], Any]


def field(part: str, key: str, value: Any) -> Breach:
    return lambda case: getattr(case, part).__setitem__(key, value)


def nested(part: str, inner: str, key: str, value: Any) -> Breach:
    return lambda case: getattr(case, part)[inner].__setitem__(key, value)


def quest(**changes: Any) -> Breach:
    return lambda case: case.quest(**changes)


def flag(word: int) -> Breach:
    return lambda case: case.ticks.flags.__setitem__((1, 0), word)


def pilot(**changes: str) -> Breach:
    return field("values", "pilot", {"name": "n", "model": "", "url": "", **changes})


def swapped(*changes: tuple[bytes, bytes]) -> Callable[[Case], bytes]:
    """The payload with some bytes exchanged, each of which stands in it."""

    def build(case: Case) -> bytes:
        payload = case.payload()
        for old, new in changes:
            assert old in payload
            payload = payload.replace(old, new, 1)
        return write_envelope(payload, Limits())

    return build


def several(*breaches: Breach) -> Breach:
    return lambda case: [breach(case) for breach in breaches]


AXES = b"\xcb" + bytes(8)
TICK = b"\x92\x91\x95" + AXES * 4 + b"\xcd\x15\x08\x90"
#: code -> what breaks it. A function that returns bytes gives the file itself.
BREACHES: dict[str, Callable[[Case], Any]] = {
    "file-size": lambda case: b"\x28\xb5\x2f\xfd" + bytes(65 << 20),
    "zstd-header": lambda case: case.file()[:5],
    "zstd-magic": lambda case: b"\x50\x2a\x4d\x18" + bytes(20),
    "zstd-window": lambda case: b"\x28\xb5\x2f\xfd\x00\x70" + bytes(20),
    "zstd-content-size": lambda case: b"\x28\xb5\x2f\xfd\x80\x00" + struct.pack("<I", (64 << 20) + 1) + bytes(20),
    "zstd-dictionary": lambda case: b"\x28\xb5\x2f\xfd\x21\x07\x05" + bytes(20),
    "zstd-damaged": lambda case: case.file()[:20] + b"\xff" * 40 + case.file()[60:],
    "zstd-truncated": lambda case: case.file()[:-3],
    "zstd-trailing": lambda case: case.file() + b"\0",
    "content-size-unstated": lambda case: zstandard.ZstdCompressor(write_content_size=False).compress(case.payload()),
    "payload-truncated": lambda case: write_envelope(case.payload()[:-1], Limits()),
    "reserved-tag": swapped((b"\xa8cl_build\xcd\x2a\xf1", b"\xa8cl_build\xc1\x2a\xf1")),
    "nesting": swapped((b"\xa5pilot\xc0", b"\xa5pilot" + b"\x91" * 70 + b"\xc0")),
    "values": lambda case: write_envelope(b"\x81\xa1z\xdd\x00\x20\x00\x00" + bytes(1 << 21), Limits()),
    "not-a-map": lambda case: write_envelope(b"\x91\xc0", Limits()),
    "key-order": swapped(
        (b"\xa9shots_hit", b"\xa9shots_HIT"), (b"\xabshots_fired", b"\xa9shots_hit"),
        (b"\xa9shots_HIT", b"\xabshots_fired"),
    ),
    "duplicate-key": swapped((b"\xa5kills", b"\xaaelapsed_ms")),
    "missing-key": swapped((b"\x89\xa6outcome"[:1] + b"\xa7outcome\xaaincomplete", b"\x88")),
    "extra-key": swapped((b"\xa5kills", b"\xa5kilos")),
    "key-type": swapped((b"\xa5kills", b"\x07")),
    "int-width": swapped((b"\xa5rules\x02", b"\xa5rules\xcc\x02")),
    "float32": swapped((b"\xa6health\xcb\x40\x59" + bytes(6), b"\xa6health\xca\x42\xc8\x00\x00")),
    "int-for-float": swapped((b"\xa6health\xcb\x40\x59" + bytes(6), b"\xa6health\x64")),
    "str-header": swapped((b"\xac" + b"game_version\xa6", b"\xac" + b"game_version\xd9\x06")),
    "bin-header": lambda case: [
        case.values.__setitem__("seat_keys", [b"k" * 32]),
        swapped((b"\xc4\x20kk", b"\xc5\x00\x20kk"))(case),
    ][1],
    "array-header": swapped((b"\xa5ticks\x93", b"\xa5ticks\xdc\x00\x03")),
    "map-header": swapped((b"\xa6result\x89", b"\xa6result\xde\x00\x09")),
    "not-finite": lambda case: case.ticks.axes.__setitem__((2, 0, 1), np.inf),
    "not-float32": swapped((b"\x95\xcb" + bytes(8), b"\x95\xcb" + struct.pack(">d", 0.1))),
    "bad-utf8": swapped((b"\xa6" + b"0.22.0", b"\xa60.22.\xff")),
    "wrong-type": swapped((b"\xa5pilot\xc0", b"\xa5pilot\x01")),
    "wrong-count": swapped((TICK, b"\x91" + TICK[1:-1])),
    "trailing-bytes": lambda case: write_envelope(case.payload() + b"\xc0", Limits()),
    "status-key-hardcore": lambda case: [
        case.values.__setitem__("format_version", 34),
        setattr(case, "version", 34),
        setattr(case, "spelling", "quest_unlock_index_hardcore"),
    ][0],
    "unsupported-version": field("values", "format_version", 36),
    "game-version": field("values", "game_version", ""),
    "rules-number": field("values", "rules", 0),
    "recorder-text": nested("values", "recorder", "client", "ä"),
    "pilot-name": pilot(name=""),
    "pilot-model": pilot(model="\t"),
    "pilot-url": pilot(url="http://example.org"),
    "seat-key": field("values", "seat_keys", [b"short"]),
    "seat-key-count": field("values", "seat_keys", [b"a" * 32, b"b" * 32]),
    "seat-key-distinct": several(lambda case: case.players(2), field("values", "seat_keys", [b"a" * 32] * 2)),
    "mode": field("run", "game_mode_id", 5),
    "seed-range": field("run", "seed", -1),
    "quest-level": several(
        field("run", "game_mode_id", 3), field("run", "quest_level", {"major": 1, "minor": 11})
    ),
    "player-count": field("run", "player_count", 5),
    "retry-count": field("run", "quest_fail_retry_count", -1),
    "detail-preset": field("run", "detail_preset", 6),
    "violence": field("run", "violence_disabled", 256),
    "unlock-index": nested("run", "status", "quest_unlock_index", 2**31),
    "usage-count": nested("run", "status", "weapon_usage_counts", [0] * 52),
    "usage-range": nested("run", "status", "weapon_usage_counts", [-1] + [0] * 52),
    "word-count": field("run", "typo_dictionary_words", ["a"] * 2049),
    "word-text": field("run", "typo_dictionary_words", ["a" * 16]),
    "name-count": field("run", "typo_highscore_names", ["a"] * 513),
    "name-text": field("run", "typo_highscore_names", ["a1"]),
    "carry-count": several(field("run", "game_mode_id", 4), nested("run", "typo_carry", "submit_count", -1)),
    "carry-order": several(
        field("run", "game_mode_id", 4), nested("run", "typo_carry", "match_count", 1)
    ),
    "carry-default": nested("run", "typo_carry", "submit_count", 1),
    "cl-build": field("run", "cl_build", 10907),
    "build-rules": several(field("run", "cl_build", 10908), field("values", "rules", 1)),
    "quest-choice": field("run", "quest_level", {"major": 1, "minor": 1}),
    "single-player-mode": several(lambda case: case.players(2), field("run", "game_mode_id", 8)),
    "quest-title": quest(title=""),
    "quest-author": quest(author="ä"),
    "quest-weapon": quest(start_weapon_id=0),
    "quest-weapon-known": quest(start_weapon_id=34),
    "quest-terrain": quest(terrain_slots=[0, 1, 8]),
    "quest-entries": quest(entries=[]),
    "quest-position": quest(entries=[Case.entry(pos={"x": 0.0, "y": 2049.0})]),
    "quest-spawn": quest(entries=[Case.entry(spawn_id=2)]),
    "quest-spawn-known": quest(entries=[Case.entry(spawn_id=0x44)]),
    "quest-trigger": quest(entries=[Case.entry(trigger_ms=-1)]),
    "quest-copies": quest(entries=[Case.entry(count=385)]),
    "quest-copies-at-once": quest(entries=[Case.entry(count=200), Case.entry(count=185)]),
    "quest-copies-total": quest(entries=[Case.entry(count=384, trigger_ms=t) for t in range(22)]),
    "quest-no-bonuses": quest(no_bonuses=[3, 2]),
    "quest-no-perks": quest(no_perks=[7]),
    "quest-no-weapons": quest(no_weapons=[34]),
    "quest-hardcore": several(quest(), field("run", "hardcore", True)),
    "quest-tables": lambda case: case.early_quest(tables=[[Case.entry()]] * 9),
    "quest-variants": lambda case: case.early_quest(variants=[1] * 8),
    "outcome": field("result", "outcome", "victory"),
    "outcome-mode": field("result", "outcome", "tutorial_completed"),
    "outcome-tutorial": several(field("run", "game_mode_id", 8), field("result", "outcome", "death")),
    "quest-final": field("result", "quest_final_ms", 1),
    "result-players": field("result", "players", []),
    "rng-state": field("result", "rng_state", 2**32),
    "weapon-known": lambda case: case.result["players"][0].__setitem__("most_used_weapon_id", 54),
    "ticks-empty": lambda case: setattr(case, "ticks", make_ticks(0)),
    "tick-inputs": lambda case: setattr(case, "ticks", make_ticks(3, 2)),
    "flags-range": swapped((b"\xcd\x15\x08\x90", b"\xcf\x00\x00\x00\x01\x00\x00\x00\x00\x90")),
    "flags-unknown": flag(1 << 20),
    "flags-move-keys": flag(0x10),
    "flags-move-absent": flag(0x200),
    "flags-move-mode": flag(0x100 | 6 << 9),
    "flags-aim-absent": flag(0x2000),
    "flags-aim-scheme": flag(0x1000 | 6 << 13),
    "command-type": lambda case: [case.command(0, MENU), swapped((b"perk_menu_open", b"perk_menu_shut"))(case)][1],
    "command-player": lambda case: case.command(0, MENU, player=1),
    "command-choice": lambda case: [case.command(0, MENU), case.command(1, PICK, choice=7)],
    "command-char": several(field("run", "game_mode_id", 4), lambda case: case.command(0, CHAR, char="ab")),
    "command-mode": lambda case: case.command(0, CHAR, char="a"),
    "rules-unknown": field("values", "rules", 3),
    "coop-reload-provenance": several(
        lambda case: case.players(2), field("values", "rules", 1),
        field("values", "game_version", "0.18.0+build." + "0" * 24),
    ),
    "pick-without-menu": lambda case: case.command(1, PICK, choice=0),
    "perks-in-rush": several(field("run", "game_mode_id", 2), lambda case: case.command(0, MENU)),
    "perks-in-typo": several(field("run", "game_mode_id", 4), lambda case: case.command(0, MENU)),
    "shots": field("result", "shots_hit", 3),
    "elapsed": field("result", "elapsed_ms", 49),
    "quest-final-value": several(
        quest(), field("result", "outcome", "quest_completed"), field("result", "quest_final_ms", 7)
    ),
    "death-health": field("result", "outcome", "death"),
    "typo-shots": field("run", "game_mode_id", 4),
    "game-version-form": field("values", "game_version", "latest"),
}  # fmt: skip

#: Rules that no reading finds: the file's name, another profile, writing.
ELSEWHERE = {"file-name-mode", "status-key-full", "version-cannot-say", "not-writable"}


def codes(data: bytes, profile: str = "release") -> list[tuple[str, Severity]]:
    try:
        replay = ksreplay.open(data, format="crd")
    except ReplayError as error:
        return [(error.code, Severity.FATAL)]
    return [(problem.code, problem.severity) for problem in replay.validate(profile)]


def broken(code: str) -> bytes:
    case = Case()
    made = BREACHES[code](case)
    return made if isinstance(made, bytes) else case.file()


def test_the_case_itself_breaks_nothing() -> None:
    assert codes(Case().file()) == []


def test_every_rule_is_broken_here() -> None:
    assert set(BREACHES) | ELSEWHERE == {rule.code for rule in RULES}


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.code in BREACHES], ids=lambda rule: rule.code)
def test_each_breach_is_found(rule: Any) -> None:
    found = codes(broken(rule.code))
    assert (rule.code, rule.severity) in found
    # Nothing worse is said than what is wrong: a play or warning breach leaves the file valid.
    assert any(severity in INVALID for _, severity in found) == (rule.severity in INVALID)


@pytest.mark.parametrize("code", sorted(SEED_SEVERITIES))
def test_rules_beyond_the_seed_are_warnings_under_its_profile(code: str) -> None:
    assert not any(severity in INVALID for _, severity in codes(broken(code), "seed"))


def test_rules_have_texts_and_sources() -> None:
    for rule in RULES:
        assert rule.text and ("seed 001" in rule.source or "crd-format" in rule.source), rule.code


def test_the_seed_profile_names_its_own_spelling() -> None:
    assert codes(Case().file(), "seed") == [("status-key-full", Severity.WARNING)]


def test_a_file_name_of_another_mode_is_a_warning() -> None:
    for name, expected in (("12-rush.crd", ["file-name-mode"]), ("12-survival.crd", []), ("notes.crd", [])):
        replay = CrimsonlandReplay(Source(Case().file(), name))
        assert [problem.code for problem in replay.problems] == expected
    assert CrimsonlandReplay(Source(Case().file(), "12-rush.crd")).info()["details"]["replay_number"] == 12


def test_a_fault_in_every_tick_is_counted_not_listed() -> None:
    case = Case()
    case.ticks = make_ticks(5000, flag=1 << 20)
    case.result["elapsed_ms"] = 0
    replay = ksreplay.open(case.file())
    found = [problem for problem in replay.problems if problem.code == "flags-unknown"]
    assert len(found) == 101 and found[-1].found == 5000


@pytest.mark.parametrize("number", [64, 2**63, 2**64 - 1, -1])
def test_ids_beyond_any_mask_cost_nothing(number: int) -> None:
    # Masks and ranges are never made from a number of the file before it is looked at.
    for key in ("no_bonuses", "no_perks", "no_weapons"):
        case = Case()
        case.quest(**{key: [number]})
        assert ksreplay.open(case.file()).info(full=True)["details"]["quest_digest"] is None
    case = Case()
    case.early_quest(variants=[0] * 7 + [number])
    assert ("quest-variants", Severity.STRICT) in codes(case.file())


@pytest.mark.parametrize("changes", [{"count": 0}, {"spawn_id": 2}, {"trigger_ms": -1}, {"count": 385}])
def test_a_table_that_is_not_played_only_warns(changes: dict[str, int]) -> None:
    # As the released reader does: it looks at the table of the run's number of players.
    for unplayed, valid in ((1, True), (0, False)):
        case = Case()
        tables = [[Case.entry()], [Case.entry()]]
        tables[unplayed] = [Case.entry(**changes)]
        case.early_quest(tables=tables, variants=[0, 0, 1, 1, 1, 1, 1, 1])
        found = codes(case.file())
        assert found and all(severity not in INVALID for _, severity in found) == valid
        case = Case()
        case.early_quest(tables=tables, variants=[0, 0, 1, 1, 1, 1, 1, 1])
        case.players(2)
        assert all(severity not in INVALID for _, severity in codes(case.file())) != valid


def test_an_early_quest_uses_all_its_tables() -> None:
    case = Case()
    case.early_quest(tables=[[Case.entry()]] * 2)
    assert codes(case.file()) == [("quest-variants", Severity.STRICT)]


def test_one_bad_tick_costs_only_itself() -> None:
    case = Case()
    case.ticks = make_ticks(70_000)
    case.ticks.axes[:, 0, 0] = np.arange(70_000) % 1000
    payload = bytearray(case.payload())
    size = len(payload) // 70_000  # 43 bytes a tick, and a head that is far smaller than them all
    at = len(payload) - size * 3 + 3
    payload[at : at + 9] = b"\xca" + struct.pack(">f", 997.0)  # a float32: four bytes fewer
    replay = ksreplay.open(write_envelope(bytes(payload), Limits()))
    assert isinstance(replay, CrimsonlandReplay)
    assert [(p.code, p.where) for p in replay.problems if p.severity in INVALID] == [
        ("float32", "ticks[69997].inputs[0].move_x")
    ]
    assert replay.ticks.axes[:, 0, 0].tolist() == case.ticks.axes[:, 0, 0].tolist()

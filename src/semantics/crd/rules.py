"""Rules of a replay that need several fields at once, and the list of all rules of the format.

Those that reading itself finds are in `ksreplay.formats.crd_rules`.
"""

from __future__ import annotations

from ksreplay.errors import Severity, UnsupportedVersion
from ksreplay.formats import crd_rules
from ksreplay.rules import Rule, collect, merge

_RUN = "seed 001, RunSpec"
_RESULT = "seed 001, RunResult"
_END = "seed 001, Run end"
_TICK = "seed 001, Tick"
_FLAGS = "seed 001, Tick; crd-format §4"
_FACT = "crd-format §5"
_CHEAP = "crd-format §5, cheap consistency checks"


def _strict(code: str, text: str, source: str) -> Rule:
    return Rule(code, Severity.STRICT, text, source)


def _play(code: str, text: str, source: str) -> Rule:
    return Rule(code, Severity.PLAY, text, source)


def _warning(code: str, text: str, source: str) -> Rule:
    return Rule(code, Severity.WARNING, text, source)


QUEST_CHOICE = _strict(
    "quest-choice", "quests carry a quest_level or a custom_quest, exactly one; other modes carry neither", _RUN
)
SINGLE_PLAYER = _strict("single-player-mode", "Typ-o and Tutorial have one player", _RUN)
SEAT_KEY_DISTINCT = _strict("seat-key-distinct", "seat keys are all distinct", "seed 001, Payload")
CARRY_DEFAULT = _strict("carry-default", "typo_carry holds the defaults outside Typ-o", _RUN)
CARRY_ORDER = _strict("carry-order", "match_count is at most submit_count", _FACT)
BUILD_RULES = _strict("build-rules", "the 1.9.8 rules (cl_build 10908) need rules 2", "seed 001, Payload")
QUEST_HARDCORE = _strict("quest-hardcore", "custom quests never use hardcore", "seed 001, RunSpec (CustomQuest)")
COPIES_AT_ONCE = _strict(
    "quest-copies-at-once", "entries of one trigger time spawn at most 384 copies", _FACT + ", quest spawn limits"
)
COPIES_TOTAL = _strict(
    "quest-copies-total", "a custom quest spawns at most 8192 copies", _FACT + ", quest spawn limits"
)

OUTCOME_MODE = _strict("outcome-mode", "quest_completed and tutorial_completed belong to their modes", _END)
OUTCOME_TUTORIAL = _strict("outcome-tutorial", "a tutorial ends as tutorial_completed or incomplete", _FACT)
QUEST_FINAL = _strict("quest-final", "quest_final_ms is set exactly for quest_completed", _RESULT)
FLAGS_UNKNOWN = _strict("flags-unknown", "bits 20 to 31 of the flag word are 0", _FLAGS)
FLAGS_MOVE_KEYS = _strict("flags-move-keys", "movement keys need the bit that says there are any", _FLAGS)
FLAGS_MOVE_ABSENT = _strict("flags-move-absent", "a movement mode needs the bit that says there is one", _FLAGS)
FLAGS_MOVE_MODE = _strict("flags-move-mode", "a movement mode is 0..5", _FLAGS)
FLAGS_AIM_ABSENT = _strict("flags-aim-absent", "an aim scheme needs the bit that says there is one", _FLAGS)
FLAGS_AIM = _strict("flags-aim-scheme", "an aim scheme is 0..5 or 7", _FLAGS)
COMMAND_MODE = _strict("command-mode", "typed commands belong to Typ-o", _TICK)

RULES_UNKNOWN = _play("rules-unknown", "players know rules 1 and 2", "seed 001, Historical rules profiles")
COOP_RELOAD = _play(
    "coop-reload-provenance",
    "a keyless rules-1 co-op replay comes from a build whose reload behaviour is known",
    "seed 001, Unversioned co-op reload exception; crd-format §6",
)
PICK_WITHOUT_MENU = _play("pick-without-menu", "a perk is picked on the tick after its menu opened, once", _TICK)
PERKS_IN_RUSH = _play("perks-in-rush", "Rush has no perks", _FACT)
PERKS_IN_TYPO = _play("perks-in-typo", "Typ-o has no perks", _FACT)

SHOTS = _warning("shots", "hits are at most the shots, and neither is negative", _CHEAP)
ELAPSED = _warning("elapsed", "elapsed_ms is at most 16 for each tick, and not negative", _CHEAP)
FINAL_VALUE = _warning("quest-final-value", "quest_final_ms follows from time, health and unpicked perks", _CHEAP)
TYPO_SHOTS = _warning("typo-shots", "in Typ-o shots are submitted words", "seed 001, RunResult; " + _CHEAP)
DEAD_HEALTH = _warning("death-health", "after a death no player has health left", _CHEAP)
LABEL = _warning("game-version-form", "game_version is a plain, a +build or a +g label", "crd-format §6")
FILE_NAME = _warning(
    "file-name-mode", "a file named <n>-<mode>.crd holds that mode", "seed 001, Where replays are kept"
)

#: Found only under the profile ``seed``.
SEED_STATUS_KEY = _warning(
    "status-key-full",
    "seed 001 spells run.status.quest_unlock_index_hardcore; files spell it …_full",
    "seed 001, RunSpec; crd-format §11.1",
)

CANNOT_SAY = Rule(
    "version-cannot-say",
    Severity.FATAL,
    "a version that a replay is rewritten to has a way to say every field's value",
    "seed 001, Payload; crd-format §6",
    UnsupportedVersion,
)
NOT_WRITABLE = Rule(
    "not-writable", Severity.FATAL, "only a replay whose values are all sound is written", "seed 001, Envelope"
)

RULES: tuple[Rule, ...] = merge((*crd_rules.RULES, *collect(globals())))

PROFILES = ("release", "seed")

#: Rules that the seed does not state: what they cost under the profile ``seed``. They are what the released reader
#: refuses (crd-format §11).
SEED_SEVERITIES: dict[str, Severity] = {
    rule.code: Severity.WARNING
    for rule in (
        crd_rules.STATUS_KEY,
        crd_rules.GAME_VERSION,
        crd_rules.CARRY,
        crd_rules.CQ_WEAPON_NAMED,
        crd_rules.CQ_SPAWN_KNOWN,
        crd_rules.CQ_COPIES,
        crd_rules.CQ_TABLES,
        crd_rules.CQ_VARIANTS,
        crd_rules.WEAPON,
        CARRY_ORDER,
        COPIES_AT_ONCE,
        COPIES_TOTAL,
        OUTCOME_TUTORIAL,
    )
}

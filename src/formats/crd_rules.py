"""Rules of the crd format that reading itself finds: the envelope, the canonical form and the range of each field.

Rules that need several fields at once are in `ksreplay.semantics.crd.rules`, which also lists these.
"""

from __future__ import annotations

from ksreplay.errors import Corrupt, LimitExceeded, ReplayError, Severity, Truncated, UnsupportedVersion
from ksreplay.rules import Rule, collect

FORMAT = "crd"

_ENVELOPE = "seed 001, Envelope; crd-format §2"
_PAYLOAD = "seed 001, Payload"
_CANON = "seed 001, Envelope (canonical payload); crd-format §3"
_RUN = "seed 001, RunSpec; crd-format §5"
_RESULT = "seed 001, RunResult; crd-format §5"
_TICK = "seed 001, Tick"
_QUEST = "seed 001, RunSpec (CustomQuest); crd-format §5"
_FACT = "crd-format §5"


def _fatal(code: str, text: str, source: str, error: type[ReplayError] = Corrupt) -> Rule:
    return Rule(code, Severity.FATAL, text, source, error)


def _strict(code: str, text: str, source: str, error: type[ReplayError] = Corrupt) -> Rule:
    return Rule(code, Severity.STRICT, text, source, error)


# The envelope. The codes `zstd-*` are those of `ksreplay.formats.inflate.unzstd`.
FILE_SIZE = _fatal("file-size", "a replay is at most 65 MiB on disk", _ENVELOPE, LimitExceeded)
ZSTD_HEADER = _fatal("zstd-header", "the file starts with a whole zstd frame header", _ENVELOPE, Truncated)
ZSTD_MAGIC = _fatal("zstd-magic", "the frame is a standard one, neither skippable nor legacy", _ENVELOPE)
ZSTD_WINDOW = _fatal("zstd-window", "the frame's window is at most 8 MiB", _ENVELOPE, LimitExceeded)
ZSTD_CONTENT = _fatal("zstd-content-size", "the payload is at most 64 MiB", _ENVELOPE, LimitExceeded)
ZSTD_DICTIONARY = _fatal("zstd-dictionary", "the frame needs no dictionary", _ENVELOPE)
ZSTD_DAMAGED = _fatal("zstd-damaged", "the frame decodes and its checksum, where it has one, agrees", _ENVELOPE)
ZSTD_TRUNCATED = _fatal("zstd-truncated", "the frame is whole", _ENVELOPE, Truncated)
ZSTD_TRAILING = _fatal("zstd-trailing", "nothing follows the one frame", _ENVELOPE)
SIZE_UNSTATED = Rule(
    "content-size-unstated", Severity.WARNING,
    "the frame states the size of its content (the leaderboard service wants it, the game does not)",
    "crd-format §2 and §11.11",
)  # fmt: skip

# MessagePack at all.
TRUNCATED = _fatal("payload-truncated", "the payload holds every value that its headers announce", _CANON, Truncated)
RESERVED_TAG = _fatal("reserved-tag", "no value begins with the byte 0xc1", _CANON)
NESTING = _fatal("nesting", "maps and arrays are nested no deeper than the limit", "crd-format §3", LimitExceeded)
TOO_MANY_VALUES = _fatal(
    "values", "a payload out of canonical form costs no more values than the limit", "crd-format §3", LimitExceeded
)
NOT_A_MAP = _fatal("not-a-map", "the payload is a map", _PAYLOAD)

# The canonical form.
KEY_ORDER = _strict("key-order", "keys stand in the declared order", _CANON)
DUPLICATE_KEY = _strict("duplicate-key", "no key stands twice", _CANON)
MISSING_KEY = _strict("missing-key", "every key of the version is there", _CANON)
EXTRA_KEY = _strict("extra-key", "no key beyond those of the version is there", _CANON)
KEY_TYPE = _strict("key-type", "every key is text", _CANON)
INT_WIDTH = _strict("int-width", "integers use the shortest encoding", _CANON)
FLOAT32 = _strict("float32", "floats are stored as float64, never as float32", _CANON)
INT_FOR_FLOAT = _strict("int-for-float", "float fields hold a float, never an integer", _CANON)
STR_HEADER = _strict("str-header", "strings use the shortest length header", _CANON)
BIN_HEADER = _strict("bin-header", "bytes use the shortest length header", _CANON)
ARRAY_HEADER = _strict("array-header", "arrays use the shortest length header", _CANON)
MAP_HEADER = _strict("map-header", "maps use the shortest length header", _CANON)
NOT_FINITE = _strict("not-finite", "floats are finite", _CANON)
NOT_FLOAT32 = _strict("not-float32", "floats are exactly representable as float32", _CANON)
BAD_UTF8 = _strict("bad-utf8", "strings are UTF-8", _CANON)
WRONG_TYPE = _strict("wrong-type", "the value has the declared type", _PAYLOAD)
WRONG_COUNT = _strict("wrong-count", "a tick holds two values and an input five", _TICK)
TRAILING = _strict("trailing-bytes", "nothing follows the payload's value", _CANON)
STATUS_KEY = _strict(
    "status-key-hardcore",
    "versions 30 to 34 spell run.status.quest_unlock_index_full (seed 001 says …_hardcore; no reader or writer does)",
    "crd-format §0.2 and §11.1",
)

# Top level.
VERSION = _strict("unsupported-version", "the format version is 30 to 35", _PAYLOAD, UnsupportedVersion)
GAME_VERSION = _strict("game-version", "game_version is not empty", _FACT)
RULES_NUMBER = _strict("rules-number", "rules is at least 1", _FACT)
RECORDER = _strict("recorder-text", "recorder fields are 1 to 64 printable ASCII characters", _PAYLOAD)
PILOT_NAME = _strict("pilot-name", "a pilot's name is 1 to 31 printable ASCII characters", _PAYLOAD)
PILOT_MODEL = _strict("pilot-model", "a pilot's model is at most 64 printable ASCII characters", _PAYLOAD)
PILOT_URL = _strict("pilot-url", "a pilot's url is empty or https://, at most 200 printable ASCII characters", _PAYLOAD)
SEAT_KEY = _strict("seat-key", "a seat key is 32 bytes", _PAYLOAD)
SEAT_KEY_COUNT = _strict("seat-key-count", "seat_keys has one entry for each player", _PAYLOAD)

# RunSpec.
MODE = _strict("mode", "game_mode_id is 1, 2, 3, 4 or 8", _RUN)
SEED = _strict("seed-range", "the seed is a u32", _RUN)
QUEST_LEVEL = _strict("quest-level", "a stock quest is 1..5 and 1..10", _RUN)
PLAYER_COUNT = _strict("player-count", "a run has 1 to 4 players", _RUN)
RETRY = _strict("retry-count", "quest_fail_retry_count is 0..2^31-1", _RUN)
DETAIL = _strict("detail-preset", "detail_preset is 1..5", _RUN)
VIOLENCE = _strict("violence", "violence_disabled is 0..255", _RUN)
UNLOCK = _strict("unlock-index", "unlock indices are i32", _RUN)
USAGE_COUNT = _strict("usage-count", "weapon_usage_counts holds 53 values", _RUN)
USAGE = _strict("usage-range", "weapon usage counts are u32", _RUN)
WORD_COUNT = _strict("word-count", "typo_dictionary_words holds at most 2048 words", _RUN)
WORD = _strict("word-text", "a dictionary word is 1 to 15 printable ASCII characters", _RUN)
NAME_COUNT = _strict("name-count", "typo_highscore_names holds at most 512 names", _RUN)
NAME = _strict("name-text", "a high-score name is 1 to 31 ASCII letters or dots", _RUN)
CARRY = _strict("carry-count", "Typ-o word counters are 0..2^31-1", "crd-format §5; seed 001 says i32")
CL_BUILD = _strict("cl-build", "cl_build is 10993 or 10908", _RUN)

# CustomQuest.
CQ_TITLE = _strict("quest-title", "a custom quest's title is 1 to 64 printable ASCII characters", _QUEST)
CQ_AUTHOR = _strict("quest-author", "a custom quest's author is nil or 1 to 31 printable ASCII characters", _QUEST)
CQ_WEAPON = _strict("quest-weapon", "a custom quest starts with a weapon: not 0", _QUEST)
CQ_WEAPON_NAMED = _strict("quest-weapon-known", "a custom quest starts with a named weapon", _FACT)
CQ_TERRAIN = _strict("quest-terrain", "a custom quest has three terrain slots of 0..7", _QUEST)
CQ_ENTRIES = _strict("quest-entries", "a custom quest has 1 to 256 spawn entries", _QUEST)
CQ_POSITION = _strict("quest-position", "spawn coordinates lie in -1024..2048", _QUEST)
CQ_SPAWN = _strict("quest-spawn", "a spawn template is neither 0x02 nor 0x37, which cannot be played", _QUEST)
CQ_SPAWN_KNOWN = _strict("quest-spawn-known", "a spawn template is a known one, 0x00..0x43", _FACT)
CQ_TRIGGER = _strict("quest-trigger", "trigger times are 0..3600000 ms", _QUEST)
CQ_COPIES = _strict("quest-copies", "an entry spawns 1 to 384 copies", _FACT + ", quest spawn limits")
CQ_BONUSES = _strict("quest-no-bonuses", "no_bonuses are strictly ascending bonus ids in 2..14", _QUEST)
CQ_PERKS = _strict("quest-no-perks", "no_perks are strictly ascending perk ids in 1..57 without 7", _QUEST)
CQ_WEAPONS = _strict("quest-no-weapons", "no_weapons are strictly ascending weapon ids in 2..33", _QUEST)
CQ_TABLES = _strict("quest-tables", "an early v33 custom quest has 1 to 8 spawn tables", "crd-format §6")
CQ_VARIANTS = _strict(
    "quest-variants", "an early v33 custom quest has 8 variants that use every table", "crd-format §6"
)

# RunResult.
OUTCOME = _strict("outcome", "the outcome is death, quest_completed, tutorial_completed or incomplete", _RESULT)
RNG_STATE = _strict("rng-state", "rng_state is a u32", _RESULT)
WEAPON = _strict("weapon-known", "most_used_weapon_id is a known weapon, 0..53", _FACT)
RESULT_PLAYERS = _strict("result-players", "the result has one entry for each player", _RESULT)

# Ticks.
NO_TICKS = _strict("ticks-empty", "a replay has at least one tick", _PAYLOAD)
TICK_INPUTS = _strict("tick-inputs", "a tick holds one input for each player", _TICK)
FLAGS_RANGE = _strict("flags-range", "the flag word is 0..2^32-1", "crd-format §4")
COMMAND_TYPE = _strict("command-type", "a command is one of the five types", _TICK)
COMMAND_PLAYER = _strict("command-player", "player_index is below player_count", _TICK)
COMMAND_CHOICE = _strict("command-choice", "choice_index is 0..6", _TICK)
COMMAND_CHAR = _strict("command-char", "ch is exactly one character", _TICK)

RULES = collect(globals())

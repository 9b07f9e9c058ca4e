"""Rules of TA recordings that need more than a record at a time, and the list of all rules of the format."""

from __future__ import annotations

from ksreplay.errors import Severity
from ksreplay.formats import tad_rules
from ksreplay.rules import Rule, collect, merge

_STRICT, _PLAY, _WARNING = Severity.STRICT, Severity.PLAY, Severity.WARNING
_SEED4 = "seed 004, 4, sender, transport identity and unit block"

PLAYER_NUMBERS = Rule("player-numbers", _STRICT, "Every player has a number of its own.", _SEED4)
STATUS_NUMBERS = Rule("status-numbers", _STRICT, "Every player has one status.", _SEED4)
IDENTITIES = Rule(
    "identities", _STRICT,
    "Every player has a transport identity of its own; without them no unit can be given to a player.", _SEED4,
)  # fmt: skip
IDENTITY_COPY = Rule(
    "identity-copy", _STRICT,
    "The team behind a status' player info repeats the player's identity; one that differs makes both doubtful.",
    "seed 004, 4; fact sheet tad-format, 0.1",
)  # fmt: skip
STATUS_LIMIT = Rule("status-limit", _WARNING, "The unit limit of a status is that of the header.", "seed 004, 5")
SENDER_UNKNOWN = Rule("sender-unknown", _WARNING, "A sender of packets is among the players.", _SEED4)
UNIT_BLOCK = Rule("unit-block", _WARNING, "A unit begins to be in the block of the player who sends it.", _SEED4)
COUNTER_RANGE = Rule(
    "counter-range", _WARNING, "The four counters of a snapshot are 16-bit numbers, sign extended.", "seed 004, 8"
)
CUMULATIVE = Rule("cumulative", _WARNING, "The six totals of a sender's snapshots never fall.", "seed 004, 8")
NOT_FINITE = Rule("not-finite", _WARNING, "The ten floats of a snapshot are finite.", "seed 004, 8")
TICK_GAP = Rule(
    "tick-gap", _WARNING, "A sender's ticks go on without a gap and never back.", "fact sheet tad-format, 6"
)
REPEATED = Rule("repeated-bundle", _WARNING, "A packet with syncs is stored once.", "fact sheet tad-format, 6")
CATALOG_WIDTH = Rule(
    "catalog-width", _WARNING, "One width of type indices reads the unit syncs.", "fact sheet tad-format, 7.4"
)
CATALOG_DISAGREES = Rule(
    "catalog-disagrees", _WARNING, "The width of type indices is that of the unit data's enabled types.",
    "seed 004, 7, catalog provenance",
)  # fmt: skip
SYNC_UNREAD = Rule(
    "sync-unread", _WARNING, "Every unit sync reads to its last byte with the families of types learned from the file.",
    "seed 004, 7",
)  # fmt: skip
HEADER_CRC = Rule(
    "header-crc", _WARNING, "The recorder's entry of the unit data holds the CRC-32 of the records before it.",
    "fact sheet tad-format, 5, 1a",
)  # fmt: skip
PLAY_VERSION = Rule(
    "play-version", _PLAY, "Players accept versions up to 5; version 7 only the newest of them.",
    "fact sheet tad-format, 1.1",
)  # fmt: skip
PLAY_MAP_NAME = Rule(
    "play-map-name", _PLAY, "The map's name has at most 64 printable characters.", "fact sheet tad-format, 1.1"
)
PLAY_MAX_UNITS = Rule("play-max-units", _PLAY, "The unit limit is at most 5000.", "fact sheet tad-format, 1.1")
PLAY_RECORD = Rule("play-record", _PLAY, "A record is at most 32,768 bytes.", "fact sheet tad-format, 1")
NOT_WRITABLE = Rule(
    "not-writable", Severity.FATAL, "What is written can be said in the version asked for.", "seed 004, 2"
)

RULES = merge((*tad_rules.RULES, *collect(globals())))

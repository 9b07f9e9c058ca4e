"""Rules of a Spring demo's container and messages: what reading meets. Rules of meaning: `semantics.spring.rules`."""

from __future__ import annotations

from ksreplay.errors import LimitExceeded, Severity, Truncated, UnsupportedVersion
from ksreplay.rules import Rule, collect

_FILE = "seed 002, What is in a replay file"
_TRAILER = "seed 002, The trailer"
_STREAM = "seed 002, The demo stream"
_ENGINE = "RecoilEngine, rts/System/LoadSave/demofile.h"
_WRITERS = "RecoilEngine, rts/Net/Protocol/BaseNetProtocol.cpp"

HEADER_CUT = Rule("header-cut", Severity.FATAL, "The file holds the whole header.", _FILE, Truncated)
HEADER_MAGIC = Rule("header-magic", Severity.FATAL, "A demo begins with `spring demofile` and a NUL.", _ENGINE)
HEADER_VERSION = Rule(
    "header-version", Severity.FATAL, "The header's version is one of 1 to 5.", _ENGINE, UnsupportedVersion
)
HEADER_SIZE = Rule(
    "header-size", Severity.FATAL,
    "The header is as large as the fields of its version or larger, and ends in the file.", _ENGINE,
)  # fmt: skip
NEGATIVE_SIZE = Rule("negative-size", Severity.PART, "Sizes and counts of the header are not negative.", _ENGINE)
VERSION_TEXT = Rule(
    "version-text", Severity.WARNING,
    "The engine's version text begins with a number, or the current layouts are assumed.", _ENGINE,
)  # fmt: skip
SCRIPT_CUT = Rule("script-cut", Severity.PART, "The start script lies whole inside the file.", _FILE, Truncated)
UNFINISHED = Rule(
    "unfinished", Severity.PART,
    "A recorder that finishes writes the size of the stream (demoStreamSize) into the header.",
    _ENGINE, Truncated,
)  # fmt: skip
STREAM_CUT = Rule("stream-cut", Severity.PART, "The demo stream ends with a whole packet.", _STREAM, Truncated)
STREAM_RECORDS = Rule(
    "stream-records",
    Severity.PART,
    "The stream holds no more packets than the limit `records`.",
    _STREAM,
    LimitExceeded,
)
TRAILER_CUT = Rule("trailer-cut", Severity.PART, "The trailer lies whole inside the file.", _TRAILER, Truncated)
TRAILER_REST = Rule("trailer-rest", Severity.STRICT, "The trailer ends with the file.", _TRAILER)
ELEMENT_SIZE = Rule(
    "element-size", Severity.PART, "A statistics record is at least as large as the fields that are known.", _TRAILER
)
PLAYER_STATISTICS_SIZE = Rule(
    "player-statistics-size", Severity.STRICT, "playerStatSize is numPlayers times playerStatElemSize.", _ENGINE
)
TEAM_STATISTICS_SIZE = Rule(
    "team-statistics-size", Severity.STRICT,
    "teamStatSize is 4 bytes a team and teamStatElemSize a sample.", _ENGINE,
)  # fmt: skip

MALFORMED_MESSAGE = Rule(
    "malformed-message", Severity.PART,
    "A message fits its layout exactly: its size field, its counts and its strings agree with its packet.", _STREAM,
)  # fmt: skip
UNKNOWN_MESSAGE = Rule(
    "unknown-message", Severity.WARNING, "The id of a message is known; another is kept as it is.", _STREAM
)
EMPTY_MESSAGE = Rule("empty-message", Severity.WARNING, "A packet holds a message; no bytes mean nothing.", _WRITERS)
LAYOUT_CONTRADICTION = Rule(
    "layout-contradiction", Severity.STRICT,
    "All messages of a kind have the layout of the engine that the header names.", _WRITERS,
)  # fmt: skip
UNIT_LIST = Rule("unit-list", Severity.WARNING, "A Lua message that begins as a game's unit list holds one.", _STREAM)
# What `formats.inflate` finds, under its own codes.
GZIP_CUT = Rule("gzip-truncated", Severity.PART, "The file's gzip stream is whole.", _FILE, Truncated)
GZIP_DAMAGED = Rule("gzip-damaged", Severity.PART, "The file's gzip stream and its checksum are sound.", _FILE)
GZIP_REST = Rule("gzip-trailing", Severity.PART, "Nothing but further gzip members follows the first one.", _FILE)
BLOCK_CUT = Rule("zlib-truncated", Severity.PART, "A compressed block inside a message is whole.", _STREAM, Truncated)
BLOCK_DAMAGED = Rule("zlib-damaged", Severity.PART, "A compressed block inside a message is sound.", _STREAM)
INFLATED_SIZE = Rule(
    "inflated-bytes", Severity.PART, "What is compressed inflates to no more than the limits allow.", _STREAM,
    LimitExceeded,
)  # fmt: skip

RULES = collect(globals())

"""Rules of the container and the streams of TA recordings, where reading meets them."""

from __future__ import annotations

from ksreplay.errors import LimitExceeded, Severity, Truncated, UnsupportedVersion
from ksreplay.rules import Rule, collect

_FATAL, _PART, _STRICT, _WARNING = Severity.FATAL, Severity.PART, Severity.STRICT, Severity.WARNING

MAGIC = Rule("magic", _FATAL, "A recording begins with a record that holds `TA Demo` and a NUL.", "seed 004, 2")
HEADER_CUT = Rule("header-cut", _FATAL, "The file holds the whole header record.", "seed 004, 2", Truncated)
VERSION = Rule(
    "version", _FATAL, "The version is 3, 4, 5 or 7.", "seed 004, 2; fact sheet tad-format, 1.1", UnsupportedVersion
)
PLAYER_COUNT = Rule("player-count", _STRICT, "A recording has 1 to 10 players.", "fact sheet tad-format, 1.1")
SETUP_CUT = Rule(
    "setup-cut", _PART, "The records before the packets are all there.", "seed 004, file, record, packet", Truncated
)
SETUP_SHORT = Rule(
    "setup-short", _PART, "A record before the packets holds at least its fixed fields.", "seed 004, Byte layouts"
)
SECTOR_KIND = Rule("sector-kind", _WARNING, "A sector is of type 1 to 7.", "seed 004, 3; fact sheet tad-format, 1.2")
STATUS_CHECKSUM = Rule(
    "status-checksum", _STRICT, "The checksum of a status is the sum of its masked bytes.", "seed 004, 5"
)
STATUS_CONTENT = Rule(
    "status-content", _PART, "A status holds a sequence and a player info of 186 bytes.",
    "seed 004, 4; fact sheet tad-format, 0.1",
)  # fmt: skip
UNIT_DATA_ENTRIES = Rule(
    "unit-data-entries", _PART, "The unit data is whole entries of 14 bytes that begin with 0x1a.",
    "fact sheet tad-format, 1.5",
)  # fmt: skip
RECORD_LENGTH = Rule("record-length", _PART, "A record's length counts its own two bytes.", "seed 004, 1")
FILE_CUT = Rule(
    "file-cut", _STRICT, "The file ends where a record ends; one that does not is interrupted or still growing.",
    "fact sheet tad-format, 1", Truncated,
)  # fmt: skip
RECORD_COUNT = Rule("record-count", _PART, "A file holds no more records than the limit.", "limits", LimitExceeded)
RECORD_SIZE = Rule(
    "record-size", _FATAL, "A record that is written holds its payload in at most 65,529 bytes, plain or compressed.",
    "seed 004, 1",
)  # fmt: skip
PACKET_SHORT = Rule("packet-short", _STRICT, "A packet record holds a time, a sender and a flag.", "seed 004, 1")
PACKET_FLAG = Rule("packet-flag", _PART, "The flag of a packet is 3 or 4.", "seed 004, File, record, packet")
SENDER = Rule("sender", _WARNING, "The sender of a packet is the number of a player.", "seed 004, 4")
MARKER = Rule(
    "checksum-marker", _WARNING,
    "No packet is the note that the recorder writes in the place of one whose checksum failed.",
    "seed 004, Quirk; fact sheet tad-format, 8",
)  # fmt: skip
LZ_CUT = Rule("lz-cut", _STRICT, "A compressed packet does not end inside a block.", "seed 004, 5")
LZ_UNTERMINATED = Rule(
    "lz-unterminated", _WARNING, "A compressed packet ends with a terminator.", "fact sheet tad-format, 3"
)
LZ_HALF_WORD = Rule(
    "lz-half-word", _PART, "A compressed packet does not end inside a word.", "fact sheet tad-format, 3"
)
LZ_BEYOND = Rule(
    "lz-beyond", _STRICT, "A match begins before the end of the output so far; what lies beyond reads as zero.",
    "fact sheet tad-format, 3",
)  # fmt: skip
LZ_CAP = Rule(
    "lz-cap", _PART, "A compressed packet inflates to no more than a record can hold.", "fact sheet tad-format, 3",
    LimitExceeded,
)  # fmt: skip
SUBPACKET_ID = Rule(
    "subpacket-id", _PART, "A subpacket's id is one whose length is known; the rest of its packet stays opaque.",
    "seed 004, 6",
)  # fmt: skip
SUBPACKET_CUT = Rule("subpacket-cut", _PART, "A subpacket ends inside its packet.", "seed 004, 6")
SUBPACKET_LENGTH = Rule(
    "subpacket-length",
    _PART,
    "A subpacket's length counts its own fixed fields (at least 7 for a sync).",
    "seed 004, 7",
)
SUBPACKET_STRATUM = Rule(
    "subpacket-stratum", _WARNING,
    "Subpackets 0x03, 0x0d, 0x0e, 0x0f, 0x13 and 0x20 have their usual size; these walk to the end of their packet "
    "only with another.",
    "fact sheet tad-format, 4",
)  # fmt: skip
TICK_UNKNOWN = Rule(
    "tick-unknown", _WARNING, "A sender's first sync has a tick, or follows a subpacket that sets one.",
    "fact sheet tad-format, 6",
)  # fmt: skip

RULES = collect(globals())

"""Rules of what a track's columns hold, and of what a writer of tracks does."""

from __future__ import annotations

from ksreplay.errors import Severity
from ksreplay.formats import cbtrack_rules
from ksreplay.rules import Rule, collect, merge

_PAGE = "Replay track format, "
_PART, _STRICT, _PLAY, _WARNING = Severity.PART, Severity.STRICT, Severity.PLAY, Severity.WARNING


def _part(code: str, text: str, section: str) -> Rule:
    return Rule(code, _PART, text, _PAGE + section)


def _strict(code: str, text: str, section: str) -> Rule:
    return Rule(code, _STRICT, text, _PAGE + section)


# What a reader needs to share the values out: a chunk that breaks one of these is not read.
ROWS_DIFFER = _part("columns-differ", "The columns of one list have the same number of values.", "Main chunk")
VALUES = _part("value-count", "A column has one value for every key or entry that it belongs to.", "Main chunk")
TRACKS = _part("track-count", "There are as many tracks as the count column says.", "Main chunk")
FIRST_ESCAPE = _part(
    "first-key-not-escaped",
    "The first key of every curve in a window is written with the escape.",
    "How a column stores values",
)
WIDE_COUNT = _part("wide-count", "The wide column has one value for each escape.", "How a column stores values")
VALUE_RANGE = _part("value-over-limit", "A value is between -16,777,215 and 16,777,215.", "How a column stores values")
SAME_FRAME = _part("keys-share-frame", "Two keys of one curve never share a frame.", "How a column stores values")
LIFE = _part(
    "life-outside-window",
    "The first offset of an entry is not after its last, and both are in the window.",
    "Main chunk",
)
KEY_PLACE = _part("key-outside-life", "Every key lies between the first and last offset of its entry.", "Main chunk")
NO_KEY = _part("unit-without-key", "A unit has at least one transform key and one status key.", "Main chunk")
DROPPED = _part("dropped-component", "The dropped component of a rotation is 0 to 3.", "Rotation")
ROTATION = _part("rotation-over-bits", "A stored component of a rotation fits the rotation bits.", "Rotation")
UNIT_REFERENCE = _part("unit-reference", "A reference to a unit is an index in this window's units.", "Target tracks")
PROJECTILE_REFERENCE = _part(
    "projectile-reference", "A reference to a projectile is an index in this window's projectiles.", "Target tracks"
)
FACING = _part("facing", "The facing of a queue item is 0 to 3.", "Build queue keys")
PROJECTILE_ENDS = _part(
    "projectile-end-without-key", "A projectile has a key at its first offset and at its last.", "Projectiles"
)
NOT_FINITE = _part("value-not-finite", "A team number is a finite number.", "Rules for a writer")
UTF8 = _part("not-utf8", "Strings are UTF-8.", "Info chunk")
STRINGS = _part("string-lengths", "The lengths of a list of strings add up to its bytes.", "Info chunk")
TERRAIN_ORDER = _part("terrain-order", "Terrain rows are sorted by frame, then z, then x.", "Terrain chunk")
TERRAIN_PLACE = _part("terrain-outside-window", "A terrain row belongs to the window its frame is in.", "Terrain chunk")

# What a reader can live with and a writer must not do.
FEATURE_FRAMES = _strict("feature-life", "A feature's first frame is not after its last.", "Features chunk")
FEATURE_DEFINITION = _strict(
    "feature-definition", "A feature's definition is an index in the feature definition names.", "Features chunk"
)
UNIT_DEFINITION = _strict(
    "unit-definition", "A unit definition is an index in the unit definition names.", "Info chunk"
)
WEAPON_DEFINITION = _strict(
    "weapon-definition",
    "A projectile's definition is an index in the weapon definition names, or 65,535.",
    "Projectiles",
)
PIECE = _strict("pose-piece", "A piece is an index into the posed piece names of the unit's definition.", "Pose tracks")
FEATURE_REFERENCE = _strict(
    "feature-reference", "A reference to a feature is an index in the features chunk.", "Target tracks"
)
REFERENCE_UNUSED = _strict("reference-for-nothing", "The reference is 0 when the kind has none.", "Target tracks")
POWER = _strict("power-for-weapon", "Build power is 0 for a weapon.", "Target tracks")
SERIAL_TWICE = _strict("serial-twice", "A serial number is in a window once.", "Main chunk")
SERIAL_RANGE = _strict(
    "serial-over-count", "A serial number is smaller than the header's number of units or projectiles.", "Header"
)
SERIAL_ORDER = _strict("serial-order", "Serial numbers count in order of first appearance in the match.", "Main chunk")
SERIAL_OTHER = _strict("serial-of-another", "A serial number is one unit or projectile in every window.", "Main chunk")
FLAGS = _strict(
    "flags-against-offsets",
    "What existed before a window is there from its first frame, what exists after it until its last.",
    "Main chunk",
)
TARGET_GONE = _strict(
    "target-gone",
    "A target exists for as long as it is aimed at: a key of kind 0 follows on the frame after its last.",
    "Target tracks",
)
WEAPON_TWICE = _strict("weapon-twice", "A unit has one target track for each weapon.", "Target tracks")
PIECE_TWICE = _strict("piece-twice", "A unit has one pose track for each piece.", "Pose tracks")
EMPTY_TRACK = _strict("track-without-keys", "A track has at least one key.", "Target tracks")
TURN = _strict(
    "angle-turn-away", "The first key's angles of a pose track are between -32,768 and 32,767.", "Pose tracks"
)
PARAMETER = _strict("parameter-not-named", "A rules parameter is named in the info chunk.", "Team numbers")
NUMBER_CODE = _strict("number-code", "The code of a number is one that the format names.", "Team numbers")
NUMBER_ORDER = _strict(
    "number-order", "Number tracks are in rising order of team and code, and each is there once.", "Team numbers"
)
NUMBER_TEAM = _strict("number-team", "The team of a number is in the info chunk, or 255.", "Team numbers")
NUMBER_ZERO = _strict(
    "number-all-zero", "A resource that is 0 for the whole of a window has no track.", "Rules for a writer"
)
MIDDLE = _strict(
    "middle-of-three", "Of three keys in a row with the same value the middle one is left out.", "Rules for a writer"
)
EDGE_KEY = _strict(
    "edge-key-missing",
    "A curve that moves at the edge of an entry's life in a window has a key there.",
    "Rules for a writer",
)
EDGE_ENTRY = _strict(
    "window-edge-entry",
    "What exists at a frame on a boundary is in both windows: until the end of one and from the start of the other.",
    "Main chunk",
)
EDGE_FLAGS = _strict(
    "flags-against-window",
    "What existed before a window, or exists after it, is flagged so there, and nothing else is.",
    "Main chunk",
)
EDGE = _strict("window-edge-differs", "A frame on a boundary has the same values in both windows.", "Header")
CHANGE_ZERO = _strict("terrain-no-change", "A terrain row changes the height.", "Terrain chunk")
HEIGHT_BEFORE = _strict(
    "terrain-height-before", "The height before is the height after of the point's previous row.", "Terrain chunk"
)
TEAM_TWICE = _strict("team-twice", "A team id is in the info chunk once.", "Info chunk")
POSED_TWICE = _strict(
    "posed-definition", "A unit definition with posed pieces is listed once, and is a definition.", "Info chunk"
)
FOOTPRINTS = _strict(
    "footprint-missing", "From recorder version 3 on each unit definition has a footprint.", "Versions"
)
HEADER_COUNT = _strict(
    "header-count", "The header's numbers of units, projectiles and features are what the track holds.", "Header"
)

# What a writer is given and cannot say.
FIT = _strict(
    "value-does-not-fit",
    "Every value that a writer is given fits its column; nothing is clamped.",
    "Rules for a writer",
)

STEP = _strict(
    "no-step",
    "Rounding moves a point no further than a quarter of the tolerance.",
    "Choosing the steps and the window length",
)
TOLERANCE_KEPT = _strict(
    "sample-out-of-tolerance",
    "No recorded sample is further from the track than its tolerance.",
    "What the tolerance measures",
)
GIVEN_REFERENCE = _strict("reference-not-there", "What a key refers to exists at its frame.", "Target tracks")

STALE = Rule(
    "recorder-stale",
    _WARNING,
    "The recorder version is 4 or later; an earlier track has no team numbers and is recorded again.",
    _PAGE + "Versions",
)
STALE_POSES = Rule(
    "recorder-poses",
    _WARNING,
    "The recorder version is 2 or later; an earlier track has pose keys in model space.",
    _PAGE + "Versions",
)

RULES: tuple[Rule, ...] = merge((*cbtrack_rules.RULES, *collect(globals())))

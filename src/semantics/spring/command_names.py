"""The engine's commands: their names, and where an order of each is aimed.

Source: RecoilEngine rts/Sim/Units/CommandAI/Command.h; seed 002 ("Map layer, order density").
"""

from __future__ import annotations

from enum import IntEnum

#: id -> name. A negative id is a build order; other ids are made by games.
COMMANDS: dict[int, str] = {
    0: "STOP", 1: "INSERT", 2: "REMOVE", 5: "WAIT", 6: "TIMEWAIT", 7: "DEATHWAIT", 8: "SQUADWAIT", 9: "GATHERWAIT",
    10: "MOVE", 15: "PATROL", 16: "FIGHT", 20: "ATTACK", 21: "AREA_ATTACK", 25: "GUARD", 35: "GROUPSELECT",
    36: "GROUPADD", 37: "GROUPCLEAR", 40: "REPAIR", 45: "FIRE_STATE", 50: "MOVE_STATE", 55: "SETBASE", 60: "INTERNAL",
    65: "SELFD", 75: "LOAD_UNITS", 76: "LOAD_ONTO", 80: "UNLOAD_UNITS", 81: "UNLOAD_UNIT", 85: "ONOFF", 90: "RECLAIM",
    95: "CLOAK", 100: "STOCKPILE", 105: "MANUALFIRE", 110: "RESTORE", 115: "REPEAT", 120: "TRAJECTORY",
    125: "RESURRECT", 130: "CAPTURE", 135: "AUTOREPAIRLEVEL", 145: "IDLEMODE", 150: "FAILED",
}  # fmt: skip
BUILD, CUSTOM = "BUILD", "CUSTOM"
NAMES = (*COMMANDS.values(), BUILD, CUSTOM)
INSERT = 1

#: Option bits of an order.
META, INTERNAL, RIGHT_MOUSE, SHIFT, CONTROL, ALT = 4, 8, 16, 32, 64, 128
OPTION_BITS: dict[str, int] = {
    "meta": META, "internal": INTERNAL, "right_mouse": RIGHT_MOUSE, "shift": SHIFT, "control": CONTROL, "alt": ALT,
}  # fmt: skip


class Kind(IntEnum):
    """What an aimed order is for."""

    MOVE = 0
    ATTACK = 1
    BUILD = 2
    SUPPORT = 3
    OTHER = 4


class Aim(IntEnum):
    """What an order is aimed at; ``NONE`` has no target, ``CUSTOM`` is a command that the engine does not define."""

    PLACE = 0
    UNIT = 1
    NONE = 2
    CUSTOM = 3
    MALFORMED = 4


#: Parameter counts up to here are told apart; more is as much as this.
MOST = 7

_AT_LEAST_3 = dict.fromkeys(range(3, MOST + 1), 0)
#: command -> (kind, {parameter count: index of the place's x, or None for a unit}).
AIMS: dict[int, tuple[Kind, dict[int, int | None]]] = {
    **dict.fromkeys((10, 15), (Kind.MOVE, {**_AT_LEAST_3})),
    **dict.fromkeys((16, 20, 105), (Kind.ATTACK, {1: None, **_AT_LEAST_3})),
    21: (Kind.ATTACK, {**_AT_LEAST_3}),
    **dict.fromkeys((25, 76), (Kind.OTHER, {1: None})),
    **dict.fromkeys((40, 90, 130), (Kind.SUPPORT, {1: None, 4: 0, 5: 1})),
    125: (Kind.SUPPORT, {1: None, 4: 0}),
    110: (Kind.SUPPORT, {4: 0}),
    75: (Kind.OTHER, {1: None, 4: 0}),
    80: (Kind.OTHER, dict.fromkeys(range(4, MOST + 1), 0)),
    81: (Kind.OTHER, {**_AT_LEAST_3}),
}
#: Commands of the engine that have no target.
WITHOUT_TARGET = frozenset(COMMANDS) - frozenset(AIMS) - {INSERT}

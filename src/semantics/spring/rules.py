"""Rules about what a Spring demo means, beside those of its container (`formats.spring_rules`)."""

from __future__ import annotations

from ksreplay.errors import LimitExceeded, Severity
from ksreplay.formats import spring_rules
from ksreplay.rules import Rule, collect, merge

_SCRIPT = "RecoilEngine, cont/base/springcontent/gamedata/parse_tdf.lua"
_STREAM = "seed 002, The demo stream"
_FILE = "seed 002, What is in a replay file"

SCRIPT_SYNTAX = Rule("script-syntax", Severity.STRICT, "The start script follows the engine's TDF grammar.", _SCRIPT)
SCRIPT_GAME = Rule(
    "script-game", Severity.PLAY, "The start script names a game and a map.",
    "RecoilEngine, rts/Game/GameSetup.cpp",
)  # fmt: skip
SCRIPT_DIFFERS = Rule(
    "script-differs", Severity.WARNING,
    "The script after the header equals the one in the GAMEDATA packet, which the engine really loads.", _FILE,
)  # fmt: skip
GAMEDATA_FIRST = Rule(
    "gamedata-first",
    Severity.PLAY,
    "The first packet of the stream is GAMEDATA; the engine loads the game from it.",
    _FILE,
)
GAME_ID_DIFFERS = Rule("game-id-differs", Severity.STRICT, "The GAMEID packet repeats the header's game id.", _FILE)
FRAME_JUMP = Rule("frame-jump", Severity.PLAY, "A KEYFRAME states the frame after the one before it.", _STREAM)
TIME_BACKWARDS = Rule(
    "time-backwards", Severity.WARNING,
    "Packet times do not go back by more than a tenth of a second (they may around the start of the game).", _STREAM,
)  # fmt: skip
ORDERS_TOO_MANY = Rule(
    "orders-too-many", Severity.PART,
    "The stream's orders, and the units that they name, are no more than the limit `records`.", _STREAM, LimitExceeded,
)  # fmt: skip
WINNERS_DIFFER = Rule(
    "winners-differ",
    Severity.WARNING,
    "The trailer and the GAMEOVER packets name the same winners.",
    "seed 002, The trailer",
)
DESYNC = Rule(
    "desync", Severity.WARNING, "All clients report the same checksum for a frame.",
    "RecoilEngine, rts/Net/GameServer.cpp",
)  # fmt: skip
PLAYER_ORDER_INFERRED = Rule(
    "player-statistics-inferred", Severity.WARNING,
    "The byte order of the player statistics is proved by the PLAYERSTAT packets; without any it follows from the "
    "kind of recording.", "seed 002, The trailer",
)  # fmt: skip

RULES = merge((*spring_rules.RULES, *collect(globals())))

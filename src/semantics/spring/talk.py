"""What people and machines said: chat, the server's lines, logs, map drawings, descriptions of machines.

Source: seed 002, "The demo stream"; RecoilEngine BaseNetProtocol.cpp, ChatMessage.cpp, InMapDrawModel.cpp.
"""

from __future__ import annotations

import numpy as np

from ksreplay.columns import Strings
from ksreplay.formats.inflate import Blocks
from ksreplay.formats.spring import FORMAT
from ksreplay.formats.spring_drawings import LINE, POINT, of_another_engine, read_drawings
from ksreplay.semantics.spring.columns import PLAYER, WHEN, Columns, coded, player_columns, schema
from ksreplay.semantics.spring.match import Match, enum_names
from ksreplay.table import Column, Table

CHAT = schema(
    "chat",
    *WHEN,
    *player_columns("player", "who wrote it; 255 is the server or an autohost"),
    Column(
        "destination",
        "uint8",
        nullable=True,
        meaning="as it is: 252 allies, 253 spectators, 254 everyone, else a player; old engines: 127, 126, 125",
    ),
    Column("audience", "string", nullable=True, meaning="everyone, allies, spectators or whisper"),
    *player_columns("to_player", "who alone may read a whisper"),
    Column("text", "string", nullable=True, private=True, meaning="what was said"),
    meaning="Chat lines: one row a CHAT packet.",
)
SYSTEM_MESSAGES = schema(
    "system_messages",
    *WHEN,
    *PLAYER,
    Column("text", "string", nullable=True, meaning="the server's line, names of players in it"),
    meaning="Lines of the server in the chat window: one row a SYSTEMMSG packet.",
)
LOG_MESSAGES = schema(
    "log_messages",
    *WHEN,
    *PLAYER,
    Column("level", "uint8", nullable=True, meaning="20 debug, 30 info, 35 notice, 40 warning, 50 error, 60 fatal"),
    Column("level_name", "string", nullable=True, meaning="name of the level"),
    Column("text", "string", nullable=True, private=True, meaning="the line"),
    meaning="Lines of clients' logs: one row a LOGMSG packet.",
)
MAP_DRAWS = schema(
    "map_draws",
    *WHEN,
    *PLAYER,
    Column("message", "string", meaning="MAPDRAW, or MAPDRAW_OLD before engine 2025.04.10"),
    Column("action", "string", nullable=True, meaning="point, erase or line"),
    Column("x", "int64", nullable=True, unit="elmos", meaning="from the west edge"),
    Column("z", "int64", nullable=True, unit="elmos", meaning="from the north edge"),
    Column("x2", "int64", nullable=True, unit="elmos", meaning="other end of a line"),
    Column("z2", "int64", nullable=True, unit="elmos", meaning="other end of a line"),
    Column("from_lua", "bool", nullable=True, meaning="drawn by a widget"),
    Column("label", "string", nullable=True, private=True, meaning="text of a point"),
    meaning="Drawings on the map: one row a MAPDRAW packet of either id.",
)
CLIENT_DATA = schema(
    "client_data",
    *WHEN,
    *PLAYER,
    Column("size", "int32", nullable=True, unit="bytes", meaning="size of the compressed text"),
    Column("text", "string", nullable=True, private=True, meaning="the client's description of its machine"),
    meaning="What clients said of their machines: one row a CLIENTDATA packet.",
    private=True,
)

#: Destinations of engines with at most 32 players; where a player has the number it is a player's.
_OLD_DESTINATIONS = {125: "everyone", 126: "spectators", 127: "allies"}


def chat(match: Match) -> Table:
    messages = match.messages["CHAT"]
    good, to = messages.good, messages["destination"]
    names = enum_names("chat_destination")
    seated = {player.id for player in match.players}
    names = {**names, **{code: name for code, name in _OLD_DESTINATIONS.items() if code not in seated}}
    whispered = ~np.isin(to, list(names)) & (to < min(enum_names("chat_destination")))
    table = Columns(match, messages).when().player(messages["player"], good)
    table.add("destination", to, good)
    table.add("audience", coded(np.where(whispered, 0, to), {**names, 0: "whisper"}, good))
    table.player(to, good & whispered, role="to_player")
    table.add("text", match.text(messages))
    return Table.build(CHAT, table.values, table.valid)


def system_messages(match: Match) -> Table:
    messages = match.messages["SYSTEMMSG"]
    table = Columns(match, messages).when().player(messages["player"], messages.good)
    table.add("text", match.text(messages))
    return Table.build(SYSTEM_MESSAGES, table.values, table.valid)


def log_messages(match: Match) -> Table:
    messages = match.messages["LOGMSG"]
    table = Columns(match, messages).when().player(messages["player"], messages.good)
    table.add("level", messages["level"], messages.good)
    table.add("level_name", coded(messages["level"], enum_names("log_level"), messages.good))
    table.add("text", match.text(messages))
    return Table.build(LOG_MESSAGES, table.values, table.valid)


def map_draws(match: Match) -> Table:
    parts = []
    for index, name in enumerate(("MAPDRAW_OLD", "MAPDRAW")):
        messages = match.messages[name]
        if len(messages) and messages.layout != "sync_request":
            drawings = read_drawings(match.messages, name, messages)
            if name == "MAPDRAW_OLD":
                of_another_engine(match.messages, messages, drawings)
            parts.append((index, messages, drawings))
    if not parts:
        return Table.empty(MAP_DRAWS)
    rows = np.concatenate([messages.rows for _, messages, _ in parts])
    order = np.argsort(rows, kind="stable")

    def joined(name: str) -> np.ndarray:
        return np.concatenate([getattr(drawing, name) for _, _, drawing in parts])[order]

    good = joined("fits")
    player = np.concatenate([messages["player"] for _, messages, _ in parts])[order]
    action = np.concatenate([messages["action"] for _, messages, _ in parts])[order]
    message = np.concatenate([np.full(len(messages), index) for index, messages, _ in parts])[order]
    table = Columns(match, rows[order]).when().player(player, good)
    table.add("message", Strings.from_codes(message, ("MAPDRAW_OLD", "MAPDRAW")))
    table.add("action", coded(action, enum_names("map_draw_action"), good))
    line = good & (action == LINE)
    table.add("x", joined("x"), good).add("z", joined("z"), good)
    table.add("x2", joined("x2"), line).add("z2", joined("z2"), line)
    table.add("from_lua", joined("from_lua") != 0, good & joined("has_lua"))
    point = good & (action == POINT)
    start, length = np.where(point, joined("label"), 0), np.where(point, joined("label_length"), 0)
    labels = Strings.from_spans(match.stream.data, start, length)
    table.add("label", Strings(labels.offsets, labels.values, valid=None if point.all() else point))
    return Table.build(MAP_DRAWS, table.values, table.valid)


def client_data(match: Match) -> Table:
    messages = match.messages["CLIENTDATA"]
    table = Columns(match, messages).when().player(messages["player"], messages.good)
    table.add("size", messages.length, messages.good)
    blocks = Blocks(match.limits, FORMAT)
    table.add("text", Strings.from_list(_machine(match, blocks, i) for i in range(len(messages))))
    return Table.build(CLIENT_DATA, table.values, table.valid)


def _machine(match: Match, blocks: Blocks, index: int) -> str | None:
    """The inflated text of one CLIENTDATA; damage is a problem and leaves what came out before it."""
    messages = match.messages["CLIENTDATA"]
    if not messages.good[index]:
        return None
    at, size = int(messages.body[index]), int(messages.length[index])
    where = f"stream.packet[{int(messages.rows[index])}].CLIENTDATA"
    result = blocks.inflate(match.stream.part(at, at + size), where=where, offset=at)
    if result.problem is not None:
        match.problems.absorb(result.problem)
        if not result.data:
            return None
    text: bytes = result.data
    return text.rstrip(b"\0").decode("utf-8", "replace")

"""Console commands, game speed, and every message that no other table holds.

Source: seed 002, "The demo stream"; RecoilEngine BaseNetProtocol.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Lists, Spans, Strings, offsets_of, spans_index, view
from ksreplay.formats.spring import Data
from ksreplay.formats.spring_messages import NAMES, Messages, message_name
from ksreplay.semantics.spring.columns import PLAYER, WHEN, Columns, schema
from ksreplay.semantics.spring.match import Match
from ksreplay.semantics.spring.orders import gathered
from ksreplay.table import Column, Table

CONSOLE_COMMANDS = schema(
    "console_commands",
    *WHEN,
    *PLAYER,
    Column("command", "string", nullable=True, meaning="the command, such as speedcontrol, luarules or take"),
    Column("arguments", "string", nullable=True, meaning="what stands behind it, names of players in it"),
    meaning="Commands of the console that change the game: one row a CCOMMAND packet.",
)
GAME_SPEEDS = schema(
    "game_speeds",
    *WHEN,
    *PLAYER,
    Column("message", "string", meaning="USER_SPEED: a player asks; INTERNAL_SPEED: the speed that the server keeps"),
    Column("speed", "float32", nullable=True, unit="times", meaning="1 is 30 frames a second"),
    meaning="Changes of the game's speed: one row a USER_SPEED or INTERNAL_SPEED packet.",
)
OTHER_MESSAGES = schema(
    "other_messages",
    *WHEN,
    Column("name", "string", meaning="message name, ID_<n> for an unknown one"),
    Column("field", "string", nullable=True, meaning="field of the message; null where it has none that is known"),
    Column("number", "float64", nullable=True, meaning="value of a field that is a number"),
    Column("numbers", "list<uint32>", nullable=True, meaning="value of a field that is a list"),
    Column("text", "string", nullable=True, meaning="value of a field that is a text; null where it is private"),
    Column(
        "raw", "binary", nullable=True, private=True,
        meaning="the whole message, where it is unknown, malformed or of a retired kind",
    ),
    meaning=(
        "The messages that no other table holds whole, field by field, and all that are unknown or malformed, as they "
        "are: one row a field. With it every packet of the stream but KEYFRAME and NEWFRAME is in a table."
    ),
)  # fmt: skip

#: Messages that have tables of their own, or nothing to say beyond the table `packets` and the details of `info`.
TOLD = frozenset(
    "KEYFRAME NEWFRAME GAMEDATA GAMEID CHAT SYSTEMMSG LOGMSG MAPDRAW MAPDRAW_OLD CLIENTDATA LUAMSG SELECT COMMAND "
    "AICOMMAND AICOMMAND_TRACKED AICOMMANDS SHARE AISHARE SETSHARE ALLIANCE AI_CREATED AI_STATE_CHANGED SYNCRESPONSE "
    "PLAYERINFO CCOMMAND USER_SPEED INTERNAL_SPEED".split()
)
#: What stands behind the fixed fields: texts with a NUL each, or a list of numbers.
_TEXTS = {
    "QUIT": ("reason",), "PLAYERNAME": ("name",), "REJECT_CONNECT": ("reason",), "CREATE_NEWPLAYER": ("name",),
    "ATTEMPTCONNECT": ("name", "password", "version", "platform"),
}  # fmt: skip
_LISTS = {
    "GAMEOVER": ("winning_ally_teams", "u1"), "SD_CHKRESPONSE": ("checksums", "<u4"),
    "SD_BLKRESPONSE": ("checksums", "<u4"), "GAMESTATE_DUMP": ("frame", "<u4"),
}  # fmt: skip
_PRIVATE = frozenset({"password", "platform"})
_NUL = re.compile(b"\0")


def _ends(data: Data, starts: NDArray[Any]) -> NDArray[np.int64]:
    """Where the text that begins at each place ends: at its NUL."""
    found = (_NUL.search(data, at) for at in starts.tolist())
    return np.fromiter((nul.start() for nul in found if nul), np.int64, len(starts))


def console_commands(match: Match) -> Table:
    messages = match.messages["CCOMMAND"]
    data, good = match.stream.data, messages.good
    start = messages.body[good].astype(np.int64)
    middle = _ends(data, start)
    end = start + messages.length[good] - 1
    table = Columns(match, messages).when()
    number = messages["player"]
    seated = good & (number >= 0) & (number <= 255)
    table.player(np.where(seated, number, 0).astype(np.uint8), seated)
    for name, first, last in (("command", start, middle), ("arguments", middle + 1, end)):
        places, lengths = np.zeros((2, len(messages)), np.int64)
        places[good], lengths[good] = first, last - first
        texts = Strings.from_spans(data, places, lengths)
        table.add(name, Strings(texts.offsets, texts.values, valid=None if good.all() else good))
    return Table.build(CONSOLE_COMMANDS, table.values, table.valid)


def game_speeds(match: Match) -> Table:
    names = ("USER_SPEED", "INTERNAL_SPEED")
    asked, kept = (match.messages[name] for name in names)
    rows = np.concatenate([asked.rows, kept.rows])
    order = np.argsort(rows, kind="stable")
    good = np.concatenate([asked.good, kept.good])[order]
    kind = np.repeat([0, 1], [len(asked), len(kept)])[order]
    table = Columns(match, rows[order]).when()
    player = np.concatenate([asked["player"], np.zeros(len(kept), np.uint8)])[order]
    table.player(player, good & (kind == 0))
    table.add("message", Strings.from_codes(kind, names))
    table.add("speed", np.concatenate([asked["speed"], kept["speed"]])[order], good)
    return Table.build(GAME_SPEEDS, table.values, table.valid)


_NUMBER, _NUMBERS, _TEXT, _RAW = range(4)


@dataclass
class _Part:
    """Rows of `other_messages` for one field of one kind, and what their values are: ``kind`` -1 for none.

    ``numbers`` has one number a row; of a list, a text or a whole message ``start`` and ``count`` say where it is.
    """

    rows: NDArray[np.int32]
    field: str | None = None
    kind: int = -1
    numbers: NDArray[Any] | None = None
    start: NDArray[Any] | None = None
    count: NDArray[Any] | None = None
    dtype: str = "u1"


def _parts(match: Match) -> Iterator[_Part]:
    stream = match.stream

    def whole(rows: NDArray[np.int32]) -> _Part:
        return _Part(rows, None, _RAW, start=stream.offset[rows], count=stream.size[rows])

    for number in np.flatnonzero(stream.counts).tolist():
        name = NAMES.get(number)
        if name is None:
            packets = stream.packets(number)
            yield whole(packets.rows[packets.size > 0])
            continue
        messages = match.messages[name]
        yield whole(messages.rows[~messages.good])
        if name in TOLD:
            if messages.layout == "sync_request":  # of which the table of drawings says nothing
                yield whole(messages.rows[messages.good])
            continue
        fields = [field for field in messages.records.dtype.names or () if field != "len_packet"]
        if not fields and name not in _TEXTS and name not in _LISTS:
            yield whole(messages.rows[messages.good & (messages.length > 0)])
            yield _Part(messages.rows[messages.good & (messages.length <= 0)])
        else:
            yield from _fields(match, name, messages, [field for field in fields if field not in messages.missing])


def _fields(match: Match, name: str, messages: Messages, fixed: list[str]) -> Iterator[_Part]:
    data, rows = match.stream.data, messages.rows[messages.good]
    start, length = messages.body[messages.good].astype(np.int64), messages.length[messages.good]
    for field in fixed:
        values = messages[field][messages.good]
        for inner in values.dtype.names or (None,):
            yield _Part(rows, inner or field, _NUMBER, values if inner is None else values[inner])
    filled = length > 0
    if not fixed:  # older ones say nothing but that they are there
        yield _Part(rows[~filled])
    rows, start, length = rows[filled], start[filled], length[filled]
    if name in _LISTS:
        field, dtype = _LISTS[name]
        yield _Part(rows, field, _NUMBERS, start=start, count=length // np.dtype(dtype).itemsize, dtype=dtype)
    for field in _TEXTS.get(name, ()):
        end = _ends(data, start)
        hidden = field in _PRIVATE and not match.private
        yield _Part(rows, field) if hidden else _Part(rows, field, _TEXT, start=start, count=end - start)
        start = end + 1
    if name == "ATTEMPTCONNECT":
        for place, field in enumerate(("reconnect", "netloss")):
            yield _Part(rows, field, _NUMBER, view(data, np.dtype(np.uint8))[start + place])


@cache
def _message_names() -> Strings:
    return Strings.from_list(message_name(number) for number in range(256))


def other_messages(match: Match) -> Table:
    data = match.stream.data
    parts = [part for part in _parts(match) if len(part.rows)]
    if not parts:
        return Table.empty(OTHER_MESSAGES)
    rows = np.concatenate([part.rows for part in parts])
    order = np.argsort(rows, kind="stable")
    rows = rows[order]
    row_of = np.empty(len(order), np.int64)
    row_of[order] = np.arange(len(order))
    places = np.split(row_of, np.cumsum([len(part.rows) for part in parts])[:-1])
    fields = sorted({part.field for part in parts if part.field})
    kind, code = np.full((2, len(rows)), -1, np.int32)
    number = np.zeros(len(rows))
    start, count = np.zeros((2, len(rows)), np.int64)
    for part, at in zip(parts, places, strict=True):
        kind[at], code[at] = part.kind, -1 if part.field is None else fields.index(part.field)
        if part.numbers is not None:
            number[at] = part.numbers
        if part.start is not None and part.count is not None:
            start[at], count[at] = part.start, part.count
    offsets = offsets_of(np.where(kind == _NUMBERS, count, 0))
    listed = np.zeros(int(offsets[-1]), np.uint32)
    for part, at in zip(parts, places, strict=True):
        if part.kind == _NUMBERS:
            listed[spans_index(offsets[at], count[at])] = gathered(data, start[at], count[at], part.dtype)[1]
    texts = Strings.from_spans(data, start, np.where(kind == _TEXT, count, 0))
    table = Columns(match, rows).when()
    table.add("name", Strings.from_codes(match.stream.id[rows], _message_names()))
    table.add("field", Strings.from_codes(code, fields))
    table.add("number", number, kind == _NUMBER)
    table.add("numbers", Lists(offsets, listed, valid=kind == _NUMBERS))
    table.add("text", Strings(texts.offsets, texts.values, valid=kind == _TEXT))
    table.add("raw", Spans(data, start, np.where(kind == _RAW, count, 0)), kind == _RAW)
    return Table.build(OTHER_MESSAGES, table.values, table.valid)

"""The four messages that carry orders: what each says of all its orders, and where these stand.

Source: seed 002, "The demo stream"; RecoilEngine BaseNetProtocol.cpp, SelectedUnitsHandler.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import empties, taken
from ksreplay.formats.spring_entries import Entries, OrderLists, compiled, read_lists
from ksreplay.formats.spring_messages import Messages
from ksreplay.semantics.spring import rules
from ksreplay.semantics.spring.match import Match

SELECTION, LUA, AI = 0, 1, 2
SOURCES = ("selection", "lua", "ai")
NO_AI = 255
MESSAGES = ("COMMAND", "AICOMMAND", "AICOMMAND_TRACKED", "AICOMMANDS")
TRACKED, SEVERAL = 2, 3  #: their places in `MESSAGES`


@dataclass(frozen=True)
class Carriers:
    """The messages that carry orders, in stream order, as arrays of one entry each.

    ``packet`` and its ``frame`` int32; ``good`` bool; ``player`` uint8; ``source`` int8 (`SOURCES`, -1 where
    malformed); ``ai`` int16 (-1 none); ``ai_team`` int16 (-1 none); ``message`` int8 (`MESSAGES`); ``pairwise`` int8
    (-1 where the message has no such field); ``timeout`` int32 and ``tracked`` int32, for the messages that
    ``with_timeout`` and ``TRACKED`` name.
    """

    packet: NDArray[np.int32]
    frame: NDArray[np.int32]
    good: NDArray[np.bool_]
    player: NDArray[np.uint8]
    source: NDArray[np.int8]
    ai: NDArray[np.int16]
    ai_team: NDArray[np.int16]
    message: NDArray[np.int8]
    pairwise: NDArray[np.int8]
    timeout: NDArray[np.int32]
    tracked: NDArray[np.int32]
    with_timeout: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.packet)


@dataclass(frozen=True)
class Contents:
    """Where the orders of each carrier stand: fields as in `OrderLists`, and ``all_units``, how many units its orders
    name together. A malformed one has one order of zeros."""

    start: NDArray[Any]
    num_commands: NDArray[np.int32]
    own: NDArray[np.uint8]
    command_id: NDArray[np.int32]
    options: NDArray[np.uint8]
    num_params: NDArray[np.int32]
    all_params: NDArray[np.int32]
    units: NDArray[Any]
    num_units: NDArray[np.int32]
    all_units: NDArray[np.int32]
    entries: Entries | None


_LISTED = tuple(name for name in Contents.__dataclass_fields__ if name in OrderLists.__dataclass_fields__)[:-1]


def read_carriers(match: Match, *, kernel: Callable[[], ModuleType | None] = compiled) -> tuple[Carriers, Contents]:
    """The carriers of a match. One that gives more orders, or orders to more units, than ``limits.records`` leaves room
    for is read as if malformed."""
    kinds = [match.messages[name] for name in MESSAGES]
    lists = _lists(match, kinds[SEVERAL], kernel)
    order = np.argsort(np.concatenate([messages.rows for messages in kinds]), kind="stable")
    wide = lists.start.dtype
    types = {
        "packet": np.int32, "frame": np.int32, "good": bool, "player": np.uint8, "source": np.int8,
        "ai": np.int16, "ai_team": np.int16,
        "message": np.int8, "pairwise": np.int8, "timeout": np.int32, "tracked": np.int32,
        "start": wide, "num_commands": np.int32, "own": np.uint8, "command_id": np.int32, "options": np.uint8,
        "num_params": np.int32, "all_params": np.int32, "units": wide, "num_units": np.int32,
        "all_units": np.int32,
    }  # fmt: skip
    # Kind by kind, for slices are filled at the speed of memory, and then all of a column is put in order.
    columns = dict(zip(types, empties(len(order), *types.values()), strict=True))
    end = 0
    for index, messages in enumerate(kinds):
        mine = slice(end, end + len(messages))
        end = mine.stop
        for name, values in (_said(index, messages) | _held(index, messages)).items():
            columns[name][mine] = values
    good = kinds[SEVERAL].good
    listed = slice(end - len(good), end) if good.all() else end - len(good) + np.flatnonzero(good)
    for name in _LISTED:
        columns[name][listed] = getattr(lists, name)
    columns = dict(zip(types, taken(list(columns.values()), order), strict=True))
    named, several = columns["num_units"], columns["num_commands"]
    columns["all_units"][:] = np.where(columns["pairwise"] > 0, np.minimum(named, several), named * several)
    room = _room(match, columns)
    contents = {name: columns.pop(name) for name in (*_LISTED, "all_units")}
    if not room.all():
        columns["good"] &= room
        for name, values in contents.items():
            values[~room] = name == "num_commands"
    entries = lists.entries
    if entries is not None:
        entries = entries.of(room[columns["message"] == SEVERAL][good])
    _name_ais(match, columns)
    with_timeout = (*("timeout" not in messages.missing for messages in kinds[:SEVERAL]), False)
    return Carriers(**columns, with_timeout=with_timeout), Contents(**contents, entries=entries)


def _said(index: int, messages: Messages) -> dict[str, Any]:
    """The fields of `Carriers` as the messages ``MESSAGES[index]`` have them."""
    fields = messages.records.dtype.names or ()

    def field(name: str, absent: int) -> Any:
        return messages[name] if name in fields and name not in messages.missing else absent

    return {
        "packet": messages.rows, "frame": messages.packets.frame, "good": messages.good, "player": messages["player"],
        "source": np.int8(AI if index else SELECTION), "message": np.int8(index),
        "ai": field("ai", NO_AI), "ai_team": field("ai_team", NO_AI),
        "pairwise": np.asarray(field("pairwise", 0)) != 0 if index == SEVERAL else np.int8(-1),
        "timeout": field("timeout", 0), "tracked": field("ai_command_id", 0),
    }  # fmt: skip


def _held(index: int, messages: Messages) -> dict[str, Any]:
    """The fields of `Contents` for messages of one order, or of none that is known."""
    fields: dict[str, Any] = dict.fromkeys(_LISTED, 0) | {"num_commands": 1}
    if index == SEVERAL:
        return fields
    number = messages.length >> 2
    fields |= {
        "start": messages.body, "command_id": messages["command_id"], "options": messages["options"],
        "num_params": number, "all_params": number,
    }  # fmt: skip
    if index:  # the unit is one of the fixed fields: it stands where its field stands
        fields |= {"units": messages.packets.offset + _unit_place(messages), "num_units": messages.good}
    return fields


def _unit_place(messages: Messages) -> int:
    """Offset of the unit id from the message's first byte, in the layout that the file has."""
    from ksreplay.generated.dtypes import spring_packet as layouts

    dtype: np.dtype[np.void] = getattr(layouts, f"{messages.layout.upper()}_HEAD")
    return 1 + int(dtype.fields["unit"][1])  # type: ignore[index]


def _name_ais(match: Match, columns: dict[str, NDArray[Any]]) -> None:
    """Says in place which orders have an AI behind them, and for which team: the others of its messages are a
    widget's. Engines before 104.0.1-1482 name no team; there it is the one that the script gives the AI."""
    ai, ai_team, source = columns["ai"], columns["ai_team"], columns["source"]
    lua = ai == NO_AI
    source[lua & (source == AI)] = LUA
    if not columns["good"].all():
        lua |= ~columns["good"]
        source[~columns["good"]] = -1
    ai_team[lua] = -1
    if len(unsaid := np.flatnonzero(ai_team == NO_AI)):
        ai_team[unsaid] = match.ai_teams[ai[unsaid]]
    ai[lua] = -1


def _lists(match: Match, messages: Messages, kernel: Callable[[], ModuleType | None]) -> OrderLists:
    """What the good ones of the AICOMMANDS list; without a kernel with their entries."""
    # Read while the messages were checked; nobody needs them again.
    lists, match.messages.lists = match.messages.lists, None
    if lists is None or (lists.entries is None and kernel() is None):
        packets = messages.packets[messages.good]
        records = (messages.records if messages.raw is None else messages.raw)[messages.good]
        lists = read_lists(match.stream.data, packets.offset, packets.size, records, kernel=kernel)
    return lists


def _room(match: Match, columns: dict[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """Which carriers there is room for: a message of 60 KB can give 30,000 orders to 30,000 units each."""
    commands, units = columns["num_commands"], columns["all_units"]
    most = min(match.limits.records, 2**31 - 1)  # their places have 32 bits
    room = np.ones(len(commands), bool)
    for weights in (commands, units):
        if weights.sum(dtype=np.int64) > most:
            # Without the heaviest, as few as may be: one message must not cost the others.
            by_weight = np.argsort(weights, kind="stable")
            room[by_weight[np.cumsum(weights[by_weight], dtype=np.int64) > most]] = False
    for index in np.flatnonzero(~room).tolist():
        row = int(columns["packet"][index])
        match.problems.add(
            rules.ORDERS_TOO_MANY.problem(
                f"stream.packet[{row}].AICOMMANDS", int(match.stream.offset[row]),
                found={"orders": int(commands[index]), "units": int(units[index])}, expected=match.limits.records,
            ),
            rules.ORDERS_TOO_MANY.error,
        )  # fmt: skip
    return room

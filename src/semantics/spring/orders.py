"""Orders and selections: what players, their widgets and skirmish AIs asked for. Orders are not buildings.

Source: seed 002, "The demo stream"; RecoilEngine BaseNetProtocol.cpp, SelectedUnitsHandler.cpp.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Derived, Lists, Strings, looked_up, offsets_of
from ksreplay.errors import LimitExceeded
from ksreplay.formats.spring import FORMAT, Data, view
from ksreplay.formats.spring_entries import Entries, compiled, read_entries
from ksreplay.formats.spring_messages import Messages
from ksreplay.semantics.spring import command_names as names
from ksreplay.semantics.spring.columns import PLAYER, TEAM, WHEN, Columns, schema
from ksreplay.semantics.spring.match import Match
from ksreplay.table import Column, Table

SELECTION, LUA, AI = 0, 1, 2
SOURCES = ("selection", "lua", "ai")
KINDS = tuple(kind.name.lower() for kind in names.Kind)
AIMS = tuple(aim.name.lower() for aim in names.Aim)
NO_AI = 255

SELECTIONS = schema(
    "selections",
    *WHEN,
    *PLAYER,
    *TEAM,
    Column("num_units", "int32", nullable=True, unit="units", meaning="how many units are selected from here on"),
    Column("units", "list<int32>", nullable=True, meaning="unit ids"),
    meaning="Which units players had selected: one row a SELECT packet.",
)
COMMANDS = schema(
    "commands",
    *WHEN,
    *PLAYER,
    *TEAM,
    Column("source", "string", nullable=True, meaning="selection: to the selected units; lua: by a widget; ai"),
    Column("ai", "int16", nullable=True, meaning="number of the skirmish AI that gave it"),
    Column("message", "string", meaning="message that carried it"),
    Column("command_id", "int32", nullable=True, meaning="negative: builds the definition -command_id"),
    Column("command", "string", nullable=True, meaning="the engine's name, BUILD, or CUSTOM for a game's own"),
    Column("unit_def", "int32", nullable=True, meaning="definition that a build order asks for"),
    Column("options", "uint8", nullable=True, meaning="the option bits as they are"),
    *(
        Column(name, "bool", nullable=True, meaning=f"option bit {bit}")
        for name, bit in names.OPTION_BITS.items()
    ),
    Column("num_params", "int32", nullable=True, meaning="how many parameters it has"),
    Column("params", "list<float32>", nullable=True, meaning="the parameters; what they mean depends on the command"),
    Column("units", "list<int32>", nullable=True, meaning="units it names; null for a selection order"),
    Column("selection", "int32", nullable=True, meaning="row of `selections` with the units of a selection order"),
    Column("pairwise", "bool", nullable=True, meaning="each order of the packet goes to one unit of it"),
    Column("timeout", "int32", nullable=True, unit="frames", meaning="frame at which it lapses; 2147483647 is never"),
    Column("ai_command_id", "int32", nullable=True, meaning="an AI's own number of a tracked order"),
    Column("aim", "string", nullable=True, meaning="place, unit, none, custom (a game's own command) or malformed"),
    Column("aim_x", "float32", nullable=True, unit="elmos", meaning="where it is aimed, from the west edge"),
    Column("aim_z", "float32", nullable=True, unit="elmos", meaning="where it is aimed, from the north edge"),
    Column("kind", "string", nullable=True, meaning="move, attack, build, support or other; null for custom commands"),
    meaning=(
        "What was asked for: one row an order (a packet may hold many), a malformed packet one row of nulls. "
        "An order is no building and no deed: it may have been cancelled, refused or never carried out."
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Carriers:
    """The messages that carry orders, in stream order, as arrays of one entry each.

    ``packet`` int32; ``good`` bool; ``player`` uint8; ``source`` int8 (`SOURCES`); ``ai`` int16 (-1 none); ``ai_team``
    int16 (-1 none); ``message`` int8 (`MESSAGES`); ``pairwise`` int8 (-1 where the message has no such field);
    ``timeout`` int32 and ``tracked`` int32, for the messages that ``Orders.with_timeout`` and ``TRACKED`` name.
    """

    packet: NDArray[np.int32]
    good: NDArray[np.bool_]
    player: NDArray[np.uint8]
    source: NDArray[np.int8]
    ai: NDArray[np.int16]
    ai_team: NDArray[np.int16]
    message: NDArray[np.int8]
    pairwise: NDArray[np.int8]
    timeout: NDArray[np.int32]
    tracked: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.packet)


@dataclass(frozen=True)
class Orders:
    """All orders of a stream, in stream order, as arrays of one entry each.

    ``of``: index into ``carriers``, which say what all orders of a message share (a malformed message has one order of
    zeros); ``command_id`` int32; ``options`` uint8; ``num_params`` int32; ``params``, where the parameters begin in
    ``data``; ``units`` and ``num_units`` int32, where the named units begin and how many they are (-1: the selection).
    Places are int32, int64 past 1 GiB.
    """

    data: Data
    with_timeout: tuple[bool, ...]
    carriers: Carriers
    of: NDArray[np.intp]
    command_id: NDArray[np.int32]
    options: NDArray[np.uint8]
    num_params: NDArray[np.int32]
    params: NDArray[Any]
    units: NDArray[Any]
    num_units: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.of)

    def shared(self, name: str) -> NDArray[Any]:
        """A field of the carriers for each order."""
        values: NDArray[Any] = getattr(self.carriers, name)
        return values.take(self.of)

    @cached_property
    def packet(self) -> NDArray[np.int32]:
        return self.shared("packet")

    @cached_property
    def good(self) -> NDArray[np.bool_]:
        return self.shared("good")

    def param(self, index: NDArray[Any] | int, rows: NDArray[Any] | slice = slice(None)) -> NDArray[np.float32]:
        """Parameter ``index`` of the orders ``rows``: float32, NaN where they have fewer."""
        counts = self.num_params[rows]
        index = np.broadcast_to(np.asarray(index, np.int64), counts.shape)
        has = (index >= 0) & (index < counts)
        result = np.full(counts.shape, np.nan, np.float32)
        result[has] = view(self.data, np.dtype("<f4"))[self.params[rows][has] + 4 * index[has]]
        return result


MESSAGES = ("COMMAND", "AICOMMAND", "AICOMMAND_TRACKED", "AICOMMANDS")
TRACKED, SEVERAL = 2, 3  #: their places in `MESSAGES`


def gathered(data: Data, starts: NDArray[Any], counts: NDArray[Any], dtype: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """(offsets, values) of runs of ``counts`` numbers of ``dtype`` that begin at ``starts`` in ``data``."""
    kind = np.dtype(dtype)
    total = int(counts.sum(dtype=np.int64)) * kind.itemsize
    offsets = offsets_of(counts, np.int32 if total < 1 << 31 else np.int64)
    if starts.dtype == np.int32 and total < 1 << 31 and (kernel := compiled()) is not None:
        copied = np.empty(total, np.uint8)
        kernel.runs(data, starts, (counts * kind.itemsize).astype(np.int32, copy=False), copied)
        return offsets, copied.view(kind)
    # 32 bits serve wherever the places fit: half the memory to move.
    wide = np.int32 if len(data) + total < 1 << 31 else np.int64
    places = np.repeat((starts - offsets[:-1] * kind.itemsize).astype(wide), counts)
    places += np.arange(0, total, kind.itemsize, dtype=wide)
    return offsets, view(data, kind)[places]


def read_orders(match: Match) -> Orders:
    """Takes all orders out of the four messages that carry them. Raises LimitExceeded past ``limits.records``."""
    singles = [match.messages[name] for name in MESSAGES[:SEVERAL]]
    several = match.messages["AICOMMANDS"]
    entries = _entries(match, several)
    kinds = [*singles, several]
    carriers = [_carriers(index, messages) for index, messages in enumerate(kinds)]
    counts = [np.ones(len(messages), np.int32) for messages in kinds]
    counts[SEVERAL][several.good] = entries.num_commands
    order = np.argsort(np.concatenate([messages.rows for messages in kinds]), kind="stable")
    sizes = np.concatenate(counts)[order]
    first = np.empty(len(order), np.int64)  # the first order of each message, kind by kind
    first[order] = offsets_of(sizes)[:-1]
    total = int(sizes.sum(dtype=np.int64))
    wide = entries.params.dtype
    command_id, num_params, num_units = (np.zeros(total, np.int32) for _ in range(3))
    options, params, units = np.zeros(total, np.uint8), np.zeros(total, wide), np.zeros(total, wide)
    columns: tuple[NDArray[Any], ...] = (command_id, options, num_params, params, units, num_units)
    begin = 0
    for index, messages in enumerate(singles):
        at = first[begin : begin + len(messages)]
        begin += len(messages)
        # The unit is one of the fixed fields: it stands where its field stands.
        unit_at = messages.packets.offset + _unit_place(messages) if index else np.zeros(len(messages), wide)
        named = np.where(messages.good, np.int32(1 if index else -1), np.int32(0))
        fields: tuple[NDArray[Any], ...] = (
            messages["command_id"], messages["options"], messages.length >> 2, messages.body, unit_at, named,
        )  # fmt: skip
        for column, values in zip(columns, fields, strict=True):
            column[at] = values
    # Orders of one message follow each other.
    before = offsets_of(entries.num_commands)[:-1]
    index_in = np.arange(len(entries.message), dtype=np.int32) - before.astype(np.int32)[entries.message]
    at = first[begin:][several.good][entries.message] + index_in
    units_of, num_units_of = entries.units[entries.message], entries.num_units.astype(np.int32)[entries.message]
    pairwise = several["pairwise"][several.good] != 0
    if pairwise.any():
        # Pairwise: order k goes to unit k, as far as there are units.
        pairs = np.flatnonzero(pairwise[entries.message])
        units_of[pairs] += 2 * index_in[pairs].astype(units_of.dtype)
        num_units_of[pairs] = index_in[pairs] < num_units_of[pairs]
    # A message of a few kilobytes may give thousands of orders to thousands of units each.
    if (named_units := int(num_units_of.sum(dtype=np.int64))) > match.limits.records:
        raise LimitExceeded(
            "the stream's orders name more units than the limit `records`", code="stream-records", format=FORMAT,
            where="stream.AICOMMANDS", found=named_units, expected=match.limits.records,
        )  # fmt: skip
    listed: tuple[NDArray[Any], ...] = (
        entries.command_id, entries.options, entries.num_params, entries.params, units_of, num_units_of,
    )  # fmt: skip
    for column, values in zip(columns, listed, strict=True):
        column[at] = values
    joined = {name: np.concatenate([part[name] for part in carriers])[order] for name in carriers[0]}
    with_timeout = (*("timeout" not in messages.missing for messages in singles), False)
    of = np.repeat(np.arange(len(order)), sizes)
    return Orders(match.stream.data, with_timeout, Carriers(**joined), of, *columns)


def _carriers(index: int, messages: Messages) -> dict[str, NDArray[Any]]:
    """The fields of `Carriers` for the messages ``MESSAGES[index]``."""
    count, fields = len(messages), messages.records.dtype.names or ()

    def field(name: str, absent: int, dtype: Any) -> NDArray[Any]:
        there = name in fields and name not in messages.missing
        return messages[name].astype(dtype) if there else np.full(count, absent, dtype)

    ai = field("ai", NO_AI, np.int16)
    ai_team = field("ai_team", NO_AI, np.int16)
    lua = ai == NO_AI
    return {
        "packet": messages.rows,
        "good": messages.good,
        "player": messages["player"],
        "source": np.where(lua, np.int8(LUA), np.int8(AI)) if index else np.full(count, SELECTION, np.int8),
        "ai": np.where(lua, np.int16(-1), ai),
        "ai_team": np.where(lua | (ai_team == NO_AI), np.int16(-1), ai_team),
        "message": np.full(count, index, np.int8),
        "pairwise": field("pairwise", 0, np.bool_).astype(np.int8) if index == SEVERAL else np.full(count, -1, np.int8),
        "timeout": field("timeout", 0, np.int32),
        "tracked": field("ai_command_id", 0, np.int32),
    }


def _unit_place(messages: Messages) -> int:
    """Offset of the unit id from the message's first byte, in the layout that the file has."""
    from ksreplay.generated.dtypes import spring_packet as layouts

    dtype: np.dtype[np.void] = getattr(layouts, f"{messages.layout.upper()}_HEAD")
    return 1 + int(dtype.fields["unit"][1])  # type: ignore[index]


def _entries(match: Match, messages: Messages) -> Entries:
    """The orders inside the good ones of the AICOMMANDS."""
    # Read while the messages were checked; nobody needs them again.
    entries, match.messages.entries = match.messages.entries, None
    if entries is None:
        packets = messages.packets[messages.good]
        records = (messages.records if messages.raw is None else messages.raw)[messages.good]
        entries = read_entries(match.stream.data, packets.offset, packets.size, records)
    if len(entries.message) > match.limits.records:
        raise LimitExceeded(
            "the stream holds more orders than the limit `records`", code="stream-records", format=FORMAT,
            where="stream.AICOMMANDS", found=len(entries.message), expected=match.limits.records,
        )  # fmt: skip
    return entries


@dataclass(frozen=True)
class Aimed:
    """Where orders are aimed: ``aim`` int8 (`names.Aim`), ``kind`` int8 (`names.Kind`, -1 none), ``x`` and ``z``
    float32, NaN without a place."""

    aim: NDArray[np.int8]
    kind: NDArray[np.int8]
    x: NDArray[np.float32]
    z: NDArray[np.float32]


_BUILDS, _UNKNOWN = 254, 255  #: rows of the aim table beyond the engine's own ids, which end at 150


def _aim_table() -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """(kind by command, and by command and parameter count: aim, index of the place's x). Rows as in `_row`."""
    kind = np.full(256, -1, np.int8)
    result = np.full((256, names.MOST + 1), names.Aim.MALFORMED, np.int8)
    place = np.zeros((256, names.MOST + 1), np.int8)
    result[_UNKNOWN] = names.Aim.CUSTOM
    result[_BUILDS, :3], result[_BUILDS, 3:], kind[_BUILDS] = names.Aim.NONE, names.Aim.PLACE, names.Kind.BUILD
    result[[n for n in range(254) if n not in names.COMMANDS]] = names.Aim.CUSTOM
    result[sorted(names.WITHOUT_TARGET)] = names.Aim.NONE
    for command, (of, counts) in names.AIMS.items():
        kind[command] = of
        for count, index in counts.items():
            result[command, count] = names.Aim.UNIT if index is None else names.Aim.PLACE
            place[command, count] = index or 0
    return kind, result, place


def _row(command: NDArray[np.int32]) -> NDArray[np.uint8]:
    """The row of the aim table of each command."""
    row = command.astype(np.uint8)
    row[(command < 0)] = _BUILDS
    row[command >= _BUILDS] = _UNKNOWN
    return row


def aim(orders: Orders) -> Aimed:
    """Where each order is aimed; an INSERT is read as the command that it wraps."""
    kinds, results, places = _aim_table()
    row = _row(orders.command_id)
    count = np.minimum(orders.num_params, names.MOST)
    inserts = np.flatnonzero(orders.command_id == names.INSERT)
    broken = np.flatnonzero(~orders.good)
    if len(inserts):
        inner = orders.param(1, inserts)
        fits = np.isfinite(inner) & (orders.num_params[inserts] >= 3) & (np.abs(inner) < 2**31)
        wrapped = np.where(fits, inner, 0).astype(np.int32)
        row[inserts] = _row(wrapped)
        count[inserts] = np.clip(orders.num_params[inserts] - 3, 0, names.MOST)
        broken = np.concatenate([broken, inserts[~fits | (wrapped == names.INSERT)]])
    cell = row.astype(np.int32) * (names.MOST + 1) + count
    result, kind = results.reshape(-1).take(cell), kinds.take(row)
    result[broken], kind[broken] = names.Aim.MALFORMED, -1
    x, z = (np.full(len(orders), np.nan, np.float32) for _ in range(2))
    at = np.flatnonzero(result == names.Aim.PLACE)
    start = orders.params[at] + 4 * places.reshape(-1)[cell[at]]
    if len(inserts):
        start += np.where(orders.command_id[at] == names.INSERT, 12, 0)
    # Three floats in a row: one block each is one visit of the memory that holds them.
    triples = view(orders.data, np.dtype("V12"))[start].view("<f4").reshape(len(at), 3)
    x[at], z[at] = triples[:, 0], triples[:, 2]
    finite = np.isfinite(triples[:, 0]) & np.isfinite(triples[:, 1]) & np.isfinite(triples[:, 2])
    if not finite.all():
        lost = at[~finite]
        result[lost] = names.Aim.MALFORMED
        x[lost] = z[lost] = np.nan
    return Aimed(result, kind, x, z)


def latest_selection(match: Match, player: NDArray[np.uint8], packet: NDArray[Any]) -> NDArray[np.int32]:
    """Row of `selections` with each player's latest SELECT before that packet, -1 without one: int32."""
    messages = match.messages["SELECT"]
    good = np.flatnonzero(messages.good)
    who = np.concatenate([messages["player"][good], player])
    # All of them by player, in stream order: two sorted runs to merge, then numbers of eight bits to sort by.
    by = np.argsort(np.concatenate([messages.rows[good], packet]), kind="stable")
    by = by[np.argsort(who[by], kind="stable")]
    latest = by[np.maximum.accumulate(np.where(by < len(good), np.arange(len(by)), 0))]
    found = (by >= len(good)) & (latest < len(good)) & (who[latest] == who[by])
    rows = np.full(len(packet), -1, np.int32)
    rows[by[found] - len(good)] = good[latest[found]]
    return rows


def selections(match: Match) -> Table:
    messages = match.messages["SELECT"]
    table = Columns(match, messages).when()
    table.player(messages["player"], messages.good).team_of(messages["player"], messages.good)
    table.add("num_units", messages.length // 2, messages.good)
    offsets, values = gathered(match.stream.data, messages.body, messages.length // 2, "<i2")
    table.add("units", Lists(offsets, values, valid=None if messages.good.all() else messages.good))
    return Table.build(SELECTIONS, table.values, table.valid)


def commands(match: Match) -> Table:
    orders, aimed, carriers = match.orders, match.aims, match.orders.carriers
    sound = carriers.good
    # First what the orders of a message share, a row a message.
    table = Columns(match, carriers.packet).when()
    table.player(carriers.player, sound)
    table.team(match.order_teams, sound)
    table.add("source", Strings.from_codes(np.where(sound, carriers.source, np.int8(-1)), SOURCES))
    table.add("ai", np.maximum(carriers.ai, 0), carriers.ai >= 0)
    table.add("message", Strings.from_codes(carriers.message, MESSAGES))
    table.add("selection", np.maximum(match.order_selections, 0), match.order_selections >= 0)
    table.add("pairwise", carriers.pairwise > 0, sound & (carriers.pairwise >= 0))
    table.add("timeout", carriers.timeout, np.array(orders.with_timeout)[carriers.message] & sound)
    table.add("ai_command_id", carriers.tracked, sound & (carriers.message == TRACKED))
    table = table.spread(orders.of)
    good = orders.good
    every = None if good.all() else good
    table.add("command_id", orders.command_id, every)
    table.add("command", command_names(orders.command_id, good))
    builds = orders.command_id < 0
    table.add("unit_def", Derived(orders.command_id, _built), good & builds)
    table.add("options", orders.options, every)
    for name, bit in names.OPTION_BITS.items():
        table.add(name, Derived(orders.options, partial(_has, bit)), every)
    table.add("num_params", orders.num_params, every)
    table.add("params", Lists(*gathered(orders.data, orders.params, orders.num_params, "<f4"), valid=every))
    named = orders.num_units >= 0
    offsets, units = gathered(orders.data, orders.units, np.maximum(orders.num_units, 0), "<i2")
    table.add("units", Lists(offsets, units, valid=named & good))
    table.add("aim", Strings.from_codes(aimed.aim if every is None else np.where(good, aimed.aim, np.int8(-1)), AIMS))
    placed = aimed.aim == names.Aim.PLACE
    table.add("aim_x", aimed.x, placed).add("aim_z", aimed.z, placed)
    table.add("kind", Strings.from_codes(aimed.kind, KINDS))
    return Table.build(COMMANDS, table.values, table.valid)


def _built(command: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.where(command < 0, -command, np.int32(0))


def _has(bit: int, options: NDArray[np.uint8]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (options & np.uint8(bit)) != 0
    return found


def command_names(command: NDArray[np.int32], good: NDArray[np.bool_]) -> Strings:
    """The name of each command: the engine's, BUILD, or CUSTOM."""
    entries = [*names.COMMANDS.values(), names.BUILD, names.CUSTOM]
    codes = np.full(256, len(entries) - 1, np.int8)
    codes[_BUILDS] = len(entries) - 2
    codes[list(names.COMMANDS)] = np.arange(len(names.COMMANDS))
    found = looked_up(_row(command), codes)
    return Strings.from_codes(found if good.all() else np.where(good, found, np.int8(-1)), entries)

"""Orders and selections: what players, their widgets and skirmish AIs asked for. Orders are not buildings.

Source: seed 002, "The demo stream"; RecoilEngine BaseNetProtocol.cpp, SelectedUnitsHandler.cpp.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Lists, Strings, offsets_of
from ksreplay.errors import LimitExceeded
from ksreplay.formats.spring import FORMAT, view
from ksreplay.formats.spring_entries import read_entries
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
class Orders:
    """All orders of a stream, in stream order, as arrays of one entry each.

    ``packet`` int32; ``good`` bool (a malformed packet has one entry of zeros); ``player`` uint8; ``source`` int8
    (`SOURCES`); ``ai`` int16 (-1 none); ``ai_team`` int16 (-1 none); ``message`` int8 (`MESSAGES`); ``command_id``
    int32; ``options`` uint8; ``num_params`` int32; ``params``, where the parameters begin in ``data``; ``units`` and
    ``num_units`` int32, where the named units begin and how many they are (-1: the selection); ``pairwise`` int8 (-1
    where the message has no such field); ``timeout`` int32 and ``tracked`` int32, for the messages that
    ``with_timeout`` and ``TRACKED`` name. Places are int32, int64 past 2 GiB.
    """

    data: bytes
    with_timeout: tuple[bool, ...]
    packet: NDArray[np.int32]
    good: NDArray[np.bool_]
    player: NDArray[np.uint8]
    source: NDArray[np.int8]
    ai: NDArray[np.int16]
    ai_team: NDArray[np.int16]
    message: NDArray[np.int8]
    command_id: NDArray[np.int32]
    options: NDArray[np.uint8]
    num_params: NDArray[np.int32]
    params: NDArray[Any]
    units: NDArray[Any]
    num_units: NDArray[np.int32]
    pairwise: NDArray[np.int8]
    timeout: NDArray[np.int32]
    tracked: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.packet)

    def param(self, index: NDArray[Any] | int, rows: NDArray[Any] | slice = slice(None)) -> NDArray[np.float32]:
        """Parameter ``index`` of the orders ``rows``: float32, NaN where they have fewer."""
        counts = self.num_params[rows]
        index = np.broadcast_to(np.asarray(index, np.int64), counts.shape)
        has = (index >= 0) & (index < counts)
        result = np.full(counts.shape, np.nan, np.float32)
        result[has] = view(self.data, np.dtype("<f4"))[self.params[rows][has] + 4 * index[has]]
        return result

    @cached_property
    def param_lists(self) -> Lists:
        """All parameters: list<float32>."""
        return Lists(*gathered(self.data, self.params, self.num_params, "<f4"))


MESSAGES = ("COMMAND", "AICOMMAND", "AICOMMAND_TRACKED", "AICOMMANDS")
TRACKED, SEVERAL = 2, 3  #: their places in `MESSAGES`


def gathered(
    data: bytes, starts: NDArray[Any], counts: NDArray[Any], dtype: str
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """(offsets, values) of runs of ``counts`` numbers of ``dtype`` that begin at ``starts`` in ``data``."""
    kind = np.dtype(dtype)
    offsets = offsets_of(counts)
    total = int(offsets[-1]) * kind.itemsize
    # 32 bits serve wherever the places fit: half the memory to move.
    wide = np.int32 if len(data) + total < 1 << 31 else np.int64
    places = np.repeat((starts - offsets[:-1] * kind.itemsize).astype(wide), counts)
    places += np.arange(0, total, kind.itemsize, dtype=wide)
    return offsets, view(data, kind)[places]


def read_orders(match: Match) -> Orders:
    """Takes all orders out of the four messages that carry them. Raises LimitExceeded past ``limits.records``."""
    kinds = [match.messages[name] for name in MESSAGES[:SEVERAL]]
    parts = [_single(match, index, messages) for index, messages in enumerate(kinds)]
    parts.append(_several(match, match.messages["AICOMMANDS"]))
    parts = [part for part in parts if len(part["packet"])] or parts[:1]
    order: Any = slice(None)
    packet = np.concatenate([part["packet"] for part in parts])
    if len(parts) > 1:
        order = np.argsort(packet, kind="stable")
        packet = packet[order]
    joined = {name: np.concatenate([part[name] for part in parts])[order] for name in parts[0] if name != "packet"}
    with_timeout = (*("timeout" not in messages.missing for messages in kinds), False)
    return Orders(data=match.stream.data, with_timeout=with_timeout, packet=packet, **joined)


def _single(match: Match, index: int, messages: Messages) -> dict[str, NDArray[Any]]:
    count, good = len(messages), messages.good
    ai = messages["ai"].astype(np.int16) if index and "ai" not in messages.missing else np.full(count, NO_AI, np.int16)
    lua = ai == NO_AI
    named = index and "ai_team" not in messages.missing
    ai_team = messages["ai_team"].astype(np.int16) if named else np.full(count, NO_AI, np.int16)
    params = messages.body
    units = np.zeros(count, params.dtype)
    if index:
        # The unit is one of the fixed fields: it stands where its field stands.
        units = (match.stream.offset[messages.rows] + _unit_place(messages)).astype(params.dtype)
    return {
        "packet": messages.rows,
        "good": good,
        "player": messages["player"],
        "source": np.where(lua, np.int8(LUA), np.int8(AI)) if index else np.full(count, SELECTION, np.int8),
        "ai": np.where(lua, np.int16(-1), ai),
        "ai_team": np.where(lua | (ai_team == NO_AI), np.int16(-1), ai_team),
        "message": np.full(count, index, np.int8),
        "command_id": messages["command_id"],
        "options": messages["options"],
        "num_params": messages.length >> 2,
        "params": params,
        "units": units,
        "num_units": np.where(good, np.int32(1 if index else -1), np.int32(0)),
        "pairwise": np.full(count, -1, np.int8),
        "timeout": np.zeros(count, np.int32) if "timeout" in messages.missing else messages["timeout"],
        "tracked": messages["ai_command_id"] if index == TRACKED else np.zeros(count, np.int32),
    }


def _unit_place(messages: Messages) -> int:
    """Offset of the unit id from the message's first byte, in the layout that the file has."""
    from ksreplay.generated.dtypes import spring_packet as layouts

    dtype: np.dtype[np.void] = getattr(layouts, f"{messages.layout.upper()}_HEAD")
    return 1 + int(dtype.fields["unit"][1])  # type: ignore[index]


def _several(match: Match, messages: Messages) -> dict[str, NDArray[Any]]:
    stream = match.stream
    every = bool(messages.good.all())
    chosen = slice(None) if every else messages.good
    rows, whole = messages.rows[chosen], messages.records[chosen]
    bad = messages.rows[~messages.good]
    # Read while the messages were checked; nobody needs them again.
    entries, match.messages.entries = match.messages.entries, None
    if entries is None:
        records = whole if messages.raw is None else messages.raw[chosen]
        entries = read_entries(stream.data, stream.offset[rows], stream.size[rows], records)
    if len(entries.message) > match.limits.records:
        raise LimitExceeded(
            "the stream holds more orders than the limit `records`", code="stream-records", format=FORMAT,
            where="stream.AICOMMANDS", found=len(entries.message), expected=match.limits.records,
        )  # fmt: skip
    of = entries.message
    pairwise = np.zeros(len(rows), bool) if "pairwise" in messages.missing else whole["pairwise"] != 0
    ai = np.full(len(rows), NO_AI, np.uint8) if "ai" in messages.missing else whole["ai"]
    lua = ai == NO_AI
    units, num_units = entries.units[of], entries.num_units.astype(np.int32)[of]
    paired = pairwise[of]
    if pairwise.any():
        # Pairwise: order k goes to unit k, as far as there are units.
        pairs = np.flatnonzero(paired)
        index = pairs - offsets_of(entries.num_commands)[of[pairs]]
        units[pairs] += 2 * index.astype(units.dtype)
        num_units[pairs] = index < num_units[pairs]
    count, broken = len(of), len(bad)

    def with_bad(values: NDArray[Any], fill: Any = 0) -> NDArray[Any]:
        return np.concatenate([values, np.full(broken, fill, values.dtype)]) if broken else values

    # A message of a few kilobytes may give thousands of orders to thousands of units each.
    if (named := int(num_units.sum(dtype=np.int64))) > match.limits.records:
        raise LimitExceeded(
            "the stream's orders name more units than the limit `records`", code="stream-records", format=FORMAT,
            where="stream.AICOMMANDS", found=named, expected=match.limits.records,
        )  # fmt: skip
    return {
        "packet": np.concatenate([rows[of], bad]),
        "good": with_bad(np.ones(count, bool), False),
        "player": with_bad(whole["player"][of]),
        "source": with_bad(np.where(lua, np.int8(LUA), np.int8(AI))[of]),
        "ai": with_bad(np.where(lua, np.int16(-1), ai.astype(np.int16))[of], -1),
        "ai_team": with_bad(np.full(count, -1, np.int16), -1),
        "message": with_bad(np.full(count, SEVERAL, np.int8), SEVERAL),
        "command_id": with_bad(entries.command_id),
        "options": with_bad(entries.options),
        "num_params": with_bad(entries.num_params),
        "params": with_bad(entries.params),
        "units": with_bad(units),
        "num_units": with_bad(num_units),
        "pairwise": with_bad(paired.astype(np.int8), -1),
        "timeout": with_bad(np.zeros(count, np.int32)),
        "tracked": with_bad(np.zeros(count, np.int32)),
    }


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


def latest_selection(match: Match, player: NDArray[Any], packet: NDArray[Any]) -> NDArray[np.int32]:
    """Row of `selections` with each player's latest SELECT before that packet, -1 without one: int32."""
    messages = match.messages["SELECT"]
    good = np.flatnonzero(messages.good)
    keys = (messages["player"][good].astype(np.int64) << 32) | messages.rows[good]
    order = np.argsort(keys, kind="stable")
    wanted = (player.astype(np.int64) << 32) | packet
    place = np.searchsorted(keys[order], wanted) - 1
    found = place >= 0
    rows = np.full(len(wanted), -1, np.int32)
    candidates = good[order][place[found]]
    same = messages["player"][candidates] == player[found]
    rows[np.flatnonzero(found)[same]] = candidates[same]
    return rows


def selections(match: Match) -> Table:
    messages = match.messages["SELECT"]
    table = Columns(match, messages.rows).when()
    table.player(messages["player"], messages.good).team_of(messages["player"], messages.good)
    table.add("num_units", messages.length // 2, messages.good)
    offsets, values = gathered(match.stream.data, messages.body, messages.length // 2, "<i2")
    table.add("units", Lists(offsets, values, valid=None if messages.good.all() else messages.good))
    return Table.build(SELECTIONS, table.values, table.valid)


def teams_of(match: Match, orders: Orders) -> NDArray[np.int16]:
    """The team that an order is for: the AI's, else the one its player holds; -1 for none."""
    teams = match.teams_of(orders.player, orders.packet)
    return np.where(orders.ai_team >= 0, orders.ai_team, teams)


def commands(match: Match) -> Table:
    orders, aimed, good = match.orders, match.aims, match.orders.good
    every = None if good.all() else good
    table = Columns(match, orders.packet).when()
    table.player(orders.player, good)
    table.team(teams_of(match, orders), good)
    table.add("source", Strings.from_codes(np.where(good, orders.source, -1), SOURCES))
    table.add("ai", np.maximum(orders.ai, 0), orders.ai >= 0)
    table.add("message", Strings.from_codes(orders.message, MESSAGES))
    table.add("command_id", orders.command_id, every)
    table.add("command", command_names(orders.command_id, good))
    table.add("unit_def", np.where(orders.command_id < 0, -orders.command_id, 0), good & (orders.command_id < 0))
    table.add("options", orders.options, every)
    for name, bit in names.OPTION_BITS.items():
        table.add(name, (orders.options & bit) != 0, every)
    table.add("num_params", orders.num_params, every)
    params = orders.param_lists
    table.add("params", Lists(params.offsets, params.values, valid=every))
    named = orders.num_units >= 0
    offsets, units = gathered(orders.data, orders.units, np.maximum(orders.num_units, 0), "<i2")
    table.add("units", Lists(offsets, units, valid=named & good))
    selected = np.full(len(orders), -1, np.int32)
    mine = np.flatnonzero((orders.source == SELECTION) & good)
    selected[mine] = latest_selection(match, orders.player[mine], orders.packet[mine])
    table.add("selection", np.maximum(selected, 0), selected >= 0)
    table.add("pairwise", orders.pairwise > 0, good & (orders.pairwise >= 0))
    timed = np.array(orders.with_timeout)[orders.message] & good
    table.add("timeout", orders.timeout, timed)
    table.add("ai_command_id", orders.tracked, good & (orders.message == TRACKED))
    table.add("aim", Strings.from_codes(np.where(good, aimed.aim, -1), AIMS))
    placed = aimed.aim == names.Aim.PLACE
    table.add("aim_x", aimed.x, placed).add("aim_z", aimed.z, placed)
    table.add("kind", Strings.from_codes(aimed.kind, KINDS))
    return Table.build(COMMANDS, table.values, table.valid)


def command_names(command: NDArray[np.int32], good: NDArray[np.bool_]) -> Strings:
    """The name of each command: the engine's, BUILD, or CUSTOM."""
    entries = [*names.COMMANDS.values(), names.BUILD, names.CUSTOM]
    codes = np.full(256, len(entries) - 1, np.int32)
    codes[_BUILDS] = len(entries) - 2
    codes[list(names.COMMANDS)] = np.arange(len(names.COMMANDS))
    found = codes.take(_row(command))
    return Strings.from_codes(found if good.all() else np.where(good, found, -1), entries)

"""Build orders: what was asked to be built. An order that was cancelled or refused is listed like any other.

Source: seed 002, "Rules coilbox applies to build orders" and "Which units a player orders".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Strings
from ksreplay.semantics.spring import command_names as names
from ksreplay.semantics.spring.carriers import MESSAGES, SELECTION, SOURCES
from ksreplay.semantics.spring.columns import PLAYER, TEAM, WHEN, Columns, schema
from ksreplay.semantics.spring.match import Match
from ksreplay.table import Column, Table

SLOTS = ("replace", "append", "front", "insert_at", "insert_at_tag")
_REPLACE, _APPEND, _FRONT, _INSERT, _INSERT_TAG = range(5)

BUILD_ORDERS = schema(
    "build_orders",
    *WHEN,
    *PLAYER,
    *TEAM,
    Column("source", "string", meaning="selection, lua or ai"),
    Column("ai", "int16", nullable=True, meaning="number of the skirmish AI that gave it"),
    Column("message", "string", meaning="message that carried it"),
    Column("unit_def", "int64", meaning="definition: entry unit_def - 1 of the match's unit list"),
    Column(
        "unit_name", "string", nullable=True, meaning="its key, where the game sent its unit list (unit_definitions)"
    ),
    Column("placed", "bool", meaning="has a place; otherwise it goes to a factory's queue"),
    Column("x", "float32", nullable=True, unit="elmos", meaning="from the west edge"),
    Column("y", "float32", nullable=True, unit="elmos", meaning="height"),
    Column("z", "float32", nullable=True, unit="elmos", meaning="from the north edge"),
    Column("facing", "int8", nullable=True, meaning="0 south, 1 east, 2 north, 3 west"),
    Column("count", "int32", unit="units", meaning="1, or 5, 20, 100 by the keys held for a factory"),
    Column("removal", "bool", meaning="takes units off a factory's queue"),
    Column("slot", "string", meaning="replace, append, front, insert_at or insert_at_tag: where it goes in the queue"),
    Column("slot_position", "int32", nullable=True, meaning="queue position of insert_at, negative from the end"),
    Column("slot_tag", "int64", nullable=True, meaning="command tag of insert_at_tag"),
    Column("slot_after", "bool", nullable=True, meaning="after that tag, not before it"),
    Column("inserted", "bool", meaning="was wrapped in an INSERT"),
    Column("builders", "int32", unit="units", meaning="units it was given to, orders of one widget folded"),
    Column("options", "uint8", meaning="the build order's own option bits"),
    meaning=(
        "What was asked to be built: one row an order, orders of a widget to several builders folded into one, "
        "removals from a factory's queue included and marked. Orders are not buildings."
    ),
)
UNITS_ORDERED = schema(
    "units_ordered",
    Column("player", "uint8", meaning="number of the player, for an AI the player who hosts it"),
    Column("player_name", "string", nullable=True, meaning="name of the player"),
    Column("ai_team", "int16", nullable=True, meaning="team of the AI, whose orders are not the host's"),
    Column("ai_team_name", "string", nullable=True, meaning="name of the AI's team"),
    Column("unit_def", "int64", meaning="definition: entry unit_def - 1 of the match's unit list"),
    Column("unit_name", "string", nullable=True, meaning="its key, where the game sent its unit list"),
    Column("placed", "int64", unit="orders", meaning="orders with a place"),
    Column("queued", "int64", unit="orders", meaning="orders to a factory"),
    Column("units", "int64", unit="units", meaning="how many those orders asked for"),
    Column("removals", "int64", unit="orders", meaning="orders that took units off a queue; not subtracted"),
    meaning="What each player and AI asked for, added up: one row a seat and definition.",
)


@dataclass(frozen=True)
class Builds:
    """Build orders after folding, as arrays of one entry each (names as in the table), in stream order.

    ``order``: index into the match's orders of the first one folded; ``ai_team`` int16, -1 for a player's own;
    ``slot`` int8 (`SLOTS`); ``facing`` int8, -1 none; ``team`` int16, -1 none.
    """

    order: NDArray[np.int64]
    packet: NDArray[np.int32]
    frame: NDArray[np.int32]
    player: NDArray[np.uint8]
    team: NDArray[np.int16]
    source: NDArray[np.int8]
    ai: NDArray[np.int16]
    ai_team: NDArray[np.int16]
    unit_def: NDArray[np.int64]
    placed: NDArray[np.bool_]
    x: NDArray[np.float32]
    y: NDArray[np.float32]
    z: NDArray[np.float32]
    facing: NDArray[np.int8]
    count: NDArray[np.int32]
    removal: NDArray[np.bool_]
    slot: NDArray[np.int8]
    slot_value: NDArray[np.int64]
    slot_after: NDArray[np.bool_]
    inserted: NDArray[np.bool_]
    builders: NDArray[np.int32]
    options: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.packet)


def read_builds(match: Match) -> Builds:
    """The build orders of a match, removals from factory queues included and marked."""
    orders = match.orders
    inserts = np.flatnonzero((orders.command_id == names.INSERT) & orders.good & (orders.num_params >= 3))
    wrapped = orders.param(1, inserts)
    isbuild = np.isfinite(wrapped) & (wrapped < 0) & (wrapped > -(2.0**31))
    inserts, wrapped = inserts[isbuild], wrapped[isbuild].astype(np.int64)
    building = (orders.command_id < 0) & orders.good
    building[inserts] = True
    rows = np.flatnonzero(building)
    command = orders.command_id[rows].astype(np.int64)
    inserted = command == names.INSERT
    start = np.where(inserted, 3, 0)
    command[inserted] = wrapped
    own = orders.options[rows].astype(np.int64)
    options = own.copy()
    inner = orders.param(2, rows[inserted])
    options[inserted] = np.where(np.isfinite(inner) & (np.abs(inner) < 2**31), inner, 0).astype(np.int64) & 0xFF
    left = orders.num_params[rows].astype(np.int64) - start
    placed = left >= 3
    x, y, z = (np.where(placed, orders.param(start + i, rows), np.nan).astype(np.float32) for i in range(3))
    turn = orders.param(start + 3, rows)
    faced = (left == 4) & np.isfinite(turn) & (np.abs(turn) < 2.0**62)
    # The engine takes the whole part, without its sign.
    facing = np.where(faced, np.abs(np.where(faced, turn, 0).astype(np.int64)) % 4, -1).astype(np.int8)
    count = np.where(placed, 1, np.where(options & names.SHIFT, 5, 1) * np.where(options & names.CONTROL, 20, 1))
    removal = ~placed & ~inserted & ((options & names.RIGHT_MOUSE) != 0)
    front = np.where(options & names.ALT, _FRONT, _APPEND)
    slot = np.where(placed, np.where(options & names.SHIFT, _APPEND, _REPLACE), front)
    by_place = (own & names.ALT) != 0
    slot = np.where(inserted, np.where(by_place, _INSERT, _INSERT_TAG), slot).astype(np.int8)
    where = orders.param(0, rows)
    usable = inserted & np.isfinite(where) & (np.abs(where) < 2.0**31)
    slot_value = np.where(usable, where, 0).astype(np.int64)
    of, carriers = orders.of[rows], orders.carriers
    # Each order of a pairwise packet is for one unit, also where there are fewer units than orders.
    builders = np.where(carriers.pairwise[of] > 0, 1, orders.named(rows)).astype(np.int32)
    chosen = match.order_selections[of]
    selected = np.flatnonzero(chosen >= 0)
    builders[selected] = match.messages["SELECT"].length[chosen[selected]] // 2
    builds = Builds(
        rows, carriers.packet[of], carriers.frame[of], carriers.player[of], match.order_teams[of],
        carriers.source[of], carriers.ai[of], carriers.ai_team[of], -command, placed, x, y, z, facing,
        count.astype(np.int32), removal, slot, slot_value, inserted & ((own & names.RIGHT_MOUSE) != 0), inserted,
        builders, options.astype(np.uint8),
    )  # fmt: skip
    return _folded(builds)


def _folded(builds: Builds) -> Builds:
    """Placed orders of a widget or AI that are equal in one frame become one, with their builders added up."""
    mine = np.flatnonzero(builds.placed & (builds.source != SELECTION))
    if len(mine) < 2:
        return builds
    parts = [
        builds.frame, builds.player, builds.team, builds.source, builds.ai, builds.ai_team, builds.unit_def,
        builds.x.view(np.int32), builds.y.view(np.int32), builds.z.view(np.int32), builds.facing, builds.count,
        builds.slot, builds.slot_value, builds.slot_after, builds.options,
    ]  # fmt: skip
    columns = [np.asarray(part, np.int64)[mine] for part in parts]
    # Rows are told apart by a hash, and the groups it makes are then compared field by field.
    key = np.zeros(len(mine), np.uint64)
    for column in columns:
        key = (key ^ column.view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    _, first, of = np.unique(key, return_index=True, return_inverse=True)
    of = of.reshape(-1)
    if not all((column[first[of]] == column).all() for column in columns):
        rows = np.ascontiguousarray(np.stack(columns, axis=1))
        blocks = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).reshape(-1)
        _, first, of = np.unique(blocks, return_index=True, return_inverse=True)
    builds.builders[mine[first]] = np.bincount(of.reshape(-1), weights=builds.builders[mine], minlength=len(first))
    keep = np.ones(len(builds), bool)
    keep[mine] = False
    keep[mine[first]] = True
    if keep.all():
        return builds
    values: dict[str, Any] = {name: getattr(builds, name)[keep] for name in Builds.__dataclass_fields__}
    return Builds(**values)


def build_orders(match: Match) -> Table:
    builds = match.builds
    table = Columns(match, builds.packet, builds.frame).when()
    table.player(builds.player).team(builds.team)
    table.add("source", Strings.from_codes(builds.source, SOURCES))
    table.add("ai", np.maximum(builds.ai, 0), builds.ai >= 0)
    table.add("message", Strings.from_codes(match.orders.carriers.message[match.orders.of[builds.order]], MESSAGES))
    table.add("unit_def", builds.unit_def).add("unit_name", match.unit_names(builds.unit_def))
    table.add("placed", builds.placed)
    for axis in ("x", "y", "z"):
        table.add(axis, np.nan_to_num(getattr(builds, axis)), builds.placed)
    table.add("facing", np.maximum(builds.facing, 0), builds.facing >= 0)
    table.add("count", builds.count).add("removal", builds.removal)
    table.add("slot", Strings.from_codes(builds.slot, SLOTS))
    at, tag = builds.slot == _INSERT, builds.slot == _INSERT_TAG
    table.add("slot_position", np.where(at, builds.slot_value, 0).astype(np.int32), at)
    table.add("slot_tag", np.where(tag, builds.slot_value, 0), tag)
    table.add("slot_after", builds.slot_after, tag)
    table.add("inserted", builds.inserted).add("builders", builds.builders).add("options", builds.options)
    return Table.build(BUILD_ORDERS, table.values, table.valid)


def units_ordered(match: Match) -> Table:
    builds = match.builds
    # Seat and definition as one number: the AI's team + 1, the player, and the definition, which has 31 bits.
    key = (builds.ai_team.astype(np.int64) + 1) << 40 | builds.player.astype(np.int64) << 32 | builds.unit_def
    found, of = np.unique(key, return_inverse=True)
    of = of.reshape(-1)
    groups = np.stack([(found >> 40) - 1, (found >> 32) & 0xFF, found & 0xFFFFFFFF], axis=1)

    def total(weights: NDArray[Any]) -> NDArray[np.int64]:
        return np.bincount(of, weights=weights, minlength=len(groups)).astype(np.int64)

    asked = ~builds.removal
    placed, queued = total(builds.placed & asked), total(~builds.placed & asked)
    units, removals = total(np.where(asked, builds.count, 0)), total(builds.removal)
    # Players first, then AIs, each by number and definition.
    order = np.lexsort((groups[:, 2], groups[:, 1], groups[:, 0], groups[:, 0] >= 0))
    groups = groups[order]
    ai_team, player = groups[:, 0].astype(np.int16), groups[:, 1].astype(np.uint8)
    columns = {
        "player": player,
        "player_name": match.names(player),
        "ai_team": np.maximum(ai_team, 0),
        "ai_team_name": match.names_of_teams(ai_team),
        "unit_def": groups[:, 2],
        "unit_name": match.unit_names(groups[:, 2]),
        "placed": placed[order],
        "queued": queued[order],
        "units": units[order],
        "removals": removals[order],
    }
    return Table.build(UNITS_ORDERED, columns, {"ai_team": ai_team >= 0})

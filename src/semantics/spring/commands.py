"""The tables of orders and selections. Orders are not buildings.

Source: seed 002, "The demo stream".
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Derived, Lists, Strings
from ksreplay.semantics.spring import command_names as names
from ksreplay.semantics.spring.aims import AIMS, KINDS
from ksreplay.semantics.spring.carriers import MESSAGES, SELECTION, SOURCES, TRACKED
from ksreplay.semantics.spring.columns import PLAYER, TEAM, WHEN, Columns, schema
from ksreplay.semantics.spring.match import Match
from ksreplay.semantics.spring.orders import gathered
from ksreplay.table import Column, Table

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
    table = Columns(match, carriers.packet, carriers.frame).when()
    table.player(carriers.player, sound)
    table.team(match.order_teams, sound)
    table.add("source", Strings.from_codes(carriers.source, SOURCES))
    table.add("ai", np.maximum(carriers.ai, 0), carriers.ai >= 0)
    table.add("message", Strings.from_codes(carriers.message, MESSAGES))
    table.add("selection", np.maximum(match.order_selections, 0), match.order_selections >= 0)
    table.add("pairwise", carriers.pairwise > 0, sound & (carriers.pairwise >= 0))
    table.add("timeout", carriers.timeout, np.array(carriers.with_timeout)[carriers.message] & sound)
    table.add("ai_command_id", carriers.tracked, sound & (carriers.message == TRACKED))
    table = table.spread(orders.of)
    every = None if sound.all() else orders.good
    builds = orders.command_id < 0
    table.add("command_id", orders.command_id, every)
    table.add("command", Strings.from_codes(aimed.command, names.NAMES))
    table.add("unit_def", Derived(orders.command_id, _built), builds)
    table.add("options", orders.options, every)
    for name, bit in names.OPTION_BITS.items():
        table.add(name, Derived(orders.options, partial(_has, bit)), every)
    table.add("num_params", orders.num_params, every)
    table.add("params", Lists(orders.params_at, orders.params), every)
    table.add("units", Lists(orders.units_at, orders.units), table.values["source"].codes > SELECTION)
    table.add("aim", Strings.from_codes(aimed.aim if every is None else np.where(every, aimed.aim, -1), AIMS))
    placed = aimed.aim == names.Aim.PLACE
    table.add("aim_x", aimed.x, placed).add("aim_z", aimed.z, placed)
    table.add("kind", Strings.from_codes(aimed.kind, KINDS))
    return Table.build(COMMANDS, table.values, table.valid)


def _built(command: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.where(command < 0, -command, np.int32(0))


def _has(bit: int, options: NDArray[np.uint8]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (options & np.uint8(bit)) != 0
    return found

"""The tables of a replay: their columns, and how they are made from a payload."""

from __future__ import annotations

from typing import Any

import numpy as np

from ksreplay.columns import Strings
from ksreplay.formats.crd_commands import COMMAND_NAMES, NO_CHOICE
from ksreplay.formats.crd_schema import Payload
from ksreplay.formats.crd_ticks import AXES
from ksreplay.semantics.crd import flags as words
from ksreplay.semantics.crd import holds, names
from ksreplay.semantics.crd.stats import player_stats
from ksreplay.table import Column, Schema, Table

_TICK = "seed 001, Tick"
_FLAGS = "seed 001, Tick; crd-format §4"
_RESULT = "seed 001, RunResult"
_STATS = "crd-format §12"
_NAMES = "crd-format §9"

TICKS = Schema(
    "ticks",
    (
        Column("tick", "int32", meaning="number of the tick, from 0; one lasts 1/60 s of real time", source=_TICK),
        Column("commands", "uint16", meaning="commands given in the tick", source=_TICK),
    ),
    meaning="one row a tick",
    source=_TICK,
)

INPUTS = Schema(
    "inputs",
    (
        Column("tick", "int32", meaning="number of the tick", source=_TICK),
        Column("player", "uint8", meaning="seat of the player", source=_TICK),
        Column("move_x", "float32", True, meaning="movement axis, or the target of a point-click move", source=_TICK),
        Column("move_y", "float32", True, meaning="movement axis, or the target of a point-click move", source=_TICK),
        Column("aim_x", "float32", True, "world units", "aim point; screen cursor or stick by scheme", _TICK),
        Column("aim_y", "float32", True, "world units", "aim point; screen cursor or stick by scheme", _TICK),
        Column("flags", "uint32", True, meaning="the flag word as stored", source=_FLAGS),
        *(Column(bit.name, "bool", True, meaning=bit.meaning, source=_FLAGS) for bit in words.BITS),
        Column("move_keys_present", "bool", True, meaning="the word says which movement keys are down", source=_FLAGS),
        Column("movement_mode", "int8", True, meaning="movement mode in force, stated or implied", source=_FLAGS),
        Column("movement_mode_name", "string", True, meaning="its name", source=_NAMES),
        Column("movement_mode_stated", "bool", True, meaning="the word states it", source=_FLAGS),
        Column(
            "aim_scheme", "int8", True, meaning="aim scheme in force, stated or the mouse; -1 unknown", source=_FLAGS
        ),
        Column("aim_scheme_name", "string", True, meaning="its name", source=_NAMES),
        Column("aim_scheme_stated", "bool", True, meaning="the word states it", source=_FLAGS),
    ),
    meaning="one row a tick and player: what the controls said; null where a damaged tick does not say",
    source=_TICK,
)

COMMANDS = Schema(
    "commands",
    (
        Column("tick", "int32", meaning="tick the command belongs to", source=_TICK),
        Column(
            "type", "string", meaning="perk_menu_open, perk_pick, typo_char, typo_backspace, typo_submit", source=_TICK
        ),
        Column("player", "uint8", True, meaning="seat of the player who gave it", source=_TICK),
        Column("choice_index", "uint8", True, meaning="perk_pick: which offered choice", source=_TICK),
        Column("ch", "string", True, meaning="typo_char: the typed character", source=_TICK),
    ),
    meaning="one row a command, in file order",
    source=_TICK,
)

PLAYERS = Schema(
    "players",
    (
        Column("player", "uint8", meaning="seat", source=_RESULT),
        Column("experience", "int64", True, meaning="experience points; null where beyond int64", source=_RESULT),
        Column("health", "float32", True, meaning="health after the last tick", source=_RESULT),
        Column("most_used_weapon_id", "int32", True, meaning="weapon id", source=_RESULT),
        Column("most_used_weapon", "string", True, meaning="its name", source=_NAMES),
        Column("seat_key", "binary", True, "", "Ed25519 public key of the seat", "seed 001, Payload", True),
    ),
    meaning="one row a player of the result",
    source=_RESULT,
)

WEAPON_USAGE = Schema(
    "weapon_usage",
    (
        Column("weapon_id", "uint8", meaning="weapon id: the place in the list", source="seed 001, RunSpec"),
        Column("weapon", "string", True, meaning="its name", source=_NAMES),
        Column(
            "count", "uint32", True, meaning="uses before the run, as the save had them", source="seed 001, RunSpec"
        ),
    ),
    meaning="one row a weapon: the save's usage counts at run start, which steer drops",
    source="seed 001, RunSpec (RunStatus)",
)

_QUEST = "seed 001, RunSpec (CustomQuest)"
SPAWN_ENTRIES = Schema(
    "spawn_entries",
    (
        Column("entry", "int32", meaning="place in the list", source=_QUEST),
        Column("x", "float32", True, "world units", "where", _QUEST),
        Column("y", "float32", True, "world units", "where", _QUEST),
        Column("heading", "float32", True, "radians", "direction it faces", _QUEST),
        Column("spawn_id", "int32", True, meaning="spawn template", source=_QUEST),
        Column("template", "string", True, meaning="its name", source=_NAMES),
        Column("creature", "string", True, meaning="the creature type of the template", source=_NAMES),
        Column("trigger_ms", "int32", True, "ms", "quest time it spawns at", _QUEST),
        Column("count", "int32", True, meaning="copies", source=_QUEST),
    ),
    meaning="one row a spawn entry of the custom quest that is played; none without one",
    source=_QUEST,
)

HOLDS = Schema(
    "holds",
    (
        Column("player", "uint8", meaning="seat of the player", source=_FLAGS),
        Column("what", "string", meaning="the key that was held, or movement_mode or aim_scheme", source=_FLAGS),
        Column("value", "int8", meaning="1 for a key, the id for a mode", source=_FLAGS),
        Column("first_tick", "int32", meaning="tick the run starts with", source=_FLAGS),
        Column("num_ticks", "int32", unit="ticks", meaning="how long it lasts", source=_FLAGS),
    ),
    meaning="one row an unbroken run of a held key or of a mode in force",
    source=_FLAGS,
)

PLAYER_STATS = Schema(
    "player_stats",
    (
        Column("player", "uint8", meaning="seat of the player", source=_STATS),
        Column("fire_presses", "int32", meaning="ticks in which fire went down", source=_STATS),
        Column("fire_ticks", "int32", unit="ticks", meaning="fire held", source=_STATS),
        Column("reload_presses", "int32", meaning="ticks in which reload went down", source=_STATS),
        Column("reload_ticks", "int32", unit="ticks", meaning="reload held", source=_STATS),
        Column("moving_ticks", "int32", unit="ticks", meaning="ticks with a movement axis off zero", source=_STATS),
        Column("direction_changes", "int32", meaning="changes of the movement's direction", source=_STATS),
        Column("aim_distance", "float64", unit="world units", meaning="way of the aim under mouse aim", source=_STATS),
        Column("aim_distance_per_second", "float64", unit="world units/s", meaning="per real second", source=_STATS),
        Column("perk_picks", "int32", meaning="perks picked", source=_STATS),
        Column("typed_chars", "int32", meaning="characters typed in Typ-o", source=_STATS),
        Column("typed_words", "int32", meaning="words submitted in Typ-o", source=_STATS),
        Column("one_tick_presses", "int32", meaning="fire held for one tick; a signal over 50", source=_STATS),
        Column(
            "exact_length_share", "float64", True, meaning="off-axis pad moves of length 1; a signal over 0.5",
            source=_STATS,
        ),
        Column("reversals_per_minute", "float64", True, meaning="turns over 90°; a signal over 30", source=_STATS),
        Column(
            "aim_jump_p99", "float64", True, "world units", "99th percentile of the aim's steps; a signal over 120",
            _STATS,
        ),
        Column("signals", "list<string>", meaning="which of the four are past their limits", source=_STATS),
    ),
    meaning="one row a player: how the controls were used, and the signals moderators look at",
    source=_STATS,
)  # fmt: skip


def ticks_table(payload: Payload) -> Table:
    ticks = payload.ticks
    counts = np.bincount(np.array(ticks.commands.tick, np.int64), minlength=len(ticks))[: len(ticks)]
    return Table.build(TICKS, {"tick": np.arange(len(ticks), dtype=np.int32), "commands": np.minimum(counts, 0xFFFF)})


def inputs_table(payload: Payload) -> Table:
    """Rows in the order of tick, then player."""
    ticks = payload.ticks
    flags = ticks.flags.reshape(-1)
    axes = ticks.axes.reshape(-1, 4)
    known = ticks.inputs_at.reshape(-1) >= 0
    movement, aim = words.movement_mode(flags), words.aim_scheme(flags)
    movements, aims = names.movement_modes(), names.aim_schemes()
    columns: dict[str, Any] = {
        "tick": np.repeat(np.arange(len(ticks), dtype=np.int32), ticks.num_players),
        "player": np.tile(np.arange(ticks.num_players, dtype=np.uint8), len(ticks)),
        **{name: axes[:, place] for place, name in enumerate(AXES)},
        "flags": flags,
        **{bit.name: words.bit(flags, bit.name) for bit in words.BITS},
        "move_keys_present": flags & np.uint32(words.MOVE_KEYS_PRESENT) != 0,
        "movement_mode": movement,
        "movement_mode_name": Strings.from_codes(movement, [movements.get(i, "") for i in range(max(movements) + 1)]),
        "movement_mode_stated": flags & np.uint32(words.MOVE_MODE_PRESENT) != 0,
        "aim_scheme": aim,
        "aim_scheme_name": Strings.from_codes(aim + 1, [aims.get(i - 1, "") for i in range(max(aims) + 2)]),
        "aim_scheme_stated": flags & np.uint32(words.AIM_PRESENT) != 0,
    }
    valid = {} if known.all() else {column.name: known for column in INPUTS if column.nullable}
    for name in AXES:
        if not known.all():
            valid[name] = known & ~np.isnan(columns[name])
    return Table.build(INPUTS, columns, valid)


def commands_table(payload: Payload) -> Table:
    commands = payload.ticks.commands
    player = np.array(commands.player, np.int16)
    choice = np.array(commands.choice, np.int16)
    return Table.build(
        COMMANDS,
        {
            "tick": np.array(commands.tick, np.int32),
            "type": Strings.from_codes(np.array(commands.kind, np.int32), COMMAND_NAMES),
            "player": np.maximum(player, 0).astype(np.uint8),
            "choice_index": np.maximum(choice, 0).astype(np.uint8),
            "ch": Strings.from_list(commands.char),
        },
        {"player": player >= 0, "choice_index": choice != NO_CHOICE},
    )


def _fitting(value: Any, dtype: str) -> Any:
    """An integer of the file where the column can hold it, else null."""
    bounds = np.iinfo(dtype)
    return value if isinstance(value, int) and bounds.min <= value <= bounds.max else None


def players_table(payload: Payload) -> Table:
    keys = payload.values.get("seat_keys") or []
    rows = []
    for seat, player in enumerate(payload.result.get("players") or []):
        player = player or {}
        weapon = player.get("most_used_weapon_id")
        rows.append(
            {
                "player": seat,
                "experience": _fitting(player.get("experience"), "int64"),
                "health": player.get("health"),
                "most_used_weapon_id": _fitting(weapon, "int32"),
                "most_used_weapon": names.weapon(weapon),
                "seat_key": keys[seat] if seat < len(keys) else None,
            }
        )
    with np.errstate(over="ignore"):
        return Table.from_rows(PLAYERS, rows)


def weapon_usage_table(payload: Payload) -> Table:
    counts = (payload.run.get("status") or {}).get("weapon_usage_counts") or []
    return Table.from_rows(
        WEAPON_USAGE,
        (
            {"weapon_id": weapon, "weapon": names.weapon(weapon), "count": _fitting(count, "uint32")}
            for weapon, count in enumerate(counts)
        ),
    )


def spawn_entries(newest: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of the custom quest that the run plays."""
    return [entry or {} for entry in (newest["run"].get("custom_quest") or {}).get("entries") or []]


def spawn_entries_table(newest: dict[str, Any]) -> Table:
    with np.errstate(over="ignore"):
        return Table.from_rows(
            SPAWN_ENTRIES,
            (
                {
                    "entry": place,
                    "x": (entry.get("pos") or {}).get("x"),
                    "y": (entry.get("pos") or {}).get("y"),
                    "heading": entry.get("heading"),
                    "spawn_id": _fitting(entry.get("spawn_id"), "int32"),
                    "template": names.spawn_template(entry.get("spawn_id")),
                    "creature": names.creature(entry.get("spawn_id")),
                    "trigger_ms": _fitting(entry.get("trigger_ms"), "int32"),
                    "count": _fitting(entry.get("count"), "int32"),
                }
                for place, entry in enumerate(spawn_entries(newest))
            ),
        )


def holds_table(payload: Payload) -> Table:
    found = holds.find(payload.ticks.flags)
    return Table.build(
        HOLDS,
        {
            "player": found.player,
            "what": Strings.from_codes(found.kind, holds.KEYS + holds.MODES),
            "value": found.value,
            "first_tick": found.first_tick,
            "num_ticks": found.num_ticks,
        },
    )


def player_stats_table(payload: Payload) -> Table:
    return Table.from_rows(
        PLAYER_STATS,
        (
            {name: getattr(stats, name) for name in PLAYER_STATS.names if name != "signals"}
            | {"signals": list(stats.signals)}
            for stats in player_stats(payload.ticks)
        ),
    )

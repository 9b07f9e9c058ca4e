"""Messages of a game's Lua code: what kind they are, and the two kinds whose content Beyond All Reason makes readable.

Source: seed 002, "The demo stream"; payload prefixes as real files have them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.columns import Spans, Strings, looked_up, offsets_of, view
from ksreplay.errors import Severity
from ksreplay.formats import spring_rules
from ksreplay.formats.inflate import Blocks
from ksreplay.formats.spring import FORMAT, Data
from ksreplay.semantics.spring.columns import PLAYER, WHEN, Columns, coded, schema
from ksreplay.semantics.spring.match import Match, enum_names
from ksreplay.table import Column, Table
from ksreplay.threads import share

_GAME = "Beyond All Reason, luarules and luaui"

#: Beginning of a payload -> kind. Longer ones stand before those that they begin with.
PREFIXES: tuple[tuple[bytes, str], ...] = (
    (b"\xc2\xa3", "mouse"),
    (b"=", "camera"),
    (b"@", "frames_per_second"),
    (b"^", "activity"),
    (b"??cos", "selected_units"),
    (b"pc", "pc"),
    (b"AutoColors", "colours"),
    (b"unitdefs:", "unit_definitions"),
    (b"$y$", "system"),
    (b"changeStartUnit", "start_unit"),
    (b"xmas", "xmas"),
    (b"DraftOrder", "draft_order"),
)
KINDS = (*(kind for _, kind in PREFIXES), "other")
_OTHER = len(PREFIXES)
MODES = {0: "everyone", ord("a"): "allies", ord("s"): "spectators"}

LUA_MESSAGES = schema(
    "lua_messages",
    *WHEN,
    *PLAYER,
    Column("script", "uint16", nullable=True, meaning="which of the game's scripts it is for"),
    Column("script_name", "string", nullable=True, meaning="rules, gaia, ui and so on"),
    Column("mode", "uint8", nullable=True, meaning="who gets a LuaUI message, as it is"),
    Column("audience", "string", nullable=True, meaning="everyone, allies or spectators"),
    Column("size", "int32", nullable=True, unit="bytes", meaning="size of the payload"),
    Column(
        "kind", "string", nullable=True, meaning="what the payload's beginning says it is, other where nothing does"
    ),
    Column("payload", "binary", nullable=True, private=True, meaning="the payload as it is"),
    meaning="Messages of the game's Lua code: one row a LUAMSG packet.",
)
UNIT_DEFINITIONS = schema(
    "unit_definitions",
    Column("id", "int64", meaning="definition id, as build orders name it"),
    Column("name", "string", meaning="key of the unit"),
    meaning="The match's unit list, where its game sends it: one row a definition.",
    source=_GAME,
)
COLOURS = schema(
    "colours",
    *WHEN,
    *PLAYER,
    Column("team", "int32", meaning="team that the colour is for"),
    Column("team_name", "string", nullable=True, meaning="who plays it; null for the game's own (Gaia)"),
    Column("colour", "string", meaning="as #rrggbb"),
    meaning="The colours that players see (AutoColors), where the game sends them: one row a message and team.",
    source=_GAME,
    version=2,
)


#: The kind that a payload's first byte leaves: all prefixes differ in it.
_POSSIBLE = np.full(256, _OTHER, np.int8)
_POSSIBLE[[prefix[0] for prefix, _ in PREFIXES]] = np.arange(_OTHER)
#: By kind the first four bytes of its prefix as one number, and its bits in there.
_BEGINNINGS, _MASKS = (
    np.array([int.from_bytes(text[:4], "little") for text in texts], np.uint32).view(np.int32)
    for texts in (
        [*(prefix for prefix, _ in PREFIXES), b""],
        [*(b"\xff" * len(prefix) for prefix, _ in PREFIXES), b""],
    )
)
#: Payloads that are worth a thread.
_LEAST = 1 << 15


compiled = partial(kernels.compiled, "prefixes")


def kinds(
    data: Data, start: NDArray[Any], length: NDArray[np.int32], *, kernel: Callable[[], ModuleType | None] = compiled
) -> NDArray[np.int8]:
    """The kind of each payload by its beginning: index into `KINDS`."""
    if start.dtype == np.int32 and (chosen := kernel()) is not None:
        prefixes = np.frombuffer(b"".join(prefix for prefix, _ in PREFIXES), np.uint8)
        places = offsets_of(np.array([*(len(prefix) for prefix, _ in PREFIXES), 0]), np.int32)
        words, found = view(data, np.dtype("<i4")), np.empty(len(start), np.int8)
        share(
            lambda low, high: chosen.kinds(
                data, words, start, length, low, high, _POSSIBLE, _BEGINNINGS, _MASKS, prefixes, places, found
            ),
            len(start), _LEAST,
        )  # fmt: skip
        return found
    if not len(start):
        return np.empty(0, np.int8)
    # Two bytes at once, for two are all that most prefixes have.
    words = view(data, np.dtype("<u2"))[np.minimum(start, np.int32(len(data) - 2))]
    if int(start[-1]) == len(data) - 1:  # one byte that ends the file
        words[-1] >>= 8
    result = looked_up(words.astype(np.uint8), _POSSIBLE)
    result[length <= 0] = _OTHER
    for index, (prefix, _) in enumerate(PREFIXES):
        if len(prefix) > 1:
            wrong = result == index
            if len(prefix) == 2:
                wrong &= (words != int.from_bytes(prefix, "little")) | (length < 2)
                result[wrong] = _OTHER
            elif len(rows := np.flatnonzero(wrong)):
                result[rows[~_begins(data, start[rows], length[rows], prefix)]] = _OTHER
    return result


def _begins(data: Data, start: NDArray[Any], length: NDArray[Any], prefix: bytes) -> NDArray[np.bool_]:
    """Which of the spans begin with ``prefix``."""
    fits = length >= len(prefix)
    inside = start[fits]
    same = np.ones(len(inside), bool)
    for place, byte in enumerate(prefix[1:], 1):
        same &= view(data, np.dtype(np.uint8))[inside + place] == byte
    fits[fits] = same
    return fits


def lua_messages(match: Match) -> Table:
    messages = match.messages["LUAMSG"]
    good = messages.good
    every = None if good.all() else good
    table = Columns(match, messages).when().player(messages["player"], every)
    table.fields(messages, "script", "mode")
    table.add("script_name", coded(messages["script"], enum_names("lua_script"), every))
    table.add("audience", coded(messages["mode"], MODES, every))
    table.add("size", messages.length, every)
    codes = match.lua_kinds
    table.add("kind", Strings.from_codes(codes if every is None else np.where(good, codes, np.int8(-1)), KINDS))
    if match.private:
        table.add("payload", Spans(match.stream.data, messages.body, messages.length), every)
    return Table.build(LUA_MESSAGES, table.values, table.valid)


def unit_list(match: Match) -> list[str]:
    """The names of the match's unit definitions: id n is entry n - 1. Empty where the game does not send them."""
    messages, blocks = match.messages["LUAMSG"], Blocks(match.limits, FORMAT)
    kind = KINDS.index("unit_definitions")
    for row in np.flatnonzero(match.lua_kinds == kind).tolist():
        at = int(messages.body[row]) + len(PREFIXES[kind][0])
        end = int(messages.body[row]) + int(messages.length[row])
        where = f"stream.packet[{int(messages.rows[row])}].LUAMSG"
        inflated = blocks.inflate(match.stream.part(at, end), where=where, offset=at)
        if inflated.problem is not None:
            match.problems.absorb(inflated.problem, Severity.WARNING)
            continue
        try:
            names = json.loads(inflated.data)
        except (ValueError, RecursionError):
            match.problems.add(spring_rules.UNIT_LIST.problem(where, at))
            continue
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return names
        match.problems.add(spring_rules.UNIT_LIST.problem(where, at))
    return []


def unit_definitions(match: Match) -> Table:
    names = match.unit_list
    columns = {"id": np.arange(1, len(names) + 1), "name": Strings.from_list(names)}
    return Table.build(UNIT_DEFINITIONS, columns)


def colours(match: Match) -> Table:
    messages = match.messages["LUAMSG"]
    kind = KINDS.index("colours")
    found: list[tuple[int, int, str]] = []
    read: dict[bytes, list[tuple[int, str]]] = {}  # every client sends the same
    for row in np.flatnonzero(match.lua_kinds == kind).tolist():
        start = int(messages.body[row])
        text = match.stream.part(start + len(PREFIXES[kind][0]), start + int(messages.length[row]))
        if text not in read:
            read[text] = _colours_of(text)
        found += [(row, *team) for team in read[text]]
    rows = np.array([row for row, _, _ in found], np.int64)
    table = Columns(match, messages.rows[rows]).when().player(messages["player"][rows])
    teams = np.array([team for _, team, _ in found], np.int32)
    table.add("team", teams).add("team_name", match.names_of_teams(teams))
    table.add("colour", Strings.from_list([colour for _, _, colour in found]))
    return Table.build(COLOURS, table.values, table.valid)


def _colours_of(text: bytes) -> list[tuple[int, str]]:
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [team for entry in entries if (team := _colour_of(entry))] if isinstance(entries, list) else []


def _colour_of(entry: Any) -> tuple[int, str] | None:
    if not isinstance(entry, dict):
        return None
    team, *parts = (entry.get(key) for key in ("teamID", "r", "g", "b"))
    numbers = all(isinstance(part, int | float) and part == part for part in (team, *parts))
    if not numbers or not -(1 << 31) <= team < 1 << 31:  # type: ignore[operator]
        return None
    return int(team), "#" + "".join(f"{int(min(max(part, 0), 255)):02x}" for part in parts)  # type: ignore[arg-type,type-var]

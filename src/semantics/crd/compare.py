"""Where two runs part: the first tick, player and field of the inputs, and the settings that differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.differences import Difference
from ksreplay.formats.crd_commands import COMMAND_NAMES, Commands
from ksreplay.formats.crd_schema import Payload
from ksreplay.formats.crd_ticks import AXES, Ticks
from ksreplay.semantics.crd.settings import as_newest

#: Parts of the top map that are compared field by field, the most telling first.
_PARTS = ("run", "rules", "result", "format_version", "game_version", "recorder", "pilot", "seat_keys")


def differences(left: Payload, right: Payload) -> list[Difference]:
    """The first difference of inputs and of commands, the number of ticks, then every setting that differs.

    Axes are compared bit by bit, so that 0.0 and -0.0 differ as they do for the simulation. Settings are compared as
    the newest version would say them, so that rewriting in another version changes nothing but the version.
    """
    found = [item for item in (inputs(left.ticks, right.ticks), commands(left.ticks, right.ticks)) if item]
    if len(left.ticks) != len(right.ticks):
        found.append(Difference("ticks", "count", len(left.ticks), len(right.ticks)))
    a, b = as_newest(left), as_newest(right)
    for side in (a, b):  # each seat by itself, also where only one side has keys
        side["seat_keys"] = dict(enumerate(side["seat_keys"] or []))
    for part in _PARTS:
        place = "result" if part == "result" else "settings"
        found += [Difference(place, path, x, y) for path, x, y in _fields(a[part], b[part], part)]
    return found


def _fields(left: Any, right: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """(path, left, right) of each value that differs."""
    if isinstance(left, dict) and isinstance(right, dict):
        for name in {**left, **right}:
            inner = f"{path}[{name}]" if isinstance(name, int) else f"{path}.{name}"
            yield from _fields(left.get(name), right.get(name), inner)
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, (x, y) in enumerate(zip(left, right, strict=True)):
            yield from _fields(x, y, f"{path}[{index}]")
    elif left != right:
        yield path, left, right


def inputs(left: Ticks, right: Ticks) -> Difference | None:
    """The first input that differs: its tick, the player and the field."""
    shared, players = min(len(left), len(right)), min(left.num_players, right.num_players)
    columns: list[tuple[str, NDArray[Any], NDArray[Any]]] = [
        (name, left.axes[:shared, :players, axis], right.axes[:shared, :players, axis])
        for axis, name in enumerate(AXES)
    ]
    columns.append(("flags", left.flags[:shared, :players], right.flags[:shared, :players]))
    first: tuple[int, int, int] | None = None
    for order, (_, a, b) in enumerate(columns):
        bits_a, bits_b = (np.ascontiguousarray(values).view(np.uint32) for values in (a, b))
        rows = np.flatnonzero(bits_a.reshape(-1) != bits_b.reshape(-1))
        if len(rows):
            tick, player = divmod(int(rows[0]), players)
            first = min(first or (tick, player, order), (tick, player, order))
    if first is None:
        return None
    tick, player, order = first
    name, a, b = columns[order]
    x, y = a[tick, player].item(), b[tick, player].item()
    if name == "flags":
        x, y = f"0x{x:05x}", f"0x{y:05x}"
    return Difference("inputs", f"player[{player}].{name}", x, y, tick * players + player, float(tick), "tick")


def commands(left: Ticks, right: Ticks) -> Difference | None:
    """The first command that differs, or that only one side has among the ticks both have."""
    shared = min(len(left), len(right))
    a, b = (_described(ticks.commands, shared) for ticks in (left, right))
    for row in range(max(len(a), len(b))):
        x, y = (side[row] if row < len(side) else None for side in (a, b))
        if x != y:
            tick = min(side[0] for side in (x, y) if side is not None)
            shown_x, shown_y = (side[1] if side is not None and side[0] == tick else None for side in (x, y))
            return Difference("commands", "command", shown_x, shown_y, row, float(tick), "tick")
    return None


def _described(found: Commands, num_ticks: int) -> list[tuple[int, str]]:
    """(tick, what was commanded) of each command."""
    entries = zip(found.tick, found.kind, found.player, found.choice, found.char, strict=True)
    return [
        (tick, f"{COMMAND_NAMES[kind]} player {player}" + (f" choice {choice}" if choice >= 0 else "") + (
            f" {char!r}" if char is not None else ""))
        for tick, kind, player, choice, char in entries if tick < num_ticks
    ]  # fmt: skip

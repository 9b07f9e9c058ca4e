"""Small edits of a replay that leave the run alone: the pilot, the recorder, a prefix for debugging.

Each takes a payload and returns another; writing it is `CrimsonlandReplay.encode`.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import Any

from ksreplay.formats.crd_commands import Commands
from ksreplay.formats.crd_rules import FORMAT
from ksreplay.formats.crd_schema import Payload
from ksreplay.formats.crd_ticks import Ticks
from ksreplay.semantics.crd.rules import CANNOT_SAY

#: A recorder that names nothing; ``unknown`` is the format's own word for a platform that was never stated.
NO_RECORDER = {"client": "unknown", "version": "unknown", "platform": "unknown"}

NORMAL_TICK_MS = 16


def with_pilot(payload: Payload, pilot: dict[str, str] | None) -> Payload:
    """The run as played by ``pilot`` (``name``, optional ``model`` and ``url``), None for by nobody who says so."""
    if pilot is None:
        return replace(payload, values={**payload.values, **({"pilot": None} if payload.version >= 32 else {})})
    unknown = set(pilot) - {"name", "model", "url"}
    if unknown or "name" not in pilot:
        raise ValueError("a pilot has a name, and may have a model and a url")
    if payload.version < 32:
        raise CANNOT_SAY.failure(
            FORMAT, "pilot", found=payload.version, expected=32,
            message=f"version {payload.version} cannot say a pilot: write the replay as version 32 or later first",
        )  # fmt: skip
    whole = {"name": pilot["name"], "model": pilot.get("model", ""), "url": pilot.get("url", "")}
    return replace(payload, values={**payload.values, "pilot": whole})


def without_recorder(payload: Payload) -> Payload:
    """The run without saying which program on which machine recorded it."""
    return replace(payload, values={**payload.values, "recorder": dict(NO_RECORDER)})


def prefix(payload: Payload, num_ticks: int) -> Payload:
    """The first ``num_ticks`` ticks, marked incomplete: a prefix is for debugging and never verifies a result.

    What the run had reached at that tick only a simulation knows, so kills, shots and the rest keep the values of
    the whole run; elapsed_ms is cut to what so many ticks can last.
    """
    if not 1 <= num_ticks <= len(payload.ticks):
        raise ValueError(f"a prefix has 1 to {len(payload.ticks)} ticks, not {num_ticks}")
    result: dict[str, Any] = {**payload.result, "outcome": "incomplete", "quest_final_ms": None}
    if result.get("elapsed_ms") is not None:
        result["elapsed_ms"] = min(result["elapsed_ms"], NORMAL_TICK_MS * num_ticks)
    return replace(payload, values={**payload.values, "result": result}, ticks=first_ticks(payload.ticks, num_ticks))


def first_ticks(ticks: Ticks, num_ticks: int) -> Ticks:
    """The first ticks with their commands."""
    commands = ticks.commands
    kept = bisect_left(commands.tick, num_ticks)
    return Ticks(
        ticks.num_players,
        ticks.axes[:num_ticks],
        ticks.flags[:num_ticks],
        ticks.inputs_at[:num_ticks],
        Commands(
            commands.tick[:kept], commands.kind[:kept], commands.player[:kept], commands.choice[:kept],
            commands.char[:kept], commands.offset[:kept],
        ),
        {tick: count for tick, count in ticks.inputs_in_tick.items() if tick < num_ticks},
    )  # fmt: skip

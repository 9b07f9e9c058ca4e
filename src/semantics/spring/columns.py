"""Columns that many tables of a demo share, and the arrays that fill them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Derived, Strings, looked_up, taken
from ksreplay.formats.spring_messages import Messages
from ksreplay.semantics.spring.match import FRAMES_PER_SECOND, Match
from ksreplay.table import Column, Schema

_STREAM = "seed 002, The demo stream"

PACKET = Column("packet", "int32", meaning="index of the packet in the stream", source=_STREAM)
FRAME = Column("frame", "int32", unit="frames", meaning="frame of the game, -1 before it begins", source=_STREAM)
SECONDS = Column(
    "seconds", "float32", nullable=True, unit="s", meaning="frame / 30; null before the game begins", source=_STREAM
)
WHEN = (PACKET, FRAME, SECONDS)


def player_columns(
    role: str = "player", meaning: str = "number of the player; 255 is the server"
) -> tuple[Column, ...]:
    return (
        Column(role, "uint8", nullable=True, meaning=meaning),
        Column(
            f"{role}_name",
            "string",
            nullable=True,
            meaning=f"name of the {role.replace('_', ' ')}; null for the server",
        ),
    )


def team_columns(role: str = "team", meaning: str = "number of the team") -> tuple[Column, ...]:
    return (
        Column(role, "int16", nullable=True, meaning=meaning),
        Column(f"{role}_name", "string", nullable=True, meaning=f"who plays the {role.replace('_', ' ')}"),
    )


PLAYER = player_columns()
TEAM = team_columns(meaning="team of the player at that moment; null for spectators")


def schema(name: str, *columns: Column | tuple[Column, ...], meaning: str = "", **more: Any) -> Schema:
    flat = tuple(c for item in columns for c in ((item,) if isinstance(item, Column) else item))
    return Schema(name, flat, meaning, more.pop("source", _STREAM), **more)


class Columns:
    """Collects the columns and null masks of one table for ``Table.build``."""

    def __init__(self, match: Match, rows: Messages | NDArray[Any], frame: NDArray[np.int32] | None = None) -> None:
        """``rows``: the messages, or the packet of each row."""
        self.match = match
        if isinstance(rows, Messages):
            frame = rows.packets.frame
        self.rows: NDArray[np.int32] = rows.rows if isinstance(rows, Messages) else rows
        self.frame = match.stream.frame.take(self.rows) if frame is None else frame
        self.values: dict[str, Any] = {}
        self.valid: dict[str, NDArray[np.bool_]] = {}

    def when(self) -> Columns:
        """packet, frame and seconds."""
        self.values["packet"] = self.rows
        self.values["frame"] = self.frame
        self.values["seconds"], self.valid["seconds"] = seconds(self.frame)
        return self

    def spread(self, index: NDArray[np.intp]) -> Columns:
        """The columns so far with another row for each index of one. What many rows share is kept once: numbers are
        spread when they are asked for."""
        result = Columns(self.match, self.rows, self.frame)
        texts = {name: column for name, column in self.values.items() if isinstance(column, Strings)}
        masks = {name: mask for name, mask in self.valid.items() if not mask.all()}
        arrays: list[Any] = [*(column.codes for column in texts.values()), *masks.values()]
        spread = taken(arrays, index)
        for name, column in self.values.items():
            result.values[name] = Derived(index, partial(_spread, column))
        for (name, column), codes in zip(texts.items(), spread, strict=False):
            result.values[name] = Strings(column.offsets, column.values, codes=codes)
        result.valid.update(zip(masks, spread[len(texts) :], strict=True))
        return result

    def add(self, name: str, values: Any, valid: NDArray[np.bool_] | None = None) -> Columns:
        self.values[name] = values
        if valid is not None:
            self.valid[name] = valid
        return self

    def fields(self, messages: Messages, *names: str, **renamed: str) -> Columns:
        """Fields of the messages under their own name, or ``column=field``."""
        for column, name in {**{n: n for n in names}, **renamed}.items():
            self.add(column, messages[name], messages.known(name))
        return self

    def player(self, players: NDArray[Any], known: NDArray[np.bool_] | None = None, role: str = "player") -> Columns:
        self.add(role, players, known)
        self.values[f"{role}_name"] = self.match.names(players, known)
        return self

    def team(self, teams: NDArray[Any], known: NDArray[np.bool_] | None = None, role: str = "team") -> Columns:
        known = teams >= 0 if known is None else known & (teams >= 0)
        self.add(role, np.where(known, teams, 0).astype(np.int16), known)
        self.values[f"{role}_name"] = self.match.names_of_teams(teams, known)
        return self

    def team_of(self, players: NDArray[Any], known: NDArray[np.bool_] | None = None) -> Columns:
        """The team of each player at that packet."""
        return self.team(self.match.teams_of(players, self.rows), known)


def _spread(column: Any, index: NDArray[np.intp]) -> NDArray[Any]:
    values: NDArray[Any] = column.array() if isinstance(column, Derived) else column
    return values.take(index)


def seconds(frame: NDArray[np.int32]) -> tuple[Derived, NDArray[np.bool_]]:
    """float32 seconds of frames, and where they count: from frame 0 on."""
    return Derived(frame, _seconds), frame >= 0


def _seconds(frame: NDArray[np.int32]) -> NDArray[np.float32]:
    return np.divide(frame, np.float32(FRAMES_PER_SECOND), dtype=np.float32)


def coded(values: NDArray[Any], names: Mapping[int, str], valid: NDArray[np.bool_] | None = None) -> Strings:
    """Texts of numbers by ``names``; null where there is none."""
    keys, texts = _entries(tuple(names.items()))
    if not len(keys):
        return Strings.from_codes(np.full(len(values), -1, np.int32), texts)
    if values.dtype in (np.uint8, np.uint16):
        codes = np.full(1 << 8 * values.dtype.itemsize, -1, np.int8 if len(keys) < 128 else np.int16)
        codes[keys] = np.arange(len(keys))
        found = looked_up(values, codes) if values.dtype == np.uint8 else codes.take(values)
        return Strings.from_codes(found if valid is None else np.where(valid, found, codes.dtype.type(-1)), texts)
    place = np.minimum(np.searchsorted(keys, values), len(keys) - 1).astype(np.int32)
    found = keys[place] == values
    if valid is not None:
        found &= valid
    return Strings.from_codes(np.where(found, place, -1), texts)


@cache
def _entries(names: tuple[tuple[int, str], ...]) -> tuple[NDArray[np.int64], Strings]:
    """The keys, ascending, and their texts: of the layout's enums, which the tables name again and again."""
    ordered = sorted(names)
    return np.array([key for key, _ in ordered], np.int64), Strings.from_list(text for _, text in ordered)

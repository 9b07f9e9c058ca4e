"""Canonical MessagePack of a replay, written from values and arrays against the same declared types as reading."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.errors import Corrupt
from ksreplay.formats import crd_rules as rules
from ksreplay.formats.crd_canonical import Data, Float, Int, Many, Map, Maybe, Text, Truth
from ksreplay.formats.crd_commands import COMMANDS
from ksreplay.formats.crd_schema import CUSTOM_QUEST, EARLY_CUSTOM_QUEST, ENTRIES, REPLAY, QuestOfVersion, SpawnTables
from ksreplay.formats.crd_ticks import TickArray, Ticks

_UNSIGNED = (
    (0x80, b"", "B"),
    (1 << 8, b"\xcc", "B"),
    (1 << 16, b"\xcd", "H"),
    (1 << 32, b"\xce", "I"),
    (1 << 64, b"\xcf", "Q"),
)
_SIGNED = (
    (-32, b"", "b"),
    (-(1 << 7), b"\xd0", "b"),
    (-(1 << 15), b"\xd1", "h"),
    (-(1 << 31), b"\xd2", "i"),
    (-(1 << 63), b"\xd3", "q"),
)


def integer(value: int) -> bytes:
    """The shortest form of an integer of -2^63..2^64-1."""
    if value >= 0:
        for bound, tag, code in _UNSIGNED:
            if value < bound:
                return tag + struct.pack(">" + code, value)
    for bound, tag, code in _SIGNED:
        if value >= bound:
            return tag + struct.pack(">" + code, value)
    raise ValueError(f"{value} does not fit into 64 bits")


def _head(count: int, small: int, most: int, wide: tuple[int, ...]) -> bytes:
    """The shortest head of a string, bytes, array or map: in the tag up to ``most``, else one of the ``wide`` tags."""
    if count < most:
        return bytes([small | count])
    for tag, code, bound in zip(wide, "BHI"[3 - len(wide) :], (1 << 8, 1 << 16, 1 << 32)[3 - len(wide) :], strict=True):
        if count < bound:
            return bytes([tag]) + struct.pack(">" + code, count)
    raise ValueError(f"{count} is too long")


def text(value: str) -> bytes:
    data = value.encode("utf-8")
    return _head(len(data), 0xA0, 32, (0xD9, 0xDA, 0xDB)) + data


def array_head(count: int) -> bytes:
    return _head(count, 0x90, 16, (0xDC, 0xDD))


def map_head(count: int) -> bytes:
    return _head(count, 0x80, 16, (0xDE, 0xDF))


class Encoder:
    """Writes one payload of a version."""

    def __init__(self, version: int, status_key: str = "quest_unlock_index_full") -> None:
        self.version = version
        self.status_key = status_key
        self.out = bytearray()

    def encode(self, values: dict[str, Any], ticks: Ticks) -> bytes:
        """The payload of a top map without ``ticks``, and the ticks."""
        self._write(REPLAY, {**values, "ticks": ticks}, "")
        return bytes(self.out)

    def _write(self, kind: Any, value: Any, where: str) -> None:
        if isinstance(kind, Maybe):
            if value is None:
                self.out += b"\xc0"
                return
            kind = kind.of
        if isinstance(kind, QuestOfVersion):
            kind = EARLY_CUSTOM_QUEST if self.version == 33 and "tables" in value else CUSTOM_QUEST
        if value is None:
            raise rules.MISSING_KEY.failure(rules.FORMAT, where, message=f"there is no value for {where}")
        try:
            self._write_value(kind, value, where)
        except (ValueError, TypeError, AttributeError, struct.error, OverflowError) as error:
            raise Corrupt(
                f"{where} cannot be written: {error}", code=rules.WRONG_TYPE.code, format=rules.FORMAT, where=where,
                found=value,
            ) from error  # fmt: skip

    def _write_value(self, kind: Any, value: Any, where: str) -> None:
        if isinstance(kind, Map):
            keys = kind.expected(self.version)
            self.out += map_head(len(keys))
            for key in keys:
                name = self.status_key if key.also else key.name
                self.out += text(name)
                self._write(key.type, value.get(key.name), f"{where}.{key.name}".lstrip("."))
        elif isinstance(kind, SpawnTables):
            self._write_value(Many(ENTRIES, rules.CQ_TABLES), value, where)
        elif isinstance(kind, Many):
            self.out += array_head(len(value))
            for index, item in enumerate(value):
                self._write(kind.of, item, f"{where}[{index}]")
        elif isinstance(kind, TickArray):
            self.out += array_head(len(value)) + encode_ticks(value)
        elif isinstance(kind, Text):
            self.out += text(value)
        elif isinstance(kind, Truth):
            self.out += b"\xc3" if value else b"\xc2"
        elif isinstance(kind, Int):
            self.out += integer(value)
        elif isinstance(kind, Float):
            self.out += b"\xcb" + struct.pack(">d", value)
        elif isinstance(kind, Data):
            self.out += _head(len(value), 0xC4, 0, (0xC4, 0xC5, 0xC6)) + bytes(value)
        else:
            raise TypeError(f"no way to write {type(kind).__name__}")


def _commands(ticks: Ticks) -> dict[int, bytes]:
    """The bytes of the commands array of each tick that has commands."""
    commands = ticks.commands
    bodies: dict[int, list[bytes]] = {}
    for tick, kind, player, choice, char in zip(
        commands.tick, commands.kind, commands.player, commands.choice, commands.char, strict=True
    ):
        name, keys = COMMANDS[kind]
        values = {"player_index": player, "choice_index": choice}
        body = map_head(1 + len(keys)) + text("type") + text(name)
        for key in keys:
            body += text(key) + (text(char or "") if key == "ch" else integer(values[key]))
        bodies.setdefault(tick, []).append(body)
    return {tick: array_head(len(items)) + b"".join(items) for tick, items in bodies.items()}


def _scatter(out: NDArray[np.uint8], dtype: str, places: NDArray[np.int64], values: NDArray[Any]) -> None:
    """Writes ``values`` at any byte offsets of ``out``."""
    size = np.dtype(dtype).itemsize
    view: NDArray[Any] = np.ndarray((len(out) - size + 1,), dtype, out.data, strides=(1,))
    view[places] = values


def encode_ticks(ticks: Ticks) -> bytes:
    """The ticks after their array's head, put together by numpy: no Python object for a tick without commands."""
    count, players = ticks.flags.shape
    if not count:
        return b""
    flags = ticks.flags.astype(np.int64)
    widths = np.select([flags < 0x80, flags < 0x100, flags < 0x10000], [1, 2, 3], 5)
    commands = _commands(ticks)
    command_sizes = np.ones(count, np.int64)
    for tick, body in commands.items():
        command_sizes[tick] = len(body)
    input_sizes = 37 + widths
    sizes = 2 + input_sizes.sum(axis=1) + command_sizes
    ends = np.cumsum(sizes)
    starts = ends - sizes
    at = starts[:, None] + 2 + np.cumsum(input_sizes, axis=1) - input_sizes
    out = np.zeros(int(ends[-1]) + 8, np.uint8)
    out[starts] = 0x92
    out[starts + 1] = 0x90 | players
    out[at] = 0x95
    for axis in range(4):
        out[at + 1 + 9 * axis] = 0xCB
        _scatter(out, ">f8", at + 2 + 9 * axis, ticks.axes[:, :, axis].astype(np.float64))
    for width, tag, dtype in ((1, 0, ""), (2, 0xCC, ">u1"), (3, 0xCD, ">u2"), (5, 0xCE, ">u4")):
        chosen = widths == width
        places = at[chosen] + 37
        if dtype:
            out[places] = tag
            _scatter(out, dtype, places + 1, flags[chosen])
        else:
            out[places] = flags[chosen]
    out[ends - command_sizes] = 0x90
    for tick, body in commands.items():
        end = int(ends[tick])
        out[end - len(body) : end] = np.frombuffer(body, np.uint8)
    return out[: int(ends[-1])].tobytes()

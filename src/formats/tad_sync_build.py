"""Builds the bits of unit syncs (seed 004, 7; fact sheet tad-format, 7): least significant bit first, no alignment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

END = 0xFFFF
HEAD_BITS = 56  # id, length and tick before the bits of a whole 0x2c


class Bits:
    """A growing run of bits, the first one lowest."""

    def __init__(self) -> None:
        self.value = 0
        self.size = 0

    def put(self, value: int, width: int) -> None:
        """``value`` in ``width`` bits, two's complement where it is negative. Raises ValueError where it is wider."""
        if not -(1 << width - 1) <= value < 1 << width:
            raise ValueError(f"{value} does not fit into {width} bits")
        self.value |= (value & (1 << width) - 1) << self.size
        self.size += width

    def bytes(self) -> bytes:
        return self.value.to_bytes((self.size + 7) // 8, "little")


def body(width: int, entries: Iterable[Mapping[str, Any]] = (), status: Mapping[str, Any] | None = None) -> bytes:
    """The bits of a sync behind its tick.

    An entry holds ``slot``, ``type`` and ``ground`` {``blocked``, ``points``} or ``air`` {``selector``, ``mode``,
    further fields}. ``status`` holds ``type`` (0 for an empty slot) and for a unit ``health``, ``build``, ``flags``,
    ``mode`` and ``attached`` (carrier, piece) or ``pos``, ``angles`` and, with a mover, ``speed``.
    """
    bits = Bits()
    for entry in entries:
        bits.put(entry["slot"], 16)
        bits.put(entry["type"], width)
        if "ground" in entry:
            _ground(bits, entry["ground"])
        else:
            _air(bits, entry["air"])
    bits.put(END, 16)
    _status(bits, width, status or {"type": 0})
    return bits.bytes()


def whole(tick: int, bits: bytes) -> bytes:
    """A whole 0x2c around the bits."""
    return b"\x2c" + (len(bits) + 7).to_bytes(2, "little") + tick.to_bytes(4, "little") + bits


def _ground(bits: Bits, ground: Mapping[str, Any]) -> None:
    bits.put(int(ground["blocked"]), 1)
    bits.put(len(ground["points"]), 2)
    for x, z in ground["points"]:
        bits.put(x, 16)
        bits.put(z, 16)


def _air(bits: Bits, air: Mapping[str, Any]) -> None:
    selector = air["selector"]
    bits.put(selector, 2)
    if selector == 1:
        flags = air["flags"]
        bits.put(flags, 8)
        if flags & 1:
            bits.put(air["piece"], 16)
            bits.put(air["target"], 16)
        if flags & 16:
            bits.put(air["radius"], 16)
        if flags & 8:
            bits.put(air["offset"], 16)
        if flags & 64:
            bits.put(air["heading"], 16)
        if flags & 32:
            _triple(bits, air["pos"])
    elif selector == 2:
        bits.put(int("heading" in air), 1)
        _triple(bits, air["pos"])
        _triple(bits, air["velocity"])
        if "heading" in air:
            bits.put(air["heading"], 16)
    bits.put(air["mode"], 2)


def _triple(bits: Bits, values: Sequence[int]) -> None:
    for value in values:
        bits.put(value, 32)


def _status(bits: Bits, width: int, status: Mapping[str, Any]) -> None:
    bits.put(1, 1)
    bits.put(status["type"], width)
    if not status["type"]:
        return
    bits.put(status["health"], 16)
    bits.put(status["build"], 8)
    bits.put(status["flags"], 8)
    bits.put(status["mode"], 2)
    bits.put(int("attached" in status), 1)
    if "attached" in status:
        carrier, piece = status["attached"]
        bits.put(carrier, 15)
        bits.put(piece, 8)
        return
    _triple(bits, status["pos"])
    for angle in status["angles"]:
        bits.put(angle, 16)
    if "speed" in status:
        bits.put(status["speed"], 32)

"""The flag word of an input: its bits, what they mean and when they contradict each other (crd-format §4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Bit:
    """One bit of the word that is true or false by itself."""

    name: str
    bit: int
    meaning: str


BITS = (
    Bit("fire_held", 0, "the fire key is down"),
    Bit("fire_pressed", 1, "the fire key went down in this tick"),
    Bit("reload_pressed", 2, "the reload key went down in this tick"),
    Bit("move_forward", 4, "the forward key is down"),
    Bit("move_backward", 5, "the backward key is down"),
    Bit("turn_left", 6, "the turn left key is down; it steers movement only"),
    Bit("turn_right", 7, "the turn right key is down; it steers movement only"),
    Bit("reload_held", 16, "the reload key is down"),
    Bit("fire_bullets", 17, "the Fire Bullets shortcut key is down"),
    Bit("aim_turn_left", 18, "the aim left key, or the joystick's hat, is held"),
    Bit("aim_turn_right", 19, "the aim right key, or the joystick's hat, is held"),
)

MOVE_KEYS_PRESENT = 1 << 3
MOVE_KEYS = 0xF0
MOVE_MODE_PRESENT = 1 << 8
MOVE_MODE_SHIFT = 9
AIM_PRESENT = 1 << 12
AIM_SHIFT = 13
KNOWN_BITS = (1 << 20) - 1

STATIC, DUAL_ACTION_PAD, POINT_CLICK = 2, 3, 4
AIM_MOUSE, AIM_RELATIVE_MOUSE, AIM_PAD = 0, 3, 4
AIM_UNKNOWN_STORED = 7


def bit(flags: NDArray[np.uint32], name: str) -> NDArray[np.bool_]:
    """One bit by name, of the shape of ``flags``."""
    number = next(item.bit for item in BITS if item.name == name)
    values: NDArray[np.bool_] = (flags >> np.uint32(number)) & np.uint32(1) != 0
    return values


def movement_mode(flags: NDArray[np.uint32]) -> NDArray[np.int8]:
    """The movement mode in force: the stated one, else static with movement keys and dual action pad without."""
    stated = ((flags >> np.uint32(MOVE_MODE_SHIFT)) & np.uint32(7)).astype(np.int8)
    implied = np.where(flags & np.uint32(MOVE_KEYS_PRESENT), np.int8(STATIC), np.int8(DUAL_ACTION_PAD))
    return np.where(flags & np.uint32(MOVE_MODE_PRESENT), stated, implied).astype(np.int8)


def aim_scheme(flags: NDArray[np.uint32]) -> NDArray[np.int8]:
    """The aim scheme in force: the stated one (-1: unknown, stored as 7), else the mouse."""
    stated = ((flags >> np.uint32(AIM_SHIFT)) & np.uint32(7)).astype(np.int8)
    stated[stated == AIM_UNKNOWN_STORED] = -1
    return np.where(flags & np.uint32(AIM_PRESENT), stated, np.int8(AIM_MOUSE)).astype(np.int8)


def pack(
    *,
    movement: int | None = None,
    aim: int | None = None,
    move_keys: bool = False,
    **bits: bool,
) -> int:
    """A flag word from its parts: ``pack(movement=2, aim=0, move_keys=True, fire_held=True)``."""
    word = MOVE_KEYS_PRESENT if move_keys else 0
    numbers = {item.name: item.bit for item in BITS}
    for name, value in bits.items():
        word |= int(value) << numbers[name]
    if movement is not None:
        word |= MOVE_MODE_PRESENT | movement << MOVE_MODE_SHIFT
    if aim is not None:
        word |= AIM_PRESENT | (AIM_UNKNOWN_STORED if aim == -1 else aim) << AIM_SHIFT
    return word


def unpack(word: int) -> dict[str, int | bool | None]:
    """The parts of one flag word, as `pack` takes them."""
    parts: dict[str, int | bool | None] = {item.name: bool(word >> item.bit & 1) for item in BITS}
    parts["move_keys"] = bool(word & MOVE_KEYS_PRESENT)
    parts["movement"] = word >> MOVE_MODE_SHIFT & 7 if word & MOVE_MODE_PRESENT else None
    aim = word >> AIM_SHIFT & 7
    parts["aim"] = None if not word & AIM_PRESENT else -1 if aim == AIM_UNKNOWN_STORED else aim
    return parts

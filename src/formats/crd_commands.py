"""The commands of ticks: their types, their canonical bytes as one expression, and the exact reading of all others."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ksreplay.formats import crd_rules as rules
from ksreplay.formats.crd_canonical import MAP, Int, Reader, Text

#: Command types in the order of their codes, each with its keys after ``type``.
COMMANDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("perk_menu_open", ("player_index",)),
    ("perk_pick", ("player_index", "choice_index")),
    ("typo_char", ("player_index", "ch")),
    ("typo_backspace", ("player_index",)),
    ("typo_submit", ("player_index",)),
)
COMMAND_NAMES = tuple(name for name, _ in COMMANDS)
OPEN_MENU, PICK, TYPE_CHAR, ERASE_CHAR, SUBMIT_WORD = range(len(COMMANDS))
_CODES = {name: code for code, name in enumerate(COMMAND_NAMES)}

#: Keys that only some commands have: what stands for them in the other commands.
NO_CHOICE = -1

_COMMAND_TYPES: dict[str, Any] = {
    "player_index": Int(rules.COMMAND_PLAYER, 0, 127),
    "choice_index": Int(rules.COMMAND_CHOICE, 0, 6),
    "ch": Text(rules.COMMAND_CHAR, re.compile(r".", re.DOTALL)),
}


def _fixstr(text: str) -> bytes:
    return re.escape(bytes([0xA0 | len(text)]) + text.encode())


def _command_pattern() -> re.Pattern[bytes]:
    """The canonical bytes of any command; a group named after its type holds what follows the type."""
    values = {
        "player_index": rb"[\x00-\x7f]",
        "choice_index": rb"[\x00-\x7f]",
        "ch": (
            rb"(?:\xa1[\x00-\x7f]|\xa2[\xc2-\xdf][\x80-\xbf]"
            rb"|\xa3[\xe0-\xef][\x80-\xbf]{2}|\xa4[\xf0-\xf4][\x80-\xbf]{3})"
        ),
    }
    choices = []
    for name, keys in COMMANDS:
        entries = b"".join(_fixstr(key) + values[key] for key in keys)
        head = re.escape(bytes([0x81 + len(keys)])) + _fixstr("type") + _fixstr(name)
        choices.append(b"(?P<" + name.encode() + b">" + head + entries + b")")
    return re.compile(b"|".join(choices), re.DOTALL)


_COMMAND = _command_pattern()
#: Bytes of a canonical command from its start to the player's byte, by code.
_PLAYER_AT = tuple(1 + 5 + 1 + len(name) + 1 + len("player_index") for name in COMMAND_NAMES)
_CHAR_AT = _PLAYER_AT[TYPE_CHAR] + 1 + 1 + len("ch") + 1


@dataclass(slots=True)
class Commands:
    """The commands in file order, one entry a command in each list."""

    tick: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    player: list[int] = field(default_factory=list)
    choice: list[int] = field(default_factory=list)
    char: list[str | None] = field(default_factory=list)
    offset: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.tick)

    def add(self, tick: int, kind: int, player: int, choice: int, char: str | None, offset: int) -> None:
        self.tick.append(tick)
        self.kind.append(kind)
        self.player.append(player)
        self.choice.append(choice)
        self.char.append(char)
        self.offset.append(offset)

    def cut(self, length: int) -> None:
        for column in (self.tick, self.kind, self.player, self.choice, self.char, self.offset):
            del column[length:]


def match(payload: bytes, at: int, tick: int) -> tuple[tuple[int, int, int, int, str | None, int], int] | None:
    """The command in its canonical bytes at ``at`` as arguments of `Commands.add`, and the offset after it.

    None where anything else stands there: `read_exactly` says what.
    """
    found = _COMMAND.match(payload, at)
    if found is None:
        return None
    kind, end, char = _CODES[found.lastgroup or ""], found.end(), None
    if kind == TYPE_CHAR:
        try:
            char = payload[at + _CHAR_AT : end].decode("utf-8")
        except UnicodeDecodeError:
            return None
    choice = payload[end - 1] if kind == PICK else NO_CHOICE
    return (tick, kind, payload[at + _PLAYER_AT[kind]], choice, char, at), end


def read_exactly(reader: Reader, at: int, tick: int, where: str, commands: Commands) -> int:
    """Reads a command of any shape value by value and adds it where its type is known; the offset after it."""
    token = reader.head(at, where, MAP)
    if token is None:
        return reader.skip(at, where)
    order: list[str] = []
    values: dict[str, Any] = {}
    end = token.end
    for _ in range(token.value):
        key_at = end
        kind = reader.token(end, where).kind
        if kind != "string":
            reader.report(rules.KEY_TYPE, where, key_at, found=kind, expected="string")
            end = reader.skip(reader.skip(end, where), where)
            continue
        name, end = reader.text(end, where)
        name = name or ""
        if name in values:
            reader.report(rules.DUPLICATE_KEY, f"{where}.{name}", key_at, found=name)
            end = reader.skip(end, where)
        elif name == "type":
            values[name], end = reader.text(end, f"{where}.type")
            order.append(name)
        elif name in _COMMAND_TYPES:
            values[name], end = _COMMAND_TYPES[name].read(reader, end, f"{where}.{name}")
            order.append(name)
        else:
            reader.report(rules.EXTRA_KEY, f"{where}.{name[:64]}", key_at, found=name[:64])
            end = reader.skip(end, where)
    _keep(reader, at, tick, where, commands, order, values)
    return end


def _keep(
    reader: Reader, at: int, tick: int, where: str, commands: Commands, order: list[str], values: dict[str, Any]
) -> None:
    """Checks a command's keys against its type and adds the command."""
    kind = values.get("type")
    if "type" not in values:
        reader.report(rules.MISSING_KEY, f"{where}.type", at, expected="type")
        return
    if kind not in _CODES:
        reader.report(rules.COMMAND_TYPE, f"{where}.type", at, found=(kind or "")[:64], expected=list(COMMAND_NAMES))
        return
    expected = ("type", *COMMANDS[_CODES[kind]][1])
    for name in order:
        if name not in expected:
            reader.report(rules.EXTRA_KEY, f"{where}.{name}", at, found=name)
    for name in expected:
        if name not in values:
            reader.report(rules.MISSING_KEY, f"{where}.{name}", at, expected=name)
    known = [name for name in order if name in expected]
    if known != sorted(known, key=expected.index):
        reader.report(rules.KEY_ORDER, where, at, found=known, expected=list(expected))
    player, choice, char = (values.get(name) for name in ("player_index", "choice_index", "ch"))
    commands.add(
        tick,
        _CODES[kind],
        player if player is not None and 0 <= player <= 127 else -1,
        choice if _CODES[kind] == PICK and choice is not None and 0 <= choice <= 6 else NO_CHOICE,
        char if _CODES[kind] == TYPE_CHAR else None,
        at,
    )

"""A demo without private content and with pseudonyms for names: every message and both scripts.

Sizes stay where they can: what is erased is filled, so that packets keep their order, kind and size; names change
length inside messages that count their own size. What decides a table stays readable in another spelling: the kind of
a Lua message, a game's unit list and its colours.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ksreplay.formats import spring_build as build
from ksreplay.formats.inflate import Blocks
from ksreplay.formats.spring import FORMAT
from ksreplay.formats.spring_messages import IDS, NAMES, Messages
from ksreplay.pseudonyms import Policy, Pseudonymizer, Report, filler, replacer
from ksreplay.semantics.spring.lua import KINDS, PREFIXES
from ksreplay.semantics.spring.match import Match
from ksreplay.semantics.spring.rebuild import (
    Parts,
    assemble,
    game_data_message,
    parts_of,
    statistics_bytes,
    without_trailer,
)
from ksreplay.semantics.spring.script import is_private, pairs

#: Messages with one text at their end -> kind of the text; "" for public text, in which names are replaced.
_TEXTS: dict[str, str] = {
    "PLAYERNAME": "name", "CREATE_NEWPLAYER": "name", "CHAT": "chat", "LOGMSG": "log", "SYSTEMMSG": "", "QUIT": "",
    "REJECT_CONNECT": "", "CCOMMAND": "", "AI_CREATED": "",
}  # fmt: skip
#: Script keys that hold a name.
_NAME_KEYS = frozenset({"name", "myplayername", "autohostname", "hostname", "boss"})
#: Script keys that pick what is played: a player who is called like a word of the map's name does not change the map.
_FIXED_KEYS = frozenset(
    {"mapname", "gametype", "maphash", "modhash", "mutator", "side", "shortname", "version", "startpostype", "boss"}
)
_ADDRESS_KEYS = ("hostip", "hostport", "sourceport", "autohostport")
_MOST = {1: 0xFF, 2: 0xFFFF}
_VISIBLE = re.compile(r"[^\s\0]")
_SECTION = re.compile(r"\[[^\]\[]*\](?:\s|//[^\n]{0,200}\n)*+\{")


def _text(raw: bytes) -> str:
    """Names as they stand in the file: what is no UTF-8, as in old demos, stays what it is."""
    return raw.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class Redaction:
    """One redaction of one match; `parts` makes the result."""

    def __init__(self, match: Match, pseudonyms: Pseudonymizer, policy: Policy, report: Report) -> None:
        self.match = match
        self.pseudonyms = pseudonyms
        self.policy = policy
        self.report = report
        self.mapping = pseudonyms.mapping(policy.action("name"), self._every_name())
        self.in_text: Callable[[Any], Any] = replacer(self.mapping)
        self.data = bytearray(match.stream.data)
        self.replaced: dict[int, bytes] = {}

    def _every_name(self) -> list[str]:
        match = self.match
        names = []
        for kind in ("PLAYERNAME", "CREATE_NEWPLAYER", "ATTEMPTCONNECT"):
            for at, length in match.spans(match.messages[kind]):
                names.append(_text(match.stream.part(at, at + length).split(b"\0")[0]))
        for script in (match.demo.script, *filter(None, match.scripts.values())):
            text = _text(script)
            for path, key, (start, end) in pairs(text):
                ai = bool(path) and path[-1].startswith("ai")
                value = text[start:end].strip()
                if key in _NAME_KEYS and not ai and not (key == "boss" and value.isdecimal()):  # there a flag
                    names.append(value)
        return [name for name in names if name]

    # The parts.

    def parts(self) -> Parts:
        """The whole demo, redacted."""
        match = self.match
        parts = parts_of(match)
        for name, kind in _TEXTS.items():
            self._texts(name, kind)
        self._labels()
        self._lua()
        self._clients()
        self._connects()
        self._scripts()
        self._unreadable()
        stream = assemble(match.stream, self.replaced, base=bytes(self.data))
        tail = match.demo.part(match.stream.end, match.demo.ofs_trailer)
        if parts.rest or tail:
            self.report.note("spring: bytes that no layout explains were blanked")
        # Where a size is wrong, what stands in another part's place may be messages; version 1 has offsets as well.
        header, script = match.header, self.script(match.demo.script)
        beside = header.layout != 1 or min(header.ofs_player_stats, header.ofs_team_stats) >= match.demo.ofs_trailer
        # Behind a stream of a negative size the trailer's place is a guess.
        if header.crashed or (beside and header.len_stream > 0 and not (parts.rest or tail)):
            players, teams = statistics_bytes(match, opaque=False)
            parts = replace(parts, players=players, teams=teams)
        else:
            self.report.note("spring: a trailer that is not where it should be was left out")
            parts = without_trailer(parts)
        if header.layout == 1 and header.ofs_script + header.len_script > match.demo.ofs_stream:
            self.report.note("spring: a script that is not where it should be was left out")
            script = b""
        return replace(
            parts, script=script, stream=stream + b"\xff" * len(tail), rest=bytes(len(parts.rest)),
            extra=parts.extra if len(parts.extra) <= 8 else bytes(len(parts.extra)),
        )  # fmt: skip

    def script(self, script: bytes) -> bytes:
        """A start script without private values and without comments; nothing else in it changes.

        No script has a NUL or begins with anything but a section: what stands behind the one and before the other is
        of another part, in a file whose sizes are wrong.
        """
        whole = _text(script)
        text = whole.partition("\0")[0]
        first = _SECTION.search(text)
        head = text[: first.start() if first else len(text)]
        text = text[len(head) :]
        passed_over: list[tuple[int, int]] = []
        edits = [
            (start, end, self._value(path, key, text[start:end]))
            for path, key, (start, end) in pairs(text, passed_over)
        ]
        edits += [(start, end, self._comment(text[start:end])) for start, end in passed_over]
        pieces = [self._comment(head)]
        done = 0
        for start, end, new in sorted(edits):
            pieces += (text[done:start], new)
            done = end
        return _bytes("".join([*pieces, text[done:], self._comment(whole[len(head) + len(text) :])]))

    def _comment(self, old: str) -> str:
        """What is no part of a script, as white space: nobody says what it is."""
        new = self.in_text(old) if self.policy.keeps("comment") else _VISIBLE.sub(" ", old)
        if new != old:
            self.report.changed("comment")
        return new

    def _value(self, path: tuple[str, ...], key: str, old: str) -> str:
        if not old:
            return old
        kind, new = "", old
        if key.endswith("password"):
            kind = "password"
            new = self.pseudonyms.apply(self.policy.action(kind), old, self.in_text)
        elif key in _ADDRESS_KEYS or key == "hostip":
            kind = "address"
            if not self.policy.keeps(kind):
                new = "0.0.0.0" if "." in old or ":" in old else "0"
        elif is_private(key):
            kind = "account"
            action = self.policy.action(kind)
            if action == "erase":
                new = "0"
            elif action == "pseudonym":
                number = self.pseudonyms.number(
                    old.strip(), 10 ** max(len(old.strip()) - 1, 0), 10 ** len(old.strip()) - 1
                )
                new = str(number)
        elif key in _NAME_KEYS and not (path and path[-1].startswith("ai")):
            kind = "name"
            new = self.mapping.get(old.strip(), old)
        if kind in ("", "name") and new == old and key not in _FIXED_KEYS:
            kind, new = "name", self.in_text(old)
        if new != old:
            self.report.changed(kind)
        return new

    # Messages.

    def _message(self, name: str, messages: Messages, index: int, body: bytes) -> None:
        """Replaces one message by its own fixed fields and another rest."""
        row = int(messages.rows[index])
        at = int(self.match.stream.offset[row])
        start = int(messages.body[index])
        width = {"PLAYERNAME": 1, "CHAT": 1, "AI_CREATED": 1, "MAPDRAW": 1, "MAPDRAW_OLD": 1}.get(name, 2)
        if messages.layout == "systemmsg_short":
            width = 1
        fixed = self.match.stream.part(at + 1 + width, start)
        room = _MOST[width] - 1 - width - len(fixed)
        if len(body) > room and name not in ("MAPDRAW", "MAPDRAW_OLD"):
            cut = body[: room - 1].decode("utf-8", "ignore").encode()
            body = cut + b"\0"
        self.replaced[row] = build.framed(name, width, fixed + body)

    def _texts(self, name: str, kind: str) -> None:
        messages = self.match.messages[name]
        for index in np.flatnonzero(messages.good & (messages.length > 0)).tolist():
            at, length = int(messages.body[index]), int(messages.length[index])
            old = self.match.stream.part(at, at + length - 1)
            if kind == "name":
                text = _text(old)
                new = _bytes(self.mapping.get(text, text))
            elif kind:
                new = self.pseudonyms.apply(self.policy.action(kind), old, self.in_text)
            else:
                new = self.in_text(old)
            if new != old:
                self._message(name, messages, index, new + b"\0")
                self.report.changed(kind or "name")

    def _labels(self) -> None:
        from ksreplay.formats.spring_drawings import read_drawings

        action = self.policy.action("label")
        for name in ("MAPDRAW", "MAPDRAW_OLD"):
            messages = self.match.messages[name]
            if not len(messages) or messages.layout == "sync_request":
                continue
            drawings = read_drawings(self.match.messages, name, messages)
            # No map is as wide: what another engine wrote with 16 bits a place has its label where these are read.
            beyond = drawings.wide & (drawings.label > 0) & ((drawings.x | drawings.z) >> 16 != 0)
            beyond &= name == "MAPDRAW_OLD"
            for index in np.flatnonzero(drawings.fits & ((drawings.label_length > 0) | beyond)).tolist():
                at, length = int(drawings.label[index]), int(drawings.label_length[index])
                head = self.match.stream.part(int(messages.body[index]), at)
                old = self.match.stream.part(at, at + length)
                new = self.pseudonyms.apply(action, old, self.in_text)
                if beyond[index] and not self.policy.keeps("label"):
                    head = bytes(len(head))
                elif new == old:
                    continue
                self._message(name, messages, index, head + new + b"\0")
                self.report.changed("label")

    def _lua(self) -> None:
        action = self.policy.action("lua")
        messages = self.match.messages["LUAMSG"]
        good = messages.good & (messages.length > 0)
        kinds = self.match.lua_kinds
        blocks = Blocks(self.match.limits, FORMAT)
        spelled = {KINDS.index("unit_definitions"): _unit_list, KINDS.index("colours"): _colours}
        changed = 0
        view = np.frombuffer(self.data, np.uint8)
        for kind in np.unique(kinds[good]).tolist():
            chosen = np.flatnonzero(good & (kinds == kind))
            if action == "keep":
                self._lua_names(messages, chosen)
                continue
            prefix = len(PREFIXES[kind][0]) if kind < len(PREFIXES) else 0
            if kind in spelled:
                for index in chosen.tolist():
                    at, end = int(messages.body[index]), int(messages.body[index]) + int(messages.length[index])
                    old = self.match.stream.part(at, end)
                    new = spelled[kind](old, blocks) or old[:prefix] + filler(old[prefix:])
                    self._message("LUAMSG", messages, index, new)
                changed += len(chosen)
                continue
            lengths = np.maximum(messages.length[chosen] - prefix, 0)
            if kind < len(PREFIXES) and prefix >= 5:
                prefix_only = chosen[lengths == 0]
                lengths[lengths == 0] = messages.length[prefix_only]
                starts = np.where(np.isin(chosen, prefix_only), messages.body[chosen], messages.body[chosen] + prefix)
            else:
                starts = messages.body[chosen] + prefix
            from ksreplay.columns import spans_index

            for first in range(0, len(chosen), 1 << 16):
                part = slice(first, first + (1 << 16))
                view[spans_index(starts[part], lengths[part])] = ord("x")
            changed += int(np.count_nonzero(lengths))
        if changed:
            self.report.changed("lua", changed)
            self.report.note(
                "spring: Lua messages are blanked, so a playback will not show what widgets drew from them"
            )

    def _lua_names(self, messages: Messages, chosen: Any) -> None:
        for index in chosen.tolist():
            at, end = int(messages.body[index]), int(messages.body[index]) + int(messages.length[index])
            old = self.match.stream.part(at, end)
            if (new := self.in_text(old)) != old:
                self._message("LUAMSG", messages, index, new)
                self.report.changed("name")

    def _clients(self) -> None:
        action = self.policy.action("client")
        messages, blocks = self.match.messages["CLIENTDATA"], Blocks(self.match.limits, FORMAT)
        for index in np.flatnonzero(messages.good).tolist():
            at, end = int(messages.body[index]), int(messages.body[index]) + int(messages.length[index])
            old = self.match.stream.part(at, end)
            inflated = blocks.inflate(old)
            text, new = old, b""
            if inflated.complete:
                text = inflated.data
                new = self.pseudonyms.apply(action, text, self.in_text)
            if new != text or inflated.consumed != len(old):
                self._message("CLIENTDATA", messages, index, zlib.compress(new, 9))
                self.report.changed("client")

    def _connects(self) -> None:
        messages = self.match.messages["ATTEMPTCONNECT"]
        for index in np.flatnonzero(messages.good).tolist():
            at, end = int(messages.body[index]), int(messages.body[index]) + int(messages.length[index])
            name, password, version, platform, flags = self.match.stream.part(at, end).split(b"\0", 4)
            text = _text(name)
            new = _bytes(self.mapping.get(text, text))
            hidden = self.pseudonyms.apply(self.policy.action("password"), password)
            machine = self.pseudonyms.apply(self.policy.action("client"), platform)
            self.report.changed("name", int(new != name))
            self.report.changed("password", int(hidden != password))
            self.report.changed("client", int(machine != platform))
            self._message("ATTEMPTCONNECT", messages, index, b"\0".join([new, hidden, version, machine, flags]))

    def _scripts(self) -> None:
        for row, script in self.match.scripts.items():
            if script is not None:
                self.replaced[row] = game_data_message(self.match, row, self.script(script))
            else:
                self.replaced[row] = game_data_message(self.match, row, b"", opaque=False)
                self.report.note("spring: a GAMEDATA packet that cannot be inflated was blanked")

    def _unreadable(self) -> None:
        """Blanks what cannot be searched: unknown messages, and ones that do not fit their layout."""
        stream = self.match.stream
        unknown = ~np.isin(stream.id, list(NAMES)) & (stream.size > 0)
        old_kinds = np.isin(stream.id, [IDS["ATTEMPTCONNECT_OLD"], IDS["MEMDUMP"]])
        rows = np.flatnonzero(unknown | old_kinds | self.match.messages.malformed)
        for row in rows.tolist():
            at, size = int(stream.offset[row]), int(stream.size[row])
            # A letter that no size field which counts this size holds: what is malformed stays malformed.
            self.data[at + 1 : at + size] = (b"y" if size & 0xFF == ord("x") else b"x") * (size - 1)
        if len(rows):
            self.report.note(f"spring: {len(rows)} unknown or malformed messages were blanked")


def _unit_list(payload: bytes, blocks: Blocks) -> bytes | None:
    """A game's unit list, which says nothing of people, compressed anew; None where it is not one."""
    prefix = PREFIXES[KINDS.index("unit_definitions")][0]
    inflated = blocks.inflate(payload[len(prefix) :])
    if not inflated.complete:
        return None
    try:
        names = json.loads(inflated.data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    for level in (9, 6, 1, 0):
        packed = prefix + zlib.compress(json.dumps(names, separators=(",", ":")).encode(), level)
        if packed != payload and len(packed) < 65000:
            return packed
    return None


def _colours(payload: bytes, blocks: Blocks) -> bytes | None:
    """The colours of teams, which say nothing of people, spelled anew; None where they are none."""
    prefix = PREFIXES[KINDS.index("colours")][0]
    try:
        entries = json.loads(payload[len(prefix) :])
    except (ValueError, RecursionError):
        return None
    if not isinstance(entries, list):
        return None
    kept = [
        {key: entry[key] for key in ("teamID", "r", "g", "b") if isinstance(entry.get(key), int | float)}
        for entry in entries
        if isinstance(entry, dict)
    ]
    spellings = (json.dumps(kept, separators=(",", ":")), json.dumps(kept), json.dumps(kept, separators=(" ,", ": ")))
    for text in spellings:
        if (new := prefix + text.encode()) != payload and payload not in new:
            return new
    return None

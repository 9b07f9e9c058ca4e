"""What `redact` gives the formats: keyed pseudonyms, a policy a field, and a report. The contract is `Replay.redacted`.

How a format redacts, in five lines::

    mapping = pseudonyms.mapping(policy.action("name"), every name of the file, limit=16)  # empty where names are kept
    in_text = replacer(mapping)                   # names inside public texts, str or bytes
    action = policy.action("chat")                # "keep", "erase" or "pseudonym"
    new = pseudonyms.apply(action, old, in_text)  # bytes or str, for free text
    report.changed("chat")                        # once a value that differs

Sizes: where the layout allows it, keep the length of what is replaced (`filler` does), so that offsets, sizes and
counts of the analysis tables stay; names may change length where they stand in a counted or terminated text.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, AnyStr, Literal, overload

from ksreplay.errors import LimitExceeded

Action = Literal["keep", "erase", "pseudonym"]

#: kind -> (default action, what it is). A format uses the kinds it has; a new kind is a line here.
KINDS: dict[str, tuple[Action, str]] = {
    "name": ("pseudonym", "names of players, watchers, AIs' owners, autohosts and pilots, wherever they stand"),
    "chat": ("erase", "chat text, whispers and messages to an autohost"),
    "label": ("erase", "texts on the map"),
    "lua": ("erase", "payloads of Lua messages"),
    "client": ("erase", "client data: hardware and software of a player's machine"),
    "log": ("erase", "log lines that the game sent"),
    "account": ("pseudonym", "account ids and other numbers that name a person"),
    "address": ("erase", "host and lobby addresses and ports"),
    "password": ("erase", "passwords"),
    "seat": ("pseudonym", "seat keys"),
    "link": ("erase", "web addresses that a person gave"),
    "comment": ("erase", "comments and file names written into the recording"),
}

ACTIONS: tuple[Action, ...] = ("keep", "erase", "pseudonym")
_CONSONANTS = "bdfghjklmnprstvz"
_VOWELS = "aeio"
_LETTERS = 12  # 6 syllables of 64: 7e10 names
_WORD = 5  # a shorter name is replaced only where it stands as a word
_LONGEST = 256  # letters of a name that goes into a pattern
_MOST = 1024  # names that go into one pattern


class Pseudonymizer:
    """Pseudonyms from a key (HMAC-SHA-256): one value and one key give one pseudonym, in every file and format.

    Without a key a random one is used, so that nobody can ever map the pseudonyms back, nor join two files by them.
    """

    def __init__(self, key: str | bytes | None = None) -> None:
        self.keyed = key is not None
        self._key = secrets.token_bytes(32) if key is None else key.encode() if isinstance(key, str) else bytes(key)

    def octets(self, value: str | bytes, length: int, kind: str = "", attempt: int = 0) -> bytes:
        """``length`` bytes that depend on key, kind and value alone; every other method is made of these."""
        raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value)
        out = b""
        while len(out) < length:
            label = f"{kind}/{attempt}/{len(out)}/".encode()
            out += hmac.new(self._key, label + raw, hashlib.sha256).digest()
        return out[:length]

    def number(self, value: int | str, low: int, high: int, kind: str = "account") -> int:
        """A whole number from ``low`` to ``high`` (both included) for a number that names somebody."""
        return low + int.from_bytes(self.octets(str(value), 16, kind)) % (high - low + 1)

    def name(self, name: str, *, limit: int | None = None, length: int | None = None, attempt: int = 0) -> str:
        """A pronounceable name of lower-case ASCII letters: 12 of them, at most ``limit``, exactly ``length`` if given.

        A shorter pseudonym is the beginning of the longer one of the same name. Letters alone are legal in every
        place of the four formats (TDF values, cp1252 fields, Typ-o names, NUL-ended and counted texts).
        """
        wanted = length if length is not None else min(_LETTERS, _LETTERS if limit is None else limit)
        noise = self.octets(name, (wanted + 1) // 2 * 2, "name", attempt)
        letters = [(_VOWELS if i % 2 else _CONSONANTS)[b % (4 if i % 2 else 16)] for i, b in enumerate(noise)]
        return "".join(letters[:wanted])

    def names(
        self, names: Iterable[str], *, limit: int | None = None, lengths: Mapping[str, int] | None = None
    ) -> dict[str, str]:
        """name -> pseudonym for all names of a file: no two alike (case aside), none equal to a real one.

        Only a clash, which needs a very short ``limit``, makes a pseudonym differ from what `name` gives.
        ``lengths`` gives an exact length for names that stand in a place of fixed size. Empty names stay empty.
        """
        originals = sorted({name for name in names if name})
        taken = {name.casefold() for name in originals}
        mapping: dict[str, str] = {}
        for original in originals:
            length = (lengths or {}).get(original)
            for attempt in range(1000):
                candidate = self.name(original, limit=limit, length=length, attempt=attempt)
                if candidate.casefold() not in taken:
                    break
            taken.add(candidate.casefold())
            mapping[original] = candidate
        return mapping

    def mapping(
        self,
        action: Action,
        names: Iterable[str],
        *,
        limit: int | None = None,
        lengths: Mapping[str, int] | None = None,
    ) -> dict[str, str]:
        """name -> what stands in its place by the action: nothing (kept), as many ``x``, or a pseudonym of `names`."""
        if action == "keep":
            return {}
        if action == "erase":
            return {name: filler(name)[: (lengths or {}).get(name, limit)] for name in names if name}
        return self.names(names, limit=limit, lengths=lengths)

    @overload
    def apply(self, action: Action, value: str, in_text: Callable[[str], str] | None = None) -> str: ...
    @overload
    def apply(self, action: Action, value: bytes, in_text: Callable[[bytes], bytes] | None = None) -> bytes: ...
    def apply(self, action: Action, value: Any, in_text: Callable[[Any], Any] | None = None) -> Any:
        """Free text by its action: kept (but for names, with ``in_text``), filled, or replaced by letters as long."""
        if action == "keep":
            return value if in_text is None else in_text(value)
        if action == "erase":
            return filler(value)
        text = self.name(value if isinstance(value, str) else value.decode("latin-1"), length=len(value))
        return text if isinstance(value, str) else text.encode()


def filler(value: AnyStr) -> AnyStr:
    """As many ``x`` as there were characters (str) or bytes (bytes): says nothing, keeps every size and offset."""
    return ("x" if isinstance(value, str) else b"x") * len(value)


def replacer(mapping: Mapping[str, str], encoding: str = "utf-8") -> Callable[[AnyStr], AnyStr]:
    """A function that puts pseudonyms in place of names inside text (str, or bytes in ``encoding``).

    Case is ignored. Names of 5 letters or more are found anywhere, shorter ones only where they stand as a word
    ("Ed" in "Ed left", not in "edge"); the longest name wins where several fit. A single letter and up to 4 digits
    name nobody in running text (a player "1" would change every number): they are left to the fields that hold names.
    No game has names longer than `_LONGEST` letters, or more than `_MOST` players: a longer name is looked for as it
    is written, and more of them raise LimitExceeded, since a pattern of them would cost more than the file is worth.
    """
    if len(mapping) > _MOST:
        raise LimitExceeded("too many names to replace in texts", code="names", found=len(mapping), expected=_MOST)
    mapping = {name: pseudonym for name, pseudonym in mapping.items() if len(name) > 1 and not _is_number(name)}
    long_names = {name: mapping.pop(name) for name in list(mapping) if len(name) > _LONGEST}
    folded = {name.casefold(): pseudonym for name, pseudonym in mapping.items()}
    ordered = sorted(folded, key=len, reverse=True)
    if not ordered:
        return lambda text: _replace_long(text, long_names, encoding)
    parts = [re.escape(name) if len(name) >= _WORD else rf"(?<!\w){re.escape(name)}(?!\w)" for name in ordered]
    pattern = re.compile("|".join(parts), re.IGNORECASE)
    raw = {_encoded(name, encoding): new.encode(encoding) for name, new in folded.items()}
    raw |= {_encoded(name, encoding).lower(): new.encode(encoding) for name, new in mapping.items()}
    raw_parts = [
        re.escape(name) if len(name) >= _WORD else rb"(?<![\w\x80-\xff])" + re.escape(name) + rb"(?![\w\x80-\xff])"
        for name in sorted(raw, key=len, reverse=True)
    ]
    raw_pattern = re.compile(b"|".join(raw_parts), re.IGNORECASE)

    def replace(text: Any) -> Any:
        text = _replace_long(text, long_names, encoding)
        if isinstance(text, str):
            return pattern.sub(lambda match: folded.get(match[0].casefold(), "x" * len(match[0])), text)
        return raw_pattern.sub(lambda match: raw.get(match[0].lower(), b"x" * len(match[0])), bytes(text))

    return replace


def _replace_long(text: Any, names: Mapping[str, str], encoding: str) -> Any:
    for name, pseudonym in names.items():
        if isinstance(text, str):
            text = text.replace(name, pseudonym)
        else:
            text = bytes(text).replace(_encoded(name, encoding), pseudonym.encode(encoding))
    return text


def _encoded(name: str, encoding: str) -> bytes:
    """The bytes of a name; of one that was decoded with ``surrogateescape`` the very ones that it had."""
    try:
        return name.encode(encoding, "surrogateescape")
    except UnicodeEncodeError:
        return name.encode(encoding, "replace")


def _is_number(name: str) -> bool:
    return name.isdecimal() and len(name) < _WORD


@dataclass(slots=True)
class Policy:
    """What happens to each kind of private value; `KINDS` has the defaults.

    ``Policy({"chat": "keep"})`` keeps the chat (names inside it are still replaced, unless names are kept too).
    """

    actions: Mapping[str, Action] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind, action in self.actions.items():
            if kind not in KINDS:
                raise ValueError(f"no kind {kind!r}; there are {', '.join(KINDS)}")
            if action not in ACTIONS:
                raise ValueError(f"{kind}: no action {action!r}; there are {', '.join(ACTIONS)}")

    def action(self, kind: str) -> Action:
        return self.actions.get(kind, KINDS[kind][0])

    def keeps(self, kind: str) -> bool:
        return self.action(kind) == "keep"


class Report:
    """What a redaction changed: counts a kind, and notes on what the result is no longer good for. Never a value."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.notes: list[str] = []

    def changed(self, kind: str, count: int = 1) -> None:
        if kind not in KINDS:
            raise ValueError(f"no kind {kind!r}; there are {', '.join(KINDS)}")
        self.counts[kind] += count

    def note(self, text: str) -> None:
        """Something the owner must know, such as "crd: the run no longer verifies: Typ-o names steer it"."""
        if text not in self.notes:
            self.notes.append(text)

    def to_dict(self) -> dict[str, Any]:
        return {"changed": dict(sorted(self.counts.items())), "notes": list(self.notes)}

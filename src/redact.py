"""A replay without its private content, and the proof: the result is searched for everything it must not hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import Lists, Ragged
from ksreplay.errors import ReplayError
from ksreplay.limits import Limits
from ksreplay.pseudonyms import KINDS, Policy, Pseudonymizer, Report
from ksreplay.registry import FORMATS
from ksreplay.replay import Replay
from ksreplay.table import Table

#: A shorter value proves nothing by being found: it is compared field by field in the tests instead.
SHORTEST = 5
#: Bytes searched at a time.
_STEP = 1 << 20

__all__ = ["KINDS", "Leak", "Policy", "Pseudonymizer", "Report", "leaks", "redact"]


@dataclass(frozen=True, slots=True)
class Leak:
    """A private value that is still there: which column held it, in which stream of the result, at what offset."""

    origin: str
    stream: str
    offset: int


def redact(
    replay: Replay, pseudonyms: Pseudonymizer, policy: Policy, *, check: bool = True, suffix: str = ""
) -> tuple[bytes, Report]:
    """The redacted file and the report. ``replay`` must have been opened with ``private=True``.

    With ``check`` the result is read again and searched; a private value that is still there raises ReplayError with
    code ``redact-leak``, so that a mistake of this package never publishes anything. ``suffix``: the target's in lower
    case, where it decides the container (".sdf", ".sdfz").
    """
    if not replay.private:
        raise ValueError("a replay to redact must be opened with private=True")
    report = Report()
    data = replay.redacted(pseudonyms, policy, report, suffix)
    if check:
        with _open_again(replay, data) as after:
            found = leaks(replay, after, policy)
        if found:
            raise ReplayError(
                f"nothing was written: {len(found)} private values would still stand in the result, "
                f"the first from {found[0].origin}",
                code="redact-leak", format=replay.format, where=found[0].stream, offset=found[0].offset,
            )  # fmt: skip
    return data, report


def leaks(before: Replay, after: Replay, policy: Policy | None = None) -> list[Leak]:
    """Private values of ``before`` of `SHORTEST` bytes or more that stand anywhere in ``after``, inflated or not.

    A value that a public field of ``before`` holds as well is no secret. Kinds that the policy keeps are the caller's
    wish: with a policy that keeps anything only names are searched for.
    """
    policy = policy or Policy()
    wanted: dict[bytes, str] = {}
    if not any(policy.keeps(kind) for kind in KINDS):
        public = b"\0".join(_public(before))
        for origin, value in _private(before):
            if _tells(value) and value not in wanted and value not in public:
                wanted[value] = origin
    if not policy.keeps("name"):
        steady = b"\0".join(_public(after))
        for name in _names(before):
            for value in _spellings(name):
                if _tells(value) and value not in steady:
                    wanted.setdefault(value, "a name")
    return [leak for stream, data in after.streams() for leak in _search(data, stream, wanted)]


def _tells(value: bytes) -> bool:
    """Whether it means anything that a value is found: what an earlier redaction filled, line by line, does not."""
    return len(value) >= SHORTEST and bool(value.strip(b"x\r"))


def _open_again(replay: Replay, data: bytes) -> Replay:
    from ksreplay.formats.source import Source

    cls = FORMATS[replay.format].replay_class
    return cls(Source(data), private=True, limits=replay.limits or Limits())


def _names(replay: Replay) -> Iterator[str]:
    for player in replay.info()["players"]:
        name = player.get("name")
        if isinstance(name, str) and name:
            yield name


def _spellings(text: str) -> set[bytes]:
    return {text.encode("utf-8", "replace"), text.encode("cp1252", "replace")}


def _private(replay: Replay) -> Iterator[tuple[str, bytes]]:
    """(table.column, value) of every text and byte string in a private column; other numbers are left to the tests."""
    for name in replay.tables:
        schema = replay.tables.schema(name)
        for column in schema:
            if (schema.private or column.private) and column.dtype in ("string", "binary", "list<string>"):
                for value in _values(replay.tables[name], column.name):
                    yield f"{name}.{column.name}", value
                    if column.dtype != "binary" and not value.isascii():
                        yield f"{name}.{column.name}", value.decode("utf-8", "replace").encode("cp1252", "replace")


def _public(replay: Replay) -> Iterator[bytes]:
    for name in replay.tables:
        schema = replay.tables.schema(name)
        if not schema.private:
            for column in schema:
                if not column.private and column.dtype in ("string", "list<string>"):
                    yield from _values(replay.tables[name], column.name)


def _values(table: Table, column: str) -> Iterable[bytes]:
    """The different values of a text or byte column, as they are stored."""
    values = table.column(column)
    if isinstance(values, Lists):
        values = values.values
    assert isinstance(values, Ragged)
    raw = np.asarray(values.values, np.uint8).tobytes()
    # Codes share their entries, so that a million rows of a few texts cost a few; entries without a code are none.
    if values.codes is None:
        starts, ends = values.starts, values.starts + values.lengths
    else:
        used = np.unique(values.codes[values.codes >= 0])
        starts, ends = values.offsets[used], values.offsets[used + 1]
    return {raw[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True) if end > start}


def _search(data: bytes, stream: str, wanted: dict[bytes, str]) -> Iterator[Leak]:
    """Where any of ``wanted`` stands in ``data``: candidates by their first 4 bytes in bulk, then compared whole."""
    if not wanted:
        return
    by_start: dict[int, list[bytes]] = {}
    for value in wanted:
        by_start.setdefault(int.from_bytes(value[:4], "little"), []).append(value)
    starts = np.array(sorted(by_start), np.uint32)
    likely = np.zeros(1 << 16, bool)
    likely[starts & 0xFFFF] = True
    whole = np.frombuffer(data, np.uint8)
    reported: set[bytes] = set()
    for begin in range(0, max(0, len(whole) - 3), _STEP):
        piece = whole[begin : begin + _STEP + 3]
        low = piece[:-3].astype(np.uint16) | (piece[1:-2].astype(np.uint16) << 8)
        at = np.flatnonzero(likely[low])
        keys = _words(piece, at)
        slot = np.minimum(np.searchsorted(starts, keys), len(starts) - 1)
        hits = starts[slot] == keys
        for offset, key in zip((at[hits] + begin).tolist(), keys[hits].tolist(), strict=True):
            for value in by_start[key]:
                if value not in reported and data.startswith(value, offset):
                    reported.add(value)
                    yield Leak(wanted[value], stream, offset)


def _words(piece: NDArray[np.uint8], at: NDArray[np.intp]) -> NDArray[np.uint32]:
    """The 4 bytes at each position as a little-endian number: uint32."""
    word = piece[at].astype(np.uint32)
    for shift in (1, 2, 3):
        word |= piece[at + shift].astype(np.uint32) << np.uint32(8 * shift)
    return word

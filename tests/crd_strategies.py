"""Valid crd replays of every version for hypothesis, and a packer that breaks one chosen place of a payload."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ksreplay.formats.crd_commands import Commands
from ksreplay.formats.crd_encode import Encoder
from ksreplay.formats.crd_ticks import Ticks
from ksreplay.semantics.crd.flags import BITS, pack

PRINTABLE = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
FLOAT32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
U32 = st.one_of(st.sampled_from([0, 127, 128, 255, 256, 65535, 65536, 2**31, 2**32 - 1]), st.integers(0, 2**32 - 1))
I32 = st.integers(-(2**31), 2**31 - 1)
ANY_INT = st.one_of(st.sampled_from([-(2**63), -33, -32, -1, 0, 2**64 - 1]), st.integers(-1000, 100000))
OUTCOMES = {
    1: ["death", "incomplete"], 2: ["death", "incomplete"], 3: ["death", "quest_completed", "incomplete"],
    4: ["death", "incomplete"], 8: ["tutorial_completed", "incomplete"],
}  # fmt: skip
KEYS = {"move_forward", "move_backward", "turn_left", "turn_right"}


def text(low: int, high: int) -> st.SearchStrategy[str]:
    return st.text(PRINTABLE, min_size=low, max_size=high)


@st.composite
def flag_parts(draw: st.DrawFn) -> dict[str, Any]:
    """What `flags.pack` takes, without contradictions."""
    move_keys = draw(st.booleans())
    parts: dict[str, Any] = {bit.name: draw(st.booleans()) and (move_keys or bit.name not in KEYS) for bit in BITS}
    movement = draw(st.sampled_from([None, 0, 1, 2, 3, 4, 5]))
    return {
        **parts,
        "move_keys": move_keys,
        "movement": movement,
        "aim": draw(st.sampled_from([None, -1, 0, 1, 2, 3, 4, 5])),
    }


@st.composite
def ticks(draw: st.DrawFn, players: int, mode: int) -> Ticks:
    count = draw(st.integers(1, 12))
    rows = count * players
    axes = np.array(draw(st.lists(FLOAT32, min_size=4 * rows, max_size=4 * rows)), np.float32)
    words = [pack(**draw(flag_parts())) for _ in range(rows)]
    commands = Commands()
    kinds = st.sampled_from([2, 3, 4] if mode == 4 else [0, 1])
    for tick in range(count):
        for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2, 17])) if mode != 2 else 0):
            kind = draw(kinds)
            player = draw(st.integers(0, players - 1))
            char = draw(st.characters(exclude_categories=["Cs"])) if kind == 2 else None
            commands.add(tick, kind, player, draw(st.integers(0, 6)) if kind == 1 else -1, char, 0)
    return Ticks(
        players, axes.reshape(count, players, 4), np.array(words, np.uint32).reshape(count, players),
        np.zeros((count, players), np.int64), commands,
    )  # fmt: skip


@st.composite
def entries(draw: st.DrawFn) -> list[dict[str, Any]]:
    coordinate = st.floats(-1024, 2048, width=32)
    return [
        {
            "pos": {"x": draw(coordinate), "y": draw(coordinate)},
            "heading": draw(FLOAT32),
            "spawn_id": draw(st.sampled_from([0, 1, 3, 0x36, 0x38, 0x43])),
            "trigger_ms": draw(st.integers(0, 3_600_000)),
            "count": draw(st.integers(1, 96)),
        }
        for _ in range(draw(st.integers(1, 4)))
    ]


@st.composite
def custom_quests(draw: st.DrawFn, early: bool) -> dict[str, Any]:
    quest = {
        "title": draw(text(1, 64)),
        "author": draw(st.none() | text(1, 31)),
        "start_weapon_id": draw(st.sampled_from([1, 33, 41, 45, 50, 53])),
        "terrain_slots": draw(st.lists(st.integers(0, 7), min_size=3, max_size=3)),
    }
    if early:
        tables = draw(st.lists(entries(), min_size=1, max_size=3))
        chosen = list(range(len(tables)))
        extra = draw(st.lists(st.sampled_from(chosen), min_size=8 - len(chosen), max_size=8 - len(chosen)))
        return {**quest, "tables": tables, "variants": chosen + extra}
    perks = [number for number in range(1, 58) if number != 7]
    return {
        **quest,
        "entries": draw(entries()),
        "no_bonuses": sorted(draw(st.sets(st.integers(2, 14)))),
        "no_perks": sorted(draw(st.sets(st.sampled_from(perks), max_size=20))),
        "no_weapons": sorted(draw(st.sets(st.integers(2, 33), max_size=20))),
    }


@st.composite
def replays(draw: st.DrawFn) -> tuple[int, str, dict[str, Any], Ticks]:
    """(version, spelling of the status key, top map without ticks, ticks) of a replay that breaks no rule."""
    version = draw(st.integers(30, 35))
    mode = draw(st.sampled_from([1, 2, 3, 4, 8]))
    players = 1 if mode in (4, 8) else draw(st.integers(1, 4))
    custom = mode == 3 and version >= 33 and draw(st.booleans())
    outcome = draw(st.sampled_from(OUTCOMES[mode]))
    matched = draw(st.integers(0, 2**31 - 1)) if mode == 4 else 0
    rules = draw(st.integers(1, 2))
    point = st.fixed_dictionaries({"x": FLOAT32, "y": FLOAT32})
    run: dict[str, Any] = {
        "game_mode_id": mode,
        "seed": draw(U32),
        "quest_level": {"major": draw(st.integers(1, 5)), "minor": draw(st.integers(1, 10))}
        if mode == 3 and not custom
        else None,
        "player_count": players,
        "hardcore": False if custom else draw(st.booleans()),
        "preserve_bugs": draw(st.booleans()),
        "quest_fail_retry_count": draw(st.integers(0, 2**31 - 1)),
        "detail_preset": draw(st.integers(1, 5)),
        "violence_disabled": draw(st.integers(0, 255)),
        "friendly_fire": draw(st.booleans()),
        "status": {
            "quest_unlock_index": draw(I32),
            "quest_unlock_index_full": draw(I32),
            "weapon_usage_counts": draw(st.lists(U32, min_size=53, max_size=53)),
        },
        "typo_dictionary_words": draw(st.lists(text(1, 15), max_size=18)),
        "typo_highscore_names": draw(st.lists(st.from_regex(r"\A[A-Za-z.]{1,31}\Z"), max_size=3)),
        "typo_carry": {
            "target_world": draw(st.none() | point) if mode == 4 else None,
            "submit_count": draw(st.integers(matched, 2**31 - 1)) if mode == 4 else 0,
            "match_count": matched,
            "highscore_names_loaded": mode == 4 and draw(st.booleans()),
        },
    }
    if version >= 33:
        run["custom_quest"] = draw(custom_quests(version == 33 and draw(st.booleans()))) if custom else None
    if version >= 35:
        run["cl_build"] = draw(st.sampled_from([10993, 10908])) if rules == 2 else 10993
    values: dict[str, Any] = {
        "format_version": version,
        "game_version": draw(st.sampled_from(["0.22.0", "0.18.0+build." + "0f" * 12, "0.19.0+g0123456789ab.dirty"])),
        "rules": rules,
        "recorder": {key: draw(text(1, 64)) for key in ("client", "version", "platform")},
        "pilot": draw(
            st.none()
            | st.fixed_dictionaries(
                {"name": text(1, 31), "model": text(0, 64), "url": st.just("") | text(0, 192).map("https://".__add__)}
            )
        ),
        "seat_keys": draw(
            st.none() | st.lists(st.binary(min_size=32, max_size=32), min_size=players, max_size=players, unique=True)
        ),
        "run": run,
        "result": {
            "outcome": outcome,
            **{key: draw(ANY_INT) for key in ("elapsed_ms", "kills", "shots_fired", "shots_hit")},
            "rng_state": draw(U32),
            "pending_perks": draw(ANY_INT),
            "quest_final_ms": draw(ANY_INT) if outcome == "quest_completed" else None,
            "players": [
                {"experience": draw(ANY_INT), "health": draw(FLOAT32), "most_used_weapon_id": draw(st.integers(0, 53))}
                for _ in range(players)
            ],
        },
    }
    for key, since in (("rules", 31), ("pilot", 32), ("seat_keys", 34)):
        if version < since:
            del values[key]
    spelling = "quest_unlock_index_hardcore" if version == 35 and draw(st.booleans()) else "quest_unlock_index_full"
    return version, spelling, values, draw(ticks(players, mode))


def encode(replay: tuple[int, str, dict[str, Any], Ticks]) -> bytes:
    version, spelling, values, recorded = replay
    return Encoder(version, spelling).encode(values, recorded)


# A packer of its own, which knows nothing of the package: Python values as msgpack reads them, one place broken.


def nodes(value: Any) -> Iterator[Any]:
    """Every value of a tree in writing order, keys too."""
    yield value
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from nodes(item)
    elif isinstance(value, list):
        for item in value:
            yield from nodes(item)


def _wide_int(value: int) -> bytes:
    """An integer in the next wider form than it needs."""
    if value >= 0:
        if value < 0x80:
            return b"\xcc" + struct.pack(">B", value)
        for bound, tag, code in ((1 << 8, b"\xcd", ">H"), (1 << 16, b"\xce", ">I"), (1 << 32, b"\xcf", ">Q")):
            if value < bound:
                return tag + struct.pack(code, value)
    for bound, tag, code in (
        (-32, b"\xd0", ">b"),
        (-(1 << 7), b"\xd1", ">h"),
        (-(1 << 15), b"\xd2", ">i"),
        (-(1 << 31), b"\xd3", ">q"),
    ):
        if value >= bound:
            return tag + struct.pack(code, value)
    raise ValueError


def _int(value: int) -> bytes:
    import msgpack

    packed: bytes = msgpack.packb(value)
    return packed


Head = Callable[[int], bytes]


def _head(kind: str, count: int, wide: bool = False) -> bytes:
    """The head of a value; ``wide``: in the next longer form than it needs."""
    fixed, most, tags = {
        "str": (0xA0, 32, b"\xd9\xda\xdb"), "bin": (0, 0, b"\xc4\xc5\xc6"), "array": (0x90, 16, b" \xdc\xdd"),
        "map": (0x80, 16, b" \xde\xdf"),
    }[kind]  # fmt: skip
    first = 1 if kind in ("array", "map") else 0
    if count < most:
        step = first if wide else -1
    else:
        step = next(place for place in range(first, 3) if count < 1 << (8 << place)) + wide
    if step < 0:
        return bytes([fixed | count])
    return bytes([tags[step]]) + struct.pack((">B", ">H", ">I")[step], count)


class Broken:
    """Packs a tree canonically but for the node of number ``at``, which ``how`` breaks."""

    def __init__(self, at: int, how: str) -> None:
        self.at, self.how, self.number = at, how, -1

    def pack(self, value: Any) -> bytes:
        self.number += 1
        how = self.how if self.number == self.at else ""
        if isinstance(value, dict):
            return self._map(value, how)
        if isinstance(value, list):
            return _head("array", len(value), how == "header") + b"".join(self.pack(item) for item in value)
        if isinstance(value, str):
            data = value.encode()
            if how == "utf8":
                data = b"\xff" * len(data)
            return _head("str", len(data), how == "header") + data
        if isinstance(value, bytes):
            return _head("bin", len(value), how == "header") + value
        if value is None or isinstance(value, bool):
            return b"\xc0" if value is None else b"\xc3" if value else b"\xc2"
        if isinstance(value, int):
            return _wide_int(value) if how == "widen" else _int(value)
        return {
            "": b"\xcb" + struct.pack(">d", value),
            "narrow": b"\xca" + struct.pack(">f", value),
            "int": b"\x07",
            "nan": b"\xcb" + struct.pack(">d", float("nan")),
            "inf": b"\xcb" + struct.pack(">d", float("-inf")),
            "double": b"\xcb" + struct.pack(">d", 0.1),
        }[how]

    def _map(self, value: dict[str, Any], how: str) -> bytes:
        pairs = [self.pack(key) + self.pack(item) for key, item in value.items()]
        if how == "swap":
            pairs[0], pairs[-1] = pairs[-1], pairs[0]
        elif how == "drop":
            del pairs[len(pairs) // 2]
        elif how == "add":
            pairs.insert(len(pairs) // 2, _head("str", 3) + b"zzz" + b"\xc0")
        elif how == "double-key":
            pairs.append(pairs[0])
        return _head("map", len(pairs), how == "header") + b"".join(pairs)


#: How a node of a kind can be broken -> the code that says so ("header" depends on the kind).
BREAKS: dict[type, dict[str, str]] = {
    dict: {
        "swap": "key-order", "drop": "missing-key", "add": "extra-key", "double-key": "duplicate-key",
        "header": "map-header",
    },
    list: {"header": "array-header"},
    str: {"header": "str-header", "utf8": "bad-utf8"},
    bytes: {"header": "bin-header"},
    int: {"widen": "int-width"},
    float: {
        "narrow": "float32", "int": "int-for-float", "nan": "not-finite", "inf": "not-finite", "double": "not-float32",
    },
}  # fmt: skip

"""Holds this reader against the released one: python tools/fuzz/crd_peer.py --python sim/bin/python [--count N].

Breaks recordings of the corpus at random, values and bytes, and asks both readers whether the result is valid. The
other reader is the package crimsonland, installed under its own Python 3.13 or later (see `ksreplay verify`). Prints
every disagreement; exits 1 where there is one.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack

import ksreplay
from ksreplay.errors import INVALID, ReplayError
from ksreplay.formats.crd import read_envelope, write_envelope
from ksreplay.limits import Limits

#: What the other side runs: a verdict for each payload of a file of length-prefixed payloads.
ASK = """
import json, struct, sys
from crimson.replay.codec import decode_replay_payload
data, at, verdicts = open(sys.argv[1], "rb").read(), 0, []
while at < len(data):
    (size,) = struct.unpack_from("<I", data, at)
    try:
        decode_replay_payload(data[at + 4 : at + 4 + size])
        verdicts.append("")
    except Exception as error:
        verdicts.append(f"{type(error).__name__}: {error}"[:200])
    at += 4 + size
open(sys.argv[2], "w").write(json.dumps(verdicts))
"""

INTEGERS = [
    -(2**63), -(2**31) - 1, -1, *range(12), 31, 32, 33, 34, 40, 41, 50, 53, 54, 57, 58, 67, 68, 127, 128, 255, 256,
    384, 385, 2048, 3_600_000, 3_600_001, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1,
]  # fmt: skip
TEXTS = [
    "", "a", "a" * 15, "a" * 16, "a" * 31, "a" * 32, "a" * 64, "a" * 65, "é", "\n", "\0", "A.b", "A b", "\U0001f600",
    "death", "quest_completed", "incomplete", "tutorial_completed", "perk_pick", "typo_char", "typo_submit",
    "https://", "https://a", "HTTPS://a", "https://" + "x" * 192, "https://" + "x" * 193,
]  # fmt: skip
FLOATS = [0.0, -0.0, 1.0, -1024.5, 2048.0, 2049.0, 3.4028234663852886e38, 3.4028234663852889e38, 5e-324, 0.1,
          1.401298464324817e-45, 1e300, float("inf"), float("nan")]  # fmt: skip
STRUCTURES: list[Any] = [
    None, 0, "", {}, [], {"major": 1, "minor": 10}, {"name": "a", "model": "", "url": ""}, {"x": 0.5, "y": 1.0},
    [b"a" * 32], [b"a" * 32, b"b" * 32], [b"a" * 31],
]  # fmt: skip


def bases(corpus: Path) -> Iterator[dict[str, Any]]:
    """Trees of recordings that the released reader reads, with a few of their ticks."""
    for path in sorted([*(corpus / "crd").glob("*.crd"), *(corpus / "crd" / "variants").glob("hist*.crd")]):
        _, payload = read_envelope(path.read_bytes(), Limits())
        tree = msgpack.unpackb(payload, strict_map_key=False) if len(payload) < 80_000 else {"format_version": 99}
        if tree["format_version"] <= 34:
            tree["ticks"] = tree["ticks"][:3] + [tick for tick in tree["ticks"][3:] if tick[1]][:4]
            yield tree


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if path:
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def other(value: Any, chance: random.Random) -> Any:
    """Another value in place of ``value``, mostly of its own type."""
    if isinstance(value, list):
        changed = list(value)
        match chance.randrange(5):
            case 0 if changed:
                changed.pop(chance.randrange(len(changed)))
            case 1 if changed:
                changed.append(copy.deepcopy(chance.choice(changed)))
            case 2:
                chance.shuffle(changed)
            case 3:
                changed.append(chance.choice([0, 2, 7, 34, "a", None]))
            case _:
                return []
        return changed
    if isinstance(value, dict):
        entries = list(value.items())
        match chance.randrange(4):
            case 0 if entries:
                entries.pop(chance.randrange(len(entries)))
            case 1:
                entries.append(("zzz", 1))
            case 2:
                chance.shuffle(entries)
            case _:
                return None
        return dict(entries)
    pools = {bool: [True, False], int: INTEGERS, float: FLOATS, str: TEXTS, type(None): STRUCTURES}
    own: list[Any] = pools.get(type(value), STRUCTURES)
    return chance.choice(own) if chance.random() < 0.9 else chance.choice([None, 1, 1.0, "x", b"x"])


def broken(tree: dict[str, Any], chance: random.Random) -> bytes:
    """A payload with one to three values changed, or one or two bytes."""
    if chance.random() < 0.3:
        payload = bytearray(msgpack.packb(tree))
        for _ in range(chance.choice([1, 1, 2])):
            at = chance.randrange(len(payload))
            payload[at : at + chance.randrange(2)] = bytes(chance.randrange(256) for _ in range(chance.randrange(3)))
        return bytes(payload)
    tree = copy.deepcopy(tree)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        # The 53 usage counts would else be most of all places.
        found = [place for place in places(tree) if "weapon_usage_counts" not in place[0] or chance.random() < 0.05]
        path, value = chance.choice(found)
        target: Any = tree
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = other(value, chance)
    packed: bytes = msgpack.packb(tree)
    return packed


def ours(payload: bytes) -> str:
    """What is wrong by this reader, "" for nothing."""
    try:
        problems = ksreplay.open(write_envelope(payload, Limits())).validate()
    except ReplayError as error:
        return error.code
    return " ".join(f"{p.code}@{p.where}" for p in problems if p.severity in INVALID)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, help="an interpreter that has the package crimsonland")
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    corpus = Path(__file__).resolve().parents[3] / "shared" / "corpus"
    chance = random.Random(options.seed)
    trees = list(bases(corpus))
    payloads = [broken(chance.choice(trees), chance) for _ in range(options.count)]
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder) / "payloads", Path(folder) / "verdicts"
        asked.write_bytes(b"".join(struct.pack("<I", len(payload)) + payload for payload in payloads))
        subprocess.run(
            [options.python, "-c", ASK, str(asked), str(answered)], check=True, capture_output=True, timeout=3600
        )
        theirs = json.loads(answered.read_text())
    here = [ours(payload) for payload in payloads]
    apart = [(a, b) for a, b in zip(here, theirs, strict=True) if bool(a) != bool(b)]
    valid = sum(not verdict for verdict in theirs)
    print(f"{len(payloads)} payloads, {valid} valid; {len(apart)} verdicts differ")
    for a, b in apart:
        print(f"  ours: {a or 'valid'}\n  theirs: {b or 'valid'}")
    return bool(apart)


if __name__ == "__main__":
    sys.exit(main())

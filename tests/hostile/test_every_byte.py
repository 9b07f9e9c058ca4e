"""Every prefix and changed bytes of the smallest files: a result, problems, or one ReplayError."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from fuzz.every_byte_long import DENSE, Tally, sweep, touch
from fuzz.small import SAMPLES, TARGETS, PacketTarget, Target, changed

FILES = {name: target for name, target in TARGETS.items() if not isinstance(target, PacketTarget)}
#: One of each content; the others change the same bytes.
WHOLE = {name: target for name, target in FILES.items() if name not in ("tad", "spring")}
#: How many offsets of a bigger sample are tried, of its first `DENSE` bytes and beyond.
FEW = 100


def record_ends(data: bytes) -> set[int]:
    """Where a recording may end: it has no end mark, so one cut between two records is a whole, shorter one."""
    ends, at = set(), 0
    while at + 2 <= len(data):
        at += int.from_bytes(data[at : at + 2], "little")
        ends.add(at)
    return ends


@pytest.mark.parametrize("name", WHOLE)
def test_every_prefix(name: str) -> None:
    target = WHOLE[name]
    content = target.content()
    ends = record_ends(content) if target.format == "tad" else set()
    for end in range(len(content)):
        result = touch(target.pack(content[:end]))
        if isinstance(result, dict) and end not in ends:
            # A chunk that is cut in the bytes that pad its end has lost nothing.
            padded = name.startswith("cbtrack-") and not content[end:].strip(b"\0")
            assert padded or not result["complete"], f"the first {end} of {len(content)} bytes pass as complete"


def other(content: bytes, offset: int) -> bytes:
    return changed(content, offset, content[offset] ^ 0x55 + offset % 0xAA)


@pytest.mark.parametrize("strict", [False, True], ids=["tolerant", "strict"])
@pytest.mark.parametrize("name", WHOLE)
def test_one_changed_byte(name: str, strict: bool) -> None:
    target = WHOLE[name]
    content = target.content()
    for offset in target.offsets()[:: 1 + strict]:
        touch(target.pack(other(content, offset)), strict=strict)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_changed_byte_of_the_sample(name: str) -> None:
    target = SAMPLES[name]
    content = target.content()
    for reach in (range(min(DENSE, len(content))), range(DENSE, len(content))):
        for offset in reach[:: max(1, len(reach) // FEW)]:
            touch(target.pack(other(content, offset)))


def every_value(target: Target) -> None:
    tally = Tally()
    for _ in sweep(target, tally):
        assert not tally.finds, tally.finds


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in FILES])
def test_all_values_of_every_byte_of_packets(name: str) -> None:
    every_value(TARGETS[name])


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", FILES)
def test_all_values_of_every_byte(name: str) -> None:
    """Hours; `tools/fuzz/every_byte_long.py` does the same and can be stopped."""
    every_value(FILES[name])

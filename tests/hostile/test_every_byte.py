"""Every prefix and changed bytes of a small file of each format: a result, problems, or one ReplayError."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

import ksreplay
from ksreplay.registry import FORMATS

#: How far into a file every offset is tried; beyond, a sample of this many.
DENSE, SAMPLE = 4096, 200


def samples() -> list[Any]:
    return [pytest.param(format.name, id=format.name) for format in FORMATS.values()]


def content(name: str) -> bytes:
    """The sample; of a demo what is inside the gzip, where a change means something."""
    data = files("ksreplay.samples").joinpath(FORMATS[name].sample).read_bytes()
    return zlib.decompress(data, 31) if data[:2] == b"\x1f\x8b" else data


def touch(data: bytes, *, strict: bool) -> dict[str, Any] | ksreplay.ReplayError:
    """Reads everything; whatever is no ReplayError fails the test by leaving."""
    try:
        with ksreplay.open(data, strict=strict) as replay:
            info = replay.info(full=True)
            replay.validate()
            for name in replay.tables:
                assert len(replay.tables[name]) == info["tables"][name]
            return info
    except ksreplay.ReplayError as error:
        assert error.code
        assert error.format or isinstance(error, ksreplay.UnknownFormat | ksreplay.Truncated)
        return error


def record_ends(data: bytes) -> set[int]:
    """Where a recording may end: it has no end mark, so one cut between two records is a whole, shorter one."""
    ends, at = set(), 0
    while at + 2 <= len(data):
        at += int.from_bytes(data[at : at + 2], "little")
        ends.add(at)
    return ends


def offsets(size: int) -> Iterator[int]:
    yield from range(min(size, DENSE))
    if size > DENSE:
        yield from range(DENSE, size, max(1, (size - DENSE) // SAMPLE))


@pytest.mark.parametrize("name", samples())
def test_every_prefix(name: str) -> None:
    data = content(name)
    step = max(1, len(data) // 300)
    whole = record_ends(data) if name == "tad" else set()
    for end in [*range(min(len(data), 200)), *range(200, len(data), step)]:
        result = touch(data[:end], strict=False)
        if isinstance(result, dict) and end not in whole:
            assert result["complete"] is False, f"the first {end} of {len(data)} bytes pass as complete"


@pytest.mark.parametrize("quarter", range(4))
@pytest.mark.parametrize("strict", [False, True], ids=["tolerant", "strict"])
@pytest.mark.parametrize("name", samples())
def test_one_changed_byte(name: str, strict: bool, quarter: int) -> None:
    data = content(name)
    for offset in offsets(len(data)):
        if offset % 4 != quarter or (strict and offset % 8 > 3):
            continue
        changed = bytearray(data)
        changed[offset] ^= 0x55 + offset % 0xAA
        touch(bytes(changed), strict=strict)


@pytest.mark.slow
@pytest.mark.parametrize("name", samples())
def test_all_values_of_every_byte(name: str) -> None:
    data = content(name)
    for offset in range(min(len(data), DENSE)):
        for value in range(256):
            if value != data[offset]:
                touch(data[:offset] + bytes([value]) + data[offset + 1 :], strict=False)

"""The sizes of the generated dtypes and walk tables against the figures of the seeds and fact sheets."""

from __future__ import annotations

import numpy as np
import pytest

from ksreplay.generated.dtypes import cbtrack, cbtrack_chunk, spring_demo, spring_packet
from ksreplay.generated.walks import spring_packet as spring_walk
from ksreplay.generated.walks import tad_subpacket as tad_walk


@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        (cbtrack.HEADER, 96),  # seed 000, "Header"
        (cbtrack.WINDOW, 16),
        (cbtrack_chunk.COLUMN, 12),
        (spring_demo.HEADER_V1, 128),  # spring-format, 1.1 and 1.2
        (spring_demo.HEADER_V3, 116),
        (spring_demo.HEADER_V4, 112),
        (spring_demo.HEADER_V5, 352),
        (spring_packet.PLAYER_STATISTICS, 20),  # 7.2
        (spring_packet.PLAYER_STATISTICS_MOUSE_FIRST, 20),
        (spring_packet.TEAM_STATISTICS, 80),  # 7.3
    ],
)
def test_records(dtype: np.dtype[np.void], size: int) -> None:
    assert dtype.itemsize == size


#: spring-format, 4: id -> size, or the width of the size field that follows the id (v1, v2)
SPRING: dict[int, int | str] = {
    1: 5, 2: 1, 3: "v2", 4: 5, 5: 2, 6: "v1", 7: "v1", 8: 5, 9: 17, 10: 6, 11: "v2", 12: "v2", 13: 3, 14: "v2",
    15: "v2", 16: "v2", 19: 6, 20: 5, 21: 5, 22: 2, 23: 7, 26: 12, 27: 11, 29: 22, 30: "v1", 31: "v1", 32: "v1",
    33: 10, 35: "v2", 36: 16, 38: 10, 39: 3, 41: 5, 42: "v2", 43: 7, 44: "v2", 45: 1, 49: "v2", 50: "v2", 51: 5,
    52: "v2", 53: 4, 54: "v2", 60: 82, 61: "v2", 65: "v2", 66: "v2", 70: "v1", 71: 4, 72: 4, 75: "v2", 76: "v2",
}  # fmt: skip

#: tad-format, 4: the sizes that real bytes prove
TAD = {
    0x02: 13, 0x06: 1, 0x07: 1, 0x08: 1, 0x09: 23, 0x0A: 7, 0x0B: 9, 0x0C: 11, 0x0D: 36, 0x0E: 14, 0x0F: 6, 0x10: 22,
    0x11: 4, 0x12: 5, 0x13: 18, 0x14: 24, 0x15: 1, 0x16: 17, 0x17: 2, 0x18: 2, 0x19: 3, 0x1A: 14, 0x1B: 6, 0x1C: 5,
    0x1D: 9, 0x1E: 2, 0x1F: 5, 0x20: 186, 0x21: 10, 0x22: 6, 0x23: 14, 0x24: 6, 0x25: 5, 0x26: 41, 0x27: 17, 0x28: 58,
    0x29: 3, 0x2A: 2, 0xF6: 1, 0xFA: 1, 0xFC: 5, 0xFE: 5, 0xFF: 1,
}  # fmt: skip


def test_spring_messages() -> None:
    walk = spring_walk.WALK
    rules = {i: walk[i].size if walk[i].size else f"v{walk[i].length_width}" for i in SPRING}
    assert rules == SPRING
    for number, rule in SPRING.items():
        if isinstance(rule, str):  # right behind the id, and counts the whole message
            assert (walk[number].length_offset, walk[number].length_bias) == (1, 0)


def test_tad_subpackets() -> None:
    assert {i: tad_walk.WALK[i].size for i in TAD} == TAD
    lengths = {i: (m.length_offset, m.length_width, m.length_bias) for i, m in tad_walk.WALK.items() if m.length_width}
    assert lengths == {0x2C: (1, 2, 0), 0x42: (1, 2, 3), 0xFB: (1, 1, 3), 0xFD: (1, 2, -4)}


@pytest.mark.parametrize("walk", [spring_walk.WALK, tad_walk.WALK])
def test_dtypes_cover_the_body(walk: dict[int, spring_walk.Message]) -> None:
    for number, message in walk.items():
        assert message.id == number
        if message.dtype is not None:
            assert message.size == 1 + message.dtype.itemsize
        elif message.size is not None:
            assert message.size == 1

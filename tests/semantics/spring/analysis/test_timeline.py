"""The timeline's axis: golden case 44 of the fact sheet."""

from __future__ import annotations

from ksreplay.semantics.spring.analysis.timeline import length, second_of, ticks


def test_the_axis() -> None:
    assert (second_of(1979), second_of(-1), second_of(0)) == (65, None, 0)
    assert length([700, None], 600, broke=False) == 700 and length([120], 600, broke=True) == 120
    assert length([], 600, broke=False) == 600 and length([None], 600, broke=True) == 0
    assert ticks(2400) == [0, 600, 1200, 1800, 2400] and ticks(0) == [0] and len(ticks(100_000)) == 28

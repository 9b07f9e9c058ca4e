"""The axis of a match's timeline (spring-analysis 3.8). The marks themselves are the table `timeline`."""

from __future__ import annotations

from collections.abc import Sequence

FRAMES_PER_SECOND = 30
#: Steps of ticks in seconds; the axis takes the first that gives at most `MOST_TICKS` steps.
STEPS = (30, 60, 120, 300, 600, 1200, 1800, 3600)
MOST_TICKS = 6


def second_of(frame: int) -> int | None:
    """The second of a mark; None before the game, where there is no time yet."""
    return frame // FRAMES_PER_SECOND if frame > -1 else None


def length(marks: Sequence[int | None], header_seconds: int, *, broke: bool) -> int:
    """How long the axis is: to the header's end or the last mark; to the last mark alone where the stream broke."""
    last = max((second for second in marks if second is not None), default=0)
    return last if broke else max(header_seconds, last)


def ticks(seconds: int) -> list[int]:
    """Where the axis is labelled."""
    step = next((step for step in STEPS if seconds / step <= MOST_TICKS), STEPS[-1])
    return list(range(0, seconds + 1, step))

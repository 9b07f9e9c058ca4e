"""The keys of a section of a track's main chunk, in one pass: times, differences with an escape, wrapping differences.

Compiled it replaces the numpy code of ``semantics.cbtrack.coding``, which says what is wrong where this only says that
something is. Plain it is slow and nothing calls it but the tests.
"""

from __future__ import annotations

from typing import Any

#: What `section` answers: everything is right, or not.
GOOD = 0
WRONG = 1


def directory(words: Any, count: Any, expected: Any, size: Any, most: Any, offsets: Any, counts: Any) -> Any:
    """Reads ``count`` directory entries of a chunk of ``size`` bytes; `GOOD` or `WRONG`.

    ``offsets`` and ``counts`` (int32, 256) get the place and number of values of each known column by its id.

    ``words`` (int16) is the chunk; ``expected`` (uint8, 65536) the type number of each known id, 0 for an unknown one.
    The known columns together hold at most ``most`` bytes.
    """
    before = -1
    total = 0
    for i in range(count):
        at = 2 + 6 * i
        column = words[at] & 0xFFFF
        if column <= before:
            return WRONG
        before = column
        kind = words[at + 1] & 0xFFFF
        wanted = expected[column]
        if wanted == 0 or kind == 0 or kind > 6:
            continue
        if kind != wanted:
            return WRONG
        # the high halves first and alone, so that compiled code widens them before they are moved up
        offset = words[at + 3] & 0xFFFF
        offset = offset * 65536 + (words[at + 2] & 0xFFFF)
        number = words[at + 5] & 0xFFFF
        number = number * 65536 + (words[at + 4] & 0xFFFF)
        width = 1 if kind == 1 else 2 if kind < 4 else 4
        total += number * width
        if offset + number * width > size or total > most:
            return WRONG
        offsets[column] = offset
        counts[column] = number
    return GOOD


def section(
    words: Any,
    wides: Any,
    offsets: Any,
    counts: Any,
    bounds: Any,
    first: Any,
    last: Any,
    time_column: Any,
    group_a: Any,
    group_b: Any,
    wrap_column: Any,
    num_wraps: Any,
    values: Any,
    wraps: Any,
) -> Any:
    """Decodes the curves that ``bounds`` (int64, n + 1) cuts a section's keys into; `GOOD` or `WRONG`.

    ``words`` (int16) and ``wides`` (int32) are the whole chunk; ``offsets`` and ``counts`` (int32, 256) say where each
    column is (bytes, values). ``first`` and ``last`` (uint16, n) are the life of each curve's thing. ``values`` (int32,
    (rows, keys)) gets the times from ``time_column`` and then three rows each for the columns from ``group_a`` and
    ``group_b`` on (0: none); ``wraps`` (uint16, (num_wraps, keys)) the columns from ``wrap_column`` on.
    """
    num_curves = bounds.shape[0] - 1
    count = bounds[num_curves]
    if counts[time_column] != count or offsets[time_column] & 1:
        return WRONG
    base = offsets[time_column] >> 1
    for c in range(num_curves):
        begin = bounds[c]
        end = bounds[c + 1]
        if begin == end:
            continue
        now = 0
        for i in range(begin, end):
            step = words[base + i] & 0xFFFF
            if step == 0 and i != begin:
                return WRONG
            now += step
            values[0, i] = now
            if now > 0xFFFF:
                return WRONG
        if values[0, begin] < first[c] or now > last[c]:
            return WRONG
    row = 1
    for group in range(2):
        column = group_a if group == 0 else group_b
        if column == 0:
            continue
        for _axis in range(3):
            if counts[column] != count or offsets[column] & 1 or offsets[column + 3] & 3:
                return WRONG
            base = offsets[column] >> 1
            wide_at = offsets[column + 3] >> 2
            wide_end = wide_at + counts[column + 3]
            for c in range(num_curves):
                begin = bounds[c]
                end = bounds[c + 1]
                now = 0
                for i in range(begin, end):
                    step = words[base + i]
                    if step == -32768:
                        if wide_at >= wide_end:
                            return WRONG
                        now = wides[wide_at]
                        wide_at += 1
                    elif i == begin:
                        return WRONG
                    else:
                        now += step
                    if now > 16777215 or now < -16777215:
                        return WRONG
                    values[row, i] = now
            if wide_at != wide_end:
                return WRONG
            row += 1
            column += 1
    for axis in range(num_wraps):
        column = wrap_column + axis
        if counts[column] != count or offsets[column] & 1:
            return WRONG
        base = offsets[column] >> 1
        for c in range(num_curves):
            begin = bounds[c]
            end = bounds[c + 1]
            now = 0
            for i in range(begin, end):
                now = (now + words[base + i]) & 0xFFFF
                wraps[axis, i] = now
    return GOOD

"""Splits a Spring demo stream into its packets: the form that Cython compiles, with the types of the .pxd beside it."""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython


@cython.boundscheck(False)
def fill(
    data: Any, start: int, end: int, index: int, most: int, offset: Any, size: Any, ids: Any, frame: Any, time: Any
) -> int:
    """Writes offset, size, id, frame and time of the whole packets in ``data[start:end]``, at most ``most`` of them,
    the first ``index`` of which are written already.

    ``time`` is uint8, 4 a packet: the bytes of its float. Returns how many packets there are.

    Bounds are checked once a packet, which is what `end` and `most` are compared for.
    """
    with cython.nogil:
        at = max(start, 0)
        end = min(end, len(data))
        most = min(most, len(offset), len(size), len(ids), len(frame), len(time) >> 2)
        now = -1
        if 0 < index <= most:
            at = offset[index - 1] + size[index - 1]
            now = frame[index - 1]
        while end - at >= 8 and index < most:
            # The high byte apart: a C int has no room for its 32nd bit, and larger literals would be Python objects.
            high = data[at + 7]
            length = (data[at + 4] | data[at + 5] << 8 | data[at + 6] << 16) + high * 16777216
            if length > end - at - 8:
                break
            time[4 * index] = data[at]
            time[4 * index + 1] = data[at + 1]
            time[4 * index + 2] = data[at + 2]
            time[4 * index + 3] = data[at + 3]
            at += 8
            kind = 0
            if length > 0:
                kind = data[at]
                if kind == 2 and length == 1:
                    now += 1
                    if now > 2147483647:  # wraps as the engine's 32-bit counter would
                        now = -2147483647 - 1
                elif kind <= 2 and kind > 0 and length == 5:  # a NEWFRAME of engine 0.76 states its number as well
                    high = data[at + 4]
                    if high > 127:
                        high -= 256
                    now = (data[at + 1] | data[at + 2] << 8 | data[at + 3] << 16) + high * 16777216
            offset[index] = at
            size[index] = length
            ids[index] = kind
            frame[index] = now
            at += length
            index += 1
        return index

"""Tells spans of bytes by their beginning: the form that Cython compiles, with the types of the .pxd beside it.

`semantics.spring.lua` says the same in numpy for where no compiler is at hand.
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython


def kinds(
    data: Any, start: Any, length: Any, low: int, high: int, possible: Any, prefixes: Any, places: Any, found: Any
) -> int:
    """Writes the kind of the spans ``low`` to ``high`` into ``found``.

    Kind k begins with the bytes ``places[k]`` to ``places[k + 1]`` of ``prefixes``. ``possible``: the kind that the
    first byte leaves; the last one has no prefix and is for all others. Returns how many spans there were.
    """
    with cython.nogil:
        other = len(places) - 2
        for index in range(low, high):
            kind = other
            if length[index] > 0:
                at = start[index]
                kind = possible[data[at]]
                begin = places[kind]
                size = places[kind + 1] - begin
                if size > length[index]:
                    kind = other
                else:
                    for step in range(1, size):
                        if data[at + step] != prefixes[begin + step]:
                            kind = other
                            break
            found[index] = kind
    return high - low

"""Tells spans of bytes by their beginning: the form that Cython compiles, with the types of the .pxd beside it.

`semantics.spring.lua` says the same in numpy for where no compiler is at hand.
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython


@cython.boundscheck(False)
def kinds(
    data: Any, words: Any, start: Any, length: Any, low: int, high: int, possible: Any, beginnings: Any, masks: Any,
    prefixes: Any, places: Any, found: Any,
) -> int:  # fmt: skip
    """Writes the kind of the spans ``low`` to ``high`` into ``found``.

    Kind k begins with the bytes ``places[k]`` to ``places[k + 1]`` of ``prefixes``. ``possible`` (256): the kind that
    the first byte leaves; the last one has no prefix and is for all others. ``words`` are the numbers of 32 bits that
    begin at every byte of ``data``; a prefix's are the bits of ``masks`` in ``beginnings``, as far as it goes. Returns
    how many spans there were.

    Bounds are checked once a span; each table has an entry a kind.
    """
    with cython.nogil:
        other = len(places) - 2
        high = min(high, len(start), len(length), len(found))
        for index in range(low, high):
            at = start[index]
            held = length[index]
            kind = other
            if held > 0 and at >= 0 and held <= len(data) - at:
                kind = possible[data[at]]
                begin = places[kind]
                size = places[kind + 1] - begin
                if size > held:
                    kind = other
                else:
                    step = 1
                    if at < len(words):
                        # No branch that differs from span to span, as their kinds do.
                        kind = other if (words[at] ^ beginnings[kind]) & masks[kind] else kind
                        step = 4
                    while step < size:
                        kind = kind if data[at + step] == prefixes[begin + step] else other
                        step += 1
            found[index] = kind
    return high - low

"""Sorts the packets of a Spring demo stream by id and reads their heads: the form that Cython compiles, with the types
of the .pxd beside it. `formats.spring_sorted` calls it; `formats.spring.read_heads` says the same in numpy for where no
compiler is at hand."""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython


def count(ids: Any, low: int, high: int, counts: Any) -> int:
    """Adds to ``counts`` (256) how many of the packets ``low`` to ``high`` have each id. Returns how many they are."""
    with cython.nogil:
        for index in range(low, high):
            counts[ids[index]] += 1
    return high - low


def sort(
    data: Any, offset: Any, size: Any, ids: Any, frame: Any, low: int, high: int, places: Any,
    least: Any, varies: Any, stated: Any, begins: Any,
    rows: Any, frames: Any, body: Any, length: Any, heads: Any, misfits: Any,
) -> int:  # fmt: skip
    """Puts the packets ``low`` to ``high`` where their id belongs: ``places`` (256) says where each id's next one goes.

    A packet's index goes into ``rows``, its frame into ``frames``, what follows its head into ``body`` and ``length``,
    the head itself, without the id, into ``heads``, where the heads of its id would begin at ``begins`` if its first
    packet were the first of all. ``least``: bytes of the id and the head; ``varies``: whether more may follow;
    ``stated``: how many bytes the head begins with that repeat the packet's size. Of packets that do not fit that,
    ``misfits`` counts how many each id has; nothing more of them is written. Returns how many packets there were.
    """
    with cython.nogil:
        for index in range(low, high):
            kind = ids[index]
            place = places[kind]
            places[kind] = place + 1
            rows[place] = index
            frames[place] = frame[index]
            fixed = least[kind]
            if fixed == 0:
                continue
            at = offset[index]
            held = size[index]
            rest = held - fixed
            if rest < 0 or (rest > 0 and varies[kind] == 0):
                misfits[kind] += 1
                continue
            if stated[kind] == 1:
                wrong = data[at + 1] ^ (held & 0xFF)
            elif stated[kind] == 2:
                wrong = (data[at + 1] | data[at + 2] << 8) ^ (held & 0xFFFF)
            else:
                wrong = 0
            if wrong != 0:
                misfits[kind] += 1
                continue
            body[place] = at + fixed
            length[place] = rest
            begin = begins[kind] + place * (fixed - 1)
            for step in range(fixed - 1):
                heads[begin + step] = data[at + 1 + step]
    return high - low

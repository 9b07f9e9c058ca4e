"""Sorts the packets of a Spring demo stream by id and reads their heads: the form that Cython compiles, with the types
of the .pxd beside it. `formats.spring_sorted` calls it; `formats.spring.read_heads` says the same in numpy for where no
compiler is at hand."""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython


@cython.boundscheck(False)
def count(ids: Any, low: int, high: int, counts: Any) -> int:
    """Adds to ``counts`` (256) how many of the packets ``low`` to ``high`` have each id. Returns how many they are."""
    with cython.nogil:
        high = min(high, len(ids))
        for index in range(low, high):
            counts[ids[index]] += 1
    return high - low


@cython.boundscheck(False)
def sort(
    data: Any, words: Any, offset: Any, size: Any, ids: Any, frame: Any, low: int, high: int, places: Any,
    least: Any, varies: Any, stated: Any, begins: Any,
    rows: Any, frames: Any, body: Any, length: Any, heads: Any, head_words: Any, misfits: Any,
) -> int:  # fmt: skip
    """Puts the packets ``low`` to ``high`` where their id belongs: ``places`` (256) says where each id's next one goes.

    A packet's index goes into ``rows``, its frame into ``frames``, what follows its head into ``body`` and ``length``,
    the head itself, without the id, into ``heads``, where the heads of its id would begin at ``begins`` if its first
    packet were the first of all. ``least``: bytes of the id and the head; ``varies``: whether more may follow;
    ``stated``: how many bytes the head begins with that repeat the packet's size. Of packets that do not fit that,
    ``misfits`` counts how many each id has; nothing more of them is written. ``words`` and ``head_words`` are the
    numbers of 32 bits that begin at every byte of ``data`` and of ``heads``. Returns how many packets there were.

    Bounds are checked once a packet: its arrays hold ``high``, each table 256, the results have a place for each.
    """
    with cython.nogil:
        high = min(high, len(offset), len(size), len(ids), len(frame))
        room = min(len(rows), len(frames), len(body), len(length))
        for index in range(low, high):
            kind = ids[index]
            place = places[kind]
            if place < 0 or place >= room:
                misfits[kind] += 1
                continue
            places[kind] = place + 1
            rows[place] = index
            frames[place] = frame[index]
            fixed = least[kind]
            if fixed == 0:
                continue
            at = offset[index]
            held = size[index]
            rest = held - fixed
            begin = begins[kind] + place * (fixed - 1)
            if (
                rest < 0 or (rest > 0 and varies[kind] == 0)
                or at < 0 or held > len(data) - at or begin < 0 or fixed > len(heads) - begin
            ):  # fmt: skip
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
            at += 1
            fixed -= 1
            if fixed >= 4:  # four bytes at a time, the last four once more
                for step in range(0, fixed - 4, 4):
                    head_words[begin + step] = words[at + step]
                head_words[begin + fixed - 4] = words[at + fixed - 4]
            else:
                for step in range(fixed):
                    heads[begin + step] = data[at + step]
    return high - low

"""Learns from a few unit syncs which width a type index has and which types fly (fact sheet tad-format, 7.4).

A reading is right when slots ascend below the unit limit, types are above 0, every type keeps one family over the
whole file, and behind the status less than a byte is left, all zero.
"""

from __future__ import annotations

from collections.abc import Sequence

GROUND, AIR = 1, 2
WIDTHS = range(8, 13)
_END = 0xFFFF
_NODES = 1000  # entries looked at for one sync
_PASSES = 4  # times that what was learned is tried on the syncs that were open
_ENOUGH = 0.9  # share of the sample that the right width reads
_LEAST = 3  # syncs with entries that decide

Families = dict[int, int]


def solve(value: int, size: int, width: int, limit: int, known: Families) -> list[Families]:
    """Families of types not in ``known`` under which the bits read: none, the only answer, or the first two."""
    answers: list[Families] = []
    stack: list[tuple[int, int, Families]] = [(0, -1, {})]
    nodes = 0
    mask = (1 << width) - 1
    while stack and nodes < _NODES:
        at, before, assumed = stack.pop()
        nodes += 1
        if size - at < 16:
            continue
        slot = value >> at & _END
        if slot == _END:
            if status_fits(value, size, at + 16, width) and assumed not in answers:
                answers.append(assumed)
                if len(answers) > 1:
                    break
            continue
        if slot <= before or slot >= limit or size - at < 20 + width:
            continue
        unit = value >> at + 16 & mask
        if not unit:
            continue
        body = at + 16 + width
        family = known.get(unit) or assumed.get(unit)
        for choice in (family,) if family else (AIR, GROUND):
            end = ground_end(value, body) if choice == GROUND else air_end(value, body)
            if end <= size:
                stack.append((end, slot, assumed if family else {**assumed, unit: choice}))
    return answers if nodes < _NODES or len(answers) > 1 else []


def ground_end(value: int, at: int) -> int:
    return at + 3 + 32 * (value >> at + 1 & 3)


def air_end(value: int, at: int) -> int:
    selector = value >> at & 3
    if selector == 1:
        flags = value >> at + 2 & 0xFF
        return (
            at + 12 + 32 * (flags & 1) + 16 * (flags >> 4 & 1) + 16 * (flags >> 3 & 1) + 16 * (flags >> 6 & 1)
            + 96 * (flags >> 5 & 1)
        )  # fmt: skip
    if selector == 2:
        return at + 197 + 16 * (value >> at + 2 & 1)
    return at + 4


def status_fits(value: int, size: int, at: int, width: int) -> bool:
    """Whether a status at ``at`` ends the bits."""
    if size - at < 1:
        return False
    if not value >> at & 1:
        end = at + 1
    elif size - at < 1 + width:
        return False
    else:
        at += 1
        if not value >> at & (1 << width) - 1:
            end = at + width
        else:
            at += width + 35
            if at > size:
                return False
            end = at + (23 if value >> at - 1 & 1 else 144)
            if not value >> at - 1 & 1 and size - end >= 32:
                end += 32
    return end <= size < end + 8 and not value >> end


def learn(sample: Sequence[tuple[int, int]], limit: int) -> tuple[int, Families] | None:
    """(width, families) that read (nearly) all of the sample, None where no width or more than one does.

    ``sample``: the bits of syncs with entries as integers, and how many there are.
    """
    if len(sample) < _LEAST:
        return None
    found: list[tuple[int, Families]] = []
    for width in WIDTHS:
        families = _families(sample, width, limit)
        if families is not None:
            found.append((width, families))
    return found[0] if len(found) == 1 else None


def _families(sample: Sequence[tuple[int, int]], width: int, limit: int) -> Families | None:
    """Families under this width, None where too few of the sample read."""
    known: Families = {}
    waiting = list(sample)
    failed = 0
    for _ in range(_PASSES):
        later: list[tuple[int, int]] = []
        before = len(known)
        for value, size in waiting:
            answers = solve(value, size, width, limit, known)
            if not answers:
                failed += 1
                if failed > len(sample) * (1 - _ENOUGH):
                    return None
            elif len(answers) == 1:
                known |= answers[0]
            else:
                later.append((value, size))
        if not later or len(known) == before:
            break
        waiting = later
    return known

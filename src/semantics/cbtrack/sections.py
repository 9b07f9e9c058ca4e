"""How a main chunk shares its keys out: the lists it has, and the sections of curves whose keys lie end to end.

A section's columns are said once, here; ``coding`` (numpy) and the kernel ``track_curves`` both decode by it, into the
same few arrays for the whole chunk, which `Stacks.keys` cuts into the keys of each section. Source: seed 000, "Main
chunk".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ksreplay.rules import Rule
from ksreplay.semantics.cbtrack import rules

Array = npt.NDArray[Any]

#: Columns with one value an entry of a list: first and last.
LISTS = {"units": (1, 12), "targets": (40, 41), "poses": (56, 57), "projectiles": (80, 87), "numbers": (104, 106)}
#: First offsets of what the curves of a list are about, where it has a life of its own; the last are a column on.
LIVES = {"units": 6, "projectiles": 85}
#: How many entries each list has.
Lengths = dict[str, int]


class Section(NamedTuple):
    """Curves of one kind: one for each entry of ``entries``; 0 stands for no column.

    ``tracks`` counts the entries of each unit, ``keys`` the keys of each curve; ``keyless`` is the rule that a curve
    without keys breaks. ``life`` is the first offset of what the curve is about, the last is in the column after it.
    ``escaped`` are the first columns of groups of three differences with an escape, their wide values 3 further on;
    ``wrapping`` differences modulo 65,536; ``plain`` columns with one value a key.
    """

    name: str
    entries: str
    tracks: int
    keys: int
    time: int
    life: int
    keyless: Rule | None = None
    escaped: tuple[int, ...] = ()
    wrapping: range = range(0)
    plain: range = range(0)


SECTIONS = (
    Section("transforms", "units", 0, 8, 16, 6, rules.NO_KEY, (17,), range(24, 27), range(23, 24)),
    Section("statuses", "units", 0, 9, 32, 6, rules.NO_KEY, (), range(33, 35), range(35, 36)),
    Section("targets", "targets", 10, 41, 42, 6, plain=range(43, 46)),
    Section("poses", "poses", 11, 57, 58, 6, escaped=(59, 65)),
    Section("queues", "units", 0, 12, 72, 6, plain=range(73, 74)),
    Section("projectiles", "projectiles", 0, 87, 88, 85, rules.PROJECTILE_ENDS, (89, 95)),
    Section("numbers", "numbers", 0, 106, 107, 0, plain=range(108, 109)),
)
# Columns of one coding, those `_IN` by the section that each is in.
TIMES = tuple(section.time for section in SECTIONS)
ESCAPED = tuple(column + axis for section in SECTIONS for column in section.escaped for axis in range(3))
ESCAPED_IN = tuple(s for s, section in enumerate(SECTIONS) for _ in range(3 * len(section.escaped)))
WRAPPING = tuple(column for section in SECTIONS for column in section.wrapping)
WRAPPING_IN = tuple(s for s, section in enumerate(SECTIONS) for _ in section.wrapping)
#: Every column with a value a key.
KEYED = tuple(
    column
    for section in SECTIONS
    for column in (
        section.time,
        *(group + axis for group in section.escaped for axis in range(3)),
        *section.wrapping,
        *section.plain,
    )
)
KEYED_IN = tuple(
    s
    for s, section in enumerate(SECTIONS)
    for _ in range(1 + 3 * len(section.escaped) + len(section.wrapping) + len(section.plain))
)
#: The same for the kernel, a row a section.
PLAN = np.array(
    [
        (
            *LISTS[section.entries],
            *(section.tracks, section.keys, section.keyless is not None, section.time, section.life),
            *(*section.escaped, 0, 0)[:2],
            *(section.wrapping.start, len(section.wrapping), section.plain.start, section.plain.stop),
        )
        for section in SECTIONS
    ],
    np.int32,
)


class Keys(NamedTuple):
    """The keys of a section: ``bounds`` of its curves, ``tracks`` the bounds of each unit's curves (empty where a curve
    belongs to an entry), ``time`` int32, ``rows`` int32 (3, keys) a group, ``wraps`` uint16 (columns, keys)."""

    tracks: Array
    bounds: Array
    time: Array
    rows: list[Array]
    wraps: Array


def cut(bounds: Array, lengths: Lengths) -> Iterator[tuple[Array, Array]]:
    """What `Stacks.bounds` has of each section, as views: the bounds of the tracks of each unit, empty where a curve
    belongs to an entry, and of the keys of each curve."""
    bound = 0
    for section in SECTIONS:
        track = bound
        if section.tracks:
            bound += lengths["units"] + 1
        end = bound + lengths[section.entries] + 1
        yield bounds[track:bound], bounds[bound:end]
        bound = end


@dataclass(frozen=True, slots=True)
class Stacks:
    """The keys of a main chunk, section after section.

    ``bounds`` (int64): of the tracks of each unit in a section that has tracks, then of the keys of each curve; at the
    very end of the items of each queue key. ``times`` (int32) are offsets in the window. ``rows`` (int32) and ``wraps``
    (uint16) go column after column. ``placed`` (int32): see `model.Targets`.
    """

    bounds: Array
    times: Array
    rows: Array
    wraps: Array
    placed: Array

    def keys(self, lengths: Lengths) -> Iterator[Keys]:
        """The keys of each section, as views."""
        at = row = wrap = 0
        for section, (tracks, bounds) in zip(SECTIONS, cut(self.bounds, lengths), strict=True):
            count = int(bounds[-1])
            rows = []
            for _ in section.escaped:
                rows.append(self.rows[row : row + 3 * count].reshape(3, count))
                row += 3 * count
            num_wraps = len(section.wrapping)
            wraps = self.wraps[wrap : wrap + num_wraps * count].reshape(num_wraps, count)
            wrap += num_wraps * count
            yield Keys(tracks, bounds, self.times[at : at + count], rows, wraps)
            at += count

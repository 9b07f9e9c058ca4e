"""The ways a column stores its values, undone for all columns of a main chunk that store theirs alike, end to end.

No function loops over keys. The optional kernel does the same in one pass (``kernels.track_curves``); where it meets
anything wrong it says so and the functions here find out what. Source: seed 000, "How a column stores values".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ksreplay.formats.cbtrack import FORMAT, Columns
from ksreplay.formats.cbtrack_columns import ESCAPE, FIRST_PLACED_KIND, MOST
from ksreplay.semantics.cbtrack import rules
from ksreplay.semantics.cbtrack.sections import (
    ESCAPED,
    ESCAPED_IN,
    SECTIONS,
    TIMES,
    WRAPPING,
    WRAPPING_IN,
    Lengths,
    Stacks,
    cut,
)

Array = npt.NDArray[Any]


def bounds_of(counts: Array) -> Array:
    """Where each of ``counts`` begins: int64, one longer."""
    bounds = np.empty(len(counts) + 1, np.int64)
    bounds[0] = 0
    counts.cumsum(dtype=np.int64, out=bounds[1:])
    return bounds


def entries(columns: Columns, section: str, ids: Iterable[int]) -> int:
    """How many entries a list has: the length of any of its columns that is listed; they must agree."""
    lengths = {columns.num_values[column] for column in ids} - {0}
    if len(lengths) > 1:
        raise rules.ROWS_DIFFER.failure(FORMAT, where=f"{columns.where}.{section}", found=sorted(lengths))
    return lengths.pop() if lengths else 0


def keyed(columns: Columns, column: int, count: int) -> Array:
    """A column with one value a key, of which there must be ``count``."""
    number = columns.num_values[column]
    if number != count:
        raise rules.VALUES.failure(FORMAT, where=f"{columns.where}.column[{column}]", found=number, expected=count)
    return columns.plain(column)


def starts_of(bounds: Array) -> Array:
    """The first key of each curve that has keys."""
    starts = bounds[:-1]
    has = starts < bounds[1:]
    return starts if has.all() else starts[has]


class Curves(NamedTuple):
    """The curves of a section that have keys: where the keys of each start and how many they are; ``num_keys`` are the
    keys of the section."""

    starts: Array
    counts: Array
    num_keys: int

    @classmethod
    def of(cls, bounds: Array, counts: Array) -> Curves:
        starts, num_keys = bounds[:-1], int(bounds[-1])
        if counts.all():
            return cls(starts, counts, num_keys)
        has = counts > 0
        return cls(starts[has], counts[has], num_keys)


@dataclass(frozen=True, slots=True)
class Stack:
    """Columns of one coding end to end: column ``ids[i]``, with a value for every key of ``curves[i]``, begins at
    ``bases[i]`` of ``values``."""

    columns: Columns
    ids: Sequence[int]
    curves: Sequence[Curves]
    bases: list[int]
    values: Array

    @classmethod
    def of(cls, columns: Columns, ids: Sequence[int], curves: Sequence[Curves]) -> Stack:
        values = [keyed(columns, column, part.num_keys) for column, part in zip(ids, curves, strict=True)]
        return cls(columns, ids, curves, [0, *accumulate(map(len, values))], np.concatenate(values))

    @property
    def starts(self) -> Array:
        """The first value of each curve in each column."""
        return np.concatenate([part.starts + base for base, part in zip(self.bases, self.curves, strict=False)])

    @property
    def counts(self) -> Array:
        """How many values each of those curves has."""
        return np.concatenate([part.counts for part in self.curves])

    def where(self, at: int) -> str:
        """The place of value ``at`` in the chunk."""
        i = bisect_right(self.bases, at) - 1
        return f"{self.columns.where}.column[{self.ids[i]}][{at - self.bases[i]}]"


def decode(columns: Columns, lengths: Lengths, span: int) -> Stacks:
    """The keys of a main chunk whose window spans ``span`` frames; a ReplayError where they cannot be shared out."""
    for name, column in (("units", 6), ("projectiles", 85)):
        _check_lives(columns, name, column, lengths[name], span)
    tracks, counts = _counts(columns, lengths)
    bounds = _bounds(tracks, counts)
    curves = [Curves.of(part, keys) for (_, part), keys in zip(cut(bounds, lengths), counts, strict=True)]
    num_keys = {section.name: part.num_keys for section, part in zip(SECTIONS, curves, strict=True)}
    escaped = [curves[s] for s in ESCAPED_IN]
    wrapping = [curves[s] for s in WRAPPING_IN]
    times = _times(Stack.of(columns, TIMES, curves), *_lives(columns, lengths, tracks, counts, span))
    rows = _escaped(Stack.of(columns, ESCAPED, escaped))
    wraps = _wrapping(Stack.of(columns, WRAPPING, wrapping))
    for section in SECTIONS:
        for column in section.plain:
            keyed(columns, column, num_keys[section.name])
    bounds = np.concatenate((bounds, _items(columns, num_keys["queues"])))
    return Stacks(bounds, times, rows, wraps, _placed(columns, num_keys["targets"]))


def _check_lives(columns: Columns, name: str, column: int, count: int, span: int) -> None:
    """First offsets (in ``column``) are not after last ones (in the next), and these are in the window."""
    first, last = columns.plain(column, count), columns.plain(column + 1, count)
    wrong = (last > span) | (first > last)
    if wrong.any():
        i = int(wrong.argmax())
        raise rules.LIFE.failure(
            FORMAT, where=f"{columns.where}.{name}[{i}]", found=[int(first[i]), int(last[i])], expected=f"0 to {span}"
        )


def _counts(columns: Columns, lengths: Lengths) -> tuple[dict[str, Array], list[Array]]:
    """How many tracks each unit has in the sections that have tracks, and how many keys each curve of each section."""
    tracks, counts = {}, []
    for section in SECTIONS:
        number = lengths[section.entries]
        if section.tracks:
            tracks[section.name] = columns.plain(section.tracks, lengths["units"])
            total = int(tracks[section.name].sum(dtype=np.int64))
            if total != number:
                raise rules.TRACKS.failure(
                    FORMAT, where=f"{columns.where}.{section.name}", found=number, expected=total
                )
        keys = columns.plain(section.keys, number)
        if section.keyless is not None and not keys.all():
            raise section.keyless.failure(
                FORMAT, where=f"{columns.where}.{section.entries}[{int(keys.argmin())}].column[{section.keys}]", found=0
            )
        counts.append(keys)
    return tracks, counts


def _bounds(tracks: dict[str, Array], counts: list[Array]) -> Array:
    """What `Stacks.bounds` has of every section: the counts, a 0 before those of each list, summed up from there."""
    lists = []
    for section, keys in zip(SECTIONS, counts, strict=True):
        lists += [_ZERO, tracks[section.name], _ZERO, keys] if section.tracks else [_ZERO, keys]
    bounds = np.concatenate(lists, dtype=np.int64)
    np.add.accumulate(bounds, out=bounds)
    lengths = [1 + len(part) for part in lists[1::2]]
    bounds -= np.repeat(bounds[[0, *accumulate(lengths[:-1])]], lengths)
    return bounds


_ZERO = np.zeros(1, np.uint8)


def _lives(
    columns: Columns, lengths: Lengths, tracks: dict[str, Array], counts: list[Array], span: int
) -> tuple[Array, Array]:
    """The first and the last offset of what each curve that has keys is about."""
    firsts, lasts = [], []
    for section in SECTIONS:
        number = lengths["units" if section.tracks else section.entries]
        if section.life:
            first, last = columns.plain(section.life, number), columns.plain(section.life + 1, number)
        else:
            first, last = np.zeros(number, np.uint16), np.full(number, span, np.uint16)
        if section.tracks:
            first, last = first.repeat(tracks[section.name]), last.repeat(tracks[section.name])
        firsts.append(first)
        lasts.append(last)
    has = np.concatenate(counts) > 0
    return np.concatenate(firsts)[has], np.concatenate(lasts)[has]


def _times(stack: Stack, first: Array, last: Array) -> Array:
    """Frames since the key before -> offsets in the window, int32, each in the life of what its curve is about."""
    stored, starts, counts = stack.values, stack.starts, stack.counts
    opening = stored[starts]
    if np.count_nonzero(stored) + np.count_nonzero(opening == 0) != len(stored):
        no_step = stored == 0
        no_step[starts] = False
        raise rules.SAME_FRAME.failure(FORMAT, where=stack.where(int(no_step.argmax())), found=0)
    # A curve has at most 65,535 keys, so its offsets are below 2**32 and differences modulo 2**32 are exact.
    times = np.add.accumulate(stored, dtype=np.uint32)
    times -= np.repeat(times[starts] - opening, counts)
    closing = times[starts + counts - 1]
    outside = (opening < first) | (closing > last)
    if outside.any():
        curve = int(outside.argmax())
        raise rules.KEY_PLACE.failure(
            FORMAT,
            where=stack.where(int(starts[curve])),
            found=[int(opening[curve]), int(closing[curve])],
            expected=[int(first[curve]), int(last[curve])],
        )
    return times.view(np.int32)


def _escaped(stack: Stack) -> Array:
    """Differences with an escape, each with its wide values in the column 3 further on -> values, int32."""
    columns, narrow, starts = stack.columns, stack.values, stack.starts
    is_wide = narrow == ESCAPE
    opening = is_wide[starts]
    if not opening.all():
        first = int(starts[opening.argmin()])
        raise rules.FIRST_ESCAPE.failure(FORMAT, where=stack.where(first), found=int(narrow[first]), expected=ESCAPE)
    # nearly every escape opens a curve: the few others are found in a third of the time without those
    is_wide[starts] = False
    others = np.flatnonzero(is_wide)
    at = np.sort(np.concatenate((starts, others)), kind="stable") if len(others) else starts
    edges = np.searchsorted(at, stack.bases).tolist()
    for column, begin, end in zip(stack.ids, edges, edges[1:], strict=False):
        if columns.num_values[column + 3] != end - begin:
            raise rules.WIDE_COUNT.failure(
                FORMAT,
                where=f"{columns.where}.column[{column + 3}]",
                found=columns.num_values[column + 3],
                expected=end - begin,
            )
    values = narrow.astype(np.int32)
    if not len(values):
        return values
    # Between two escapes a value is the running sum, moved so that it has the wide value at the escape before; each
    # column begins with one, so nothing comes over from the column before. A sum of 32 bits is exact where it matters,
    # since a value leaves the limit long before it can come round.
    np.add.accumulate(values, out=values)
    shift = np.concatenate([columns.plain(column + 3) for column in stack.ids])
    shift -= values[at]
    spans = np.empty(len(at), np.int64)
    np.subtract(at[1:], at[:-1], out=spans[:-1])
    spans[-1] = len(values) - at[-1]
    values += np.repeat(shift, spans)
    if int(values.max()) > MOST or int(values.min()) < -MOST:
        place = int(((values > MOST) | (values < -MOST)).argmax())
        raise rules.VALUE_RANGE.failure(
            FORMAT, where=stack.where(place), found=int(values[place]), expected=f"-{MOST} to {MOST}"
        )
    return values


def _wrapping(stack: Stack) -> Array:
    """Differences modulo 65,536 -> values, uint16; view them as int16 where they are signed."""
    starts = stack.starts
    values = np.add.accumulate(stack.values, dtype=np.uint16)
    values -= np.repeat(values[starts] - stack.values[starts], stack.counts)
    return values


def _items(columns: Columns, num_keys: int) -> Array:
    """The bounds of each queue key's items."""
    bounds = bounds_of(keyed(columns, 73, num_keys))
    for column in range(74, 78):
        keyed(columns, column, int(bounds[-1]))
    return bounds


def _placed(columns: Columns, num_keys: int) -> Array:
    """The place in the position columns that each target key takes, or -1."""
    is_placed = keyed(columns, 43, num_keys) >= FIRST_PLACED_KIND
    num_placed = int(np.count_nonzero(is_placed))
    for column in range(46, 49):
        keyed(columns, column, num_placed)
    placed = np.full(num_keys, -1, np.int32)
    placed[is_placed] = np.arange(num_placed)
    return placed

"""The ways a column stores its values, undone for all columns of a main chunk that store theirs alike, end to end.

No function loops over keys. The optional kernel does the same in one pass (``kernels.track_curves``); where it meets
anything wrong it says so and the functions here find out what. Source: seed 000, "How a column stores values".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.columns import running_sums
from ksreplay.formats.cbtrack import FORMAT, Columns
from ksreplay.formats.cbtrack_columns import ESCAPE, FIRST_PLACED_KIND, MOST
from ksreplay.rules import Rule
from ksreplay.semantics.cbtrack import rules
from ksreplay.semantics.cbtrack.sections import (
    ESCAPED,
    ESCAPED_IN,
    KEYED,
    KEYED_IN,
    LIVES,
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


def keyed(columns: Columns, column: int, count: int, rule: Rule = rules.VALUES) -> Array:
    """A column that must have ``count`` values."""
    number = columns.num_values[column]
    if number != count:
        raise rule.failure(FORMAT, where=f"{columns.where}.column[{column}]", found=number, expected=count)
    return columns.plain(column)


def starts_of(bounds: Array) -> Array:
    """The first key of each curve that has keys."""
    starts = bounds[:-1]
    has = starts < bounds[1:]
    return starts if has.all() else starts[has]


@dataclass(frozen=True, slots=True)
class Stack:
    """Columns of one coding end to end: column ``ids[i]`` begins at ``bases[i]`` of ``values``. ``starts`` and
    ``counts`` are the first value of each curve in each column and how many it has."""

    columns: Columns
    ids: Sequence[int]
    bases: list[int]
    values: Array
    starts: Array
    counts: Array

    @classmethod
    def of(cls, columns: Columns, ids: Sequence[int], curves: Iterable[Array]) -> Stack:
        """The columns ``ids``; ``curves[i]`` are the keys of each curve in column ``ids[i]``, none is 0."""
        values = [columns.plain(column) for column in ids]
        counts = np.concatenate([*curves], dtype=np.int64)
        starts = running_sums(counts, np.int64) - counts
        return cls(columns, ids, [0, *accumulate(map(len, values))], np.concatenate(values), starts, counts)

    def where(self, at: int) -> str:
        """The place of value ``at`` in the chunk."""
        i = bisect_right(self.bases, at) - 1
        return f"{self.columns.where}.column[{self.ids[i]}][{at - self.bases[i]}]"


_num_keyed = itemgetter(*KEYED)


def decode(columns: Columns, lengths: Lengths, span: int) -> Stacks:
    """The keys of a main chunk whose window spans ``span`` frames; a ReplayError where they cannot be shared out."""
    lives = {name: _lives(columns, name, column, lengths[name], span) for name, column in LIVES.items()}
    tracks, counts = _counts(columns, lengths)
    bounds = _bounds(tracks, counts)
    num_keys = [int(part[-1]) for _, part in cut(bounds, lengths)]
    expected = tuple(num_keys[s] for s in KEYED_IN)
    if _num_keyed(columns.num_values) != expected:
        for column, count in zip(KEYED, expected, strict=True):
            keyed(columns, column, count)
    # from here on only the curves that have keys
    every = np.concatenate(counts)
    has = np.flatnonzero(every)
    edges = has.searchsorted([0, *accumulate(map(len, counts))]).tolist()
    nonzero = every[has]
    curves = [nonzero[begin:end] for begin, end in pairwise(edges)]
    _check_keyless(columns, counts, curves)
    sums = Stack.of(columns, (*TIMES, *WRAPPING), [*curves, *(curves[s] for s in WRAPPING_IN)])
    first, last = _lives_of_curves(lives, lengths, tracks, span)
    times, wraps = _sums(sums, first[has], last[has])
    rows = _escaped(Stack.of(columns, ESCAPED, [curves[s] for s in ESCAPED_IN]))
    return Stacks(np.concatenate((bounds, _items(columns))), times, rows, wraps, _placed(columns))


def _lives(columns: Columns, name: str, column: int, count: int, span: int) -> tuple[Array, Array]:
    """First offsets (in ``column``) and last ones (in the next): in the window, the first not after the last."""
    first, last = columns.plain(column, count), columns.plain(column + 1, count)
    wrong = (last > span) | (first > last)
    if wrong.any():
        i = int(wrong.argmax())
        raise rules.LIFE.failure(
            FORMAT, where=f"{columns.where}.{name}[{i}]", found=[int(first[i]), int(last[i])], expected=f"0 to {span}"
        )
    return first, last


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
        counts.append(columns.plain(section.keys, number))
    return tracks, counts


def _check_keyless(columns: Columns, counts: list[Array], curves: list[Array]) -> None:
    """Every curve has keys in the sections where it must."""
    for section, keys, having in zip(SECTIONS, counts, curves, strict=True):
        if section.keyless is not None and len(having) < len(keys):
            raise section.keyless.failure(
                FORMAT, where=f"{columns.where}.{section.entries}[{int(keys.argmin())}].column[{section.keys}]", found=0
            )


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


def _lives_of_curves(
    lives: dict[str, tuple[Array, Array]], lengths: Lengths, tracks: dict[str, Array], span: int
) -> tuple[Array, Array]:
    """The first and the last offset of what each curve of each section is about."""
    firsts, lasts = [], []
    for section in SECTIONS:
        if section.tracks:
            first, last = (offsets.repeat(tracks[section.name]) for offsets in lives["units"])
        elif section.entries in lives:
            first, last = lives[section.entries]
        else:
            number = lengths[section.entries]
            first, last = np.zeros(number, np.uint16), np.full(number, span, np.uint16)
        firsts.append(first)
        lasts.append(last)
    return np.concatenate(firsts), np.concatenate(lasts)


def _sums(stack: Stack, first: Array, last: Array) -> tuple[Array, Array]:
    """The columns of times and then of wrapping differences -> offsets in the window, int32, each in the life of what
    its curve is about, which is from ``first`` to ``last``; and values of 16 bits, view them as int16 where signed."""
    stored, starts, counts = stack.values, stack.starts, stack.counts
    num_times, num_curves = stack.bases[len(TIMES)], len(first)
    opening = stored[starts]
    num_zero = num_times - np.count_nonzero(stored[:num_times])
    if num_zero != num_curves - np.count_nonzero(opening[:num_curves]):
        no_step = stored[:num_times] == 0
        no_step[starts[:num_curves]] = False
        raise rules.SAME_FRAME.failure(FORMAT, where=stack.where(int(no_step.argmax())), found=0)
    # A curve has at most 65,535 keys, so its offsets are below 2**32 and differences modulo 2**32 are exact.
    sums = running_sums(stored, np.uint32)
    before = np.repeat(sums[starts] - opening, counts)
    times = sums[:num_times] - before[:num_times]
    starts = starts[:num_curves]
    opening, closing = opening[:num_curves], times[starts + counts[:num_curves] - 1]
    outside = (opening < first) | (closing > last)
    if outside.any():
        curve = int(outside.argmax())
        raise rules.KEY_PLACE.failure(
            FORMAT,
            where=stack.where(int(starts[curve])),
            found=[int(opening[curve]), int(closing[curve])],
            expected=[int(first[curve]), int(last[curve])],
        )
    return times.view(np.int32), (sums[num_times:] - before[num_times:]).astype(np.uint16)


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
    at, spans = starts, stack.counts
    if len(others):
        at = np.sort(np.concatenate((starts, others)), kind="stable")
        spans = np.diff(at, append=len(narrow))
    edges = np.searchsorted(at, stack.bases).tolist()
    for column, (begin, end) in zip(stack.ids, pairwise(edges), strict=True):
        keyed(columns, column + 3, end - begin, rules.WIDE_COUNT)
    # Between two escapes a value is the running sum, moved so that it has the wide value at the escape before; each
    # column begins with one, so nothing comes over from the column before. A sum of 32 bits is exact where it matters,
    # since a value leaves the limit long before it can come round.
    sums = running_sums(narrow, np.int32)
    shift = np.concatenate([columns.plain(column + 3) for column in stack.ids])
    shift -= sums[at]
    values: Array = sums + np.repeat(shift, spans)
    if len(values) and (int(values.max()) > MOST or int(values.min()) < -MOST):
        place = int(((values > MOST) | (values < -MOST)).argmax())
        raise rules.VALUE_RANGE.failure(
            FORMAT, where=stack.where(place), found=int(values[place]), expected=f"-{MOST} to {MOST}"
        )
    return values


def _items(columns: Columns) -> Array:
    """The bounds of each queue key's items."""
    bounds = bounds_of(columns.plain(73))
    for column in range(74, 78):
        keyed(columns, column, int(bounds[-1]))
    return bounds


def _placed(columns: Columns) -> Array:
    """The place in the position columns that each target key takes, or -1."""
    is_placed = columns.plain(43) >= FIRST_PLACED_KIND
    num_placed = int(np.count_nonzero(is_placed))
    for column in range(46, 49):
        keyed(columns, column, num_placed)
    placed = np.full(len(is_placed), -1, np.int32)
    placed[is_placed] = np.arange(num_placed)
    return placed

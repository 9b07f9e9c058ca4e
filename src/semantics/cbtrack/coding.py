"""The ways a column stores its values, undone for a whole column at once.

Each function takes the stored column and the ``bounds`` of its curves and gives the values; none loops over keys. The
optional kernel does the same in one pass (``kernels.track_curves``); where it meets anything wrong it says so and the
functions here find out what. Source: seed 000, "How a column stores values".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.formats.cbtrack import FORMAT, KERNEL, Columns
from ksreplay.formats.cbtrack_columns import ESCAPE, MOST
from ksreplay.semantics.cbtrack import rules

Array = npt.NDArray[Any]


def bounds_of(counts: Array) -> Array:
    """Where each of ``counts`` begins: int64, one longer."""
    bounds = np.empty(len(counts) + 1, np.int64)
    bounds[0] = 0
    counts.cumsum(dtype=np.int64, out=bounds[1:])
    return bounds


def entries(columns: Columns, section: str, ids: tuple[int, ...]) -> int:
    """How many entries a list has: the length of any of its columns that is listed; they must agree."""
    lengths = {number for column in ids if (number := columns.count(column))}
    if len(lengths) > 1:
        raise rules.ROWS_DIFFER.failure(FORMAT, where=f"{columns.where}.{section}", found=sorted(lengths))
    return lengths.pop() if lengths else 0


def plain(columns: Columns, column: int, count: int, dtype: str) -> Array:
    """A column with one value an entry; zeros where it is not listed."""
    values = columns.get(column)
    return np.zeros(count, dtype) if values is None else values


def keyed(columns: Columns, column: int, count: int, dtype: str) -> Array:
    """A column with one value a key, of which there must be ``count``."""
    values = columns.get(column)
    if values is None:
        values = np.zeros(0, dtype)
    if len(values) != count:
        raise rules.VALUES.failure(FORMAT, where=f"{columns.where}.column[{column}]", found=len(values), expected=count)
    return values


def starts_of(bounds: Array) -> tuple[Array, Array]:
    """The first key of each curve that has keys, and how many keys it has."""
    counts = np.diff(bounds)
    if len(counts) and counts.min() > 0:
        return bounds[:-1], counts
    has = counts > 0
    return bounds[:-1][has], counts[has]


def times(stored: Array, starts: Array, counts: Array, where: str) -> Array:
    """Frames since the key before -> offsets in the window, int32.

    A curve has at most 65,535 keys, so its offsets are below 2**32 and differences modulo 2**32 are exact.
    """
    if not len(stored):
        return np.zeros(0, np.int32)
    if np.count_nonzero(stored) + np.count_nonzero(stored[starts] == 0) != len(stored):
        first = np.zeros(len(stored), bool)
        first[starts] = True
        key = int(np.flatnonzero((stored == 0) & ~first)[0])
        raise rules.SAME_FRAME.failure(FORMAT, where=f"{where}[{key}]", found=0)
    running = stored.astype(np.uint32)
    np.add.accumulate(running, out=running)
    running -= np.repeat(running[starts] - stored[starts], counts)
    last = running[starts + counts - 1]
    if last.max() > 65_535:
        curve = int(np.flatnonzero(last > 65_535)[0])
        raise rules.KEY_PLACE.failure(FORMAT, where=where, found=int(last[curve]), expected="at most 65535")
    return running.view(np.int32)


def escaped(columns: Columns, ids: Sequence[int], starts: Array, count: int) -> Array:
    """Differences with an escape, each with its wide values in the column 3 further on: int32 (ids, count).

    The columns are done end to end as one: each begins with an escape, which takes nothing from the value before.
    """
    narrow = np.concatenate([keyed(columns, column, count, "<i2") for column in ids])
    wide = [columns.get(column + 3) for column in ids]
    at = np.flatnonzero(narrow == ESCAPE)
    for row, column in enumerate(ids):
        opening = narrow[row * count + starts]
        if not (opening == ESCAPE).all():
            key = int(starts[np.flatnonzero(opening != ESCAPE)[0]])
            raise rules.FIRST_ESCAPE.failure(
                FORMAT,
                where=f"{columns.where}.column[{column}][{key}]",
                found=int(narrow[row * count + key]),
                expected=ESCAPE,
            )
    edges = np.searchsorted(at, np.arange(len(ids) + 1) * count).tolist()
    for row, column in enumerate(ids):
        number = columns.count(column + 3)
        if number != edges[row + 1] - edges[row]:
            raise rules.WIDE_COUNT.failure(
                FORMAT,
                where=f"{columns.where}.column[{column + 3}]",
                found=number,
                expected=edges[row + 1] - edges[row],
            )
    values = narrow.astype(np.int32)
    if not count:
        return values.reshape(len(ids), 0)
    # between two escapes a value is the running sum, moved so that it has the wide value at the escape before; a sum of
    # 32 bits is exact where it matters, since a value leaves the limit long before it can come round
    np.add.accumulate(values, out=values)
    shift = np.concatenate([column for column in wide if column is not None])
    shift -= values[at]
    spans = np.empty(len(at), np.int64)
    np.subtract(at[1:], at[:-1], out=spans[:-1])
    spans[-1] = len(values) - at[-1]
    values += np.repeat(shift, spans)
    if int(values.max()) > MOST or int(values.min()) < -MOST:
        place = int(np.flatnonzero((values > MOST) | (values < -MOST))[0])
        raise rules.VALUE_RANGE.failure(
            FORMAT,
            where=f"{columns.where}.column[{ids[place // count]}][{place % count}]",
            found=int(values[place]),
            expected=f"-{MOST} to {MOST}",
        )
    return values.reshape(len(ids), count)


def wrapping(columns: Columns, ids: Sequence[int], starts: Array, counts: Array, count: int) -> Array:
    """Wrapping differences, uint16 (ids, count); view them as int16 where the values are signed."""
    stored = np.concatenate([keyed(columns, column, count, "<u2") for column in ids])
    running = np.add.accumulate(stored, dtype=np.uint16)
    if count:
        every = np.concatenate([row * count + starts for row in range(len(ids))])
        running -= np.repeat(running[every] - stored[every], np.tile(counts, len(ids)))
    return running.reshape(len(ids), count)


def section(
    columns: Columns,
    bounds: Array,
    first: Array,
    last: Array,
    time_column: int,
    groups: tuple[int, ...] = (),
    wrap_column: int = 0,
    num_wraps: int = 0,
) -> tuple[Array, list[Array], Array]:
    """The keys of the curves that ``bounds`` cuts a section into: offsets in the window (int32), rows of three (int32,
    (3, keys)) for the columns from each of ``groups`` on, and wrapping differences (uint16, (num_wraps, keys)).

    ``first`` and ``last`` (uint16) are the life of the thing of each curve; all its keys lie in it.
    """
    count = int(bounds[-1])
    if KERNEL is not None and count and columns.count(time_column) == count:
        values = np.empty((1 + 3 * len(groups), count), np.int32)
        wraps = np.empty((num_wraps, count), np.uint16)
        group_a, group_b = (*groups, 0, 0)[:2]
        if not KERNEL.section(
            columns.words,
            columns.wides,
            columns.offsets,
            columns.counts,
            bounds,
            first,
            last,
            time_column,
            group_a,
            group_b,
            wrap_column,
            num_wraps,
            values,
            wraps,
        ):
            return values[0], [values[i : i + 3] for i in range(1, len(values), 3)], wraps
    starts, counts = starts_of(bounds)
    where = f"{columns.where}.column[{time_column}]"
    time = times(keyed(columns, time_column, count, "<u2"), starts, counts, where)
    check_within(bounds, time, starts, counts, first, last, where)
    rows = np.zeros((0, count), np.int32)
    if groups:
        rows = escaped(columns, [column + axis for column in groups for axis in range(3)], starts, count)
    wraps = np.zeros((0, count), np.uint16)
    if num_wraps:
        wraps = wrapping(columns, range(wrap_column, wrap_column + num_wraps), starts, counts, count)
    return time, [rows[i : i + 3] for i in range(0, len(rows), 3)], wraps


def check_within(
    bounds: Array, time: Array, starts: Array, counts: Array, first: Array, last: Array, where: str
) -> None:
    """The first and the last key of each curve lie in its life; ``first`` and ``last`` have one element a curve."""
    if not len(starts):
        return
    if len(starts) < len(first):
        has = np.diff(bounds) > 0
        first, last = first[has], last[has]
    opening, closing = time[starts], time[starts + counts - 1]
    if not ((opening >= first).all() and (closing <= last).all()):
        curve = int(np.flatnonzero((opening < first) | (closing > last))[0])
        raise rules.KEY_PLACE.failure(
            FORMAT,
            where=f"{where}[{curve}]",
            found=[int(opening[curve]), int(closing[curve])],
            expected=[int(first[curve]), int(last[curve])],
        )


def strings(columns: Columns, column: int) -> tuple[str, ...]:
    """A list of strings: lengths in ``column``, bytes in the one after."""
    lengths, data = columns.get(column), columns.get(column + 1)
    raw = b"" if data is None else data.tobytes()
    ends = [] if lengths is None else np.cumsum(lengths, dtype=np.int64).tolist()
    if (ends[-1] if ends else 0) != len(raw):
        raise rules.STRINGS.failure(
            FORMAT, where=f"{columns.where}.column[{column}]", found=len(raw), expected=ends[-1] if ends else 0
        )
    result, start = [], 0
    for i, end in enumerate(ends):
        try:
            result.append(raw[start:end].decode("utf-8"))
        except UnicodeDecodeError as error:
            raise rules.UTF8.failure(
                FORMAT, where=f"{columns.where}.column[{column}][{i}]", found=raw[start:end].hex()
            ) from error
        start = end
    return tuple(result)

"""The chunks of a track in one call each: the directory of its columns, the keys of a main chunk, the rows of a terrain
chunk.

Compiled it stands in for the numpy code of ``formats.cbtrack``, ``semantics.cbtrack.coding`` and ``.decode``, which
says what is wrong where this only says that something is, and which alone reads what lies oddly (16 bit values at an
odd place, a column left out that has a value for every entry). Plain it is slow and nothing calls it but the tests.

Everywhere ``data`` (uint8), ``words`` (int16) and ``wides`` (int32) are the whole chunk, and ``offsets`` (bytes) and
``counts`` (both int32, 256) say by its id where a column is and how many values it has.
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython

#: What `directory`, `main` and `terrain` answer: everything is right, or not.
GOOD = 0
WRONG = 1
# Sections by their place in the plan: those that are checked in a way of their own.
TRANSFORMS = 0
TARGETS = 2
QUEUES = 4
PROJECTILES = 5
NUMBERS = 6


def directory(words: Any, count: Any, expected: Any, size: Any, most: Any, offsets: Any, counts: Any) -> Any:
    """Reads ``count`` directory entries of a chunk of ``size`` bytes; `GOOD` or `WRONG`.

    ``offsets`` and ``counts`` (int32, 256) get the place and number of values of each known column by its id.

    ``words`` (int16) is the chunk; ``expected`` (uint8, 65536) the type number of each known id, 0 for an unknown one.
    The known columns together hold at most ``most`` bytes.
    """
    before = -1
    total = 0
    for i in range(count):
        at = 2 + 6 * i
        column = words[at] & 0xFFFF
        if column <= before:
            return WRONG
        before = column
        kind = words[at + 1] & 0xFFFF
        wanted = expected[column]
        if wanted == 0 or kind == 0 or kind > 6:
            continue
        if kind != wanted:
            return WRONG
        # the high halves first and alone, so that compiled code widens them before they are moved up
        offset = words[at + 3] & 0xFFFF
        offset = offset * 65536 + (words[at + 2] & 0xFFFF)
        number = words[at + 5] & 0xFFFF
        number = number * 65536 + (words[at + 4] & 0xFFFF)
        width = 1 if kind == 1 else 2 if kind < 4 else 4
        total += number * width
        if offset + number * width > size or total > most:
            return WRONG
        offsets[column] = offset
        counts[column] = number
    return GOOD


def main(
    data: Any,
    words: Any,
    wides: Any,
    offsets: Any,
    counts: Any,
    plan: Any,
    into: Any,
    span: Any,
    top: Any,
    bounds: Any,
    times: Any,
    rows: Any,
    wraps: Any,
    placed: Any,
) -> Any:
    """Decodes and checks the main chunk of a window of ``span`` frames.

    ``plan`` (int32) has a row a section, as ``semantics.cbtrack.sections`` lays it out; ``into`` (uint8, 256) says for
    each kind of target what its reference is an index in; ``top`` is the largest kept component of a rotation.

    Section after section, ``bounds`` (int64) gets those of each unit's tracks, where it has tracks, and of each curve's
    keys, at the end those of each queue key's items; ``times`` (int32) gets offsets in the window, ``rows`` (int32) the
    differences with an escape and ``wraps`` (uint16) the wrapping ones, column after column. ``placed`` (int32) gets
    the place in the position columns that each target key takes, or -1.
    """
    good, wrong = GOOD, WRONG  # C integers for what follows, which does without the interpreter
    with cython.nogil:
        num_units = entries(counts, 1, 12)
        num_projectiles = entries(counts, 80, 87)
        if not lives(words, offsets, counts, 6, num_units, span):
            return wrong
        if not lives(words, offsets, counts, 85, num_projectiles, span):
            return wrong
        bound = 0
        at = 0
        row = 0
        wrap = 0
        for s in range(len(plan)):
            num_curves = entries(counts, plan[s, 0], plan[s, 1])
            if num_curves < 0:
                return wrong
            tracks = bounds[0:0]
            if plan[s, 2]:
                tracks = bounds[bound : bound + num_units + 1]
                bound += num_units + 1
                if add_counts(data, words, offsets, counts, plan[s, 2], 0, tracks) != num_curves:
                    return wrong
            keys = bounds[bound : bound + num_curves + 1]
            bound += num_curves + 1
            num_keys = add_counts(data, words, offsets, counts, plan[s, 3], plan[s, 4], keys)
            if num_keys < 0:
                return wrong
            column = plan[s, 5]
            start = offsets[column] >> 1
            life = plan[s, 6]
            low = offsets[life] >> 1
            high = offsets[life + 1] >> 1
            if counts[column] != num_keys or offsets[column] & 1:
                return wrong
            if not add_times(
                words[start : start + num_keys],
                keys,
                tracks,
                words[low : low + counts[life]],
                words[high : high + counts[life]],
                span,
                times[at : at + num_keys],
            ):
                return wrong
            for group in range(7, 9):
                column = plan[s, group]
                for _axis in range(3 if column else 0):
                    start = offsets[column] >> 1
                    wide = offsets[column + 3] >> 2
                    if counts[column] != num_keys or offsets[column] & 1 or offsets[column + 3] & 3:
                        return wrong
                    if not add_escaped(
                        words[start : start + num_keys],
                        wides[wide : wide + counts[column + 3]],
                        keys,
                        rows[row : row + num_keys],
                    ):
                        return wrong
                    row += num_keys
                    column += 1
            for column in range(plan[s, 9], plan[s, 9] + plan[s, 10]):
                start = offsets[column] >> 1
                if counts[column] != num_keys or offsets[column] & 1:
                    return wrong
                add_wrapping(words[start : start + num_keys], keys, wraps[wrap : wrap + num_keys])
                wrap += num_keys
            for column in range(plan[s, 11], plan[s, 12]):
                if counts[column] != num_keys:
                    return wrong
            if s == TRANSFORMS:
                fits = at_most(data, offsets, counts, 23, 3) and signed_within(wraps[0:wrap], top)
            elif s == TARGETS:
                fits = targets_fit(data, wides, offsets, counts, into, num_units, num_projectiles, placed)
            elif s == QUEUES:
                items = bounds[len(bounds) - num_keys - 1 :]
                fits = items_fit(data, words, wides, offsets, counts, items)
            elif s == PROJECTILES:
                fits = projectiles_fit(words, offsets, counts, num_units, keys, times[at : at + num_keys])
            elif s == NUMBERS:
                fits = all_finite(wides, offsets, counts, 108)
            else:
                fits = True
            if not fits:
                return wrong
            at += num_keys
        return good


def entries(counts: Any, first: Any, last: Any) -> Any:
    """How many values each listed column from ``first`` to ``last`` has; -1 where they differ."""
    number = 0
    for column in range(first, last + 1):
        if counts[column]:
            if number and counts[column] != number:
                return -1
            number = counts[column]
    return number


def lives(words: Any, offsets: Any, counts: Any, column: Any, number: Any, span: Any) -> Any:
    """Whether ``number`` entries have their first offset (in ``column``) and last (in the next) in order and in
    ``span``."""
    if number < 0 or counts[column] != number or counts[column + 1] != number:
        return False
    if offsets[column] & 1 or offsets[column + 1] & 1:
        return False
    first = offsets[column] >> 1
    last = offsets[column + 1] >> 1
    for i in range(number):
        end = words[last + i] & 0xFFFF
        if end > span or (words[first + i] & 0xFFFF) > end:
            return False
    return True


def add_counts(data: Any, words: Any, offsets: Any, counts: Any, column: Any, least: Any, bounds: Any) -> Any:
    """Bounds from the counts in ``column``, each at least ``least``: all 0 where it is not listed. The total, or -1."""
    number = len(bounds) - 1
    total = 0
    bounds[0] = 0
    if counts[column] == 0:
        for i in range(number):
            bounds[i + 1] = 0
        return -1 if least and number else 0
    if counts[column] != number:
        return -1
    at = offsets[column]
    if column == 10 or column == 73:
        for i in range(number):
            total += data[at + i]
            bounds[i + 1] = total
        return total
    if at & 1:
        return -1
    at >>= 1
    for i in range(number):
        count = words[at + i] & 0xFFFF
        if count < least:
            return -1
        total += count
        bounds[i + 1] = total
    return total


def add_times(stored: Any, bounds: Any, tracks: Any, first: Any, last: Any, span: Any, out: Any) -> Any:
    """Frames since the key before -> offsets in the window, each in the life of its curve's entry.

    The entry is the one that ``tracks`` gives the curve to, or the curve's own where that is empty; it lives the whole
    ``span`` where ``first`` and ``last`` are empty.
    """
    entry = 0
    low = 0
    high = span
    for c in range(len(bounds) - 1):
        begin = bounds[c]
        end = bounds[c + 1]
        if begin == end:
            continue
        if len(tracks):
            while tracks[entry + 1] <= c:
                entry += 1
        else:
            entry = c
        if len(first):
            low = first[entry] & 0xFFFF
            high = last[entry] & 0xFFFF
        now = stored[begin] & 0xFFFF
        out[begin] = now
        if now < low:
            return False
        for i in range(begin + 1, end):
            step = stored[i] & 0xFFFF
            now += step
            if step == 0 or now > 0xFFFF:
                return False
            out[i] = now
        if now > high:
            return False
    return True


def add_escaped(narrow: Any, wide: Any, bounds: Any, out: Any) -> Any:
    """Differences with an escape -> values; every curve begins with an escape."""
    for c in range(len(bounds) - 1):
        if bounds[c] < bounds[c + 1] and narrow[bounds[c]] != -32768:
            return False
    now = 0
    used = 0
    for i in range(len(narrow)):
        step = narrow[i]
        if step != -32768:
            now += step
        elif used < len(wide):
            now = wide[used]
            used += 1
        else:
            return False
        if now > 16777215 or now < -16777215:
            return False
        out[i] = now
    return used == len(wide)


def add_wrapping(stored: Any, bounds: Any, out: Any) -> Any:
    """Differences modulo 65,536 -> values."""
    for c in range(len(bounds) - 1):
        now = 0
        for i in range(bounds[c], bounds[c + 1]):
            now = (now + stored[i]) & 0xFFFF
            out[i] = now


def at_most(data: Any, offsets: Any, counts: Any, column: Any, most: Any) -> Any:
    """Whether no value of a column of 8 bits is over ``most``."""
    over = 0
    for i in range(offsets[column], offsets[column] + counts[column]):
        over += data[i] > most
    return over == 0


def signed_within(values: Any, top: Any) -> Any:
    """Whether signed numbers of 16 bits, held unsigned, are within ``top`` of 0."""
    over = 0
    for i in range(len(values)):
        over += top < values[i] < 65536 - top
    return over == 0


def within_limit(wides: Any, offsets: Any, counts: Any, column: Any, number: Any) -> Any:
    """Whether a column of 32 bits has ``number`` values, none over the limit of the format."""
    if counts[column] != number or offsets[column] & 3:
        return False
    start = offsets[column] >> 2
    over = 0
    for i in range(start, start + number):
        over += not -16777215 <= wides[i] <= 16777215
    return over == 0


def all_finite(wides: Any, offsets: Any, counts: Any, column: Any) -> Any:
    """Whether no float of a column is infinite or NaN: those have every bit of the exponent set."""
    if offsets[column] & 3:
        return False
    start = offsets[column] >> 2
    over = 0
    for i in range(start, start + counts[column]):
        over += wides[i] & 0x7F800000 == 0x7F800000
    return over == 0


def targets_fit(
    data: Any,
    wides: Any,
    offsets: Any,
    counts: Any,
    into: Any,
    num_units: Any,
    num_projectiles: Any,
    placed: Any,
) -> Any:
    """Gives each target key its position and checks what it refers to."""
    kinds = offsets[43]
    references = offsets[44] >> 2
    if offsets[44] & 3:
        return False
    num_placed = 0
    for i in range(counts[43]):
        kind = data[kinds + i]
        placed[i] = -1
        if kind >= 128:
            placed[i] = num_placed
            num_placed += 1
        limit = num_units if into[kind] == 1 else num_projectiles
        # a reference is unsigned, so one that is negative here is far over any limit
        if into[kind] & 1 and not 0 <= wides[references + i] < limit:
            return False
    return (
        within_limit(wides, offsets, counts, 46, num_placed)
        and within_limit(wides, offsets, counts, 47, num_placed)
        and within_limit(wides, offsets, counts, 48, num_placed)
    )


def items_fit(data: Any, words: Any, wides: Any, offsets: Any, counts: Any, items: Any) -> Any:
    """The bounds of each queue key's items, and a check of these."""
    number = add_counts(data, words, offsets, counts, 73, 0, items)
    return (
        number >= 0
        and counts[74] == number
        and counts[77] == number
        and within_limit(wides, offsets, counts, 75, number)
        and within_limit(wides, offsets, counts, 76, number)
        and at_most(data, offsets, counts, 77, 3)
    )


def projectiles_fit(words: Any, offsets: Any, counts: Any, num_units: Any, bounds: Any, times: Any) -> Any:
    """Whether each projectile has a key at both ends of its life, and an owner in the window or none."""
    owners = offsets[84] >> 1
    first = offsets[85] >> 1
    last = offsets[86] >> 1
    if offsets[84] & 1 or counts[84] != counts[85]:
        return False
    for i in range(counts[85]):
        owner = words[owners + i] & 0xFFFF
        if owner >= num_units and owner != 0xFFFF:
            return False
        if times[bounds[i]] != (words[first + i] & 0xFFFF) or times[bounds[i + 1] - 1] != (words[last + i] & 0xFFFF):
            return False
    return True


def terrain(
    words: Any,
    wides: Any,
    offsets: Any,
    counts: Any,
    start: Any,
    span: Any,
    first: Any,
    frames: Any,
    points: Any,
    heights: Any,
) -> Any:
    """Decodes and checks the rows of the terrain chunk of a window.

    The window begins at frame ``start``; its rows are at offsets ``first`` to ``span``. ``frames`` (int64) gets the
    frames, ``points`` (uint16, (2, rows)) x and z and ``heights`` (int32, (2, rows)) before and after.
    """
    good, wrong = GOOD, WRONG  # C integers for what follows, which does without the interpreter
    with cython.nogil:
        number = len(frames)
        for column in range(112, 117):
            if counts[column] != number or offsets[column] & (1 if column < 115 else 3):
                return wrong
        steps = offsets[112] >> 1
        along = offsets[113] >> 1
        across = offsets[114] >> 1
        befores = offsets[115] >> 2
        changes = offsets[116] >> 2
        offset = 0
        x = 0
        z = 0
        before = 0
        for i in range(number):
            step = words[steps + i] & 0xFFFF
            offset += step
            was_x = x
            was_z = z
            x = (x + words[along + i]) & 0xFFFF
            z = (z + words[across + i]) & 0xFFFF
            # the sums have 64 bits, so that one stored value cannot take them round
            before += wides[befores + i]
            after = before + wides[changes + i]
            if offset > span or offset < first or before > 16777215 or before < -16777215:
                return wrong
            if after > 16777215 or after < -16777215:
                return wrong
            if i and step == 0 and (z < was_z or (z == was_z and x <= was_x)):
                return wrong
            frames[i] = start + offset
            points[0, i] = x
            points[1, i] = z
            heights[0, i] = before
            heights[1, i] = after
        return good

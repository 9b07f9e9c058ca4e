"""Orders: what is inside the messages that carry them, and where they are aimed. The form that Cython compiles, with
the types of the .pxd beside it.

`formats.spring_entries`, `semantics.spring.orders` and `semantics.spring.aims` say the same in numpy for where no
compiler is at hand. ``longs`` and ``halves`` are numbers of 32 and 16 bits that begin at every byte of ``data``.
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from ksreplay.kernels import without_cython as cython


@cython.boundscheck(False)
def check_lists(
    data: Any, low: int, high: int, start: Any, end: Any, num_commands: Any, own: Any, ref_count: Any, fits: Any
) -> int:
    """Steps over the orders of the AICOMMANDS messages ``low`` to ``high``: ``fits`` (uint8) says of which all orders
    lie in ``start`` to ``end``, exactly. Messages with ``fits`` 0 before are left out. Returns how many are left.

    ``own``: which fields an order states itself, 1 its id, 2 its options, 4 how many parameters it has. Bounds are
    checked once a message and order.
    """
    with cython.nogil:
        good = 0
        high = min(high, len(start), len(end), len(num_commands), len(own), len(ref_count), len(fits))
        for index in range(low, high):
            if not fits[index]:
                continue
            at = start[index]
            stop = end[index]
            kind = own[index]
            head = (4 if kind & 1 else 0) + (1 if kind & 2 else 0)
            left = num_commands[index]
            if at < 0 or stop > len(data):
                left = -1
            while left > 0 and at <= stop:
                count = ref_count[index]
                if kind & 4:
                    if stop - at < head + 2:
                        at = stop + 1
                        break
                    count = data[at + head] | data[at + head + 1] << 8
                    at += 2
                at += head + 4 * count
                left -= 1
            if left == 0 and at == stop:
                good += 1
            else:
                fits[index] = 0
        return good


@cython.boundscheck(False)
def take_orders(
    data: Any, longs: Any, halves: Any, low: int, high: int,
    start: Any, num_commands: Any, ref_id: Any, ref_options: Any, ref_count: Any, own: Any,
    listed: Any, num_units: Any, pairwise: Any, first_order: Any, first_param: Any, first_unit: Any,
    of: Any, command_id: Any, options: Any, num_params: Any, params_at: Any, params: Any, units_at: Any, units: Any,
) -> int:  # fmt: skip
    """Writes the orders of the messages ``low`` to ``high``, one entry each, from ``first_order`` on, their parameters
    (32 bits each) from ``first_param`` on and the units they name from ``first_unit`` on.

    Everything from ``start`` to ``first_unit`` has an entry a message, that from ``of`` to ``params_at`` and
    ``units_at`` one an order; ``listed`` is where a message's unit ids stand. Bounds are checked once an order: returns
    the first message that does not keep to them, ``high`` where all do.
    """
    with cython.nogil:
        for index in range(low, high):
            row = first_order[index]
            param = first_param[index]
            unit = first_unit[index]
            at = start[index]
            kind = own[index]
            head = (4 if kind & 1 else 0) + (1 if kind & 2 else 0) + (2 if kind & 4 else 0)
            stated = listed[index]
            named = num_units[index]
            if (
                row < 0 or num_commands[index] > len(of) - row or param < 0 or unit < 0
                or at < 0 or stated < 0 or 2 * named > max(len(data) - stated, 0)
            ):  # fmt: skip
                return index
            for number in range(num_commands[index]):
                if head > max(len(data) - at, 0):
                    return index
                of[row] = index
                command_id[row] = ref_id[index]
                if kind & 1:
                    command_id[row] = longs[at]
                    at += 4
                options[row] = ref_options[index]
                if kind & 2:
                    options[row] = data[at]
                    at += 1
                count = ref_count[index]
                if kind & 4:
                    count = data[at] | data[at + 1] << 8
                    at += 2
                if count < 0 or 4 * count > max(len(data) - at, 0) or count > len(params) - param:
                    return index
                num_params[row] = count
                params_at[row] = param
                for place in range(param, param + count):
                    params[place] = longs[at]
                    at += 4
                param += count
                units_at[row] = unit
                step = 0
                stop = named
                if pairwise[index] > 0:  # order k goes to unit k, as far as there are units
                    step = number
                    stop = min(stop, number + 1)
                if stop - step > len(units) - unit:
                    return index
                while step < stop:
                    units[unit] = halves[stated + 2 * step]
                    unit += 1
                    step += 1
                row += 1
        return high


def aim(
    low: int, high: int, command_id: Any, num_params: Any, params_at: Any, params: Any,
    aims: Any, places: Any, kinds: Any, names: Any, aimed: Any, kind: Any, name: Any, x: Any, z: Any,
) -> int:  # fmt: skip
    """Where the orders ``low`` to ``high`` are aimed: ``aims`` and ``places`` (256 x 8) say it by command and number of
    parameters, ``kinds`` and ``names`` (256) by command alone; 254 are builds, 255 what the engine does not know.

    ``x`` and ``z`` are NaN on entry.
    """
    with cython.nogil:
        for row in range(low, high):
            command = command_id[row]
            count = num_params[row]
            at = params_at[row]
            broken = False
            known = 254 if command < 0 else 255 if command >= 254 else command
            name[row] = names[known]
            if command == 1:  # INSERT: slot, the command it wraps, its options, and then its parameters
                broken = True
                if count >= 3 and -2147483648.0 < params[at + 1] < 2147483648.0:
                    command = cython.cast(cython.int, params[at + 1])
                    broken = command == 1
                at += 3
                count = max(count - 3, 0)
                known = 254 if command < 0 else 255 if command >= 254 else command
            count = min(count, 7)
            aimed[row] = aims[known, count]
            kind[row] = kinds[known]
            if broken:
                aimed[row] = 4
                kind[row] = -1
            elif aimed[row] == 0:
                at += places[known, count]
                if (  # all of it finite
                    -3.4028235e38 <= params[at] <= 3.4028235e38
                    and -3.4028235e38 <= params[at + 1] <= 3.4028235e38
                    and -3.4028235e38 <= params[at + 2] <= 3.4028235e38
                ):
                    x[row] = params[at]
                    z[row] = params[at + 2]
                else:
                    aimed[row] = 4
        return high


def latest(marks: Any, markers: Any, places: Any, players: Any, newest: Any, found: Any) -> int:
    """For each of ``players`` at ``places`` (ascending) the last of the ``marks`` (ascending) before it that is the
    same player's (``markers``), -1 without one; ``newest`` (256) is -1 on entry. Returns how many marks there were."""
    with cython.nogil:
        mark = 0
        for index in range(len(places)):
            while mark < len(marks) and marks[mark] < places[index]:
                newest[markers[mark]] = mark
                mark += 1
            found[index] = newest[players[index]]
        return mark

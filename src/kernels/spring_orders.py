"""What is inside orders, message by message: the form that Cython compiles, with the types of the .pxd beside it.

`formats.spring_entries` and `semantics.spring.orders` say the same in numpy for where no compiler is at hand.
"""

from __future__ import annotations

from typing import Any


def count_entries(
    data: Any, start: Any, end: Any, num_commands: Any, ref_id: Any, ref_options: Any, ref_count: Any, fits: Any
) -> int:
    """Steps over the orders of AICOMMANDS messages: ``fits`` (uint8) says of which all orders lie in ``start`` to
    ``end``, exactly. Messages with ``fits`` 0 before are left out. Returns how many orders the others hold."""
    total = 0
    for index in range(len(start)):
        if not fits[index]:
            continue
        at = start[index]
        stop = end[index]
        head = (4 if ref_id[index] == 0 else 0) + (1 if ref_options[index] == 0xFF else 0)
        own = ref_count[index] == 0xFFFF
        left = num_commands[index]
        while left > 0 and at <= stop:
            count = ref_count[index]
            if own:
                if stop - at < head + 2:
                    at = stop + 1
                    break
                count = data[at + head] | data[at + head + 1] << 8
                at += 2
            at += head + 4 * count
            left -= 1
        if left == 0 and at == stop:
            total += num_commands[index]
        else:
            fits[index] = 0
    return total


def fill_entries(
    data: Any, start: Any, num_commands: Any, ref_id: Any, ref_options: Any, ref_count: Any, message: Any,
    command_id: Any, options: Any, num_params: Any, params: Any,
) -> int:  # fmt: skip
    """Writes the orders of messages that `count_entries` found sound (0 ``num_commands`` otherwise): one entry each."""
    row = 0
    for index in range(len(start)):
        at = start[index]
        for _order in range(num_commands[index]):
            message[row] = index
            command_id[row] = ref_id[index]
            if ref_id[index] == 0:
                high = data[at + 3]
                if high > 127:
                    high -= 256
                command_id[row] = (data[at] | data[at + 1] << 8 | data[at + 2] << 16) + high * 16777216
                at += 4
            options[row] = ref_options[index]
            if ref_options[index] == 0xFF:
                options[row] = data[at]
                at += 1
            count = ref_count[index]
            if count == 0xFFFF:
                count = data[at] | data[at + 1] << 8
                at += 2
            num_params[row] = count
            params[row] = at
            at += 4 * count
            row += 1
    return row


def runs(data: Any, start: Any, size: Any, out: Any) -> int:
    """Copies ``size`` bytes each from the places ``start`` behind each other into ``out``; returns how many."""
    place = 0
    for index in range(len(start)):
        at = start[index]
        for step in range(size[index]):
            out[place + step] = data[at + step]
        place += size[index]
    return place

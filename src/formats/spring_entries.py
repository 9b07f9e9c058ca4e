"""AICOMMANDS in bulk: messages that hold a list of orders, each of another length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay import kernels
from ksreplay.columns import offsets_of, view
from ksreplay.formats.spring import Data
from ksreplay.generated.dtypes import spring_packet as layouts
from ksreplay.threads import share

_ENTRY = layouts.AICOMMANDS_LISTED_ENTRY_HEAD
_OWN_COUNT = _ENTRY["num_params"].itemsize
_NO_OPTIONS, _NO_COUNT = 0xFF, 0xFFFF
#: Which fields an order states itself, in the order in which they stand; the message states the others for all.
OWN_ID, OWN_OPTIONS, OWN_PARAMS = 1, 2, 4
#: Bytes of an order's own fields by the sum of these.
_HEADS = np.array(
    [
        sum(
            _ENTRY[name].itemsize
            for bit, name in ((OWN_ID, "command_id"), (OWN_OPTIONS, "options"), (OWN_PARAMS, "num_params"))
            if own & bit
        )
        for own in range(8)
    ],
    np.int32,
)


@dataclass(frozen=True)
class Entries:
    """Orders inside AICOMMANDS messages, in stream order.

    ``message``: index of the message (int32); ``command_id`` int32, ``options`` uint8, ``num_params`` int32;
    ``params``: where the order's parameters begin in the file.
    """

    message: NDArray[np.int32]
    command_id: NDArray[np.int32]
    options: NDArray[np.uint8]
    num_params: NDArray[np.int32]
    params: NDArray[Any]

    def of(self, messages: NDArray[np.bool_]) -> Entries:
        """The orders of these messages, which are counted anew."""
        if messages.all():
            return self
        keep = messages[self.message]
        index = np.cumsum(messages, dtype=np.int32) - 1
        return Entries(
            index[self.message[keep]], self.command_id[keep], self.options[keep], self.num_params[keep],
            self.params[keep],
        )  # fmt: skip


@dataclass(frozen=True)
class OrderLists:
    """What AICOMMANDS messages say of their orders, one entry a message, zero where they do not fit.

    ``fits``: whether all of it fits (bool); ``start``, where the orders begin in the file; ``num_commands``, how many
    they are; ``own`` uint8, which fields they state themselves, and ``command_id``, ``options`` and ``num_params`` for
    those that state none; ``all_params``, how many parameters they have together; ``units``, where the unit ids begin,
    and ``num_units``. ``entries``: the orders, where stepping over them has read them in passing.
    """

    fits: NDArray[np.bool_]
    start: NDArray[Any]
    num_commands: NDArray[Any]
    own: NDArray[np.uint8]
    command_id: NDArray[np.int32]
    options: NDArray[np.uint8]
    num_params: NDArray[np.int32]
    all_params: NDArray[Any]
    units: NDArray[Any]
    num_units: NDArray[Any]
    entries: Entries | None


compiled = partial(kernels.compiled, "spring_orders")


def read_lists(
    data: Data, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void],
    *, kernel: Callable[[], ModuleType | None] = compiled,
) -> OrderLists:  # fmt: skip
    """Takes AICOMMANDS messages apart; ``records`` are their fixed fields in whichever layout they have."""
    names = records.dtype.names or ()
    count = len(records)
    place = offset.dtype if len(data) < 1 << 30 else np.dtype(np.int64)
    end = offset.astype(place) + size
    units = offset.astype(place) + (1 + records.dtype.itemsize)
    num_units = records["num_units"].astype(place)
    start = units + 2 * num_units + 2
    fits = (num_units >= 0) & (start <= end)
    num_commands = np.zeros(count, place)
    num_commands[fits] = view(data, np.dtype("<i2"))[start[fits] - 2]
    # An order that takes no bytes at all cannot come more often than the message has bytes.
    fits &= (num_commands >= 0) & (num_commands <= size)

    def stated(name: str, absent: int) -> NDArray[Any]:
        return records[name].astype(np.int32) if name in names else np.full(count, absent, np.int32)

    ref_id, ref_options = stated("ref_command_id", 0), stated("ref_options", _NO_OPTIONS)
    ref_count = stated("ref_num_params", _NO_COUNT)
    own = (ref_id == 0).view(np.uint8) * np.uint8(OWN_ID)
    own |= (ref_options == _NO_OPTIONS).view(np.uint8) * np.uint8(OWN_OPTIONS)
    own |= (ref_count == _NO_COUNT).view(np.uint8) * np.uint8(OWN_PARAMS)
    head = _HEADS[own]
    options = ref_options.astype(np.uint8)
    entries = None
    if place == np.int32 and (chosen := kernel()) is not None:
        taken, number = fits.view(np.uint8), num_commands
        share(lambda a, b: chosen.check_lists(data, a, b, start, end, number, own, ref_count, taken), count, 4096)
    else:
        entries, fits = _entries(data, start, end, num_commands, own, head, ref_id, options, ref_count, fits)
    if not fits.all():
        num_commands, num_units, own = np.where(fits, num_commands, 0), np.where(fits, num_units, 0), own * fits
        ref_id, options, ref_count = np.where(fits, ref_id, 0), options * fits, np.where(fits, ref_count, 0)
    all_params = np.where(fits, (end - start - num_commands * head) >> 2, 0)
    return OrderLists(
        fits, start, num_commands, own, ref_id, options, ref_count, all_params, units, num_units, entries
    )  # fmt: skip


def _entries(
    data: Data, start: NDArray[Any], end: NDArray[Any], num_commands: NDArray[Any], own: NDArray[np.uint8],
    head: NDArray[np.int32], ref_id: NDArray[np.int32], ref_options: NDArray[np.uint8], ref_count: NDArray[np.int32],
    fits: NDArray[np.bool_],
) -> tuple[Entries, NDArray[np.bool_]]:  # fmt: skip
    """The orders of the messages that fit, and which these are."""
    place = start.dtype
    own_count = (own & OWN_PARAMS) != 0
    # Where every order has the same parameter count, the places are known; elsewhere all messages step together.
    stride = (head + 4 * np.where(own_count, 0, ref_count)).astype(place)
    fits = fits & (own_count | (start + num_commands.astype(np.int64) * stride == end))
    num_commands = np.where(fits, num_commands, 0)
    message = np.repeat(np.arange(len(start), dtype=np.int32), num_commands)
    first = offsets_of(num_commands)
    # Where the orders of a message would begin if it were the only one: one repeat says it for all its orders.
    base = (start - first[:-1] * stride).astype(place)
    at = np.arange(len(message), dtype=place) * stride[message] + base[message]
    num_params = ref_count[message]
    _step(data, np.flatnonzero(own_count & fits), start, end, head, num_commands, first, at, num_params, fits)
    if not fits.all():
        keep = fits[message]
        message, at, num_params = message[keep], at[keep], num_params[keep]
    command_id, options, params = ref_id[message], ref_options[message], at + head[message]
    kind = own[message]
    states = np.flatnonzero(kind & OWN_ID)
    command_id[states] = view(data, _ENTRY["command_id"])[at[states]]
    states = np.flatnonzero(kind & OWN_OPTIONS)
    options[states] = view(data, _ENTRY["options"])[at[states] + _HEADS[kind[states] & OWN_ID]]
    return Entries(message, command_id, options, num_params, params), fits


def _step(
    data: Data, active: NDArray[Any], start: NDArray[Any], end: NDArray[Any], head: NDArray[Any],
    num_commands: NDArray[Any], first: NDArray[Any], at: NDArray[Any], num_params: NDArray[Any],
    fits: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Fills ``at`` and ``num_params`` of the messages whose orders have parameter counts of their own."""
    counts = view(data, _ENTRY["num_params"])
    now = start[active]
    step = 0
    while len(active):
        done = num_commands[active] == step
        if done.any():
            ended = active[done]
            fits[ended] = now[done] == end[ended]
            active, now = active[~done], now[~done]
        inside = now + head[active] <= end[active]
        if not inside.all():
            fits[active[~inside]] = False
            active, now = active[inside], now[inside]
        if not len(active):
            return
        # The count stands last in an order's own fields.
        length = counts[now + head[active] - _OWN_COUNT].astype(np.int64)
        row = first[active] + step
        at[row] = now
        num_params[row] = length
        now = now + head[active] + 4 * length
        over = now > end[active]
        if over.any():
            fits[active[over]] = False
            active, now = active[~over], now[~over]
        step += 1

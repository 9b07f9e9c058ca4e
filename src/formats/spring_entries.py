"""AICOMMANDS in bulk: messages that hold a list of orders, each of another length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import offsets_of
from ksreplay.formats.spring import Data, view
from ksreplay.generated.dtypes import spring_packet as layouts
from ksreplay.kernels import is_compiled, load

_ENTRY = layouts.AICOMMANDS_LISTED_ENTRY_HEAD
_OWN_ID, _OWN_OPTIONS, _OWN_COUNT = (_ENTRY[name].itemsize for name in ("command_id", "options", "num_params"))
_NO_OPTIONS, _NO_COUNT = 0xFF, 0xFFFF


@dataclass(frozen=True)
class Entries:
    """The orders inside AICOMMANDS messages, in stream order.

    ``message``: index of the message (int32); ``command_id`` int32, ``options`` uint8, ``num_params`` int32;
    ``params``: where the order's parameters begin in the file. For each message: ``units`` where its unit
    ids begin, ``num_units`` and ``num_commands``, ``fits`` whether all of it fits (bool).
    """

    message: NDArray[np.int32]
    command_id: NDArray[np.int32]
    options: NDArray[np.uint8]
    num_params: NDArray[np.int32]
    params: NDArray[Any]
    units: NDArray[Any]
    num_units: NDArray[Any]
    num_commands: NDArray[Any]
    fits: NDArray[np.bool_]


def compiled() -> ModuleType | None:
    """The kernel for orders, None where it was not compiled: numpy is faster then."""
    kernel = load("spring_orders")
    return kernel if is_compiled(kernel) else None


def read_entries(
    data: Data, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void],
    *, kernel: Callable[[], ModuleType | None] = compiled,
) -> Entries:  # fmt: skip
    """Takes AICOMMANDS messages apart; ``records`` are their fixed fields in whichever layout they have."""
    names = records.dtype.names or ()
    count = len(records)
    place = offset.dtype if len(data) < 1 << 30 else np.dtype(np.int64)
    end = offset.astype(place) + size
    units = offset.astype(place) + (1 + records.dtype.itemsize)
    num_units = records["num_units"].astype(place)
    counted_at = units + 2 * num_units
    fits = (num_units >= 0) & (counted_at + 2 <= end)
    num_commands = np.zeros(count, place)
    num_commands[fits] = view(data, np.dtype("<i2"))[counted_at[fits]]
    # An order that takes no bytes at all cannot come more often than the message has bytes.
    fits &= (num_commands >= 0) & (num_commands <= size)
    num_commands[~fits] = 0

    def stated(name: str, absent: int) -> NDArray[Any]:
        return records[name].astype(np.int32) if name in names else np.full(count, absent, np.int32)

    ref_id, ref_options = stated("ref_command_id", 0), stated("ref_options", _NO_OPTIONS)
    ref_count = stated("ref_num_params", _NO_COUNT)
    if place == np.int32 and (chosen := kernel()) is not None:
        start, taken = counted_at + 2, fits.view(np.uint8)
        total = chosen.count_entries(data, start, end, num_commands, ref_id, ref_options, ref_count, taken)
        num_commands[~fits] = 0
        message, command_id, num_params, params = np.empty((4, total), np.int32)
        options = np.empty(total, np.uint8)
        chosen.fill_entries(
            data, start, num_commands, ref_id, ref_options, ref_count, message, command_id, options, num_params, params
        )
        num_units = np.where(fits, num_units, 0)
        return Entries(message, command_id, options, num_params, params, units, num_units, num_commands, fits)
    id_width = np.where(ref_id == 0, np.int32(_OWN_ID), np.int32(0))
    options_width = np.where(ref_options == _NO_OPTIONS, np.int32(_OWN_OPTIONS), np.int32(0))
    own_count = ref_count == _NO_COUNT
    head = id_width + options_width + np.where(own_count, np.int32(_OWN_COUNT), np.int32(0))
    # Where every order has the same parameter count, the places are known; elsewhere all messages step together.
    stride = (head + 4 * np.where(own_count, 0, ref_count)).astype(place)
    start = counted_at + 2
    fits &= own_count | (start + num_commands.astype(np.int64) * stride == end)
    num_commands[~fits] = 0
    message = np.repeat(np.arange(count, dtype=np.int32), num_commands)
    first = offsets_of(num_commands)
    # Where the orders of a message would begin if it were the only one: one repeat says it for all its orders.
    base = (start - first[:-1] * stride).astype(place)
    at = np.arange(len(message), dtype=place) * stride[message] + base[message]
    num_params = ref_count[message]
    _step(data, np.flatnonzero(own_count & fits), start, end, head, num_commands, first, at, num_params, fits)
    if not fits.all():
        keep = fits[message]
        message, at, num_params = message[keep], at[keep], num_params[keep]
        num_commands = np.where(fits, num_commands, 0)
    command_id, options, params = ref_id[message], ref_options.astype(np.uint8)[message], at + head[message]
    own = np.flatnonzero((id_width != 0)[message])
    command_id[own] = view(data, _ENTRY["command_id"])[at[own]]
    own = np.flatnonzero((options_width != 0)[message])
    options[own] = view(data, _ENTRY["options"])[at[own] + id_width[message[own]]]
    return Entries(
        message, command_id, options, num_params, params, units, np.where(fits, num_units, 0), num_commands, fits
    )


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

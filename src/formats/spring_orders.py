"""AICOMMANDS and map drawings: the two messages whose inner layout a fixed record cannot say, in bulk all the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import offsets_of
from ksreplay.formats.spring import view
from ksreplay.formats.spring_messages import IDS, Decoder, Messages, nul_counts
from ksreplay.generated.dtypes import spring_packet as layouts

_ENTRY = layouts.AICOMMANDS_LISTED_ENTRY_HEAD
_OWN_ID, _OWN_OPTIONS, _OWN_COUNT = (_ENTRY[name].itemsize for name in ("command_id", "options", "num_params"))
_NO_OPTIONS, _NO_COUNT = 0xFF, 0xFFFF


@dataclass(frozen=True)
class Entries:
    """The orders inside AICOMMANDS messages, in stream order.

    ``message``: index of the message (int64); ``command_id`` int32, ``options`` uint8, ``num_params`` int32;
    ``params``: where the order's parameters begin in the file (int64). For each message: ``units`` where its unit
    ids begin (int64), ``num_units`` and ``num_commands`` (int64), ``fits`` whether all of it fits (bool).
    """

    message: NDArray[np.int64]
    command_id: NDArray[np.int32]
    options: NDArray[np.uint8]
    num_params: NDArray[np.int32]
    params: NDArray[np.int64]
    units: NDArray[np.int64]
    num_units: NDArray[np.int64]
    num_commands: NDArray[np.int64]
    fits: NDArray[np.bool_]


def read_entries(data: bytes, offset: NDArray[Any], size: NDArray[Any], records: NDArray[np.void]) -> Entries:
    """Takes AICOMMANDS messages apart; ``records`` are their fixed fields in whichever layout they have."""
    names = records.dtype.names or ()
    count = len(records)
    end = offset.astype(np.int64) + size
    units = offset.astype(np.int64) + 1 + records.dtype.itemsize
    num_units = records["num_units"].astype(np.int64)
    counted_at = units + 2 * num_units
    fits = (num_units >= 0) & (counted_at + 2 <= end)
    num_commands = np.zeros(count, np.int64)
    num_commands[fits] = view(data, np.dtype("<i2"))[counted_at[fits]]
    # An order that takes no bytes at all cannot come more often than the message has bytes.
    fits &= (num_commands >= 0) & (num_commands <= size)
    num_commands[~fits] = 0

    def stated(name: str, absent: int) -> NDArray[np.int64]:
        return records[name].astype(np.int64) if name in names else np.full(count, absent, np.int64)

    ref_id, ref_options, ref_count = (
        stated("ref_command_id", 0),
        stated("ref_options", _NO_OPTIONS),
        stated("ref_num_params", _NO_COUNT),
    )
    id_width = np.where(ref_id == 0, _OWN_ID, 0)
    options_width = np.where(ref_options == _NO_OPTIONS, _OWN_OPTIONS, 0)
    own_count = ref_count == _NO_COUNT
    head = id_width + options_width + np.where(own_count, _OWN_COUNT, 0)
    start = counted_at + 2
    # Where every order has the same parameter count, the places are known; elsewhere all messages step together.
    fits &= own_count | (start + num_commands * (head + 4 * ref_count) == end)
    num_commands[~fits] = 0
    message = np.repeat(np.arange(count), num_commands)
    first = offsets_of(num_commands)
    index = np.arange(len(message)) - first[message]
    at = start[message] + index * (head + 4 * np.where(own_count, 0, ref_count))[message]
    num_params = ref_count[message]
    _step(data, np.flatnonzero(own_count & fits), start, end, head, num_commands, first, at, num_params, fits)
    if not fits.all():
        keep = fits[message]
        message, at, num_params = message[keep], at[keep], num_params[keep]
        num_commands = np.where(fits, num_commands, 0)
    command_id = ref_id[message]
    own = np.flatnonzero(id_width[message])
    command_id[own] = view(data, _ENTRY["command_id"])[at[own]]
    options = ref_options[message]
    own = np.flatnonzero(options_width[message])
    options[own] = view(data, _ENTRY["options"])[at[own] + id_width[message[own]]]
    return Entries(
        message, command_id.astype(np.int32), options.astype(np.uint8), num_params.astype(np.int32),
        at + head[message], units, np.where(fits, num_units, 0), num_commands, fits,
    )  # fmt: skip


def _step(
    data: bytes, active: NDArray[Any], start: NDArray[Any], end: NDArray[Any], head: NDArray[Any],
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


@dataclass(frozen=True)
class Drawings:
    """Map drawings of one message id.

    ``x``, ``z``, ``x2``, ``z2``: int64 elmos, the second pair of lines only; ``from_lua`` uint8; ``label`` where the
    text begins in the file and ``label_length`` its bytes without the NUL; ``fits``: whether the message fits.
    """

    x: NDArray[np.int64]
    z: NDArray[np.int64]
    x2: NDArray[np.int64]
    z2: NDArray[np.int64]
    from_lua: NDArray[np.uint8]
    has_lua: NDArray[np.bool_]
    label: NDArray[np.int64]
    label_length: NDArray[np.int64]
    fits: NDArray[np.bool_]


POINT, ERASE, LINE = 0, 1, 2
#: (action, wide) -> fixed fields of the body.
_BODIES: dict[tuple[int, bool], np.dtype[np.void]] = {
    (POINT, False): layouts.MAP_DRAW_POINT_NARROW_HEAD,
    (POINT, True): layouts.MAP_DRAW_POINT_WIDE_HEAD,
    (ERASE, False): layouts.MAP_DRAW_ERASE_NARROW,
    (ERASE, True): layouts.MAP_DRAW_ERASE_WIDE,
    (LINE, False): layouts.MAP_DRAW_LINE_NARROW_HEAD,
    (LINE, True): layouts.MAP_DRAW_LINE_WIDE,
}


def wide_points(decoder: Decoder) -> bool:
    """Whether a point of id 31 has 32-bit places: by the engine, else by the file's other drawings."""
    if decoder.engine < 20_250_410:
        return decoder.engine >= 20_250_301
    rows = decoder.stream.rows(IDS["MAPDRAW_OLD"])
    sizes = decoder.stream.size[rows]
    return not bool(np.isin(sizes, (8, 12, 13)).any()) or bool((sizes == 21).any())


def read_drawings(decoder: Decoder, name: str, messages: Messages) -> Drawings:
    """Takes the drawings of one message id apart; ``name`` is MAPDRAW or MAPDRAW_OLD."""
    wide = name == "MAPDRAW" or wide_points(decoder)
    data, count = decoder.stream.data, len(messages)
    x, z, x2, z2 = (np.zeros(count, np.int64) for _ in range(4))
    from_lua, has_lua = np.zeros(count, np.uint8), np.zeros(count, bool)
    label, label_length = np.zeros(count, np.int64), np.zeros(count, np.int64)
    fits = np.zeros(count, bool)
    action, length = messages["action"], messages.length
    flagless = decoder.engine < 800_000
    for (kind, is_wide), dtype in _BODIES.items():
        mine = messages.good & (action == kind)
        if kind == POINT:
            mine &= is_wide == wide
            # As with lines: the flag of a narrow point is not in every engine, so its dtype leaves it out.
            fixed = dtype.itemsize + (not is_wide and not flagless)
            mine &= length > fixed
        else:
            # A narrow line may lack the flag, which its dtype leaves out.
            fixed = dtype.itemsize
            mine &= np.isin(length, (fixed, fixed + 1)) if (kind, is_wide) == (LINE, False) else length == fixed
        rows = np.flatnonzero(mine)
        if not len(rows):
            continue
        at = messages.body[rows]
        source = np.frombuffer(data, np.uint8)

        def take(name: str, at: NDArray[Any] = at, dtype: np.dtype[np.void] = dtype) -> NDArray[Any]:
            subtype, place = dtype.fields[name][:2]  # type: ignore[index]
            values: NDArray[Any] = view(data, subtype)[at + place]
            return values

        if kind == LINE:
            x[rows], z[rows], x2[rows], z2[rows] = (take(name) for name in ("x1", "z1", "x2", "z2"))
            flagged = rows[length[rows] > (dtype.itemsize if not is_wide else dtype.itemsize - 1)]
            from_lua[flagged] = source[messages.body[flagged] + length[flagged] - 1]
            has_lua[flagged] = True
        else:
            x[rows], z[rows] = take("x"), take("z")
        fits[rows] = True
        if kind == POINT:
            if not flagless:
                from_lua[rows] = source[at + fixed - 1]
                has_lua[rows] = True
            label[rows] = at + fixed
            label_length[rows] = length[rows] - fixed - 1
            # One NUL, at the end.
            last = source[at + length[rows] - 1] == 0
            fits[rows] = last & (nul_counts(data, at + fixed, length[rows] - fixed) == 1)
    return Drawings(x, z, x2, z2, from_lua, has_lua, label, label_length, fits)

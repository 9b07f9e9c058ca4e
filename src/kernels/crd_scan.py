"""The walk over the ticks of a crd payload: where each player's input starts.

The same source runs as plain Python and compiled (crd_scan.pxd). It only steps; whether the bytes that it stepped
over are what it took them for is checked afterwards, on arrays, by `ksreplay.formats.crd_ticks`.
"""

from __future__ import annotations

from typing import Any

#: Bytes of an input before its flag word: the array's head and four tagged float64.
AXES_BYTES = 37

#: Bytes of a flag word by its tag, 0 where the tag is no unsigned integer: fixint, uint8, uint16, uint32, uint64.
FLAG_BYTES = bytes(1 if tag < 0x80 else {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9}.get(tag, 0) for tag in range(256))

#: The longest input.
INPUT_BYTES = AXES_BYTES + 9


def walk(
    payload: bytes, pos: int, limit: int, tick: int, num_ticks: int, num_players: int, first: int, inputs_at: Any
) -> tuple[int, int]:
    """Steps over ticks without commands from offset ``pos``, the start of tick ``tick``.

    Fills ``inputs_at`` (int64, index ``(tick - first) * num_players + player``) and stops before ``num_ticks``, past
    ``limit`` (so that a whole tick always lies before the payload's end), before a tick with commands or one that
    has another shape. Returns the tick it stopped before and its offset.
    """
    index = (tick - first) * num_players
    widths = FLAG_BYTES
    if num_players == 1:
        while tick < num_ticks and pos <= limit:
            width = widths[payload[pos + 39]]
            if width == 0 or payload[pos + 39 + width] != 0x90:
                break
            inputs_at[index] = pos + 2
            index += 1
            tick += 1
            pos += 40 + width
        return tick, pos
    while tick < num_ticks and pos <= limit:
        at = pos + 2
        for player in range(num_players):
            width = widths[payload[at + 37]]
            if width == 0:
                return tick, pos
            inputs_at[index + player] = at
            at += 37 + width
        if payload[at] != 0x90:
            break
        index += num_players
        tick += 1
        pos = at + 1
    return tick, pos

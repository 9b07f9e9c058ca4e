"""Map drawings in bulk: the messages whose layout their action and the engine decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import view
from ksreplay.formats import spring_rules as rules
from ksreplay.formats.spring_messages import IDS, Decoder, Messages, nul_counts
from ksreplay.generated.dtypes import spring_packet as layouts


@dataclass(frozen=True)
class Drawings:
    """Map drawings of one message id.

    ``x``, ``z``, ``x2``, ``z2``: int64 elmos, the second pair of lines only; ``from_lua`` uint8; ``label`` where the
    text begins in the file and ``label_length`` its bytes without the NUL; ``fits``: whether the message fits;
    ``wide``: whether its places have 32 bits.
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
    wide: NDArray[np.bool_]


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
    sizes = decoder.stream.packets(IDS["MAPDRAW_OLD"]).size
    return not bool(np.isin(sizes, (8, 12, 13)).any()) or bool((sizes == 21).any())


def of_another_engine(decoder: Decoder, messages: Messages, drawings: Drawings) -> None:
    """A problem where drawings of id 31, whose size says how wide their places are, contradict the engine."""
    if decoder.engine >= 20_250_410:
        return  # its own drawings have another id
    widths = ("map_draw_narrow", "map_draw_wide")
    wide = wide_points(decoder)
    others = np.flatnonzero(drawings.fits & (drawings.wide != wide))
    if len(others):
        at = int(messages.packets.offset[others[0]])
        decoder.problems.add(
            rules.LAYOUT_CONTRADICTION.problem("stream.MAPDRAW_OLD", at, found=widths[not wide], expected=widths[wide])
        )


def read_drawings(decoder: Decoder, name: str, messages: Messages) -> Drawings:
    """Takes the drawings of one message id apart; ``name`` is MAPDRAW or MAPDRAW_OLD."""
    wide = name == "MAPDRAW" or wide_points(decoder)
    data, count = decoder.stream.data, len(messages)
    x, z, x2, z2 = (np.zeros(count, np.int64) for _ in range(4))
    from_lua, has_lua = np.zeros(count, np.uint8), np.zeros(count, bool)
    label, label_length = np.zeros(count, np.int64), np.zeros(count, np.int64)
    fits, widths = np.zeros((2, count), bool)
    action, length = messages["action"], messages.length
    flagless = decoder.engine < 800_000
    for (kind, is_wide), dtype in _BODIES.items():
        if name == "MAPDRAW" and not is_wide:
            continue  # the id is younger than the wider places
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
        fits[rows], widths[rows] = True, is_wide
        if kind == POINT:
            if not flagless:
                from_lua[rows] = source[at + fixed - 1]
                has_lua[rows] = True
            label[rows] = at + fixed
            label_length[rows] = length[rows] - fixed - 1
            # One NUL, at the end.
            last = source[at + length[rows] - 1] == 0
            fits[rows] = last & (nul_counts(data, at + fixed, length[rows] - fixed) == 1)
    return Drawings(x, z, x2, z2, from_lua, has_lua, label, label_length, fits, widths)

"""Orders: what players, their widgets and skirmish AIs asked for, taken out of the messages that carry them.

Source: seed 002, "The demo stream"; RecoilEngine BaseNetProtocol.cpp, SelectedUnitsHandler.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ksreplay.columns import arrays, offsets_of, taken, view
from ksreplay.formats.spring import Data
from ksreplay.formats.spring_entries import compiled
from ksreplay.semantics.spring.carriers import SEVERAL, Carriers, Contents, read_carriers
from ksreplay.semantics.spring.match import Match
from ksreplay.threads import share


@dataclass(frozen=True)
class Orders:
    """All orders of a stream, in stream order, as arrays of one entry each.

    ``of``: index into ``carriers``, which say what all orders of a message share (a malformed message has one order of
    zeros); ``command_id`` int32; ``options`` uint8; ``num_params`` int32, and ``params``, the parameters of all of them
    (float32), those of one from its ``params_at`` on; ``units`` (int32) and ``units_at`` (an entry more than orders),
    which units each names: a selection order none.
    """

    carriers: Carriers
    of: NDArray[np.int64]
    command_id: NDArray[np.int32]
    options: NDArray[np.uint8]
    num_params: NDArray[np.int32]
    params_at: NDArray[Any]
    params: NDArray[np.float32]
    units_at: NDArray[Any]
    units: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.of)

    def shared(self, name: str) -> NDArray[Any]:
        """A field of the carriers for each order."""
        values: NDArray[Any] = getattr(self.carriers, name)
        return values.take(self.of)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many orders each carrier has."""
        return np.bincount(self.of, minlength=len(self.carriers))

    @cached_property
    def packet(self) -> NDArray[np.int32]:
        return self.shared("packet")

    @cached_property
    def good(self) -> NDArray[np.bool_]:
        return self.shared("good")

    def param(self, index: NDArray[Any] | int, rows: NDArray[Any] | slice = slice(None)) -> NDArray[np.float32]:
        """Parameter ``index`` of the orders ``rows``: float32, NaN where they have fewer."""
        counts = self.num_params[rows]
        index = np.broadcast_to(np.asarray(index, np.int64), counts.shape)
        has = (index >= 0) & (index < counts)
        result = np.full(counts.shape, np.nan, np.float32)
        result[has] = self.params[self.params_at[:-1][rows][has] + index[has]]
        return result

    def named(self, rows: NDArray[Any]) -> NDArray[Any]:
        """How many units the orders ``rows`` name."""
        counts: NDArray[Any] = self.units_at[1:][rows] - self.units_at[:-1][rows]
        return counts


def gathered(data: Data, starts: NDArray[Any], counts: NDArray[Any], dtype: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """(offsets, values) of runs of ``counts`` numbers of ``dtype`` that begin at ``starts`` in ``data``."""
    kind = np.dtype(dtype)
    total = int(counts.sum(dtype=np.int64)) * kind.itemsize
    offsets = offsets_of(counts, np.int32 if total < 1 << 31 else np.int64)
    # 32 bits serve wherever the places fit: half the memory to move.
    wide = np.int32 if len(data) + total < 1 << 31 else np.int64
    places = np.repeat((starts - offsets[:-1] * kind.itemsize).astype(wide), counts)
    places += np.arange(0, total, kind.itemsize, dtype=wide)
    return offsets, view(data, kind)[places]


def read_orders(match: Match, *, kernel: Callable[[], ModuleType | None] = compiled) -> Orders:
    """Takes all orders out of the four messages that carry them."""
    carriers, contents = read_carriers(match, kernel=kernel)
    if contents.entries is None and (chosen := kernel()) is not None:
        return Orders(carriers, *_by_kernel(chosen, match.stream.data, carriers, contents))
    return Orders(carriers, *_by_numpy(match.stream.data, carriers, contents))


def _by_kernel(kernel: ModuleType, data: Data, carriers: Carriers, contents: Contents) -> list[NDArray[Any]]:
    firsts = [
        offsets_of(counts, np.int32) for counts in (contents.num_commands, contents.all_params, contents.all_units)
    ]
    count, params, units = (int(first[-1]) for first in firsts)
    fields = arrays(
        (count, np.int64), (count, np.int32), (count, np.uint8), (count, np.int32), (count + 1, np.int32),
        (params, np.int32), (count + 1, np.int32), (units, np.int32),
    )  # fmt: skip
    params_at, words, units_at, _ = fields[4:]
    params_at[-1], units_at[-1] = params, units

    def take(low: int, high: int) -> None:
        reached = kernel.take_orders(
            data, view(data, np.dtype("<i4")), view(data, np.dtype("<i2")), low, high,
            contents.start, contents.num_commands, contents.command_id, contents.options, contents.num_params,
            contents.own, contents.units, contents.num_units, carriers.pairwise, *firsts, *fields,
        )  # fmt: skip
        assert reached == high, "the messages hold what they were checked to hold"

    share(take, len(carriers), 8192)
    fields[5] = words.view(np.float32)
    return fields


def _by_numpy(data: Data, carriers: Carriers, contents: Contents) -> list[NDArray[Any]]:
    of = np.repeat(np.arange(len(carriers)), contents.num_commands)
    command_id, options, num_params, params, units, num_units = taken(
        [contents.command_id, contents.options, contents.num_params, contents.start, contents.units,
         contents.num_units], of,
    )  # fmt: skip
    if (entries := contents.entries) is not None and len(entries.message):
        listed = np.flatnonzero(((carriers.message == SEVERAL) & carriers.good).take(of))
        command_id[listed], options[listed] = entries.command_id, entries.options
        num_params[listed], params[listed] = entries.num_params, entries.params
    pairs = np.flatnonzero((carriers.pairwise > 0).take(of))
    if len(pairs):
        # Order k goes to unit k, as far as there are units.
        number = (pairs - offsets_of(contents.num_commands)[of[pairs]]).astype(num_units.dtype)
        units[pairs] += 2 * number
        num_units[pairs] = number < num_units[pairs]
    params_at, values = gathered(data, params, num_params, "<f4")
    units_at, ids = gathered(data, units, num_units, "<i2")
    return [of, command_id, options, num_params, params_at, values, units_at, ids.astype(np.int32)]


def latest_selection(
    match: Match, player: NDArray[np.uint8], packet: NDArray[np.int32],
    *, kernel: Callable[[], ModuleType | None] = compiled,
) -> NDArray[np.int32]:  # fmt: skip
    """Row of `selections` with each player's latest SELECT before that packet (ascending), -1 without one: int32."""
    messages = match.messages["SELECT"]
    good = np.flatnonzero(messages.good)
    marks, markers = messages.rows[good], messages["player"][good]
    found = np.full(len(packet), -1, np.int32)
    if (chosen := kernel()) is not None:
        chosen.latest(marks, markers, packet, player, np.full(256, -1, np.int32), found)
    else:
        who = np.concatenate([markers, player])
        # All of them by player, in stream order: two sorted runs to merge, then numbers of eight bits to sort by.
        by = np.argsort(np.concatenate([marks, packet]), kind="stable")
        by = by[np.argsort(who[by], kind="stable")]
        latest = by[np.maximum.accumulate(np.where(by < len(marks), np.arange(len(by)), 0))]
        mine = (by >= len(marks)) & (latest < len(marks)) & (who[latest] == who[by])
        found[by[mine] - len(marks)] = latest[mine]
    return found if len(good) == len(messages) else np.append(good, -1)[found].astype(np.int32)

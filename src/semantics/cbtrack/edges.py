"""Whether two windows give the same values for the frame that both have.

Source: seed 000, "Header" ("A frame on the boundary ... both give the same values for it") and "Rules for a writer".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.errors import Problem
from ksreplay.formats.cbtrack_columns import FIRST_PARAMETER
from ksreplay.semantics.cbtrack import rules
from ksreplay.semantics.cbtrack.check import found_at
from ksreplay.semantics.cbtrack.decode import REFERENCE
from ksreplay.semantics.cbtrack.window import Window

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Side:
    """What one window says of the frame: sorted ``keys`` (each once), a row of ``values`` for each, and whether a key
    stands on the frame itself (``on_key``). What is absent stands for a row of zeros."""

    keys: Array
    values: Array
    on_key: Array

    @classmethod
    def of(cls, keys: Array, values: Array, on_key: Array) -> Side:
        # of two rows for one thing, which a broken file may have, the last
        unique, last = np.unique(keys[::-1], return_index=True)
        rows = len(keys) - 1 - last
        return cls(unique, values[rows], on_key[rows])

    def spread(self, keys: Array) -> tuple[Array, Array]:
        """The values and ``on_key`` of ``keys``: zeros (and a key) where this side has none."""
        at = np.searchsorted(self.keys, keys)
        at_most = np.minimum(at, max(len(self.keys) - 1, 0))
        has = (at < len(self.keys)) & (self.keys[at_most] == keys) if len(self.keys) else np.zeros(len(keys), bool)
        values = np.zeros((len(keys), self.values.shape[1]), self.values.dtype)
        values[has] = self.values[at_most[has]]
        on_key = np.ones(len(keys), bool)
        on_key[has] = self.on_key[at_most[has]]
        return values, on_key


def _ends(bounds: Array, curves: Array, at_end: bool) -> Array:
    """The key of each curve that the frame is read from: the last one at a window's end, else the first."""
    return bounds[curves + 1] - 1 if at_end else bounds[curves]


def sides(window: Window, at_end: bool) -> dict[str, Side]:
    """Window ``window`` at its last frame, or at its first: one `Side` for each kind of thing."""
    main = window.main
    offset = window.end - window.start if at_end else 0
    units, projectiles = main.units, main.projectiles
    there = np.flatnonzero(units.last == offset if at_end else units.first == 0)
    serial = units.serial.astype(np.int64)
    result = {}

    key, state = _ends(main.transforms.bounds, there, at_end), _ends(main.statuses.bounds, there, at_end)
    transforms, statuses = main.transforms, main.statuses
    result["units"] = Side.of(
        serial[there],
        np.column_stack(
            (
                transforms.position[:, key].T,
                transforms.dropped[key],
                transforms.kept[:, key].T,
                statuses.health[state],
                statuses.build[state],
                statuses.flags[state],
            )
        ).astype(np.int64),
        (transforms.time[key] == offset) & (statuses.time[state] == offset),
    )

    targets = main.targets
    unit, track = window.tracks_of(targets.tracks, targets.bounds, targets.weapon, there)
    key = _ends(targets.bounds, track, at_end)
    into, reference = REFERENCE[targets.kind[key]], targets.reference[key].astype(np.int64)
    # indices differ from window to window, serial numbers do not
    for number, serials in ((1, serial), (3, projectiles.serial)):
        reference[into == number] = serials[reference[into == number]]
    reference[into == 0] = 0
    placed = targets.placed[key]
    position = np.zeros((3, len(key)), np.int64)
    position[:, placed >= 0] = targets.position[:, placed[placed >= 0]]
    result["targets"] = Side.of(
        serial[unit] << 8 | targets.weapon[track],
        np.column_stack((targets.kind[key], reference, targets.power[key], position.T)).astype(np.int64),
        targets.time[key] == offset,
    )

    poses = main.poses
    unit, track = window.tracks_of(poses.tracks, poses.bounds, poses.piece, there)
    key = _ends(poses.bounds, track, at_end)
    result["poses"] = Side.of(
        serial[unit] << 16 | poses.piece[track],
        # an angle may be whole turns away in another window
        np.column_stack((poses.angle[:, key].T % 65_536, poses.offset[:, key].T)).astype(np.int64),
        poses.time[key] == offset,
    )

    queues = main.queues
    unit = there[queues.bounds[there + 1] > queues.bounds[there]]
    key = _ends(queues.bounds, unit, at_end)
    counts = queues.items[key + 1] - queues.items[key]
    row = np.repeat(np.arange(len(key)), counts)
    within = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    item = queues.items[key][row] + within
    result["queues"] = Side.of(
        serial[unit][row] << 8 | within,
        np.column_stack(
            (np.ones(len(item)), queues.definition[item], queues.x[item], queues.z[item], queues.facing[item])
        ).astype(np.int64),
        (queues.time[key] == offset)[row],
    )

    flying = np.flatnonzero(projectiles.last == offset if at_end else projectiles.first == 0)
    key = _ends(projectiles.bounds, flying, at_end)
    result["projectiles"] = Side.of(
        projectiles.serial[flying].astype(np.int64),
        np.concatenate((projectiles.position[:, key], projectiles.velocity[:, key])).T.astype(np.int64),
        projectiles.time[key] == offset,
    )

    numbers = main.numbers
    track = np.flatnonzero(np.diff(numbers.bounds) > 0)
    key = _ends(numbers.bounds, track, at_end)
    is_parameter = numbers.code[track] >= FIRST_PARAMETER
    # a rules parameter is not set before the frame of its first key
    is_set = ~is_parameter | (numbers.time[key] <= offset)
    track, key, is_parameter = track[is_set], key[is_set], is_parameter[is_set]
    result["numbers"] = Side.of(
        numbers.team[track].astype(np.int64) << 16 | numbers.code[track],
        np.column_stack((is_parameter.astype(np.float64), numbers.value[key])),
        numbers.time[key] == offset,
    )
    return result


#: How far the key of each section is shifted to give a serial number; None: it is none.
_SERIAL_SHIFT = {"units": 0, "targets": 8, "poses": 16, "queues": 8, "projectiles": 0, "numbers": None}


def _check_entries(earlier: Window, later: Window, section: str, shared: Array) -> Iterator[Problem]:
    """The entries of the serial numbers ``shared``, which both windows have at their common frame."""
    one, two = getattr(earlier.main, section), getattr(later.main, section)
    for things in (one, two):  # one that a window has twice is reported there
        numbers, times = np.unique(things.serial, return_counts=True)
        shared = np.setdiff1d(shared, numbers[times > 1])
    rows = [{number: row for row, number in enumerate(things.serial.tolist())} for things in (one, two)]
    a, b = (np.array([of[number] for number in shared.tolist()], np.int64) for of in rows)
    names = ("unit_id", "definition") if section == "units" else ("definition", "team")
    other = np.zeros(len(shared), bool)
    for name in names:
        other |= getattr(one, name)[a] != getattr(two, name)[b]
    existed = ((two.flags[b] & 1) != 0) != (one.first[a] < earlier.end - earlier.start)
    goes_on = ((one.flags[a] & 2) != 0) != (two.last[b] > 0)
    for rule, window, wrong, found in (
        (rules.SERIAL_OTHER, later, other, tuple(getattr(two, name)[b] for name in names)),
        (rules.EDGE_FLAGS, later, existed, two.flags[b]),
        (rules.EDGE_FLAGS, earlier, goes_on, one.flags[a]),
    ):

        def place(row: int, window: Window = window) -> str:
            return f"window[{window.index}].main.{section}[serial {int(shared[row])}]"

        yield from found_at(rule, np.flatnonzero(wrong), place, found)


def check_edge(earlier: Window, later: Window) -> Iterator[Problem]:
    """Two windows in a row, at the frame that both have."""
    before, after = sides(earlier, True), sides(later, False)
    where = f"window[{later.index}].main"
    for section in ("units", "projectiles"):
        ours, theirs = before[section].keys, after[section].keys
        yield from found_at(
            rules.EDGE_ENTRY,
            np.setxor1d(ours, theirs),
            f"{where}.{section}[serial {{}}]",
            later.start,
        )
        yield from _check_entries(earlier, later, section, np.intersect1d(ours, theirs))
    units = np.intersect1d(before["units"].keys, after["units"].keys)
    flying = np.intersect1d(before["projectiles"].keys, after["projectiles"].keys)
    for section, shift in _SERIAL_SHIFT.items():
        one, two = before[section], after[section]
        keys = np.union1d(one.keys, two.keys)
        if shift is not None:
            keys = keys[np.isin(keys >> shift, flying if section == "projectiles" else units)]
        (a, on_a), (b, on_b) = one.spread(keys), two.spread(keys)
        differs = (a != b).any(axis=1)
        lacking = differs & ~(on_a & on_b)

        def place(row: int, section: str = section, keys: Array = keys, shift: int | None = shift) -> str:
            key = int(keys[row])
            if shift is None:
                return f"{where}.{section}[team {key >> 16}, code {key & 0xFFFF}]"
            return f"{where}.{section}[serial {key >> shift}]"

        for rule, wrong in ((rules.EDGE_KEY, lacking), (rules.EDGE, differs & ~lacking)):
            yield from found_at(
                rule,
                np.flatnonzero(wrong),
                place,
                b,
                f"the same as window {earlier.index} at frame {later.start}",
            )

"""One unit over the whole match, across windows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.semantics.cbtrack import schemas, tables
from ksreplay.semantics.cbtrack.match import Match
from ksreplay.semantics.cbtrack.window import Window
from ksreplay.table import Table

Array = npt.NDArray[Any]


#: The tables of keys that belong to a unit.
KEYS: dict[str, Callable[[Match, Iterable[Window]], Table]] = {
    "transform_keys": tables.transform_keys,
    "status_keys": tables.status_keys,
    "target_keys": tables.target_keys,
    "pose_keys": tables.pose_keys,
    "build_queue": tables.build_queue,
}


class Unit:
    """The unit with serial number ``serial``: who it is, when it lived, its keys and its path.

    ``first_frame`` and ``last_frame`` are those of the windows that can be read. Raises KeyError where none has it.
    """

    def __init__(self, match: Match, serial: int) -> None:
        self._match = match
        self.serial = serial
        self.windows: list[int] = []
        first, last = [], []
        for window in match.readable_windows():
            row = window.unit_of_serial.get(serial)
            if row is None:
                if self.windows:
                    break  # what is gone does not come back
                continue
            units = window.main.units
            self.windows.append(window.index)
            first.append(window.start + int(units.first[row]))
            last.append(window.start + int(units.last[row]))
            self.unit_id, self.team = int(units.unit_id[row]), int(units.team[row])
            self.definition = int(units.definition[row])
        if not self.windows:
            raise KeyError(f"no unit with serial number {serial}")
        self.first_frame, self.last_frame = min(first), max(last)

    @property
    def definition_name(self) -> str | None:
        names = self._match.match_info.unit_names
        return names[self.definition] if self.definition < len(names) else None

    def _own_windows(self) -> Iterator[tuple[Window, int]]:
        for k in self.windows:
            window = self._match.window(k)
            yield window, window.unit_of_serial[self.serial]

    def keys(self, table: str = "transform_keys") -> Table:
        """The unit's rows of one of the tables of keys: ``transform_keys``, ``status_keys``, ``target_keys``,
        ``pose_keys`` or ``build_queue``."""
        if table not in KEYS:
            raise ValueError(f"{table!r} is not one of {', '.join(KEYS)}")
        every = KEYS[table](self._match, (window for window, _ in self._own_windows()))
        return every.filter(every["serial"] == self.serial)

    def path(self, frames: npt.ArrayLike) -> Table:
        """The unit at ``frames`` (any order, fractional too): schema ``path``, null where it does not exist."""
        frame = np.atleast_1d(np.asarray(frames, np.float64))
        header = self._match.header
        k = np.clip((frame - header.first_frame) // header.window_length, 0, header.num_windows - 1)
        exists = np.zeros(len(frame), bool)
        values = {c.name: np.zeros(len(frame), c.dtype) for c in schemas.PATH.columns[2:]}
        for window, row in self._own_windows():
            rows = np.flatnonzero(k == window.index)
            if not len(rows):
                continue
            motion = window.motion(row, frame[rows])
            exists[rows] = motion.exists
            for i, axis in enumerate("xyz"):
                values[axis][rows] = motion.position[i]
            for i, axis in enumerate("xyzw"):
                values[f"rotation_{axis}"][rows] = motion.rotation[i]
            values["health"][rows], values["build_progress"][rows] = motion.health, motion.build
            values["on"][rows] = motion.on
        return Table.build(schemas.PATH, {"frame": frame, "exists": exists, **values}, dict.fromkeys(values, exists))

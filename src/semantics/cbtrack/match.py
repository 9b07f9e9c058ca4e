"""What tables and checks need of an open track, without knowing how it is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy.typing as npt

from ksreplay.formats.cbtrack import Header
from ksreplay.semantics.cbtrack.model import Features, Info, Terrain
from ksreplay.semantics.cbtrack.window import Window


class Match(Protocol):
    """A track whose damaged parts are left out: their problems are listed elsewhere."""

    @property
    def header(self) -> Header: ...

    @property
    def index(self) -> npt.NDArray[Any]:
        """The window index, a structured array."""

    @property
    def match_info(self) -> Info:
        """The info chunk; an empty one where it cannot be read."""

    @property
    def match_features(self) -> Features:
        """The features chunk; an empty one where it cannot be read."""

    def window(self, k: int) -> Window:
        """Window ``k``; raises the ReplayError of a damaged one."""

    def readable_windows(self) -> Iterator[Window]:
        """Every window whose main chunk can be read, in order."""

    def readable_terrain(self) -> Iterator[Terrain]:
        """Every terrain chunk that can be read, in order."""

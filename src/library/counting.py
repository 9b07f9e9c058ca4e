"""Count one match's layers on a map's grid: from its demo, and deaths from its analysis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ksreplay.errors import ReplayError
from ksreplay.library.analyses import Analyses
from ksreplay.library.queries import MatchRow
from ksreplay.semantics.spring.analysis.grids import Grid, Layer
from ksreplay.semantics.spring.analysis.layers import deaths


class Counting:
    """Counts matches of an index over `folder`; call it with a match and a grid. Unreadable demos have no layers."""

    def __init__(self, folder: Path, analyses: Analyses | None = None) -> None:
        self.folder = folder
        self.analyses = analyses

    def __call__(self, row: MatchRow, grid: Grid) -> Mapping[str, Layer]:
        from ksreplay.registry import open as open_replay
        from ksreplay.replays.spring_derived import stream_layers

        layers: dict[str, Layer] = {}
        try:
            with open_replay(self.folder / row.path, format="spring") as replay:
                layers |= stream_layers(replay, grid)
        except (OSError, ReplayError):
            pass
        log = self.analyses.find(row.game_id) if self.analyses is not None and row.game_id else None
        if log is not None:
            layers["deaths"] = deaths(log.events, grid)
        return layers

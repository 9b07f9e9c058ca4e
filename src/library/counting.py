"""Count one match's layers on a map's grid: from its demo, and deaths from its analysis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ksreplay.errors import ReplayError
from ksreplay.library.analyses import Analyses
from ksreplay.library.layers import Counts
from ksreplay.library.queries import MatchRow
from ksreplay.semantics.spring.analysis.grids import Grid, Layer
from ksreplay.semantics.spring.analysis.layers import deaths


def counts_of(folder: Path, analyses: Analyses | None = None) -> Counts:
    """How the matches of an index over `folder` are counted. An unreadable demo or analysis has no layers."""

    def stream(row: MatchRow, grid: Grid) -> Mapping[str, Layer]:
        from ksreplay.registry import open as open_replay
        from ksreplay.replays.spring_derived import stream_layers

        try:
            with open_replay(folder / row.path, format="spring") as replay:
                return stream_layers(replay, grid)
        except (OSError, ReplayError):
            return {}

    def stamp(row: MatchRow) -> int | None:
        return analyses.stamp(row.game_id) if analyses is not None and row.game_id else None

    def analysis(row: MatchRow, grid: Grid) -> Mapping[str, Layer]:
        log = analyses.find(row.game_id) if analyses is not None and row.game_id else None
        return {} if log is None else {"deaths": deaths(log.events, grid)}

    return Counts(stream, stamp, analysis)

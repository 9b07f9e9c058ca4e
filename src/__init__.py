"""ksreplay reads and writes game replays: Coilbox tracks, Crimsonland replays, Spring demos, TA recordings.

import ksreplay
with ksreplay.open("match.sdfz") as replay:
    print(replay.info()["map"], replay.tables["commands"].head())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from ksreplay.errors import (
        Corrupt,
        LimitExceeded,
        Problem,
        ReplayError,
        Severity,
        Truncated,
        UnknownFormat,
        UnsupportedVersion,
    )
    from ksreplay.limits import Limits
    from ksreplay.registry import FORMATS, open
    from ksreplay.replay import Replay
    from ksreplay.semantics.cbtrack.recorder import Piece, TrackRecorder
    from ksreplay.semantics.cbtrack.writer import TrackWriter
    from ksreplay.table import Column, Schema, Table

# Loaded when first used: numpy alone costs more than `ksreplay --help` may take.
_HOMES = {
    "ksreplay.errors": (
        "Corrupt LimitExceeded Problem ReplayError Severity Truncated UnknownFormat UnsupportedVersion".split()
    ),
    "ksreplay.limits": ["Limits"],
    "ksreplay.registry": ["FORMATS", "open"],
    "ksreplay.replay": ["Replay"],
    "ksreplay.semantics.cbtrack.recorder": ["Piece", "TrackRecorder"],
    "ksreplay.semantics.cbtrack.writer": ["TrackWriter"],
    "ksreplay.table": ["Column", "Schema", "Table"],
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "FORMATS",
    "Column",
    "Corrupt",
    "LimitExceeded",
    "Limits",
    "Piece",
    "Problem",
    "Replay",
    "ReplayError",
    "Schema",
    "Severity",
    "Table",
    "TrackRecorder",
    "TrackWriter",
    "Truncated",
    "UnknownFormat",
    "UnsupportedVersion",
    "__version__",
    "open",
]


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _HOME_OF:
        raise AttributeError(f"module 'ksreplay' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

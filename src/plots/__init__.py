"""Pictures of replays: one module a format, each with its ``KINDS``. Needs the extra ``plots``."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ksreplay.replay import Replay

#: Formats that have pictures; the module of the same name holds KINDS: name -> function of a replay.
FORMATS = ("cbtrack", "crd", "spring", "tad")


def kinds(format: str) -> dict[str, Callable[[Replay], Any]]:
    """The pictures of a format: name -> function that makes a matplotlib Figure; none for a format without."""
    if format not in FORMATS:
        return {}
    found: dict[str, Callable[[Replay], Any]] = importlib.import_module(f"ksreplay.plots.{format}").KINDS
    return found


def draw(replay: Replay, kind: str) -> Any:
    """A matplotlib Figure. KeyError where the format has no such picture; ImportError without matplotlib."""
    from ksreplay.plots.style import figure_class

    make = kinds(replay.format)[kind]
    figure_class()  # before a picture imports its own part of matplotlib
    return make(replay)

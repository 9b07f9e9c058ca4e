"""Every check of a track in one pass over its chunks. Parts that cannot be read are reported by reading them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ksreplay.errors import Problem
from ksreplay.formats.cbtrack_lint import lint_chunk, lint_file
from ksreplay.semantics.cbtrack import check, rules
from ksreplay.semantics.cbtrack.edges import check_edge
from ksreplay.semantics.cbtrack.window import Window

if TYPE_CHECKING:
    from ksreplay.replays.cbtrack import Track


def check_track(track: Track) -> Iterator[Problem]:
    """Problems beyond those that reading finds; reads everything on the way."""
    header = track.header
    yield from lint_file(track.source.data, header, track.index)
    info = track.match_info if track.reads("info") else None
    features = track.match_features if track.reads("features") else None
    if info is not None:
        yield from lint_chunk(track.chunk(track.places["info"]))
        yield from check.check_info(info, header)
    if features is not None:
        yield from lint_chunk(track.chunk(track.places["features"]))
        yield from check.check_features(features, info, header)
    units, projectiles = check.Serials(), check.Serials()
    earlier: Window | None = None
    is_whole = True
    heights = check.Heights()
    for k in range(header.num_windows):
        name = f"window[{k}].main"
        window = track.window(k) if track.reads(name) else None
        if window is not None:
            yield from lint_chunk(track.chunk(track.places[name]))
            yield from check.check_window(window, info, features, header)
            for seen, things in ((units, window.main.units), (projectiles, window.main.projectiles)):
                seen.see(things.serial, things.first, window.start)
            if earlier is not None:
                yield from check_edge(earlier, window)
        is_whole = is_whole and window is not None
        earlier = window
        name = f"window[{k}].terrain"
        if name not in track.places:
            continue
        rows = track.terrain_rows(k) if track.reads(name) else None
        if rows is None:
            heights.forget()
            continue
        yield from lint_chunk(track.chunk(track.places[name]))
        yield from heights.check(rows)
    if is_whole:
        for section, stated, offset, seen in (
            ("units", header.num_units, 52, units),
            ("projectiles", header.num_projectiles, 56, projectiles),
        ):
            if stated != len(seen):
                yield rules.HEADER_COUNT.problem(f"header.num_{section}", offset, found=stated, expected=len(seen))
            yield from seen.check(section)

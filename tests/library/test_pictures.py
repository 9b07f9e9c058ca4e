"""Pictures of maps and event logs: they draw, say where they are from, and are the same each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ksreplay import events
from ksreplay.errors import ReplayError
from ksreplay.semantics.spring.analysis.aggregate import aggregate
from ksreplay.semantics.spring.analysis.commands import count_commands
from ksreplay.semantics.spring.analysis.grids import Grid, count_layer
from ksreplay.semantics.spring.analysis.map_records import Match, Seat, map_records
from ksreplay.semantics.spring.analysis.starts import Name

pytest.importorskip("matplotlib")
from ksreplay.plots import event_log, spring_maps

LOG = (
    b'{"kind":"header","format":1,"mapSizeX":4096,"mapSizeZ":2048,"unitDefs":1,"gridWidth":256,"gridHeight":128}\n'
    b'{"kind":"unit_def","id":1,"name":"com","metalCost":10}\n'
    b'{"kind":"unit_created","frame":0,"unit":1,"def":1,"team":0,"x":9,"y":0,"z":9,"startUnit":true}\n'
    b'{"kind":"unit_finished","frame":0,"unit":1,"def":1,"team":0,"x":9,"y":0,"z":9,"startUnit":true}\n'
    b'{"kind":"start_unit_position","frame":60,"unit":1,"team":0,"x":900,"z":900}\n'
    b'{"kind":"damage","frame":0,"target":0,"at":[5,1.5],"origin":[]}\n'
    b'{"kind":"unit_destroyed","frame":900,"unit":1,"def":1,"team":0,"x":900,"y":0,"z":900,"startUnit":true,"weapon":3}\n'
    b'{"kind":"game_over","frame":901,"winners":[],"teams":[]}\n'
)


def drawn(figure: Any, path: Path) -> bytes:
    spring_maps.save(figure, path, force=True)
    return path.read_bytes()


@pytest.mark.parametrize("kind", event_log.KINDS)
def test_pictures_of_a_log(kind: str, tmp_path: Path) -> None:
    log = events.open(LOG)
    figure = event_log.KINDS[kind](log)
    assert "Source: event log" in figure.get_supxlabel()
    first = drawn(figure, tmp_path / "a.svg")
    assert first == drawn(event_log.KINDS[kind](log), tmp_path / "b.svg") and first.startswith(b"<?xml")


@pytest.mark.parametrize("kind", event_log.KINDS)
def test_a_log_that_cannot_be_drawn_says_why(kind: str) -> None:
    with pytest.raises(ReplayError):
        event_log.KINDS[kind](events.open(b'{"kind":"header","format":1}\n'))


def test_the_picture_of_a_map(tmp_path: Path) -> None:
    grid = Grid(4096, 2048)
    layer = count_layer("orders", grid, [0, 0], [100.0, 4000.0], [100.0, 2000.0])
    duel = Match((Seat(0, 0), Seat(1, 1)), (0,), 60, ((0, 100.0, 100.0), (1, 4000.0, 2000.0)))
    records = map_records([duel], scale=64, names=[Name("c1:1", 100, 100, "$home_$")])
    figure = spring_maps.picture(aggregate(grid, [(layer, 1800)]), layer="orders", map="Map $1", note="Source: stream.",
                                 starts=records.rows)  # fmt: skip
    note = figure.get_supxlabel()
    assert "1 of 1 matches" in note and "Brightest spot" in note and "Source: stream" in note
    assert drawn(figure, tmp_path / "a.png").startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="png"):
        spring_maps.save(figure, tmp_path / "a.jpg")


def test_charts(tmp_path: Path) -> None:
    counts = count_commands([0, 500, 500], [0, 0, 1], [0, 0, 1], last_frame=900, period_seconds=15)
    for source in ("selection", "lua", "ai"):
        assert drawn(spring_maps.commands_chart(counts, {0: "ann"}, source=source), tmp_path / f"{source}.svg")
    chart = spring_maps.chart(
        [0, 15], {"a": [1, np.nan], "b": [2, 3]}, title="Metal used", unit="metal", note="Source: trailer."
    )
    assert drawn(chart, tmp_path / "c.svg")
    places = spring_maps.places(Grid(100, 100), {"ann": ([1, 2], [3, 4])}, title="Buildings", starts={"ann": (1, 2)})
    assert drawn(places, tmp_path / "p.svg")
    assert drawn(spring_maps.living_chart([], np.zeros((0, 0, 8)), []), tmp_path / "l.svg")

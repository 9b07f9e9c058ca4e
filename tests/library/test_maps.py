"""Maps in the index: sizes, kept counts, pictures under filters, records, names of positions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from library_helpers import put, run

from ksreplay.errors import ReplayError
from ksreplay.library.index import Index
from ksreplay.library.layers import Counts, kept_layers, map_picture, pack, unpack
from ksreplay.library.maps import MapSize, estimate, map_size, name_position, names, other_sizes, records_of, set_map
from ksreplay.library.queries import MatchRow, Named, select, stream_names
from ksreplay.semantics.spring.analysis.aggregate import Window
from ksreplay.semantics.spring.analysis.grids import Grid, Layer, count_layer
from ksreplay.semantics.spring.analysis.starts import Name
from ksreplay.semantics.spring.analysis.unit_list import UnitDef, UnitList

GRID = Grid(8192, 4096)
LIST = UnitList(
    (UnitDef("mex", numbers={"extractsMetal": 1.0}), UnitDef("gun", armed=True), UnitDef("tank", mobile=True))
)


def counted(row: MatchRow, grid: Grid) -> Mapping[str, Layer]:
    n = int(row.game_id)
    buildings = count_layer("buildings", grid, [0] * n, [100.0 * n] * n, [100.0] * n, definition=[1 + n % 2] * n)
    return {"buildings": buildings, "orders": count_layer("orders", grid, [0, 5], [9000.0, 1.0], [0.0, 1.0])}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    for i in range(1, 5):
        put(tmp_path, f"{i}.sdfz", f"{i};ann;bob")
    run(tmp_path)
    return tmp_path


def test_layers_pack() -> None:
    for layer in counted(MatchRow(0, "", "", "3", "", "", "", 0, 0, 0, None, ""), GRID).values():
        back = unpack(layer.name, pack(layer), layer.off_map, "{}")
        assert all(np.array_equal(getattr(layer, k), getattr(back, k)) for k in ("cell", "slice", "count"))
        assert (layer.definition is None) == (back.definition is None) and back.off_map == layer.off_map


def test_a_picture_keeps_its_counts(library: Path) -> None:
    calls: list[str] = []

    def count(row: MatchRow, grid: Grid) -> Mapping[str, Layer]:
        calls.append(row.path)
        return counted(row, grid)

    with Index(library) as index:
        matches = select(index.db).matches
        first = map_picture(index.db, matches, "buildings", GRID, counts=Counts(count), name=stream_names(index.db))
        assert len(calls) == 4 and first.picture.events.sum() == 10 and first.picture.matches_in_layer == 4
        again = map_picture(index.db, matches, "orders", GRID, counts=Counts(count), name=stream_names(index.db))
        assert len(calls) == 4 and again.off_map == 4 and again.source == "stream"
        other = map_picture(
            index.db, matches[:1], "buildings", Grid(4096, 4096), counts=Counts(count), name=stream_names(index.db)
        )
        assert len(calls) == 5 and other.picture.events.sum() == 1
        late = map_picture(index.db, matches, "orders", GRID, counts=Counts(count), name=stream_names(index.db),
                           window=Window("range", start=30, end=31))  # fmt: skip
        assert late.picture.outside_window == 4
        died = map_picture(index.db, matches, "deaths", GRID, counts=Counts(count), name=stream_names(index.db))
        assert died.left_out == {"not analysed": 4} and died.picture.matches_in_layer == 0
        # A file that changes takes its kept counts with it.
        put(library, "1.sdfz", "7;ann;bob", age=3)
    run(library)
    with Index(library) as index:
        assert len(kept_layers(index.db, GRID, "buildings")) == 3


def test_kinds_of_building_need_a_list_that_fits(library: Path) -> None:
    def name(row: MatchRow) -> Named:
        # The reader's players placed unit 1 and queued nothing: it fits LIST; a list on which 1 moves does not.
        if row.game_id == "4":
            return Named(None)
        return Named(LIST if row.game_id != "3" else UnitList((UnitDef("tank", mobile=True),)), "archive")

    with Index(library) as index:
        matches = select(index.db).matches
        found = map_picture(index.db, matches, "economy", GRID, counts=Counts(counted), name=name)
        assert found.left_out == {"no unit list for its build": 1, "its orders do not fit its list": 1}
        assert found.picture.events.sum() == 2  # of matches 1 and 2 only match 2's buildings are mexes
        assert (
            map_picture(index.db, matches, "defences", GRID, counts=Counts(counted), name=name).picture.events.sum()
            == 1
        )


def test_sizes_of_maps(library: Path) -> None:
    with Index(library) as index:
        assert map_size(index.db, "Tabula v1.0") is None
        set_map(index.db, "Tabula v1.0", 8192, 4096, "given", [(1.0, 2.0)])
        size = map_size(index.db, "Tabula v1.0")
        assert size == MapSize(8192, 4096, "given", ((1.0, 2.0),))
        matches = select(index.db).matches
        assert other_sizes(index.db, matches, MapSize(1, 1, "given")) == {"Tabula v1.0"}
        for width, height in ((0, 1), (float("nan"), 1), (1, 1e9)):
            with pytest.raises(ReplayError):
                set_map(index.db, "x", width, height, "given")
    assert estimate([(100, 600), (7000, 20), (-5, 1e9)]) == MapSize(7168, 1024, "estimated") and estimate([]) is None


def test_records_and_names(library: Path) -> None:
    with Index(library) as index:
        matches = select(index.db).matches
        name_position(index.db, "Tabula v1.0", Name("c0:0", 1, 2, "West"))
        found = records_of(index.db, "Tabula v1.0", matches, MapSize(8192, 4096, "given"))
        (row,) = found.rows
        assert (row.name, row.total.taken, row.total.won, found.results) == ("West", 4, 4, 4)
        name_position(index.db, "Tabula v1.0", Name("c0:0", 1, 2, ""))
        assert names(index.db, "Tabula v1.0") == []


def test_deaths_are_counted_again_when_the_analysis_changes(library: Path) -> None:
    calls: list[int] = []

    def analysis(row: MatchRow, grid: Grid) -> Mapping[str, Layer]:
        calls.append(row.file)
        return {"deaths": count_layer("deaths", grid, [0], [5.0], [5.0])}

    def drawn(stamps: dict[str, int]) -> int:
        counts = Counts(counted, lambda row: stamps.get(row.game_id), analysis)
        with Index(library) as index:
            matches = select(index.db).matches
            found = map_picture(index.db, matches, "deaths", GRID, counts=counts, name=stream_names(index.db))
        assert found.left_out == {"not analysed": 4 - len(stamps)}
        return found.picture.matches_in_layer

    assert (drawn({"1": 7}), len(calls)) == (1, 1) and (drawn({"1": 7}), len(calls)) == (1, 1)
    assert (drawn({"1": 8, "2": 7}), len(calls)) == (2, 3)

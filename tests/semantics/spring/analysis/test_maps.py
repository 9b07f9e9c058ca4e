"""Grids, layers, pictures of many matches, start positions, map names: golden cases 38-40, 50-52 of the fact sheet."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.semantics.spring.analysis.aggregate import SCALINGS, Window, aggregate, match_events
from ksreplay.semantics.spring.analysis.event_log import read_log
from ksreplay.semantics.spring.analysis.grids import Grid, count_layer, field_of, slices
from ksreplay.semantics.spring.analysis.layers import bases, buildings_finished, deaths, deaths_by_metal, time_window
from ksreplay.semantics.spring.analysis.map_names import split_version
from ksreplay.semantics.spring.analysis.map_records import Match, Seat, arrangement, lengths, map_records
from ksreplay.semantics.spring.analysis.starts import (
    Name,
    declared_tolerance,
    group_starts,
    grouping_distance,
    match_names,
)
from ksreplay.semantics.spring.analysis.unit_list import UnitDef, UnitList

WIDE = Grid(8192, 4096)


def test_grid_sizes() -> None:
    sizes = {(8192, 8192): (256, 256), (8192, 4096): (256, 128), (6144, 10240): (154, 256)}
    assert {m: (Grid(*m).width, Grid(*m).height) for m in sizes} == sizes
    assert not Grid(0, 5).valid and Grid(math.nan, 5).size == 0 and Grid(0, 0).cells([1], [1]).tolist() == [-1]


def test_cells() -> None:
    x, z = [100, 1000, 0, 8192, 8191, -1, math.nan], [1000, 100, 0, 4096, 0, 10, 1]
    assert WIDE.cells(x, z).tolist() == [7939, 799, 0, 32767, 255, -1, -1]
    assert slices([-1, 1799, 1800, 9003]).tolist() == [0, 0, 1, 5]
    column, row = WIDE.middles([0, 257])
    assert (column.tolist(), row.tolist()) == ([16, 48], [16, 48])


def test_a_full_cell_takes_two_entries() -> None:
    layer = count_layer("orders", WIDE, np.zeros(70_000), np.full(70_000, 5.0), np.full(70_000, 5.0))
    assert layer.count.tolist() == [65535, 4465] and layer.total == 70_000 and layer.entries == 2


def test_layers_of_a_match() -> None:
    square = Grid(8192, 8192)
    buildings = count_layer("buildings", square, [10], [100], [1000], definition=[42])
    assert (buildings.slice.tolist(), buildings.cell.tolist(), buildings.count.tolist()) == ([0], [31 * 256 + 3], [1])
    assert buildings.definition is not None and buildings.definition.tolist() == [42]
    orders = count_layer("orders", square, [10, 1801, 1801, 1801], [100, 4000, 4001, 9000], [1000, 4000, 4001, 4000])
    assert (1, 125 * 256 + 125, 2) in zip(
        orders.slice.tolist(), orders.cell.tolist(), orders.count.tolist(), strict=True
    )
    assert (orders.total, orders.off_map) == (3, 1)


@given(
    st.lists(st.tuples(st.integers(-1, 9000), st.floats(-50, 900), st.floats(-50, 500), st.integers(1, 3)), max_size=50)
)
def test_layers_keep_their_sums(rows: list[tuple[int, float, float, int]]) -> None:
    grid = Grid(800, 400)
    frame, x, z, d = (list(c) for c in zip(*rows, strict=True)) if rows else ([], [], [], [])
    layer = count_layer("buildings", grid, frame, x, z, definition=d)
    assert layer.total + layer.off_map == len(rows)
    keys = list(zip(layer.slice.tolist(), layer.cell.tolist(), layer.definition.tolist(), strict=True))  # type: ignore[union-attr]
    assert keys == sorted(set(keys))
    whole = match_events(layer, grid, Window(), 9000)
    parts = [match_events(layer, grid, Window("range", start=a, end=a + 1), 9000) for a in range(6)]
    assert whole is not None and whole.sum() == layer.total
    assert sum(int(p.sum()) for p in parts if p is not None) == layer.total


def test_windows() -> None:
    assert Window().slices(18000) == (0, 10) and Window().length(18000) == 10
    assert Window("first", 5).slices(18000) == (0, 4) and Window("first", 5).length(18000) == 5
    assert Window("last", 5).slices(18900) == (6, 10) and Window("last", 5).length(18900) == 4.5
    assert (
        Window("range", start=5, end=8).slices(18000) == (5, 7) and Window("range", start=5, end=8).length(18000) == 3
    )
    assert Window("range", start=30, end=35).slices(20 * 1800) is None
    assert time_window([-1, 0, 10, 20], 0, 10).tolist() == [True, True, True, False]
    assert time_window([-1, 5, 10], 5, None).tolist() == [False, True, True]


def spots(n: int, x: float, last: int) -> tuple[object, int]:
    return count_layer("orders", WIDE, np.zeros(n), np.full(n, x), np.full(n, 100.0)), last


def test_pictures_of_many_matches() -> None:
    quiet, busy, empty = spots(10, 100.0, 10 * 1800), spots(100, 4000.0, 20 * 1800), spots(0, 0.0, 1800)
    a, b = (int(WIDE.cells([x], [100.0])[0]) for x in (100.0, 4000.0))
    rate = aggregate(WIDE, [quiet, busy, empty], scaling="rate")  # type: ignore[list-item]
    assert rate.mean_scaled[b] / rate.mean_scaled[a] == 5 and (rate.matches, rate.matches_in_layer, rate.empty) == (
        3,
        2,
        1,
    )
    share = aggregate(WIDE, [quiet, busy], scaling="share")  # type: ignore[list-item]
    assert share.mean_scaled[a] == share.mean_scaled[b] == 0.5 and share.events[b] == 100
    peak = aggregate(WIDE, [quiet, busy], scaling="peak")  # type: ignore[list-item]
    assert peak.mean_scaled[a] == pytest.approx(0.5)
    late = aggregate(WIDE, [quiet], window=Window("range", start=30, end=35))  # type: ignore[list-item]
    assert (late.outside_window, late.matches_in_layer, late.mean_scaled.sum()) == (1, 0, 0)
    assert set(SCALINGS) == {"share", "peak", "rate"}


def test_only_some_buildings() -> None:
    layer = count_layer("buildings", WIDE, [0, 0], [100, 100], [100, 100], definition=[1, 2])
    marked = np.array([False, True, False])
    found = aggregate(WIDE, [(layer, 1800)], definitions=[marked])
    assert found.events.sum() == 1


def test_the_field_is_for_display() -> None:
    field = field_of(WIDE, [4096.0], [2048.0])
    assert field.shape == (128, 256) and np.unravel_index(field.argmax(), field.shape) in [
        (63, 127),
        (64, 128),
        (63, 128),
        (64, 127),
    ]
    assert field.max() <= 1.0 and field_of(WIDE, [-5.0], [0.0]).sum() == 0


def _events(*rows: dict[str, object]) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in rows)


def test_layers_of_a_log() -> None:
    def line(kind: str, unit: int, definition: int, x: float, z: float, **more: object) -> dict[str, object]:
        return {
            "kind": kind,
            "frame": 2000,
            "unit": unit,
            "def": definition,
            "team": 0,
            "x": x,
            "y": 0.0,
            "z": z,
            **more,
        }

    log = read_log(
        _events(
            line("unit_finished", 1, 1, 100.0, 1000.0),
            line("unit_finished", 2, 2, 5.0, 5.0),
            line("unit_finished", 3, 9, 5.0, 5.0),
            line("unit_destroyed", 1, 1, 100.0, 1000.0, attackerTeam=1),
            line("unit_destroyed", 2, 2, 0.0, 0.0),
            line("unit_destroyed", 3, 3, -5.0, 7.0),
            line("unit_destroyed", 4, 3, 100.0, 1000.0),
        )
    )
    units = UnitList((UnitDef("fort", metal_cost=70.0), UnitDef("tank", metal_cost=9.0, mobile=True), UnitDef("wall")))
    died = deaths(log, WIDE)
    assert (died.total, died.off_map, died.left_out) == (2, 1, {"no_position": 1, "unattacked_but_counted": 3})
    worth = deaths_by_metal(log, WIDE, units)
    assert (worth.cell.tolist(), worth.metal.tolist(), worth.unpriced, worth.off_map) == ([7939], [70.0], 2, 1)
    built = buildings_finished(log, WIDE, units)
    assert (built.cell.tolist(), built.left_out) == ([7939], {"mobile": 1, "not_in_list": 1})


def test_bases_stay_on_the_map() -> None:
    found = bases(WIDE, [4, 2], [100, 4096], [100, 2048], [4, 4, 2, 9], [1024, 1025, 4096, 1], [0, 0, 2048, 1])
    assert found.side == 1024 and found.west.tolist() == [0, 4096 - 512] and found.north.tolist() == [0, 2048 - 512]
    assert found.order_base.tolist() == [0, -1, 1, -1]
    assert (found.inside.tolist(), found.outside.tolist(), found.no_start) == ([1, 1], [1, 0], 1)
    assert bases(WIDE, [], [], [], [1], [2], [3]).no_start == 1


def groups(*points: tuple[float, float], scale: float = 256) -> list[tuple[str, float, float, float]]:
    x, z = zip(*points, strict=True)
    return [(p.key, p.x, p.z, p.radius) for p in group_starts(x, z, scale=scale).positions]


def test_groups_of_starts() -> None:
    assert groups((1000, 1000), (1100, 1000)) == [("c4:3", 1050, 1000, 50)]
    assert [(g[1], g[3]) for g in groups((0, 0), (200, 0), (400, 0))] == [(200, 200)]
    assert [g[0] for g in groups((1000, 1000), (1040, 1010))] == ["c3:3"]
    assert [g[0] for g in groups((1000, 1000), (1040, 1010), (1010, 990))] == ["c3:3"]


def test_two_groups_in_one_square() -> None:
    # 10,10 and 200,250 are 306 elmos apart: two groups whose centres are in the same square.
    assert [g[0] for g in groups((200, 250), (10, 10))] == ["c0:0", "c0:0.2"]
    assert [g[0] for g in groups((5000, 5000), (5040, 5030), (5010, 5000))] == ["c19:19"]


def test_declared_positions() -> None:
    declared = [(0.0, 0.0), (1000.0, 0.0), (0.0, 3000.0)]
    assert declared_tolerance(declared) == 500 and declared_tolerance([(1, 1), (1, 1)]) is None
    found = group_starts([499, 501, 500, 0], [0, 0, 0, 1500], scale=128, declared=declared)
    assert [found.positions[i].key for i in found.index] == ["d1", "d2", "c3:0", "c0:11"]
    assert grouping_distance(8192, 4096) == 128


_POINTS = st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 1500)), min_size=1, max_size=40)


@given(_POINTS, st.randoms())
def test_groups_do_not_depend_on_order(points: list[tuple[int, int]], random: object) -> None:
    shuffled = points[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert groups(*points) == groups(*shuffled)


@given(_POINTS, st.tuples(st.integers(0, 1500), st.integers(0, 1500)))
def test_adding_a_start_never_splits_a_group(points: list[tuple[int, int]], more: tuple[int, int]) -> None:
    x, z = zip(*points, strict=True)
    before = group_starts(x, z, scale=256).index
    after = group_starts([*x, more[0]], [*z, more[1]], scale=256).index[:-1]
    for group in np.unique(before):
        assert len(np.unique(after[before == group])) == 1


@given(_POINTS)
def test_groups_are_what_a_naive_search_finds(points: list[tuple[int, int]]) -> None:
    x, z = (np.array(c, float) for c in zip(*points, strict=True))
    near = np.hypot(x[:, None] - x, z[:, None] - z) <= 256
    for _ in range(len(x)):
        near = (near.astype(int) @ near.astype(int)) > 0
    index = group_starts(x, z, scale=256).index
    assert ((index[:, None] == index) == near).all()


def test_names_of_positions() -> None:
    found = group_starts([1000, 5000], [1000, 5000], scale=256).positions
    names = [
        Name("c3:3", 1000, 1000, "Front"),
        Name("c18:19", 4900, 5000, "Back"),
        Name("c9:9", 2400, 2400, "Gone"),
        Name("d1", 1000, 1000, "Declared"),
    ]
    given_, lost = match_names(found, names, 256)
    assert given_ == ["Front", "Back"] and [n.name for n in lost] == ["Gone", "Declared"]


def match(winners: tuple[int, ...] | None, *starts: tuple[int, float, float], seconds: int = 600) -> Match:
    return Match((Seat(0, 0, side="Arm"), Seat(1, 1, side="Cor"), Seat(2, 1, ai=True)), winners, seconds, starts)


def test_records_of_a_map() -> None:
    matches = [
        match((0,), (0, 100, 100), (1, 3000, 3000)),
        match(None, (0, 110, 100), (2, 3000, 3000), (7, 1, 1)),
        match((1,), (0, 100, 100), (1, 3000, 3000), (2, math.nan, 1)),
        Match((Seat(None, 0),), (0,), 0, ((0, 1.0, 1.0),)),
    ]
    found = map_records(matches, scale=128, names=[Name("c0:0", 100, 100, "North")])
    first, second = found.rows
    assert (first.position.key, first.name, first.number) == ("c0:0", "North", 1)
    assert (first.total.taken, first.total.with_result, first.total.won, first.total.by_ai) == (3, 2, 1, 0)
    assert (second.total.taken, second.total.with_result, second.total.won, second.total.by_ai) == (3, 2, 1, 1)
    assert (found.no_team_ids, found.no_seat, found.no_place) == (1, 1, 1)
    assert (found.results, found.two_sided_results, found.won_by_first_side, found.won_by_second_side) == (3, 2, 1, 1)
    assert found.factions == {"Arm": (3, 2, 1), "Cor": (3, 2, 1)} and not found.split_by_team
    assert lengths([600, 1000, 1400, 4000, 0]).median == 1200 and lengths([0]).median is None


def test_a_table_of_one_arrangement_is_split_by_side() -> None:
    found = map_records([match((1,), (0, 100, 100), (1, 3000, 3000))], scale=128, declared=[(100, 100), (3000, 3000)])
    assert found.split_by_team and [(r.position.key, r.number) for r in found.rows] == [("d1", 1), ("d2", 2)]
    assert found.rows[1].team[2].won == 1 and found.rows[0].team[1].won == 0
    seats = [(0, 1), (0, 0, 1), (0, 1, 2), (0,)]
    assert [arrangement(Match(tuple(Seat(i, a) for i, a in enumerate(s)), None, 0, ())) for s in seats] == [
        "duel",
        "teams",
        "ffa",
        "other",
    ]


@pytest.mark.parametrize(
    ("name", "base", "version"),
    [
        ("Bismuth Valley v2.4.1", "Bismuth Valley", "v2.4.1"),
        ("Tabula-v6", "Tabula", "v6"),
        ("Altair_Crossing-V3", "Altair_Crossing", "V3"),
        ("AcidicQuarry 5.17", "AcidicQuarry", "5.17"),
        ("  Talus   v1.0  ", "Talus", "v1.0"),
        ("Mars 2.0 Remake v3", "Mars 2.0 Remake", "v3"),
    ],
)
def test_map_versions(name: str, base: str, version: str) -> None:
    assert split_version(name) == (base, version)


WHOLE = [
    "DSD 2",
    "Tabula 6",
    "Spring 1944",
    "Map 1.0b",
    "Map 1.0-rc1",
    "Map-v1-2",
    "Map v",
    "Map 1.",
    "v2",
    "2.6.1",
    "12 2.0",
    "Throne 8 way",
]


@pytest.mark.parametrize("name", WHOLE)
def test_names_that_stay_whole(name: str) -> None:
    assert split_version(name) == (name, "")


@given(st.text("aV v_-.01Ω", max_size=14))
def test_splitting_loses_nothing(name: str) -> None:
    base, version = split_version(name)
    assert name.strip().startswith(base) and name.strip().endswith(version)
    if version:
        assert version.lstrip("vV").replace(".", "").isdigit() and any(c in "aVv" for c in base)
        assert version[0] in "vV" or "." in version

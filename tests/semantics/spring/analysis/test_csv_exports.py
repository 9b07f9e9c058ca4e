"""CSV files: golden cases 53 and 54 of the fact sheet, and what a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.semantics.spring.analysis.aggregate import WHOLE, Picture, aggregate
from ksreplay.semantics.spring.analysis.csv_exports import (
    LAYER_COLUMNS,
    Filters,
    Line,
    Provenance,
    cell,
    layer_csv,
    line_labels,
    match_csv,
    match_csv_name,
    starts_csv,
    utc,
)
from ksreplay.semantics.spring.analysis.grids import Grid, count_layer
from ksreplay.semantics.spring.analysis.map_records import Match, Seat, map_records
from ksreplay.semantics.spring.analysis.starts import Name

START = 1791635696.0  # 2026-10-10T12:34:56Z


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=SUM(A1)", "'=SUM(A1)"),
        ('=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'),
        ("a-b=c", "a-b=c"),
        (-12.5, "-12.5"),
        (-0.0, "0"),
        (float("nan"), ""),
        (float("inf"), ""),
        (None, ""),
        ("", ""),
        (3.0, "3"),
        (np.float32(1 / 3), "0.33333334"),
        (np.float32(0.1), "0.1"),
        (1500.123456, "1500.123456"),
        (1e-5, "0.00001"),
        ("@x", "'@x"),
        ("\tx", "'\tx"),
        ("\rx", '"\'\rx"'),
        ("a,b", '"a,b"'),
        (True, "true"),
        (1e21, "1e+21"),
        (1.5e-7, "1.5e-7"),
        (123456789.0, "123456789"),
        (np.float32(1e-10), "1e-10"),
    ],
)
def test_cells(value: object, text: str) -> None:
    assert cell(value) == text  # type: ignore[arg-type]


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_numbers_read_back(value: float) -> None:
    assert np.float32(cell(np.float32(value))) == np.float32(value)
    assert float(cell(value)) == value


@given(st.lists(st.text(max_size=8), min_size=2, max_size=4))
def test_text_reads_back_but_for_the_guard(texts: list[str]) -> None:
    (row,) = csv.reader(io.StringIO(",".join(map(cell, texts)) + "\r\n", newline=""))
    assert row == ["'" + t if t.startswith(("=", "+", "-", "@", "\t", "\r")) else t for t in texts]


def test_the_match_file() -> None:
    lines = [Line("a", np.array([1500.123456])), Line("b", np.array([-3.0]))]
    text = match_csv(
        [30.5],
        lines,
        game_id="0123abcd",
        map="Tabula 2.1",
        started=START,
        metric="Some metric",
        unit="metal",
        view="players",
        values="cumulative",
    )
    head, row, end = text.split("\r\n")
    assert head == "match_time_sec,a,b,game_id,map,started_utc,metric,unit,view,values" and end == ""
    assert (
        row == "30.5,1500.123456,-3,0123abcd,Tabula 2.1,2026-10-10T12:34:56.000Z,Some metric,metal,players,cumulative"
    )
    assert match_csv_name("Tabula 2.1", START, "Some metric") == "tabula-2-1-2026-10-10-some-metric.csv"
    assert match_csv_name("Tabula 2.1", None, "") == "tabula-2-1.csv" and utc(None) == ""


def test_clashing_lines() -> None:
    none = np.zeros(0)
    lines = [
        Line("x", none, (2,)),
        Line("x", none, (1, 3)),
        Line("y", none),
        Line("z", none, (), "7"),
        Line("z", none, (), "8"),
    ]
    assert line_labels(lines) == ["x (team 2)", "x (teams 1, 3)", "y", "z [7]", "z [8]"]


def provenance() -> Provenance:
    return Provenance("Tabula", ["Tabula v1", "Tabula v2"], ["Game 1"], 4, START, filters=Filters(players="2"))


def test_the_layer_file() -> None:
    grid = Grid(800, 400)
    quarter = Grid(8192, 4096)
    assert (grid.width, grid.height) == (256, 128) and quarter.size
    layer = count_layer("orders", grid, [0, 0, 0], [300.0, 300.0, 500.0], [100.0, 100.0, 300.0])
    picture = aggregate(grid, [(layer, 1800)])
    rows = list(csv.DictReader(io.StringIO(layer_csv(picture, "orders", provenance()), newline="")))
    assert list(rows[0]) == list(LAYER_COLUMNS) and len(rows) == 2
    assert [r["events_unscaled"] for r in rows] == ["2", "1"]
    assert [r["mean_scaled_per_match"] for r in rows] == ["0.6666667", "0.33333334"]
    assert rows[0]["map_versions"] == "Tabula v1; Tabula v2" and rows[0]["grid_width_cells"] == "256"
    assert rows[0]["exported_utc"] == "2026-10-10T12:34:56.000Z" and rows[0]["matches_in_layer"] == "1"


def test_a_small_grid() -> None:
    grid = Grid(800, 400, cells_along=4)
    mean, events = np.zeros(8, np.float32), np.zeros(8, np.int64)
    mean[[1, 6]], events[[1, 6]] = (0.1, 0.25), (3, 12)
    picture = Picture(grid, "share", WHOLE, mean, events, 4, 4, 0, 0)
    lines = layer_csv(picture, "orders", provenance()).split("\r\n")
    assert lines[1].startswith("1,0,300,100,0.1,3,") and lines[2].startswith("2,1,500,300,0.25,12,")


def test_counts_of_a_position() -> None:
    seats = [(Seat(0, 0, ai=ai), Seat(1, 1)) for ai in (True, False, False, False)]
    starts = ((0, 100.5, 200.0),)
    results = [(0,), (0,), (1,), None]
    matches = [Match(s, w, 60, starts) for s, w in zip(seats, results, strict=True)]
    records = map_records(
        matches, scale=128, declared=[(100.5, 200.0), (3000.0, 3000.0)], names=[Name("d1", 0, 0, "=Front")]
    )
    row = starts_csv(records, provenance(), 8192, 4096).split("\r\n")[1]
    assert row.startswith("1,d1,declared,'=Front,100.5,200,0,4,1,3,2,")


def test_the_starts_file() -> None:
    duel = Match((Seat(0, 0), Seat(1, 1, ai=True)), (0,), 60, ((0, 100.5, 200.0), (1, 3000.0, 3000.0)))
    declared = [(100.5, 200.0), (3000.0, 3000.0)]
    records = map_records([duel], scale=128, declared=declared, names=[Name("d1", 0, 0, "=Front")])
    text = starts_csv(records, provenance(), 8192, 4096)
    head, first = text.split("\r\n")[:2]
    assert head.startswith(
        "row_number,position_key,position_kind,name,x_elmos_from_west,z_elmos_from_north,radius_elmos,"
        "taken,taken_by_ai,with_result,won,team_1_taken,team_1_with_result,team_1_won,team_2_taken,"
        "team_2_with_result,team_2_won,map,map_versions,game_versions,matches_in_picture,filter_players,"
    )
    assert first.startswith("1,d1,declared,'=Front,100.5,200,0,1,0,1,1,1,1,1,0,0,0,Tabula,")
    assert head.endswith("declared_tolerance_elmos,grouping_distance_elmos")
    mixed = map_records([duel, Match((Seat(0, 0),), None, 1, ((0, 1.0, 1.0),))], scale=128)
    assert "team_1_taken" not in starts_csv(mixed, provenance(), 8192, 4096)

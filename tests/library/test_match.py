"""One demo against a unit list, and its chart as CSV."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import ksreplay
from ksreplay.cli import main
from ksreplay.library.chart import chart_csv
from ksreplay.replays.spring_costs import priced
from ksreplay.replays.spring_derived import match_of
from ksreplay.semantics.spring.analysis.unit_list import UnitDef, UnitList

SAMPLE = str(files("ksreplay.samples").joinpath("sample.sdfz"))


def fitting(demo: ksreplay.Replay, *, spoiled: bool = False) -> UnitList:
    """A list that a demo's orders fit: what is placed stands, what is queued moves; or the other way round."""
    builds = match_of(demo).builds
    placed = set(builds.unit_def[builds.placed].tolist())
    most = int(builds.unit_def.max())
    return UnitList(
        tuple(
            UnitDef(f"u{i}", metal_cost=2.0, armed=True, mobile=(i not in placed) != spoiled)
            for i in range(1, most + 1)
        )
    )


def test_costs_by_kind() -> None:
    with ksreplay.open(SAMPLE) as demo:
        builds = match_of(demo).builds
        asked = ~builds.removal
        assert asked.any()
        found = priced(demo, fitting(demo))
        assert found.fits and found.orders == asked.sum()
        assert found.cost["units"].sum() == builds.count[asked].sum() == demo.tables["units_ordered"]["units"].sum()
        assert found.cost["metal"].sum() == 2 * builds.count[asked].sum() and found.cost["unpriced"].sum() == 0
        wrong = priced(demo, fitting(demo, spoiled=True))
        assert wrong.misfits == asked.sum() and not wrong.fits
        short = priced(demo, UnitList(()), engine_list=True)
        assert short.misfits is None and short.cost["unpriced"].sum() == builds.count[asked].sum()
        early = priced(demo, fitting(demo), minutes=0.0)
        assert early.cost["units"].sum() == builds.count[asked & (builds.frame <= 0)].sum()


@pytest.mark.parametrize("view", ["players", "teams"])
@pytest.mark.parametrize("values", ["cumulative", "per minute"])
def test_the_chart(view: str, values: str) -> None:
    with ksreplay.open(SAMPLE) as demo:
        rows = list(csv.DictReader(io.StringIO(chart_csv(demo, "metalProduced", view=view, values=values), newline="")))  # type: ignore[arg-type]
        statistics = demo.tables["team_statistics"]
        lines = [name for name in rows[0] if name not in ("match_time_sec", "game_id", "map", "started_utc", "metric",
                                                           "unit", "view", "values")]  # fmt: skip
        assert rows[0]["metric"] == "Metal produced" and rows[0]["view"] == view and rows[0]["values"] == values
        if values == "cumulative":
            total = sum(float(rows[-1][name]) for name in lines if rows[-1][name])
            last = statistics.filter(statistics["frame"] == statistics["frame"].max())["metal_produced"]
            assert total == pytest.approx(float(np.sum(last)))
        if view == "players" and values == "per minute":
            assert rows[0][lines[0]] == rows[1][lines[0]]  # the first point takes the second's rate


def test_a_demo_without_samples_is_its_first_line(corpus: Path) -> None:
    with ksreplay.open(corpus / "spring" / "gex-2025.06.19-no-teams.sdfz") as demo:
        assert chart_csv(demo, "damageDealt") == "match_time_sec,game_id,map,started_utc,metric,unit,view,values\r\n"


def test_the_verb(tmp_path: Path) -> None:
    def run(*words: str, code: int = 0) -> str:
        result = CliRunner().invoke(main, ["library", "match", SAMPLE, *words])
        assert result.exit_code == code, result.output
        return result.output

    document = json.loads(run("--json", "--chart-csv", str(tmp_path / "c.csv"), "--view", "teams"))
    assert document["metrics"] and "ordered" not in document and (tmp_path / "c.csv").stat().st_size > 100
    with ksreplay.open(SAMPLE) as demo:
        units = fitting(demo).units
    log = [{"kind": "header", "format": 1, "unitDefs": len(units)}]
    log += [{"kind": "unit_def", "id": i, **unit.to_json()} for i, unit in enumerate(units, 1)]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in log))
    ordered = json.loads(run("--json", "--unit-log", str(tmp_path / "log.jsonl")))["ordered"]
    assert ordered["misfits"] is None and ordered["unit_list"] == "engine" and ordered["rows"]
    assert "orders, not purchases" in run("--unit-log", str(tmp_path / "log.jsonl"))
    (tmp_path / "list.json").write_text(json.dumps([unit.to_json() for unit in units]))
    ordered = json.loads(run("--json", "--unit-list", str(tmp_path / "list.json")))["ordered"]
    assert ordered["misfits"] == 0 and ordered["unit_list"] == "given"
    (tmp_path / "list.json").write_text("[3]")
    run("--unit-list", str(tmp_path / "list.json"), code=1)
    run("--metric", "nothing", code=2)


def test_what_is_on_the_map(tmp_path: Path) -> None:
    words = ["library", "match", SAMPLE, "--size", "4096x4096", "--cells-csv", str(tmp_path / "cells.csv"), "--json"]
    found = json.loads(CliRunner().invoke(main, words).output)["map"]
    rows = list(csv.DictReader((tmp_path / "cells.csv").open(newline="")))
    for layer, facts in found["layers"].items():
        assert sum(int(row["count"]) for row in rows if row["layer"] == layer) == facts["events"]
    assert all((row["unit_def"] != "") == (row["layer"] == "buildings") for row in rows) and rows
    with ksreplay.open(SAMPLE) as demo:
        builds = match_of(demo).builds
        placed = int((builds.placed & ~builds.removal).sum())
    bases = found["bases"]
    assert sum(row["inside"] + row["outside"] for row in bases["rows"]) + bases["no_start"] == placed
    assert bases["side"] == 1024
    assert CliRunner().invoke(main, ["library", "match", SAMPLE, "--cells-csv", "x.csv"]).exit_code == 2

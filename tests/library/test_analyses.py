"""Analyses and unit lists of real demos: kept, found again, and used to name a player's units."""

from __future__ import annotations

import gzip
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import ksreplay
from ksreplay import events
from ksreplay.cli import main
from ksreplay.library.analyses import Analyses
from ksreplay.library.index import Index
from ksreplay.library.naming import Naming
from ksreplay.library.queries import Filter, dossier, select
from ksreplay.library.read import read_demo
from ksreplay.library.unit_store import UnitStore
from ksreplay.replays.spring_derived import match_of, recorded
from ksreplay.semantics.spring.analysis.metrics import METRICS

SAMPLE = files("ksreplay.samples").joinpath("sample.sdfz")


def run_log(demo: ksreplay.Replay) -> list[dict[str, Any]]:
    """The log of a run that reproduces a demo: lines for every unit its trailer counts, and its totals."""
    record = recorded(demo)
    match = match_of(demo)
    size = int(match.builds.unit_def.max(initial=1)) + 2
    placed = set(match.builds.unit_def[match.builds.placed].tolist())
    lines: list[dict[str, Any]] = [
        {"kind": "header", "format": 1, "game": "Sample Game", "gameVersion": "1.0", "map": "M", "engine": "2025.06.12",
         "mapSizeX": 4096, "mapSizeZ": 4096, "positionFrames": 60, "unitDefs": size, "damageFrames": 450,
         "gridWidth": 256, "gridHeight": 256}]  # fmt: skip
    lines += [{"kind": "unit_def", "id": i, "name": f"unit{i}", "metalCost": 10 * i, "energyCost": 1,
               **({} if i in placed else {"mobile": True, "armed": True})} for i in range(1, size + 1)]  # fmt: skip
    unit = 0
    teams = []
    for number, team in enumerate(record.teams):
        made, died = int(team.totals["unitsProduced"]), int(team.totals["unitsDied"])
        for i in range(max(made, died)):
            unit += 1
            at = {"unit": unit, "def": 1 + i % size, "team": number, "x": 5, "y": 0, "z": 5}
            lines += [{"kind": k, "frame": 30, **at} for k in ("unit_created", "unit_finished")[: 2 if i < made else 0]]
            lines += [{"kind": "unit_destroyed", "frame": 60, **at}] if i < died else []
        giver = (number + 1) % len(record.teams)
        for key, more in (("unitsReceived", {}), ("unitsCaptured", {"captured": True})):
            gift = {"kind": "unit_given", "frame": 70, "unit": 1, "def": 1, "team": number, "from": giver}
            lines += [gift | {"x": 1, "y": 0, "z": 1} | more] * int(team.totals[key])
        totals = {
            m.key: int(team.totals[m.key]) if m.integer else float(np.float32(team.totals[m.key])) for m in METRICS
        }
        teams.append({"team": number, "samples": team.samples, "frame": 900, **totals})
    lines.append(
        {"kind": "game_over", "frame": record.seconds * 30 + 5, "winners": list(record.winners), "teams": teams}
    )
    return lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = bytearray(gzip.decompress(SAMPLE.read_bytes()))
    data[312:316] = (600).to_bytes(4, "little")
    (tmp_path / "a.sdfz").write_bytes(gzip.compress(data))
    with ksreplay.open(tmp_path / "a.sdfz") as demo:
        text = b"".join(json.dumps(line).encode() + b"\n" for line in run_log(demo))
    (tmp_path / "log.jsonl").write_bytes(text)
    with Index(tmp_path, create=True) as index:
        index.update(read_demo)
    return tmp_path


def test_a_log_that_reproduces_is_kept(folder: Path) -> None:
    with ksreplay.open(folder / "a.sdfz") as demo:
        log = events.open(folder / "log.jsonl")
        assert log.check(demo) == []
        path = Analyses(folder / "kept").keep(log, demo, [])
        game = match_of(demo).header.game_id.hex()
    assert path.name == f"{game}.jsonl.gz"
    found = Analyses(folder / "kept").find(game)
    assert found is not None and found.stored is not None and found.stored.state == "current"
    assert found.counts["unitDef"] == 0 and len(found.events) == len(log.events) - log.counts["unitDef"]
    assert found.events.line(1) == log.events.line(1 + log.counts["unitDef"])
    assert found.stored.provenance["gameDiffers"] is False and Analyses(folder).find("0" * 31 + "1") is None


def test_a_log_that_diverges_keeps_its_figures_and_no_events(folder: Path) -> None:
    text = (folder / "log.jsonl").read_bytes()
    kept = Analyses(folder / "kept")
    with ksreplay.open(folder / "a.sdfz") as demo:
        for engine, frame in (("2025.06.12", 3), ("2025.06.99", 6), ("2025.06.99", 9)):
            lines = [json.loads(line) for line in text.splitlines()]
            lines[0]["engine"], lines[-1]["frame"] = engine, frame
            log = events.open(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
            path = kept.keep(log, demo, log.check(demo))
        stored = events.open(path)
    assert stored.stored is not None and stored.stored.state == "diverged" and len(stored.events) == 0
    attempts = stored.stored.provenance["attempts"]
    assert [a["engine"] for a in attempts] == ["2025.06.12", "2025.06.99"]
    assert [d["figure"] for d in attempts[0]["disagreements"]] == ["gameSeconds"]
    assert kept.find(stored.stored.provenance["gameId"]) is None


def test_the_dossier_with_the_engines_list_and_events(folder: Path) -> None:
    words = ["library", "events", str(folder / "log.jsonl"), "--demo", str(folder / "a.sdfz"), "--json", "-q"]
    words += ["--store", str(folder / "kept"), "--keep-list", str(folder / "lists")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["outcome"] == "reproduced"
    with Index(folder) as index:
        found = select(index.db)
        naming = Naming(index.db, UnitStore(folder / "lists"), Analyses(folder / "kept"))
        player = next(s["name"] for s in found.matches[0].seats if not s["spectator"] and not s["ai"])
        mine = dossier(index.db, player, select(index.db, Filter(player=player)).matches, naming)
    assert mine.sources == {"engine": 1} and mine.units.analysed == 1 and mine.units.counted == 1
    if mine.units.rows:
        assert all(row.metal == 10 * int(row.key[4:]) * row.units for row in mine.units.rows)
        assert sum(row.finished for row in mine.units.rows) > 0
        assert sum(mine.units.metal_by_bucket.values()) == sum(row.metal for row in mine.units.rows)


def test_deaths_on_a_map(folder: Path) -> None:
    with ksreplay.open(folder / "a.sdfz") as demo:
        Analyses(folder / "kept").keep(events.open(folder / "log.jsonl"), demo, [])
    words = ["library", "map", str(folder), "Sample Flats 1.0", "--size", "4096x4096", "--layer", "deaths", "--json"]
    words += ["--analyses", str(folder / "kept")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    layer = json.loads(result.output)["layer"]
    (folder / "set.txt").write_text("b.sdfz\n")
    for more, n in ((["--analysed"], 1), (["--replays", str(folder / "set.txt")], 0)):
        page = json.loads(CliRunner().invoke(main, [*words, *more]).output)
        assert page["matches"] == n and (n or page["left_out"] == {"not in the set of replays": 1})
    assert CliRunner().invoke(main, [*words[:-2], "--analysed"]).exit_code == 2
    with ksreplay.open(folder / "a.sdfz") as demo:
        died = sum(int(team.totals["unitsDied"]) for team in recorded(demo).teams)
    assert layer["source"] == "event log" and layer["events"] == died and layer["matches_in_layer"] == 1


def test_a_run_under_the_analysis_game_names_no_orders(folder: Path) -> None:
    text = (folder / "log.jsonl").read_bytes().replace(b'"game": "Sample Game"', b'"game": "Coilbox replay analysis"')
    (folder / "log.jsonl").write_bytes(text)
    words = ["library", "events", str(folder / "log.jsonl"), "--demo", str(folder / "a.sdfz")]
    words += ["--keep-list", str(folder / "lists")]
    game = "00112233445566778899aabbccddeeff"
    store = UnitStore(folder / "lists")
    for more, usable in (([], False), (["--other-game"], False), (["--same-game"], True)):
        assert CliRunner().invoke(main, [*words, *more]).exit_code == 0
        assert (store.list_for(game) is not None) is usable and store.list_for(game, "events") is not None

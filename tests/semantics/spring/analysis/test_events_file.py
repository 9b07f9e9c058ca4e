"""Event logs as files: `ksreplay.events.open`, its tables, gzip, damage."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import ksreplay.events as events
from ksreplay.errors import ReplayError, UnknownFormat
from ksreplay.limits import Limits

LOG = b"".join(
    json.dumps(o).encode() + b"\n"
    for o in (
        {"kind": "header", "format": 1, "game": "G", "map": "M", "mapSizeX": 8192, "mapSizeZ": 4096, "unitDefs": 2,
         "gridWidth": 256, "gridHeight": 128, "damageFrames": 450},
        {"kind": "unit_def", "id": 1, "name": "mex", "metalCost": 50, "energyCost": 500, "extractsMetal": 1},
        {"kind": "unit_def", "id": 2, "name": "tank", "metalCost": 100, "energyCost": 1, "mobile": True, "armed": True},
        {"kind": "unit_created", "frame": 0, "unit": 7, "def": 2, "team": 0, "x": 1, "y": 0, "z": 2, "startUnit": True},
        {"kind": "unit_finished", "frame": 0, "unit": 7, "def": 2, "team": 0, "x": 1, "y": 0, "z": 2},
        {"kind": "damage", "frame": 0, "target": 1, "at": [3, 2.5], "off": 1},
        {"kind": "later_kind", "a": 1},
        {"kind": "unit_destroyed", "frame": 500, "unit": 7, "def": 2, "team": 0, "x": 9000, "y": 0, "z": 2},
        {"kind": "game_over", "frame": 900, "winners": [1], "teams": [{"team": 0, "samples": 0}]},
    )
)  # fmt: skip


def test_a_log_in_tables() -> None:
    with events.open(LOG) as log:
        assert log.counts["unknown"] == 1 and not log.malformed and not log.problems
        for name in log.tables:
            table = log.tables[name]
            assert table.schema.name == name and table.schema.meaning
            assert all(column.meaning for column in table.schema)
        living = list(log.tables["living_value"].rows())
        assert [(r["second"], r["units"], r["metal"]) for r in living] == [
            (0.0, 1, 100.0),
            (15.0, 1, 100.0),
            (30.0, 0, 0.0),
        ]
        assert next(log.tables["unit_created"].rows())["builder"] is None
        assert b"".join(t.encode() + b"\n" for t in log.tables["lines"]["text"]) == LOG
        left = {(r["table"], r["reason"]): r["count"] for r in log.tables["left_out"].rows()}
        assert left["death_cells", "off map"] == 1 and left["damage_cells", "damage off the map"] == 1
        assert [r["name"] for r in log.tables["finished_and_died"].rows()] == ["tank"]
        assert json.dumps(log.info(), allow_nan=False)


def test_corpus_logs_in_tables(corpus: Path) -> None:
    for path in sorted((corpus / "spring-eventlog").glob("*.jsonl")):
        with events.open(path) as log:
            rows = {name: len(log.tables[name]) for name in log.tables}
            assert rows["lines"] == len(log.events) == sum(log.counts.values())
            assert not log.problems and log.info()["complete"] == (path.name != "unit_defs.jsonl")
            assert sum(rows[k] for k in ("unit_created", "unit_given", "damage", "unit_def")) == sum(
                log.counts[k] for k in ("unitCreated", "unitGiven", "damage", "unitDef"))  # fmt: skip


def test_gzip_and_stored_analyses() -> None:
    head = {"kind": "analysis", "storeFormat": 1, "outcome": "reproduced", "loggerFormat": 1, "loggerVersion": 4}
    data = gzip.compress(json.dumps(head).encode() + b"\n" + LOG)
    with events.open(data) as log:
        assert log.stored is not None and log.stored.state == "current" and log.counts["gameOver"] == 1
    with events.open(data[:-60]) as log:
        assert log.problems[0].code == "gzip-truncated" and log.counts["header"] == 1
    with pytest.raises(ReplayError):
        events.open(data[:-60], strict=True)


def test_what_is_no_log() -> None:
    for junk in (b"hello\n", b"spring demofile\0" * 40, b"[1]\n", gzip.compress(b"x")):
        with pytest.raises(UnknownFormat):
            events.open(junk)
    assert events.open(b"").counts["header"] == 0
    assert events.open(LOG[:20]).truncated
    with pytest.raises(ReplayError) as caught:
        events.open(gzip.compress(b"\n" * 3_000_000), limits=Limits(ratio_floor=1000))
    assert caught.value.code == "inflated-bytes"


@pytest.mark.parametrize("size", ["1e308", "1e-320", "-1", "0", "null", "1048577"])
def test_maps_that_cannot_be(size: str) -> None:
    text = LOG.replace(b'"mapSizeX": 8192', b'"mapSizeX": ' + size.encode())
    with events.open(text) as log:
        assert len(log.tables["death_cells"]) == 0
        assert json.dumps(log.info(), allow_nan=False)

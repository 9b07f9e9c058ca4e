"""Event logs: golden cases 1-10 of the fact sheet, and what must hold for any bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.semantics.spring.analysis.damage import by_cell, cell_rows, damage_layer
from ksreplay.semantics.spring.analysis.event_kinds import KINDS
from ksreplay.semantics.spring.analysis.event_log import EventLog, read_log
from ksreplay.semantics.spring.analysis.start_units import tracks
from ksreplay.semantics.spring.analysis.stored_analysis import game_id, read_stored, same_engine

GAME = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"


@pytest.fixture(scope="session")
def logs(corpus: Path) -> Path:
    return corpus / "spring-eventlog"


def lines(*objects: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(o, separators=(",", ":")).encode() + b"\n" for o in objects)


def unit(kind: str, frame: int, unit: int, definition: int, team: int, **more: Any) -> dict[str, Any]:
    return {
        "kind": kind,
        "frame": frame,
        "unit": unit,
        "def": definition,
        "team": team,
        "x": more.pop("x", 10.0),
        "y": 5.0,
        "z": more.pop("z", 20.0),
        **more,
    }


def test_counts_of_a_whole_match(logs: Path) -> None:
    log = read_log((logs / "match.jsonl").read_bytes())
    expected = {
        "header": 1,
        "gameStart": 1,
        "unitCreated": 7,
        "unitFinished": 6,
        "unitDestroyed": 4,
        "unitGiven": 2,
        "startUnitPosition": 2,
        "gameOver": 1,
    }
    assert {key: n for key, n in log.counts.items() if n} == expected
    assert (log.malformed, log.truncated, len(log)) == (0, False, 24)
    assert log.logger_version == 4 and log.line_format == 1


def test_values_of_a_whole_match(logs: Path) -> None:
    log = read_log((logs / "match.jsonl").read_bytes())
    row = {key: column[1] for key, column in log.columns["unit_destroyed"].items()}
    assert row == {
        "frame": 900,
        "unit": 5,
        "def": 50,
        "team": 1,
        "x": 2000.0,
        "y": 7.5,
        "z": 1000.0,
        "startUnit": False,
        "attacker": 3,
        "attackerDef": 40,
        "attackerTeam": 0,
        "weapon": 7,
    }
    assert log.columns["unit_destroyed"]["attacker"][0] is None
    created = log.columns["unit_created"]
    flagged = [
        (u, t) for u, t, start in zip(created["unit"], created["team"], created["startUnit"], strict=True) if start
    ]
    assert flagged == [(1, 0), (2, 1)]
    given_ = log.columns["unit_given"]
    assert list(zip(given_["team"], given_["from"], given_["captured"], strict=True)) == [(1, 0, False), (0, 1, True)]
    assert np.float32(log.game_over["teams"][0]["metalUsed"]) == np.float32(1234.5677)  # type: ignore[index]


def test_every_line_is_kept_byte_for_byte(logs: Path) -> None:
    for path in sorted(logs.glob("*.jsonl")):
        data = path.read_bytes()
        log = read_log(data)
        assert b"".join(log.line(i) + b"\n" for i in range(len(log))) == data


def test_a_cut_last_line_is_truncated_and_not_malformed(logs: Path) -> None:
    data = (logs / "match.jsonl").read_bytes()
    log = read_log(data[: data.rindex(b'"kind":"game_over"') + 40])
    assert log.truncated and log.malformed == 0
    assert log.counts["unitDestroyed"] == 4 and log.game_over is None


def test_malformed_lines_are_counted() -> None:
    log = read_log(b'{"kind":"header","format":1}\nnot json\n{"no":"kind"}\n')
    assert (log.malformed, log.counts["header"], log.truncated) == (2, 1, False)
    assert log.malformed_lines == [(29, 2), (38, 3)]
    empty = read_log(b"")
    assert not empty.truncated and set(empty.counts.values()) == {0}


def test_unknown_kinds_and_fields_survive() -> None:
    data = lines(
        {"kind": "header", "format": 1},
        {"kind": "unit_damaged", "odd": [1, {"a": 2}]},
        unit("unit_created", 1, 2, 3, 4, news="yes"),
    )
    log = read_log(data)
    assert (log.counts["unknown"], log.counts["unitCreated"], log.malformed) == (1, 1, 0)
    assert log.line(1) == data.splitlines()[1]


@pytest.mark.parametrize(
    "text",
    [
        b'{"kind":"unit_created","frame":1.0,"unit":1,"def":1,"team":0,"x":0,"y":0,"z":0}',  # a frame is an integer
        b'{"kind":"unit_created","frame":true,"unit":1,"def":1,"team":0,"x":0,"y":0,"z":0}',
        b'{"kind":"unit_created","frame":99999999999,"unit":1,"def":1,"team":0,"x":0,"y":0,"z":0}',
        b'{"kind":"unit_created","unit":1,"def":1,"team":0,"x":0,"y":0,"z":0}',
        b'{"kind":"start_unit_position","frame":1,"unit":1,"team":0,"x":"1","z":0}',
        b'{"kind":"damage","team":0,"at":[1,2]}',
        b'{"kind":"unit_def","id":1}',
        b'{"kind":"game_over","winners":3}',
        b'{"kind":"header","x":NaN}',
        b'{"kind":"he\xff"}',
        b'{"kind":"\\ud800"}',
        b"[" * 100_000,
        b'{"kind":"header","n":' + b"9" * 5000 + b"}",
        b"[1]",
        b'{"kind":7}',
    ],
)
def test_what_is_malformed(text: bytes) -> None:
    log = read_log(text + b"\n")
    assert log.malformed == 1 and len(log) == 0
    assert all(not column for columns in log.columns.values() for column in columns.values())


def test_blank_lines_and_carriage_returns() -> None:
    log = read_log(b'\r\n  \n{"kind":"game_start","frame":3}\r\n\n   ')
    assert log.line(0) == b'{"kind":"game_start","frame":3}'
    assert not log.truncated and log.malformed == 0


def test_unit_lists_are_whole_or_not_there(logs: Path) -> None:
    data = (logs / "unit_defs.jsonl").read_bytes()
    found = read_log(data).unit_list
    assert found is not None and len(found) == 4
    first = found.units[0]
    assert (first.name, first.metal_cost, first.energy_cost) == ("tgcom", 2500, 25000.5)
    assert first.mobile and first.builder and first.builds and first.armed
    assert first.numbers == {"metalMake": 1.5, "energyMake": 25, "metalStorage": 500, "radarDistance": 700}
    assert found.units[1].numbers["extractsMetal"] == 0.001
    assert found.units[2].human_name is None
    assert (found.units[3].name, found.units[3].metal_cost, found.units[3].numbers["transportCapacity"]) == (
        'tg"odd',
        0,
        8,
    )
    text = data.splitlines(keepends=True)
    for drop in range(5):
        assert read_log(b"".join(text[:drop] + text[drop + 1 :])).unit_list is None
    swapped = [text[0], text[2], text[1], *text[3:]]
    assert read_log(b"".join(swapped)).unit_list is None
    assert read_log((logs / "match.jsonl").read_bytes()).unit_list is None


def test_damage_of_an_upgrade_match(logs: Path) -> None:
    log = read_log((logs / "upgrade.jsonl").read_bytes())
    whole = damage_layer(log)
    assert (whole.width, whole.height, whole.lines) == (256, 128, 4)
    assert dict(zip(*(a.tolist() for a in by_cell(whole.landed)), strict=True)) == {11064: 5.5, 28915: 100.0}
    assert dict(zip(*(a.tolist() for a in by_cell(whole.origin)), strict=True)) == {11064: 96.0, 28915: 5.5}
    assert (whole.landed.amount.sum(), whole.origin.amount.sum()) == (105.5, 101.5)
    assert (whole.unattacked, whole.own, whole.off_map, whole.skipped) == (4.0, 0.0, 0.0, 0)
    assert [damage_layer(log, a, b).lines for a, b in ((0, 449), (450, 900), (451, 900))] == [2, 2, 0]


def test_odd_damage_cells() -> None:
    cells = np.empty(1, object)
    cells[0] = [-1.0, 5.0, 32768.0, 5.0, 1.5, 5.0, 3.0, -2.0, 4.0, 9.0]
    rows, skipped = cell_rows(cells, 256 * 128)
    assert rows.amount.tolist() == [9.0] and rows.cell.tolist() == [4] and skipped == 4
    log = read_log(
        lines(
            {"kind": "damage", "frame": 0, "target": 1, "at": [1, 2, 3]},
            {"kind": "damage", "frame": 0, "target": 1, "at": "no", "origin": [1, None]},
            {"kind": "damage", "frame": 0},
            {"kind": "damage", "target": 0},
        )
    )
    assert log.columns["damage"]["at"] == [[], []] and log.columns["damage"]["origin"] == [[], []]
    assert log.malformed == 2


def _commander(*, create_first: bool | None) -> EventLog:
    path = [unit("unit_created", 0, 13532, 1, 0, x=600.0, z=7300.0, startUnit=True)]
    path += [
        {"kind": "start_unit_position", "frame": f, "unit": 13532, "team": 0, "x": 600.0 + f, "z": 7300.0}
        for f in (60, 120, 660)
    ]
    death = unit("unit_destroyed", 2559, 13532, 1, 0, x=1300.0, z=7300.0, weapon=-21, startUnit=True)
    if create_first is None:
        return read_log(lines(*path, death))
    swap = {
        "kind": "start_unit_replaced",
        "frame": 2559,
        "unit": 13532,
        "by": 4001,
        "team": 0,
        "x": 1300.0,
        "z": 7300.0,
    }
    born = unit("unit_created", 2559, 4001, 2, 0, x=1300.0, z=7300.0, startUnit=not create_first)
    middle = [born, swap, death] if create_first else [death, born, swap]
    end = unit(
        "unit_destroyed",
        5000,
        4001,
        2,
        0,
        x=2000.0,
        z=100.0,
        startUnit=True,
        attacker=9,
        attackerDef=3,
        attackerTeam=1,
        weapon=7,
    )
    return read_log(lines(*path, *middle, end))


def test_a_starting_unit_taken_away() -> None:
    (track,) = tracks(_commander(create_first=None))
    assert track.frames == [0, 60, 120, 660, 2559] and (track.end, track.end_frame) == ("removed", 2559)
    assert [p[0] for p in track.window(300, 700)] == [120, 660]
    assert track.window(3000, 4000) == []


@pytest.mark.parametrize("create_first", [True, False])
def test_a_starting_unit_upgraded(create_first: bool) -> None:
    (track,) = tracks(_commander(create_first=create_first))
    assert track.units == [13532, 4001] and track.upgrades == [2559]
    assert (track.end, track.end_frame, track.by_team) == ("destroyed", 5000, 1)


def test_stored_analyses(logs: Path) -> None:
    log = (logs / "match.jsonl").read_bytes()
    head = {
        "kind": "analysis",
        "storeFormat": 1,
        "outcome": "reproduced",
        "gameId": GAME,
        "loggerFormat": 1,
        "loggerVersion": 4,
        "engine": "e",
        "game": "g",
        "map": "m",
        "analysedAtMs": 1,
        "counts": {},
    }
    stored = read_stored(lines(head) + log)
    assert stored is not None and stored.state == "current" and len(stored.log) == 24
    assert stored.log.line(0) == log.splitlines()[0]
    states = [("loggerVersion", 3, "outdated"), ("storeFormat", 2, "outdated"), ("outcome", "diverged", "diverged")]
    for key, value, state in states:
        changed = read_stored(lines(head | {key: value}))
        assert changed is not None and changed.state == state
    assert read_stored(log) is None and read_stored(b"") is None and read_stored(b"junk\n" + log) is None


def test_game_ids() -> None:
    assert game_id(GAME.upper()) == GAME
    assert [game_id(bad) for bad in ("", "abc", "0" * 32, "1" * 33, "g" * 32)] == [None] * 5


def test_same_engine() -> None:
    assert same_engine("2026.01.0 test", "2026.01") and same_engine("105.1.1-2590-gb94 BAR105", "105.1.1-2590-gffff")
    assert not same_engine("105.1.1-2590-gb9", "105.1.1-2591-gb9") and not same_engine("spring", "recoil")


_ODD = st.sampled_from(
    [None, True, -1, 0, 7, 2**31, 2**70, 1.5, float("nan"), "", "x", [], [1, 2], [1, 2, 3], [None, 1], {}, [{}]]
)


@st.composite
def _line(draw: st.DrawFn) -> bytes:
    """A line of some kind with sound values but for a few keys, or junk."""
    kind = draw(st.sampled_from(KINDS))
    sound: dict[str, Any] = {
        "int": 1,
        "float": 2.5,
        "bool": True,
        "string": "s",
        "cells": [3, 1.5],
        "ints": [0],
        "teams": [],
    }
    found = {"kind": kind.name} | {f.key: sound[f.type] for f in kind.fields}
    for f in draw(st.lists(st.sampled_from(kind.fields), max_size=2)):
        if draw(st.booleans()):
            found[f.key] = draw(_ODD)
        else:
            found.pop(f.key, None)
    return json.dumps(found).encode() if draw(st.integers(0, 9)) else draw(st.binary(max_size=20))


@given(st.lists(_line(), max_size=6), st.binary(max_size=5))
def test_any_lines_are_read_or_counted(texts: list[bytes], junk: bytes) -> None:
    text = b"".join(t + b"\n" for t in texts)
    log = read_log(text + junk)
    whole = [part for part in (text + junk).split(b"\n")[:-1] if part.rstrip(b"\r").strip()]
    assert len(log) + log.malformed == len(whole)
    assert sum(log.counts.values()) == len(log)
    for kind in KINDS:
        for f in kind.fields:
            assert len(log.array(kind.name, f.key)) == log.counts[kind.count_key]
    damage_layer(log), tracks(log)


def test_starting_units_by_the_thousand_take_no_longer_each() -> None:
    born = [unit("unit_created", 0, n, 1, 0, startUnit=True) for n in range(3000)]
    gone = [unit("unit_destroyed", 5, n, 1, 0, weapon=-21) for n in range(3000)]
    swaps = [{"kind": "start_unit_replaced", "frame": 6, "unit": n, "by": n + 9000, "team": 0} for n in range(3000)]
    found = tracks(read_log(lines(*born, *gone, *swaps)))
    assert len(found) == 3000 and all(track.end == "alive" and track.upgrades == [6] for track in found)

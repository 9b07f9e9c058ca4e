"""Kept unit lists: the store, its links, which list names the ids."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ksreplay.errors import Problems, ReplayError
from ksreplay.library.unit_store import Link, UnitStore, choose
from ksreplay.limits import Limits
from ksreplay.semantics.spring.analysis.match_setup import match_setup
from ksreplay.semantics.spring.analysis.unit_list import UnitDef
from ksreplay.semantics.spring.analysis.unit_refusals import numbered, refused
from ksreplay.semantics.spring.script import parse, seats

GAME = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
A, B, C = ([UnitDef(name, metal_cost=1.0)] for name in "abc")


def test_lists_are_kept_once_and_read_back(tmp_path: Path) -> None:
    store = UnitStore(tmp_path / "sets")
    digest = store.keep(A)
    written = store._path(digest).stat().st_mtime_ns
    assert store.keep(A) == digest and store._path(digest).stat().st_mtime_ns == written
    found = store.read(digest)
    assert found is not None and list(found.units) == A
    assert store.read(store.keep(B)) != found and store.read("sha256:" + "0" * 64) is None


def test_a_file_that_does_not_hold_what_its_name_says(tmp_path: Path) -> None:
    store = UnitStore(tmp_path)
    a, b = store.keep(A), store.keep(B)
    store._path(a).write_bytes(store._path(b).read_bytes())
    assert store.read(a) is None
    for junk in (b"not gzip", gzip.compress(b"[" * 9999), gzip.compress(b'{"format":1,"units":[3]}'), b""):
        store._path(a).write_bytes(junk)
        assert store.read(a) is None
    assert store.keep(A) == a and store.read(a) is not None


def test_the_order_of_trust(tmp_path: Path) -> None:
    store = UnitStore(tmp_path)
    a, b, c = store.keep(A), store.keep(B), store.keep(C)
    store.link(GAME, Link(a, "folder"))
    store.link(GAME, Link(b, "archive"))
    store.link(GAME, Link(c, "engine", game_differs=True))
    assert [k.origin for k in choose(store.links(GAME))] == ["archive", "folder"]
    assert [k.origin for k in choose(store.links(GAME), "events")] == ["engine", "archive", "folder"]
    store.link(GAME.upper(), Link(a, "engine", game_differs=False))
    first = store.list_for(GAME)
    assert first is not None and first[0].origin == "engine" and first[0].digest == a
    store._path(a).unlink()
    second = store.list_for(GAME)
    assert second is not None and second[0].digest == b


def test_first_of_an_origin_stays_but_the_engines_last(tmp_path: Path) -> None:
    store = UnitStore(tmp_path)
    a, b = store.keep(A), store.keep(B)
    for origin, kept in (("folder", a), ("archive", a), ("engine", b)):
        store.link(GAME, Link(a, origin))  # type: ignore[arg-type]
        store.link(GAME, Link(b, origin))  # type: ignore[arg-type]
        assert [k.digest for k in store.links(GAME) if k.origin == origin] == [kept]


def test_bad_ids_touch_no_file(tmp_path: Path) -> None:
    store = UnitStore(tmp_path)
    for bad in ("sha256:../outside", "x", "sha256:" + "G" * 64):
        with pytest.raises(ReplayError):
            store.read(bad)
    with pytest.raises(ReplayError):
        store.links("../x")
    with pytest.raises(ReplayError):
        store.keep([])
    (tmp_path / "links.json").write_bytes(b'{"format":2,"links":{}}')
    assert store.links(GAME) == []
    (tmp_path / "links.json").write_bytes(
        b'{"format":1,"links":{"%s":[1,{"origin":"engine","digest":"x"}]}}' % GAME.encode()
    )
    assert store.links(GAME) == []


@pytest.mark.parametrize(
    ("definition", "why"),
    [
        ({}, None),
        ({"maxDamage": 0}, "health"),
        ({"health": 1, "maxDamage": 0}, None),
        ({"health": "text"}, "health"),
        ({"health": []}, None),
        ({"metalCost": -1}, "metal cost"),
        ({"buildCostEnergy": -1}, "energy cost"),
        ({"buildtime": 0}, "build time"),
        ({"speed": -1}, "speed"),
        ({"maxVelocity": -1}, None),
        ({"rspeed": -2}, "reverse speed"),
        ({"acceleration": -1}, "acceleration"),
        ({"brakeRate": -1}, "brake rate"),
        ({"Health": 0, "health": 5}, None),
        ({"canmove": True, "speed": 3, "movementclass": "BOAT"}, None),
        ({"canmove": True, "speed": 3}, "movement class"),
        ({"canmove": True, "speed": 3, "canfly": True}, None),
        ({"canmove": True, "maxvelocity": 1, "movementclass": "x"}, "movement class"),
    ],
)
def test_what_the_engine_refuses(definition: dict[str, object], why: str | None) -> None:
    assert refused(definition, ["boat"]) == why


def test_ids_after_refusals() -> None:
    assert numbered({"b": {}, "a": {"health": 0}, "c": {"speed": -1}, "d": {}}, []) == ["b", "d"]


SCRIPT = """[game]{ mapname=m;
[team7]{teamleader=3; allyteam=1; side=ARM; skin=x;} [team2]{teamleader=9; allyteam=3; handicap=50;}
[team4]{teamleader=8; allyteam=9;}
[player9]{team=7;} [player3]{team=2;} [player5]{team=2; spectator=1;}
[ai0]{team=7; host=3; shortname=Nully; name=AI;}
[allyteam1]{numallies=1; ally0=3; startrectleft=0.1;} [allyteam3]{}
[modoptions]{startmetal=1000;} }"""


def test_the_setup_of_a_match() -> None:
    found = match_setup(seats(parse(SCRIPT, Problems("spring"), Limits())))
    assert [(t["leader"], t["allyTeam"], t["side"], t["incomeMultiplier"]) for t in found["teams"]] == [
        (2, 1, "", 1.5),
        (None, None, "", 1.0),
        (0, 0, "arm", 1.0),
    ]
    assert found["players"] == [
        {"team": 0, "spectator": False},
        {"team": 0, "spectator": True},
        {"team": 2, "spectator": False},
    ]
    assert found["ais"] == [{"team": 2, "shortName": "Nully", "name": "AI", "host": 0}]
    assert found["allyTeams"][0] == {"allies": [1], "custom": {"startrectleft": "0.1"}}
    assert found["modOptions"] == {"startmetal": "1000"} and found["mapOptions"] == {}

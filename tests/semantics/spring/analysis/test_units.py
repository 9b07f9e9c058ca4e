"""Unit lists, classifier, misfits, units ordered, living value: golden cases 30-32, 49, 55, 57 of the fact sheet."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.errors import ReplayError
from ksreplay.semantics.spring.analysis.classifier import BUCKETS, CATEGORIES, classify
from ksreplay.semantics.spring.analysis.event_log import read_log
from ksreplay.semantics.spring.analysis.living import changes, living_value
from ksreplay.semantics.spring.analysis.unit_list import UnitDef, UnitList, canonical, refusal
from ksreplay.semantics.spring.analysis.units_ordered import finished_and_died, misfits

KNOWN = (
    UnitDef("tgcom", "Commander", 2500.0, 25000.5, True, True, True, True, {"metalMake": 1.5, "energyStorage": 500.0}),
    UnitDef("tgmex", "Metal Extractor", 50.0, 0.0, numbers={"extractsMetal": 0.001, "energyUpkeep": -3.0}),
    UnitDef("tgwall"),
)


def test_a_known_list_has_a_known_digest() -> None:
    assert UnitList(KNOWN).digest == "sha256:6d2fd5654fb9ddb251c15b44f38ae58863229cee1c3576b4199a898f03ac1c52"
    assert canonical(KNOWN[2:]) == b'coilbox-unit-def-set/1\n{"name":"tgwall"}\n'
    assert tuple(UnitDef.from_json(unit.to_json()) for unit in KNOWN) == KNOWN


def test_digests_tell_lists_apart() -> None:
    lists = [
        KNOWN,
        KNOWN[::-1],
        (*KNOWN, UnitDef("x")),
        (KNOWN[0], UnitDef("tgmex", metal_cost=50.0), KNOWN[2]),
        (KNOWN[0], UnitDef("tgmex", metal_cost=51.0), KNOWN[2]),
    ]
    assert len({UnitList(units).digest for units in lists}) == len(lists)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-5, "0.00001"),
        (1.5e-5, "0.000015"),
        (1e-6, "1e-6"),
        (1e16, "1e16"),
        (1e15, "1000000000000000.0"),
        (2500.0, "2500.0"),
        (1.25e30, "1.25e30"),
    ],
)
def test_numbers_in_the_canonical_text(value: float, text: str) -> None:
    assert f'"metalCost":{text}}}' in canonical([UnitDef("a", metal_cost=value)]).decode()


def test_lists_that_are_refused() -> None:
    assert refusal(KNOWN) is None and refusal([UnitDef("u")] * 65536) is None
    bad: list[list[UnitDef]] = [
        [],
        [UnitDef("")],
        [UnitDef("a\tb")],
        [UnitDef("x" * 257)],
        [UnitDef("u", metal_cost=math.nan)],
        [UnitDef("u")] * 65537,
        [UnitDef("u", "a\nb")],
        [UnitDef("u", numbers={"metalMake": math.inf})],
    ]
    assert all(refusal(units) for units in bad)


@pytest.mark.parametrize(
    ("unit", "category"),
    [
        (UnitDef("a", builder=True, builds=True), "factory"),
        (UnitDef("a", builder=True, builds=True, mobile=True, armed=True), "builder"),
        (UnitDef("a", builder=True), "builder"),
        (UnitDef("a", builds=True), "unclassified"),
        (UnitDef("a", builder=True, armed=True, mobile=True), "offence"),
        (UnitDef("a", armed=True, numbers={"transportCapacity": 4}), "transport"),
        (UnitDef("a", armed=True, numbers={"energyMake": 100}), "defence"),
        (UnitDef("a", numbers={"energyUpkeep": -20}), "economy"),
        (UnitDef("a", numbers={"energyUpkeep": 50}), "unclassified"),
        (UnitDef.from_json({"name": "a", "metalMake": "20"}), "unclassified"),
        (UnitDef("a", numbers={"energyStorage": 1, "radarDistance": 1}), "economy"),
        (UnitDef("a", numbers={"seismicDistance": 1}), "intelligence"),
    ],
)
def test_the_classifier(unit: UnitDef, category: str) -> None:
    assert classify(unit) == category


def test_every_category_has_a_bucket() -> None:
    assert set(BUCKETS) == set(CATEGORIES)
    assert set(BUCKETS.values()) == {"economy", "defence", "offence", "other", "unclassified"}


def test_misfits() -> None:
    mobile = [False, True, False]
    assert misfits([1, 2], [2, 0], [0, 3], mobile) == 0
    assert misfits([2], [2], [0], mobile) == 2 and misfits([1], [0], [3], mobile) == 3
    assert misfits([4, 0], [1, 1], [0, 0], mobile) == 2


def test_finished_and_died() -> None:
    found = finished_and_died(
        [1, 2, 3, 1], [42, 42, 30, 30], [0, 0, 1, 0], [0, 1, 2, 5], [1, 9, 1], [42, 42, 30], [0, 0, 0], [3, 4, 6]
    )
    rows = list(zip(*(getattr(found, k).tolist() for k in ("team", "definition", "finished", "died")), strict=True))
    assert rows == [(0, 30, 1, 1), (0, 42, 2, 1), (1, 30, 1, 0)]
    assert len(finished_and_died(*([],) * 8).team) == 0


def _log(*rows: tuple[str, int, int, int, int, dict[str, Any]]) -> bytes:
    return b"".join(
        json.dumps({"kind": k, "frame": f, "unit": u, "def": d, "team": t, "x": 1, "y": 0, "z": 1, **more}).encode()
        + b"\n"
        for k, f, u, d, t, more in rows
    )


UNITS = UnitList(
    (
        UnitDef("mex", metal_cost=50.0, energy_cost=500.0, numbers={"extractsMetal": 1.0}),
        UnitDef("tank", metal_cost=100.0, energy_cost=1000.0, mobile=True, armed=True),
    )
)
MATCH = _log(
    ("unit_finished", 150, 1, 1, 0, {}),
    ("unit_finished", 600, 2, 2, 0, {}),
    ("unit_given", 1200, 2, 2, 1, {"from": 0}),
    ("unit_destroyed", 1500, 1, 1, 0, {}),
    ("unit_destroyed", 1501, 77, 2, 0, {}),
)


def test_living_value() -> None:
    found = living_value(read_log(MATCH), UNITS, period_seconds=15, end_seconds=60)
    assert found.seconds.tolist() == [0, 15, 30, 45, 60] and found.team.tolist() == [0, 1]
    economy, offence = CATEGORIES.index("economy"), CATEGORIES.index("offence")
    assert found.metal[:, 0, economy].tolist() == [0, 50, 50, 50, 0]
    assert found.metal[:, 0, offence].tolist() == [0, 0, 100, 0, 0]
    assert found.metal[3, 1, offence] == 100 and found.energy[3, 1, offence] == 1000
    assert found.units[:, 0, economy].tolist() == [0, 1, 1, 1, 0] and found.unpriced == 0


def test_an_id_used_again_is_another_life() -> None:
    step = changes(
        read_log(
            _log(
                ("unit_finished", 1, 5, 1, 0, {}),
                ("unit_destroyed", 2, 5, 1, 0, {}),
                ("unit_destroyed", 3, 5, 2, 0, {}),
                ("unit_finished", 4, 5, 2, 1, {}),
            )
        )
    )
    assert sorted(zip(*(a.tolist() for a in (step.frame, step.team, step.definition, step.change)), strict=True)) == [
        (1, 0, 1, 1),
        (2, 0, 1, -1),
        (4, 1, 2, 1),
    ]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["unit_finished", "unit_given", "unit_destroyed"]), st.integers(0, 3), st.integers(0, 2)
        ),
        max_size=25,
    )
)
def test_the_living_are_what_a_ledger_says(rows: list[tuple[str, int, int]]) -> None:
    data = _log(
        *((kind, i * 30, u, 1, t, {"from": 0} if kind == "unit_given" else {}) for i, (kind, u, t) in enumerate(rows))
    )
    step = changes(read_log(data))
    alive: dict[int, int] = {}
    for kind, u, t in rows:
        if kind == "unit_finished" or (kind == "unit_given" and u in alive):
            alive[u] = t
        elif kind == "unit_destroyed":
            alive.pop(u, None)
    assert step.change.sum() == len(alive)
    left = {t: int(step.change[step.team == t].sum()) for t in range(3)}
    assert left == {t: list(alive.values()).count(t) for t in range(3)}
    assert np.isin(step.change, (1, -1)).all()


def test_more_teams_than_a_match_has_are_refused() -> None:
    rows = [("unit_finished", 30_000_000, unit, 1, unit, {}) for unit in range(200)]
    with pytest.raises(ReplayError):
        living_value(read_log(_log(*rows)), UNITS, period_seconds=15, end_seconds=1e6)

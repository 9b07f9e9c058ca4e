"""Does a log reproduce a trailer: golden cases 11-20 of the fact sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ksreplay.semantics.spring.analysis.divergence import Disagreement, Recorded, TeamRecord, check
from ksreplay.semantics.spring.analysis.event_log import EventLog, read_log
from ksreplay.semantics.spring.analysis.metrics import METRICS

ZERO = {m.key: 0.0 for m in METRICS}
ONE = {
    "metalUsed": float(np.float32(1234.5677)),
    "energyUsed": 5000,
    "metalProduced": 1500,
    "energyProduced": 9000.5,
    "metalExcess": float(np.float32(0.3)),
    "damageDealt": 4100,
    "unitsProduced": 4,
    "unitsDied": 1,
    "unitsSent": 1,
    "unitsCaptured": 1,
    "unitsKilled": 2,
}
TWO = {
    "metalUsed": 300,
    "energyUsed": 2000,
    "metalProduced": 900,
    "energyProduced": 4000,
    "damageReceived": 4100,
    "unitsProduced": 2,
    "unitsDied": 2,
    "unitsReceived": 1,
    "unitsOutCaptured": 1,
}


def trailer(one: dict[str, float] = {}, samples: tuple[int, ...] = (3, 2), **more: Any) -> Recorded:  # noqa: B006
    teams = [TeamRecord(n, ZERO | t) for n, t in zip(samples, (ONE | one, TWO, {}), strict=False)]
    return Recorded(**{"winners": [0], "seconds": 50, "teams": teams} | more)


@pytest.fixture(scope="session")
def match(corpus: Path) -> bytes:
    return (corpus / "spring-eventlog" / "match.jsonl").read_bytes()


def without(data: bytes, start: bytes) -> EventLog:
    return read_log(b"".join(line for line in data.splitlines(keepends=True) if not line.startswith(start)))


def test_the_match_reproduces(match: bytes) -> None:
    assert trailer().checkable and check(read_log(match), trailer()) == []


def test_winners(match: bytes) -> None:
    assert check(read_log(match), trailer(winners=[1])) == [Disagreement("winners", "1", "0")]
    both = read_log(match.replace(b'"winners":[0]', b'"winners":[0,2]'))
    assert check(both, trailer(winners=[2, 0])) == []


def test_one_float_step(match: bytes) -> None:
    above = float(np.nextafter(np.float32(1500), np.float32(2000)))
    (found,) = check(read_log(match), trailer({"metalProduced": above}))
    assert (found.figure, found.team, found.recorded, found.observed) == ("metalProduced", 0, "1500.0001", "1500")
    assert found.difference is not None and -0.001 < found.difference < 0


def test_nan_equals_nan(match: bytes) -> None:
    log = read_log(match.replace(b'"metalProduced":1500,', b'"metalProduced":null,'))
    assert check(log, trailer({"metalProduced": float("nan")})) == []


def test_seconds_samples_teams(match: bytes) -> None:
    log = read_log(match)
    assert check(log, trailer(seconds=51)) == [Disagreement("gameSeconds", "51", "50", None, -1.0)]
    assert check(log, trailer(samples=(3, 3))) == [Disagreement("samples", "3", "2", 1, -1.0)]
    found = check(log, trailer(samples=(3, 2, 1)))
    assert [(d.figure, d.team) for d in found] == [("teams", None), ("samples", 2)]
    assert found[1].observed == "0"


def test_missing_lines(match: bytes) -> None:
    destroyed = without(match, b'{"kind":"unit_destroyed","frame":900,"unit":5')
    assert check(destroyed, trailer()) == [Disagreement("unitDestroyedLines", "2", "1", 1, -1.0)]
    created = without(match, b'{"kind":"unit_created","frame":90,"unit":3')
    assert check(created, trailer()) == [Disagreement("unitCreatedLines", "4", "3", 0, -1.0)]
    gift = without(match, b'{"kind":"unit_given","frame":1050')
    assert [(d.figure, d.team) for d in check(gift, trailer())] == [("unitGivenFromLines", 0), ("unitGivenToLines", 1)]
    capture = without(match, b'{"kind":"unit_given","frame":1100')
    assert [(d.figure, d.team) for d in check(capture, trailer())] == [
        ("unitCapturedByLines", 0),
        ("unitCapturedFromLines", 1),
    ]


def test_desyncs_and_no_game_over(match: bytes) -> None:
    output = "[f=1] [DESYNC WARNING] a\n[f=2] [DESYNC WARNING] b\n"
    assert check(read_log(match), trailer(), engine_output=output) == [
        Disagreement("desyncWarnings", "0", "2", None, 2.0)
    ]
    assert [d.figure for d in check(without(match, b'{"kind":"game_over"'), trailer())] == ["gameOver"]


def test_a_log_that_does_not_add_up(corpus: Path) -> None:
    log = read_log((corpus / "spring-eventlog" / "upgrade.jsonl").read_bytes())
    found = {(d.figure, d.team): (d.recorded, d.observed) for d in check(log, trailer(seconds=20))}
    assert found["unitCreatedLines", 0] == ("4", "2") and found["unitDestroyedLines", 1] == ("2", "1")
    assert ("unitCreatedLines", 1) not in found and ("unitDestroyedLines", 0) not in found


def test_nothing_to_check_against() -> None:
    assert not Recorded([], 0, []).checkable and not trailer(samples=(3, 0)).checkable

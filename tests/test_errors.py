"""The error family and the list of problems."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from ksreplay.errors import (
    Corrupt,
    LimitExceeded,
    Problem,
    Problems,
    ReplayError,
    Severity,
    Truncated,
    UnknownFormat,
    UnsupportedVersion,
    plain,
)
from ksreplay.limits import Limits
from ksreplay.rules import Rule, collect, merge

RULE = Rule("too-long", Severity.STRICT, "a name is at most 31 characters", "seed 001, Names")


@pytest.mark.parametrize("kind", [Corrupt, LimitExceeded, Truncated, UnknownFormat, UnsupportedVersion])
def test_errors_are_one_family_and_pickle(kind: type[ReplayError]) -> None:
    error = kind("bad", code="c", format="crd", where="run.seed", offset=7, found=b"\1", expected=2)
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is kind and back.to_dict() == error.to_dict()
    assert str(error) == "bad (run.seed, offset 7)"
    assert json.loads(json.dumps(error.to_dict()))["found"] == "01"


def test_a_tolerant_list_counts_what_it_does_not_keep() -> None:
    problems = Problems("crd", limit=3)
    for row in range(10):
        problems.add(RULE.problem(f"players[{row}]", found=40))
    assert len(problems) == 3 and problems.truncated
    assert problems.counts["too-long"] == 10 == problems.count(Severity.STRICT) == problems.count()
    assert problems[0].where == "players[0]" and problems[0].source == "seed 001, Names"


def test_many_warnings_do_not_hide_what_makes_a_file_invalid() -> None:
    problems = Problems("crd", limit=3)
    for _ in range(10):
        problems.add(Problem(Severity.WARNING, "odd", "m"))
    problems.add(RULE.problem())
    problems.add(RULE.problem())
    assert [problem.code for problem in problems] == ["odd", "odd", "odd", "too-long"]


@pytest.mark.parametrize("severity", list(Severity))
def test_strict_raises_on_what_makes_a_file_invalid(severity: Severity) -> None:
    problems = Problems("crd", strict=True)
    problem = Problem(severity, "c", "m")
    if severity in (Severity.FATAL, Severity.PART, Severity.STRICT):
        with pytest.raises(ReplayError) as caught:
            problems.add(problem)
        assert caught.value.code == "c" and caught.value.format == "crd"
    else:
        problems.add(problem)
        assert list(problems) == [problem]


def test_an_absorbed_error_keeps_its_place() -> None:
    problems = Problems("tad")
    problems.absorb(Truncated("cut", code="cut", where="records[3]", offset=99))
    assert (problems[0].severity, problems[0].where, problems[0].offset) == (Severity.PART, "records[3]", 99)
    with pytest.raises(Truncated):
        Problems("tad", strict=True).absorb(Truncated("cut", code="cut"))


def test_rules_make_problems_and_failures() -> None:
    assert RULE.problem("a", 1, found=2, expected=3).to_dict()["severity"] == "strict"
    assert isinstance(RULE.failure("crd", "a"), Corrupt)
    assert collect({"A": RULE, "B": 1}) == (RULE,)
    with pytest.raises(ValueError, match="too-long"):
        merge([RULE, Rule("too-long", Severity.PLAY, "other", "s")])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"\1\xff", "01ff"), (np.int64(3), 3), (np.float32(0.5), 0.5), (float("nan"), "nan"),
        (np.array([1, 2]), [1, 2]),
        ({1: (2, {3})}, {"1": [2, [3]]}), (np.bool_(True), True), (object, str(object)), (float("inf"), "inf"),
    ],
)  # fmt: skip
def test_anything_becomes_json(value: object, expected: object) -> None:
    assert plain(value) == expected
    json.dumps(plain(value), allow_nan=False)


@pytest.mark.parametrize("value", [-1, 1.5, "7", True])
def test_limits_are_whole_numbers(value: object) -> None:
    with pytest.raises(ValueError, match="records"):
        Limits(records=value)  # type: ignore[arg-type]

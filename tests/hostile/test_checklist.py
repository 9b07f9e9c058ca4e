"""Every hostile input of `inputs` through every verb that reads a file, time and memory measured in a process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hostile.inputs import CASES, Hostile

PROBE = Path(__file__).with_name("probe.py")


Answers = dict[str, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What each verb did with each input: case name -> verb -> line of `probe`."""
    folder = tmp_path_factory.mktemp("hostile")
    names = {}
    for case in CASES:
        file = folder / f"{case}.bin"
        file.write_bytes(case.build())
        names[str(file)] = str(case)
    command = [sys.executable, str(PROBE), *names]
    child = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert child.returncode == 0, child.stderr[-2000:]
    found: Answers = {str(case): {} for case in CASES}
    for line in map(json.loads, child.stdout.splitlines()):
        found[names[line["file"]]][line["verb"]] = line
    return found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_hostile_input(case: Hostile, answers: Answers) -> None:
    verbs = answers[str(case)]
    assert len(verbs) == 9, f"the process died after {list(verbs)}"
    for verb, answer in verbs.items():
        assert answer["exception"] is None, (verb, answer["exception"])
        assert answer["exit"] in (0, 1, 2), (verb, answer)
        assert answer["seconds"] <= case.seconds, (verb, answer["seconds"])
        assert answer["peak"] <= case.memory, (verb, answer["peak"])
    info = json.loads(verbs["info"]["output"])
    valid = json.loads(verbs["validate"]["output"])
    if case.outcome == "refused":
        assert verbs["info"]["exit"] == 1
        assert info["error"]["code"]
        assert not valid["valid"]
    elif case.outcome == "damaged":
        assert verbs["info"]["exit"] == 0, info
        assert not valid["valid"]
        assert info["complete"] is False or info["problems"]
    elif case.outcome == "read":
        assert verbs["info"]["exit"] == 0, info

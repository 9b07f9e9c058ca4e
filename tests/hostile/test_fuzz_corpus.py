"""Inputs that fuzzing kept: once finds, now a result or a ReplayError."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from fuzz.targets import TARGETS, call, dictionary, seeds  # noqa: E402


@pytest.mark.parametrize("target", TARGETS)
def test_kept_inputs(target: str) -> None:
    for data in seeds(target, ROOT / "tests" / "data" / "fuzz"):
        call(target, data)


def test_the_dictionary_holds_the_magics() -> None:
    assert {b"CBTK", b"TA Demo\0"} <= set(dictionary())

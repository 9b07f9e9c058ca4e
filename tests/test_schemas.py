"""A schema that changes needs a higher version: the snapshot in tests/data says what was there before."""

from __future__ import annotations

import copy
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("schemas_tool", ROOT / "tools" / "schemas.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_schema_changed_without_a_version(tool: ModuleType) -> None:
    if not tool.SNAPSHOT.exists():
        pytest.skip("no snapshot is stored yet: python tools/schemas.py --write")
    assert tool.differences(json.loads(tool.SNAPSHOT.read_text("utf-8")), tool.current()) == []


def test_what_counts_as_a_change(tool: ModuleType) -> None:
    now = tool.current()
    format, (name, _) = "cbtrack", next(iter(now["cbtrack"].items()))
    assert tool.differences(now, now) == []

    def changed(**edits: object) -> list[str]:
        later = copy.deepcopy(now)
        table = later[format][name]
        for key, value in edits.items():
            if key == "version":
                table["version"] = value
            else:
                table["columns"][0][int(key[1:])] = value
        return list(tool.differences(now, later))

    assert "changed, but its version is still" in changed(_1="int8")[0]
    assert "changed, but its version is still" in changed(_0="renamed")[0]
    assert "is not stored" in changed(_1="int8", version=2)[0]
    assert "is not stored" in changed(version=2)[0]
    later = copy.deepcopy(now)
    later[format][name]["columns"].reverse()
    assert "order of columns" in tool.differences(now, later)[0]
    del later[format][name]
    assert "the table is gone" in tool.differences(now, later)[0]
    assert "a new table" in tool.differences(later, now)[0]

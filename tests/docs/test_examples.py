"""Every ``>>>`` example in the documentation gives what it says, beside the bundled samples."""

from __future__ import annotations

import doctest
from importlib.resources import files
from pathlib import Path

import pytest

from ksreplay.registry import FORMATS

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    p for p in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")] if ">>> " in p.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("page", PAGES, ids=[p.name for p in PAGES])
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for format in FORMATS.values():
        sample = files("ksreplay.samples").joinpath(format.sample)
        if sample.is_file():
            (tmp_path / format.sample).write_bytes(sample.read_bytes())
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(
        str(page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert result.attempted > 0
    assert result.failed == 0

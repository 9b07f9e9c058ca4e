"""The committed pictures are what the layouts give today."""

from __future__ import annotations

from pathlib import Path

from docsite import picture

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_pictures_are_current() -> None:
    for name, svg in picture.pictures().items():
        assert (DOCS / name).read_text(encoding="utf-8") == svg, f"run python tools/docsite/picture.py ({name})"

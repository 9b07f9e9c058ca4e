"""Small .ksy texts for the tests of tools/gen."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from gen import model, yaml_core

HEAD = """\
meta:
  id: tiny
  title: Tiny
  license: CC0-1.0
  ks-version: "0.11"
  endian: le
doc: A tiny layout.
doc-ref: none
"""

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")


def spec_of(text: str, name: str = "tiny", **siblings: str) -> model.Spec:
    """A spec from text; ``siblings`` are the texts of other files of the same folder."""
    specs: dict[str, model.Spec] = {}
    for key, body in {name: text, **siblings}.items():
        specs[key] = model.Spec(key, body, yaml_core.loads(body), specs)
    return specs[name]


@pytest.fixture
def tiny() -> Callable[..., model.Spec]:
    """tiny(body): the spec of the common head and that body."""
    return lambda body, **siblings: spec_of(HEAD + body, **siblings)


@pytest.fixture
def repository(tmp_path: Path) -> Callable[[str], Path]:
    """repository(text): a folder with ksy/tiny.ksy of that text below the common head."""

    def make(body: str) -> Path:
        (tmp_path / "ksy").mkdir(exist_ok=True)
        (tmp_path / "ksy" / "tiny.ksy").write_text(HEAD + body, encoding="utf-8", newline="\n")
        return tmp_path

    return make

"""Fixtures for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no defect: nothing but hostile input is held to a time.
settings.register_profile("ksreplay", deadline=None)
settings.load_profile("ksreplay")

ROOT = Path(__file__).resolve().parents[1]


def corpus_folder() -> Path | None:
    """The folder of real files beside the repository, where there is one."""
    folder = ROOT.parent / "shared" / "corpus"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real files; tests that want it skip where it is absent."""
    folder = corpus_folder()
    if folder is None:
        pytest.skip("no ../shared/corpus beside the repository")
    return folder


@pytest.fixture(scope="session")
def data() -> Path:
    """Small files made by the project itself."""
    return ROOT / "tests" / "data"

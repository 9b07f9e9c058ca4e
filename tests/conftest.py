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


def corpus_files() -> list[Path]:
    """All replays of the corpus, whole or not; none where there is no corpus."""
    suffixes = {".cbtrack", ".crd", ".sdfz", ".sdf", ".tad", ".ted"}
    folder = corpus_folder()
    found = folder.rglob("*") if folder is not None else iter(())
    return sorted(path for path in found if path.suffix in suffixes and path.stat().st_size)


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

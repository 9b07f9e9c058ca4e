"""Which of a kernel's two forms is loaded."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from ksreplay import kernels

COMPILED = [
    path.stem
    for path in sorted(Path(kernels.__file__).parent.glob("*.pxd"))
    if kernels.is_compiled(kernels.load(path.stem, pure=False))
]


def test_plain_where_asked() -> None:
    assert not kernels.is_compiled(kernels.load("spring_walk_fill", pure=True))


@pytest.mark.skipif(not COMPILED, reason="no compiled kernels here")
@pytest.mark.parametrize("name", COMPILED)
def test_a_kernel_of_an_older_source_is_left_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module: ModuleType = kernels.load(name, pure=False)
    monkeypatch.setattr(module, "SOURCE_CRC", 1)
    kernels._serves.cache_clear()
    with pytest.warns(UserWarning, match=f"{name} was compiled from another source"):
        assert not kernels.is_compiled(kernels.load(name, pure=False))
    monkeypatch.undo()
    kernels._serves.cache_clear()
    assert kernels.load(name, pure=False) is module


@pytest.mark.parametrize("name", COMPILED)
def test_a_compiled_kernel_is_left_alone_where_words_are_the_other_way_round(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KSREPLAY_PURE", "")
    assert kernels.compiled(name) is kernels.load(name)
    monkeypatch.setattr("sys.byteorder", "big")
    assert kernels.compiled(name) is None

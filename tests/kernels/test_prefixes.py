"""What payloads are by their beginning: the kernel, its plain form and numpy agree, on spans that end with the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.kernels import load
from ksreplay.semantics.spring import lua

forms = [pytest.param(lambda: load("prefixes", pure=True), id="plain")]
if lua.compiled() is not None:
    forms.append(pytest.param(lua.compiled, id="compiled"))

prefix = st.sampled_from([prefix for prefix, _ in lua.PREFIXES])
payload = st.one_of(
    st.binary(max_size=12), prefix, st.builds(bytes.__add__, prefix, st.binary(max_size=3)),
    st.builds(lambda text, count: text[:count], prefix, st.integers(0, 20)),
)  # fmt: skip


@pytest.mark.parametrize("kernel", forms)
@pytest.mark.parametrize("threads", ["1", "2"])
@given(payloads=st.lists(payload, max_size=30))
def test_every_form_agrees(kernel: Any, threads: str, payloads: list[bytes]) -> None:
    data = b"".join(b"packet: " + text for text in payloads)
    length = np.array([len(text) for text in payloads], np.int32)
    start = (np.cumsum(length + 8) - length).astype(np.int32)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("KSREPLAY_THREADS", threads)
        patched.setattr(lua, "_LEAST", 1)
        found = lua.kinds(data, start, length, kernel=kernel)
    expected = lua.kinds(data, start, length, kernel=lambda: None)
    assert found.dtype == expected.dtype
    assert found.tolist() == expected.tolist()
    for text, kind in zip(payloads, found.tolist(), strict=True):
        assert kind == next(
            (i for i, (known, _) in enumerate(lua.PREFIXES) if text.startswith(known)), len(lua.PREFIXES)
        )

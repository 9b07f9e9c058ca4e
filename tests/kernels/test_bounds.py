"""Kernels that check their bounds once an item instead of at every access: whatever they are told, they write nothing
outside their arrays, and both forms give the same."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ksreplay.columns import view
from ksreplay.kernels import is_compiled, load

_GUARD = 64  #: entries on each side of an array that must stay as they are
_WORD = np.dtype("<i4")

places = st.one_of(st.integers(-3, 60), st.sampled_from([-(2**31), -1, 2**31 - 1, 2**31 - 40]))
numbers = st.lists(places, min_size=8, max_size=8).map(lambda values: np.array(values, np.int32))
lengths = st.integers(0, 24)
eight = st.binary(min_size=8, max_size=8)


class Guarded:
    """Arrays that lie in the middle of larger ones."""

    def __init__(self) -> None:
        self._blocks: list[NDArray[Any]] = []

    def __call__(self, length: int, dtype: Any, fill: int = 0) -> NDArray[Any]:
        block = np.full(length + 2 * _GUARD, 0x55, dtype)
        block[_GUARD : _GUARD + length] = fill
        self._blocks.append(block)
        return block[_GUARD : _GUARD + length]

    def contents(self) -> list[list[Any]]:
        """What is in the arrays; all around them is as it was."""
        for block in self._blocks:
            assert (block[:_GUARD] == 0x55).all() and (block[len(block) - _GUARD :] == 0x55).all()
        return [block[_GUARD : len(block) - _GUARD].tolist() for block in self._blocks]


def both(name: str, work: Callable[[ModuleType, Guarded, Callable[..., Any]], Any]) -> None:
    """Has both forms do the same work and compares what comes out. The plain one is told whole numbers as lists, for
    numpy's would overflow where C has room."""
    if not is_compiled(load(name)):
        pytest.skip("no compiler here")
    found = []
    for told in (np.ndarray.tolist, np.asarray):
        guarded = Guarded()
        result = work(load(name, pure=told is not np.asarray), guarded, told)
        found.append((result, guarded.contents()))
    assert found[0] == found[1]


@given(st.binary(max_size=80), places, places, st.integers(0, 20), places, st.lists(lengths, min_size=5, max_size=5))
def test_the_walk(data: bytes, start: int, end: int, index: int, most: int, room: list[int]) -> None:
    def work(kernel: ModuleType, guarded: Guarded, told: Callable[..., Any]) -> Any:
        types = (np.int32, np.int32, np.uint8, np.int32)
        arrays = [guarded(length, dtype) for length, dtype in zip(room, types, strict=False)]
        return kernel.fill(data, start, end, index, most, *arrays, guarded(4 * room[4], np.uint8))

    both("spring_walk_fill", work)


@given(
    st.binary(min_size=4, max_size=80), numbers, numbers, st.binary(min_size=8, max_size=8), numbers, numbers, st.data()
)
def test_the_sort(
    data: bytes, offset: Any, size: Any, ids: bytes, frame: Any, begins: Any, draw: st.DataObject
) -> None:
    kinds = np.frombuffer(bytes(number % 8 for number in ids), np.uint8)
    least = np.array(draw.draw(st.lists(st.sampled_from([0, 3, 4, 5, 9, 17]), min_size=8, max_size=8)), np.int32)
    varies, stated = (
        np.array(draw.draw(st.lists(st.integers(0, most), min_size=8, max_size=8)), np.uint8) for most in (1, 2)
    )
    first, room = draw.draw(numbers), draw.draw(st.lists(lengths, min_size=5, max_size=5))

    def work(kernel: ModuleType, guarded: Guarded, told: Callable[..., Any]) -> Any:
        rows, frames, body, length = (guarded(held, np.int32) for held in room[:4])
        heads, misfits, next_of = guarded(room[4] + 4, np.uint8), guarded(8, np.int32), guarded(8, np.int32)
        next_of[:] = first
        return kernel.sort(
            data, view(data, _WORD), *map(told, (offset, size, kinds, frame)), 0, 99, next_of,
            *map(told, (least, varies, stated)), begins.astype(np.int64), rows, frames, body, length,
            heads, view(heads, _WORD), misfits,
        )  # fmt: skip

    both("spring_sort", work)


@given(st.binary(min_size=1, max_size=40), numbers, numbers, lengths)
def test_the_kinds_of_payloads(data: bytes, start: Any, length: Any, room: int) -> None:
    from ksreplay.semantics.spring import lua

    prefixes = np.frombuffer(b"".join(prefix for prefix, _ in lua.PREFIXES), np.uint8)
    ends = np.cumsum([0, *(len(prefix) for prefix, _ in lua.PREFIXES), 0], dtype=np.int32)

    def work(kernel: ModuleType, guarded: Guarded, told: Callable[..., Any]) -> Any:
        tables = (lua._POSSIBLE, lua._BEGINNINGS, lua._MASKS, prefixes, ends)
        return kernel.kinds(data, view(data, _WORD), told(start), told(length), 0, 99, *tables, guarded(room, np.int8))

    both("prefixes", work)


@given(st.binary(max_size=60), numbers, numbers, numbers, eight, numbers)
def test_the_lists_of_orders(data: bytes, start: Any, end: Any, count: Any, own: bytes, number: Any) -> None:
    kinds = np.frombuffer(bytes(byte % 8 for byte in own), np.uint8)

    def work(kernel: ModuleType, guarded: Guarded, told: Callable[..., Any]) -> Any:
        fits = guarded(8, np.uint8, 1)
        lists = map(told, (start, end, np.minimum(count, 70), kinds, np.abs(number) % 99))
        return kernel.check_lists(data, 0, 99, *lists, fits)

    both("spring_orders", work)


@given(
    st.binary(min_size=4, max_size=60),
    st.lists(numbers, min_size=9, max_size=9),
    st.binary(min_size=8, max_size=8),
    st.data(),
)
def test_the_orders(data: bytes, said: list[Any], own: bytes, draw: st.DataObject) -> None:
    start, count, command, number, listed, units, *firsts = said
    kinds = np.frombuffer(bytes(byte % 8 for byte in own), np.uint8)
    pairwise = np.array(draw.draw(st.lists(st.integers(-1, 1), min_size=8, max_size=8)), np.int8)
    orders, params, named = (draw.draw(lengths) for _ in range(3))

    def work(kernel: ModuleType, guarded: Guarded, told: Callable[..., Any]) -> Any:
        return kernel.take_orders(
            data, view(data, _WORD), view(data, np.dtype("<i2")), 0, 8,
            *map(told, (start, np.minimum(count, 70), command, kinds, number, kinds, listed, units, pairwise, *firsts)),
            *(guarded(orders, dtype) for dtype in (np.int64, np.int32, np.uint8, np.int32, np.int32)),
            guarded(params, np.int32), guarded(orders, np.int32), guarded(named, np.int32),
        )  # fmt: skip

    both("spring_orders", work)

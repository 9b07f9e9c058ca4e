"""The kernel, plain and compiled, against the numpy code that it stands in for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ksreplay import kernels
from ksreplay.errors import ReplayError
from ksreplay.formats import cbtrack as framing
from ksreplay.formats.cbtrack_build import build_chunk
from ksreplay.semantics.cbtrack import decode
from ksreplay.semantics.cbtrack.encode import put_escaped, put_times, put_wrapping
from ksreplay.semantics.cbtrack.sections import SECTIONS

KERNELS = [kernels.load("track_curves", pure=True)]
if kernels.is_compiled(kernels.load("track_curves", pure=False)):
    KERNELS.append(kernels.load("track_curves", pure=False))

SPAN, TOP = 900, 2047
WIDE = st.integers(-16_777_215, 16_777_215) | st.integers(-9, 9)


def columns_of(stored: dict[int, Any]) -> framing.Columns:
    raw = build_chunk(stored)
    return framing.read_columns(framing.Chunk(framing.Place("chunk", 64, len(raw)), raw, 0))


def taking_lists(module: Any) -> Any:
    """``module`` as `decode` calls it; the plain one gets plain numbers, which do not wrap as numpy's do."""
    if kernels.is_compiled(module):
        return module
    return SimpleNamespace(
        GOOD=module.GOOD,
        main=lambda *arrays: module.main(*(array.tolist() for array in arrays[:5]), *arrays[5:]),
        terrain=lambda *arrays: module.terrain(*(array.tolist() for array in arrays[:4]), *arrays[4:]),
    )


def decoded(kernel: Any, read: Any, *arguments: Any) -> Any:
    """What ``read`` gives with ``kernel``, every array as a list; the error's code where it raises one."""
    before, decode.KERNEL = decode.KERNEL, kernel
    try:
        return plain_values(read(*arguments))
    except ReplayError as error:
        return error.code
    finally:
        decode.KERNEL = before


def plain_values(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tolist()
    names = getattr(value, "__dataclass_fields__", None)
    return {name: plain_values(getattr(value, name)) for name in names} if names else value


def some(draw: st.DrawFn, values: st.SearchStrategy[int], count: int) -> np.ndarray:
    return np.array(draw(st.lists(values, min_size=count, max_size=count)), np.int64)


def lives(draw: st.DrawFn, count: int) -> list[list[int]]:
    pair = st.lists(st.integers(0, SPAN), min_size=2, max_size=2).map(sorted)
    return draw(st.lists(pair, min_size=count, max_size=count))


@st.composite
def main_chunks(draw: st.DrawFn) -> dict[int, Any]:
    """The stored columns of a main chunk; now and then something is wrong in one of them."""
    entries = {"units": draw(st.integers(0, 3)), "projectiles": draw(st.integers(0, 3))}
    alive = {name: lives(draw, count) for name, count in entries.items()}
    alive["numbers"] = [[0, SPAN]] * draw(st.integers(0, 2))
    stored: dict[int, Any] = {}
    for first, name in ((6, "units"), (85, "projectiles")):
        ends = np.array(alive[name], np.int64).reshape(-1, 2)
        stored |= {first: ends[:, 0], first + 1: ends[:, 1]}
    stored[84] = some(draw, st.sampled_from([0, 65_535] if entries["units"] else [65_535]), entries["projectiles"])
    for section in SECTIONS:
        owners = alive.get(section.entries, alive["units"])
        if section.tracks:
            counts = draw(st.lists(st.integers(0, 2), min_size=entries["units"], max_size=entries["units"]))
            stored[section.tracks] = np.array(counts, np.int64)
            owners = [life for life, count in zip(alive["units"], counts, strict=True) for _ in range(count)]
        times: list[list[int]] = []
        for first, last in owners:
            keys = draw(st.sets(st.integers(first, last), min_size=section.keyless is not None, max_size=4))
            times.append(sorted(keys | {first, last} if section.name == "projectiles" else keys))
        stored[section.keys] = np.array([len(keys) for keys in times], np.int64)
        starts = np.cumsum([0, *map(len, times)])[:-1][[bool(keys) for keys in times]].astype(np.int64)
        time = np.array([frame for keys in times for frame in keys], np.int64)
        put_times(stored, section.time, time, starts, "time")
        for column in (group + axis for group in section.escaped for axis in range(3)):
            put_escaped(stored, column, some(draw, WIDE, len(time)), starts, "values")
        largest = st.integers(-TOP, TOP) if section.name == "transforms" else st.integers(0, 65_535)
        for column in section.wrapping:
            put_wrapping(stored, column, (some(draw, largest, len(time)) & 0xFFFF).astype(np.uint16), starts)
        for column in section.plain:
            stored[column] = some(draw, st.integers(0, 3), len(time))
    kinds = st.sampled_from([0, 2, 7, 128, 200, *([1, 20] if entries["units"] else [])])
    stored[43] = some(draw, kinds, len(stored[43]))
    stored[44] = np.where(np.isin(stored[43], (1, 20)), 0, stored[44])
    items = int(stored[73].sum())
    stored |= {46 + axis: some(draw, WIDE, int((stored[43] >= 128).sum())) for axis in range(3)}
    stored |= {column: some(draw, WIDE, items) for column in (75, 76)}
    stored |= {column: some(draw, st.integers(0, 3), items) for column in (74, 77)}
    if draw(st.booleans()):
        damage(draw, stored)
    return stored


def damage(draw: st.DrawFn, stored: dict[int, Any]) -> None:
    column = draw(st.sampled_from(sorted(stored)))
    array = stored[column].copy()
    what = draw(st.sampled_from(["change", "shorten", "leave out"]))
    if what == "leave out":
        del stored[column]
    elif what == "shorten":
        stored[column] = array[:-1]
    elif len(array):
        values = {"u1": [0, 1, 4, 255], "u2": [0, 1, 65_535, 32_768], "i2": [-32_768, 1, 32_767], "u4": [0, 7, 2**31]}
        wrong = values.get(framing.TYPES[framing.TYPE_OF[column]][1:], [0, 2**24, -(2**24), 2**31 - 1])
        array[draw(st.integers(0, len(array) - 1))] = draw(st.sampled_from(wrong))
        stored[column] = array


@settings(max_examples=300, deadline=None)
@given(main_chunks())
def test_a_main_chunk_is_decoded_as_numpy_does_it(stored: dict[int, Any]) -> None:
    columns = columns_of(stored)
    header = SimpleNamespace(window_start=lambda k: 0, window_end=lambda k: SPAN, rotation_top=TOP)
    expected = decoded(None, decode.decode_main, columns, header, 0)
    for module in KERNELS:
        kernel = taking_lists(module)
        assert decoded(kernel, decode.decode_main, columns, header, 0) == expected
        is_taken = decode._compiled(kernel, columns, SPAN, TOP) is not None
        # what is left out stands for zeros, which only the numpy code puts in
        left_out = any(not columns.num_values[column] for column in (6, 7, 8, 9, 41, 57, 84, 85, 86, 87, 106))
        assert is_taken != isinstance(expected, str) or left_out


ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2), WIDE, st.integers(-9, 9)), max_size=6
)


@settings(max_examples=200, deadline=None)
@given(ROWS, st.booleans(), st.integers(0, 1))
def test_a_terrain_chunk_is_decoded_as_numpy_does_it(rows: list[tuple[int, ...]], ordered: bool, k: int) -> None:
    table = np.array(sorted(rows) if ordered else rows, np.int64).reshape(-1, 5)
    steps = np.diff(table, axis=0, prepend=0)
    stored: dict[int, Any] = {112: steps[:, 0] & 0xFFFF, 113: steps[:, 2] & 0xFFFF, 114: steps[:, 1] & 0xFFFF}
    stored |= {115: steps[:, 3], 116: table[:, 4]}
    columns = columns_of(stored)
    header = SimpleNamespace(window_start=lambda k: 100, window_end=lambda k: 102)
    expected = decoded(None, decode.decode_terrain, columns, header, k)
    for module in KERNELS:
        kernel, answers = taking_lists(module), []

        def noted(*arrays: Any, kernel: Any = kernel, answers: list[int] = answers) -> int:
            answers.append(kernel.terrain(*arrays))
            return answers[-1]

        spy = SimpleNamespace(GOOD=kernel.GOOD, terrain=noted)
        assert decoded(spy, decode.decode_terrain, columns, header, k) == expected
        assert answers == ([int(isinstance(expected, str))] if rows else [])


ENTRY = st.tuples(
    st.sampled_from([1, 2, 3, 17, 110, 40_000]), st.integers(0, 8),
    st.sampled_from([0, 40, 60, 2**31, 2**32 - 4]), st.sampled_from([0, 1, 4, 2**31, 2**32 - 1]),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(ENTRY, max_size=4))
def test_a_directory_is_read_as_numpy_does_it(entries: list[tuple[int, int, int, int]]) -> None:
    raw = len(entries).to_bytes(4, "little")
    for column, kind, offset, number in entries:
        raw += column.to_bytes(2, "little") + kind.to_bytes(2, "little")
        raw += offset.to_bytes(4, "little") + number.to_bytes(4, "little")
    raw += bytes(80 - len(raw))
    chunk = framing.Chunk(framing.Place("chunk", 64, len(raw)), raw, 0)
    before, framing.KERNEL = framing.KERNEL, None
    try:
        expected: Any = framing.read_columns(chunk)
    except ReplayError:
        expected = None
    finally:
        framing.KERNEL = before
    words = np.frombuffer(raw, "<i2")
    for module in KERNELS:
        offsets, counts = np.zeros(256, np.int32), np.zeros(256, np.int32)
        given_words = words if kernels.is_compiled(module) else words.tolist()
        answer = module.directory(given_words, len(entries), framing._EXPECTED, len(raw), 16_777_215, offsets, counts)
        assert answer == (module.WRONG if expected is None else module.GOOD)
        if expected is not None:
            assert counts.tolist() == expected.counts.tolist()
            assert offsets[counts > 0].tolist() == expected.offsets[counts > 0].tolist()

"""Whatever is cut off or changed: whole packets before the damage are read, and nothing but ReplayError comes out."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spring_demo_file import COUNTERS, DEMO, ENDS, MESSAGES, SAMPLE, SCRIPT, STREAM

import ksreplay
from ksreplay.formats import spring_build as build
from ksreplay.formats.spring_build import chunk
from ksreplay.generated.dtypes.spring_demo import HEADER_V5


def read(data: bytes, rows: bool = True, **options: Any) -> dict[str, Any] | None:
    """Everything that the library does with a file; None where it is refused."""
    try:
        with ksreplay.open(data, private=True, **options) as replay:
            document = replay.info(full=True)
            for name in replay.tables if rows else ():
                list(replay.tables[name].rows())
            return document
    except ksreplay.ReplayError:
        return None


def test_the_whole_file_is_read() -> None:
    document = read(DEMO)
    assert document is not None
    assert document["details"]["packets"] == len(MESSAGES)
    assert {p["code"] for p in document["problems"]} == {
        "unknown-message",
        "zlib-damaged",
        "player-statistics-inferred",
    }


def test_a_file_cut_at_every_byte() -> None:
    for size in range(len(DEMO)):
        document = read(DEMO[:size], rows=size % 16 == 0)
        assert (document is None) is (size < 352), size
        if document is not None:
            assert document["details"]["packets"] == int(np.searchsorted(ENDS, size, "right")), size
            assert document["complete"] is False
            assert document["problems"]


def test_a_cut_file_under_strict_raises_replay_errors_only() -> None:
    for size in range(0, len(DEMO), 3):
        assert read(DEMO[:size], strict=True) is None


def test_a_gzip_file_cut_at_every_byte() -> None:
    data = build.compress(DEMO, client=True)
    for size in range(0, len(data), 3):
        document = read(data[:size], rows=False)
        if document is not None and size < len(data) - 20:
            assert document["complete"] is False, size


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(DEMO) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_changed_bytes(changes: list[tuple[int, int]]) -> None:
    data = bytearray(DEMO)
    for place, value in changes:
        data[place] = value
    read(bytes(data))
    read(bytes(data), strict=True)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=8))
def test_any_packets(messages: list[bytes]) -> None:
    document = read(build.demo(SCRIPT, b"".join(chunk(0, message) for message in messages)))
    assert document is not None
    assert document["details"]["packets"] == len(messages)


ENGINES = ["0.76b1", "0.79.1", "0.82.7", "94.1", "104.0.1-700-g1", "105.0", "2025.03.01", "2025.06.12"]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(build.IDS.values())), st.binary(max_size=60), st.integers(0, 2), st.sampled_from(ENGINES))
def test_any_body_of_any_message_under_any_engine(number: int, body: bytes, width: int, engine: str) -> None:
    size = 1 + width + len(body)
    message = bytes([number]) + size.to_bytes(width, "little") + body if width else bytes([number]) + body
    document = read(build.demo(SCRIPT, chunk(0, message) * 3, engine_version=engine))
    assert document is not None
    assert document["details"]["packets"] == 3


@pytest.mark.parametrize("field", [s.name for s in build.HEADERS[5].subcons[6:]])
@pytest.mark.parametrize("value", [-1, -(2**31), 0, 1, 2**31 - 1, 1000])
def test_any_size_in_the_header(field: str, value: int) -> None:
    document = read(build.demo(SCRIPT, STREAM, winners=[0], players=[COUNTERS], teams=[[SAMPLE]], **{field: value}))
    assert document is not None


@pytest.mark.parametrize("value", [-1, 0, 1, 351, 2**31 - 1])
def test_a_header_that_cannot_be_as_large_as_it_says(value: int) -> None:
    assert read(build.demo(SCRIPT, STREAM, len_header=value)) is None


def test_orders_without_bytes_cannot_multiply() -> None:
    """A small packet that claims 32,767 empty orders is malformed, and does not cost their memory."""
    head = struct.pack("<BBBiBHhh", 0, 255, 0, 65, 0, 0, 0, 32767)
    message = bytes([15]) + (3 + len(head)).to_bytes(2, "little") + head
    document = read(build.demo(SCRIPT, chunk(0, message) * 50))
    assert document is not None
    assert document["details"]["malformed_packets"] == 50
    assert document["tables"]["commands"] == 50


def test_units_cannot_multiply_by_orders() -> None:
    """60 KB that give 30,000 orders to 30,000 units each would be 3.6 GB of unit ids: they cost that packet only."""
    head = struct.pack("<BBBiBHh", 0, 255, 0, 65, 0, 0, 30_000) + bytes(60_000) + struct.pack("<h", 30_000)
    message = bytes([15]) + (3 + len(head)).to_bytes(2, "little") + head
    few = struct.pack("<BBBiBHh3hh", 0, 255, 0, 65, 0, 0, 3, 1, 2, 3, 2)
    other = bytes([15]) + (3 + len(few)).to_bytes(2, "little") + few
    with ksreplay.open(build.demo(SCRIPT, chunk(0, other) + chunk(0, message) + chunk(0, other))) as replay:
        replay.read_fully()
        table = replay.tables["commands"]
        assert table["packet"].tolist() == [0, 0, 1, 2, 2]
        assert [None if row is None else row.tolist() for row in table["units"]] == [[1, 2, 3]] * 2 + [None] + [
            [1, 2, 3]
        ] * 2
        assert [row["source"] for row in table.rows()] == ["lua", "lua", None, "lua", "lua"]
        assert not replay.tables["packets"]["malformed"].any()
        (problem,) = [problem for problem in replay.problems if problem.code == "orders-too-many"]
        assert problem.where == "stream.packet[1].AICOMMANDS"
        assert problem.found == {"orders": 30_000, "units": 900_000_000}
    with (
        ksreplay.open(build.demo(SCRIPT, chunk(0, message)), strict=True) as replay,
        pytest.raises(ksreplay.LimitExceeded),
    ):
        _ = replay.tables["commands"]


def test_a_flood_of_findings_is_counted_and_not_kept() -> None:
    with ksreplay.open(build.demo(SCRIPT, chunk(0, b"\x0b\x04\x00\x00") * 5000)) as replay:
        replay.read_fully()
        # The first of each kind is always listed, so a few more than the limit may stand there.
        assert 1000 <= len(replay.problems) < 1010
        assert replay.info()["details"]["packets"] == 5000


def test_a_stream_of_a_negative_size_goes_on_to_the_trailer() -> None:
    place = 308  # of demoStreamSize
    broken = DEMO[:place] + struct.pack("<i", -1) + DEMO[place + 4 :]
    for data in (broken, build.compress(broken, client=True)):
        with ksreplay.open(DEMO) as whole, ksreplay.open(data) as replay:
            assert {p.code for p in replay.problems} == {"negative-size"}
            for name in ("packets", "player_statistics", "team_statistics"):
                assert len(whole.tables[name]) > 0
                assert list(replay.tables[name].rows()) == list(whole.tables[name].rows()), name


def test_what_no_size_bounds_goes_on_to_the_end() -> None:
    """A stream of a negative size before a trailer larger than the file."""
    broken = bytearray(DEMO)
    header = np.frombuffer(broken, HEADER_V5, 1)
    header["len_stream"], header["len_team_stats"] = -1, 2**31 - 1
    with ksreplay.open(bytes(broken)) as replay:
        packets = replay.tables["packets"]
        assert (packets["offset"] + packets["size"])[: len(MESSAGES)].tolist() == ENDS.tolist()


def test_the_first_version_crashed_before_its_pointers_were_written() -> None:
    options: dict[str, Any] = {"version": 1, "engine_version": "0.76b1", "crashed": True}
    with (
        ksreplay.open(build.demo(SCRIPT, STREAM, **options)) as whole,
        ksreplay.open(build.demo(SCRIPT, STREAM, ofs_stream=0, **options)) as replay,
    ):
        assert len(whole.tables["packets"]) == len(MESSAGES)
        assert list(replay.tables["packets"].rows()) == list(whole.tables["packets"].rows())

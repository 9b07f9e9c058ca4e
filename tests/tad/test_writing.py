"""Recordings written again: unchanged, in another version, cut, unwrapped, redacted; and followed while they grow."""

from __future__ import annotations

import json
import random
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tad.builders import recording, setup

import ksreplay
from ksreplay.errors import ReplayError
from ksreplay.formats import tad_build as build
from ksreplay.generated.tad import Tad
from ksreplay.redact import Policy, Pseudonymizer, redact
from ksreplay.replays.tad_follow import Follower

SMALL = ("small_v3", "small_v4_maxunits", "small_v5_allcomp", "small_v5_plain", "small_v5_sector7", "small_v7_mod")


@pytest.fixture(scope="module", params=SMALL)
def replay(request: pytest.FixtureRequest, corpus: Path) -> Any:
    return ksreplay.open(corpus / "tad" / "synthetic" / f"{request.param}.tad", private=True)


def sample() -> bytes:
    return files("ksreplay.samples").joinpath("sample.tad").read_bytes()


def meaning(data: bytes) -> Any:
    """What must stay whatever is done to the bytes: counts, ticks, clocks."""
    other: Any = ksreplay.open(data, private=True)
    info = other.info(full=True)
    ticks = other.stream.tick[other.stream.syncs].tolist()
    keep = ("subpacket_counts", "max_units", "records", "catalog_width", "wallclock_s")
    return [info["details"][key] for key in keep], info["tables"], ticks, info["duration_s"]


def test_rewriting_is_the_identity(replay: Any, tmp_path: Path) -> None:
    assert replay.encode() == replay.source.data
    assert replay.encode(compress="recorder") == replay.source.data
    replay.write(tmp_path / "copy.tad")
    assert (tmp_path / "copy.tad").read_bytes() == replay.source.data


@pytest.mark.parametrize("how", ["plain", "best"])
def test_other_compression_says_the_same(how: str, corpus: Path) -> None:
    replay = ksreplay.open(corpus / "tad" / "synthetic" / "small_v7_mod.tad", private=True)
    data = replay.encode(compress=how)
    assert data != replay.source.data
    assert meaning(data) == meaning(replay.source.data)
    if how == "best":
        assert len(data) < len(replay.source.data)


def test_unwrapped_is_plain_and_opens(replay: Any) -> None:
    data = replay.unwrap()
    assert meaning(data) == meaning(replay.source.data)
    assert ksreplay.open(data).info()["details"]["compressed"] == 0
    for status in Tad.from_bytes(data).statuses:
        assert status.body.envelope.is_unwrapped
        assert status.body.envelope.masked.info.player in {p["transport_id"] for p in replay.info()["players"]}


def test_versions_five_and_seven(replay: Any) -> None:
    for version in (5, 7):
        data = replay.encode(version=version, mod_id="42" if version == 7 else None)
        other: Any = ksreplay.open(data, private=True)
        assert other.setup.header.version == version
        assert meaning(data)[0][0] == meaning(replay.source.data)[0][0]
        assert meaning(data)[2] == meaning(replay.source.data)[2]
        assert other.setup.header.max_units == replay.roster.max_units
        if version != replay.setup.header.version:  # the same version says the same, whatever it holds
            assert other.setup.sector_text(7) == ("42" if version == 7 else None)
        assert "header-crc" not in {problem["code"] for problem in other.info(full=True)["problems"]}
    back = ksreplay.open(replay.encode(version=5), private=True).encode(version=7)
    assert ksreplay.open(back).info()["format_version"] == 7


def test_what_a_version_cannot_say_is_named() -> None:
    replay = ksreplay.open(setup())
    with pytest.raises(ReplayError) as caught:
        replay.encode(version=4)
    assert (caught.value.code, caught.value.where) == ("not-writable", "sectors")
    with pytest.raises(ReplayError) as caught:
        replay.encode(version=7, mod_id="\u4e2d")
    assert (caught.value.code, caught.value.where) == ("not-writable", "mod_id")
    bare: Any = ksreplay.open(setup(version=3, max_units=None))
    bare.setup.statuses.clear()
    with pytest.raises(ReplayError) as caught:
        bare.encode(version=5)
    assert caught.value.where == "header.max_units"


def test_whatever_stands_before_the_packets_is_written_again() -> None:
    """Any byte of it may be wrong, records may be too short to have fields, and the file may end anywhere."""
    data = recording(build.base(3) + build.IDLE, sectors=((3, b"0.99"), (1, b"")), entries=({"sub": 3, "fill": 0,
                     "key": 7, "value": 257},))  # fmt: skip
    whole: Any = ksreplay.open(data)
    begins = {0}
    while max(begins) < whole.setup.end:
        begins.add(max(begins) + int.from_bytes(data[max(begins) : max(begins) + 2], "little"))
    broken = [data[:end] for end in range(30, len(data), 5)]
    broken += [
        data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :] for at in range(10, len(data), 3) for flip in (1, 128)
    ]
    broken += [data[:at] + b"\x03\x00x" + data[at + int.from_bytes(data[at : at + 2], "little") :]
               for at in sorted(begins) if 0 < at < whole.setup.end]  # fmt: skip
    short = 0
    for bad in broken:
        try:
            replay: Any = ksreplay.open(bad)
        except ReplayError:
            continue
        short += any(problem.code == "setup-short" for problem in replay.problems)
        assert replay.encode() == bad[: replay.end]
    assert short >= 6


def test_a_cut_tail_is_left_out(corpus: Path) -> None:
    replay = ksreplay.open(corpus / "tad" / "synthetic" / "edge" / "truncated_tail.tad")
    again = ksreplay.open(replay.encode())
    assert again.info(full=True)["complete"]
    assert len(again.offsets) == len(replay.offsets)  # type: ignore[attr-defined]


def test_cut_keeps_ticks(replay: Any) -> None:
    stream, packets = replay.stream, replay.packets
    wall = packets.wall_ms
    first, last = int(wall[len(wall) // 3]), int(wall[len(wall) * 2 // 3])
    part: Any = ksreplay.open(replay.cut(first, last, by="ms"))
    keep = (wall >= first) & (wall <= last)
    assert len(part.packets) == int(keep.sum())
    rows = keep[stream.records] & np.isin(stream.ids, (0xFD, 0xFF, 0x2C))
    assert part.stream.tick[part.stream.syncs].tolist() == stream.tick[rows].tolist()
    by_tick: Any = ksreplay.open(replay.cut(100, 150))
    ticks = by_tick.stream.tick[by_tick.stream.syncs]
    assert {100, 150} <= set(ticks.tolist())
    assert ticks.min() > 80
    assert ticks.max() < 170
    assert len(ksreplay.open(replay.cut()).offsets) == len(replay.offsets)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("first", "last", "by"), [(150, 100, "tick"), (10**9, None, "tick"), (9, 3, "ms")])
def test_cut_of_nothing_is_refused(replay: Any, first: int, last: int | None, by: str) -> None:
    with pytest.raises(ksreplay.ReplayError) as caught:
        replay.cut(first, last, by=by)
    assert caught.value.code == "empty-range"


def test_cut_gives_a_base_where_there_is_none() -> None:
    event = b"\x11\x01\x00\x01"
    replay: Any = ksreplay.open(recording(build.base(10) + build.IDLE * 2, event + build.IDLE * 2))
    part: Any = ksreplay.open(replay.cut(60, by="ms"))
    assert part.stream.ids.tolist() == [0x11, 0xFE, 0xFF, 0xFF]
    assert part.stream.tick[part.stream.syncs].tolist() == [12, 13]


def redacted(replay: Any, **actions: Any) -> Any:
    data, report = redact(replay, Pseudonymizer("key"), Policy(actions))
    return ksreplay.open(data, private=True), report


def test_redaction_keeps_what_is_public(replay: Any) -> None:
    other, report = redacted(replay)
    before, after = replay.info(full=True), other.info(full=True)
    assert meaning(other.source.data) == meaning(replay.source.data)
    assert [p["code"] for p in after["problems"]] == [p["code"] for p in before["problems"]]
    for mine, theirs in zip(before["players"], after["players"], strict=True):
        assert {**mine, "name": ""} == {**theirs, "name": ""}
        assert mine["name"] != theirs["name"]
    assert {"name"} <= set(report.counts)
    for name in ("builds", "deaths", "resources", "movement", "status", "sync", "unit_types"):
        for one, two in zip(replay.tables[name].rows(), other.tables[name].rows(), strict=True):
            assert repr(one) == repr(two)


def test_redaction_leaves_nothing_private() -> None:
    replay: Any = ksreplay.open(sample(), private=True)
    other, report = redacted(replay)
    data = other.source.data
    for text in ("watch the tank", "this is a sample", "<Ada>", "192.0.2.1"):
        assert all(text.encode() not in stream for _, stream in other.streams())
    assert set(other.tables["chat"]["text"]) <= {"x" * 11, "x" * 7, "x" * 22, "x" * 20}
    assert report.to_dict()["changed"] == {"address": 3, "chat": 3, "comment": 1, "name": 3}
    assert other.unit_types.header_crc is not None
    assert "header-crc" not in {problem["code"] for problem in other.info(full=True)["problems"]}
    assert Tad.from_bytes(data).header.body.map_name == "Sample Valley"


def test_redaction_by_policy() -> None:
    replay: Any = ksreplay.open(sample(), private=True)
    other, _ = redacted(replay, chat="keep")
    lines = list(other.tables["chat"]["text"])
    assert any("watch the tank" in line for line in lines)
    assert not any("Ada" in line for line in lines)


def test_redaction_of_every_place() -> None:
    payloads = (
        b"\x05" + b"<alpha> secret words".ljust(64, b"\0"),
        b"\x05" + b"<alpha> " + b"secret words " * 9,
        b"\xf9" + bytes(8) + b"secret words".ljust(64, b"\0"),
        b".secretcommand",
        b"\xfb\x0c\x00secret words",
        b"\x06\x77secret words",
    )
    data = recording(*payloads, sectors=((1, b"secret words"), (2, b"<alpha> secret\r"), (99, b"secret words")))
    replay: Any = ksreplay.open(data, private=True)
    other, _ = redacted(replay)
    assert all(b"secret" not in stream for _, stream in other.streams())
    assert other.stream.lengths.tolist() == replay.stream.lengths.tolist()
    assert other.stream.ids.tolist() == replay.stream.ids.tolist()


def test_redaction_of_what_no_table_shows() -> None:
    """Behind end marks and terminators, behind an unknown flag, in a note of a failed checksum, in a status."""
    word = b"secret words"
    info = build.player_info("map", player=5, side=0, color=1, max_units=500) + build.team(5)
    camera = b"\xfc\1\0\2\0"
    notes = [start + b"in checksum?!?!>" + word + camera for start in (b"", b"\3")]
    data = (
        build.header(5, 2, 500, b"map\0" + word)
        + build.sectors([(3, b"0.99\0" + word)])
        + build.player(1, 0, 1, b"alpha\0" + word)
        + build.player(1, 0, 2, b"beta\0" + word)
        + b"".join(build.status(n, info + b"\x05" + word * 9, compress=n == 2) for n in (1, 2))
        + build.unit_data(())
        + b"".join(build.record(b"\1\0\1" + body) for body in (b"\4\6\x12\x12\0\0\0" + word, b"\5" + word, *notes))
    )
    replay: Any = ksreplay.open(data, private=True)
    assert sum(word in stream for _, stream in replay.streams()) == 3
    other, _ = redacted(replay)
    assert not any(b"secret" in stream for _, stream in other.streams())
    assert [status.dpid for status in other.setup.statuses] == [5, 5]
    assert all(status.checksum_ok for status in other.setup.statuses)
    assert other.packets.kinds.tolist() == replay.packets.kinds.tolist()
    assert other.stream.lengths.tolist() == replay.stream.lengths.tolist()
    assert other.stream.ids.tolist() == replay.stream.ids.tolist()
    assert all(data.endswith(camera) for data in (other.source.data, other.source.data[: other.offsets[-1]]))


def test_a_changed_payload_that_no_longer_fits() -> None:
    """A base more than a record can hold plain is stored compressed; what cannot be stored at all is said."""
    full: Any = ksreplay.open(setup() + build.packet(9, 1, build.base(7)) + build.packet(90, 1, build.IDLE * 65_529))
    part: Any = ksreplay.open(full.cut(50, by="ms"))
    assert part.stream.tick[part.stream.syncs].tolist() == list(range(7, 7 + 65_529))
    # a packet that the recorder's compressor makes too large, since it refers to nothing from byte 1997 on
    front = b"\x05" + b"<alpha> secret words".ljust(64, b"\0") + b"\x77" + random.Random(6).randbytes(3998)
    literals = b"".join(b"\0" + front[at : at + 8] for at in range(0, len(front), 8))
    words = b"\xff" + (100 << 4 | 15).to_bytes(2, "little") * 8
    packed = literals + words * 451
    replay: Any = ksreplay.open(setup() + build.record(b"\1\0\1\4" + packed), private=True)
    assert int((replay.packets.ends - replay.packets.starts)[0]) == len(front) + 451 * 8 * 17
    other, _ = redacted(replay)
    assert other.stream.lengths.tolist() == replay.stream.lengths.tolist()
    noise = build.packet(90, 1, build.IDLE + b"\x77" + random.Random(6).randbytes(65_527))
    replay = ksreplay.open(setup() + build.packet(9, 1, build.base(7)) + noise)
    with pytest.raises(ReplayError) as caught:
        replay.cut(50, by="ms")
    assert (caught.value.code, caught.value.where) == ("record-size", "packets[1]")


# --- following --------------------------------------------------------------------------------------------------------


def test_following_a_growing_file(corpus: Path, tmp_path: Path) -> None:
    data = (corpus / "tad" / "synthetic" / "small_v5_plain.tad").read_bytes()
    whole: Any = ksreplay.open(data)
    target = tmp_path / "live.tad"
    target.write_bytes(b"")
    follower = Follower(target)
    ticks: list[int] = []
    ids: list[int] = []
    offsets: list[int] = []
    for end in [*range(0, len(data), 7001), len(data)]:
        target.write_bytes(data[:end])
        stream = follower.poll()
        if stream is not None:
            ticks += stream.tick.tolist()
            ids += stream.ids.tolist()
            offsets += stream.packets.offsets.tolist()
    assert follower.poll() is None
    assert ticks == whole.stream.tick.tolist()
    assert ids == whole.stream.ids.tolist()
    assert offsets == whole.offsets.tolist()
    assert (follower.records, follower.wall_ms) == (len(whole.packets), int(whole.packets.wall_ms[-1]))
    assert follower.position == len(data)
    target.write_bytes(data[:100])
    with pytest.raises(ReplayError):
        follower.poll()


# --- whole recordings -------------------------------------------------------------------------------------------------

names = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=16)
subpackets = st.one_of(
    st.just(b"\x06"),
    st.integers(1, 999).map(lambda unit: b"\x11" + unit.to_bytes(2, "little") + b"\x01"),
    st.integers(0, 2**31).map(lambda tick: build.base(tick)),
    st.just(build.IDLE),
    st.binary(min_size=4, max_size=40).map(build.elided),
    st.binary(min_size=64, max_size=64).map(lambda text: b"\x05" + text[:63] + b"\0"),
)  # fmt: skip


@st.composite
def recordings(draw: Any) -> bytes:
    version = draw(st.sampled_from([3, 4, 5, 7]))
    count = draw(st.integers(1, 4))
    players = tuple((n + 1, draw(st.integers(0, 2)), draw(names)) for n in range(count))
    data = setup(version=version, max_units=draw(st.integers(20, 1500)), players=players, map_name=draw(names))
    for _ in range(draw(st.integers(0, 12))):
        payload = b"".join(draw(st.lists(subpackets, min_size=1, max_size=8)))
        if payload[0] == 0x2E or payload.startswith((b"in checksum", b"<error")):
            continue
        if version == 3:  # the transport's sequence, inside the compression
            payload = draw(st.binary(min_size=4, max_size=4)) + payload
        data += build.packet(draw(st.integers(0, 65535)), draw(st.integers(1, count)), payload,
                             compress=draw(st.booleans()))  # fmt: skip
    return data


@settings(deadline=None, max_examples=60)
@given(recordings())
def test_whole_recordings_there_and_back(data: bytes) -> None:
    replay: Any = ksreplay.open(data, private=True)
    assert replay.encode() == data
    assert replay.encode(compress="recorder") == data
    assert meaning(replay.unwrap())[2] == meaning(data)[2]
    assert not {p.code for p in replay.validate()} - {"tick-gap", "repeated-bundle", "tick-unknown", "catalog-width",
                                                       "sync-unread", "play-version"}  # fmt: skip
    assert json.dumps(replay.info(full=True))

"""Rewriting gives the same bytes; retargeted, cut and repaired demos are valid and say what they should."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import corpus_folder
from spring_demo_file import COUNTERS, DEMO, ENDS, MESSAGES, SAMPLE, SCRIPT, STREAM

import ksreplay
from ksreplay.errors import Corrupt
from ksreplay.formats import spring_build as build
from ksreplay.formats.spring_build import chunk, packet
from ksreplay.replays.spring import SpringReplay

FOLDER = corpus_folder()
REAL = sorted(path for path in (FOLDER / "spring").rglob("*.sdf*") if path.stat().st_size) if FOLDER else []


def open_(data: Any) -> SpringReplay:
    replay = ksreplay.open(data, private=True)
    assert isinstance(replay, SpringReplay)
    return replay


def codes(data: bytes) -> set[str]:
    with open_(data) as replay:
        return {problem.code for problem in replay.validate() if problem.severity in ("fatal", "part", "strict")}


@pytest.mark.parametrize(
    "path", REAL or [pytest.param(Path(), marks=pytest.mark.skip("no corpus"))], ids=lambda p: p.name
)
def test_a_real_demo_rewritten_is_the_same(path: Path) -> None:
    with open_(path) as replay:
        plain, original = replay.encode(suffix=".sdf"), replay.match.demo.data
        if path.name == "gzip-truncated.sdfz":  # its header promises more stream than there is
            assert plain[352:] == original[352:]
        else:
            assert plain == original


def test_the_container_stays_or_follows_the_suffix() -> None:
    for members in (1, 2):
        packed = build.compress(DEMO, client=members == 2)
        with open_(packed) as replay:
            assert replay.encode() == packed
            assert replay.encode(suffix=".sdf") == DEMO
    with open_(DEMO) as replay:
        assert replay.encode() == DEMO
        assert gzip.decompress(replay.encode(suffix=".sdfz")) == DEMO


def test_the_stream_is_built_from_its_fields() -> None:
    """A wrong size field inside a well-formed stream does not survive: it is no field but follows from the packet."""
    with open_(DEMO) as replay:
        messages = replay.match.messages["COMMAND"]
        messages.records["command_id"][0] = -77
        changed = replay.encode()
    with open_(changed) as replay:
        assert replay.tables["commands"]["command_id"].tolist() == [-77, 10]


@pytest.mark.parametrize("version", [1, 3, 4, 5])
@pytest.mark.parametrize("source", [1, 3, 4, 5])
def test_header_versions(source: int, version: int) -> None:
    options = {"winners": [0]} if source == 5 else {"winning_ally_team": 0}
    data = build.demo(SCRIPT, STREAM, version=source, players=[COUNTERS], teams=[[SAMPLE]], **options)
    with open_(data) as replay:
        before, plain = replay.info(full=True), replay.encode(version=version)
    with open_(plain) as replay:
        after = replay.info(full=True)
        assert replay.match.header.version == version
        assert after["result"]["winners"] == before["result"]["winners"]
        assert after["tables"] == before["tables"]
        if source == version:
            assert plain == data


def test_what_an_old_header_cannot_say_is_an_error() -> None:
    two = build.demo(SCRIPT, STREAM, winners=[0, 1], players=[COUNTERS], teams=[[SAMPLE]])
    long = build.demo(SCRIPT, STREAM, engine_version="105.1.1-2590-gb9462a0 BAR105")
    high = build.demo(SCRIPT, STREAM, version=4, players=[COUNTERS], teams=[[SAMPLE]], winning_ally_team=256)
    high = high.replace(MESSAGES[-2], b"\xc8" + MESSAGES[-2][1:])  # no GAMEOVER names another
    for data, version in ((two, 4), (long, 4), (high, 5), (DEMO, 7)):
        with open_(data) as replay, pytest.raises(ksreplay.ReplayError) as error:
            replay.encode(version=version)
        assert error.value.code == "not-writable"


def test_retarget_changes_both_names_and_nothing_else() -> None:
    script = SCRIPT.replace(b"gametype=G;", b'gametype = "G = {1}"; // [not] a name\n')
    stream = b"".join(chunk(i / 2, m) for i, m in enumerate([build.game_data(script), *MESSAGES[1:]]))
    data = build.demo(script, stream, winners=[0], players=[COUNTERS], teams=[[SAMPLE]])
    with open_(data) as replay:
        assert replay.info()["game"] == "G = {1}"
        changed = replay.retargeted("Other 2.0")
        before = {name: list(replay.tables[name].rows()) for name in ("commands", "chat", "team_statistics")}
    with open_(changed) as replay:
        document = replay.info(full=True)
        assert document["game"] == "Other 2.0"
        assert document["details"]["script_matches_gamedata"] is True
        assert document["details"]["packets"] == len(MESSAGES)
        assert replay.match.game_data is not None
        assert b"Other 2.0" in replay.match.game_data.script
        assert {name: list(replay.tables[name].rows()) for name in before} == before
        assert replay.retargeted("G") != changed


def test_retarget_leaves_a_crashed_recording_crashed() -> None:
    data = build.demo(SCRIPT, STREAM, crashed=True)
    with open_(data) as replay:
        changed = replay.retargeted("Other 2.0")
    with open_(changed) as replay:
        assert replay.match.header.len_stream == 0
        assert replay.info()["details"]["packets"] == len(MESSAGES)


def test_retarget_refuses_a_copy_that_would_play_the_original() -> None:
    """The engine loads the game of the GAMEDATA packet, so the header's name alone changes nothing."""
    damaged = bytearray(MESSAGES[0])
    damaged[5] ^= 0xFF
    for first in (bytes(damaged), MESSAGES[1], MESSAGES[0][:-1]):
        stream = b"".join(chunk(i, message) for i, message in enumerate([first, *MESSAGES[2:]]))
        with open_(build.demo(SCRIPT, stream)) as replay, pytest.raises(ksreplay.ReplayError) as error:
            replay.retargeted("Other 2.0")
        assert error.value.code == "not-writable"


@pytest.mark.parametrize("game", ["", "a;b", "a\nb", '"a"', " a"])
def test_a_name_that_the_script_cannot_hold(game: str) -> None:
    with open_(DEMO) as replay, pytest.raises(ksreplay.ReplayError) as error:
        replay.retargeted(game)
    assert error.value.code == "not-writable"


def test_a_script_that_names_no_game_gets_one_or_none() -> None:
    for tail, fits in ((b"", True), (b"[restrict]{}", False), (b"// }", False)):
        script = SCRIPT.replace(b"gametype=G;", b"") + tail
        with open_(build.demo(script, chunk(0, build.game_data(script)))) as replay:
            if fits:
                assert open_(replay.retargeted("Other 2.0")).info()["game"] == "Other 2.0"
            else:
                with pytest.raises(ksreplay.ReplayError, match="would not be read"):
                    replay.retargeted("Other 2.0")


def frames_demo(frames: int = 60) -> bytes:
    messages = [build.game_data(SCRIPT), packet("gameid", game_id=bytes(range(16)))]
    for frame in range(frames):
        messages.append(packet("keyframe", frame=frame) if frame % 16 == 0 else packet("newframe"))
        messages.append(packet("command", player=0, command_id=frame, params=[]))
    messages.append(packet("gameover", player=0, winning_ally_teams=[0]))
    stream = b"".join(chunk(i / 30, message) for i, message in enumerate(messages))
    samples = [{**SAMPLE, "frame": frame} for frame in (0, 30, 60)]
    return build.demo(SCRIPT, stream, winners=[0], players=[COUNTERS], teams=[samples])


@pytest.mark.parametrize("first,last", [(0, 20), (10, 40), (5, 5), (None, 30), (20, None), (17, 59)])
def test_cut_keeps_the_frames_and_their_numbers(first: int | None, last: int | None) -> None:
    with open_(frames_demo()) as replay:
        data = replay.cut(first, last)
    low, high = first or 0, 59 if last is None else last
    with open_(data) as replay:
        assert replay.tables["commands"]["frame"].tolist() == list(range(low, high + 1))
        assert replay.tables["commands"]["command_id"].tolist() == list(range(low, high + 1))
        assert replay.match.stream.last_frame == high
        assert replay.match.game_data is not None
        kept = [frame for frame in (0, 30, 60) if frame <= high or high == 59]
        assert replay.tables["team_statistics"]["frame"].tolist() == kept
        assert (replay.info()["result"] is None) is (high < 59)
        if high < 59:
            assert replay.match.header.wallclock_seconds == int(replay.match.stream.time[-1])
    assert codes(data) == set()


def test_frames_that_do_not_follow_on_each_other_keep_their_numbers() -> None:
    steps = [packet("keyframe", frame=0), packet("newframe"), packet("keyframe", frame=40), packet("newframe"),
             packet("keyframe", frame=3), packet("newframe"), packet("newframe"), b"\x01\0\0"]  # fmt: skip
    messages = [build.game_data(SCRIPT), *steps]
    with open_(build.demo(SCRIPT, b"".join(chunk(i, message) for i, message in enumerate(messages)))) as replay:
        assert replay.match.stream.frame.tolist() == [-1, 0, 1, 40, 41, 3, 4, 5, 5]
        data = replay.cut(4, 40)
        with pytest.raises(ksreplay.ReplayError, match="no frame"):
            replay.cut(6, 39)
    with open_(data) as replay:
        assert replay.match.stream.frame.tolist() == [-1, 40, 4, 5, 5]


def test_a_cut_of_frames_that_state_their_numbers_adds_no_message_that_their_engine_has_not() -> None:
    frames = [chunk(frame, packet("newframe_numbered", frame=frame)) for frame in range(9)]
    data = build.demo(SCRIPT, chunk(0, packet("chat", player=0, destination=254, text="hi")) + b"".join(frames),
                      version=1, engine_version="0.76b1")  # fmt: skip
    with open_(data) as replay:
        cut = replay.cut(4, 7)
    with open_(cut) as replay:
        assert replay.match.stream.frame.tolist() == [-1, 4, 5, 6, 7]
        assert replay.tables["packets"]["name"].tolist() == ["CHAT", *["NEWFRAME"] * 4]


@pytest.mark.parametrize("last", [20, None])
def test_a_cut_of_a_broken_recording_is_whole(last: int | None) -> None:
    """Crashed, inside a packet, inside the trailer, and with bytes behind it."""
    whole = frames_demo()
    with open_(whole) as replay:
        end = replay.match.demo.ofs_trailer
        stream = replay.unwrap("stream")
    crashed = build.demo(SCRIPT, stream, crashed=True)
    for data in (crashed, crashed[:-3], whole[: end - 3], whole[: end + 30], whole[:-100], whole + b"more"):
        with open_(data) as replay:
            cut = replay.cut(3, last)
            high = replay.match.last_frame if last is None else last
        with open_(cut) as replay:
            assert replay.tables["commands"]["frame"].tolist() == list(range(3, high + 1))
            assert replay.info()["complete"] is True
        assert codes(cut) == set()


@pytest.mark.parametrize("first,last", [(10, 5), (-3, 5), (100, None), (60, 100), (None, -1), (1 << 40, 1 << 41)])
def test_an_empty_cut_is_refused(first: int, last: int | None) -> None:
    with open_(frames_demo()) as replay, pytest.raises(ksreplay.ReplayError) as error:
        replay.cut(first, last)
    assert error.value.code == "empty-range"


def test_repair_of_every_cut() -> None:
    for size in range(352 + len(SCRIPT), len(DEMO), 5):
        with open_(DEMO[:size]) as replay:
            data = replay.repaired()
        with open_(data) as replay:
            document = replay.info(full=True)
            assert document["details"]["packets"] == int(np.searchsorted(ENDS, size, "right"))
        assert codes(data) - {"zlib-damaged"} <= ({"unfinished"} if not document["details"]["packets"] else set())


def test_repair_of_a_crashed_recording() -> None:
    data = build.demo(SCRIPT, STREAM + b"\0\0\0", crashed=True)
    with open_(data) as replay:
        whole = replay.repaired()
    with open_(whole) as replay:
        document = replay.info(full=True)
        assert document["complete"] is True or {p["code"] for p in document["problems"]} >= {"zlib-damaged"}
        assert replay.match.header.len_stream == len(STREAM)
        assert document["details"]["game_time_s"] == 0
        assert document["details"]["wallclock_s"] == 7
    assert codes(whole) == {"zlib-damaged"}


@pytest.mark.parametrize("offset", [308, *range(320, 352, 4)])
@pytest.mark.parametrize("value", [-1, -(1 << 31), 0, (1 << 31) - 1])
def test_repair_of_a_header_with_a_wrong_size(offset: int, value: int) -> None:
    data = bytearray(frames_demo())
    data[offset : offset + 4] = value.to_bytes(4, "little", signed=True)
    with open_(bytes(data)) as replay:
        packets, whole = len(replay.match.stream), replay.repaired()
    assert codes(whole) <= (set() if packets else {"unfinished"})
    with open_(whole) as replay:
        assert len(replay.match.stream) == packets


@pytest.mark.parametrize("field", ["ofs_player_stats", "ofs_team_stats"])
@pytest.mark.parametrize("value", [-1, -(1 << 31), 0, (1 << 31) - 1])
def test_repair_of_a_wrong_offset(field: str, value: int) -> None:
    options: dict[str, Any] = {"version": 1, "engine_version": "0.76b1", "players": [COUNTERS]}
    with open_(build.demo(SCRIPT, STREAM, **options, **{field: value})) as replay:
        whole = replay.repaired()
    assert codes(whole) <= codes(build.demo(SCRIPT, STREAM, **options))


def test_repair_of_a_negative_count_of_samples() -> None:
    data = build.demo(SCRIPT, STREAM, winners=[0], players=[COUNTERS], teams=[[SAMPLE], []])
    assert data[-84:-80] == bytes(4)
    with open_(data[:-84] + b"\xff" * 4 + data[-80:]) as replay:
        assert replay.repaired() == data


def test_repair_leaves_a_whole_demo_as_it_is() -> None:
    with open_(DEMO) as replay:
        assert replay.repaired() == DEMO


def test_a_large_file_is_let_go_of_and_known_again_by_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    payload = b"=" + bytes(60_000)
    stream = STREAM + 20 * chunk(9, packet("luamsg", player=0, script=100, mode=0, payload=payload))
    data = gzip.compress(build.demo(SCRIPT, stream), compresslevel=0)
    path = tmp_path / "large.sdfz"
    path.write_bytes(data)
    monkeypatch.chdir(tmp_path)
    with ksreplay.open("large.sdfz") as replay:
        assert dict(replay.streams())[""] == data
        path.write_bytes(data + b"what the recorder adds")
        monkeypatch.chdir("/")
        assert replay.source.data == data
        path.write_bytes(data[:-1] + b"x")
        for _ in range(2):  # another file, then none
            with pytest.raises(Corrupt) as caught:
                _ = replay.source.data
            assert caught.value.code == "file-changed"
            path.unlink(missing_ok=True)
        assert replay.info()["file"] == {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        assert replay.encode() == ksreplay.open(data).encode()

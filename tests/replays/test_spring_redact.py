# ruff: noqa: E501 - messages on one line each
"""A redacted demo is valid, gives the same tables, and holds nothing private anywhere."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, corpus_folder
from spring_demo_file import COUNTERS, SCRIPT
from spring_demo_file import SAMPLE as STATS

import ksreplay
from ksreplay.formats import spring_build as build
from ksreplay.formats.spring_build import chunk, packet
from ksreplay.redact import Policy, Pseudonymizer, Report, redact

FOLDER = corpus_folder()
SAMPLE = ROOT / "src" / "samples" / "sample.sdfz"
FILES = [SAMPLE, *(sorted((FOLDER / "spring").glob("*test3.sdfz")) if FOLDER else []),
         *(sorted((FOLDER / "spring" / "derived").glob("*")) if FOLDER else [])]  # fmt: skip
FILES = [path for path in FILES if path.suffix.startswith(".sdf") and path.stat().st_size]


def redacted(data: Any, policy: Policy | None = None, key: str = "key") -> tuple[bytes, Report]:
    with ksreplay.open(data, private=True) as replay:
        return redact(replay, Pseudonymizer(key), policy or Policy())


def table(data: Any, name: str, *drop: str) -> list[dict[str, Any]]:
    with ksreplay.open(data, private=True) as replay:
        schema = replay.tables.schema(name)
        dropped = {c.name for c in schema if c.private or c.name.endswith("name")} | set(drop)
        return [{k: v for k, v in row.items() if k not in dropped} for row in replay.tables[name].rows()]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_everything_but_names_and_private_columns_stays(path: Path) -> None:
    data, _ = redacted(path)
    with ksreplay.open(path) as before, ksreplay.open(data) as after:
        old, new = before.info(full=True), after.info(full=True)
        assert new["tables"] == old["tables"]
        assert new["details"].get("packet_counts") == old["details"].get("packet_counts")
        assert new["result"] == old["result"]
        assert {p["code"] for p in new["problems"]} <= {p["code"] for p in old["problems"]}
    for name in ("commands", "build_orders", "timeline", "team_statistics", "player_statistics", "start_positions",
                 "lua_messages", "unit_definitions", "colours", "map_draws", "chat", "units_ordered"):  # fmt: skip
        keep = ("size",) if name == "lua_messages" else ()
        assert table(data, name, *keep) == table(path, name, *keep), name


def test_the_sample_tells_nothing() -> None:
    data, report = redacted(SAMPLE)
    with ksreplay.open(data, private=True) as replay:
        streams = b"".join(raw for _, raw in replay.streams())
        for secret in (b"Alma", b"[TEST]Boris", b"Carla", b"Dora", b"good luck", b"meet here", b"Sample CPU", b"archive", b"1000001",
                       b"127.0.0.1", b"8452", b"DraftOrder 1", b"=camera"):  # fmt: skip
            assert secret not in streams, secret
        names = replay.tables["players"]["name"].tolist()
        assert len(set(names)) == 4
        assert replay.info()["details"]["script_matches_gamedata"] is True
    assert report.to_dict()["changed"]["chat"] == 5


def test_one_key_gives_one_name_and_a_random_key_another() -> None:
    def names(key: Any) -> list[str]:
        with ksreplay.open(redacted(SAMPLE, key=key)[0]) as replay:
            return list(replay.tables["players"]["name"])

    assert names("a") == names("a")
    assert not set(names("a")) & set(names(None))


def test_what_the_policy_keeps_stays_but_for_names() -> None:
    script = SCRIPT.replace(b"name=A;", b"name=Gregory;")
    messages = [
        build.game_data(script), packet("chat", player=0, destination=254, text="Gregory wins"),
        packet("luamsg", player=0, script=100, mode=0, payload=b"zz Gregory"),
        packet("clientdata", player=0, compressed_text=zlib.compress(b"PC of Gregory")),
        packet("attemptconnect", network_version=1, name="Gregory", password="hidden", version="1", platform="Sample OS",
               reconnect=0, netloss=1),
    ]  # fmt: skip
    data = build.demo(script, b"".join(chunk(0, message) for message in messages))
    policy = Policy({"chat": "keep", "lua": "keep", "client": "keep"})
    with ksreplay.open(redacted(data, policy)[0], private=True) as replay:
        (name,) = replay.tables["players"]["name"]
        assert replay.tables["chat"]["text"].tolist() == [f"{name} wins"]
        assert replay.tables["lua_messages"]["payload"].tolist() == [f"zz {name}".encode()]
        assert replay.tables["client_data"]["text"].tolist() == [f"PC of {name}"]
        assert b"hidden" not in replay.source.data
        assert b"Sample OS" in replay.source.data
        assert b"Gregory" not in replay.source.data


def test_what_cannot_be_searched_is_blanked() -> None:
    messages = [build.game_data(SCRIPT), b"\xc8a secret", b"\x07\x63\0\xfeanother secret\0", packet("clientdata", player=0, compressed_text=b"not zlib, a secret")]  # fmt: skip
    data = build.demo(SCRIPT, b"".join(chunk(0, message) for message in messages) + b"secret!", crashed=True)
    result, report = redacted(data)
    assert b"secret" not in result
    assert len(report.notes) >= 2
    with ksreplay.open(result) as replay:
        assert len(replay.tables["packets"]) == 4


def told(messages: list[bytes], policy: Policy | None = None, script: bytes = SCRIPT) -> tuple[list[bytes], set[str]]:
    """Everything that a redacted demo holds, inflated too, and the problems that it did not have before."""
    data = build.demo(script, b"".join(chunk(0, message) for message in messages))
    result, _ = redacted(data, policy)
    with ksreplay.open(data) as before, ksreplay.open(result, private=True) as replay:
        new = {p.code for p in replay.validate()} - {p.code for p in before.validate()}
        assert replay.info()["result"] == before.info()["result"]
        return [raw for _, raw in replay.streams()], new


def test_names_that_are_no_utf_8_go_everywhere() -> None:
    name = "J\xf6rgen".encode("latin-1")
    script = SCRIPT.replace(b"name=A;", b"name=" + name + b";")
    messages = [
        build.game_data(script), b"\x06\x0a\0" + name + b"\0", build.framed("SYSTEMMSG", 2, b"\xff" + name + b" left\0"),
        build.framed("CREATE_NEWPLAYER", 2, b"\x01\x01\0" + name + b"2\0"),
    ]  # fmt: skip
    streams, new = told(messages, script=script)
    assert new == set()
    assert not [raw for raw in streams if b"rgen" in raw]


@pytest.mark.parametrize(
    "tail",
    [b"// secret of Gregory, 10.1.2.3\n", b"/* secret */", b"secret!\n", b"[secret\n", b"[a] /* secret */ {}", b"\0secret",
     b"[a]{" * 200 + b"hostip=secret;"],
)  # fmt: skip
def test_what_a_script_holds_between_its_parts_goes(tail: bytes) -> None:
    script = SCRIPT.replace(b"name=A;", b"name=Gregory;") + tail
    streams, new = told([build.game_data(script)], script=script)
    assert new == set()
    assert not [raw for raw in streams if b"secret" in raw or b"Gregory" in raw]
    kept, _ = told([build.game_data(script)], Policy({"comment": "keep"}), script)
    assert any(b"secret" in raw for raw in kept)
    assert not [raw for raw in kept if b"Gregory" in raw]


@pytest.mark.parametrize("label", ["gold", "golden gate"])
def test_a_label_that_is_read_as_a_place_goes(label: str) -> None:
    """Without a version text a point of 16 bits a place is read as one of 32."""
    point = packet("map_draw_point_narrow", player=0, x=100, z=200, label=label)
    result, _ = redacted(build.demo(SCRIPT, chunk(0, point), engine_version="unknown"))
    with ksreplay.open(result) as replay:
        assert replay.match.stream.size.tolist() == [len(point)]
        assert not replay.match.messages.malformed.any()
    assert b"gol" not in result and b"old" not in result


def test_a_trailer_whose_place_is_a_guess_is_left_out() -> None:
    """Of the size that the header states it would begin inside of the stream, whose own size is negative."""
    texts = [packet("chat", player=0, destination=254, text=f"a secret {number}".ljust(27, "!")) for number in range(9)]
    stream = b"".join(chunk(0, message) for message in texts)
    demo = build.demo(SCRIPT, stream, players=[COUNTERS], teams=[[STATS]], len_stream=-1, len_team_stats=84 + 160)
    result, _ = redacted(demo)
    assert b"ecret" not in result and b"!!!!" not in result


def test_a_script_that_begins_late_tells_nothing() -> None:
    """A header that is too large, or an offset, may cut the key off that says what is private."""
    script = (
        b"// by hand\n[game] // c\n{mapname=M;[player0]{name=A;password=secret;accountid=75309;}[team0]{}gametype=G;}"
    )
    demo = build.demo(script, chunk(0, packet("keyframe", frame=0)))
    for late in (0, script.index(b"sword"), script.index(b"id=75309")):
        data = demo[:20] + (352 + late).to_bytes(4, "little") + demo[24:]
        result, _ = redacted(data)
        assert b"secret" not in result and b"75309" not in result, late
        assert b"gametype=G" in result
        assert (b"mapname=M" in result) is (late == 0)


def test_bytes_behind_client_data_go() -> None:
    for text in (b"", b"xxx"):
        packed = zlib.compress(text) + b"a secret"
        streams, new = told([build.game_data(SCRIPT), packet("clientdata", player=0, compressed_text=packed)])
        assert new == set()
        assert not [raw for raw in streams if b"secret" in raw]


def test_what_is_malformed_stays_malformed() -> None:
    """A blanked message whose letters say its size would be a message: here of who has won."""
    for size in (120, 0x7878):
        told([build.game_data(SCRIPT), b"\x1e\x77" + bytes(size - 2), b"\x0c\x77" + bytes(size - 2)])


def test_erased_names_are_letters_as_long() -> None:
    script = SCRIPT.replace(b"name=A;", b"name=Gregory;")
    data = build.demo(script, chunk(0, build.game_data(script)))
    with ksreplay.open(redacted(data, Policy({"name": "erase"}))[0]) as replay:
        assert replay.tables["players"]["name"].tolist() == ["xxxxxxx"]


def test_the_container_follows_the_suffix() -> None:
    data = build.demo(SCRIPT, chunk(0, build.game_data(SCRIPT)))
    for source in (data, build.compress(data)):
        with ksreplay.open(source, private=True) as replay:
            for suffix, gzipped in ((".sdf", False), (".sdfz", True), ("", source is not data)):
                result, _ = redact(replay, Pseudonymizer("key"), Policy(), suffix=suffix)
                assert (result[:2] == b"\x1f\x8b") is gzipped


@pytest.mark.parametrize("text", ["key{}=a secret;", "\nsecret{}=1;\n[secret]\n{{"])
@pytest.mark.parametrize("version,offset", [(5, 304), (5, 308), (4, 68)])
def test_a_wrong_size_hides_nothing(version: int, offset: int, text: str) -> None:
    """Where the script or the stream seems to end early or late, messages stand in other parts' places."""
    texts = [packet("chat", player=0, destination=254, text=text.format(number)) for number in range(40)]
    stream = b"".join(chunk(0, message) for message in [build.game_data(SCRIPT), *texts])
    data = build.demo(
        SCRIPT,
        stream,
        version=version,
        winners=[0] if version == 5 else (),
        players=[COUNTERS] * 3,
        teams=[[STATS] * 3],
    )
    size = int.from_bytes(data[offset : offset + 4], "little")
    for wrong in (-1, 1, size - 30, size - 400, size - 600, size + 8, size + 200, 1 << 30):
        broken = data[:offset] + (wrong & 0xFFFFFFFF).to_bytes(4, "little") + data[offset + 4 :]
        result, _ = redacted(broken)
        assert b"secret" not in result, wrong
        with ksreplay.open(result) as replay:
            replay.validate()


def test_what_records_hold_beyond_their_fields_goes() -> None:
    data = build.demo(SCRIPT, chunk(0, build.game_data(SCRIPT)), winners=[0], players=[COUNTERS], teams=[[STATS]])
    grown = bytearray(data[:-104] + data[-104:-84] + b"secret!!" + data[-84:] + b"secrets!")
    for offset, value in ((324, 28), (328, 28), (336, 92), (344, 88)):
        grown[offset : offset + 4] = value.to_bytes(4, "little")
    result, _ = redacted(bytes(grown))
    assert b"secret" not in result
    for name in ("player_statistics", "team_statistics"):
        assert table(result, name) == table(bytes(grown), name) == table(data, name)


def test_a_setup_that_cannot_be_inflated_goes_whole() -> None:
    """What stands where its checksums should may be anything."""
    message = bytearray(build.game_data(SCRIPT))
    message[5] ^= 0xFF
    message[-80:-66] = b"chat, a secret"
    streams, _ = told([bytes(message)])
    assert not [raw for raw in streams if b"secret" in raw]


@pytest.mark.parametrize("field", ["ofs_script", "ofs_player_stats", "ofs_team_stats"])
@pytest.mark.parametrize("from_end", [False, True])
def test_a_part_that_an_offset_puts_into_the_stream_is_left_out(field: str, from_end: bool) -> None:
    text = "a secret=1; the gold of the king lies where nobody looks for it"
    stream = b"".join(chunk(0, packet("chat", player=0, destination=254, text=text)) for _ in range(3))
    fields: dict[str, Any] = {"version": 1, "engine_version": "0.76b1", "players": [COUNTERS] * 2, "teams": [[]]}
    data = build.demo(SCRIPT, stream, **fields)
    place = data.index(b"secret") - (len(data) if from_end else 0)
    result, _ = redacted(build.demo(SCRIPT, stream, **fields, **{field: place}))
    with ksreplay.open(result) as replay:
        assert not [raw for _, raw in replay.streams() if b"cret" in raw or b"gold" in raw]

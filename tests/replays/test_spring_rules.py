# ruff: noqa: E501 - the cases are a table
"""Every rule broken once by a small file, and by nothing else in it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import pytest
from spring_demo_file import COUNTERS, SAMPLE, SCRIPT

import ksreplay
from ksreplay.formats import spring_build as build
from ksreplay.formats.spring_build import chunk, packet
from ksreplay.semantics.spring.rules import RULES

GAME_ID = bytes(range(16))
FIRST = [build.game_data(SCRIPT), packet("gameid", game_id=GAME_ID), packet("keyframe", frame=0)]


def stream(*messages: bytes, first: list[bytes] = FIRST) -> bytes:
    return b"".join(chunk(i / 10, message) for i, message in enumerate([*first, *messages]))


def demo(*messages: bytes, **options: object) -> bytes:
    return build.demo(SCRIPT, stream(*messages), **options)  # type: ignore[arg-type]


def statistics(**options: object) -> bytes:
    messages = [
        packet("playerstat", player=0, statistics=COUNTERS),
        packet("gameover", player=0, winning_ally_teams=[1]),
    ]
    return demo(*messages, players=[COUNTERS], teams=[[SAMPLE]], **options)


def with_script(script: bytes) -> bytes:
    return build.demo(script, stream(first=[build.game_data(script), *FIRST[1:]]))


def sync(player: int, checksum: int) -> bytes:
    return packet("syncresponse", player=player, frame=60, checksum=checksum)


def client(data: bytes) -> bytes:
    return packet("clientdata", player=0, compressed_text=data)


BROKEN: dict[str, Callable[[], bytes]] = {
    "header-cut": lambda: demo()[:351],
    "header-magic": lambda: b"spring demofile!" + demo()[16:],
    "header-version": lambda: demo()[:16] + b"\6\0\0\0" + demo()[20:],
    "header-size": lambda: demo(len_header=351),
    "negative-size": lambda: demo(num_players=-1),
    "version-text": lambda: demo(engine_version="new engine"),
    "script-cut": lambda: demo()[: 352 + len(SCRIPT) - 1],
    "unfinished": lambda: demo(crashed=True),
    "stream-cut": lambda: build.demo(SCRIPT, stream() + b"\0"),
    "stream-records": lambda: demo(),
    "trailer-cut": lambda: statistics()[:-1],
    "trailer-rest": lambda: statistics() + b"\0",
    "element-size": lambda: demo(players=[COUNTERS], len_player_stat=10),
    "player-statistics-size": lambda: demo(players=[COUNTERS], num_players=0),
    "team-statistics-size": lambda: demo(teams=[[SAMPLE]], len_team_stats=83),
    "orders-too-many": lambda: demo(b"\x0f\x17\0" + struct.pack("<BBBiBHh3hh", 0, 255, 0, 65, 0, 0, 3, 1, 2, 3, 2)),
    "malformed-message": lambda: demo(b"\x0d\0"),
    "unknown-message": lambda: demo(b"\xc8"),
    "empty-message": lambda: demo(b""),
    "layout-contradiction": lambda: demo(*[packet("command", player=0, command_id=10, params=[1, 2, 3])] * 9, engine_version="100.0"),
    "unit-list": lambda: demo(packet("luamsg", player=0, script=100, mode=0, payload=b"unitdefs:" + zlib.compress(b"{}["))),
    "gzip-truncated": lambda: build.compress(demo())[:-9],
    "gzip-damaged": lambda: build.compress(demo())[:-8] + bytes(8),
    "gzip-trailing": lambda: build.compress(demo()) + b"rest",
    "zlib-truncated": lambda: demo(client(zlib.compress(b"text")[:-3])),
    "zlib-damaged": lambda: demo(client(b"no zlib stream")),
    "inflated-bytes": lambda: demo(client(zlib.compress(bytes(100_000)))),
    "script-syntax": lambda: with_script(SCRIPT + b"}"),
    "script-game": lambda: with_script(b"[game]{mapname=M;}"),
    "script-differs": lambda: build.demo(SCRIPT + b"\n", stream()),
    "gamedata-first": lambda: build.demo(SCRIPT, stream(first=[FIRST[1], FIRST[0], FIRST[2]])),
    "game-id-differs": lambda: demo(packet("gameid", game_id=bytes(16))),
    "frame-jump": lambda: demo(packet("keyframe", frame=5)),
    "time-backwards": lambda: build.demo(SCRIPT, chunk(9.0, FIRST[0]) + stream(first=FIRST[1:])),
    "winners-differ": lambda: statistics(winners=[0]),
    "desync": lambda: demo(sync(0, 1), sync(1, 1), sync(2, 7)),
    "player-statistics-inferred": lambda: demo(players=[COUNTERS], player_spec=build.PLAYER_STATISTICS_BE),
}  # fmt: skip
#: What cannot be broken alone.
WITH = {
    "script-cut": {"stream-cut", "script-syntax"},
    "negative-size": {"player-statistics-size"},
    "element-size": {"player-statistics-size"},
    "gzip-truncated": {"stream-cut"},
    "player-statistics-size": {"trailer-rest"},
    "team-statistics-size": {"trailer-rest"},
}
LIMITS = {
    "orders-too-many": ksreplay.Limits(records=5),
    "stream-records": ksreplay.Limits(records=2),
    "inflated-bytes": ksreplay.Limits(nested_bytes=10_000),
}


def test_every_rule_has_its_case() -> None:
    assert set(BROKEN) == {rule.code for rule in RULES}


@pytest.mark.parametrize("code", sorted(BROKEN))
def test_a_rule_is_found_broken(code: str) -> None:
    rule = next(rule for rule in RULES if rule.code == code)
    data = BROKEN[code]()
    limits = LIMITS.get(code)
    if rule.severity == "fatal":
        with pytest.raises(rule.error) as error:
            ksreplay.open(data, limits=limits, format="spring")
        assert error.value.code == code
        return
    with ksreplay.open(data, limits=limits) as replay:
        problems = replay.validate()
        found = {problem.code for problem in problems}
        assert code in found
        assert found - WITH.get(code, set()) == {code}
        assert all(problem.severity == rule.severity for problem in problems if problem.code == code)
    if rule.severity in ("part", "strict"):
        with pytest.raises(ksreplay.ReplayError), ksreplay.open(data, limits=limits, strict=True) as replay:
            replay.read_fully()


def test_a_stream_may_begin_at_any_frame() -> None:
    with ksreplay.open(build.demo(SCRIPT, stream(first=[packet("keyframe", frame=7), packet("newframe")]))) as replay:
        assert {problem.code for problem in replay.validate()} == {"gamedata-first"}


def test_a_sound_file_breaks_none() -> None:
    for data in (
        demo(),
        demo(packet("quit", reason="end")),
        statistics(winners=[1]),
        build.compress(demo(), client=True),
    ):
        with ksreplay.open(data) as replay:
            # These records are little-endian, as a client's are, and prove it by their PLAYERSTAT packets.
            assert [problem.code for problem in replay.validate()] == []

# ruff: noqa: E501 - the cases are a table
"""Every message of a stream is in some table: the ones of its kind, or `other_messages`."""

from __future__ import annotations

from typing import Any

import pytest
from spring_demo_file import COUNTERS, SAMPLE, SCRIPT

import ksreplay
from ksreplay.formats import spring_build as build
from ksreplay.formats.spring_build import SPECS, chunk, packet

#: Message -> fields to build it with, and what `other_messages` says of it; None where it has a table of its own.
CASES: dict[str, tuple[dict[str, Any], list[tuple[str | None, Any]] | None]] = {
    "quit": ({"reason": "end"}, [("reason", "end")]),
    "startplaying": ({"countdown": 4000}, [("countdown", 4000)]),
    "setplayernum": ({"player": 3}, [("player", 3)]),
    "playername": ({"player": 3, "name": "Eva"}, [("player", 3), ("name", "Eva")]),
    "randseed": ({"seed": 2**32 - 1}, [("seed", 2**32 - 1)]),
    "path_checksum": ({"player": 0, "checksum": 7}, [("player", 0), ("checksum", 7)]),
    "pause": ({"player": 0, "paused": 1}, [("player", 0), ("paused", 1)]),
    "cpu_usage": ({"cpu_usage": 0.5}, [("cpu_usage", 0.5)]),
    "direct_control": ({"player": 0}, [("player", 0)]),
    "dc_update": ({"player": 0, "status": 3, "heading": -4, "pitch": 5}, [("player", 0), ("status", 3), ("heading", -4), ("pitch", 5)]),
    "sendplayerstat": ({}, [(None, None)]),
    "memdump": ({}, [(None, None)]),
    "playerstat": ({"player": 0, "statistics": COUNTERS}, [("player", 0), *COUNTERS.items()]),
    "gameover": ({"player": 0, "winning_ally_teams": [0, 2]}, [("player", 0), ("winning_ally_teams", [0, 2])]),
    "startpos": ({"player": 0, "team": 0, "ready": 1, "x": 1.0, "y": 2.0, "z": 3.0}, [("player", 0), ("team", 0), ("ready", 1), ("x", 1), ("y", 2), ("z", 3)]),
    "playerleft": ({"player": 0, "reason": 1}, [("player", 0), ("reason", 1)]),
    "sd_chkrequest": ({"frame": 9}, [("frame", 9)]),
    "sd_chkresponse": ({"player": 0, "flop": 8, "checksums": [1, 2**32 - 1]}, [("player", 0), ("flop", 8), ("checksums", [1, 2**32 - 1])]),
    "sd_blkrequest": ({"begin": 1, "length": 2, "len_request": 3}, [("begin", 1), ("length", 2), ("len_request", 3)]),
    "sd_blkresponse": ({"player": 0, "checksums": [5]}, [("player", 0), ("checksums", [5])]),
    "sd_reset": ({}, [(None, None)]),
    "gamestate_dump": ({"frame": 77}, [("frame", [77])]),
    "team": ({"player": 0, "action": 9, "param1": 1, "param2": 2}, [("player", 0), ("action", 9), ("param1", 1), ("param2", 2)]),
    "custom_data": ({"player": 0, "kind": 1, "value": -2}, [("player", 0), ("kind", 1), ("value", -2)]),
    "teamstat": ({"team": 1, "statistics": SAMPLE}, [("team", 1), *SAMPLE.items()]),
    "attemptconnect": (
        {"network_version": 4, "name": "Eva", "password": "pw", "version": "105", "platform": "pc", "reconnect": 1, "netloss": 0},
        [("network_version", 4), ("name", "Eva"), ("password", "pw"), ("version", "105"), ("platform", "pc"), ("reconnect", 1), ("netloss", 0)],
    ),
    "reject_connect": ({"reason": "full"}, [("reason", "full")]),
    "request_teamstat": ({"team": 1, "sample": 2}, [("team", 1), ("sample", 2)]),
    "register_netmsg": ({"player": 0, "message": 1}, [("player", 0), ("message", 1)]),
    "unregister_netmsg": ({"player": 0, "message": 1}, [("player", 0), ("message", 1)]),
    "create_newplayer": ({"player": 3, "spectator": 0, "team": 0, "name": "Eva"}, [("player", 3), ("spectator", 0), ("team", 0), ("name", "Eva")]),
    "game_frame_progress": ({"frame": 150}, [("frame", 150)]),
    "ping": ({"player": 0, "tag": 1, "local_time": 2.5}, [("player", 0), ("tag", 1), ("local_time", 2.5)]),
    "chat": ({"player": 0, "destination": 254, "text": "hi"}, None),
    "systemmsg": ({"player": 255, "text": "hi"}, None),
    "logmsg": ({"player": 0, "level": 30, "text": "hi"}, None),
    "ccommand": ({"player": 255, "command": "take", "extra": ""}, None),
    "user_speed": ({"player": 0, "speed": 2.0}, None),
    "internal_speed": ({"speed": 2.0}, None),
    "command": ({"player": 0, "command_id": 0, "params": []}, None),
    "select": ({"player": 0, "units": [1]}, None),
    "aicommand": ({"player": 0, "ai": 255, "ai_team": 255, "unit": 1, "command_id": 0, "params": []}, None),
    "aicommand_tracked": ({"player": 0, "ai": 0, "ai_team": 0, "unit": 1, "command_id": 0, "ai_command_id": 9, "params": []}, None),
    "aicommands": ({"player": 0, "ai": 255, "pairwise": 0, "ref_command_id": 0, "ref_options": 255, "ref_num_params": 65535, "units": [1], "commands": [{"command_id": 10, "options": 0, "params": [1.0]}]}, None),
    "aishare": ({"player": 0, "ai": 0, "source_team": 0, "dest_team": 0, "metal": 1.0, "energy": 1.0, "units": []}, None),
    "share": ({"player": 0, "to_team": 0, "share_units": 0, "metal": 1.0, "energy": 1.0}, None),
    "setshare": ({"player": 0, "team": 0, "metal_share": 1.0, "energy_share": 1.0}, None),
    "alliance": ({"player": 0, "ally_team": 0, "allied": 1}, None),
    "ai_created": ({"player": 0, "ai": 0, "team": 0, "name": "Bot"}, None),
    "ai_state_changed": ({"player": 0, "ai": 0, "state": 40}, None),
    "map_draw_point_new": ({"player": 0, "x": 1, "z": 2, "label": "l"}, None),
    "syncresponse": ({"player": 0, "frame": 0, "checksum": 1}, None),
    "playerinfo": ({"player": 0, "cpu_usage": 0.1, "ping": 3}, None),
    "luamsg": ({"player": 0, "script": 100, "mode": 0, "payload": b"=x"}, None),
    "clientdata": ({"player": 0, "compressed_text": b""}, None),
}  # fmt: skip
#: What `packets` and the details of `info` say all of.
PLAIN = {"KEYFRAME", "NEWFRAME", "GAMEDATA", "GAMEID", "MAPDRAW_OLD"}


def opened(*messages: bytes, private: bool = True, **options: Any) -> ksreplay.Replay:
    stream = b"".join(chunk(i, message) for i, message in enumerate((build.game_data(SCRIPT), *messages)))
    return ksreplay.open(build.demo(SCRIPT, stream, **options), private=private)


def values(replay: ksreplay.Replay) -> list[tuple[str | None, Any]]:
    found = []
    for row in replay.tables["other_messages"].rows():
        given = [row[name] for name in ("number", "numbers", "text", "raw") if row[name] is not None]
        assert len(given) <= 1
        found.append((row["field"], given[0] if given else None))
    return found


def test_every_message_has_its_case() -> None:
    assert {name for name, _, _ in SPECS.values()} - PLAIN == {SPECS[layout][0] for layout in CASES}


@pytest.mark.parametrize("layout", CASES)
def test_every_message_is_in_a_table(layout: str) -> None:
    fields, want = CASES[layout]
    with opened(packet(layout, **fields)) as replay:
        assert values(replay) == (want or [])
        if want is None:
            held = [
                name for name, table in replay.tables.items()
                if name != "packets" and "packet" in table.schema and 1 in table["packet"].tolist()
            ]  # fmt: skip
            assert held


def test_what_no_layout_explains_is_kept_as_it_is() -> None:
    broken = b"\x0b\x04\0\0"
    with opened(
        b"\xc8unknown", b"", broken, b"\x03", b"\x2e", packet("gameover", player=0, winning_ally_teams=[]), b"\0nul"
    ) as replay:
        found = [(row["packet"], row["name"]) for row in replay.tables["other_messages"].rows()]
        assert found == [
            (1, "ID_200"), (3, "COMMAND"), (4, "QUIT"), (5, "GAMESTATE_DUMP"), (6, "GAMEOVER"), (7, "ID_0"),
        ]  # fmt: skip
        assert values(replay) == [
            (None, b"\xc8unknown"), (None, broken), (None, None), (None, None), ("player", 0), (None, b"\0nul"),
        ]  # fmt: skip


def test_secrets_are_null_without_leave() -> None:
    with opened(b"\xc8unknown", packet("attemptconnect", **CASES["attemptconnect"][0]), private=False) as replay:
        found = values(replay)
        assert found[0] == (None, None)
        assert dict(found[1:]) | {"name": "Eva", "password": None, "platform": None, "version": "105"} == dict(
            found[1:]
        )


def test_console_commands_and_speeds() -> None:
    messages = [
        packet("ccommand", player=0, command="luarules", extra="fight 1"), packet("user_speed", player=0, speed=3.0),
        packet("internal_speed", speed=2.5), packet("ccommand", player=255, command="", extra=""),
        packet("ccommand", player=256, command="a", extra="b"), packet("ccommand", player=-1, command="a", extra="b"),
    ]  # fmt: skip
    with opened(*messages, b"\x36\x09\0aa\0\0\0x") as replay:
        rows = [tuple(row.values())[3:] for row in replay.tables["console_commands"].rows()]
        nobody = (None, None, "a", "b")
        assert rows == [(0, "A", "luarules", "fight 1"), (255, None, "", ""), nobody, nobody, (None, None, None, None)]
        rows = [tuple(row.values())[3:] for row in replay.tables["game_speeds"].rows()]
        assert rows == [(0, "A", "USER_SPEED", 3.0), (None, None, "INTERNAL_SPEED", 2.5)]

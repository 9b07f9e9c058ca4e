"""Makes src/samples/sample.sdfz: a made-up game of two players, an AI and a spectator, a minute long.

Run: python tools/samples/spring.py. Everything in it is invented; every kind of message that real files hold occurs,
and every table has rows. It ends as a client's recording does: with a trailer and a second, empty gzip member.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path

from ksreplay.formats.spring_build import chunk, compress, demo, game_data, packet

TARGET = Path(__file__).resolve().parents[2] / "src" / "samples" / "sample.sdfz"

ALMA, BORIS, AI_HOST, WATCHER, LATE = 0, 1, 1, 2, 3
FRAMES = 1800
GAME_OVER = 1770
GAME_ID = bytes.fromhex("00112233445566778899aabbccddeeff")
UNITS = ["armcom", "armlab", "armmex", "armpw", "armsolar", "corcom", "corlab", "cormex"]
SHIFT, CONTROL, ALT, RIGHT = 32, 64, 128, 16

SCRIPT = b"""[game]
{
[allyteam0]
{
startrectleft=0;
startrectright=0.25;
startrecttop=0;
startrectbottom=1;
numallies=0;
}
[allyteam1]
{
startrectleft=0.75;
startrectright=1;
startrecttop=0;
startrectbottom=1;
numallies=0;
}
[player0]
{
name=Alma;
team=0;
rank=3;
countrycode=ZZ;
skill=[21.5];
skilluncertainty=3.25;
accountid=1000001;
}
[player1]
{
name=[TEST]Boris;
team=1;
rank=2;
skill=~(17.25);
accountid=1000002;
}
[player2]
{
name=Carla;
spectator=1;
accountid=1000003;
}
[team0]
{
teamleader=0;
allyteam=0;
side=Blue Side;
rgbcolor=0.1 0.2 0.9;
}
[team1]
{
teamleader=1;
allyteam=1;
side=Red Side;
rgbcolor=0.9 0.1 0.1;
}
[team3] // a gap in the numbers: packets call this team 2
{
teamleader=1;
allyteam=1;
handicap=10;
}
[ai0]
{
name=Quick bot;
shortname=QuickAI;
version=1.0;
team=3;
host=1;
}
[modoptions]
{
startmetal=1000;
tweak={10,5},{80,1};
}
[mapoptions]
{
}
[restrict]
{
unit0=armpw;
limit0=10;
}
gametype=Sample Game 1.0;
mapname=Sample Flats 1.0;
startpostype=2;
hostip=127.0.0.1;
hostport=8452;
numplayers=3;
ishost=0;
}
"""


def before_the_game() -> Iterator[bytes]:
    yield game_data(SCRIPT, seed=7)
    yield packet("setplayernum", player=ALMA)
    yield packet("gameid", game_id=GAME_ID)
    yield packet("randseed", seed=7)
    yield packet("ccommand", player=255, command="speedcontrol", extra="2")
    yield packet("systemmsg", player=255, text="Connection established")
    for player, name in ((ALMA, "Alma"), (BORIS, "[TEST]Boris"), (WATCHER, "Carla")):
        yield packet("playername", player=player, name=name)
        yield packet("clientdata", player=player, compressed_text=zlib.compress(b"Sample OS 1\nSample CPU\n"))
        yield packet("logmsg", player=player, level=30, text="[sample] archive checksums agree")
        yield packet("path_checksum", player=player, checksum=0xC0FFEE)
        yield packet("playerinfo", player=player, cpu_usage=0.125, ping=40 + player)
        yield packet("luamsg", player=player, script=100, mode=0, payload=b"unitdefs:" + zlib.compress(
            json.dumps(UNITS).encode()
        ))  # fmt: skip
    colours = [{"teamID": team, "r": 10 + team, "g": 20, "b": 230} for team in range(3)]
    yield packet("luamsg", player=ALMA, script=100, mode=0, payload=b"AutoColors" + json.dumps(colours).encode())
    for player, team in ((ALMA, 0), (BORIS, 1)):
        yield packet("team", player=player, action=3, param1=team, param2=0)
    yield packet("ai_created", player=AI_HOST, ai=0, team=2, name="Quick bot")
    yield packet("ai_state_changed", player=AI_HOST, ai=0, state=20)
    yield packet("ai_state_changed", player=AI_HOST, ai=0, state=40)
    yield packet("chat", player=ALMA, destination=254, text="good luck, have fun")
    yield packet("chat", player=BORIS, destination=252, text="only for my side")
    yield packet("chat", player=WATCHER, destination=253, text="they cannot see us")
    yield packet("chat", player=ALMA, destination=BORIS, text="between us two")
    for step in range(3):
        yield packet("startpos", player=ALMA, team=0, ready=0, x=300.0 + step, y=90.0, z=1000.0)
    yield packet("startpos", player=ALMA, team=0, ready=1, x=310.0, y=90.0, z=1000.0)
    yield packet("startpos", player=BORIS, team=1, ready=1, x=3700.0, y=95.0, z=1200.0)
    yield packet("startpos", player=255, team=2, ready=2, x=3600.0, y=95.0, z=2000.0)
    yield packet("map_draw_point_new", player=ALMA, x=1024, z=900, label="meet here")
    yield packet("map_draw_line_new", player=BORIS, x1=3000, z1=1000, x2=3100, z2=1100)
    yield packet("map_draw_erase_new", player=BORIS, x=0, z=0)
    yield packet("startplaying", countdown=4000)
    yield packet("startplaying", countdown=0)


def orders(frame: int) -> Iterator[bytes]:
    if frame == 10:
        yield packet("select", player=ALMA, units=[101])
        yield packet("command", player=ALMA, command_id=-3, params=[400.0, 90.0, 1010.0, 1.0])
        yield packet("command", player=ALMA, command_id=-5, options=SHIFT, params=[420.0, 90.0, 1040.0, 0.0])
    if frame == 20:
        yield packet("select", player=BORIS, units=[102, 103])
        yield packet("command", player=BORIS, command_id=10, options=RIGHT, params=[3500.0, 95.0, 1300.0])
        yield packet(
            "command", player=BORIS, command_id=1, options=ALT, params=[0.0, -8.0, 0.0, 3550.0, 95.0, 1290.0, 2.0]
        )
    if frame == 40:
        # Two builders, one building: a widget sends one message each.
        for unit in (101, 104):
            yield packet(
                "aicommand", player=ALMA, ai=255, ai_team=255, unit=unit, command_id=-2, options=SHIFT,
                params=[500.0, 90.0, 1100.0, 2.0],
            )  # fmt: skip
    if frame == 60:
        yield packet(
            "aicommand",
            player=AI_HOST,
            ai=0,
            ai_team=2,
            unit=201,
            command_id=-7,
            timeout=90,
            params=[3650.0, 95.0, 2010.0],
        )
        yield packet("aicommand_tracked", player=AI_HOST, ai=0, ai_team=2, unit=201, command_id=16, ai_command_id=5,
                     params=[1000.0, 90.0, 1000.0])  # fmt: skip
    if frame == 100:
        yield packet("select", player=ALMA, units=[110])
        yield packet("command", player=ALMA, command_id=-4, options=SHIFT, params=[])
        yield packet("command", player=ALMA, command_id=-4, options=SHIFT | RIGHT, params=[])
    if frame == 130:
        yield packet(
            "aicommands", player=BORIS, ai=255, pairwise=1, ref_command_id=10, ref_options=0, ref_num_params=3,
            units=[102, 103], commands=[{"params": [100.0, 9.0, 200.0]}, {"params": [110.0, 9.0, 210.0]}],
        )  # fmt: skip
        yield packet(
            "aicommands", player=BORIS, ai=255, pairwise=0, ref_command_id=0, ref_options=255, ref_num_params=65535,
            units=[102, 103],
            commands=[
                {"command_id": -8, "options": SHIFT, "params": [3400.0, 95.0, 1250.0, 3.0]},
                {"command_id": 20, "options": 0, "params": [101.0]},
                {"command_id": 34923, "options": 0, "params": [1.0, 2.0]},
            ],
        )  # fmt: skip


def during(frame: int) -> Iterator[bytes]:
    yield from orders(frame)
    if frame % 60 == 0:
        for player in (ALMA, BORIS, WATCHER):
            off = 1 if player == BORIS and frame == 900 else 0
            yield packet("syncresponse", player=player, frame=frame, checksum=1000 + frame + off)
    if frame % 90 == 0:
        for player in (ALMA, BORIS):
            yield packet("playerinfo", player=player, cpu_usage=0.25, ping=33)
    if frame % 150 == 0:
        yield packet("game_frame_progress", frame=frame)
    if frame % 200 == 0:
        for payload in (b"\xc2\xa3mouse", b"=camera", b"@60", b"^1", b"pc1", b"??cosu"):
            yield packet("luamsg", player=ALMA, script=100, mode=0, payload=payload)
    if frame == 300:
        yield packet("create_newplayer", player=LATE, spectator=1, team=0, name="Dora")
        yield packet("playername", player=LATE, name="Dora")
    if frame == 600:
        yield packet("pause", player=BORIS, paused=1)
        yield packet("chat", player=BORIS, destination=254, text="one moment")
        yield packet("pause", player=BORIS, paused=0)
    if frame == 700:
        yield packet("setshare", player=ALMA, team=0, metal_share=0.9, energy_share=0.95)
        yield packet("share", player=BORIS, to_team=2, share_units=1, metal=50.0, energy=100.0)
        yield packet("alliance", player=BORIS, ally_team=0, allied=0)
    if frame == 1000:
        yield packet("luamsg", player=BORIS, script=2000, mode=97, payload=b"DraftOrder 1")
        yield packet("playerleft", player=LATE, reason=1)
    if frame == 1700:
        yield packet("team", player=BORIS, action=2, param1=0, param2=0)
        yield packet("team", player=AI_HOST, action=1, param1=1, param2=2)
        yield packet("team", player=ALMA, action=4, param1=1, param2=0)
    if frame == GAME_OVER:
        for player in (ALMA, BORIS):
            yield packet("gameover", player=player, winning_ally_teams=[0])
            yield packet("playerstat", player=player, statistics=COUNTERS[player])


COUNTERS = [
    {"num_commands": 5, "num_unit_commands": 5, "mouse_pixels": 120_000, "mouse_clicks": 300, "key_presses": 80},
    {"num_commands": 2, "num_unit_commands": 4, "mouse_pixels": 90_000, "mouse_clicks": 210, "key_presses": 40},
    {"num_commands": 0, "num_unit_commands": 0, "mouse_pixels": 5_000, "mouse_clicks": 12, "key_presses": 2},
    dict.fromkeys(("num_commands", "num_unit_commands", "mouse_pixels", "mouse_clicks", "key_presses"), 0),
]


def samples(team: int) -> list[dict[str, float]]:
    rows = []
    for index in range(5):
        row: dict[str, float] = {"frame": index * 450}
        for place, what in enumerate(("used", "produced", "excess", "received", "sent")):
            row[f"metal_{what}"] = 100.0 * index / (1 + place + team)
            row[f"energy_{what}"] = 1000.0 * index / (1 + place + team)
        row |= {"damage_dealt": 50.0 * index, "damage_received": 25.0 * index}
        for place, what in enumerate(("produced", "died", "received", "sent", "captured", "out_captured", "killed")):
            row[f"units_{what}"] = index // (1 + place)
        rows.append(row)
    return rows


def stream() -> bytes:
    parts = [chunk(0.5 * i, message) for i, message in enumerate(before_the_game())]
    start = 0.5 * len(parts)
    for frame in range(FRAMES + 1):
        time = start + max(frame - 1, 0) / 30
        step = packet("keyframe", frame=frame) if frame % 16 == 0 else packet("newframe")
        parts.append(chunk(time, step))
        parts += [chunk(time, message) for message in during(frame)]
    parts.append(chunk(start + FRAMES / 30, packet("quit", reason="Server shutdown")))
    return b"".join(parts)


def build() -> bytes:
    return demo(
        SCRIPT, stream(), winners=[0], players=COUNTERS, teams=[samples(team) for team in range(3)], game_id=GAME_ID,
        engine_version="2025.06.12", unix_time=1_750_000_000, game_seconds=GAME_OVER // 30, wallclock_seconds=90,
    )  # fmt: skip


if __name__ == "__main__":
    TARGET.write_bytes(compress(build(), client=True))
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")

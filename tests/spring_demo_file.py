"""A small demo with most kinds of message, made by the construct specs: what several test modules take apart."""

from __future__ import annotations

import numpy as np

from ksreplay.formats import spring_build as build
from ksreplay.formats.spring_build import chunk, packet

SCRIPT = b"[game]{[player0]{name=A;team=0;}[team0]{allyteam=0;}[allyteam0]{}mapname=M;gametype=G;}"
MESSAGES = [
    build.game_data(SCRIPT),
    packet("gameid", game_id=bytes(range(16))),
    packet("chat", player=0, destination=254, text="hi"),
    packet("startplaying", countdown=0),
    packet("keyframe", frame=0),
    packet("select", player=0, units=[1, 2]),
    packet("command", player=0, command_id=-5, params=[1.0, 2.0, 3.0]),
    packet("newframe"),
    packet("aicommands", player=0, ai=255, pairwise=0, ref_command_id=0, ref_options=255, ref_num_params=65535,
           units=[1], commands=[{"command_id": 10, "options": 0, "params": [1.0, 2.0, 3.0]}]),
    packet("luamsg", player=0, script=100, mode=0, payload=b"=x"),
    b"\xc8unknown",
    packet("map_draw_point_new", player=0, x=1, z=2, label="l"),
    packet("clientdata", player=0, compressed_text=b"not zlib"),
    packet("gameover", player=0, winning_ally_teams=[0]),
    packet("quit", reason="end"),
]  # fmt: skip
STREAM = b"".join(chunk(i / 2, message) for i, message in enumerate(MESSAGES))
COUNTERS = {"num_commands": 1, "num_unit_commands": 2, "mouse_pixels": 3, "mouse_clicks": 4, "key_presses": 5}
SAMPLE = dict.fromkeys((spec.name for spec in build.TEAM_STATISTICS.subcons), 1)
DEMO = build.demo(SCRIPT, STREAM, winners=[0], players=[COUNTERS], teams=[[SAMPLE, SAMPLE]])
START = 352 + len(SCRIPT)
ENDS = START + np.cumsum([8 + len(message) for message in MESSAGES])

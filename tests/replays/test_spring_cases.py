# ruff: noqa: E501 - the cases are tables
"""The cases of spring-analysis 6 that a stream decides: build orders (21 to 30), aims (33, 34), starts and frames (42, 43).

Their notation: kf(n) a KEYFRAME, nf(n) so many NEWFRAMEs, sel and cmd a SELECT and a COMMAND of a player.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import ksreplay
from ksreplay.formats import spring_build as build
from ksreplay.formats.spring_build import chunk, packet

SCRIPT = (
    b"[game]{[player0]{name=Alice;team=1;}[player1]{name=Bob;team=2;}"
    + b"".join(b"[team%d]{allyteam=0;}" % i for i in range(7))
    + b"[ai0]{team=5;host=0;}[allyteam0]{}mapname=M;gametype=G;}"
)
SHIFT, CONTROL, ALT, RIGHT = 32, 64, 128, 16
PLACE = [456.0, 17.5, 1384.0]


def kf(frame: int) -> bytes:
    return packet("keyframe", frame=frame)


def nf(count: int) -> list[bytes]:
    return [packet("newframe")] * count


def sel(player: int, *units: int) -> bytes:
    return packet("select", player=player, units=list(units))


def cmd(player: int, command: int, options: int = 0, params: list[float] | None = None) -> bytes:
    return packet("command", player=player, command_id=command, options=options, params=params or [])


def lua(player: int, unit: int, command: int, options: int = 0, params: list[float] | None = None) -> bytes:
    fields = {"player": player, "unit": unit, "command_id": command, "options": options, "params": params or []}
    return packet("aicommand", ai=255, ai_team=255, **fields)


def several(pairwise: int, *orders: tuple[int, list[float]], units: tuple[int, ...] = (40, 41)) -> bytes:
    return packet(
        "aicommands", player=0, ai=255, pairwise=pairwise, ref_command_id=0, ref_options=255, ref_num_params=65535,
        units=list(units), commands=[{"command_id": i, "options": 0, "params": params} for i, params in orders],
    )  # fmt: skip


def rows(table: str, *messages: bytes, columns: str) -> list[Any]:
    stream = b"".join(chunk(i / 10, message) for i, message in enumerate((build.game_data(SCRIPT), *messages)))
    with ksreplay.open(build.demo(SCRIPT, stream), private=True) as replay:
        names = columns.split()
        found = [tuple(row[name] for name in names) for row in replay.tables[table].rows()]
        assert not [problem for problem in replay.validate() if problem.severity != "play"]
    return found if len(names) > 1 else [values[0] for values in found]


BUILDS: dict[str, tuple[list[bytes], str, list[Any]]] = {
    "21": (
        [kf(0), *nf(90), sel(3, 41), cmd(3, -242, 0, [7576, 376.5, 2040, 3])],
        "frame unit_def x y z facing count slot builders source team",
        [(90, 242, 7576.0, 376.5, 2040.0, 3, 1, "replace", 1, "selection", None)],
    ),
    "22": ([cmd(0, -7, 0, [1, 2, 3])], "placed facing", [(True, None)]),
    "23": (
        [cmd(0, -7, SHIFT, [1, 2, 3]), cmd(0, -7, 0, [1, 2, 3]), cmd(0, -7, RIGHT | SHIFT, [1, 2, 3, 0])],
        "slot count removal", [("append", 1, False), ("replace", 1, False), ("append", 1, False)],
    ),
    "24": (
        [*(cmd(0, -30, options) for options in (0, SHIFT, CONTROL, CONTROL | SHIFT, ALT)), cmd(0, -30, RIGHT), cmd(0, -30, RIGHT | SHIFT)],
        "count slot removal",
        [(1, "append", False), (5, "append", False), (20, "append", False), (100, "append", False), (1, "front", False), (1, "append", True), (5, "append", True)],
    ),
    "25": (
        [cmd(0, 1, ALT, [0, -242, 0, 7576, 376.875, 2040, 3]), cmd(0, 1, ALT, [-1, -9, 32, 5, 6, 7, 0])],
        "unit_def y facing slot slot_position options",
        [(242, 376.875, 3, "insert_at", 0, 0), (9, 6.0, 0, "insert_at", -1, 32)],
    ),
    "26": (
        [cmd(0, 1, 0, [77, -9, 0, 5, 6, 7, 0]), cmd(0, 1, RIGHT, [77, -9, 0, 5, 6, 7, 0]), cmd(0, 1, ALT | CONTROL, [0, -30, 32]),
         cmd(0, 1, ALT, [0, 10, 0, 1, 2, 3]), cmd(0, 1, ALT, [0, -9])],
        "slot slot_tag slot_after slot_position placed count removal",
        [("insert_at_tag", 77, False, None, True, 1, False), ("insert_at_tag", 77, True, None, True, 1, False), ("insert_at", None, None, 0, False, 5, False)],
    ),
    "27": (
        [sel(0, 1, 2, 3), cmd(0, -7, 0, [1, 2, 3]), sel(0, 1), cmd(0, -7, 0, [1, 2, 3]), cmd(2, -7, 0, [1, 2, 3])],
        "player builders", [(0, 3), (0, 1), (2, 0)],
    ),
    "28": (
        [lua(0, 29016, -21, 0, PLACE), lua(0, 7070, -21, 0, PLACE), lua(0, 29016, -21, SHIFT, [728, 17.5, 1384]), lua(0, 7070, -21, SHIFT, [728, 17.5, 1384]),
         lua(1, 29016, -21, 0, PLACE), kf(0), lua(0, 29016, -21, 0, PLACE)],
        "frame player x builders", [(-1, 0, 456.0, 2), (-1, 0, 728.0, 2), (-1, 1, 456.0, 1), (0, 0, 456.0, 1)],
    ),
    "28, to a factory": ([lua(0, 1, -30), lua(0, 1, -30)], "count builders", [(1, 1), (1, 1)]),
    "29": ([several(0, (-7, [1, 2, 3]), (10, [1, 2, 3]), (-8, [1, 2, 3]))], "unit_def builders", [(7, 2), (8, 2)]),
    "29, pairwise": ([several(1, (-7, [1, 2, 3]), (10, [1, 2, 3]), (-8, [1, 2, 3]))], "unit_def builders", [(7, 1), (8, 1)]),
    "29, seats": (
        [cmd(0, -7, 0, [1, 2, 3]), cmd(4, -7, 0, [1, 2, 3]), packet("team", player=0, action=3, param1=6, param2=0),
         packet("create_newplayer", player=4, spectator=0, team=2, name="Late"), cmd(0, -7, 0, [1, 2, 3]), cmd(4, -7, 0, [1, 2, 3])],
        "team", [1, None, 6, 2],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BUILDS)
def test_build_orders(case: str) -> None:
    messages, columns, want = BUILDS[case]
    assert rows("build_orders", *messages, columns=columns) == want


def test_units_ordered() -> None:
    """Case 30."""
    bot = packet("aicommand", player=0, ai=0, ai_team=5, unit=1, command_id=-7, params=[1, 2, 3])
    placed, queue = [1.0, 2.0, 3.0], cmd(0, -30)
    found = rows(
        "units_ordered", cmd(0, -42, 0, placed), cmd(0, -42, 0, placed), queue, cmd(0, -30, SHIFT), cmd(0, -30, RIGHT),
        cmd(1, -42, 0, placed), bot, columns="player_name ai_team unit_def placed queued units removals",
    )  # fmt: skip
    assert found == [
        ("Alice", None, 30, 0, 2, 6, 1), ("Alice", None, 42, 2, 0, 2, 0), ("Bob", None, 42, 1, 0, 1, 0),
        ("Alice", 5, 7, 1, 0, 1, 0),
    ]  # fmt: skip


NAN = float("nan")
#: Case 33: command and parameters, and what they are aimed at.
AIMS: list[tuple[int, list[float], tuple[str, float | None, float | None, str | None]]] = [
    (10, [1, 2, 3], ("place", 1, 3, "move")), (10, [1, 2, 3, 9, 9, 9], ("place", 1, 3, "move")), (10, [1, 2], ("malformed", None, None, "move")),
    (16, [77], ("unit", None, None, "attack")), *((n, [9.0], ("unit", None, None, "support")) for n in (90, 40, 130)),
    *((n, [1.0, 2, 3, 150], ("place", 1, 3, "support")) for n in (90, 40, 130)), *((n, [9.0, 1, 2, 3, 150], ("place", 1, 3, "support")) for n in (90, 40, 130)),
    *((n, [1.0, 2, 3], ("malformed", None, None, "support")) for n in (90, 40, 130)), (110, [9], ("malformed", None, None, "support")),
    (-242, [1, 2], ("none", None, None, "build")), (140, [1, 2, 3], ("custom", None, None, None)), (10000, [1, 2, 3], ("custom", None, None, None)),
    (10, [NAN, 0, 1], ("malformed", None, None, "move")), (1, [0, 1, 0, 1, 2, 3], ("malformed", None, None, None)),
]  # fmt: skip


@pytest.mark.parametrize("command,params,want", AIMS, ids=[f"{n}-{len(p)}" for n, p, _ in AIMS])
def test_aims(command: int, params: list[float], want: tuple[Any, ...]) -> None:
    assert rows("commands", cmd(0, command, 0, params), columns="aim aim_x aim_z kind") == [want]


def test_aims_counted() -> None:
    """Case 34."""
    orders = ((20, [5.0]), (25, [5.0]), (0, []), (-30, []), (31001, [1.0, 2, 3]), (10, [1.0]))
    found = rows("commands", *(cmd(0, n, 0, list(params)) for n, params in orders), columns="aim")
    assert Counter(found) == {"unit": 2, "none": 2, "custom": 1, "malformed": 1}


def start(team: int, ready: int, x: float, y: float, z: float) -> bytes:
    return packet("startpos", player=0, team=team, ready=ready, x=x, y=y, z=z)


def test_starts() -> None:
    """Case 42."""
    messages = [
        start(0, 0, 100, 1, 200), start(0, 1, 300, 1, 400), start(1, 3, 0, 0, 0), start(2, 3, 10, 0, 20),
        start(3, 1, 0, 0, 0), start(7, 1, 5, 0, 5), start(9, 1, 5, 0, 5), kf(0), start(0, 1, 7, 7, 7), start(4, 1, 7, 7, 7),
    ]  # fmt: skip
    found = rows("start_positions", *messages, columns="team x z ready")
    assert found == [(0, 300.0, 400.0, "readied"), (2, 10.0, 20.0, "failed"), (3, 0.0, 0.0, "readied")]


def test_frames_of_chat() -> None:
    """Case 43."""
    chat = packet("chat", player=0, destination=254, text="a")
    messages = [chat, kf(0), chat, *nf(15), chat, kf(16), *nf(2), chat]
    assert rows("chat", *messages, columns="frame") == [-1, 0, 15, 18]


def test_what_cannot_be_decoded_is_counted_and_costs_itself() -> None:
    """Case 43, the other half: 12 bad packets and one chat."""
    bad = [b"\x07\x05\x00\xfea", b"\x0d\x00", b"\x33\x00\x01", b"\x24" + bytes(13)] * 3
    stream = b"".join(chunk(0, m) for m in (*bad, packet("chat", player=0, destination=254, text="a")))
    with ksreplay.open(build.demo(SCRIPT, stream), private=True) as replay:
        details = replay.info(full=True)["details"]
        assert (details["packets"], details["malformed_packets"]) == (13, 12)
        assert [row["text"] for row in replay.tables["chat"].rows()] == [None, None, None, "a"]

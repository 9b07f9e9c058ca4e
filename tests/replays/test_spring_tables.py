# ruff: noqa: E501 - the cases are tables
"""What the tables say of made-up demos: every rule of orders, aims, starts, statistics and old layouts."""

from __future__ import annotations

import re
import struct
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ksreplay
from ksreplay.formats import spring_build as build
from ksreplay.formats.spring_build import chunk, packet
from ksreplay.formats.spring_messages import BY_ENGINE, BY_SIZE
from ksreplay.generated.spring_demo import SpringDemo
from ksreplay.registry import FORMATS
from ksreplay.table import Table

SCRIPT = (
    b"[game]{[player4]{name=Ann;team=2;}[player9]{name=Ben;team=5;}[player10]{name=Cy;spectator=1;}"
    b"[team2]{allyteam=1;teamleader=4;}[team5]{allyteam=3;teamleader=9;}[team7]{allyteam=3;teamleader=9;}"
    b"[ai3]{name=Bot;shortname=B;team=7;host=9;}[allyteam1]{}[allyteam3]{}mapname=M;gametype=G;}"
)
ANN, BEN, CY = 0, 1, 2
SHIFT, CONTROL, ALT, RIGHT = 32, 64, 128, 16
HEAD = (build.game_data(SCRIPT), packet("gameid", game_id=bytes(range(16))), packet("keyframe", frame=0))


def match(*messages: bytes, head: tuple[bytes, ...] = HEAD, **header: Any) -> ksreplay.Replay:
    stream = b"".join(chunk(i / 10, message) for i, message in enumerate((*head, *messages)))
    return ksreplay.open(build.demo(SCRIPT, stream, **header), private=True)


def rows(name: str, *messages: bytes, **options: Any) -> list[dict[str, Any]]:
    with match(*messages, **options) as replay:
        return list(replay.tables[name].rows())


def only(row: dict[str, Any], *keys: str) -> list[Any]:
    return [row[key] for key in keys]


# Seats.


def test_seats_are_renumbered_densely_and_late_joiners_join_packet_ids() -> None:
    late = packet("create_newplayer", player=3, spectator=0, team=1, name="Dee")
    with match(late) as replay:
        players = [
            only(row, "id", "name", "team", "ally_team", "spectator", "joined_late")
            for row in replay.tables["players"].rows()
        ]
        assert players == [
            [0, "Ann", 0, 0, False, False], [1, "Ben", 1, 1, False, False], [2, "Cy", None, None, True, False],
            [3, "Dee", 1, 1, False, True],
        ]  # fmt: skip
        assert [only(r, "id", "ally_team", "leader", "name", "is_ai") for r in replay.tables["teams"].rows()] == [
            [0, 0, 0, "Ann", False], [1, 1, 1, "Ben", False], [2, 1, 1, "Bot", True],
        ]  # fmt: skip
        assert [only(r, "id", "teams") for r in replay.tables["ally_teams"].rows()] == [[0, [0]], [1, [1, 2]]]
        assert [only(r, "id", "name", "team", "host", "host_name") for r in replay.tables["ais"].rows()] == [
            [0, "Bot", 2, 1, "Ben"]
        ]


def test_who_connects_without_a_seat_watches_and_who_comes_back_keeps_the_seat() -> None:
    name = lambda number, text: packet("playername", player=number, name=text)  # noqa: E731
    back = packet("create_newplayer", player=ANN, spectator=1, team=0, name="Nan")
    again = packet("create_newplayer", player=3, spectator=0, team=1, name="Dee")
    columns = ("id", "name", "spectator", "team", "script_index", "joined_late", "joined_frame")
    found = rows("players", name(BEN, "Bea"), name(255, "host"), name(3, "Dot"), name(7, "Eve"), back, again)
    assert [only(row, *columns) for row in found] == [
        [0, "Ann", False, 0, 4, False, None], [1, "Ben", False, 1, 9, False, None], [2, "Cy", True, None, 10, False, None],
        [3, "Dee", False, 1, None, True, 0], [7, "Eve", True, None, None, True, 0],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text,pairs,broken",
    [
        ("a=1;", {"a": "1"}, 0),
        ("A = 1 ;b=x y \t;", {"a": "1 ", "b": "x y \t"}, 0),
        ('q="1;2";', {"q": "1;2"}, 0),
        ('q="1 2" ;r="a"b;', {"q": "1 2", "r": '"a"b'}, 0),
        ("lava={10,5},{80,1};url=a//b;e=;", {"lava": "{10,5},{80,1}", "url": "a//b", "e": ""}, 0),
        ("/* c */ a=1; // x=2;\n b==2;;", {"a": "1", "b": "=2"}, 0),
        ("a=1;a=2;", {"a": "2"}, 0),
        ("a=1\nb=2;", {"a": "1", "b": "2"}, 1),
        ("junk\na=1;", {"a": "1"}, 1),
        ("a=1;/* open", {"a": "1"}, 0),
        ("[]{a=1;\nb=2;", {"b": "2"}, 1),
        ("[x] a=1;\nb=2;", {"b": "2"}, 1),
        ("[x] // c\n/* c */ b=2;", {"b": "2"}, 1),
    ],
)
def test_the_grammar_of_scripts(text: str, pairs: dict[str, str], broken: int) -> None:
    from ksreplay.errors import Problems
    from ksreplay.semantics.spring.script import parse

    problems = Problems("spring")
    root = parse("[Game]{" + text + "\n[Sub] //c\n{x=1;}[sub]{y=2;}" + "}", problems, ksreplay.Limits())
    if not text.endswith("open"):
        assert root.sections["game"].pairs == pairs
        assert root.sections["game"].sections["sub"].pairs == {"y": "2"}
        assert len(problems) == broken


@given(st.text(st.sampled_from('ab=; \t\n"/*[]{}'), max_size=40))
def test_whole_pairs_at_once_are_pairs_taken_apart(text: str) -> None:
    from ksreplay.errors import Problems
    from ksreplay.semantics.spring import script

    def read() -> tuple[Any, ...]:
        problems, places = Problems("spring"), []
        return script.parse(text, problems, ksreplay.Limits(), places), places, list(problems)

    at_once = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(script, "_PAIR", re.compile("(?!)"))
        assert read() == at_once


def test_a_section_is_numbered_as_the_engine_writes_numbers() -> None:
    script = SCRIPT.replace(b"[player10]", b"[player04]{name=No;}[player10]")
    with ksreplay.open(build.demo(script, b"")) as replay:
        assert [row["name"] for row in replay.tables["players"].rows()] == ["Ann", "Ben", "Cy"]


@pytest.mark.parametrize("line", [b"[x\n", b"[x]/*\n", b"[x]{", b"a \t\n", b'a="\n', b"/*", b"[x]//\n"])
def test_a_broken_script_takes_no_more_time_than_its_size(line: bytes) -> None:
    began = time.process_time()
    with ksreplay.open(build.demo(SCRIPT + line * (600_000 // len(line)), b"")) as replay:
        assert replay.tables["players"]["name"].tolist() == ["Ann", "Ben", "Cy"]
    assert time.process_time() - began < 8


def test_options_and_restrictions() -> None:
    script = SCRIPT.replace(
        b"mapname", b"[modoptions]{a=1;}[mapoptions]{b=2;}[restrict]{unit0=tank;limit0=3;unit1=x;}mapname"
    )
    with ksreplay.open(build.demo(script, b"")) as replay:
        setup = replay.match.setup
        assert (setup.mod_options, setup.map_options) == ({"a": "1"}, {"b": "2"})
        assert setup.restrictions == {"tank": 3, "x": 0}


def test_allies_of_a_side() -> None:
    script = SCRIPT.replace(b"[allyteam3]{", b"[allyteam3]{numallies=2;ally1=9;ally0=1;ally2=3;")
    with ksreplay.open(build.demo(script, b"")) as replay:
        assert [row["allies"] for row in replay.tables["ally_teams"].rows()] == [[], [0]]
    many = b"".join(b"[allyteam%d]{numallies=999999;}" % i for i in range(20_000))
    began = time.process_time()
    with ksreplay.open(build.demo(SCRIPT.replace(b"mapname", many + b"mapname"), b"")) as replay:
        assert len(replay.tables["ally_teams"]) == 20_000
    assert time.process_time() - began < 8


def test_what_the_script_sets_for_a_team() -> None:
    script = SCRIPT.replace(b"[team2]{", b"[team2]{advantage=0.25;startposx=100;startposz=7.5;handicap=5;side=Arm;")
    with ksreplay.open(build.demo(script, b"")) as replay:
        first, second, _ = replay.tables["teams"].rows()
        keys = ("advantage", "start_x", "start_z", "handicap", "side", "income_multiplier")
        assert only(first, *keys) == [0.25, 100.0, 7.5, 5.0, "Arm", None]
        assert only(second, *keys) == [None] * 6


@pytest.mark.parametrize(
    "text,number",
    [
        ("[18.41]", 18.41), ("(16.67)", 16.67), ("~20.5~", 20.5), ("#25#", 25.0), ("~#-3.2#", -3.2), ("7", 7.0),
        ("none", None), ("", None),
    ],
)  # fmt: skip
def test_the_rating_is_the_first_number_of_the_lobbys_text(text: str, number: float | None) -> None:
    keys = f"name=Ann;skill={text};SkillUncertainty=8.03;rank=3;countrycode=FR;accountid=4711;".encode()
    data = build.demo(SCRIPT.replace(b"name=Ann;", keys), b"")
    columns = ("skill", "skill_text", "skill_uncertainty", "rank", "country", "account_id")
    for private in (False, True):
        with ksreplay.open(data, private=private) as replay:
            first, second, _ = replay.tables["players"].rows()
            assert only(first, *columns) == [number, text, 8.03, 3, "FR", "4711" if private else None]
            assert only(second, *columns) == [None] * 6
            assert replay.info()["players"][0]["account_id"] == ("4711" if private else None)


@pytest.mark.parametrize(
    "text,rank", [("2147483647", 2**31 - 1), ("2147483648", None), ("-2147483649", None), ("-5x", -5), ("high", None)]
)
def test_a_rank_is_a_number_of_32_bits(text: str, rank: int | None) -> None:
    with ksreplay.open(build.demo(SCRIPT.replace(b"name=Ann;", b"rank=%s;" % text.encode()), b"")) as replay:
        assert next(iter(replay.tables["players"].rows()))["rank"] == rank


@pytest.mark.parametrize(
    "text,colour",
    [
        ("1 0.5 0", "#ff8000"), ("2 -1 0.25 0.9", "#ff0040"), ("0 0", None), ("a b c", None), ("nan 0 0", None),
        ("", None),
    ],
)  # fmt: skip
def test_colours_and_start_boxes_of_the_script(text: str, colour: str | None) -> None:
    script = SCRIPT.replace(b"[team2]{", b"[team2]{rgbcolor=%s;" % text.encode()).replace(
        b"[allyteam1]{", b"[allyteam1]{startrectleft=0.1;startrecttop=0;startrectright=0.25;startrectbottom=1;"
    )
    with ksreplay.open(build.demo(script, b"")) as replay:
        assert next(iter(replay.tables["teams"].rows()))["colour"] == colour
        first, second = replay.tables["ally_teams"].rows()
        columns = ("start_left", "start_top", "start_right", "start_bottom", "script_index")
        assert only(first, *columns) == [0.1, 0.0, 0.25, 1.0, 1]
        assert only(second, *columns) == [None, None, None, None, 3]


def test_the_script_flattened() -> None:
    script = b"[GAME]{HostIP=1.2.3.4;a=1;A=2;[Player0]{Password=x;name=Ann;[options]{k=v;}}mapname=M;}"
    want = [
        ("game", "hostip", "1.2.3.4"), ("game", "a", "2"), ("game", "mapname", "M"), ("game/player0", "password", "x"),
        ("game/player0", "name", "Ann"), ("game/player0/options", "k", "v"),
    ]  # fmt: skip
    for private in (False, True):
        with ksreplay.open(build.demo(script, b""), private=private) as replay:
            found = [tuple(row.values()) for row in replay.tables["script"].rows()]
        hidden = () if private else ("hostip", "password")
        assert found == [(section, key, None if key in hidden else value) for section, key, value in want]


def test_a_team_follows_its_player() -> None:
    order = packet("command", player=BEN, command_id=0, params=[])
    join = packet("team", player=BEN, action=3, param1=0, param2=0)
    others = [packet("team", player=BEN, action=action, param1=2, param2=2) for action in (1, 2, 4, 9)]
    assert [row["team"] for row in rows("commands", order, *others, order, join, *others, order)] == [1, 1, 0]


def test_what_a_stream_repeats_costs_no_more_than_its_size() -> None:
    """Each of these took time in the square of its number, or memory for frames that a KEYFRAME only claims."""
    number = 30_000
    joins = [packet("team", player=BEN, action=3, param1=i & 1, param2=0) for i in range(2)]
    order = packet("command", player=BEN, command_id=0, params=[])
    ends = [bytes([30, 6, ANN]) + i.to_bytes(3, "little") for i in range(number)]
    began = time.process_time()
    with match(*[joins[0], order, joins[1], order] * number) as replay:
        assert replay.tables["commands"]["team"].tolist() == [0, 1] * number
    with match(*ends) as replay:
        assert len(replay.tables["timeline"]) == number + 1
        assert len(replay.info()["details"]["winners_gameover"]) == number
    with match(order, packet("keyframe", frame=2**31 - 1), team_stat_period=1) as replay:
        assert len(replay.tables["commands_per_minute"]) <= 1 << 20
    assert time.process_time() - began < 8


#: Columns of numbers that have the name beside them in `<column>_name`, and frames that have no seconds beside them:
#: those of another moment than the row's, and those that a team's samples are stamped with.
NUMBERED = ("player", "to_player", "team", "to_team", "ai_team", "leader", "host")
OTHER_FRAMES = {("sync_responses", "sync_frame"), ("team_statistics", "shown_frame"), ("side_statistics", "frame")}


def test_names_stand_beside_numbers_and_seconds_beside_frames() -> None:
    for definition in FORMATS["spring"].replay_class.TABLES:
        schema = definition.schema
        columns = {column.name for column in schema}
        for name in NUMBERED:
            assert name not in columns or f"{name}_name" in columns, (schema.name, name)
        for name in columns:
            if name.endswith("frame") and (schema.name, name) not in OTHER_FRAMES:
                assert name.removesuffix("frame") + "seconds" in columns, (schema.name, name)
        assert all(column.meaning for column in schema), schema.name


def test_names_of_leaders_hosts_and_teams() -> None:
    late = packet("create_newplayer", player=3, spectator=0, team=1, name="Dee")
    left = [packet("playerleft", player=number, reason=1) for number in (0, 3)]
    colours = packet(
        "luamsg",
        player=ANN,
        script=100,
        mode=0,
        payload=b'AutoColors[{"teamID":2,"r":1,"g":1,"b":1},{"teamID":3,"r":1,"g":1,"b":1}]',
    )
    bot = packet("aicommand", player=BEN, ai=0, ai_team=2, unit=1, command_id=-9, params=[1, 2, 3])
    frames = [packet("newframe")] * 15
    with match(*frames, late, *left, bot, colours, build_of(ANN, 9, []), teams=[samples(0, 450)] * 2) as replay:

        def column(table: str, name: str) -> list[Any]:
            return [row[name] for row in replay.tables[table].rows()]

        assert column("teams", "leader_name") == ["Ann", "Ben", "Ben"]
        assert column("ais", "team_name") == ["Bot"]
        assert column("colours", "team_name") == ["Bot", None]
        assert column("players", "team_name") == ["Ann", "Ben", None, "Ben"]
        assert column("players", "joined_seconds") == [None, None, None, 0.5]
        assert column("players", "left_seconds") == [0.5, None, None, 0.5]
        assert column("openings", "seconds") == [0.5, 0.5]
        assert column("openings", "ai_team_name") == [None, "Bot"]
        assert set(zip(column("team_metrics", "team"), column("team_metrics", "team_name"), strict=True)) == {
            (0, "Ann"),
            (1, "Ben"),
        }
        assert column("team_ratios", "team_name") == ["Ann", "Ben"]
    assert rows("players", *left)[0]["left_seconds"] == 0.0
    head = (HEAD[0], late, *left)
    assert [only(row, "joined_frame", "joined_seconds", "left_seconds") for row in rows("players", head=head)][3] == [
        -1,
        None,
        None,
    ]


# Build orders (seed 002, rules of build orders).


def selected(player: int, *units: int) -> bytes:
    return packet("select", player=player, units=list(units))


def build_of(player: int, unit: int, params: list[float], options: int = 0) -> bytes:
    return packet("command", player=player, command_id=-unit, options=options, params=params)


@pytest.mark.parametrize(
    "params,options,want",
    [
        ([1, 2, 3], 0, (True, None, 1, "replace")),
        ([1, 2, 3], SHIFT, (True, None, 1, "append")),
        ([1, 2, 3], SHIFT | RIGHT, (True, None, 1, "append")),
        ([1, 2, 3, 1], 0, (True, 1, 1, "replace")),
        ([1, 2, 3, -3.9], 0, (True, 3, 1, "replace")),
        ([1, 2, 3, 6], 0, (True, 2, 1, "replace")),
        ([1, 2, 3, 1, 0], 0, (True, None, 1, "replace")),
        ([], 0, (False, None, 1, "append")),
        ([7], SHIFT, (False, None, 5, "append")),
        ([], CONTROL, (False, None, 20, "append")),
        ([], CONTROL | SHIFT, (False, None, 100, "append")),
        ([], ALT, (False, None, 1, "front")),
    ],
)
def test_build_order(params: list[float], options: int, want: tuple[Any, ...]) -> None:
    (row,) = rows("build_orders", selected(ANN, 5, 6), build_of(ANN, 30, params, options))
    assert tuple(only(row, "placed", "facing", "count", "slot")) == want
    assert only(row, "unit_def", "builders", "removal", "inserted", "source") == [30, 2, False, False, "selection"]


def test_a_removal_is_counted_apart() -> None:
    messages = [build_of(ANN, 30, [], SHIFT), build_of(ANN, 30, [], SHIFT | RIGHT), build_of(ANN, 30, [1, 2, 3], RIGHT)]
    assert [row["removal"] for row in rows("build_orders", *messages)] == [False, True, False]
    (row,) = rows("units_ordered", *messages)
    assert only(row, "placed", "queued", "units", "removals") == [1, 1, 6, 1]


def insert(options: int, params: list[float]) -> bytes:
    return packet("command", player=ANN, command_id=1, options=options, params=params)


@pytest.mark.parametrize(
    "options,params,want",
    [
        (ALT, [-2, -40, SHIFT, 1, 2, 3], ("insert_at", -2, None, None, 1, True)),
        (ALT, [3, -40, SHIFT], ("insert_at", 3, None, None, 5, False)),
        (0, [77, -40, 0, 1, 2, 3, 1], ("insert_at_tag", None, 77, False, 1, True)),
        (RIGHT, [77, -40, RIGHT], ("insert_at_tag", None, 77, True, 1, False)),
    ],
)
def test_a_build_inside_an_insert(options: int, params: list[float], want: tuple[Any, ...]) -> None:
    (row,) = rows("build_orders", insert(options, params))
    assert tuple(only(row, "slot", "slot_position", "slot_tag", "slot_after", "count", "placed")) == want
    assert only(row, "unit_def", "removal", "inserted") == [40, False, True]


@pytest.mark.parametrize("params", [[], [0, -40], [0, 10, 0, 1, 2, 3]])
def test_an_insert_that_is_no_build(params: list[float]) -> None:
    assert rows("build_orders", insert(ALT, params)) == []


def lua_build(unit: int, x: float = 1.0, options: int = 0) -> bytes:
    return packet(
        "aicommand", player=ANN, ai=255, ai_team=255, unit=unit, command_id=-9, options=options, params=[x, 2.0, 3.0]
    )


def test_a_widget_that_asks_several_builders_is_one_order() -> None:
    messages = [lua_build(11), lua_build(12), lua_build(13, x=5.0), lua_build(14), packet("newframe"), lua_build(15)]
    found = [only(row, "frame", "x", "builders") for row in rows("build_orders", *messages)]
    assert found == [[0, 1.0, 3], [0, 5.0, 1], [1, 1.0, 1]]


def test_selection_and_factory_orders_never_fold() -> None:
    queue = packet("aicommand", player=ANN, ai=255, ai_team=255, unit=1, command_id=-9, params=[])
    messages = [selected(ANN, 1), build_of(ANN, 9, [1, 2, 3]), build_of(ANN, 9, [1, 2, 3]), queue, queue]
    assert [row["builders"] for row in rows("build_orders", *messages)] == [1, 1, 1, 1]


def test_orders_inside_one_message() -> None:
    commands = [
        {"command_id": -30, "options": 32, "params": [1, 2, 3, 1]},
        {"command_id": 10, "options": 0, "params": [4, 5, 6]},
    ]
    for pairwise, units, builders in ((1, [[11], [12]], 1), (0, [[11, 12], [11, 12]], 2)):
        message = packet(
            "aicommands", player=ANN, ai=255, pairwise=pairwise, ref_command_id=0, ref_options=255,
            ref_num_params=65535, units=[11, 12], commands=commands,
        )  # fmt: skip
        found = rows("commands", message)
        assert [row["units"] for row in found] == units
        assert [row["params"] for row in found] == [[1, 2, 3, 1], [4, 5, 6]]
        assert [row["pairwise"] for row in found] == [bool(pairwise)] * 2
        (row,) = rows("build_orders", message)
        assert only(row, "unit_def", "builders", "facing", "slot") == [30, builders, 1, "append"]


def test_an_ai_has_its_own_seat() -> None:
    message = packet("aicommand", player=BEN, ai=0, ai_team=2, unit=1, command_id=-9, timeout=90, params=[1, 2, 3])
    (row,) = rows("commands", message)
    assert only(row, "source", "ai", "team", "team_name", "timeout") == ["ai", 0, 2, "Bot", 90]
    (row,) = rows("units_ordered", message)
    assert only(row, "player_name", "ai_team", "ai_team_name", "units") == ["Ben", 2, "Bot", 1]


def test_a_selection_order_names_its_selection() -> None:
    order = packet("command", player=ANN, command_id=0, params=[])
    with match(order, selected(BEN, 9), selected(ANN, 4), order, selected(ANN), order) as replay:
        assert [row["selection"] for row in replay.tables["commands"].rows()] == [None, 1, 2]
        assert [row["units"] for row in replay.tables["selections"].rows()] == [[9], [4], []]


# Aims (seed 002, order density).

PLACE, UNIT, NONE, CUSTOM, BAD = "place", "unit", "none", "custom", "malformed"


@pytest.mark.parametrize(
    "command,count,want,at,kind",
    [
        (10, 3, PLACE, 0, "move"), (15, 4, PLACE, 0, "move"), (10, 1, BAD, None, "move"),
        (16, 3, PLACE, 0, "attack"), (20, 1, UNIT, None, "attack"), (105, 6, PLACE, 0, "attack"), (20, 2, BAD, None, "attack"),
        (21, 4, PLACE, 0, "attack"), (21, 1, BAD, None, "attack"),
        (25, 1, UNIT, None, "other"), (25, 3, BAD, None, "other"), (76, 1, UNIT, None, "other"),
        (40, 1, UNIT, None, "support"), (90, 4, PLACE, 0, "support"), (90, 5, PLACE, 1, "support"), (130, 3, BAD, None, "support"),
        (125, 4, PLACE, 0, "support"), (125, 5, BAD, None, "support"), (110, 4, PLACE, 0, "support"), (110, 1, BAD, None, "support"),
        (75, 1, UNIT, None, "other"), (75, 4, PLACE, 0, "other"), (80, 4, PLACE, 0, "other"), (80, 3, BAD, None, "other"),
        (81, 3, PLACE, 0, "other"), (-7, 3, PLACE, 0, "build"), (-7, 1, NONE, None, "build"),
        *((n, 1, NONE, None, None) for n in (0, 2, 5, 6, 7, 8, 9, 35, 36, 37, 45, 50, 55, 60, 65, 85, 95, 100, 115, 120, 135, 145, 150)),
        (3, 3, CUSTOM, None, None), (140, 1, CUSTOM, None, None), (34923, 4, CUSTOM, None, None),
    ],
)  # fmt: skip
def test_aim(command: int, count: int, want: str, at: int | None, kind: str | None) -> None:
    params = [float(10 * (i + 1)) for i in range(count)]
    plain = packet("command", player=ANN, command_id=command, params=params)
    wrapped = packet("command", player=ANN, command_id=1, options=ALT, params=[0.0, float(command), 0.0, *params])
    for row in rows("commands", plain, wrapped):
        assert row["aim"] == want
        assert row["kind"] == kind
        x = None if at is None else params[at]
        assert only(row, "aim_x", "aim_z") == [x, None if at is None else params[at + 2]]


@pytest.mark.parametrize("params", [[0.0, 10.0], [0.0, 1.0, 0.0, 1.0, 10.0, 0.0], [0.0, float("nan"), 0.0]])
def test_a_broken_insert_has_no_aim(params: list[float]) -> None:
    assert [row["aim"] for row in rows("commands", insert(ALT, params))] == [BAD]


def test_a_place_must_be_finite() -> None:
    bad = packet("command", player=ANN, command_id=10, params=[1.0, 2.0, float("inf")])
    assert [only(row, "aim", "aim_x") for row in rows("commands", bad)] == [[BAD, None]]


# Starts, talk, events.


def start(team: int, ready: int, x: float, y: float = 1.0, player: int = ANN) -> bytes:
    return packet("startpos", player=player, team=team, ready=ready, x=x, y=y, z=0.0)


def test_the_last_start_before_the_game_counts() -> None:
    early = [start(0, 0, 5), start(1, 3, 0.0, 0.0), start(0, 1, 7), start(2, 2, 9, player=255), start(9, 1, 1)]
    head = (HEAD[0], *early, HEAD[2])
    found = rows("start_positions", start(0, 1, 99), head=head)
    assert [only(row, "team", "x", "ready", "player_name") for row in found] == [
        [0, 7.0, "readied", "Ann"],
        [2, 9.0, "forced", None],
    ]


def test_malformed_messages_are_rows_of_nulls() -> None:
    bad = bytes([7, 99, 0, 254]) + b"hi\0"
    found = rows("chat", packet("chat", player=ANN, destination=254, text="ok"), bad)
    assert [only(row, "player_name", "text", "audience") for row in found] == [
        ["Ann", "ok", "everyone"],
        [None, None, None],
    ]
    for message in (bytes([11, 4, 0, 0]), bytes([14, 4, 0, 0]), bytes([15, 4, 0, 0])):
        assert rows("commands_per_minute", message) == []
        (row,) = rows("commands", message)
        assert {name for name, value in row.items() if value is not None} == {"packet", "frame", "seconds", "message"}
    with match(bad, b"\x0b\x04\0\0") as replay:
        assert [row["command_id"] for row in replay.tables["commands"].rows()] == [None]
        assert replay.tables["packets"]["malformed"].tolist() == [False] * 3 + [True] * 2
        found_at = [(p.code, p.found["id"], p.found["frame"]) for p in replay.problems]
        assert sorted(found_at) == [("malformed-message", 7, 0), ("malformed-message", 11, 0)]


#: Table of a kind of message -> messages of it that do not fit their layout.
MALFORMED: dict[str, list[bytes]] = {
    "chat": [b"\x07\x05\0\xfex"], "system_messages": [b"\x23\x05\0\xffx"], "log_messages": [b"\x31\x06\0\0\x1ex"],
    "lua_messages": [b"\x32\x06\0\0\x64\0", b"\x32\x09\0\0\x64\0\0="], "selections": [b"\x0c\x05\0\0\1"],
    "shares": [b"\x1a", b"\x1b", b"\x10\x0e\0" + bytes(11)], "alliances": [b"\x35\0"], "ai_states": [b"\x46\6\0\0\0x", b"\x47\0"],
    "sync_responses": [b"\x21\0"], "network": [b"\x26\0"], "client_data": [b"\x3d\5\0\0"], "game_speeds": [b"\x13", b"\x14\0"],
    "console_commands": [b"\x36\x08\0\0\0\0\0\0"], "map_draws": [b"\x20\6\0\1\0\0", b"\x1f\5\0\3\0"],
    "commands": [b"\x0b\4\0\0", b"\x0e\4\0\0", b"\x0f\4\0\0", b"\x4c\4\0\0"],
}  # fmt: skip


@pytest.mark.parametrize("table", MALFORMED)
def test_a_malformed_message_is_a_row_of_nulls_in_its_place(table: str) -> None:
    messages = MALFORMED[table]
    with match(*messages, packet("quit", reason="end")) as replay:
        found = list(replay.tables[table].rows())
        assert [row["packet"] for row in found] == list(range(3, 3 + len(messages)))
        for row in found:
            known = {name for name, value in row.items() if value is not None}
            assert known - {"message"} == {"packet", "frame", "seconds"}
        assert replay.tables["packets"]["malformed"].tolist() == [False] * 3 + [True] * len(messages) + [False]
        raw = {row["packet"]: row["raw"] for row in replay.tables["other_messages"].rows() if row["raw"] is not None}
        assert raw == dict(enumerate(messages, 3))


def test_every_table_of_messages_has_a_malformed_one() -> None:
    tables = {t.schema.name for t in FORMATS["spring"].replay_class.TABLES if "packet" in t.schema}
    made_of_some = {"build_orders", "start_positions", "timeline", "colours", "other_messages"}
    assert tables - made_of_some == set(MALFORMED)


def test_private_columns_are_null_by_default() -> None:
    stream = b"".join(map(build.chunk, [0.0] * 2, [HEAD[0], packet("chat", player=0, destination=252, text="secret")]))
    with ksreplay.open(build.demo(SCRIPT, stream)) as replay:
        (row,) = replay.tables["chat"].rows()
        assert only(row, "player_name", "audience", "text") == ["Ann", "allies", None]


def test_gifts_and_sharing_levels() -> None:
    messages = [
        selected(ANN, 8, 9), packet("share", player=ANN, to_team=1, share_units=1, metal=5.0, energy=0.0),
        packet("share", player=BEN, to_team=0, share_units=0, metal=0.0, energy=7.0),
        packet("aishare", player=BEN, ai=4, source_team=2, dest_team=0, metal=1.0, energy=2.0, units=[3, 4]),
        packet("setshare", player=ANN, team=0, metal_share=0.5, energy_share=0.25), b"\x1a",
    ]  # fmt: skip
    keys = ("message", "ai", "team_name", "to_team_name", "metal", "energy", "selected_units", "selection", "units")
    assert [only(row, *keys) for row in rows("shares", *messages)] == [
        ["SHARE", None, "Ann", "Ben", 5.0, 0.0, True, 0, None],
        ["SHARE", None, "Ben", "Ann", 0.0, 7.0, False, None, None],
        ["AISHARE", 4, "Bot", "Ann", 1.0, 2.0, None, None, [3, 4]],
        ["SETSHARE", None, "Ann", None, 0.5, 0.25, None, None, None],
        ["SHARE", None, None, None, None, None, None, None, None],
    ]


def test_alliances_ais_and_the_network() -> None:
    allied = [packet("alliance", player=BEN, ally_team=0, allied=on) for on in (1, 0)]
    assert [only(row, "player_name", "team", "ally_team", "allied") for row in rows("alliances", *allied)] == [
        ["Ben", 1, 0, True], ["Ben", 1, 0, False],
    ]  # fmt: skip
    ai = [
        packet("ai_created", player=BEN, ai=0, team=2, name="Bot"),
        packet("ai_state_changed", player=BEN, ai=0, state=60),
        packet("ai_state_changed", player=BEN, ai=7, state=77),
    ]
    keys = ("message", "ai", "team_name", "state_code", "state", "name")
    assert [only(row, *keys) for row in rows("ai_states", *ai)] == [
        ["AI_CREATED", 0, "Bot", None, None, "Bot"], ["AI_STATE_CHANGED", 0, "Bot", 60, "dead", None],
        ["AI_STATE_CHANGED", 7, None, 77, None, None],
    ]  # fmt: skip
    load = packet("playerinfo", player=ANN, cpu_usage=0.5, ping=-1)
    assert [only(row, "player_name", "cpu_usage", "ping") for row in rows("network", load)] == [["Ann", 0.5, -1]]


def test_colours_and_client_data() -> None:
    text = b'AutoColors[{"teamID":0,"r":255,"g":1,"b":0},{"teamID":1},{"teamID":1,"r":300,"g":-1,"b":2.9},7]'
    send = lambda payload: packet("luamsg", player=ANN, script=100, mode=0, payload=payload)  # noqa: E731
    assert [only(row, "team", "colour") for row in rows("colours", send(text), send(b"AutoColors{"))] == [
        [0, "#ff0100"], [1, "#ff0002"],
    ]  # fmt: skip
    machine = packet("clientdata", player=BEN, compressed_text=zlib.compress(b"a = 1\0"))
    assert [only(row, "player_name", "text") for row in rows("client_data", machine)] == [["Ben", "a = 1"]]


def test_timeline() -> None:
    team = lambda action, a=0, b=0: packet("team", player=ANN, action=action, param1=a, param2=b)  # noqa: E731
    messages = [
        packet("pause", player=BEN, paused=1), packet("pause", player=BEN, paused=0), team(2), team(1, 1, 0),
        team(4, 1), team(4, 1), team(3, 0), packet("playerleft", player=BEN, reason=2),
        packet("playerleft", player=CY, reason=3),
        packet("gameover", player=ANN, winning_ally_teams=[1]), packet("gameover", player=BEN, winning_ally_teams=[1]),
        packet("gameover", player=CY, winning_ally_teams=[0]),
    ]  # fmt: skip
    found = [
        only(row, "packet", "event", "player_name", "team", "to_team", "detail", "ally_teams")
        for row in rows("timeline", *messages)
    ]
    assert found == [
        [2, "game_start", None, None, None, None, None],
        [3, "paused", "Ben", None, None, None, None],
        [4, "unpaused", "Ben", None, None, None, None],
        [5, "resigned", "Ann", 0, None, None, None],
        [6, "give_away", "Ann", 0, 1, None, None],
        [7, "team_died", "Ann", 1, None, None, None],
        [10, "player_left", "Ben", None, None, "kicked", None],
        [11, "player_left", "Cy", None, None, None, None],
        [12, "game_over", "Ann", None, None, None, [1]],
        [14, "game_over", "Cy", None, None, None, [0]],
    ]


def test_a_game_of_numbered_frames_begins_with_the_first_of_them() -> None:
    frames = [struct.pack("<Bi", 2, frame) for frame in (0, 1)]
    found = rows("timeline", *frames, head=HEAD[:2], version=1, engine_version="0.76b1")
    assert [only(row, "packet", "frame", "event") for row in found] == [[2, 0, "game_start"]]


def test_where_no_checksum_leads_all_of_them_are_a_desync() -> None:
    sync = lambda player, frame, checksum: packet("syncresponse", player=player, frame=frame, checksum=checksum)  # noqa: E731
    messages = [sync(ANN, 60, 9), sync(BEN, 60, 7), sync(ANN, 120, 1), sync(BEN, 120, 1), sync(CY, 180, 3)]
    assert [row["desync"] for row in rows("sync_responses", *messages)] == [True, True, False, False, False]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.booleans()), min_size=1, max_size=30))
def test_desyncs_by_counting_each_frame(answers: list[tuple[int, int, bool]]) -> None:
    by_frame: dict[int, Counter[int]] = defaultdict(Counter)
    for frame, checksum, whole in answers:
        by_frame[frame][checksum] += whole
    expected: list[bool | None] = []
    for frame, checksum, whole in answers:
        (first, most), *others = by_frame[frame].most_common()
        leads = not others or others[0][1] < most
        expected.append(not (leads and checksum == first) if whole else None)
    messages = [
        packet("syncresponse", player=ANN, frame=frame, checksum=checksum) + (b"" if whole else b"x" * 9)
        for frame, checksum, whole in answers
    ]
    assert [row["desync"] for row in rows("sync_responses", *messages)] == expected


def test_chat_of_engines_with_few_players() -> None:
    """Their numbers for everyone, spectators and allies are those of players today, where a game has so many."""
    says = lambda to: packet("chat", player=ANN, destination=to, text="hi")  # noqa: E731
    messages = [says(to) for to in (125, 126, 127, 1, 254)]
    assert [only(row, "audience", "to_player_name") for row in rows("chat", *messages)] == [
        ["everyone", None], ["spectators", None], ["allies", None], ["whisper", "Ben"], ["everyone", None],
    ]  # fmt: skip
    late = packet("create_newplayer", player=126, spectator=1, team=0, name="Dee")
    assert [only(row, "audience", "to_player_name") for row in rows("chat", late, says(126), says(127))] == [
        ["whisper", "Dee"], ["allies", None],
    ]  # fmt: skip


def test_desyncs_are_found() -> None:
    sync = lambda player, frame, checksum: packet("syncresponse", player=player, frame=frame, checksum=checksum)  # noqa: E731
    messages = [sync(p, 60, 7) for p in (ANN, BEN, CY)] + [sync(ANN, 120, 8), sync(BEN, 120, 9), sync(CY, 120, 8)]
    with match(*messages) as replay:
        table = replay.tables["sync_responses"]
        assert table["desync"].tolist() == [False] * 4 + [True, False]
        assert [(p.code, p.found) for p in replay.problems] == [("desync", {"frame": 120, "player": BEN})]


# The trailer.

COUNTERS = [dict(zip(("num_commands", "num_unit_commands", "mouse_pixels", "mouse_clicks", "key_presses"), v, strict=True))
            for v in ((207, 300, 400000, 50, 6), (1, 2, 3, 4, 5))]  # fmt: skip


@pytest.mark.parametrize("client", [True, False])
@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize(
    "spec,engine", [("", "94.1"), ("_MOUSE_FIRST", "93.2"), ("_BE", "94.1"), ("_MOUSE_FIRST_BE", "93.2")]
)
def test_both_orders_and_byte_orders_of_player_records(spec: str, engine: str, said: bool, client: bool) -> None:
    swapped = spec.endswith("_BE")
    layout = "playerstat" if "MOUSE" not in spec else "playerstat_mouse_first"
    messages = [packet("setplayernum", player=0)] if client else []
    messages += [packet(layout, player=i, statistics=c) for i, c in enumerate(COUNTERS)] if said else []
    spec_ = getattr(build, f"PLAYER_STATISTICS{spec}")
    with match(*messages, players=COUNTERS, player_spec=spec_, engine_version=engine, game_seconds=60) as replay:
        got = [
            only(row, "commands", "unit_commands", "mouse_pixels", "mouse_clicks", "key_presses")
            for row in replay.tables["player_statistics"].rows()
        ]
        right = said or swapped is not client
        assert (got == [list(c.values()) for c in COUNTERS]) is right
        read = replay.info()["details"]["player_statistics_read"]
        assert read["evidence"] == ("PLAYERSTAT packets" if said else "kind of recording")
        inferred = [p.found for p in replay.problems if p.code == "player-statistics-inferred"]
        assert inferred == ([] if said else [read["byte_order"]])
        if right:
            assert replay.tables["player_statistics"]["commands_per_minute"].tolist() == [207.0, 1.0]


@pytest.mark.parametrize("engine", ["0.82.7", "a build without a number"])
@pytest.mark.parametrize("version", [1, 3, 4])
def test_counters_behind_an_old_header_have_the_mouse_first(version: int, engine: str) -> None:
    spec = build.PLAYER_STATISTICS_MOUSE_FIRST
    options = {"version": version, "engine_version": engine[:15], "players": COUNTERS, "player_spec": spec}
    columns = ("commands", "unit_commands", "mouse_pixels", "mouse_clicks", "key_presses")
    want = [list(counters.values()) for counters in COUNTERS]
    assert [only(row, *columns) for row in rows("player_statistics", **options)] == want
    # A demo of a current engine that was rewritten with an older header keeps its records as they are.
    with match(players=COUNTERS) as replay, ksreplay.open(replay.encode(version=version)) as older:
        assert [only(row, *columns) for row in older.tables["player_statistics"].rows()] == want


def samples(*frames: int) -> list[dict[str, float]]:
    names = [spec.name for spec in build.TEAM_STATISTICS.subcons]
    return [{**dict.fromkeys(names, 10 * i), "frame": frame} for i, frame in enumerate(frames)]


@pytest.mark.filterwarnings("error")
def test_statistics_of_any_bits_make_no_warnings() -> None:
    with match(packet("newframe"), teams=[samples(0, 450)] * 3) as replay:
        data = replay.encode(suffix=".sdf")
    spoiled = data.replace(np.float32(10).tobytes(), (0x7FA00000).to_bytes(4, "little"))  # a signalling NaN
    assert spoiled != data
    with ksreplay.open(spoiled) as replay:
        for name in replay.tables:
            _ = replay.tables[name]
        assert np.isnan(replay.tables["team_statistics"]["metal_used"]).any()


def test_team_samples_rates_and_a_sample_in_the_future() -> None:
    with match(packet("newframe"), teams=[samples(0, 450, 900), samples(), samples(450)]) as replay:
        table = replay.tables["team_statistics"]
        assert table["team"].tolist() == [0, 0, 0, 2]
        assert table["frame"].tolist() == [0, 450, 900, 450]
        assert table["shown_frame"].tolist() == [0, 1, 1, 1]
        assert [row["metal_used_per_minute"] for row in table.rows()] == [40.0, 40.0, 40.0, None]
        assert [row["units_killed_per_minute"] for row in table.rows()] == [40.0, 40.0, 40.0, None]


@pytest.mark.parametrize(
    "frames,rates",
    [
        ((), []), ((450,), [None]), ((0, 450), [40.0, 40.0]), ((450, 450), [None, None]), ((900, 450), [None, None]),
        ((0, 450, 450, 900), [40.0, 40.0, None, 40.0]),
    ],
)  # fmt: skip
def test_rates_between_samples_as_they_are_stamped(frames: tuple[int, ...], rates: list[float | None]) -> None:
    found = rows("team_statistics", teams=[samples(*frames), samples(*frames)])
    assert [row["metal_used_per_minute"] for row in found] == rates * 2
    assert [row["units_killed_per_minute"] for row in found] == rates * 2
    assert [row["sample"] for row in found] == list(range(len(frames))) * 2


def test_the_header_says_how_long_a_step_between_samples_is() -> None:
    frames = [packet("keyframe", frame=frame) for frame in (1, 450)]
    found = rows("team_statistics", *frames, teams=[samples(0, 450, 900)], team_stat_period=30)
    assert [only(row, "frame", "shown_frame", "seconds", "metal_used_per_minute") for row in found] == [
        [0, 0, 0.0, 20.0], [450, 450, 15.0, 20.0], [900, 450, 15.0, 20.0],
    ]  # fmt: skip
    found = rows("team_statistics", *frames, teams=[samples(0, 450)], team_stat_period=0)
    assert [row["metal_used_per_minute"] for row in found] == [40.0, 40.0]  # 30 frames a second


def test_a_trailer_cut_anywhere_has_its_whole_records() -> None:
    teams = [samples(0, 450), samples(0)]
    with match(winners=[1, 0], players=COUNTERS, teams=teams) as replay:
        data, start = replay.encode(suffix=".sdf"), replay.match.trailer.start
    players, counts = start + 2, start + 2 + 20 * len(COUNTERS)
    first = counts + 4 * len(teams)
    assert len(data) == first + 80 * 3
    for size in range(start, len(data)):
        with ksreplay.open(data[:size]) as replay:
            document = replay.info(full=True)
            assert document["details"]["winners_trailer"] == [1, 0][: size - start]
            assert len(replay.match.trailer.players) == min(max(0, (size - players) // 20), len(COUNTERS))
            assert len(replay.match.trailer.counts) == min(max(0, (size - counts) // 4), len(teams))
            whole = max(0, (size - first) // 80)
            assert replay.tables["team_statistics"]["team"].tolist() == [0, 0, 1][:whole]
            assert replay.tables["team_statistics"]["frame"].tolist() == [0, 450, 0][:whole]
            assert not document["complete"]


def test_counts_of_samples_cannot_ask_for_more_than_the_header_gives_them() -> None:
    with match(teams=[samples(0, 450)] * 12, players=COUNTERS) as replay:
        data, start = bytearray(replay.encode(suffix=".sdf")), replay.match.trailer.start
    data[start + 20 * len(COUNTERS)] += 5  # the first team claims seven
    with ksreplay.open(bytes(data)) as replay:
        assert replay.tables["team_statistics"]["team"].tolist() == [0] * 7 + [i // 2 for i in range(2, 19)]
        assert "team-statistics-size" in [problem.code for problem in replay.validate()]


def result(*messages: bytes, **options: Any) -> Any:
    with match(*messages, **options) as replay:
        return replay.info()["result"]


def test_which_evidence_names_the_winners() -> None:
    over = packet("gameover", player=ANN, winning_ally_teams=[1])
    team = [samples(0)]
    assert result(over, winners=[0], teams=team) == {"winners": [0], "source": "trailer"}
    assert result(over, winners=[0]) == {"winners": [1], "source": "gameover"}  # no teams: no winner bytes in the file
    assert result(version=4, engine_version="0.82.7", winning_ally_team=1) == {"winners": [1], "source": "header"}
    assert result(version=4, engine_version="0.82.7", winning_ally_team=-1) is None
    with match() as replay:
        assert replay.info()["result"] is None
        assert replay.tables["players"].valid("won").tolist() == [False] * 3  # no result is not a loss
    with match(over) as replay:
        assert [row["won"] for row in replay.tables["players"].rows()] == [False, True, None]


@pytest.mark.parametrize("version", [1, 3, 4])
@pytest.mark.parametrize("named,won", [(0, [True, False, None]), (1, [False, True, None]), (-1, [None] * 3)])
def test_a_game_over_without_a_list_leaves_the_winner_to_the_header(version: int, named: int, won: list[Any]) -> None:
    with match(b"\x1e", version=version, engine_version="0.82.7", winning_ally_team=named) as replay:
        document = replay.info()
        assert document["result"] == (None if named < 0 else {"winners": [named], "source": "header"})
        assert document["details"]["winners_gameover"] == []
        assert [row["won"] for row in replay.tables["players"].rows()] == won


def test_an_undecided_game_is_over_and_nobody_lost_it() -> None:
    with match(packet("gameover", player=ANN, winning_ally_teams=[])) as replay:
        assert replay.info()["result"] == {"winners": [], "source": "gameover"}
        for name in ("players", "teams", "ally_teams"):
            assert not replay.tables[name].valid("won").any()


# Old layouts: one file of each, byte by byte.


OLD: list[tuple[str, int, str, Callable[[], bytes], str, dict[str, Any]]] = [
    ("0.76b1", 1, "newframe_numbered", lambda: struct.pack("<Bi", 2, 0), "packets", {"name": "NEWFRAME", "frame": 0}),
    ("0.79.1", 4, "team_short", lambda: bytes([51, ANN, 4, 1]), "timeline", {"event": "team_died", "team": 1}),
    ("0.80.5", 4, "systemmsg_short", lambda: b"\x23\x06\xffhi\0", "system_messages", {"text": "hi", "player": 255}),
    ("0.80.5", 4, "quit", lambda: b"\x03", "timeline", {"event": "quit"}),
    ("0.82.7", 4, "gameover", lambda: b"\x1e", "timeline", {"event": "game_over", "ally_teams": []}),
    ("0.79.1", 4, "syncresponse_unowned", lambda: struct.pack("<BiI", 33, 60, 9), "sync_responses", {"sync_frame": 60, "checksum": 9, "player": None}),
    ("0.80.5", 4, "playerinfo_short", lambda: struct.pack("<BBfH", 38, ANN, 0.5, 70), "network", {"ping": 70, "player_name": "Ann"}),
    ("0.82.3", 4, "ai_state_changed_wide", lambda: struct.pack("<BBIB", 71, ANN, 3, 40), "ai_states", {"ai": 3, "state": "alive"}),
    ("0.82.3", 4, "ai_created_wide", lambda: struct.pack("<BBBIB", 70, 11, ANN, 3, 1) + b"AI\0", "ai_states", {"ai": 3, "team": 1, "name": "AI"}),
    ("0.77b1", 3, "luamsg_short", lambda: struct.pack("<BHBBB", 50, 8, ANN, 100, 0) + b"=a", "lua_messages", {"script": 100, "payload": b"=a"}),
    ("0.76b1", 1, "setshare_unowned", lambda: struct.pack("<BBff", 27, 1, 0.5, 0.25), "shares", {"team": 1, "metal": 0.5, "player": None}),
    ("0.79.1", 4, "map_draw_point", lambda: struct.pack("<BBBBhh", 31, 11, ANN, 0, 5, -6) + b"me\0", "map_draws", {"x": 5, "z": -6, "label": "me", "from_lua": None}),
    ("0.82.7", 4, "map_draw_point", lambda: struct.pack("<BBBBhhB", 31, 12, ANN, 0, 5, 6, 1) + b"me\0", "map_draws", {"x": 5, "label": "me", "from_lua": True}),
    ("2025.03.01", 5, "map_draw_point", lambda: struct.pack("<BBBBIIB", 31, 16, ANN, 0, 70000, 6, 0) + b"me\0", "map_draws", {"x": 70000, "label": "me"}),
    ("2025.04.10", 5, "map_draw_line", lambda: struct.pack("<BBBBIIIIB", 32, 21, ANN, 2, 1, 2, 3, 4, 1), "map_draws", {"x2": 3, "z2": 4, "from_lua": True}),
    ("0.82.7", 4, "map_draw_line_bare", lambda: struct.pack("<BBBBhhhh", 31, 12, ANN, 2, 1, 2, 3, 4), "map_draws", {"x2": 3, "from_lua": None}),
    ("103.0", 5, "command_plain", lambda: struct.pack("<BHBiBfff", 11, 21, ANN, 10, 32, 1, 2, 3), "commands", {"params": [1, 2, 3], "shift": True, "timeout": None}),
    ("104.0.1-700-g1", 5, "command_counted", lambda: struct.pack("<BHBiBIfff", 11, 25, ANN, 10, 32, 3, 1, 2, 3), "commands", {"params": [1, 2, 3]}),
    ("0.82.7", 4, "aicommand_unowned", lambda: struct.pack("<BHBhiBf", 14, 15, ANN, 77, 20, 0, 5), "commands", {"units": [77], "params": [5], "source": "lua"}),
    ("100.0", 5, "aicommand_plain", lambda: struct.pack("<BHBBhiBf", 14, 16, ANN, 3, 77, 20, 0, 5), "commands", {"units": [77], "params": [5], "source": "ai", "ai": 3}),
    ("104.0.1-1200-g1", 5, "aicommand_timed", lambda: struct.pack("<BHBBhiiBIf", 14, 24, ANN, 255, 77, 20, 90, 0, 1, 5), "commands", {"units": [77], "timeout": 90}),
    ("100.0", 5, "aicommand_tracked_plain", lambda: struct.pack("<BHBBhiBif", 76, 20, ANN, 3, 77, 20, 0, 9, 5), "commands", {"ai_command_id": 9, "params": [5]}),
    ("85.0", 5, "aicommands_listed", lambda: struct.pack("<BHBBhhhiBHf", 15, 22, ANN, 255, 1, 8, 1, -3, 32, 1, 5), "commands", {"units": [8], "unit_def": 3, "params": [5]}),
    ("0.82.7", 4, "aicommands_unowned", lambda: struct.pack("<BHBhhhiBHf", 15, 21, ANN, 1, 8, 1, -3, 32, 1, 5), "commands", {"units": [8], "unit_def": 3}),
    ("0.76b1", 1, "startpos_unowned", lambda: struct.pack("<BBBfff", 36, 1, 0, 5, 6, 7), "start_positions", {"team": 1, "x": 5, "z": 7, "player": None}),
    ("104.0.1-700-g1", 5, "aicommand_counted", lambda: struct.pack("<BHBBhiBIf", 14, 20, ANN, 255, 77, 20, 0, 1, 5), "commands", {"units": [77], "params": [5], "timeout": None}),
    ("104.0.1-700-g1", 5, "aicommand_tracked_counted", lambda: struct.pack("<BHBBhiBIif", 76, 24, ANN, 3, 77, 20, 0, 1, 9, 5), "commands", {"ai_command_id": 9, "params": [5], "ai": 3}),
    ("104.0.1-1200-g1", 5, "aicommand_tracked_timed", lambda: struct.pack("<BHBBhiiBIif", 76, 28, ANN, 3, 77, 20, 90, 0, 1, 9, 5), "commands", {"ai_command_id": 9, "params": [5], "timeout": 90}),
    ("93.2", 5, "playerstat_mouse_first", lambda: struct.pack("<BB5i", 29, ANN, 3, 4, 5, 1, 2), "player_statistics", {"commands": 1, "unit_commands": 2, "mouse_pixels": 3, "source": "packet"}),
    ("2025.04.02", 5, "gamestate_dump", lambda: b"\x2e", "other_messages", {"name": "GAMESTATE_DUMP", "field": None}),
    ("0.82.7", 4, "map_draw_erase", lambda: struct.pack("<BBBBhh", 31, 8, ANN, 1, 5, 6), "map_draws", {"action": "erase", "x": 5, "x2": None}),
    ("94.1", 5, "map_draw_line", lambda: struct.pack("<BBBBhhhhB", 31, 13, ANN, 2, 1, 2, 3, 4, 1), "map_draws", {"x2": 3, "from_lua": True}),
    ("2025.04.08", 5, "map_draw_erase", lambda: struct.pack("<BBBBII", 31, 12, ANN, 1, 70000, 6), "map_draws", {"action": "erase", "x": 70000}),
    ("2025.04.08", 5, "map_draw_line", lambda: struct.pack("<BBBBIIIIB", 31, 21, ANN, 2, 1, 2, 70000, 4, 0), "map_draws", {"x2": 70000, "from_lua": False}),
    ("0.77b1", 3, "sync_request", lambda: struct.pack("<Bi", 32, 60), "packets", {"size": 5, "malformed": False}),
]  # fmt: skip


def test_every_old_layout_has_its_file() -> None:
    by_engine = {layout.name for layouts in BY_ENGINE.values() for _, layout in layouts}
    by_size = {layout.name for layouts in BY_SIZE.values() for layout in layouts.values()}
    by_size |= {"quit", "gameover"}  # of which the old ones have no body
    assert (by_engine | by_size) - {"ai_created", "no_body"} <= {name for _, _, name, *_ in OLD}


@pytest.mark.parametrize("engine,version,name,message,table,want", OLD, ids=[f"{o[0]}-{o[2]}" for o in OLD])
def test_old_layouts(
    engine: str, version: int, name: str, message: Callable[[], bytes], table: str, want: dict[str, Any]
) -> None:
    head = (build.game_data(SCRIPT, checksum_size=4),)
    with match(message(), head=head, version=version, engine_version=engine) as replay:
        found: Table = replay.tables[table]
        row = list(found.rows())[-1]
        assert {key: row[key] for key in want} == want
        replay.read_fully()
        assert not [p for p in replay.problems if p.code in ("malformed-message", "layout-contradiction")]


@pytest.mark.parametrize("version", [1, 3, 4, 5])
def test_headers_of_all_versions(version: int) -> None:
    options = {"version": version, "players": COUNTERS, "teams": [samples(0, 450)], "wallclock_seconds": 77}
    with match(packet("newframe"), **options) as replay:
        document = replay.info(full=True)
        assert document["format_version"] == version
        assert document["complete"]
        assert document["details"]["wallclock_s"] == 77
        assert document["details"]["last_frame"] == 1
        assert document["tables"]["team_statistics"] == 2
        assert document["tables"]["player_statistics"] == 2


@pytest.mark.parametrize("winners", [[1], [0, 1]])
def test_a_header_of_version_4_that_counts_its_winners(winners: list[int]) -> None:
    options = {"version": 4, "engine_version": "0.82.7.1", "player_spec": build.PLAYER_STATISTICS_MOUSE_FIRST}
    stream = b"".join(chunk(0, message) for message in HEAD)
    data = build.demo(SCRIPT, stream, winners=winners, players=[COUNTERS[0]], teams=[samples(0, 450)], **options)
    with ksreplay.open(data) as replay:
        document = replay.info(full=True)
        assert document["result"] == {"winners": winners, "source": "trailer"}
        assert document["details"]["winning_ally_team"] is None
        assert [row["commands"] for row in replay.tables["player_statistics"].rows()] == [COUNTERS[0]["num_commands"]]
        assert replay.tables["team_statistics"]["frame"].tolist() == [0, 450]
        assert not [p for p in replay.validate() if p.severity == "strict"]
        assert replay.encode() == data
        modern = replay.encode(version=5)
    assert SpringDemo.from_bytes(data).winning_ally_teams == winners
    with ksreplay.open(modern) as replay:
        assert replay.info()["result"] == {"winners": winners, "source": "trailer"}


@pytest.mark.parametrize("layout", [3, 4])
def test_headers_of_version_2_are_told_apart_by_their_size(layout: int) -> None:
    options = {"version": layout, "engine_version": "0.77b1", "wallclock_seconds": 77, "winning_ally_team": 1}
    with match(**options) as replay:
        data = bytearray(replay.encode(suffix=".sdf"))
    data[16] = 2
    with ksreplay.open(bytes(data)) as replay:
        document = replay.info(full=True)
        assert (document["format_version"], document["complete"], document["problems"]) == (2, True, [])
        assert document["details"]["wallclock_s"] == 77
        assert document["details"]["header_bytes"] == {3: 116, 4: 112}[layout]
        assert document["result"] == {"winners": [1], "source": "header"}


@pytest.mark.parametrize("size", [4, 64])
def test_checksums_and_seed_of_gamedata(size: int) -> None:
    first = build.game_data(SCRIPT, checksum_size=size, seed=2**32 - 2, fill=b"\x5a")
    with match(head=(first, *HEAD[1:]), engine_version="104.0") as replay:
        details = replay.info()["details"]
        assert details["map_checksum"] == details["game_checksum"] == "5a" * size
        assert details["random_seed"] == 2**32 - 2
        assert details["script_matches_gamedata"] is True
    with match(head=HEAD[1:]) as replay:
        keys = ("map_checksum", "game_checksum", "random_seed", "script_matches_gamedata")
        assert only(replay.info()["details"], *keys) == [None] * 4
    other = build.game_data(SCRIPT + b"\n", checksum_size=size)
    with match(head=(other, *HEAD[1:])) as replay:
        assert replay.info()["details"]["script_matches_gamedata"] is False


def test_unknown_version_is_refused() -> None:
    header = {"version": 6, "engine_version": "", "game_id": bytes(16), "unix_time": 0}
    with pytest.raises(ksreplay.UnsupportedVersion):
        ksreplay.open(build.HEADERS[5].build(header))


def test_a_layout_that_the_packets_contradict_is_a_problem() -> None:
    messages = [packet("command", player=ANN, command_id=10, params=[1, 2, 3])] * 9
    with match(*messages, engine_version="100.0") as replay:
        replay.read_fully()
        assert [p.code for p in replay.problems if p.code == "layout-contradiction"] == ["layout-contradiction"]


@pytest.mark.parametrize("size", [1, 241, 242, 243, 300])
def test_a_label_may_be_longer_than_its_size_byte_counts(size: int) -> None:
    label = b"x" * size + b"\0"
    wide = struct.pack("<BBBBIIB", 32, 13 + len(label) & 255, ANN, 0, 5, 6, 0) + label
    narrow = struct.pack("<BBBBhhB", 31, 9 + len(label) & 255, ANN, 0, 5, 6, 0) + label
    for message, engine in ((wide, "2025.06.12"), (narrow, "105.0")):
        (row,) = rows("map_draws", message, engine_version=engine)
        assert only(row, "action", "x", "z", "label") == ["point", 5, 6, "x" * size]


NARROW = struct.pack("<BBBBhh", 31, 8, ANN, 1, 5, 6)
WIDE = struct.pack("<BBBBIIIIB", 31, 21, ANN, 2, 1, 2, 70000, 4, 0)


@pytest.mark.parametrize("engine", ["2025.04.10", "2025.06.12", "unknown"])
@pytest.mark.parametrize(
    "others,wide",
    [
        ([], True), ([WIDE], True), ([NARROW], False), ([NARROW, WIDE], True),
        ([struct.pack("<BBBBhhhh", 31, 12, ANN, 2, 1, 2, 3, 4)], False),
        ([struct.pack("<BBBBhhhhB", 31, 13, ANN, 2, 1, 2, 3, 4, 0)], False),
    ],
)  # fmt: skip
def test_points_of_the_old_id_are_as_wide_as_the_other_drawings_where_the_engine_says_nothing(
    engine: str, others: list[bytes], wide: bool
) -> None:
    for flag in (0, 1):
        places = struct.pack("<IIB" if wide else "<hhB", 5, 6, flag)
        point = bytes([31, 4 + len(places) + 4, ANN, 0]) + places + b"me!\0"
        row = rows("map_draws", point, *others, engine_version=engine)[0]
        assert only(row, "x", "z", "from_lua", "label") == [5, 6, bool(flag), "me!"]


def test_malformed_drawings_are_rows_of_nulls() -> None:
    bodies = (
        b"\0" + bytes(9) + b"no end",
        b"\0" + bytes(9) + b"a\0b\0",
        b"\1" + bytes(9),
        b"\2" + bytes(12),
        b"\3" + bytes(8),
    )
    messages = [bytes([32, 3 + len(body), ANN]) + body for body in bodies]
    found = rows("map_draws", *messages, NARROW[:3], packet("map_draw_point_new", player=ANN, x=1, z=2, label=""))
    known = [{name for name, value in row.items() if value is not None} for row in found]
    assert known[:-1] == [{"packet", "frame", "seconds", "message"}] * 6
    assert only(found[-1], "action", "x", "label") == ["point", 1, ""]


@pytest.mark.parametrize(
    "engine,message,contradiction",
    [
        ("105.1.1-1821-g1", NARROW, None), ("2025.01.6", WIDE, ("map_draw_wide", "map_draw_narrow")),
        ("2025.03.01", WIDE, None), ("2025.04.08", NARROW, ("map_draw_narrow", "map_draw_wide")),
        ("2025.06.12", NARROW, None), ("unknown", WIDE, None),
    ],
)  # fmt: skip
def test_drawings_as_wide_as_another_engine_writes_them_are_a_problem(
    engine: str, message: bytes, contradiction: tuple[str, str] | None
) -> None:
    with match(message, message, engine_version=engine) as replay:
        assert [row["action"] is None for row in replay.tables["map_draws"].rows()] == [False, False]
        found = [(p.found, p.expected) for p in replay.problems if p.code == "layout-contradiction"]
        assert found == ([contradiction] if contradiction else [])


@pytest.mark.parametrize(
    "engine,layout,ai,team",
    [
        ("100.0", "aicommand_plain", 0, (2, "Bot")), ("100.0", "aicommand_tracked_plain", 0, (2, "Bot")),
        ("100.0", "aicommand_plain", 9, (None, None)), ("100.0", "aicommand_plain", 255, (1, "Ben")),
        ("2025.06.12", "aicommand", 0, (0, "Ann")), ("2025.06.12", "aicommand", 9, (None, None)),
    ],
)  # fmt: skip
def test_an_order_of_an_ai_is_never_its_hosts(
    engine: str, layout: str, ai: int, team: tuple[int | None, str | None]
) -> None:
    """Engines before 104.0.1-1482 do not say the AI's team, which the script knows; later ones do."""
    fields: dict[str, Any] = {"player": BEN, "ai": ai, "unit": 1, "command_id": -9}
    fields |= {"ai_command_id": 1} if "tracked" in layout else {}
    fields |= {"ai_team": 0 if ai == 0 else 255} if layout == "aicommand" else {}
    with match(packet(layout, **fields, params=[1, 2, 3]), engine_version=engine) as replay:
        for name in ("commands", "build_orders"):
            (row,) = replay.tables[name].rows()
            assert (row["team"], row["team_name"], row["source"]) == (*team, "lua" if ai == 255 else "ai"), name
        (seat,) = replay.tables["units_ordered"].rows()
        assert (seat["player"], seat["ai_team"]) == (BEN, None if ai == 255 else team[0])


#: A message of an old size, the engine after the last one that wrote it, and what is found there.
SIZED = [
    ("0.77b1", struct.pack("<Bi", 2, 0), "newframe_numbered"),
    ("0.77b1", bytes([36]) + bytes(14), "startpos_unowned"),
    ("0.77b1", b"\x1b" + bytes(9), "setshare_unowned"),
    ("0.80.0", bytes([51, ANN, 4, 1]), "team_short"),
    ("0.81.0", b"\x03", "no_body"),
    ("0.82.0", bytes([38, ANN]) + bytes(6), "playerinfo_short"),
    ("83.0", b"\x1e", "no_body"),
    ("83.0", bytes([71, ANN]) + bytes(5), "ai_state_changed_wide"),
    ("85.0", struct.pack("<BiI", 33, 60, 9), "syncresponse_unowned"),
]


@pytest.mark.parametrize("engine,message,layout", SIZED, ids=[f"{s[0]}-{s[2]}" for s in SIZED])
def test_an_old_size_contradicts_an_engine_that_no_longer_writes_it(engine: str, message: bytes, layout: str) -> None:
    before = {
        "0.77b1": "0.76b1",
        "0.80.0": "0.79.1",
        "0.81.0": "0.80.5",
        "0.82.0": "0.81.2",
        "83.0": "0.82.7",
        "85.0": "83.0",
    }
    for version, expected in ((before[engine], []), (engine, [layout]), ("2025.06.12", [layout])):
        with match(message, message, engine_version=version) as replay:
            assert not replay.tables["packets"]["malformed"].any(), "read all the same"
            assert [p.found for p in replay.problems if p.code == "layout-contradiction"] == expected


@pytest.mark.parametrize("count", [1, 9])
@pytest.mark.parametrize(
    "layout",
    [
        "command_plain",
        "command_counted",
        "command",
        "aicommand_plain",
        "aicommand_counted",
        "aicommand_timed",
        "aicommand",
    ],
)
def test_the_packets_decide_between_two_development_versions(layout: str, count: int) -> None:
    fields: dict[str, Any] = {"player": ANN, "command_id": 10}
    if layout.startswith("ai"):
        fields |= {"ai": 255, "unit": 5} | ({"ai_team": 255} if layout == "aicommand" else {})
    messages = [packet(layout, **fields, params=[float(i), 2, 3]) for i in range(1, count + 1)]
    for commits in (500, 700, 1100, 1550):
        with match(*messages, engine_version=f"104.0.1-{commits}-g1") as replay:
            params = [row["params"] for row in replay.tables["commands"].rows()]
            assert params == [[float(i), 2, 3] for i in range(1, count + 1)], commits
    if layout not in (
        "command_plain",
        "aicommand_plain",
    ):  # elsewhere the engine decides, and what contradicts it is said
        with match(*messages, engine_version="103.0") as replay:
            assert len(replay.tables["commands"]) == count
            assert "layout-contradiction" in [p.code for p in replay.problems]


def test_orders_with_one_zero_contradict_nothing() -> None:
    messages = [packet("command_plain", player=ANN, command_id=85, params=[0.0])] * 9
    with match(*messages, engine_version="100.0") as replay:
        assert [row["params"] for row in replay.tables["commands"].rows()] == [[0.0]] * 9
        assert not len(replay.problems)


def test_lua_kinds_and_unit_list() -> None:
    import json

    payloads = [
        b"\xc2\xa3m",
        b"=c",
        b"@6",
        b"^",
        b"??cosu",
        b"pc",
        b"AutoColors[]",
        b"$y$x",
        b"xmas",
        b"zzz",
        b"",
        b"changeStartUnit5",
        b"changeStart",
    ]
    units = b"unitdefs:" + zlib.compress(json.dumps(["a", "b"]).encode())
    message = lambda payload: packet("luamsg", player=ANN, script=100, mode=0, payload=payload)  # noqa: E731
    built = [build_of(ANN, number, []) for number in (1, 2, 3)]
    with match(*map(message, payloads), message(units), *built) as replay:
        kinds = replay.tables["lua_messages"]["kind"].tolist()
        assert kinds == [
            "mouse", "camera", "frames_per_second", "activity", "selected_units", "pc", "colours", "system", "xmas", "other", "other",
            "start_unit", "other", "unit_definitions",
        ]  # fmt: skip
        assert replay.tables["lua_messages"]["payload"].tolist() == [*payloads, units]
        assert replay.tables["unit_definitions"]["name"].tolist() == ["a", "b"]
        assert replay.tables["build_orders"]["unit_name"].tolist() == ["a", "b", None]


def test_commands_per_minute_has_whole_periods_only() -> None:
    order = packet("command", player=ANN, command_id=0, params=[])
    frames = [packet("keyframe", frame=0), order, order, *[packet("newframe")] * 31, order]
    with match(*frames, head=(HEAD[0], order), team_stat_period=1) as replay:
        table = replay.tables["commands_per_minute"]
        assert table["orders"].tolist() == [2]
        assert table["per_minute"].tolist() == [120.0]
        assert np.asarray(table["end_frame"]).tolist() == [30]

"""What is made of the messages: lives, repeats, clocks, economy, roster, state, rules."""

from __future__ import annotations

import struct
import weakref
from io import BytesIO
from typing import Any

import pytest
from kaitaistruct import KaitaiStream
from tad.builders import DPIDS, recording, setup

import ksreplay
from ksreplay.cli.info import summary
from ksreplay.errors import ReplayError
from ksreplay.formats import tad_build as build
from ksreplay.formats import tad_sync_build as bits
from ksreplay.generated.tad_subpacket import TadSubpacket

LIMIT = 500
#: Identity 0x11111111 ranks first: player 1 has units 1 to 500, player 2 has 501 to 1000.
COMMANDER = {1: 1, 2: 501}


def begin(unit: int, unit_type: int = 36, x: float = 10.5) -> bytes:
    return struct.pack("<BHHiiihhh", 9, unit_type, unit, round(x * 65536), 0, -65536, 0, 16384, -1)


def finish(unit: int, builder: int) -> bytes:
    return struct.pack("<BHH", 0x12, unit, builder)


def die(unit: int, killer_player: int = 0xFFFFFFFF, killer: int = 0, cause: int = 1, level: int = 2) -> bytes:
    return struct.pack("<BHIHbB", 0x0C, unit, killer_player, killer, 50, cause << 4 | level)


def idle(tick: int, count: int = 1) -> bytes:
    return build.base(tick) + build.IDLE * count


def tape(*items: tuple[int, bytes], **options: Any) -> Any:
    """An open recording of (sender, payload) packets."""
    data = setup(**options) + b"".join(build.packet(200, sender, payload) for sender, payload in items)
    return ksreplay.open(data, private=True)


def test_lives_of_a_unit_id() -> None:
    replay = tape(
        (1, begin(1) + idle(0, 6)),
        (1, begin(7, 50) + begin(7, 50) + idle(6, 6)),
        (1, finish(7, 1) + idle(12, 6)),
        (2, idle(12, 6)),
        (1, die(7, DPIDS[2], 501) + begin(7, 60) + idle(18, 6)),
    )
    units = list(replay.tables["units"].rows())
    assert [(u["unit_id"], u["unit_type"], u["finished"], u["died"], u["commander"]) for u in units] == [
        (1, 36, False, False, True), (7, 50, True, True, False), (7, 60, False, False, False),
    ]  # fmt: skip
    first, second = units[0], units[1]
    assert (first["commander_side"], first["owner"], first["slot"]) == ("arm", 1, 0)
    assert (first["x"], first["z"], first["built_low"]) == (10.5, -1.0, None)
    assert (second["built_low"], second["built_high"], second["built_s"]) == (5, 6, 5 / 30)
    assert (second["finished_low"], second["died_low"], second["died_high"]) == (11, 17, 18)
    assert (second["killer_player"], second["killer"], second["killer_unit"], second["cause"]) == (DPIDS[2], 2, 501, 1)
    assert replay.tables["builds"]["again"].tolist() == [False, False, True, False]
    counts = [(row["alive"], row["begun"], row["died"]) for row in replay.tables["unit_counts"].rows()]
    assert counts == [(1, 1, 0), (2, 2, 0), (1, 2, 1), (2, 3, 1)]
    assert [row["time_s"] for row in replay.tables["unit_counts"].rows()] == [None, 5 / 30, 17 / 30, 17 / 30]


def test_event_ticks_are_cut_at_jumps_and_speeds() -> None:
    event = b"\x11\x01\x00\x01"
    replay = tape(
        (1, idle(0, 6)), (1, event), (1, idle(6, 6)), (1, event), (1, idle(30, 6)), (1, event), (2, b"\x19\x01\x0c"),
        (1, idle(36, 6)), (1, event),
    )  # fmt: skip
    rows = [(row["tick_low"], row["tick_high"]) for row in replay.tables["unit_states"].rows()]
    assert rows == [(5, 6), (None, None), (None, None), (None, None)]
    clock = list(replay.tables["clock"].rows())
    assert [(row["begins"], row["first_tick"], row["last_tick"], row["missing"]) for row in clock] == [
        ("start", 0, 11, None), ("gap", 30, 35, 18), ("speed", 36, 41, None),
    ]  # fmt: skip
    assert clock[-1]["speed"] == 2


def test_a_wild_base_does_not_make_a_recording_long() -> None:
    """`info` looks at the last records of each sender, `info --full` at all of them: both say the same."""
    wild = (1, build.base(0x7FFFFF00) + build.IDLE)
    packets = [(1, idle(6 * n, 6)) for n in range(40)]
    replay = tape(*packets[:20], wild, *packets[20:], (2, idle(60, 6)))
    assert replay.info()["duration_s"] == replay.info(full=True)["duration_s"] == 239 / 30


def test_pauses_and_speeds() -> None:
    rows = list(tape((1, b"\x19\x00\x01"), (1, b"\x19\x00\x00"), (1, b"\x19\x01\x0b")).tables["speeds"].rows())
    assert [(row["kind_name"], row["paused"], row["speed"]) for row in rows] == [
        ("pause", True, None), ("pause", False, None), ("speed", None, 1),
    ]  # fmt: skip


def test_steps_of_the_negotiation() -> None:
    steps = ((2, 0x11223344), (3, 0x00050101), (3, 0xFFFF0001), (4, 7))
    payload = b"".join(struct.pack("<BBIII", 0x1A, sub, 0, 99, value) for sub, value in steps)
    rows = list(tape((1, payload)).tables["negotiation"].rows())
    assert [(row["checksum"], row["selected"], row["compatible"], row["limit"]) for row in rows] == [
        (0x11223344, None, None, None), (None, 1, 1, 5), (None, 1, 0, None), (None, None, None, None),
    ]  # fmt: skip
    assert [row["sub_name"] for row in rows] == ["checksum", "status", "status", "acknowledge"]


def test_rate_of_a_clock_is_robust() -> None:
    packets = [(1, idle(6 * n, 6)) for n in range(40)]
    replay = tape(*packets)
    rate = replay.tables["clock"]["ticks_per_second"][0]
    assert rate == pytest.approx(30.0)


def test_repeated_bundles_and_rewinds() -> None:
    replay = tape((1, idle(10, 3)), (1, idle(10, 3)), (1, build.IDLE), (1, idle(5)))
    assert replay.repeated.tolist() == [False, True, False, False]
    assert replay.tables["sync"]["tick"].tolist() == [10, 11, 12, 10, 11, 12, 13, 5]
    assert replay.tables["sync"]["repeated"].tolist() == [False] * 3 + [True] * 3 + [False] * 2
    assert {problem["code"] for problem in replay.info(full=True)["problems"]} == {"repeated-bundle", "tick-gap"}


def test_syncs_without_a_base_have_no_tick() -> None:
    replay = tape((1, build.IDLE * 2), (1, idle(4)))
    assert replay.tables["sync"].valid("tick").tolist() == [False, False, True]
    assert [(p["code"], p["found"]) for p in replay.info(full=True)["problems"]] == [("tick-unknown", 2)]


def snapshot(**values: float) -> bytes:
    return b"\x28" + build.Resources.build(values)


def test_scores_copies_and_income() -> None:
    one = snapshot(kills=1, energy_produced=100.0, metal_produced=10.0)
    two = snapshot(kills=2, energy_produced=400.0, metal_produced=40.0)
    replay = tape((1, idle(0, 6) + one + one), (1, idle(6)), (1, idle(120, 1) + two), (1, idle(121)), (2, two))
    assert replay.tables["resources"]["copy"].tolist() == [False, True, False, False]
    scores = list(replay.tables["scores"].rows())
    assert [(row["name"], row["kills"], row["energy_produced"]) for row in scores] == [
        ("alpha", 2, 400.0), ("beta", 2, 400.0),
    ]  # fmt: skip
    replay = tape(*((1, (idle(6 * n, 6) + (one if n == 0 else two if n == 20 else b""))) for n in range(22)))
    income = next(replay.tables["income"].rows())
    assert income["seconds"] == 4.0
    assert (income["energy_produced"], income["metal_produced"]) == (75.0, 7.5)


def test_rules_of_snapshots() -> None:
    odd = b"\x28" + build.Resources.build({"kills": 70000, "energy_produced": 5.0, "metal": float("nan")})
    less = b"\x28" + build.Resources.build({"energy_produced": 4.0})
    codes = [problem["code"] for problem in tape((1, odd), (1, less)).info(full=True)["problems"]]
    assert sorted(codes) == ["counter-range", "cumulative", "not-finite"]


def test_winner_only_by_evidence() -> None:
    beaten = [(1, begin(1) + idle(0)), (2, begin(501, 169) + idle(0)), (2, die(501, DPIDS[1], 1) + idle(1))]
    result = tape(*beaten).info(full=True)["result"]
    assert (result["winners"], result["beaten"]) == (["alpha"], ["beta"])
    assert result["evidence"] == [
        {"id": 2, "name": "beta", "unit_id": 501, "record": 2, "wall_ms": 600, "tick_low": 0, "tick_high": 1}
    ]
    still_building = [*beaten, (2, begin(502, 20))]
    assert tape(*still_building).info(full=True)["result"] is None
    assert tape(*beaten[:2]).info(full=True)["result"] is None


def test_the_first_unit_recorded_need_not_be_a_commander() -> None:
    """A recording that begins late, or of a mod: only the first unit of a block, or a known type, is one for sure."""
    for unit_id, unit_type, sure in ((507, 20, False), (501, 20, True), (507, 169, True)):
        packets = [(1, begin(1) + idle(0)), (2, begin(unit_id, unit_type) + idle(0)), (2, die(unit_id) + idle(1))]
        assert (tape(*packets).info(full=True)["result"] is not None) is sure


def test_sides_and_commanders() -> None:
    info = tape((1, begin(1)), (2, begin(501, 169))).info(full=True)
    assert [player["commander"] for player in info["players"]] == [
        {"unit_id": 1, "unit_type": 36, "side": "arm"}, {"unit_id": 501, "unit_type": 169, "side": "core"},
    ]  # fmt: skip


def test_ambiguous_roster_gives_no_blocks() -> None:
    replay = tape((1, begin(1)), dpids={1: 7, 2: 7})
    assert not replay.roster.sound
    assert replay.tables["players"]["block"].tolist() == [0, 0]
    assert replay.tables["players"].valid("block").tolist() == [False, False]
    assert replay.tables["units"].valid("owner").tolist() == [False]
    assert "identities" in {problem["code"] for problem in replay.info(full=True)["problems"]}


def test_an_identity_that_its_copy_denies_gives_no_blocks() -> None:
    info = build.player_info("map", player=7, side=0, color=1, max_units=500)
    head = build.header(5, 1, 500, b"map") + build.sectors([]) + build.player(1, 0, 1, b"alpha")
    for copy, codes in ((7, set()), (8, {"identity-copy"})):
        replay: Any = ksreplay.open(head + build.status(1, info + build.team(copy)) + build.unit_data(()))
        assert {problem["code"] for problem in replay.info(full=True)["problems"]} == codes
        assert replay.roster.sound is not bool(codes)


def test_watchers_keep_their_block() -> None:
    players = ((1, 0, "a"), (2, 1, "b"), (3, 2, "w"))
    replay = tape((2, begin(1001)), players=players, dpids={1: 20, 2: 30, 3: 10})
    assert replay.tables["players"]["block"].tolist() == [1, 2, 0]
    assert replay.tables["players"]["block_base"].tolist() == [500, 1000, 0]
    assert replay.tables["units"]["owner"].tolist() == [2]
    assert [p["watcher"] for p in replay.info()["players"]] == [False, False, True]


def test_identities_rank_as_unsigned() -> None:
    replay = tape(dpids={1: 0xF0000000, 2: 5})
    assert replay.tables["players"]["block"].tolist() == [1, 0]


def unit(health: int, **more: Any) -> dict[str, Any]:
    return {"type": 36, "health": health, "build": 0, "flags": 1, "mode": 1, "pos": (65536, 0, 131072),
            "angles": (16384, 0, 0), **more}  # fmt: skip


ENTRIES = tuple({"sub": 3, "fill": 0, "key": key, "value": 0xFFFF0101} for key in range(1, 300))


def test_state_at_a_tick() -> None:
    replay = tape(
        (1, build.base(0) + build.elided(bits.body(9, (), unit(100))) + build.elided(bits.body(9, (), unit(50)))),
        (1, begin(9, 77) + idle(2, 498)),
        (1, idle(500) + build.elided(bits.body(9, (), unit(40)))),
        (2, build.base(3) + build.elided(bits.body(9, (), {**unit(7), "attached": (1, -2)}))),
        entries=ENTRIES,
    )
    early = replay.state(1, player=1)
    assert [(u["slot"], u["health"], u["age"]) for u in early["units"]] == [(0, 100, 1), (1, 50, 0)]
    assert (early["units"][0]["x"], early["units"][0]["z"], early["units"][0]["heading_deg"]) == (1.0, 2.0, 90.0)
    # slot 0 came again at tick 500, empty; slot 1 at 501, weaker; slot 8 was begun at tick 1 and is empty since 8
    late = replay.state(501, player=1)
    assert [(u["slot"], u["health"], u["age"]) for u in late["units"]] == [(1, 40, 0)]
    assert [u["slot"] for u in replay.state(5, player=1)["units"]] == [0, 1, 8]
    everyone = replay.state(3.7)
    assert [(u["player"], u["unit_id"]) for u in everyone["units"]] == [(1, 1), (1, 2), (1, 9), (2, 504)]
    assert everyone["units"][-1]["carrier"] == 1
    assert everyone["units"][-1]["x"] is None


def test_a_death_ends_a_state() -> None:
    replay = tape(
        (1, build.base(0) + build.elided(bits.body(9, (), unit(100))) + build.IDLE), (1, die(1) + idle(2)),
        entries=ENTRIES,
    )  # fmt: skip
    assert len(replay.state(0, player=1)["units"]) == 1
    assert replay.state(2, player=1)["units"] == []


def test_a_sync_that_says_nothing_leaves_the_state() -> None:
    """One that does not read, and one without a status, cost no unit what was known of it."""
    unreadable, absent = b"\xff\xff\x01\xff\xff\xff", b"\xff\xff\x00"
    replay = tape(
        (1, build.base(0) + build.elided(bits.body(9, (), unit(77)))), (1, build.base(500) + build.elided(unreadable)),
        (1, build.base(1000) + build.elided(absent)), (1, idle(1500)), entries=ENTRIES,
    )  # fmt: skip
    assert list(replay.tables["sync"]["status"]) == ["unit", None, "absent", "empty"]
    states = [replay.state(at, player=1)["units"] for at in (499, 999, 1499)]
    assert [[(u["health"], u["age"]) for u in units] for units in states] == [[(77, 499)], [(77, 999)], [(77, 1499)]]
    assert replay.state(1500, player=1)["units"] == []


@pytest.mark.parametrize(("at", "player"), [(0, 3), (0, 999), (0, -1), (float("nan"), None), (float("inf"), 1)])
def test_a_state_of_nobody_or_never(at: float, player: int | None) -> None:
    with pytest.raises(ValueError, match=r"no player|finite"):
        tape((1, idle(0, 3))).state(at, player=player)


def test_only_syncs_is_said() -> None:
    info = tape((1, idle(0, 6))).info(full=True)
    assert info["details"]["coverage"]["only_syncs"]
    assert "damage" in info["details"]["coverage"]["absent"]
    info["file"] = {"path": "only.tad", **info["file"]}
    shown = summary("only.tad", info)
    assert "only_syncs True, absent chat build_started damage" in shown
    assert "0xfe 1, 0xff 6" in shown


def test_chat_of_every_kind_is_private() -> None:
    text = b"\x05" + b"<alpha> gl hf".ljust(64, b"\0")
    enemy = b"\xf9" + struct.pack("<II", DPIDS[1], DPIDS[2]) + b"psst".ljust(64, b"\0")
    data = recording(text, enemy, b".report", sectors=((2, b"<beta> hi\r<alpha> yo\r"), (6, bytes(90)), (1, b"note")))
    shown = ksreplay.open(data, private=True).tables["chat"]
    assert list(shown["text"]) == ["<beta> hi", "<alpha> yo", "<alpha> gl hf", "psst", ".report"]
    assert list(shown["kind"]) == ["lobby", "lobby", "chat", "enemy", "command"]
    assert (shown["author"].tolist()[3], shown["receiver"].tolist()[3]) == (DPIDS[1], DPIDS[2])
    hidden = ksreplay.open(data).tables
    assert list(hidden["chat"]["text"]) == [None] * 5
    assert list(hidden["sectors"]["private_text"]) == [None] * 3


def test_only_sizes_that_the_file_shows_are_named() -> None:
    """The weapon-id patch changes three ids together; of the two that do not occur nothing is known."""
    wide, usual = b"\x0d" + b"\x09" * 38, b"\x0d" + b"\x09" * 35
    assert tape((1, wide + b"\x06")).info(full=True)["details"]["strata"] == {"0x0d": 39}
    replay = tape((1, wide + b"\x06"), (1, b"\x0f" + b"\x07" * 7 + b"\x06"))
    assert replay.stream.strata == {0x0D: 39, 0x0F: 8}
    assert tape((1, usual), (1, b"\x77")).stream.strata == {}


def test_data_between_recorders() -> None:
    """A known subtype, an unknown one, and the form of a first version, which fills its packet without a length."""
    payloads = (b"\xfb\x04\x02\x11\0\0\0\x06", b"\xfb\x01\x63z", b"\xfb\x09\x04\x02\x02")
    rows = list(ksreplay.open(recording(*payloads), private=True).tables["recorder_data"].rows())
    assert [(row["subtype"], row["subtype_name"], row["size"], row["data"]) for row in rows] == [
        (2, "cheat_flags", 4, b"\x11\0\0\0"), (0x63, None, 1, b"z"), (None, None, 4, b"\x09\x04\x02\x02"),
    ]  # fmt: skip
    assert list(ksreplay.open(recording(*payloads)).tables["recorder_data"]["data"]) == [None] * 3


def test_cut_inside_the_setup_keeps_the_header() -> None:
    data = setup()
    for size in range(26, len(data)):
        info = ksreplay.open(data[:size]).info(full=True)
        assert not info["complete"]
        assert info["map"] == "Gods of War"
    with pytest.raises(ReplayError):
        ksreplay.open(data[:20])


def test_a_closed_recording_keeps_its_tables_only() -> None:
    replay: Any = ksreplay.open(recording(build.base(600) + build.IDLE * 3))
    table = replay.tables["sync"]
    stream = weakref.ref(replay.stream)
    replay.close()
    assert stream() is None
    assert table["tick"].tolist() == [600, 601, 602] and table["time_s"].tolist() == [20.0, 601 / 30, 602 / 30]
    with pytest.raises(ValueError, match="closed"):
        _ = replay.stream


@pytest.mark.parametrize("identities", [b"", bytes(8)], ids=["chat", "enemy"])
@pytest.mark.parametrize("text", [b"x" * 70, b"x" * 64, b"x" * 63 + b"\0", b"x" * 20], ids=len)
@pytest.mark.parametrize("behind", [b"", b"\xfc\1\0\2\0"], ids=["alone", "camera"])
def test_lines_past_their_field_end_alike_in_the_layout(identities: bytes, text: bytes, behind: bytes) -> None:
    """An older recorder wrote a line of any length as the last of a packet, but for a camera."""
    payload = (b"\xf9" if identities else b"\x05") + identities + text + behind
    stream = ksreplay.open(recording(payload)).stream  # type: ignore[attr-defined]
    layout = TadSubpacket(KaitaiStream(BytesIO(payload)))
    assert [item.kind.value for item in layout.subpackets] == stream.ids.tolist()
    line = getattr(layout.subpackets[0].body, "line", layout.subpackets[0].body)
    assert line.len_text == int(stream.lengths[0]) - 1 - len(identities)
    assert len(stream) == 2 or not behind or len(text) < 64

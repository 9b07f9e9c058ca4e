"""`info --full` on every real and derived demo agrees with the manifests."""

from __future__ import annotations

import csv
import functools
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import corpus_folder

import ksreplay
from ksreplay.formats.spring_messages import message_name

#: Columns of `player_statistics` in the order of a record since engine 94.0.
COUNTERS = ("commands", "unit_commands", "mouse_pixels", "mouse_clicks", "key_presses")


def rows(name: str) -> dict[str, dict[str, str]]:
    folder = corpus_folder()
    path = folder / "spring" / name if folder else None
    if path is None or not path.is_file():
        return {}
    csv.field_size_limit(1 << 24)
    with path.open(encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file, delimiter="\t")}


MANIFEST, DERIVED = rows("MANIFEST.tsv"), rows("derived/MANIFEST.tsv")
ORIGINAL = "gex-2025.06.06-map-draw.sdfz"  #: what most of the derived files are made from


@functools.cache
def info(path: Path) -> dict[str, Any]:
    with ksreplay.open(path) as replay:
        return replay.info(full=True)


@pytest.mark.parametrize("name", MANIFEST or [pytest.param("", marks=pytest.mark.skip("no corpus"))])
def test_info_agrees_with_the_manifest(corpus: Path, name: str) -> None:
    want, got = MANIFEST[name], info(corpus / "spring" / name)
    details = got["details"]
    assert got["problems"] == []
    assert got["complete"] is True
    assert f"v{got['format_version']}/{details['header_bytes']}" == want["header"]
    assert got["file"]["sha256"] == want["sha256"]
    assert got["file"]["bytes"] == int(want["bytes"])
    assert (got["game"], got["map"]) == (want["game"], want["map"])
    assert details["engine"] == want["engine"]
    assert details["game_id"] == want["gameID"]
    assert details["started_utc"] == want["start_utc"]
    assert details["recorded_by"] == want["recorded_by"]
    script_seats = [player for player in got["players"] if not player["joined_late"]]
    playing = [player["name"] for player in script_seats if not player["spectator"]]
    assert sorted(playing) == sorted(want["players"].split(";"))  # the manifest has them in the order of the text
    assert sum(player["spectator"] for player in script_seats) == int(want["spectators"])
    assert ";".join(ai["short_name"] for ai in details["ais"]) == want["ais"]
    assert details["game_time_s"] == int(want["gameTime_s"])
    assert details["wallclock_s"] == int(want["wallclock_s"])
    assert details["last_frame"] == int(want["last_frame"])
    assert details["packets"] == got["tables"]["packets"] == int(want["packets"])
    assert details["winners_trailer"] == json.loads(want["winners_trailer"])
    assert details["winners_gameover"] == json.loads(want["winners_gameover_msg"])
    assert details["team_samples"] == json.loads(want["team_samples"])
    assert details["trailer_players"] == int(want["trailer_numPlayers"])
    assert details["trailer_teams"] == int(want["trailer_numTeams"])
    assert details["packet_counts"] == json.loads(want["packet_counts"])
    assert (details["empty_packets"], details["malformed_packets"], details["crashed"]) == (0, 0, False)
    assert details["script_matches_gamedata"] is True
    winners = {side for sides in details["winners_gameover"] for side in sides} | set(details["winners_trailer"])
    assert (got["result"] or {"winners": []})["winners"] == sorted(winners)


@pytest.mark.parametrize("name", MANIFEST or [pytest.param("", marks=pytest.mark.skip("no corpus"))])
def test_the_parts_of_a_file_agree(corpus: Path, name: str) -> None:
    """Each figure that a file states twice, and the size that the manifest has of its content."""
    want = MANIFEST[name]
    with ksreplay.open(corpus / "spring" / name, private=True) as replay:
        details = replay.info()["details"]
        assert len(replay.unwrap()) == int(want["raw_bytes"])
        # Clients log the checksums of map and game that the server sent them in GAMEDATA.
        logged = dict(
            re.findall(r"\[(map|mod)-checksums\]\s*server=(\w+)", "".join(replay.tables["log_messages"]["text"]))
        )
        assert logged == {"map": details["map_checksum"], "mod": details["game_checksum"]}
        server = details["recorded_by"] == "server"
        ended = details["last_frame"] if server else details["end_frame"] if details["winners_gameover"] else 0
        assert details["game_time_s"] == ended // 30
        trailer = {row.pop("player"): row for row in replay.tables["player_statistics"].rows()}
        read = details["player_statistics_read"]
        assert (read and read["byte_order"]) == (("big" if server else "little") if trailer else None)
        said = replay.match.messages["PLAYERSTAT"]
        for player, counters in zip(said["player"].tolist(), said["statistics"].tolist(), strict=True):
            row = trailer[player]
            assert [row[column] for column in COUNTERS] == list(counters)
            assert row["source"] == "trailer"


def test_the_large_demo_has_what_it_was_built_with(corpus: Path) -> None:
    path = corpus / "spring" / "synthetic-large.sdfz"
    want = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    with ksreplay.open(path) as replay:
        content = replay.unwrap()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (want["raw"], want["sha256_raw"])
        details = replay.info(full=True)["details"]
        assert details["packet_counts"] == want["counts"]
        keys = ("packets", "last_frame", "game_time_s", "stream_bytes", "winners_trailer")
        assert [details[key] for key in keys] == [
            want[key] for key in ("packets", "last_frame", "gameTime", "stream", "winners")
        ]
        assert details["team_samples"] == [want["samples_per_team"]] * want["teams"]
        packets = replay.tables["packets"]
        assert len(np.unique(packets["frame"][packets["frame"] >= 0])) == want["frames"]
        sizes = np.bincount(packets["id"], weights=packets["size"], minlength=256)
        assert {message_name(n): int(sizes[n]) for n in np.flatnonzero(sizes).tolist()} == want["bytes_by"]


def test_every_derived_file_has_its_test() -> None:
    source = Path(__file__).read_text("utf-8")
    assert all(source.count(name) >= 1 for name in DERIVED)


def kept(path: Path, *tables: str) -> dict[str, list[dict[str, Any]]]:
    with ksreplay.open(path, private=True) as replay:
        return {name: list(replay.tables[name].rows()) for name in tables or replay.tables}


def test_a_plain_recording_gives_what_its_original_gives(corpus: Path) -> None:
    folder = corpus / "spring"
    raw, original = info(folder / "derived/raw-uncompressed.sdf"), info(folder / "gex-2025.06.06-map-draw.sdfz")
    assert {**raw, "file": None} == {**original, "file": None}


@pytest.mark.parametrize(
    "name,packets,last_frame,codes",
    [
        ("crashed-clean-cut.sdfz", 696, 450, {"unfinished"}),
        ("crashed-cut-mid-packet.sdfz", 695, 450, {"unfinished", "stream-cut"}),
        ("gzip-truncated.sdfz", 199, 113, {"gzip-truncated", "stream-cut"}),
        ("header-356.sdfz", 696, 450, set()),
        ("rare-messages.sdfz", 720, 450, set()),
        ("unknown-and-malformed-packets.sdfz", 700, 450, {"malformed-message", "unknown-message", "empty-message"}),
    ],
)
def test_derived_files(corpus: Path, name: str, packets: int, last_frame: int, codes: set[str]) -> None:
    got = info(corpus / "spring" / "derived" / name)
    assert got["details"]["packets"] == packets
    assert got["details"]["last_frame"] == last_frame
    assert {problem["code"] for problem in got["problems"]} - {"gamedata-first", "time-backwards"} == codes
    assert got["complete"] is not bool(codes)


@pytest.mark.parametrize("name", ["crashed-clean-cut.sdfz", "crashed-cut-mid-packet.sdfz", "gzip-truncated.sdfz"])
def test_what_is_there_of_a_broken_file_is_what_the_whole_one_has(corpus: Path, name: str) -> None:
    tables = ("players", "teams", "script", "packets", "commands", "map_draws", "lua_messages", "other_messages")
    whole, broken = (kept(corpus / "spring" / n, *tables) for n in (ORIGINAL, f"derived/{name}"))
    last = broken["packets"][-1]["index"]
    assert len(broken["packets"]) == last + 1
    for table in tables:
        at = "index" if table == "packets" else "packet"
        assert broken[table] == [row for row in whole[table] if row.get(at, 0) <= last], table


def test_a_longer_header_is_skipped(corpus: Path) -> None:
    longer, original = (info(corpus / "spring" / n) for n in ("derived/header-356.sdfz", ORIGINAL))
    assert longer["details"]["header_bytes"] == original["details"]["header_bytes"] + 4
    details = {**longer["details"], "header_bytes": 352}
    assert {**longer, "file": None, "details": details} == {**original, "file": None}
    tables = ("players", "commands", "map_draws", "lua_messages")
    both = [kept(corpus / "spring" / n, *tables) for n in ("derived/header-356.sdfz", ORIGINAL)]
    assert both[0] == both[1]


def test_unknown_malformed_and_empty_packets(corpus: Path) -> None:
    path = corpus / "spring/derived/unknown-and-malformed-packets.sdfz"
    details = info(path)["details"]
    assert (details["malformed_packets"], details["empty_packets"]) == (1, 1)
    tables = kept(path, "packets", "other_messages", "commands")
    first = tables["packets"][:4]
    assert [(row["id"], row["name"], row["malformed"]) for row in first] == [
        (200, "ID_200", False), (11, "COMMAND", True), (None, None, False), (46, "GAMESTATE_DUMP", False),
    ]  # fmt: skip
    unknown, malformed, dump = tables["other_messages"][:3]
    assert [(row["packet"], len(row["raw"])) for row in (unknown, malformed)] == [
        (index, first[index]["size"]) for index in (0, 1)
    ]
    assert unknown["raw"][0] == 200 and malformed["raw"][0] == 11
    assert (dump["field"], dump["numbers"]) == ("frame", [77])
    assert [row["packet"] for row in tables["commands"] if row["command_id"] is None] == [1]


def test_rare_messages(corpus: Path) -> None:
    path = corpus / "spring/derived/rare-messages.sdfz"
    assert info(path)["details"]["malformed_packets"] == 0
    tables = kept(path)
    keys = ("message", "command_id", "params", "units", "ai_command_id")
    orders = [tuple(row[key] for key in keys) for row in tables["commands"] if row["packet"] < 24]
    assert orders == [
        ("AICOMMAND_TRACKED", -17, [100.0, 20.0, 300.0, 2.0], [321], 9001),
        ("AICOMMANDS", -30, [1.0, 2.0, 3.0, 1.0], [11, 12], None),  # not pairwise: each order to every unit
        ("AICOMMANDS", 10, [4.0, 5.0, 6.0], [11, 12], None),
        ("COMMAND", 1, [77.0, -40.0, 32.0, 100.0, 10.0, 200.0, 3.0, 0.0], None, None),
    ]
    builds = [(row["unit_def"], row["slot"], row["slot_tag"]) for row in tables["build_orders"] if row["packet"] < 24]
    assert builds == [(17, "append", None), (30, "replace", None), (40, "insert_at_tag", 77)]
    # Each of the 24 is in a table of its kind or in `other_messages`.
    told = {row.get("packet") for name, found in tables.items() if name != "packets" for row in found}
    assert told >= set(range(24))
    names = (
        "AICOMMAND_TRACKED AISHARE USER_SPEED INTERNAL_SPEED CPU_USAGE DIRECT_CONTROL DC_UPDATE LOGMSG ALLIANCE "
        "TEAMSTAT ATTEMPTCONNECT REJECT_CONNECT AI_CREATED REQUEST_TEAMSTAT PING GAMESTATE_DUMP SD_CHKREQUEST "
        "SD_CHKRESPONSE SD_BLKREQUEST SD_BLKRESPONSE SD_RESET AICOMMANDS COMMAND TEAM"
    )
    assert [row["name"] for row in tables["packets"][:24]] == names.split()
    (away,) = [row for row in tables["timeline"] if row["packet"] == 23]
    assert (away["event"], away["to_team"], away["team"]) == ("give_away", 3, 4)


def test_version_4_header(corpus: Path) -> None:
    got = info(corpus / "spring/derived/v4-header-only-synthetic.sdfz")
    original = info(corpus / "spring" / ORIGINAL)
    assert got["format_version"] == 4
    assert got["details"]["header_bytes"] == 112
    same = (
        "game_id",
        "started_utc",
        "stream_bytes",
        "script_bytes",
        "game_time_s",
        "wallclock_s",
        "trailer_teams",
        "packets",
    )
    assert [got["details"][key] for key in same] == [original["details"][key] for key in same]
    assert got["players"] == original["players"]
    assert got["details"]["engine"].startswith("0.82.7")
    assert got["details"]["winning_ally_team"] == -1
    assert got["result"] is None
    assert got["map"] == "Gasbag Grabens 1.1.1"
    assert {problem["code"] for problem in got["problems"]} == {"layout-contradiction"}


def test_grown_statistics_give_the_same_values(corpus: Path) -> None:
    grown, original = (info(corpus / "spring" / n) for n in ("derived/stat-elements-grown.sdfz", "gex-test.sdfz"))
    assert grown["problems"] == []
    tables = ("player_statistics", "team_statistics", "team_metrics")
    rows_of = [kept(corpus / "spring" / n, *tables) for n in ("derived/stat-elements-grown.sdfz", "gex-test.sdfz")]
    assert rows_of[0] == rows_of[1] and all(rows_of[0].values())
    for document in (grown, original):
        document.pop("file", None)
    assert grown == original


def test_an_empty_file_says_that_it_is_empty(corpus: Path) -> None:
    with pytest.raises(ksreplay.Truncated) as error:
        ksreplay.open(corpus / "spring/derived/empty.sdfz")
    assert error.value.code == "empty"

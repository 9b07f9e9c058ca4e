"""`info --full` on every real and derived demo agrees with the manifests."""

from __future__ import annotations

import csv
import functools
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import corpus_folder

import ksreplay


def rows(name: str) -> dict[str, dict[str, str]]:
    folder = corpus_folder()
    path = folder / "spring" / name if folder else None
    if path is None or not path.is_file():
        return {}
    csv.field_size_limit(1 << 24)
    with path.open(encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file, delimiter="\t")}


MANIFEST = rows("MANIFEST.tsv")


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
    winners = {side for sides in details["winners_gameover"] for side in sides} | set(details["winners_trailer"])
    assert (got["result"] or {"winners": []})["winners"] == sorted(winners)


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


def test_version_4_header(corpus: Path) -> None:
    got = info(corpus / "spring/derived/v4-header-only-synthetic.sdfz")
    assert got["format_version"] == 4
    assert got["details"]["engine"].startswith("0.82.7")
    assert got["details"]["winning_ally_team"] == -1
    assert got["result"] is None
    assert got["map"] == "Gasbag Grabens 1.1.1"
    assert {problem["code"] for problem in got["problems"]} == {"layout-contradiction"}


def test_grown_statistics_give_the_same_values(corpus: Path) -> None:
    grown, original = (info(corpus / "spring" / n) for n in ("derived/stat-elements-grown.sdfz", "gex-test.sdfz"))
    assert grown["problems"] == []
    for document in (grown, original):
        document.pop("file", None)
    assert grown == original


def test_an_empty_file_says_that_it_is_empty(corpus: Path) -> None:
    with pytest.raises(ksreplay.Truncated) as error:
        ksreplay.open(corpus / "spring/derived/empty.sdfz")
    assert error.value.code == "empty"

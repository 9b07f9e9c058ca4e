"""Every crd file of the corpus agrees with its manifest."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import ksreplay
from ksreplay.errors import INVALID, ReplayError
from ksreplay.replays.crd import CrimsonlandReplay
from ksreplay.semantics.crd.rules import RULES

HERE = Path(__file__).parent
CODES = {rule.code for rule in RULES}


def manifest(folder: Path) -> list[dict[str, str]]:
    with (folder / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def read(path: Path) -> CrimsonlandReplay:
    replay = ksreplay.open(path, format="crd")
    assert isinstance(replay, CrimsonlandReplay)
    return replay


def number(text: str) -> int | None:
    return int(text) if text else None


def codes(path: Path, profile: str = "release") -> tuple[list[str], bool]:
    """The codes of what is wrong, warnings left out, and whether the file is valid."""
    try:
        found = read(path).validate(profile)
    except ReplayError as error:
        return [error.code], False
    return [p.code for p in found if p.severity != "warning"], not any(p.severity in INVALID for p in found)


def test_recordings_agree_with_the_manifest(corpus: Path) -> None:
    for row in manifest(corpus / "crd"):
        replay = read(corpus / "crd" / row["file"])
        info: dict[str, Any] = json.loads(json.dumps(replay.info(full=True)))
        details = info["details"]
        name = row["file"]
        assert info["file"]["sha256"] == row["sha256"], name
        assert details["payload_sha256"] == row["payload_sha256"], name
        assert (info["file"]["bytes"], details["payload_bytes"]) == (int(row["file_bytes"]), int(row["payload_bytes"]))
        assert info["format_version"] == int(row["format_version"]), name
        assert details["game_version"] == row["game_version"]
        assert details["rules"] == (1 if row["rules"].startswith("absent") else int(row["rules"])), name
        assert details["mode_id"] == int(row["mode"]), name
        assert (details["quest"] or "") == row["quest"], name
        assert info["tables"]["ticks"] == details["ticks"] == int(row["ticks"]), name
        assert details["player_count"] == len(info["players"]) == int(row["players"]), name
        assert details["hardcore"] == (row["hardcore"] == "1"), name
        assert details["preserve_bugs"] == (row["preserve_bugs"] == "1"), name
        assert details["seed"] == int(row["seed"])
        assert details["cl_build"] == (number(row["cl_build"]) or 10993)
        assert details["pilot"] == (json.loads(row["pilot"]) if row["pilot"] else None), name
        assert details["seat_keys"] == number(row["seat_keys"]), name
        expected = dict(item.split(":") for item in row["commands"].split())
        assert details["commands"] == {key: int(value) for key, value in expected.items()}, name
        assert dict(Counter(replay.tables["commands"]["type"].tolist())) == details["commands"], name
        assert details["outcome"] == row["outcome"], name
        for field in (
            "elapsed_ms",
            "kills",
            "shots_fired",
            "shots_hit",
            "rng_state",
            "pending_perks",
            "quest_final_ms",
        ):
            assert details[field] == number(row[field]), (name, field)
        assert info["duration_s"] == int(row["elapsed_ms"]) / 1000
        players = [player.split("/") for player in row["players_exp/health/weapon"].split(";")]
        for player, (experience, health, weapon) in zip(info["players"], players, strict=True):
            assert player["experience"] == int(experience), name
            assert player["health"] == float(health), name
            assert player["most_used_weapon_id"] == int(weapon), name
        # What the real simulator refused to play is the one thing wrong with any of them.
        refused = "provenance" in row["verify_by_0.22.0"]
        assert [p["code"] for p in info["problems"]] == (["coop-reload-provenance"] if refused else []), name


def test_writing_gives_the_same_payload(corpus: Path) -> None:
    for path in [*sorted((corpus / "crd").glob("*.crd")), *sorted((corpus / "crd" / "variants").glob("*.crd"))]:
        if path.name == "var-max-payload.crd":
            continue  # `test_the_largest_payload`
        replay = read(path)
        written = ksreplay.open(replay.encode())
        assert isinstance(written, CrimsonlandReplay)
        assert written.payload == replay.payload, path.name


def test_recordings_of_the_real_writer_come_back_byte_for_byte(corpus: Path) -> None:
    # The compression too: the same zstd parameters. Only where the library is the one the recordings were made with.
    import zstandard

    if zstandard.ZSTD_VERSION[:2] != (1, 5):
        pytest.skip("another zstd makes other bytes")
    replay = read(corpus / "crd" / "survival-3p-r2-kbd-joy-rel.crd")
    assert hashlib.sha256(replay.encode()).hexdigest() == replay.source.sha256


def test_variants_are_accepted(corpus: Path) -> None:
    folder = corpus / "crd" / "variants"
    for row in manifest(folder):
        replay = read(folder / row["file"])
        assert replay.payload_sha256 == row["payload_sha256"], row["file"]
        assert [p.code for p in replay.validate() if p.severity != "warning"] == [], row["file"]


def test_the_largest_payload(corpus: Path) -> None:
    replay = read(corpus / "crd" / "variants" / "var-max-payload.crd")
    assert (len(replay.payload), len(replay.ticks)) == (67_108_841, 1_491_290)
    assert replay.ticks.axes.shape == (1_491_290, 1, 4)


def test_invalid_files_are_answered_as_the_manifest_says(corpus: Path) -> None:
    with (HERE / "broken_rules.tsv").open(encoding="utf-8") as file:
        expected = {row["rule_broken"]: row["code"] for row in csv.DictReader(file, delimiter="\t")}
    assert set(expected.values()) - {""} <= CODES
    folder = corpus / "crd" / "invalid"
    for row in manifest(folder):
        found, valid = codes(folder / row["file"])
        assert valid == row["expected_structure"].startswith("accept"), row["file"]
        assert found[:1] == [code for code in [expected[row["rule_broken"]]] if code], row["file"]


def test_hostile_inputs_raise_one_error(corpus: Path) -> None:
    for path in sorted((corpus / "crd" / "invalid").glob("host-*.crd")):
        with pytest.raises(ReplayError) as caught:
            ksreplay.open(path)
        assert caught.value.format == "crd" and caught.value.code in CODES


def test_what_the_seed_does_not_state_is_a_warning_under_its_profile(corpus: Path) -> None:
    folder = corpus / "crd" / "invalid"
    softened = []
    for row in manifest(folder):
        if row["seed_says"] == "unspecified" or row["file"] == "run-status-key-hardcore.crd":
            _, valid = codes(folder / row["file"], "seed")
            assert valid, row["file"]
            softened.append(row["file"])
        elif row["expected_structure"] == "reject":
            _, valid = codes(folder / row["file"], "seed")
            assert not valid, row["file"]
    assert len(softened) == 12


def test_both_spellings_of_the_status_key(corpus: Path) -> None:
    for spelling in ("full", "hardcore"):
        for path in sorted((corpus / "crd").glob(f"v35d-{spelling}key-*.crd")):
            replay = read(path)
            assert replay.info()["details"]["status_key"] == f"quest_unlock_index_{spelling}"
            assert replay.validate() == []
            seed = [problem.code for problem in replay.validate("seed")]
            assert seed == (["status-key-full"] if spelling == "full" else [])


def test_strict_reading_raises_on_the_first_breach(corpus: Path) -> None:
    with pytest.raises(ReplayError) as caught:
        ksreplay.open(corpus / "crd" / "invalid" / "can-dup-key-run.crd", strict=True)
    error = caught.value
    assert (error.code, error.where, error.offset) == ("duplicate-key", "run.seed", 605)

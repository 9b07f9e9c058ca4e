"""Ids, ranking, controls, edits, comparison, redaction and verification of crd replays."""

from __future__ import annotations

import csv
import os
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import ksreplay
from ksreplay.cli import main
from ksreplay.errors import INVALID, ReplayError
from ksreplay.redact import Policy, Pseudonymizer, redact
from ksreplay.replays.crd import CrimsonlandReplay
from ksreplay.replays.crd_verify import verify
from ksreplay.semantics.crd import edit, folder, holds, identity, names
from ksreplay.semantics.crd.settings import parse_game_version, reload_behaviour
from ksreplay.semantics.crd.stats import player_stats


def read(source: Path | bytes, **options: bool) -> CrimsonlandReplay:
    replay = ksreplay.open(source, **options)  # type: ignore[arg-type]
    assert isinstance(replay, CrimsonlandReplay)
    return replay


@pytest.fixture(scope="module")
def sample() -> bytes:
    return files("ksreplay.samples").joinpath("sample.crd").read_bytes()


def test_the_sample_is_what_its_builder_makes(sample: bytes) -> None:
    import importlib.util

    path = Path(__file__).resolve().parents[2] / "tools" / "samples" / "crd.py"
    spec = importlib.util.spec_from_file_location("sample_crd", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert read(module.build()).payload == read(sample).payload


def test_run_ids_agree_with_the_worked_values(corpus: Path) -> None:
    with (corpus.parent / "facts" / "crd-run-ids.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            replay = read(corpus / "crd" / f"{row['file']}.crd")
            expected = next(value for key, value in row.items() if key.startswith("solo65_sha256"))
            transport = identity.solo_transport(replay.newest, replay.ticks)
            assert len(transport) == int(row["transport_bytes"])
            assert replay.payload_sha256 == row["payload_sha256"]
            assert identity.solo_sha256(replay.newest, replay.ticks) == expected
            if row["rules"] == "1":
                assert replay.run_id == identity.RunId(expected)
            else:
                assert replay.run_id.value is None and "66 words" in replay.run_id.refused
            quest = replay.newest["run"]["custom_quest"]
            assert (0 if quest is None else len(identity.quest_block(quest) or b"")) == int(row["quest_bytes"])


def test_the_same_inputs_are_known_again(corpus: Path, sample: bytes) -> None:
    recordings = corpus / "crd"
    same = [
        read(recordings / name).inputs_key
        for name in ("survival-1p-r2-mouse.crd", "v35d-fullkey-survival-1p-r2-mouse.crd",
                     "v35d-hardcorekey-survival-1p-r2-mouse-cl10908.crd")
    ]  # fmt: skip
    assert len(set(same)) == 1 and same[0] is not None
    assert read(recordings / "survival-1p-r1-mouse.crd").inputs_key != same[0]
    replay = read(sample)
    key = replay.inputs_key
    replay.document.run["seed"] ^= 1 << 31
    assert read(replay.encode_payload(replay.document)).inputs_key == key
    replay.document.run["seed"] ^= 1
    assert read(replay.encode_payload(replay.document)).inputs_key != key


def test_ranked_reasons_agree_with_the_manifest(corpus: Path) -> None:
    with (corpus / "crd" / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["verify_by_0.22.0"] == "ok"]
    assert len(rows) > 50
    for row in rows:
        ranking = read(corpus / "crd" / row["file"]).ranking
        # What needs a simulation is the one word that is left out.
        assert set(ranking.reasons) == set(row["unranked_reasons"].split()) - {"aim_out_of_view"}, row["file"]
        if row["board"]:
            assert ranking.board == row["board"]


@pytest.mark.parametrize(
    "label,release,kind",
    [
        ("0.22.0", (0, 22, 0), "release"),
        ("0.18.0+build." + "a1" * 12, (0, 18, 0), "build"),
        ("0.19.1+g0123456789ab", (0, 19, 1), "commit"),
        ("0.19.1+g0123456789ab.dirty", (0, 19, 1), "commit"),
    ],
)
def test_game_version_labels(label: str, release: tuple[int, int, int], kind: str) -> None:
    version = parse_game_version(label)
    assert version is not None and (version.release, version.kind) == (release, kind)
    assert version.dirty == label.endswith(".dirty")


def test_other_labels_have_no_form() -> None:
    for label in ("", None, "0.22", "v0.22.0", "0.22.0+build.xyz", "0.22.0+g0123456789ab.wet", "1" * 5000 + ".0.0"):
        assert parse_game_version(label) is None


@pytest.mark.parametrize(
    "label,keys,players,rules,expected",
    [
        ("0.17.0+build." + "0" * 24, None, 2, 1, "legacy"),
        ("0.18.0", None, 2, 1, "legacy"),
        ("0.18.0+build." + "0" * 24, None, 2, 1, "ambiguous"),
        ("0.18.0+g" + "0" * 12, None, 2, 1, "ambiguous"),
        ("0.18.0+build.64a9589f5fbefdc036f0559b", None, 2, 1, "fixed"),
        ("0.19.0", None, 2, 1, "fixed"),
        ("0.18.0+build." + "0" * 24, [b"a", b"b"], 2, 1, "fixed"),
        ("0.18.0+build." + "0" * 24, None, 1, 1, "fixed"),
        ("0.18.0+build." + "0" * 24, None, 2, 2, "fixed"),
        ("somewhere", None, 2, 1, "ambiguous"),
    ],
)
def test_the_reload_exception(label: str, keys: list[bytes] | None, players: int, rules: int, expected: str) -> None:
    newest = {
        "rules": rules, "game_version": label, "seat_keys": keys,
        "run": {"player_count": players, "preserve_bugs": False},
    }  # fmt: skip
    assert reload_behaviour(newest) == expected
    newest["run"]["preserve_bugs"] = True
    assert reload_behaviour(newest) == "fixed"


def test_an_early_quest_plays_the_table_of_its_players(corpus: Path) -> None:
    replay = read(corpus / "crd" / "variants" / "hist-v33-legacy-two-tables.crd")
    assert len(replay.tables["spawn_entries"]) == 2
    upgraded = read(replay.encode(version=34))
    assert upgraded.document.run["custom_quest"]["entries"] == replay.document.run["custom_quest"]["tables"][0]
    assert upgraded.compare(replay)[0].field == "format_version"


def test_names_cover_the_ids() -> None:
    assert names.mode(3) == "quest" and names.mode(0) is None and names.mode(99) is None
    assert len(names.quests()) == 50 and names.quests()[5, 10].title == "The Gathering"
    assert names.weapon(1) == "Pistol" and names.weapon(54) is None
    assert (names.perk(1), names.perk(1, violence=False)) == ("Bloody Mess", "Quick Learner")
    assert names.bonus(5) == "Nuke"
    assert names.spawn_template(0) == "ZOMBIE_BOSS_SPAWNER_00" and names.creature(2) is None


def test_names_stand_beside_ids_in_info(sample: bytes, corpus: Path) -> None:
    details = read(sample).info()["details"]
    quest = details["custom_quest"]
    assert (quest["start_weapon_id"], quest["start_weapon"]) == (3, "Shotgun")
    assert quest["no_bonuses"] == [{"id": 5, "name": "Nuke"}] and (quest["entries"], quest["copies"]) == (3, 10)
    details = read(corpus / "crd" / "quest-1.1-r2.crd").info()["details"]
    assert (details["quest_title"], details["quest_time_limit_ms"]) == ("Land Hostile", 120_000)
    details = read(corpus / "crd" / "v35d-hardcorekey-typo-1p-r2-carry-dict.crd").info()["details"]
    assert (details["typo_dictionary_words"], details["typo_highscore_names"]) == (4, 3)


def test_runs_of_held_keys(sample: bytes) -> None:
    table = read(sample).tables["holds"]
    rows = [row for row in table.rows() if row["what"] == "fire_held"]
    # The builder holds fire for the first 40 of every 90 ticks.
    assert [(row["first_tick"], row["num_ticks"]) for row in rows] == [(90 * n, 40) for n in range(7)]
    modes = [row for row in table.rows() if row["what"] == "movement_mode"]
    assert [(row["value"], row["first_tick"], row["num_ticks"]) for row in modes] == [(2, 0, 600)]


def test_runs_cover_every_tick_of_every_player(corpus: Path) -> None:
    replay = read(corpus / "crd" / "survival-4p-r2-cpu-unk-click.crd")
    found = holds.find(replay.ticks.flags)
    for player in range(4):
        for kind in (holds.KEYS + holds.MODES).index("movement_mode"), (holds.KEYS + holds.MODES).index("aim_scheme"):
            chosen = (found.player == player) & (found.kind == kind)
            assert found.num_ticks[chosen].sum() == len(replay.ticks)
    held = (replay.ticks.flags & 1).sum()
    assert found.num_ticks[found.kind == 0].sum() == held == replay.tables["inputs"]["fire_held"].sum()


def test_inputs_as_records(sample: bytes) -> None:
    replay = read(sample)
    records = replay.ticks.inputs
    assert records.shape == (600, 1) and records.dtype.names == ("move_x", "move_y", "aim_x", "aim_y", "flags")
    table = replay.tables["inputs"]
    for name in records.dtype.names:
        np.testing.assert_array_equal(records[name].reshape(-1), table[name])


def test_statistics_of_the_sample(sample: bytes) -> None:
    (stats,) = player_stats(read(sample).ticks)
    assert (stats.fire_presses, stats.fire_ticks, stats.reload_presses) == (7, 280, 6)
    assert (stats.perk_picks, stats.typed_chars, stats.one_tick_presses) == (1, 0, 0)
    # A circle of radius 200 in 240 ticks: a step of 2 * 200 * sin(pi / 240), 599 of them.
    step = 400 * np.sin(np.pi / 240)
    assert stats.aim_distance == pytest.approx(599 * step, rel=1e-4)
    assert stats.aim_jump_p99 == pytest.approx(step, rel=1e-3)
    assert stats.signals == () and stats.exact_length_share is None


def test_signals_moderators_look_at() -> None:
    from ksreplay.formats.crd_commands import Commands
    from ksreplay.formats.crd_ticks import Ticks
    from ksreplay.semantics.crd.flags import pack

    count = 600
    axes = np.zeros((count, 1, 4), np.float32)
    axes[:, 0, 0] = np.where(np.arange(count) % 2, 0.6, -0.6)
    axes[:, 0, 1] = np.where(np.arange(count) % 2, 0.8, -0.8)
    axes[:, 0, 2] = np.where(np.arange(count) % 2, 500, 0)
    words = np.array([pack(movement=3, aim=0, fire_held=tick % 4 == 0) for tick in range(count)], np.uint32)
    ticks = Ticks(1, axes, words[:, None], np.zeros((count, 1), np.int64), Commands())
    (stats,) = player_stats(ticks)
    assert stats.one_tick_presses == 150
    assert stats.exact_length_share == 1.0
    assert stats.reversals_per_minute == pytest.approx(599 * 6)
    assert stats.aim_jump_p99 == 500
    assert set(stats.signals) == {"one_tick_presses", "exact_length_share", "reversals_per_minute", "aim_jump_p99"}


def test_seat_keys_are_private(corpus: Path) -> None:
    path = corpus / "crd" / "rush-2p-r1.crd"
    with read(path) as replay:
        assert replay.tables["players"].valid("seat_key").tolist() == [False, False]  # type: ignore[union-attr]
        assert replay.info()["details"]["seat_keys"] == 2
    with read(path, private=True) as replay:
        assert replay.tables["players"]["seat_key"].tolist() == [b"\x01" * 32, b"\x02" * 32]


def test_a_folder_of_the_game(sample: bytes, tmp_path: Path) -> None:
    (tmp_path / "online").mkdir()
    for name in ("2-quest.crd", "10-survival.crd", "notes.crd", "online/00ff.crd"):
        (tmp_path / name).write_bytes(sample)
    found = folder.read(tmp_path)
    assert [(number, mode) for number, mode, _ in found.replays] == [(2, "quest"), (10, "survival")]
    assert [path.name for path in found.online] == ["00ff.crd"]
    assert (found.last_number, found.next_number) == (None, 11)
    (tmp_path / ".last-number").write_text("41\n")
    assert folder.read(tmp_path).next_number == 42
    details = read(tmp_path / "2-quest.crd").info()["details"]
    assert (details["replay_number"], details["last_number"], details["online"]) == (2, 41, False)
    assert read(tmp_path / "online" / "00ff.crd").info()["details"]["online"] is True
    assert [problem.code for problem in read(tmp_path / "10-survival.crd").problems] == ["file-name-mode"]


# Edits.


def test_setting_and_clearing_the_pilot(sample: bytes) -> None:
    replay = read(sample)
    other = read(replay.encode_payload(edit.with_pilot(replay.document, {"name": "New Pilot"})))
    assert other.newest["pilot"] == {"name": "New Pilot", "model": "", "url": ""}
    cleared = read(other.encode_payload(edit.with_pilot(other.document, None)))
    assert cleared.newest["pilot"] is None and cleared.inputs_key == replay.inputs_key
    with pytest.raises(ReplayError) as caught:
        replay.encode_payload(edit.with_pilot(replay.document, {"name": "ä"}))
    assert caught.value.code == "pilot-name"


def test_a_pilot_needs_version_32(corpus: Path) -> None:
    replay = read(corpus / "crd" / "v30-pkg0.12.2-tutorial.crd")
    with pytest.raises(ReplayError) as caught:
        edit.with_pilot(replay.document, {"name": "n"})
    assert (caught.value.code, caught.value.where) == ("version-cannot-say", "pilot")


def test_stripping_the_recorder(sample: bytes) -> None:
    replay = read(sample)
    other = read(replay.encode_payload(edit.without_recorder(replay.document)))
    assert other.newest["recorder"] == {"client": "unknown", "version": "unknown", "platform": "unknown"}
    assert {item.field for item in other.compare(replay)} == {"recorder.client", "recorder.version"}


def test_a_prefix_is_marked_incomplete(corpus: Path) -> None:
    replay = read(corpus / "crd" / "survival-1p-r2-mouse.crd")
    cut = read(replay.encode_payload(edit.prefix(replay.document, 2776)))
    assert (len(cut.ticks), cut.newest["result"]["outcome"]) == (2776, "incomplete")
    assert cut.ticks.commands.tick == [tick for tick in replay.ticks.commands.tick if tick < 2776]
    assert [item.field for item in cut.compare(replay) if item.part == "inputs"] == []
    assert not [problem for problem in cut.problems if problem.severity in INVALID]
    with pytest.raises(ValueError):
        edit.prefix(replay.document, 0)


def test_rewriting_sets_the_form_right_and_refuses_wrong_values(corpus: Path) -> None:
    invalid = corpus / "crd" / "invalid"
    for name in ("can-result-order", "can-uint64-for-uint32", "can-str16-for-str8", "can-int-axis", "can-map32-top"):
        found = read(read(invalid / f"{name}.crd").encode()).validate()
        assert not [problem for problem in found if problem.severity in INVALID]
    for name in ("can-not-f32-axis", "flag-2p63", "can-dup-key-run", "seat-empty", "can-bad-utf8"):
        with pytest.raises(ReplayError) as caught:
            read(invalid / f"{name}.crd").encode()
        assert caught.value.code == "not-writable"


def test_the_spelling_of_the_status_key_is_kept(corpus: Path) -> None:
    replay = read(corpus / "crd" / "v35d-hardcorekey-quest-1.1-r2.crd")
    assert read(replay.encode()).document.status_key == "quest_unlock_index_hardcore"
    assert read(replay.encode(version=34)).document.status_key == "quest_unlock_index_full"
    assert (
        read(replay.encode(status_key="quest_unlock_index_full")).payload
        == read(corpus / "crd" / "v35d-fullkey-quest-1.1-r2.crd").payload
    )


# Comparison.


def test_the_first_difference_of_two_runs(sample: bytes) -> None:
    left, right = read(sample), read(sample)
    assert left.compare(right) == []
    right.ticks.axes[77, 0, 3] = -0.0
    left.ticks.axes[77, 0, 3] = 0.0
    right.ticks.flags[99, 0] ^= 1
    right.ticks.commands.choice[1] = 3
    right.newest["run"]["seed"] = right.document.run["seed"] = 1
    first, command, seed = left.compare(right)
    assert (first.part, first.field, first.moment, first.unit) == ("inputs", "player[0].aim_y", 77.0, "tick")
    assert (command.part, command.moment) == ("commands", 301.0)
    assert (seed.part, seed.field, seed.right) == ("settings", "run.seed", 1)


# Redaction.


def test_redaction_leaves_no_name(corpus: Path) -> None:
    replay = read(corpus / "crd" / "v34-pkg0.19.2-quest-custom.crd", private=True)
    data, report = redact(replay, Pseudonymizer("key"), Policy())
    after = read(data)
    assert after.validate() == replay.validate() == []
    pilot = after.newest["pilot"]
    assert pilot["name"] == Pseudonymizer("key").name("Suite Bot", limit=31) and pilot["url"] == ""
    assert report.counts == {"name": 1, "link": 1}
    np.testing.assert_array_equal(after.ticks.axes, replay.ticks.axes)
    assert b"Suite" not in after.payload


def test_redaction_follows_a_typed_name(corpus: Path) -> None:
    replay = read(corpus / "crd" / "v35d-hardcorekey-typo-1p-r2-carry-dict.crd", private=True)
    payload = edit.first_ticks(replay.ticks, 1)
    for place, letter in enumerate("banxteg"):
        payload.commands.add(0, 2, 0, -1, letter, 0)
        if place == 3:  # a slip, taken back
            payload.commands.add(0, 3, 0, -1, None, 0)
    payload.commands.add(0, 4, 0, -1, None, 0)
    for letter in "alpha":  # a word of the dictionary
        payload.commands.add(0, 2, 0, -1, letter, 0)
    replay.document.ticks = payload
    data, report = redact(replay, Pseudonymizer("key"), Policy())
    after = read(data)
    name = after.document.run["typo_highscore_names"][0]
    typed = [char for char in after.ticks.commands.char if char is not None]
    assert len(name) == 6 and name != "banteg"
    assert typed == [*name[:3], "x", *name[3:], *"alpha"]
    assert any("no longer verifies" in note for note in report.notes)
    kept, _ = redact(replay, Pseudonymizer("key"), Policy({"name": "keep"}))
    assert read(kept).document.run["typo_highscore_names"][0] == "banteg"


def test_redacted_seat_keys_stay_distinct(corpus: Path) -> None:
    replay = read(corpus / "crd" / "rush-2p-r1.crd", private=True)
    for policy in (Policy(), Policy({"seat": "erase"})):
        after = read(redact(replay, Pseudonymizer("key"), policy)[0])
        assert after.validate() == []
        assert not set(after.newest["seat_keys"]) & set(replay.newest["seat_keys"])


# Verification, by a stand-in for the simulator: the real one needs another Python.

STAND_IN = """
import json, sys
path = sys.argv[sys.argv.index("verify") + 1]
import ksreplay
result = ksreplay.open(path).newest["result"]
derived = {**result, "players": [{**player, "health": player["health"] + HEALTH} for player in result["players"]]}
print("a line of a library")
print(json.dumps({"status": "ok" if not HEALTH else "result_mismatch", "result": derived, "recorded": result}))
"""


def stand_in(folder: Path, health: int) -> str:
    """An interpreter with a console script ``crimson`` that answers as the simulator does."""
    distribution = folder / "crimson_stand_in-1.dist-info"
    distribution.mkdir(parents=True)
    (distribution / "METADATA").write_text("Metadata-Version: 2.1\nName: crimson-stand-in\nVersion: 1\n")
    (distribution / "entry_points.txt").write_text("[console_scripts]\ncrimson = crimson_stand_in:main\n")
    body = "".join(f"    {line}\n" for line in STAND_IN.replace("HEALTH", str(health)).splitlines())
    (folder / "crimson_stand_in.py").write_text(f"def main():\n{body}")
    script = folder / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    return str(script)


needs_shell = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")


@needs_shell
def test_verification_compares_field_by_field(sample: bytes, tmp_path: Path) -> None:
    python = stand_in(tmp_path, 0)
    found = verify(read(sample), python=python)
    assert found.status == "ok" and all(equal for *_, equal in found.fields)
    path = tmp_path / "sample.crd"
    path.write_bytes(read(sample).encode(version=35))
    answer = CliRunner().invoke(main, ["verify", str(path), "--python", stand_in(tmp_path / "other", 1)])
    assert answer.exit_code == 1
    assert "players[0].health: recorded 87.5, derived 88.5" in answer.output


def test_without_the_simulator_it_says_how_to_get_it(sample: bytes) -> None:
    for python in (None, "/nowhere/python"):
        with pytest.raises(ReplayError) as caught:
            verify(read(sample), python=python)
        assert caught.value.code == "no-simulator" and "pip install crimsonland" in str(caught.value)


def test_what_the_simulator_cannot_read_is_said(corpus: Path) -> None:
    with pytest.raises(ReplayError) as caught:
        verify(read(corpus / "crd" / "v35d-fullkey-quest-1.1-r2-cl10908.crd"))
    assert (caught.value.code, caught.value.where) == ("not-verifiable", "run.cl_build")
    with pytest.raises(ReplayError) as caught:
        verify(read(corpus / "crd" / "invalid" / "seat-empty.crd"))
    assert caught.value.code == "seat-key-count"


@needs_shell
def test_a_simulator_that_hangs_is_stopped(sample: bytes, tmp_path: Path) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nexec sleep 60\n")
    script.chmod(0o755)
    with pytest.raises(ReplayError) as caught:
        verify(read(sample), python=str(script), timeout=0.5)
    assert caught.value.code == "simulator-timeout"

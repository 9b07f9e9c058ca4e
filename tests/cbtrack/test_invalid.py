"""Every broken track of the corpus: refused, or read but for one part, or reported; and nothing else."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import corpus_folder

import ksreplay
from ksreplay.replays.cbtrack import Track

FOLDER = (corpus_folder() or Path("absent")) / "cbtrack" / "invalid"
CASES = json.loads((FOLDER / "invalid.json").read_text("utf-8"))["files"] if FOLDER.is_dir() else []

pytestmark = pytest.mark.skipif(not CASES, reason="no ../shared/corpus beside the repository")

# file -> the code of its rule
CODES = {
    "magic_lower_case": "unknown-format",
    "version_2": "format-version",
    "empty_file": "empty",
    "cut_in_header": "header-cut",
    "header_size_0": "header-size",
    "header_size_past_file": "index-cut",
    "window_length_0": "window-length",
    "window_length_65536": "window-length",
    "header_number_over_limit": "number-over-limit",
    "info_block_over_limit": "number-over-limit",
    "main_length_past_file": "chunk-past-end",
    "info_block_past_file": "chunk-past-end",
    "zlib_checksum": "chunk-stream",
    "zlib_cut_short": "chunk-stream",
    "features_checksum": "chunk-stream",
    "terrain_checksum": "chunk-stream",
    "three_byte_chunk": "chunk-short",
    "column_count_huge": "directory-cut",
    "column_past_end": "column-past-end",
    "column_offset_huge": "column-past-end",
    "transform_time_short": "value-count",
    "rotation_short": "value-count",
    "first_key_without_escape": "first-key-not-escaped",
    "wide_short": "wide-count",
    "wide_over_limit": "value-over-limit",
    "keys_share_a_frame": "keys-share-frame",
    "status_keys_share_a_frame": "keys-share-frame",
    "first_after_last_offset": "life-outside-window",
    "last_offset_past_window": "life-outside-window",
    "unit_without_transform_key": "unit-without-key",
    "unit_without_status_key": "unit-without-key",
    "dropped_component_4": "dropped-component",
    "target_unit_out_of_range": "unit-reference",
    "target_projectile_out_of_range": "projectile-reference",
    "target_position_missing": "value-count",
    "target_position_left_over": "value-count",
    "position_for_kind_127": "value-count",
    "pose_tracks_too_many": "track-count",
    "facing_4": "facing",
    "projectile_no_key_at_last": "key-outside-life",
    "projectile_no_key_at_first": "projectile-end-without-key",
    "projectile_last_past_window": "life-outside-window",
    "value_nan": "value-not-finite",
    "value_infinite": "value-not-finite",
    "number_key_past_window": "key-outside-life",
    "feature_columns_differ": "columns-differ",
    "not_utf8": "not-utf8",
    "map_size_one_value": "value-count",
    "terrain_order_z": "terrain-order",
    "terrain_past_window": "terrain-outside-window",
    "bytes_after_stream": "bytes-after-stream",
    "column_not_aligned": "column-not-aligned",
    "padding_not_zero": "padding-not-zero",
    "columns_overlap": "columns-overlap",
    "column_with_no_values": "column-empty",
    "count_column_of_zeros": "count-column-of-zeros",
    "serial_twice": "serial-twice",
    "weapon_definition_out_of_range": "weapon-definition",
    "piece_out_of_range": "pose-piece",
    "flags_say_before": "flags-against-offsets",
    "two_tracks_for_a_weapon": "weapon-twice",
    "reference_for_nothing": "reference-for-nothing",
    "power_for_a_weapon": "power-for-weapon",
    "target_feature_out_of_range": "feature-reference",
    "parameter_not_named": "parameter-not-named",
    "feature_first_after_last": "feature-life",
    "feature_definition_out_of_range": "feature-definition",
    "window_edge_differs": "window-edge-differs",
    "angle_a_turn_away": "angle-turn-away",
}


def place_of(part: str) -> str:
    """``main:1`` of the manifest as the package says it."""
    name, _, window = part.partition(":")
    return f"window[{window}].{name}" if window else name


def equal(a: Any, b: Any) -> bool:
    """The same arrays, all the way down."""
    if dataclasses.is_dataclass(a) and not isinstance(a, type):
        return all(equal(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a))
    if isinstance(a, np.ndarray):
        return bool(np.array_equal(a, b))
    return bool(a == b)


def part_values(track: Track, part: str) -> Any:
    name, _, window = part.partition(":")
    if name == "header":
        return track.header
    if name == "index":
        return track.index
    if name == "info":
        return track.match_info
    if name == "features":
        return track.match_features
    return track.windows[int(window)].main if name == "main" else track.terrain_rows(int(window))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"].removesuffix(".cbtrack"))
def test_one_rule_is_broken(case: dict[str, Any]) -> None:
    path = FOLDER / case["file"]
    code = CODES[path.stem]
    if case["level"] == "fatal":
        with pytest.raises(ksreplay.ReplayError) as error:
            ksreplay.open(path)
        assert error.value.code == code
        return
    with ksreplay.open(path) as track:
        assert isinstance(track, Track)
        problems = track.validate()
        assert [(problem.severity, problem.code) for problem in problems] == [(case["level"], code)]
        assert problems[0].where.startswith(place_of(case["part"]))
        assert problems[0].found is not None
        assert problems[0].source.startswith("Replay track format")
        again = [(problem.code, problem.where) for problem in track.validate()]
        assert again == [(problem.code, problem.where) for problem in problems]


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["level"] == "part"],
    ids=lambda case: case["file"].removesuffix(".cbtrack"),
)
def test_one_part_costs_only_itself(case: dict[str, Any]) -> None:
    with ksreplay.open(FOLDER / "base.cbtrack") as base, ksreplay.open(FOLDER / case["file"]) as track:
        assert isinstance(base, Track)
        assert isinstance(track, Track)
        for part in case["still_reads"]:
            if part not in ("header", "index"):
                assert equal(part_values(track, part), part_values(base, part)), part
        assert not track.problems
        assert not track.info(full=True)["complete"]
        assert track.info()["game"] == (None if case["part"] == "info" else base.info()["game"])
        name = place_of(case["part"])
        if "." in name:
            with pytest.raises(ksreplay.ReplayError):
                part_values(track, case["part"])
    with pytest.raises(ksreplay.ReplayError), ksreplay.open(FOLDER / case["file"], strict=True) as strict:
        strict.info(full=True)


@pytest.mark.parametrize("name", [*sorted(p.name for p in (FOLDER.parent / "edge").glob("*.cbtrack")), "base.cbtrack"])
def test_a_valid_track_has_no_problem(name: str) -> None:
    folder = FOLDER if name == "base.cbtrack" else FOLDER.parent / "edge"
    with ksreplay.open(folder / name) as track:
        assert track.validate() == []


@pytest.mark.parametrize("name", ["tiny", "small", "medium", "large"])
def test_the_main_tracks_have_no_problem(name: str) -> None:
    with ksreplay.open(FOLDER.parent / f"{name}.cbtrack") as track:
        assert track.validate() == []

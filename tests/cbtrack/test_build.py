"""What is built and what is read are one layout: drift, differential and rewriting tests."""

from __future__ import annotations

from pathlib import Path

import drift
import numpy as np
import pytest
from conftest import corpus_folder
from hypothesis import given
from hypothesis import strategies as st

import ksreplay
from ksreplay.formats import cbtrack as framing
from ksreplay.formats import cbtrack_build as build
from ksreplay.formats.cbtrack_columns import NAMES, TYPE_OF, TYPES
from ksreplay.generated.cbtrack import Cbtrack
from ksreplay.generated.cbtrack_chunk import CbtrackChunk
from ksreplay.generated.dtypes import cbtrack as dtypes
from ksreplay.generated.dtypes import cbtrack_chunk as chunk_dtypes
from ksreplay.pseudonyms import Policy, Pseudonymizer
from ksreplay.redact import redact
from ksreplay.replays.cbtrack import Track
from ksreplay.semantics.cbtrack.writer import TrackWriter

FOLDER = (corpus_folder() or Path("absent")) / "cbtrack"
VALID = (
    sorted(FOLDER.glob("edge/*.cbtrack")) + sorted(FOLDER.glob("*.cbtrack")) + sorted(FOLDER.glob("invalid/base.*k"))
)

needs_corpus = pytest.mark.skipif(not VALID, reason="no ../shared/corpus beside the repository")


@pytest.mark.parametrize(
    ("spec", "dtype"),
    [
        (build.Header, dtypes.HEADER),
        (build.Window, dtypes.WINDOW),
        (build.Column, chunk_dtypes.COLUMN),
    ],
)
def test_drift(spec: object, dtype: np.dtype[np.void]) -> None:
    drift.assert_same(spec, dtype)


def test_sizes_of_the_page() -> None:
    assert (dtypes.HEADER.itemsize, dtypes.WINDOW.itemsize, chunk_dtypes.COLUMN.itemsize) == (96, 16, 12)


def test_types_of_columns_are_those_the_layout_documents() -> None:
    text = (Path(__file__).parents[2] / "ksy" / "cbtrack_chunk.ksy").read_text("utf-8")
    stated = {}
    for block in text[text.index("  column_id:") :].split("\n      id: ")[1:]:
        name, _, rest = block.partition("\n")
        stated[name] = rest.replace("doc: |", "").split()[0].rstrip(",")
    kinds = chunk_dtypes.ENUMS["value_type"]
    assert {NAMES[column]: kinds[number] for column, number in TYPE_OF.items()} == stated
    assert len(NAMES) == 83 + 5 + 13 + 27  # main, terrain, features and info columns of the page


u4 = st.integers(0, 2**32 - 1)
header_fields = st.fixed_dictionaries(
    {
        "recorder_version": st.integers(0, 65_535),
        "frames_per_second": st.integers(0, 65_535),
        "first_frame": st.integers(0, 1000),
        "last_frame": st.integers(1000, 2000),
        "window_length": st.integers(1, 65_535),
        "num_windows": u4,
        "tolerance": st.floats(0, 100, width=32),
        "position_shift": st.integers(0, 255),
        "velocity_shift": st.integers(0, 255),
        "rotation_bits": st.integers(8, 16),
        "sample_gap": st.integers(0, 255),
        **dict.fromkeys(("blk_info", "len_info", "blk_features", "len_features"), u4),
        **dict.fromkeys(("num_units", "num_projectiles", "num_features"), u4),
        "game_id": st.binary(min_size=16, max_size=16),
        "resource_tolerance": st.floats(0, 100, width=32),
        "resource_fraction": st.floats(0, 1, width=32),
        "reserved": st.binary(min_size=8, max_size=8),
    }
)


@given(header_fields)
def test_construct_builds_a_header_that_all_read_alike(fields: dict[str, object]) -> None:
    raw = build.Header.build(fields)
    read = build.Header.parse(raw)
    by_dtype = dict(zip(dtypes.HEADER.names or (), np.frombuffer(raw, dtypes.HEADER)[0].item(), strict=True))
    by_kaitai = Cbtrack.from_bytes(raw).header
    for name, value in fields.items():
        assert read[name] == value == by_dtype[name] == getattr(by_kaitai, name), name


columns = st.dictionaries(
    st.sampled_from(sorted(TYPE_OF)), st.lists(st.integers(0, 100), min_size=1, max_size=9), max_size=12
)


@given(columns)
def test_a_chunk_is_read_as_it_was_built(values: dict[int, list[int]]) -> None:
    raw = build.build_chunk(values)
    layout = CbtrackChunk.from_bytes(raw)
    assert {column.column_id.value: column.data.values for column in layout.columns} == values
    chunk = framing.Chunk(framing.Place("chunk", 64, len(raw)), raw, 0)
    read = framing.read_columns(chunk)
    assert {column: array.tolist() for column, array in read.values.items()} == values
    assert [array.dtype.str for array in read.values.values()] == [
        np.dtype(TYPES[TYPE_OF[column]]).str for column in sorted(values)
    ]
    directory = build.Directory.parse(raw)
    assert directory.num_columns == len(values)
    assert [entry.ofs_data for entry in directory.columns] == read.directory["ofs_data"].tolist()
    assert build.Directory.build({"columns": directory.columns}) == raw[: 4 + 12 * len(values)]


def open_track(source: Path | bytes) -> Track:
    track = ksreplay.open(source, private=True)
    assert isinstance(track, Track)
    return track


@needs_corpus
@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_rewriting_a_valid_track_gives_the_same_chunks(path: Path) -> None:
    with open_track(path) as track, open_track(track.encode(level=1)) as again:
        for name in track.places:
            assert track.unwrap(name) == again.unwrap(name), name
        assert track.compare(again) == []
        assert again.validate() == []
        length = track.header.len_header
        assert again.source.data[96:length] == track.source.data[96:length]


@needs_corpus
@pytest.mark.parametrize("name", ["small", "medium"])
def test_redacting_replaces_the_leaders_and_nothing_else(name: str) -> None:
    with open_track(FOLDER / f"{name}.cbtrack") as track:
        data, report = redact(track, Pseudonymizer("key"), Policy())
        with open_track(data) as after:
            leaders = {team.leader for team in track.match_info.teams if team.leader}
            assert report.counts["name"] == len(leaders)
            assert after.validate() == []
            for table in track.tables:
                if table in ("teams", "windows"):
                    continue
                assert list(track.tables[table].head(500).rows()) == list(after.tables[table].head(500).rows()), table
            for _, stream in after.streams():
                for leader in leaders:
                    assert leader.encode() not in stream
            assert [team.side for team in after.match_info.teams] == [team.side for team in track.match_info.teams]


@needs_corpus
@pytest.mark.parametrize("name", ["zlib_checksum", "not_utf8", "features_checksum", "terrain_checksum"])
def test_redacting_leaves_out_what_cannot_be_searched(name: str) -> None:
    with open_track(FOLDER / "invalid" / f"{name}.cbtrack") as track:
        data, report = redact(track, Pseudonymizer("key"), Policy())
        assert len(report.notes) == 1
        assert data == redact(track, Pseudonymizer("key"), Policy())[0]
        with open_track(data) as after:
            after.validate()


@needs_corpus
def test_comparing_names_the_first_difference_of_each_part() -> None:
    with open_track(FOLDER / "invalid" / "base.cbtrack") as base:
        for name, part in (
            ("window_edge_differs", "window[1].main"),
            ("feature_first_after_last", "features"),
            ("zlib_checksum", "window[1].main"),
        ):
            with open_track(FOLDER / "invalid" / f"{name}.cbtrack") as other:
                found = base.compare(other)
                assert [difference.part for difference in found] == [part], name
            with open_track(FOLDER / "invalid" / f"{name}.cbtrack") as same:
                assert same.compare(same) == []
        for name, part in (
            ("not_utf8", "info"),
            ("features_checksum", "features"),
            ("zlib_checksum", "window[1].main"),
        ):
            with open_track(FOLDER / "invalid" / f"{name}.cbtrack") as other:
                (difference,) = base.compare(other)
                assert (difference.part, difference.field) == (part, "readable")
                assert (difference.left, difference.right) == (True, False)
        with open_track(FOLDER / "invalid" / "terrain_checksum.cbtrack") as other:
            (difference,) = base.compare(other)
            assert difference.part.endswith(".terrain")
            assert difference.field == "readable"
        with open_track(FOLDER / "invalid" / "keys_share_a_frame.cbtrack") as other:
            damaged = open_track(FOLDER / "invalid" / "zlib_checksum.cbtrack")
            # neither can be read, and they are not the same
            assert [(d.part, d.field) for d in damaged.compare(other)] == [("window[1].main", "bytes")]
        with open_track(FOLDER / "invalid" / "window_edge_differs.cbtrack") as other:
            (difference,) = base.compare(other)
            assert (difference.field, difference.moment) == ("transforms.position", 400.0)


def hills(*rows: tuple[int, int, int, float, float]) -> Track:
    writer = TrackWriter(0, 100, window_length=50)
    for row in rows:
        writer.add_terrain(*([value] for value in row))
    return open_track(writer.build())


def test_comparing_looks_at_the_heights_that_terrain_ends_with() -> None:
    flat, dug = hills(), hills((60, 2, 1, 1.0, 3.0))
    # a point that is back at its own height, which the other recording never saw change
    assert hills((10, 1, 1, 5.0, 3.0), (60, 1, 1, 3.0, 3.0)).compare(flat) == []
    assert hills((10, 2, 1, 2.0, 3.0), (70, 2, 1, 1.0, 3.0)).compare(dug) == []
    (difference,) = flat.compare(dug)
    assert (difference.part, difference.left, difference.right) == ("terrain", 3.0, 1.0)
    assert difference.field == "height of corner x 2, z 1"

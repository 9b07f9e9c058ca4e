"""Every file of corpus/tad against its truth, and every edge file against what its index says must be."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ksreplay
from ksreplay.errors import ReplayError, UnknownFormat, UnsupportedVersion
from ksreplay.formats.tad import frame
from ksreplay.kernels import tad_walk

TRUE_FILES = (
    "small_v3", "small_v4_maxunits", "small_v5_allcomp", "small_v5_plain", "small_v5_sector7", "small_v7_mod",
    "medium_v5_mixed", "large_v5_mixed",
)  # fmt: skip


@pytest.fixture(scope="module", params=TRUE_FILES)
def pair(request: pytest.FixtureRequest, corpus: Path) -> Any:
    """(recording, truth)"""
    folder = corpus / "tad" / "synthetic"
    truth = json.loads((folder / f"{request.param}.truth.json").read_text())
    with ksreplay.open(folder / f"{request.param}.tad", private=True) as recording:
        yield recording, truth


def expected_counts(truth: dict[str, Any]) -> dict[str, int]:
    """The truth counts a 0x20 of 192 bytes; of 186 bytes each leaves a 0x24 (README of the corpus)."""
    counts = dict(truth["subpackets_stored"])
    if truth["stream_len_0x20"] == 192:
        counts["0x24"] = counts.get("0x24", 0) + counts.get("0x20", 0)
    return counts


def test_info_is_the_truth(pair: Any) -> None:
    recording, truth = pair
    info = recording.info(full=True)
    header = truth["header"]
    assert info["format_version"] == header["version"]
    assert info["map"] == header["map"]
    assert info["complete"]
    details = info["details"]
    assert details["max_units"] == header["max_units"]
    assert details["records"] == truth["packet_records"]
    assert details["compressed_records"] == truth["compressed_records"]
    assert details["subpacket_counts"] == expected_counts(truth)
    assert details["wallclock_s"] == truth["total_ms"] / 1000
    assert info["duration_s"] == max(clock["last"] for clock in truth["ticks"].values()) / 30
    assert [(p["id"], p["name"], p["transport_id"], p["block"], p["color"]) for p in info["players"]] == [
        (p["number"], p["name"], p["dpid"], p["block_rank"], p["color"]) for p in truth["players"]
    ]
    assert [p["side"] for p in info["players"]] == [["arm", "core", "watcher"][p["side"]] for p in truth["players"]]
    assert info["file"] == {"bytes": truth["bytes"], "sha256": truth["sha256"]}
    assert len(info["problems"]) == truth["checksum_marker_records"] + details_of_clock(truth)
    quick = ksreplay.open(recording.source.data).info()
    assert quick["duration_s"] == info["duration_s"]
    assert quick["details"].items() <= info["details"].items()


def details_of_clock(truth: dict[str, Any]) -> int:
    """Senders whose ticks jump: one finding each."""
    return len({gap[0] for gap in truth["gaps"]})


def test_setup_is_the_truth(pair: Any) -> None:
    recording, truth = pair
    assert [[sector.kind, len(sector.content)] for sector in recording.setup.sectors] == [
        item[:2] for item in truth["sectors"]
    ]
    for status, wanted in zip(recording.setup.statuses, truth["status"], strict=True):
        assert (status.number, status.flag, len(status.wire), status.dpid, status.sequence) == (
            wanted["number"], wanted["flag"], wanted["wire_len"], wanted["dpid"], wanted["sequence"],
        )  # fmt: skip
        assert status.checksum_ok
    assert recording.setup.end == truth["setup_bytes"]
    data = truth["unit_data"]
    types = recording.unit_types
    assert int(types.enabled.sum()) == data["enabled"]
    assert (int(types.has_checksum.sum()), int(types.has_status.sum())) == (data["sub2"], data["sub3"])
    assert types.header_crc == data["header_crc32_in_sub9"]
    assert types.width == truth["catalog"]["W"]


def test_ticks_are_the_truth(pair: Any) -> None:
    recording, truth = pair
    stream = recording.stream
    syncs = np.isin(stream.ids, (0x2C, 0xFD, 0xFF)) & (stream.states == tad_walk.WHOLE)
    senders, ticks = stream.senders[syncs], stream.tick[syncs]
    assert len(ticks) == truth["subpackets_expanded"]["0x2c"]
    for number, clock in truth["ticks"].items():
        mine = ticks[senders == int(number)]
        assert len(mine) == clock["count"]
        assert (int(mine[0]), int(mine[-1])) == (clock["first"], clock["last"])
        digest = 0
        for tick in mine.tolist():
            digest = (digest * 1000003 + tick) & (2**64 - 1)
        assert f"{digest:016x}" == clock["poly1000003_mod2_64"]
    gaps = {(int(stream.senders[row]), int(stream.tick[row])) for row in stream.jumps}
    assert gaps == {(sender, tick + missing) for sender, tick, missing in truth["gaps"]}


def test_spans_tile_every_payload(pair: Any) -> None:
    recording, _ = pair
    stream, packets = recording.stream, recording.packets
    ends = stream.offsets + stream.lengths
    inner = np.ones(len(ends), bool)
    inner[stream.firsts[1:] - 1] = False
    inner = inner[:-1]
    assert (ends[:-1][inner] == stream.offsets[1:][inner]).all()
    full = packets.ends > packets.starts
    assert (stream.offsets[stream.firsts[:-1][full]] == packets.starts[full]).all()
    assert (ends[stream.firsts[1:][full] - 1] == packets.ends[full]).all()


def test_messages_are_the_truth(pair: Any) -> None:
    recording, truth = pair
    builds = recording.tables["builds"]
    assert len(builds) == truth["n_0x09"]
    place: dict[Any, list[Any]] = {}
    for row in builds.head(500).rows():
        spot = tuple(row[axis] * 65536 for axis in "xyz")
        turn = tuple(row[f"rotation_{axis}"] for axis in "xyz")
        place.setdefault((row["sender"], row["unit_type"], row["unit_id"], spot, turn), []).append(row)
    for sender, tick, unit_type, unit, position, rotation in truth["sample_0x09"]:
        rows = place[sender, unit_type, unit, tuple(position), tuple(rotation)]
        assert any(row["tick_low"] is None or row["tick_low"] <= tick <= row["tick_high"] for row in rows)
    resources = recording.tables["resources"]
    assert len(resources) == truth["n_0x28"]
    names = resources.schema.names
    first = names.index("wants_reply")
    seen = {
        (row["sender"], *tuple(row.values())[first : first + 15])
        for row in resources.head(2000).rows()
    }  # fmt: skip
    for sender, _, *values in truth["sample_0x28"]:
        assert (sender, *values) in seen
    assert len(recording.tables["finishes"]) == truth["n_0x12"]
    deaths = recording.tables["deaths"]
    assert len(deaths) == truth["n_0x0c"]
    wanted = [
        (s, v, None if d == 2**32 - 1 else d, a or None, sev, cause, level)
        for s, _, v, d, a, sev, cause, level in truth["sample_0x0c"]
    ]
    keys = ("sender", "victim", "attacker_player", "attacker", "severity", "cause", "corpse_level")
    found = [tuple(row[key] for key in keys) for row in deaths.head(len(wanted) + 50).rows()]
    assert set(wanted) <= set(found)
    assert [(row["kind"], row["value"]) for row in recording.tables["speeds"].rows()] == [
        tuple(change) for change in truth["speed_changes"]
    ]


def test_kernels_and_lockstep_agree(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain loops, the numpy steps and the compiled kernels give the same arrays."""
    data = (corpus / "tad" / "synthetic" / "small_v5_allcomp.tad").read_bytes()
    columns = []
    for pure in ("1", ""):
        monkeypatch.setenv("KSREPLAY_PURE", pure)
        recording = ksreplay.open(data)
        stream = recording.stream
        columns.append(
            (stream.packets.pool, stream.packets.lz_status, stream.offsets, stream.lengths, stream.ids, stream.states,
             stream.tick, stream.low, stream.jumps)
        )  # fmt: skip
    for plain, compiled in zip(*columns, strict=True):
        assert np.array_equal(plain, compiled)


@cache
def edge_index(folder: Path) -> dict[str, Any]:
    return {Path(item["file"]).stem: item for item in json.loads((folder / "edge" / "index.json").read_text())}


EDGES = (
    "seed_demo", "chat_overflow", "chat_normal", "checksum_marker", "pi20_186", "pi20_200", "pi20_ambiguous",
    "base_across_records", "repeated_bundle", "raw_2c", "lz_recorder", "lz_retail_28", "lz_overlap", "lz_unterminated",
    "lz_out_of_range", "lz_past_2000", "zero_runs", "fb_u8", "fb_old", "dot_command", "weapon_id_patch", "unknown_id",
    "fd_short", "bad_flag", "empty_packets", "odd_senders", "zero_sectors", "trailing_byte", "truncated_tail",
    "bad_magic", "version_6", "status_checksum_bad",
)  # fmt: skip
#: What `must` says in words, and what of ours answers it.
CODES = {
    "lz_unterminated": {"lz-cut"}, "lz_out_of_range": {"lz-beyond"}, "fd_short": {"subpacket-length"},
    "bad_flag": {"packet-flag"}, "trailing_byte": {"file-cut"}, "truncated_tail": {"file-cut"},
    "unknown_id": {"subpacket-id"}, "checksum_marker": {"checksum-marker"}, "odd_senders": {"sender"},
    "repeated_bundle": {"repeated-bundle", "tick-gap"}, "base_across_records": {"tick-gap"},
    "empty_packets": {"packet-short"}, "pi20_200": {"subpacket-stratum"}, "weapon_id_patch": {"subpacket-stratum"},
    "status_checksum_bad": {"status-checksum", "header-crc"},
    # its elided sync has three bytes more than an empty one needs
    "seed_demo": {"sync-unread"},
}  # fmt: skip
INCOMPLETE = {"fd_short", "bad_flag", "trailing_byte", "truncated_tail", "unknown_id"}


@pytest.mark.parametrize("name", EDGES)
def test_edge(name: str, corpus: Path) -> None:
    folder = corpus / "tad" / "synthetic"
    item = edge_index(folder)[name]
    path, must = folder / "edge" / f"{name}.tad", item["must"]
    if name in ("bad_magic", "version_6"):
        with pytest.raises(UnknownFormat if name == "bad_magic" else UnsupportedVersion):
            ksreplay.open(path)
        return
    recording = ksreplay.open(path, private=True)
    info = recording.info(full=True)
    assert {problem["code"] for problem in info["problems"]} == CODES.get(name, set())
    assert info["complete"] is (name not in INCOMPLETE)
    stream = recording.stream
    counts = {f"{number:02x}": count for number, count in stream.counts.items()}
    for key, count in must.get("stored", {}).items():
        assert counts[key] == count
    for key, value in must.items():
        if len(key) == 2 and key.isalnum():
            assert counts[key] == value
    for sender, ticks in must.get("ticks", {}).items():
        assert sync_ticks(stream, int(sender)) == ticks
    if "records" in must:
        assert len(recording.packets) == must["records"]
    if "subpackets" in must:
        assert not counts
    if "ticks_if_counter_kept_per_sender" in must:
        assert sync_ticks(stream, 1) == must["ticks_if_counter_kept_per_sender"]
    if "ticks_raw" in must:
        assert sync_ticks(stream, 1) == must["ticks_raw"]
        assert int(recording.repeated.sum()) == must["repeat_records"]
    if "chat_lengths" in must:
        assert stream.lengths[stream.ids == 5].tolist() == must["chat_lengths"]
        assert counts["fc"] == must["fc"]
    if "len20" in must:
        assert stream.lengths[stream.ids == 0x20].tolist() == [must["len20"]]
    if "0d_len" in must:
        assert stream.lengths[stream.ids == 0x0D].tolist() == [must["0d_len"]]
    if "inflated" in must:
        packets = recording.packets
        assert (packets.ends - packets.starts).tolist() == [must["inflated"]]
    if "marker_records" in must:
        assert int((recording.packets.kinds == tad_walk.MARKER).sum()) == must["marker_records"]
    if "status_ok" in must:
        assert [status.checksum_ok for status in recording.setup.statuses] == must["status_ok"]
    for key, count in must.get("unknown_ids", {}).items():
        assert counts[key] == count
    if "sectors" in must:
        assert len(recording.setup.sectors) == must["sectors"]


def sync_ticks(stream: Any, sender: int) -> list[int]:
    rows = np.isin(stream.ids, (0x2C, 0xFD, 0xFF)) & (stream.senders == sender)
    return stream.tick[rows].tolist()


def test_cut_tail_reads_as_far_as_it_goes(corpus: Path) -> None:
    path = corpus / "tad" / "synthetic" / "edge" / "truncated_tail.tad"
    with pytest.raises(ReplayError) as caught:
        _ = ksreplay.open(path, strict=True).offsets
    assert caught.value.code == "file-cut"
    assert len(ksreplay.open(path).offsets) == 1


def test_ambiguous_player_info_follows_the_caller(corpus: Path) -> None:
    path = corpus / "tad" / "synthetic" / "edge" / "pi20_ambiguous.tad"
    recording = ksreplay.open(path)
    for strata, length in (("bytes", 186), ("seed", 192)):
        stream = recording.with_strata(strata).stream  # type: ignore[attr-defined]
        assert stream.lengths[stream.ids == 0x20].tolist() == [length]


def test_seed_strata_count_the_lobby_records_whole(corpus: Path) -> None:
    path = corpus / "tad" / "synthetic" / "small_v5_plain.tad"
    truth = json.loads(path.with_suffix("").with_suffix(".truth.json").read_text())
    stream = ksreplay.open(path).with_strata("seed").stream  # type: ignore[attr-defined]
    assert {f"0x{number:02x}": count for number, count in stream.counts.items()} == truth["subpackets_stored"]


def test_framing_tiles_the_file(corpus: Path) -> None:
    data = (corpus / "tad" / "synthetic" / "small_v5_plain.tad").read_bytes()
    recording = ksreplay.open(data)
    offsets, end = frame(data, recording.setup.end, recording.limits)  # type: ignore[attr-defined]
    assert end == len(data)
    assert (np.diff(np.append(offsets, end)) >= 2).all()
    assert int(offsets[0]) == recording.setup.end  # type: ignore[attr-defined]

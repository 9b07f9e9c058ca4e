"""Unit syncs: real ones, generated ones against their truth, and bits there and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tad.builders import recording

import ksreplay
from ksreplay import kernels
from ksreplay.formats import tad_build as build
from ksreplay.formats import tad_sync_build as sync_build
from ksreplay.kernels import tad_bits, tad_bits_lockstep
from ksreplay.semantics.tad.sync_learn import AIR, GROUND, learn, solve

NO_LIMIT = 0xFFFF


def read(packets: list[bytes], width: int, families: dict[int, int], limit: int = NO_LIMIT) -> Any:
    """Whole syncs decoded by the kernel and by numpy, which must agree: (ground, air, status, result).

    The first three have a row an entry or status here.
    """
    pool = np.frombuffer(b"".join(packets) + bytes(32), np.uint8)
    ends = np.cumsum([len(packet) for packet in packets], dtype=np.int32)
    starts = ends - np.array([len(packet) - 7 for packet in packets], np.int32)
    table = np.zeros(1 << width, np.uint8)
    for unit, family in families.items():
        table[unit] = family
    steps = tad_bits_lockstep.decode(pool, starts, ends, width, limit, table)
    words, numbers = tad_bits_lockstep.words(pool), np.arange(len(packets))
    for pure in (True, False):
        module = kernels.load("tad_bits", pure=pure)
        count, room = len(packets), len(pool)
        sizes = (len(tad_bits.GROUND_COLUMNS), len(tad_bits.AIR_COLUMNS), len(tad_bits.STATUS_COLUMNS))
        tables = [np.zeros((size, room), np.int32) for size in sizes]
        result, kind = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        needed, entries = np.zeros(count, np.int32), np.zeros(count, np.uint16)
        spans = (words, starts, ends, numbers)
        *bits, numbers_seen = (span.tolist() for span in spans) if pure else spans
        module.skim(*bits, numbers_seen, width, limit, table, needed)
        done, *used = module.decode(
            *bits, 0, count, width, limit, table, *tables, 0, 0, 0, result, kind, entries
        )  # fmt: skip
        assert done == count
        found = [rows[:, :size] for rows, size in zip(tables, used, strict=True)]
        for one, other in zip((*found, result, needed, kind, entries), steps, strict=True):
            assert np.array_equal(one, other)
    return found[0].T, found[1].T, found[2].T, result


def as_truth(ground: Any, air: Any, status: Any, number: int) -> tuple[list[Any], dict[str, Any]]:
    """One sync in the words of the corpus: (entries, status)."""
    entries: list[Any] = []
    for row in ground[ground[:, 0] == number].tolist():
        points = [row[6 + 2 * n : 8 + 2 * n] for n in range(row[5])]
        entries.append((row[1], {"slot": row[2], "type": row[3], "ground": {"blocked": row[4], "points": points}}))
    for row in air[air[:, 0] == number].tolist():
        fields: dict[str, Any] = {"selector": row[4], "mode": row[18]}
        if row[4] == 1:
            fields["flags"] = row[5]
            if row[5] & 1:
                fields |= {"piece": row[6], "target": row[7]}
            if row[5] & 16:
                fields["radius"] = row[8]
            if row[5] & 8:
                fields["offset"] = row[9]
            if row[5] & 64:
                fields["heading"] = row[10]
            if row[5] & 32:
                fields["pos"] = row[11:14]
        elif row[4] == 2:
            fields |= {"pos": row[11:14], "velocity": row[14:17]}
            if row[17]:
                fields["heading"] = row[10]
        entries.append((row[1], {"slot": row[2], "type": row[3], "air": fields}))
    entries.sort(key=lambda entry: entry[0])
    found = status[status[:, 0] == number].tolist()
    if not found:
        return [entry for _, entry in entries], {"type": 0}
    row = found[0]
    said: dict[str, Any] = {"type": row[1], "health": row[2], "build": row[3], "flags": row[4], "mode": row[5]}
    if row[6]:
        said["attached"] = row[7:9]
    else:
        said |= {"pos": row[9:12], "angles": row[12:15]}
        if row[15]:
            said["speed"] = row[16]
    return [entry for _, entry in entries], said


def matches(wanted: dict[str, Any], found: dict[str, Any]) -> bool:
    """The corpus names angles heading, pitch, bank, signed."""
    wanted = dict(wanted)
    if "rot_hpb" in wanted:
        wanted["angles"] = [angle & 0xFFFF for angle in wanted.pop("rot_hpb")]
    return all(found.get(key) == value for key, value in wanted.items()) and (("speed" in wanted) == ("speed" in found))


@pytest.fixture(scope="module")
def real(corpus: Path) -> list[dict[str, Any]]:
    frames = json.loads((corpus / "tad" / "vectors" / "gpgnet4ta_frames.json").read_text())["frames"]
    return [item for frame in frames for item in frame["subpackets"] if item["id"] == "2c" and "hex" in item]


def test_real_syncs(real: list[dict[str, Any]]) -> None:
    packets = [bytes.fromhex(item["hex"]) for item in real]
    sample = [(int.from_bytes(packet[7:], "little"), len(packet) * 8 - 56) for packet in packets]
    found = learn(sample, NO_LIMIT)
    assert found is not None
    width, families = found
    assert width == 9
    flying = {entry["type"] for item in real for entry in item["entries"] if "air" in entry}
    assert {unit for unit, family in families.items() if family == AIR} == flying
    ground, air, status, result = read(packets, width, families)
    assert not result.any()
    for number, item in enumerate(real):
        entries, said = as_truth(ground, air, status, number)
        assert len(entries) == len(item["entries"])
        for wanted, entry in zip(item["entries"], entries, strict=True):
            assert (wanted["slot"], wanted["type"]) == (entry["slot"], entry["type"])
            form = "ground" if "ground" in wanted else "air"
            for key, value in wanted[form].items():
                if key == "turn":
                    assert value == ("heading" in entry[form])
                    continue
                assert entry[form].get(NAMES.get(key, key)) == value, (key, wanted)
        assert matches(item["status"], said), (item["status"], said)


NAMES = {"vel": "velocity", "voffset": "offset"}


def test_no_other_width_reads_real_syncs(real: list[dict[str, Any]]) -> None:
    sample = [(int.from_bytes(bytes.fromhex(item["hex"])[7:], "little"), len(item["hex"]) * 4 - 56) for item in real]
    with_entries = [bits for bits, item in zip(sample, real, strict=True) if item["entries"]]
    for width in (8, 10, 11):
        reads = sum(bool(solve(*bits, width, NO_LIMIT, {})) for bits in with_entries)
        assert reads < len(with_entries) / 4


def test_fixtures_of_a_wider_catalog(corpus: Path) -> None:
    items = json.loads((corpus / "tad" / "vectors" / "worked_examples.json").read_text())
    syncs = [item for item in items if item["id"].startswith("rwe_2c")]
    packets = [bytes.fromhex(item["hex"]) for item in syncs]
    ground, air, status, result = read(packets, 10, {54: GROUND, 521: AIR})
    assert len(syncs) == 7
    assert not result.any()
    for number, item in enumerate(syncs):
        entries, said = as_truth(ground, air, status, number)
        for wanted, entry in zip(item["expect"]["entries"], entries, strict=True):
            form = "ground" if "ground" in wanted else "air"
            assert wanted[form].items() <= entry[form].items()
        assert matches(item["expect"]["status"], said)


@pytest.mark.parametrize(
    "name", ["small_v3", "small_v5_allcomp", "small_v5_plain", "small_v5_sector7", "medium_v5_mixed", "large_v5_mixed"]
)
def test_generated_syncs(name: str, corpus: Path) -> None:
    folder = corpus / "tad" / "synthetic"
    truth = json.loads((folder / f"{name}.truth.json").read_text())
    replay: Any = ksreplay.open(folder / f"{name}.tad")
    syncs = replay.syncs
    decoded = syncs.decoded
    assert (syncs.width, syncs.width_source) == (truth["catalog"]["W"], "syncs")
    assert not decoded.result.any()
    flying = set(np.flatnonzero(syncs.families == AIR).tolist())
    walking = set(np.flatnonzero(syncs.families == GROUND).tolist())
    assert flying <= set(truth["catalog"]["canfly"])
    assert not walking & set(truth["catalog"]["canfly"])
    rows = syncs.rows
    place: dict[Any, list[int]] = {}
    for number, (sender, tick) in enumerate(
        zip(syncs.stream.senders[rows].tolist(), syncs.stream.tick[rows].tolist(), strict=True)
    ):
        place.setdefault((sender, tick), []).append(number)
    assert all(values.base is None for values in decoded.status.values()), "the table of the kernel stays in memory"
    tables = [np.stack(list(part.values()), axis=1) for part in (decoded.ground, decoded.air, decoded.status)]
    for item in truth["sample_0x2c"]:
        number = place[item["sender"], item["tick"]][0]
        bits = bytes.fromhex(item["hex"])[7:]
        assert replay.packets.pool[syncs.starts[number] : syncs.ends[number]].tobytes() == bits
        entries, said = as_truth(*tables, number)
        for wanted, entry in zip(item["entries"], entries, strict=True):
            form = "ground" if "ground" in wanted else "air"
            assert (wanted["slot"], wanted["type"]) == (entry["slot"], entry["type"])
            for key, value in wanted[form].items():
                if key == "turn":
                    assert value == ("heading" in entry[form])
                    continue
                assert entry[form].get(NAMES.get(key, key)) == value, (key, wanted)
        assert matches(item["status"], said)


def test_tables_of_a_generated_file(corpus: Path) -> None:
    folder = corpus / "tad" / "synthetic"
    truth = json.loads((folder / "small_v5_plain.truth.json").read_text())
    replay: Any = ksreplay.open(folder / "small_v5_plain.tad")
    sync, status, movement = (replay.tables[name] for name in ("sync", "status", "movement"))
    assert len(sync) == truth["subpackets_expanded"]["0x2c"]
    assert int((sync["status"] == "unit").sum()) == len(status)
    assert int(sync["entries"].sum()) == len(movement)
    bases = {player["number"]: player["block_base"] for player in truth["players"]}
    limit = truth["header"]["max_units"]
    for row in status.head(300).rows():
        assert row["slot"] == row["tick"] % limit
        assert row["unit_id"] == bases[row["sender"]] + row["slot"] + 1
        assert 0 <= row["remaining"] <= 1
    wanted = {(item["sender"], item["tick"]): item for item in truth["sample_0x2c"]}
    for row in movement.head(200).rows():
        item = wanted.get((row["sender"], row["tick"]))
        if item is None:
            continue
        entry = next(entry for entry in item["entries"] if entry["slot"] == row["slot"])
        assert row["unit_id"] == bases[row["sender"]] + row["slot"] + 1
        if row["family"] == "ground":
            points = list(zip(row["waypoints_x"], row["waypoints_z"], strict=True))
            assert points == [tuple(point) for point in entry["ground"]["points"]]
        else:
            assert row["mode"] == entry["air"]["mode"]
            assert row["waypoints_x"] == []
            heading = row["heading"]
            assert row["heading_deg"] == (None if heading is None else heading * 360 / 65536)


# --- bits there and back ----------------------------------------------------------------------------------------------

i16, u16 = st.integers(-(2**15), 2**15 - 1), st.integers(0, 2**16 - 1)
i32 = st.integers(-(2**31), 2**31 - 1)
triple = st.tuples(i32, i32, i32).map(list)


@st.composite
def airs(draw: Any) -> dict[str, Any]:
    selector = draw(st.integers(0, 3))
    fields: dict[str, Any] = {"selector": selector, "mode": draw(st.integers(0, 3))}
    if selector == 1:
        flags = fields["flags"] = draw(st.integers(0, 255))
        if flags & 1:
            fields |= {"piece": draw(i16), "target": draw(u16)}
        if flags & 16:
            fields["radius"] = draw(i16)
        if flags & 8:
            fields["offset"] = draw(i16)
        if flags & 64:
            fields["heading"] = draw(u16)
        if flags & 32:
            fields["pos"] = draw(triple)
    elif selector == 2:
        fields |= {"pos": draw(triple), "velocity": draw(triple)}
        if draw(st.booleans()):
            fields["heading"] = draw(u16)
    return fields


@st.composite
def statuses(draw: Any, types: int) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"type": 0}
    said = {
        "type": draw(st.integers(1, types - 1)), "health": draw(i16), "build": draw(st.integers(0, 255)),
        "flags": draw(st.integers(0, 255)), "mode": draw(st.integers(0, 3)),
    }  # fmt: skip
    if draw(st.booleans()):
        return said | {"attached": [draw(st.integers(0, 2**15 - 1)), draw(st.integers(-128, 127))]}
    said |= {"pos": draw(triple), "angles": draw(st.tuples(u16, u16, u16).map(list))}
    return said | ({"speed": draw(i32)} if draw(st.booleans()) else {})


@st.composite
def bodies(draw: Any) -> Any:
    width = draw(st.integers(8, 12))
    types = 1 << width
    slots = sorted(draw(st.sets(st.integers(0, 1499), max_size=6)))
    entries: list[Any] = []
    families: dict[int, int] = {}
    for slot in slots:
        unit = draw(st.integers(1, types - 1))
        family = families.setdefault(unit, draw(st.sampled_from([GROUND, AIR])))
        entry: dict[str, Any] = {"slot": slot, "type": unit}
        if family == GROUND:
            points = draw(st.lists(st.tuples(i16, i16).map(list), max_size=3))
            entry["ground"] = {"blocked": draw(st.integers(0, 1)), "points": points}
        else:
            entry["air"] = draw(airs())
        entries.append(entry)
    return width, families, entries, draw(statuses(types))


@settings(deadline=None, max_examples=150)
@given(bodies())
def test_bits_there_and_back(made: Any) -> None:
    width, families, entries, status = made
    packet = sync_build.whole(7, sync_build.body(width, entries, status))
    ground, air, found, result = read([packet], width, families, 1500)
    assert not result.any()
    assert as_truth(ground, air, found, 0) == (entries, status)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.binary(min_size=7, max_size=60), min_size=1, max_size=20), st.integers(8, 12), st.binary(max_size=40)
)
def test_any_bits_read_alike(packets: list[bytes], width: int, kinds: bytes) -> None:
    """Plain loop, compiled loop and numpy agree on anything, also on why it does not read."""
    read(packets, width, {number * 7 % (1 << width): kind % 3 for number, kind in enumerate(kinds)}, 600)


def test_family_of_a_late_type_is_learned() -> None:
    """A type that first moves after the sample is learned from the syncs that it stops."""
    ground = {"blocked": 0, "points": [(10, 20), (30, 40)]}
    plane = {"selector": 2, "pos": (1, 2, 3), "velocity": (4, 5, 6), "mode": 2}
    early = [sync_build.body(9, [{"slot": n % 50, "type": 17, "ground": ground}]) for n in range(400)]
    late = [sync_build.body(9, [{"slot": 3, "type": 200 + n, "air": plane}]) for n in range(3)]
    payload = [build.base(tick) + build.elided(bits) for tick, bits in enumerate(early + late)]
    replay: Any = ksreplay.open(recording(*payload))
    assert not replay.syncs.decoded.result.any()
    assert np.flatnonzero(replay.syncs.families == AIR).tolist() == [200, 201, 202]
    assert replay.info(full=True)["details"]["catalog_width_source"] == "syncs"


def test_without_entries_the_unit_data_gives_the_width() -> None:
    entries = tuple({"sub": 3, "fill": 0, "key": key, "value": 0xFFFF0101} for key in range(1, 600))
    unit = {"type": 599, "health": 5, "build": 0, "flags": 0, "mode": 1, "pos": (0, 0, 0), "angles": (0, 0, 0)}
    replay: Any = ksreplay.open(recording(build.base(0) + build.elided(sync_build.body(10, (), unit)), entries=entries))
    assert replay.syncs.decoded.result.tolist() == [tad_bits.READ]
    assert (replay.syncs.width, replay.syncs.width_source) == (10, "unit data")


def test_without_either_the_bits_stay_unread() -> None:
    replay: Any = ksreplay.open(recording(build.base(0) + build.elided(b"\1\0\2\3\4\5\6")))
    info = replay.info(full=True)
    assert info["details"]["catalog_width"] is None
    assert [problem["code"] for problem in info["problems"]] == ["catalog-width"]
    assert len(replay.tables["movement"]) == len(replay.tables["status"]) == 0
    assert replay.tables["sync"]["read"].tolist() == [False]

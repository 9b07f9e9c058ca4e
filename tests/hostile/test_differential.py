"""The readers made from the layouts and the bulk readers see the same; compiled kernels and plain Python do too.

On the smallest files, with one byte changed at a time, on files that hypothesis builds, and on the corpus. Kaitai
makes an object of everything, so of large files only the beginning is compared (`MOST`).
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import crd_strategies
import numpy as np
import pytest
from conftest import corpus_files
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

import ksreplay
from ksreplay import kernels
from ksreplay.formats import spring_build, tad_build
from ksreplay.formats.cbtrack_build import build_chunk
from ksreplay.formats.cbtrack_columns import TYPE_OF
from ksreplay.formats.spring_messages import IDS
from ksreplay.generated.walks.tad_subpacket import WALK

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))

from fuzz.small import TARGETS, Target, changed, chunk, crd_payload, recording_of  # noqa: E402
from hostile.readings import differences, digest  # noqa: E402

#: What is compared -> (what reads it, the file, which offsets in the default run).
FILES: dict[str, tuple[str, Target, int]] = {
    "spring": ("spring", TARGETS["spring-whole"], 3),
    "tad": ("tad", TARGETS["tad-whole"], 2),
    "cbtrack": ("cbtrack", TARGETS["cbtrack"], 2),
    "cbtrack-main": ("chunk", Target("cbtrack", lambda: chunk("main")), 2),
    "cbtrack-info": ("chunk", Target("cbtrack", lambda: chunk("info")), 2),
    "crd": ("payload", Target("crd", crd_payload), 2),
}
#: Packets, records or chunks of a real file that are compared, and the most bytes of a crd payload.
MOST = {".sdfz": 1500, ".sdf": 1500, ".tad": 600, ".ted": 600, ".cbtrack": 6}
MIB = 1 << 20
FORMATS = {".sdfz": "spring", ".sdf": "spring", ".tad": "tad", ".ted": "tad", ".cbtrack": "cbtrack", ".crd": "crd"}


def one_byte(target: Target, step: int, values: int) -> Any:
    """(what was changed, the file) for every ``step``-th offset and so many values."""
    content = target.content()
    for offset in target.offsets()[::step]:
        for number in range(values):
            value = content[offset] ^ (0x55 + offset + 37 * number) % 255 + 1 & 0xFF
            yield (offset, value), target.pack(changed(content, offset, value))


@pytest.mark.parametrize("name", FILES)
def test_changed_bytes(name: str) -> None:
    reader, target, step = FILES[name]
    assert differences(reader, target.pack(target.content())) == []
    for place, data in one_byte(target, step, 1):
        assert differences(reader, data) == [], place


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", FILES)
def test_changed_bytes_more(name: str) -> None:
    reader, target, _ = FILES[name]
    for place, data in one_byte(target, 1, 8):
        assert differences(reader, data) == [], place


@pytest.mark.parametrize("name", FILES)
def test_prefixes(name: str) -> None:
    reader, target, _ = FILES[name]
    content = target.content()
    for end in range(0, len(content), 11):
        assert differences(reader, target.pack(content[:end])) == [], end


@pytest.mark.parametrize("path", corpus_files(), ids=lambda path: path.name)
def test_real_files(path: Path) -> None:
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError):
            pytest.skip("no whole gzip stream")
    if path.suffix in (".sdfz", ".sdf", ".tad", ".ted"):
        data = data[:MIB]  # a recording that is cut is one that still grows
    if path.suffix == ".crd" and len(data) > 6_000:
        pytest.skip("the layout makes an object of every value")
    assert differences(FORMATS[path.suffix], data, MOST.get(path.suffix, 1)) == []


#: Messages that the bulk reader once took, against the layout.
FOUND = {
    "a line of the size of older engines": b"\x20\x0c\x01\x02" + bytes(8),
    "a dump that is longer than its frame": b"\x2e" + bytes(20),
}


@pytest.mark.parametrize("name", FOUND)
def test_found_before(name: str) -> None:
    data = spring_build.demo(b"", spring_build.chunk(0, FOUND[name]))
    assert differences("spring", data) == []
    with ksreplay.open(data) as replay:
        assert "malformed-message" in [problem.code for problem in replay.validate()]


# Files that hypothesis builds.

bodies = st.binary(max_size=40)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(sorted(IDS.values())), bodies), max_size=12), st.sampled_from([0.0, 7.5]))
def test_any_spring_packets(packets: list[tuple[int, bytes]], time: float) -> None:
    stream = b"".join(spring_build.chunk(time, bytes([number]) + body) for number, body in packets)
    assert differences("spring", spring_build.demo(b"", stream)) == []


@settings(max_examples=60)
@given(st.lists(st.lists(st.tuples(st.sampled_from(sorted(WALK)), bodies), max_size=6), max_size=6), st.data())
def test_any_tad_subpackets(packets: list[list[tuple[int, bytes]]], data: DataObject) -> None:
    payloads = []
    for subpackets in packets:
        whole = data.draw(st.booleans())
        payload = b""
        for number, body in subpackets:
            size = WALK[number].size
            payload += bytes([number]) + (body.ljust(size - 1, b"\1")[: size - 1] if whole and size else body)
        payloads.append(payload)
    assert differences("tad", recording_of(payloads)) == []
    packed = b"".join(tad_build.packet(1, 1, payload, compress=True) for payload in payloads)
    assert differences("tad", recording_of([]) + packed) == []


@settings(max_examples=60)
@given(
    st.dictionaries(
        st.sampled_from(sorted(TYPE_OF)), st.lists(st.integers(0, 100), min_size=1, max_size=9), max_size=12
    ),
    st.data(),
)
def test_any_chunk(columns: dict[int, list[int]], data: DataObject) -> None:
    whole = bytearray(build_chunk(columns))
    for _ in range(data.draw(st.integers(0, 2))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    assert differences("chunk", bytes(whole)) == []


@settings(max_examples=20)
@given(crd_strategies.replays(), st.data())
def test_any_payload(replay: Any, data: DataObject) -> None:
    payload = bytearray(crd_strategies.encode(replay))
    for _ in range(data.draw(st.integers(0, 1))):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    assert differences("payload", bytes(payload)) == []


# Compiled kernels and plain Python.

ASK = """
import sys
sys.path[:0] = sys.argv[1:3]
from hostile.test_differential import digests
digests()
"""


def digests(step: int = 0) -> None:
    """Prints what every changed file gives as JSON: run in a process of its own, since kernels are chosen once."""
    step = step or int(os.environ.get("DIFFERENTIAL_STEP", "16"))
    found = {
        f"{name} {place}": digest(data)
        for name, target in TARGETS.items()
        if not name.endswith("-packets")
        for place, data in one_byte(target, step, 1)
    }
    compiled = kernels.is_compiled(kernels.load("tad_walk"))
    print(json.dumps({"compiled": compiled, "found": found}))


def asked(pure: str, step: int) -> dict[str, Any]:
    environment = {**os.environ, "KSREPLAY_PURE": pure, "DIFFERENTIAL_STEP": str(step)}
    command = [sys.executable, "-c", ASK, str(TOOLS), str(Path(__file__).parents[1])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def compare_kernels(step: int) -> None:
    compiled, plain = asked("", step), asked("1", step)
    if not compiled["compiled"]:
        pytest.skip("the kernels are not compiled here")
    assert not plain["compiled"]
    apart = {place for place in compiled["found"] if compiled["found"][place] != plain["found"][place]}
    assert not apart
    assert len(compiled["found"]) > 200


def test_compiled_and_plain_kernels_agree() -> None:
    compare_kernels(24)


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_compiled_and_plain_kernels_agree_more() -> None:
    compare_kernels(2)


def test_readings_notice() -> None:
    """A comparison that never fails proves nothing: the bulk reader made to lie is found out."""
    from hostile.readings import Reading

    here, there = Reading({"a": 1}, {"b"}), Reading({"a": 2}, set())
    assert here.differences(there) == ["a: 1 != 2", "only one finds b broken"]
    assert here.differences(Reading({"a": np.int64(1)}, set(), {"b"})) == []

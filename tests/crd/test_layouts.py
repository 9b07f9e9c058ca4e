"""The Kaitai layouts, the readers and other libraries say the same of every file."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import crd_strategies as crd
import msgpack
import msgpack_tree
import numpy as np
import zstandard
from hypothesis import HealthCheck, given, settings

import ksreplay
from ksreplay.formats.crd import read_frame_header
from ksreplay.generated.msgpack import Msgpack
from ksreplay.generated.zstd_frame import ZstdFrame
from ksreplay.replays.crd import CrimsonlandReplay


def same(tree: dict[str, Any], replay: CrimsonlandReplay) -> None:
    """The reader's arrays hold what the tree holds."""
    inputs = [[value for player in tick[0] for value in player[:4]] for tick in tree["ticks"]]
    np.testing.assert_array_equal(replay.ticks.axes.reshape(len(inputs), -1), np.array(inputs, np.float32))
    assert replay.ticks.flags.tolist() == [[player[4] for player in tick[0]] for tick in tree["ticks"]]
    commands = [(number, command) for number, tick in enumerate(tree["ticks"]) for command in tick[1]]
    found = replay.tables["commands"]
    assert found["tick"].tolist() == [number for number, _ in commands]
    assert found["type"].tolist() == [command["type"] for _, command in commands]
    assert found["ch"].tolist() == [command.get("ch") for _, command in commands]
    head = {key: value for key, value in tree.items() if key != "ticks"}
    status = head["run"]["status"]
    status["quest_unlock_index_full"] = status.pop(replay.document.status_key)
    assert replay.document.values == head


def recordings(corpus: Path) -> Iterator[Path]:
    """The smallest recordings: the layout makes an object of every value."""
    paths = [*(corpus / "crd").glob("*.crd"), *(corpus / "crd" / "variants").glob("*.crd")]
    return iter(sorted(path for path in paths if path.stat().st_size < 4_000))


def test_layouts_and_readers_agree_on_recordings(corpus: Path) -> None:
    for path in recordings(corpus):
        replay = ksreplay.open(path)
        assert isinstance(replay, CrimsonlandReplay)
        tree = msgpack.unpackb(replay.payload, strict_map_key=False)
        if len(replay.payload) < 12_000:
            assert msgpack_tree.tree(Msgpack.from_bytes(replay.payload).value, dict) == tree, path.name
        same(tree, replay)


def test_the_frame_header_agrees_with_the_library(corpus: Path) -> None:
    for path in recordings(corpus):
        data = path.read_bytes()
        frame, expected = ZstdFrame.from_bytes(data), zstandard.get_frame_parameters(data)
        header = read_frame_header(data)
        assert frame.header.window_size == header.window_size == expected.window_size, path.name
        assert header.has_checksum == expected.has_checksum
        known = None if expected.content_size == zstandard.CONTENTSIZE_UNKNOWN else expected.content_size
        assert header.content_size == known, path.name
        # Head, blocks and checksum are all there is.
        blocks = sum(3 + len(block.body) for block in frame.blocks)
        start = data.index(frame.blocks[0].body[:8], 5) - 3
        assert start + blocks + 4 * header.has_checksum == len(data), path.name


def test_the_sample_opens_in_both_layouts() -> None:
    data = files("ksreplay.samples").joinpath("sample.crd").read_bytes()
    replay = ksreplay.open(data)
    assert isinstance(replay, CrimsonlandReplay)
    assert ZstdFrame.from_bytes(data).header.content_size == len(replay.payload)
    assert [entry.key.text for entry in Msgpack.from_bytes(replay.payload).value.entries][-1] == "ticks"


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(crd.replays())
def test_layouts_and_readers_agree_on_made_replays(made: Any) -> None:
    from ksreplay.formats.crd import write_envelope
    from ksreplay.limits import Limits

    payload = crd.encode(made)
    tree = msgpack.unpackb(payload, strict_map_key=False)
    assert msgpack_tree.tree(Msgpack.from_bytes(payload).value, dict) == tree
    replay = ksreplay.open(write_envelope(payload, Limits()))
    assert isinstance(replay, CrimsonlandReplay)
    same(tree, replay)

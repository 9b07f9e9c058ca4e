"""Arbitrary valid replays of every version come back; one broken place is named for what it is."""

from __future__ import annotations

import os
from typing import Any

import crd_strategies as crd
import msgpack
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import ksreplay
from ksreplay.errors import INVALID, ReplayError
from ksreplay.formats.crd import write_envelope
from ksreplay.kernels import load
from ksreplay.limits import Limits
from ksreplay.replays.crd import CrimsonlandReplay
from ksreplay.semantics.crd import flags

#: How much longer to look: KSREPLAY_EXAMPLES=20 python -m pytest tests/crd/test_properties.py
SLOW = [HealthCheck.too_slow]  # a machine may be busy with other things
MANY = int(os.environ.get("KSREPLAY_EXAMPLES", "1"))


def read(payload: bytes) -> CrimsonlandReplay:
    replay = ksreplay.open(write_envelope(payload, Limits()))
    assert isinstance(replay, CrimsonlandReplay)
    return replay


def broken(replay: CrimsonlandReplay) -> list[str]:
    return [problem.code for problem in replay.validate() if problem.severity in INVALID]


@settings(max_examples=20 * MANY, deadline=None, suppress_health_check=SLOW)
@given(crd.replays())
def test_valid_replays_come_back(made: Any) -> None:
    version, spelling, values, ticks = made
    payload = crd.encode(made)
    # Two statements of the same bytes: this package's encoder and msgpack's.
    tree = msgpack.unpackb(payload, strict_map_key=False)
    assert msgpack.packb(tree) == payload
    assert tree["run"]["status"].pop(spelling) == values["run"]["status"]["quest_unlock_index_full"]
    replay = read(payload)
    assert broken(replay) == []
    assert replay.document.values == values
    assert (replay.document.version, replay.document.status_key) == (version, spelling)
    np.testing.assert_array_equal(replay.ticks.axes.view(np.uint32), ticks.axes.view(np.uint32))
    np.testing.assert_array_equal(replay.ticks.flags, ticks.flags)
    for name in ("tick", "kind", "player", "choice", "char"):
        assert getattr(replay.ticks.commands, name) == getattr(ticks.commands, name)
    written = ksreplay.open(replay.encode())
    assert isinstance(written, CrimsonlandReplay) and written.payload == payload
    assert written.compare(replay) == []


@settings(max_examples=12 * MANY, deadline=None, suppress_health_check=SLOW)
@given(crd.replays(), st.integers(30, 35))
def test_other_versions_say_the_same_or_name_the_field(made: Any, version: int) -> None:
    replay = read(crd.encode(made))
    try:
        other = ksreplay.open(replay.encode(version=version))
    except ReplayError as error:
        assert error.code == "version-cannot-say"
        assert error.where in ("rules", "pilot", "seat_keys", "run.custom_quest", "run.cl_build")
        return
    assert isinstance(other, CrimsonlandReplay)
    assert other.document.version == version and broken(other) == []
    assert {item.field for item in replay.compare(other)} <= {"format_version"}


@settings(max_examples=60 * MANY, deadline=None, suppress_health_check=SLOW)
@given(crd.replays(), st.data())
def test_one_broken_place_is_named(made: Any, data: st.DataObject) -> None:
    tree = msgpack.unpackb(crd.encode(made), strict_map_key=False)
    places = [
        (number, how, code)
        for number, node in enumerate(crd.nodes(tree))
        for how, code in crd.BREAKS.get(type(node), {}).items()
    ]
    kinds = sorted({how for _, how, _ in places})
    how = data.draw(st.sampled_from(kinds))
    at, how, code = data.draw(st.sampled_from([place for place in places if place[1] == how]))
    node = list(crd.nodes(tree))[at]
    assume(not (how == "widen" and not -(2**31) <= node < 2**32))  # there is nothing wider
    assume(not (how == "utf8" and not node))
    payload = crd.Broken(at, how).pack(tree)
    replay = read(payload)
    found = broken(replay)
    if how == "utf8" and "extra-key" in found:  # it was a key, and is none any more
        assert "bad-utf8" in found and "missing-key" in found
    elif how == "drop" and "type" in node:
        assert "missing-key" in found
    else:
        assert found[:1] == [code], (node, how)
    with pytest.raises(ReplayError):
        ksreplay.open(replay.source.data, strict=True)


@settings(max_examples=10 * MANY, deadline=None, suppress_health_check=SLOW)
@given(crd.replays(), st.binary(min_size=1, max_size=5))
def test_what_follows_the_value_is_named(made: Any, extra: bytes) -> None:
    assert broken(read(crd.encode(made) + extra)) == ["trailing-bytes"]


@settings(max_examples=40 * MANY, deadline=None, suppress_health_check=SLOW)
@given(crd.replays(), st.data())
def test_any_bytes_give_a_result_or_one_error(made: Any, data: st.DataObject) -> None:
    payload = bytearray(crd.encode(made))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(payload) - 1))
        payload[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    try:
        replay = read(bytes(payload))
    except ReplayError as error:
        assert error.format == "crd"
        return
    replay.info(full=True)
    for name in replay.tables:
        list(replay.tables[name].rows())
    if not broken(replay):
        again = ksreplay.open(replay.encode())
        assert isinstance(again, CrimsonlandReplay) and again.payload == replay.payload


@given(crd.flag_parts())
def test_flag_words_there_and_back(parts: dict[str, Any]) -> None:
    word = flags.pack(**parts)
    assert flags.unpack(word) == parts
    words = np.array([word], np.uint32)
    for bit in flags.BITS:
        assert flags.bit(words, bit.name)[0] == parts[bit.name]
    implied = 2 if parts["move_keys"] else 3
    assert flags.movement_mode(words)[0] == (implied if parts["movement"] is None else parts["movement"])
    assert flags.aim_scheme(words)[0] == (0 if parts["aim"] is None else parts["aim"])


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(st.binary(max_size=400), st.integers(1, 4), st.integers(0, 20))
def test_both_forms_of_the_walk_agree(payload: bytes, players: int, num_ticks: int) -> None:
    answers = []
    for pure in (True, False):
        inputs_at = np.full(num_ticks * players, -1, np.int64)
        limit = len(payload) - (3 + 46 * players)
        stop = load("crd_scan", pure=pure).walk(payload, 0, limit, 0, num_ticks, players, 0, inputs_at)
        answers.append((stop, inputs_at[: stop[0] * players].tolist()))
    assert answers[0] == answers[1]

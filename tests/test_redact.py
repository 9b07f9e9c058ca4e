"""Redaction proved: the result is searched, read again and compared field by field."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import corpus_files

import ksreplay
from ksreplay.errors import INVALID, ReplayError
from ksreplay.pseudonyms import Policy, Pseudonymizer, Report
from ksreplay.redact import Leak, leaks, redact
from ksreplay.registry import FORMATS
from ksreplay.replay import Replay
from samples import sample

SAMPLES = {
    name: files("ksreplay.samples").joinpath(format.sample)
    for name, format in FORMATS.items()
    if files("ksreplay.samples").joinpath(format.sample).is_file()
}
REAL = [
    "cbtrack/small.cbtrack", "cbtrack/medium.cbtrack", "crd/v32-pkg0.14.0-typo.crd", "crd/rush-2p-r1.crd",
    "crd/v35d-hardcorekey-typo-1p-r2-carry-dict.crd", "spring/gex-2025.06.06-map-draw.sdfz",
    "spring/gex-test.sdfz", "spring/bar-2026-02-07-comet-catcher-2025.06.12.sdfz",
    "spring/derived/rare-messages.sdfz", "tad/synthetic/edge/chat_normal.tad",
    "tad/synthetic/medium_v5_mixed.tad",
]  # fmt: skip
#: Where bytes stand, which names of another length may move.
PLACES = {"offset", "size", "length", "payload_bytes", "main_offset", "main_bytes", "terrain_offset", "terrain_bytes"}


def redacted(data: bytes, key: str | None = "key", **policy: Any) -> tuple[Replay, Replay, Report]:
    before = ksreplay.open(data, private=True)
    try:
        result, report = redact(before, Pseudonymizer(key), Policy(policy))
    except ReplayError as error:
        if error.code == "not-supported":
            pytest.skip(str(error))
        raise
    return before, ksreplay.open(result, private=True), report


def check(data: bytes) -> None:
    before, after, _ = redacted(data)
    assert leaks(before, after) == []
    # Nothing new is wrong; oddities of the container (a size left out) may be gone, since the file is written anew.
    assert {(p.code, p.severity) for p in after.validate()} <= {(p.code, p.severity) for p in before.validate()}
    names = {str(p["name"]).casefold() for p in before.info()["players"] if p.get("name")}
    for name in before.tables:
        left, right = before.tables[name], after.tables[name]
        assert len(left) == len(right), name
        for column in left.schema:
            if column.private or column.name in PLACES:
                continue
            a, b = left[column.name], right[column.name]
            mask_a, mask_b = left.valid(column.name), right.valid(column.name)
            assert (mask_a is None) == (mask_b is None) and (mask_a is None or (mask_a == mask_b).all())
            if column.dtype == "string":
                for old, new in zip(a.tolist(), b.tolist(), strict=True):
                    mentions = old is not None and any(one in old.casefold() for one in names)
                    assert old == new or mentions or _names_column(column.name), (name, column.name, old, new)
            elif column.item_dtype or column.dtype == "binary":
                assert repr(a.tolist()) == repr(b.tolist()), (name, column.name)
            else:
                np.testing.assert_array_equal(a, b, err_msg=f"{name}.{column.name}")
    # Shorter private values are compared where they stand: none is what it was, unless it says nothing.
    for name in before.tables:
        for column in before.tables.schema(name):
            if column.private and column.dtype == "string":
                pairs = zip(before.tables[name][column.name], after.tables[name][column.name], strict=True)
                kept = {old for old, new in pairs if old and old == new and old.strip("x")}
                assert not kept, (name, column.name)


def _names_column(name: str) -> bool:
    """Columns that hold names under keys of their own, such as a start script's values, or letters of them (ch)."""
    return name in ("name", "value", "leader", "text", "detail", "ch") or name.endswith("_name")


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name: str) -> None:
    check(SAMPLES[name].read_bytes())


@pytest.mark.parametrize("name", REAL)
def test_real_files(name: str, corpus: Path) -> None:
    path = corpus / name
    if not path.exists():
        pytest.skip(f"no {name}")
    check(path.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("path", corpus_files(), ids=lambda path: path.name)
def test_every_readable_file(path: Path) -> None:
    try:
        with ksreplay.open(path) as replay:
            if any(problem.severity in INVALID for problem in replay.validate()):
                pytest.skip("not valid: a result that is valid is promised for valid files")
    except ReplayError:
        pytest.skip("not readable")
    check(path.read_bytes())


@pytest.mark.parametrize("name", SAMPLES)
def test_erased_names_are_gone_from_every_format(name: str) -> None:
    before, after, report = redacted(SAMPLES[name].read_bytes(), name="erase")
    names = [[player["name"] for player in replay.info()["players"] if player["name"]] for replay in (before, after)]
    assert names[1] == ["x" * len(one) for one in names[0]]
    assert bool(names[0]) == ("name" in report.counts)


@pytest.mark.parametrize("name", ["cbtrack", "crd", "tad"])
@pytest.mark.parametrize("action", ["pseudonym", "erase"])
def test_what_is_redacted_can_be_redacted_again(name: str, action: str) -> None:
    _, once, _ = redacted(SAMPLES[name].read_bytes(), name=action)
    redacted(bytes(once.source.data), "another key", name=action)


@pytest.mark.parametrize("name", SAMPLES)
def test_one_key_joins_files_and_a_random_one_does_not(name: str) -> None:
    data = SAMPLES[name].read_bytes()
    results = [redacted(data, key)[1].info()["players"] for key in ("key", "key", "other", None)]
    assert results[0] == results[1]
    if any(player.get("name") for player in ksreplay.open(data).info()["players"]):
        assert results[0] != results[2] != results[3]


class Leaky(type(sample())):  # type: ignore[misc]
    """A format whose redaction forgets something."""

    def redacted(self, pseudonyms: Pseudonymizer, policy: Policy, report: Report, suffix: str = "") -> bytes:
        return bytes(self.source.data)

    def streams(self) -> Any:
        yield "", self.source.data
        yield "inner", b"... say \x00=SUM(A1)\x00 ..."


def test_a_leak_is_found_in_any_stream() -> None:
    from ksreplay.formats.source import Source

    before, after = (Leaky(Source(bytes(10)), private=True) for _ in range(2))
    assert leaks(before, after) == [Leak("things.text", "inner", 9)]
    assert leaks(before, after, Policy({"chat": "keep"})) == []


def test_names_are_searched_for_in_both_spellings() -> None:
    from ksreplay.formats.source import Source

    class Named(Leaky):
        def facts(self, full: bool) -> Any:
            found = super().facts(full)
            found.players = [{"id": 0, "name": "Jörgensen"}]
            return found

        def streams(self) -> Any:
            yield "", b"xx " + "Jörgensen".encode("cp1252")

    before, after = (Named(Source(b""), private=True) for _ in range(2))
    assert leaks(before, after) == [Leak("a name", "", 3)]
    assert leaks(before, after, Policy({"name": "keep"})) == []


def test_redact_refuses_to_hand_out_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    from ksreplay import redact as module
    from ksreplay.formats.source import Source

    monkeypatch.setattr(module, "_open_again", lambda replay, data: Leaky(Source(data), private=True))
    with pytest.raises(ReplayError) as caught:
        redact(Leaky(Source(bytes(10)), private=True), Pseudonymizer(), Policy())
    assert caught.value.code == "redact-leak" and caught.value.where == "inner"
    with pytest.raises(ValueError, match="private=True"):
        redact(sample(), Pseudonymizer(), Policy())


def test_a_format_without_redaction_says_so() -> None:
    with pytest.raises(ReplayError) as caught:
        redact(sample(private=True), Pseudonymizer(), Policy())
    assert caught.value.code == "not-supported"

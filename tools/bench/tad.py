"""TA recordings: framing, inflating, splitting, and every table, on the large generated recording.

The peer is the C++ reader of the TA Forever project (gpgnet4ta, libs/tapacket), which splits without decoding: 0.50 s
on a quiet machine of this kind (facts/toolchain.md, 10). It is not run from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import ksreplay
from bench.measure import Measure, Peak
from ksreplay import kernels
from ksreplay.errors import Problems
from ksreplay.formats import tad, tad_lz77, tad_strata, tad_stream
from ksreplay.limits import Limits


def measures(corpus: Path) -> Iterator[Measure | Peak]:
    path = corpus / "tad" / "synthetic" / "large_v5_mixed.tad"
    if not path.exists():
        yield Measure("large_v5_mixed.tad", lambda: None, missing="the file is absent")
        return
    data = path.read_bytes()
    size = len(data)
    problems, limits = Problems("tad"), Limits()
    setup = tad.read_setup(data, problems)
    compiled = kernels.is_compiled(kernels.load("tad_walk"))
    yield Measure("frame the records", lambda: tad.frame(data, setup.end, limits), size)
    offsets, _ = tad.frame(data, setup.end, limits)
    packets = tad_stream.read_packets(data, offsets, setup.header.version, problems, limits)
    rows = np.flatnonzero(packets.compressed)
    file = np.frombuffer(data, np.uint8)
    starts = offsets[rows] + tad.PREFIX
    ends = offsets[rows] + packets.lengths[rows]
    yield Measure(
        "inflate (LZ77), output rate",
        lambda: tad_lz77.unpack_all(file, starts, ends, np.ones(len(rows), bool), bound=limits.inflated_bytes),
        int((packets.ends - packets.starts)[rows].sum()),
    )
    module, table = kernels.load("tad_walk"), tad_strata.rules_table()
    yield Measure(
        "split into subpackets, inflated bytes; peer with inflating: 500 ms",
        lambda: tad_strata.walk(module, packets.pool, packets.starts, packets.ends, table),
        int((packets.ends - packets.starts).sum()),
    )
    yield Measure("all subpackets sized and ticked", lambda: _split(path), size)
    yield Measure(
        "decoded: message kinds, syncs with their bits", lambda: _decode(path), size, target=0.5 if compiled else 8.0
    )
    yield Peak("the same, peak memory of its process", _MAKE.format(path=str(path), names=DECODED), target=10 * size)
    yield Measure("every table of the recording", lambda: _tables(path), size)
    yield Measure("info", lambda: ksreplay.open(path).info(), size, target=0.4, fresh=True)
    yield Measure("info --full", lambda: ksreplay.open(path).info(full=True), size, target=0.5 if compiled else 0)


DECODED = (
    "subpackets", "builds", "finishes", "damage", "deaths", "shots", "impacts", "features", "scripts", "unit_states",
    "resources", "shares", "gifts", "speeds", "sync", "movement", "status",
)  # fmt: skip


def _split(path: Path) -> None:
    with ksreplay.open(path) as replay:
        _ = replay.stream  # type: ignore[attr-defined]


_MAKE = """
import ksreplay
with ksreplay.open({path!r}) as replay:
    for name in {names!r}:
        for column in replay.tables[name]:
            replay.tables[name].column(column)
        replay.tables.forget(name)
"""


def _decode(path: Path) -> None:
    with ksreplay.open(path) as replay:
        _make(replay, DECODED)


def _tables(path: Path) -> None:
    with ksreplay.open(path, private=True) as replay:
        _make(replay, replay.tables)


def _make(replay: ksreplay.Replay, names: Iterable[str]) -> None:
    """Every column of the tables, those that derive from others as well; each is let go before the next."""
    for name in names:
        table = replay.tables[name]
        for column in table:
            table.column(column)
        replay.tables.forget(name)

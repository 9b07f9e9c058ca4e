"""Spring demos: inflating, walking and every table, beside the npm parser where it is at hand.

The peer is sdfz-demo-parser 5.15.1, never a dependency: set KSREPLAY_PEER to a scratch folder that holds it
(``npm install`` there with an override of recoil-tdf to 1.0.0).
"""

from __future__ import annotations

import gzip
import importlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import ksreplay
from bench.measure import Measure, Peak
from ksreplay.errors import Problems
from ksreplay.formats import spring
from ksreplay.formats.inflate import gunzip
from ksreplay.kernels import is_compiled, load
from ksreplay.kernels.spring_walk import walk
from ksreplay.limits import Limits

#: Quiet figures of the peer and the inflaters on a machine of this kind, for the targets when the peer is absent.
PEER, FASTEST_INFLATE = 1.24, 0.069
_RUNS = 7  #: of the peer in one process, for a compiler at run time gets better with each
_DRIVER = """
const { DemoParser } = require("sdfz-demo-parser");
(async () => {
  let best = Infinity;
  for (let run = 0; run < %d; run++) {
    const parser = new DemoParser({ excludePackets: [], excludeLuaHandlers: [] });
    let packets = 0;
    parser.onPacket.add(() => { packets++; });
    const start = performance.now();
    await parser.parseDemo(process.argv[1]);
    best = Math.min(best, performance.now() - start);
  }
  console.log(best / 1000);
})();
"""
_KEEP = """
import ksreplay
with ksreplay.open({path!r}, private=True) as replay:
    for table in replay.tables.values():
        for column in table:
            table.column(column)
"""


def measures(corpus: Path) -> Iterator[Measure | Peak]:
    path = corpus / "spring" / "synthetic-large.sdfz"
    data = path.read_bytes()
    content = gunzip(data, Limits()).data
    size = len(content)
    fast = is_compiled(load("spring_walk_fill"))
    yield Measure("inflate: standard library", lambda: gzip.decompress(data), size)
    inflaters = [("isal", "isal.isal_zlib"), ("zlib-ng", "zlib_ng.zlib_ng")]
    fastest = None
    for name, module_name in inflaters:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            yield Measure(f"inflate: {name}", lambda: None, missing=f"{name} is not installed")
            continue
        work = lambda module=module: module.decompressobj(31).decompress(data)  # noqa: E731
        fastest = fastest or work
        yield Measure(f"inflate: {name}", work, size)
    yield Measure("inflate: as ksreplay does", lambda: gunzip(data, Limits()), size)
    demo = spring.read(content, Limits(), Problems("spring"))
    start, end = demo.ofs_stream, demo.ofs_trailer
    for pure in (True, False) if fast else (True,):
        yield Measure(
            f"walk of 1,024,292 packets, {'plain' if pure else 'compiled'}",
            lambda pure=pure: walk(content, start, end, 1 << 30, pure=pure), size, target=0.300 if pure else 0.060,
        )  # fmt: skip
    yield Measure("info", lambda: _info(path), size, target=2 * FASTEST_INFLATE)
    yield Measure("every table", lambda: _tables(path), size, target=PEER / (8 if fast else 2))
    yield Measure("commands alone", lambda: _tables(path, "commands"), size)
    replay = ksreplay.open(path, private=True)
    yield Measure("rewrite to .sdf", lambda: replay.encode(suffix=".sdf"), size)
    yield from _peer(path, size)
    yield Peak("peak memory with all tables kept", _KEEP.format(path=str(path)), target=6 * size)


def _info(path: Path) -> None:
    with ksreplay.open(path) as replay:  # closed: an inflater lets go of its output as well before the next run
        replay.info()


def _tables(path: Path, *names: str) -> None:
    """Every column of the tables, else of all: private ones too, for those are left empty otherwise."""
    with ksreplay.open(path, private=True) as replay:
        for name in names or replay.tables:
            table = replay.tables[name]
            for column in table:
                table.column(column)


def _peer(path: Path, size: int) -> Iterator[Measure]:
    name = "sdfz-demo-parser 5.15.1, all packets (inside node)"
    folder = os.environ.get("KSREPLAY_PEER", "")
    node = shutil.which("node")
    if not folder or not node:
        yield Measure(name, lambda: None, missing="KSREPLAY_PEER is not set" if node else "no node here")
        return
    command = [node, "-e", _DRIVER % _RUNS, str(path.resolve())]
    seconds = float(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)
    yield Measure(name, lambda: time.sleep(seconds), size)

"""Crimsonland replays: reading with every check, beside what MessagePack alone costs."""

from __future__ import annotations

import contextlib
import gc
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import ksreplay
from bench.measure import Measure
from ksreplay.formats.crd import read_envelope
from ksreplay.kernels import is_compiled, load
from ksreplay.limits import Limits

FOLDER_OF = 1000


def measures(corpus: Path) -> Iterator[Measure]:
    folder = corpus / "crd"
    long = (folder / "quest-custom-long-22min-r2.crd").read_bytes()
    _, payload = read_envelope(long, Limits())
    size = len(payload)
    fast = is_compiled(load("crd_scan"))
    yield Measure("87,433 ticks: zstd alone", lambda: read_envelope(long, Limits()), size)
    yield Measure("87,433 ticks: msgpack decode, repack, compare", lambda: _repack(payload), size)
    yield Measure(
        "87,433 ticks: open, canonical check, all rules, input arrays", lambda: ksreplay.open(long), size,
        target=0.030 if fast else 0.160,
    )  # fmt: skip
    replay = ksreplay.open(long)
    yield Measure("87,433 ticks: every table", lambda: _tables(long), size)
    yield Measure("87,433 ticks: write (zstd level 9)", replay.encode, size)
    largest = folder / "variants" / "var-max-payload.crd"
    yield Measure("1,491,290 ticks, 64 MiB: open", lambda: ksreplay.open(largest), 67_108_841, target=2.0)
    with tempfile.TemporaryDirectory() as name:
        short = folder / "survival-1p-r2-incomplete-60t.crd"
        for number in range(FOLDER_OF):
            shutil.copyfile(short, Path(name) / f"{number}-survival.crd")
        command = [sys.executable, "-c", "from ksreplay.cli import run; run()", "info", "--json", name]
        yield Measure(f"{FOLDER_OF:,} short replays: info --json, process and all", lambda: _run(command), target=5.0)


def _repack(payload: bytes) -> None:
    """What a reader costs that lets a library decode, encode again and compare."""
    import msgpack

    gc.disable()
    try:
        values = msgpack.unpackb(payload, use_list=False, strict_map_key=False)
        assert msgpack.packb(values) == payload
    finally:
        gc.enable()


def _tables(data: bytes) -> None:
    with contextlib.closing(ksreplay.open(data)) as replay:
        for name in replay.tables:
            replay.tables[name]


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

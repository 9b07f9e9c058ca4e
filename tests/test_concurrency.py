"""One open replay read by eight threads, one file by forty processes: what one reader sees.

A free-threaded CPython runs the same tests; ``PYTHON_GIL=0`` keeps the lock off where an extension would turn it on.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import random
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import ksreplay
from ksreplay.registry import FORMATS
from ksreplay.replay import Replay

SAMPLES = Path(ksreplay.__file__).parent / "samples"
THREADS = 8


def digest(replay: Replay, names: list[str]) -> dict[str, str]:
    """What the tables hold, in the order of ``names``, and what `info` says."""
    found = {}
    for name in names:
        table = replay.tables[name]
        text = hashlib.sha256(repr(list(table.rows())).encode()).hexdigest()
        found[name] = f"{len(table)} {text}"
    info = replay.info(full=True)
    found["info"] = repr({**info, "problems": sorted(map(repr, info["problems"]))})
    return found


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("damaged", [False, True], ids=["whole", "damaged"])
def test_threads_share_a_replay(name: str, damaged: bool) -> None:
    data = bytearray((SAMPLES / FORMATS[name].sample).read_bytes())
    if damaged:
        data = data[: len(data) * 3 // 4]
    try:
        alone = ksreplay.open(bytes(data), private=True)
    except ksreplay.ReplayError:
        pytest.skip("nothing can be read of it")
    names = list(alone.tables)
    expected = digest(alone, names)
    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # as many changes between threads as there can be
    try:
        for seed in range(3):
            shared = ksreplay.open(bytes(data), private=True)
            start = threading.Barrier(THREADS)

            def read(
                number: int, shared: Replay = shared, start: threading.Barrier = start, seed: int = seed
            ) -> dict[str, str]:
                order = random.Random(seed * THREADS + number).sample(names, len(names))
                start.wait()
                return digest(shared, order)

            with ThreadPoolExecutor(THREADS) as pool:
                for found in pool.map(read, range(THREADS)):
                    assert found == expected
    finally:
        sys.setswitchinterval(old)


def _digest_of(path: str) -> str:
    with ksreplay.open(path, private=True) as replay:
        return repr(digest(replay, list(replay.tables)))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes that start at once")
def test_forty_processes_read_one_file() -> None:
    with multiprocessing.get_context("fork").Pool(40) as pool:
        for name in FORMATS:
            path = str(SAMPLES / FORMATS[name].sample)
            answers = pool.map(_digest_of, [path] * 40, chunksize=1)
            assert set(answers) == {_digest_of(path)}

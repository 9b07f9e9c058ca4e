"""One open replay read by eight threads, one file by forty processes: what one reader sees."""

from __future__ import annotations

import hashlib
import random
import subprocess
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


SCRIPT = """
import sys, hashlib, ksreplay
with ksreplay.open(sys.argv[1], private=True) as replay:
    rows = {name: repr(list(replay.tables[name].rows())) for name in replay.tables}
print(hashlib.sha256(repr(rows).encode()).hexdigest())
"""


def test_forty_processes_read_one_file() -> None:
    for name in FORMATS:
        command = [sys.executable, "-c", SCRIPT, str(SAMPLES / FORMATS[name].sample)]
        answers = []
        for _ in range(5):  # eight at a time: ten a format
            children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
            answers += [child.communicate()[0] for child in children]
        assert len(set(answers)) == 1 and len(answers[0]) == 65

"""One figure of the bench, and how it is taken."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measure:
    """``work`` is timed, best of several; ``bytes`` makes a rate; ``target`` (seconds) is what the issue asks for.

    ``fresh``: each run in a new process (for what is cached after the first). ``taken``: the seconds, where they were
    measured elsewhere. ``missing`` says why it cannot run here.
    """

    name: str
    work: Callable[[], object] = lambda: None
    bytes: int = 0
    target: float = 0.0
    fresh: bool = False
    taken: float = 0.0
    missing: str = ""


@dataclass(frozen=True)
class Peak:
    """Peak memory of a process of its own that runs ``code``; ``target`` (bytes) is what the issue asks for."""

    name: str
    code: str
    target: int = 0

    def measure(self) -> int:
        # the mark of the process itself: ru_maxrss begins with that of the process which started it
        ask = "\nprint(*(line for line in open('/proc/self/status') if line.startswith('VmHWM')))"
        done = subprocess.run([sys.executable, "-c", self.code + ask], capture_output=True, text=True, check=True)
        return int(done.stdout.split()[-2]) * 1024


def best_of(work: Callable[[], object], repeat: int) -> float:
    """Seconds of the fastest run."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def in_child(measure: Measure, repeat: int) -> float:
    """As `best_of`, each run in a forked process that has done nothing before."""
    context = multiprocessing.get_context("fork")

    def run(pipe: object) -> None:
        pipe.send(best_of(measure.work, 1))  # type: ignore[attr-defined]

    times = []
    for _ in range(repeat):
        receive, send = context.Pipe(False)
        child = context.Process(target=run, args=(send,))
        child.start()
        times.append(receive.recv())
        child.join()
    return float(min(times))

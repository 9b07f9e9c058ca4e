"""Work beside the caller, on the processors that this process may use.

It pays for what lets go of the interpreter: decompressing, hashing, the compiled kernels (their loops run under
``cython.nogil``), large numpy calls.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def threads() -> int:
    """How many threads may work at once: ``KSREPLAY_THREADS``, else the processors of this process.

    A process of a batch run has 1, for there the other processors have files of their own.
    """
    asked = os.environ.get("KSREPLAY_THREADS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


class Aside(Generic[R]):
    """A call that runs on a thread of its own; ``result`` waits for it and gives what it gave, or raises its error.

    Where no thread can be had it runs at once, on the caller's.
    """

    def __init__(self, work: Callable[[], R]) -> None:
        self._work = work
        self._thread: threading.Thread | None = threading.Thread(target=self._run, daemon=True)
        self._error: BaseException | None = None
        try:
            self._thread.start()
        except RuntimeError:  # the system has no more threads
            self._thread = None
            self._run()

    def _run(self) -> None:
        try:
            self._result = self._work()
        except BaseException as error:
            self._error = error

    def wait(self) -> None:
        if self._thread is not None:
            self._thread.join()

    def result(self) -> R:
        self.wait()
        if self._error is not None:
            raise self._error
        return self._result


def share(work: Callable[[int, int], object], total: int, least: int = 1) -> None:
    """Calls ``work(low, high)`` on slices that make up ``range(total)``, side by side.

    A slice has at least ``least`` of them, so that what is small stays on one thread. All calls have ended when this
    returns; of errors that of the first slice is raised.
    """
    pieces = max(1, min(threads(), total // max(least, 1)))
    bounds = [total * piece // pieces for piece in range(pieces + 1)]
    others = [Aside(lambda low=low, high=high: work(low, high)) for low, high in pairwise(bounds[1:])]  # type: ignore[misc]
    try:
        work(bounds[0], bounds[1])
    finally:
        for other in others:
            other.wait()
    for other in others:
        other.result()


def ahead(work: Callable[[T], R], items: Iterable[T], depth: int) -> Iterator[R]:
    """The results of ``work`` on ``items``, in their order; another thread is at most ``depth`` results ahead.

    ``items`` are drawn by that thread. An error is raised in its turn and ends the iteration: where one item must not
    cost the others, ``work`` gives the error as its result. Without a second processor this is ``map``.
    """
    if threads() < 2:
        yield from map(work, items)
        return
    room, results = threading.Semaphore(depth), SimpleQueue[Callable[[], R] | None]()
    stopped = threading.Event()

    def run() -> None:
        try:
            for item in items:
                room.acquire()
                if stopped.is_set():
                    return
                results.put(partial(_given, work(item)))
            results.put(None)
        except BaseException as error:
            results.put(partial(_raised, error))

    worker = threading.Thread(target=run, daemon=True)
    try:
        worker.start()
    except RuntimeError:  # the system has no more threads
        yield from map(work, items)
        return
    try:
        while (result := results.get()) is not None:
            room.release()
            yield result()
    finally:
        stopped.set()
        room.release()
        worker.join()


def _given(result: R) -> R:
    return result


def _raised(error: BaseException) -> Any:
    raise error

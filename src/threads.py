"""Work beside the caller, on the processors that this process may use.

It pays for what lets go of the interpreter: decompressing, hashing, the compiled kernels (their loops run under
``cython.nogil``), large numpy calls.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


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


def share(work: Callable[[int, int], object], total: int, least: int = 1) -> None:
    """Calls ``work(low, high)`` on slices that make up ``range(total)``, side by side.

    A slice has at least ``least`` of them, so that what is small stays on one thread. All calls have ended when this
    returns; of errors that of the first slice is raised. Where no thread can be had the caller's does it all.
    """
    pieces = max(1, min(threads(), total // max(least, 1)))
    bounds = [total * piece // pieces for piece in range(pieces + 1)]
    errors: dict[int, BaseException] = {}

    def run(piece: int) -> None:
        try:
            work(bounds[piece], bounds[piece + 1])
        except BaseException as error:
            errors[piece] = error

    others = [threading.Thread(target=run, args=(piece,), daemon=True) for piece in range(1, pieces)]
    started = []
    for piece, thread in enumerate(others, 1):
        try:
            thread.start()
        except RuntimeError:  # the system has no more threads
            run(piece)
        else:
            started.append(thread)
    run(0)
    for thread in started:
        thread.join()
    if errors:
        raise errors[min(errors)]


def ahead(items: Iterable[T], depth: int) -> Iterator[T]:
    """The ``items`` in their order; another thread draws them, at most ``depth`` ahead.

    An error is raised in its turn and ends the iteration. Without a second processor the caller draws them itself.
    """
    if threads() < 2:
        yield from items
        return
    room, drawn = threading.Semaphore(depth), SimpleQueue[Callable[[], T] | None]()
    stopped = threading.Event()

    def run() -> None:
        source = iter(items)
        try:
            while room.acquire() and not stopped.is_set():
                drawn.put(partial(_given, next(source)))
        except StopIteration:
            drawn.put(None)
        except BaseException as error:
            drawn.put(partial(_raised, error))

    worker = threading.Thread(target=run, daemon=True)
    try:
        worker.start()
    except RuntimeError:  # the system has no more threads
        yield from items
        return
    try:
        while (item := drawn.get()) is not None:
            room.release()
            yield item()
    finally:
        stopped.set()
        room.release()
        worker.join()


def _given(item: T) -> T:
    return item


def _raised(error: BaseException) -> Any:
    raise error

"""Who runs the chunks: threads of this process with a sandbox each, or the workers of a Dask cluster.

Both take tasks as they are needed, a few ahead of the workers, and yield what is done in any order, so that the
driver's memory does not depend on how many files there are.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import queue
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from ksreplay.batch.chunk import run_chunk
from ksreplay.batch.job import BatchError, Done, Options, Task, Versions
from ksreplay.batch.sandbox import Sandbox

#: Chunks handed out ahead of each worker.
AHEAD = 2
#: A chunk is given out so often when the workers that have it vanish.
RESUBMIT = 10
CONNECT_SECONDS = 20


def run_local(tasks: Iterable[Task], jobs: int, options: Options, tick: float = 0.5) -> Iterator[Done | None]:
    """Runs tasks in ``jobs`` sandboxes; yields each chunk that is done, and None every ``tick`` seconds."""
    sandboxes = [Sandbox(options) for _ in range(jobs)]
    free: queue.SimpleQueue[Sandbox] = queue.SimpleQueue()
    for sandbox in sandboxes:
        free.put(sandbox)

    def work(task: Task) -> Done:
        sandbox = free.get()
        try:
            return run_chunk(task, sandbox)
        finally:
            free.put(sandbox)

    pool = ThreadPoolExecutor(jobs, "ksreplay-batch")
    running: set[Future[Done]] = set()
    try:
        waiting = iter(tasks)
        while True:
            for task in waiting:
                running.add(pool.submit(work, task))
                if len(running) >= AHEAD * jobs:
                    break
            if not running:
                return
            done, running = wait(running, tick, FIRST_COMPLETED)
            yield from (future.result() for future in done)
            if not done:
                yield None
    finally:
        for future in running:
            future.cancel()
        for sandbox in sandboxes:  # also ends chunks under way: their children answer no more
            sandbox.stop()
        pool.shutdown(wait=True, cancel_futures=True)
        for sandbox in sandboxes:
            sandbox.close()


@contextlib.contextmanager
def dask_client(scheduler: str | None, jobs: int) -> Iterator[Any]:
    """A client of ``scheduler`` (an address), or of a cluster of ``jobs`` workers started here."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise BatchError("this needs dask.distributed: pip install 'ksreplay[cluster]'") from error
    with contextlib.ExitStack() as stack:
        try:
            if scheduler:
                yield stack.enter_context(Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False))
                return
            cluster = stack.enter_context(
                LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
            )
        except (OSError, TimeoutError) as error:
            raise BatchError(f"no Dask scheduler answers at {scheduler or 'this machine'}: {error}") from error
        yield stack.enter_context(Client(cluster, set_as_default=False))


def run_dask(tasks: Iterable[Task], client: Any, versions: Versions, tick: float = 0.5) -> Iterator[Done | None]:
    """Runs tasks as futures of a Dask client; as `run_local`. Workers may come, go and die meanwhile."""
    from distributed import KilledWorker

    check_workers(client, versions)
    given: dict[Any, tuple[Task, int]] = {}
    finished: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def submit(task: Task, tries: int) -> None:
        # The key says which attempt it is, so that a lost one is not answered from the cache of errors.
        future = client.submit(run_chunk, task, key=f"{task.chunk}-{tries}", pure=False, retries=2)
        given[future] = (task, tries)
        future.add_done_callback(finished.put)

    waiting = iter(tasks)
    try:
        while True:
            ahead = max(2, AHEAD * sum(client.nthreads().values()))
            for task in waiting:
                submit(task, 0)
                if len(given) >= ahead:
                    break
            if not given:
                return
            done = _waited(finished, tick)
            for future in done:
                task, tries = given.pop(future)
                try:
                    outcome = future.result()
                except (KilledWorker, concurrent.futures.CancelledError, asyncio.CancelledError):
                    if tries + 1 >= RESUBMIT:
                        raise BatchError(f"{RESUBMIT} workers in a row were lost with chunk {task.chunk}") from None
                    submit(task, tries + 1)
                except Exception as error:
                    raise _explained(error) from error
                else:
                    yield outcome
                future.release()  # else Dask computes it again when the worker that holds it dies
            if not done:
                yield None
    finally:
        client.cancel(list(given), force=True)


def _waited(finished: queue.SimpleQueue[Any], tick: float) -> list[Any]:
    done = []
    with contextlib.suppress(queue.Empty):
        done.append(finished.get(timeout=tick))
        while True:
            done.append(finished.get_nowait())
    return done


def check_workers(client: Any, versions: Versions) -> None:
    """Raises BatchError where the workers there are have another ksreplay (each chunk checks that again)."""
    try:
        client.wait_for_workers(1, timeout=60)
    except TimeoutError:
        raise BatchError("the Dask scheduler has no worker after 60 seconds") from None
    try:
        for worker, theirs in client.run(Versions.current).items():
            try:
                versions.check(theirs)
            except BatchError as error:
                raise BatchError(f"{worker}: {error}") from None
    except BatchError:
        raise
    except Exception as error:
        raise _explained(error) from error


def _explained(error: Exception) -> Exception:
    """A BatchError where the cause is known."""
    if isinstance(error, ModuleNotFoundError):
        return BatchError(
            f"a worker has no {error.name}: install ksreplay[cluster] of the same version on every worker"
        )
    return error

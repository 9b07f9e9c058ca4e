"""One chunk read in a sandbox: the function that local workers and Dask workers run alike."""

from __future__ import annotations

import atexit
import os
import shutil
import threading
import uuid
from pathlib import Path

from ksreplay.batch.job import WITH_ROWS, Done, Fate, Status, Task
from ksreplay.batch.parse import partition_of, spool_path
from ksreplay.batch.sandbox import Death, Sandbox, item_request

#: A file is said to kill its child after so many deaths; a child may also be ended from outside.
TRIES = 3

_mine = threading.local()


def own_sandbox(task: Task) -> Sandbox:
    """This thread's sandbox, kept from chunk to chunk (Dask workers have no pool of ours to keep it)."""
    sandbox: Sandbox | None = getattr(_mine, "sandbox", None)
    if sandbox is None or sandbox.options != task.options:
        if sandbox is not None:
            sandbox.close()
        sandbox = _mine.sandbox = Sandbox(task.options)
        atexit.register(sandbox.close)
    return sandbox


def run_chunk(task: Task, sandbox: Sandbox | None = None) -> Done:
    """Reads the files of a chunk and leaves its parts in a folder of its own under ``task.staging``.

    Running it again, even twice at once, does no harm: the driver takes one outcome, by the chunk's name.
    """
    sandbox = sandbox or own_sandbox(task)
    task.versions.check(sandbox.start())
    folder = Path(task.staging) / f"{task.chunk}.{uuid.uuid4().hex[:8]}"
    spool = folder / "spool"
    spool.mkdir(parents=True)
    try:
        done = _run(task, sandbox, folder, spool)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(spool, ignore_errors=True)
    return done


def _run(task: Task, sandbox: Sandbox, folder: Path, spool: Path) -> Done:
    sizes: dict[str, int] = {}
    segments: dict[str, list[tuple[str, int, int]]] = {}
    fates: list[Fate] = []
    seen: set[str] = set()
    for item in task.items:
        answer: dict[str, object] | Death = Death(False, "", "")
        for _ in range(TRIES):
            answer = sandbox.ask(item_request(item, str(spool)), task.options.timeout)
            if not isinstance(answer, Death):
                break
            _cut(spool, sizes)
            if answer.timeout:
                break
        if isinstance(answer, Death):
            status = Status.TIMEOUT if answer.timeout else Status.CRASHED
            fates.append(Fate(item.path, item.size, item.mtime_ns).end(status, answer.code, answer.message))
            continue
        fate = Fate(**answer["fate"])  # type: ignore[arg-type]
        grown: dict[str, int] = answer["sizes"]  # type: ignore[assignment]
        if fate.status in WITH_ROWS and not fate.same and fate.file_id in seen:
            fate.same = True
        if fate.same or fate.status not in WITH_ROWS:
            _cut(spool, sizes)
        else:
            seen.add(fate.file_id)
            for partition, size in grown.items():
                segments.setdefault(partition, []).append((fate.file_id, sizes.get(partition, 0), size))
            sizes.update(grown)
        fates.append(fate)
    return Done(task.chunk, fates, _write(task, sandbox, folder, spool, segments))


def _cut(spool: Path, sizes: dict[str, int]) -> None:
    """Takes out of the spools what a file left that has no rows in the data set."""
    known = {spool_path(spool, partition): size for partition, size in sizes.items()}
    for path in spool.iterdir():
        if path not in known:
            path.unlink()
        elif path.stat().st_size > known[path]:
            os.truncate(path, known[path])


def _write(
    task: Task, sandbox: Sandbox, folder: Path, spool: Path, segments: dict[str, list[tuple[str, int, int]]]
) -> list[tuple[str, str]]:
    parts = []
    root = Path(task.staging).parent
    for number, partition in enumerate(sorted(segments)):
        staged = folder / f"{number}.parquet"
        parts.append((staged.relative_to(root).as_posix(), f"{partition}/{task.chunk}.parquet"))
    request = {
        "spool": str(spool),
        "parts": [
            {"partition": partition, "segments": segments[partition], "target": str(folder / f"{number}.parquet")}
            for number, partition in enumerate(sorted(segments))
        ],
    }
    answer: dict[str, object] | Death = {}
    for _ in range(TRIES if parts else 0):
        answer = sandbox.ask(request)
        if not isinstance(answer, Death):
            break
    if isinstance(answer, Death):
        raise RuntimeError(f"the parts of chunk {task.chunk} cannot be written: {answer.message}")
    return parts


__all__ = ["own_sandbox", "partition_of", "run_chunk"]

"""The run: what is listed, planned, read by the pool, committed, cleaned and exported, in this order."""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ksreplay.batch.job import BAD, Done, Item, Options, Task, Versions, chunk_name
from ksreplay.batch.manifest import STAGING, Manifest
from ksreplay.batch.sources import listing

#: A chunk holds at most so many files and about so many bytes; in small jobs fewer files, so that all have work.
CHUNK_FILES = 200
CHUNK_BYTES = 64 << 20
SMALL_CHUNK_FILES = 50
CHUNKS_A_JOB = 8


@dataclass
class Progress:
    """What a run has done so far; handed to ``report`` after every chunk and twice a second."""

    listed: int = 0
    files: int = 0  # to do
    bytes: int = 0
    done_files: int = 0
    done_bytes: int = 0
    rows: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def bad(self) -> int:
        return sum(self.statuses[status] for status in BAD)

    @property
    def seconds_left(self) -> float | None:
        """By bytes, each file counted as 4 KiB more, since opening one costs too."""
        done = self.done_bytes + 4096 * self.done_files
        if not done:
            return None
        return self.seconds * (self.bytes + 4096 * self.files - done) / done

    def add(self, done: Done) -> None:
        for fate in done.fates:
            self.statuses["same" if fate.same else fate.status] += 1
            self.rows += 0 if fate.same else fate.rows or 0
            self.done_bytes += fate.size
        self.done_files += len(done.fates)


def run(
    sources: list[str],
    dataset: Path,
    options: Options | None = None,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    cluster: bool = False,
    retry: bool = False,
    report: Callable[[Progress], None] = lambda _: None,
) -> dict[str, Any]:
    """Reads what is missing or changed of ``sources`` into ``dataset`` and returns the summary.

    ``jobs`` parser children on this machine (default: one a core); or the workers of the Dask ``scheduler``; or, with
    ``cluster``, of a Dask cluster of ``jobs`` workers started here. Sources and data set must then have the same
    paths on every worker. ``retry`` reads again what crashed or ran out of time. Raises BatchError.
    """
    from ksreplay.batch import pool

    options = options or Options()
    jobs = jobs or os.cpu_count() or 1
    dataset = dataset.absolute()
    versions = Versions.current()
    progress = Progress()
    with Manifest(dataset, versions, options) as manifest:
        shutil.rmtree(dataset / STAGING, ignore_errors=True)
        progress.listed, progress.files, progress.bytes = manifest.plan(listing(sources, dataset), retry)
        report(progress)
        if progress.files:
            chunk_files = max(SMALL_CHUNK_FILES, min(CHUNK_FILES, progress.files // (jobs * CHUNKS_A_JOB)))
            tasks = _tasks(manifest, chunk_files, dataset / STAGING, options, versions)
            if scheduler or cluster:
                with pool.dask_client(scheduler, jobs) as client:
                    _take(pool.run_dask(tasks, client, versions), manifest, progress, report)
            else:
                _take(pool.run_local(tasks, jobs, options), manifest, progress, report)
        if not manifest.exported:
            from ksreplay.batch.compact import clean
            from ksreplay.batch.export import export

            clean(manifest)
            export(manifest)
        shutil.rmtree(dataset / STAGING, ignore_errors=True)
        return _summary(dataset, progress, manifest.counts())


def _tasks(manifest: Manifest, chunk_files: int, staging: Path, options: Options, versions: Versions) -> Iterator[Task]:
    items: list[Item] = []
    size = 0

    def task() -> Task:
        name = manifest.free_name(chunk_name(items, options, versions))
        return Task(name, tuple(items), str(staging), options, versions)

    for item in manifest.todo():
        if items and (len(items) >= chunk_files or size + item.size > CHUNK_BYTES):
            yield task()
            items, size = [], 0
        items.append(item)
        size += item.size
    if items:
        yield task()


def _take(
    outcomes: Iterator[Done | None], manifest: Manifest, progress: Progress, report: Callable[[Progress], None]
) -> None:
    for done in outcomes:
        if done is not None:
            manifest.commit(done)
            progress.add(done)
        report(progress)


def _summary(dataset: Path, progress: Progress, counts: dict[str, int]) -> dict[str, Any]:
    seconds = progress.seconds
    return {
        "dataset": str(dataset),
        "listed": progress.listed,
        "unchanged": progress.listed - progress.files,
        "read": progress.done_files,
        "bytes": progress.done_bytes,
        "rows": progress.rows,
        "statuses": dict(sorted(progress.statuses.items())),
        "bad": progress.bad,
        "seconds": round(seconds, 3),
        "files_per_second": round(progress.done_files / seconds, 2) if seconds else None,
        "data_set": counts,
    }

"""The same job on Dask: a cluster started here, one started elsewhere, workers that die or have another version."""

from __future__ import annotations

import contextlib
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import dask
import distributed  # noqa: F401 (its defaults must be there before some are changed)
import psutil
import pytest
from batch.conftest import Folder

from batch import fake
from ksreplay.batch import BatchError

PRELOAD = f"import sys\nsys.path.insert(0, {os.path.dirname(fake.__file__)!r})\nimport fake\nfake.register()\n"  # noqa: PTH120


@pytest.fixture
def preload(tmp_path: Path) -> Path:
    """A module that makes a Dask worker know the fake format."""
    path = tmp_path / "know_fake.py"
    path.write_text(PRELOAD)
    return path


def fill(folder: Folder, files: int = 60, **script: object) -> None:
    for number in range(files):
        folder.write(f"{number:03}.fake", number % 20, f"2025-{number % 3 + 1:02}", f"game{number // 2}", **script)
    folder.write("segv.fake", do="segv")
    folder.write_bytes("broken.fake", b"KSFAKE\0{")


def test_a_cluster_started_here(folder: Folder, preload: Path) -> None:
    fill(folder)
    with dask.config.set({"distributed.worker.preload": [str(preload)]}):
        summary = folder.run(cluster=True)
    assert summary["read"] == 62 and summary["bad"] == 2
    folder.check()
    assert folder.fates()["segv.fake"] == ("crashed", "sigsegv")
    assert folder.run()["read"] == 0  # and this machine's own pool goes on with the same data set


@contextlib.contextmanager
def scheduler(
    tmp_path: Path, preload: Path | None, workers: int
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """`dask scheduler` and `dask worker` as somebody would start them, on loopback: (address, workers)."""
    started: list[subprocess.Popen[bytes]] = []
    log = tmp_path / "scheduler.log"

    def dask_command(*arguments: str, to: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments]
        with to.open("wb") as file:
            started.append(subprocess.Popen(command, stdout=file, stderr=file, cwd=tmp_path))
        return started[-1]

    try:
        dask_command("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", to=log)
        deadline = time.monotonic() + 60
        while not (found := re.search(r"tcp://127\.0\.0\.1:\d+", log.read_text())):
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        more = ["--preload", str(preload)] if preload else []
        address = found[0]
        yield (
            address,
            [
                dask_command(
                    "worker", address, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", *more,
                    to=tmp_path / f"worker{number}.log",
                )
                for number in range(workers)
            ],
        )  # fmt: skip
    finally:
        for process in reversed(started):
            children = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
            process.kill()
            process.wait()
            for child in children:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()


def test_a_scheduler_started_elsewhere_and_a_worker_that_dies(folder: Folder, preload: Path, tmp_path: Path) -> None:
    fill(folder, sleep=0.03)
    with scheduler(tmp_path, preload, 2) as (address, workers):
        over = threading.Event()
        killed: list[int] = []

        def killer() -> None:
            """Kills a worker process under its nanny once work has begun."""
            while not over.wait(0.05):
                if list(folder.dataset.rglob("_staging/*/spool/*")):
                    time.sleep(random.uniform(0, 0.3))
                    for child in psutil.Process(random.choice(workers).pid).children(recursive=True):
                        if "spawn_main" in " ".join(child.cmdline()):
                            child.kill()
                            killed.append(child.pid)
                            return

        thread = threading.Thread(target=killer)
        thread.start()
        try:
            summary = folder.run(scheduler=address)
        finally:
            over.set()
            thread.join()
    assert killed
    assert summary["read"] == 62 and summary["bad"] == 2
    folder.check()


def test_workers_of_another_version_are_named(folder: Folder, tmp_path: Path) -> None:
    folder.write("a.fake")
    with (
        scheduler(tmp_path, None, 1) as (address, _),
        pytest.raises(BatchError, match=r"tcp://.*driver and a worker differ"),
    ):
        folder.run(scheduler=address)


def test_no_scheduler_there(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("a.fake")
    from ksreplay.batch import pool

    monkeypatch.setattr(pool, "CONNECT_SECONDS", 1)
    with pytest.raises(BatchError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        folder.run(scheduler="tcp://127.0.0.1:1")

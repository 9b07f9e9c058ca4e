"""Children, drivers and workers killed at any moment: nothing is lost, nothing comes twice, nobody stays behind."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from batch.conftest import Folder

from batch import fake


def driver(folder: Folder, step: int = -1) -> subprocess.Popen[bytes]:
    arguments = ["run", str(folder.source), str(folder.dataset), "2", str(step)]
    return subprocess.Popen([sys.executable, fake.__file__, *arguments], stderr=subprocess.DEVNULL)


def orphans() -> list[int]:
    """Parser children of a driver that is gone."""
    found = []
    for process in psutil.process_iter(["cmdline", "ppid"]):
        command = process.info["cmdline"] or []
        parent = process.info["ppid"]
        if command[-1:] == [fake.__file__] and (parent == 1 or not psutil.pid_exists(parent)):
            found.append(process.pid)
    return found


def fill(folder: Folder, files: int, **script: object) -> None:
    for number in range(files):
        folder.write(f"{number:03}.fake", number % 20, f"2025-{number % 3 + 1:02}", f"game{number // 2}", **script)


def change(folder: Folder) -> None:
    """A data set whose next run reads new files, replaces rows and meets a copy, and whose compaction has work."""
    for number in range(0, 25, 5):
        folder.write(f"{number:03}.fake", 30 + number, "2025-02")
    folder.write("new.fake", 50)
    folder.write_bytes("copy.fake", (folder.source / "001.fake").read_bytes())


def steps_of(folder: Folder, first: int, stride: int) -> int:
    """Dies at step ``first``, then ``first + stride`` … of a run over a changed folder, until one comes to its end."""
    fill(folder, 25)
    folder.run()
    change(folder)
    kept = folder.dataset.with_name("kept")
    shutil.copytree(folder.dataset, kept)
    step = first
    while True:
        shutil.rmtree(folder.dataset)
        shutil.copytree(kept, folder.dataset)
        code = driver(folder, step).wait()
        assert code in (0, 9)
        folder.run()
        folder.check()
        if code == 0:
            return step
        step += stride


def test_driver_dies_at_its_steps(folder: Folder) -> None:
    assert steps_of(folder, random.randrange(25), 25) > 20


@pytest.mark.slow
def test_driver_dies_at_every_step(folder: Folder) -> None:
    assert steps_of(folder, 0, 1) > 20


def kill_drivers(folder: Folder, times: int) -> None:
    fill(folder, 60, sleep=0.1)  # 3 s of work for two children, so that the first driver dies on any machine
    killed = 0
    for _ in range(times):
        process = driver(folder)
        try:
            process.wait(random.uniform(0.2, 1.6))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
            if random.random() < 0.5:
                folder.write(f"{random.randrange(60):03}.fake", random.randrange(30), "2025-07", sleep=0.01)
    folder.run()
    folder.check()
    assert killed
    deadline = time.monotonic() + 10
    while orphans() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not orphans()


def test_driver_killed_at_random(folder: Folder) -> None:
    kill_drivers(folder, 5)


@pytest.mark.slow
def test_driver_killed_at_random_many_times(folder: Folder) -> None:
    kill_drivers(folder, 150)


def kill_children(folder: Folder, files: int, most: int) -> int:
    """Kills up to ``most`` children of a run in this process, one after another at random ages; returns how many."""
    fill(folder, files, sleep=0.05)
    over = threading.Event()
    killed = 0

    def killer() -> None:
        nonlocal killed
        age = 0.8  # the first one is at work when it dies, later ones may still be starting
        while not over.wait(0.02) and killed < most:
            for child in psutil.Process().children():
                if fake.__file__ in _command(child) and time.time() - child.create_time() > age:
                    child.kill()
                    killed += 1
                    age = random.uniform(0.2, 2.5)

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        summary = folder.run()
    finally:
        over.set()
        thread.join()
    assert summary["bad"] == 0
    folder.check()
    return killed


def _command(process: psutil.Process) -> list[str]:
    try:
        command: list[str] = process.cmdline()
    except psutil.Error:
        return []
    return command


def test_children_killed_at_random(folder: Folder) -> None:
    assert kill_children(folder, 60, 5)


@pytest.mark.slow
def test_children_killed_at_random_many_times(folder: Folder) -> None:
    assert kill_children(folder, 2000, 200) >= 30


def test_a_hanging_child_does_not_outlive_its_driver(folder: Folder) -> None:
    folder.write("a.fake", do="hang")
    process = driver(folder)
    deadline = time.monotonic() + 10
    while not (children := psutil.Process(process.pid).children()) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.6)  # now it hangs
    process.kill()
    process.wait()
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert gone and not alive


@pytest.mark.skipif(os.name != "posix", reason="a full disk is made with a limit on file sizes")
def test_a_full_disk_ends_the_job_and_it_can_go_on(folder: Folder, tmp_path: Path) -> None:
    fill(folder, 20)
    folder.write("large.fake", 400_000, word="abcdefgh" * 4)
    child = tmp_path / "full.py"
    child.write_text(
        "import resource, runpy, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))\n"
        f"runpy.run_path({fake.CHILD[0]!r}, run_name='__main__')\n"
    )
    from ksreplay.batch import BatchError

    with pytest.raises(BatchError, match="File too large"):
        folder.run(options={"child": (str(child),)})
    folder.run()
    folder.check()

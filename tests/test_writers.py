"""A crash or a full disk in the middle never leaves a half file under the final name."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ksreplay
from ksreplay.atomic import replacing
from ksreplay.registry import FORMATS

SAMPLES = Path(ksreplay.__file__).parent / "samples"

posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")

#: Verbs that write, with what they write from the sample of a format.
WRITES = {
    "export": ["export", "{sample}", "-o", "{out}", "--format", "ndjson"],
    "export-parquet": ["export", "{sample}", "-o", "{out}", "--format", "parquet"],
    "rewrite": ["rewrite", "{sample}", "{out}"],
    "redact": ["redact", "{sample}", "{out}"],
    "unwrap": ["unwrap", "{sample}", "-o", "{out}"],
    "sample": ["sample", "{format}", "-o", "{out}"],
}

#: Runs the command line with what a file may be in size (argument 1).
LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
from ksreplay.cli import run
run()
"""


@posix
@pytest.mark.parametrize("name", FORMATS)
def test_a_full_disk(name: str, tmp_path: Path) -> None:
    sample = SAMPLES / FORMATS[name].sample
    for verb, words in WRITES.items():
        folder = tmp_path / verb
        folder.mkdir()
        # Smaller than anything that is written; small files of an export may come through whole.
        arguments = [word.format(sample=sample, format=name, out=folder / "out") for word in words]
        child = subprocess.run([sys.executable, "-c", LIMITED, "100", *arguments], capture_output=True, text=True)
        if "not-supported" in child.stderr:
            continue
        assert child.returncode == 1, (verb, child.stderr)
        assert "File too large" in child.stderr and "Traceback" not in child.stderr, (verb, child.stderr)
        assert len(child.stderr.splitlines()) <= 3
        left = [path for path in folder.rglob("*") if path.is_file()]
        assert all(path.parent == folder / "out" for path in left), (verb, left)
        assert not any(path.name.endswith(".part") for path in left)
        assert all(path.stat().st_size <= 100 for path in left)
        # What was there before is untouched.
        target = folder / "before"
        target.write_bytes(b"before")
        if "export" not in verb:
            arguments = [word.format(sample=sample, format=name, out=target) for word in words]
            command = [sys.executable, "-c", LIMITED, "100", *arguments, "--force"]
            assert subprocess.run(command, capture_output=True).returncode == 1
            assert target.read_bytes() == b"before"


WRITER = """
import sys
from pathlib import Path
from ksreplay.atomic import replacing
block = b"0123456789abcdef" * 4096
while True:
    with replacing(Path(sys.argv[1]), force=True) as file:
        for _ in range(16):
            file.write(block)
    print("one", flush=True)
"""


def kill_writers(folder: Path, times: int) -> None:
    target = folder / "target"
    whole = b"0123456789abcdef" * 4096 * 16
    for _ in range(times):
        child = subprocess.Popen([sys.executable, "-c", WRITER, str(target)], stdout=subprocess.PIPE)
        assert child.stdout is not None and child.stdout.readline() == b"one\n"
        time.sleep(random.uniform(0, 0.05))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        assert target.read_bytes() == whole
        assert all(path == target or path.name.endswith(".part") for path in folder.iterdir())


@posix
def test_a_killed_writer(tmp_path: Path) -> None:
    kill_writers(tmp_path, 8)


@posix
@pytest.mark.slow
def test_a_killed_writer_many_times(tmp_path: Path) -> None:
    kill_writers(tmp_path, 300)


@posix
def test_an_interrupted_writer_leaves_nothing(tmp_path: Path) -> None:
    script = WRITER.replace("for _ in range(16)", "for _ in range(10**9)").replace(
        "file.write", "print('one', flush=True); file.write"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "a")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert child.stdout is not None and child.stdout.readline() == b"one\n"
    child.send_signal(signal.SIGINT)
    child.communicate()
    assert list(tmp_path.iterdir()) == []


def test_devices_and_folders_are_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no regular file"), replacing(tmp_path, force=True):
        pass
    if os.name == "posix":
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(OSError, match="no regular file"), replacing(tmp_path / "pipe", force=True):
            pass


def test_long_names(tmp_path: Path) -> None:
    target = tmp_path / ("🐢" * 60 + ".csv")
    with replacing(target) as file:
        file.write(b"x")
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_can_be_read(name: str, tmp_path: Path) -> None:
    """Writing refuses what reading would refuse: whatever a damaged file is rewritten to opens again."""
    data = (SAMPLES / FORMATS[name].sample).read_bytes()
    random.seed(4)
    written = refused = 0
    for number in range(60):
        damaged = bytearray(data)
        for _ in range(random.choice((1, 1, 3))):
            damaged[random.randrange(len(data))] = random.randrange(256)
        target = tmp_path / f"{number}{Path(FORMATS[name].sample).suffix}"
        try:
            with ksreplay.open(bytes(damaged)) as replay:
                problems = {problem.code for problem in replay.validate()}
                replay.write(target)
        except ksreplay.ReplayError:
            refused += 1
            assert not target.exists()
            continue
        written += 1
        with ksreplay.open(target) as again:
            fresh = {problem.code for problem in again.validate() if problem.severity in ("fatal", "part")}
        assert fresh <= problems, (number, fresh - problems)
    assert written + refused == 60

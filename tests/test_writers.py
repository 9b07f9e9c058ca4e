"""A crash or a full disk in the middle never leaves a half file under the final name."""

from __future__ import annotations

import json
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
from ksreplay.errors import INVALID
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

#: Runs command lines (JSON, argument 1) in a process whose files may have 100 bytes; answers with exits and errors.
LIMITED = """
import json, resource, signal, sys
from click.testing import CliRunner
from ksreplay.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
results = [CliRunner().invoke(main, arguments) for arguments in json.loads(sys.argv[1])]
print(json.dumps([[result.exit_code, result.stderr, repr(result.exception)] for result in results]))
"""


@posix
@pytest.mark.parametrize("name", FORMATS)
def test_a_full_disk(name: str, tmp_path: Path) -> None:
    """100 bytes are less than anything that is written, but for the small files of an export."""
    sample = SAMPLES / FORMATS[name].sample
    commands = []
    for verb, words in WRITES.items():
        folder = tmp_path / verb
        folder.mkdir()
        (folder / "before").write_bytes(b"before")
        commands.append([word.format(sample=sample, format=name, out=folder / "out") for word in words])
        if "export" not in verb:
            replaced = [word.format(sample=sample, format=name, out=folder / "before") for word in words]
            commands.append([*replaced, "--force"])
    command = [sys.executable, "-c", LIMITED, json.dumps(commands)]
    answers = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for words, (code, errors, exception) in zip(commands, answers, strict=True):
        if "not-supported" not in errors:
            assert code == 1 and "SystemExit" in exception, (words, exception)
            assert "File too large" in errors and len(errors.splitlines()) <= 3, (words, errors)
    for verb in WRITES:
        left = {path for path in (tmp_path / verb).rglob("*") if path.is_file()}
        assert (tmp_path / verb / "before").read_bytes() == b"before"
        assert all(path.parent.name == "out" or path.name == "before" for path in left), (verb, left)
        assert all(path.stat().st_size <= 100 and path.suffix != ".part" for path in left)


WRITER = """
import sys
from pathlib import Path
from ksreplay.atomic import replacing
from ksreplay.errors import INVALID
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
    """Writing refuses what reading would refuse: whatever a damaged file is rewritten to opens again, and is valid
    where the damaged one was."""
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
                problems = {problem.code for problem in replay.validate() if problem.severity in INVALID}
                replay.write(target)
        except ksreplay.ReplayError:
            refused += 1
            assert not target.exists()
            continue
        written += 1
        with ksreplay.open(target) as again:
            found = {problem.code for problem in again.validate() if problem.severity in INVALID}
        assert problems or not found, (number, found)
    assert written + refused == 60

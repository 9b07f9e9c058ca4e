"""Runs every verb that reads a file over files, each file in a forked process of its own, and prints what each cost.

    python probe.py FILE...

One JSON line a file and verb: exit code, the exception that got out (None is the promise), seconds, and the growth of
the process's peak memory in bytes over what the imports alone take.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path

from click.testing import CliRunner

import ksreplay
from ksreplay.cli import main as command
from ksreplay.registry import FORMATS

#: A process that still runs after this is killed; its missing lines are the finding.
HANG_SECONDS = 60


def arguments(verb: str, file: str, out: Path) -> list[str]:
    """The command line of a verb that reads ``file``."""
    return {
        "info": ["info", "--json", "--full", file],
        "tables": ["tables", "--full", file],
        "export": ["export", file, "--format", "ndjson", "-o", str(out / "tables")],
        "validate": ["validate", "--json", file],
        "layout": ["layout", file, "--depth", "4"],
        "rewrite": ["rewrite", file, str(out / "rewritten")],
        "redact": ["redact", file, str(out / "redacted")],
        "unwrap": ["unwrap", file, "-o", str(out / "unwrapped")],
        "state": ["state", file, "--at", "1", "--json"],
    }[verb]


VERBS = ("info", "tables", "export", "validate", "layout", "rewrite", "redact", "unwrap", "state")


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def answer(file: str, verbs: list[str]) -> None:
    """Runs the verbs in this process and prints a line for each."""
    runner = CliRunner()
    base = peak()
    for verb in verbs:
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            result = runner.invoke(command, arguments(verb, file, Path(folder)))
            seconds = time.perf_counter() - start
        escaped = result.exception if not isinstance(result.exception, SystemExit) else None
        document = {
            "file": file,
            "verb": verb,
            "exit": result.exit_code,
            "exception": repr(escaped) if escaped else None,
            "seconds": round(seconds, 3),
            "peak": peak() - base,
        }
        if verb in ("info", "validate"):
            document["output"] = result.stdout
        print(json.dumps(document), flush=True)


def warm_up() -> None:
    """What the imports and a first use cost is the program's, not the file's."""
    for format in FORMATS.values():
        with ksreplay.open(files("ksreplay.samples").joinpath(format.sample).read_bytes()) as replay:
            replay.info(full=True)
    for verb in VERBS:
        CliRunner().invoke(command, [verb, "--help"])


def main(names: list[str]) -> None:
    warm_up()
    for name in names:
        child = os.fork()
        if child == 0:
            signal.alarm(HANG_SECONDS)
            answer(name, list(VERBS))
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1:])

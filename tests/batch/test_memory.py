"""The driver's memory does not grow with the number of files."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: What a driver does with files that workers have read: lists, plans, commits and exports them.
SCRIPT = """
import resource, sys, tempfile
from pathlib import Path
from ksreplay.batch.driver import _tasks
from ksreplay.batch.export import export
from ksreplay.batch.job import Done, Fate, Item, Options, Status, Versions
from ksreplay.batch.manifest import Manifest

folder, versions, options = Path(tempfile.mkdtemp()), Versions.current(), Options()
with Manifest(folder / "ds", versions, options) as manifest:
    manifest.plan(Item(f"/archive/{i}.sdf", 20, i) for i in range(int(sys.argv[1])))
    for task in _tasks(manifest, 200, folder, options, versions):
        fates = [Fate(i.path, i.size, i.mtime_ns, sha256="%064x" % i.mtime_ns, format="spring") for i in task.items]
        manifest.commit(Done(task.chunk, [fate.end(Status.FAILED, "header-cut") for fate in fates], []))
    export(manifest)
    assert manifest.counts() == {"failed": int(sys.argv[1])}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def peak(files: int) -> int:
    command = [sys.executable, "-c", SCRIPT, str(files)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.slow
def test_fifty_thousand_files() -> None:
    """Megabytes; SQLite's cache of 4 MB and the largest batch of an export fill up and stay."""
    few, many, more = peak(5_000), peak(50_000), peak(100_000)
    assert many - few < 20 and more - many < 10, (few, many, more)

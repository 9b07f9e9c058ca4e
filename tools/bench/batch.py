"""A folder as a data set: two jobs against one, isolation against reading in this process, runs with nothing to do.

`python tools/bench batch` for the short ones; `python tools/bench/batch.py memory` for the driver's memory over many
tiny files, which takes minutes.
"""

from __future__ import annotations

import functools
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ksreplay
from bench.measure import Measure
from ksreplay.batch import Options, run
from ksreplay.batch.job import Item
from ksreplay.batch.parse import read_file, write_part

MIXED = 2000
UNCHANGED = 10_000
_SEED = re.compile(rb"(\xa4seed)(?:[\x00-\x7f]|\xcc.|\xcd..|\xce....)", re.DOTALL)


def variant(name: str, number: int) -> bytes:
    """A bundled sample that differs from its siblings in bytes of its own, so that no copy is recognised."""
    data = files("ksreplay.samples").joinpath(name).read_bytes()
    mark = number.to_bytes(4, "little")
    if name.endswith(".sdfz"):
        return data[:4] + mark + data[8:]  # the time in the gzip header
    if name.endswith(".crd"):
        import zstandard

        from ksreplay.formats.crd import read_envelope
        from ksreplay.limits import Limits

        _, payload = read_envelope(data, Limits())
        seed = b"\xce" + (70_000 + number).to_bytes(4, "big")
        payload, found = _SEED.subn(lambda match: match[1] + seed, payload, count=1)
        assert found
        return zstandard.ZstdCompressor(level=9).compress(payload)
    details = ksreplay.open(data).info()["details"]
    if name.endswith(".cbtrack"):
        game_id = bytes.fromhex(details["game_id"])
        return data.replace(game_id, game_id[:-4] + mark, 1)
    date = details["recorded_date"].encode()
    return data.replace(date, f"{number % 10 ** len(date):0{len(date)}}".encode(), 1)


@functools.cache
def mixed(count: int) -> Path:
    """A folder of ``count`` small files, a quarter of each format."""
    folder = Path(tempfile.mkdtemp(prefix="ksreplay-bench-"))
    names = [format.sample for format in ksreplay.FORMATS.values()]
    for number in range(count):
        name = names[number % len(names)]
        (folder / f"{number}{Path(name).suffix}").write_bytes(variant(name, number))
    return folder


def fresh_run(folder: Path, jobs: int) -> None:
    dataset = folder.with_name(folder.name + ".dataset")
    shutil.rmtree(dataset, ignore_errors=True)
    summary = run([str(folder)], dataset, jobs=jobs)
    assert summary["statuses"] == {"ok": summary["read"]}, summary


def in_process(folder: Path, chunk: int = 200) -> None:
    """The same reading and writing as a parser child's, without child, worker, manifest and driver."""
    options = Options()
    paths = sorted(folder.iterdir(), key=lambda path: (path.suffix, path.name))
    for start in range(0, len(paths), chunk):
        spool = Path(tempfile.mkdtemp(prefix="ksreplay-bench-"))
        sizes: dict[str, int] = {}
        segments: dict[str, list[tuple[str, int, int]]] = {}
        for path in paths[start : start + chunk]:
            fate, grown = read_file(Item(str(path), 0, 0), options, spool)
            for partition, size in grown.items():
                segments.setdefault(partition, []).append((fate.file_id, sizes.get(partition, 0), size))
            sizes.update(grown)
        for number, partition in enumerate(segments):
            write_part(spool, partition, segments[partition], spool / f"{number}.parquet")
        shutil.rmtree(spool)


def measures(corpus: Path) -> Iterator[Measure]:
    folder = mixed(MIXED)
    size = sum(path.stat().st_size for path in folder.iterdir())
    yield Measure(f"{MIXED:,} mixed small files: in this process, no isolation", lambda: in_process(folder), size)
    yield Measure(f"{MIXED:,} mixed small files: batch, 1 job", lambda: fresh_run(folder, 1), size)
    yield Measure(f"{MIXED:,} mixed small files: batch, 2 jobs", lambda: fresh_run(folder, 2), size)
    demos = corpus / "spring"
    size = sum(path.stat().st_size for path in demos.glob("*.sdfz"))
    target = Path(tempfile.mkdtemp(prefix="ksreplay-bench-")) / "demos"
    target.mkdir()
    for path in demos.glob("*.sdfz"):
        shutil.copy(path, target)
    yield Measure("the demos of the corpus, every table: batch, 1 job", lambda: fresh_run(target, 1), size)
    yield Measure("the demos of the corpus, every table: batch, 2 jobs", lambda: fresh_run(target, 2), size)
    many = tiny(UNCHANGED)
    dataset = many.with_name(many.name + ".dataset")
    run([str(many)], dataset)
    yield Measure(f"{UNCHANGED:,} files, nothing to do", lambda: run([str(many)], dataset), target=2.0)


@functools.cache
def tiny(count: int) -> Path:
    """A folder of ``count`` demos that are only the beginning of one: quickly read, quickly refused."""
    folder = Path(tempfile.mkdtemp(prefix="ksreplay-bench-"))
    for number in range(count):
        (folder / f"{number}.sdf").write_bytes(b"spring demofile\0" + number.to_bytes(4, "little"))
    return folder


def memory() -> None:
    """The driver's own peak memory over ever more tiny files."""
    import subprocess

    for count in (500, 5_000, 50_000):
        folder = tiny(count)
        script = (
            "import sys, resource; from pathlib import Path; from ksreplay.batch import run;"
            "s = run([sys.argv[1]], Path(sys.argv[1] + '.dataset'));"
            "print(s['read'], s['seconds'], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
        )
        result = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True)
        read, seconds, peak = result.stdout.split()
        print(f"  {int(read):>7,} tiny files: {float(seconds):7.1f} s, driver's peak {peak} MB", flush=True)


if __name__ == "__main__":
    memory()

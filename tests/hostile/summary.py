"""What hostile and large files cost, by format: python tests/hostile/summary.py [FILE...].

Runs every verb (see `probe`) over the hostile inputs, over the growing inputs of `test_linear` and over the files
named. Time and memory by the size of the input are worth saying only from 1 MB on.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hostile.inputs import CASES
from hostile.test_linear import GROWING

import ksreplay
from ksreplay.formats.sniff import HEAD_BYTES, sniff

MB = 1_000_000
PROBE = Path(__file__).with_name("probe.py")


def inputs(folder: Path) -> Iterator[tuple[Path, str]]:
    """(file, format) of every input that this makes."""
    for case in CASES:
        path = folder / str(case)
        path.write_bytes(case.build())
        yield path, case.format
    for name, (make, size) in GROWING.items():
        path = folder / name.replace(" ", "-")
        path.write_bytes(make(8 * size))
        yield path, name.split()[0]


def main(named: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        formats = dict(inputs(Path(folder)))
        for path in map(Path, named):
            formats[path] = sniff(path.read_bytes()[:HEAD_BYTES]) or "none"
        command = [sys.executable, str(PROBE), *map(str, formats)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        escaped = sum(line["exception"] is not None for line in lines)
        print(f"ksreplay {ksreplay.__version__}: {len(formats)} files, {len(lines)} runs, {escaped} exceptions got out")
        for format in sorted(set(formats.values())):
            mine = [line for line in lines if formats[Path(line["file"])] == format]
            slowest = max(mine, key=lambda line: float(line["seconds"]))
            largest = max(mine, key=lambda line: int(line["peak"]))
            print(f"{format}: {len({line['file'] for line in mine})} files")
            print(f"    slowest {slowest['seconds']:.2f} s ({about(slowest)})")
            print(f"    most memory {largest['peak'] / MB:.0f} MB ({about(largest)})")
            sized = [(line, Path(line["file"]).stat().st_size) for line in mine]
            sized = [(line, size) for line, size in sized if size >= MB]
            if sized:
                slow, size = max(sized, key=lambda item: item[0]["seconds"] / item[1])
                print(f"    at most {slow['seconds'] * MB / size:.2f} s a MB ({about(slow)})")
                wide, size = max(sized, key=lambda item: item[0]["peak"] / item[1])
                print(f"    at most {wide['peak'] / size:.0f} bytes of memory an input byte ({about(wide)})")


def about(line: dict[str, object]) -> str:
    path = Path(str(line["file"]))
    return f"{line['verb']} {path.name}, {path.stat().st_size / MB:.2f} MB"


if __name__ == "__main__":
    main(sys.argv[1:])

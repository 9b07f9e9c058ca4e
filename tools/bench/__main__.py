"""Rates of ksreplay beside its peers and limits, measured side by side: python tools/bench [FORMAT...] [--repeat N].

Each format's module (`cbtrack.py`, `crd.py`, ...) has `measures(corpus)`, which yields `Measure`s. Nothing here is a
test: figures depend on the machine, ratios less so.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import Measure, Peak, best_of, in_child

MODULES = ("cbtrack", "crd", "spring", "library", "tad", "export", "batch")


def rows(measures: Iterable[Measure | Peak], repeat: int) -> Iterator[str]:
    for measure in measures:
        if isinstance(measure, Peak):
            target = f"  target {measure.target / 1e6:.0f} MB" if measure.target else ""
            yield f"  {measure.name:62} {measure.measure() / 1e6:8.1f} MB {'':13}{target}"
            continue
        if measure.missing:
            yield f"  {measure.name:62} {'-':>10}  not measured: {measure.missing}"
            continue
        seconds = measure.taken or (in_child(measure, repeat) if measure.fresh else best_of(measure.work, repeat))
        rate = f"{measure.bytes / seconds / 1e6:8.1f} MB/s" if measure.bytes else " " * 13
        target = f"  target {measure.target * 1000:.0f} ms" if measure.target else ""
        yield f"  {measure.name:62} {seconds * 1000:8.1f} ms {rate}{target}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools/bench", description=__doc__)
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=f"of {', '.join(MODULES)}; default: all")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many runs counts")
    options = parser.parse_args()
    corpus = Path(__file__).resolve().parents[3] / "shared" / "corpus"
    if not corpus.is_dir():
        sys.exit("tools/bench needs ../shared/corpus beside the repository")
    pure = os.environ.get("KSREPLAY_PURE", "") not in ("", "0")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, kernels {'plain' if pure else 'as installed'}")
    for name in options.formats or MODULES:
        try:
            module = importlib.import_module(f"bench.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"bench.{name}":
                raise
            continue
        print(name)
        for row in rows(module.measures(corpus), options.repeat):
            print(row, flush=True)


if __name__ == "__main__":
    main()

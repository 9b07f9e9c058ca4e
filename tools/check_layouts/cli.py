"""Command line of check_layouts."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from gen import node

ROOT = Path(__file__).resolve().parents[2]


def open_all(folder: Path, cases: list[tuple[str, str, bytes]]) -> list[dict[str, Any]]:
    """Open each (layout, name, bytes); the answers hold ``nodes`` and ``errors``, in the same order."""
    with tempfile.TemporaryDirectory() as scratch:
        job = []
        for n, (layout, name, data) in enumerate(cases):
            file = Path(scratch) / str(n)
            file.write_bytes(data)
            job.append({"layout": layout, "name": name, "file": str(file)})
        answers: list[dict[str, Any]] = node.run(
            Path(__file__).with_name("open.mjs"), {"folder": str(folder.resolve()), "cases": job}
        )
    return answers


def report(answers: list[dict[str, Any]]) -> int:
    """Print one line a layout and each error; the number of files with errors."""
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for answer in answers:
        groups[answer["layout"]].append(answer)
    bad = 0
    for layout, group in groups.items():
        nodes = sum(answer["nodes"] for answer in group)
        print(f"{layout}: {len(group)} files, {sum(a['bytes'] for a in group)} bytes, {nodes} nodes")
        for answer in group:
            bad += bool(answer["errors"])
            for error in answer["errors"][:10]:
                print(f"  {answer['name']}: {error}")
            if len(answer["errors"]) > 10:
                print(f"  {answer['name']}: and {len(answer['errors']) - 10} more")
    return bad


def main(arguments: list[str] | None = None) -> int:
    """Exit 0 when everything opens, 1 when anything does not, 2 without node."""
    parser = argparse.ArgumentParser(
        prog="python tools/check_layouts", description="Opens samples in every layout as the Kaitai Web IDE does."
    )
    parser.add_argument("files", nargs="*", metavar="LAYOUT=FILE", help="open these instead of the bundled samples")
    options = parser.parse_args(arguments)
    failures: list[str] = []
    if options.files:
        pairs = [name.partition("=")[::2] for name in options.files]
        cases = [(layout, Path(file).name, Path(file).read_bytes()) for layout, file in pairs]
    else:
        from check_layouts.cases import all_cases

        made, failures = all_cases()
        cases = [(case.layout, case.name, case.data) for case in made]
    try:
        answers = open_all(ROOT / "ksy", cases)
    except node.NodeMissing as error:
        print(f"tools/check_layouts: {error}", file=sys.stderr)
        return 2
    bad = report(answers)
    if not options.files:
        opened = {layout for layout, _, _ in cases}
        layouts = sorted(path.stem for path in (ROOT / "ksy").glob("*.ksy"))
        failures += [f"{layout}: no sample opens it" for layout in layouts if layout not in opened]
    for failure in failures:
        print(failure)
    print(f"{len(answers)} files opened, {bad} with errors")
    return 1 if bad or failures else 0

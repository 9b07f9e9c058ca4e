"""Command line of tools/gen."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import node, outputs

ROOT = Path(__file__).resolve().parents[2]


#: Languages that the layouts are promised to compile to, besides those of `outputs.TARGETS`.
OTHER_LANGUAGES = ("cpp_stl", "rust", "javascript", "go", "csharp", "java")


def other_languages(folder: Path) -> int:
    """Compile every layout to each of `OTHER_LANGUAGES`; nothing is kept."""
    ids = sorted(path.stem for path in folder.glob("*.ksy"))
    compiled, errors = node.compile_specs(folder, ids, [(lang, lang, False) for lang in OTHER_LANGUAGES])
    for line in errors:
        print(f"error: {line}", file=sys.stderr)
    for lang in OTHER_LANGUAGES:
        files = {name: text for made in compiled.get(lang, {}).values() for name, text in made.items()}
        print(f"{lang}: {len(files)} files, {sum(map(len, files.values()))} characters")
    return 1 if errors else 0


def main(arguments: list[str] | None = None) -> int:
    """Exit 0 when all is well, 1 for errors, lint findings or (with --check) differences, 2 without node."""
    parser = argparse.ArgumentParser(
        prog="python tools/gen", description="Makes generated/ and the layout reference from ksy/."
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail when anything would change")
    parser.add_argument(
        "--other-languages", action="store_true", help="only compile the layouts to the other languages, into nothing"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="repository to work on (default: this one)")
    options = parser.parse_args(arguments)
    try:
        if options.other_languages:
            return other_languages(options.root / "ksy")
        result = outputs.generate(options.root / "ksy")
    except node.NodeMissing as error:
        print(f"tools/gen: {error}", file=sys.stderr)
        return 2
    for line in result.errors:
        print(f"error: {line}", file=sys.stderr)
    for finding in result.findings:
        print(f"style: {finding}", file=sys.stderr)
    if options.check:
        differences = outputs.compare(options.root, result)
        for line in differences:
            print(line, file=sys.stderr)
        if differences:
            print("run `python tools/gen` and commit what it writes", file=sys.stderr)
    else:
        differences = []
        for name in outputs.write(options.root, result):
            print(name)
    bad = bool(result.errors or result.findings or differences)
    print(
        f"{len(result.files)} files, {len(result.errors)} errors, {len(result.findings)} style findings",
        file=sys.stderr,
    )
    return 1 if bad else 0

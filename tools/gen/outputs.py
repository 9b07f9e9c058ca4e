"""All files that tools/gen makes, as one mapping of relative path to text."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from . import dtypes, lint, node, pages, readers, stubs, walks
from .model import Spec, camel, load_folder

TARGETS = [("read", "python", False), ("debug", "python", True), ("java", "java", False), ("dot", "graphviz", False)]
FOLDERS = ("generated", "docs/reference/layouts")


@dataclass
class Result:
    """What a run made: files by path relative to the repository, messages, and layouts that could not be made."""

    files: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    findings: list[lint.Finding] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)


def _one(spec: Spec, compiled: dict[str, dict[str, dict[str, str]]], files: dict[str, str]) -> None:
    """Everything made from one spec."""
    name = spec.id
    own = f"{name}.py"
    files[f"generated/{own}"] = readers.finish(spec, compiled["read"][name][own])
    files[f"generated/debug/{own}"] = readers.finish(spec, compiled["debug"][name][own], "..")
    files[f"generated/{name}.pyi"] = stubs.stub(spec, compiled["java"][name][f"/{camel(name)}.java"])
    files[f"generated/dtypes/{own}"] = dtypes.module(spec)
    if walk := walks.module(spec):
        files[f"generated/walks/{own}"] = walk
    files[f"docs/reference/layouts/{name}.md"] = pages.page(spec)
    files[f"docs/reference/layouts/{name}.dot"] = pages.diagram(spec, compiled["dot"][name][f"{name}.dot"])


def generate(folder: Path) -> Result:
    """Make every output from the .ksy files of a folder; a layout with an error is left out and told."""
    result = Result()
    specs, result.errors = load_folder(folder)
    result.failed = {message.split(".ksy", 1)[0] for message in result.errors}
    for spec in specs.values():
        result.findings += lint.check(spec)
    compiled, messages = node.compile_specs(folder, list(specs), TARGETS)
    result.errors += messages
    result.failed |= {message.split(".ksy", 1)[0] for message in messages}
    for spec in specs.values():
        if spec.id in result.failed:
            continue
        try:
            _one(spec, compiled, result.files)
        except ValueError as error:
            result.errors.append(str(error))
            result.failed.add(spec.id)
    good = [spec for spec in specs.values() if spec.id not in result.failed]
    result.files["docs/reference/layouts/index.md"] = pages.index(good)
    result.files["generated/__init__.py"] = readers.PACKAGE
    result.files["generated/debug/__init__.py"] = readers.DEBUG_PACKAGE
    result.files["generated/dtypes/__init__.py"] = dtypes.PACKAGE
    result.files["generated/walks/__init__.py"] = walks.PACKAGE
    return result


def _existing(root: Path) -> dict[str, Path]:
    found = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found[path.relative_to(root).as_posix()] = path
    return found


def _kept(path: str, failed: set[str]) -> bool:
    """Whether an old output belongs to a layout that could not be made this time."""
    return Path(path).stem in failed


def compare(root: Path, result: Result) -> list[str]:
    """Differences between the repository and what a run makes: one line a file."""
    existing = _existing(root)
    lines = [f"missing: {name}" for name in result.files if name not in existing]
    for name, path in existing.items():
        if name not in result.files:
            lines.append(f"extra: {name}")
        elif path.read_bytes() != result.files[name].encode("utf-8"):
            lines.append(f"differs: {name}")
    return sorted(lines)


def write(root: Path, result: Result) -> list[str]:
    """Bring the repository to what a run makes; returns the names of changed files."""
    changed = []
    for name, text in result.files.items():
        path = root / name
        data = text.encode("utf-8")
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            changed.append(name)
    for name, path in _existing(root).items():
        if name not in result.files and not _kept(name, result.failed):
            path.unlink()
            changed.append(f"{name} (removed)")
    return changed

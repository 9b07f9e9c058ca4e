"""Verification by the real simulator, in a process of its own: the package ``crimsonland`` under some Python 3.13.

Nothing here is needed to read or check a replay.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ksreplay.errors import INVALID, ReplayError, plain
from ksreplay.formats.crd_rules import FORMAT
from ksreplay.replays.crd import CrimsonlandReplay

#: The newest version that the released simulator reads.
NEWEST_READ = 34
HOW_TO_GET = (
    "the simulator is the package crimsonland, which needs Python 3.13 or later: "
    "python3.13 -m venv sim && sim/bin/pip install crimsonland, then ksreplay verify --python sim/bin/python FILE"
)

#: Runs the package's own command line, wherever its entry point lies; 97 says that there is none.
_START = """
import importlib.metadata, sys
found = [e for e in importlib.metadata.entry_points(group="console_scripts") if e.name == "crimson"]
if not found:
    sys.exit(97)
sys.argv = ["crimson", *sys.argv[1:]]
sys.exit(found[0].load()())
"""
_NO_PACKAGE = 97
_SHOWN = 400


@dataclass(frozen=True, slots=True)
class Verification:
    """What the simulator says. ``status``: ``ok``, ``result_mismatch`` or ``partial``; ``fields``: each field of the
    result as (path, recorded, derived, equal); ``report``: its whole answer; ``as_version``: what it was given."""

    status: str
    fields: list[tuple[str, Any, Any, bool]]
    as_version: int
    report: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        rows = [dict(zip(("field", "recorded", "derived", "equal"), row, strict=True)) for row in self.fields]
        return {
            "verified": self.status == "ok",
            "status": self.status,
            "as_version": self.as_version,
            "fields": plain(rows),
            "simulator": plain(self.report),
        }


def verify(replay: CrimsonlandReplay, *, python: str | None = None, timeout: float = 600.0) -> Verification:
    """Simulates the replay and compares the derived result with the recorded one, field by field.

    ``python``: an interpreter that has the package; default: this one. Raises ReplayError: ``no-simulator`` with how
    to get it, ``simulator-timeout`` after ``timeout`` seconds, ``simulator-refused`` where it does not play the
    replay, ``not-verifiable`` where it does not read such replays and they cannot be said otherwise; and for a file
    that is not valid, the first thing wrong with it.
    """
    for problem in replay.problems:
        if problem.severity in INVALID:
            raise ReplayError(
                f"the replay is not valid: {problem.message}", code=problem.code, format=FORMAT, where=problem.where,
                offset=problem.offset, found=problem.found, expected=problem.expected, source=problem.source,
            )  # fmt: skip
    version = min(replay.document.version, NEWEST_READ)
    try:
        data = replay.encode(version=version) if version != replay.document.version else replay.source.data
    except ReplayError as error:
        raise ReplayError(
            f"the released simulator reads versions up to {NEWEST_READ}, and {error.message}", code="not-verifiable",
            format=FORMAT, where=error.where, offset=error.offset, found=error.found, expected=error.expected,
        ) from error  # fmt: skip
    report = _run(data, python or sys.executable, timeout)
    derived, recorded = _leaves(report.get("result") or {}), _leaves(report.get("recorded") or {})
    fields = [
        (path, recorded.get(path), derived.get(path), recorded.get(path) == derived.get(path))
        for path in {**recorded, **derived}
    ]
    return Verification(str(report.get("status")), fields, version, report)


def _run(data: bytes, python: str, timeout: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="ksreplay-verify-") as folder:
        path = Path(folder) / "replay.crd"
        path.write_bytes(data)
        command = [python, "-c", _START, "replay", "verify", str(path), "--format", "json"]
        try:
            # Its own folder as home keeps the simulator from touching a player's saves and settings.
            done = subprocess.run(
                command, capture_output=True, timeout=timeout, check=False, stdin=subprocess.DEVNULL,
                env={**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "PYTHONUTF8": "1"},
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise ReplayError(
                f"the simulator did not finish within {timeout:g} s", code="simulator-timeout", format=FORMAT
            ) from error
        except OSError as error:
            raise ReplayError(
                f"{python} cannot be started: {error.strerror}; {HOW_TO_GET}", code="no-simulator", format=FORMAT
            ) from error
    if done.returncode == _NO_PACKAGE:
        raise ReplayError(f"{python} has no crimsonland; {HOW_TO_GET}", code="no-simulator", format=FORMAT)
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        if line.startswith("{"):
            try:
                report = json.loads(line)
            except ValueError:
                continue
            if isinstance(report, dict) and "status" in report and "result" in report:
                return report
    said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    message = " ".join(said[-3:])[-_SHOWN:] or f"exit code {done.returncode}"
    raise ReplayError(f"the simulator refuses the replay: {message}", code="simulator-refused", format=FORMAT)


def _leaves(value: Any, path: str = "") -> dict[str, Any]:
    """The single values of a nested document by path."""
    if isinstance(value, dict):
        items = [(f"{path}.{name}" if path else str(name), item) for name, item in value.items()]
    elif isinstance(value, list):
        items = [(f"{path}[{place}]", item) for place, item in enumerate(value)]
    else:
        return {path: value}
    return {leaf: found for name, item in items for leaf, found in _leaves(item, name).items()}

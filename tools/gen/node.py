"""Runs the node side: npm packages, the Kaitai compiler, and the layout check."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

TOOLS = Path(__file__).resolve().parents[1]


class NodeMissing(Exception):
    """node or npm is not there, or the packages could not be installed."""


def ensure_packages() -> None:
    """Install the locked npm packages into tools/node_modules where they are not."""
    if not shutil.which("node"):
        raise NodeMissing(
            "tools/gen needs node (18 or newer) and npm; users of the package do not, generated/ is committed"
        )
    if (TOOLS / "node_modules" / "kaitai-struct-compiler").is_dir():
        return
    npm = shutil.which("npm")
    if not npm:
        raise NodeMissing("npm is missing; it installs the compiler that tools/package-lock.json names")
    done = subprocess.run(
        [npm, "ci", "--no-audit", "--no-fund"],
        cwd=TOOLS,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NodeMissing(f"npm ci failed in tools/:\n{done.stdout}{done.stderr}")


def run(script: Path, job: Any) -> Any:
    """Run a script with a JSON job on its standard input; its standard output is JSON."""
    ensure_packages()
    done = subprocess.run(
        ["node", str(script)],
        input=json.dumps(job),
        cwd=TOOLS,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise NodeMissing(f"{script.name} failed:\n{done.stderr}")
    return json.loads(done.stdout)


def compile_specs(
    folder: Path, ids: list[str], targets: list[tuple[str, str, bool]]
) -> tuple[dict[str, Any], list[str]]:
    """Compile each id for each (key, language, debug). Returns {key: {id: {file name: text}}} and error messages."""
    job = {
        "folder": str(folder.resolve()),
        "ids": ids,
        "targets": [{"key": key, "lang": lang, "debug": debug} for key, lang, debug in targets],
    }
    result = run(Path(__file__).with_name("compile.mjs"), job)
    return result["files"], result["errors"]

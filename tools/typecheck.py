"""Runs mypy over the package: python tools/typecheck.py [mypy arguments].

The package is put together from src/, generated/ and ksy/ by setuptools' package-dir mapping, which no type checker
knows, so this lays a folder of links in the installed shape and checks that.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def lay(package: Path) -> None:
    """Links the three source folders under ``package`` as an installation would copy them."""
    package.mkdir(parents=True)
    for entry in (ROOT / "src").iterdir():
        if entry.name != "__pycache__":
            (package / entry.name).symlink_to(entry)
    for name in ("generated", "ksy"):
        (package / name).symlink_to(ROOT / name)


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder) / "ksreplay")
        command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *arguments]
        return subprocess.run(command, cwd=folder, env={**os.environ, "MYPYPATH": folder}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

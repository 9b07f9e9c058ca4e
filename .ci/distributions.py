"""Says what an sdist and a wheel lack: every layout, every stub, the samples, py.typed. Run by .ci/run."""

import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def names(archive: str) -> set[str]:
    """Paths inside, the sdist's own folder left out."""
    if archive.endswith(".whl"):
        with zipfile.ZipFile(archive) as wheel:
            return set(wheel.namelist())
    with tarfile.open(archive) as sdist:
        return {member.name.partition("/")[2] for member in sdist if member.isfile()}


def wanted(wheel: bool) -> set[str]:
    """What must be in it, as paths of the archive."""
    found = {"src/py.typed"}
    for pattern in (
        "ksy/*.ksy",
        "ksy/LICENSE",
        "generated/**/*.py",
        "generated/*.pyi",
        "src/**/*.py",
        "src/samples/sample.*",
    ):
        found |= {path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern)}
    if not wheel:
        return found | {"tools/package-lock.json", "LICENSE", "README.md", "pyproject.toml"}
    return {f"ksreplay/{name.removeprefix('src/')}" for name in found}


def main(archives: list[str]) -> int:
    bad = 0
    for archive in archives:
        have = names(archive)
        missing = sorted(wanted(archive.endswith(".whl")) - have)
        bad += len(missing)
        print(f"{Path(archive).name}: {len(have)} files, {len(missing)} missing")
        for name in missing:
            print(f"  {name}")
        bad += any("node_modules" in name for name in have)
    return 1 if bad or len(archives) != 2 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Every ``ksreplay`` command that the guide shows works on the bundled samples as it stands there."""

from __future__ import annotations

import re
import shlex
import shutil
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from ksreplay.cli import main
from ksreplay.registry import FORMATS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Names that the guide uses for "a file of yours": what stands in for them here.
YOURS = {"match.sdfz": "sample.sdfz", "track.cbtrack": "sample.cbtrack", "run.crd": "sample.crd"}


def commands(page: Path) -> list[str]:
    """Commands in console blocks and, where they name a sample, in running text; up to the first pipe or comment."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"^ *\$ (ksreplay .+)$", text, re.MULTILINE)
    found += re.findall(r"`(ksreplay [^`\n]*sample\.[^`\n]*)`", text)
    return list(dict.fromkeys(re.split(r" +#| \|", line)[0] for line in found))


CASES = [(page.name, command) for page in PAGES for command in commands(page)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for format in FORMATS.values():
        sample = files("ksreplay.samples").joinpath(format.sample)
        (tmp_path / format.sample).write_bytes(sample.read_bytes())
    for name, sample in YOURS.items():
        shutil.copy(tmp_path / sample, tmp_path / name)
    (tmp_path / "replays").mkdir()
    shutil.copy(tmp_path / "sample.crd", tmp_path / "replays")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("page", "command"), CASES, ids=[f"{page} {command}" for page, command in CASES])
def test_command(page: str, command: str, folder: Path) -> None:
    words = shlex.split(command)[1:]
    if words[0] == "sample":
        (folder / words[words.index("-o") + 1]).unlink()
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output


def test_commands_are_found() -> None:
    assert ("web-ide.md", "ksreplay ksy -o layouts") in CASES
    assert len(CASES) > 10

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
    found = [re.split(r" +#| \|", line)[0] for line in found]
    # What names another machine or a shell's result cannot run here.
    return [line for line in dict.fromkeys(found) if not re.search(r"\$\(| /", line)]


CASES = {page.name: commands(page) for page in PAGES if commands(page)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for format in FORMATS.values():
        sample = files("ksreplay.samples").joinpath(format.sample)
        (tmp_path / format.sample).write_bytes(sample.read_bytes())
    for name, sample in YOURS.items():
        shutil.copy(tmp_path / sample, tmp_path / name)
    for name in ("replays", "demos"):
        (tmp_path / name).mkdir()
        shutil.copy(tmp_path / "sample.crd", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _clear_output(words: list[str], folder: Path) -> None:
    """What an earlier command of the page wrote to the same place makes room, as --force would."""
    for option in {"-o", "--output"} & set(words):
        target = folder / words[words.index(option) + 1]
        if target.is_file():
            target.unlink()
        elif target.is_dir():
            shutil.rmtree(target)


@pytest.mark.parametrize("page", CASES)
def test_commands(page: str, folder: Path) -> None:
    for command in CASES[page]:
        words = shlex.split(command)[1:]
        _clear_output(words, folder)
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, f"{command}\n{result.output}"


def test_commands_are_found() -> None:
    assert "ksreplay ksy -o layouts" in CASES["web-ide.md"]
    assert sum(map(len, CASES.values())) > 10

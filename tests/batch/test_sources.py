"""Which files a job is about."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from batch.conftest import Folder

from batch import fake
from ksreplay.batch.sources import listing


@pytest.fixture
def tree(tmp_path: Path, fake_format: None) -> Path:
    root = tmp_path / "tree"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "one.fake").write_bytes(fake.fake())
    (root / "a" / "b" / "two.FAKE").write_bytes(b"")
    (root / "a" / "no suffix").write_bytes(fake.fake())
    (root / "a" / "notes.txt").write_bytes(b"notes")
    (root / "a" / "circle").symlink_to(root)
    (root / "a" / "nowhere.fake").symlink_to(root / "gone")
    os.mkfifo(root / "a" / "pipe.fake")
    return root


def names(sources: list[str], dataset: Path) -> list[str]:
    return sorted(os.path.basename(item.path) for item in listing(sources, dataset))  # noqa: PTH119


def test_folders_patterns_and_files(tree: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "ds"
    assert names([str(tree)], dataset) == ["no suffix", "one.fake", "two.FAKE"]
    assert set(names([f"{tree}/*/[op]*.fake"], dataset)) == {"one.fake", "pipe.fake"}
    assert names([f"{tree}/a/notes.txt", f"{tree}/a/gone.fake"], dataset) == ["gone.fake", "notes.txt"]
    (item,) = listing([f"{tree}/a/one.fake"], dataset)
    assert (item.size, Path(item.path)) == (len(fake.fake()), tree / "a" / "one.fake")


def test_a_data_set_inside_the_folder_is_left_out(tree: Path) -> None:
    dataset = tree / "a" / "ds"
    dataset.mkdir()
    (dataset / "trap.fake").write_bytes(fake.fake())
    assert "trap.fake" not in names([str(tree)], dataset)


@pytest.mark.parametrize("separator", ["\n", "\r\n", "\0"])
@pytest.mark.parametrize("last", ["", "separator"])
def test_a_list_on_standard_input(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, separator: str, last: str
) -> None:
    text = separator.join([f"{tree}/a/one.fake", f"{tree}/a/no suffix"]) + (separator if last else "")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    assert names(["-"], tmp_path / "ds") == ["no suffix", "one.fake"]


def test_a_name_that_is_no_text_and_a_name_that_would_steer_a_terminal(folder: Folder) -> None:
    odd = os.fsdecode(b"\xff\xfe.fake")
    for name in (odd, "new\nline \x1b[31m.fake"):
        (folder.source / name).write_bytes(fake.fake())
    assert folder.run()["statuses"] == {"ok": 1, "same": 1}
    assert folder.run()["read"] == 0
    paths = [row[0] for row in folder.query("select path from {files} order by path desc")]
    assert [path.rpartition("/")[2] for path in paths] == ["new\nline \x1b[31m.fake", r"\xff\xfe.fake"]


def test_what_is_not_there_is_a_fate(folder: Folder) -> None:
    from batch.fake import CHILD

    from ksreplay.batch import Options, run

    summary = run([str(folder.source / "gone.fake")], folder.dataset, Options(child=CHILD), jobs=1)
    assert summary["statuses"] == {"failed": 1}

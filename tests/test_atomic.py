"""Writing without half files."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ksreplay.atomic import replacing


def test_a_whole_file_or_none(tmp_path: Path) -> None:
    target = tmp_path / "a"
    with pytest.raises(RuntimeError), replacing(target) as file:
        file.write(b"half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    with replacing(target) as file:
        file.write(b"whole")
        assert not target.exists()
    assert target.read_bytes() == b"whole"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"old")
    with pytest.raises(FileExistsError), replacing(target):
        pass
    with replacing(target, force=True) as file:
        file.write(b"new")
    assert target.read_bytes() == b"new"


def test_a_file_that_came_up_meanwhile_stays(tmp_path: Path) -> None:
    target = tmp_path / "a"
    with pytest.raises(FileExistsError), replacing(target) as file:
        file.write(b"ours")
        target.write_bytes(b"theirs")
    assert target.read_bytes() == b"theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(os.name != "posix", reason="permission bits")
def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        with replacing(tmp_path / "a") as file:
            file.write(b"")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_missing_folder_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing, replacing(tmp_path / "no" / "a"):
        pass
    assert missing.value.filename == str(tmp_path / "no")
    with pytest.raises(OSError, match="regular") as folder, replacing(tmp_path, force=True):
        pass
    assert folder.value.filename == str(tmp_path)


def test_what_went_wrong_names_the_target(tmp_path: Path) -> None:
    target = tmp_path / "a"
    with pytest.raises(OSError, match="No space") as caught, replacing(target):
        raise OSError(28, "No space left on device")  # as write() raises it: without a name
    assert caught.value.filename == str(target)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_what_a_link_leads_to_is_replaced(tmp_path: Path) -> None:
    real, link = tmp_path / "folder" / "real", tmp_path / "link"
    real.parent.mkdir()
    link.symlink_to(real)
    for force, old in ((False, None), (True, b"new")):
        with replacing(link, force=force) as file:
            file.write(b"new")
            assert (real.read_bytes() if real.exists() else None) == old
        assert link.is_symlink() and real.read_bytes() == b"new"
    with pytest.raises(FileExistsError) as caught, replacing(link):
        pass
    assert caught.value.filename == str(link)
    assert [path.name for path in real.parent.iterdir()] == ["real"]


def test_a_folder_that_cannot_be_written_names_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only file system refuses to open the temporary file, and to remove what is not there as well."""

    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(30, "Read-only file system", str(arguments[0]))

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(OSError, match="Read-only") as caught, replacing(tmp_path / "a"):
        pass
    assert caught.value.filename == str(tmp_path / "a")

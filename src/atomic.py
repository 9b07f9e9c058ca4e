"""Writing without half files: a temporary file beside the target, renamed when it is whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def replacing(target: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """A binary file that becomes ``target`` when the block ends well, and vanishes when it does not.

    Raises FileExistsError where ``target`` exists and ``force`` is not given, also when it appears meanwhile.
    """
    if not force and target.exists():
        raise FileExistsError(17, "the file exists (--force overwrites)", str(target))
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        if force:
            os.replace(name, target)
        else:
            _rename_new(name, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _rename_new(name: str, target: Path) -> None:
    """Renames without replacing a file that has come up since the check."""
    try:
        os.link(name, target)
    except FileExistsError:
        raise FileExistsError(17, "the file exists (--force overwrites)", str(target)) from None
    except OSError:  # a file system without hard links
        os.replace(name, target)
    else:
        os.unlink(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

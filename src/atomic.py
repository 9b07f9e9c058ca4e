"""Writing without half files: a temporary file beside the target, renamed when it is whole."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def replacing(target: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """A binary file that becomes ``target`` when the block ends well, and vanishes when it does not.

    Raises FileExistsError where ``target`` exists and ``force`` is not given, also when it appears meanwhile, and
    OSError where it is a folder or a device, whatever ``force`` says. An OSError of the writing names ``target``.
    Where ``target`` is a link, what it leads to is replaced.
    """
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "this is no regular file", str(target))
    if not force and target.exists():
        raise FileExistsError(errno.EEXIST, "the file exists (--force overwrites)", str(target))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(target.parent))
    place = Path(os.path.realpath(target))
    # 40 characters of the name, since with what is around them they must fit into 255 bytes.
    name = place.with_name(f".{place.name[:40]}.{secrets.token_hex(6)}.part")
    try:
        with name.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if force:
            os.replace(name, place)
        else:
            _rename_new(name, place)
    except BaseException as error:
        with contextlib.suppress(OSError):  # it may never have come up, and the folder may be read-only
            os.unlink(name)
        if isinstance(error, OSError) and error.filename in (None, str(name), name, str(place)):
            error.filename = str(target)  # a full disk names no file, and the temporary one means nothing to a user
        raise


def _rename_new(name: Path, target: Path) -> None:
    """Renames without replacing a file that has come up since the check."""
    try:
        os.link(name, target)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, "the file exists (--force overwrites)", str(target)) from None
    except OSError:  # a file system without hard links
        os.replace(name, target)
    else:
        os.unlink(name)

"""Where the bytes of a replay come from: a path, bytes, a binary file, or a member of a .zip."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from ksreplay.errors import Corrupt, LimitExceeded, UnknownFormat
from ksreplay.limits import Limits

ZIP_MAGIC = b"PK\x03\x04"
_BLOCK = 16 << 20
_LARGE = 1 << 20  #: files worth letting go of


class Source:
    """The whole of a replay file: ``name``, ``data`` (bytes), ``size``, ``sha256``."""

    def __init__(self, data: bytes, name: str = "", path: Path | None = None) -> None:
        self._data: bytes | None = data
        self.size = len(data)
        self.name = name
        self.path = path

    @property
    def data(self) -> bytes:
        """The bytes of the file. Raises Corrupt where it was let go of and is another one by now."""
        return self._data if self._data is not None else self._again()

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def _on_disk(self) -> bool:
        return self.path is not None and self.size >= _LARGE and self.path.is_file()

    def hash_for_release(self) -> None:
        """Takes `sha256` of a file that `release` lets go of: for when there is time, as beside inflating."""
        if self._on_disk:
            _ = self.sha256

    def release(self) -> None:
        """Lets go of the bytes of a large file on disk, which `data` reads again and knows by its hash."""
        if self._on_disk and self.sha256:
            assert self.path is not None
            self.path = self.path.absolute()  # the working folder may be another one when it is read again
            self._data = None

    def _again(self) -> bytes:
        assert self.path is not None
        try:
            with self.path.open("rb") as file:
                data = file.read(self.size)  # what a growing file has gained since is not part of it
        except OSError:
            data = b""
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise Corrupt("the file has changed since it was opened", code="file-changed", where="file")
        return data

    @classmethod
    def of(cls, source: str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO, limits: Limits) -> Source:
        """Reads ``source`` whole; raises LimitExceeded past ``limits.file_bytes``, OSError for an unreadable path."""
        if isinstance(source, bytes | bytearray | memoryview):
            _check_size(len(source), limits)
            return cls(bytes(source))
        if isinstance(source, str | os.PathLike):
            path = Path(source)
            with path.open("rb") as file:
                return cls(_read(file, limits), path.name, path)
        name = getattr(source, "name", "")
        return cls(_read(source, limits), Path(name).name if isinstance(name, str) else "")

    def zip_member(self, wanted: Callable[[bytes], bool], limits: Limits) -> Source:
        """The first member of this .zip whose content is ``wanted``, read with every bound that a file has.

        Raises UnknownFormat where no member is a replay, Corrupt where the archive is damaged.
        """
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
                for member in archive.infolist()[: limits.archive_members]:
                    if member.is_dir() or member.flag_bits & 1:
                        continue
                    with archive.open(member) as file:
                        if not wanted(file.read(4096)):
                            continue
                    with archive.open(member) as file:
                        return Source(_read(file, limits, self.size), member.filename.rpartition("/")[2])
        except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError, RuntimeError) as error:
            raise Corrupt(f"the .zip archive cannot be read: {error}", code="bad-archive", where="archive") from error
        except Exception as error:
            # zlib, lzma and bz2 each have an error class of their own, and zipfile passes them on.
            if type(error).__module__ in {"zlib", "_lzma", "lzma"}:
                raise Corrupt(
                    f"a .zip member cannot be inflated: {error}", code="bad-archive", where="archive"
                ) from error
            raise
        raise UnknownFormat("the .zip archive holds no replay", code="unknown-format", where="archive")


def _read(file: Any, limits: Limits, compressed: int | None = None) -> bytes:
    bound = limits.file_bytes
    if compressed is not None:
        bound = min(bound, max(limits.ratio_floor, compressed * limits.inflate_ratio))
    # joining one block makes no copy
    data: bytes = b"".join(_blocks(file, bound + 1, _left(file)))
    if len(data) > bound:
        _check_size(len(data), limits)
        raise LimitExceeded("the .zip member inflates too far", code="inflate-ratio", where="archive", expected=bound)
    return data


def _left(file: Any) -> int:
    """How many bytes a file on disk still holds, 0 where that cannot be told."""
    try:
        size = os.fstat(file.fileno()).st_size - file.tell()
    except (AttributeError, OSError, ValueError):
        return 0
    return max(0, int(size))


def _blocks(file: Any, size: int, first: int) -> Iterator[bytes]:
    """Up to ``size`` bytes, the ``first`` of them in one block.

    A file sets aside what it is asked for, so it is never asked for the whole bound.
    """
    ask = max(first, _BLOCK)
    while size > 0 and (block := file.read(min(size, ask))):
        size -= len(block)
        ask = _BLOCK
        yield block


def _check_size(size: int, limits: Limits) -> None:
    if size > limits.file_bytes:
        raise LimitExceeded(
            "the file is larger than the limit file_bytes", code="file-bytes", found=size, expected=limits.file_bytes
        )

"""The files that a job is about: folders, patterns, single files, or a list on standard input, one at a time."""

# A million names: plain text, no Path object each.
# ruff: noqa: PTH100, PTH112, PTH116, PTH123, PTH207

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from ksreplay.batch.job import Item

_BLOCK = 1 << 16


def listing(sources: Iterable[str], dataset: Path) -> Iterator[Item]:
    """Every file once it is come across (a path may come twice), with size and time of change.

    In a folder: regular files that are replays by suffix or by their first bytes, but nothing of the data set.
    A file that is named itself always comes, also when it does not exist: its fate will say so.
    """
    own = os.path.realpath(dataset)
    for source in sources:
        if source == "-":
            yield from (item for name in _lines() for item in _one(name, own))
        else:
            yield from _one(source, own)


def _one(source: str, own: str) -> Iterator[Item]:
    if os.path.isdir(source):
        yield from _folder(os.path.abspath(source), own)
    elif glob.has_magic(source) and not os.path.lexists(source):
        for name in glob.iglob(source, recursive=True):
            yield from _one(name, own)
    else:
        path = os.path.abspath(source)
        try:
            info = os.stat(path)
        except (OSError, ValueError):
            yield Item(path, 0, 0)
        else:
            yield Item(path, info.st_size, info.st_mtime_ns)


def _folder(folder: str, own: str) -> Iterator[Item]:
    """Walks without following links to folders, so that a circle of links ends."""
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if os.path.realpath(entry.path) != own:
                            waiting.append(entry.path)
                        continue
                    try:
                        info = entry.stat()
                    except OSError:
                        continue  # a link to nowhere, or gone since
                    if stat.S_ISREG(info.st_mode) and _is_replay(entry):
                        yield Item(entry.path, info.st_size, info.st_mtime_ns)
        except OSError as error:
            print(f"ksreplay: {error.filename!a}: {error.strerror}", file=sys.stderr)


def _is_replay(entry: os.DirEntry[str]) -> bool:
    from ksreplay.formats.sniff import HEAD_BYTES, sniff
    from ksreplay.registry import FORMATS

    name = entry.name.lower()
    if any(name.endswith(suffix) for format in FORMATS.values() for suffix in format.suffixes):
        return True
    try:
        with open(entry.path, "rb") as file:
            return bool(sniff(file.read(HEAD_BYTES)))
    except OSError:
        return False


def _lines() -> Iterator[str]:
    """Paths of standard input, one a line; NUL-separated where there is a NUL (`find -print0`)."""
    stream = sys.stdin.buffer
    rest = stream.read(_BLOCK)
    separator = b"\0" if b"\0" in rest else b"\n"
    while rest:
        *names, rest = rest.split(separator)
        for name in names:
            if name := name.rstrip(b"\r") if separator == b"\n" else name:
                yield os.fsdecode(name)
        more = stream.read(_BLOCK)
        if not more:
            break
        rest += more
    if rest := rest.rstrip(b"\r\n\0"):
        yield os.fsdecode(rest)

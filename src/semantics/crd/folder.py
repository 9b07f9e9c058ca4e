"""The folder in which a client keeps its replays (seed 001, Where replays are kept)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

#: ``<n>-<mode>.crd``, as every client names its files.
FILE_NAME = re.compile(r"(\d{1,18})-(survival|rush|quest|typo|tutorial)\.crd", re.ASCII)
LAST_NUMBER = ".last-number"
ONLINE = "online"


@dataclass(frozen=True, slots=True)
class Folder:
    """``replays``: (number, mode, path) of the client's own files by number; ``online``: files fetched to be watched,
    by run id; ``last_number``: the highest number handed out so far, None where the folder does not say."""

    replays: list[tuple[int, str, Path]]
    online: list[Path]
    last_number: int | None

    @property
    def next_number(self) -> int:
        """The number of the next replay: one more than any handed out, so that a deleted one's is never reused."""
        return max([self.last_number or 0, *(number for number, _, _ in self.replays)]) + 1


def read(folder: Path) -> Folder:
    """The replays of a folder by their names alone; nothing is opened. Raises OSError where it cannot be listed."""
    own = []
    for path in folder.iterdir():
        match = FILE_NAME.fullmatch(path.name)
        if match is not None and path.is_file():
            own.append((int(match.group(1)), match.group(2), path))
    fetched = folder / ONLINE
    online = sorted(fetched.glob("*.crd")) if fetched.is_dir() else []
    return Folder(sorted(own), online, last_number(folder))


def last_number(folder: Path) -> int | None:
    """The highest number handed out, as the folder's ``.last-number`` says it."""
    try:
        with (folder / LAST_NUMBER).open("rb") as file:
            text = file.read(32).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return int(text) if text.isdecimal() else None

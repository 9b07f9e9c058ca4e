"""Map names with their version split off, so that a map's versions are one map (seed 002; spring-analysis 3.10).

When in doubt a name stays whole: a wrong merge would put two different maps into one picture.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SEPARATORS = " \t\r\n\f\v_-"
# The last word is a version when it is `v` and dotted numbers, or at least two dotted numbers.
_VERSION = re.compile(r"v\d+(?:\.\d+)*|\d+(?:\.\d+)+", re.IGNORECASE | re.ASCII)
_LETTER = re.compile(r"[A-Za-z]")


class MapName(NamedTuple):
    base: str
    version: str  # "" when the name has none


def split_version(name: str) -> MapName:
    """Split `name` into the map's name and its version; both trimmed, the version as written.

    What is left must hold a letter, or the whole is the name: `2.6.1` and `12 2.0` are maps without a version.
    """
    name = name.strip()
    cut = max(name.rfind(separator) for separator in _SEPARATORS)
    base, version = name[: max(cut, 0)].rstrip(_SEPARATORS), name[cut + 1 :]
    if cut < 0 or not _VERSION.fullmatch(version) or not _LETTER.search(base):
        return MapName(name, "")
    return MapName(base, version)


def family(name: str) -> str:
    """The name under which matches of all versions of a map meet (case-sensitive)."""
    return split_version(name).base

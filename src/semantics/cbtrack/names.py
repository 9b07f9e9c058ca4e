"""Names beside numbers: what a number code, a target kind, a piece or a definition is called."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ksreplay.columns import Strings
from ksreplay.formats.cbtrack_columns import FIRST_PARAMETER, NO_TEAM
from ksreplay.generated.dtypes.cbtrack_chunk import ENUMS
from ksreplay.semantics.cbtrack.model import Info

Array = npt.NDArray[Any]

KINDS: Final[dict[int, str]] = ENUMS["target_kind"]
CODES: Final[dict[int, str]] = ENUMS["number_code"]

_KIND_WORDS: Final = tuple(KINDS.values())
# kind -> index in the words; an unknown kind reads as the first, nothing
_KIND_WORD: Final = np.zeros(256, np.int32)
_KIND_WORD[list(KINDS)] = np.arange(len(KINDS))


def kind_names(kinds: Array) -> Strings:
    """The word for each kind; an unknown kind is ``nothing``."""
    return Strings.from_codes(_KIND_WORD[kinds], _KIND_WORDS)


def number_name(info: Info, team: int | None, code: int) -> str | None:
    """What a number of ``team`` (None or 255: the game) is called; None for an undefined code."""
    if code < FIRST_PARAMETER:
        return CODES.get(code)
    names = info.game_parameters if team is None or team == NO_TEAM else info.team_parameters
    index = code - FIRST_PARAMETER
    return names[index] if index < len(names) else None


def number_names(info: Info, teams: Array, codes: Array) -> Strings:
    """`number_name` for many rows."""
    pairs, inverse = np.unique(teams.astype(np.int64) << 32 | codes, return_inverse=True)
    texts = [number_name(info, int(pair) >> 32, int(pair) & 0xFFFFFFFF) for pair in pairs]
    known = np.array([i if text is not None else -1 for i, text in enumerate(texts)], np.int32)
    return Strings.from_codes(known[inverse] if len(pairs) else inverse, [text or "" for text in texts])


def piece_names(info: Info, definitions: Array, pieces: Array) -> Strings:
    """The name of a piece of a unit definition for each row; null where the info chunk has none."""
    texts: list[str] = []
    firsts = np.full(1 << 16, 0, np.int64)
    counts = np.zeros(1 << 16, np.int64)
    for definition, names in info.pieces.items():
        firsts[definition], counts[definition] = len(texts), len(names)
        texts.extend(names)
    codes = np.where(pieces < counts[definitions], firsts[definitions] + pieces, -1)
    return Strings.from_codes(codes, texts)

"""A replay said in another format version, up and down, wherever that loses nothing.

Source: seed 001, Payload; crd-format §6.
"""

from __future__ import annotations

from typing import Any

from ksreplay.formats.crd_rules import FORMAT
from ksreplay.formats.crd_schema import BUILD_1_9_93, NEWEST, OLDEST, Payload
from ksreplay.semantics.crd.rules import CANNOT_SAY
from ksreplay.semantics.crd.settings import as_newest

STATUS_KEYS = ("quest_unlock_index_full", "quest_unlock_index_hardcore")

#: What each field must be to be left out of versions before its first: (field, first version, that value).
_LEFT_OUT: tuple[tuple[str, int, Any], ...] = (
    ("rules", 31, 1),
    ("pilot", 32, None),
    ("run.custom_quest", 33, None),
    ("seat_keys", 34, None),
    ("run.cl_build", 35, BUILD_1_9_93),
)


def in_version(
    payload: Payload, to: int | None = None, status_key: str | None = None
) -> tuple[dict[str, Any], int, str]:
    """The top map (without ticks) for version ``to``, that version, and the spelling of the status key.

    Without ``to`` the version and the spelling stay; with it versions before 35 get the spelling of real files, and
    35 keeps the file's. Raises UnsupportedVersion naming the first field that the version cannot say.
    """
    version = payload.version if to is None else to
    if not OLDEST <= version <= NEWEST:
        raise CANNOT_SAY.failure(FORMAT, "format_version", found=version, expected=f"{OLDEST}..{NEWEST}")
    if status_key is None:
        status_key = payload.status_key if to is None or version >= 35 else STATUS_KEYS[0]
    if status_key not in STATUS_KEYS:
        raise ValueError(f"the status key is {STATUS_KEYS[0]} or {STATUS_KEYS[1]}, not {status_key!r}")
    newest = as_newest(payload)
    for path, since, left_out in _LEFT_OUT:
        value: Any = newest
        for name in path.split("."):
            value = (value or {}).get(name)
        if version < since and value != left_out:
            raise CANNOT_SAY.failure(
                FORMAT, path, payload.offsets.get(path), found=value, expected=left_out,
                message=f"version {version} cannot say {path}: it has to be {left_out!r}",
            )  # fmt: skip
    # At its own version an early v33 custom quest keeps its layout.
    values = payload.values if version == payload.version else newest
    return {**values, "format_version": version}, version, status_key

"""The columns of a track: which type each has, and the numbers that more than one module needs.

Ids and names come from ``ksy/cbtrack_chunk.ksy``; a test holds the types below against what that layout's
documentation says of each column.
"""

from __future__ import annotations

from typing import Final

from ksreplay.generated.dtypes.cbtrack_chunk import ENUMS

MOST: Final = 16_777_215  # 2**24 - 1, the largest whole number that is exact in the engine's Lua
BLOCK: Final = 64
ESCAPE: Final = -32_768
NO_OWNER: Final = 65_535
NO_DEFINITION: Final = 65_535
NO_TEAM: Final = 255
FIRST_PARAMETER: Final = 256
FIRST_PLACED_KIND: Final = 128

NAMES: Final[dict[int, str]] = ENUMS["column_id"]
IDS: Final[dict[str, int]] = {name: number for number, name in NAMES.items()}
# type number -> numpy dtype, little endian
TYPES: Final[dict[int, str]] = {number: "<" + name.replace("s", "i") for number, name in ENUMS["value_type"].items()}
_TYPE_NUMBER: Final[dict[str, int]] = {name: number for number, name in ENUMS["value_type"].items()}

# fmt: off
_BY_TYPE: Final[dict[str, tuple[int, ...]]] = {
    "u1": (
        4, 5, 10, 23, 35, 40, 43, 45, 73, 77, 82, 83, 104, 130, 131, 137,
        161, 163, 165, 167, 171, 172, 173, 174, 175, 177, 179, 184, 186,
    ),
    "u2": (
        1, 3, 6, 7, 8, 9, 11, 12, 16, 24, 25, 26, 32, 33, 34, 41, 42, 56, 57, 58, 72, 74,
        81, 84, 85, 86, 87, 88, 105, 106, 107, 112, 113, 114, 128, 129, 138, 139, 140,
        160, 162, 164, 166, 168, 169, 170, 176, 178, 181, 182, 183, 185,
    ),
    "s2": (17, 18, 19, 59, 60, 61, 65, 66, 67, 89, 90, 91, 95, 96, 97),
    "u4": (2, 44, 80, 132, 133, 180),
    "s4": (
        20, 21, 22, 46, 47, 48, 62, 63, 64, 68, 69, 70, 75, 76, 92, 93, 94, 98, 99, 100,
        115, 116, 134, 135, 136,
    ),
    "f4": (108,),
}
# fmt: on
# column id -> type number
TYPE_OF: Final[dict[int, int]] = {
    column: _TYPE_NUMBER[name] for name, columns in _BY_TYPE.items() for column in columns
}

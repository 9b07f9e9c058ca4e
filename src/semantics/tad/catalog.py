"""What the unit data says about the types of the game: keys, checksums, which are enabled, the catalog's hash.

The unit data does not say which index a type has, since the game sorts the types by a name that is not in the file;
it bounds how many there are, and so the width of an index (seed 004, 7, catalog provenance).
"""

from __future__ import annotations

import hashlib
import zlib
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ksreplay.formats.tad import Setup

_CHECKSUM, _STATUS, _RECORDER = 2, 3, 9


class UnitTypes:
    """One entry a key, in the order of their first mention."""

    #: The key of the pseudo unit that the recorder itself adds.
    RECORDER = 0x92549357

    def __init__(self, setup: Setup) -> None:
        entries = setup.unit_data["entry"]
        named = entries[np.isin(entries["sub"], (_CHECKSUM, _STATUS))]
        keys, first = np.unique(named["key"], return_index=True)
        order = np.argsort(first, kind="stable")
        self.keys: NDArray[np.uint32] = keys[order].astype(np.uint32)
        place = np.empty(len(keys), np.int64)
        place[order] = np.arange(len(keys))
        count = len(keys)
        self.checksums, self.limits = np.zeros(count, np.uint32), np.full(count, 0xFFFF, np.uint16)
        self.selected, self.compatible = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        self.has_checksum, self.has_status = np.zeros(count, bool), np.zeros(count, bool)
        for sub, has in ((_CHECKSUM, self.has_checksum), (_STATUS, self.has_status)):
            some = named[named["sub"] == sub]
            at = place[np.searchsorted(keys, some["key"])]
            has[at] = True
            if sub == _CHECKSUM:
                self.checksums[at] = some["value"]
            else:
                self.selected[at] = some["value"] & 0xFF
                self.compatible[at] = some["value"] >> 8 & 0xFF
                self.limits[at] = some["value"] >> 16
        noted = entries[entries["sub"] == _RECORDER]
        #: CRC-32 that the recorder noted of the records before the unit data, None where it did not.
        self.header_crc: int | None = int(noted["fill"][0]) if len(noted) else None

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def enabled(self) -> NDArray[np.bool_]:
        """Both negotiation flags set: the type is in the game."""
        both: NDArray[np.bool_] = (self.selected != 0) & (self.compatible != 0)
        return both

    @property
    def width(self) -> int | None:
        """Bits of an index if every enabled key is one type: the bit length of their number plus row zero."""
        count = int(self.enabled.sum())
        return (count + 1).bit_length() if count else None

    @cached_property
    def data_hash(self) -> str | None:
        """What sites and launchers know a data set by: MD5 of the sum of keys and checksums of the enabled types."""
        some = self.enabled & self.has_checksum & (self.keys != self.RECORDER)
        if not some.any():
            return None
        total = int(self.keys[some].sum(dtype=np.uint64) + self.checksums[some].sum(dtype=np.uint64)) & 0xFFFFFFFF
        return hashlib.md5(total.to_bytes(4, "little"), usedforsecurity=False).hexdigest()


def header_crc(data: bytes, setup: Setup) -> int:
    """CRC-32 of all records before the unit data, as the recorder notes it."""
    return zlib.crc32(data[: setup.ofs_unit_data - 2])

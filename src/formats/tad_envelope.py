"""The envelope that Total Annihilation puts around its messages: mask and checksum (seed 004, 5).

Of a message of n bytes those from 3 to n - 4 are masked with the low byte of their index, counted from the flag, and
summed after masking. The last three are neither masked nor summed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

HEAD = 3
TAIL = 3
PLAIN, COMPRESSED = 3, 4

_KEY = np.arange(65536 * 2).astype(np.uint8)


def _masked(wire: NDArray[np.uint8]) -> slice:
    return slice(HEAD, max(HEAD, len(wire) - TAIL))


def _xor(wire: NDArray[np.uint8]) -> None:
    span = _masked(wire)
    key = _KEY if len(wire) <= len(_KEY) else np.arange(len(wire)).astype(np.uint8)
    wire[span] ^= key[span]


def checksum(wire: bytes) -> int:
    """The checksum that the masked message ``wire`` should carry."""
    data = np.frombuffer(wire, np.uint8)
    return int(data[_masked(data)].sum(dtype=np.uint64)) & 0xFFFF


def decrypt(wire: bytes) -> tuple[int, bytes, bool]:
    """(flag, payload, whether the checksum is right) of a whole message, flag byte first.

    The payload is still compressed when the flag is 4. A message shorter than its head gives an empty payload and
    False. A message of fewer than four bytes gets the filler 0x06 that the game's readers append.
    """
    if len(wire) < HEAD:
        return (wire[0] if wire else 0), b"", False
    data = np.frombuffer(wire, np.uint8).copy()
    good = int.from_bytes(wire[1:HEAD], "little") == checksum(wire)
    _xor(data)
    return int(data[0]), data[HEAD:].tobytes() or b"\x06", good


def encrypt(flag: int, payload: bytes) -> bytes:
    """The whole message that `decrypt` turns back into ``flag`` and ``payload``."""
    data = np.frombuffer(bytes([flag, 0, 0]) + payload, np.uint8).copy()
    _xor(data)
    wire = data.tobytes()
    return wire[:1] + checksum(wire).to_bytes(2, "little") + wire[HEAD:]

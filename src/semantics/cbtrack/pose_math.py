"""Piece matrices -> what a script set on the piece: three angles and an offset relative to the parent.

Source: seed 000, "Pose tracks": a piece is moved by its rest offset plus the offset, then turned by Ry * Rx * Rz.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_TURN = 65_536 / (2 * math.pi)
#: Below this size of the cosine of the angle about x only the difference or sum of the other two angles is known.
GIMBAL = 1e-6


def relative(piece: npt.ArrayLike, parent: npt.ArrayLike | None, rest: npt.ArrayLike) -> tuple[Array, Array]:
    """Matrices (n, 4, 4) in model space -> rotation (n, 3, 3) and offset (n, 3) in elmos, both relative to the parent
    (None: the model itself); ``rest`` is the piece's rest offset (3)."""
    own = np.asarray(piece, np.float64).reshape(-1, 4, 4)
    rotation, place = own[:, :3, :3], own[:, :3, 3]
    if parent is not None:
        above = np.asarray(parent, np.float64).reshape(-1, 4, 4)
        inverse = above[:, :3, :3].transpose(0, 2, 1)
        rotation = inverse @ rotation
        place = (inverse @ (place - above[:, :3, 3])[:, :, None])[:, :, 0]
    return rotation, place - np.asarray(rest, np.float64)


def angles(rotation: Array) -> Array:
    """Rotations (n, 3, 3) in the order of time -> angles about x, y, z (n, 3) in 65,536ths of a turn, not reduced.

    Of the two sets of angles of a rotation, and of all whole turns, the one nearest the sample before; where the angle
    about x is a quarter turn, the angle about z of the sample before.
    """
    result = np.empty((len(rotation), 3))
    before = (0.0, 0.0, 0.0)
    for i, m in enumerate(np.asarray(rotation, np.float64).tolist()):
        across = math.hypot(m[1][0], m[1][1])
        x = math.atan2(-m[1][2], across)
        is_quarter = across < GIMBAL
        z = before[2] if is_quarter else math.atan2(m[1][0], m[1][1])
        # with z taken off, the first column is that of a turn about y alone: as exact near a quarter turn as elsewhere
        c, s = math.cos(z), math.sin(z)
        y = math.atan2(m[2][1] * s - m[2][0] * c, m[0][0] * c - m[0][1] * s)
        sets = [(x, y, z)]
        if not is_quarter:
            sets.append((math.pi - x, y + math.pi, z + math.pi))
        before = min((_near(angles_, before) for angles_ in sets), key=lambda pair: pair[0])[1]
        result[i] = before
    return result * _TURN


def _near(angles_: tuple[float, ...], before: tuple[float, ...]) -> tuple[float, tuple[float, float, float]]:
    """Each angle moved by the whole turns that bring it nearest to ``before``, and how far it is then."""
    whole = 2 * math.pi
    x, y, z = (a - whole * round((a - b) / whole) for a, b in zip(angles_, before, strict=True))
    return abs(x - before[0]) + abs(y - before[1]) + abs(z - before[2]), (x, y, z)

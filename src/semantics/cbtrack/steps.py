"""The steps that a writer rounds to, and rounding itself.

Source: seed 000, "Choosing the steps and the window length" and "Rotation"; halves are rounded away from zero and of
two components of one size the first is dropped (facts/cbtrack-notes.md section 3, where the page is silent).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.formats.cbtrack import FORMAT
from ksreplay.semantics.cbtrack import rules

Array = npt.NDArray[Any]

#: The part of the tolerance that rounding may use up.
QUARTER = 0.25


def position_error(shift: int) -> float:
    """Elmos that rounding can move a point: half a step on each of three axes."""
    return float(2.0**-shift * math.sqrt(3) / 2)


def velocity_error(shift: int, window_length: int) -> float:
    """Elmos that rounding both velocities can move the cubic over a gap of one window."""
    return float(window_length * 2.0**-shift * math.sqrt(3) / 8)


def rotation_error(bits: int) -> float:
    """Radians that rounding can turn a unit."""
    return math.sqrt(6) / float(2 ** (bits - 1) - 1)


def _smallest(candidates: range, errors: Any, allowed: float, where: str) -> int:
    for candidate in candidates:
        if errors(candidate) <= allowed:
            return candidate
    raise rules.STEP.failure(FORMAT, where=where, found=allowed, expected="a tolerance that the steps allow")


def position_shift(tolerance: float) -> int:
    """The largest step whose rounding moves a point no further than a quarter of the tolerance."""
    return _smallest(range(256), position_error, tolerance * QUARTER, "header.position_shift")


def velocity_shift(tolerance: float, window_length: int) -> int:
    """The largest step whose rounding moves the cubic no further than a quarter of the tolerance over a window."""
    errors = lambda shift: velocity_error(shift, window_length)  # noqa: E731
    return _smallest(range(256), errors, tolerance * QUARTER, "header.velocity_shift")


def rotation_bits(tolerance: float, largest_radius: float) -> int:
    """The smallest width at which rounding moves no point at a unit's edge further than a quarter of the tolerance."""
    errors = lambda bits: rotation_error(bits) * largest_radius  # noqa: E731
    return _smallest(range(8, 17), errors, tolerance * QUARTER, "header.rotation_bits")


def round_away(values: npt.ArrayLike) -> Array:
    """The nearest whole numbers, halves away from zero; float64."""
    array = np.asarray(values, np.float64)
    whole = np.trunc(array)
    result: Array = whole + np.where(np.abs(array - whole) >= 0.5, np.sign(array), 0.0)
    return result


def in_steps(values: npt.ArrayLike, shift: int, where: str, limit: int = 16_777_215) -> Array:
    """Elmos (or elmos per frame) -> int64 steps; raises a ReplayError naming the value that does not fit (by row and
    axis where they are (n, 3))."""
    array = np.asarray(values, np.float64)
    scaled = round_away(array * 2.0**shift)
    wrong = np.flatnonzero(~(np.abs(scaled) <= limit))
    if len(wrong):
        at = int(wrong[0])
        most = limit * 2.0**-shift
        place = f"[{at // 3}].{'xyz'[at % 3]}" if array.ndim == 2 and array.shape[1] == 3 else f"[{at}]"
        raise rules.FIT.failure(
            FORMAT, where=f"{where}{place}", found=float(array.ravel()[at]), expected=f"-{most:g} to {most:g}"
        )
    return scaled.astype(np.int64)


def fraction(values: npt.ArrayLike) -> Array:
    """Health or build progress -> 0 to 65,535, int64; clamped, as the page says of these alone."""
    return round_away(np.clip(np.asarray(values, np.float64), 0.0, 1.0) * 65_535).astype(np.int64)


def rotation_of(front: npt.ArrayLike, up: npt.ArrayLike) -> Array:
    """Unit quaternions (4, n) from front and up directions (n, 3)."""
    z = np.atleast_2d(np.asarray(front, np.float64))
    y = np.atleast_2d(np.asarray(up, np.float64))
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    x = np.cross(y, z)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    return quaternion_of(np.stack((x, np.cross(z, x), z), axis=2))


def quaternion_of(matrices: Array) -> Array:
    """Unit quaternions (4, n) from rotation matrices (n, 3, 3) that act on columns."""
    m = np.asarray(matrices, np.float64)
    # four times the square of each component; the largest is the one to divide by
    d0, d1, d2 = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    squares = np.stack((1 + d0 - d1 - d2, 1 - d0 + d1 - d2, 1 - d0 - d1 + d2, 1 + d0 + d1 + d2))
    a, b, c = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    d, e, f = m[:, 0, 1] + m[:, 1, 0], m[:, 0, 2] + m[:, 2, 0], m[:, 1, 2] + m[:, 2, 1]
    forms = np.stack(
        (
            np.stack((squares[0], d, e, a)),
            np.stack((d, squares[1], f, b)),
            np.stack((e, f, squares[2], c)),
            np.stack((a, b, c, squares[3])),
        )
    )
    best = forms[np.argmax(squares, axis=0), :, np.arange(len(m))].T
    result: Array = best / np.sqrt((best * best).sum(axis=0))
    return result


def pack_rotation(quaternions: Array, bits: int) -> tuple[Array, Array]:
    """Unit quaternions (4, n) -> dropped component (n) and the three kept ones (3, n), int64."""
    q = np.asarray(quaternions, np.float64)
    dropped = np.argmax(np.abs(q), axis=0)
    sign = np.where(q[dropped, np.arange(q.shape[1])] < 0, -1.0, 1.0)
    top = 2 ** (bits - 1) - 1
    stored = round_away(q * sign * (top / math.sqrt(0.5))).astype(np.int64)
    order = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])[dropped]
    kept = np.take_along_axis(stored, order.T, axis=0)
    return dropped, np.clip(kept, -top, top)

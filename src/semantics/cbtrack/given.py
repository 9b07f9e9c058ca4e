"""Checks of what a writer is given. Each names the value that a track cannot say.

Source: seed 000, "Rules for a writer": a value that does not fit is an error, not a silent wrap.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ksreplay.errors import ReplayError
from ksreplay.formats.cbtrack import FORMAT
from ksreplay.semantics.cbtrack import rules, steps

Array = npt.NDArray[Any]

#: The largest number that a header's float32 can hold.
MOST_FLOAT = float(np.finfo(np.float32).max)


def misfit(where: str, found: Any, expected: Any) -> ReplayError:
    return rules.FIT.failure(FORMAT, where=where, found=found, expected=expected)


def whole(values: npt.ArrayLike, low: int, high: int, where: str, count: int | None = None) -> Array:
    """Whole numbers of ``low`` to ``high``, int64 (n); ``count`` of them where that is given."""
    array = np.atleast_1d(np.asarray(values))
    if array.dtype.kind not in "iu":
        array = array.astype(np.float64)
    if array.ndim != 1 or (count is not None and len(array) != count):
        raise rules.VALUES.failure(FORMAT, where=where, found=list(array.shape), expected=[count])
    fits = (array >= low) & (array <= high) & (array == np.trunc(array))
    if not fits.all():
        at = int(np.flatnonzero(~fits)[0])
        raise misfit(f"{where}[{at}]", array[at].item(), f"{low} to {high}")
    result: Array = array.astype(np.int64)
    return result


def number(value: Any, low: int, high: int, where: str) -> int:
    """One whole number of ``low`` to ``high``."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise misfit(where, value, f"a number of {low} to {high}")
    if not low <= value <= high or value != int(value):
        raise misfit(where, value, f"{low} to {high}")
    return int(value)


def distance(value: float, where: str) -> float:
    """A tolerance as the header holds it: a float32 that is finite and not negative."""
    if not 0 <= value <= MOST_FLOAT:
        raise misfit(where, value, "0 or more, and finite")
    return float(np.float32(value))


def times(frames: npt.ArrayLike, first: int, last: int, where: str) -> Array:
    """Rising frames of a life from ``first`` to ``last``."""
    time = whole(frames, -(1 << 40), 1 << 40, where)
    wrong = np.flatnonzero(time[1:] <= time[:-1])
    if len(wrong):
        at = int(wrong[0]) + 1
        raise rules.SAME_FRAME.failure(FORMAT, where=f"{where}[{at}]", found=int(time[at]))
    if len(time) and (time[0] < first or time[-1] > last):
        raise rules.KEY_PLACE.failure(FORMAT, where=where, found=[int(time[0]), int(time[-1])], expected=[first, last])
    return time


def rows(values: npt.ArrayLike, count: int, width: int, where: str) -> Array:
    """``count`` rows of ``width`` numbers each, float64; one row may be given bare."""
    array = np.asarray(values, np.float64)
    if array.size != count * width:
        raise rules.VALUES.failure(FORMAT, where=where, found=list(array.shape), expected=[count, width])
    return array.reshape(count, width)


def _turned(quaternions: Array, where: str, shown: Array, expected: str) -> Array:
    """Unit quaternions (4, n), made from the rows of ``shown``; a row that gives none is named."""
    wrong = np.flatnonzero(~np.isfinite(quaternions).all(axis=0))
    if len(wrong):
        at = int(wrong[0])
        raise misfit(f"{where}[{at}]", str(shown[at].tolist()), expected)
    return quaternions


def fractions(values: npt.ArrayLike, count: int, where: str) -> Array:
    """Health or build progress, float64 (count); what lies outside 0 to 1 is clamped, as the page says of these."""
    array = rows(values, count, 1, where)[:, 0]
    wrong = np.flatnonzero(np.isnan(array))
    if len(wrong):
        raise misfit(f"{where}[{int(wrong[0])}]", "nan", "a number")
    return np.clip(array, 0.0, 1.0)


def rotations(values: npt.ArrayLike, count: int, where: str) -> Array:
    """Quaternions x y z w as unit quaternions (4, count)."""
    given = rows(values, count, 4, where)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        turned = given.T / np.sqrt((given * given).sum(axis=1))
    return _turned(turned, where, given, "a rotation")


def rotations_of(front: npt.ArrayLike, up: npt.ArrayLike, count: int, where: str) -> Array:
    """Unit quaternions (4, count) of front and up directions."""
    ahead, above = rows(front, count, 3, f"{where}.front"), rows(up, count, 3, f"{where}.up")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        turned = steps.rotation_of(ahead, above)
    return _turned(turned, f"{where}.front", np.hstack((ahead, above)), "front and up that are not parallel")


def text(value: str, where: str) -> str:
    """A string of at most 65,535 bytes of UTF-8."""
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise rules.UTF8.failure(FORMAT, where=where, found=ascii(value)) from error
    if size > 65_535:
        raise misfit(where, f"{size} bytes", "at most 65535 bytes")
    return value

"""Running totals turned into rates and sides, and APM from the trailer (spring-analysis 3.9, `matchStats`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ksreplay.columns import distinct

FRAMES_PER_SECOND = 30
FloatArray = npt.NDArray[np.float64]


def apm(commands: int, header_seconds: int) -> float | None:
    """The trailer's commands of a player over the match minutes of the header; None where the header has no length."""
    return commands / (header_seconds / 60.0) if header_seconds > 0 else None


def seconds_per_frame(period_seconds: float, frames_by_team: Iterable[npt.ArrayLike]) -> float:
    """Seconds of game time a sample frame stands for: the period over the frame step of the first team with 2
    samples."""
    for frames in frames_by_team:
        f = np.asarray(frames, np.int64)
        if len(f) >= 2 and f[1] > f[0]:
            return float(period_seconds) / float(f[1] - f[0])
    return 1.0 / FRAMES_PER_SECOND


def per_minute(totals: npt.ArrayLike, seconds: npt.ArrayLike) -> FloatArray:
    """The rise of a running total per minute at each sample: float64, NaN where there is none.

    ``totals`` is (n,), or (..., n) for several at the same ``seconds``.

    The first point takes the second's rate; a single point has none; two samples at one time have none either.
    """
    # A damaged total may be infinite or no number at all: the rate is then what arithmetic says, without a warning.
    with np.errstate(all="ignore"):
        v = np.asarray(totals, np.float64)
        t = np.asarray(seconds, np.float64)
        rates = np.full(v.shape, np.nan)
        if len(t) >= 2:
            step = np.diff(t)
            rates[..., 1:] = np.where(step > 0, np.diff(v) * 60.0 / step, np.nan)
            rates[..., 0] = rates[..., 1]
    return rates


def on_axis(frames: npt.ArrayLike, values: npt.ArrayLike, axis: npt.ArrayLike, *, hold: bool) -> FloatArray:
    """One series on a shared axis of frames: NaN before its first point; after its last, held or NaN (`hold`)."""
    f = np.asarray(frames, np.int64)
    with np.errstate(invalid="ignore"):
        v = np.asarray(values, np.float64)
    a = np.asarray(axis, np.int64)
    if not len(f):
        return np.full((*v.shape[:-1], len(a)), np.nan)
    at = np.searchsorted(f, a, side="right") - 1
    out = np.where(at >= 0, v[..., np.maximum(at, 0)], np.nan)
    return out if hold else np.where(a > f[-1], np.nan, out)


def side_total(series: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]]) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """The running total of a side from its armies' (frames, values): the union of frames and the sum there.

    An army that ended keeps its last value; before its first sample it adds nothing. Values are (n,), or (..., n) for
    several totals at once.
    """
    frames = [np.asarray(f, np.int64) for f, _ in series]
    axis = distinct(np.concatenate(frames)) if frames else np.zeros(0, np.int64)
    total = np.zeros((*np.shape(series[0][1])[:-1], len(axis)) if len(series) else 0)
    for f, (_, v) in zip(frames, series, strict=True):
        with np.errstate(over="ignore", invalid="ignore"):
            # Most armies of a side have all of its samples.
            line = np.asarray(v, np.float64) if np.array_equal(f, axis) else on_axis(f, v, axis, hold=True)
            total += line if np.isfinite(line).all() else np.nan_to_num(line)
    return axis, total

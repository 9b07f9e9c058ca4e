"""Makes src/samples/sample.cbtrack: the page's worked example as window 0 of a match of one unit.

Run: python tools/samples/cbtrack.py. The main chunk of window 0 is the example's 420 bytes, column for column.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ksreplay.formats.cbtrack_build import build_chunk, build_file

TARGET = Path(__file__).resolve().parents[2] / "src" / "samples" / "sample.cbtrack"

# Seed 000, "Worked example": column id -> values.
EXAMPLE = {
    1: [7983],
    2: [0],
    3: [0],
    4: [0],
    5: [2],
    6: [0],
    7: [900],
    8: [3],
    9: [1],
    16: [0, 300, 120],
    17: [-32768, 0, 480],
    18: [-32768, 0, 6],
    19: [-32768, 0, 0],
    20: [5792],
    21: [1764],
    22: [6400],
    23: [3, 3, 3],
    24: [0, 0, 0],
    25: [0, 0, 1447],
    26: [0, 0, 0],
    32: [0],
    33: [65535],
    34: [65535],
    35: [1],
}
# The unit stands still in the second window: one key, worked out at its first offset.
SECOND = {
    **EXAMPLE,
    5: [1],
    8: [1],
    16: [0],
    17: [-32768],
    18: [-32768],
    19: [-32768],
    20: [6272],
    21: [1770],
    23: [3],
    24: [0],
    25: [1447],
    26: [0],
}


def strings(column: int, *texts: str) -> dict[int, np.ndarray]:
    """A list of strings as its two columns."""
    raw = [text.encode() for text in texts]
    return {column: np.array([len(r) for r in raw]), column + 1: np.frombuffer(b"".join(raw), np.uint8)}


INFO = {
    **strings(160, "105.1.1-2590", "Example 1.0", "Flat", "ksreplay sample"),
    **strings(162, "example"),
    172: [0],
    173: [0],
    174: [0],
    175: [255, 0, 0],
    **strings(176, "Example"),
    **strings(178, "nobody"),
    180: [4096, 4096],
    181: [32],
    182: [32],
}

HEADER = {
    "recorder_version": 4,
    "frames_per_second": 30,
    "first_frame": 0,
    "last_frame": 1800,
    "window_length": 900,
    "tolerance": 0.5,
    "position_shift": 3,
    "velocity_shift": 11,
    "rotation_bits": 12,
    "sample_gap": 3,
    "num_units": 1,
    "num_projectiles": 0,
    "num_features": 0,
    "game_id": bytes(16),
    "resource_tolerance": 0.5,
    "resource_fraction": 1 / 1024,
}


def build() -> bytes:
    """The sample's bytes."""
    windows = [(build_chunk(EXAMPLE), None), (build_chunk(SECOND), None)]
    return build_file(HEADER, build_chunk(INFO), build_chunk({}), windows, level=9)


if __name__ == "__main__":
    TARGET.write_bytes(build())

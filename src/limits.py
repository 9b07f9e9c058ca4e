"""What hostile input may cost. Every default admits the largest legal file known."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

_KIB = 1024
_MIB = 1024 * _KIB


def _limit(default: int, unit: str, meaning: str, largest: str) -> Any:
    return field(default=default, metadata={"unit": unit, "meaning": meaning, "largest": largest})


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what reading one file may cost; a file that needs more gets `LimitExceeded`.

    Adjust one with ``Limits(inflated_bytes=2**32)`` or on the command line with ``--limit inflated_bytes=4294967296``.
    """

    file_bytes: int = _limit(
        1024 * _MIB, "bytes", "size of the file as it lies on disk", "a 60 MB demo; 25 MB recordings"
    )
    inflated_bytes: int = _limit(
        1024 * _MIB, "bytes", "size of a file's content after its outer compression", "about 300 MB: a 3 h 8v8 demo"
    )
    inflate_ratio: int = _limit(
        200, "times", "output a compressed byte may give, once the output passes ratio_floor", "about 30 for demos"
    )
    ratio_floor: int = _limit(
        80 * _MIB, "bytes", "output below which the ratio is not looked at", "64 MiB: a full crd payload"
    )
    chunk_bytes: int = _limit(
        16_777_215, "bytes", "one cbtrack chunk after decompression", "16,777,215 by the format page"
    )
    payload_bytes: int = _limit(
        64 * _MIB, "bytes", "a crd payload after decompression", "67,108,864 by the format page"
    )
    window_bytes: int = _limit(
        8 * _MIB, "bytes", "the window that a crd's zstd frame may ask for", "8 MiB by the format page"
    )
    nested_bytes: int = _limit(
        8 * _MIB, "bytes", "one compressed block inside a stream (script, client data, unit definitions)", "about 1 MB"
    )
    records: int = _limit(
        50_000_000, "records", "packets, records, ticks or keys of one file", "3.3 million subpackets in 25 MB"
    )
    values: int = _limit(64_000_000, "values", "numbers decoded from one chunk", "4 million in a full cbtrack chunk")
    nesting: int = _limit(64, "levels", "depth of sections, maps and arrays", "about 6")
    problems: int = _limit(1000, "problems", "findings listed for one file; all are counted", "not a legal value")
    archive_members: int = _limit(1000, "members", "entries of a .zip that are looked through for a replay", "1")

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise ValueError(f"limit {item.name} must be a whole number of {item.metadata['unit']}, not {value!r}")

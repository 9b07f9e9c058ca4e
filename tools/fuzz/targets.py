"""What is fuzzed: one function of bytes each, in which anything but a ReplayError is a find."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import zstandard

import ksreplay
import ksreplay.events
from ksreplay.errors import Problems
from ksreplay.formats import inflate
from ksreplay.formats import tad_lz77 as lz77
from ksreplay.limits import Limits
from ksreplay.registry import FORMATS
from ksreplay.semantics.spring import script

#: Small bounds, so that a find is a mistake and not a large input.
LIMITS = Limits(
    inflated_bytes=1 << 24, ratio_floor=1 << 22, payload_bytes=1 << 22, nested_bytes=1 << 20, records=1 << 18
)
CAP = 1 << 20


def read_as(name: str) -> Callable[[bytes], None]:
    """Everything a reader of the format ``name`` does, tolerant or strict by the last bit."""

    def target(data: bytes) -> None:
        strict = bool(data[-1:] and data[-1] & 1)
        with ksreplay.open(data, format=name, strict=strict, private=True, limits=LIMITS) as replay:
            replay.info(full=True)
            replay.validate()
            for table in replay.tables:
                len(replay.tables[table])
            replay.encode()

    return target


def gzip_members(data: bytes) -> None:
    inflate.gunzip(b"\x1f\x8b\x08\0\0\0\0\0\0\3" + data, LIMITS)


def zlib_stream(data: bytes) -> None:
    inflate.inflate(b"\x78\x9c" + data, CAP)


def zstd_frame(data: bytes) -> None:
    inflate.unzstd(b"\x28\xb5\x2f\xfd" + data, CAP, 1 << 23)


def crd_payload(data: bytes) -> None:
    """The MessagePack of a replay: mutated before it is compressed."""
    TARGETS["crd"](zstandard.ZstdCompressor(level=1).compress(data))


def cbtrack_chunk(data: bytes) -> None:
    """One chunk, as the main chunk of a track of one window and as its info."""
    packed = zlib.compress(data, 1)
    header = bytearray(seeds("cbtrack", Path())[0][:96])
    header[16:20], header[24:28] = struct.pack("<I", 900), struct.pack("<I", 1)
    header[36:52] = struct.pack("<4I", 2, len(packed), 0, 0)
    TARGETS["cbtrack"]((bytes(header) + struct.pack("<4I", 2, len(packed), 0, 0)).ljust(128, b"\0") + packed)


def tad_lz77(data: bytes) -> None:
    lz77.inflate(data, cap=CAP)


def spring_script(data: bytes) -> None:
    script.parse(data.decode("utf-8", "replace"), Problems("spring"), LIMITS)


def event_log(data: bytes) -> None:
    with ksreplay.events.open(data, limits=LIMITS) as log:
        for name in log.tables:
            len(log.tables[name])


TARGETS: dict[str, Callable[[bytes], None]] = {
    **{name: read_as(name) for name in FORMATS},
    "crd-payload": crd_payload,
    "cbtrack-chunk": cbtrack_chunk,
    "tad-lz77": tad_lz77,
    "spring-script": spring_script,
    "event-log": event_log,
    "gzip": gzip_members,
    "zlib": zlib_stream,
    "zstd": zstd_frame,
}


#: target -> (format, part of its sample that `unwrap` gives) to begin with
NESTED = {"crd-payload": ("crd", None), "cbtrack-chunk": ("cbtrack", "window[0].main")}


def call(target: str, data: bytes) -> None:
    """One execution; a ReplayError is a good answer."""
    try:
        TARGETS[target](data)
    except ksreplay.ReplayError:
        pass


def seeds(target: str, kept: Path) -> list[bytes]:
    """Small files to begin with: the sample of a format, what is inside it, and what earlier runs kept."""
    found = [path.read_bytes() for path in sorted((kept / target).glob("*")) if path.is_file()]
    if target in FORMATS:
        data = files("ksreplay.samples").joinpath(FORMATS[target].sample).read_bytes()
        found.append(data)
        if data[:2] == b"\x1f\x8b":
            found.append(inflate.gunzip(data, Limits()).data)
    elif target in NESTED:
        format, part = NESTED[target]
        with ksreplay.open(files("ksreplay.samples").joinpath(FORMATS[format].sample).read_bytes()) as replay:
            found.append(replay.unwrap(part))
    return found


def dictionary() -> list[bytes]:
    """Constants of the layouts: the bytes of every `contents`, and of every enum value."""
    import yaml

    words: set[bytes] = set()

    def visit(node: object) -> None:
        if isinstance(node, dict):
            contents = node.get("contents")
            if isinstance(contents, str):
                words.add(contents.encode())
            elif isinstance(contents, list):
                words.add(b"".join(item.encode() if isinstance(item, str) else bytes([item]) for item in contents))
            enums = node.get("enums")
            for members in enums.values() if isinstance(enums, dict) else ():
                words.update(int(value).to_bytes(1 if int(value) < 256 else 8, "little") for value in members)
            for child in node.values():
                visit(child)
        elif isinstance(node, list):
            for child in node:
                visit(child)

    for layout in files("ksreplay.ksy").iterdir():
        if layout.name.endswith(".ksy"):
            visit(yaml.safe_load(layout.read_text(encoding="utf-8")))
    return sorted(words)

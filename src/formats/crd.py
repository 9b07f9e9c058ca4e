"""The envelope of a .crd file: exactly one zstd frame around a msgpack payload."""

from __future__ import annotations

import io
from dataclasses import dataclass

from ksreplay.formats import crd_rules as rules
from ksreplay.formats.inflate import unzstd
from ksreplay.limits import Limits

MAGIC = b"\x28\xb5\x2f\xfd"
MAX_FILE_BYTES = 65 << 20

#: The longest frame header: magic, descriptor, window, dictionary id, content size.
_HEADER_BYTES = 4 + 1 + 1 + 4 + 8

#: What the game's own writer uses: no checksum, the content size stated, a window of at most 4 MiB.
LEVEL = 9


@dataclass(frozen=True, slots=True)
class Frame:
    """What the frame header states. ``content_size`` is None where it does not."""

    window_size: int
    content_size: int | None
    has_checksum: bool
    is_single_segment: bool


def read_frame_header(data: bytes) -> Frame:
    """The header of the frame that ``data`` starts with; ReplayError where there is none a replay may have."""
    from kaitaistruct import KaitaiStream

    from ksreplay.generated.zstd_frame import ZstdFrame

    if data[:4] != MAGIC:
        rule = rules.ZSTD_MAGIC if len(data) >= 4 else rules.ZSTD_HEADER
        raise rule.failure(rules.FORMAT, "frame.magic", 0, found=data[:4], expected=MAGIC)
    try:
        header = ZstdFrame.FrameHeader(KaitaiStream(io.BytesIO(data[4:_HEADER_BYTES])))
    except EOFError as error:
        raise rules.ZSTD_HEADER.failure(rules.FORMAT, "frame.header", 4, found=len(data)) from error
    if header.dictionary_id_flag:
        raise rules.ZSTD_DICTIONARY.failure(rules.FORMAT, "frame.header", 4, found=header.dictionary_id, expected=None)
    return Frame(
        header.window_size,
        header.content_size if header.has_content_size else None,
        header.has_checksum,
        header.is_single_segment,
    )


def read_envelope(data: bytes, limits: Limits) -> tuple[Frame, bytes]:
    """The frame's header and the payload. Raises Corrupt, Truncated or LimitExceeded; memory is bounded before."""
    if len(data) > MAX_FILE_BYTES:
        raise rules.FILE_SIZE.failure(rules.FORMAT, "file", None, found=len(data), expected=MAX_FILE_BYTES)
    frame = read_frame_header(data)
    payload = unzstd(data, limits.payload_bytes, limits.window_bytes, format=rules.FORMAT, where="frame")
    return frame, payload


def write_envelope(payload: bytes, limits: Limits) -> bytes:
    """The file of a payload, compressed as the game does it. Raises LimitExceeded where a reader would refuse it."""
    import zstandard

    if len(payload) > limits.payload_bytes:
        raise rules.ZSTD_CONTENT.failure(
            rules.FORMAT, "payload", None, found=len(payload), expected=limits.payload_bytes
        )
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=False, write_content_size=True)
    data = compressor.compress(payload)
    if len(data) > MAX_FILE_BYTES:
        raise rules.FILE_SIZE.failure(rules.FORMAT, "file", None, found=len(data), expected=MAX_FILE_BYTES)
    return data

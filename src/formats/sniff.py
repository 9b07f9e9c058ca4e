"""Which format some bytes are: by their first bytes, also inside gzip, never by a file's name."""

from __future__ import annotations

from ksreplay.errors import Truncated, UnknownFormat
from ksreplay.formats.inflate import gunzip
from ksreplay.limits import Limits

GZIP_MAGIC = b"\x1f\x8b"

#: (format, offset, bytes that stand there). A TAD record begins with its own length, so its magic stands at 2.
SIGNATURES: tuple[tuple[str, int, bytes], ...] = (
    ("spring", 0, b"spring demofile\0"),
    ("cbtrack", 0, b"CBTK"),
    ("tad", 2, b"TA Demo\0"),
    ("crd", 0, b"\x28\xb5\x2f\xfd"),
)

#: Formats whose files may come gzipped as a whole.
GZIPPED = frozenset({"spring"})
HEAD_BYTES = 4096


def sniff(head: bytes, limits: Limits | None = None) -> str:
    """The format's name, "" where the bytes are none that is known. ``head``: the first `HEAD_BYTES` are enough."""
    gzipped = head[:2] == GZIP_MAGIC
    if gzipped:
        head = gunzip(head, limits or Limits(), cap=64).data.tobytes()
    for name, offset, magic in SIGNATURES:
        if head[offset : offset + len(magic)] == magic and (not gzipped or name in GZIPPED):
            return name
    return ""


def begun(data: bytes, limits: Limits) -> list[str]:
    """The formats that a file which ends before it says what it is may become: a recorder has just begun it."""
    gzipped = GZIP_MAGIC.startswith(data[:2])
    if gzipped:
        inflated = gunzip(data, limits, cap=64)
        # The first hundred bytes of gzip may give nothing yet; a stream that is whole has said what it holds.
        if len(data) >= len(GZIP_MAGIC) and not isinstance(inflated.problem, Truncated):
            return []
        data = inflated.data.tobytes()
    return [
        name
        for name, offset, magic in SIGNATURES
        if (name in GZIPPED if gzipped else len(data) > offset) and magic.startswith(data[offset:])
    ]


def recognise(data: bytes, limits: Limits) -> str:
    """As `sniff`, but raises Truncated for a file that is empty or only `begun`, UnknownFormat for a foreign one."""
    if not data:
        raise Truncated("the file is empty", code="empty", offset=0, found=0)
    if name := sniff(data[:HEAD_BYTES], limits):
        return name
    if len(data) <= HEAD_BYTES and (names := begun(data, limits)):
        raise Truncated(
            "the file ends before it says what it is: cut, or just begun",
            code="header-cut",
            where="header",
            offset=len(data),
            found=data[:16],
            expected="the first bytes of " + " or ".join(names),
        )
    raise UnknownFormat(
        "these bytes are no replay that ksreplay knows",
        code="unknown-format",
        offset=0,
        found=data[:16],
        expected="the first bytes of " + ", ".join(name for name, _, _ in SIGNATURES),
    )

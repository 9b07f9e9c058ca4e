"""Rules of a track's framing: header, index, chunks and their directories.

What the columns hold has rules of its own, in ``semantics.cbtrack.rules``.
"""

from __future__ import annotations

from ksreplay.errors import LimitExceeded, Severity, Truncated, UnsupportedVersion
from ksreplay.rules import Rule, collect

_PAGE = "Replay track format, "
_FATAL, _PART, _STRICT, _WARNING = Severity.FATAL, Severity.PART, Severity.STRICT, Severity.WARNING

EMPTY = Rule("empty", _FATAL, "A track has a header of 96 bytes; this file is empty.", _PAGE + "Header", Truncated)
MAGIC = Rule("magic", _FATAL, "The first four bytes are CBTK.", _PAGE + "Versions")
HEADER_CUT = Rule("header-cut", _FATAL, "The header is 96 bytes.", _PAGE + "Header", Truncated)
VERSION = Rule("format-version", _FATAL, "The format version is 1.", _PAGE + "Versions", UnsupportedVersion)
HEADER_SIZE = Rule("header-size", _FATAL, "The header size is at least 96.", _PAGE + "Versions")
NUMBER_LIMIT = Rule(
    "number-over-limit", _FATAL, "Every u32 in the header and index is at most 16,777,215.", _PAGE + "Header"
)
WINDOW_LENGTH = Rule("window-length", _FATAL, "The window length is 1 to 65,535 frames.", _PAGE + "Header")
FRAMES = Rule("frames-reversed", _FATAL, "The last frame is not before the first.", _PAGE + "Header")
ROTATION_BITS = Rule("rotation-bits", _FATAL, "The rotation bits are 8 to 16.", _PAGE + "Header")
WINDOW_COUNT = Rule(
    "window-count",
    _FATAL,
    "The number of windows is the frame span divided by the window length, rounded up, and at least 1.",
    _PAGE + "Header",
)
INDEX_CUT = Rule("index-cut", _FATAL, "The window index is in the file.", _PAGE + "Window index", Truncated)

CHUNK_MISSING = Rule("chunk-missing", _PART, "A chunk has a block number and a length.", _PAGE + "File layout")
CHUNK_PAST_END = Rule("chunk-past-end", _PART, "A chunk lies within the file.", _PAGE + "File layout", Truncated)
CHUNK_SHARED = Rule(
    "chunk-shared",
    _PART,
    "The chunks of a file are together no larger than the file; twice that is read, in the order of the index.",
    _PAGE + "File layout",
    LimitExceeded,
)
CHUNK_STREAM = Rule(
    "chunk-stream", _PART, "A chunk is one whole zlib stream with the right checksum.", _PAGE + "Chunks"
)
CHUNK_BYTES = Rule(
    "chunk-bytes", _PART, "A decompressed chunk is at most 16,777,215 bytes.", _PAGE + "Chunks", LimitExceeded
)
COLUMN_BYTES = Rule(
    "column-bytes",
    _PART,
    "The columns of a chunk together are no larger than a chunk.",
    _PAGE + "Chunks",
    LimitExceeded,
)
CHUNK_SHORT = Rule("chunk-short", _PART, "A chunk begins with the number of its columns.", _PAGE + "Chunks", Truncated)
DIRECTORY_CUT = Rule("directory-cut", _PART, "The directory lies within the chunk.", _PAGE + "Chunks", Truncated)
COLUMN_ORDER = Rule(
    "column-order", _PART, "Columns are listed in rising order of id, and an id appears once.", _PAGE + "Chunks"
)
COLUMN_TYPE = Rule("column-type", _PART, "A column has the type the format gives it.", _PAGE + "Main chunk")
COLUMN_PAST_END = Rule("column-past-end", _PART, "A column's values lie within the chunk.", _PAGE + "Chunks", Truncated)

RESERVED = Rule("reserved-not-zero", _STRICT, "The reserved bytes of the header are zero.", _PAGE + "Header")
TOLERANCE = Rule(
    "tolerance-not-a-distance", _STRICT, "The tolerances are finite numbers that are not negative.", _PAGE + "Header"
)
TERRAIN_ENTRY = Rule(
    "terrain-entry-half",
    _STRICT,
    "A window without terrain has block 0 and length 0, one with terrain has neither.",
    _PAGE + "Window index",
)
CHUNKS_OVERLAP = Rule("chunks-overlap", _STRICT, "No two chunks lie on the same bytes.", _PAGE + "File layout")
GAP = Rule("gap-not-zero", _STRICT, "The gap before a chunk is filled with zero bytes.", _PAGE + "File layout")
STREAM_TAIL = Rule("bytes-after-stream", _STRICT, "A chunk is one zlib stream and nothing else.", _PAGE + "Chunks")
COLUMN_ALIGNED = Rule(
    "column-not-aligned", _STRICT, "Each column's data starts at a multiple of 4 bytes.", _PAGE + "Chunks"
)
COLUMN_PADDING = Rule("padding-not-zero", _STRICT, "A column is padded with zero bytes.", _PAGE + "Chunks")
COLUMNS_OVERLAP = Rule("columns-overlap", _STRICT, "The data of each column has its own place.", _PAGE + "Chunks")
COLUMN_EMPTY = Rule("column-empty", _STRICT, "A writer lists only columns that have values.", _PAGE + "Chunks")
COUNTS_ZERO = Rule(
    "count-column-of-zeros",
    _STRICT,
    "A count column (10, 11, 12) that is 0 for every unit is left out.",
    _PAGE + "Chunks",
)
CHUNK_END = Rule("chunk-end", _STRICT, "4 zero bytes follow the last column.", _PAGE + "Chunks")
UNKNOWN_PAST_END = Rule(
    "unknown-column-past-end",
    _WARNING,
    "The values of a column that this reader does not know lie within the chunk too.",
    _PAGE + "Chunks",
)

RULES: tuple[Rule, ...] = collect(globals())

"""Text from strangers, made harmless for terminals, spreadsheets and file names."""

from __future__ import annotations

import re
import unicodedata

#: Bidirectional controls can make a line read other than it is; they are category Cf, so escaped with it.
_ESCAPED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

#: Characters that make a spreadsheet run a cell (the full-width forms are folded to them by some of them).
FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")

_RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?$")

_BREAKS = re.compile(r"([\r\n\t]+)")

#: File systems end a name at 255 bytes; the rest is for suffixes.
_NAME_BYTES = 200


def printable(text: str, limit: int | None = None) -> str:
    """``text`` with everything that could move a cursor, ring, hide or reorder shown as an escape."""
    if limit is not None and len(text) > limit:
        text = text[: max(0, limit - 1)] + "…"
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if unicodedata.category(char) not in _ESCAPED:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cells(text: str) -> int:
    """How many cells of a terminal `printable` text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def terminal_lines(text: str) -> str:
    """Lines of `printable` text: for output that is meant for files and goes to a terminal."""
    return "".join(part if part.strip("\r\n\t") == "" else printable(part) for part in _BREAKS.split(text))


def spreadsheet_safe(text: str) -> str:
    """``text`` with a leading quote where a spreadsheet would run it as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def file_name(text: str, fallback: str = "unnamed") -> str:
    """``text`` as one component of a path on any system: no separators, controls, reserved names or dots alone."""
    visible = "".join(c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) not in _ESCAPED)
    cleaned = re.sub(r'[/\\:*?"<>|]+', "_", visible)
    cleaned = cleaned.encode("utf-8", "replace")[:_NAME_BYTES].decode("utf-8", "ignore").strip(" .")
    return fallback if not cleaned or _RESERVED.match(cleaned) else cleaned

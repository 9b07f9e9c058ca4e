"""Text from strangers on terminals, in spreadsheets and in file names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ksreplay.text import file_name, printable, spreadsheet_safe


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"), ("a\x1b[31mb", "a\\x1b[31mb"), ("\u202eevil", "\\u202eevil"), ("a\nb\0", "a\\x0ab\\x00"),
        ("żółw", "żółw"), ("\U000e0041", "\\U000e0041"),
    ],
)  # fmt: skip
def test_terminals_see_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_nothing_that_moves_a_cursor_is_left(text: str) -> None:
    assert all(char.isprintable() or char == " " for char in printable(text)) or any(ord(c) > 127 for c in text)
    assert not set(printable(text)) & set("\n\r\t\x1b\x07\x08\u202e\u2066")


def test_long_text_is_cut() -> None:
    assert printable("abcdef", 4) == "abc…"


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\tx", "\rx", "\uff1d1"])
def test_formulas_get_a_quote(text: str) -> None:
    assert spreadsheet_safe(text) == "'" + text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("../../etc/passwd", "_.._etc_passwd"), ("con", "unnamed"), ("NUL.txt", "unnamed"), ("..", "unnamed"),
        ("a:b*c?", "a_b_c_"), ("", "unnamed"), ("C:\\x", "C_x"), ("ok name.csv", "ok name.csv"),
    ],
)  # fmt: skip
def test_file_names_stay_in_their_folder(text: str, name: str) -> None:
    assert file_name(text) == name


@given(st.text(max_size=300))
def test_any_text_is_one_path_component(text: str) -> None:
    name = file_name(text)
    assert name not in ("", ".", "..") and not set(name) & set('/\\\0:*?"<>|') and len(name) <= 120

"""tools/check_layouts sees every node and every error that the Web IDE would show."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from check_layouts import cli

from .conftest import needs_node

LAYOUT = """\
seq:
  - id: magic
    contents: TINY
  - id: len_packed
    type: u1
  - id: packed
    size: len_packed
    process: zlib
    type: inner
instances:
  last:
    pos: 200
    type: u1
types:
  inner:
    seq:
      - id: numbers
        type: u2
        repeat: eos
"""


@needs_node
def test_counts_nodes_and_lists_errors(repository: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    folder = repository(LAYOUT) / "ksy"
    packed = zlib.compress(bytes([1, 0, 2, 0, 3, 0]))
    start = b"TINY" + bytes([len(packed)]) + packed
    answers = cli.open_all(
        folder,
        [("tiny", "good", start.ljust(201, b"\0")), ("tiny", "short", start), ("tiny", "foreign", b"XXXX" + start[4:])],
    )
    good, short, foreign = answers
    # the root, magic, the length, packed with its list of three numbers, and the instance
    assert (good["nodes"], good["errors"]) == (9, [])
    assert [error.split(":")[0] for error in short["errors"]] == ["/last"]
    assert any("Validation" in error for error in foreign["errors"])
    assert cli.report(answers) == 2
    assert "tiny: 3 files" in capsys.readouterr().out


@needs_node
def test_a_custom_process_is_an_error(repository: Callable[[str], Path]) -> None:
    folder = repository(LAYOUT.replace("process: zlib", "process: mine")) / "ksy"
    (answer,) = cli.open_all(folder, [("tiny", "any", b"TINY\x01\x00")])
    assert answer["errors"]

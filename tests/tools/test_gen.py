"""What tools/gen makes of small layouts: dtypes, walk tables, stubs, readers, pages; and --check."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from gen import cli, dtypes, model, outputs, pages, sizes, stubs, walks

from .conftest import needs_node

Tiny = Callable[..., model.Spec]

FIXED = """\
seq:
  - id: header
    type: header
    size: 24
types:
  header:
    seq:
      - id: magic
        contents: [0x41, BC]
      - id: scale
        type: f4be
      - id: places
        type: point
        repeat: expr
        repeat-expr: 2
      - id: name
        type: strz
        size: 2 * 4
        encoding: ASCII
  point:
    seq:
      - id: x
        type: s2
      - id: kind
        type: u1
        enum: kind
  tail:
    seq:
      - id: num_x
        type: u1
      - id: x
        type: u1
        repeat: expr
        repeat-expr: num_x
  either:
    meta:
      endian:
        switch-on: _root.header.magic.size
        cases:
          3: be
          _: le
    seq:
      - id: frame
        type: u4
enums:
  kind:
    1: land
    2:
      id: sea
      -orig-id: SEA_KIND
"""

STREAM = """\
seq:
  - id: packets
    type: packet
    repeat: eos
types:
  packet:
    seq:
      - id: id
        type: u1
        enum: packet_id
      - id: body
        type:
          switch-on: id
          cases:
            'packet_id::move': move
            'packet_id::chat': chat
            'packet_id::blob': blob
            'packet_id::note': note
  move:
    seq:
      - id: x
        type: f4
  chat:
    seq:
      - id: sender
        type: u1
      - id: len_packet
        type: u2
      - id: text
        size: len_packet - 4
  blob:
    seq:
      - id: len_body
        type: u1
      - id: data
        size: len_body
  note:
    seq:
      - id: text
        type: strz
        encoding: ASCII
enums:
  packet_id:
    1: move
    2:
      id: chat
      -orig-id: CHATMSG
    3: blob
    4: stop
    9: note
"""


def run(source: str, name: str) -> ModuleType:
    module = ModuleType(name)
    exec(source, module.__dict__)
    return module


def test_dtypes_of_fixed_types(tiny: Tiny) -> None:
    source = dtypes.module(tiny(FIXED)).replace("from . import padded\n", dtypes.PACKAGE)
    made = run(source, "tiny")
    assert np.dtype([("x", "<i2"), ("kind", "u1")]) == made.POINT
    assert made.HEADER.itemsize == 3 + 4 + 2 * 3 + 8
    assert made.HEADER["scale"] == np.dtype(">f4")
    assert made.HEADER["places"].shape == (2,)
    assert made.ROOT.itemsize == 24
    assert made.ROOT["header"].fields["name"][1] == made.HEADER.fields["name"][1] == 13
    assert (made.EITHER_LE["frame"].str, made.EITHER_BE["frame"].str) == ("<u4", ">u4")
    assert not hasattr(made, "TAIL")
    assert "# TAIL: x repeats by what the data say" in source
    assert made.ENUMS == {"kind": {1: "land", 2: "sea"}}
    assert made.ORIGINAL_NAMES == {"kind": {2: "SEA_KIND"}}


def test_dtypes_read_the_bytes_they_describe(tiny: Tiny) -> None:
    made = run(dtypes.module(tiny(FIXED)).replace("from . import padded\n", dtypes.PACKAGE), "tiny")
    points = np.frombuffer(bytes([1, 0, 2, 0xFF, 0xFF, 1]), made.POINT)
    assert points["x"].tolist() == [1, -1]
    assert points["kind"].tolist() == [2, 1]


@pytest.mark.parametrize(
    ("text", "value"), [("2 * 4", 8), ("3+2*2", 7), (5, 5), ("len_x", None), ("1 - 1", None), (True, None)]
)
def test_number(text: object, value: int | None) -> None:
    assert sizes.number(text) == value


def test_walk_table(tiny: Tiny) -> None:
    stream = walks.find_stream(tiny(STREAM))
    assert stream is not None
    rows = {m.id: (m.name, m.size, m.length_offset, m.length_width, m.length_bias) for m in walks.messages(stream)}
    assert rows == {
        1: ("move", 5, None, None, None),
        2: ("CHATMSG", None, 2, 2, 0),  # the whole message, id included
        3: ("blob", None, 1, 1, 2),  # what follows the length field
        4: ("stop", 1, None, None, None),  # an id without a body
        9: ("note", None, None, None, None),  # only its frame knows
    }


def test_only_tagged_streams_have_a_walk_table(tiny: Tiny) -> None:
    assert walks.module(tiny(FIXED)) is None


def test_stub_types(tiny: Tiny) -> None:
    text = stubs.stub(tiny(STREAM), "")
    assert "    packets: _b.list[Tiny.Packet]\n" in text
    assert "        id: Tiny.PacketId | _b.int\n" in text
    assert "        body: Tiny.Move | Tiny.Chat | Tiny.Blob | Tiny.Note | None\n" in text
    assert "        text: _b.bytes\n" in text


def test_page_states_offsets_sizes_and_enums(tiny: Tiny) -> None:
    page = pages.page(tiny(FIXED))
    assert "| 3 | 4 | `scale` | `f4be` |  |" in page
    assert "| 13 | 8 | `name` | `strz` |  |" in page
    assert "| 2 | `sea` | `SEA_KIND` |  |" in page
    assert "| 1 | 1 each | `x` | `u1`, `num_x` times |  |" in page


@pytest.fixture
def made(repository: Callable[[str], Path]) -> Iterator[Path]:
    """A folder with the outputs for STREAM, importable as the package ``generated``."""
    root = repository(
        STREAM.replace("        size: len_packet - 4\n", "        size: len_packet - 4\n        if: sender > 0\n")
    )
    cli.main(["--root", str(root)])
    sys.path.insert(0, str(root))
    yield root
    sys.path.remove(str(root))
    for name in [name for name in sys.modules if name.split(".")[0] == "generated"]:
        del sys.modules[name]


@needs_node
def test_readers_read_and_remember_positions(made: Path) -> None:
    data = bytes([2, 7, 6, 0, 0x68, 0x69, 4, 1, 0, 0, 0x80, 0x3F])
    reader = importlib.import_module("generated.tiny").Tiny.from_bytes(data)
    assert [int(p.id) for p in reader.packets] == [2, 4, 1]
    assert reader.packets[0].body.text == b"hi"
    assert reader.packets[1].body is None
    assert reader.packets[2].body.x == 1.0
    assert importlib.import_module("generated.tiny").Tiny.Chat.from_bytes(b"\0\4\0").text is None
    debug = importlib.import_module("generated.debug.tiny").Tiny.from_bytes(data)
    debug._read()
    assert [(item["start"], item["end"]) for item in debug._debug["packets"]["arr"]] == [(0, 6), (6, 7), (7, 12)]
    walk = importlib.import_module("generated.walks.tiny").WALK
    assert walk[1].dtype == np.dtype([("x", "<f4")])
    assert walk[2].head == np.dtype([("sender", "u1"), ("len_packet", "<u2")])


@needs_node
def test_check_finds_changed_missing_and_extra_files(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = outputs.generate(made / "ksy")
    assert outputs.compare(made, result) == []
    assert outputs.generate(made / "ksy").files == result.files  # deterministic
    (made / "generated" / "tiny.py").write_text("changed")
    (made / "generated" / "dtypes" / "tiny.py").unlink()
    (made / "generated" / "walks" / "old.py").write_text("")
    assert cli.main(["--root", str(made), "--check"]) == 1
    told = capsys.readouterr().err
    for line in ("differs: generated/tiny.py", "missing: generated/dtypes/tiny.py", "extra: generated/walks/old.py"):
        assert line in told
    assert (made / "generated" / "tiny.py").read_text() == "changed"
    cli.main(["--root", str(made)])
    assert outputs.compare(made, outputs.generate(made / "ksy")) == []


@needs_node
def test_a_broken_layout_is_told_and_keeps_its_old_outputs(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (made / "generated" / "tiny.py").read_text()
    path = made / "ksy" / "tiny.ksy"
    path.write_text(
        path.read_text().replace("type: move\n", "type: gone\n").replace("id::move': move", "id::move': gone")
    )
    assert cli.main(["--root", str(made)]) == 1
    assert "tiny.ksy: python:" in capsys.readouterr().err
    assert (made / "generated" / "tiny.py").read_text() == before


def test_computed_values_are_typed_from_the_java_output() -> None:
    java = """\
public class Tiny extends KaitaiStruct {
    public static class Inner extends KaitaiStruct {
        public Integer size() {
        }
        public long count() { return count; }
    }
    private Boolean isOld;
    public Boolean isOld() {
    }
}
"""
    found = stubs.java_getters(java)
    assert found == {"Tiny.Inner.size": "Integer", "Tiny.Inner.count": "long", "Tiny.isOld": "Boolean"}

"""`ksreplay layout` and the lazy tree under it, on a track of the seed's worked example made here byte by byte."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from ksreplay.cli import main
from ksreplay.errors import ReplayError
from ksreplay.layout import MORE, Root, Tree, parse_path, roots
from ksreplay.limits import Limits


def chunk(columns: list[tuple[int, int, bytes, int]]) -> bytes:
    """A cbtrack chunk: (id, type, bytes, values) a column."""
    place = 4 + 12 * len(columns)
    head, body = struct.pack("<I", len(columns)), b""
    for column_id, kind, data, values in columns:
        place += -place % 4
        head += struct.pack("<HHII", column_id, kind, place, values)
        body = body.ljust(place - 4 - 12 * len(columns), b"\0") + data
        place += len(data)
    return head + body


def track(main_chunk: bytes = b"") -> bytes:
    """One window with two columns; 16 bytes of a header extension that no field covers."""
    inner = zlib.compress(main_chunk or chunk([(4, 1, b"\1\2\3", 3), (5, 1, b"\7", 1)]))
    header = struct.pack(
        "<4sHHHHIIIIfBBBBIIIIIII16sff8x",
        b"CBTK", 1, 112, 4, 30, 0, 299, 300, 1, 0.5, 3, 10, 13, 3, 0, 0, 0, 0, 1, 0, 0,
        bytes(16), 0.5, 0.5,
    )  # fmt: skip
    index = struct.pack("<IIII", 3, len(inner), 0, 0)
    return (header + b"\xee" * 16 + index).ljust(192, b"\0") + inner


@pytest.fixture
def tree() -> Tree:
    return Tree(roots("cbtrack", track(), Limits())[0], "cbtrack")


def test_fields_have_offsets_sizes_and_values(tree: Tree) -> None:
    (node,) = tree.find(parse_path("header.last_frame"))
    assert (node.start, node.size, node.value, node.stream.name) == (16, 4, 299, "")


def test_path_goes_through_compression(tree: Tree) -> None:
    (chunk_node,) = tree.find(parse_path("windows[0].main"))
    assert (chunk_node.start, chunk_node.stream.name, chunk_node.inner.name) == (192, "", "windows[0].main")
    (column,) = tree.find(parse_path("windows[0].main.columns[1].column_id"))
    assert (column.start, column.stream.name, column.value.name) == (16, "windows[0].main", "unit_flags")
    assert tree.bytes_of(column, 16) == b"\5\0"


def test_bytes_that_no_field_covers_are_found(tree: Tree) -> None:
    assert tree.unread(tree.top()) == [(96, 112), (128, 192)]
    (inner,) = tree.find(parse_path("windows[0].main"))
    assert tree.unread(inner) == [(31, 32)]


@pytest.mark.parametrize(
    ("path", "code"),
    [("nothing", "no-such-field"), ("windows[1]", "no-such-item"), ("windows[0:1].main", "bad-path")],
)
def test_wrong_paths(tree: Tree, path: str, code: str) -> None:
    with pytest.raises(ReplayError) as caught:
        tree.find(parse_path(path))
    assert caught.value.code == code


def test_what_is_no_path() -> None:
    with pytest.raises(ReplayError) as caught:
        parse_path("windows[x]")
    assert caught.value.code == "bad-path"


def test_a_long_list_is_not_read_whole() -> None:
    records = b"".join(struct.pack("<fI", i, 1) + b"\2" for i in range(100_000))
    tree = Tree(Root("", "spring_packet", "", lambda: b"\2" * 10), "spring")
    assert tree.top().holder is not None
    demo = struct.pack("<16sii256s16sq12i", b"spring demofile\0", 5, 352, b"2025.04.01", bytes(16), 0, 0, len(records),
                       0, 0, 0, 0, 20, 0, 0, 80, 15, 0)  # fmt: skip
    lazy = Tree(Root("", "spring_demo", "", lambda: demo.ljust(352, b"\0") + records), "spring")
    (stream,) = lazy.find(parse_path("stream"))
    assert stream.error == MORE and stream.size == len(records)
    far = Tree(Root("", "spring_demo", "", lambda: demo.ljust(352, b"\0") + records), "spring", far=True)
    nodes = far.find(parse_path("stream.chunks[50000:50002]"))
    assert [node.start for node in nodes] == [352 + 9 * 50_000, 352 + 9 * 50_001]
    kept = [item for item in nodes[0].holder._parent.chunks if item is not None]
    assert len(kept) < 10_000  # the rest was let go


def test_every_cut_and_many_flips_give_a_tree_or_one_error(tmp_path: Path) -> None:
    whole = track()

    def look(data: bytes) -> None:
        tree = Tree(Root("", "cbtrack", "", lambda: data), "cbtrack")
        waiting = [tree.top()]
        while waiting:
            node = waiting.pop()
            if node.items is not None:
                waiting += [tree.item(node, i) for i in range(min(4, len(node.items)))]
            waiting += tree.children(node)
            tree.unread(node)

    for end in range(len(whole)):
        look(whole[:end])
    for place in range(len(whole)):
        look(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["layout", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_verb_prints_a_tree(tmp_path: Path) -> None:
    path = tmp_path / "a.cbtrack"
    path.write_bytes(track())
    code, out, _ = run(str(path), "--depth", "3", "--hex")
    assert code == 0
    assert "magic = 43 42 54 4b  'CBTK'" in out
    assert "(unread)  [ee ee" in out
    assert "-- offsets of stream windows[0].main" not in out  # one level deeper
    code, out, _ = run(str(path), "windows[0].main.columns[1]", "--hex")
    assert "column_id = unit_flags (5)  [05 00]" in out
    assert "-- offsets of stream windows[0].main" in out


def test_verb_gives_json(tmp_path: Path) -> None:
    path = tmp_path / "a.cbtrack"
    path.write_bytes(track())
    code, out, _ = run(str(path), "windows[0].main.columns[1].column_id", "--json", "--hex")
    document = json.loads(out)
    (node,) = document["nodes"]
    assert code == 0
    assert (node["path"], node["value"], node["enum"], node["hex"]) == (
        "windows[0].main.columns[1].column_id", 5, "unit_flags", "0500",
    )  # fmt: skip


def test_verb_refuses_politely(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"nothing of ours")
    assert run(str(path))[0] == 1
    assert "unknown-format" in run(str(path))[2]
    path.write_bytes(track())
    assert run(str(path), "windows[9]")[0] == 1
    assert run(str(path), "windows[")[0] == 2
    assert run(str(path), "--layout", "nothing")[0] == 1


def test_private_fields_are_covered(tmp_path: Path) -> None:
    path = tmp_path / "chat"
    path.write_bytes(b"\7\x0b\1\xfeSECRET\0")
    assert "SECRET" not in run(str(path), "--layout", "spring_packet", "--depth", "9", "--hex", "--json")[1]
    assert "SECRET" in run(str(path), "--layout", "spring_packet", "--depth", "9", "--private")[1]


def test_every_layout_opens_the_corpus(corpus: Path) -> None:
    for name in ("cbtrack/small.cbtrack", "crd/rush-1p-r2.crd", "spring/gex-test.sdfz"):
        code, out, err = run(str(corpus / name), "--depth", "3")
        assert code == 0 and "!!" not in out, (name, out, err)


def test_other_users_of_the_readers_are_not_metered() -> None:
    import kaitaistruct

    from ksreplay.generated import cbtrack
    from ksreplay.generated.debug import cbtrack as places

    runtime = kaitaistruct.BytesIO
    Tree(Root("", "cbtrack", "", track)).top()
    assert kaitaistruct.BytesIO is runtime
    assert cbtrack.Cbtrack.from_bytes(track()).windows[0].main.num_columns == 2
    reader = places.Cbtrack.from_bytes(track())
    reader._read()
    assert reader.windows[0].main.num_columns == 2

"""`ksreplay layout`: the Web IDE on a terminal."""

from __future__ import annotations

import enum
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from ksreplay.cli.common import REPLAY, Reading, echo_json, exit_on_error, reading_options
from ksreplay.errors import plain
from ksreplay.layout import MORE, Node, Root, Stream, Tree, parse_path, roots
from ksreplay.text import printable

_ITEMS = 16  # of a list, unless --all or a range asks for more
_HEX = 16  # bytes shown
_DEEPEST = 64


@dataclass(frozen=True, slots=True)
class View:
    """How much of a tree is shown."""

    depth: int
    items: int
    hex: bool
    private: bool


@click.command("layout")
@click.argument("file", type=REPLAY)
@click.argument("path", required=False)
@click.option("--depth", type=click.IntRange(0, _DEEPEST), help="Levels below PATH; default 2, with --all no limit.")
@click.option("--all", "everything", is_flag=True, help="Whole lists and every level: a big file is a long read.")
@click.option("--hex", "show_hex", is_flag=True, help="The bytes of each field as well.")
@click.option("--layout", "layout", metavar="NAME", help="Read FILE by this layout whatever it is (see `ksy`).")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@reading_options
def layout_command(
    file: str, path: str | None, depth: int | None, everything: bool, show_hex: bool, layout: str | None, as_json: bool,
    reading: Reading,
) -> None:  # fmt: skip
    """The fields of FILE with offset, size and value; of PATH alone, such as windows[3].main.columns[17].

    Offsets are of the file, or of the stream that is named: "gzip" for what is inside an .sdfz, the path of a chunk
    for what is inside the chunk. Bytes that no field covers are listed as unread.

    Example: ksreplay layout match.sdfz 'stream.chunks[100:110]' --hex
    """
    steps = parse_path_or_usage(path) if path else ()
    view = View(depth if depth is not None else _DEEPEST if everything else 2, 1 << 62 if everything else _ITEMS,
                show_hex, reading.private)  # fmt: skip
    with exit_on_error(file, as_json):
        format, found = _roots(file, layout, reading)
        if steps and steps[0].name in (names := {root.name: root for root in found if root.name}):
            found, steps = [names[steps[0].name]], steps[1:]
        elif steps:
            found = found[:1]
        documents = []
        for root in found:
            if root.aside and len(found) > 1:
                if not as_json:
                    reading.note(f"PATH {root.name} shows {root.aside}")
                continue
            tree = Tree(root, format, far=everything or bool(steps))
            nodes = tree.find(steps) if steps else [tree.top()]
            if as_json:
                documents += [_document(tree, node, view, view.depth) for node in nodes]
                continue
            click.echo(
                f"{printable(file)}: layout {root.layout}" + (f" of stream {root.stream}" if root.stream else "")
            )
            shown = [root.stream]
            for node in nodes:
                for line in _lines(tree, node, view, 0, shown):
                    click.echo(line)
        if as_json:
            echo_json({"file": file, "format": format, "nodes": documents})


def parse_path_or_usage(path: str) -> Any:
    from ksreplay.errors import ReplayError

    try:
        return parse_path(path)
    except ReplayError as error:
        raise click.UsageError(str(error)) from None


def _roots(file: str, layout: str | None, reading: Reading) -> tuple[str, list[Root]]:
    from ksreplay.formats.source import Source
    from ksreplay.registry import locate

    with reading.reading_errors():
        source: Any = sys.stdin.buffer if file == "-" else file
        if layout is not None:
            data = Source.of(source, reading.limits).data
            return "", [Root("", layout, "", lambda: data)]
        opened, format = locate(source, None, reading.limits)
    return format, roots(format, opened.data, reading.limits)


def _lines(tree: Tree, node: Node, view: View, level: int, shown: list[str]) -> Iterator[str]:
    """The node and what is below it. ``shown`` holds the stream that the last line's offset was of."""
    if node.start is not None and node.stream.name != shown[0]:
        shown[0] = node.stream.name
        yield f"-- offsets of {_stream_name(node.stream)}"
    size = "" if node.size is None else f"{node.size:,}"
    offset = "" if node.start is None else f"{node.start:08x}"
    text = f"{offset:8} {size:>10}  {'  ' * level}{node.name}{_value(tree, node, view)}"
    if view.hex and node.is_leaf and node.start is not None and not _hidden(node, view):
        text += f"  [{_hex(tree.bytes_of(node, _HEX), node.size or 0)}]"
    yield text
    if level >= view.depth:
        return
    for child in _below(tree, node, view):
        if isinstance(child, Node):
            yield from _lines(tree, child, view, level + 1, shown)
        elif isinstance(child, int):
            yield f"{'':19}  {'  ' * (level + 1)}… {child:,} more items: {node.path}[{view.items}:], or --all"
        else:
            if node.inner.name != shown[0]:
                shown[0] = node.inner.name
                yield f"-- offsets of {_stream_name(node.inner)}"
            data = tree.stretch(node.inner, child[0], min(child[1], child[0] + _HEX))
            what = "unread, zero" if not any(tree.stretch(node.inner, *child)) else "unread"
            yield (
                f"{child[0]:08x} {child[1] - child[0]:>10,}  {'  ' * (level + 1)}({what})"
                f"  [{_hex(data, child[1] - child[0])}]"
            )


def _below(tree: Tree, node: Node, view: View) -> Iterator[Node | int | tuple[int, int]]:
    """Children, the number of items left out, and the stretches that nothing covers: all by their place."""
    if node.items is not None:
        for index in range(min(view.items, len(node.items))):
            yield tree.item(node, index)
            tree.let_go(node, index)
        if len(node.items) > view.items:
            yield len(node.items) - view.items
        return
    here: list[tuple[int, Node | tuple[int, int]]] = []
    rest: list[Node] = []
    for child in tree.children(node):
        if child.start is not None and child.stream.name == node.inner.name:
            here.append((child.start, child))
        else:
            rest.append(child)
    if node.holder is not None:
        here += [(start, (start, stop)) for start, stop in tree.unread(node)]
    yield from (item for _, item in sorted(here, key=lambda entry: entry[0]))
    yield from rest


def _value(tree: Tree, node: Node, view: View) -> str:
    value = node.value
    if _hidden(node, view):
        text = " = (private: --private shows it)"
    elif isinstance(value, enum.Enum):
        text = f" = {value.name.lower()} ({value.value})"
    elif isinstance(value, bytes):
        text = f" = {_hex(value[:_HEX], len(value))}"
        if value and value[:_HEX].isascii() and value[:_HEX].decode("ascii").isprintable():
            text += f"  {value[:_HEX].decode('ascii')!r}"
    elif isinstance(value, str):
        text = f" = {printable(repr(value), 120)}"
    elif value is not None:
        text = f" = {value}"
    elif node.items is not None:
        text = f": {len(node.items):,} items"
    else:
        text = f": {node.kind}" if node.kind else ""
    if node.inflated is not None:
        text += f", opens to {node.inflated:,} bytes"
    return text + _problem(node)


def _problem(node: Node) -> str:
    if node.error == MORE:
        return "  (goes on: give a path with a range, or --all)"
    return f"  !! {printable(node.error, 200)}" if node.error else ""


def _hidden(node: Node, view: View) -> bool:
    return node.private and not view.private


def _stream_name(stream: Stream) -> str:
    return f"stream {stream.name}" if stream.name else "the file"


def _hex(data: bytes, size: int) -> str:
    return data[:_HEX].hex(" ") + (" …" if size > len(data[:_HEX]) else "")


def _document(tree: Tree, node: Node, view: View, depth: int) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": node.name, "path": node.path, "type": node.kind}
    if node.start is not None:
        entry |= {"stream": node.stream.name, "offset": node.start, "size": node.size}
    if node.inflated is not None:
        entry |= {"inner_stream": node.inner.name, "inflated": node.inflated}
    if _hidden(node, view):
        entry["private"] = True
    elif isinstance(node.value, enum.Enum):
        entry |= {"value": node.value.value, "enum": node.value.name.lower()}
    elif node.is_leaf:
        entry["value"] = plain(node.value)
    if view.hex and node.is_leaf and node.start is not None and not _hidden(node, view):
        entry["hex"] = tree.bytes_of(node, 1 << 16).hex()
    if node.error:
        entry["error"] = node.error
    if node.items is not None:
        entry["items"] = len(node.items)
    if depth > 0 and not node.is_leaf:
        children: list[dict[str, Any]] = []
        for child in _below(tree, node, view):
            if isinstance(child, Node):
                children.append(_document(tree, child, view, depth - 1))
            elif isinstance(child, int):
                entry["more"] = child
            else:
                place = {"stream": node.inner.name, "offset": child[0], "size": child[1] - child[0]}
                children.append({"name": "", "path": node.path, "type": "unread", **place})
        entry["children"] = children
    return entry

"""Draws a file in its layout as the Web IDE shows it: the tree on the left, the bytes on the right, as SVG.

Fields, places and values come from `ksreplay.layout`, so the picture cannot say what the layouts do not.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from ksreplay.layout import Node, Root, Tree, parse_path

ROW = 19
CHAR = 7.25
LEFT = 470
HEX_ROWS = 27


@dataclass(frozen=True)
class Row:
    """One line of the tree."""

    level: int
    mark: str
    name: str
    text: str
    selected: bool


def _value(node: Node) -> str:
    value = node.value
    if node.items is not None:
        return f"[{len(node.items)}]"
    if isinstance(value, enum.Enum):
        return f"= {value.name.lower()} (0x{value.value:X} = {value.value})"
    if isinstance(value, bytes):
        return f"= {value[:8].hex(' ').upper()}{' …' if len(value) > 8 else ''}"
    if isinstance(value, str):
        return f"= {value!r}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"= 0x{value:X} = {value}" if value >= 0 else f"= {value}"
    if value is not None:
        return f"= {value}"
    return f"[{''.join(part.capitalize() for part in node.kind.split('_'))}]"


def _children(tree: Tree, node: Node) -> Iterator[Node]:
    if node.items is not None:
        yield from (tree.item(node, i) for i in range(len(node.items)))
    else:
        yield from tree.children(node)


def _rows(tree: Tree, node: Node, chosen: str, level: int = 0) -> Iterator[Row]:
    """The tree opened along the way to the chosen field; of lists only the items around the way."""
    on_the_way = chosen == node.path or chosen.startswith((f"{node.path}.", f"{node.path}["))
    opened = not node.is_leaf and (on_the_way or not node.path)
    mark = "" if node.is_leaf else "▾" if opened else "▸"
    yield Row(level, mark, node.name.strip("[]"), _value(node), node.path == chosen)
    if not opened:
        return
    children = list(_children(tree, node))
    ways = [i for i, child in enumerate(children) if chosen.startswith(child.path)]
    around = ways[-1] if ways else 0
    for i, child in enumerate(children):
        if node.items is None or abs(i - around) <= 2:
            yield from _rows(tree, child, chosen, level + 1)
        elif abs(i - around) == 3:
            yield Row(level + 1, "", "…", "", False)


def _text(x: float, y: float, text: str, css: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{css}" xml:space="preserve">{escape(text)}</text>'


def _hex_panel(tree: Tree, chosen: Node, height: int) -> Iterator[str]:
    """The stream of the chosen field from a few rows above it, with its bytes marked."""
    start, stop = chosen.start or 0, chosen.stop or 0
    size = len(chosen.stream.io.getbuffer()) + chosen.stream.base
    first = max(0, start // 16 - 9) * 16
    x0, y0 = LEFT + 24, 64
    yield _text(x0, 48, f"stream {chosen.stream.name or 'of the file'}, {size} bytes", "note")
    for n in range(min(HEX_ROWS, (height - y0) // ROW)):
        at = first + 16 * n
        if at >= size:
            break
        data = tree.stretch(chosen.stream, at, min(at + 16, size))
        y = y0 + n * ROW
        for i, byte in enumerate(data):
            x = x0 + 64 + i * 3 * CHAR + (CHAR if i > 7 else 0)
            if start <= at + i < stop:
                yield f'<rect x="{x - 3:.1f}" y="{y - 1}" width="{3 * CHAR:.1f}" height="{ROW - 2}" class="mark"/>'
                xc = x0 + 64 + 50 * CHAR + i * CHAR
                yield f'<rect x="{xc:.1f}" y="{y - 1}" width="{CHAR:.1f}" height="{ROW - 2}" class="mark"/>'
            yield _text(x, y + 13, f"{byte:02X}", "byte")
        yield _text(x0, y + 13, f"{at:06x}", "note")
        shown = "".join(chr(b) if 32 <= b < 127 else "·" for b in data)
        for i, letter in enumerate(shown):
            yield _text(x0 + 64 + 50 * CHAR + i * CHAR, y + 13, letter, "note")


STYLE = """
svg { background: #ffffff }
text { font: 12px Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #222222 }
.title { font-weight: bold; fill: #ffffff }
.note { fill: #66707a }
.name { fill: #1a4a8a }
.value { fill: #7a3e00 }
.bar { fill: #37474f }
.line { fill: #cfd8dc }
.mark { fill: #ffd54f }
.row { fill: #fff3c4 }
"""


def draw(layout: str, sample: str, path: str) -> str:
    """The bundled sample in a layout, opened down to the field at a path."""
    data = files("ksreplay.samples").joinpath(sample).read_bytes()
    tree = Tree(Root("", layout, "", lambda: data), far=True)
    (chosen,) = tree.find(parse_path(path))
    rows = list(_rows(tree, tree.top(), chosen.path))
    height = 60 + max(len(rows), 20) * ROW
    width = LEFT + 24 + 64 + 68 * CHAR + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">',
        f"<title>{escape(sample)} in {escape(layout)}.ksy</title><style>{STYLE}</style>",
        f'<rect class="bar" width="{width:.0f}" height="28"/>',
        _text(12, 19, f"{layout}.ksy", "title"),
        _text(LEFT + 24, 19, sample, "title"),
        f'<rect class="line" x="{LEFT}" y="28" width="2" height="{height - 28}"/>',
    ]
    for n, row in enumerate(rows):
        y = 40 + n * ROW
        x = 12 + row.level * 16
        if row.selected:
            parts.append(f'<rect class="row" x="0" y="{y - 1}" width="{LEFT}" height="{ROW - 2}"/>')
        parts += [_text(x, y + 13, row.mark, "note"), _text(x + 14, y + 13, row.name, "name")]
        parts.append(_text(x + 14 + (len(row.name) + 1) * CHAR, y + 13, row.text, "value"))
    parts += _hex_panel(tree, chosen, height)
    return "\n".join([*parts, "</svg>", ""])


def pictures() -> dict[str, str]:
    """Path below docs/ -> SVG of every picture of a layout."""
    return {"images/web-ide.svg": draw("cbtrack", "sample.cbtrack", "windows[0].main.columns[10].ofs_data")}


if __name__ == "__main__":  # python tools/docsite/picture.py: writes them; a test holds that they are current
    for name, svg in pictures().items():
        target = Path(__file__).resolve().parents[2] / "docs" / name
        target.parent.mkdir(exist_ok=True)
        target.write_text(svg, encoding="utf-8", newline="\n")
        print(target.name)

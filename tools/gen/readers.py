"""Finishing touches on the Kaitai compiler's Python output."""

from __future__ import annotations

import re

from .model import Spec, Type, camel, optional_names

_CLASS = re.compile(r"^(?P<indent> *)class (?P<name>\w+)\(KaitaiStruct\):$")
_INIT = re.compile(r"^ *def __init__\(self")


def _types_by_class(root: Type) -> dict[tuple[str, ...], Type]:
    return {tuple(camel(n) for n in (root.name, *t.path)): t for t in root.walk()}


def finish(spec: Spec, text: str) -> str:
    """The reader as a module of a package.

    Imports of sibling layouts become relative, and a field that the data may leave out is a class attribute None, so
    that asking for it never raises AttributeError.
    """
    for name in spec.imports:
        text = re.sub(rf"^import {re.escape(name)}$", f"from . import {name}", text, flags=re.MULTILINE)
    types = _types_by_class(spec.root)
    lines: list[str] = []
    stack: list[tuple[int, str]] = []
    pending: tuple[str, list[str]] | None = None
    for line in text.splitlines():
        if match := _CLASS.match(line):
            indent = len(match["indent"])
            stack = [entry for entry in stack if entry[0] < indent] + [(indent, match["name"])]
            names = optional_names(types[tuple(name for _, name in stack)])
            pending = (" " * (indent + 4), names)
        elif pending and _INIT.match(line):
            lines += [f"{pending[0]}{name} = None" for name in pending[1]]
            pending = None
        lines.append(line.rstrip())
    return "\n".join(lines).rstrip("\n") + "\n"

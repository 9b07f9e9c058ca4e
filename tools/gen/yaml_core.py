"""YAML 1.2 core schema for .ksy files, as the Kaitai compiler and the Web IDE read them.

PyYAML follows YAML 1.1, where ``yes``, ``on`` and ``1:30`` are not text. The loader here knows only the scalars of the
core schema, refuses duplicate keys, and keeps the line of every mapping for messages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

YAMLError = yaml.YAMLError


class Mapping(dict[Any, Any]):
    """A YAML mapping that knows the lines (from 1) where it and its keys stand."""

    line: int = 0
    lines: dict[Any, int]
    style: dict[Any, str | None]  # quoting style of scalar values, by key


class CoreLoader(yaml.SafeLoader):
    """SafeLoader with the implicit types of the YAML 1.2 core schema only."""


CoreLoader.yaml_implicit_resolvers = {}


_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|0b[01]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
for tag, pattern, first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", _INT.pattern, list("-+0123456789")),
    ("float", _FLOAT.pattern, list("-+.0123456789")),
):
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"^(?:{pattern})$"), first)


def _integer(loader: CoreLoader, node: yaml.ScalarNode) -> int:
    text = loader.construct_scalar(node)
    return int(text, 0) if re.match(r"0[xob]", text) else int(text, 10)


def _mapping(loader: CoreLoader, node: yaml.MappingNode) -> Mapping:
    result = Mapping()
    result.line = node.start_mark.line + 1
    result.lines = {}
    result.style = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in result:
            raise yaml.constructor.ConstructorError(None, None, f"duplicate key {key!r}", key_node.start_mark)
        result[key] = loader.construct_object(value_node, deep=True)
        result.lines[key] = key_node.start_mark.line + 1
        result.style[key] = value_node.style if isinstance(value_node, yaml.ScalarNode) else None
    return result


CoreLoader.add_constructor("tag:yaml.org,2002:int", _integer)
CoreLoader.add_constructor("tag:yaml.org,2002:map", _mapping)


def loads(text: str) -> Mapping:
    """Parse one .ksy text. Raises yaml.YAMLError; a document that is no mapping is one too."""
    document = yaml.load(text, Loader=CoreLoader)
    if not isinstance(document, Mapping):
        raise yaml.YAMLError("the document is not a mapping")
    return document


def load(path: Path) -> Mapping:
    """Parse one .ksy file."""
    return loads(path.read_text(encoding="utf-8"))

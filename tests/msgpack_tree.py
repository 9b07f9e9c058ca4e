"""A value of the layout ``msgpack`` as Python has it: what several test modules hold against the crd reader."""

from __future__ import annotations

from typing import Any


def tree(node: Any, mapping: type = list) -> Any:
    """``mapping`` makes maps of their pairs; as a list they also show a key that comes twice."""
    if node.is_map:
        return mapping((tree(entry.key, mapping), tree(entry.value, mapping)) for entry in node.entries)
    if node.is_array:
        return [tree(item, mapping) for item in node.elements]
    if node.is_text:
        return node.text
    if node.is_bytes:
        return node.data
    if node.is_small_integer:
        return node.small_integer
    if node.is_nil:
        return None
    return node.truth if node.tag in (0xC2, 0xC3) else node.number

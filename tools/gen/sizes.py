"""Fixed sizes: which types have one, and where each field of them stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod

from .model import PRIMITIVE, Field, Type


class NotFixed(Exception):
    """Says which field keeps a type from having a fixed layout."""


@dataclass(frozen=True)
class Slot:
    """One field of a fixed layout: offset and size in bytes, numpy format or the nested layout, items when repeated."""

    name: str
    format: str | Layout
    count: int | None
    offset: int
    size: int


@dataclass(frozen=True)
class Layout:
    """Fixed layout of a type, in one byte order (``<`` or ``>``)."""

    type: Type
    order: str
    slots: tuple[Slot, ...]
    size: int
    padded: bool = False  # a substream is larger than its fields

    @property
    def packed_size(self) -> int:
        return sum(slot.size for slot in self.slots)


_LITERAL = re.compile(r"[\d\s*+()x]+$")


def number(value: object) -> int | None:
    """An integer literal, or a product or sum of such; None for anything that depends on the data."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and _LITERAL.match(value) and re.search(r"\d", value):
        terms = value.replace("(", "").replace(")", "").split("+")
        try:
            return sum(prod(int(factor, 0) for factor in term.split("*")) for term in terms)
        except ValueError:
            return None
    return None


def contents_size(contents: object) -> int:
    if isinstance(contents, str):
        return len(contents.encode("utf-8"))
    assert isinstance(contents, list)
    return sum(len(part.encode("utf-8")) if isinstance(part, str) else 1 for part in contents)


def orders(t: Type) -> dict[str, str]:
    """Suffix of the constant -> byte order: one without suffix, or both where the data decide."""
    if isinstance(t.endian, dict):
        return {"_LE": "<", "_BE": ">"}
    return {"": ">" if t.endian == "be" else "<"}


def field_slot(f: Field, order: str, offset: int) -> Slot:
    """The slot of a sequence field, or NotFixed."""
    body = f.body
    if "if" in body:
        raise NotFixed(f"{f.name} is optional")
    count = None
    if "repeat" in body:
        count = number(body.get("repeat-expr")) if body["repeat"] == "expr" else None
        if count is None:
            raise NotFixed(f"{f.name} repeats by what the data say")
    size = number(body.get("size"))
    written = f.type
    match = PRIMITIVE.match(written) if isinstance(written, str) else None
    fmt: str | Layout
    if match:
        width = int(match["width"])
        e = {"le": "<", "be": ">", None: order}[match["endian"]] if width > 1 else "|"
        fmt = f"{e}{match['kind'].replace('s', 'i')}{width}"
        size = width
    elif "contents" in body:
        size = contents_size(body["contents"])
        fmt = f"V{size}"
    elif written in ("str", "strz") and size is not None:
        fmt = f"S{size}"
    elif (target := f.owner.find_type(written) if isinstance(written, str) else None) and "process" not in body:
        try:
            if isinstance(target.endian, dict) and target.endian is not f.owner.endian:
                raise NotFixed(f"{f.name}: byte order is decided while reading")
            inner = layout(target, order if target.endian is f.owner.endian else orders(target)[""])
            size = inner.size if size is None else size
            fmt = inner if size == inner.size else Layout(target, inner.order, inner.slots, size, True)
        except NotFixed:
            if size is None:
                raise
            fmt = f"V{size}"
    elif size is not None:
        fmt = f"V{size}"
    else:
        raise NotFixed(f"{f.name} has no fixed size")
    return Slot(f.name, fmt, count, offset, size * (count if count is not None else 1))


def head(t: Type, order: str) -> Layout:
    """The fields before the first one without a fixed place; maybe none."""
    slots: list[Slot] = []
    offset = 0
    for f in t.seq:
        try:
            slot = field_slot(f, order, offset)
        except NotFixed:
            break
        slots.append(slot)
        offset += slot.size
    return Layout(t, order, tuple(slots), offset)


def layout(t: Type, order: str) -> Layout:
    """The whole type; NotFixed when a field has no fixed place or size."""
    found = head(t, order)
    if len(found.slots) < len(t.seq):
        field_slot(t.seq[len(found.slots)], order, found.size)  # raises with the reason
    if not found.slots:
        raise NotFixed("no fields")
    return found


def fixed_size(t: Type) -> int | None:
    """Size in bytes, None when it varies; 0 for a type without fields."""
    if not t.seq:
        return 0
    try:
        return layout(t, next(iter(orders(t).values()))).size
    except NotFixed:
        return None


def constant(t: Type) -> str:
    """Name of a type's dtype constant: its path below the root, or ROOT."""
    return "_".join(t.path).upper() or "ROOT"

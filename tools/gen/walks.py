"""Walk tables: how to step over the messages of a tagged stream without a reader object per message.

A tagged stream is a .ksy whose root is one message, or repeats one: a u1 id, then a body chosen by it. The size of a
message is fixed, or a field of it says it: ``len_packet``, ``len_subpacket``, ``len_message`` count the whole message
with its id, ``len_body`` counts what follows the length field; a key ``-walk-bias`` at any other length field says what
to add to it for the whole message.
"""

from __future__ import annotations

from dataclasses import dataclass

from .model import PRIMITIVE, Enum, Field, Spec, Type
from .sizes import NotFixed, constant, field_slot, fixed_size, head, orders

WHOLE = ("len_packet", "len_subpacket", "len_message")
REST = ("len_body",)


@dataclass(frozen=True)
class Stream:
    """The wrapper of a tagged stream: its type, the id field and the body field."""

    type: Type
    id: Field
    body: Field

    @property
    def names(self) -> Enum | None:
        return self.id.enum


@dataclass(frozen=True)
class Message:
    """One row of a walk table. ``type`` None: the id is known and has no body."""

    id: int
    name: str
    type: Type | None
    size: int | None
    length_offset: int | None = None
    length_width: int | None = None
    length_bias: int | None = None


def _wrapper(t: Type) -> Stream | None:
    """The type as a message wrapper: first field a u1, and a later field that switches on it."""
    if not t.seq or t.seq[0].type != "u1":
        return None
    tag, *rest = t.seq
    if rest and rest[0].cases and rest[0].targets() and rest[0].type.get("switch-on") == tag.name:
        return Stream(t, tag, rest[0])
    return None


def find_stream(spec: Spec) -> Stream | None:
    """The tagged stream that a spec describes, or None."""
    root = spec.root
    if found := _wrapper(root):
        return found
    if len(root.seq) == 1:
        for target in root.seq[0].targets():
            if target.spec is spec and (found := _wrapper(target)):
                return found
    return None


def case_value(stream: Stream, case: object) -> int | None:
    """Value of a case: a number, or an enum member ``enum::member``; None for the default."""
    if isinstance(case, int):
        return case
    text = str(case)
    if "::" in text:
        path, member = text.rsplit("::", 1)
        enum = stream.type.find_enum(path)
        for value, m in (enum.members if enum else {}).items():
            if m["id"] == member:
                return value
        raise ValueError(f"{stream.type.spec.id}.ksy: case {text} names no enum member")
    return None if text == "_" else int(text, 0)


def _length_field(t: Type) -> tuple[int, int, int] | None:
    """Offset from the id byte, width and bias of the length field among the leading fixed fields."""
    order = next(iter(orders(t).values()))
    offset = 0
    for f in t.seq:
        match = PRIMITIVE.match(f.type) if isinstance(f.type, str) else None
        bias = f.body.get("-walk-bias")
        if (f.name in WHOLE + REST or bias is not None) and match and match["kind"] == "u":
            if match["width"] != "1" and order == ">":
                raise ValueError(f"{t.spec.id}.ksy: {t.title}: walk tables know little-endian lengths only")
            width = int(match["width"])
            if bias is None:
                bias = 0 if f.name in WHOLE else 1 + offset + width
            return 1 + offset, width, int(bias)
        try:
            offset += field_slot(f, order, offset).size
        except NotFixed:
            return None
    return None


def messages(stream: Stream) -> list[Message]:
    """Every id of the stream, in the order of the ids: those with a body type, then enum members without one."""
    rows: dict[int, Message] = {}
    enum = stream.names
    originals = enum.original_names if enum else {}
    for case, written in stream.body.cases.items():
        value = case_value(stream, case)
        if value is None:
            continue
        t = stream.type.find_type(str(written))
        name = originals.get(value)
        if not name:
            name = str(enum.members[value]["id"]) if enum and value in enum.members else str(written)
        if t is None:
            match = PRIMITIVE.match(str(written))
            rows[value] = Message(value, name, None, 1 + int(match["width"]) if match else None)
            continue
        size = fixed_size(t)
        length = _length_field(t)
        if length:
            rows[value] = Message(value, name, t, None, *length)
        else:
            rows[value] = Message(value, name, t, None if size is None else 1 + size)
    for value, member in (enum.members if enum else {}).items():
        if value not in rows:
            rows[value] = Message(value, originals.get(value, str(member["id"])), None, 1)
    return [rows[value] for value in sorted(rows)]


def module(spec: Spec) -> str | None:
    """Source of generated/walks/<id>.py, None for a spec that is no tagged stream."""
    stream = find_stream(spec)
    if not stream:
        return None
    lines = []
    for m in messages(stream):
        dtype = leading = "None"
        if m.type and m.type.spec is spec and m.type.seq:
            suffix, order = next(iter(orders(m.type).items()))
            if fixed_size(m.type) is not None:
                dtype = f"dtypes.{constant(m.type)}{suffix}"
            elif head(m.type, order).slots:
                leading = f"dtypes.{constant(m.type)}_HEAD"
        type_name = f'"{"_".join(m.type.path)}"' if m.type else "None"
        rule = f"{m.size}, {m.length_offset}, {m.length_width}, {m.length_bias}"
        lines.append(f'    {m.id}: Message({m.id}, "{m.name}", {type_name}, {rule}, {dtype}, {leading}),')
    return "\n".join(
        [
            f'"""Walk table of the tagged stream of ksy/{spec.id}.ksy. Generated by tools/gen. Do not edit."""',
            "",
            "from typing import Final",
            "",
            f"from ..dtypes import {spec.id} as dtypes",
            "from . import Message",
            "",
            "WALK: Final[dict[int, Message]] = {",
            *lines,
            "}",
            '"""Id -> Message."""',
            "",
        ]
    )


PACKAGE = '''\
"""Walk tables of the tagged streams. Generated by tools/gen. Do not edit."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Message:
    """How to step over one kind of message, and how to read it in bulk. Offsets count from the id byte.

    The total size with the id is ``size`` where that is a number; else it is the unsigned little-endian integer of
    ``length_width`` bytes at ``length_offset`` plus ``length_bias`` where those are numbers; else only the frame
    around the message knows it. ``dtype`` covers the whole body after the id byte, ``head`` the leading fixed fields
    of a body that varies.
    """

    id: int
    name: str
    type: str | None
    size: int | None
    length_offset: int | None
    length_width: int | None
    length_bias: int | None
    dtype: "np.dtype[np.void] | None" = None
    head: "np.dtype[np.void] | None" = None
'''

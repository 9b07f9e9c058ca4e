"""Drift test: a construct spec (for building) and a generated dtype (for reading) must state the same layout.

A format's test calls ``assert_same(HEADER_BUILD, dtypes.HEADER)``. Both are flattened to (name, kind, offset, size)
rows; nested structures become dotted names. Fields that construct leaves unnamed (padding) are compared by place only.
"""

from __future__ import annotations

from typing import NamedTuple

import construct as c
import numpy as np

_CODES = {"B": "u1", "H": "u2", "I": "u4", "L": "u4", "Q": "u8", "b": "i1", "h": "i2", "i": "i4", "l": "i4", "q": "i8"}
_CODES |= {"f": "f4", "d": "f8", "e": "f2"}


class Row(NamedTuple):
    """One plain field: dotted name (or None), kind such as ``<u4`` or ``bytes``, items, offset and size in bytes."""

    name: str | None
    kind: str
    count: int
    offset: int
    size: int


def _dotted(prefix: str, name: str | None) -> str | None:
    return None if name is None else prefix + name


def _unwrapped(con: c.Construct) -> c.Construct:
    """The field below names, defaults, rebuilt values and adapters such as Enum."""
    plain = (c.Const, c.Struct, c.Sequence, c.Array, c.FixedSized, c.Padded, c.NullTerminated, c.NullStripped)
    while isinstance(con, c.Subconstruct) and not isinstance(con, plain):
        if isinstance(con, c.StringEncoded | c.Prefixed | c.Transformed | c.Restreamed):
            return con
        con = con.subcon
    return con


def _struct_rows(con: c.Construct, name: str | None, offset: int, prefix: str) -> list[Row]:
    inner = _unwrapped(con)
    size = con.sizeof()
    if isinstance(inner, c.Struct):
        below = "" if name is None else f"{prefix}{name}."
        return rows_of_struct(inner, offset, below)
    if isinstance(inner, c.Array) and isinstance(inner.count, int):
        one = _struct_rows(inner.subcon, name, offset, prefix)
        assert len(one) == 1, f"{name}: arrays of structures are not flattened"
        return [one[0]._replace(count=inner.count, size=size)]
    if isinstance(inner, c.FormatField):
        code = _CODES[inner.fmtstr[1]]
        order = "|" if code.endswith("1") else inner.fmtstr[0].replace("=", "<")
        return [Row(_dotted(prefix, name), order + code, 1, offset, size)]
    if isinstance(inner, c.BytesInteger) and size in (1, 2, 4, 8):
        order = "|" if size == 1 else "<" if inner.swapped else ">"
        return [Row(_dotted(prefix, name), f"{order}{'i' if inner.signed else 'u'}{size}", 1, offset, size)]
    return [Row(_dotted(prefix, name), "bytes", 1, offset, size)] if size else []


def rows_of_struct(struct: c.Construct, offset: int = 0, prefix: str = "") -> list[Row]:
    """The leading fields of fixed size of a construct Struct; stops before the first one whose size varies."""
    inner = _unwrapped(struct)
    assert isinstance(inner, c.Struct), f"{inner!r} is no Struct"
    rows: list[Row] = []
    for con in inner.subcons:
        try:
            found = _struct_rows(con, con.name, offset, prefix)
            offset += con.sizeof()
        except c.SizeofError:
            break
        rows += found
    return rows


def rows_of_dtype(dtype: np.dtype[np.void], offset: int = 0, prefix: str = "") -> list[Row]:
    """The fields of a structured dtype."""
    rows: list[Row] = []
    assert dtype.names is not None and dtype.fields is not None
    for name in dtype.names:
        field, at = dtype.fields[name][:2]
        base, shape = field.subdtype or (field, ())
        if base.names:
            assert not shape, f"{name}: arrays of structures are not flattened"
            rows += rows_of_dtype(base, offset + at, f"{prefix}{name}.")
            continue
        kind = "bytes" if base.kind in "VS" else ("|" if base.itemsize == 1 else "") + base.str.lstrip("|")
        rows.append(Row(prefix + name, kind, int(np.prod(shape)), offset + at, field.itemsize))
    return rows


def differences(struct: c.Construct, dtype: np.dtype[np.void]) -> list[str]:
    """Where the two statements differ, one line a field; empty when they agree."""
    left, right = rows_of_struct(struct), rows_of_dtype(dtype)
    lines = []
    for built, read in zip(left, right, strict=False):
        if built._replace(name=read.name if built.name is None else built.name) != read:
            lines.append(f"construct {built} is not dtype {read}")
    lines += [f"only in the dtype: {read}" for read in right[len(left) :]]
    try:
        size: int | None = struct.sizeof()
    except c.SizeofError:
        size = None  # a head: the dtype covers the leading fields, more may follow
    if size is not None:
        lines += [f"only in construct: {built}" for built in left[len(right) :]]
        if size != dtype.itemsize:
            lines.append(f"construct has {size} bytes, the dtype {dtype.itemsize}")
    return lines


def assert_same(struct: c.Construct, dtype: np.dtype[np.void]) -> None:
    """Fail with every difference. A Struct whose end varies is compared over the fields of the dtype only."""
    found = differences(struct, dtype)
    assert not found, "\n".join(found)

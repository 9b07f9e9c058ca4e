"""Tables as Arrow streams, built with nanoarrow so that the core needs no pyarrow."""

from __future__ import annotations

import functools
from typing import Any

import nanoarrow as na
import numpy as np
from nanoarrow.c_array_stream import CArrayStream
from numpy.typing import NDArray

from ksreplay.columns import Ragged
from ksreplay.table import Column, Schema, Table

#: Rows of one record batch: bounds what a consumer must hold at a time, and keeps 32-bit string offsets safe.
BATCH_ROWS = 1 << 17


@functools.lru_cache(1024)
def schema(table: Schema) -> Any:
    """The nanoarrow schema of a table, with units and meanings as field metadata."""
    fields = {column.name: _field(column) for column in table}
    metadata = {"ksreplay.table": table.name, "ksreplay.schema_version": str(table.version)}
    return na.Schema(na.struct(fields, nullable=False), metadata=metadata)


def stream(table: Table) -> Any:
    """A nanoarrow stream of record batches; its ``__arrow_c_stream__`` is what consumers take, once."""
    outer = schema(table.schema)
    starts = range(0, len(table), BATCH_ROWS)
    batches = [_batch(table if len(starts) == 1 else table.slice(start, start + BATCH_ROWS), outer) for start in starts]
    return CArrayStream.from_c_arrays(batches, na.c_schema(outer), move=True, validate=False)


def _field(column: Column) -> Any:
    metadata = {key: value for key, value in (("unit", column.unit), ("meaning", column.meaning)) if value}
    return na.Schema(_type(column.dtype, column.may_be_null), metadata=metadata or None)


@functools.cache
def _type(dtype: str, nullable: bool) -> Any:
    if dtype.startswith("list<"):
        return na.list_(_type(dtype[5:-1], False), nullable=nullable)
    factory = {"bool": na.bool_, "string": na.string, "binary": na.binary}.get(dtype) or getattr(na, dtype)
    return factory(nullable=nullable)


def _batch(table: Table, outer: Any) -> Any:
    children = [_array(c.dtype, c.may_be_null, table.column(c.name), table.valid(c.name)) for c in table.schema]
    return na.c_array_from_buffers(outer, len(table), [None], null_count=0, children=children)


def _array(dtype: str, nullable: bool, values: Any, valid: NDArray[np.bool_] | None) -> Any:
    length = len(values)
    if valid is None:
        bitmap, num_nulls = None, 0
    else:
        bitmap, num_nulls = np.packbits(valid, bitorder="little"), int(length - np.count_nonzero(valid))
    arrow_type = _type(dtype, nullable)
    if isinstance(values, Ragged):
        offsets, flat = values.flat()
        buffers: list[Any] = [bitmap, offsets.astype(np.int32)]
        if not dtype.startswith("list<"):
            return na.c_array_from_buffers(arrow_type, length, [*buffers, flat], null_count=num_nulls)
        child = _array(dtype[5:-1], False, flat, None)
        return na.c_array_from_buffers(arrow_type, length, buffers, null_count=num_nulls, children=[child])
    data = np.packbits(values, bitorder="little") if dtype == "bool" else np.ascontiguousarray(values)
    return na.c_array_from_buffers(arrow_type, length, [bitmap, data], null_count=num_nulls)

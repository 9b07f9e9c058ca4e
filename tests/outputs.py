"""Takes a table through every output and back, and says where anything changed."""

from __future__ import annotations

import base64
import csv
import io
import json
import math
from typing import Any

import numpy as np

from ksreplay import export
from ksreplay.table import Table
from ksreplay.text import spreadsheet_safe

_PYTHON_ROWS = 20_000


def written(table: Table, kind: str) -> bytes:
    stream = io.BytesIO()
    export.FORMATS[kind][1](table, stream)
    return stream.getvalue()


def check_binary(table: Table, kind: str) -> None:
    """Parquet or Arrow gives the numpy columns back, nulls, dtypes and all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    raw = written(table, kind)
    back = pq.read_table(io.BytesIO(raw)) if kind == "parquet" else pa.ipc.open_file(io.BytesIO(raw)).read_all()
    assert back.num_rows == len(table) and tuple(back.column_names) == table.schema.names
    assert back.schema.metadata[b"schema_version"] == str(table.schema.version).encode()
    whole = pa.table(table)
    for column in table.schema:
        if len(table) > _PYTHON_ROWS and (column.dtype in ("string", "binary") or column.item_dtype):
            # As Arrow took it from us in bulk, and a stretch of it as Python values.
            assert back.column(column.name).equals(whole.column(column.name)), column.name
            part = back.column(column.name).slice(len(table) // 2, _PYTHON_ROWS).combine_chunks()
            check_arrow_column(table.slice(len(table) // 2, len(table) // 2 + _PYTHON_ROWS), column.name, part)
        else:
            check_arrow_column(table, column.name, back.column(column.name).combine_chunks())


def check_arrow_column(table: Table, name: str, array: Any) -> None:
    column, mask = table.schema[name], table.valid(name)
    known = np.ones(len(table), bool) if mask is None else mask
    assert (~np.asarray(array.is_null()) == known).all(), name
    if column.dtype in ("string", "binary") or column.item_dtype:
        expected = [v.tolist() if isinstance(v, np.ndarray) else v for v in table[name].tolist()]
        assert repr(array.to_pylist()) == repr(expected), name
        return
    assert str(array.type) == {"float32": "float", "float64": "double"}.get(column.dtype, column.dtype), name
    values = array.fill_null(False if column.dtype == "bool" else 0).to_numpy(zero_copy_only=False)
    np.testing.assert_array_equal(values[known], table[name][known], err_msg=name)


def check_pandas(table: Table) -> None:
    """Parquet → pandas equals the numpy columns."""
    import pandas as pd

    frame = pd.read_parquet(io.BytesIO(written(table, "parquet")), dtype_backend="numpy_nullable")
    ours = table.to_pandas()
    for column in table.schema:
        if column.dtype in ("string", "binary") or column.item_dtype:
            continue  # compared as Arrow
        mask = table.valid(column.name)
        known = np.ones(len(table), bool) if mask is None else mask
        for kind in (frame, ours):
            values = kind[column.name]
            gone = values.isna().to_numpy()
            if column.dtype.startswith("float"):
                known_here = known & ~np.isnan(table[column.name])
            else:
                known_here = known
                assert (gone == ~known).all(), column.name
            np.testing.assert_array_equal(
                values[known_here].to_numpy(table[column.name].dtype), table[column.name][known_here]
            )


def check_text(table: Table) -> None:
    """CSV and NDJSON say the same as the table; floats are the nearest of their width."""
    lines = list(csv.reader(io.StringIO(written(table, "csv").decode("utf-8"), newline="")))
    documents = [json.loads(line) for line in written(table, "ndjson").splitlines()]
    assert tuple(lines[0]) == table.schema.names and documents[0]["table"] == table.schema.name
    assert len(lines) - 1 == len(documents) - 1 == len(table)
    for row, cells, document in zip(table.rows(), lines[1:], documents[1:], strict=True):
        assert tuple(document) == table.schema.names
        for column, cell in zip(table.schema, cells, strict=True):
            name, value = column.name, row[column.name]
            assert same(column.dtype, value, document[name], text=False), (name, value, document[name])
            assert same(column.dtype, value, cell, text=True), (name, value, cell)


def same(dtype: str, value: Any, found: Any, *, text: bool) -> bool:
    if value is None:
        return found == "" if text else found is None
    if dtype == "string":
        return bool(found == (spreadsheet_safe(value) if text else value))
    if dtype == "binary":
        return base64.b64decode(found) == value
    if dtype.startswith("list<"):
        items = json.loads(found) if text else found
        if len(items) != len(value):
            return False
        return all(same(dtype[5:-1], a, b, text=False) for a, b in zip(value, items, strict=True))
    if dtype == "bool":
        return bool(found == str(value).lower()) if text else found is value
    if dtype.startswith("float"):
        if not math.isfinite(value):
            return str(value) == found if text else found is None
        return bool(np.dtype(dtype).type(found) == np.dtype(dtype).type(value))
    return int(found) == value
